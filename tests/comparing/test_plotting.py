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
    return bleukit.compare("sacrebleu", systems, REFERENCES, samples=50, interval_samples=20, **settings)


@given(st.floats(0, 1))
def test_a_p_value_is_printed_in_the_band_of_its_colour(p_value):
    shown = plotting._shown(p_value)
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
        assert plotting.drawn(compared("one", "機械翻訳", "\U0001f600"), f"plot.{suffix}")


def figure_of(found, monkeypatch):
    from matplotlib.figure import Figure

    figures = []
    made = Figure.__init__
    monkeypatch.setattr(
        Figure, "__init__", lambda self, *args, **keys: figures.append(self) or made(self, *args, **keys)
    )
    plotting.drawn(found, "plot.svg")
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


@pytest.mark.parametrize(
    ("settings", "drawn"),
    [({}, ["one – two", "two – three"]), ({"baseline": "three"}, ["one – three", "two – three"])],
)
def test_histograms_are_of_neighbours_or_of_pairs_with_the_baseline(settings, drawn, monkeypatch):
    found = compared("three", "two", "one", histograms=True, **settings)
    panels = figure_of(found, monkeypatch).axes[2:]
    assert [axes.get_title() for axes in panels] == drawn
    for axes, pair in zip(
        panels, [each for each in found.pairs if f"{each.first} – {each.second}" in drawn], strict=True
    ):
        heights = [bar.get_height() for bar in axes.patches]
        assert heights == pytest.approx([100 * count / 12 for count in pair.histogram.counts])
        assert [bar.get_hatch() is not None for bar in axes.patches] == [place == 20 for place in range(41)]


def test_scores_by_length_are_drawn_as_they_were_found(monkeypatch):
    found = compared("one", "two", by="length")
    *_, panel = figure_of(found, monkeypatch).axes
    lines = {line.get_label(): line.get_ydata().tolist() for line in panel.lines if line.get_marker() != "None"}
    for system in ("one", "two"):
        scores = [each.score for group in found.groups for each in group.systems if each.system == system]
        assert lines[system] == scores
    styles = [(line.get_linestyle(), line.get_marker()) for line in panel.lines if line.get_marker() != "None"]
    assert len(set(styles)) == 2


def test_names_of_test_sets_of_any_script_are_drawn():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert plotting.drawn(compared("one", "two", test_sets=["新聞"] * 6 + ["\U0001f600"] * 6), "plot.png")


def test_many_equal_segments_do_not_hide_the_others(monkeypatch):
    references = REFERENCES * 3
    systems = {"one": references, "two": ["the letter", *references[1:18], "the ferry", *references[19:]]}
    found = bleukit.compare("sacrebleu", systems, references, samples=9, interval_samples=0, histograms=True)
    panel = figure_of(found, monkeypatch).axes[2]
    assert [text.get_text() for text in panel.texts] == ["94 %"]
    assert panel.get_ylim() == (0, pytest.approx(3 * max(bar.get_height() for bar in panel.patches[21:])))
