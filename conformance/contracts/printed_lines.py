"""The lines that commands and results are printed as, held to the numbers that Python returns."""

from __future__ import annotations

import io
import json
import os
import pickle
import re
import shlex
import textwrap
from contextlib import suppress
from dataclasses import fields, replace
from functools import partial
from html import escape
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple
from unittest.mock import patch

from bleukit.conformance.contracts.trials import Trial, Way, as_read, held, of_each
from bleukit.conformance.contracts.ways_of_commands import SYSTEMS, printed
from bleukit.conformance.contracts.ways_of_files import write_lines
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
    pairs = [
        f"{pair.first + 1} {pair.second + 1} {pair.score:.2f} {texts[pair.first]} {texts[pair.second]}"
        for pair in bleu.duplicates(texts, 40).pairs
    ]
    yield ["duplicates", *options, own, "-t", "40"], pairs


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
    similar = bleu.self_bleu(texts, sample=201, seed=3, confidence_level=0.9)
    diverse = bleu.diversity([texts[place : place + 2] for place in range(0, 40, 2)])
    score = bleukit.ibleu(texts[1:], texts[:-1], texts[:1] + texts[2:], 0.25, bleu)
    shown_as: dict[Any, str] = {
        similar: f"self-BLEU {similar.value:.4f} ({_ends(similar.interval, 4)}) of 201 texts, sampled with seed 3",
        bleu.self_bleu(texts[:3]): f"self-BLEU {bleu.self_bleu(texts[:3]).value:.4f} of 3 texts",
        score: f"iBLEU {score.value:.2f} (alpha 0.25; BLEU {score.score.value:.2f}, "
        f"{score.source_score.value:.2f} of the sources; {score.score.variant})",
    }
    for result, wanted in shown_as.items():
        if [str(result), float(result)] != [wanted, result.value]:
            raise InputError(f"it is printed as {str(result)!r}, {float(result)}, expected {wanted!r}, {result.value}")
    intervals = diverse.self_bleu_interval, diverse.pairwise_bleu_interval, *diverse.distinct_intervals
    values = diverse.self_bleu, diverse.pairwise_bleu, *diverse.distinct
    names = "self-BLEU", "pairwise BLEU", *(f"distinct-{order}" for order in range(1, len(diverse.distinct) + 1))
    lines = [f"{name} {value:.4f} ({_ends(of, 4)})" for name, value, of in zip(names, values, intervals, strict=True)]
    if str(diverse).split("\n") != ["40 samples of 20 sources", *lines]:
        raise InputError(f"it is printed as {str(diverse)!r}, expected {lines}")
    _check_notebooks(bleu, texts)
    results: list[Any] = [similar, diverse, score, *filter(None, intervals[:1]), *bleu.mbr([["a < b", *texts[:3]]])]
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
    for name, text in TEXTS.items():
        path = trial.folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, "utf-8", newline="\n")
    for path in trial.folder.glob("out.*"):
        path.unlink()
    for of_command in f"\n{HELD.strip()}".split("\n$ ")[1:]:
        command, *wanted = of_command.split("\n")
        with patch.dict(os.environ):
            for name in ("SACREBLEU_SEED", "SACREBLEU_FORMAT"):
                os.environ.pop(name, None)
            got = list(_held_lines(command, trial.folder))
        if got != wanted:
            raise InputError(f"{command} prints {shown(got)}, expected {shown(wanted)}")


def _held_lines(command: str, folder: Path) -> Iterator[str]:
    """Yield what a command prints and writes: long lines folded, JSON on one, short signatures, and arrows for tabs."""
    words = [f"{folder}/{word}" if word in TEXTS or word.startswith("out.") else word for word in shlex.split(command)]
    messages, text = io.StringIO(), ""
    if words[0] in OF_WORDS and not {"--signature", "weights=4", "weights=[.5,.25]"} & {*words}:
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
        yield from [line] if len(line) <= FOLDED else textwrap.wrap(line, FOLDED, break_on_hyphens=False)


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
    "alike.txt": "x y\na b c d\na b c e\na b c e\nx z z\nq r\nx y\na z c\n",
    "samples.jsonl": '{"samples": ["a b", "a c"], "references": ["a b", "c"], "weights": [1, 3]}\n'
    '{"samples": ["x", "a c d", "a c"]}\n',
    "many.txt": "".join(f"a {place % 7} {place * (place % 3)}\n" for place in range(200)),
}
"""Small files by name. Scores by words alone are easily computed: 10 of 12, times exp(1 - 13 / 12), is 76.67 %."""

OF_WORDS = ("score", "self-bleu", "mbr", "duplicates")
"""Commands that are given the option that scores words alone."""

FOLDED = 118
"""Longer lines are folded."""

_SIGNATURE = re.compile(r"variant:([\w-]+)(?: \(modified\))?\|(references:[\w-]+)\|[^\s\"]*?\|bleukit:[^|\s\",]+")

_LONG = re.compile(r"\d+\.\d{9,}")

