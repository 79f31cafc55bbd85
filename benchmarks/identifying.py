"""How often identify is right: procedures that NLTK and sacreBLEU compute themselves, traced from the printed figure.

An answer is right if its Python gives, on another text, what the procedure gives there, to one part or one point in a
million. Prices are chosen on one half of the procedures and texts; the other half is what is reported.

    python benchmarks/identifying.py FOLDER [--half tuned|reported] [--segments 150] [--seeds 3]
    python benchmarks/identifying.py FOLDER --half drawn --segments 170   # random combinations

FOLDER holds system-outputs and references as wmt-conference/wmt22-news-systems has them.
"""

from __future__ import annotations

import argparse
import random
import string
import warnings
from concurrent.futures import ProcessPoolExecutor
from copy import deepcopy
from dataclasses import dataclass
from functools import cache, partial
from itertools import chain
from math import isclose, nan, sqrt
from pathlib import Path
from statistics import geometric_mean, mean, median
from typing import TYPE_CHECKING, Any, NamedTuple

import sacrebleu
from nltk import word_tokenize
from nltk.stem import PorterStemmer
from nltk.translate import bleu_score as nltk_bleu
from nltk.translate.gleu_score import corpus_gleu

from bleukit.identifying import identification as identifying
from bleukit.identifying import procedures as procedures_of_bleukit
from bleukit.identifying.calculating import Calculator
from bleukit.identifying.identification import Case, identified
from bleukit.identifying.published_score import PublishedScore

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from bleukit.identifying.identification import Identification
    from bleukit.identifying.procedures import Procedure

    Texts = tuple[Sequence[str], Sequence[Sequence[str]]]
    Compute = Callable[[Texts], float]
    Pair = tuple[str, str, str, int]

PAIRS = {
    "tuned": [("en-de", "Online-A", "A", 0), ("cs-en", "Online-W", "BC", 0)],
    "reported": [("en-de", "Online-W", "AB", 900), ("cs-en", "ALMAnaCH-Inria", "B", 0), ("en-zh", "Online-W", "A", 0)],
    "drawn": [
        ("en-ja", "Online-Y", "A", 700),
        ("en-de", "Online-W", "AB", 900),
        ("cs-en", "ALMAnaCH-Inria", "C", 900),
        ("en-zh", "Online-W", "AB", 900),
    ],
}
"""Language pair, system, references, and the number of segments before the texts."""

DRAWN = 38
"""So many combinations are drawn for each language pair."""

RANDOM_FIGURES = 99
"""So many for each system."""

NOISE = 1.5

PRICES = procedures_of_bleukit.prices


def corpus(tokenize: Any = str.split, **settings: Any) -> Compute:
    """Return NLTK's corpus_bleu, in points."""

    def compute(text: Texts) -> float:
        references = [[tokenize(reference) for reference in group] for group in text[1]]
        return 100 * float(nltk_bleu.corpus_bleu(references, list(map(tokenize, text[0])), **settings))

    return compute


def sentences(tokenize: Any = str.split, average: Any = mean, **settings: Any) -> Compute:
    """Return an average of NLTK's sentence_bleu, in points."""

    def compute(text: Texts) -> float:
        pairs = (
            ([tokenize(one) for one in group], tokenize(hypothesis)) for hypothesis, group in zip(*text, strict=True)
        )
        return 100 * float(average([float(nltk_bleu.sentence_bleu(*pair, **settings)) for pair in pairs]))

    return compute


def sacre(**settings: Any) -> Compute:
    """Return sacreBLEU's corpus score."""

    def compute(text: Texts) -> float:
        return float(sacrebleu.BLEU(**settings).corpus_score(text[0], list(zip(*text[1], strict=True))).score)

    return compute


def sacre_sentences(average: Any = mean, **settings: Any) -> Compute:
    """Return an average of sacreBLEU's sentence scores."""

    def compute(text: Texts) -> float:
        metric = sacrebleu.BLEU(effective_order=True, **settings)
        return float(average([metric.sentence_score(one, group).score for one, group in zip(*text, strict=True)]))

    return compute


def changed(compute: Compute, change: Callable[[str], str]) -> Compute:
    """Return the score of changed texts."""
    return lambda text: compute((list(map(change, text[0])), [list(map(change, group)) for group in text[1]]))


def exchanged(compute: Compute) -> Compute:
    """Return the score of exchanged sides."""
    return lambda text: compute(([group[0] for group in text[1]], [[one] for one in text[0]]))


def first(compute: Compute, number: int) -> Compute:
    """Return the score of the first segments."""
    return lambda text: compute((text[0][:number], text[1][:number]))


