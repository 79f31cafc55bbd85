"""Statistics that no text can have, in files of any kind; and all that a text can have is taken."""

import json
import random
from itertools import product

import pytest
from test_statistics_files import ROWS, WRITERS

import bleukit
from bleukit.framework import registry
from bleukit.framework.errors import InputError
from bleukit.shards.possible import problems

CHANGES = {
    "a unigram too many": (
        "totals",
        [3, 1, 1, 1],
        r"matches .* of totals \[3, 1, 1, 1\], which no text has of 2 tokens",
    ),
    "a bigram too many": (
        "totals",
        [2, 2, 1, 1],
        r"matches .* of totals \[2, 2, 1, 1\], which no text has of 2 tokens",
    ),
    "a longer text": ("hypothesis_length", 3, r".* \[2, 1, 1, 1\], which no text has of 3 tokens"),
    "more segments": ("segments", 2, r".* \[2, 1, 1, 1\], which no text has of 2 tokens in 2 segments"),
    "no segment": ("segments", 0, "sums 0 segments, at level document"),
    "a trigram of two tokens": ("matches", [1, 1, 1, 0], r"matches \[1, 1, 1, 0\] of totals .*, which no text has"),
    "no reference": ("fewest_references", 0, "0 to 1 references a segment"),
    "references that vary": ("most_references", 2, "1 to 2 references a segment, in 1 segment"),
    "shorter references": ("reference_tokens", 0, "matches .* of 2 tokens in 1 segment and 0 in references"),
}


@pytest.mark.parametrize("suffix", WRITERS)
@pytest.mark.parametrize("change", CHANGES)
def test_statistics_of_no_text_are_refused(tmp_path, monkeypatch, run, change, suffix):
    column, value, problem = CHANGES[change]
    monkeypatch.setitem(ROWS, column, [ROWS[column][0], value])
    path = tmp_path / f"theirs{suffix}"
    WRITERS[suffix](path)
    with pytest.raises(InputError, match=rf"theirs{suffix}: row 2, of the system 'ours': {problem}"):
        bleukit.Shard.read(path)
    status, out, error = run("merge", path)
    assert (status, out) == (2, "")
    assert f"theirs{suffix}: row 2, of the system 'ours': " in error


def changed(path, column, value):
    """Change the last row of a file of statistics, and remove its checksum."""
    header, *rows = map(json.loads, path.read_text().splitlines())
    rows[-1][column] = value
    path.write_text("".join(f"{json.dumps(line)}\n" for line in ({**header, "sha256": ""}, *rows)))


@pytest.mark.parametrize(
    ("column", "value", "problem"),
    [
        ("last_segments", 2, "its last segment: sums 2 segments, at level sentence"),
        ("last_totals", [2, 2, 1, 1], r"its last segment: .* of totals \[2, 2, 1, 1\], which no text has of 2 tokens"),
        ("last_matches", [2, 1, 1, 0], r"its last segment: matches \[2, 1, 1, 0\] of totals"),
        ("totals", [7, 3, 2, 2], r".* of totals \[7, 3, 2, 2\], which no text has of 5 tokens in 2 segments"),
    ],
)
def test_the_last_segment_of_a_row_is_one_of_a_text_too(tmp_path, column, value, problem):
    bleu = bleukit.load("nltk", smoothing="nltk-method6")
    statistics = bleu.statistics(["a b c", "a b"], ["a x c", "b x"]).by_document(["one", "one"])
    bleukit.Shard.of(bleu, statistics, level="document").write(tmp_path / "kept.jsonl")
    changed(tmp_path / "kept.jsonl", "document", "other")
    assert bleukit.Shard.read(tmp_path / "kept.jsonl")
    changed(tmp_path / "kept.jsonl", column, value)
    with pytest.raises(InputError, match=rf"kept\.jsonl: row 1, of the system '': {problem}"):
        bleukit.Shard.read(tmp_path / "kept.jsonl")


PLUGIN = """
from bleukit.built_in.paper.counters import Clipped
from bleukit.plugin import hookimpl

@hookimpl
def bleukit_ngram_counters():
    return {"counter-of-theirs": Clipped}
"""


