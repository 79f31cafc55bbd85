"""The ways through commands, which read files and write scores."""

from __future__ import annotations

import csv
import io
import json
import math
import os
import shlex
import subprocess
import sys
from contextlib import contextmanager, redirect_stderr, redirect_stdout, suppress
from functools import partial
from importlib import metadata
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any
from unittest.mock import patch

from bleukit.conformance.contracts import corpora
from bleukit.conformance.contracts.trials import (
    LEVELS,
    OtherwiseError,
    Trial,
    Way,
    as_read,
    at_level,
    checks,
    document_of,
    expected,
    of_all,
    of_each,
    require,
    rows_at,
)
from bleukit.conformance.contracts.ways_of_files import (
    ARROW,
    WHOLE,
    columns_of_texts,
    thirds,
    write_lines,
    write_rows,
    written,
    written_documents,
)
from bleukit.conformance.definitions import PLAIN_VARIANT
from bleukit.conformance.judging.written import OVERRIDES

import bleukit
from bleukit.errors import InputError, shown
from bleukit.hookspecs import PROJECT
from bleukit.loading.signature import written_signatures

try:
    from pyarrow import parquet
except ImportError:  # an extra
    parquet = None

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from bleukit.accumulator import Level
    from bleukit.pairs.decoding import Choice

DIGITS = "17"
"""To so many decimals a score is written without loss."""

LONG = 1_000_000
"""A file with so many words is read in several blocks."""

OTHER = "other.txt"
"""The file of the first of two systems."""

SYSTEMS = 12
"""So many systems that their numbers, as text, are not in order."""


@contextmanager
def without_settings() -> Iterator[None]:
    """Let sacreBLEU's variables of the environment be unset: they change seeds and forms of output."""
    with patch.dict(os.environ):
        for name in ("SACREBLEU_SEED", "SACREBLEU_FORMAT"):
            os.environ.pop(name, None)
        yield


def printed(*words: str, messages: io.StringIO | None = None) -> str:
    """Return what a command prints, run in this process as its script does. Raises InputError if it fails."""
    [main, *_] = metadata.entry_points(group="console_scripts", name=PROJECT)
    out, messages = io.StringIO(), messages or io.StringIO()
    before, sys.argv = sys.argv, [PROJECT, *words]
    try:
        with without_settings(), redirect_stdout(out), redirect_stderr(messages):
            main.load()()
    except SystemExit as done:
        if done.code:
            raise InputError(messages.getvalue()) from None
    finally:
        sys.argv = before
    return out.getvalue()


def _printed_by_process(*words: str, given: str) -> str:
    """Return what a command prints, run in a process of its own, whose standard input is a file.

    Raises InputError if it fails.
    """
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-m", "bleukit", *words]
    with Path(given).open("rb") as file:
        done = subprocess.run(  # noqa: S603 - bleukit itself
            command, env=environment, stdin=file, capture_output=True, check=False
        )
    if done.returncode:
        raise InputError(done.stderr.decode())
    return done.stdout.decode()


def _rounded(trial: Trial) -> list[float]:
    """Return the scores of sentences if ``bleukit score`` rounds scores to as many decimals as it is told to."""
    for places in (0, 2):
        for level in ("corpus", "sentence"):
            got = printed("score", *_files(trial), "-q", "-w", str(places), "--level", level).split()
            wanted = [f"{score:.{places}f}" for score in expected(trial, LEVELS[level])]
            if got != wanted:
                raise InputError(f"rounded to {places} decimals they are {shown(got)}, expected {shown(wanted)}")
    return expected(trial)


def _by_process(level: Level, trial: Trial) -> list[float]:
    """Return what ``bleukit score`` writes as JSON of standard input, if it writes the signatures, too."""
    given, *references = _files(trial)
    words = ["score", "-", *references, *_at(level, trial), "--format", "json"]
    data = json.loads(_printed_by_process(*words, given=given))
    [system] = data["systems"]
    variant = trial.bleu.sentence_variant if level == "sentence" else trial.bleu.variant
    signatures = *(trial.signed(of["signature"]) for of in (system, data)), data["signatures"]
    of_level = (trial.signatures(of)[0] for of in (of_all, LEVELS[level]))
    wanted = *of_level, written_signatures(variant, len(trial.corpus.references[0]))
    if signatures != wanted:
        raise InputError(f"its signatures are {shown(signatures)}, expected {shown(wanted)}")
    return [_number(unit["score"]) for unit in _units(level, system)]


