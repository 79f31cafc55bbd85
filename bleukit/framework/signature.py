"""The signature of a score, written: everything needed to reproduce the number, on one line.

It is ``variant:NAME|references:2|tokenizer:13a|…|bleukit:0.1.0``, or ``metric:NAME|…``. ``with:`` lists name and
version of what else can change the number. ``%``, ``|``, ``,`` and spaces in those names are percent-encoded, so that
the fields remain separate.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import quote

from bleukit.framework.creating import version_of
from bleukit.framework.errors import PluginError
from bleukit.framework.hookspecs import PROJECT

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from bleukit.framework.creating import LoadedComponent
    from bleukit.framework.options import Component
    from bleukit.framework.registry import Plugin


class SignaturePart(NamedTuple):
    """A part of a signature: what determines the statistics, or the score of given statistics.

    ``versions`` are of what else than bleukit can change that. ``python_objects`` are the components that were passed
    in Python: only parts with equal ones are equal, because two objects may have one name.
    """

    fields: tuple[tuple[str, str], ...]
    versions: tuple[tuple[str, str], ...] = ()
    python_objects: tuple[Component, ...] = ()

    def __str__(self) -> str:
        return "|".join([*_written_fields(self.fields), *_written_versions(self.versions)])


@lru_cache(256)
def score_signature(  # noqa: PLR0913
    label: str,
    references: tuple[int, int] | None,
    counting: SignaturePart | str,
    scoring: SignaturePart,
    called: str = "",
    kind: str = "variant",
) -> str:
    """Return the whole signature; ``references`` are the fewest and the most of a segment, None for any number.

    ``counting`` is a str for statistics that were not counted by a variant. ``called`` is the name of a program by
    which the variant was chosen. ``kind`` says what the label is: that of a variant, or of a metric beside BLEU.
    """
    fewest, most = references or ("any", "any")
    counted = (
        counting if isinstance(counting, SignaturePart) else SignaturePart((("counts", counting.partition(":")[2]),))
    )
    name = (("called", _escaped(called)),) if called else ()
    head = (kind, label), *name, ("references", str(fewest) if fewest == most else f"{fewest}-{most}")
    versions = dict(counted.versions + scoring.versions).items()
    scored = dict(scoring.fields)
    counting_fields = (field for field in counted.fields if field[0] not in scored and field[0] != kind)
    written = *_written_fields(head), *_written_fields(counting_fields), *_written_versions(versions)
    return "|".join([*written, *_written_fields(scoring.fields)])


def with_versions(signature: str, versions: Mapping[str, str]) -> str:
    """Return a signature that names, by name and version, what else the score was computed with."""
    fields = signature.split("|")
    index = next(i for i, field in enumerate(fields) if field.startswith(("with:", "smoothing:", f"{PROJECT}:")))
    before = [fields.pop(index)] if fields[index].startswith("with:") else []
    written = ",".join(field.removeprefix("with:") for field in (*before, *_written_versions(versions.items())))
    return "|".join([*fields[:index], *filter(None, [written and f"with:{written}"]), *fields[index:]])


def versions_of(components: Iterable[LoadedComponent]) -> dict[str, str]:
    """Return name and version of everything, apart from bleukit, that can change what the components return."""
    versions: dict[str, str] = {}
    for component in components:
        versions |= version_of_plugin(component.plugin)
        for name in component.promise("distributions") or ():
            versions[name] = version_of(name)
            if not versions[name]:
                raise PluginError(f"{component} needs {name!r}, which is not installed")
        versions |= component.promise("fingerprints") or {}
    return versions


def versions_written(component: LoadedComponent) -> str:
    """Return the versions that a component brings into a signature, as they are written there; empty for none."""
    return next(_written_versions(versions_of([component]).items()), "").removeprefix("with:")


def version_of_plugin(plugin: Plugin) -> dict[str, str]:
    """Return name and version of a plugin that is not built in."""
    if plugin.is_built_in or not plugin.module:
        return {}
    return {plugin.distribution or plugin.module: plugin.version or "unknown"}


def _written_fields(fields: Iterable[tuple[str, str]]) -> Iterator[str]:
    return (f"{key}:{value}" for key, value in fields)


def _written_versions(versions: Iterable[tuple[str, str]]) -> Iterator[str]:
    written = ",".join(f"{_escaped(name)} {_escaped(version)}" for name, version in versions)
    if written:
        yield f"with:{written}"


def _escaped(text: str) -> str:
    """Percent-encode what separates fields, versions and their names, and what is not printable."""
    return "".join(quote(c, safe="", errors="surrogatepass") if c in "%|, " or not c.isprintable() else c for c in text)


def unbroken(signature: str) -> str:
    """Return a signature on one line, as it was before a command or a terminal added to it."""
    signature = re.sub(r"^#?\s*signature:?\s+", "", signature.strip())
    return re.sub(r"\|\s+", "|", signature)  # as a terminal may have broken it


def signature_fields(signature: str) -> dict[str, str]:
    """Return the fields of a signature of bleukit; the line that a command prints, ``signature …``, is read, too."""
    return dict(field.partition(":")[::2] for field in unbroken(signature).split("|"))
