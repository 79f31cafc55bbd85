"""How references are laid out: by segment, as bleukit has them, or by set, as sacreBLEU has them.

The two have the same shape if there are as many segments as sets. Then the texts decide, so that a
wrong layout does not become a number.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from bleukit.framework.errors import InputError, quantity

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bleukit.framework.protocols import Text

Layout: TypeAlias = Literal["segment", "set"]

MANY_WORDS = 4
"""From this many one-word references of a segment they look like the words of one."""


def references_by_segment(sets: Sequence[Sequence[Any]], segments: int) -> list[tuple[Any, ...]]:
    """Return the references of each segment, given one sequence of references per set.

    Raises InputError if a set does not have as many references as there are segments.
    """
    for number, texts in enumerate(sets):
        if len(texts) != segments:
            counts = (
                f"{quantity(segments, 'hypothesis', 'hypotheses')}, but {quantity(len(texts), 'reference')} in this set"
            )
            raise InputError(f"references[{number}]: {counts}")
    return list(zip(*sets, strict=True)) if sets else []


def refuse_another_layout(hypotheses: Sequence[Text], references: Sequence[Sequence[Text]], *, tokenized: bool) -> None:
    """Raise InputError if references by segment look like references by set, or like lists of words."""
    number = len(hypotheses)
    if not tokenized and _are_words(hypotheses, references):
        raise InputError(
            "references: each is one word, but the hypotheses are texts; if they are lists of tokens, pass lists of "
            "tokens as hypotheses, too; if these are references of one word, pass references_by='segment'"
        )
    by_segment, by_set = _overlaps(hypotheses, references) if _are_square(references, number) else (0, 0)
    if by_set > by_segment:
        raise InputError(
            f"references: there are {number} hypotheses and {number} references of each, which fit better if each "
            "list is a set of references, one per hypothesis; pass references_by='set' if it is, else 'segment'"
        )


def _are_words(hypotheses: Sequence[Any], references: Sequence[Sequence[Any]]) -> bool:
    for hypothesis, group in zip(hypotheses, references, strict=True):
        if len(group) < MANY_WORDS or not all(word and len(word.split(None, 1)) == 1 for word in group):
            return False
        words = hypothesis.split()
        if len(words) < MANY_WORDS or 2 * len(set(words) & set(group)) < len(set(words)):
            return False  # they would hardly be the words of a reference
    return bool(references)


def _are_square(references: Sequence[Sequence[Any]], number: int) -> bool:
    """Return whether each segment has as many references as there are segments, and not always the same one."""
    return (
        number > 1
        and all(len(group) == number for group in references)
        and not all(isinstance(group[0], str) and list(group) == [group[0]] * number for group in references)
    )


def _overlaps(hypotheses: Sequence[Any], references: Sequence[Any]) -> tuple[int, int]:
    """Return how many words hypotheses share with their references, in either layout; what both share is left out."""
    words = [_words(hypothesis) for hypothesis in hypotheses]
    in_references = [[_words(reference) for reference in group] for group in references]
    pairs = [(i, j) for i in range(len(words)) for j in range(len(words)) if i != j]
    by_segment = sum(len(words[i] & in_references[i][j]) for i, j in pairs)
    by_set = sum(len(words[i] & in_references[j][i]) for i, j in pairs)
    return by_segment, by_set


def _words(text: Any) -> set[str]:
    if not isinstance(text, str):
        return {token for token in text if isinstance(token, str)} if isinstance(text, list | tuple) else set()
    words = text.split()
    return set(words) if len(words) > 1 else set(text)
