"""The plot of a comparison: rows are aligned, colours are those of the printed p-values, any name can be drawn."""

import warnings

import pytest
from hypothesis import given
from hypothesis import strategies as st

import bleukit
from bleukit.comparing import plotting

pytest.importorskip("matplotlib")
REFERENCES = ["the ferry leaves at noon today", "she reads the letter twice"] * 6


def compared(*names, **settings):
    systems = {name: REFERENCES[:place] + ["the letter"] * (12 - place) for place, name in enumerate(names, 4)}
    return bleukit.compare("sacrebleu", systems, REFERENCES, samples=50, interval_samples=39, **settings)


@given(st.floats(0, 1))
def test_a_p_value_is_printed_in_the_band_of_its_colour(p_value):
    shown = plotting.shown(p_value)
    bands = [bound for bound, _ in plotting.BANDS]
    if shown.startswith("<"):
        assert p_value < float(shown[1:])
    else:
        assert next(bound for bound in bands if float(shown) < bound) == next(
            bound for bound in bands if p_value < bound
        )


@pytest.mark.parametrize("suffix", ["svg", "pdf", "png"])
def test_names_of_any_script_are_drawn_without_a_warning(suffix):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert plotting.drawn(compared("one", "機械翻訳", "\U0001f600"), f"plot.{suffix}", "reference.txt")


def figure_of(found, monkeypatch):
    from matplotlib.figure import Figure

    figures = []
    made = Figure.__init__
    monkeypatch.setattr(
        Figure, "__init__", lambda self, *args, **keys: figures.append(self) or made(self, *args, **keys)
    )
    plotting.drawn(found, "plot.svg", "reference.txt")
    return figures[0]


@pytest.mark.parametrize("settings", [{}, {"baseline": "two"}])
def test_every_row_of_the_scores_continues_in_the_matrix(settings, monkeypatch):
    found = compared("one", "two", "three", **settings)
    scores, pairs = figure_of(found, monkeypatch).axes

    def row(axes, place):
        return axes.transData.transform((0, place))[1]

    shown = range(len(found.systems) if not settings else len(found.pairs))
    assert [row(scores, place) for place in shown] == pytest.approx([row(pairs, place) for place in shown])
    if not settings:
        cells = [text.get_position() for text in pairs.texts]
        assert sorted(cells) == [(column, row) for column in range(3) for row in range(3)]  # none is empty
