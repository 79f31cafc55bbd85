"""``sacrebleu.sacrebleu``: what the command of sacreBLEU does for BLEU; ``bleukit sacrebleu`` prints it."""

from __future__ import annotations

import json
import logging
import os
import re
from contextlib import redirect_stdout
from io import StringIO
from typing import TYPE_CHECKING, Any, TypeAlias

from bleukit.compat.sacrebleu.metrics import BLEU
from bleukit.compat.sacrebleu.original import EXTRA, imported, names_of
from bleukit.compat.sacrebleu.test_sets import reference_files
from bleukit.errors import BleukitError, InputError
from bleukit.text.files import STANDARD_INPUT, TextFile

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Iterator

Stream: TypeAlias = list[str]
"""The lines of a system, or of a set of references."""

FORMATS = ("json", "text", "latex")

_CONFIDENCE = re.compile(r"(\(μ = [0-9\.]+ ± [0-9\.]+\))")
_CYAN = "\x1b[36m\\1\x1b[0m"

__getattr__ = names_of(__name__)

logger = logging.getLogger("sacrebleu")


def results(options: Namespace) -> Iterator[str]:
    """Yield what the command prints, with colours; ``options`` have the names of sacreBLEU's.

    Raises InputError or BleukitError for what sacreBLEU refuses, and for files that cannot be read.
    """
    form = os.environ.get("SACREBLEU_FORMAT", "").lower()
    form = form if form in FORMATS else options.format
    _check(options)
    references = _references(options) if options.test_set is None else _references_of_test_sets(options)
    names, systems = _systems(options)
    _check_systems(options, len(names))
    _check_lengths(names, systems, references)
    metric = _metric(options, references)
    colored = not options.no_color and not os.environ.get("NO_COLOR")
    if options.sentence_level:
        for segment in zip(systems[0], *references, strict=True):
            yield _formatted(options, metric, metric.sentence_score(segment[0], segment[1:]), "text")
    elif len(systems) > 1:
        yield _several(options, metric, names, systems, form, colored=colored)
    else:
        samples = options.confidence_n if options.confidence else 1
        score = _formatted(options, metric, metric.corpus_score(systems[0], None, samples), form)
        yield _CONFIDENCE.sub(_CYAN, score) if colored and form != "json" else score


def _formatted(options: Namespace, metric: BLEU, score: Any, form: str) -> str:
    signature = metric.get_signature().format(options.short and form != "json")
    written: str = score.format(options.width, options.score_only, signature, form == "json")
    return written


def _several(  # noqa: PLR0913
    options: Namespace, metric: BLEU, names: list[str], systems: list[Stream], form: str, *, colored: bool
) -> str:
    """Return the scores of several systems, with the tests that were asked for; sacreBLEU makes a table of them."""
    utils = imported("sacrebleu.utils")
    if form != "json" and utils is None:
        raise BleukitError(f"tables of several systems need: {EXTRA}")
    logger.info("Found %d systems.", len(systems))
    columns: dict[str, list[Any]] = {"System": names}
    if options.paired_bs or options.paired_ar:
        from bleukit.compat.sacrebleu.significance import PairedTest

        kind, samples = ("bs", options.paired_bs_n) if options.paired_bs else ("ar", options.paired_ar_n)
        signed, columns = PairedTest(
            list(zip(names, systems, strict=True)), {"BLEU": metric}, None, kind, samples, n_jobs=options.paired_jobs
        )()
        signature = signed["BLEU"]
    else:
        columns["BLEU"] = [metric.corpus_score(system, None).format(options.width, True) for system in systems]
        signature = metric.get_signature()
    if form == "json":
        shown = [result if isinstance(result, str) else vars(result) for result in columns["BLEU"]]
        return json.dumps(
            [{"system": name, "BLEU": result} for name, result in zip(names, shown, strict=True)], indent=4
        )
    options.format = form
    utils.Color.ENABLE_COLORS = colored
    with redirect_stdout(StringIO()) as table:
        utils.print_results_table(columns, {"BLEU": signature.format(options.short)}, options)
    return table.getvalue().removesuffix("\n")


def _metric(options: Namespace, references: list[Stream]) -> BLEU:
    """Return BLEU as the options have it, which has counted the references."""
    language = ""
    if options.langpair:
        if "-" not in options.langpair:
            raise InputError(f"-l: expected a language pair such as en-de, got {options.langpair!r}")
        language = options.langpair.split("-")[1]
    try:
        return BLEU(
            options.lowercase,
            options.force,
            options.tokenize,
            options.smooth_method,
            options.smooth_value,
            effective_order=options.sentence_level,
            trg_lang=language,
            references=references,
        )
    except RuntimeError as error:  # the tokenizer needs what is not installed
        raise BleukitError(str(error)) from error


# Checks


