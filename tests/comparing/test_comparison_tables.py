"""Tables of a comparison for papers: every cell is printed."""

import shutil
import subprocess

import pytest

from bleukit.comparing.tables import ResultTable, table_as_latex
from bleukit.results import Interval

TABLE = ResultTable("one", ["system", "95 %\ninterval"], [["a_b", "1–2"], ["50 % & more", "+10.36 to +13.82"]], [1])


def test_a_table_has_a_line_for_each_row():
    assert table_as_latex(TABLE).splitlines() == [
        "% one",
        r"\begin{tabular}{lr}",
        r"\toprule",
        r"system & 95 \% interval \\",
        r"\midrule",
        r"a\_b & 1--2 \\",
        r"50 \% \& more & +10.36 to +13.82 \\",
        r"\bottomrule",
        r"\end{tabular}",
    ]


def test_an_interval_is_written_by_its_ends():
    assert Interval(61.2, 64.35, 0.95).ends(2) == "61.20\u201364.35"
    assert Interval(-0.25, 1.309, 0.95).ends(2, "+") == "-0.25 to +1.31"


@pytest.mark.slow
def test_an_article_with_booktabs_prints_a_table(tmp_path):
    if not shutil.which("pdflatex"):
        pytest.skip("pdflatex is not installed")
    head = r"\documentclass{article}\usepackage{booktabs}\begin{document}\noindent"
    (tmp_path / "a.tex").write_text(rf"{head} {table_as_latex(TABLE)}\end{{document}}")
    command = ["pdflatex", "-interaction=nonstopmode", "a.tex"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, errors="replace", check=False)
    assert done.returncode == 0, done.stdout[-2000:]
