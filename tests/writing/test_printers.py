"""Tables and lines, as every format and any width has them."""

import csv
import io
import json
import shutil
import subprocess

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleukit.writing.phrases import terminal_columns, wrapped_lines
from bleukit.writing.printers import as_html, as_latex, as_markdown, as_text, printed, write_csv, write_json_lines
from bleukit.writing.table import table_of

ROWS = [("system", ["a_b", "50 % & more"]), ("95 %\ninterval", ["1–2", "+10.36 to +13.82"])]
TABLE = table_of(ROWS, {"system"}, title="one", notes=["note: two"])


def columns(*heads_and_cells):
    """Return a table whose first column holds text, and all others numbers."""
    return table_of(heads_and_cells, {heads_and_cells[0][0]})


@pytest.mark.parametrize(
    ("table", "width", "lines"),
    [
        (columns(("name", ["猫", "cat"]), ("b", ["1", "2"])), None, ["name  b", "猫    1", "cat   2"]),
        (columns(("name", ["abcd", "b"]), ("my\nn", ["1", "22"])), 8, ["      my", "name   n", "abcd   1", "b     22"]),
        (columns(("name", ["abcd", "b"]), ("n", ["1", "22"])), 7, ["name  n", "abcd  1", "b    22"]),
        (
            columns(("text", ["some words", "longwords"]), ("n", ["1", "2"])),
            11,
            ["text      n", "some      1", "words", "longword  2", "s"],
        ),
        (
            columns(("name", ["a"]), ("n", ["1.25"]), ("m", ["2.25"])),
            12,
            ["name     n", "a     1.25", "", "name     m", "a     2.25"],
        ),
        (
            table_of([("a", ["an-expression"]), ("b", ["of 1,234.5 and more"])], {"a", "b"}),
            18,
            ["a         b", "an-expre  of", "ssion     1,234.5", "          and more"],
        ),
    ],
    ids=["wide characters", "fits", "closer", "broken", "below", "words"],
)
def test_a_table_fits_the_width(table, width, lines):
    assert as_text(table, width).split("\n") == lines


def test_a_rule_is_below_the_head():
    assert printed("text", ["first", TABLE, "second\nthird"], ruled=True).split("\n\n", 2)[2].split("\n") == [
        "                         95 %",
        "system               interval",
        "─────────────────────────────",
        "a_b                       1–2",
        "50 % & more  +10.36 to +13.82",
        "",
        "note: two",
        "",
        "second",
        "third",
    ]


def test_a_table_in_latex_has_a_line_for_each_row():
    assert as_latex(TABLE).splitlines() == [
        "% one",
        r"\begin{tabular}{lr}",
        r"\toprule",
        r"system & 95 \% interval \\",
        r"\midrule",
        r"a\_b & 1--2 \\",
        r"50 \% \& more & +10.36 to +13.82 \\",
        r"\bottomrule",
        r"\end{tabular}",
        "% note: two",
    ]


def test_a_mark_between_cells_is_escaped_in_markdown():
    table = table_of([("system-\nname", ["a|b*"]), ("n-gram\nprecisions", ["1"])], {"system-\nname"}, units={})
    table = table._replace(heads=[table.heads[0], table.heads[1]._replace(unit="%")])
    assert as_markdown(table).splitlines() == [
        "| system-name | n-gram precisions, % |",
        "| --- | ---: |",
        r"| a\|b\* | 1 |",
    ]


def test_a_notebook_shows_no_text_as_markup():
    assert as_html("<p>", columns(("<b>", ["<i>"]))) == (
        "<p>&lt;p&gt;</p><table><thead><tr><th>&lt;b&gt;</th></tr></thead><tbody><tr><td>&lt;i&gt;</td></tr></tbody></table>"
    )


cells = st.text("ab. 猫-", max_size=12)
numbers = st.sampled_from(["1", "1,234.50", "+8.27 to +36.54", "61.37 (56.79–65.56)", "<0.0001", "95 %", "3.25 ± 0.25"])


