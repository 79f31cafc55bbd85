"""Plugins: found, distinguished, and never allowed to become a silent number."""

import math
import sys
import textwrap
from importlib.abc import MetaPathFinder
from importlib.util import spec_from_file_location
from pathlib import Path

import pytest

import bleukit
from bleukit.bleu.hookspecs import COMPONENT_HOOKS
from bleukit.framework import creating, registry
from bleukit.framework.creating import options_of
from bleukit.framework.registry import DISABLE, UNTRUSTED_FILES, Registry, also_installed, found_plugins, installed

pytestmark = pytest.mark.oldest

PLUGINS = Path(__file__).parents[2] / "plugins"
HEADER = "import bleukit\nfrom bleukit.plugin import hookimpl\nfrom dataclasses import dataclass\n"


@pytest.fixture
def module(tmp_path, monkeypatch):
    """Write a plugin as a plain module beside a variant, and load the variant with it."""
    monkeypatch.chdir(tmp_path)

    def load(code, variant):
        (tmp_path / "plugin_module.py").write_text(HEADER + textwrap.dedent(code), encoding="utf-8")
        plugins = "" if variant.startswith("plugins:") else "plugins: [plugin_module]\n"
        (tmp_path / "variant.yaml").write_text(plugins + variant, encoding="utf-8")
        return bleukit.load(tmp_path / "variant.yaml")

    yield load
    sys.modules.pop("plugin_module", None)


VOWELS = """
    @hookimpl
    def bleukit_tokenizers():
        return {"vowels": lambda: lambda text: [letter for letter in text if letter in "aeiou"]}
"""


def problem_of(plugin_name="extra"):
    return next(plugin.problem for plugin in Registry(found_plugins()).plugins if plugin.name == plugin_name)


def test_an_installed_plugin_is_found_with_its_provenance(plugin):
    plugin(VOWELS)
    found = Registry(found_plugins()).of_kind("tokenizer")["vowels"].plugin
    assert str(found) == "plugin 'extra' of extra-dist 1.2"


def test_built_in_plugins_come_by_the_same_way():
    origins = {plugin.name: plugin.distribution for plugin in installed().plugins if plugin.distribution == "bleukit"}
    assert set(origins) == {path.parent.name for path in PLUGINS.glob("*/__init__.py")}


@pytest.mark.parametrize(
    ("code", "problem"),
    [
        ("raise RuntimeError('no\\nway')", "does not load: RuntimeError: no way"),
        ("import nowhere_to_be_found", "does not load: ModuleNotFoundError: No module named 'nowhere_to_be_found'"),
        ("raise SystemExit(3)", "does not load: SystemExit: 3"),
        ("def broken(:", "does not load: SyntaxError"),
        ("@hookimpl\ndef bleukit_tokenizer(): return {}", "unknown hook 'bleukit_tokenizer'; did you mean"),
        ("@hookimpl\ndef bleukit_tokenizers(a): return {}", "contract: PluginValidationError: Plugin 'plugin_extra'"),
        ("@hookimpl\ndef bleukit_tokenizers(): return [1]", "bleukit_tokenizers returns [1], not a mapping"),
        ("@hookimpl\ndef bleukit_tokenizers(): return {'a b': str}", "names are letters, digits and"),
        ("@hookimpl\ndef bleukit_tokenizers(): return {'a': 1}", "returns 1 under 'a'; expected"),
        ("def bleukit_tokenizers(): return {'a': str}", "does not load: bleukit_tokenizers lacks @hookimpl"),
        ("@hookimpl\ndef bleukit_tokenizers(): return {'a': 'nowhere'}", "or places 'module:name'"),
        ("@hookimpl\ndef bleukit_variants(): return {'a': 'a.yaml'}", "or the pathlib.Path of a file"),
        ("@hookimpl\ndef bleukit_tokenizers(): 1 / 0", "contract: ZeroDivisionError: division by zero ("),
        ("import json\n@hookimpl\ndef bleukit_tokenizers():\n return 1 / 0", "/plugin_extra.py:7)"),
        ("@hookimpl\ndef bleukit_tokenizers(): raise SystemExit('no')", "contract: SystemExit: no"),
        ("x = 1", "does not load: it implements no hook of bleukit"),
        ("@hookimpl\ndef bleukit_variants(): return ['nltk.yaml']", "not a mapping of names to variants"),
        ("@hookimpl\ndef bleukit_variants(): return {'a': 1}", "returns 1 under 'a'; expected a mapping"),
    ],
)  # fmt: skip
def test_a_broken_plugin_is_reported_and_the_rest_still_works(plugin, code, problem):
    plugin(code)
    assert problem in problem_of()
    assert "13a" in Registry(found_plugins()).of_kind("tokenizer")


