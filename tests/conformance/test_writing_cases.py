"""For those who write cases: a document to start from, its mistakes, and how a score follows, step by step."""

import re
from pathlib import Path

import pytest
from bleukit.conformance.judging import cases
from bleukit.conformance.writing import drafts, explaining

import bleukit
from bleukit.explaining import derivation
from bleukit.writing.table import TextTable

VARIANTS = ["wikipedia", "nltk", "sacrebleu"]


@pytest.fixture
def started(tmp_path):
    path = tmp_path / "mine.yaml"
    drafts.start_document(path)
    return path


def changed(path, *changes):
    text = path.read_text("utf-8")
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    path.write_text(text, "utf-8")
    return [str(mistake).removeprefix(f"{path}:") for mistake in drafts.mistakes_in(path, VARIANTS)]


def test_the_document_to_start_from_is_right(started):
    assert changed(started) == []
    assert [case.id for case in cases.load_document(started).cases] == ["mine-1"]


def test_a_mistake_is_reported_with_its_line_and_the_value_computed(started):
    totals, precisions = changed(started, ("[2/3, 1/2]  #", "[2/3, 1/3]  #"), ("totals: [3, 2]", "totals: [3, 3]"))
    assert totals == "15: mine-1: totals: expected [3, 3], got [3, 2] (variant wikipedia and 3 more)"
    computed = "expected ['2/3', '1/3'], got [0.6666666666666666 (2/3), 0.5 (1/2)]"
    assert precisions == f"16: mine-1: precisions: {computed} (variant wikipedia and 2 more)"


def test_a_mistake_in_an_exception_is_reported_there_though_no_named_variant_has_such_a_component(started):
    (mistake,) = changed(started, ("matches: [3, 1]", "matches: [3, 2]"))
    assert mistake == "23: mine-1: matches: expected [3, 2], got [3, 1] (variant wikipedia with counter: unclipped)"


def test_a_case_for_a_variant_is_held_to_that_variant(started):
    changes = [
        (
            "    set: {tokenizer: whitespace, reference_length: closest, weights: [0.5, 0.5]}",
            "    variant: coco-bleu-2",
        ),
        (started.read_text("utf-8")[started.read_text("utf-8").index("    otherwise:") :], ""),
        ('"0.5774"', '"0.9"'),
        ("[2/3, 1/2]", '["0.667", "0.500"]'),
    ]
    corpus, sentence = changed(started, *changes)
    assert re.match(r"19: mine-1: score: expected 0.9, got 0.577\d+ \(variant coco-bleu-2\)", corpus)
    assert re.match(r"19: mine-1: score of the sentence: expected 0.9, got 0.577\d+ \(variant coco-bleu-2\)", sentence)


def test_a_case_that_states_nothing_is_a_mistake(started):
    text = started.read_text("utf-8")
    stated = text[text.index("    expect:") :]
    (mistake,) = changed(started, (stated, "    expect: {}\n"), ("tokenizer: whitespace, ", "tokenizer: char, "))
    assert mistake.startswith("5: mine-1: it states nothing")


def test_a_broken_document_is_reported_with_its_line(started):
    with pytest.raises(
        bleukit.VariantError, match=r"mine.yaml:14: cases\[0\].expect.matches\[0\]: expected a whole number"
    ):
        changed(started, ("matches: [2, 1]", "matches: [two, 1]"))


def test_no_file_is_overwritten(started):
    with pytest.raises(bleukit.InputError, match="cannot be written: File exists"):
        drafts.start_document(started)
    with pytest.raises(bleukit.InputError, match="expected a file name of letters"):
        drafts.start_document(started.with_name("mine: yours.yaml"))


def case(document, name):
    return next(case for case in cases.load_document(cases.FOLDER / f"{document}.yaml").cases if case.id == name)


def test_the_explanation_counts_as_the_document_does():
    """The article's example: clipped, "the" counts 2 of 7 times; and without clipping, 7 of 7."""
    text = derivation.written(explaining.explain_case(case("course-page", "N1-modified"), "wikipedia"))
    assert re.search(r"^the +7 +2 +2 +0$", text, re.MULTILINE)
    assert "    p1 = 2/7 = 0.285714" in text
    assert "    BP = 1, because c = 7 ≥ r = 7" in text
    assert text.endswith("The case states 2/7.")


