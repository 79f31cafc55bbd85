"""The components of BLEU as Papineni et al. 2002 define them, after https://en.wikipedia.org/wiki/BLEU."""

from typing import Any

from bleukit.plugin import hookimpl


@hookimpl
def bleukit_tokenizers() -> dict[str, Any]:
    return {
        "whitespace": f"{__name__}.tokenizers:WHITESPACE",
        "char": f"{__name__}.tokenizers:CHARACTERS",
    }


@hookimpl
def bleukit_ngram_counters() -> dict[str, Any]:
    return {
        "clipped": f"{__name__}.counters:Clipped",
        "unclipped": f"{__name__}.counters:Unclipped",
    }


@hookimpl
def bleukit_reference_lengths() -> dict[str, Any]:
    return {
        "closest": f"{__name__}.reference_lengths:CLOSEST",
        "shortest": f"{__name__}.reference_lengths:SHORTEST",
        "longest": f"{__name__}.reference_lengths:LONGEST",
        "average": f"{__name__}.reference_lengths:AVERAGE",
    }


@hookimpl
def bleukit_smoothings() -> dict[str, Any]:
    return {"none": f"{__name__}.scoring:Unsmoothed"}


@hookimpl
def bleukit_brevity_penalties() -> dict[str, Any]:
    return {
        "standard": f"{__name__}.scoring:STANDARD",
        "added-lengths": f"{__name__}.scoring:AddedLengths",
        "none": f"{__name__}.scoring:NoPenalty",
    }
