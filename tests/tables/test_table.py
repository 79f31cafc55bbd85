"""A table of many variants holds what each variant gives alone."""

import csv
import json
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import texts

import bleukit
from bleukit.bleu import segment_columns
from bleukit.corpus import counting
from bleukit.corpus.shared_text import SharedText
from bleukit.framework import registry
from bleukit.framework.arguments import check_segments

RAW = ["The cat sat on the mat.", "It's 3.14, isn't it?", "He said: go!", "A dog, a cat, a mouse."]
REFERENCES = ["The cat sat on a mat.", "It is 3.14, isn't it?", "He said: stay!", "A dog, a cat, and mice."]
OTHER = ["A cat sat on the mat.", "It's 3.14.", "She said: go!", "A dog, a cat."]
SYSTEMS = {"one": RAW, "two": OTHER}
DOCUMENTS = ["a", "a", "b", "b"]
VARIANTS = [name for name, variant in bleukit.variants().items() if not variant.join_documents]
JOINING = [name for name, variant in bleukit.variants().items() if variant.join_documents]


def usable(names):
    """Return the variants, loaded, that can be used here."""
    columns = bleukit.table("all", SYSTEMS, REFERENCES, documents=DOCUMENTS).columns
    there = {column.variant for column in columns if column.signature}
    return {name: bleukit.load(name) for name in names if name in there}


def column(table, name):
    return [row[name] for row in table]


segments = st.lists(st.tuples(texts, texts, st.lists(texts, min_size=1, max_size=3)), min_size=1, max_size=5)


@given(segments)
@settings(max_examples=6)
def test_each_cell_is_the_score_of_the_variant_alone(corpus):
    one, two, references = map(list, zip(*corpus, strict=True))
    table = bleukit.table("all", {"one": one, "two": two}, references, references_by="segment")
    bleus = usable(VARIANTS)
    assert len(bleus) > 50
    described = {column.variant: column for column in table.columns}
    for name, bleu in bleus.items():
        found = described[name]
        scores, error = outcome(bleu, (one, two), references)
        assert repr(column(table, name)) == repr([score and score.value for score in scores])  # NaN equals NaN
        assert found.signature == (scores[0] and scores[0].signature)
        assert error in "".join(found.notes)


def outcome(bleu, systems, references):
    """Return the scores of systems by a variant, and an empty text; None for each, and why, if one has none."""
    try:
        return [bleu.corpus(system, references, references_by="segment") for system in systems], ""
    except bleukit.InputError as error:
        return [None for _ in systems], str(error)


@given(segments)
@settings(max_examples=5)
def test_sentences_are_those_of_the_variant_alone(corpus):
    one, _, references = map(list, zip(*corpus, strict=True))
    names = ["nltk", "sacrebleu", "b-cc", "evaluate"]
    table = bleukit.table(names, {"one": one}, references, level="sentence", references_by="segment")
    assert [row["sentence"] for row in table] == [str(number) for number in range(1, len(one) + 1)]
    for name in names:
        expected = bleukit.load(name).sentences(one, references, references_by="segment").tolist()
        assert repr(column(table, name)) == repr(expected)


def test_token_lists_are_counted_as_they_are():
    systems = {name: [text.split() for text in lines] for name, lines in SYSTEMS.items()}
    references = [[text.split()] for text in REFERENCES]
    table = bleukit.table("all", systems, references)
    for name, bleu in usable(VARIANTS).items():
        assert column(table, name) == [bleu.corpus(lines, references).value for lines in systems.values()]
    assert not any("punctuation" in note for note in table.notes)


def test_documents_are_scored_and_joined():
    table = bleukit.table("all", SYSTEMS, REFERENCES, documents=DOCUMENTS, level="document")
    assert [(row["system"], row["document"]) for row in table] == [(s, d) for d in "ab" for s in SYSTEMS]
    for name, bleu in usable([*VARIANTS, *JOINING]).items():
        expected = []
        for places in (slice(0, 2), slice(2, 4)):
            for lines in SYSTEMS.values():
                hypotheses, references = lines[places], REFERENCES[places]
                if name in JOINING:
                    hypotheses, references, _ = bleukit.join_documents(hypotheses, references, ["x", "x"])
                expected.append(bleu.corpus(hypotheses, references).value)
        assert column(table, name) == expected


