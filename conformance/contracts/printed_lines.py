"""The lines that commands and results are printed as, held to the numbers that Python returns."""

from __future__ import annotations

import io
import json
import pickle
import re
import shlex
import textwrap
from contextlib import suppress
from dataclasses import fields, replace
from html import escape
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from bleukit.conformance.contracts.trials import Trial, as_read, checks
from bleukit.conformance.contracts.ways_of_commands import SYSTEMS, printed
from bleukit.conformance.contracts.ways_of_files import write_files, write_lines
from bleukit.conformance.definitions import PLAIN_VARIANT

import bleukit
from bleukit.errors import InputError, shown
from bleukit.loading import registry
from bleukit.loading.manager import SELF_BLEU
from bleukit.loading.signature import written_signatures
from bleukit.results import Interval

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from bleukit import Bleu, Score


class _Systems(NamedTuple):
    """Two systems and the references of their segments, in Python and in files, given by names."""

    texts: Mapping[str, Sequence[str]]
    references: Sequence[str]
    paths: Mapping[str, str]
    of_references: Sequence[str]


def _check_lines(trial: Trial) -> None:
    """Check that the lines that commands print have the numbers that Python returns, rounded."""
    texts = {
        "own": [f"the cat {place} sat on the mat {place % 3}" for place in range(SYSTEMS)],
        "other": [f"a cat sat on the mat {place}" for place in range(SYSTEMS)],
    }
    references = [f"the cat sat on the mat {place} of {place % 5}" for place in range(SYSTEMS)]
    paths = {name: write_lines(trial.folder / f"{name}.txt", lines) for name, lines in texts.items()}
    of_references = ["-r", write_lines(trial.folder / "references.txt", references)]
    systems = _Systems(texts, references, paths, of_references)
    variants = {name: bleukit.load(name) for name in (trial.source, PLAIN_VARIANT)}
    lines_of = (
        _lines_of_a_variant(trial.source, systems),
        _lines_of_pairs(trial.source, systems),
        _lines_of_variants(variants, systems),
    )
    for words, wanted in chain(*lines_of):
        got = [" ".join(re.sub("[()]", "", line).split()) for line in printed(*words).split("\n")]
        missing = [line for line in wanted if line not in got]
        if missing or not wanted:
            raise InputError(f"{words} prints {shown(got)}, in which is no line {shown(missing)}")


def _lines_of_a_variant(source: str, systems: _Systems) -> Iterator[tuple[list[str], list[str]]]:
    """Yield the words of commands, and lines that they print by a variant, with one space between columns."""
    bleu, texts, references = bleukit.load(source), systems.texts["own"], systems.references
    options, paths = ["-V", source], list(systems.paths.values())
    own, other = paths
    scores = {name: bleu.corpus(of_one, references) for name, of_one in systems.texts.items()}
    score = ["score", *options, *systems.of_references]
    yield [*score, *paths], [f"{name} {one.value:.2f} {_rest(one)}" for name, one in scores.items()]
    intervals = _with_intervals(bleu, systems)
    of_intervals = [f"{name} {intervals[name]} {_rest(one)}" for name, one in scores.items()]
    yield [*score, *paths, "--confidence"], of_intervals
    found = bleukit.ibleu(texts, references, systems.texts["other"], 0.25, bleu)
    of_ibleu = f"own.txt {found.value:.2f} {found.score.value:.2f} {found.source_score.value:.2f}"
    yield [*score, own, "--ibleu", "0.25", "--source", other], [of_ibleu]
    sources = systems.texts["other"]
    by_sentence = bleukit.load(bleu.sentence_variant)
    of_sentences = [
        f"{number} {bleukit.ibleu([text], [reference], [origin], 0.25, by_sentence).value!r}"
        for number, (text, reference, origin) in enumerate(zip(texts, references, sources, strict=True), 1)
    ]
    yield [*score, own, "--ibleu", "0.25", "--source", other, "--level", "sentence"], of_sentences
    drawn = _drawn_by_sacrebleu(bleu, systems)
    signature = written_signatures(bleu.variant, 1).get("sacrebleu")
    for how in ("bs:100|seed:7", "ar:300|bs:100|seed:7") if signature else ():
        words = ["score", *systems.of_references, *paths, "--signature", f"{signature}|{how}"]
        yield words, [f"{name} {drawn[name]} {_rest(one)}" for name, one in scores.items()]


