"""The other side of the protocol: an adapter in Python, served as a harness in any language would be."""

from __future__ import annotations

import platform
from typing import IO, TYPE_CHECKING, TypeAlias

import msgspec
from bleukit.conformance.implementations import protocol
from bleukit.conformance.implementations.asking import reported_by
from bleukit.conformance.implementations.harness import RaisedError
from msgspec import UNSET

import bleukit
from bleukit.bleu.hookspecs import IMPLEMENTATION
from bleukit.bleu.protocols import Counts
from bleukit.framework import creating, registry
from bleukit.framework.errors import in_words, key_path
from bleukit.framework.options import Component

if TYPE_CHECKING:
    from collections.abc import Callable

    from bleukit.bleu.protocols import Reported

Request: TypeAlias = protocol.Hello | protocol.CaseRequest | protocol.Bye


def serve(name: str, requests: IO[bytes], answers: IO[bytes]) -> None:
    """Answer requests, one a line, about an implementation, until ``bye`` or the end of requests.

    Raises VariantError for a name that nobody registered or a library that is not installed, PluginError for one that
    does not import or breaks its contract, InputError for a line that is no request.
    """
    library = creating.create(registry.installed(), IMPLEMENTATION, Component(name)).call
    decoder = msgspec.json.Decoder(Request)
    for line in requests:
        try:
            request = decoder.decode(line)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise bleukit.InputError(f"expected a request of the protocol, got {line[:60]!r}: {error}") from error
        if isinstance(request, protocol.Bye):
            return
        if isinstance(request, protocol.Hello):
            answers.write(protocol.encode(_introduction(name, request)))
        else:
            answers.write(protocol.encode(_answer(name, library, request)))
        answers.flush()


def _introduction(name: str, request: protocol.Hello) -> protocol.Introduction:
    versions = creating.versions(registry.installed().of_kind(IMPLEMENTATION)[name].value)
    return protocol.Introduction(
        seq=request.seq,
        protocol=protocol.VERSION,
        implementation=name,
        version=next(iter(versions.values()), ""),
        language=f"Python {platform.python_version()}",
    )


def _answer(name: str, library: Callable[..., Reported], request: protocol.CaseRequest) -> protocol.CaseAnswer:
    counts, segments = request.counts, request.segments
    try:
        reported = reported_by(
            name,
            library,
            protocol.variant_of(request.variant),
            [] if segments is UNSET else [(segment.hypothesis, segment.references) for segment in segments],
            None if counts is UNSET else Counts(**msgspec.structs.asdict(counts)),
        )
    except bleukit.CannotExpressError as error:
        return protocol.CaseAnswer(seq=request.seq, cannot=str(error))
    except RaisedError as error:
        return protocol.CaseAnswer(seq=request.seq, error=str(error))
    try:
        return protocol.answer_of(reported, request.seq)
    except msgspec.ValidationError as error:
        problem, key = in_words(error)
        raise bleukit.PluginError(f"the implementation {name!r} reports {key_path(key)}: {problem}") from error
