"""Tables in LaTeX: no package, nothing beyond a line or a page, and every cell in one part."""

import re
import shutil
import subprocess
from itertools import pairwise

import pytest

from bleukit.comparing import latex
from bleukit.comparing.tables import ResultTable

NAMES = ["Online-A", "QUARTZ_TuneReranking", "bleu_bestmbr_a_very_long_name_indeed", "50 % & more"] * 12


def of_pairs():
    rows = [[first, NAMES[place - 1], f"{place / 7:+.2f}", "+10.36 to +13.82", "0.0001", "0.0166", "100 %", "12,345"]
            for place, first in enumerate(NAMES)]  # fmt: skip
    heads = [
        "system",
        "against",
        "difference",
        "95 %\ninterval",
        "p",
        "adjusted\np",
        "people\nagree",
        "segments\nneeded",
    ]
    return ResultTable("", heads, rows, range(2, 8))


def of_variants():
    heads = ["variant", *(f"{first} –\n{second}" for first, second in pairwise(NAMES))]
    return ResultTable("all", heads, [["nltk", *["+0.25*"] * 47], ["moses", *["-0.25"] * 47]], range(1, 48))


def parts(written):
    """Return the cells of each part, row by row."""
    tabulars = re.findall(r"\\midrule\n(.*?)\n\\bottomrule", written, re.DOTALL)
    plain = [part.replace(r"\allowbreak ", "").replace(r"\_", "_") for part in tabulars]
    return [[re.split(r" (?<!\\)& ", line.removesuffix(r" \\")) for line in part.splitlines()] for part in plain]


def test_a_small_table_is_one_part_in_letters_of_the_document():
    written = latex.table_as_latex(ResultTable("one", ["system", "95 %\ninterval"], [["a_b", "1–2"]], [1]))
    body = r"\begin{tabular}{lr} \toprule system & \shortstack{95 \% \\ interval} \\ \midrule a\_b & 1--2 \\ "
    assert written.replace("\n", " ").replace("\\", "|").startswith("% one |providecommand")
    assert body in written.replace("\n", " ")
    assert "small" not in written


def test_columns_beyond_a_line_are_in_other_parts_that_repeat_the_names():
    found = parts(latex.table_as_latex(of_variants()))
    assert [row[0] for part in found for row in part] == ["nltk", "moses"] * len(found)
    assert [cell for part in found for cell in part[0][1:]] == ["+0.25*"] * 47


def test_rows_beyond_a_page_are_in_other_parts():
    table = of_pairs()
    found = parts(latex.table_as_latex(table))
    assert max(map(len, found)) <= latex.PAGE
    rows = {(row[0], row[1], cell) for part in found for row in part for cell in row[2:]}
    escaped = [[cell.replace("%", r"\%").replace("&", r"\&") for cell in row] for row in table.rows]
    assert rows == {(row[0], row[1], cell) for row in escaped for cell in row[2:]}


@pytest.mark.slow
@pytest.mark.parametrize("made", [of_pairs, of_variants])
def test_a_bare_article_prints_tables_within_its_margins(made, tmp_path):
    if not shutil.which("pdflatex"):
        pytest.skip("pdflatex is not installed")
    text = latex.table_as_latex(made())
    (tmp_path / "a.tex").write_text(rf"\documentclass{{article}}\begin{{document}}\noindent {text}\end{{document}}")
    command = ["pdflatex", "-interaction=nonstopmode", "a.tex"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, errors="replace", check=False)
    assert done.returncode == 0, done.stdout[-2000:]
    assert "Overfull" not in done.stdout
