"""BLEU of CodeXGLUE: https://github.com/microsoft/CodeXGLUE (Lu et al. 2021), the files named in the variants.

Code refinement and text-to-text are given one reference, and print two decimals. They call ``compute_bleu`` of
TensorFlow NMT on the words of each line; text-to-text reads lines by ``codecs``, for which U+0085, U+2028 and the like
end one, too.

Code-to-text reads lines of a number, a tab and a text: a tab in an output ends it there, and one in a reference is an
error. Lines of which the other file has no number are left out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bleukit.plugin import Apart, RuleTokenizer, hookimpl, variant_files

if TYPE_CHECKING:
    from pathlib import Path

WORDS_AND_MARKS = RuleTokenizer(
    (Apart(r"[\W_]"),),
    doc="""
    Makes tokens of runs of letters and digits, and of every other character alone, as code-to-text does.

    It splits text around each run of letters, digits and underscores, then by the rules of mteval-v11a, of which
    only that for underscores finds anything: ``3.14`` and ``foo_bar`` are three tokens each, and entities stay in
    parts.
    """,
)


@hookimpl
def bleukit_tokenizers() -> dict[str, Any]:
    return {"codexglue": lambda: WORDS_AND_MARKS}


@hookimpl
def bleukit_variants() -> dict[str, Path]:
    return variant_files(__file__)
