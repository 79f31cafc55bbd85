"""What several variants say of pairs of systems is what each says alone, and shares explain where they disagree."""

import csv
import io
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import bleukit

REFERENCES = ["the ferry leaves at noon .", "She reads the letter twice .", "nobody had seen the fox ."] * 4
SYSTEMS = {
    "exact": [*REFERENCES[:8], *["The ferry leaves at noon ."] * 4],
    "upper": [text.upper() for text in REFERENCES],
    "glued": [text.replace(" .", ".") for text in REFERENCES],
    "words": ["the letter noon fox had leaves twice"] * 12,
}
VARIANTS = ["nltk", "mteval-v13a", "sacrebleu", "b-norm"]


@pytest.fixture(scope="module")
def found():
    return bleukit.agreement(VARIANTS, SYSTEMS, REFERENCES, samples=200)


@pytest.mark.parametrize("place", range(4))
def test_differences_are_those_of_each_variant_in_points(found, place):
    bleu = bleukit.load(VARIANTS[place])
    alone = bleukit.compare(bleu, SYSTEMS, REFERENCES, samples=200, interval_samples=0)
    by_pair = {frozenset((pair.first, pair.second)): pair for pair in alone.pairs}
    assert len(found.pairs) == len(by_pair) == 6
    for pair in found.pairs:
        expected = by_pair[frozenset((pair.first, pair.second))]
        sign = 1 if expected.first == pair.first else -1
        ours = pair.differences[place]
        assert ours.difference == pytest.approx(sign * expected.difference * 100 / bleu.variant.scale, abs=1e-12)
        assert (ours.p_value, ours.adjusted_p_value) == (expected.p_value, expected.adjusted_p_value)
        assert ours.significant == (expected.adjusted_p_value < 0.05)


def test_the_first_system_of_a_pair_is_better_by_the_first_variant(found):
    assert all(pair.differences[0].difference >= 0 for pair in found.pairs)


def test_changes_are_all_differences_of_another_sign(found):
    expected = {
        (pair.first, pair.second, theirs.variant)
        for pair in found.pairs
        for theirs in pair.differences
        if pair.differences[0].difference > 0 > theirs.difference
    }
    assert expected
    assert {(change.first, change.second, change.variant) for change in found.changes} == expected


words = st.lists(st.sampled_from(["the", "The", "cat", "cat.", "a-b", "sat"]), min_size=4, max_size=8).map(" ".join)


@given(st.lists(st.tuples(words, words, words, words), min_size=3, max_size=6))
@settings(max_examples=8)
def test_shares_are_differences_of_those_that_explain_gives(corpus):
    first, second, third, references = map(list, zip(*corpus, strict=True))
    systems = {"a": first, "b": second, "c": third}
    names = ["sacrebleu", "b-norm", "nltk", "parlai-bleu-2"]
    for change in bleukit.agreement(names, systems, references, samples=1).changes:
        ours, theirs = (
            {
                part.key: part.points
                for part in bleukit.explain(change.reference, change.variant, systems[name], references).parts
            }
            for name in (change.first, change.second)
        )
        assert change.parts == pytest.approx({key: ours.get(key, 0) - theirs.get(key, 0) for key in ours | theirs})
        assert sum(change.parts.values()) == pytest.approx(change.difference - change.reference_difference, abs=1e-9)


def test_the_verdict_counts_pairs(found):
    changed = {(change.first, change.second) for change in found.changes}
    assert found.verdict.startswith(
        f"{len(changed)} of 6 pairs of systems have another order by some variant than by nltk"
    )
    alike = bleukit.agreement(["nltk", "coco"], SYSTEMS, REFERENCES, samples=50)
    assert alike.verdict == "All 2 variants order 6 pairs of systems as nltk does."


