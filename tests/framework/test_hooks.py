"""Hooks and how they are called: pluggy's own features, plugins that are registered in any way, and from any thread."""

import ast
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

import bleukit.built_in
import pluggy
import pytest

import bleukit
from bleukit.bleu import hookspecs as bleu_hookspecs
from bleukit.framework import hookspecs
from bleukit.framework.registry import DISABLE, KINDS, Plugin, Registry, found_plugins

pytestmark = pytest.mark.oldest

ROOT = Path(__file__).parents[2]


def offered(registry, module=None):
    """Return what all plugins offer, or one module does, by kind and name."""
    return {
        (kind, name): entry.offered
        for kind in KINDS
        for name, entry in registry.of_kind(kind).items()
        if module in (None, entry.plugin.module)
    }


def problem(name="extra"):
    return next(plugin.problem for plugin in Registry(found_plugins()).plugins if plugin.name == name)


@pytest.fixture
def fresh_manager(monkeypatch):
    """Let the test begin with a manager that holds no plugin; return what begins again with another one."""

    def begin():
        held = pluggy.PluginManager(hookspecs.PROJECT)
        held.add_hookspecs(hookspecs)
        held.add_hookspecs(bleu_hookspecs)
        monkeypatch.setattr("bleukit.framework.registry._manager", held)
        monkeypatch.setattr("bleukit.framework.registry._offers", {})

    begin()
    return begin


@pytest.mark.parametrize("how", ["wrapper=True", "hookwrapper=True", "wrapper=True, tryfirst=True"])
@pytest.mark.parametrize("hook", ["bleukit_tokenizers", "bleukit_variants"])
def test_a_wrapper_is_refused_by_name(plugin, how, hook):
    plugin(f"@hookimpl({how})\ndef {hook}():\n    offered = yield\n    return {{**offered, 'a': str}}")
    expected = f"breaks a hook's contract: {hook} is implemented as a wrapper, which would change what other plugins"
    assert problem().startswith(expected)
    assert "13a" in Registry(found_plugins()).of_kind("tokenizer")


def test_a_wrapper_is_refused_by_the_name_of_its_hook(plugin):
    plugin("@hookimpl(wrapper=True, specname='bleukit_smoothings')\ndef own(): return (yield)")
    assert "bleukit_smoothings is implemented as a wrapper" in problem()


@pytest.mark.parametrize("how", ["tryfirst=True", "trylast=True", "specname='bleukit_tokenizers'", "optionalhook=True"])
def test_other_options_of_a_hook_are_pluggys(plugin, how):
    plugin(f"@hookimpl({how})\ndef {'own' if 'specname' in how else 'bleukit_tokenizers'}(): return {{'a': str}}")
    registry = Registry(found_plugins())
    assert str(registry.of_kind("tokenizer")["a"].plugin) == "plugin 'extra' of extra-dist 1.2"


def test_a_plugin_that_names_its_hooks_otherwise_stops_nobody_else(plugin):
    plugin("@hookimpl(specname='bleukit_tokenizers')\ndef own(): return {'a': str}", name="first")
    plugin("@hookimpl\ndef bleukit_tokenizers(): return {'b': str}", name="second")
    assert [problem("first"), problem("second")] == ["", ""]


def test_a_hook_that_bleukit_does_not_know_may_be_optional(plugin):
    plugin("@hookimpl(optionalhook=True)\ndef bleukit_future(): 1 / 0\n@hookimpl\ndef bleukit_tokenizers(): return {}")
    assert problem() == ""


@pytest.mark.parametrize(
    ("code", "message"),
    [
        (
            "def bleukit_tokenizers(): return None",
            "bleukit_tokenizers returns None, not a mapping of names to factories",
        ),
        ("def bleukit_variants(): pass", "bleukit_variants returns None, not a mapping of names to variants"),
        ("def bleukit_tokenizers(): yield 'a', str", "bleukit_tokenizers returns <generator object"),
    ],
)
def test_a_hook_that_returns_no_mapping_is_refused(plugin, code, message):
    plugin(f"@hookimpl\n{code}")
    assert problem().startswith(f"breaks a hook's contract: {message}")


def test_a_component_that_cannot_be_a_factory_is_refused(plugin):
    """An instance of a dataclass that is not frozen has no hash, which a factory needs."""
    plugin(
        "from dataclasses import dataclass\n@dataclass\nclass Words:\n    k: int = 1\n    __call__ = str.split\n"
        "@hookimpl\ndef bleukit_tokenizers(): return {'a': Words()}"
    )
    assert problem() == (
        "breaks a hook's contract: bleukit_tokenizers returns Words(k=1) under 'a'; expected a mapping of names to "
        "factories, or places 'module:name'"
    )


def test_a_plugin_may_implement_a_hook_more_than_once(plugin):
    more = "@hookimpl(specname='bleukit_tokenizers')\ndef more(): return {'b': str}"
    plugin(f"@hookimpl\ndef bleukit_tokenizers(): return {{'a': str}}\n{more}")
    assert {"a", "b"} <= Registry(found_plugins()).of_kind("tokenizer").keys()


BOTH = """
class Words:
    def __call__(self, text): return text.split()

@hookimpl
def bleukit_tokenizers(): return {"words": Words}

@hookimpl
def bleukit_variants(): return {"own": VARIANT}

VARIANT = bleukit.Variant(tokenizer="words", counter="clipped", reference_length="closest", smoothing="none")
"""


