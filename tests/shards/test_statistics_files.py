"""Files of statistics of other programs, and limits on what is read."""

import hashlib
import json
import struct
from itertools import chain

import pytest

import bleukit
from bleukit.framework.errors import InputError
from bleukit.reading.files import Limits

pytestmark = pytest.mark.oldest

HEADER = {
    "format": "bleukit statistics",
    "signature": bleukit.load("nltk").signature,
    "level": "document",
    "variant": bleukit.load("nltk").variant.to_yaml(),
    "counted_by": {
        "fields": [
            ["tokenizer", "whitespace"],
            ["counter", "nltk"],
            ["reference_length", "closest"],
            ["case", "mixed"],
        ]
    },
    "max_order": 4,
    "systems": [{"name": "ours", "rows": 2}],
}
ROWS = {
    "system": ["ours", "ours"],
    "document": ["travel", "letters"],
    "segments": [1, 1],
    "hypothesis_length": [5, 2],
    "reference_length": [6.0, 2.0],
    "reference_tokens": [6, 2],
    "fewest_references": [1, 1],
    "most_references": [1, 1],
    "matches": [[5, 4, 3, 2], [1, 0, 0, 0]],
    "totals": [[5, 4, 3, 2], [2, 1, 1, 1]],
}
"""What another program writes who counts these texts."""
TEXTS = ["a b c d e", "x y"], ["a b c d e f", "x z"]


def write_json_lines(path):
    rows = [dict(zip(ROWS, row, strict=True)) for row in zip(*ROWS.values(), strict=True)]
    path.write_text("".join(json.dumps(line) + "\n" for line in (HEADER, *rows)))


def test_what_another_program_writes_is_scored_and_merged(tmp_path, run):
    path = tmp_path / "theirs.jsonl"
    write_json_lines(path)
    shard = bleukit.Shard.read(path)
    expected = bleukit.load("nltk").statistics(*TEXTS).by_document(["travel", "letters"])
    assert {name: shard.statistics["ours"].column(name) for name in expected.COLUMNS} == {
        name: expected.column(name) for name in expected.COLUMNS
    }
    status, out, error = run("merge", str(path), "--format", "json")
    assert (status, error) == (0, "")
    scores = {unit["document"]: unit["score"] for unit in json.loads(out)["systems"][0]["documents"]}
    assert scores == {key: bleukit.load("nltk").score(rows).value for key, rows in expected.items()}
    shard.write(tmp_path / "ours.jsonl")
    assert bleukit.Shard.read(tmp_path / "ours.jsonl") == shard


def digest_of(rows, begun=b""):
    """Return the SHA-256 of all columns of numbers, one after the other, then of the names of documents."""
    sha256 = hashlib.sha256(begun)
    for name in list(rows[0])[2:]:
        values = [row[name] for row in rows]
        numbers = list(chain.from_iterable(values)) if isinstance(values[0], list) else values
        sha256.update(struct.pack(f"<{len(numbers)}{'d' if isinstance(numbers[0], float) else 'q'}", *numbers))
    names = json.dumps([row["document"] for row in rows], ensure_ascii=False, separators=(",", ":"))
    sha256.update(names.encode())
    return sha256.hexdigest()


def test_checksums_are_the_same_on_every_machine(tmp_path):
    """Another machine, or another release, must find files undamaged, and parts that were counted twice."""
    bleu = bleukit.load("nltk", smoothing="nltk-method5", average="macro")
    rows = bleu.statistics(["a b c", "a b", "x"], ["a x c", "b x", "x"]).by_document(["one", "one", "\u00fc"])
    bleukit.Shard.of(bleu, {"ours": rows, "theirs": rows[:1]}, level="document").write(tmp_path / "kept.jsonl")
    first, *lines = (tmp_path / "kept.jsonl").read_bytes().splitlines()
    header, rows = json.loads(first), list(map(json.loads, lines))
    columns = [*ROWS, "sentence_scores"]
    assert list(rows[0]) == [*columns, *(f"last_{name}" for name in columns[2:])]
    assert header["sources"][0]["sha256"] == digest_of(rows)
    empty = b'"sha256":""}'.join(first.rsplit(f'"sha256":"{header["sha256"]}"}}'.encode(), 1))
    assert header["sha256"] == digest_of(rows, empty)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"format": "statistics"}, "holds no statistics as .*: Invalid enum value 'statistics'"),
        ({"max_order": 3}, "is damaged: matches: 2 rows need 6 values, got 8"),
        ({"max_order": None}, "is damaged: matches: 2 rows need 2 values, got 8"),
        *(
            ({"systems": [{"name": "ours", "rows": rows}]}, "is damaged: its rows are not those of the systems in its")
            for rows in (1, 3, 10**9, 10**30)
        ),
        ({"systems": [{"name": "ours", "rows": 3}, {"name": "x", "rows": -1}]}, "holds no statistics as .*: Expected"),
        ({"sha256": "0" * 64}, "is damaged: its checksum is not that of its content"),
        ({"colour": "red"}, "holds no statistics as"),
        ({"level": "word"}, "holds no statistics as"),
        ({"variant": "nltk"}, "its variant: expected keys, as 'bleukit config show' prints, got str 'nltk'"),
        ({"signature": 5}, "holds no statistics as"),
    ],
)
def test_headers_that_are_wrong_are_refused(tmp_path, monkeypatch, change, message):
    changed = {key: value for key, value in {**HEADER, **change}.items() if value is not None}
    monkeypatch.setattr(f"{__name__}.HEADER", changed)
    write_json_lines(tmp_path / "theirs.jsonl")
    with pytest.raises(InputError, match=rf"theirs\.jsonl: {message}"):
        bleukit.Shard.read(tmp_path / "theirs.jsonl")


