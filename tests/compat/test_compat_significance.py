"""bleukit.compat.sacrebleu.significance beside sacrebleu.significance: the same figures, to the last bit."""

from functools import partial

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
