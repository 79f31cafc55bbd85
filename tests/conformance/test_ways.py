"""Every way to a number is tried: what goes wrong between a text and its score is noticed, wherever it is."""

from array import array

import pytest
from bleukit.conformance.contracts import (
    corpora,
    misreading,
    refused,
    trying,
    ways,
)
from bleukit.conformance.judging import written

import bleukit
from bleukit import accumulator, metric, scoring, statistics
from bleukit.counting import components, direct, segment_columns


def cut(tokenize):
    return lambda tokenizer, texts: tokenize(tokenizer, [text[:2_000] for text in texts])


def without_the_last_reference(columns):
    def found(segments, effective, counted):
        return columns(segments, effective, counted) | {"reference_tokens": segments.lengths[0]}

    return found


def with_tokens_of_the_hypothesis(columns):
    def found(way, segments):
        lengths, effective, _, *others = columns(way, segments)
        return lengths, effective, lengths, *others

    return found


def of_32_bits(sums):
    return lambda values, width: [value % 2**31 for value in sums(values, width)]


def of_the_first_resample(weights_of):
    return lambda indices, segment_columns: weights_of(indices[[0] * len(indices)], segment_columns)


def of_few_chunks(mapped):
    return lambda count, starts, threads: mapped(count, starts[:4], threads)


def of_one_document(chunks):
    return lambda *streams: ([*chunk[:-1], [0] * len(chunk[-1])] for chunk in chunks(*streams))


def squared(score):
    return lambda *arguments, **named: score(*arguments, **named) ** 2


def broken(variant):
    return {way: wrong for way, _, wrong in trying.broken(variant) if wrong}


@pytest.fixture
def quickly(monkeypatch):
    monkeypatch.setattr(trying, "OTHER_KEYS", {})


@pytest.fixture
def only(monkeypatch, quickly):
    """Leave out all ways whose names begin with none of these."""

    def leave_out_others(*names):
        chosen = [way for way in ways.WAYS if way.says.startswith(names)]
        monkeypatch.setattr(ways, "DEPENDING_ON", {lambda *_: "": chosen})
        monkeypatch.setattr(trying, "_written_down", lambda *_: ())

    return leave_out_others


@pytest.mark.parametrize(
    ("module", "name", "fault", "way"),
    [
        (components, "tokenize", cut, "rows of tuples"),
        (segment_columns, "as_statistics_columns", without_the_last_reference, "rows of tuples"),
        (direct.DirectWay, "columns", with_tokens_of_the_hypothesis, "rows of all segments at once"),
        (statistics.loops, "sums", of_32_bits, "the sum of all rows"),
        (statistics, "_weights_of", of_the_first_resample, "resamples by index"),
        (accumulator, "_chunks", of_one_document, "an accumulator given streams, level document"),
    ],
)
def test_a_fault_in_the_core_is_noticed(monkeypatch, only, module, name, fault, way):
    only(way)
    monkeypatch.setattr(module, name, fault(getattr(module, name)))
    assert way in broken("wikipedia")


def test_a_fault_in_the_formula_is_noticed(monkeypatch, only):
    only("a corpus")
    monkeypatch.setattr("bleukit.metric.compiled_formula", lambda *_: None)
    monkeypatch.setattr("bleukit.metric.score_value", squared(scoring.score_value))
    assert "by its components" in broken("wikipedia")["a corpus"]


def test_a_fault_in_the_compiled_formula_is_noticed(monkeypatch, only):
    only("a corpus", "sentence")

    class Halved:
        def __init__(self, variant, components):
            self.formula = scoring.compiled_formula(variant, components)

        def values(self, *columns):
            return array("d", [value / 2 for value in self.formula.values(*columns)])

        def of_segment(self, counts):
            return self.formula.of_segment(counts) / 2

    monkeypatch.setattr("bleukit.metric.compiled_formula", Halved)
    wrong = broken("wikipedia")
    assert "by its components" in wrong["a corpus"]
    assert "by its components" in wrong["sentence"]


def test_a_fault_of_threads_is_noticed(monkeypatch, quickly):
    score = bleukit.Bleu.corpus

    def without_one(_, hypotheses, references, threads=None, **others):
        return score(_, hypotheses[threads and 1 :], references[threads and 1 :], **others)

    monkeypatch.setattr(bleukit.Bleu, "corpus", without_one)
    assert broken("wikipedia").keys() == {"a corpus by 17 threads"}


def test_a_fault_of_many_chunks_is_noticed(monkeypatch, only):
    only("a corpus")
    monkeypatch.setattr(metric, "map_in_order", of_few_chunks(metric.map_in_order))
    monkeypatch.setattr(corpora, "THREADS", 5)
    assert "a corpus" in broken("sacrebleu")


