"""What is derived of a score is right: every table by plain counting, and the formula by its own arithmetic."""

import math
import re
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import corpora, tokens

import bleukit
from bleukit.explaining.derivation import Formula, derive, written
from bleukit.writing.table import TextTable

LINE = st.text("abc ", max_size=14)
VARIANTS = {
    "nltk": {},
    "sacrebleu": {"effective_order": True, "smoothing": "none"},
    "wikipedia": {"weights": [0.5, 0, 0.5], "counter": "unclipped", "effective_order": True},
    "coco": {"weights": [0, 1]},
}


def derived(bleu, corpus, shown):
    """Return the score of a corpus, and the steps to it, of which the first segments show their n-grams."""
    hypotheses, references = zip(*corpus, strict=True)
    score = bleu.corpus(hypotheses, references, references_by="segment")
    return score, derive(bleu, corpus[:shown], score)


def ngrams(words, order):
    return Counter(tuple(words[start : start + order]) for start in range(len(words) - order + 1))


@pytest.mark.parametrize("counter", ["clipped", "unclipped"])
@given(corpora(tokens, max_size=3), st.integers(1, 3))
def test_each_table_counts_what_its_heads_say(counter, corpus, shown):
    bleu = bleukit.load("wikipedia", counter=counter, reference_length="average")
    score, steps = derived(bleu, corpus, shown)
    tables = [
        dict(zip([head.name for head in table.heads], zip(*table.rows, strict=True), strict=True))
        for table in steps
        if isinstance(table, TextTable)
    ]
    for hypothesis, references in corpus[:shown]:
        of_segment = tables.pop(0)
        assert of_segment["tokens"] == tuple(map(" ".join, (hypothesis, *references)))
        assert of_segment["length"] == tuple(str(len(words)) for words in (hypothesis, *references))
        for order in range(1, min(4, len(hypothesis)) + 1):
            found, table = ngrams(hypothesis, order), tables.pop(0)
            every = [*found, *dict.fromkeys(n for words in references for n in ngrams(words, order) if n not in found)]
            most = [max(ngrams(words, order)[ngram] for words in references) for ngram in every]
            pairs = [(found[ngram], m) for ngram, m in zip(every, most, strict=True)]
            matches = [min(n, m) if counter == "clipped" else n * (m > 0) for n, m in pairs]
            missed = [m - min(n, m) for n, m in pairs]
            assert table == {
                f"order {order}": (*map(" ".join, every), "sum"),
                "in the hypothesis": (*(str(n) for n, _ in pairs), str(found.total())),
                "at most in a reference": (*map(str, most), ""),
                "counts": (*map(str, matches), str(sum(matches))),
                "missed": (*map(str, missed), str(sum(missed))),
            }
    (lengths,) = tables
    parts = [(str(len(one)), ", ".join(str(len(each)) for each in others)) for one, others in corpus[:shown]]
    more = [""] * (len(corpus) > shown)
    assert lengths["segment"] == (*map(str, range(1, len(parts) + 1)), *(["…"] if more else []), "sum")
    assert lengths["hypothesis"] == (*(own for own, _ in parts), *more, str(score.hypothesis_length))
    assert lengths["references"] == (*(others for _, others in parts), *more, "")
    means = [sum(map(len, others)) / len(others) for _, others in corpus[:shown]]
    assert lengths["average"] == (*(f"{mean:.6g}" for mean in means), *more, f"{score.reference_length:.6g}")


@pytest.mark.parametrize("name", VARIANTS)
@given(corpora(LINE, max_size=3))
def test_the_formula_gives_the_score(name, corpus):
    bleu = bleukit.load(name, **VARIANTS[name])
    score, steps = derived(bleu, corpus, 1)
    *_, last = (step.plain for step in steps if isinstance(step, Formula))
    if zero := re.search(r"BLEU = (.*), because p(\d) is not above 0", last):
        assert (float(zero[1]), score.precisions[int(zero[2]) - 1] > 0) == (score.value, False)
        return
    formula = re.fullmatch(r"BLEU = .* = (.* × )?(\S+) × exp\((.*)\) = (\S+)", last)
    scale = float((formula[1] or "1 × ").removesuffix(" × "))
    terms = [list(map(float, term.split(" ln "))) for term in formula[3].split(" + ")] if formula[3] else []
    value = scale * float(formula[2]) * math.exp(math.fsum(weight * math.log(precision) for weight, precision in terms))
    assert all(weight for weight, _ in terms)
    assert [value, float(formula[4])] == pytest.approx([score.value] * 2, rel=1e-4)


def test_marks_of_markdown_and_latex_are_text_there():
    bleu = bleukit.load("wikipedia")
    marks = "a|b *c* _d_ `e` [f] <g> $h$ \\i"
    _, steps = derived(bleu, [(marks, [marks])], 1)
    row = next(line for line in written(steps, "markdown").splitlines() if line.startswith("| hypothesis |"))
    assert row == r"| hypothesis | a\|b \*c\* \_d\_ \`e\` \[f\] \<g\> \$h\$ \\i | 8 |"
    row = next(line for line in written(steps, "latex").splitlines() if line.startswith("hypothesis &"))
    assert row == (r"hypothesis & a\textbar{}b *c* \_d\_ `e` [f] $<$g$>$ \$h\$ \textbackslash{}i & 8 \\")


def test_a_table_of_text_is_ruled_and_aligned():
    _, steps = derived(bleukit.load("wikipedia"), [("a b", ["a b c", "猫"])], 1)
    lines = written([step for step in steps if isinstance(step, TextTable)][:1]).splitlines()
    assert lines == [
        "             tokens  length",
        "───────────────────────────",
        "hypothesis   a b          2",
        "reference 1  a b c        3",
        "reference 2  猫           1",
    ]
