"""A score is traced to what people do: its first answers give on another text what the procedure gives there."""

import json
import math
import pickle
import re
import shlex
import statistics
import string
from collections import Counter
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction

import numpy as np
import pytest
import sacrebleu
from hypothesis import assume, given
from hypothesis import strategies as st
from nltk import word_tokenize
from nltk.translate import bleu_score as nltk_bleu

import bleukit
from bleukit.framework.arguments import check_segments
from bleukit.framework.registry import also_installed, installed
from bleukit.identifying.calculating import Calculator
from bleukit.identifying.identification import Case
from bleukit.identifying.procedures import (
    OWN_KEYS,
    Deviation,
    Family,
    Procedure,
    possible_procedures,
    prices,
    traits,
)
from bleukit.identifying.published_score import PublishedScore

HYPOTHESES = [
    "The cat (it) sat on the mat.",
    "It was late, too late to go home.",
    "Dogs bark at cats, and cats at dogs",
    "Nobody knows, or says, what happened on the way to the town hall.",
]
REFERENCES = [
    ["The cat sat on the mat .", "A cat was sitting on the mat."],
    ["It was too late, far too late to go home.", "It was late, too late to go"],
    ["Dogs bark at all cats, and cats at dogs", "A dog barks at cats and at dogs"],
    [
        "Nobody knows what happened on the way to the Town Hall.",
        "No one says, or knows, what happened at the town hall.",
    ],
]
SINGLE = [group[:1] for group in REFERENCES]
OTHER_TEXT = (
    [
        "The old man's dog, it slept by the fire.",
        "We left at once.",
        "Was it the same road that we had taken?",
        "I know.",
    ],
    [
        ["The old man's dog slept by the fire.", "The dog of the old man slept."],
        ["We left at once, in haste.", "We went at once."],
        ["Was it the road that we had taken?", "Is that the same road we took?"],
        ["I know it.", "I do know."],
    ],
)


def of_python(source, hypotheses, references):
    """Return what lines of Python print about a text."""
    shown = []
    exec(source, {"hypotheses": hypotheses, "references": references, "print": shown.append})
    (value,) = shown
    return float(value)


def tokens_by(tokenize, texts):
    hypotheses, references = texts
    return [[tokenize(text) for text in group] for group in references], list(map(tokenize, hypotheses))


def nltk_corpus(tokenize=str.split, **settings):
    return lambda *texts: nltk_bleu.corpus_bleu(*tokens_by(tokenize, texts), **settings)


def nltk_mean(tokenize=str.split, mean=statistics.mean, **settings):
    def score(*texts):
        pairs = zip(*tokens_by(tokenize, texts), strict=True)
        return mean([nltk_bleu.sentence_bleu(references, hypothesis, **settings) for references, hypothesis in pairs])

    return score


def sacrebleu_corpus(**settings):
    def score(hypotheses, references):
        return sacrebleu.BLEU(**settings).corpus_score(hypotheses, list(zip(*references, strict=True))).score

    return score


def sacrebleu_mean(hypotheses, references):
    metric = sacrebleu.BLEU(effective_order=True)
    pairs = zip(hypotheses, references, strict=True)
    return statistics.mean(metric.sentence_score(hypothesis, group).score for hypothesis, group in pairs)


def without_punctuation(text):
    return text.translate(str.maketrans("", "", string.punctuation)).split()


def words_of(text):
    return word_tokenize(text, preserve_line=True)


SMOOTHING = nltk_bleu.SmoothingFunction()
DONE = {
    "sacrebleu": sacrebleu_corpus(),
    "sacrebleu, lowercased": sacrebleu_corpus(lowercase=True),
    "sacrebleu with tok char": sacrebleu_corpus(tokenize="char"),
    "sacrebleu, mean of sentence scores": sacrebleu_mean,
    "sacrebleu with the first reference only": lambda h, r: sacrebleu_corpus()(h, [group[:1] for group in r]),
    "sacrebleu, mean over single references": lambda h, r: statistics.mean(
        sacrebleu_corpus()(h, [[group[i]] for group in r]) for i in (0, 1)
    ),
    "nltk": nltk_corpus(),
    "nltk on word_tokenize tokens, with method1, mean of sentence scores": nltk_mean(
        words_of, smoothing_function=SMOOTHING.method1
    ),
    "nltk with method4, mean of sentence scores": nltk_mean(smoothing_function=SMOOTHING.method4),
    "nltk with BLEU-2": nltk_corpus(weights=(0.5, 0.5, 0, 0)),
    "nltk on characters": nltk_corpus(list),
    "nltk without punctuation": nltk_corpus(without_punctuation),
}


