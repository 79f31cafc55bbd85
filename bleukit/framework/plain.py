"""Plain data: dicts, lists, str, numbers, bool, None, from what other libraries make of them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

TO_LIST = ("to_pylist", "tolist", "to_list")
"""The methods of Arrow, of NumPy and pandas, and of Polars by which columns become lists, with items of str."""

_METHODS = (*TO_LIST, "as_py", "to_dict", "to_yaml")
"""Those, and of Arrow's scalars; of results and variants; of components."""


def plain(value: Any) -> Any:
    """Return plain data; anything else is returned unchanged."""
    is_plain = type(value) in {str, int, float, bool, type(None)}
    if not is_plain and hasattr(value, "item") and getattr(value, "shape", None) == ():
        return value.item()  # of NumPy, whose float64 is a float, too
    if is_plain or isinstance(value, str | int | float):
        return value
    if isinstance(value, Mapping):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    if hasattr(value, "as_integer_ratio"):  # a Decimal or a Fraction, whose modules take long to import
        return float(value)
    method = next((name for name in _METHODS if callable(getattr(value, name, None))), None)
    return value if method is None or isinstance(value, type) else plain(getattr(value, method)())


def without_nan(value: Any) -> Any:
    """Return plain data that JSON can hold: NaN and infinities become None, keys text."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {str(key): without_nan(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [without_nan(item) for item in value]
    return value