def _units(level: Level, system: Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:
    return [system] if level == "corpus" else system[f"{level}s"]


def _number(value: Any) -> float:
    return math.nan if value is None else float(value)


def _files(trial: Trial, part: slice = WHOLE, *others: str) -> list[str]:
    """Return the arguments of a command: other hypotheses, those of a part of the corpus, and its references."""
    hypotheses, references = written("txt", trial, part)
    return [*others, *hypotheses, *_options_of(references)]


def _options_of(references: Sequence[str]) -> list[str]:
    return list(chain.from_iterable(("-r", path) for path in references))


def _at(level: Level, trial: Trial, part: slice = WHOLE) -> list[str]:
    """Return the options of a variant and of a level."""
    options = ["-V", trial.source, "--level", level]
    if level == "document":
        options += ["--documents", written_documents(trial, document_of(len(trial.corpus))[part], part)]
    return options


def _names(level: Level, trial: Trial) -> list[str]:
    """Return the names of the units of a level."""
    if level == "corpus":
        return [""]
    names = document_of(len(trial.corpus))
    return list(dict.fromkeys(names)) if level == "document" else [str(place + 1) for place in range(len(names))]


def _of_two_systems(trial: Trial) -> list[str]:
    """Return the arguments of a command for two systems, of which the second has the hypotheses of the corpus."""
    return _files(trial, WHOLE, write_lines(trial.folder / OTHER, trial.corpus.hypotheses[::-1]))


def _as_text(level: Level, trial: Trial) -> list[float]:
    """Return the scores of the second of two systems in a table of text."""
    text = printed("score", *_of_two_systems(trial), *_at(level, trial), *(["-q", "-w", DIGITS] * (level == "corpus")))
    if level == "corpus":
        return [float(text.split("\n")[1])]
    head, *rows, signature, _ = (line.split("\t") for line in text.split("\n"))
    names, wanted = [name for name, _, _ in rows], [name.replace("\\", r"\\") for name in _names(level, trial)]
    if [head[0], names, len(head)] != [level, wanted, 3] or not signature[0].startswith("# signature "):
        raise InputError(f"it prints {shown(text)}")
    return [float(own) for _, _, own in rows]


def _as_table(form: str, level: Level, trial: Trial) -> list[float]:
    """Return the scores of the second of two systems in a table in a file, or in JSON, if all figures are right."""
    path = trial.folder / f"scores.{form}"
    words = ["score", *_of_two_systems(trial), *_at(level, trial), "-o", str(path)]
    if form == "json":
        printed(*words, "--format", "json")
        own = _units(level, json.loads(path.read_text("utf-8"))["systems"][1])
    else:
        printed(*words)
        own = _read_of_second(form, path)
    if level != "corpus" and [row[level] for row in own] != _names(level, trial):
        raise InputError(f"its rows are {shown(own)}, expected those of {shown(_names(level, trial))}")
    wanted = trial.bleu.scores(rows_at(level, trial), level=level)
    for number, (row, score) in enumerate(zip(own, wanted, strict=True), 1):
        got, figures = _figures(row), _figures(score.to_dict())
        if repr(got) != repr(figures) or (form != "csv" and not isinstance(row["segments"], int)):
            raise InputError(f"row {number}: {shown(got)}, expected {shown(figures)}")
    return [_number(row["score"]) for row in own]


def _check_many_rows(trial: Trial) -> None:
    """Check that a table of many sentences has each of them once, in order."""
    text, path = trial.folder / "many.txt", trial.folder / "many.parquet"
    text.write_text("a b\n" * corpora.MANY_ROWS, "utf-8")
    printed("score", str(text), "-r", str(text), "-V", trial.source, "--level", "sentence", "-o", str(path))
    rows = parquet.read_table(path, columns=["sentence"])["sentence"].to_pylist()
    if rows != [str(number) for number in range(1, corpora.MANY_ROWS + 1)]:
        raise InputError(f"its {len(rows):,} rows are {shown(rows)}, expected {corpora.MANY_ROWS:,} from 1 on")


def _check_many_lines(trial: Trial) -> None:
    """Check the counts of files with more parts than wait for many threads."""
    path, number = trial.folder / "many.txt", 2 * (corpora.THREADS + 1) * corpora.LINES + 1
    path.write_text("a b\n" * number, "utf-8")
    words = ["score", str(path), "-r", str(path), "-V", trial.source, "--threads", str(corpora.THREADS)]
    [system] = json.loads(printed(*words, "--format", "json"))["systems"]
    got, wanted = [system["segments"], *system["matches"][:2]], [number, 2 * number, number]
    if got != wanted:
        raise InputError(f"segments and matches are {got}, expected {wanted}")


def _read_of_second(form: str, path: Path) -> list[dict[str, Any]]:
    """Return the rows of a table that are of the second of two systems."""
    if form == "parquet":
        rows = parquet.read_table(path).to_pylist()
    else:
        with path.open(encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file) if form == "csv" else map(json.loads, file))
    return [row for row in rows if Path(row["system"]).name != OTHER]