def test_what_a_broken_plugin_would_have_brought_is_reported(plugin):
    plugin("raise RuntimeError('no way')")
    with pytest.raises(
        bleukit.VariantError, match="unknown tokenizer 'vowels'.*plugin 'extra' of extra-dist 1.2 is not loaded"
    ):
        creating.create(Registry(found_plugins()), "tokenizer", bleukit.Component("vowels"))


@pytest.fixture
def discovered(monkeypatch):
    """Let plugins that a test installs be found; those that were found before it are not looked at."""
    monkeypatch.setattr(registry, "_registries", [Registry(found_plugins())])


OTHER = VOWELS.replace('{"vowels"', '{"other": lambda: list, "vowels"')


def test_a_name_that_two_plugins_register_is_the_only_one_that_cannot_be_used(plugin, discovered, run):
    for name in ("first", "second", "third"):
        plugin(OTHER.replace("other", name), name, version="3")
    assert bleukit.load(tokenizer="second").tokenize("ab") == ["a", "b"]
    message = "tokenizer: two plugins register the tokenizer 'vowels', so that neither is used: plugin 'first' of "
    with pytest.raises(bleukit.VariantError, match=f"^{message}first-dist 3 and plugin 'second' of second-dist 3;"):
        bleukit.load(tokenizer="vowels")
    status, out, _ = run("plugins")
    assert (status, out.count("CLASH")) == (0, 3)
    listed = {plugin.name: plugin for plugin in bleukit.plugins()}
    assert listed["second"].provides == {"tokenizer": ("second",)}
    [clash] = listed["third"].clashes
    assert clash.startswith("two plugins register the tokenizer 'vowels', so that neither is used: plugin 'first' of ")
    assert run("variants")[0] == run("plugins", "--format", "json")[0] == 0


def test_a_name_of_bleukits_own_keeps_its_meaning_and_the_other_plugin_is_to_rename_it(plugin, discovered, run):
    plugin(OTHER.replace("vowels", "13a"))
    own = "plugin 'extra' of extra-dist 1.2 registers the tokenizer '13a', the name of one of bleukit's own: rename it"
    assert installed().plugins
    assert installed().warnings() == [own]
    assert bleukit.load(tokenizer="other").tokenize("ab") == ["a", "b"]
    assert bleukit.load(tokenizer="13a").tokenize("a.") == ["a", "."]
    status, out, _ = run("plugins")
    assert status == 0
    assert own in " ".join(out.split())