def _lines_of_pairs(source: str, systems: _Systems) -> Iterator[tuple[list[str], list[str]]]:
    """Yield the words of commands about the texts of a file among themselves, and lines that they print, as above."""
    bleu, texts, paths = bleukit.load(source), systems.texts["own"], list(systems.paths.values())
    options, own = ["-V", source], paths[0]
    similar = f"{own}: self-BLEU {bleu.self_bleu(texts).value:.2f} of {len(texts)} texts"
    yield ["self-bleu", *options, *paths], [similar]
    sampled = f"self-BLEU {bleu.self_bleu(texts, sample=5, seed=3).value:.2f} of 5 texts, sampled with seed 3"
    yield ["self-bleu", *options, own, "--sample", "5", "--seed", "3"], [sampled]
    of_some = f"self-BLEU {bleu.self_bleu(texts, references='all', first=4).value:.2f} of 4 texts"
    yield ["self-bleu", *options, own, "--references", "all", "--first", "4"], [of_some]
    for name in registry.installed().registered[SELF_BLEU]:
        published = bleukit.self_bleu(texts, name)
        yield ["self-bleu", own, "-d", name, "-w", "5"], [f"self-BLEU {published.value:.5f} of {published.texts} texts"]
    found = bleu.diversity([texts[:4], texts[4:8], texts[8:]])
    shares = [f"distinct-{order} {share:.4f}" for order, share in enumerate(found.distinct, 1)]
    scores = [f"self-BLEU {found.self_bleu:.2f}", f"pairwise BLEU {found.pairwise_bleu:.2f}", *shares]
    yield ["self-bleu", *options, own, "-n", "4"], ["12 samples of 3 sources", *scores]
    of_each_text = [f"{own} {number} {one:.2f}" for number, one in enumerate(bleu.self_bleu_scores(texts), 1)]
    yield ["self-bleu", *options, *paths, "--level", "sentence"], of_each_text
    samples = list(zip(*systems.texts.values(), strict=True))
    [choice, *_] = bleu.mbr(samples)
    best = [f"1 {choice.scores[place]:.2f} {samples[0][place]}" for place in choice.best(2)]
    yield ["mbr", *options, *paths, "--n-best", "2"], best


def _lines_of_variants(variants: Mapping[str, Bleu], systems: _Systems) -> Iterator[tuple[list[str], list[str]]]:
    """Yield the words of commands, and lines that they print by several variants, as above."""
    words = ["score", *systems.paths.values(), *systems.of_references]
    words += chain.from_iterable(("-V", name) for name in variants)
    intervals = [_with_intervals(bleu, systems) for bleu in variants.values()]
    yield [*words, "--confidence"], [" ".join([name, *(of[name] for of in intervals)]) for name in systems.texts]
    of_sentences = []
    for name, texts in systems.texts.items():
        scores = (bleu.sentences(texts, systems.references).tolist() for bleu in variants.values())
        for number, values in enumerate(zip(*scores, strict=True), 1):
            of_sentences.append(" ".join([str(number), systems.paths[name], *map(repr, values)]))
    yield [*words, "--level", "sentence"], of_sentences


def _with_intervals(bleu: Bleu, systems: _Systems) -> dict[str, str]:
    """Return the score of each system with the ends of its interval, rounded as in text."""
    places = 2 if bleu.variant.scale == 100 else 4
    results = bleukit.compare(bleu, systems.texts, systems.references, test="bootstrap").systems
    return {
        result.system: f"{result.score:.{places}f} {_ends(result.interval, places)}"
        for result in results
        if result.interval
    }


def _drawn_by_sacrebleu(bleu: Bleu, systems: _Systems) -> dict[str, str]:
    """Return the score of each system with its interval, and with the mean and half width that sacreBLEU prints."""
    how: Any = {"test": "sacrebleu-bs", "samples": 100, "seed": 7}
    results = bleukit.compare(bleu, systems.texts, systems.references, **how).systems
    return {
        result.system: f"{result.score:.2f} {_ends(result.interval, 2)} {result.mean:.2f} ± {result.half_width:.2f}"
        for result in results
    }


def _ends(interval: Interval | None, places: int) -> str:
    return f"{interval.low:.{places}f}–{interval.high:.{places}f}" if interval else ""


def _rest(score: Score) -> str:
    """Return what stands in a line of text after a score."""
    shares = "/".join(f"{100 * share:.1f}" for share in score.precisions)
    return f"{shares} {score.brevity_penalty:.4f} {score.hypothesis_length} {score.reference_length:g}"