def test_a_module_offers_the_same_as_a_built_in_plugin_and_by_its_entry_point(plugin, fresh_manager):
    module = plugin(BOTH, name="both")
    installed = Registry(found_plugins())
    assert installed.plugins
    fresh_manager()
    own = [plugin for plugin in found_plugins() if plugin.is_built_in]
    built_in = Registry([*own, Plugin("both", module, "bleukit", "1.2")])
    assert offered(built_in, module) == offered(installed, module)
    assert set(offered(built_in, module)) == {("tokenizer", "words"), ("variant", "own")}
    assert set(offered(built_in)) == set(offered(installed))
    assert [plugin.problem for plugin in built_in.plugins] == [""] * len(installed.plugins)


def test_a_built_in_plugin_that_breaks_is_reported_as_any_other(plugin):
    module = plugin("1 / 0", name="both")
    registry = Registry([Plugin("both", module, "bleukit", "1.2"), *found_plugins()])
    problems = [found.problem for found in registry.plugins if found.module == module]
    assert len(problems) == 2
    assert all(problem.startswith("does not load: ZeroDivisionError: division by zero (") for problem in problems)


def test_what_is_added_to_a_built_in_plugin_is_there_at_once(tmp_path):
    package = Path(bleukit.__file__).parent
    skipped = shutil.ignore_patterns("__pycache__", "*.html")
    shutil.copytree(package, tmp_path / "bleukit", ignore=skipped)
    shutil.copytree(bleukit.built_in.__path__[0], tmp_path / "bleukit" / "built_in", ignore=skipped, dirs_exist_ok=True)
    coco = tmp_path / "bleukit" / "built_in" / "coco"
    (coco / "coco-in-points.yaml").write_text("name: coco-in-points\nvariant: coco\nscale: 100\n")
    with (coco / "__init__.py").open("a") as file:
        file.write("\nbleukit_tokenizers = offers({'letters': lambda: list})\n")
    code = """
import bleukit
import bleukit.built_in
bleu = bleukit.load("coco-in-points", tokenizer="letters")
print(bleu.tokenize("ab"), bleu.variant.scale, "with:" in bleu.signature, bleukit.__file__)
"""
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.stdout == f"['a', 'b'] 100 False {tmp_path / 'bleukit' / '__init__.py'}\n", done.stderr


def test_two_entry_points_of_one_module_clash(plugin):
    plugin(BOTH, name="first")
    plugin(BOTH, name="second", module="plugin_first")
    registry = Registry(found_plugins())
    assert not {"words", "own"} & {*registry.of_kind("tokenizer"), *registry.of_kind("variant")}
    clashes = [(clash.name, clash.first.name, clash.second.name) for clash in registry.clashes]
    assert clashes == [("words", "first", "second"), ("own", "first", "second")]


def test_two_distributions_may_give_their_entry_points_one_name(plugin, monkeypatch):
    plugin(BOTH, name="extra", module="plugin_one", distribution="one")
    plugin("@hookimpl\ndef bleukit_tokenizers(): return {'a': str}", module="plugin_two", distribution="two")
    tokenizers = Registry(found_plugins()).of_kind("tokenizer")
    assert str(tokenizers["words"].plugin) == "plugin 'extra' of one 1.2"
    assert str(tokenizers["a"].plugin) == "plugin 'extra' of two 1.2"
    monkeypatch.setenv(DISABLE, "extra")
    assert not {"words", "a"} & Registry(found_plugins()).of_kind("tokenizer").keys()


def test_plugins_can_be_registered_from_several_threads(plugin, fresh_manager):
    for number in range(4):
        plugin(BOTH.replace("words", f"words{number}").replace("own", f"own{number}"), name=f"number{number}")
    barrier, out = Barrier(8), sys.stdout

    def discovered(_):
        registry = Registry(found_plugins())
        barrier.wait()
        assert registry.plugins
        return registry

    with ThreadPoolExecutor(8) as pool:
        first, *others = pool.map(discovered, range(8))
    assert {f"words{number}" for number in range(4)} <= first.of_kind("tokenizer").keys()
    assert not first.warnings()
    assert all(offered(other) == offered(first) for other in others)
    assert sys.stdout is out


def test_a_name_is_found_by_a_thread_that_waits_for_its_plugin(plugin, fresh_manager):
    module = plugin("""
        import time

        @hookimpl
        def bleukit_tokenizers():
            time.sleep(0.2)
            return {"words": lambda: str.split}
    """)
    registry, barrier = Registry([Plugin("extra", module, "bleukit", "1.2")]), Barrier(4)

    def found(_):
        barrier.wait()
        return registry.get("tokenizer", "words")

    with ThreadPoolExecutor(4) as pool:
        assert all(pool.map(found, range(4)))


def test_a_hook_may_load_another_plugin(plugin, tmp_path):
    (tmp_path / "plugin_other.py").write_text(
        "import bleukit.plugin\n@bleukit.plugin.hookimpl\ndef bleukit_tokenizers(): return {'other': str}\n"
    )
    plugin("""
        @hookimpl
        def bleukit_tokenizers(): return {"words": lambda: str.split}

        @hookimpl
        def bleukit_variants():
            from bleukit.framework.registry import Registry
            assert list(Registry().with_modules(["plugin_other"]).of_kind("tokenizer")) == ["other"]
            return {}
    """)
    registry = Registry(found_plugins())
    assert "words" in registry.of_kind("tokenizer")
    assert "other" not in registry.of_kind("tokenizer")


@pytest.mark.skipif(not (ROOT / "plugins").exists(), reason="not in a checkout")
@pytest.mark.parametrize("path", [*ROOT.glob("plugins/**/*.py"), *ROOT.glob("examples/**/*.py")], ids=str)
def test_plugins_import_what_third_parties_may_import(path):
    imported = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            imported |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, "relative imports"
            imported.add(node.module)
    inside = {name for name in imported if name.partition(".")[0] == "bleukit"}
    assert {name for name in inside if not name.startswith("bleukit.built_in.")} <= {"bleukit", "bleukit.plugin"}
