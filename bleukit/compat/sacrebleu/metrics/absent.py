"""What sacreBLEU has and bleukit has not."""

from __future__ import annotations

from typing import NoReturn


def refuse(module: str, name: str) -> NoReturn:
    """Raise AttributeError, which names sacreBLEU if the name is one of chrF or TER."""
    for metric in ("chrF", "TER"):
        if metric.lower() in name.lower().replace("_", " ").split() or name.lower().startswith(metric.lower()):
            raise AttributeError(
                f"module {module!r} has no {name!r}: bleukit computes BLEU; use sacreBLEU for {metric}"
            )
    raise AttributeError(f"module {module!r} has no attribute {name!r}")
