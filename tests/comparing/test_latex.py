"""Tables in LaTeX: no package is needed, and every cell is printed."""

import shutil
import subprocess

import pytest

from bleukit.comparing import latex
from bleukit.comparing.tables import ResultTable

TABLE = ResultTable("one", ["system", "95 %\ninterval"], [["a_b", "1–2"], ["50 % & more", "+10.36 to +13.82"]], [1])


def test_a_table_has_a_line_for_each_row():
    body = [
        r"\begin{tabular}{lr}",
        r"\toprule",
        r"system & \shortstack{95 \% \\ interval} \\",
        r"\midrule",
        r"a\_b & 1--2 \\",
        r"50 \% \& more & +10.36 to +13.82 \\",
        r"\bottomrule",
        r"\end{tabular}",
    ]
    first, rules, *lines = latex.table_as_latex(TABLE).splitlines()
    assert (first, rules[:16], lines) == ("% one", r"\providecommand{", body)


@pytest.mark.slow
def test_a_bare_article_prints_a_table(tmp_path):
    if not shutil.which("pdflatex"):
        pytest.skip("pdflatex is not installed")
    text = latex.table_as_latex(TABLE)
    (tmp_path / "a.tex").write_text(rf"\documentclass{{article}}\begin{{document}}\noindent {text}\end{{document}}")
    command = ["pdflatex", "-interaction=nonstopmode", "a.tex"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, errors="replace", check=False)
    assert done.returncode == 0, done.stdout[-2000:]
