"""bleukit.compat.sacrebleu beside sacrebleu: the same numbers, attributes, texts, signatures, warnings and errors."""

import inspect
import json
import logging
import pickle
import sys
import warnings
from collections import UserList, deque
from functools import partial
from importlib import import_module

import pytest
import sacrebleu as theirs
from hypothesis import example, given, settings
from hypothesis import strategies as st
from sacrebleu.metrics import BLEU as THEIRS
from strategies import texts

import bleukit
import bleukit.compat.sacrebleu as ours
from bleukit.compat import originals
from bleukit.compat.sacrebleu.metrics import BLEU, BLEUScore, TextAsListWarning, TransposedReferencesWarning

BOTH = (BLEU, THEIRS)

lines = st.one_of(texts, st.sampled_from(["the cat sat on the mat .", "", "a ."]))
smoothings = st.sampled_from(
    [("exp", None), ("none", None), ("floor", None), ("floor", 0.5), ("floor", 0), ("add-k", None), ("add-k", 2)]
)


@st.composite
def corpora(draw):
    """Hypotheses, and one to three sets of references; some are None, but not all of a segment."""
    number = draw(st.integers(1, 5))
    sets = [draw(st.lists(lines, min_size=number, max_size=number)) for _ in range(draw(st.integers(1, 3)))]
    for later in sets[1:]:
        for segment in range(number):
            later[segment] = draw(st.sampled_from([None, later[segment]]))
    hypotheses = [draw(st.one_of(lines, st.just(reference))) for reference in sets[0]]
    return hypotheses, sets


parameters = st.fixed_dictionaries(
    {
        "tokenize": st.sampled_from(["13a", "none", "zh", "intl", "char", None]),
        "smooth": smoothings,
        "lowercase": st.booleans(),
        "effective_order": st.booleans(),
        "max_ngram_order": st.integers(1, 6),
        "trg_lang": st.sampled_from(["", "de", "zh"]),
        "force": st.booleans(),
    }
)


def metrics(given, **more):
    method, value = given["smooth"]
    rest = {key: value for key, value in given.items() if key != "smooth"}
    return [metric(smooth_method=method, smooth_value=value, **rest, **more) for metric in BOTH]


def described(score):
    """All attributes, the private ones too, and all texts."""
    texts = [repr(score), str(score), score.format(5), score.format(score_only=True), score.format(signature="a:b")]
    return vars(score), [*texts, score.format(signature="a:b|c:d", is_json=True)]


def agree(ours, theirs):
    mine, peers = outcome(ours), outcome(theirs)
    if isinstance(peers, type):
        assert mine is peers
    else:
        assert described(mine) == described(peers)


def outcome(call):
    try:
        return call()
    except Exception as error:  # noqa: BLE001 - whatever it is
        return type(error)


@given(corpora(), parameters)
def test_corpus_score_and_signature(corpus, parameters):
    mine, peers = metrics(parameters)
    agree(partial(mine.corpus_score, *corpus), partial(peers.corpus_score, *corpus))
    for short in (False, True):
        assert mine.get_signature().format(short=short) == peers.get_signature().format(short=short)
    assert (str(mine.get_signature()), mine.get_signature().info) == (
        str(peers.get_signature()),
        peers.get_signature().info,
    )


@given(corpora(), parameters)
@pytest.mark.filterwarnings("ignore::bleukit.compat.sacrebleu.TransposedReferencesWarning")
def test_references_given_to_the_constructor(corpus, parameters):
    hypotheses, references = corpus
    mine, peers = metrics(parameters, references=references)
    for system in (hypotheses, hypotheses[::-1], ["x"]):
        agree(partial(mine.corpus_score, system, None), partial(peers.corpus_score, system, None))
    assert str(mine.get_signature()) == str(peers.get_signature())


@given(corpora(), parameters)
def test_sentence_score(corpus, parameters):
    hypotheses, sets = corpus
    references = [references[0] for references in sets]
    mine, peers = metrics(parameters)
    agree(
        partial(mine.sentence_score, hypotheses[0], references),
        partial(peers.sentence_score, hypotheses[0], references),
    )
    assert str(mine.get_signature()) == str(peers.get_signature())