def test_a_component_is_imported_when_it_is_created(plugin, discovered, run, tmp_path):
    words = "class Words:\n    def __call__(self, text): return text.split()\n\nready = str.split\n"
    (tmp_path / "plugin_words.py").write_text(words)
    plugin("""
        @hookimpl
        def bleukit_tokenizers():
            broken = {"a": "plugin_words:none", "b": "plugin_nowhere:words"}
            return {"placed": "plugin_words:Words", "ready": "plugin_words:ready", **broken}
    """)
    assert {"placed", "ready", "a", "b"} <= installed().of_kind("tokenizer").keys()
    assert "plugin_words" not in sys.modules
    assert (
        bleukit.load(tokenizer="placed").tokenize("a b")
        == bleukit.load(tokenizer="ready").tokenize("a b")
        == ["a", "b"]
    )
    for name, message in (("a", "lacks plugin_words:none: Attr"), ("b", "lacks plugin_nowhere:words: ModuleNotFound")):
        with pytest.raises(bleukit.PluginError, match=f"^plugin 'extra' of extra-dist 1.2 {message}"):
            bleukit.load(tokenizer=name)
    assert "lacks plugin_words:none" in " ".join(run("plugins")[1].replace("\xa0", " ").split())
    assert run("config", "schema")[0] == 0


def test_a_module_that_is_asked_for_may_not_take_a_name_of_bleukits_own(module):
    message = r"plugins\[0\]: plugin 'plugin_module' registers the tokenizer '13a', .*: rename it$"
    with pytest.raises(bleukit.VariantError, match=message):
        module(VOWELS.replace("vowels", "13a"), "tokenizer: 13a")


@pytest.mark.parametrize(
    ("keys", "message"),
    [
        (
            {"tokenizer": "exp"},
            "^tokenizer: unknown tokenizer 'exp'; it is a smoothing: --set smoothing=exp, .*known: 13a",
        ),
        ({"tokenizer": "nltk"}, "^tokenizer: unknown tokenizer 'nltk'; it is a counter"),
        ({"tokenizer": "torchtext"}, "'torchtext'; it is a plugin, and `bleukit plugins` lists what that provides"),
        ({"tokenizer": {"name": "char", "k": 1}}, "^tokenizer.k: unknown option; 'char' takes no options$"),
        ({"plugins": ["sacrebleu_"]}, "does not load: there is no module 'sacrebleu_' where Python looks, and no /"),
        ({"plugins": ["nltk_"], "tokenizer": "char"}, "'nltk_' where Python looks, and no /.*/nltk_.py$"),
        ({"plugins": ["torchtext"]}, "; it is the name of plugin 'torchtext' of bleukit .*: no need to list it$"),
    ],
)
def test_what_is_meant_is_said(keys, message):
    with pytest.raises(bleukit.VariantError, match=message):
        bleukit.load(**keys)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        (
            "sacrebleo",
            "'sacrebleu' or 'sacrebleu-..' or 'sacrebleu-..'[?] `bleukit variants` lists all$",
        ),
        ("#", "^variant: unknown variant '#', and no program of this name is known; `bleukit variants` lists all$"),
        ("comet", "is known; `bleukit variants` lists all$"),  # as near to "onmt" as some typing errors to names
        ("ntlk", "did you mean 'nltk'[?] `bleukit"),
        ("keras", "did you mean 'keras-hub' or 'keras-nlp' or 'keras-hub-smooth'[?] `bleukit"),
    ],
)
def test_an_unknown_variant_is_told_the_nearest_three(name, message):
    with pytest.raises(bleukit.VariantError, match=message):
        bleukit.load(name)


@pytest.mark.parametrize("content", ["", "# nothing\n", "{}", "---\n"])
def test_an_empty_variant_file_is_refused(tmp_path, content):
    (tmp_path / "empty.yaml").write_text(content)
    with pytest.raises(bleukit.VariantError, match="expected keys such as `variant: nltk`, the file is empty$"):
        bleukit.load(tmp_path / "empty.yaml")


def test_a_path_that_no_file_has():
    with pytest.raises(bleukit.VariantError, match=r"^'a\\x00b.yaml': cannot be read: embedded null"):
        bleukit.load("a\0b.yaml")


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_built_in_components_refuse_options_that_are_not_finite(value):
    tried = set()
    for kind in COMPONENT_HOOKS:
        for name, registered in installed().of_kind(kind).items():
            accepted = options_of(registered.value).by_name
            for option in (option for option, parameter in accepted.items() if parameter.annotation is float):
                others = {other: 1.0 for other in accepted if other != option}
                with pytest.raises(bleukit.VariantError, match="finite"):
                    bleukit.load("sacrebleu", **{kind: {"name": name, **others, option: value}})
                tried.add(name)
    assert {"add-k", "floor", "nltk-method1", "added-lengths", "coco", "add-one", "e2e-metrics"} <= tried