@given(st.lists(st.tuples(cells, cells, numbers, numbers), min_size=1, max_size=4), st.integers(0, 20))
def test_every_cell_is_printed_and_no_number_is_broken(rows, more):
    names = ("name", "text", "number", "other")
    for texts, least in (({"name", "text"}, 39), (set(names), 60)):
        width = least + more
        table = table_of(zip(names, zip(*rows, strict=True), strict=True), texts)
        lines = as_text(table, width).split("\n")
        assert all(terminal_columns(line) <= width for line in lines)
        shown = "".join(lines)
        for row in rows:
            assert all(any(number in line for line in lines) for number in row[2:])
            assert all(character in shown for cell in row for character in cell.strip())


fields = st.text("ab:猫", min_size=1, max_size=12)


@given(st.lists(fields, min_size=2, max_size=8), st.integers(5, 40))
def test_a_signature_is_broken_between_fields_and_only_if_it_must_be(parts, width):
    text = "|".join(f"k:{part}" for part in parts)
    lines = wrapped_lines(text, width)
    own = [lines[0], *(line.removeprefix("  ") for line in lines[1:])]
    assert "".join(own) == text
    assert all(line.startswith("  ") for line in lines[1:])
    for line, after in zip(lines, own[1:], strict=False):
        assert line.endswith("|")
        assert terminal_columns(line + after.partition("|")[0] + ("|" if "|" in after else "")) > width
    assert wrapped_lines(text, None) == [text]


words = st.sampled_from(["a", "word", "猫", "5 %", "0.5 points", "-1.5 to +2", "1 ± 2", "3 (1–2)"])


@given(st.lists(words), st.integers(12, 30))
def test_lines_are_broken_between_words_and_not_in_numbers_with_units(words, width):
    lines = wrapped_lines(" ".join(words), width, first="> ")
    assert " ".join(line[2:] for line in lines) == " ".join(words)
    assert all(terminal_columns(line) <= width for line in lines)
    assert all(any(word in line for line in lines) for word in words)


def test_no_cell_of_csv_is_a_formula():
    """Those that OWASP names: a cell that begins with =, +, -, @ or a tab."""
    texts = [f"{character}1" for character in map(chr, (*range(0x20, 0x180), 9))]
    stream = io.StringIO(newline="")
    write_csv([{"text": texts[:9], "score": [-1.0] * 9}, {"text": texts[9:], "score": [None] * len(texts[9:])}], stream)
    head, *rows = csv.reader(io.StringIO(stream.getvalue(), newline=""))
    assert head == ["text", "score"]
    assert [row[0] for row in rows] == [f"'{text}" if text[0] in "=+-@\t" else text for text in texts]
    assert stream.getvalue().count("\n") == 1 + len(texts)
    assert [row[1] for row in rows] == ["-1.0"] * 9 + [""] * len(texts[9:])


def test_rows_are_objects_in_json_lines():
    stream = io.StringIO()
    write_json_lines([{"a b": [1], "c": [[0.5]]}, {"a b": [2, None], "c": [[], [float("nan")]]}], stream)
    rows = list(map(json.loads, stream.getvalue().splitlines()))
    assert rows == [{"a b": 1, "c": [0.5]}, {"a b": 2, "c": []}, {"a b": None, "c": [None]}]


def test_an_article_with_booktabs_prints_a_table(tmp_path):
    if not shutil.which("pdflatex"):
        pytest.skip("pdflatex is not installed")
    head = r"\documentclass{article}\usepackage{booktabs}\begin{document}\noindent"
    (tmp_path / "a.tex").write_text(rf"{head} {as_latex(TABLE)}\end{{document}}")
    command = ["pdflatex", "-interaction=nonstopmode", "a.tex"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, errors="replace", check=False)
    assert done.returncode == 0, done.stdout[-2000:]
