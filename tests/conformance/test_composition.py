"""Variants are held to their components: what goes wrong between a text and its score is noticed, wherever it is."""

import pytest
from bleukit.conformance.contracts import composition

import bleukit
from bleukit import accumulator, metric, scoring, statistics
from bleukit.counting import components, segment_columns


def cut(tokenize):
    return lambda tokenizer, texts: tokenize(tokenizer, [text[:65_536] for text in texts])


def without_the_last_reference(columns):
    def found(segments, effective, counted):
        return columns(segments, effective, counted) | {"reference_tokens": segments.lengths[0]}

    return found


def of_32_bits(sums):
    return lambda values, width: [value % 2**31 for value in sums(values, width)]


def of_the_first_resample(weights_of):
    return lambda indices, segment_columns: weights_of(indices[[0] * len(indices)], segment_columns)


def of_few_chunks(mapped):
    return lambda count, starts, threads: mapped(count, starts[:4], threads)


def of_one_document(chunks):
    return lambda *streams: ([*chunk[:-1], [0] * len(chunk[-1])] for chunk in chunks(*streams))


def squared(penalty):
    return lambda *lengths: penalty(*lengths) ** 2


@pytest.mark.parametrize(
    ("module", "name", "fault", "contract"),
    [
        (components, "tokenize", cut, "counts in texts"),
        (segment_columns, "as_statistics_columns", without_the_last_reference, "counts in given tokens"),
        (statistics.loops, "sums", of_32_bits, "sums large counts"),
        (statistics, "_weights_of", of_the_first_resample, "sums segments exactly"),
        (metric, "map_in_order", of_few_chunks, "sums segments exactly"),
        (accumulator, "_chunks", of_one_document, "sums segments exactly"),
        (scoring, "brevity_penalty", squared, "scores every sum"),
    ],
)
def test_a_fault_in_the_core_is_noticed(monkeypatch, module, name, fault, contract):
    if module is not metric:
        monkeypatch.setattr(composition, "MANY", 100)
    monkeypatch.setattr(module, name, fault(getattr(module, name)))
    if module is scoring:
        monkeypatch.setattr("bleukit.metric.brevity_penalty", scoring.brevity_penalty)
    assert [says for says in composition.broken("wikipedia") if says.startswith(contract)]


def test_a_variant_whose_component_raises_is_reported(monkeypatch):
    monkeypatch.setattr(components, "tokenize", lambda *_: 1 / 0)
    assert composition.broken("wikipedia") == {composition.CONTRACTS[0]: "ZeroDivisionError: division by zero"}


def test_variants_keep_the_contracts(monkeypatch):
    assert not composition.broken("wikipedia")
    monkeypatch.setattr(composition, "MANY", 100)  # so many segments take long in plain Python
    assert not composition.broken("sacrebleu")  # which scores sentences otherwise
    assert bleukit.load("sacrebleu").variant.sentence
