"""Statistics are a monoid, and every score is the score of a sum."""

import math
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import corpora, tokens

import bleukit
from bleukit.framework import metric

bleu = bleukit.load("sacrebleu")


def split(corpus):
    return [list(column) for column in zip(*corpus, strict=True)]


@given(corpora(tokens), corpora(tokens), corpora(tokens))
def test_addition_is_associative_and_sums_add_up(a, b, c):
    a, b, c = (bleu.statistics(*split(corpus)) for corpus in (a, b, c))
    assert (a + b) + c == a + (b + c)
    assert (a + b + c).sum() == (a.sum() + b.sum() + c.sum()).sum()
    assert bleukit.Statistics.empty(4) + a == a == a + bleukit.Statistics.empty(4)


@given(corpora(tokens))
def test_documents_add_up_to_the_corpus(corpus):
    statistics = bleu.statistics(*split(corpus))
    documents = statistics.by_document([f"document {i % 2}" for i in range(len(corpus))])
    assert documents.keys() == tuple(f"document {i}" for i in range(min(2, len(corpus))))
    assert bleu.score(documents).to_json() == bleu.score(statistics).to_json()
    for key, row in documents.items():
        chosen = [f"document {i % 2}" == key for i in range(len(corpus))]
        assert bleu.score(row).to_json() == bleu.score(statistics[chosen]).to_json()


def test_documents_come_in_the_order_of_their_first_segment():
    statistics = bleu.statistics(["a", "b", "c"], ["a", "b", "x"])
    documents = statistics.by_document(["z", "y", "z"])
    assert documents.keys() == ("z", "y")
    assert documents["z"].matches[:, 0].tolist() == [1]
    assert documents["z"].segments.tolist() == [2]


def test_document_ids_must_match_the_rows():
    with pytest.raises(bleukit.InputError, match="2 rows of statistics but 1 document ids"):
        bleu.statistics(["a", "b"], ["a", "b"]).by_document(["x"])


def test_rows_are_read_only_and_selectable():
    statistics = bleu.statistics(["a b", "b", "c"], ["a b", "b", "c"])
    with pytest.raises(ValueError, match="read-only"):
        statistics.matches[0, 0] = 9
    assert statistics.matches.tolist() == [[2, 1, 0, 0], [1, 0, 0, 0], [1, 0, 0, 0]]
    assert statistics.reference_length.tolist() == [2.0, 1.0, 1.0]
    assert [row.matches[0, 0] for row in statistics] == [2, 1, 1]
    assert statistics[-1] == statistics[[2]] == statistics[np.array([False, False, True])]
    with pytest.raises(IndexError):
        statistics[3]
    with pytest.raises(AttributeError, match="no column 'precision'"):
        statistics.precision  # noqa: B018


def test_columns_of_single_numbers():
    statistics = bleu.statistics(["a b", "b"], ["a b", ["b", "c"]])
    flat = statistics.flat()
    assert list(flat) == list(statistics.flat_columns)
    assert flat["matches_2"].tolist() == statistics.matches[:, 1].tolist()
    assert {statistics.flat_columns[f"{name}_4"] for name in ("matches", "totals")} == {statistics.COLUMNS["matches"]}
    assert statistics.with_flat(flat) == statistics


def test_pickles_and_prints():
    statistics = bleu.statistics(["a", "b"], ["a", "b"]).sum()
    assert pickle.loads(pickle.dumps(statistics)) == statistics != statistics.segments.tolist()
    assert repr(statistics) == "<Statistics: 1 rows, 2 segments, max_order 4>"


def test_statistics_of_different_orders_do_not_mix():
    trigrams = bleukit.load(weights=3)
    with pytest.raises(bleukit.InputError, match="orders 3 and 4"):
        bleu.statistics(["a"], ["a"]) + trigrams.statistics(["a"], ["a"])
    with pytest.raises(bleukit.InputError, match="up to order 3, 4 are needed"):
        bleu.score(trigrams.statistics(["a"], ["a"]))