def test_text_in_chunks_gives_the_same(monkeypatch):
    lines, others, references = (3 * texts for texts in (RAW, OTHER, REFERENCES))
    whole = bleukit.table("all", {"one": lines, "two": others}, references)
    monkeypatch.setattr(counting, "CHUNK", 2)
    monkeypatch.setattr(counting, "LARGE", 2)
    one, three = (
        bleukit.table("all", {"one": lines, "two": others}, references, threads=threads) for threads in (1, 3)
    )
    assert one == three
    for row, expected in zip(one.rows, whole.rows, strict=True):  # sums of sentence scores depend on the parts
        assert row == {
            name: pytest.approx(value, rel=1e-13) if isinstance(value, float) else value
            for name, value in expected.items()
        }
    sentences = bleukit.table(["nltk", "fairseq"], {"one": lines}, references, level="sentence")
    assert column(sentences, "fairseq") == bleukit.load("fairseq").sentences(lines, references).tolist()


def test_a_part_of_a_text_is_counted():
    segments = check_segments(RAW, REFERENCES)
    text = SharedText(lambda _: segments.part(2, None))
    bleu = bleukit.load("fairseq")
    assert bleu.rows(text.tokens(bleu)) == bleu.statistics(RAW[2:], REFERENCES[2:])


def test_equal_tokens_are_counted_once(monkeypatch):
    counted = []
    count = segment_columns.count_ngrams
    monkeypatch.setattr(segment_columns, "count_ngrams", lambda *given: counted.append(given) or count(*given))
    bleukit.table(
        ["nltk", "coco", "torchmetrics", "wikipedia", "codebleu-ngram-match"], {"one": ["a b c d"]}, ["a b c d"]
    )
    assert len(counted) == 2  # by the counters clipped and nltk


@pytest.mark.parametrize(
    ("lines", "reason", "those", "others"),
    [
        (RAW, "made for tokenized text", {"nltk", "coco", "multi-bleu"}, {"sacrebleu", "mteval-v14", "evaluate"}),
        (["我们今天去北京看朋友。"], "unsplit", {"nltk", "sacrebleu"}, {"sacrebleu-zh"}),
        (["It is n't here ."] * 50, "tokenized already", {"sacrebleu", "matlab"}, {"nltk", "multi-bleu"}),
    ],
)
def test_a_variant_that_does_not_fit_the_text_is_noted(lines, reason, those, others):
    notes = bleukit.table("all", {"one": lines}, lines).notes
    named = {name for note, names in notes.items() if reason in note for name in names}
    assert those <= named
    assert not others & named


def test_a_variant_that_cannot_be_used_is_a_column_without_scores(tmp_path, monkeypatch):
    plugin = (
        "from bleukit.plugin import hookimpl\nimport pathlib\n"
        "@hookimpl\ndef bleukit_variants(): return {'broken': pathlib.Path('nowhere.yaml')}\n"
    )
    (tmp_path / "breaking.py").write_text(plugin)
    monkeypatch.chdir(tmp_path)
    with registry.also_installed(["breaking.py"]):
        table = bleukit.table("all", SYSTEMS, REFERENCES)
        with pytest.raises(bleukit.VariantError, match="nowhere.yaml"):
            bleukit.table(["broken"], SYSTEMS, REFERENCES)
    assert column(table, "broken") == [None, None]
    assert any("nowhere.yaml" in note for note, names in table.notes.items() if "broken" in names)


def test_documents_that_are_not_known_are_noted():
    table = bleukit.table(["sacrebleu", "d-bleu"], SYSTEMS, REFERENCES)
    assert column(table, "d-bleu") == [None, None]
    assert [names for note, names in table.notes.items() if "documents are not known" in note] == [("d-bleu",)]


