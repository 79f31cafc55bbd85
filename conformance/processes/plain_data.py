"""Plain data between two processes: numbers, text, and containers of these, of which nothing has to be imported."""

from __future__ import annotations

import io
import pickle
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from typing import IO

SIZE = 8
"""How many bytes say how many follow."""

UNCOLLECTED = 50_000
"""How many objects a process creates before it looks for garbage: plain data have no cycles."""


def send(stream: IO[bytes], data: Any) -> None:
    """Write plain data."""
    packed = pack(data)
    stream.write(len(packed).to_bytes(SIZE, "big") + packed)
    stream.flush()


def receive(stream: IO[bytes]) -> Any:
    """Read plain data. Raises EOFError at the end of the stream, UnpicklingError for what is not plain."""
    return unpack(_exactly(stream, int.from_bytes(_exactly(stream, SIZE), "big")))


def pack(data: Any) -> bytes:
    """Return plain data as bytes."""
    return pickle.dumps(data, pickle.HIGHEST_PROTOCOL)


def unpack(packed: bytes) -> Any:
    """Return the data that bytes are of, all of it new."""
    return _Plain(io.BytesIO(packed)).load()


class _Plain(pickle.Unpickler):
    def find_class(self, module: str, name: str) -> Any:
        raise pickle.UnpicklingError(f"{module}.{name} is not plain data")


def _exactly(stream: IO[bytes], size: int) -> bytes:
    data = stream.read(size)
    if len(data) < size:
        raise EOFError
    return data