def test_only_statistics_counted_alike_can_be_joined():
    with pytest.raises(bleukit.InputError, match="counted alike.*tokenizer:13a.*tokenizer:whitespace"):
        bleu.statistics(["a"], ["a"]) + bleukit.load("nltk").statistics(["a"], ["a"])


def test_only_statistics_of_one_metric_can_be_joined():
    parts = [bleu.statistics(["a"], ["a"]), bleukit.load_metric("ter").statistics(["a"], ["a"])]
    with pytest.raises(bleukit.InputError, match="only statistics of one metric can be joined"):
        bleukit.Statistics.concatenate(parts)


def test_a_column_that_is_none_is_refused():
    with pytest.raises(bleukit.InputError, match="^'match' is not a column; did you mean 'matches'. known: fewest_ref"):
        bleu.statistics(["a"], ["a"]).column("match")


@pytest.mark.parametrize(
    "call",
    [
        lambda threads: bleu.corpus(["a"], ["a"], threads=threads),
        lambda threads: bleu.sentences(["a"], ["a"], threads=threads),
        lambda threads: bleu.statistics(["a"], ["a"], threads=threads),
        lambda threads: bleu.prepare(["a"], threads=threads),
        lambda threads: bleu.prepare(["a"]).statistics(["a"], threads=threads),
        lambda threads: bleukit.matrix(bleu, ["a"], ["a"], threads=threads),
        lambda threads: bleukit.diversity(bleu, [["a", "b"]], threads=threads),
        lambda threads: bleukit.mbr(bleu, [["a", "b"]], threads=threads),
    ],
)
def test_no_threads_are_too_few(call):
    with pytest.raises(bleukit.InputError, match="^threads: expected a whole number of at least 1, got int 0"):
        call(0)


def test_an_accumulator_is_of_the_corpus_by_default():
    assert bleukit.Accumulator(bleu).level == bleu.accumulator().level == "corpus"


def test_sum_adds_up_statistics():
    parts = [bleu.statistics(["a"], ["a"]), bleu.statistics(["b"], ["c"])]
    assert sum(parts) == parts[0] + parts[1]
    with pytest.raises(TypeError, match="unsupported operand"):
        1 + parts[0]


@pytest.mark.parametrize("what", [None, [], "abc", 1])
def test_only_statistics_are_scored(what):
    with pytest.raises(bleukit.InputTypeError, match="statistics: expected Statistics, got"):
        bleu.score(what)


LEVELS = ["corpus", "document", "sentence"]


@pytest.mark.parametrize("level", LEVELS)
@given(corpora(tokens, max_size=9), st.data())
def test_accumulators_merge_and_pickle_into_the_whole(level, corpus, data):
    ids = data.draw(st.lists(st.sampled_from("xyz"), min_size=len(corpus), max_size=len(corpus)))
    cut = data.draw(st.integers(0, len(corpus)))

    def accumulated(start, stop):
        return bleu.accumulator(level).update(
            [hypothesis for hypothesis, _ in corpus[start:stop]],
            [references for _, references in corpus[start:stop]],
            documents=ids[start:stop] if level == "document" else None,
        )

    whole = accumulated(0, len(corpus))
    parts = accumulated(0, cut).merge(pickle.loads(pickle.dumps(accumulated(cut, len(corpus)))))
    assert parts.statistics == whole.statistics
    assert parts.segments == whole.segments == len(corpus)
    assert [score.to_json() for score in parts.scores()] == [score.to_json() for score in whole.scores()]
    assert whole.compute().to_json() == bleu.corpus(*split(corpus)).to_json()


def test_prepared_references_are_of_text_or_of_tokens():
    prepared = bleu.prepare([[["a", "b"]]], tokens=True)
    assert prepared.corpus([["a", "b"]]).to_json() == bleu.corpus([["a", "b"]], [[["a", "b"]]]).to_json()
    with pytest.raises(
        bleukit.InputTypeError, match="hypotheses: expected token lists, as the references are, got str"
    ):
        prepared.corpus(["a b"])
    with pytest.raises(bleukit.InputError, match="2 hypotheses, but 1 item in `references`"):
        bleu.prepare(["a b"]).corpus(["a b", "c"])