def test_intervals_are_those_of_each_variant():
    systems = {name: 5 * lines for name, lines in SYSTEMS.items()}
    table = bleukit.table(["sacrebleu", "nltk", "b-cc"], systems, 5 * REFERENCES, confidence=True)
    for name in ("sacrebleu", "nltk", "b-cc"):
        for place, (system, lines) in enumerate(systems.items()):
            alone = bleukit.compare(name, {system: lines}, 5 * REFERENCES, test="bootstrap").systems[0].interval
            found = table.intervals[name][place]
            assert (found.low, found.high) == pytest.approx((alone.low, alone.high), rel=1e-13)  # sums may be rounded


@pytest.mark.engines
def test_data_frames_and_pages_take_it():
    pandas, polars = pytest.importorskip("pandas"), pytest.importorskip("polars")
    table = bleukit.table(["nltk", "d-bleu"], SYSTEMS, REFERENCES)
    for frame in (pandas.DataFrame(table), polars.DataFrame(table)):
        assert [*frame.columns] == ["system", "nltk", "d-bleu"]
        assert [*frame["nltk"]] == column(table, "nltk")
    assert "<td>one</td>" in table._repr_html_()
    assert json.loads(table.to_json())["rows"][0]["nltk"] == table[0]["nltk"]


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        ((["nltk", "nosuch"], SYSTEMS, REFERENCES), {}, "unknown variant 'nosuch'"),
        (([], SYSTEMS, REFERENCES), {}, "no variant to score with"),
        ((3, SYSTEMS, REFERENCES), {}, "variants: expected names"),
        (([bleukit.load("nltk"), bleukit.load("nltk")], SYSTEMS, REFERENCES), {}, "two variants are called 'nltk'"),
        ((["nltk"], {}, REFERENCES), {}, "systems: expected a mapping"),
        ((["nltk"], {"a": RAW, "b": RAW[:2]}, REFERENCES), {}, r"systems\['b'\]: 2 hypotheses, but 4"),
        ((["nltk"], {"a": [*RAW[:3], 5]}, REFERENCES), {}, r"systems\['a'\]: hypotheses\[3\]"),
        ((["nltk"], {"a": []}, []), {}, "no segment to score"),
        ((["nltk"], SYSTEMS, REFERENCES), {"level": "document"}, "level 'document' needs them"),
        ((["nltk"], SYSTEMS, REFERENCES), {"documents": ["a"]}, "documents: 1 for 4 segments"),
        ((["nltk"], SYSTEMS, REFERENCES), {"level": "sentence", "confidence": True}, "score of the corpus"),
        ((["d-bleu"], SYSTEMS, REFERENCES), {}, "no variant gives a score; d-bleu: no score: it joins"),
    ],
)
def test_what_is_wrong_is_said(arguments, options, message):
    with pytest.raises(bleukit.BleukitError, match=message):
        bleukit.table(*arguments, **options)


@pytest.fixture
def folder(tmp_path):
    for name, lines in {"one": RAW, "two": OTHER, "ref": REFERENCES, "doc": DOCUMENTS}.items():
        (tmp_path / name).write_text("".join(f"{line}\n" for line in lines))
    return tmp_path


def alone(run, name, *options):
    """Return the scores of a variant alone, by system and unit, and its signature."""
    printed = json.loads(run("score", "-V", name, "-r", "ref", "one", "two", *options, "--format", "json")[1])
    level = printed["level"]
    scores = [[unit["score"] for unit in system.get(f"{level}s", [system])] for system in printed["systems"]]
    return [score for of_unit in zip(*scores, strict=True) for score in of_unit], printed["signature"]


