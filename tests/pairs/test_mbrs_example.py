"""The example package for mbrs, where mbrs is installed: the tox environment mbrs."""

import sys
from pathlib import Path

import pytest
from test_mbr import generated

mbrs = pytest.importorskip("mbrs.decoders")
EXAMPLE = Path(__file__).parents[2] / "examples" / "bleukit-mbrs"


@pytest.fixture(scope="module")
def metrics():
    from mbrs.metrics import MetricBLEU

    sys.path.insert(0, str(EXAMPLE))
    from bleukit_mbrs import MetricBleukit

    sys.path.remove(str(EXAMPLE))
    return MetricBleukit(MetricBleukit.Config()), MetricBLEU(MetricBLEU.Config(num_workers=1))


def test_choices_and_scores_are_those_of_mbrs(metrics):
    ours, theirs = (mbrs.DecoderMBR(mbrs.DecoderMBR.Config(), metric) for metric in metrics)
    for seed in (0, 1, 3, 4):  # whose texts have four words: mbrs' effective order is also that of its corpus score
        group = generated(seed)
        found, expected = (decoder.decode(group, group, nbest=3) for decoder in (ours, theirs))
        assert found.score == pytest.approx(expected.score, rel=1e-5)  # mbrs keeps scores in single precision
        assert metrics[0].score(*group[:2]) == pytest.approx(metrics[1].score(*group[:2]))
        lists = [group[1:], group[:-1]]
        assert metrics[0].corpus_score(group[1:], lists) == pytest.approx(metrics[1].corpus_score(group[1:], lists))


def test_aggregated_scores_are_those_of_mbrs(metrics):
    import bleukit

    for seed in range(5):
        group = generated(seed)
        [choice] = bleukit.mbr(bleukit.load(), [group], aggregate=True)
        expected = metrics[1].expected_scores_reference_aggregation(group, group)
        assert choice.scores == pytest.approx(expected.tolist(), rel=1e-5)
