"""Text in: lines end at LF and nowhere else, and what cannot be read is told with file, line and byte."""

import bz2
import gzip
import lzma

import pytest
from hypothesis import given
from hypothesis import strategies as st

import bleukit
from bleukit.reading import read_lines


@pytest.mark.parametrize(
    ("content", "lines"),
    [
        (b"a\nb\n", ["a", "b"]),
        (b"a\nb", ["a", "b"]),
        (b"a\r\nb\r\n", ["a", "b"]),
        (b"\n\n", ["", ""]),
        (b"a\rb\n", ["a\rb"]),
        ("a\u2028b\x85c\x0bd\x0ce\x1cf\n".encode(), ["a\u2028b\x85c\x0bd\x0ce\x1cf"]),
        (b"\xef\xbb\xbfa\n", ["a"]),
        (b"a\x00b\n", ["a\x00b"]),
    ],
)
def test_lines(tmp_path, content, lines):
    (tmp_path / "text").write_bytes(content)
    assert read_lines(str(tmp_path / "text")) == lines


@given(st.lists(st.text(st.characters(codec="utf-8", exclude_characters="\n\r\ufeff")), min_size=1))
def test_what_is_written_is_read(tmp_path_factory, lines):
    path = tmp_path_factory.mktemp("text") / "text"
    path.write_bytes("".join(line + "\n" for line in lines).encode())
    assert read_lines(str(path)) == lines


@pytest.mark.parametrize(("suffix", "module"), [(".gz", gzip), (".bz2", bz2), (".xz", lzma), (".GZ", gzip)])
def test_compressed_files_open_by_their_suffix(tmp_path, suffix, module):
    path = tmp_path / f"text{suffix}"
    path.write_bytes(module.compress("é\n".encode()))
    assert read_lines(str(path)) == ["é"]


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("empty", b"", "empty: is empty; one segment a line is expected"),
        ("binary", b"good\nb\xff\n", "binary:2: is not UTF-8 text: byte 2 of the line is 0xff"),
        ("cut", b"\xe2\x82", "cut:1: is not UTF-8 text: byte 1 of the line is 0xe2"),
        ("surrogate", b"a\n\n\xed\xa0\x80", "surrogate:3: is not UTF-8"),
        ("plain.gz", b"not compressed", "plain.gz: cannot be read: Not a gzipped file"),
        ("cut.gz", gzip.compress(b"a" * 1000)[:-9], "cut.gz: cannot be read: Compressed file ended"),
        ("cut.xz", lzma.compress(b"a" * 1000)[:-9], "cut.xz: cannot be read: Compressed file ended"),
        ("plain.bz2", b"not compressed", "plain.bz2: cannot be read: Invalid data stream"),
    ],
)
def test_unreadable_files(tmp_path, name, content, message):
    (tmp_path / name).write_bytes(content)
    with pytest.raises(bleukit.InputError, match=message):
        read_lines(str(tmp_path / name))


def test_missing_file_and_directory(tmp_path):
    with pytest.raises(bleukit.InputError, match="nothing: no such file"):
        read_lines(str(tmp_path / "nothing"))
    with pytest.raises(bleukit.InputError, match="is a directory"):
        read_lines(str(tmp_path))