def test_a_signature_stands_where_it_changes(folder, run):
    rows = [{"hypothesis": "a b c d", "reference": ["a b c d"] * number} for number in (1, 1, 2, 1)]
    Path("rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert run("score", "-V", "nltk", "-V", "coco", "--level", "sentence", "rows.jsonl", "-o", "t.jsonl")[0] == 0
    found = [row["signature_coco"] for row in rows_of("t.jsonl")]
    assert [signature and signature.split("|")[1] for signature in found] == [
        "references:1",
        None,
        "references:2",
        "references:1",
    ]


def rows_of(path):
    if path.endswith(".parquet"):
        return pytest.importorskip("pyarrow.parquet").read_table(path).to_pylist()
    if path.endswith(".jsonl"):
        return list(map(json.loads, Path(path).read_text().splitlines()))
    if path.endswith(".json"):
        return json.loads(Path(path).read_text())["rows"]
    with Path(path).open(newline="") as file:
        return list(csv.DictReader(file))


def test_text_shows_scores_notes_and_signatures(folder, run):
    status, out, err = run("score", "-V", "sacrebleu", "-V", "nltk", "-r", "ref", "one", "two")
    assert (status, err) == (0, "")
    lines = out.splitlines()
    assert lines[0].split() == ["variant", "one", "two"]
    assert [line.split()[0] for line in lines[1:3]] == ["sacrebleu", "nltk"]
    assert lines[2].split()[1] == "[1]"
    assert lines[4] == "[1] made for tokenized text: leaves punctuation attached to words: nltk"
    assert [line.split("|")[0] for line in lines[5:]] == ["signature variant:sacrebleu", "signature variant:nltk"]


def scores_in(out):
    """Return the variants of each row, and the cells after its marks."""
    rows = []
    for line in out.partition("\n\n")[0].splitlines()[1:]:
        words = line.split()
        cells = [word for word in words if re.fullmatch(r"[+-]?[0-9.]+(e-[0-9]+)?|–", word)]
        found = [word.rstrip(",") for word in words if word not in cells and not word.startswith("[")]
        if cells:
            rows.append((found, cells))
        else:
            rows[-1][0].extend(found)
    return rows


def test_scores_are_sorted_from_0_to_100_and_equal_ones_share_a_row(folder, run):
    places = ["-w", "6"]
    _, out, _ = run("score", "-V", "all", "-r", "ref", "one", "two", *places)
    rows = scores_in(out)
    assert sorted(name for names, _ in rows for name in names) == sorted(bleukit.variants())
    table = json.loads(run("score", "-V", "all", "-r", "ref", "one", "two", "--format", "json")[1])
    scales = {column["variant"]: column["scale"] for column in table["columns"]}
    noted = {column["variant"]: len(column["notes"]) for column in table["columns"]}
    for names, cells in rows:
        for name in names:
            for row, cell in zip(table["rows"], cells, strict=True):
                score = row[name]
                assert (
                    cell == "–" if score is None else float(cell) == pytest.approx(100 / scales[name] * score, abs=1e-6)
                )
    order = [(cells[0] == "–", noted[names[0]], 0 if cells[0] == "–" else -float(cells[0])) for names, cells in rows]
    assert order == sorted(order)
    assert len({(tuple(cells), noted[names[0]]) for names, cells in rows if cells[0] != "–"}) == sum(
        cells[0] != "–" for _, cells in rows
    )


def test_one_system_has_differences_from_the_variant_named_first(folder, run):
    head, names, *lines = run("score", "-V", "nltk", "-V", "sacrebleu", "-r", "ref", "one")[1].splitlines()
    assert (head.split(), names.split()) == (["from"], ["variant", "BLEU", "nltk"])
    rows = [line.split() for line in lines[:2]]
    assert [row[0] for row in rows] == ["sacrebleu", "nltk"]
    assert float(rows[0][2]) == pytest.approx(float(rows[0][1]) - float(rows[1][-1]), abs=0.011)


def test_more_systems_than_scores_have_a_row_each(folder, run):
    Path("three").write_text(Path("two").read_text())
    _, out, _ = run("score", "-V", "sacrebleu", "-V", "nltk", "-r", "ref", "one", "two", "three")
    lines = out.splitlines()
    assert lines[1].split() == ["system", "sacrebleu", "[1]"]
    assert [line.split()[0] for line in lines[2:5]] == ["one", "two", "three"]


def test_a_narrow_terminal_shows_the_systems_below_each_other(folder, on_terminal):
    names = ["sacrebleu", "nltk", "matlab", "evaluate", "coco", "wikipedia", "multi-bleu", "mteval-v13a"]
    chosen = [word for name in names for word in ("-V", name)]
    shown = on_terminal(50, "score", *chosen, "-r", folder / "ref", folder / "one")
    assert max(map(len, shown.partition("[1] made")[0].splitlines())) <= 50
    shown = on_terminal(20, "score", *chosen[:4], "-r", folder / "ref", folder / "one", folder / "two")
    assert max(map(len, shown.partition("[1] made")[0].splitlines())) <= 20
    assert [line.split() for line in shown.splitlines() if line.startswith("variant ")] == [
        ["variant", "one"],
        ["variant", "two"],
    ]


def test_sentences_are_tab_separated(folder, run):
    options = ["-V", "nltk", "-V", "sacrebleu", "-r", "ref", "--level", "sentence"]
    status, out, err = run("score", *options, "one", "two")
    head, *rows = [line.split("\t") for line in out.splitlines() if not line.startswith("#")]
    assert (status, head, len(rows)) == (0, ["sentence", "system", "nltk", "sacrebleu"], 8)
    assert [float(row[2]) for row in rows] == alone(run, "nltk", "--level", "sentence")[0]
    assert "warning: made for tokenized text: leaves punctuation attached to words: nltk" in err
    assert run("score", *options, "-q", "one")[1].count("\t") == 4


def test_one_variant_is_as_ever_unless_it_is_all(folder, run):
    assert "precisions" in run("score", "-V", "nltk", "-r", "ref", "one")[1]
    assert "sacrebleu-zh" in run("score", "-V", "all", "-r", "ref", "one", "--format", "json")[1]


def test_settings_change_every_variant(folder, run):
    run("score", "-V", "nltk", "-V", "coco", "--set", "weights=2", "-r", "ref", "one", "-o", "t.jsonl")
    [row] = rows_of("t.jsonl")
    assert row["nltk (modified)"] == bleukit.load("nltk", weights=2).corpus(RAW, REFERENCES).value


def test_entities_are_read_as_each_tokenizer_wants_them(folder, run):
    text = '<{0} setid="s" srclang="x" trglang="y"><doc docid="d" {1}="m"><seg id="1">{2}</seg></doc></{0}>\n'
    (folder / "ref.sgm").write_text(text.format("refset", "sysid", "a &amp;lt; b c &amp;amp; d e"))
    (folder / "hyp.sgm").write_text(text.format("tstset", "sysid", "a &amp;lt; b c &amp;amp; d f"))
    names = ["mteval-v13a", "nltk", "sacrebleu", "d-bleu"]
    chosen = [word for name in names for word in ("-V", name)]
    [row] = json.loads(run("score", *chosen, "-r", "ref.sgm", "hyp.sgm", "--format", "json")[1])["rows"]
    for name in names:
        [system] = json.loads(run("score", "-V", name, "-r", "ref.sgm", "hyp.sgm", "--format", "json")[1])["systems"]
        assert row[name] == system["score"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["-V", "nltk", "-V", "nosuch"], "unknown variant 'nosuch'"),
        (["-V", "all", "--statistics", "s"], "--statistics takes one variant"),
        (["-V", "all", "-c", "x.yaml"], "name the file by -V"),
        (["-V", "all", "--level", "document"], "--level document and --documents FILE go together"),
    ],
)
def test_options_that_do_not_go_together(folder, run, options, message):
    status, out, err = run("score", *options, "-r", "ref", "one")
    assert (status, out, message in err) == (2, "", True)
