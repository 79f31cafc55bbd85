"""Text in: lines end at LF and nowhere else, and what cannot be read is reported with file, line and byte."""

import bz2
import gzip
import lzma
import sys

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from uncompiled import uncompiled

import bleukit
from bleukit.reading import files
from bleukit.reading.files import TextFile, read_lines
from bleukit.reading.open_files import read_aligned
from bleukit.reading.table_file import LinesTable

pytestmark = pytest.mark.oldest


def lines_table(path):
    table = LinesTable(files.TextFile(str(path)))
    table.choose("hypothesis", "text")
    return table


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


FORMATS = {".gz": gzip, ".bz2": bz2, ".xz": lzma}


@pytest.fixture(params=[".gz", ".bz2", ".xz", ".zst", ".GZ"])
def packed(request):
    """Return the suffix of a format, and what compresses it."""
    if request.param == ".zst":
        zstd = pytest.importorskip("compression.zstd" if sys.version_info >= (3, 14) else "backports.zstd")
        return request.param, zstd.compress
    return request.param, FORMATS[request.param.lower()].compress


def test_compressed_files_open_by_their_suffix_and_may_have_several_members(tmp_path, packed, monkeypatch):
    suffix, compress = packed
    path = tmp_path / f"text{suffix}"
    path.write_bytes(b"".join(map(compress, (b"\xc3", b"", b"\xa9\n", b"a\n" * 50_000))))
    for size in (1, 1000, 1 << 20):
        monkeypatch.setattr(files.compressed, "STORED", size)
        assert read_lines(str(path)) == ["é", *["a"] * 50_000]


def test_damaged_compressed_files_are_errors(tmp_path, packed):
    suffix, compress = packed
    path = tmp_path / f"text{suffix}"
    whole = compress(b"a\n" * 1000)
    for content in (whole[:-1], whole[:5], whole + whole[:-1], whole + b"garbage", b"garbage", b"a\n" * 1000):
        path.write_bytes(content)
        with pytest.raises(bleukit.InputError, match=f"text{suffix}: cannot be read: "):
            read_lines(str(path))


@pytest.mark.parametrize("suffix", [".gz", ".xz"])
def test_zeros_may_follow_compressed_text(tmp_path, suffix):
    path = tmp_path / f"text{suffix}"
    path.write_bytes(FORMATS[suffix].compress(b"a\n") + bytes(512) + FORMATS[suffix].compress(b"b\n") + bytes(512))
    assert read_lines(str(path)) == ["a", "b"]


def test_compressed_text_without_its_suffix_is_reported(tmp_path):
    (tmp_path / "text").write_bytes(gzip.compress(b"a\n", mtime=0))  # as Python 3.14 does by itself
    with pytest.raises(bleukit.InputError, match="0x8b; it looks like gzip, which is .* if the name ends in .gz"):
        read_lines(str(tmp_path / "text"))


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32"])
def test_other_encodings_are_reported(tmp_path, encoding):
    (tmp_path / "text").write_bytes("the cat\nsat\n".encode(encoding))
    with pytest.raises(bleukit.InputError, match="text: is UTF-16 or UTF-32; convert it: iconv"):
        read_lines(str(tmp_path / "text"))


def test_lines_that_end_in_cr_alone_are_reported(tmp_path):
    (tmp_path / "text").write_bytes(b"the cat\rsat\r")
    with pytest.raises(bleukit.InputError, match="text: has carriage returns and no line feed"):
        read_lines(str(tmp_path / "text"))


