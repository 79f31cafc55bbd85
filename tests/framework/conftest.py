"""Plugins that are installed for one test."""

import sys
import textwrap

import pytest

HEADER = "import bleukit\nfrom bleukit.plugin import hookimpl\nfrom dataclasses import dataclass\n"


@pytest.fixture
def plugin(tmp_path, monkeypatch):
    """Write a plugin as an installed distribution with an entry point, on a path of its own."""
    monkeypatch.syspath_prepend(tmp_path)

    def write(code, name="extra", module=None, version="1.2", distribution=None):
        module = module or f"plugin_{name}"
        distribution = distribution or f"{name}-dist"
        (tmp_path / f"{module}.py").write_text(HEADER + textwrap.dedent(code), encoding="utf-8")
        info = tmp_path / f"{distribution.replace('-', '_')}-{version}.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {distribution}\nVersion: {version}\n")
        (info / "entry_points.txt").write_text(f"[bleukit]\n{name} = {module}\n")
        return module

    yield write
    for module in [module for module in sys.modules if module.startswith("plugin_")]:
        del sys.modules[module]