def test_a_module_beside_a_file_does_not_replace_an_installed_one(tmp_path, monkeypatch):
    class Editable(MetaPathFinder):
        """Finds a module after all folders have been looked at, as editable installations do."""

        def find_spec(self, name, path, target=None):
            return spec_from_file_location(name, tmp_path / "installed.py") if name == "plugin_editable" else None

    (tmp_path / "installed.py").write_text(HEADER + textwrap.dedent(VOWELS))
    (tmp_path / "plugin_editable.py").write_text("raise SystemExit")
    (tmp_path / "own.yaml").write_text("plugins: [plugin_editable]")
    monkeypatch.setattr(sys, "meta_path", [*sys.meta_path, Editable()])
    with pytest.raises(bleukit.VariantError, match="plugin_editable.py has the name of another module, .*installed.py"):
        bleukit.load(tmp_path / "own.yaml")


@pytest.mark.parametrize(
    ("value", "left"), [("1", True), ("extra", True), ("other, extra", True), ("other", False), ("", False)]
)
def test_plugins_can_be_kept_out(plugin, monkeypatch, value, left):
    plugin(VOWELS)
    monkeypatch.setenv(DISABLE, value)
    tokenizers = Registry(found_plugins()).of_kind("tokenizer")
    assert ("vowels" not in tokenizers, "13a" in tokenizers) == (left, True)


def test_what_a_plugin_that_is_kept_out_may_have_brought_is_reported(plugin, monkeypatch):
    plugin(VOWELS)
    monkeypatch.setenv(DISABLE, "extra")
    with pytest.raises(bleukit.VariantError, match=f"unknown tokenizer 'vowels'.*; {DISABLE} keeps out plugin 'extra'"):
        creating.create(Registry(found_plugins()), "tokenizer", bleukit.Component("vowels"))


@pytest.mark.parametrize(
    ("value", "unknown"), [("extra, nltkk", ["nltkk"]), ("true", ["true"]), ("1", []), ("extra,", []), ("", [])]
)
def test_names_of_no_plugin_are_warned_about(plugin, monkeypatch, value, unknown):
    plugin(VOWELS)
    monkeypatch.setenv(DISABLE, value)
    warnings = Registry(found_plugins()).warnings()
    assert [warning.split("'")[1] for warning in warnings] == unknown
    assert all(warning.startswith(f"{DISABLE} names no plugin: ") for warning in warnings)


def test_a_module_counts_as_installed_for_a_while(tmp_path, monkeypatch):
    (tmp_path / "plugin_module.py").write_text(HEADER + textwrap.dedent(VOWELS))
    monkeypatch.chdir(tmp_path)
    for named in ("plugin_module", "plugin_module.py", str(tmp_path / "plugin_module.py")):
        with also_installed([named]):
            assert bleukit.load(tokenizer="vowels").tokenize("bleu") == ["e", "u"]
        assert "vowels" not in installed().of_kind("tokenizer")
        del sys.modules["plugin_module"]


LOADS_ITSELF = """
    @hookimpl
    def bleukit_variants():
        return {"own": bleukit.load("own", plugins=[__name__]).variant}
"""


def test_a_hook_that_loads_its_own_variant_is_told_so(plugin, discovered):
    plugin(LOADS_ITSELF)
    assert installed().plugins
    [warning] = installed().warnings()
    assert "breaks a hook's contract: plugins[0]: plugin 'plugin_extra' loads, in one of" in warning