@pytest.mark.parametrize("begin", ["", "\n <?xml version='1.0'?>\n", "<!DOCTYPE mteval SYSTEM 'x.dtd'>\n"])
@pytest.mark.parametrize("tag", ["<refset setid='s'>", "<mteval>", "<DATASET\nid='x'>"])
def test_an_evaluation_set_by_another_name_is_reported(tmp_path, begin, tag):
    (tmp_path / "text").write_text(f"{begin}{tag}<doc docid='d'>")
    with pytest.raises(bleukit.InputError, match="text: is an evaluation set, not one segment a line"):
        list(TextFile(str(tmp_path / "text")).blocks())


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("empty", b"", "empty: is empty; one segment a line is expected"),
        ("binary", b"good\nb\xff\n", "binary:2: is not UTF-8 text: byte 2 of the line is 0xff"),
        ("cut", b"\xe2\x82", "cut:1: is not UTF-8 text: byte 1 of the line is 0xe2"),
        ("surrogate", b"a\n\n\xed\xa0\x80", "surrogate:3: is not UTF-8"),
        ("plain.gz", b"not compressed", "plain.gz: cannot be read: not gzip, or damaged: "),
        (
            "cut.gz",
            gzip.compress(b"a" * 1000, mtime=0)[:-9],
            "cut.gz: cannot be read: the gzip data end before their end mark",
        ),
        ("cut.xz", lzma.compress(b"a" * 1000)[:-9], "cut.xz: cannot be read: the xz data end before their end mark"),
        ("plain.bz2", b"not compressed", "plain.bz2: cannot be read: not bzip2, or damaged: Invalid data stream"),
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


@given(
    st.lists(st.sampled_from([b"a", b"\xc3\xa9", b"\r\n", b"\n", b"\r", b"\xef\xbb\xbf"]), min_size=1),
    st.integers(1, 5),
)
def test_blocks_of_any_size_give_the_same_lines(tmp_path_factory, parts, size):
    path = tmp_path_factory.mktemp("text") / "text"
    path.write_bytes(b"".join(parts))
    text = b"".join(parts).removeprefix(b"\xef\xbb\xbf").decode()
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(files, "BLOCK", size)
        if text and ("\n" in text or "\r" not in text):
            lines = text.replace("\r\n", "\n").removesuffix("\n").split("\n")
            assert read_lines(str(path)) == lines
            parts = list(read_aligned([lines_table(path), lines_table(path)], 2))
            assert [line for [one], _ in parts for line in one] == lines
            assert all(one == other and 0 < len(one) <= 2 for [one], [other] in parts)
        else:
            with pytest.raises(bleukit.InputError, match="no line feed" if text else "is empty"):
                read_lines(str(path))


def test_a_byte_that_is_not_utf8_is_reported_with_its_line_in_the_whole_file(tmp_path, monkeypatch):
    monkeypatch.setattr(files, "BLOCK", 4)
    (tmp_path / "text").write_bytes(b"abcdefg\nh\nij\xff\n")
    with pytest.raises(bleukit.InputError, match="text:3: is not UTF-8 text: byte 3 of the line is 0xff"):
        read_lines(str(tmp_path / "text"))


PLAIN = uncompiled("bleukit.reading.files")
PIECES = [
    b"a",
    b"\r",
    b"\n",
    b"\0",
    "é中😀".encode(),
    *(bytes([byte]) for byte in b"\xc3\xa9\xe4\xb8\xed\xf0\x9f\x80\xf4\xff"),
]


@given(st.lists(st.sampled_from(PIECES), max_size=12).map(b"".join), st.integers(1, 7), st.integers(1, 9))
@example(b"a" * 20 + b"\xf0\x9f\x98", 7, 9)
@example(b"\xef\xbb\xbf\xe2\x82\xac\n\xef\xbb", 2, 9)
@example("é中😀".encode() * 9, 5, 26)
def test_files_are_read_alike_without_the_compiled_part(tmp_path_factory, content, block, most):
    path = tmp_path_factory.mktemp("text") / "text"
    path.write_bytes(content)
    found = []
    for module in (files, PLAIN):
        file = module.TextFile(str(path), module.Limits(line=most))
        file._block = block
        lines = []
        try:
            lines += [line for some in file.blocks() for line in some]
        except bleukit.InputError as error:
            lines.append(str(error))
        found.append((lines, file.characters_read, file.lines_read, file.notes))
    assert found[0] == found[1]


def test_files_of_unequal_length_are_reported_with_the_lines_of_each(tmp_path):
    (tmp_path / "five").write_bytes(b"a\n" * 5)
    (tmp_path / "nine").write_bytes(b"a\n" * 9)
    uneven = [lines_table(tmp_path / name) for name in ("five", "five", "nine")]
    with pytest.raises(bleukit.InputError, match="nine has 9 lines, .*five has 5 lines: line N of every file"):
        list(read_aligned(uneven, 2))
