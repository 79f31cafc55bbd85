"""A harness for NLTK, without bleukit: python nltk_harness.py

NLTK takes tokens, any weights, and smoothing methods 0 to 7; it reports the score, and stages of single segments.
"""

import json
import platform
import sys

import nltk
from nltk.translate import bleu_score

PLAIN = {"counter": ("clipped", "nltk"), "reference_length": ("closest",)}
METHODS = {"none": "method0", **{f"nltk-method{n}": f"method{n}" for n in range(8)}}


class CannotError(Exception):
    """NLTK has no parameter for it."""


def tokens(text, tokenizer):
    """Return tokens; a text is split at white space, if that is what the variant asks for."""
    if isinstance(text, str) and tokenizer not in {"whitespace", "none"}:
        raise CannotError(f"tokenizer: {tokenizer}")
    return text.split() if isinstance(text, str) else text


def reported(request):
    """Return what NLTK says of a case."""
    variant = request["variant"]
    for key, known in PLAIN.items():
        if variant[key]["name"] not in known:
            raise CannotError(f"{key}: {variant[key]['name']}")
    for key in ("lowercase", "effective_order", "empty_score", "average"):
        if variant.get(key):
            raise CannotError(f"{key}: {variant[key]}")
    method, *options = variant["smoothing"].items()
    if method[1] not in METHODS:
        raise CannotError(f"smoothing: {method[1]}")
    if "segments" not in request:
        raise CannotError("input: counts in place of segments")
    smoothing = getattr(bleu_score.SmoothingFunction(**dict(options)), METHODS[method[1]])
    name = variant["tokenizer"]["name"]
    hypotheses = [tokens(segment["hypothesis"], name) for segment in request["segments"]]
    references = [[tokens(text, name) for text in segment["references"]] for segment in request["segments"]]
    weights = variant["weights"]
    stages = {"score": bleu_score.corpus_bleu(references, hypotheses, weights, smoothing)}
    if len(hypotheses) == 1:
        fractions = [bleu_score.modified_precision(*references, *hypotheses, n) for n in range(1, len(weights) + 1)]
        stages["matches"] = [fraction.numerator for fraction in fractions]
        stages["totals"] = [fraction.denominator for fraction in fractions]
        stages["reference_length"] = bleu_score.closest_ref_length(references[0], len(hypotheses[0]))
        stages["brevity_penalty"] = bleu_score.brevity_penalty(stages["reference_length"], len(hypotheses[0]))
    return stages


def answer(request):
    """Return the answer to a request."""
    if request["request"] == "hello":
        language = f"Python {platform.python_version()}"
        return {"protocol": 1, "implementation": "nltk", "version": nltk.__version__, "language": language}
    try:
        return {"reported": reported(request)}
    except CannotError as error:
        return {"cannot": str(error)}
    except Exception as error:
        return {"error": f"{type(error).__name__}: {error}"}


for line in sys.stdin:
    asked = json.loads(line)
    if asked["request"] == "bye":
        break
    print(json.dumps({"seq": asked["seq"], **answer(asked)}), flush=True)