LEAVES_A_MARK = "from pathlib import Path\nPath(__file__).with_suffix('.mark').touch()\n"


@pytest.mark.parametrize("named", ["plugin_module", "plugin_module.py", "./plugin_module.py"])
def test_an_untrusted_variant_file_imports_nothing(tmp_path, monkeypatch, named):
    (tmp_path / "plugin_module.py").write_text(LEAVES_A_MARK + HEADER + textwrap.dedent(VOWELS))
    (tmp_path / "variant.yaml").write_text(f"tokenizer: vowels\nplugins: [{named}]\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv(UNTRUSTED_FILES, "1")
    monkeypatch.setitem(sys.modules, "plugin_module", None)
    monkeypatch.delitem(sys.modules, "plugin_module")
    with pytest.raises(
        bleukit.VariantError, match=r"variant.yaml:2: plugins\[0\]: .* is not imported: variant files are"
    ):
        bleukit.load("variant.yaml")
    assert not (tmp_path / "plugin_module.mark").exists()
    with also_installed(["plugin_module"]):
        assert bleukit.load("variant.yaml").tokenize("bleu") == ["e", "u"]
    assert bleukit.load("variant.yaml", plugins=["plugin_module"]).tokenize("bleu") == ["e", "u"]
    monkeypatch.setenv(UNTRUSTED_FILES, "0")
    assert bleukit.load("variant.yaml").tokenize("bleu") == ["e", "u"]


def test_a_variant_names_the_file_of_a_module(module, tmp_path):
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "plugin_more.py").write_text(HEADER + textwrap.dedent(VOWELS.replace("vowels", "more")))
    assert module(VOWELS, "plugins: [sub/plugin_more.py]\ntokenizer: more").tokenize("bleu") == ["e", "u"]


def test_a_file_that_is_missing_or_hidden_by_another_is_reported(module, tmp_path):
    module(VOWELS, "tokenizer: vowels")
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "plugin_module.py").write_text("")
    with pytest.raises(bleukit.VariantError, match=r"sub/plugin_module.py has the name of another module"):
        bleukit.load(plugins=["plugin_module.py", "sub/plugin_module.py"])
    with pytest.raises(bleukit.VariantError, match=r"^plugins\[0\]: none.py: no such file"):
        bleukit.load(plugins=["none.py"])


def test_a_variant_brings_its_own_module(module):
    bleu = module(VOWELS, "tokenizer: vowels")
    assert bleu.tokenize("education") == ["e", "u", "a", "i", "o"]
    assert "|with:plugin_module sha256:" in bleu.corpus(["a"], ["a"]).signature


def test_the_code_of_a_module_is_part_of_the_signature(module):
    signatures = set()
    for code in (VOWELS, VOWELS.replace("aeiou", "aeiouy"), VOWELS):
        signatures.add(module(code, "tokenizer: vowels").signature)
        del sys.modules["plugin_module"]
    assert len(signatures) == 2


def test_the_code_of_a_package_is_part_of_the_signature(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "plugin_package").mkdir()
    places = "@hookimpl\ndef bleukit_tokenizers(): return {'own': 'plugin_package.own:own'}"
    (tmp_path / "plugin_package" / "__init__.py").write_text(HEADER + places)
    signatures = set()
    for code in ("own = str.split", "own = str.rsplit"):
        (tmp_path / "plugin_package" / "own.py").write_text(code)
        signatures.add(bleukit.load(plugins=["plugin_package"], tokenizer="own").signature)
        for name in ("plugin_package", "plugin_package.own"):
            del sys.modules[name]
    assert len(signatures) == 2


@pytest.mark.parametrize(("given", "written"), [(str.split, "builtins unknown"), (textwrap.wrap, "textwrap sha256:")])
def test_the_module_of_a_component_given_in_python_is_part_of_the_signature(given, written):
    assert f"|with:{written}" in bleukit.load(tokenizer=given).signature


