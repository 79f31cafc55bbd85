"""What users of sacreBLEU and other tools type first, and what does it here."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from bleukit.errors import near_misses

if TYPE_CHECKING:
    from collections.abc import Sequence

    import click

_OPTIONS = {
    ("-i", "--input"): "hypotheses need no option: bleukit score -r REF HYP",
    ("-tok", "--tokenize", "--tokenizer"): "a tokenizer is chosen by --set tokenizer=NAME",
    ("-lc", "--lowercase"): "case is ignored with --set lowercase=true",
    ("-m", "--metrics"): "every score is BLEU, and -V chooses the variant",
    ("-s", "--smooth-method", "-sv", "--smooth-value"): "smoothing is chosen by --set smoothing=NAME",
    ("-sl", "--sentence-level"): "sentences are scored with --level sentence",
    ("-ci",): "intervals are printed with --confidence",
    ("-pbs", "--paired-bs"): "systems are compared by 'bleukit compare --test sacrebleu-bs'",
    ("-par", "--paired-ar"): "systems are compared by 'bleukit compare --test sacrebleu-ar'",
    ("-b",): "scores alone are printed with -q",
}
"""What to do instead of options that other tools have; 'bleukit sacrebleu' takes those of sacreBLEU itself."""

_BY_OPTION = {name: hint for names, hint in _OPTIONS.items() for name in names}

_VARIANTS = {"spbleu": "sacrebleu-flores200", "bleu": "sacrebleu", "corpus_bleu": "nltk", "sentence_bleu": "nltk"}
"""Variants by other names than theirs."""


def for_option(error: click.NoSuchOption, arguments: Sequence[str] | None) -> str:
    """Return what to do instead of an option that a command does not have, or an empty text."""
    words = [word.partition("=")[0] for word in (sys.argv[1:] if arguments is None else arguments)]
    # click takes -tok for -t, -o and -k
    hint = next((_BY_OPTION[word] for word in words if word in _BY_OPTION and word.startswith(error.option_name)), "")
    return f"{hint}; sacreBLEU's own options are those of 'bleukit sacrebleu'" if hint else ""


def for_command(name: str, commands: Sequence[str]) -> str:
    """Return what to do instead of a command that does not exist."""
    if Path(name).exists() or "." in name:
        return "to score files: bleukit score -r REF HYP; with sacreBLEU's options: bleukit sacrebleu REF -i HYP"
    return near_misses(name, list(commands))


def for_variant(name: str) -> str:
    """Return the name that a variant has here, or an empty text."""
    return _VARIANTS.get(name.lower(), "")