@pytest.mark.parametrize("words", DONE)
def test_what_libraries_compute_is_traced_and_done_again_on_another_text(words):
    compute = DONE[words]
    found = bleukit.identify(f"{compute(HYPOTHESES, REFERENCES):.6f}", HYPOTHESES, REFERENCES)
    assert found.verdict == "likely"
    (same,) = (each for each in found.answers[0].same_score if each.words == words)
    assert same.bits <= found.answers[0].first.bits + 2  # this text has few n-grams of which smoothings differ
    assert of_python(same.python, *OTHER_TEXT) == pytest.approx(compute(*OTHER_TEXT), rel=1e-9)


def test_hypotheses_and_references_may_have_been_exchanged():
    def compute(hypotheses, references):
        return sacrebleu_corpus()([group[0] for group in references], [[text] for text in hypotheses])

    found = bleukit.identify(f"{compute(HYPOTHESES, SINGLE):.6f}", HYPOTHESES, SINGLE)
    other = OTHER_TEXT[0], [group[:1] for group in OTHER_TEXT[1]]
    assert of_python(found.answers[0].first.python, *other) == pytest.approx(compute(*other), rel=1e-9)


def cheapest_of_each_deviation(references):
    """Return the cheapest procedure of each deviation of the data file that a text of so many references allows."""
    pairs = check_segments(HYPOTHESES, references)
    found, _ = possible_procedures({}, traits(pairs) | {"documents", "han", "kana", "subwords"})
    procedures = {}
    for procedure in found:
        for deviation in procedure.deviations:
            procedures.setdefault((deviation.words, procedure.family.kind), procedure)
    calculator = Calculator(lambda _: pairs, IDS)

    def points(procedure):
        try:
            return calculator.points(procedure.steps)
        except bleukit.InputError:
            return None

    return [(procedure, points(procedure)) for procedure in procedures.values()]


IDS = ["a", "a", "b", "b"]


@pytest.mark.parametrize("references", [SINGLE, REFERENCES], ids=["one reference", "two references"])
def test_the_python_of_every_deviation_gives_its_score(references):
    procedures = cheapest_of_each_deviation(references)
    assert len(procedures) > 100
    for procedure, value in procedures:
        source = procedure.python.replace("documents=documents", f"documents={IDS}")
        assert len(source.splitlines()) <= 5, source
        if value is None:
            with pytest.raises(bleukit.InputError):
                of_python(source, HYPOTHESES, references)
        else:
            found = of_python(source, HYPOTHESES, references) * 100 / procedure.family.variant.scale
            assert found == pytest.approx(value, rel=1e-9, abs=1e-12), source


def single(compute, *, swap=False, number=0):
    """Return what takes one reference, or exchanges it with the hypothesis."""

    def score(hypotheses, references):
        chosen = [group[number] for group in references]
        return (
            compute(chosen, [[text] for text in hypotheses]) if swap else compute(hypotheses, [[one] for one in chosen])
        )

    return score


def of_printed(formula):
    """Return what computes a formula of the precisions, lengths and penalty that sacreBLEU prints."""

    def compute(hypotheses, references):
        printed = sacrebleu.BLEU().corpus_score(hypotheses, list(zip(*references, strict=True)))
        return formula(printed)

    return compute


def over_batches(compute, size):
    return lambda h, r: statistics.mean(compute(h[i : i + size], r[i : i + size]) for i in range(0, len(h), size))


def above_0(values):
    return statistics.mean([value for value in values if value > 0] or [0])


