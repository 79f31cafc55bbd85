"""BLEU as NLTK computes it: ``nltk.translate.bleu_score``, the functions named below, in NLTK 3.10.

NLTK's own scores are reproduced, including oddities: its corpus-level smoothing looks only at the last segment if
its methods 5 to 7 want "the hypothesis", and methods 5 to 7 can return precisions above 1.
"""

from functools import partial
from typing import Any

from bleukit.plugin import SelfBleuDefinition, hookimpl, offers, variants_beside

bleukit_tokenizers = offers({"nltk-words": f"{__name__}.tokenizer:WordTokenizer"})

bleukit_ngram_counters = offers({"nltk": f"{__name__}.counter:Counter"})

bleukit_smoothings = offers({f"nltk-method{number}": f"{__name__}.smoothings:Method{number}" for number in range(8)})

bleukit_variants = variants_beside(__file__)

_METHOD1 = {"variant": "nltk", "smoothing": "nltk-method1"}
_TEXYGEN = "utils/metrics/SelfBleu.py of https://github.com/geek-ai/Texygen (Zhu et al. 2018)"
_THREE = {**_METHOD1, "weights": 3}


@hookimpl
def bleukit_self_bleu_definitions() -> dict[str, Any]:
    """Return self-BLEU as programs compute it that call NLTK's ``sentence_bleu``, or a copy of it.

    They are given tokens; texts are split at white space here, so that they must be tokenized as each program does.
    Other orders are other ``weights``.
    """
    return {
        "texygen": partial(SelfBleuDefinition, f"get_score() in {_TEXYGEN}", _THREE, first=500),
        "texygen-slow": partial(SelfBleuDefinition, f"get_score(is_fast=False) in {_TEXYGEN}", _THREE),
        "texygen-itself": partial(SelfBleuDefinition, f"get_bleu() in {_TEXYGEN}", _THREE, references="all"),
        "fast-bleu": partial(
            SelfBleuDefinition,
            "SelfBLEU in fast-bleu 0.0.90 (Alihosseini et al. 2019), the mean of its scores",
            _METHOD1,
        ),
        "degen": partial(
            SelfBleuDefinition,
            "metrics/self_bleu.py of https://github.com/ari-holtzman/degen (Holtzman et al. 2020)",
            _METHOD1,
        ),
        "diffuseq": partial(
            SelfBleuDefinition,
            "diversityOfSet in scripts/eval_seq2seq.py of https://github.com/Shark-NLP/DiffuSeq (Gong et al. 2023)",
            {"variant": "nltk", "smoothing": "nltk-method4"},
            references="later",
        ),
    }