@pytest.mark.parametrize(
    ("column", "value", "problem"),
    [
        ("matches", [1, 0, 0], "matches: 2 rows need 8 values, got 7"),
        ("matches", 1, "'int' object is not iterable"),
        ("matches", [3, 0, 0, 0], "matches: row 1 has 3 of 2"),
        ("segments", [1], "segments: expected whole numbers, got list"),
        ("segments", "1", "segments: expected whole numbers, got list"),
        ("segments", 2**63, ""),
        ("totals", [2, -1, 0, 0], "totals: row 1 has -1, which is not a count"),
        ("reference_length", "2", "reference_length: expected numbers, got list"),
        ("reference_length", -1, "reference_length: row 1 has -1.0, which is not a length"),
    ],
)
def test_rows_that_are_no_counts_are_refused(tmp_path, monkeypatch, column, value, problem):
    monkeypatch.setitem(ROWS, column, [ROWS[column][0], value])
    write_json_lines(tmp_path / "theirs.jsonl")
    with pytest.raises(InputError, match=rf"theirs\.jsonl: is damaged.*: .*{problem}"):
        bleukit.Shard.read(tmp_path / "theirs.jsonl")


def test_nothing_is_kept_and_read_again(tmp_path):
    bleu = bleukit.load("nltk")
    shard = bleukit.Shard.of(bleu, bleu.statistics([], []))
    shard.write(tmp_path / "kept.jsonl")
    assert len(bleukit.Shard.read(tmp_path / "kept.jsonl").statistics[""]) == 0


@pytest.mark.parametrize("max_order", [4, 10**9, 10**30])
def test_a_file_of_no_row_has_no_score(tmp_path, max_order):
    header = {**HEADER, "max_order": max_order, "systems": [{"name": "ours", "rows": 0}]}
    (tmp_path / "none.jsonl").write_text(json.dumps(header))
    shard = bleukit.Shard.read(tmp_path / "none.jsonl")
    with pytest.raises(InputError):
        bleukit.Shard.merged([shard, shard]).score()


def test_a_file_of_no_system_has_no_score(tmp_path):
    (tmp_path / "none.jsonl").write_text(json.dumps({**HEADER, "systems": []}))
    with pytest.raises(InputError, match="^the shard holds 0 systems: nothing to score$"):
        bleukit.Shard.read(tmp_path / "none.jsonl").score()


def test_more_than_a_limit_is_refused(tmp_path, run):
    path = tmp_path / "theirs.jsonl"
    write_json_lines(path)
    assert bleukit.Shard.read(path, limits=Limits(values=8))
    with pytest.raises(
        InputError, match=r"theirs\..*: column 'matches' of statistics has more than 7 values, the limit"
    ):
        bleukit.Shard.read(path, limits=Limits(values=7))
    status, out, error = run("merge", "--limit", "values=1", str(path))
    assert (status, out) == (2, "")
    assert "values, the limit 'values'" in error
    with pytest.raises(InputError, match="line 1 has more than 40 characters, the limit 'line'"):
        bleukit.Shard.read(path, limits=Limits(line=40))


def test_a_file_of_another_program_is_not_taken_for_the_inputs(tmp_path, run):
    write_json_lines(tmp_path / "theirs.jsonl")
    for name, texts in zip(("hyp", "ref"), TEXTS, strict=True):
        (tmp_path / name).write_text("".join(f"{text}\n" for text in texts))
    (tmp_path / "doc").write_text("travel\nletters\n")
    options = ["-V", "nltk", "--level", "document", "--documents", "doc", "-r", "ref", "hyp"]
    status, out, error = run("score", "--statistics", "theirs.jsonl", *options)
    assert (status, out) == (2, "")
    assert "holds other statistics: " in error