REPRODUCED = {
    "text: characters": ("nltk", {"text": "characters"}, nltk_corpus(list)),
    "text: joined": (
        "nltk",
        {"text": "joined"},
        lambda h, r: nltk_corpus()([" ".join(h)], [[" ".join(texts) for texts in zip(*r, strict=True)]]),
    ),
    "text: first hypothesis": (
        "sacrebleu",
        {"text": "first hypothesis"},
        lambda h, r: sacrebleu_corpus()(h[:1], [[group[0] for group in r]]),
    ),
    "text: words as references": (
        "nltk",
        {"text": "words as references"},
        lambda h, r: nltk_bleu.corpus_bleu([group[0].split() for group in r], list(map(str.split, h))),
    ),
    "text: characters of references": (
        "nltk",
        {"text": "characters of references"},
        lambda h, r: nltk_bleu.corpus_bleu(r, list(map(str.split, h))),
    ),
    "remove": ("nltk", {"remove": "punctuation"}, nltk_corpus(without_punctuation)),
    "shift": ("sacrebleu", {"shift": 1}, lambda h, r: sacrebleu_corpus()(h[:-1], r[1:])),
    "shift back": ("sacrebleu", {"shift": -1}, lambda h, r: sacrebleu_corpus()(h[1:], r[:-1])),
    "swap": ("nltk", {"swap": True, "reference": 1}, single(nltk_corpus(), swap=True)),
    "reference": ("sacrebleu", {"reference": 2}, single(sacrebleu_corpus(), number=1)),
    "pooled": (
        "sacrebleu",
        {"over_references": "pooled"},
        lambda h, r: sacrebleu_corpus()([t for t, g in zip(h, r, strict=True) for _ in g], [[t] for g in r for t in g]),
    ),
    "max": (
        "nltk",
        {"over_references": "max", "average": "macro", "smoothing": "nltk-method1"},
        lambda h, r: statistics.mean(
            max(nltk_mean(smoothing_function=SMOOTHING.method1)([text], [[one]]) for one in group)
            for text, group in zip(h, r, strict=True)
        ),
    ),
    "best": (
        "nltk",
        {"over_references": "best", "average": "macro", "smoothing": "nltk-method1"},
        lambda h, r: max(
            nltk_mean(smoothing_function=SMOOTHING.method1)(h, [[group[i]] for group in r]) for i in (0, 1)
        ),
    ),
    "segments of a mean": (
        "nltk",
        {"segments": 2, "average": "macro", "smoothing": "nltk-method1"},
        lambda h, r: nltk_mean(smoothing_function=SMOOTHING.method1)(h[:2], r[:2]),
    ),
    "segments": ("sacrebleu", {"segments": 3}, lambda h, r: sacrebleu_corpus()(h[:3], r[:3])),
    "batches": ("sacrebleu", {"units": 2}, over_batches(sacrebleu_corpus(), 2)),
    "arithmetic": (
        "sacrebleu",
        {"mean": "arithmetic"},
        of_printed(lambda printed: printed.bp * statistics.mean(printed.precisions)),
    ),
    "harmonic": (
        "sacrebleu",
        {"mean": "harmonic"},
        of_printed(lambda printed: printed.bp * statistics.harmonic_mean(printed.precisions)),
    ),
    "orders": (
        "nltk",
        {"mean": "orders"},
        lambda h, r: statistics.mean(nltk_corpus(weights=(1 / n,) * n)(h, r) for n in (1, 2, 3, 4)),
    ),
    "penalty": (
        "sacrebleu",
        {"penalty": "ratio"},
        of_printed(lambda printed: printed.score / printed.bp * min(1, printed.sys_len / printed.ref_len)),
    ),
    "median": ("nltk", {"average": "median", "weights": 2}, nltk_mean(mean=statistics.median, weights=(0.5, 0.5))),
    "positive": ("nltk", {"average": "positive"}, nltk_mean(mean=above_0)),
}


@pytest.mark.filterwarnings("ignore:\\nThe hypothesis contains 0 counts")
@pytest.mark.parametrize("keys", REPRODUCED)
def test_procedures_give_what_libraries_compute(keys):
    variant, settings, compute = REPRODUCED[keys]
    for text in ((HYPOTHESES, REFERENCES), OTHER_TEXT):
        assert bleukit.reproduce(variant, *text, **settings) == pytest.approx(compute(*text), rel=1e-5, abs=1e-9)