@given(corpora(), smoothings, st.booleans(), st.sampled_from(["13a", "none", "intl"]), st.booleans())
def test_functions(corpus, smoothing, lowercase, tokenize, effective):
    options = {"lowercase": lowercase, "tokenize": tokenize, "use_effective_order": effective}
    options |= dict(zip(("smooth_method", "smooth_value"), smoothing, strict=True))
    first = corpus[0][0], [references[0] for references in corpus[1]]
    agree(lambda: ours.corpus_bleu(*corpus, **options), lambda: theirs.corpus_bleu(*corpus, **options))
    agree(lambda: ours.sentence_bleu(*first, **options), lambda: theirs.sentence_bleu(*first, **options))
    agree(lambda: ours.corpus_bleu(*corpus), lambda: theirs.corpus_bleu(*corpus))
    agree(lambda: ours.sentence_bleu(*first), lambda: theirs.sentence_bleu(*first))
    agree(lambda: ours.raw_corpus_bleu(*corpus), lambda: theirs.raw_corpus_bleu(*corpus))
    agree(lambda: ours.raw_corpus_bleu(*corpus, 0.5), lambda: theirs.raw_corpus_bleu(*corpus, 0.5))


@given(corpora(), parameters, st.integers(2, 60), st.sampled_from(["1", "12345", "77"]))
@settings(max_examples=30)
def test_bootstrap(corpus, parameters, samples, seed):
    mine, peers = metrics(parameters)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SACREBLEU_SEED", seed)
        agree(partial(mine.corpus_score, *corpus, samples), partial(peers.corpus_score, *corpus, n_bootstrap=samples))
    assert str(mine.get_signature()) == str(peers.get_signature())


odd = st.sampled_from(
    [None, 5, "a b", b"a", [], [None], [[]], [5], ["a", 5], ["a", b"a"], [["a", 5]], [[None]], ["a", None]]
)


@pytest.mark.filterwarnings("ignore::bleukit.compat.sacrebleu.TransposedReferencesWarning")
@pytest.mark.filterwarnings("ignore::bleukit.compat.sacrebleu.TextAsListWarning")
@given(odd | corpora().map(lambda corpus: corpus[0]), odd | corpora().map(lambda corpus: corpus[1]), st.booleans())
@example(["a b"], [[None], [None]], True)
@example([""], [[None], [None]], True)
@example(["a", "b"], ["ab"], True)
def test_bad_input(hypotheses, references, force):
    mine, peers = BLEU(force=force), THEIRS(force=force)
    agree(partial(mine.corpus_score, hypotheses, references), partial(peers.corpus_score, hypotheses, references))
    for hypothesis in ("a b", *(hypotheses if isinstance(hypotheses, list) else [hypotheses])):
        agree(
            partial(mine.sentence_score, hypothesis, references), partial(peers.sentence_score, hypothesis, references)
        )


@pytest.mark.parametrize("wrong", [{"smooth_method": "x"}, {"tokenize": "x"}, {"tokenize": ""}, {"other": 1}])
def test_wrong_settings(wrong):
    assert outcome(lambda: BLEU(**wrong)) is outcome(lambda: THEIRS(**wrong))


def test_a_signature_before_a_score():
    assert outcome(BLEU().get_signature) is outcome(THEIRS().get_signature) is ValueError


def messages(caplog, call):
    caplog.clear()
    with caplog.at_level(logging.WARNING, "sacrebleu"):
        call()
    assert {record.name for record in caplog.records} <= {"sacrebleu"}  # the logger that programs silence
    return [record.getMessage() for record in caplog.records]


@pytest.mark.parametrize(
    "use",
    [
        lambda metric: metric().sentence_score("a", ["a"]),
        lambda metric: metric().corpus_score(["a b ."] * 100, [["a b ."] * 100]),
        lambda metric: metric(force=True).corpus_score(["a b ."] * 100, [["a b ."] * 100]),
        lambda metric: metric(trg_lang="ja", tokenize="13a"),
        lambda metric: metric(trg_lang="zh", tokenize="zh"),
    ],
)
def test_warnings_are_logged_alike(caplog, use):
    mine, peers = (messages(caplog, partial(use, metric)) for metric in BOTH)
    assert mine == peers


def test_segments_without_counterpart_are_warned_about(caplog):
    assert messages(caplog, lambda: BLEU().corpus_score(["a", "b"], [["a"]])) == [
        "2 hypotheses but references of 1: the rest is left out."
    ]