def test_documents_are_resampled_and_joined():
    documents = [number // 2 for number in range(12)]
    found = bleukit.agreement(["sacrebleu", "d-bleu-lc"], SYSTEMS, REFERENCES, documents=documents)
    assert "6 documents" in found.procedure
    assert found.variants == ("sacrebleu", "d-bleu-lc")
    change = next(change for change in found.changes if "upper" in {change.first, change.second})
    assert change.parts == {}  # segments and documents cannot be mixed


def test_what_gives_no_score_is_noted():
    found = bleukit.agreement(["nltk", "d-bleu", "coco"], SYSTEMS, REFERENCES, samples=50)
    assert found.variants == ("nltk", "coco")
    assert [names for note, names in found.notes.items() if "documents" in note] == [("d-bleu",)]


def test_too_few_samples_are_noted():
    systems = {name: 3 * lines for name, lines in SYSTEMS.items()}  # too many to try all permutations
    found = bleukit.agreement(["nltk", "coco"], systems, 3 * REFERENCES, samples=5)
    assert any(remark.startswith("with 5 samples, no adjusted p-value") for remark in found.remarks())


@pytest.mark.parametrize("test", ["bootstrap", "delta", "sacrebleu-ar"])
def test_other_tests(test):
    settings = {} if test == "delta" else {"samples": 100}
    found = bleukit.agreement(["nltk", "sacrebleu"], SYSTEMS, REFERENCES, test=test, **settings)
    assert f"test:{test}|" in found.procedure


@pytest.mark.parametrize(
    ("variants", "systems", "message"),
    [
        (["nltk", "coco"], {"a": REFERENCES}, "two or more systems are needed"),
        (["nltk"], SYSTEMS, "two or more variants that give scores are needed"),
        (["nltk", "d-bleu"], SYSTEMS, "needed; d-bleu: no score"),
    ],
)
def test_what_cannot_be_compared(variants, systems, message):
    with pytest.raises(bleukit.InputError, match=message):
        bleukit.agreement(variants, systems, REFERENCES)


@pytest.fixture
def files(tmp_path):
    for name, lines in {**SYSTEMS, "ref": REFERENCES}.items():
        (tmp_path / name).write_text("".join(f"{line}\n" for line in lines))
    return ["-r", "ref", *SYSTEMS, *(word for name in VARIANTS for word in ("-V", name)), "--samples", "200"]


def test_json_is_what_python_returns(files, run, found):
    assert json.loads(run("compare", *files, "--format", "json")[1]) == json.loads(found.to_json())


def test_csv_has_a_row_for_each_variant_and_pair(files, run, found):
    rows = list(csv.DictReader(io.StringIO(run("compare", *files, "--format", "csv")[1])))
    assert len(rows) == 6 * 4
    changed = {(row["first"], row["second"], row["variant"]) for row in rows if row["order_changed"] == "True"}
    assert changed == {(change.first, change.second, change.variant) for change in found.changes}
    change = found.changes[0]
    [row] = [
        row
        for row in rows
        if (row["first"], row["second"], row["variant"]) == (change.first, change.second, change.variant)
    ]
    assert {key: float(row[f"share_{key}"]) for key in change.parts} == change.parts


def test_text_names_the_changes_and_what_makes_them(files, run, found):
    status, out, err = run("compare", *files)
    assert (status, err) == (0, "")
    assert out.startswith(found.verdict)
    assert str(found.changes[0]) in out
    heads, *rows = (line.split() for line in out.splitlines()[2:9])
    assert heads == ["systems", *VARIANTS]  # because there are more pairs than variants
    assert [(row[0], row[2]) for row in rows] == [(pair.first, pair.second) for pair in found.pairs]
    assert out.count("\nsignature ") == 4


def test_few_pairs_have_a_column_each(files, run):
    two = [word for word in files if word not in list(SYSTEMS)[2:]]
    lines = run("compare", *two)[1].splitlines()
    assert [line.split()[0] for line in lines[4:8]] == VARIANTS


@pytest.mark.parametrize(("form", "mark"), [("markdown", "| nltk |"), ("latex", r"\begin{tabular}{lrrrrrr}")])
def test_tables_for_papers(files, run, form, mark):
    assert mark in run("compare", *files, "--format", form)[1]


@pytest.mark.parametrize(
    "option",
    [["--by", "length"], ["--baseline", "exact"], ["--system", "a=x,y"], ["--detect", "1"]],
    ids=lambda words: words[0],
)
def test_options_for_one_variant(files, run, option):
    status, out, err = run("compare", *files, *option)
    assert (status, out) == (2, "")
    assert f"{option[0]} takes one variant, not several" in err
