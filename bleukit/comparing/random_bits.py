"""Random bits and numbers that are the same on every machine: raw 64-bit words of PCG64, and what is derived from them.

NumPy guarantees the words of a bit generator across versions, but not the streams of the methods of ``Generator``,
which are therefore not used. Each sample begins with a new word, so the result does not depend on how many samples are
drawn at a time.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from bleukit.comparing import loops

if TYPE_CHECKING:
    from numpy.typing import NDArray

RANDOMIZATION, BOOTSTRAP, STRATIFIED, INFLUENCE = range(4)
"""The purposes of random bits. Each has its own stream, so that drawing for one purpose does not affect another."""


class RandomBits:
    """The stream of random bits for a seed (a whole number of at least 0) and a purpose."""

    def __init__(self, seed: int, purpose: int) -> None:
        self._generator = np.random.PCG64(np.random.SeedSequence(seed, spawn_key=(purpose,)))

    def bits(self, samples: int, units: int) -> NDArray[np.uint8]:
        """Return fair bits, eight per byte, of shape (samples, bytes); each sample takes a whole number of words."""
        return self._words(samples, -(-units // 64)).astype("<u8", copy=False).view(np.uint8)

    def indices(self, samples: int, units: int, below: int) -> NDArray[np.int64]:
        """Return whole numbers from 0 to ``below`` - 1, of shape (samples, units).

        Each is made of 32 bits, so the probabilities of two numbers differ by a factor of at most 1 + below / 2**32.
        """
        numbers = np.empty((samples, units), np.int64)
        loops.scaled(self._words(samples, -(-units // 2)), units, below, numbers)
        return numbers

    def _words(self, samples: int, per_sample: int) -> NDArray[np.uint64]:
        words: NDArray[np.uint64] = self._generator.random_raw(samples * per_sample)
        return words.reshape(samples, per_sample)