HELD = r"""
$ score x/hyp.en.txt y/hyp.en.txt -r ref.txt
               n-gram         brevity  hypothesis  reference
system   BLEU  precisions, %  penalty      length     length
x/hyp   53.67  58.3            0.9200          12         13
y/hyp   92.00  100.0           0.9200          12         13

sacrebleu (modified), 3 segments
signature sacrebleu references:1
$ score own.txt -r ref.txt -V nltk
                 n-gram         brevity  hypothesis  reference
system     BLEU  precisions, %  penalty      length     length
own.txt  0.7667  83.3            0.9200          12         13

nltk (modified), 3 segments
signature nltk references:1
$ score own.txt -r ref.txt --set average=macro
                n-gram         brevity  hypothesis  reference
system    BLEU  precisions, %  penalty      length     length
own.txt  75.96  83.3            0.9200          12         13

sacrebleu (modified), 3 segments
BLEU is the mean of the sentence scores; the other figures are those of the summed statistics
signature sacrebleu references:1
$ score own.txt -r ref.txt --confidence --documents docs.txt
                n-gram         brevity  hypothesis  reference
system    BLEU  precisions, %  penalty      length     length
own.txt  76.67  83.3            0.9200          12         13

sacrebleu (modified), 3 segments
note: no intervals: 2 documents are too few; from 10 on, intervals cover the truth about as often as their level says
signature sacrebleu references:1
$ score long.txt -r long.ref.txt --confidence
                        95 %  n-gram         brevity  hypothesis  reference
system     BLEU     interval  precisions, %  penalty      length     length
long.txt  76.67  63.95–88.17  83.3            0.9200          48         52

sacrebleu (modified), 12 segments
95 % intervals: bootstrap, 1,000 resamples of 12 segments, seed 12345
signature sacrebleu references:1
$ score own.txt -r ref.txt --level sentence --set scale=1
sentence→BLEU
1→1.0
2→0.5
3→0.778800783
# signature sacrebleu references:1
$ score own.txt x/hyp.en.txt -r ref.txt --level document --documents docs.txt -q -w 0
75→50
78→58
$ score x/hyp.en.txt own.txt -r ref.txt --level document --documents docs.txt -w 1
document→x/hyp.en.txt→own.txt
o"n"e→50.0→75.0
a, \tb\\c→58.4→77.9
# signature sacrebleu references:1
$ score own.txt x/hyp.en.txt -r ref.txt --ibleu 0.75 --source src.txt
                          BLEU of
system  iBLEU   BLEU  the sources
own     49.17  76.67        33.33
hyp.en  38.17  53.67         8.33

alpha 0.75, sacrebleu (modified), 3 segments
signature sacrebleu references:1|ibleu:0.75|sources:1
$ score own.txt x/hyp.en.txt -r ref.txt --ibleu 0.75 --source src.txt --level sentence -q -w 1
68.8→68.8
25.0→0.0
52.2→43.8
$ score own.txt x/hyp.en.txt -r ref.txt --ibleu 0.75 --source src.txt --level document --documents docs.txt -w 1
document→own.txt→x/hyp.en.txt
o"n"e→46.9→34.4
a, \tb\\c→52.2→43.8
# signature sacrebleu references:1|ibleu:0.75|sources:1
$ score own.txt -r ref.txt --ibleu 0.75 --source src.txt -V nltk --level sentence -w 0
sentence→iBLEU
1→1
2→2.5e-01
3→1
# signature nltk references:1|ibleu:0.75|sources:1
$ score own.txt -r ref.txt --ibleu 0.25 --source src.txt -q -V nltk
-0.0583
$ score own.txt x/hyp.en.txt -r ref.txt -V d-bleu -V sacrebleu -V nltk
                     d-
        bleu (modified)
system              [1]  sacrebleu (modified)  nltk (modified)
own                   –                 76.67           0.7667
hyp.en                –                 53.67           0.5367

[1] no score: it joins the segments of each document, and documents are not known: d-bleu (modified)
signature sacrebleu references:1
signature nltk references:1
$ score own.txt x/hyp.en.txt -r ref.txt -V d-bleu -V nltk -q -w 1
–→0.8
–→0.5
bleukit: warning: no score: it joins the segments of each document, and documents are not known: d-bleu (modified)
$ score long.txt -r long.ref.txt --confidence -V nltk -V sacrebleu
system           nltk (modified)  sacrebleu (modified)
long.txt  0.7667 (0.6395–0.8817)   76.67 (63.95–88.17)

intervals: test:bootstrap|samples:1000|seed:12345|level:0.95|resampled:12 segments|correction:holm
signature nltk references:1
signature sacrebleu references:1
$ score own.txt x/hyp.en.txt -r ref.txt -V sacrebleu -V nltk -q -w 1 --level document --documents docs.txt
75.0→0.8
50.0→0.5
77.9→0.8
58.4→0.6
$ score own.txt -r ref.txt -V d-bleu -V b-cc -V b-norm -V nltk -V coco -V coco-bleu-1 -V matlab -V wikipedia -V sockeye
variant                own.txt
d-bleu (modified) [1]        –
b-cc (modified)          61.14
b-norm (modified)        82.97
nltk (modified)         0.7667
coco (modified)         0.7667
coco-bleu-1             0.7667
matlab (modified)       0.7667
wikipedia (modified)    0.7667
sockeye (modified)      0.7667

[1] no score: it joins the segments of each document, and documents are not known
signatures: --format json
$ score own.txt -r ref.txt -V d-bleu -V nltk --level sentence -o out.csv
system,sentence,d-bleu (modified),nltk (modified),signature_nltk (modified),note_d-bleu (modified)
own.txt,1,,1.0,nltk references:1,"no score: it joins the segments of each document, and documents are not known"
own.txt,2,,0.5,,
own.txt,3,,0.778800783,,
bleukit: warning: no score: it joins the segments of each document, and documents are not known: d-bleu (modified)
$ score own.txt -r ref.txt -V nltk -V wikipedia --confidence -o out.csv
system,nltk (modified),wikipedia (modified),interval_low_nltk (modified),interval_high_nltk
(modified),interval_low_wikipedia (modified),interval_high_wikipedia (modified),signature_nltk
(modified),signature_wikipedia (modified)
own.txt,0.766703679,0.766703679,,,,,nltk references:1,wikipedia references:1
$ score own.txt x/hyp.en.txt -r ref.txt -V d-bleu -V nltk -o out.jsonl
{"system":"own.txt","d-bleu (modified)":null,"nltk (modified)":0.766703679,"signature_nltk (modified)":"nltk
references:1","note_d-bleu (modified)":"no score: it joins the segments of each document, and documents are not
known"}
{"system":"x/hyp.en.txt","d-bleu (modified)":null,"nltk (modified)":0.536692575,"signature_nltk (modified)":"nltk
references:1","note_d-bleu (modified)":"no score: it joins the segments of each document, and documents are not
known"}
bleukit: warning: no score: it joins the segments of each document, and documents are not known: d-bleu (modified)
$ score own.txt -r ref.txt --level document --documents docs.txt -o out.csv
system,document,score,precision_1,matches_1,total_1,brevity_penalty,hypothesis_length,reference_length,segments,signat
ure
own.txt,"o""n""e",75,0.75,6,8,1.0,8,8.0,2,sacrebleu references:1
own.txt,"a, →b\c",77.8800783,1.0,4,4,0.778800783,4,5.0,1,sacrebleu references:1
$ score some.jsonl --level sentence -o out.csv
system,sentence,score,precision_1,matches_1,total_1,brevity_penalty,hypothesis_length,reference_length,segments,signat
ure
some.jsonl,1,100.0,1.0,2,2,1.0,2,2.0,1,sacrebleu references:2
some.jsonl,2,50,0.5,1,2,1.0,2,2.0,1,sacrebleu references:1
some.jsonl,3,0.0,0.0,0,1,0.367879441,1,2.0,1,sacrebleu references:1
$ score some.jsonl --level sentence -o out.jsonl
{"system":"some.jsonl","sentence":"1","score":100.0,"precisions":[1.0],"matches":[2],"totals":[2],"brevity_penalty":1.
0,"hypothesis_length":2,"reference_length":2.0,"segments":1,"signature":"sacrebleu references:2"}
{"system":"some.jsonl","sentence":"2","score":50,"precisions":[0.5],"matches":[1],"totals":[2],"brevity_penalty":1.0,"
hypothesis_length":2,"reference_length":2.0,"segments":1,"signature":"sacrebleu references:1"}
{"system":"some.jsonl","sentence":"3","score":0.0,"precisions":[0.0],"matches":[0],"totals":[1],"brevity_penalty":0.36
7879441,"hypothesis_length":1,"reference_length":2.0,"segments":1,"signature":"sacrebleu references:1"}
$ score some.jsonl --confidence -o out.csv
system,score,precision_1,matches_1,total_1,brevity_penalty,hypothesis_length,reference_length,segments,signature,inter
val_low,interval_high
some.jsonl,49.1238452,0.6,3,5,0.818730753,5,6.0,3,sacrebleu references:1-2,,
$ score own.txt -r ref.txt -q --statistics out.1.jsonl
76.67
$ score y/hyp.en.txt -r ref.txt -q -w 1 --statistics out.2.jsonl
92.0
$ merge out.1.jsonl out.2.jsonl --statistics out.3.jsonl -w 3
                              n-gram         brevity  hypothesis  reference
system                  BLEU  precisions, %  penalty      length     length
own.txt … hyp.en.txt  84.337  91.7            0.9200          24         26

sacrebleu (modified), 6 segments
signature sacrebleu references:1
$ merge out.3.jsonl -q -w 4
84.3374
$ self-bleu own.txt x/hyp.en.txt -w 1
own.txt: self-BLEU 83.3 of 3 texts
x/hyp.en.txt: self-BLEU 50.0 of 3 texts
signature sacrebleu references:any|self_bleu:references=others
$ self-bleu own.txt --scored 2 --seed 5 --set scale=1
self-BLEU 0.7500 of 3 texts, sampled with seed 5
signature sacrebleu references:any|self_bleu:references=others,scored=2,seed=5
$ self-bleu own.txt --confidence
self-BLEU 83.33 of 3 texts
note: no interval of fewer than 200 lines
signature sacrebleu references:any|self_bleu:references=others
$ self-bleu own.txt x/hyp.en.txt --level sentence --references all -w 0
own.txt→1→100
own.txt→2→100
own.txt→3→100
x/hyp.en.txt→1→100
x/hyp.en.txt→2→100
x/hyp.en.txt→3→100
# signature sacrebleu references:any
$ self-bleu own.txt x/hyp.en.txt -d texygen
own.txt: self-BLEU 0.8333 of 3 texts
x/hyp.en.txt: self-BLEU 0.5000 of 3 texts
signature nltk references:any|self_bleu:references=others,first=500
$ self-bleu own.txt -n 3 -w 5
3 samples of 1 sources
self-BLEU 83.33333
pairwise BLEU 66.66667
distinct-1 0.50000
signature sacrebleu references:any
$ mbr own.txt x/hyp.en.txt ref.txt --n-best 2 -w 3
1→100.000→a b c d
1→100.000→a b c d
2→50.000→a b x y
2→50.000→a b c d
3→84.293→a b c d
3→80.000→a b c d e
$ mbr own.txt x/hyp.en.txt -r ref.txt --n-best 1 --aggregate
1→100.00→a b c d
2→50.00→a b x y
3→77.88→a b c d
bleukit: aggregated: of 1 segments, every 50th, 0 choices differ from the exact ones, with expected scores lower by
0.00 in the mean
$ mbr -n 3 own.txt --set scale=1 --n-best 5
1→0.8333→a b c d
1→0.8333→a b c d
1→0.6667→a b x y
$ duplicates own.txt -t 40 -w 1
1→2→50.0→a b c d→a b x y
1→3→equal→a b c d
$ duplicates own.txt -t 40 --groups
1→2,3→a b c d
$ tokenize odd.txt x/hyp.en.txt
a b

cé d .
a b c d
k l m n
a b c x
$ tokenize odd.txt --format json
["a", "b"]
[]
["cé", "d", "."]
$ config check v.yaml
v.yaml: ok, nltk references:any
$ variants books courses
                                  reference                brevity
variant      tokenizer   counter  length     smoothing     penalty   case   weights   scale  average

Textbooks and courses
  matlab     matlab      clipped  closest    matlab        standard  mixed  4 × 0.25  0–1    micro
  nltk       whitespace  nltk     closest    nltk-method0  standard  mixed  4 × 0.25  0–1    micro
  wikipedia  whitespace  clipped  closest    none          standard  mixed  4 × 0.25  0–1    micro
$ sacrebleu ref.txt -i own.txt -f text -nc
BLEU|nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:2.6.0 = 67.4 83.3/77.8/66.7/66.7 (BP = 0.920 ratio = 0.923
hyp_len = 12 ref_len = 13)
$ sacrebleu ref.txt -i own.txt -f text -nc -sh -w 3
BLEU|#:1|c:mixed|e:no|tok:13a|s:exp|v:2.6.0 = 67.403 83.3/77.8/66.7/66.7 (BP = 0.920 ratio = 0.923 hyp_len = 12
ref_len = 13)
$ sacrebleu ref.txt -i own.txt -b -w 0 -s none
67
$ sacrebleu ref.txt -i own.txt -sl -b -w 2 -s floor -sv 0.5
100.00
37.99
77.88
$ sacrebleu ref.txt x/hyp.en.txt -i own.txt -f text -l en-zh
BLEU|nrefs:2|case:mixed|eff:no|tok:zh|smooth:exp|version:2.6.0 = 73.3 83.3/77.8/66.7/66.7 (BP = 1.000 ratio = 1.000
hyp_len = 12 ref_len = 12)
$ sacrebleu ref.txt -i own.txt -f text -nc -ci -cin 20
BLEU|nrefs:1|bs:20|seed:12345|case:mixed|eff:no|tok:13a|smooth:exp|version:2.6.0 = 67.4 (μ = 72.8 ± 40.8)
83.3/77.8/66.7/66.7 (BP = 0.920 ratio = 0.923 hyp_len = 12 ref_len = 13)
$ sacrebleu two.txt -nr 2 -i upper.txt -f text -lc -tok none
BLEU|nrefs:2|case:lc|eff:no|tok:none|smooth:exp|version:2.6.0 = 100.0 100.0/100.0/100.0/100.0 (BP = 1.000 ratio =
1.000 hyp_len = 7 ref_len = 7)
$ sacrebleu --version
sacrebleu 2.6.0
$ score own.txt -r ref.txt -q --set weights=[.5,.25]
78.87
bleukit: warning: the weights sum to 0.75, not 1, and are used as they are; normalize_weights=true divides them by
their sum
$ score own.txt -r ref.txt -q -c w.yaml --set scale=100
76.67
$ score own.txt -r ref.txt -q --signature "nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:2.9.0"
67.40
bleukit: warning: bleukit knows sacreBLEU up to version 2.6.0, not 2.9.0
$ score own.txt -r ref.txt -q --signature "nrefs:2|case:mixed|eff:no|tok:13a|smooth:exp|version:2.6.0"
bleukit: error: the signature is for 2 references a segment, here each has 1
$ score some.jsonl -q --signature "nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:2.6.0"
bleukit: error: the signature is for 1 reference a segment, here lists may hold any number
$ score own.txt -r ref.txt -q --signature "nrefs:1|ar:9|case:mixed|eff:no|tok:13a|smooth:exp|version:2.6.0"
67.40
bleukit: warning: the signature is of a comparison of systems, which is for 'bleukit compare'; here are the scores
$ score own.txt -r ref.txt -V nltk --signature "nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:2.6.0"
bleukit: error: --signature cannot be combined with -V, -c or --set; see 'bleukit score --help'
$ score own.txt -r ref.txt -V nltk -V coco -c w.yaml
bleukit: error: several variants cannot be combined with -c: name the file by -V; see 'bleukit score --help'
$ score own.txt -r ref.txt -V nltk -V coco --ibleu 0.5
bleukit: error: --ibleu takes one variant, not several; see 'bleukit score --help'
$ score own.txt -r ref.txt -V nltk -c w.yaml
bleukit: error: give -V or -c, not both; a file names the variant it starts from with 'variant: NAME'; see 'bleukit
score --help'
$ score own.txt -r ref.txt --set scale=1 --set scale=100
bleukit: error: --set gives 'scale' twice; see 'bleukit score --help'
$ score own.txt -r ref.txt --set scale
bleukit: error: --set takes KEY=VALUE, got 'scale'; see 'bleukit score --help'
$ score own.txt -r ref.txt --format json -w 0
bleukit: error: JSON has all scores with all digits: leave out --score-only and --width; see 'bleukit score --help'
$ score own.txt -r ref.txt -o out.csv -q
bleukit: error: a table has all scores with all digits: leave out --score-only and --width; see 'bleukit score --help'
$ score own.txt -r ref.txt -o out.arrow
bleukit: error: out.arrow: a table of scores ends in .csv, .jsonl, .ndjson, .parquet; see 'bleukit score --help'
$ score own.txt -r ref.txt --resample-by segment
bleukit: error: --resample-by is for the intervals of --confidence; see 'bleukit score --help'
$ score own.txt -r ref.txt --confidence --level sentence
bleukit: error: intervals are those of the score of the corpus: leave out --level; see 'bleukit score --help'
$ score own.txt -r ref.txt --confidence --statistics out.1.jsonl
bleukit: error: intervals need the segments, which --statistics does not keep: leave out one of them; see 'bleukit
score --help'
$ score own.txt -r ref.txt --level document
bleukit: error: --level document and --documents FILE go together; see 'bleukit score --help'
$ score own.txt -r ref.txt --level sentence --documents docs.txt
bleukit: error: --level document and --documents FILE go together; see 'bleukit score --help'
$ score own.txt -r ref.txt --ibleu 0.5
bleukit: error: the sources are not known: give --source FILE, or a table that has them
$ score own.txt -r ref.txt --source src.txt
bleukit: error: --source is for --ibleu; see 'bleukit score --help'
$ score own.txt -r ref.txt --ibleu 0.5 --source src.txt --confidence
bleukit: error: --ibleu: leave out --statistics, --confidence and --engine; see 'bleukit score --help'
$ score y/hyp.en.txt -r ref.txt --statistics out.1.jsonl
bleukit: error: out.1.jsonl: holds other statistics: since then y/hyp.en.txt changed; remove it to count again
$ score own.txt -r ref.txt --statistics ref.txt
bleukit: error: ref.txt: is read, and written to as well
$ merge out.1.jsonl out.1.jsonl --equal-parts
bleukit: error: out.1.jsonl: is given twice
$ self-bleu own.txt -n 2
bleukit: error: own.txt: has 3 lines, which are no groups of 2
$ self-bleu own.txt -n 3 --first 2
bleukit: error: --samples cannot be combined with --first; see 'bleukit self-bleu --help'
$ self-bleu own.txt --level sentence --seed 1 --scored 2
bleukit: error: --level sentence cannot be combined with --scored; see 'bleukit self-bleu --help'
$ self-bleu own.txt -d texygen --first 2
bleukit: error: --definition cannot be combined with -V, -c, --references, --first or --scored; --set changes its
variant; see 'bleukit self-bleu --help'
$ self-bleu many.txt -n 10 --seed 3
200 samples of 20 sources
self-BLEU 65.00 (63.44–66.56)
pairwise BLEU 40.70 (39.75–41.65)
distinct-1 0.4833 (0.4686–0.4981)
signature sacrebleu references:any
$ self-bleu many.txt own.txt --confidence --seed 2
many.txt: self-BLEU 88.67 (85.00–92.34) of 200 texts
own.txt: self-BLEU 83.33 of 3 texts
note: no interval of fewer than 200 lines
signature sacrebleu references:any|self_bleu:references=others
$ config check bad.yaml
bleukit: error: bad.yaml:5: smoothing.epsilom: unknown option; did you mean 'epsilon'? known: epsilon
$ config check worse.yaml
bleukit: error: worse.yaml:3: smoothing: expected a name, or a mapping with `name` and options, got dict {'k': 1}
$ sacrebleu odd.txt -i odd.txt -sl -b -w 2
100.00
0.00
100.00
$ sacrebleu ref.txt -i odd.txt -e ascii
bleukit: error: odd.txt:3: is not ascii: byte 0xc3
$ sacrebleu ref.txt -i own.txt -e klingon
bleukit: error: --encoding: unknown encoding 'klingon'
$ sacrebleu ref.txt -i own.txt -l de
bleukit: error: -l: expected a language pair such as en-de, got 'de'
$ sacrebleu ref.txt -i own.txt -w -1
bleukit: error: --width: expected a number of at least 0, got -1
$ sacrebleu two.txt -nr 4 -i upper.txt
bleukit: error: two.txt:1: expected 4 fields, found 3
$ sacrebleu x/hyp.en.txt -i own.txt y/hyp.en.txt -ci
bleukit: error: --confidence is for one system; of several, use --paired-bs or --paired-ar
$ sacrebleu ref.txt -i own.txt --unknown
bleukit: error: unrecognized arguments: --unknown; see 'bleukit sacrebleu --help'
$ sacrebleu -i own.txt
bleukit: error: give files of references, before -i, or a test set (-t)
$ sacrebleu ref.txt -i own.txt own.txt
bleukit: error: -i: own.txt is given twice
$ sacrebleu ref.txt src.txt -nr 2 -i own.txt
bleukit: error: --num-refs is for a single file of references, separated by tabs
$ sacrebleu ref.txt -i own.txt -sl -ci
bleukit: error: --sentence-level has no statistical tests
$ sacrebleu ref.txt -i own.txt -par
bleukit: error: paired tests need several systems (-i)
$ sacrebleu ref.txt -i odd.txt long.txt
bleukit: error: long.txt has 12 lines, references 1 have 3
$ variants books cooking
bleukit: error: no variant is described with all of these words: books cooking
$ score some.jsonl --confidence --format json
{"systems": [{"system": "some.jsonl", "score": 49.1238452, "precisions": [0.6], "matches": [3], "totals": [5],
"brevity_penalty": 0.818730753, "hypothesis_length": 5, "reference_length": 6.0, "segments": 3, "interval": null,
"mean": null, "half_width": null, "procedure": "test:bootstrap|samples:1000|seed:12345|level:0.95|resampled:3
segments|correction:holm", "variant": "sacrebleu (modified)", "signature": "sacrebleu references:1-2"}], "level":
"corpus", "signature": "sacrebleu references:1-2", "signatures": {}}
$ score some.jsonl --set scale=1 --level sentence --format json
{"systems": [{"system": "some.jsonl", "score": 0.491238452, "precisions": [0.6], "matches": [3], "totals": [5],
"brevity_penalty": 0.818730753, "hypothesis_length": 5, "reference_length": 6.0, "segments": 3, "variant": "sacrebleu
(modified)", "signature": "sacrebleu references:1-2", "sentences": [{"sentence": "1", "score": 1.0, "precisions":
[1.0], "matches": [2], "totals": [2], "brevity_penalty": 1.0, "hypothesis_length": 2, "reference_length": 2.0,
"segments": 1}, {"sentence": "2", "score": 0.5, "precisions": [0.5], "matches": [1], "totals": [2], "brevity_penalty":
1.0, "hypothesis_length": 2, "reference_length": 2.0, "segments": 1}, {"sentence": "3", "score": 0.0, "precisions":
[0.0], "matches": [0], "totals": [1], "brevity_penalty": 0.367879441, "hypothesis_length": 1, "reference_length": 2.0,
"segments": 1}]}], "level": "sentence", "signature": "sacrebleu references:2", "signatures": {}}
$ score own.txt -r ref.txt -V sacrebleu -V d-bleu --confidence --format json
{"level": "corpus", "rows": [{"system": "own.txt", "sacrebleu (modified)": 76.6703679, "d-bleu (modified)": null}],
"columns": [{"variant": "sacrebleu (modified)", "signature": "sacrebleu references:1", "scale": 100, "notes": ["no
intervals: 3 segments are too few; from 10 on, intervals cover the truth about as often as their level says"]},
{"variant": "d-bleu (modified)", "signature": null, "scale": null, "notes": ["no score: it joins the segments of each
document, and documents are not known"]}], "intervals": {"sacrebleu (modified)": [null]}, "procedure":
"test:bootstrap|samples:1000|seed:12345|level:0.95|resampled:3 segments|correction:holm"}
$ score own.txt -r ref.txt --ibleu 0.75 --source src.txt --level document --documents docs.txt --format json -V nltk
{"systems": [{"system": "own.txt", "ibleu": 0.491694426, "alpha": 0.75, "score": {"value": 0.766703679, "precisions":
[0.833333333], "matches": [10], "totals": [12], "brevity_penalty": 0.920044415, "hypothesis_length": 12,
"reference_length": 13.0, "segments": 3, "variant": "nltk (modified)", "signature": "nltk references:1"},
"source_score": {"value": 0.333333333, "precisions": [0.333333333], "matches": [4], "totals": [12], "brevity_penalty":
1.0, "hypothesis_length": 12, "reference_length": 6.0, "segments": 3, "variant": "nltk (modified)", "signature": "nltk
references:1"}, "signature": "nltk references:1|ibleu:0.75|sources:1", "documents": [{"document": "o\"n\"e", "ibleu":
0.46875, "score": 0.75, "source_score": 0.375}, {"document": "a, \tb\\c", "ibleu": 0.521600587, "score": 0.778800783,
"source_score": 0.25}]}], "variant": {"name": "nltk", "description": "", "source": "", "used_by": "", "field": "",
"tokenizer": "whitespace", "counter": "nltk", "reference_length": "closest", "smoothing": "nltk-method0",
"brevity_penalty": "standard", "weights": [1.0], "normalize_weights": false, "lowercase": false, "join_documents":
false, "effective_order": false, "empty_score": 0.0, "average": "micro", "sentence": {}, "scale": 1, "plugins": []}}
$ self-bleu own.txt x/hyp.en.txt --first 2 --references later --format json
{"files": [{"file": "own.txt", "value": 50, "texts": 2, "seed": null, "signature": "sacrebleu
references:any|self_bleu:references=later,first=2", "interval": null}, {"file": "x/hyp.en.txt", "value": 0.0, "texts":
2, "seed": null, "signature": "sacrebleu references:any|self_bleu:references=later,first=2", "interval": null}],
"signature": "sacrebleu references:any"}
$ self-bleu own.txt -n 3 --format json
{"files": [{"file": "own.txt", "self_bleu": 83.3333333, "self_bleu_interval": null, "pairwise_bleu": 66.6666667,
"pairwise_bleu_interval": null, "distinct": [0.5], "distinct_intervals": [null], "sources": 1, "texts": 3,
"signature": "sacrebleu references:any"}], "signature": "sacrebleu references:any"}
$ self-bleu own.txt --level sentence --format json
{"files": [{"file": "own.txt", "scores": [100.0, 50, 100.0]}], "signature": "sacrebleu references:any"}
$ mbr own.txt x/hyp.en.txt -r ref.txt --n-best 2 --format json --aggregate
{"segments": [{"segment": 1, "index": 0, "score": 100.0, "text": "a b c d", "n_best": [{"index": 0, "score": 100.0,
"text": "a b c d"}, {"index": 1, "score": 100.0, "text": "a b c d"}]}, {"segment": 2, "index": 0, "score": 50, "text":
"a b x y", "n_best": [{"index": 0, "score": 50, "text": "a b x y"}, {"index": 1, "score": 0.0, "text": "k l m n"}]},
{"segment": 3, "index": 0, "score": 77.8800783, "text": "a b c d", "n_best": [{"index": 0, "score": 77.8800783,
"text": "a b c d"}, {"index": 1, "score": 58.4100587, "text": "a b c x"}]}], "aggregated": {"segments": 1, "differ":
0, "loss": 0.0}, "signature": "sacrebleu references:any"}
bleukit: aggregated: of 1 segments, every 50th, 0 choices differ from the exact ones, with expected scores lower by
0.00 in the mean
$ duplicates own.txt -t 40 --groups --format json
{"groups": [{"representative": 1, "lines": [1, 2, 3], "text": "a b c d"}], "signature": "sacrebleu references:any"}
$ duplicates x/hyp.en.txt -t 0.7 --set scale=1 --format json
{"pairs": [{"first": 1, "second": 3, "score": 0.75, "texts": ["a b c d", "a b c x"]}], "equal": [], "signature":
"sacrebleu references:any"}
$ sacrebleu ref.txt -i own.txt x/hyp.en.txt -w 3
[{"system": "own.txt", "BLEU": "67.403"}, {"system": "x/hyp.en.txt", "BLEU": "44.354"}]
sacreBLEU: Found 2 systems.
$ score some.jsonl --set weights=4 --format json
{"systems": [{"system": "some.jsonl", "score": 0.0, "precisions": [0.6, 0.5, null, null], "matches": [3, 1, 0, 0],
"totals": [5, 2, 0, 0], "brevity_penalty": 0.818730753, "hypothesis_length": 5, "reference_length": 6.0, "segments":
3, "variant": "sacrebleu", "signature": "sacrebleu references:1-2"}], "level": "corpus", "signature": "sacrebleu
references:1-2", "signatures": {"sacrebleu": "nrefs:var|case:mixed|eff:no|tok:13a|smooth:exp|version:2.6.0"}}
$ config check v.yaml w.yaml
v.yaml: ok, nltk references:any
w.yaml: ok, nltk references:any
bleukit: warning: w.yaml: the weights sum to 1.5, not 1, and are used as they are; normalize_weights=true divides them
by their sum
$ config show -c more.yaml
name: sacrebleu
description: ''
source: ''
used_by: ''
field: ''
tokenizer: {name: mteval, blanks: '|'}
counter: clipped
reference_length: closest
smoothing: exp
brevity_penalty: standard
weights: [0.5, 0.25, 0.25]
normalize_weights: false
lowercase: false
join_documents: false
effective_order: false
empty_score: .nan
average: micro
sentence: {}
scale: 100
plugins: []
$ mbr samples.jsonl --n-best 3 -w 1
1→50.0→a c
1→25.0→a b
2→55.6→a c d
2→53.6→a c
2→33.3→x
$ mbr samples.jsonl
a c
a c d
$ duplicates alike.txt -t 50
1→7→equal→x y
2→3→75.00→a b c d→a b c e
3→4→equal→a b c e
$ duplicates alike.txt -t 50 --groups
1→7→x y
3→2,4→a b c e
$ variants --long books courses

Textbooks and courses
  matlab
    what it is  bleuEvaluationScore of MATLAB's Text Analytics Toolbox; lowercase is its IgnoreCase
    used by     MATLAB since R2020a
    source      https://www.mathworks.com/help/textanalytics/ref/bleuevaluationscore.html
    variant     tokenizer: matlab, counter: clipped, reference_length: closest, smoothing: matlab, brevity_penalty:
standard, weights: [0.25, 0.25, 0.25, 0.25], normalize_weights: true, lowercase: false, join_documents: false,
effective_order: false, empty_score: .nan, average: micro, scale: 1
  nltk
    what it is  corpus_bleu and sentence_bleu of NLTK, without smoothing
    used by     papers and courses that score with NLTK
    source      nltk.translate.bleu_score of NLTK 3.10
    variant     tokenizer: whitespace, counter: nltk, reference_length: closest, smoothing: nltk-method0,
brevity_penalty: standard, weights: [0.25, 0.25, 0.25, 0.25], normalize_weights: false, lowercase: false,
join_documents: false, effective_order: false, empty_score: 0.0, average: micro, scale: 1
  wikipedia
    what it is  BLEU by the definition of Papineni et al. 2002, on tokens separated by spaces
    used by     textbooks and courses, after the paper of 2002
    source      https://en.wikipedia.org/wiki/BLEU
    variant     tokenizer: whitespace, counter: clipped, reference_length: closest, smoothing: none, brevity_penalty:
standard, weights: [0.25, 0.25, 0.25, 0.25], normalize_weights: false, lowercase: false, join_documents: false,
effective_order: false, empty_score: 0.0, average: micro, scale: 1
$ variants --format markdown books courses
### Textbooks and courses

| variant | what it is | who reports it |
| --- | --- | --- |
| `matlab` | bleuEvaluationScore of MATLAB's Text Analytics Toolbox; lowercase is its IgnoreCase | MATLAB since R2020a
|
| `nltk` | corpus_bleu and sentence_bleu of NLTK, without smoothing | papers and courses that score with NLTK |
| `wikipedia` | BLEU by the definition of Papineni et al. 2002, on tokens separated by spaces | textbooks and courses,
after the paper of 2002 |
$ variants sacrebleu WMT
                                           reference             brevity
variant                tokenizer  counter  length     smoothing  penalty   case       weights   scale  average

Machine translation
  sacrebleu (default)  13a        clipped  closest    exp        standard  mixed      4 × 0.25  0–100  micro
  mteval-v13a          mteval     clipped  closest    mteval     standard  lower A-Z  4 × 0.25  0–1    micro
  sacrebleu-zh         zh         clipped  closest    exp        standard  mixed      4 × 0.25  0–100  micro
$ score own.txt own.txt -r ref.txt --statistics out.4.jsonl
bleukit: error: two systems are called 'own.txt'; their statistics need names
$ score own.txt -r ref.txt -q --statistics out.1.jsonl
76.67
$ score own.txt -r ref.txt -q --statistics out.1.jsonl --level sentence
bleukit: error: out.1.jsonl: holds other statistics: its level is corpus, not sentence; remove it to count again
$ score own.txt -r ref.txt -q --statistics out.1.jsonl --set scale=1
bleukit: error: out.1.jsonl: holds other statistics: scale is 100, not 1; remove it to count again
$ score own.txt -r src.txt -q --statistics out.1.jsonl
bleukit: error: out.1.jsonl: holds other statistics: since then src.txt changed; remove it to count again
$ score own.txt -r ref.txt -q --set lc=true
bleukit: error: lc: unknown key; it is `lowercase`
$ score own.txt -r ref.txt -q --set empty_score=1.5 --set scale=1
bleukit: error: empty_score: expected 0 to 1 (the scale), or .nan, got float 1.5
$ score own.txt -r ref.txt -q --set smoothing=add-k --set max_order=2
bleukit: error: max_order: unknown key; it is `weights`, the number of orders
$ score own.txt -r ref.txt -q --set smoothing={name:exp
bleukit: error: --set smoothing:2: is not valid YAML: did not find expected ',' or '}'
$ score own.txt -r ref.txt --signature "BLEU+case.mixed+numrefs.1+smooth.exp+tok.intl+version.1.4.14"
bleukit: error: signature: tok: before version 2 'intl' took other characters for digits, which bleukit does not
$ score own.txt -r ref.txt --signature "nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp[0.10]|version:2.6.0"
bleukit: error: signature: smooth: exp has no value, got 'exp[0.10]'
$ score own.txt -r ref.txt --signature "nrefs:1|case:mixed|eff:no|tok:13|smooth:exp|version:1.5.1"
bleukit: error: signature: version: expected 1.x or 2.x, and keys and values joined by ':' are of version 2; got
'1.5.1'
$ mbr samples.jsonl --format json --n-best 1
{"segments": [{"segment": 1, "index": 1, "score": 50, "text": "a c", "n_best": [{"index": 1, "score": 50, "text": "a
c"}]}, {"segment": 2, "index": 1, "score": 55.5555556, "text": "a c d", "n_best": [{"index": 1, "score": 55.5555556,
"text": "a c d"}]}], "signature": "sacrebleu references:any"}
$ duplicates alike.txt -t 50 --format json
{"pairs": [{"first": 2, "second": 3, "score": 75, "texts": ["a b c d", "a b c e"]}], "equal": [{"lines": [1, 7],
"text": "x y"}, {"lines": [3, 4], "text": "a b c e"}], "signature": "sacrebleu references:any"}
$ variants --format json wikipedia books
{"default": "sacrebleu", "variants": [{"name": "wikipedia", "description": "BLEU by the definition of Papineni et al.
2002, on tokens separated by spaces", "source": "https://en.wikipedia.org/wiki/BLEU", "used_by": "textbooks and
courses, after the paper of 2002", "field": "Textbooks and courses", "tokenizer": "whitespace", "counter": "clipped",
"reference_length": "closest", "smoothing": "none", "brevity_penalty": "standard", "weights": [0.25, 0.25, 0.25,
0.25], "normalize_weights": false, "lowercase": false, "join_documents": false, "effective_order": false,
"empty_score": 0.0, "average": "micro", "sentence": {}, "scale": 1, "plugins": [], "plugin": "wikipedia",
"distribution": "bleukit", "version": "0.1.0"}]}
"""
"""Commands, and what they print."""

TO_SCORES = tuple(
    Way(says, partial(held, check), of_each, "default once")
    for says, check in (
        ("the lines of commands", _check_lines),
        ("the lines of results", _check_results),
        ("the lines that commands are held to", _check_held_lines),
        ("the schema of variant files", _check_schema),
    )
)
