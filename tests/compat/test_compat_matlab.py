"""bleukit.compat.matlab beside what MATLAB's documentation of bleuEvaluationScore prints and states."""

import math
import re
from array import array

import numpy as np
import pytest

import bleukit
from bleukit.compat.matlab import bleuEvaluationScore

SUMMARY = ["The", "fast", "brown", "fox", "jumped", "over", "the", "lazy", "dog", "."]
REFERENCES = [
    ["The", "quick", "brown", "animal", "jumped", "over", "the", "lazy", "dog", "."],
    ["The", "quick", "brown", "fox", "jumped", "over", "the", "lazy", "dog", "."],
]
ROW = [0.5, 0.5]
TYPES = (np.float32, np.float64, np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint16, np.uint32, np.uint64)


@pytest.mark.parametrize(
    ("candidate", "references", "options", "printed"),
    [
        (SUMMARY, REFERENCES, {}, "0.7825"),  # as are the next two, printed by the documentation
        (SUMMARY, REFERENCES, {"NgramWeights": ROW}, "0.8367"),
        (REFERENCES[1], REFERENCES, {}, "1.0000"),
        *((SUMMARY, REFERENCES, {"NgramWeights": np.array([2, 2], number)}, "0.8367") for number in TYPES),
        (SUMMARY, REFERENCES, {"NgramWeights": array("d", ROW)}, "0.8367"),
        (SUMMARY, REFERENCES, {"NgramWeights": [1e308, 1e308]}, "0.8367"),
        (SUMMARY, REFERENCES, {"NgramWeights": 1}, "0.9000"),
        (tuple(SUMMARY), REFERENCES[1], {"NgramWeights": (1,)}, "0.9000"),
        (["the", "Cat"], ["The", "cat"], {"NgramWeights": [1], "IgnoreCase": 1}, "1.0000"),
        (["the", "Cat"], ["The", "cat"], {"NgramWeights": [1], "IgnoreCase": np.bool_(1)}, "1.0000"),
        (["the", "Cat"], ["The", "cat"], {"NgramWeights": [1], "IgnoreCase": 0.0}, "0.0000"),
        (["the", "Cat"], ["The", "cat"], {"NgramWeights": [1], "IgnoreCase": False}, "0.0000"),
        (["a", "b", "c"], ["a", "b", "c"], {"NgramWeights": [1, 0, 0, 0]}, "0.0000"),
        ([], REFERENCES, {}, "0.0000"),
        ([], [], {}, "nan"),
        ([], [[], []], {}, "nan"),
    ],
)
def test_a_score_is_what_the_documentation_says(candidate, references, options, printed):
    score = bleuEvaluationScore(candidate, references, **options)
    assert type(score) is float
    assert f"{score:.4f}" == printed


@pytest.mark.parametrize(
    ("arguments", "options", "named"),
    [
        (("The fast", REFERENCES), {}, "candidate: "),
        ((None, REFERENCES), {}, "candidate: "),
        (([SUMMARY], REFERENCES), {}, "candidate: "),
        ((SUMMARY, "The quick"), {}, "references: "),
        ((SUMMARY, [SUMMARY, "The"]), {}, "references[1]: "),
        ((SUMMARY, [REFERENCES]), {}, "references: "),
        *(
            ((SUMMARY, REFERENCES), {"NgramWeights": wrong}, "NgramWeights: ")
            for wrong in ([], [0.5, -0.5], [0.5, math.nan], [math.inf], [0, 0], [1j], [True], ["1"], "1", None, 10**400)
        ),
        *(
            ((SUMMARY, REFERENCES), {"IgnoreCase": wrong}, "IgnoreCase: ")
            for wrong in (2, "true", None, [1], np.array([1, 0]), math.nan)
        ),
    ],
)
def test_what_is_refused_is_named(arguments, options, named):
    with pytest.raises(bleukit.InputError, match=f"^{re.escape(named)}expected .*, got ") as found:
        bleuEvaluationScore(*arguments, **options)
    assert "\n" not in str(found.value)


def test_the_name_of_the_function_is_that_of_the_variant():
    assert bleukit.load("bleuEvaluationScore").variant == bleukit.load("matlab").variant
    assert math.isclose(
        math.log(bleuEvaluationScore(SUMMARY, REFERENCES)) * 4, math.log(9 / 10 * 7 / 9 * 6 / 8 * 5 / 7)
    )
