"""Texts in Arrow's buffers, compiled and in plain Python; what libraries export is in test_tables_arrow.py."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from uncompiled import uncompiled

from bleukit.errors import InputError
from bleukit.text import arrow, layouts

EITHER = pytest.mark.parametrize("module", [arrow, uncompiled("bleukit.text.arrow")], ids=["installed", "plain"])
contents = st.lists(st.text(st.characters(codec="utf-8"), max_size=20).map(str.encode))


def as_bytes(content):
    return np.frombuffer(content, "u1")


@EITHER
@given(contents, st.integers(0, 3))
def test_texts_one_after_the_other(module, texts, before):
    offsets = np.cumsum([before, *map(len, texts)], dtype="i8")
    found = module.texts_between(as_bytes(b"\xff" * before + b"".join(texts)), offsets)
    assert found == [text.decode() for text in texts]
    assert module.texts_between(as_bytes(b""), offsets[:0]) == []


@EITHER
@given(contents)
def test_texts_in_any_buffer(module, texts):
    buffers = [b"xx" + text + b"x" for text in texts]
    views = b""
    for number, text in enumerate(texts):
        where = text.ljust(12, b"\0") if len(text) <= 12 else text[:4] + np.array([number, 2], "i4").tobytes()
        views += np.array([len(text)], "i4").tobytes() + where
    assert module.texts_of_views(as_bytes(views), list(map(as_bytes, buffers))) == [text.decode() for text in texts]


@EITHER
def test_what_is_not_utf8(module):
    for content in (b"\xff", b"a\xc3", b"\xed\xa0\x80", b"\xc0\x80"):
        with pytest.raises(UnicodeDecodeError):
            module.texts_between(as_bytes(content), np.array([0, len(content)]))
        view = np.array([len(content)], "i4").tobytes() + content.ljust(12, b"\0")
        with pytest.raises(UnicodeDecodeError):
            module.texts_of_views(as_bytes(view), [])


def test_an_error_in_reading_a_column_is_not_taken_for_a_change():
    class Broken(list):
        def __iter__(self):
            raise InputError("hypotheses[1]: is not UTF-8 text")

    with pytest.raises(InputError, match="is not UTF-8 text"):
        layouts.refuse_another_layout(Broken(["a", "b"]), [["a"] * 2] * 2, tokenized=False)


def test_buffers_that_do_not_fit_are_refused():
    pytest.importorskip("bleukit.text.arrow_compiled", reason="built without a compiler")
    for offsets in ([0, 3], [2, 1], [-1, 1], [0, 9, 2]):
        with pytest.raises(ValueError, match="offsets that decrease|texts up to byte"):
            arrow.texts_between(as_bytes(b"ab"), np.array(offsets))
    for view in (
        [13, 0, 0, 0],
        [13, 0, 0, -1],
        [13, 0, 1, 0],
        [13, 0, -1, 0],
        [2**31 - 1, 0, 0, 2**31 - 1],
        [-1, 0, 0, 0],
    ):
        with pytest.raises(ValueError, match="a text "):
            arrow.texts_of_views(np.array(view, "i4").view("u1"), [as_bytes(b"abcdefghijkl")])
