"""The code that adapters show computes, with the library itself, what bleukit computes by the variant."""

import random
import re
from contextlib import suppress

import pytest
from bleukit.built_in.implementations import libraries

import bleukit

WORDS = ["the", "cat", "sat", "on", "a", "mat", ",", "Dogs", "bark", ".", "km/h", "3,500", "it's"]
DRAWN = random.Random(20)
SEGMENTS = 30
HYPOTHESES = [" ".join(DRAWN.choices(WORDS, k=DRAWN.randint(3, 12))) for _ in range(SEGMENTS)]
REFERENCES = [
    [" ".join([*DRAWN.choices(WORDS, k=k), *text.split()[k // 2 :]]) for k in range(1 + number % 3)]
    for number, text in enumerate(HYPOTHESES)
]

ADAPTERS = {
    "nltk": libraries.Nltk,
    "sacrebleu": libraries.Sacrebleu,
    "torchmetrics": libraries.Torchmetrics,
    "ignite": libraries.Ignite,
}


OF_TORCH = {"torchmetrics", "ignite"}


def with_code(adapter):
    shown = {}
    for name, variant in bleukit.variants().items():
        with suppress(bleukit.CannotExpressError):
            shown[name] = adapter.code(variant)
    return shown


@pytest.mark.parametrize(
    ("library", "some"),
    [
        ("nltk", {"nltk", "codebleu-ngram-match"}),
        ("sacrebleu", {"sacrebleu", "sacrebleu-zh", "sacrebleu-intl"}),
        ("torchmetrics", {"torchmetrics", "torchmetrics-smooth", "torchtext"}),
        ("ignite", {"ignite-no_smooth-macro", "ignite-smooth1-micro"}),
    ],
)
def test_some_variants_have_code(library, some):
    assert some <= with_code(ADAPTERS[library]).keys()


@pytest.mark.parametrize(
    ("name", "code"),
    [
        pytest.param(name, code, id=f"{library}:{name}", marks=pytest.mark.torch if library in OF_TORCH else ())
        for library, adapter in ADAPTERS.items()
        for name, code in with_code(adapter).items()
    ],
)
def test_code_gives_the_score_of_the_variant(name, code):
    for module in re.findall(r"^(?:from|import) (\w+)", code, re.MULTILINE):
        pytest.importorskip(module)
    try:
        expected = bleukit.load(name).corpus(HYPOTHESES, REFERENCES).value
    except bleukit.NotInstalledError as error:
        pytest.skip(str(error))
    names = {"hypotheses": HYPOTHESES, "references": REFERENCES}
    exec(code, names)
    assert names["score"] == pytest.approx(expected, rel=1e-9)
    assert expected > 0