@pytest.mark.parametrize("length", ["closest", "average"])
@given(corpora(tokens, max_size=6), st.data())
def test_resamples_are_sums_of_the_rows_they_take(length, corpus, data):
    statistics = bleukit.load("nltk", reference_length=length).statistics(*split(corpus))
    row = st.integers(0, len(corpus) - 1)
    taken = data.draw(st.lists(st.lists(row, min_size=3, max_size=3), min_size=1, max_size=4))
    weights = [np.bincount(rows, minlength=len(corpus)) for rows in taken]
    for resampled in (statistics.resampled(indices=taken), statistics.resampled(np.array(weights))):
        for rows, sample in zip(taken, resampled, strict=True):
            expected = statistics[rows].sum()
            for column in ("segments", "hypothesis_length", "reference_tokens", "matches", "totals"):
                assert np.array_equal(getattr(sample, column), getattr(expected, column))
            assert sample.fewest_references == expected.fewest_references
            assert sample.most_references == expected.most_references
            assert sample.reference_length == pytest.approx(expected.reference_length)
    kept = statistics.with_last_segments().resampled(indices=taken)[0]
    assert kept.counts(4, last=True)[0].last_segment == statistics[taken[0][-1]].counts(4)[0]


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        ({}, "expected either weights or indices"),
        ({"weights": [[1, 1, 1]]}, "for each of 2 rows"),
        ({"weights": [[1, -1]]}, "numbers of at least 0"),
        ({"weights": [[0.5, 1]]}, "expected whole numbers"),
        ({"weights": [[0, 0]]}, "takes no row"),
        ({"indices": [[0, 2]]}, "expected numbers of rows, 0 to 1"),
        ({"indices": [0, 1]}, "of shape"),
    ],
)
def test_weights_and_indices_that_do_not_fit_are_refused(given, problem):
    with pytest.raises(bleukit.InputError, match=problem):
        bleu.statistics(["a", "b"], ["a", "b"]).resampled(**given)


def test_what_callers_pass_in_or_get_out_is_theirs():
    matches = np.array([1, 0, 0, 0])
    columns = {name: [1] for name in bleukit.Statistics.COLUMNS} | {"matches": matches, "totals": [1] * 4}
    statistics = bleukit.Statistics(4, columns)
    matches[0] = 7
    assert statistics.matches[0, 0] == 1
    with pytest.raises(TypeError):
        statistics.column("matches")[0] = 7
    with pytest.raises(bleukit.InputError, match="'abc' is not a column; known: fewest_references"):
        statistics.column("abc")


@pytest.mark.parametrize(
    ("column", "values", "message"),
    [
        ("matches", [1, 0, -1, 0], "matches: row 0 has -1, which is not a count"),
        ("matches", [1, 2, 0, 0], "matches: row 0 has 2 of 1"),
        ("totals", [1, 1, 1, -1], "totals: row 0 has -1, which is not a count"),
        ("segments", [-1], "segments: row 0 has -1, which is not a count"),
        ("hypothesis_length", [-3], "hypothesis_length: row 0 has -3, which is not a count"),
        ("fewest_references", [-(2**63)], "fewest_references: row 0 has .*, which is not a count"),
        ("reference_length", [math.nan], "reference_length: row 0 has nan, which is not a length"),
        ("reference_length", [-0.5], "reference_length: row 0 has -0.5, which is not a length"),
        ("reference_length", [math.inf], "reference_length: row 0 has inf, which is not a length"),
        ("sentence_scores", [math.nan], "sentence_scores: row 0 has nan, which is not a score"),
    ],
)
def test_what_cannot_be_counted_is_refused(column, values, message):
    columns = {name: [1] for name in bleukit.Statistics.COLUMNS} | {"matches": [1] * 4, "totals": [1] * 4}
    bleukit.Statistics(4, columns)
    with pytest.raises(bleukit.InputError, match=f"^{message}"):
        bleukit.Statistics(4, columns | {column: values})


HUGE = bleukit.Statistics.of_segments(
    1, [2**62] * 3, [1.0] * 3, reference_tokens=[1] * 3, references=[1] * 3, matches=[1] * 3, totals=[1] * 3
)


