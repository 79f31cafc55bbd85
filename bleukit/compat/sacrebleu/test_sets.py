"""The test sets that sacreBLEU knows by name, in its own cache."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from sacrebleu import utils

from bleukit.framework.errors import InputError


def reference_files(name: str, pair: str) -> list[str]:
    """Return the files of references of a test set; sacreBLEU downloads what is missing.

    Raises InputError if there is no such test set or language pair, or if sacreBLEU cannot read it.
    """
    _require_pair(name, pair)
    try:
        files: list[str] = utils.get_reference_files(name, pair)
    except (Exception, SystemExit) as error:  # sacreBLEU may end the process
        raise InputError(f"sacreBLEU: {error}") from error
    return files


def require_cached(name: str, pair: str | None = None) -> None:
    """Raise InputError if sacreBLEU would download something in order to read a test set, or as above."""
    dataset = _require_pair(name, pair)
    folder = Path(utils.SACREBLEU_DIR) / name / "raw"
    archives = [folder / f"{name.replace('/', '_')}.{address.rpartition('/')[2]}" for address in dataset.data]
    if not all(archive.is_file() and archive.stat().st_size for archive in archives):
        command = f"sacrebleu --download {name} -l {pair or next(iter(dataset.langpairs))}"
        raise InputError(f"-t: {name} is not in sacreBLEU's cache, {utils.SACREBLEU_DIR}; this gets it: {command}")


def _require_pair(name: str, pair: str | None) -> Any:
    """Return the test set, which must have the language pair if one is given."""
    if name not in utils.DATASETS:
        raise InputError(f"-t: unknown test set {name!r}; --list lists those that there are")
    pairs = utils.get_langpairs_for_testset(name)
    if pair is not None and pair not in pairs:
        raise InputError(f"-l: {name} has no {pair!r}, but {', '.join(pairs)}")
    return utils.DATASETS[name]