@pytest.mark.parametrize(
    ("keys", "error", "message"),
    [
        ({"text": "words"}, bleukit.VariantError, "procedure.text: expected characters, characters of references"),
        ({"units": 0}, bleukit.VariantError, "procedure.units: expected a whole number of at least 1"),
        (
            {"swap": True, "smoothing": "nltk-method6", "average": "macro"},
            bleukit.InputError,
            "gives the text no score",
        ),
    ],
)
def test_a_procedure_that_cannot_be_followed_is_refused(keys, error, message):
    with pytest.raises(error, match=message):
        bleukit.reproduce("nltk", ["a b"], [["a c"]], **keys)


@pytest.mark.parametrize("keys", [{"shift": -1}, {"over_references": "pooled"}])
def test_documents_are_those_of_the_hypotheses_that_are_scored(keys):
    keys = {**keys, "units": "documents"}
    family = Family(0, "nltk", bleukit.load("nltk").variant, "nltk")
    points = Calculator(lambda _: check_segments(HYPOTHESES, REFERENCES), IDS).points(
        Procedure(0, family, (Deviation(0, "", keys),)).steps
    )
    found = bleukit.reproduce("nltk", HYPOTHESES, REFERENCES, documents=IDS, **keys)
    assert points == pytest.approx(100 * found, rel=1e-9)


def test_the_command_of_every_deviation_gives_its_score(run, files, tmp_path):
    hypothesis, references = files[-1], files[1:-1:2]
    (tmp_path / "documents").write_text("\n".join(IDS))
    for procedure, value in cheapest_of_each_deviation(REFERENCES):
        command = procedure.command([], hypothesis, references, str(tmp_path / "documents"))
        if value is not None:
            status, out, err = run(*shlex.split(command)[1:], "-q", "-w", "12")
            assert status == 0, err
            assert float(out) * 100 / procedure.family.variant.scale == pytest.approx(value, abs=1e-9), command


def test_prices_are_numbers_with_reasons_and_known_keys():
    data = prices()
    entries = [*data["families"], *data["deviations"], data["other_variants"], data["other_tokenizers"]]
    assert all(entry["bits"] > 0 and entry["why"] for entry in entries)
    keys = {key for entry in data["deviations"] for key in entry["set"]}
    assert keys <= {*OWN_KEYS, *bleukit.load().variant.fields()}
    kinds = {family["kind"] for family in data["families"]} | {"other"}
    assert all({*entry.get("kinds", [])} <= kinds for entry in data["deviations"])
    names = Counter(family["variant"] for family in data["families"])
    assert max(names.values()) == 1
    assert names.keys() <= installed().of_kind("variant").keys()


def test_probabilities_sum_to_1(rough, nothing):
    for found in (rough, nothing):
        shares = [answer.posterior for answer in found.answers]
        assert sum(shares) + found.nothing == pytest.approx(1)
        assert shares == sorted(shares, reverse=True)


def test_procedures_that_cannot_be_told_apart_are_one_answer():
    found = bleukit.identify(f"{bleukit.load().corpus(HYPOTHESES, REFERENCES).value:.6f}", HYPOTHESES, REFERENCES)
    words = [each.words for each in found.answers[0].same_score]
    assert words[0] == "sacrebleu"
    assert "nltk on 13a tokens" in words
    assert [each.bits for each in found.answers[0].same_score] == sorted(
        each.bits for each in found.answers[0].same_score
    )


@pytest.fixture(scope="module")
def nothing():
    """The result for a figure far from all scores."""
    return bleukit.identify("99.123", HYPOTHESES, SINGLE)


@pytest.fixture(scope="module")
def rough():
    """The result for a figure that many procedures give."""
    return bleukit.identify("45.3", HYPOTHESES, SINGLE)


def test_a_figure_far_from_all_scores_has_no_answer_but_the_closest(nothing):
    found = nothing
    assert (found.verdict, found.answers, found.nothing) == ("nothing plausible", (), 1)
    assert "none of these" in str(found)
    assert found.closest.first.words in " ".join(str(found).split())


def test_a_score_of_0_is_never_likely():
    found = bleukit.identify("0.00%", ["a b c", "d e f"], [["x y z"], ["u v w"]])
    assert found.verdict == "possible"
    assert "A score of 0 tells little" in " ".join(str(found).split())