def _figures(row: Mapping[str, Any]) -> list[float]:
    """Return all numbers of a row but the score, of which there are several by order."""
    values: list[Any] = [row[name] for name in ("brevity_penalty", "hypothesis_length", "reference_length", "segments")]
    for name, of_order in (("precisions", "precision"), ("matches", "matches"), ("totals", "total")):
        values += row[name] if name in row else [row[key] for key in row if key.startswith(f"{of_order}_")]
    return list(map(_number, values))


def _kept(level: Level, trial: Trial) -> list[float]:
    """Return the scores of the sum of statistics that the command has kept of two parts, if it reads them again."""
    paths = []
    for part in thirds(trial):
        paths.append(str(trial.folder / f"kept from {part.start}.jsonl"))
        Path(paths[-1]).unlink(missing_ok=True)
        words = ["score", *_files(trial, part), *_at(level, trial, part), "--statistics", paths[-1], "--format", "json"]
        if printed(*words) != printed(*words):
            raise InputError("by what it has kept, the scores are others")
    [system] = json.loads(printed("merge", *paths, "--equal-parts", "--format", "json"))["systems"]
    return [_number(unit["score"]) for unit in _units(level, system)]


def _check_kept_of_system(trial: Trial) -> None:
    """Check that the statistics of one system of a table are not taken for those of another one."""
    rows = ({"system": name, "hypothesis": "a b c", "reference": "a b c"} for name in ("one", "other"))
    path, kept = write_rows(trial.folder / "two.jsonl", rows), trial.folder / "kept.jsonl"
    kept.unlink(missing_ok=True)
    printed("score", f"{path}#one", "--statistics", str(kept))
    with suppress(InputError):
        printed("score", f"{path}#other", "--statistics", str(kept))
        raise OtherwiseError("the statistics of one system are taken for those of another one")


def _check_kept_of_changed(trial: Trial) -> None:
    """Check that the statistics of a file, or of a folder, are not taken for those of one that ends otherwise."""
    path, folder = trial.folder / "long.txt", trial.folder / "changed"
    path.write_text("a " * LONG + "b\n", "utf-8")
    _require_new_statistics(path, path, trial)
    for member in (folder / "1.txt", folder / "2.txt", folder / "more" / "1.txt"):
        member.parent.mkdir(parents=True, exist_ok=True)
        member.write_text("a b\n", "utf-8")
        _require_new_statistics(folder, member, trial)