def _check_results(trial: Trial) -> None:
    """Check what results are printed as, and that two are equal if all of their fields are."""
    bleu = trial.bleu
    texts = [f"the cat {place} sat on the mat {place % 3}" for place in range(202)]
    similar = bleu.self_bleu(texts, sample=201, seed=3)
    diverse = bleu.diversity([texts[place : place + 2] for place in range(0, 40, 2)])
    score = bleukit.ibleu(texts[1:], texts[:-1], texts[:1] + texts[2:], 0.25, bleu)
    shown_as: dict[Any, str] = {
        similar: f"self-BLEU {similar.value:.4f} of 201 texts, sampled with seed 3",
        bleu.self_bleu(texts[:3]): f"self-BLEU {bleu.self_bleu(texts[:3]).value:.4f} of 3 texts",
        score: f"iBLEU {score.value:.2f} (alpha 0.25; BLEU {score.score.value:.2f}, "
        f"{score.source_score.value:.2f} of the sources; {score.score.variant})",
    }
    for result, wanted in shown_as.items():
        if [str(result), float(result)] != [wanted, result.value]:
            raise InputError(f"it is printed as {str(result)!r}, {float(result)}, expected {wanted!r}, {result.value}")
    values = diverse.self_bleu, diverse.pairwise_bleu, *diverse.distinct
    names = "self-BLEU", "pairwise BLEU", *(f"distinct-{order}" for order in range(1, len(diverse.distinct) + 1))
    lines = [f"{name} {value:.4f}" for name, value in zip(names, values, strict=True)]
    if str(diverse).split("\n") != ["40 samples of 20 sources", *lines]:
        raise InputError(f"it is printed as {str(diverse)!r}, expected {lines}")
    _check_notebooks(bleu, texts)
    results: list[Any] = [similar, diverse, score, *bleu.mbr([["a < b", *texts[:3]]])]
    for one in results:
        if one._repr_html_() != f"<pre>{escape(str(one))}</pre>":
            raise InputError(f"{one!r} is shown as {one._repr_html_()!r}")
        again = pickle.loads(pickle.dumps(one))  # noqa: S301 - it was pickled here
        if again != one or hash(again) != hash(one) or json.loads(one.to_json()) != as_read(one.to_dict()):
            raise InputError(f"{one!r} is not what it is pickled as, or written as JSON: {again!r}, {one.to_json()}")
        for field in fields(one):
            if replace(one, **{field.name: "another"}) == one:
                raise InputError(f"{one!r} is equal to one with another {field.name}")


def _check_notebooks(bleu: Bleu, texts: Sequence[str]) -> None:
    """Check what a notebook shows of a table, and what the ends of an interval are printed as."""
    if [Interval(-0.25, 1.3061, 0.95).ends(*how) for how in ((1,), (2, "+"))] != ["-0.2–1.3", "-0.25 to +1.31"]:
        raise InputError("the ends of an interval are printed otherwise")
    table = bleukit.table({"a<b": bleu}, {"x&y": texts}, texts)
    if "<th>a&lt;b</th>" not in table._repr_html_() or "<td>x&amp;y</td><td>100.00</td>" not in table._repr_html_():
        raise InputError(f"in a notebook it is {table._repr_html_()}")


def _check_schema(_: Trial) -> None:
    """Check what the schema of variant files accepts for some keys."""
    keys = json.loads(printed("config", "schema"))["properties"]
    number, none = {"type": "number"}, {"type": "object", "required": ["name"], "additionalProperties": False}
    added = {"name": {"const": "added-lengths"}, "added_to_hypothesis": number, "added_to_reference": number}
    for key, place, wanted in (
        ("weights", 0, {"contains": {"exclusiveMinimum": 0}, "type": "array", "maxItems": 100, "minItems": 1}),
        ("weights", 1, {"type": "integer", "minimum": 1, "maximum": 100}),
        ("smoothing", "floor", {**none, "properties": {"name": {"const": "floor"}, "value": number}}),
        ("brevity_penalty", "added-lengths", {**none, "properties": added, "required": [*added]}),
        ("tokenizer", "13a", {**none, "properties": {"name": {"const": "13a"}}}),
    ):
        choices = keys[key]["anyOf"]
        names = [choice.get("properties", {}).get("name", {}).get("const") for choice in choices]
        own = choices[names.index(place) if isinstance(place, str) else place]
        if not wanted.items() <= own.items():
            raise InputError(f"for {key} the schema has {own}, expected {wanted}")
    if [keys["scale"]["enum"], *(keys["empty_score"][end] for end in ("minimum", "maximum"))] != [[1, 100], 0, 100]:
        raise InputError(f"the schema has {keys['scale']} and {keys['empty_score']}")