def batches(compute: Compute, size: int) -> Compute:
    """Return the mean over batches."""

    def of_batches(text: Texts) -> float:
        starts = range(0, len(text[0]), size)
        return mean(compute((text[0][i : i + size], text[1][i : i + size])) for i in starts)

    return of_batches


def over_references(compute: Compute, join: Any) -> Compute:
    """Return the scores by single references, joined."""

    def joined(text: Texts) -> float:
        return float(join(compute((text[0], [[group[i]] for group in text[1]])) for i in range(len(text[1][0]))))

    return joined


def reference(compute: Compute, number: int) -> Compute:
    """Return the score by one reference."""
    return lambda text: compute((text[0], [[group[number]] for group in text[1]]))


def without_punctuation(text: str) -> str:
    """Return a text without punctuation."""
    return text.translate(str.maketrans("", "", string.punctuation))


def words(text: str) -> list[str]:
    """Return what NLTK takes for words."""
    return list(word_tokenize(text, preserve_line=True))


def procedures(references: int) -> Iterator[tuple[str, Compute]]:  # noqa: PLR0915 - a list
    """Yield the procedures for a text of so many references; every second one is of the other half."""
    smooth = nltk_bleu.SmoothingFunction()
    yield "sacrebleu", sacre()
    yield "nltk", corpus()
    yield "sacrebleu lc", sacre(lowercase=True)
    yield "nltk lower", changed(corpus(), str.lower)
    yield "sacrebleu none", sacre(tokenize="none")
    yield "sacrebleu intl", sacre(tokenize="intl")
    yield "sacrebleu char", sacre(tokenize="char")
    yield "sacrebleu intl lc", sacre(tokenize="intl", lowercase=True)
    yield "sacrebleu sentences", sacre_sentences()
    yield "sacrebleu sentences lc", sacre_sentences(lowercase=True)
    yield "sacrebleu order 2", sacre(max_ngram_order=2)
    yield "sacrebleu order 1", sacre(max_ngram_order=1)
    yield "sacrebleu first 100", first(sacre(), 100)
    yield "sacrebleu batches 32", batches(sacre(), 32)
    yield "nltk words", corpus(words)
    yield "nltk words lower", changed(corpus(words), str.lower)
    yield "nltk sentences", sentences()
    yield "nltk sentences lower", changed(sentences(), str.lower)
    for method in (1, 2, 3, 4, 5, 7):
        one = getattr(smooth, f"method{method}")
        yield f"nltk sentences method{method}", sentences(smoothing_function=one)
        yield f"nltk words sentences method{method}", sentences(words, smoothing_function=one)
    yield "nltk method2", corpus(smoothing_function=smooth.method2)
    yield "nltk method5", corpus(smoothing_function=smooth.method5)
    yield "nltk words sentences lower method1", changed(sentences(words, smoothing_function=smooth.method1), str.lower)
    yield "nltk words sentences lower method4", changed(sentences(words, smoothing_function=smooth.method4), str.lower)
    cumulative = {1: (1, 0, 0, 0), 2: (0.5, 0.5, 0, 0), 3: (0.33, 0.33, 0.33, 0), 5: (0.2,) * 5, 6: (1 / 6,) * 6}
    for order, weights in cumulative.items():
        yield f"nltk BLEU-{order}", corpus(weights=weights)
        yield f"nltk sentences BLEU-{order}", sentences(weights=weights)
    yield "nltk words BLEU-1", corpus(words, weights=(1,))
    yield "nltk words BLEU-2", corpus(words, weights=(0.5, 0.5))
    yield "nltk bigrams", corpus(weights=(0, 1, 0, 0))
    yield "nltk trigrams", corpus(weights=(0, 0, 1, 0))
    yield "nltk weights", corpus(weights=(0.4, 0.3, 0.2, 0.1))
    yield "nltk thirds", corpus(weights=(1 / 3, 1 / 3, 1 / 3))
    yield "nltk characters", corpus(list)
    yield "nltk characters sentences", sentences(list)
    yield "nltk no punctuation", changed(corpus(), without_punctuation)
    yield "nltk no punctuation lower", changed(corpus(), lambda text: without_punctuation(text.lower()))
    yield "nltk exchanged", exchanged(corpus())
    yield "nltk sentences exchanged", exchanged(sentences())
    yield "nltk sentences median", sentences(average=median)
    yield "nltk sentences above 0", sentences(average=lambda found: mean([one for one in found if one > 0]))
    yield "nltk mean of BLEU-1 to 4", lambda text: mean(corpus(weights=(1 / n,) * n)(text) for n in (1, 2, 3, 4))
    yield "nltk first 50", first(corpus(), 50)
    yield "nltk batches 64", batches(corpus(), 64)
    yield "sacrebleu exchanged", exchanged(sacre())
    yield (
        "sacrebleu joined",
        lambda text: sacre()(([" ".join(text[0])], [[" ".join(group) for group in zip(*text[1], strict=True)]])),
    )
    yield "sacrebleu no smoothing", sacre(smooth_method="none")
    yield "sacrebleu zh", sacre(tokenize="zh")
    yield "nltk method4", corpus(smoothing_function=smooth.method4)
    yield "nltk method1", corpus(smoothing_function=smooth.method1)
    if references > 1:
        yield "sacrebleu reference 1", reference(sacre(), 0)
        yield "sacrebleu reference 2", reference(sacre(), 1)
        yield "sacrebleu mean over references", over_references(sacre(), mean)
        yield "nltk mean over references", over_references(sentences(), mean)
        yield "nltk reference 1", reference(corpus(), 0)
        yield "sacrebleu maximum over references", over_references(sacre(), max)


