"""Statistics are those of plain Python: rows, sums, documents and resamples; however a text is cut, streamed or merged.

Every variant counts; the state machines hold accumulators and statistics to lists of plain rows.
"""

import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule
from plain_text import (
    plain_documents,
    plain_row,
    plain_score,
    plain_sum,
    require_rows,
    require_scores,
    usable_variants,
)
from strategies import corpora, texts, tokens

import bleukit
from bleukit.bleu import bleu as bleu_module
from bleukit.framework import metric

pytestmark = pytest.mark.oldest

VARIANTS = usable_variants()
SOME = {name: VARIANTS[name] for name in ("sacrebleu", "nltk", "matlab", "mteval-v13a", "coco")}
SOME |= {
    "last segment": bleukit.load("nltk", smoothing="nltk-method5"),
    "averages": bleukit.load("sacrebleu", reference_length="average", smoothing="add-k"),
    "mean of sentences": bleukit.load("wikipedia", smoothing="add-one", average="macro", scale=100),
}
names = st.sampled_from("xyz")


def plain_rows(bleu, corpus):
    return [plain_row(bleu, hypothesis, references) for hypothesis, references in corpus]


def sides(corpus):
    return [hypothesis for hypothesis, _ in corpus], [references for _, references in corpus]


@pytest.mark.parametrize("name", sorted(VARIANTS))
@settings(max_examples=4)
@given(data=st.data())
def test_rows_and_scores_are_those_of_plain_python(name, data):
    bleu = VARIANTS[name]
    corpus = data.draw(corpora(data.draw(st.sampled_from([texts, tokens]))))
    rows = plain_rows(bleu, corpus)
    found = bleu.statistics(*sides(corpus), references_by="segment")
    require_rows(found, rows)
    require_rows(found.sum(), [plain_sum(rows)])
    try:
        scores = bleu.sentences(*sides(corpus), references_by="segment"), [bleu.score(found).value]
    except bleukit.InputError as error:
        assert "segment" in str(error) or "smoothing" in str(error)  # noqa: PT017 - some smoothings refuse segments
        return
    require_scores(bleu, scores[0], [plain_score(bleu, row, "sentence") for row in rows])
    require_scores(bleu, scores[1], [plain_score(bleu, plain_sum(rows))])


@pytest.mark.parametrize("name", SOME)
@settings(max_examples=8)
@given(corpus=corpora(texts, max_size=9), data=st.data())
def test_parts_of_a_text_are_counted_by_threads(name, corpus, data):
    bleu = SOME[name]
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(bleu_module, "CHUNK", 2)
        patched.setattr(bleu_module, "SLOW_CHUNK", 3)
        fresh = bleukit.load(bleu.variant)
        found = fresh.statistics(*sides(corpus), references_by="segment", threads=data.draw(st.integers(1, 3)))
        prepared = fresh.prepare(sides(corpus)[1]).statistics(sides(corpus)[0], threads=2)
    rows = plain_rows(bleu, corpus)
    require_rows(found, rows)
    require_rows(prepared, rows)


@pytest.mark.parametrize("name", SOME)
@settings(max_examples=8)
@given(corpus=corpora(tokens, max_size=7), data=st.data())
def test_some_rows_are_chosen_and_summed(name, corpus, data):
    bleu, number = SOME[name], len(corpus)
    rows, found = plain_rows(bleu, corpus), bleu.statistics(*sides(corpus), references_by="segment")
    some = data.draw(st.slices(number))
    require_rows(found[some], rows[some])
    assert [list(part.keys()) for part in (found[some], found.with_keys("abcdefg"[:number])[some])] == [
        [*range(len(rows[some]))],
        [*"abcdefg"[:number][some]],
    ]
    named = found.with_keys("abcdefg"[:number])
    assert [*(named + named).keys()] == [*"abcdefg"[:number]] * 2
    assert [*(named + found).keys()] == [*(found + named).keys()] == [*range(2 * number)]
    places = data.draw(st.lists(st.integers(-number, number - 1), min_size=1, max_size=5))
    require_rows(found[places], [rows[place] for place in places])
    chosen = [place in places for place in range(number)]
    require_rows(found[chosen], [row for row, is_chosen in zip(rows, chosen, strict=True) if is_chosen])
    ids = data.draw(st.lists(names, min_size=number, max_size=number))
    labels, documents = plain_documents(rows, ids)
    by_document = found.by_document(ids)
    assert by_document.keys() == tuple(labels)
    require_rows(by_document, documents)
    require_scores(bleu, [one.value for one in bleu.scores(by_document)], [plain_score(bleu, row) for row in documents])
    assert [by_document[label] for label in labels] == [row for _, row in by_document.items()]
    of_two = found.by_document(ids) + found[::-1].by_document(ids[::-1])
    require_rows(of_two, documents + plain_documents(rows[::-1], ids[::-1])[1])
    resamples = [[place % number for place in places], [0] * len(places), [number - 1, *[0] * (len(places) - 1)]]
    wanted = [plain_sum([rows[place] for place in places]) for places in resamples]
    require_rows(found.resampled(indices=resamples), wanted)
    weights = [np.bincount(places, minlength=number) for places in resamples]
    ordered = [plain_sum([rows[place] for place in sorted(places)]) for places in resamples]
    require_rows(found.resampled(weights), ordered)


beginnings = st.integers(3, 9).map(lambda n: [*"abcdefghi"[:n]])