def test_a_module_that_is_installed_already_does_not_clash_with_itself():
    assert bleukit.load("nltk", plugins=["bleukit.built_in.nltk"]).sentence("a b c d", "a b c d").value == 1


def test_a_module_that_does_not_load_was_asked_for(module):
    at = r"variant.yaml:1: plugins\[0\]: "
    with pytest.raises(bleukit.VariantError, match=at + "plugin 'plugin_module' does not load: ZeroDivisionError"):
        module("1 / 0", "")


def test_plugins_ship_variants_as_objects_and_files(module, tmp_path):
    (tmp_path / "own.yaml").write_text("name: own\nvariant: nltk\nscale: 100\n")
    code = """
        from pathlib import Path

        @hookimpl
        def bleukit_variants():
            return {"own": Path("own.yaml")}
    """
    bleu = module(code, "variant: own")
    assert bleu.sentence("a b c d", "a b c d").value == 100
    assert bleu.variant.name == "own"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("name: own\nvariant: own", "the variants own → own start from each other"),
        ("name: own\nvariant: nltk\nscale: 7", r"own.yaml:3: scale: expected 1 or 100"),
        ("name: own\ntokenizer: 13a", "missing required field `counter`"),
        ("name: own\ncolour: red", "own.yaml:2: colour: unknown key"),
    ],
)
def test_a_broken_variant_of_a_plugin_is_reported_with_its_file(module, tmp_path, content, message):
    (tmp_path / "own.yaml").write_text(content)
    code = "import pathlib\n@hookimpl\ndef bleukit_variants(): return {'own': pathlib.Path('own.yaml')}"
    with pytest.raises(bleukit.VariantError, match=message):
        module(code, "variant: own")


@pytest.mark.parametrize(
    ("returned", "message"),
    [
        ("lambda: lambda text: iter(text)", "returns a str_.*iterator, not a sequence of tokens"),
        ("lambda: lambda text: exit(3)", "fails with SystemExit: 3, for the text 'a b'"),
        ("lambda: exit(3)", "cannot be created: SystemExit: 3"),
        ("lambda: lambda text: 1 / 0", "tokenizer 'odd' .* fails with ZeroDivisionError"),
        ("lambda: 7", "tokenizer 'odd' of plugin 'plugin_module' is not callable but 7"),
        ("lambda: 1 / 0", "tokenizer 'odd' of plugin 'plugin_module' cannot be created: ZeroDivisionError"),
    ],
)
def test_a_tokenizer_that_breaks_its_contract_gives_no_number(module, returned, message):
    with pytest.raises(bleukit.PluginError, match=message):
        module(f"@hookimpl\ndef bleukit_tokenizers(): return {{'odd': {returned}}}", "tokenizer: odd").corpus(
            ["a b"], ["a"]
        )


@pytest.mark.parametrize("threads", [1, 2, 4])
def test_the_first_segment_at_fault_is_counted_over_the_whole_corpus(module, threads):
    code = """
    def picky(hypothesis, references, max_order):
        return ([0], [1 / len(hypothesis) and len(hypothesis)])

    @hookimpl
    def bleukit_ngram_counters(): return {"picky": lambda: picky}
    """
    bleu = module(code, "counter: picky\nweights: [1]")
    hypotheses = ["a"] * 6000
    hypotheses[2999] = hypotheses[3999] = hypotheses[5999] = ""
    with pytest.raises(bleukit.PluginError, match="ZeroDivisionError.*, for segment 3000, counted from 1"):
        bleu.corpus(hypotheses, [["a", "b"]] * 6000, threads=threads)


def test_a_broken_plugin_that_a_variant_asks_for_is_an_error(plugin, discovered):
    name = plugin("1 / 0")
    with pytest.raises(bleukit.VariantError, match="plugin 'extra' of extra-dist 1.2 does not load: ZeroDivisionError"):
        bleukit.load(plugins=[name])