def test_a_fault_in_joining_the_documents_of_files_is_noticed(monkeypatch, quickly):
    monkeypatch.setattr(
        "bleukit.text.corpora.sides_of", lambda groups, _: [side[:1] for side in zip(*groups, strict=True)]
    )
    wrong = broken("d-bleu")
    assert wrong.keys() == {"text files of joined documents", "text files of joined documents, in two test sets"}
    assert ": its counts are" in wrong["text files of joined documents"]


@pytest.mark.parametrize(
    ("where", "fault", "way"),
    [
        (
            "bleukit.pairs.decoding._mean_counts",
            lambda counts, *_: counts[0],
            "MBR decoding by the mean of the references",
        ),
        ("bleukit.pairs.diversity._mean", lambda *_: 0.5, "diversity"),
        ("bleukit.paraphrases.weighed", lambda score, *_: score, "iBLEU"),
        ("bleukit.inspecting.explaining._share", lambda *_: 0.0, "an explanation"),
    ],
)
def test_a_fault_in_a_function_is_noticed(monkeypatch, only, where, fault, way):
    only(way)
    monkeypatch.setattr(where, fault)
    assert way in broken("sacrebleu")


@pytest.mark.parametrize(
    ("where", "fault", "says"),
    [
        ("bleukit.text.layouts.refuse_another_layout", lambda *_, **__: None, "sets as references by segment"),
        ("bleukit.counting.components._float", lambda _: 0.5, "a sentence by a reference_length that returns None"),
        ("bleukit.text.table_file.TableFile._check_list", lambda *_: None, "as JSON lines"),
    ],
)
def test_what_has_no_number_and_gets_one_is_noticed(monkeypatch, tmp_path, where, fault, says):
    monkeypatch.setattr(where, fault)
    wrong = [name for name, problem in refused.accepted(bleukit.load(), "", tmp_path) if problem]
    assert any(says in name for name in wrong)


def test_a_small_file_that_is_misread_is_noticed(monkeypatch, tmp_path):
    monkeypatch.setattr("bleukit.text.folders.sorted", lambda found: sorted(found)[::-1], raising=False)
    wrong = {name for name, problem in misreading.misread(tmp_path) if problem}
    assert "the files of a folder in the order of their names" in wrong
    assert "a last line without an end" not in wrong


def test_a_wrong_signature_of_a_score_is_noticed(monkeypatch, only):
    only("a corpus")
    monkeypatch.setattr("bleukit.loading.signature.TOKENS_GIVEN", "")
    assert "it is signed" in broken("wikipedia")["a corpus"]


def test_keys_that_are_read_in_another_way_are_noticed(monkeypatch, quickly):
    monkeypatch.setattr("bleukit.variant._equal_weights", lambda orders: (1.0,) * orders)
    monkeypatch.setattr(ways, "DEPENDING_ON", {})
    assert "|weights:1.0,1.0," in broken("sacrebleu")["keys written in two ways"]


def test_a_wrong_name_of_a_component_that_is_given_in_python_is_noticed(monkeypatch):
    monkeypatch.setattr("bleukit.variant._place", lambda _: "")
    assert "given-in-Python" in next(written.wrong_signatures("wikipedia"))


def test_a_comparison_that_is_read_wrongly_from_a_signature_of_sacrebleu_is_noticed(monkeypatch):
    monkeypatch.setattr("bleukit.built_in.sacrebleu.signatures.SEED", "1")
    assert "|bs:1000' is read as" in next(written.wrong_signatures("sacrebleu"))


def test_a_variant_whose_component_raises_is_reported(monkeypatch, only):
    only("rows of tuples")
    monkeypatch.setattr(components, "tokenize", lambda *_: 1 / 0)
    assert broken("wikipedia")["rows of tuples"] == "ZeroDivisionError: division by zero"


def test_every_way_is_tried(monkeypatch):
    assert bleukit.load("sacrebleu").variant.sentence  # it scores sentences otherwise, which wikipedia does not
    assert bleukit.load("d-bleu").variant.join_documents  # as neither of the two does
    assert bleukit.load("fairseq").counts_whole_texts
    assert bleukit.load("b-norm").variant.is_macro
    monkeypatch.setattr(trying, "counted_alone", lambda *_: [])
    monkeypatch.setattr(trying, "_wrong", lambda *_: "")  # that they are right is what bleukit conform checks
    tried = {
        way
        for variant in ("wikipedia", "nltk", "sacrebleu", "d-bleu", "fairseq", "b-norm")
        for way, _, _ in trying.broken(variant)
    }
    assert {way.says for way in ways.WAYS} <= tried
