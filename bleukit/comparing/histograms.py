"""How the sentence scores of two systems differ, as numbers of segments in classes of equal width."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from bleukit.comparing.results import Histogram
from bleukit.comparing.significance import TIES

if TYPE_CHECKING:
    from numpy.typing import NDArray

CLASSES = 41
"""The number of classes: those of 0, and of 20 differences on either side, up to the whole scale."""


def histogram_of(differences: NDArray[np.float64], scale: float) -> Histogram:
    """Return the histogram of differences between -scale and scale."""
    width = 2 * scale / (CLASSES - 1)
    classes = np.clip(np.rint(differences / width).astype(int) + CLASSES // 2, 0, CLASSES - 1)
    better, worse = (int(np.count_nonzero(side > TIES * scale)) for side in (differences, -differences))
    return Histogram(tuple(np.bincount(classes, minlength=CLASSES).tolist()), width, better, worse)