def _check(options: Namespace) -> None:
    """Raise InputError for options that do not go together, before anything is read."""
    if options.test_set is None and not options.refs:
        raise InputError("give files of references, before -i, or a test set (-t)")
    if options.test_set is not None and options.refs:
        raise InputError("give either files of references or a test set (-t)")
    if options.num_refs != 1 and (options.test_set is not None or len(options.refs) > 1):
        raise InputError("--num-refs is for a single file of references, separated by tabs")
    if options.num_refs < 1:
        raise InputError(f"--num-refs: expected a number of at least 1, got {options.num_refs}")
    if options.test_set is not None and options.langpair is None:
        raise InputError("a test set (-t) needs a language pair (-l)")
    if options.width < 0:
        raise InputError(f"--width: expected a number of at least 0, got {options.width}")
    if options.test_set is not None and options.tokenize == "none":
        logger.warning("You are turning off BLEU's internal tokenizer presumably to supply your own tokenized files.")
        logger.warning("Published numbers will not be comparable to other papers.")


def _check_systems(options: Namespace, number: int) -> None:
    """Raise InputError for options that do not go with so many systems."""
    paired = options.paired_bs or options.paired_ar
    if options.sentence_level and number > 1:
        raise InputError("--sentence-level is for one system")
    if options.sentence_level and (options.confidence or paired):
        raise InputError("--sentence-level has no statistical tests")
    if paired and number == 1:
        raise InputError("paired tests need several systems (-i)")
    if options.confidence and number > 1:
        raise InputError("--confidence is for one system; of several, use --paired-bs or --paired-ar")


def _check_lengths(names: list[str], systems: list[Stream], references: list[Stream]) -> None:
    for name, system in zip(names, systems, strict=True):
        if not system:
            raise InputError(f"{name}: no segment is left to be scored")
        for number, stream in enumerate(references, 1):
            if len(stream) != len(system):
                raise InputError(f"{name} has {len(system)} lines, references {number} have {len(stream)}")


# Reading


def _references(options: Namespace) -> list[Stream]:
    streams = [_lines(path, options.encoding) for path in options.refs]
    if options.num_refs == 1:
        return streams
    rows = []
    for number, line in enumerate(streams[0], 1):
        row = line.split("\t", options.num_refs - 1)
        if len(row) != options.num_refs:
            raise InputError(f"{options.refs[0]}:{number}: expected {options.num_refs} fields, found {len(row)}")
        rows.append(row)
    return [[row[field] for row in rows] for field in range(options.num_refs)]


def _systems(options: Namespace) -> tuple[list[str], list[Stream]]:
    paired = options.paired_bs or options.paired_ar
    if options.input is None:
        return _systems_of_standard_input(options.encoding, paired=paired)
    streams: dict[str, Stream] = {}
    for path in options.input:
        if path not in streams:
            streams[path] = _lines(path, options.encoding)
        elif paired and path == options.input[0]:
            logger.info("Ignoring %r as it was also given as the baseline.", path)
        else:
            raise InputError(f"-i: {path} is given twice")
    if not streams:
        raise InputError("-i: give files of hypotheses")
    names = [*streams]
    if paired:
        names[0] = f"Baseline: {names[0]}"
    return names, [*streams.values()]


def _systems_of_standard_input(encoding: str, *, paired: bool) -> tuple[list[str], list[Stream]]:
    """Return the systems of standard input: as many as its first line has fields, which tabs separate."""
    text = _text(STANDARD_INPUT, encoding).replace("\r\n", "\n").replace("\r", "\n")
    rows = [line.rstrip().split("\t") for line in _split(text) or [""]]
    fields = len(rows[0])
    for number, row in enumerate(rows, 1):
        if len(row) != fields:
            raise InputError(f"standard input:{number}: expected {fields} fields, found {len(row)}")
    names = [f"System {i + 1}" for i in range(fields)]
    if paired:
        names = ["Baseline", *names[:-1]]
    # sacreBLEU leaves blanks at the end of a field of the first line alone
    first, *others = rows
    return names, [[first[i], *(row[i].rstrip() for row in others)] for i in range(fields)]


def _lines(path: str, encoding: str) -> Stream:
    return [line.rstrip() for line in _split(_text(path, encoding))]


def _split(text: str) -> list[str]:
    lines = text.split("\n")
    return lines if lines[-1] else lines[:-1]


def _text(path: str, encoding: str) -> str:
    """Return what a file holds, a byte-order mark too. Raises InputError if it cannot be read or decoded."""
    file = TextFile(path)
    content = b"".join(file.contents())
    try:
        return content.decode(encoding)
    except LookupError as error:
        raise InputError(f"--encoding: unknown encoding {encoding!r}") from error
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise InputError(f"{file.name}:{line}: is not {encoding}: byte 0x{content[error.start]:02x}") from error


def _references_of_test_sets(options: Namespace) -> list[Stream]:
    """Return the sets of references of all test sets, one after the other; sacreBLEU downloads what is missing."""
    files = [reference_files(name, options.langpair) for name in options.test_set.split(",")]
    if len(set(map(len, files))) > 1 or not files[0]:
        raise InputError(f"-t: {options.test_set} have no references, or different numbers of them")
    return [[line for path in paths for line in _lines(path, options.encoding)] for paths in zip(*files, strict=True)]