@pytest.mark.parametrize(
    "add",
    [
        bleukit.Statistics.sum,
        lambda huge: huge.by_document(list("aba")),
        lambda huge: huge.resampled([[1, 1, 1]]),
        lambda huge: huge.resampled(indices=[[0, 0, 0]]),
    ],
)
def test_a_sum_beyond_64_bits_is_an_error(add):
    with pytest.raises(bleukit.InputError, match=r"64 bits|beyond 2\*\*53"):
        add(HUGE)
    assert HUGE[1:2].sum().hypothesis_length.tolist() == [2**62]


@pytest.mark.parametrize("matches", [[2**63] * 3, np.array([2**63] * 3, np.uint64), [2**64, 0, 0]])
def test_a_number_beyond_64_bits_is_an_error(matches):
    with pytest.raises(bleukit.InputError, match="matches: holds a number of more than 64 bits"):
        bleukit.Statistics.of_segments(1, [1] * 3, [1.0] * 3, [1] * 3, [1] * 3, matches, [1] * 3)


def test_a_sum_beyond_all_floats_is_an_error():
    statistics = bleukit.Statistics.of_segments(1, [1] * 2, [1e308] * 2, [1] * 2, [1] * 2, [1] * 2, [1] * 2)
    with pytest.raises(bleukit.InputError, match="beyond all floats"):
        statistics.sum()


def test_columns_of_the_wrong_length_are_refused():
    columns = {name: [1, 1] for name in ["hypothesis_length", "reference_length", "reference_tokens", "references"]}
    with pytest.raises(bleukit.InputError, match="matches: 2 rows need 8 values, got 3"):
        bleukit.Statistics.of_segments(4, **columns, matches=[1, 2, 3], totals=[1] * 8)


def test_nothing_is_no_score():
    with pytest.raises(bleukit.InputError, match="no segment to score"):
        bleu.corpus([], [])
    assert bleu.sentences([], []).shape == (0,)


def test_a_stream_that_ends_early_is_reported(monkeypatch):
    monkeypatch.setattr(metric, "STREAMED", 2)
    with pytest.raises(bleukit.InputError, match="references end after 3 items, hypotheses go on"):
        bleu.accumulator().update(iter("abcd"), ["a", "b", "c"])
    with pytest.raises(bleukit.InputTypeError, match=r"hypotheses\[3\]: expected a str, got None"):
        bleu.accumulator().update(["a", "b", "c", None], ["a"] * 4)
    with pytest.raises(bleukit.InputTypeError, match="references: expected an iterable of segments, got str 'abc'"):
        bleu.accumulator().update(["a"], "abc")


@pytest.mark.parametrize("stream", [np.array("a"), list])
def test_what_only_looks_iterable_is_refused(stream):
    with pytest.raises(bleukit.InputTypeError, match="hypotheses: expected an iterable of segments, got "):
        bleukit.load("nltk").accumulator().update(stream, ["a"])


def test_the_last_segment_is_read_by_a_smoothing_that_promises_so_alone():
    """What reads it without the promise, or of sums that do not keep it, gets no other number."""
    texts = ["a b c d e f", "a b c d e"], ["a b c d e f", "b c d e a"]

    def by_last(counts):
        return [1 / (1 + counts.last_segment.hypothesis_length)] * 4

    with pytest.raises(bleukit.PluginError, match="without the promise `needs_last_segment`"):
        bleukit.load("nltk", smoothing=by_last).corpus(*texts)
    by_last.needs_last_segment = True
    bleu, plain = bleukit.load("nltk", smoothing=by_last), bleukit.load("nltk")
    assert bleu.corpus(*texts).precisions == (1 / 6,) * 4
    rows = plain.statistics(*texts)
    assert bleu.score(rows) == bleu.corpus(*texts)  # that of one segment is the segment
    with pytest.raises(bleukit.InputError, match="do not keep the last segment, which the smoothing reads"):
        bleu.score(rows.sum())
    assert [metric.statistics(*texts).has_order for metric in (bleu, plain)] == [True, False]
