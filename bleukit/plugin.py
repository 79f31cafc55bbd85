"""The plugin manual, and all that a plugin imports: hooks, protocols, what components are given and what they return.

BLEU runs one way. A *tokenizer* turns text into tokens, an *n-gram counter* turns tokens into matches and totals, a
*reference-length policy* turns lengths into the effective reference length: one row of statistics per segment. Rows are
summed over a sentence, a document or a corpus; a *smoothing* turns the sums into precisions, and a *brevity penalty*
turns summed lengths into a factor of the score.

A component is a callable on one segment, as the protocols below say. A plugin registers a *factory*: called with the
options of the variant as keyword arguments, it returns the component. A frozen dataclass whose fields are the options
is the natural form; a component without options can be a plain function behind a ``lambda``. Options are checked by
the factory's signature and annotations. A factory should raise ``ValueError`` for a value that it cannot accept.

A component may also offer

- ``batch``, a method that does the same for many segments at once, for speed (its signature stands in each protocol;
  :class:`CompiledModule` joins a function and its compiled batch method);
- promises, attributes that let the core compute in another or a faster way; the protocols list them;
- ``distributions``, the names of the installed distributions whose versions can change its results. They are written
  into the signature of every score. If the factory has them, too, as a class does, a component that lacks one of
  them is listed with the command that installs it, and refused with the same;
- ``fingerprints``, a mapping of names to fingerprints of what else can change its results, such as a model in a file.
  They are part of the signature, like the versions.

What a component returns is checked when it is called; ``bleukit conform`` tries the rest of the contract, and every
promise, on generated input. A component declares nothing for that.

A whole plugin::

    from bleukit.plugin import hookimpl

    @hookimpl
    def bleukit_tokenizers():
        return {"lines": lambda: str.splitlines}

A factory may also be given by its place, ``"my_package.tokenizers:Lines"``, which is imported when a component is
created. A class there is the factory; anything else is the component itself, which has no options.

It is found when its package declares an entry point in the group ``bleukit``, or when a variant names its module under
``plugins``.

A plugin may also offer *implementations*: other libraries' BLEU, which ``bleukit conform
implementations`` tests against the same documents; and *signatures* of other tools, which ``bleukit score --signature``
reads and ``--format json`` writes.

The hooks are those of :mod:`bleukit.framework.hookspecs` and :mod:`bleukit.bleu.hookspecs`. pluggy calls them once,
while it registers the plugin. Names are unique, so ``tryfirst`` and ``trylast`` change nothing; a wrapper of a hook is
refused, because it would change the components of other plugins without a trace in the signature.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import bleukit.bleu.hookspecs  # noqa: F401 - so that the hooks of BLEU are known
from bleukit.bleu import ngrams
from bleukit.bleu.ngrams import CountsByOrder, PairCountsByOrder
from bleukit.bleu.protocols import (
    BrevityPenalty,
    Counts,
    CountsTable,
    Implementation,
    NgramCounter,
    ReadSignature,
    ReferenceLength,
    Reported,
    SelfBleuDefinition,
    SignatureFormat,
    Smoothing,
)
from bleukit.bleu.variant import DESCRIPTIVE_KEYS, Variant
from bleukit.framework.compiled import Compiled, CompiledModule
from bleukit.framework.errors import (
    CannotExpressError,
    InputError,
    NotInstalledError,
    PluginError,
    VariantError,
    near_misses,
)
from bleukit.framework.hookspecs import hookimpl
from bleukit.framework.loops import exponentials
from bleukit.framework.lowercasing import LowercasingTokenizer, lowered
from bleukit.framework.options import Component
from bleukit.framework.packed import Grouped, PackedTexts, PackedTokens, grouped, packed
from bleukit.framework.pieces import REMEMBERED, WORD_AND_MARK, tokenize_by_pieces
from bleukit.framework.protocols import Factory, References, Text, Tokenizer, promises
from bleukit.framework.rule_tokenizer import Apart, LowercasingRules, RuleTokenizer

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

__all__ = [
    "DESCRIPTIVE_KEYS",
    "REMEMBERED",
    "WORD_AND_MARK",
    "Apart",
    "BrevityPenalty",
    "CannotExpressError",
    "Compiled",
    "CompiledModule",
    "Component",
    "Counts",
    "CountsByOrder",
    "CountsTable",
    "Factory",
    "Grouped",
    "Implementation",
    "InputError",
    "LowercasingRules",
    "LowercasingTokenizer",
    "NgramCounter",
    "NotInstalledError",
    "PackedTexts",
    "PackedTokens",
    "PairCountsByOrder",
    "PluginError",
    "ReadSignature",
    "ReferenceLength",
    "References",
    "Reported",
    "RuleTokenizer",
    "SelfBleuDefinition",
    "SignatureFormat",
    "Smoothing",
    "Text",
    "Tokenizer",
    "Variant",
    "VariantError",
    "exponentials",
    "grouped",
    "hookimpl",
    "lowered",
    "near_misses",
    "ngrams",
    "offers",
    "packed",
    "promises",
    "tokenize_by_pieces",
    "variant_files",
    "variants_beside",
]


def variant_files(module: str) -> dict[str, Path]:
    """Return the variant files beside a module, by the names of the files; ``module`` is its ``__file__``."""
    folder = Path(module).parent
    names = sorted(os.listdir(folder))  # noqa: PTH208 - Path.glob takes ten times as long
    return {name.removesuffix(".yaml"): folder / name for name in names if name.endswith(".yaml")}


def offers(named: Mapping[str, Any]) -> Callable[[], Mapping[str, Any]]:
    """Return the implementation of the hook whose name it is given in a module; the hook returns ``named``.

    For example: ``bleukit_tokenizers = offers({"lines": "my_package.tokenizers:Lines"})``.
    """
    return hookimpl(lambda: named)


def variants_beside(module: str) -> Callable[[], Mapping[str, Path]]:
    """Return the hook ``bleukit_variants`` of a plugin whose variants are the files beside its module."""
    return offers(variant_files(module))
