"""Random numbers that are the same on every machine: raw words of PCG64, and numbers derived from them.

NumPy promises that the words of a bit generator stay the same; of the methods of ``Generator``, whose streams have
changed between versions, nothing is used. A sample begins with a new word, so that it does not matter how many samples
are drawn at a time.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from bleukit.comparing import loops

if TYPE_CHECKING:
    from numpy.typing import NDArray

RANDOMIZATION, BOOTSTRAP, STRATIFIED, INFLUENCE = range(4)
"""What the words are for: each has a stream of its own, so that asking for one does not change another."""


class Words:
    """A stream of random words, by its seed (a whole number of at least 0) and what it is for."""

    def __init__(self, seed: int, purpose: int) -> None:
        self._generator = np.random.PCG64(np.random.SeedSequence(seed, spawn_key=(purpose,)))

    def bits(self, samples: int, units: int) -> NDArray[np.uint8]:
        """Return fair bits, eight a byte: shape (samples, bytes), a whole number of words a sample."""
        return self._words(samples, -(-units // 64)).astype("<u8", copy=False).view(np.uint8)

    def indices(self, samples: int, units: int, below: int) -> NDArray[np.int64]:
        """Return whole numbers from 0 to ``below`` - 1, of shape (samples, units).

        Each takes 32 bits: no number is more probable than another by more than below / 2**32, relatively.
        """
        numbers = np.empty((samples, units), np.int64)
        loops.scaled(self._words(samples, -(-units // 2)), units, below, numbers)
        return numbers

    def _words(self, samples: int, per_sample: int) -> NDArray[np.uint64]:
        words: NDArray[np.uint64] = self._generator.random_raw(samples * per_sample)
        return words.reshape(samples, per_sample)
