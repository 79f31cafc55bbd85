"""The conformance suite inside another project's tests."""

import pytest

pytestmark = pytest.mark.example

PLUGIN = """
import bleukit

@bleukit.plugin.hookimpl
def bleukit_tokenizers(): return {"own": lambda: TOKENIZE}

@bleukit.plugin.hookimpl
def bleukit_variants():
    components = {"tokenizer": "own", "counter": "clipped", "reference_length": "shortest", "smoothing": "none"}
    return {"own-variant": bleukit.Variant(name="own-variant", **components)}
"""


@pytest.fixture
def outcomes(pytester, monkeypatch):
    """Run pytest where a tokenizer of one's own is installed; return the result."""
    monkeypatch.setenv("COLUMNS", "200")  # so that reasons are printed whole
    monkeypatch.setenv("PYTHONPATH", str(pytester.path))

    def run(tokenize, *options):
        pytester.makepyfile(plugin_own=PLUGIN.replace("TOKENIZE", tokenize))
        info = pytester.mkdir("own-1.dist-info")
        (info / "METADATA").write_text("Metadata-Version: 2.1\nName: own\nVersion: 1\n")
        (info / "entry_points.txt").write_text("[bleukit]\nown = plugin_own\n")
        return pytester.runpytest_subprocess("-p", "no:cacheprovider", *options)

    return run


def test_a_right_variant_passes_each_case(outcomes):
    result = outcomes("str.split", "--bleukit-conformance=own-variant", "-v")
    assert result.ret == pytest.ExitCode.OK
    result.stdout.fnmatch_lines_random(["*variant own-variant: W1 PASSED*", "*SKIPPED*reference_length: it gives*"])


def test_a_wrong_tokenizer_fails_with_what_is_wrong(outcomes):
    result = outcomes("lambda text: [len(text)]", "--bleukit-conformance=own", "-k", "contract")
    result.assert_outcomes(failed=1, deselected=result.parseoutcomes()["deselected"])
    result.stdout.fnmatch_lines(
        ["accepts its input, and returns what it should: *: it returns a token that is no str *"]
    )


def test_cases_of_ones_own_are_run_too(outcomes, pytester):
    (pytester.mkdir("cases") / "own.yaml").write_text(
        "document: own\nsource: own\ncases:\n- {id: own-1, says: it splits, hypothesis: a b, references: [a b],"
        " set: {tokenizer: own}, expect: {tokens: [a b]}}\n"
    )
    result = outcomes("str.split", "--bleukit-conformance=own-variant", "--bleukit-cases=cases", "-k", "own-1")
    assert result.parseoutcomes()["failed"] == 1
    result.stdout.fnmatch_lines(["*tokens: expected [[]'a b'[]], got [[]'a', 'b'[]]*"])


def test_an_unknown_name_is_reported_with_those_there_are(outcomes):
    result = outcomes("str.split", "--bleukit-conformance=owm")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["ERROR: no variant or component has the name 'owm'; did you mean 'own'*"])


def test_without_the_option_nothing_is_added(outcomes):
    assert outcomes("str.split").ret == pytest.ExitCode.NO_TESTS_COLLECTED
