"""What is installed: recipes, plugins, compiled parts."""

import subprocess
import sys
from pathlib import Path

import pytest

import bleukit
from bleukit.loading.registry import also_installed

ROOT = Path(__file__).parents[1]


@pytest.fixture
def plugin(tmp_path, monkeypatch):
    """Count a plugin as installed that brings a good and a broken recipe, and what needs another package."""
    (tmp_path / "good.yaml").write_text("name: good\nvariant: nltk\n")
    (tmp_path / "broken.yaml").write_text("name: broken\ncolour: red\n")
    (tmp_path / "plugin_recipes.py").write_text(
        """'''Recipes of J. Doe et al. 2020, for `tests`: see there.'''
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
    with also_installed(["plugin_recipes"]):
        yield
    del sys.modules["plugin_recipes"]


def test_variants_are_the_named_recipes_that_can_be_loaded(plugin):
    variants = bleukit.variants()
    assert list(variants) == sorted(variants)
    assert variants["good"] == bleukit.load("nltk").variant
    assert "broken" not in variants
    with pytest.raises(bleukit.VariantError, match="colour: unknown key"):
        bleukit.load("broken")


def test_plugins_say_what_they_provide_and_need(plugin):
    found = {plugin.name: plugin for plugin in bleukit.plugins()}
    assert found["nltk"].provides["counter"] == ("nltk",)
    own = found["plugin_recipes"]
    assert own.description == "Recipes of J. Doe et al. 2020, for tests"
    assert own.provides == {"tokenizer": ("needy",), "variant": ("broken", "good")}
    assert own.needs == {"tokenizer": {"needy": "pip install no-such-distribution"}}
    assert own.to_dict()["provides"]["variant"] == ["broken", "good"]
    assert str(own) == "plugin_recipes (plugin_recipes unknown): Recipes of J. Doe et al. 2020, for tests"


def test_every_compiled_part_is_listed():
    sources = [*ROOT.glob("bleukit/**/*_compiled.pyx"), *ROOT.glob("plugins/**/*_compiled.pyx")]
    names = {".".join(source.relative_to(ROOT).with_suffix("").parts).removeprefix("plugins.") for source in sources}
    assert bleukit.compiled_parts().keys() >= names


def test_compiled_parts_that_are_missing_are_known():
    missing = "bleukit_sacrebleu.tokenizer_13a_compiled"
    code = f"import sys; sys.modules[{missing!r}] = None; import bleukit; print(bleukit.compiled_parts()[{missing!r}])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "False\n"
