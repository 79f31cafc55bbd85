"""How often people agreed with a difference in BLEU of some size.

The figures are those of Kocmi, Zouhar, Federmann and Post (2024, "Navigating the Metrics Maze: Reconciling Score
Magnitudes and Accuracies", ACL), as their package mt-thresholds 1.0.4 has them: a curve through 6,530 pairs of systems
in 94 languages, each judged by people.
"""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING

from bleukit.bleu.signature import written_signatures

if TYPE_CHECKING:
    from bleukit.bleu.variant import Variant

SOURCE = "Kocmi et al. 2024"

TOOL = "sacrebleu"
SIGNATURE = re.compile(r"nrefs:1\|case:mixed\|eff:no\|tok:(13a|zh|ja-mecab-[^|]+)\|smooth:exp\|")
"""The name of a tool, and how its signatures of the study's scores begin: the default, with tokenizers of languages."""

HIGHEST, STEEPNESS = 88.33333333333225, 0.9663926931178954
"""The parameters of the curve for BLEU of 0 to 100: the agreement that it approaches, in %, and its steepness."""


def is_studied(variant: Variant, references: int) -> bool:
    """Return whether the scores of a variant, with so many references, are those of the study."""
    return SIGNATURE.match(written_signatures(variant, references).get(TOOL, "")) is not None


def agreement(difference: float) -> float:
    """Return the share of system pairs with this difference whose better system by BLEU people preferred, too, 0 to 1.

    Below a difference of 0.27, it is less than ½: the study found no more agreement than by chance.
    """
    return HIGHEST / (1 + math.exp(-STEEPNESS * abs(difference))) / 100