@cache
def procedures_of_text(has: frozenset[str], noise: int | None) -> tuple[list[Procedure], dict[str, str]]:
    """Return the same procedures for all texts that are alike."""
    vars(procedures_of_bleukit)["prices"] = PRICES if noise is None else lambda: with_noise(noise)
    return procedures_of_bleukit.possible_procedures({}, has)


@cache
def calculator(read: Any, documents: Any) -> Calculator:
    """Return the same calculator, which knows its scores, for all figures of a text."""
    found = Calculator(read, documents)
    vars(found)["points"] = cache(found.points)
    return found


@dataclass(eq=False)
class Text:
    """A text, and how identify reads it."""

    texts: Texts

    def __post_init__(self) -> None:
        self.case = Case.of("1", *self.texts, "segment")

    def of(self, figure: str) -> Case:
        """Return the case of a figure."""
        return self.case._replace(figure=PublishedScore.parse(figure))


def read_texts(folder: Path, pair: Pair, segments: int) -> list[Text]:
    """Return three texts of consecutive segments of a system."""
    languages, system, references, before = pair
    name, language = f"generaltest2022.{languages}", languages.partition("-")[2]
    files = [folder / "system-outputs" / f"{name}.hyp.{system}.{language}"]
    files += [folder / "references" / f"{name}.ref.{reference}.{language}" for reference in references]
    hypotheses, *groups = [file.read_text(encoding="utf-8").split("\n")[:-1] for file in files]
    all_references = list(map(list, zip(*groups, strict=True)))
    parts = [slice(start, start + segments) for start in range(before, before + 3 * segments, segments)]
    return [Text((hypotheses[part], all_references[part])) for part in parts]


@cache
def drawn() -> dict[Pair, dict[str, Compute]]:
    """Return combinations that are drawn by lot, for each language pair."""
    generator = random.Random(2028)  # noqa: S311 - a trial, no secret
    found: dict[Pair, dict[str, Compute]] = {}
    for pair in PAIRS["drawn"]:
        named = found[pair] = {}
        while len(named) < DRAWN:
            named.setdefault(*draw(generator, len(pair[2])))
    return found


def draw(generator: random.Random, references: int) -> tuple[str, Compute]:
    """Return one of the combinations of what NLTK's and sacreBLEU's users do."""

    def happens(share: float) -> bool:
        return generator.random() < share

    settings: dict[str, Any] = {}
    compute: Compute
    if happens(0.6):
        tokenize: Any = generator.choices([str.split, words, list], [5, 3, 1])[0]
        by_sentence, method, weights = happens(0.5), None, None
        if by_sentence and happens(0.6):
            method = generator.choice([1, 1, 2, 3, 4, 5, 7])
            settings["smoothing_function"] = getattr(nltk_bleu.SmoothingFunction(), f"method{method}")
        if happens(0.3):
            weights = generator.choice(
                [(1, 0, 0, 0), (0.5, 0.5, 0, 0), (1 / 3, 1 / 3, 1 / 3, 0), (0, 1, 0, 0), (0.2,) * 5]
            )
            settings["weights"] = weights
        compute = (sentences if by_sentence else corpus)(tokenize, **settings)
        name = f"nltk {tokenize.__name__} {by_sentence} method {method} {weights}"
    else:
        if happens(0.4):
            settings["tokenize"] = generator.choice(["none", "intl", "char"])
        by_sentence = happens(0.25)
        if happens(0.2):
            settings["smooth_method"] = generator.choice(["none", "floor", "add-k"])
        if happens(0.15):
            settings["max_ngram_order"] = generator.choice([1, 2, 3])
        compute = (sacre_sentences if by_sentence else sacre)(**settings)
        name = f"sacrebleu {settings} {by_sentence}"
    if happens(0.3):
        name, compute = f"{name} lower", changed(compute, str.lower)
    if happens(0.08):
        name, compute = f"{name} no punctuation", changed(compute, without_punctuation)
    return _of_part(generator, references, name, compute)


