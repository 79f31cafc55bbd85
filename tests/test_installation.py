"""What is installed: variants, plugins, compiled parts."""

import subprocess
import sys
from pathlib import Path

import built_in as table
import pytest

import bleukit
from bleukit.loading import built_in, entry_points, registry
from bleukit.loading.registry import also_installed

ROOT = Path(__file__).parents[1]


@pytest.fixture
def plugin(tmp_path, monkeypatch):
    """Count a plugin as installed that brings a good and a broken variant, and what needs another package."""
    (tmp_path / "good.yaml").write_text("name: good\nvariant: nltk\n")
    (tmp_path / "broken.yaml").write_text("name: broken\ncolour: red\n")
    (tmp_path / "plugin_variants.py").write_text(
        """'''Variants of J. Doe et al. 2020, for `tests`: see there.'''
import bleukit, pathlib

class Needy:
    distributions = ("no-such-distribution",)

@bleukit.hookimpl
def bleukit_tokenizers(): return {"needy": Needy}

@bleukit.hookimpl
def bleukit_variants(): return [pathlib.Path(__file__).with_name(f"{name}.yaml") for name in ("good", "broken")]
"""
    )
    monkeypatch.chdir(tmp_path)
    with also_installed(["plugin_variants"]):
        yield
    del sys.modules["plugin_variants"]


def test_variants_are_the_named_variants_that_can_be_loaded(plugin):
    variants = bleukit.variants()
    assert list(variants) == sorted(variants)
    assert variants["good"] == bleukit.load("nltk").variant
    assert "broken" not in variants
    with pytest.raises(bleukit.VariantError, match="colour: unknown key"):
        bleukit.load("broken")


def test_plugins_say_what_they_provide_and_need(plugin):
    found = {plugin.name: plugin for plugin in bleukit.plugins()}
    assert found["nltk"].provides["counter"] == ("nltk",)
    own = found["plugin_variants"]
    assert own.description == "Variants of J. Doe et al. 2020, for tests"
    assert own.provides == {"tokenizer": ("needy",), "variant": ("broken", "good")}
    assert own.needs == {"tokenizer": {"needy": "pip install no-such-distribution"}}
    assert own.to_dict()["provides"]["variant"] == ["broken", "good"]
    assert str(own) == "plugin_variants (plugin_variants unknown): Variants of J. Doe et al. 2020, for tests"


def test_every_compiled_part_is_listed():
    sources = [*ROOT.glob("bleukit/**/*_compiled.pyx"), *ROOT.glob("plugins/**/*_compiled.pyx")]
    names = {".".join(source.relative_to(ROOT).with_suffix("").parts).removeprefix("plugins.") for source in sources}
    assert bleukit.compiled_parts().keys() >= names


def test_compiled_parts_that_are_missing_are_known():
    missing = "bleukit_sacrebleu.tokenizer_13a_compiled"
    code = f"import sys; sys.modules[{missing!r}] = None; import bleukit; print(bleukit.compiled_parts()[{missing!r}])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "False\n"


def test_the_table_of_built_in_plugins_is_what_they_register():
    assert repr(built_in.PLUGINS) == repr(table.plugins()), "run: python tests/built_in.py && ruff format"
    assert table.DEFAULT == built_in.DEFAULT


def test_variants_of_the_table_know_their_lines():
    file, _, line = registry.installed().variant("sacrebleu").where(("weights", 2)).rpartition(":")
    assert Path(file).name == "sacrebleu.yaml"
    assert Path(file).read_text(encoding="utf-8").splitlines()[int(line) - 1].startswith("weights: ")


@pytest.fixture
def site(tmp_path, monkeypatch):
    """A folder with bleukit as the only distribution, where Python looks first, and last."""

    def distribution(name, entries, metadata="METADATA", suffix="dist-info"):
        folder = tmp_path / f"{name}-1.0.{suffix}"
        folder.mkdir()
        (folder / metadata).write_text(f"Metadata-Version: 2.4\nName: {name}\nVersion: 1.0\n\nText: Name: x\n")
        (folder / "entry_points.txt").write_text(entries)

    distribution(
        "bleukit", "[console_scripts]\nx = y:z\n\n[bleukit]\nnltk = bleukit_nltk\nmoses=bleukit_moses\n[other]\na = b\n"
    )
    monkeypatch.setattr(sys, "path", [str(tmp_path), str(tmp_path / "nothing")])
    return distribution


OWN = [("moses", "bleukit_moses", "bleukit", "1.0"), ("nltk", "bleukit_nltk", "bleukit", "1.0")]


@pytest.mark.parametrize("entries", ["[console_scripts]\nx = y\n", "[bleukit]\nz = other\n"])
def test_entry_points_are_those_of_the_standard_library(site, entries):
    site("other", entries)
    expected = [*OWN, ("z", "other", "other", "1.0")] if "bleukit" in entries else OWN
    assert sorted(entry[:4] for entry in entry_points.of_group("bleukit")) == expected
    assert sorted(entry[:4] for entry in entry_points._of_all("bleukit")) == expected
    assert (entry_points._of_bleukit_alone("bleukit") is None) is ("bleukit" in entries)


@pytest.mark.parametrize("what", ["zip", "finder", "attribute"])
def test_what_only_the_standard_library_can_read_is_left_to_it(site, tmp_path, monkeypatch, what):
    if what == "zip":
        (tmp_path / "some.zip").write_bytes(b"")
        monkeypatch.setattr(sys, "path", [*sys.path, str(tmp_path / "some.zip")])
    elif what == "finder":
        monkeypatch.setattr(sys, "meta_path", [*sys.meta_path, type("F", (), {"find_distributions": lambda *_: ()})()])
    else:
        (tmp_path / "bleukit-1.0.dist-info" / "entry_points.txt").write_text("[bleukit]\na = b:c\n")
    assert entry_points._of_bleukit_alone("bleukit") is None


def test_a_small_score_imports_no_more_than_it_needs(tmp_path):
    if entry_points._of_bleukit_alone("bleukit") is None:
        pytest.skip("plugins of others are installed")
    (tmp_path / "text").write_text("a b c d\n")
    code = """
import sys
import click, msgspec, pluggy
needed = {*sys.modules}
from bleukit.cli import main
try:
    main(["score", "-r", "text", "text"])
except SystemExit as end:
    assert end.code == 0
unneeded = {"csv", "yaml", "rich", "importlib.metadata", "bleukit_nltk"}
print(unneeded & {*sys.modules} - needed)
"""
    result = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert result.stdout.splitlines()[-1] == "set()"
