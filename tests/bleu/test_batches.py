"""What a batch method returns is checked: no number comes of it that the component does not give one by one."""

import numpy as np
import pytest

import bleukit

pytestmark = pytest.mark.oldest

HYPOTHESES = ["the cat sat on a mat", "a dog", "it is late now", ""]
REFERENCES = [["the cat sat on the mat", "a cat"], ["a dog barks"], ["it is late"], ["nothing"]]

CHANGES = {
    "too few": lambda own: own[:-1],
    "too many": lambda own: [*own, own[-1]],
    "a column too many": lambda own: np.stack([own, own], -1),
    "cut to whole numbers": lambda own: np.nan_to_num(own).astype(int),
    "below 0": lambda own: -1 - np.asarray(own),
    "infinite": lambda own: np.asarray(own) + np.inf,
}


class InBatches:
    """A component of the variant wikipedia with a batch method that changes what the component returns."""

    def __init__(self, kind, change):
        self.kind, self.change = kind, change
        self.one = bleukit.load("wikipedia").components[kind].call

    def __call__(self, *arguments):
        return self.one(*arguments)

    def batch(self, *arguments):
        if self.kind == "counter":
            counted = [self(*pair, arguments[2]) for pair in zip(*arguments[:2], strict=True)]
            matches, totals = map(np.array, zip(*counted, strict=True))
            return self.change(matches), totals
        rows = [(unit,) for unit in arguments[0].rows()] if self.kind == "smoothing" else zip(*arguments, strict=True)
        return self.change([self(*row) for row in rows])


def figures(bleu):
    statistics = bleu.statistics(HYPOTHESES, REFERENCES)
    columns = statistics.matches, statistics.totals, statistics.reference_length, *bleu.score_columns(statistics)
    return [column.tolist() for column in columns]


@pytest.mark.parametrize("kind", ["tokenizer", "counter", "reference_length", "smoothing", "brevity_penalty"])
@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_a_batch_that_is_wrong_is_refused_or_computed_one_by_one(kind, change):
    try:
        found = figures(bleukit.load("wikipedia", **{kind: InBatches(kind, change)}))
    except bleukit.PluginError:
        return
    np.testing.assert_equal(found, figures(bleukit.load("wikipedia")))
