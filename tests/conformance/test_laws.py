"""Laws: their verdicts, and their counterexamples by the original libraries."""

import json
import math
from functools import partial

import pytest
import sacrebleu.metrics
from bleukit.conformance.judging import cases, laws
from bleukit.conformance.writing import drafts
from nltk.translate import bleu_score

LAWS = [case for document in cases.suite_documents() for case in document.cases if case.law]
NAMES = [*drafts.usable_variants(), *laws.METRICS]


@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.id)
def test_a_law_names_what_breaks_it_and_nothing_else(law):
    outcomes = {name: laws.judge_law(law, name) for name in NAMES}
    assert {name: outcome.failures for name, outcome in outcomes.items() if outcome.failures} == {}


def by_nltk(segments, level):
    references = [[text.split() for text in texts] for _, texts in segments]
    return bleu_score.corpus_bleu(references, [text.split() for text, _ in segments])


def by_sacrebleu(metric, **at_sentence_level):
    def score(segments, level):
        most = max(len(references) for _, references in segments)
        streams = [[refs[n] if n < len(refs) else None for _, refs in segments] for n in range(most)]
        if level == "sentence":
            [(hypothesis, references)] = segments
            return metric(**at_sentence_level).sentence_score(hypothesis, references).score / 100
        return metric().corpus_score([text for text, _ in segments], streams).score / 100

    return score


ORIGINALS = {
    "nltk": by_nltk,
    "sacrebleu": by_sacrebleu(sacrebleu.metrics.BLEU, effective_order=True),
    "chrf": by_sacrebleu(sacrebleu.metrics.CHRF),
    "chrf++": by_sacrebleu(partial(sacrebleu.metrics.CHRF, word_order=2)),
    "ter": lambda segments, level: 1 - by_sacrebleu(sacrebleu.metrics.TER)(segments, level),
}
STATED = [
    (law, broken, name)
    for law in LAWS
    for broken in law.law.breaks
    for name in broken.variants
    if name in ORIGINALS and law.law.of == "score"
]


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize(("law", "broken", "name"), STATED, ids=lambda value: getattr(value, "id", str(value)[:9]))
def test_the_original_library_breaks_the_law_with_the_same_texts(law, broken, name):
    levels = [law.level] if law.level else ["corpus", "sentence"]
    wrong = []
    for level in levels:
        if level == "sentence" and len(broken.after) > 1:
            continue
        before, after = (
            ORIGINALS[name]([(pair.hypothesis, pair.references) for pair in pairs], level) if pairs else math.nan
            for pairs in (broken.before, broken.after)
        )
        low, high = law.law.bounds or (before, before if law.law.relation == "equal" else math.inf)
        wrong.append(not low - 1e-6 <= after <= high + 1e-6)
    assert any(wrong)


CHANGES = [*laws.HYPOTHESES, *laws.REFERENCES, *laws.TEXTS]


def law(**keys):
    return cases.Case("X1", "says", law=cases.Law(**keys))


def verdict(case, name, **keywords):
    (stage,) = laws.judge_law(case, name, **keywords).stages
    return stage.state, stage.because


def test_every_change_of_the_closed_list_makes_texts():
    change = cases.cases_schema()["$defs"]["Law"]["properties"]["change"]
    assert sorted(change["enum"]) == sorted(CHANGES)
    for name in CHANGES:
        assert verdict(law(change=name, relation="at least", to=2), "wikipedia")[0] == "fails"


@pytest.mark.parametrize(
    ("keys", "name", "state"),
    [
        ({"relation": "at most", "to": 1}, "e2e-metrics-sentbleu", "fails"),
        ({"relation": "at most", "to": "1/2"}, "wikipedia", "fails"),
        ({"change": "nothing in common", "relation": "between", "to": [0, 0]}, "wikipedia", "agrees"),
        ({"change": "identical texts", "relation": "at least"}, "chrf", "agrees"),
        ({"change": "words in another order", "relation": "at most"}, "nltk", "fails"),
        ({"change": "the corpus twice", "relation": "equal", "of": "precisions"}, "nltk", "agrees"),
        (
            {"change": "longer than the references", "relation": "equal", "to": 1, "of": "brevity penalty"},
            "ter",
            "unstated",
        ),
        ({"relation": "equal", "to": 0, "speaks_of": cases.OfSome(variants=["nltk"])}, "wikipedia", "unstated"),
        ({"relation": "equal", "to": 0, "speaks_of": cases.OfSome(when={"smoothing": ["none"]})}, "wikipedia", "fails"),
    ],
)
def test_verdicts(keys, name, state):
    assert verdict(law(**keys), name)[0] == state


def test_a_law_fails_in_both_directions():
    pair = cases.Pair("b", ["b"])
    broken = cases.Broken(variants=["nltk", "wikipedia"], because="it is short", after=[pair])
    case = law(change="identical texts", relation="equal", to=1, breaks=[broken])
    assert verdict(case, "wikipedia") == ("deviates", 'it is short: "b" against "b" gives 0 (corpus level)')
    assert verdict(case, "coco-bleu-1") == (
        "fails",
        'it breaks the law, unnamed: "b" against "b" gives 1 (corpus level)',
    )
    named = law(change="nothing in common", relation="equal", to=0, within=1e-6, breaks=[broken])
    assert verdict(named, "wikipedia") == ("fails", "it keeps the law")


def test_a_counterexample_is_the_smallest():
    after = [cases.Pair("b c", ["b c"])]
    broken = cases.Broken(variants=["wikipedia"], because="it is short", after=after)
    state, because = verdict(law(change="identical texts", relation="equal", to=1, breaks=[broken]), "wikipedia")
    assert (state, because[:44]) == ("fails", 'it breaks the law otherwise than stated: "b"')


def test_the_command_has_the_verdicts_on_a_variant_of_ones_own(run, tmp_path):
    (tmp_path / "mine.yaml").write_text("variant: wikipedia\nlowercase: true\n")
    code, out, _ = run("conform", "--laws", "-c", str(tmp_path / "mine.yaml"), "-V", "chrf", "--format", "json")
    found = {(one["law"], name): one["state"] for one in json.loads(out) for name in one["names"]}
    assert code == 1
    assert found["LAW-case", str(tmp_path / "mine.yaml")] == "agrees"
    assert found["LAW-identical-short-corpus", str(tmp_path / "mine.yaml")] == "fails"
    assert found["LAW-case", "chrf"] == "deviates"


def test_the_command_checks_laws_alone(run):
    assert run("conform", "--laws", "--quick")[0] == 2
    assert run("conform", "--laws", "-V", "no-such-variant")[0] == 2