def _require_new_statistics(scored: Path, changed: Path, trial: Trial) -> None:
    kept = trial.folder / "kept.jsonl"
    kept.unlink(missing_ok=True)
    words = ["score", str(scored), "-r", str(scored), "--statistics", str(kept)]
    printed(*words)
    content = changed.read_bytes()
    changed.write_bytes(content[:-2] + bytes([content[-2] + 1]) + b"\n")
    with suppress(InputError):
        printed(*words)
        raise OtherwiseError(f"the statistics of {scored.name} are taken for those of what it holds now")


def _check_intervals(trial: Trial) -> None:
    """Check the interval of each of many systems, and its score."""
    hypotheses, references = trial.input
    [_, *options] = _files(trial)
    systems = {}
    for number in range(SYSTEMS):
        texts = hypotheses[number:] + hypotheses[:number]
        systems[write_lines(trial.folder / f"system {number}.txt", texts)] = texts
    documents = [f"document {place // 3}" for place in range(len(hypotheses))]
    by_default = ["-V", trial.source, "--confidence", "--documents", written_documents(trial, documents)]
    signature = written_signatures(trial.bleu.variant, len(references[0]))[trial.source]
    for words, settings in (
        ([*by_default, "--resample-by", "segment"], {"test": "bootstrap", "resample_by": "segment"}),
        ([*by_default, "--resample-by", "document"], {"test": "bootstrap", "resample_by": "document"}),
        (["--signature", f"{signature}|bs:100|seed:7"], {"test": "sacrebleu-bs", "samples": 100, "seed": 7}),
    ):
        how: Any = {"documents": documents, "references_by": "segment", **settings}
        comparison = bleukit.compare(trial.bleu, systems, references, **how)
        wanted = {system.system: _interval(system.to_dict()) for system in comparison.systems}
        for system in json.loads(printed("score", *systems, *options, *words, "--format", "json"))["systems"]:
            name = system["system"]
            require(f"score and interval of {name}, {settings}", _interval(system), wanted[name])
        path = trial.folder / "intervals.csv"
        printed("score", *systems, *options, *words, "-o", str(path))
        with path.open(encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file):
                ends = [_number(row[f"interval_{end}"] or None) for end in ("low", "high")]
                require(f"interval of {row['system']} in a table, {settings}", ends, wanted[row["system"]][-2:])


def _interval(system: Mapping[str, Any]) -> list[float]:
    """Return the score of a system, the mean of its samples, and the ends of its interval; few segments have none."""
    ends = system["interval"] or {"low": None, "high": None}
    return list(map(_number, (system["score"], system["mean"], system["half_width"], ends["low"], ends["high"])))


def _by_several_variants(level: Level, trial: Trial) -> list[float]:
    """Return the scores of the second of two systems in a table of two variants, if those by the other are right."""
    path, plain = trial.folder / "variants.csv", bleukit.load(PLAIN_VARIANT)
    printed("score", *_of_two_systems(trial), "-V", PLAIN_VARIANT, *_at(level, trial), "-o", str(path))
    rows = _read_of_second("csv", path)
    counted = at_level(level, plain.statistics(*trial.input))
    wanted = [score.value for score in plain.scores(counted, level=level)]
    require(f"scores by {PLAIN_VARIANT}", [float(row[PLAIN_VARIANT]) for row in rows], wanted)
    return [float(row[trial.source]) for row in rows]


def _check_tokens(trial: Trial) -> None:
    """Check that the command prints the tokens of each segment."""
    paths = written("txt", trial)[0]
    wanted = [list(trial.bleu.tokenize(str(text))) for text in trial.corpus.hypotheses]
    as_text, as_json = (
        printed("tokenize", *paths, "-V", trial.source, "--format", form).split("\n")[:-1] for form in ("text", "json")
    )
    for got in ([line.split(" ") if line else [] for line in as_text], list(map(json.loads, as_json))):
        if got != wanted:
            raise InputError(f"its tokens are {shown(got)}, expected {shown(wanted)}")


