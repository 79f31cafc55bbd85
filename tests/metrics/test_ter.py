"""Translation edit rate, against sacreBLEU's own."""

import random
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sacrebleu.metrics import TER
from sacrebleu.metrics.lib_ter import translation_edit_rate
from sacrebleu.tokenizers.tokenizer_ter import TercomTokenizer
from strategies import hostile_texts
from uncompiled import uncompiled

import bleukit
from bleukit.framework.packed import grouped
from bleukit.metrics import edits
from bleukit.metrics.ter import Ter

pytestmark = pytest.mark.oldest

OPTIONS = [
    dict(zip(["normalized", "no_punct", "asian_support", "case_sensitive"], chosen, strict=True))
    for chosen in product([False, True], repeat=4)
]

MARKS = [
    "'s",
    "'S",
    "&amp;",
    "&QUOT;",
    "&amp;lt;",
    "\n-",
    "\u3001",
    "\u31c5",
    "\u3f22",
    "\u304b\u6f22",
    "\uff0e",
    "\u03a3",
]
TEXTS = hostile_texts | st.lists(st.sampled_from([*MARKS, *"aB1 .,-'!?(\t\xa0"])).map("".join)

plain = uncompiled("bleukit.metrics.edits")


@pytest.mark.parametrize("options", OPTIONS, ids=lambda options: "-".join(filter(options.get, options)))
@given(st.lists(TEXTS, max_size=5))
def test_tokens(options, texts):
    theirs = TercomTokenizer(**options)
    expected = [theirs(text.rstrip()).split() for text in texts]
    tokenizer = Ter(**options).rules
    assert list(map(tokenizer, texts)) == expected
    if tokenizer.batch:
        assert list(tokenizer.batch(texts)) == expected


def moved(drawn, words, changes):
    """Return some words with runs of them shifted, and some deleted, inserted or replaced."""
    words = list(words)
    for _ in range(changes if words else 0):
        start = drawn.randrange(len(words))
        run = [words.pop(start) for _ in range(min(drawn.randint(1, 12), len(words) - start))]
        change = drawn.random()
        if change < 0.6:
            place = drawn.randint(0, len(words))
            words[place:place] = run
        else:
            words[start:start] = [*run, "new"] if change < 0.8 else ["new"] * (len(run) % 2)
        words = words or ["new"]
    return words


def pairs(seed, number, longest):
    """Return random hypotheses, each with a reference: often the same words, partly moved."""
    drawn = random.Random(seed)
    for _ in range(number):
        words = drawn.choices([*map(str, range(drawn.choice([1, 2, 5, 30, 1000])))], k=drawn.randint(0, longest))
        others = drawn.choices(words or ["new"], k=drawn.randint(0, 2 * longest))
        yield words, moved(drawn, words, drawn.randint(0, 6)) if drawn.random() < 0.7 else others


@pytest.mark.parametrize(("number", "longest"), [(600, 12), (10, 60)])
def test_edits(number, longest):
    hypotheses, references = zip(*pairs(longest, number, longest), strict=True)
    groups = grouped([[*references[place : place + 1 + place % 3]] for place in range(number)])
    expected = [
        min(translation_edit_rate(words, reference)[0] for reference in group)
        for words, group in zip(hypotheses, groups, strict=True)
    ]
    assert list(edits.fewest_edits(hypotheses, groups)) == expected
    assert list(plain.fewest_edits(hypotheses, groups)) == expected


def test_edits_after_as_many_shifts_as_are_tried(monkeypatch):
    drawn = random.Random(1)
    words = drawn.choices("ab", k=36)
    reference = moved(drawn, words, 4)
    groups = grouped([[reference]])
    expected = translation_edit_rate(words, reference)[0]
    assert edits.fewest_edits([words], groups)[0] == plain.fewest_edits([words], groups)[0] == expected
    monkeypatch.setattr(plain, "MOST_SHIFTS", 10**6)
    assert plain.fewest_edits([words], groups)[0] < expected


@st.composite
def corpora(draw):
    """Hypotheses, each with one to three references: other texts, or the same words in another order."""
    hypotheses = draw(st.lists(TEXTS, min_size=1, max_size=4))
    sets = []
    for _ in range(draw(st.integers(1, 3))):
        orders = (st.permutations(text.split()).map(" ".join) for text in hypotheses)
        sets.append(draw(st.tuples(*(st.one_of(TEXTS, order) for order in orders))))
    return hypotheses, sets


@given(corpora(), st.sampled_from(OPTIONS))
def test_rows_and_scores_are_those_of_sacrebleu(corpus, options):
    hypotheses, references = corpus
    metric, theirs = bleukit.load_metric("ter", **options), TER(**options)
    rows = metric.statistics(hypotheses, references, references_by="set")
    expected = theirs._extract_corpus_statistics(hypotheses, references)
    assert list(zip(rows.edits, rows.reference_length, strict=True)) == list(map(tuple, expected))
    score = theirs.corpus_score(hypotheses, references).score
    assert metric.corpus(hypotheses, references, references_by="set").value == pytest.approx(score, rel=1e-12)
    assert metric.score(rows).value == score or len(references) == 3
    alone = [
        theirs.sentence_score(*segment).score for segment in zip(hypotheses, zip(*references, strict=True), strict=True)
    ]
    assert metric.values(rows).tolist() == [score.value for score in metric.scores(rows)] == alone


def test_a_score_says_what_it_is_made_of():
    score = bleukit.load_metric("ter", no_punct=True).corpus(["b a c", ""], [["a, b c", "a b"], ["d", "e"]])
    assert str(score) == "TER 57.14 (2 segments)"
    assert score.sums == {"edits": 2, "reference_length": 3.5}
    options = "case:lower|tokenizer:tercom|normalized:no|no_punct:yes|asian_support:no"
    assert score.signature == f"metric:ter|references:2|{options}|bleukit:{bleukit.__version__}"


def test_many_threads_count_the_same():
    hypotheses, references = zip(*pairs(5, 4500, 6), strict=True)
    texts = [list(map(" ".join, side)) for side in (hypotheses, references)]
    metric = bleukit.load_metric("ter")
    one, other = (metric.statistics(*texts, threads=threads) for threads in (1, 2))
    assert one == other == metric.prepare(texts[1], threads=2).statistics(texts[0])
    assert metric.corpus(*texts).value == TER().corpus_score(texts[0], [texts[1]]).score


def test_what_is_for_bleu_alone_says_so():
    with pytest.raises(bleukit.InputTypeError, match="^this is for BLEU alone, not for TER$"):
        bleukit.report(bleukit.load_metric("ter"), {"system": ["a"]}, ["b"])
