"""Documents as single segments, in Python and in every kind of file: what d-BLEU scores."""

import json

import pytest
from bleukit.built_in.sacrebleu.signatures import SacrebleuSignature
from sacrebleu.metrics import BLEU

import bleukit

HYPOTHESES = ["The ferry leaves", "at 7.45 , they say", "from the old harbour .", "", "It rains again"]
FIRST = ["A ferry leaves", "at 7.45 they said", "from the old harbour.", "so", "It rained again"]
SECOND = ["The ferry left", "at 8 , they say", "from that harbour .", "", "it rains"]
DOCUMENTS = ["b", "a", "b", "a", "c"]
JOINED = {
    "b": ("The ferry leaves from the old harbour .", "A ferry leaves from the old harbour."),
    "a": ("at 7.45 , they say ", "at 7.45 they said so"),
    "c": ("It rains again", "It rained again"),
}
EXPECTED = BLEU().corpus_score(*[[h for h, _ in JOINED.values()], [[r for _, r in JOINED.values()]]]).score


def test_documents_are_joined_in_the_order_of_their_first_segments():
    hypotheses, references, documents = bleukit.join_documents(HYPOTHESES, FIRST, DOCUMENTS)
    assert documents == ["b", "a", "c"]
    assert hypotheses == [hypothesis for hypothesis, _ in JOINED.values()]
    assert references == [[reference] for _, reference in JOINED.values()]
    assert bleukit.load("d-bleu").corpus(hypotheses, references).value == pytest.approx(EXPECTED, rel=1e-12)


def test_each_reference_is_joined_by_itself():
    by_segment = bleukit.join_documents(HYPOTHESES, list(zip(FIRST, SECOND, strict=True)), DOCUMENTS)
    by_set = bleukit.join_documents(HYPOTHESES, [FIRST, SECOND], DOCUMENTS, references_by="set")
    assert by_segment == by_set
    assert by_set.references[0] == [JOINED["b"][1], "The ferry left from that harbour ."]


def test_token_lists_follow_each_other():
    joined = bleukit.join_documents([["a"], [], ["b", "c"]], [[["x"]], [["y"]], [[]]], [1, 2, 1])
    assert joined == ([["a", "b", "c"], []], [[["x"]], [["y"]]], [1, 2])


@pytest.mark.parametrize(
    ("references", "documents", "message"),
    [
        (["x", "y"], ["a"], "2 segments, but 1 item in `documents`"),
        ([["x"], ["y", "z"]], ["a", "a"], "document 'a': its segments have 1 and 2 references"),
        (["x", "y"], [["a"], ["a"]], r"documents\[0\]: expected a label"),
    ],
)
def test_what_cannot_be_joined_is_refused(references, documents, message):
    with pytest.raises(bleukit.InputError, match=message):
        bleukit.join_documents(["x", "y"], references, documents)


def lines(path, texts):
    path.write_text("".join(f"{text}\n" for text in texts), encoding="utf-8")
    return str(path)


@pytest.fixture
def texts(tmp_path):
    sides = {"hypothesis": HYPOTHESES, "reference": FIRST, "documents": DOCUMENTS}
    return {name: lines(tmp_path / f"{name}.txt", side) for name, side in sides.items()}


@pytest.fixture
def table(tmp_path):
    rows = zip(HYPOTHESES, FIRST, DOCUMENTS, strict=True)
    return lines(tmp_path / "table.tsv", ["hypothesis\treference\tdocument", *map("\t".join, rows)])


@pytest.fixture
def evaluation_sets(tmp_path):
    def written(kind, texts):
        documents = "".join(
            f'<doc docid="{name}" sysid="s">'
            + "".join(f'<seg id="{place}">{text}</seg>' for place, text in enumerate(texts) if DOCUMENTS[place] == name)
            + "</doc>"
            for name in JOINED
        )
        return lines(tmp_path / f"{kind}.sgm", [f'<{kind} setid="x" srclang="a" trglang="b">{documents}</{kind}>'])

    return written("tstset", HYPOTHESES), written("refset", FIRST)


def score(run, *arguments):
    status, out, err = run("score", "-V", "d-bleu", "-q", "-w", "9", *arguments)
    assert (status, err) == (0, "")
    return float(out)


def test_files_of_all_kinds_give_one_score(run, texts, table, evaluation_sets):
    test_set, references = evaluation_sets
    of_lines = ["-r", texts["reference"], "--documents", texts["documents"], texts["hypothesis"]]
    scores = [score(run, *of_lines), score(run, table), score(run, "-r", references, test_set)]
    assert scores == pytest.approx([EXPECTED] * 3, abs=1e-9)


def test_levels_and_signatures(run, texts):
    files = ["-r", texts["reference"], "--documents", texts["documents"], texts["hypothesis"]]
    for level in ("document", "sentence"):
        _, out, _ = run("score", "-V", "d-bleu", "--level", level, *files)
        _, *rows, signature = out.splitlines()
        assert [row.split("\t")[0] for row in rows] == [*JOINED]
    signature = signature.removeprefix("# signature ")
    assert "|documents:joined|" in signature
    _, out, _ = run("score", "--signature", signature, "-q", "-w", "9", *files)
    assert float(out) == pytest.approx(EXPECTED, abs=1e-9)
    assert "documents:" not in bleukit.load("sacrebleu").signature


def test_systems_are_compared_by_documents(run, texts):
    files = ["-r", texts["reference"], "--documents", texts["documents"], texts["hypothesis"]]
    status, out, _ = run("compare", "-V", "d-bleu", *files, texts["documents"])
    assert status == 0
    assert "resampled:3 documents" in out


@pytest.mark.parametrize(
    ("command", "message"),
    [
        (["score", "-r", "R", "H"], "d-bleu joins the segments of each document, and these are not known: give"),
        (["compare", "-r", "R", "H", "R"], "d-bleu joins the segments of each document, and these are not known: give"),
        (["explain", "-r", "R", "H"], "d-bleu joins the segments of each document, and here no documents are read"),
        (["self-bleu", "H"], "d-bleu joins the segments of each document, and here no documents are read"),
        (["mbr", "H", "R"], "d-bleu joins the segments of each document, and here no documents are read"),
        (["report", "-r", "R", "H", "-o", "page.html"], "d-bleu joins the segments of each document, and the page"),
        (["score", "--engine", "spark", "-r", "R", "H"], "--engine spark does not join documents"),
    ],
)
def test_without_documents_there_is_no_number(run, texts, command, message):
    files = {"R": texts["reference"], "H": texts["hypothesis"]}
    name, *arguments = [files.get(argument, argument) for argument in command]
    status, out, err = run(name, "-V", "d-bleu", *arguments)
    assert status == 2
    assert out == ""
    assert message in " ".join(err.split())


def test_identify_leaves_variants_of_documents_out(run, texts):
    words = ["identify", "--score", "1.234", "-r", texts["reference"], texts["hypothesis"], "--format", "json"]
    assert "variant d-bleu" in json.loads(run(*words)[1])["left_out"]


def test_sacrebleu_has_no_signature_for_it():
    with pytest.raises(bleukit.CannotExpressError, match="join_documents"):
        SacrebleuSignature().write(bleukit.load("d-bleu").variant, 1)