def test_statistics_of_the_counter_of_a_module_are_checked_when_the_module_is_named(tmp_path):
    module = tmp_path / "counter_of_theirs.py"
    module.write_text(PLUGIN)
    with registry.also_installed([str(module)]):
        bleu = bleukit.load("nltk", counter="counter-of-theirs")
        bleukit.Shard.of(bleu, bleu.statistics(["a b"], ["a b"])).write(tmp_path / "kept.jsonl")
    changed(tmp_path / "kept.jsonl", "totals", [2, 2, 0, 0])
    shard = bleukit.Shard.read(tmp_path / "kept.jsonl")
    with pytest.raises(InputError, match=r"row 1, of the system '': .* of totals \[2, 2, 0, 0\], which no text has"):
        shard.load([str(module)])


def may_be(bleu, matches, totals, **columns):
    """Return whether a text can have the row of statistics with these columns, the others being 1."""
    single = {name: [columns.get(name, 1)] for name in bleukit.Statistics.COLUMNS}
    try:
        statistics = bleukit.Statistics(len(totals), {**single, "matches": matches, "totals": totals})
    except InputError:
        return False
    return not any(problems(statistics, "corpus", bleu.components["counter"]))


@pytest.mark.parametrize(("own", "other"), [*product(range(1, 6), repeat=2)])
def test_as_many_matches_are_taken_as_both_texts_have_ngrams(own, other):
    totals, most = ([max(0, length - n) for n in range(4)] for length in (own, min(own, other)))
    lengths = {"hypothesis_length": own, "reference_length": float(other), "reference_tokens": other}
    bleu = bleukit.load("wikipedia")
    assert may_be(bleu, most, totals, **lengths)
    for n in range(4):
        assert not may_be(bleu, [*most[:n], most[n] + 1, *most[n + 1 :]], totals, **lengths)


@pytest.mark.parametrize(("variant", "least"), [("wikipedia", 0), ("nltk", 1)])
@pytest.mark.parametrize("length", range(6))
@pytest.mark.parametrize("segments", [1, 2, 3])
def test_totals_between_the_fewest_and_the_most_of_texts_are_taken(variant, least, length, segments):
    bleu = bleukit.load(variant)
    texts = [lengths for lengths in product(range(length + 1), repeat=segments) if sum(lengths) == length]
    of_texts = [[sum(max(least, each - n) for each in lengths) for n in range(3)] for lengths in texts]

    def is_taken(totals):
        return may_be(bleu, [0] * 3, totals, segments=segments, hypothesis_length=length)

    assert all(map(is_taken, of_texts))
    for n, of_order in enumerate(zip(*of_texts, strict=True)):
        for total in (min(of_order) - 1, max(of_order) + 1):
            assert not is_taken([*of_texts[0][:n], total, *of_texts[0][n + 1 :]])


def usable_variants():
    for name in registry.installed().of_kind("variant"):
        try:
            bleukit.load(name)
        except bleukit.NotInstalledError:
            continue
        except bleukit.VariantError:  # of a model that is not there
            continue
        yield name


def texts_of(random_numbers, number, longest):
    words = ["a", "b", "c", ".", "the", "<unk>", "漢字"]
    return [" ".join(random_numbers.choices(words, k=random_numbers.randint(0, longest))) for _ in range(number)]


def refuse_nothing(bleu, path):
    random_numbers = random.Random(12345)
    for segments, references, longest in [(1, 1, 4), (3, 1, 9), (3, 3, 3), (9, 1, 30), (9, 2, 5)]:
        hypotheses = texts_of(random_numbers, segments, longest)
        of_each = [texts_of(random_numbers, random_numbers.randint(1, references), longest) for _ in hypotheses]
        rows = bleu.statistics(hypotheses, of_each)
        documents = rows.by_document(random_numbers.choices("xy", k=segments))
        for level, statistics in (("sentence", rows), ("document", documents), ("corpus", rows)):
            bleukit.Shard.of(bleu, statistics, level=level).write(path)
            assert bleukit.Shard.read(path).level == level


@pytest.mark.parametrize("variant", [*usable_variants()])
def test_statistics_of_texts_are_read_by_every_variant(tmp_path, variant):
    refuse_nothing(bleukit.load(variant), tmp_path / "kept.jsonl")


@pytest.mark.parametrize("kind", ["counter", "reference_length"])
def test_statistics_of_texts_are_read_by_every_component(tmp_path, kind):
    for name in registry.installed().of_kind(kind):
        bleu = bleukit.load("wikipedia", **{kind: name})
        refuse_nothing(bleu, tmp_path / "kept.jsonl")