def test_a_second_figure_narrows_it():
    bleu = bleukit.load("nltk", average="macro", smoothing="nltk-method1", lowercase=True)
    figures = [f"{100 * bleu.corpus(*text).value:.1f}" for text in ((HYPOTHESES, REFERENCES), OTHER_TEXT)]
    alone = bleukit.identify(figures[0], HYPOTHESES, REFERENCES)
    both = bleukit.identify(figures[0], HYPOTHESES, REFERENCES, cases=[(figures[1], *OTHER_TEXT)])
    assert len(both.answers) < len(alone.answers)
    assert both.answers[0].first.words == "nltk with method1, mean of sentence scores, lowercased"
    assert both.nothing < alone.nothing


def test_a_line_that_a_program_printed_narrows_it():
    metric = sacrebleu.BLEU(tokenize="char")
    score = metric.corpus_score(HYPOTHESES, list(zip(*REFERENCES, strict=True)))
    for line in (str(score), score.format(signature=str(metric.get_signature())), f"{score.score:.1f}"):
        found = bleukit.identify(line, HYPOTHESES, REFERENCES)
        if line.startswith("BLEU"):
            assert found.answers[0].first.words in {"sacrebleu with tok char", "sacrebleu with tokenizer char"}
            assert all("mean" not in answer.first.words for answer in found.answers)
    wrong = str(score).replace("hyp_len = ", "hyp_len = 9")
    assert PublishedScore.parse(wrong).facts["hypothesis_length"].startswith("9")


def test_what_a_program_printed_may_be_of_one_batch():
    line = str(sacrebleu.BLEU().corpus_score(HYPOTHESES, list(zip(*REFERENCES, strict=True))))
    found = bleukit.identify(line, HYPOTHESES, REFERENCES)
    assert "sacrebleu, mean over batches of 32" in {each.words for each in found.answers[0].same_score}


def test_a_plugin_with_one_component_changes_no_other_first_answer(tmp_path):
    (tmp_path / "shouting_words.py").write_text(
        "import bleukit\n@bleukit.plugin.hookimpl\n"
        "def bleukit_tokenizers(): return {'shout': lambda: lambda t: ['x', t]}\n"
    )
    scores = [f"{compute(HYPOTHESES, REFERENCES):.4f}" for compute in list(DONE.values())[:1]]
    before = [bleukit.identify(score, HYPOTHESES, REFERENCES).answers[0].first.words for score in scores]
    with also_installed([str(tmp_path / "shouting_words.py")]):
        after = [bleukit.identify(score, HYPOTHESES, REFERENCES).answers[0].first.words for score in scores]
    assert after == before


def test_mixtures_are_tried_only_if_they_are_asked_for():
    bleu = bleukit.load("sacrebleu", counter="unclipped")
    text = ["the cat sat, the cat sat on the mat, the cat"], [["the cat sat on the mat, it is said, all day"]]
    score = f"{bleu.corpus(*text).value:.9f}"
    assert not bleukit.identify(score, *text).answers
    found = bleukit.identify(score, *text, mix=True).answers[0].first
    assert of_python(found.python, *OTHER_TEXT) == pytest.approx(bleu.corpus(*OTHER_TEXT).value, rel=1e-9)


@pytest.fixture
def unregistered(tmp_path):
    """A variant that no procedure of the list is, and the path of its file."""
    path = tmp_path / "ours.yaml"
    path.write_text("variant: nltk\nweights: [0.45, 0.3, 0.2, 0.05]\nscale: 100\n")
    return bleukit.load(path), path


def test_a_variant_of_ones_own_is_tried(unregistered):
    bleu, path = unregistered
    score = f"{bleu.corpus(HYPOTHESES, REFERENCES).value:.9f}"
    words = "nltk with weights [0.45, 0.3, 0.2, 0.05]"
    for variant, name in ((path, str(path)), (bleu, words), (bleu.variant, words)):
        found = bleukit.identify(score, HYPOTHESES, REFERENCES, variants=[variant]).answers[0].first
        assert found.words == name
        assert of_python(found.python, *OTHER_TEXT) == pytest.approx(bleu.corpus(*OTHER_TEXT).value)