def test_all_but_the_counting_is_sacrebleus_own():
    from bleukit.compat.sacrebleu.dataset import DATASETS
    from bleukit.compat.sacrebleu.metrics.base import Metric, Score
    from bleukit.compat.sacrebleu.metrics.helpers import extract_char_ngrams
    from bleukit.compat.sacrebleu.tokenizers import tokenizer_13a, tokenizer_ter
    from bleukit.compat.sacrebleu.utils import smart_open

    from bleukit.compat.sacrebleu import significance
    from bleukit.compat.sacrebleu.metrics import CHRF, TER, CHRFScore, TERScore, base, bleu, chrf, ter
    from bleukit.compat.sacrebleu.significance import PairedTest, _paired_bs_test

    peers = theirs.metrics
    assert all(map(issubclass, (BLEU, CHRF, TER), (THEIRS, theirs.CHRF, theirs.TER)))
    assert (ours.CHRF, ours.TER, ours.DATASETS) == (CHRF, TER, theirs.DATASETS) == (chrf.CHRF, ter.TER, DATASETS)
    assert (TERScore, CHRFScore, BLEUScore) == (peers.TERScore, peers.CHRFScore, peers.BLEUScore)
    assert (Metric, Score, base.Signature) == (peers.base.Metric, peers.base.Score, peers.base.Signature)
    assert (smart_open, extract_char_ngrams) == (theirs.smart_open, theirs.extract_char_ngrams)
    assert bleu.my_log is theirs.utils.my_log
    assert tokenizer_13a is import_module("sacrebleu.tokenizers.tokenizer_13a")
    assert tokenizer_ter is import_module("sacrebleu.tokenizers.tokenizer_ter")
    assert {PairedTest.__module__, _paired_bs_test.__module__} == {significance.PairedTest.__module__}
    assert ours.metrics.METRICS == {**peers.METRICS, "BLEU": BLEU, "CHRF": CHRF, "TER": TER}
    assert ours.__version__ == theirs.__version__


def test_functions_of_sacrebleu_use_the_metric_of_bleukit(monkeypatch):
    found = pickle.loads(pickle.dumps(ours.corpus_bleu))
    assert (found, found.__doc__) == (ours.corpus_bleu, theirs.corpus_bleu.__doc__)
    for name in ("corpus_bleu", "sentence_bleu", "raw_corpus_bleu"):
        assert inspect.signature(getattr(ours, name)) == inspect.signature(getattr(theirs, name))
    assert inspect.signature(BLEU) == inspect.signature(THEIRS)
    for method in ("corpus_score", "sentence_score"):
        monkeypatch.setattr(BLEU, method, lambda *_: "bleukit's")
    assert ours.corpus_bleu(["a"], [["b"]]) == ours.sentence_bleu("a", ["b"]) == "bleukit's"
    assert ours.raw_corpus_bleu(["a"], [["b"]]) == "bleukit's"


@pytest.mark.parametrize("name", ["metrics", "metrics.bleu", "metrics.chrf", "metrics.ter"])
def test_all_metrics_and_scores_of_a_module_are_imported_from_it(name):
    kinds = theirs.metrics.base.Metric, theirs.metrics.base.Score
    public = import_module(f"bleukit.compat.sacrebleu.{name}").__all__
    for found, value in vars(import_module(f"sacrebleu.{name}")).items():
        if isinstance(value, type) and issubclass(value, kinds) and value not in kinds:
            assert found in public


@pytest.mark.parametrize("module", [ours, ours.metrics, ours.metrics.bleu, ours.metrics.base, ours.compat])
def test_unknown_names(module):
    for name in ("interval", "__wrapped__"):
        with pytest.raises(AttributeError, match=f"has no attribute '{name}'$"):
            getattr(module, name)


@pytest.mark.parametrize(
    ("version", "found"), [("", "which is not installed"), ("2.4.3", "found 2.4.3"), ("1.9", "found 1.9")]
)
def test_what_is_missing_or_older_is_named_with_the_command(monkeypatch, run, version, found):
    monkeypatch.setattr(originals, "version_of", lambda _: version)
    message = f"this needs sacrebleu 2.5 or later, {found}: pip install -U 'bleukit[sacrebleu]'"
    for name in [name for name in sys.modules if name.startswith(ours.__name__)]:
        monkeypatch.delitem(sys.modules, name)
    with pytest.raises(bleukit.NotInstalledError) as error:
        import_module("bleukit.compat.sacrebleu.metrics")
    assert str(error.value) == message
    for arguments in (["sacrebleu", "-V"], ["score", "-t", "wmt17", "-l", "en-de", "hyp"]):
        assert run(*arguments) == (2, "", f"bleukit: error: {message}\n")


def test_the_oldest_versions_are_accepted(monkeypatch):
    for version in ("2.5.0", "2.5", "2.10.1", "3"):
        monkeypatch.setattr(originals, "version_of", lambda _, version=version: version)
        originals.require("sacrebleu", "2.5", "sacrebleu")


def overriding(**methods):
    return lambda metric: type("Overriding", (metric,), methods)


def shouted(self, sent):
    return sent.upper().replace("A", " ")


def first_word(self, sent):
    return super(type(self), self)._preprocess_segment(sent).partition(" ")[0]