def _of_part(generator: random.Random, references: int, name: str, compute: Compute) -> tuple[str, Compute]:
    """Return what may be computed of a part of the text, or by some references."""
    share = generator.random()
    if share < 0.06:
        number = generator.choice([50, 100])
        return f"{name} first {number}", first(compute, number)
    if share < 0.1:
        number = generator.choice([32, 64])
        return f"{name} batches {number}", batches(compute, number)
    if share < 0.16:
        return f"{name} exchanged", exchanged(compute)
    if references > 1 and share < 0.4:
        how = generator.choice(["r1", "r2", "mean", "max"])
        ways = {"r1": partial(reference, number=0), "r2": partial(reference, number=1)}
        ways |= {"mean": partial(over_references, join=mean), "max": partial(over_references, join=max)}
        return f"{name} {how}", ways[how](compute)
    return name, compute


@cache
def done_again(python: str, text: Text) -> float:
    """Return what lines of Python give on a text; NaN if they fail."""
    shown: list[float] = []
    hypotheses, references = map(list, text.texts)
    try:
        exec(python, {"hypotheses": hypotheses, "references": references, "print": shown.append})  # noqa: S102
    except Exception:  # noqa: BLE001 - no score is a wrong one
        return nan
    return float(shown[0])


@cache
def original(compute: Compute, text: Text) -> float:
    """Return what a procedure gives on a text."""
    return compute(text.texts)


def is_right(procedure: Procedure, compute: Compute, text: Text) -> bool:
    """Return whether a procedure gives on a text what the original gives."""
    return isclose(done_again(procedure.python, text), original(compute, text), rel_tol=1e-6, abs_tol=1e-6)


def is_never_right(_: Procedure) -> bool:
    """Return that no procedure is right."""
    return False


def interval(found: Sequence[bool]) -> str:
    """Return a share with its 95 % interval (Wilson), in percent."""
    if not found:
        return "–"
    z, number, share = 1.96, len(found), mean(found)
    centre = (share + z * z / (2 * number)) / (1 + z * z / number)
    half = z * sqrt(share * (1 - share) / number + z * z / (4 * number * number)) / (1 + z * z / number)
    return f"{100 * share:.0f} % ({100 * (centre - half):.0f}–{100 * (centre + half):.0f})"