def _check_decoding(trial: Trial) -> None:
    """Check that the command chooses, of the texts of each segment, those that Python chooses, with their scores."""
    paths = list(chain.from_iterable(written("txt", trial)))
    words = ["mbr", *paths, "-V", trial.source]
    samples = list(zip(*columns_of_texts(trial), strict=True))
    choices: list[Choice] = trial.bleu.mbr(samples)
    data = json.loads(printed(*words, "--n-best", "2", "--format", "json"))["segments"]
    for number, (found, choice) in enumerate(zip(data, choices, strict=True), 1):
        best = [(place, choice.scores[place]) for place in choice.best(2)]
        got = [(one["index"], one["score"]) for one in found["n_best"]]
        if [found["segment"], found["text"], got] != [number, choice.text, best]:
            raise InputError(f"segment {number}: {found}, expected {choice}")
    if printed(*words) != "".join(f"{choice.text}\n" for choice in choices):
        raise InputError(f"its lines are not those of {shown(choices)}")


def _check_pairs(trial: Trial) -> None:
    """Check that the commands about pairs of a file's lines print what Python returns."""
    [path], _ = written("txt", trial)
    texts, options = list(trial.corpus.hypotheses), ["-V", trial.source, "--format", "json"]
    [of_file] = json.loads(printed("self-bleu", path, *options))["files"]
    require("self-BLEU", of_file["value"], trial.bleu.self_bleu(texts).value)
    [of_file] = json.loads(printed("self-bleu", path, *options, "--level", "sentence"))["files"]
    require("scores of lines", of_file["scores"], trial.bleu.self_bleu_scores(texts).tolist())


def _check_identification(trial: Trial) -> None:
    """Check that the command that ``identify`` prints gives the score that was asked for, by some of the references."""
    texts = {
        "hypotheses": ["the cat sat on the mat today", "a dog ran over the road"],
        "one": ["the cat sat on the mat", "a dog ran on a road"],
        "two": ["a cat sat on the mat today", "the dog ran over a road"],
        "three": ["the cat was on the mat today", "dogs ran over the road"],
        "four": ["today the cat sat on a mat", "a dog ran over there"],
    }
    hypotheses, *references = (write_lines(trial.folder / f"{name}.txt", lines) for name, lines in texts.items())
    own = [references[place] for place in (1, 2)]
    score = printed("score", hypotheses, *_options_of(own), "-V", trial.source, "-q", "-w", "6").strip()
    found = printed("identify", hypotheses, *_options_of(references), "--score", score).split("\n")[-2]
    got = printed(*shlex.split(found)[1:], "-q", "-w", "6").strip()
    if got != score:
        raise InputError(f"{found!r} gives {got}, not {score}")


def _check_ibleu(trial: Trial) -> None:
    """Check the iBLEU that the command writes at each level, against sources that are the hypotheses, turned round."""
    hypotheses, _ = trial.input
    sources = hypotheses[::-1]
    path = write_lines(trial.folder / "sources.txt", sources)
    of_sources = trial.bleu.statistics(hypotheses, [[source] for source in sources], references_by="segment")
    for level in LEVELS:
        ours, theirs = (trial.bleu.scores(at_level(level, rows), level=level) for rows in (trial.counted(), of_sources))
        words = ["score", *_files(trial), *_at(level, trial), "--source", path, "--ibleu", "0.7"]
        [system] = json.loads(printed(*words, "--format", "json"))["systems"]
        units = _units(level, system)
        require(
            f"iBLEU, level {level}",
            [unit["ibleu"] for unit in units],
            [0.7 * our.value - (1 - 0.7) * their.value for our, their in zip(ours, theirs, strict=True)],
        )
        got = [*(unit["score"] for unit in units), *(unit["source_score"] for unit in units)]
        wanted = [score.to_dict() if level == "corpus" else score.value for score in (*ours, *theirs)]
        if got != as_read(wanted):
            raise InputError(f"level {level}: the scores are {shown(got)}, expected {shown(wanted)}")
        names = [unit[level] for unit in units] if level != "corpus" else [""]
        if names != _names(level, trial):
            raise InputError(f"level {level}: the units are {shown(names)}, expected {shown(_names(level, trial))}")