def test_a_module_is_not_taken_for_another_of_its_name(module, tmp_path):
    module(VOWELS, "tokenizer: vowels")
    other = tmp_path / "other"
    other.mkdir()
    (other / "plugin_module.py").write_text("")
    (other / "variant.yaml").write_text("plugins: [plugin_module]")
    with pytest.raises(bleukit.VariantError, match="has the name of another module"):
        bleukit.load(other / "variant.yaml")


@pytest.mark.parametrize(
    ("known_by", "error", "message"),
    [
        ("distributions =", bleukit.NotInstalledError, "'resting' needs what .*: pip install no-such-distribution"),
        (
            "def __init__(self): self.distributions =",
            bleukit.PluginError,
            "needs 'no-such-distribution', which is not installed",
        ),
    ],
)
def test_what_a_component_rests_on_must_be_installed(module, known_by, error, message):
    code = f"""
    class Tokenizer:
        {known_by} ("no-such-distribution",)
        def __call__(self, text): return text.split()

    @hookimpl
    def bleukit_tokenizers(): return {{"resting": Tokenizer}}
    """
    with pytest.raises(error, match=message):
        module(code, "tokenizer: resting").corpus(["a"], ["a"])


def test_the_plugins_of_the_variant_it_starts_from_are_loaded_too(module, tmp_path):
    (tmp_path / "plugin_of_a_start.py").write_text(HEADER + textwrap.dedent(VOWELS))
    code = """
    @hookimpl
    def bleukit_variants():
        variant = bleukit.load("nltk").variant
        import msgspec
        tokenizer = bleukit.Component("vowels")
        return {"own": msgspec.structs.replace(variant, name="", tokenizer=tokenizer, plugins=("plugin_of_a_start",))}
    """
    assert module(code, "variant: own").tokenize("bleu") == ["e", "u"]


BATCH = """
    class Batch:
        def __call__(self, *arguments):
            raise AssertionError("the batch method is there to be used")
"""


def test_batch_methods_are_used_where_they_are_offered(module):
    code = (
        BATCH
        + """
    import numpy as np
    class Tokenizer(Batch):
        def batch(self, texts): return [text.split() for text in texts]
    class Counter(Batch):
        def batch(self, hypotheses, references, max_order):
            totals = np.array([[len(hypothesis)] for hypothesis in hypotheses])
            return totals - 1, totals
    class Length(Batch):
        def batch(self, hypothesis_lengths, reference_lengths): return np.array([len(r) for r in reference_lengths])
    class Smoothing(Batch):
        def batch(self, counts): return counts.matches / counts.totals

    @hookimpl
    def bleukit_tokenizers(): return {"batch": Tokenizer}
    @hookimpl
    def bleukit_ngram_counters(): return {"batch": Counter}
    @hookimpl
    def bleukit_reference_lengths(): return {"batch": Length}
    @hookimpl
    def bleukit_smoothings(): return {"batch": Smoothing}
    """
    )
    variant = "tokenizer: batch\ncounter: batch\nreference_length: batch\nsmoothing: batch\nweights: [1]\nscale: 1"
    bleu = module(code, variant)
    statistics = bleu.statistics(["a b", "c d e f"], ["a", ["x", "y"]])
    assert (statistics.matches.tolist(), statistics.totals.tolist()) == ([[1], [3]], [[2], [4]])
    assert statistics.reference_length.tolist() == [1, 2]
    assert bleu.score_columns(statistics).value.tolist() == [1 / 2, 3 / 4]


def test_a_batch_of_the_wrong_size_gives_no_number(module):
    code = (
        BATCH
        + """
    class Tokenizer(Batch):
        def batch(self, texts): return [["a"]]

    @hookimpl
    def bleukit_tokenizers(): return {"batch": Tokenizer}
    """
    )
    with pytest.raises(bleukit.PluginError, match="returns 1 result for a batch of 2"):
        module(code, "tokenizer: batch").corpus(["a", "b"], ["a", "b"])


