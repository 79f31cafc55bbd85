"""What a shard says it was counted from, and how shards that differ, or are equal, are told apart by their sources."""

import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

import bleukit
from bleukit.framework.errors import InputError
from bleukit.reading.files import Limits
from bleukit.shards import portable
from bleukit.shards.shard import InputFile, Shard, Source
from bleukit.shards.sources import checksum

BLEU = bleukit.load()
files = st.builds(
    InputFile,
    role=st.sampled_from(["hypothesis", "reference"]),
    file=st.sampled_from(["a", "b"]),
    sha256=st.sampled_from(["0", "1"]),
    chosen=st.sampled_from(["", "#x"]),
)
sources = st.builds(
    Source,
    inputs=st.lists(files, max_size=3).map(tuple),
    columns=st.sampled_from([{}, {"hypothesis": ("h",)}, {"reference": ("r", "s")}]),
)


@given(sources, sources)
def test_sources_differ_in_what_was_read_and_in_what_changed(one, other):
    said = one.difference(other)
    if one.columns != other.columns or [(f.role, f.chosen) for f in one.inputs] != [
        (f.role, f.chosen) for f in other.inputs
    ]:
        assert said == f"they are of {one}"
        return
    changed = [new.file for old, new in zip(one.inputs, other.inputs, strict=True) if old.sha256 != new.sha256]
    assert said == (f"since then {', '.join(changed)} changed" if changed else "")


def test_a_source_names_its_files_and_columns():
    inputs = InputFile("hypothesis", "a", "0"), InputFile("reference", "b.csv#r", "1", "#r")
    assert str(Source(inputs, {"reference": ("r", "s")})) == "a, b.csv#r, column 'r', column 's'"
    assert str(Source()) == "inputs that it does not name"


@pytest.mark.parametrize("size", [0, 1, 1 << 20, (5 << 19) + 7])
def test_the_checksum_of_a_file_is_that_of_all_its_bytes(tmp_path, size):
    content = (b"0123456789abcdef\n" * (size // 17 + 1))[:size]
    path = str(tmp_path / "text")
    (tmp_path / "text").write_bytes(content)
    assert checksum(f"{path}#part", path, "hypothesis") == InputFile(
        "hypothesis", f"{path}#part", hashlib.sha256(content).hexdigest(), "#part"
    )


def test_a_file_without_checksum_is_named_with_the_reason(tmp_path):
    path = str(tmp_path / "missing")
    with pytest.raises(InputError) as raised:
        checksum(path, path, "hypothesis")
    assert str(raised.value) == f"{path}: cannot be read: No such file or directory"


def shard_of(text, *systems, level="corpus"):
    rows = BLEU.statistics([text], [text])
    return Shard.of(BLEU, dict.fromkeys(systems or ("a",), rows), level=level)


def test_equal_parts_are_found_among_any_others():
    parts = {"one": shard_of("a b"), "two": shard_of("a b c"), "three": shard_of("a b c d"), "again": shard_of("a b")}
    with pytest.raises(InputError, match="^again: holds what one holds, too; "):
        Shard.merged(parts)
    assert len(Shard.merged(parts, equal_parts=True).sources) == 4


def test_parts_follow_one_another_in_the_order_given():
    texts = ["a b", "a b c", "a b c d"]
    merged = Shard.merged([shard_of(text, level="sentence") for text in texts])
    assert list(merged.statistics["a"].column("hypothesis_length")) == [2, 3, 4]


def test_a_system_of_many_parts_is_named_by_the_first_and_the_last():
    one, two, three, four = (shard_of(text, text) for text in ("a", "a b", "a b c", "a b c d"))
    by_steps = Shard.merged([Shard.merged([one, two]), Shard.merged([three, four])])
    assert list(by_steps.statistics) == list(Shard.merged([one, two, three, four]).statistics) == ["a … a b c d"]


@pytest.mark.parametrize(
    ("systems", "message"),
    [
        (("b", "c"), "its system 1 is 'b', not 'a'"),
        (("c", "a"), "its system 1 is 'c', not 'a'"),
        (("a", "c", "d"), "it holds 3 systems, not 2"),
        (("c", "d"), ""),
        (("a", "c"), ""),
    ],
)
def test_systems_are_other_files_in_the_same_order(systems, message):
    shards = {"one": shard_of("x", "a", "b"), "two": shard_of("y z", *systems)}
    if not message:
        assert len(Shard.merged(shards).statistics) == 2
        return
    with pytest.raises(InputError, match=f"^two: was not counted as one was: {message}$"):
        Shard.merged(shards)


def test_a_difference_names_each_field_that_is_another_or_missing():
    there, here = "bleukit:1|variant:a|x:1", "bleukit:1|variant:b|y:2"
    assert portable.difference(there, here) == "variant is b, not a; x is missing, not 1; y is 2, not missing"
    assert portable.difference(there, there) == ""


@pytest.mark.parametrize("keys", [{"tokenizer": str.split}, {"sentence": {"smoothing": len}}])
def test_what_is_a_python_object_cannot_be_kept(keys):
    bleu = bleukit.load("sacrebleu", **keys)
    with pytest.raises(InputError, match="is a Python object; only what a plugin registers can be used elsewhere"):
        Shard.of(bleu, bleu.statistics(["a"], ["a"]))


@pytest.mark.parametrize("keys", [[5, "b"], ["a", 5]])
def test_keys_are_texts(keys):
    rows = BLEU.statistics(["a", "b"], ["a", "b"]).by_document(keys)
    with pytest.raises(bleukit.InputTypeError, match="^statistics: expected keys that are texts, got int 5"):
        Shard.of(BLEU, rows, level="document")


def test_what_was_counted_with_other_distributions_is_kept_with_their_versions(tmp_path):
    bleu = bleukit.load("dotnet-bleu")  # with the Unicode categories of the distribution regex
    rows = bleu.statistics(["a b c d e", "f"], ["a b c d x", "f"])
    assert dict(rows.counted_by.versions)
    Shard.of(bleu, rows).write(tmp_path / "kept.jsonl")
    again = Shard.read(tmp_path / "kept.jsonl")
    assert again.statistics[""].counted_by == rows.counted_by
    assert again.score() == bleu.score(rows)


@pytest.mark.parametrize("name", ["kept.jsonl", "kept.JSONL"])
def test_a_line_may_be_as_long_as_the_limit(tmp_path, name):
    shard_of("a b c").write(tmp_path / name)
    longest = max(map(len, (tmp_path / name).read_bytes().splitlines()))
    assert Shard.read(tmp_path / name, limits=Limits(line=longest)) == shard_of("a b c")
    with pytest.raises(InputError, match=f"line 1 has more than {longest - 1:,} characters"):
        Shard.read(tmp_path / name, limits=Limits(line=longest - 1))