def test_variants_of_ones_own_must_have_names_and_score_segments():
    first, second = (bleukit.load("nltk", lowercase=lowercase, name="ours") for lowercase in (True, "ascii"))
    score = f"{first.corpus(HYPOTHESES, REFERENCES).value:.9f}"
    assert bleukit.identify(score, HYPOTHESES, REFERENCES, variants=[first, first]).answers[0].first.bits <= 2.5
    with pytest.raises(bleukit.InputError, match="two variants are called 'ours'"):
        bleukit.identify("0.5", HYPOTHESES, REFERENCES, variants=[first, second])
    with pytest.raises(bleukit.InputError, match="^d-bleu joins the segments"):
        bleukit.identify("0.5", HYPOTHESES, REFERENCES, variants=["d-bleu"])


def test_a_mean_over_documents_is_tried_if_these_are_known():
    bleu = bleukit.load()
    value = bleu.score_columns(bleu.statistics(HYPOTHESES, SINGLE).by_document(IDS)).value.mean()
    case = Case.of(f"{value:.6f}", HYPOTHESES, SINGLE)
    from bleukit.identifying.identification import identified

    assert "mean over documents" in identified([case._replace(documents=IDS)]).answers[0].first.words


@pytest.mark.parametrize(
    ("given", "low", "high"),
    [
        ("39.9", 39.85, 39.95),
        ("39,9", 39.85, 39.95),
        (" 39.9 % ", 39.85, 39.95),
        ("0", 0, 0.5),
        ("100", 99.5, 100.5),
        ("3.99e1", 39.85, 39.95),
        (Decimal("39.90"), 39.895, 39.905),
        (np.float32(39.9), 39.85, 39.95),
        (np.int64(40), 39.5, 40.5),
        (40, 39.5, 40.5),
    ],
)
def test_a_figure_stands_for_what_rounds_to_it(given, low, high):
    figure = PublishedScore.parse(given)
    assert (figure.low, figure.high) == pytest.approx((low, high), abs=1e-12)


@pytest.mark.parametrize("filling", ["a", "1", "1/", "1.", "|a", "|a:", "=", " ", "BP "])
def test_a_line_may_have_up_to_10000_characters(filling):
    """What fills it matches parts of the expressions; if these are not linear, it takes long."""
    printed = "BLEU = 39.9 60.1/40/30.5/20 (BP = 0.9 ratio = 0.905 hyp_len = 905 ref_len = 1000)"
    signature = "tool|case:mixed|tok:13a"
    line = f"{printed} {filling * 10_000}"[: 9_999 - len(signature)] + f" {signature}"
    figure = PublishedScore.parse(line)
    assert (figure.number, figure.signature) == (39.9, signature)
    assert list(figure.facts.values()) == ["60.1/40/30.5/20", "0.9", "905", "1000"]
    with pytest.raises(bleukit.InputError, match=r"^score: expected a line of up to 10,000 characters, got 10,001$"):
        PublishedScore.parse(f"{line}x")


@given(st.integers(0, 10**6), st.integers(1, 4), st.sampled_from([-0.501, -0.5, -0.499, 0, 0.499, 0.5, 0.501, 3]))
def test_a_figure_holds_the_numbers_that_round_to_it(digits, places, off):
    """Half a unit is rounded up, so that a figure does not hold the upper end of its range."""
    unit = Decimal(1).scaleb(-places)
    number = digits % (100 * 10**places) * unit
    value = number + Decimal(str(off)) * unit
    assume(value >= 0)
    percentage, fraction = (PublishedScore.parse(text) for text in (f"{number}%", f"{number / 100:.{places + 2}f}"))
    assert percentage.holds(float(value), 100) == (value.quantize(unit, ROUND_HALF_UP) == number)
    assert [percentage.width, fraction.width] == pytest.approx([float(min(unit, unit / 2 + number))] * 2)


@pytest.mark.parametrize(
    ("printed", "name", "metric"),
    [
        ("chrF2 = 84.92", "chrF2", "chrf"),
        ("chrF2++|nrefs:1|case:mixed|eff:yes|nc:6|nw:2|space:no|version:2.6.0 = 84.9", "chrF2++", "chrf++"),
        ("TER|nrefs:1|case:lc|tok:tercom|norm:no|punct:yes|asian:no|version:2.6.0 = 40.2", "TER", "ter"),
        ('{\n "name": "chrF2",\n "score": 84.9\n}', "chrF2", "chrf"),
    ],
)
def test_a_score_of_another_metric_is_refused(printed, name, metric):
    with pytest.raises(
        bleukit.InputError, match=rf"^score: {re.escape(name)} is not BLEU.*\(-m {re.escape(metric)} of"
    ):
        PublishedScore.parse(printed)
    both = f"BLEU = 39.9\n{printed}"
    assert PublishedScore.parse(both).text == "39.9"