def test_the_explanation_shows_penalty_smoothing_and_scale():
    """By hand: exp(1 - 24/22) is 0.9131; 4 words, none of whose 4-grams match, are smoothed to 1/2 of 1."""
    text = derivation.written(explaining.explain_case(case("wikipedia", "W13"), "wikipedia"))
    assert "BP = exp(1 - r/c) = exp(1 - 24/22) = 0.913101" in text
    assert "The n-grams of the other 2 segments" in text
    own = cases.Case(
        id="X",
        says="x",
        hypothesis="a b c d",
        references=["a b c x"],
        expect=cases.Expected(),
        set={"tokenizer": "13a"},
    )
    text = derivation.written(explaining.explain_case(own, "sacrebleu"))
    assert "p4 = 0/1, smoothed by smoothing 'exp' (plugin 'sacrebleu'" in text
    assert "BLEU = 100 × BP × exp(Σ w ln p) = 100 × 1 × exp(0.25 ln 0.75 + " in text


@pytest.mark.parametrize("tokens", ["The cat", ["The", "cat"]])
def test_a_variant_that_lowercases_does_so(tokens):
    own = cases.Case(
        id="X",
        says="x",
        hypothesis=tokens,
        references=[tokens],
        expect=cases.Expected(score=1),
        set={"weights": [1], "tokenizer": "multi-bleu"},
    )
    text = derivation.written(explaining.explain_case(own, "multi-bleu-lc"))
    assert "p1 = 2/2 = 1" in text
    assert re.search(r"^the +1 +1 +1 +0$", text, re.MULTILINE)


def test_sums_of_the_explained_ngrams_are_what_the_variant_counts():
    """They are counted anew, in every case with one segment."""
    compared = 0
    for document in cases.suite_documents():
        for each in document.cases:
            if each.counts or each.subject or len(each.pairs) != 1 or each.expect.error:
                continue
            steps = explaining.explain_case(each, "wikipedia")
            tables = [s for s in steps if isinstance(s, TextTable) and s.heads[0].name.startswith("order")]
            said = [s.plain for s in steps if isinstance(s, derivation.Formula) and re.match(r"p\d", s.plain)]
            for table in tables:
                order = int(table.heads[0].name.split()[1])
                if len(table.heads) == 5:
                    _, total, _, matches, _ = table.rows[-1]
                    assert said[order - 1].startswith(f"p{order} = {matches}/{total}"), each.id
                    compared += 1
    assert compared > 100


def test_latex_and_markdown_escape_what_has_a_meaning_there():
    own = cases.Case(
        id="X",
        says="50% of $a_b & c|d",
        hypothesis=["a_b", "50%", "{x}", "|", "\\", "#"],
        references=[["a_b", "50%", "{x}", "|", "\\", "#"]],
        expect=cases.Expected(score=1),
    )
    steps = explaining.explain_case(own, "wikipedia")
    latex = derivation.written(steps, "latex")
    assert r"\section*{X: 50\% of \$a\_b \& c\textbar{}d}" in latex
    assert r"a\_b 50\% \{x\} \textbar{} \textbackslash{} \# & 6 \\" in latex
    bare = re.sub(r"\\[{}$&#%_\\]", "", latex)
    assert bare.count("{") == bare.count("}")
    assert latex.count(r"\begin{tabular}") == latex.count(r"\end{tabular}") == 6
    markdown = derivation.written(steps, "markdown")
    assert r"| hypothesis | a\_b 50% {x} \| \\ # | 6 |" in markdown


def test_the_commands(run, tmp_path):
    assert run("conform", "new", "cases/mine.yaml") == (0, "", "")
    assert run("conform", "check", "cases/mine.yaml", "-V", "wikipedia") == (0, "", "")
    mine = tmp_path / "cases" / "mine.yaml"
    mine.write_text(mine.read_text().replace("totals: [3, 2]", "totals: [3, 1]"))
    status, out, err = run("conform", "check", "cases/mine.yaml", "-V", "wikipedia")
    assert (status, err) == (1, "")
    assert out.startswith(f"{Path('cases/mine.yaml')}:15: mine-1: totals: expected [3, 1], got [3, 2]")
    status, out, err = run("conform", "explain", "mine-1", "--cases", "cases", "--format", "latex")
    assert (status, err) == (0, "")
    assert r"\[ p_{1} = \frac{2}{3} = 0.666667 \]" in out
    status, out, err = run("conform", "explain", "mine-2", "--cases", "cases")
    assert (status, out) == (2, "")
    assert "no case is called 'mine-2'; did you mean mine-1?" in err