@given(corpus=corpora(beginnings, max_size=7), data=st.data())
def test_the_last_segment_of_a_text_need_not_be_of_its_last_document(corpus, data):
    """NLTK's method 5 looks at its n-grams of order 5."""
    bleu, rows = SOME["last segment"], plain_rows(SOME["last segment"], corpus)
    ids = data.draw(st.lists(names, min_size=len(corpus), max_size=len(corpus)))
    cut = data.draw(st.integers(0, len(corpus)))
    parts = [bleu.accumulator("document") for _ in range(2)]
    for part, some in zip(parts, (slice(cut), slice(cut, None)), strict=True):
        own, others = sides(corpus)
        part.update(own[some], others[some], documents=ids[some])
    wanted = [plain_score(bleu, plain_sum(rows))]
    require_scores(bleu, [parts[0].merge(parts[1]).compute().value], wanted)


@pytest.mark.parametrize("longer", ["hypotheses", "references", "documents"])
@given(number=st.integers(1, 5), held=st.integers(1, 3))
def test_a_stream_that_goes_on_is_named(longer, number, held):
    streams = {name: iter("a" * (number + (name == longer))) for name in ("hypotheses", "references", "documents")}
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(metric, "STREAMED", held)
        with pytest.raises(bleukit.InputError, match=rf"end after {number} items, {longer} go on"):
            SOME["nltk"].accumulator("document").update(**streams)


class Accumulating(RuleBasedStateMachine):
    """Two accumulators of one level are given segments in turn, by every way, merged and pickled."""

    @initialize(name=st.sampled_from(sorted(SOME)), level=st.sampled_from(["corpus", "document", "sentence"]))
    def begin(self, name, level):
        self.bleu, self.level = SOME[name], level
        self.taken = [self.bleu.accumulator(level), self.bleu.accumulator(level)]
        self.rows, self.names = [[], []], [[], []]

    def documents(self, data, corpus, side):
        drawn = data.draw(st.lists(names, min_size=len(corpus), max_size=len(corpus)))
        self.rows[side] += plain_rows(self.bleu, corpus)
        self.names[side] += drawn
        return drawn if self.level == "document" else None

    @rule(corpus=corpora(texts), side=st.integers(0, 1), held=st.integers(1, 3), data=st.data())
    def update(self, corpus, side, held, data):
        documents = self.documents(data, corpus, side)
        with pytest.MonkeyPatch.context() as patched:
            patched.setattr(metric, "STREAMED", held)
            streams = [iter(column) for column in sides(corpus)] if data.draw(st.booleans()) else sides(corpus)
            assert self.taken[side].update(*streams, documents=documents) is self.taken[side]

    @rule(corpus=corpora(tokens), side=st.integers(0, 1), data=st.data())
    def add(self, corpus, side, data):
        documents = self.documents(data, corpus, side)
        by_tokens = [[" ".join(text) for text in (hypothesis, *references)] for hypothesis, references in corpus]
        corpus = [(hypothesis, references) for hypothesis, *references in by_tokens]
        rows = self.bleu.statistics(*sides(corpus), references_by="segment")
        self.rows[side][-len(corpus) :] = plain_rows(self.bleu, corpus)
        self.taken[side].add(rows, documents=documents)

    @rule(side=st.integers(0, 1))
    def merge(self, side):
        other = self.taken[1 - side].statistics
        assert self.taken[side].merge(self.taken[1 - side]) is self.taken[side]
        assert self.taken[1 - side].statistics == other
        self.rows[side], self.names[side] = (both[side] + both[1 - side] for both in (self.rows, self.names))

    @rule(side=st.integers(0, 1))
    def pickle(self, side):
        self.taken[side] = pickle.loads(pickle.dumps(self.taken[side]))

    @rule(side=st.integers(0, 1))
    def begin_again(self, side):
        self.taken[side], self.rows[side], self.names[side] = self.bleu.accumulator(self.level), [], []

    @rule(side=st.integers(0, 1), level=st.sampled_from(["corpus", "document", "sentence"]))
    def refuse_what_does_not_fit(self, side, level):
        one = self.bleu.statistics(["a"], ["a"])
        if self.level == "document":
            wrong = [lambda: self.taken[side].add(one), lambda: self.taken[side].add(one, documents=["x", "y"])]
        else:
            wrong = [lambda: self.taken[side].add(one, documents=["x"])]
        wrong += [lambda: self.taken[side].merge(self.bleu.accumulator(level))] if level != self.level else []
        wrong += [lambda: self.taken[side].add([one]), lambda: self.taken[side].update(["a", "b"], ["a"])]
        for attempt in wrong:
            with pytest.raises(bleukit.InputError):
                attempt()

    @invariant()
    def they_hold_what_they_were_given(self):
        for taken, rows, ids in zip(*map(self.__dict__.get, ("taken", "rows", "names")), strict=True):
            assert taken.segments == len(rows)
            wanted = rows if self.level == "sentence" else [plain_sum(rows)] if rows else []
            if self.level == "document":
                labels, wanted = plain_documents(rows, ids)
                assert list(taken.statistics.keys()) == labels
            require_rows(taken.statistics, wanted)
            if rows:
                scores = [plain_score(self.bleu, row, self.level) for row in wanted]
                require_scores(self.bleu, [score.value for score in taken.scores()], scores)
                require_scores(self.bleu, [taken.compute().value], [plain_score(self.bleu, plain_sum(rows))])
            else:
                with pytest.raises(bleukit.InputError, match="no segment to score"):
                    taken.compute()


TestAccumulating = Accumulating.TestCase
TestAccumulating.settings = settings(max_examples=15, stateful_step_count=10)