def _check_numbers_of_references(trial: Trial) -> None:
    """Check the signatures in a table of units whose segments have different numbers of references."""
    numbers = {"one": (1,), "other": (1, 3), "third": (2,), "fourth": (3, 2, 4)}
    rows = [
        {"document": name, "hypothesis": "a b c", "reference": ["a b c"] * number}
        for name, of_document in numbers.items()
        for number in of_document
    ]
    texts, path = write_rows(trial.folder / "numbers.jsonl", rows), trial.folder / "numbers.csv"
    of_each_segment = list(chain.from_iterable(numbers.values()))
    of_units = {"corpus": [of_each_segment], "document": numbers.values(), "sentence": [[n] for n in of_each_segment]}
    for level, wanted in of_units.items():
        printed("score", texts, "-V", trial.source, "--level", level, "-o", str(path))
        with path.open(encoding="utf-8", newline="") as file:
            got = [trial.signed(row["signature"])["references"] for row in csv.DictReader(file)]
        fields = ["-".join(map(str, sorted({min(of), max(of)}))) for of in wanted]
        if got != fields:
            raise InputError(f"level {level}: the signatures are of {got} references, expected {fields}")


def _check_choices(trial: Trial) -> None:
    """Check that a variant is the same by settings of the command, by files, and by keys in Python."""
    hypotheses = write_lines(trial.folder / "hypotheses.txt", ["a b c d"])
    whole, from_named = (trial.folder / f"{name}.yaml" for name in ("whole", "from_named"))
    words = ["score", hypotheses, "-r", hypotheses, "--format", "json"]
    for keys in OVERRIDES:
        wanted = bleukit.load(trial.source, **keys)
        signature = wanted.corpus(["a b c d"], ["a b c d"]).signature
        settings = [*chain.from_iterable(("--set", f"{key}={json.dumps(value)}") for key, value in keys.items())]
        from_named.write_text(json.dumps({"variant": trial.source, **keys}), "utf-8")
        whole.write_text(printed("config", "show", "-c", str(from_named)), "utf-8")
        documents = ["--documents", hypotheses] * wanted.variant.join_documents
        for choice in ([*settings, "-V", trial.source], ["-c", str(from_named)], ["-c", str(whole)]):
            [system] = json.loads(printed(*words, *choice, *documents))["systems"]
            if system["signature"] != signature:
                raise InputError(f"by {choice} it is {system['signature']!r}, expected {signature!r}")


_BY_COMMAND: dict[str, Callable[[Level, Trial], list[float]]] = {
    "text": _as_text,
    **{f".{form}": partial(_as_table, form) for form in ("json", "csv", "jsonl", *ARROW[:1])},
    "kept statistics": _kept,
    "table of variants": _by_several_variants,
}

TO_SCORES = (
    *(
        Way(f"the command, level {level}", partial(_by_process, level), of, "lines command")
        for level, of in LEVELS.items()
    ),
    Way("the command, with rounded scores", _rounded, of_each, "marked brief few command"),
    *(
        Way(f"the command's {says}, level {level}", partial(result, level), of, "lines hundreds default")
        for says, result in _BY_COMMAND.items()
        for level, of in LEVELS.items()
    ),
    *checks(
        ("the command and another system's statistics", _check_kept_of_system, "default once"),
        ("the command and statistics of a file that changed", _check_kept_of_changed, "default once"),
        ("the command's intervals", _check_intervals, "default marked brief hundreds"),
        ("the command's iBLEU", _check_ibleu, "default lines brief hundreds"),
        ("the command's tokens", _check_tokens, "default lines brief hundreds"),
        ("the command's choice of samples", _check_decoding, "default lines brief hundreds"),
        ("the command's pairs", _check_pairs, "default lines brief hundreds"),
        ("the command that identifies", _check_identification, "default once"),
        ("the command and numbers of references", _check_numbers_of_references, "default once"),
        ("the command's choice of a variant", _check_choices, "default once"),
        ("the command by many threads", _check_many_lines, "default once"),
        *([("the command's table of many rows", _check_many_rows, "default once")] if ARROW else []),
    ),
)