def outside() -> Iterator[tuple[str, Compute]]:
    """Yield what no procedure of the list does."""
    smooth = nltk_bleu.SmoothingFunction
    stem = PorterStemmer().stem
    yield "chrF", lambda text: float(sacrebleu.corpus_chrf(text[0], list(zip(*text[1], strict=True))).score)
    yield (
        "GLEU",
        lambda text: (
            100 * corpus_gleu([list(map(str.split, group)) for group in text[1]], list(map(str.split, text[0])))
        ),
    )
    yield "stems", corpus(lambda text: list(map(stem, text.split())))
    yield "long words", corpus(lambda text: [word for word in text.split() if len(word) > 3])
    yield "first half of each segment", corpus(lambda text: text.split()[: len(text.split()) // 2 + 1])
    yield "epsilon 0.01", sentences(smoothing_function=smooth(epsilon=0.01).method1)
    yield "weights 0.7 to 0.1", corpus(weights=(0.7, 0.1, 0.1, 0.1))
    yield "weights of sentences", sentences(weights=(0.5, 0.25, 0.15, 0.1))
    yield "the first 37", first(sacre(), 37)
    yield "batches of 20", batches(corpus(), 20)
    yield "every second", lambda text: sacre()((text[0][::2], text[1][::2]))
    yield "sentences above 10", sentences(average=lambda found: mean([one for one in found if one > 0.1] or [0]))
    yield (
        "geometric mean of sentences",
        sentences(
            average=lambda found: geometric_mean(one + 1e-9 for one in found), smoothing_function=smooth().method1
        ),
    )
    yield "best half of sentences", sacre_sentences(average=lambda found: mean(sorted(found)[len(found) // 2 :]))
    yield "no digits", changed(sacre(), lambda text: text.translate(str.maketrans("", "", string.digits)))
    yield "floor 0.01", sacre_sentences(smooth_method="floor", smooth_value=0.01)


class Outcome(NamedTuple):
    """What came of a figure: whether the first answer is right, one of the first three, and whether it is "likely"."""

    kind: str
    first: bool
    three: bool
    likely: bool


def outcome(kind: str, result: Identification, is_right: Callable[[Procedure], bool], name: str = "") -> Outcome:
    """Return the outcome of a figure; print it under a name, if that is given and the first answer is wrong."""
    rights = [list(map(is_right, answer.same_score)) for answer in result.answers[:3]]
    first = bool(rights) and rights[0][0]
    if name and not first:
        top = result.answers[0].first.words if result.answers else "-"
        print(f"  {kind}: {name}: {result.verdict}, {top}", flush=True)
    return Outcome(kind, first, any(map(any, rights)), result.verdict == "likely")


@cache
def with_noise(seed: int) -> dict[str, Any]:
    """Return the prices with normal noise of 1.5 bits."""
    generator = random.Random(seed)  # noqa: S311 - prices, no secrets
    data = deepcopy(dict(PRICES()))
    for entry in [*data["families"], *data["deviations"], data["other_variants"], data["other_tokenizers"]]:
        entry["bits"] = max(0.5, entry["bits"] + generator.gauss(0, NOISE))
    return data


def found(cases: Sequence[Case], noise: int | None = None) -> Identification:
    """Return what identify finds, by the prices with noise if there is a seed for it."""
    vars(identifying)["Calculator"] = calculator
    vars(identifying)["possible_procedures"] = lambda _, has, **__: procedures_of_text(frozenset(has), noise)
    return identified(cases)


def trial(folder: Path, half: str, segments: int, seeds: int, pair: Pair) -> list[Outcome]:
    """Return the outcomes for one language pair."""
    generator = random.Random(1)  # noqa: S311 - figures, no secrets
    texts = read_texts(folder, pair, segments)
    listed = list(procedures(len(pair[2])))[half == "reported" :: 2]
    if half == "drawn":
        listed = list(drawn()[pair].items())
    outcomes = []
    for start in range(len(texts)):
        one, other, third = texts[start:] + texts[:start]
        for name, compute in listed:
            values = [original(compute, text) for text in (one, other)]
            label = f"{pair[0]} {start} {name} {values[0]:.3f}"
            two_decimals = [one.of(f"{values[0]:.2f}%")]
            both = [text.of(f"{value:.1f}%") for text, value in zip((one, other), values, strict=True)]
            right = partial(is_right, compute=compute, text=other)
            outcomes += [
                outcome("two decimals", found(two_decimals), right, label),
                outcome("one decimal", found(both[:1]), right, label),
                outcome("two figures of one decimal", found(both), partial(right, text=third), label),
            ]
            for seed in range(seeds if not start else 0):
                outcomes.append(outcome(f"two decimals, noise {seed}", found(two_decimals, seed), right, label))
        for _ in range(RANDOM_FIGURES // len(texts)):
            outcomes.append(outcome("random", found([one.of(f"{generator.uniform(5, 60):.2f}%")]), is_never_right))
        for _, compute in outside():
            outcomes.append(outcome("outside the list", found([one.of(f"{compute(one.texts):.2f}%")]), is_never_right))
    return outcomes


def print_table(outcomes: Sequence[Outcome]) -> None:
    """Print the outcomes for all language pairs together."""
    print("| figures | number | first right | among three | likely | of these wrong |\n" + "| --- " * 6 + "|")
    for kind in sorted(dict.fromkeys(each.kind for each in outcomes), key=lambda kind: "noise" in kind):
        these = [outcome for outcome in outcomes if outcome.kind == kind]
        shares = [interval(flags) for flags in zip(*(each[1:] for each in these), strict=True)]
        wrong = interval([not each.first for each in these if each.likely])
        print(f"| {kind} | {len(these)} | {' | '.join(shares)} | {wrong} |")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--half", choices=PAIRS, default="reported")
    parser.add_argument("--segments", type=int, default=150)
    parser.add_argument("--seeds", type=int, default=3)
    arguments = parser.parse_args()
    warnings.filterwarnings("ignore")
    run = partial(trial, arguments.folder, arguments.half, arguments.segments, arguments.seeds)
    with ProcessPoolExecutor(len(PAIRS[arguments.half])) as pool:
        print_table(list(chain.from_iterable(pool.map(run, PAIRS[arguments.half]))))
