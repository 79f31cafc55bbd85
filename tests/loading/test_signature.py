"""Signatures say everything: what one says is read back as an equal BLEU."""

import math

from hypothesis import assume, example, given
from hypothesis import strategies as st

import bleukit
from bleukit.loading.signature import read_signature

COMPONENTS = {
    "tokenizer": ["13a", "char", "whitespace", "zh", "matlab", "fairseq", "mteval-international", "evaluate"],
    "counter": ["clipped", "unclipped", "nltk", "fairseq"],
    "reference_length": ["closest", "shortest", "average"],
    "smoothing": [
        "none",
        "exp",
        {"name": "add-k", "k": 1},
        {"name": "add-k", "k": 0.1},
        {"name": "floor", "value": 0.5},
        {"name": "nltk-method4", "k": 6},
    ],
}
OVERRIDES = {
    **{kind: st.sampled_from(choices) for kind, choices in COMPONENTS.items()},
    "weights": st.integers(1, 6) | st.lists(st.floats(0, 2), min_size=1, max_size=5).filter(any),
    "normalize_weights": st.booleans(),
    "lowercase": st.sampled_from([True, False, "ascii"]),
    "effective_order": st.booleans(),
    "empty_score": st.sampled_from([0, 0.5, 1, math.nan]),
    "scale": st.sampled_from([1, 100]),
    "average": st.sampled_from(["micro", "macro"]),
}


@given(st.sampled_from(sorted(bleukit.variants())), st.fixed_dictionaries({}, optional=OVERRIDES))
@example("sacrebleu-ja", {"tokenizer": "char"})
@example("moses-sentence-bleu", {"average": "micro"})
@example("sacrebleu", {"effective_order": False})
@example("fairseq", {"smoothing": {"name": "floor", "value": 0.5}})
@example("sacrebleu", {"weights": 2, "effective_order": True})
def test_the_signature_of_any_variant_reads_back_as_an_equal_bleu(name, overrides):
    try:
        bleu = bleukit.load(name, **overrides)
    except bleukit.NotInstalledError:
        assume(False)
    again = bleukit.load(read_signature(bleu.signature).variant)
    assert again.signature == bleu.signature
    assert again.label == bleu.label
    assert scored_by(again.variant) == scored_by(bleu.variant)
    start = bleukit.variants()[name]
    same = [key for key in overrides if getattr(bleu.variant, key) == getattr(start, key)]
    if not start.sentence.keys() & {
        *same
    }:  # such a key changes single segments alone: no signature of a corpus says it
        assert scored_by(again.sentence_variant) == scored_by(bleu.sentence_variant)


def scored_by(variant):
    others = {key: repr(getattr(variant, key)) for key in OVERRIDES if key not in {"weights", "normalize_weights"}}
    return {**others, "weights": variant.weights_used}


def test_the_line_that_a_command_prints_is_read():
    signature = bleukit.load("nltk").signature
    lines = (f"signature {signature}", f"# signature {signature}\n", f" signature: {signature}")
    assert {read_signature(line).variant for line in lines} == {read_signature(signature).variant}
    sacrebleu = "nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:2.3.1"
    assert read_signature(f"signature {sacrebleu}").variant == read_signature(sacrebleu).variant