def test_a_percentage_or_more_than_1_is_no_fraction():
    assert [PublishedScore.parse(text).scales for text in ("0.4%", "1.2", "0.4")] == [(100,), (100,), (100, 1)]


def test_a_figure_without_decimals_is_a_fraction_only_if_it_is_exact():
    assert PublishedScore.parse("1").holds(0.99, 1) is False
    assert PublishedScore.parse("1").holds(1.0, 1)
    assert PublishedScore.parse("1.0").holds(0.99, 1)


@pytest.mark.parametrize(
    "score",
    ["-1", "101", "nan", "", "1_0", "٣", "1e999", "39.9 BLEU", "1,234.5", "3 9", math.inf, None, True, Fraction(1, 3)],
)
def test_a_figure_that_is_no_score_is_refused(score):
    expected = r"score: expected a number from 0 to 100, such as 39.9, 0.399 or 39.9%"
    with pytest.raises(bleukit.InputError, match=expected):
        bleukit.identify(score, HYPOTHESES, REFERENCES)


def test_references_that_differ_in_number_are_taken_as_they_are():
    references = [group[: 1 + i % 2] for i, group in enumerate(REFERENCES)]
    score = bleukit.load("sacrebleu").corpus(HYPOTHESES, references).value
    assert bleukit.identify(f"{score:.6f}", HYPOTHESES, references).answers[0].first.words == "sacrebleu"


def test_a_reference_that_a_segment_lacks_gives_no_score():
    texts, references = ["a b c d", "e f g h"], [["a b c d"], ["e f g", "e f g h"]]
    assert bleukit.reproduce("nltk", texts, references, reference=1) < 1
    with pytest.raises(bleukit.InputError, match="gives the text no score"):
        bleukit.reproduce("nltk", texts, references, reference=2)


def test_one_segment_with_several_references_is_enough():
    score = bleukit.load("sacrebleu").corpus(HYPOTHESES[:1], REFERENCES[:1]).value
    assert bleukit.identify(f"{score:.6f}", HYPOTHESES[:1], REFERENCES[:1]).answers[0].first.words == "sacrebleu"


@pytest.mark.parametrize("keys", [{"swap": True}, {"over_references": "mean"}])
def test_what_asks_for_other_references_gives_no_score(keys):
    references = [group[: 1 + i % 2] for i, group in enumerate(REFERENCES)]
    with pytest.raises(bleukit.InputError, match="gives the text no score"):
        bleukit.reproduce("sacrebleu", HYPOTHESES, references, **keys)


def test_references_by_set():
    score = bleukit.load("sacrebleu").corpus(HYPOTHESES, REFERENCES).value
    sets = [list(texts) for texts in zip(*REFERENCES, strict=True)]
    found = bleukit.identify(f"{score:.6f}", HYPOTHESES, sets, references_by="set")
    assert found.answers[0].first.words == "sacrebleu"


def test_tokens_need_no_tokenizer():
    tokens = [[text.split() for text in HYPOTHESES], [[text.split() for text in group] for group in REFERENCES]]
    score = bleukit.load("nltk").corpus(*tokens).value
    assert "nltk" in {each.words for each in bleukit.identify(f"{score:.6f}", *tokens).answers[0].same_score}


@pytest.mark.parametrize("text", [([], []), ([[]], [[[]]])])
def test_text_without_any_token_is_refused_or_scores_0(text):
    if not text[0]:
        with pytest.raises(bleukit.InputError, match="no segment"):
            bleukit.identify("0", *text)
    else:
        assert bleukit.identify("0", *text).answers[0].value == 0


def test_what_could_not_be_tried_has_its_reason():
    pairs = check_segments(HYPOTHESES, SINGLE)
    _, left_out = possible_procedures({}, traits(pairs))
    assert "option 'model'" in left_out["tokenizer spm"]


