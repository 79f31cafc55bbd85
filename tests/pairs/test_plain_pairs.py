"""Matrices, MBR decoding, self-BLEU and diversity are means of single sentences' scores, by every variant."""

import math
from collections import Counter
from fractions import Fraction
from itertools import combinations, permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from plain_text import plain_row, plain_score, plain_sum, require_scores, usable_variants
from strategies import tokens

import bleukit
from bleukit.pairs import diversity, matrix, self_bleu
from bleukit.plugin import Counts

VARIANTS = usable_variants()
texts = tokens.map(" ".join) | st.sampled_from(["The cat sat.", "the cat, it sat", "é 猫", ""])
one_kind = st.sampled_from([texts, tokens])
names = st.sampled_from(sorted(VARIANTS))


@pytest.fixture(scope="module", autouse=True)
def small_tiles():
    """Count two texts, and score three pairs, at a time."""
    with pytest.MonkeyPatch.context() as patch:
        for module, name, number in (
            (matrix, "TILE", 2),
            (matrix, "SLOW_TILE", 2),
            (matrix, "SCORED", 3),
            (matrix, "MANY", 4),
            (self_bleu, "TILE", 2),
            (diversity, "PAIRS", 5),
        ):
            patch.setattr(module, name, number)
        yield


def scores_of(bleu, pairs):
    """Return the score of each text with its references; None if one has none."""
    try:
        return [plain_score(bleu, plain_row(bleu, text, references), "sentence") for text, references in pairs]
    except bleukit.InputError:
        return None


def mean(values, weights=None):
    weights = weights or [1] * len(values)
    return math.fsum(w * v for w, v in zip(weights, values, strict=True)) / math.fsum(weights)


@settings(max_examples=60)
@given(name=names, data=st.data())
def test_each_cell_is_the_score_of_a_sentence(name, data):
    bleu, kind = VARIANTS[name], data.draw(one_kind)
    groups = data.draw(st.lists(st.lists(kind, min_size=1, max_size=5), min_size=1, max_size=3))
    references = data.draw(st.none() | st.just([group[::-1][:3] for group in groups]))
    threads = data.draw(st.sampled_from([None, 1, 3]))
    others = references or groups
    wanted = [
        scores_of(bleu, [(one, [other]) for one in group for other in own])
        for group, own in zip(groups, others, strict=True)
    ]
    if None in wanted:
        with pytest.raises(bleukit.InputError, match=rf"^group {wanted.index(None)}: hypotheses\[\d\] against refer"):
            bleukit.matrices(bleu, groups, references, threads=threads)
        return
    found = bleukit.matrices(bleu, groups, references, threads=threads)
    for one, group, own, cells in zip(found, groups, others, wanted, strict=True):
        assert one.shape == (len(group), len(own))
        require_scores(bleu, one.ravel().tolist(), cells)
    alone = bleukit.matrix(bleu, groups[0], None if references is None else references[0], threads=threads)
    assert alone.tobytes() == found[0].tobytes()


@settings(max_examples=15)
@given(st.lists(tokens, min_size=1, max_size=5))
def test_a_counter_whose_matches_are_not_symmetric(lists):
    def count(hypothesis, references, max_order):
        """Match n-grams that begin as a reference does."""
        begun = {own[0] for own in references if own}
        totals = [max(0, len(hypothesis) - n) for n in range(max_order)]
        return [sum(hypothesis[place] in begun for place in range(total)) for total in totals], totals

    bleu = bleukit.load("wikipedia", counter=count, smoothing="add-one")
    wanted = scores_of(bleu, [(one, [other]) for one in lists for other in lists])
    require_scores(bleu, bleukit.matrix(bleu, lists).ravel().tolist(), wanted)


@settings(max_examples=60)
@given(name=names, data=st.data())
def test_the_choice_has_the_highest_mean_score(name, data):
    bleu, kind = VARIANTS[name], data.draw(one_kind)
    samples = data.draw(st.lists(st.lists(kind, min_size=1, max_size=5), min_size=1, max_size=3))
    references = data.draw(st.none() | st.just([[*group[1:], group[0]][:2] for group in samples]))
    others = references or samples
    weights = data.draw(st.none() | st.just([[float(place % 3) for place in range(1, len(own) + 1)] for own in others]))
    done, threads = [], data.draw(st.sampled_from([None, 1, 3]))
    how = {"references": references, "weights": weights, "threads": threads, "on_done": done.append}
    wanted = [
        [scores_of(bleu, [(one, [other]) for other in own]) for one in group]
        for group, own in zip(samples, others, strict=True)
    ]
    wrong = next(
        (place for place, rows in enumerate(wanted) if None in rows or any(math.isnan(v) for row in rows for v in row)),
        None,
    )
    if wrong is not None:
        with pytest.raises(bleukit.InputError, match=rf"^samples\[{wrong}\]: "):
            bleukit.mbr(bleu, samples, **how)
        return
    for place, (choice, rows) in enumerate(zip(bleukit.mbr(bleu, samples, **how), wanted, strict=True)):
        expected = [mean(row, weights and weights[place]) for row in rows]
        require_scores(bleu, choice.scores, expected)
        assert choice.score == choice.scores[choice.index] == max(choice.scores)
        assert choice.index == choice.scores.index(choice.score)
        assert choice.text == samples[place][choice.index]
        assert choice.best(3) == sorted(range(len(rows)), key=lambda n: (-choice.scores[n], n))[:3]
    assert done == [1] * len(samples)