OPTIONS = """
    from typing import TYPE_CHECKING
    if TYPE_CHECKING:
        from nowhere import Unknown

    @dataclass(frozen=True)
    class Repeat:
        times: int
        words: tuple[str, ...] = ()
        def __call__(self, text): return [*self.words, *text.split()] * self.times

    def factory(a, *, b: "Unknown" = 2, c: "int" = 3, path: "Path | None" = None, d: "dict[str, list[int]]" = {}):
        return lambda text: [str(a), str(b)]

    def options(**options): return lambda text: sorted(options)

    @hookimpl
    def bleukit_tokenizers():
        return {"repeat": Repeat, "factory": factory, "any": options}
"""


@pytest.mark.parametrize(
    ("tokenizer", "tokens"),
    [
        ("{name: repeat, times: 2, words: [a, b]}", ["a", "b", "x", "a", "b", "x"]),
        ("{name: factory, a: 1}", ["1", "2"]),
        ("{name: any, p: 1, q: 2}", ["p", "q"]),
    ],
)
def test_options_are_the_keyword_arguments_of_the_factory(module, tokenizer, tokens):
    assert module(OPTIONS, f"tokenizer: {tokenizer}").tokenize("x") == tokens


@pytest.mark.parametrize(
    ("tokenizer", "message"),
    [
        ("repeat", r"variant.yaml:2: tokenizer: 'repeat' needs the option 'times' \(times: int\)"),
        ("{name: repeat, times: 1.5}", r"tokenizer.times: expected a whole number, got a number"),
        ("{name: repeat, times: 1, words: [1]}", r"tokenizer.words\[0\]: expected text, got a whole number"),
        ("{name: factory, a: 1, c: x}", "tokenizer.c: expected a whole number, got text"),
        ("{name: factory, a: 1, d: {x: [1, y]}}", "tokenizer.d: expected a whole number, got text"),
        ("{name: repeat, tims: 1}", "tokenizer.tims: unknown option; did you mean 'times'"),
    ],
)
def test_options_that_do_not_fit_are_reported(module, tokenizer, message):
    with pytest.raises(bleukit.VariantError, match=message):
        module(OPTIONS, f"tokenizer: {tokenizer}")


@pytest.mark.parametrize(
    ("registered", "message"),
    [
        ("str.split", "does not accept its options: .*; if what is registered is the tokenizer itself, .* must"),
        ("own", "needs the option 'text' .text.; if what .* is the tokenizer itself, .* `lambda: str.split` does$"),
        ("lambda text: [text]", "; if what is registered is the tokenizer itself, .* a factory that returns it, as"),
        ("Own()", "if what is registered is the tokenizer itself"),
        ("list", r"is not callable but \[\]: a plugin registers a factory, which returns the tokenizer"),
    ],
)  # fmt: skip
def test_a_component_registered_in_place_of_its_factory_is_explained(module, registered, message):
    code = f"""
        def own(text): return text.split()

        class Own:
            def __call__(self, text): return text.split()

        @hookimpl
        def bleukit_tokenizers(): return {{"odd": {registered}}}
    """
    with pytest.raises(bleukit.BleukitError, match=message):
        module(code, "tokenizer: odd")


def test_a_plugin_that_brings_a_variant_and_its_components_is_named_once_in_the_signature(module):
    code = """
        @hookimpl
        def bleukit_tokenizers(): return {"own": lambda: str.split}

        @hookimpl
        def bleukit_smoothings(): return {"own": lambda: lambda counts: [1.0] * len(counts.matches)}

        @hookimpl
        def bleukit_variants():
            components = {"tokenizer": "own", "counter": "clipped", "reference_length": "closest", "smoothing": "own"}
            return {"own": bleukit.Variant(**components)}
    """
    signature = module(code, "variant: own").corpus(["a"], ["a"]).signature
    assert signature.count("with:") == signature.count("plugin_module") == 1