def test_the_result_is_a_value(rough, nothing):
    first, again = rough, bleukit.identify("45.3", HYPOTHESES, SINGLE)
    assert first == again
    assert hash(first) == hash(again)
    assert pickle.loads(pickle.dumps(first)) == first
    assert first != nothing
    assert json.loads(json.dumps(first.to_dict()))["answers"][0]["posterior"] == first.answers[0].posterior
    assert len(repr(first)) < 160
    assert "<th>procedure</th></tr></thead><tbody><tr>" in first._repr_html_()
    assert "</td></tr><tr><td>" in first._repr_html_()


@pytest.mark.parametrize("width", [60, 80, 120])
def test_the_text_fits_its_width(width, rough):
    assert max(map(len, rough.as_text(width).splitlines())) <= width


@pytest.fixture
def files(tmp_path):
    """Write the text above; return the arguments that name it."""
    (tmp_path / "hyp").write_text("\n".join(HYPOTHESES))
    words = []
    for number in (0, 1):
        (tmp_path / f"ref{number}").write_text("\n".join(group[number] for group in REFERENCES))
        words += ["-r", str(tmp_path / f"ref{number}")]
    return [*words, str(tmp_path / "hyp")]


def value_in(out):
    return json.loads(out)["systems"][0]["score"]


def test_the_command_prints_how_to_do_it_again(run, files):
    score = bleukit.load("nltk", lowercase=True).corpus(HYPOTHESES, REFERENCES).value
    status, out, err = run("identify", "--score", f"{score:.6f}", *files)
    assert (status, err) == (0, "")
    assert "likely nltk, lowercased" in out
    command = out.splitlines()[-1].removeprefix("To reproduce: ")
    assert value_in(run(*shlex.split(command)[1:], "--format", "json")[1]) == pytest.approx(score)


def test_the_command_prints_json(run, files):
    score = bleukit.load("nltk").corpus(HYPOTHESES, REFERENCES).value
    status, out, _ = run("identify", "--score", f"{score:.6f}", *files, "--format", "json")
    data = json.loads(out)
    assert (status, data["verdict"]) == (0, "likely")
    assert {"verdict", "nothing", "tried", "expected_by_chance", "answers"} <= data.keys()
    first = data["answers"][0]
    assert first.keys() == {"value", "posterior", "bits", "by_chance", "command", "same_score"}
    assert {"command", "words"} <= first["same_score"][0].keys()
    assert value_in(run(*shlex.split(first["command"])[1:], "--format", "json")[1]) == pytest.approx(first["value"])


def test_nothing_plausible_is_said_by_the_exit_status(run, files):
    status, out, err = run("identify", "--score", "99.123", *files[2:])
    assert (status, err) == (1, "")
    assert out.startswith("99.123: nothing plausible")


def test_the_command_takes_further_cases(run, files):
    bleu = bleukit.load("nltk", lowercase=True)
    figures = [f"{100 * bleu.corpus(HYPOTHESES, [group[i] for group in REFERENCES]).value:.1f}" for i in (0, 1)]
    _, first, _, second, hypothesis = files
    words = ["identify", "--score", figures[0], "-r", first, hypothesis, "--case", figures[1], hypothesis, second]
    status, out, _ = run(*words, "--format", "json")
    assert (status, json.loads(out)["cases"]) == (0, 2)
    assert "lowercased" in json.loads(out)["answers"][0]["same_score"][0]["words"]
    status, _, err = run("identify", "--score", "1", "-r", first, hypothesis, "--case", "1", hypothesis)
    assert (status, "--case takes a figure, a file of hypotheses and files of references" in err) == (2, True)


def test_the_command_tries_a_variant_file(run, files, unregistered):
    bleu, path = unregistered
    score = f"{bleu.corpus(HYPOTHESES, REFERENCES).value:.9f}"
    status, out, _ = run("identify", "--score", score, "-V", str(path), *files)
    assert (status, str(path) in out) == (0, True)
    reproduced = run(*shlex.split(out.splitlines()[-1].removeprefix("To reproduce: "))[1:], "--format", "json")[1]
    assert f"{value_in(reproduced):.9f}" == score
    status, _, err = run("identify", "--score", score, "-V", "absent.yaml", *files)
    assert (status, "absent.yaml" in err) == (2, True)
