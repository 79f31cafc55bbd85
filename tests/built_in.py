"""Writes the table of built-in plugins, bleukit/loading/built_in.py: ``python tests/built_in.py``."""

import math
from pathlib import Path

from bleukit import yaml_document
from bleukit.hookspecs import PROJECT
from bleukit.loading import built_in, entry_points, registry

TABLE = Path(built_in.__file__)
DEFAULT = yaml_document.read(TABLE.with_name("default.yaml")).data["variant"]


def plugins():
    """What the built-in plugins register, by module: names of components, and variants."""
    found = {}
    for entry in sorted(entry_points.of_group(PROJECT)):
        if entry.distribution == PROJECT:
            hooks = registry.loaded(entry.load, entry.name)
            components, variants = registry.offered_components(hooks), registry.offered_variants(hooks)
            found[entry.value] = (
                {kind: tuple(named) for kind, named in components.items() if named},
                {name: (Path(document.source).name, document.data) for name, document in variants.items()},
            )
    return found


def as_python(value):
    """A value as Python source; NaN has no literal."""
    if isinstance(value, dict):
        return "{" + "".join(f"{as_python(k)}: {as_python(v)}," for k, v in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "({})".format("".join(f"{as_python(v)}," for v in value)) if isinstance(value, tuple) else repr(value)
    return 'float("nan")' if isinstance(value, float) and math.isnan(value) else repr(value)


if __name__ == "__main__":
    kept = TABLE.read_text(encoding="utf-8").partition("DEFAULT = ")[0]
    TABLE.write_text(
        f"{kept}DEFAULT = {DEFAULT!r}\nPLUGINS: dict[str, Any] = {as_python(plugins())}\n", encoding="utf-8"
    )
