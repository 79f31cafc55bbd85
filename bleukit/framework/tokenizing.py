"""From texts to tokens by a tokenizer, whose results are checked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from bleukit.framework.calling import as_list, in_batch, one_by_one, require_each
from bleukit.framework.errors import PluginError, one_line
from bleukit.framework.lowercasing import lowercased
from bleukit.framework.packed import Grouped, PackedTexts, PackedTokens, require_consistent
from bleukit.framework.segments import Segments

if TYPE_CHECKING:
    from bleukit.framework.creating import LoadedComponent
    from bleukit.framework.lowercasing import Lowercasing
    from bleukit.framework.protocols import Text


def tokenize(tokenizer: LoadedComponent, texts: Sequence[Text]) -> Sequence[Sequence[str]]:
    """Return the tokens of each text."""

    def where(text: int) -> str:
        return f"for the text {texts[text]!r:.60}"

    has_batch = tokenizer.batch is not None
    # The types are compared because isinstance takes long for a class that is abstract.
    if type(texts) is PackedTexts and not (has_batch and tokenizer.promise("reads_packed")):
        texts = list(texts)
    if has_batch:
        results = in_batch(tokenizer, texts)
        if type(results) is PackedTokens and len(results) == len(texts):
            try:
                require_consistent(results)
            except (TypeError, ValueError) as error:
                raise PluginError(f"{tokenizer} returns packed tokens with {one_line(error)}") from error
            return results  # which hold nothing but str
        results = as_list(results)
    else:
        results = one_by_one(tokenizer, ((text,) for text in texts), where)
    require_each(tokenizer, results, len(texts))
    for number, tokens in enumerate(results):
        kind = type(tokens)
        if kind is not list and (issubclass(kind, str | bytes) or not issubclass(kind, Sequence)):
            raise PluginError(f"{tokenizer} returns a {kind.__name__}, not a sequence of tokens, {where(number)}")
        if not set(map(type, tokens)) <= {str} and not all(isinstance(token, str) for token in tokens):
            raise PluginError(f"{tokenizer} returns non-string tokens, {tokens!r:.60}, {where(number)}")
    return results


def tokenize_segments(segments: Segments, tokenizer: LoadedComponent, lowercase: Lowercasing) -> Segments:
    """Return the segments as tokens, lowercased if the variant wants that; no tokenizer is applied to tokens."""
    references = segments.references
    return Segments(
        tokenize_texts(segments.hypotheses, tokenizer, lowercase, tokenized=segments.tokenized),
        Grouped(tokenize_texts(references.items, tokenizer, lowercase, tokenized=segments.tokenized), references.ends),
        tokenized=True,
    )


def tokenize_texts(
    texts: Sequence[Text], tokenizer: LoadedComponent, lowercase: Lowercasing, *, tokenized: bool = False
) -> Sequence[Sequence[str]]:
    """Return the tokens of each text, lowercased before or, if the tokenizer has a place for that, while it splits.

    ``tokenized`` says that the texts are lists of tokens already; PackedTokens stay as they are.
    """
    if isinstance(texts, PackedTokens):
        return texts
    if not tokenized and lowercase and hasattr(tokenizer.call, "lowercasing"):
        tokenizer = tokenizer._replace(call=tokenizer.call.lowercasing(lowercase))
    elif lowercase:
        texts = lowercased(texts, lowercase, tokenized=tokenized)
    return texts if tokenized or not texts else tokenize(tokenizer, texts)