def longest(self, hyp_len, ref_lens):
    return max(ref_lens)


def unclipped(self, hypothesis, ref_kwargs):
    length = len(hypothesis.split())
    return [
        length,
        min(ref_kwargs["ref_lens"]),
        *[length // 2] * self.max_ngram_order,
        *[length] * self.max_ngram_order,
    ]


def doubled(self, stats):
    return super(type(self), self)._aggregate_and_compute([*stats, *stats])


def without_first(self, hypotheses, references):
    return [
        *super(type(self), self)._extract_corpus_statistics(hypotheses, references),
        [9] * (2 + 2 * self.max_ngram_order),
    ]


def shared(self, refs):
    found = super(type(self), self)._extract_reference_info(refs)
    return {**found, "ref_lens": [sum(found["ref_lens"])]}


def as_list(self, references):
    return list(super(type(self), self)._cache_references(references))[::-1]


changes = st.sampled_from(
    [
        overriding(_preprocess_segment=shouted),
        overriding(_preprocess_segment=first_word),
        overriding(_get_closest_ref_len=longest),
        overriding(_compute_segment_statistics=unclipped),
        overriding(_aggregate_and_compute=doubled),
        overriding(_extract_corpus_statistics=without_first),
        overriding(_extract_reference_info=shared),
        overriding(_cache_references=as_list),
        overriding(),
    ]
)


@given(corpora(), parameters, changes, st.booleans())
def test_overridden_methods(corpus, parameters, change, cached):
    hypotheses, references = corpus
    method, value = parameters.pop("smooth")
    given = {"smooth_method": method, "smooth_value": value, "references": references if cached else None, **parameters}
    mine, peers = (change(metric)(**given) for metric in BOTH)
    rest = None if cached else references
    agree(partial(mine.corpus_score, hypotheses, rest), partial(peers.corpus_score, hypotheses, rest))
    agree(partial(mine.corpus_score, hypotheses, rest, 3), partial(peers.corpus_score, hypotheses, rest, 3))
    first = hypotheses[0], [refs[0] for refs in references]
    agree(partial(mine.sentence_score, *first), partial(peers.sentence_score, *first))


def words(line):
    return line.replace("a", " a ")


@given(corpora(), st.sampled_from([words, str.upper, "none", "zh"]), st.booleans(), st.booleans())
def test_a_tokenizer_or_case_that_is_set_later(corpus, tokenizer, lowercase, cached):
    hypotheses, references = corpus
    scores = []
    for metric in BOTH:
        changed = metric(references=references if cached else None)
        changed.tokenizer = metric(tokenize=tokenizer).tokenizer if isinstance(tokenizer, str) else tokenizer
        changed.lowercase = lowercase
        changed._get_closest_ref_len = partial(longest, changed)
        scores.append(described(changed.corpus_score(hypotheses, None if cached else references)))
    assert scores[0] == scores[1]


@given(corpora(), parameters)
def test_what_other_code_calls(corpus, parameters):
    """The statistics of segments, as mbrs adds up those of references."""
    hypotheses, references = corpus
    found = []
    for metric in metrics(parameters):
        known = metric._cache_references(references)
        hypothesis = metric._preprocess_segment(hypotheses[0])
        statistics = metric._compute_segment_statistics(hypothesis, known[0])
        found.append((list(known), hypothesis, statistics, metric._extract_corpus_statistics(hypotheses, references)))
    assert found[0] == found[1]


class Text(str):
    """A str that is not quite one."""

    __slots__ = ()


@given(corpora(), st.sampled_from([deque, tuple, UserList]), st.integers(-1, 7), st.booleans())
def test_other_sequences_and_orders(corpus, kind, order, shorter):
    hypotheses, references = corpus
    hypotheses = kind(map(Text, hypotheses[1 if shorter else 0 :]))
    references = kind(kind(Text(text) if text else text for text in texts) for texts in references)
    mine, peers = (metric(max_ngram_order=order) for metric in BOTH)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", TransposedReferencesWarning)
        agree(partial(mine.corpus_score, hypotheses, references), partial(peers.corpus_score, hypotheses, references))
    first = Text("a b c d"), [texts[0] for texts in references]
    agree(partial(mine.sentence_score, *first), partial(peers.sentence_score, *first))


@pytest.mark.parametrize(
    ("hypotheses", "references", "named"),
    [
        ("the boat is late", ["the boat is late"], ["hypotheses", "references"]),
        ("the boat is late", [["the boat is late"]], ["hypotheses"]),
        (["a", "b"], ["a", "b"], ["references"]),
        (["the boat", "is late"], [["the boat", "is late"], "ab"], ["references"]),
        (["the boat is late"], "the boat is late", ["references"]),
    ],
)
@pytest.mark.parametrize("kept", [False, True])
def test_a_str_in_place_of_a_list_is_warned_about(hypotheses, references, named, kept):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        score = BLEU(references=references if kept else None).corpus_score(hypotheses, None if kept else references)
    expected = {"hypotheses": "a list of str", "references": "a list of sets, each a list of str"}
    message = "{}: expected {}, got a str in place of a list: sacreBLEU takes each character for a segment"
    found = {str(one.message) for one in caught if one.category is TextAsListWarning}
    assert found == {message.format(name, expected[name]) for name in named}
    assert described(score) == described(THEIRS().corpus_score(hypotheses, references))


@pytest.mark.parametrize(
    ("hypotheses", "references"),
    [(["a b c d", "e", "f"], [["a b c d"], ["e"], ["f"]]), (["a"], [["a", "b"]]), (["a", "b"], [["a"] * 3, ["b"] * 3])],
)
def test_references_by_segment_are_warned_about(hypotheses, references):
    for scored in (
        lambda: ours.corpus_bleu(hypotheses, references),
        lambda: BLEU(references=references).corpus_score(hypotheses, None),
    ):
        with pytest.warns(TransposedReferencesWarning, match=r"pass \[refs\], not \[\[ref\] for ref in refs\]"):
            assert described(scored()) == described(theirs.corpus_bleu(hypotheses, references))


@pytest.mark.parametrize("name", ["BLEU", "CHRF", "TER"])
def test_texts_are_counted_by_bleukit(name, monkeypatch):
    mine, peers = (getattr(module.metrics, name) for module in (ours, theirs))
    hypotheses = ["The cat sat on a mat.", "Dogs bark."]
    sets = [["The cat sat on the mat.", "All dogs bark."], ["A cat sat on a mat.", "Dogs bark, loudly."]]

    def scores(metric):
        single = metric(**({"effective_order": True} if name == "BLEU" else {}))
        calls = [
            metric().corpus_score(hypotheses, sets),
            metric().corpus_score(hypotheses, sets, n_bootstrap=5),
            metric(references=sets).corpus_score(hypotheses, None),
            *(
                single.sentence_score(*each)
                for each in zip(hypotheses, map(list, zip(*sets, strict=True)), strict=True)
            ),
        ]
        return [described(each) for each in calls]

    wanted = scores(peers)
    monkeypatch.setattr(peers, "_compute_segment_statistics", None)
    assert scores(mine) == wanted


@pytest.mark.parametrize("references", [[["a", "b"]], [["a", "b"]] * 2, [["a", None], ["c", "b"], [None, "b"]]])
def test_references_by_set_are_not_warned_about(references):
    ours.corpus_bleu(["a", "b"], references)
    ours.sentence_bleu("a", ["a", "b"])


def test_a_metric_with_references_can_be_pickled():
    metric = BLEU(references=[["a b c d", "e"]])
    copied = pickle.loads(pickle.dumps(metric))
    assert described(copied.corpus_score(["a b c e", "e"], None)) == described(
        metric.corpus_score(["a b c e", "e"], None)
    )


def test_special_names_of_a_module_are_not_those_of_the_original():
    """``json`` has a version; a module that stands for it does not say that this is its own."""
    looked_up = originals.names_of(json)
    assert looked_up("loads") is json.loads
    assert looked_up("decoder") is json.decoder
    for name in ("__version__", "__path__"):
        assert hasattr(json, name)
        with pytest.raises(AttributeError, match=name):
            looked_up(name)


@pytest.mark.parametrize(
    ("metric", "hypotheses", "references"),
    [
        (BLEU, ["a", "b"], [["a"], ["b"]]),
        (ours.CHRF, "ab", [["a", "b"]]),
        (ours.TER, "ab", [["a", "b"]]),
    ],
)
def test_a_warning_names_the_line_that_calls(metric, hypotheses, references):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        metric().corpus_score(hypotheses, references)
    assert caught
    assert {one.filename for one in caught} == {__file__}


def test_texts_that_differ_in_number_are_logged(caplog):
    for hypotheses, sets in ((3, 1), (2, 1), (1, 2), (9, 3)):
        caplog.clear()
        BLEU().corpus_score(["a b"] * hypotheses, [["a b"] * 4] * sets)
        [record] = caplog.records
        assert (record.name, record.levelname) == ("sacrebleu", "WARNING")
        assert record.getMessage() == f"{hypotheses} hypotheses but references of 4: the rest is left out."