def _check_held_lines(trial: Trial) -> None:
    """Check that commands print what they are held to, and write it to files."""
    write_files(trial.folder, TEXTS)
    for path in trial.folder.glob("out.*"):
        path.unlink()
    transcript = Path(__file__).with_suffix(".txt").read_text("utf-8")
    for of_command in f"\n{transcript.strip()}".split("\n$ ")[1:]:
        command, *wanted = of_command.split("\n")
        got = list(_held_lines(command, trial.folder))
        if got != wanted:
            raise InputError(f"{command} prints {shown(got)}, expected {shown(wanted)}")


def _held_lines(command: str, folder: Path) -> Iterator[str]:
    """Yield what a command prints and writes: long lines folded, JSON on one, short signatures, and arrows for tabs."""
    words = [f"{folder}/{word}" if word in TEXTS or word.startswith("out.") else word for word in shlex.split(command)]
    messages, text = io.StringIO(), ""
    if words[0] in OF_WORDS and not any(word == "--signature" or word.startswith("weights=") for word in words):
        words += ["--set", "weights=1"]
    with suppress(InputError):  # which messages tell
        text = printed(*words, messages=messages)
    if "-o" in words and (path := Path(words[words.index("-o") + 1])).exists():
        text += path.read_text("utf-8")
        path.unlink()
    if text.startswith(("{\n", "[\n")):
        text = json.dumps(json.loads(text), ensure_ascii=False) + "\n"
    text = f"{text}{messages.getvalue()}".replace(f"{folder}/", "").replace("\t", "→")
    text = _LONG.sub(lambda found: f"{float(found[0]):.9g}", _SIGNATURE.sub(r"\1 \2", text))
    for line in text.removesuffix("\n").split("\n"):
        yield from (
            [line]
            if len(line) <= FOLDED
            else textwrap.wrap(line, FOLDED, break_long_words=False, break_on_hyphens=False)
        )


TEXTS: Mapping[str, str] = {
    "own.txt": "a b c d\na b x y\na b c d\n",
    "x/hyp.en.txt": "a b c d\nk l m n\na b c x\n",
    "y/hyp.en.txt": "a b c d\n" * 3,
    "ref.txt": "a b c d\na b c d\na b c d e\n",
    "src.txt": "a z\na b\nq d\n",
    "docs.txt": 'o"n"e\no"n"e\na, \tb\\c\n',
    "long.txt": "a b c d\na b x y\na b c d\n" * 4,
    "long.ref.txt": "a b c d\na b c d\na b c d e\n" * 4,
    "some.jsonl": "".join(
        f'{{"hypothesis": "{own}", "references": {others}}}\n'
        for own, others in (("a b", '["a b", "a c"]'), ("a c", '["a b"]'), ("x", '["a b"]'))
    ),
    "odd.txt": "a  b\n\ncé d.\n",
    "upper.txt": "G h  I  \nm  N O p \n",
    "two.txt": "E F \tg h\ti\nl\tM n o p\n",
    "v.yaml": "variant: nltk\nlowercase: true\nweights: 2\n",
    "w.yaml": "variant: nltk\nweights: [0.5, 1]\n",
    "bad.yaml": "variant: nltk\n\nsmoothing:\n  name: nltk-method1\n  epsilom: 1\n",
    "worse.yaml": "variant: nltk\n\nsmoothing:\n  k: 1\n",
    "more.yaml": "weights: [0.5, 0.25, 0.25]\nempty_score: .nan\ntokenizer: {name: mteval, blanks: '|'}\n"
    "sentence: {effective_order: false}\n",
    "samples.jsonl": '{"samples": ["a b", "a c"], "references": ["a b", "c"], "weights": [1, 3]}\n'
    '{"samples": ["x", "a c d", "a c"]}\n',
}
"""Small files by name. Scores by words alone are easily computed: 10 of 12, times exp(1 - 13 / 12), is 76.67 %."""

OF_WORDS = ("score", "self-bleu", "mbr")
"""Commands that are given the option that scores words alone."""

FOLDED = 118
"""Longer lines are folded."""

_SIGNATURE = re.compile(r"variant:([\w-]+)(?: \(modified\))?\|(references:[\w-]+)\|[^\s\"]*?\|bleukit:[^|\s\",]+")

_LONG = re.compile(r"\d+\.\d{9,}")

TO_SCORES = tuple(
    checks(
        ("the lines of commands", _check_lines, "default once"),
        ("the lines of results", _check_results, "default once"),
        ("the lines that commands are held to", _check_held_lines, "default once"),
        ("the schema of variant files", _check_schema, "default once"),
    )
)
