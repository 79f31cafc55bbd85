"""bleukit.compat.sacrebleu.significance beside sacrebleu.significance: the same figures, to the last bit."""

from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sacrebleu import significance as theirs
from sacrebleu.metrics import BLEU as THEIRS

from bleukit.compat.sacrebleu import significance as ours
from bleukit.compat.sacrebleu.metrics import BLEU

BOTH = ((ours, BLEU), (theirs, THEIRS))

lines = st.lists(st.sampled_from(["the", "cat", "sat", "on", "mats", "."]), max_size=9).map(" ".join)


@st.composite
def systems(draw):
    """Two or three systems, some alike, and one or two sets of references."""
    number = draw(st.integers(1, 12))
    texts = partial(st.lists, lines, min_size=number, max_size=number)
    references = draw(st.lists(texts(), min_size=1, max_size=2))
    hypotheses = draw(st.lists(texts() | st.sampled_from(references), min_size=2, max_size=3))
    return [(f"system {i}", each) for i, each in enumerate(hypotheses)], references


@given(
    systems(),
    st.sampled_from([("exp", None), ("floor", 0.5), ("add-k", 2), ("add-k", 0.5), ("none", None)]),
    st.sampled_from(["bs", "ar"]),
    st.integers(1, 70),
    st.sampled_from([-1, 3, 45]),
    st.sampled_from(["1", "12345", "007"]),
    st.booleans(),
)
@settings(max_examples=25)
def test_results_and_signatures(texts, smoothing, kind, samples, intervals, seed, cached):
    named, references = texts
    found = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SACREBLEU_SEED", seed)
        for module, metric in BOTH:
            bleu = metric(False, False, None, *smoothing, references=references if cached else None)
            test = module.PairedTest(named, {"BLEU": bleu}, None if cached else references, kind, samples, intervals)
            signatures, columns = test()
            found.append((str(signatures), str(columns), list(map(vars, columns["BLEU"]))))
    assert found[0] == found[1]


@pytest.mark.parametrize(("given", "samples", "intervals"), [(("bs",), 1000, -1), (("ar", 0, 0), 10000, 1000)])
def test_defaults(given, samples, intervals):
    made = [module.PairedTest([("a", ["b"])] * 2, {"BLEU": metric()}, [["b"]], *given) for module, metric in BOTH]
    for each in made:
        assert (each.n_samples, each.n_ar_confidence, each.n_systems) == (samples, intervals, 1)


def test_two_jobs_give_the_figures_of_one(caplog):
    named, references = [("a", ["x y", "z"]), ("b", ["x", "z z"])], [["x y", "z y"]]
    alone, together = (
        ours.PairedTest(named, {"BLEU": BLEU()}, references, "ar", 50, n_jobs=jobs)()[1] for jobs in (1, 2)
    )
    assert str(alone) == str(together)


def test_another_type_of_test_is_refused_alike():
    for module, metric in BOTH:
        with pytest.raises(AssertionError):
            module.PairedTest([("a", ["b"])], {"BLEU": metric()}, [["b"]], "other")


@given(st.lists(st.floats(0, 100), min_size=1, max_size=100), st.floats(0, 100))
def test_what_other_code_imports(values, difference):
    scores = np.array(values)
    assert ours.estimate_ci(scores) == theirs.estimate_ci(scores)
    assert ours._compute_p_value(scores, difference) == theirs._compute_p_value(scores, difference)
    assert repr(ours.Result(1.5, difference)) == repr(theirs.Result(1.5, difference))