@settings(max_examples=30)
@given(name=st.sampled_from(["sacrebleu", "nltk", "coco", "matlab"]), data=st.data())
def test_aggregation_scores_against_mean_counts(name, data):
    bleu = bleukit.load(name, counter="clipped")
    kind = data.draw(one_kind)
    samples, references = (data.draw(st.lists(kind, min_size=1, max_size=4)) for _ in range(2))
    weights = data.draw(st.none() | st.just([float(place) for place in range(1, len(references) + 1)]))
    own, others = (
        [bleu.tokenize(one) if isinstance(one, str) else one for one in side] for side in (samples, references)
    )
    shares = (
        [Fraction(w) / Fraction(sum(weights)) for w in weights] if weights else [Fraction(1, len(others))] * len(others)
    )
    wanted = []
    for text in own:
        matches = []
        for order in range(1, bleu.max_order + 1):
            counted = [Counter(zip(*(one[n:] for n in range(order)))) for one in others]  # noqa: B905 - the shortest
            ours = Counter(zip(*(text[n:] for n in range(order))))  # noqa: B905
            mean_of = {ngram: sum(w * c[ngram] for w, c in zip(shares, counted, strict=True)) for ngram in ours}
            matches.append(float(sum(min(number, mean_of[ngram]) for ngram, number in ours.items())))
        totals = [max(0, len(text) - order) for order in range(bleu.max_order)]
        lengths = [bleu.components["reference_length"].call(len(text), [len(one)]) for one in others]
        length = float(sum(w * Fraction(one) for w, one in zip(shares, lengths, strict=True)))
        row = plain_row(bleu, text, others)._replace(
            matches=matches, totals=totals, reference_length=length, last=Counts(matches, totals, len(text), length)
        )
        wanted.append(plain_score(bleu, row, "sentence"))
    if any(map(math.isnan, wanted)):
        return
    [choice] = bleukit.mbr(bleu, [samples], references=[references], weights=weights and [weights], aggregate=True)
    assert choice.scores == pytest.approx(wanted, rel=1e-9, abs=1e-300)
    assert choice.index == int(np.argmax(choice.scores))


@settings(max_examples=60)
@given(name=names, data=st.data())
def test_self_bleu_is_a_mean(name, data):
    bleu, own = VARIANTS[name], data.draw(one_kind.flatmap(lambda kind: st.lists(kind, min_size=2, max_size=6)))
    first = data.draw(st.none() | st.integers(2, 6))
    some = own[:first]
    pairs = {
        "others": [(text, some[:place] + some[place + 1 :]) for place, text in enumerate(some)],
        "all": [(text, some) for text in some],
        "later": [(one, [other]) for one, other in combinations(some, 2)],
    }
    for policy, of_policy in pairs.items():
        wanted = scores_of(bleu, of_policy)
        if wanted is None:
            with pytest.raises(bleukit.InputError):
                bleukit.self_bleu(own, bleu, references=policy, first=first)
            continue
        found = bleukit.self_bleu(own, bleu, references=policy, first=first)
        require_scores(bleu, [found.value], [mean(wanted)])
        assert (found.texts, found.seed) == (len(some), None)
        assert found.signature.startswith(f"{bleu.signature}|self_bleu:references={policy}")
        if policy != "later":
            require_scores(bleu, bleukit.self_bleu_scores(bleu, some, references=policy).tolist(), wanted)
    seed = data.draw(st.integers(0, 9))
    if (among := scores_of(bleu, [(one, [other]) for one, other in permutations(own, 2)])) is not None:
        sampled = bleukit.self_bleu(own, bleu, references="later", sample=2, seed=seed)
        sign = (sampled.texts, sampled.seed) == ((2, seed) if len(own) > 2 else (2, None))
        assert sign
        assert any(sampled.value == pytest.approx(one, rel=1e-9, abs=1e-300, nan_ok=True) for one in among)


@settings(max_examples=30)
@given(name=names, groups=st.lists(st.lists(texts, min_size=2, max_size=3), min_size=1, max_size=4))
def test_diversity_of_samples(name, groups):
    bleu = VARIANTS[name]
    among = [scores_of(bleu, [(t, group[:n] + group[n + 1 :]) for n, t in enumerate(group)]) for group in groups]
    if None in among:
        return
    rows = [plain_row(bleu, one, [other]) for group in groups for one, other in permutations(group, 2)]
    try:
        found = bleukit.diversity(bleu, groups)
    except bleukit.InputError:
        return  # the score of all pairs is none
    known = [value for value in map(mean, among) if not math.isnan(value)]
    require_scores(bleu, [found.self_bleu], [mean(known) if known else math.nan])
    require_scores(bleu, [found.pairwise_bleu], [plain_score(bleu, plain_sum(rows))])
    assert (found.sources, found.texts) == (len(groups), sum(map(len, groups)))
    for order, share in enumerate(found.distinct, 1):
        shares = []
        for group in groups:
            tokens_of = [list(bleu.tokenize(text)) for text in group]
            ngrams = [tuple(own[n : n + order]) for own in tokens_of for n in range(len(own) - order + 1)]
            shares += [len(set(ngrams)) / len(ngrams)] if ngrams else []
        assert share == pytest.approx(mean(shares) if shares else math.nan, nan_ok=True)
    lines = str(found).splitlines()
    assert lines[0] == f"{found.texts} samples of {found.sources} sources"
    assert [float(line.split()[-1]) for line in lines[1:]] == pytest.approx(
        [found.self_bleu, found.pairwise_bleu, *found.distinct], abs=1e-4, nan_ok=True
    )
