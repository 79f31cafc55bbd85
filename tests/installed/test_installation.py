"""What is installed: variants, plugins, compiled parts."""

import subprocess
import sys
from pathlib import Path

import pytest
from uncompiled import uncompiled

import bleukit
from bleukit.framework.registry import also_installed

pytestmark = pytest.mark.oldest

ROOT = Path(__file__).parents[2]


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

@bleukit.plugin.hookimpl
def bleukit_tokenizers(): return {"needy": Needy}

@bleukit.plugin.hookimpl
def bleukit_variants(): return {name: pathlib.Path(__file__).with_name(f"{name}.yaml") for name in ("good", "broken")}
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


@pytest.mark.oldest
def test_plugins_say_what_they_provide_and_need(plugin):
    found = {plugin.name: plugin for plugin in bleukit.plugins()}
    own = [name for name, plugin in found.items() if plugin.distribution == "bleukit"]
    assert own == sorted(own)
    assert found["nltk"].provides["counter"] == ("nltk",)
    own = found["plugin_variants"]
    assert own.description == "Variants of J. Doe et al. 2020, for tests"
    assert own.provides == {"tokenizer": ("needy",), "variant": ("broken", "good")}
    assert own.needs == {"tokenizer": {"needy": "pip install no-such-distribution"}}
    assert own.to_dict()["provides"]["variant"] == ["broken", "good"]
    assert own.version.startswith("sha256:")
    assert str(own) == f"plugin_variants (plugin_variants {own.version}): Variants of J. Doe et al. 2020, for tests"


@pytest.mark.oldest
def test_every_compiled_part_is_listed():
    sources = [*ROOT.glob("bleukit/**/*_compiled.pyx"), *ROOT.glob("plugins/**/*_compiled.pyx")]
    paths = {".".join(source.relative_to(ROOT).with_suffix("").parts) for source in sources}
    names = {
        path.replace("plugins.", "bleukit.built_in.", 1) if path.startswith("plugins.") else path for path in paths
    }
    code = "import bleukit; print(*bleukit.compiled_parts())"  # before anything else is imported
    listed = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert {*listed} >= names


def test_compiled_parts_that_are_missing_are_known():
    missing = "bleukit.framework.rule_tokenizer_compiled"
    code = f"import sys; sys.modules[{missing!r}] = None; import bleukit; print(bleukit.compiled_parts()[{missing!r}])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "False\n"


def test_a_second_copy_of_a_module_without_its_compiled_part_does_not_change_what_is_compiled():
    before = bleukit.compiled_parts()
    copy = uncompiled("bleukit.reading.files")
    assert copy._compiled.module is None
    assert bleukit.compiled_parts() == before


def test_the_source_folder_says_that_it_is_not_what_is_installed(tmp_path):
    (tmp_path / "bleukit").symlink_to(ROOT / "bleukit")
    program = [sys.executable, "-S", "-c", "import bleukit"]  # without site-packages, where an editable install is
    done = subprocess.run(program, cwd=tmp_path, capture_output=True, text=True, check=False)
    last = done.stderr.splitlines()[-1]
    assert last.startswith(f"ImportError: {tmp_path / 'bleukit'} is bleukit's source folder, which lacks the built-in")
    assert last.endswith(f"or install this one by 'pip install -e {ROOT}'")


@pytest.mark.parametrize("command", ["score -h", "sacrebleu --version", "conform --certify standard --quick"])
def test_no_module_of_the_current_folder_is_imported(tmp_path, monkeypatch, command):
    monkeypatch.setenv("BLEUKIT_DISABLE_PLUGINS", "1")
    for name in ("click", "hypothesis", "json", "msgspec", "numpy", "pickle", "re", "sacrebleu"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit(__file__)")
    program = [sys.executable, "-m", "bleukit", *command.split()]
    done = subprocess.run(program, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
