"""The ways through functions that score pairs, tables, comparisons and explanations."""

from __future__ import annotations

import math
from functools import partial
from typing import Any

import numpy as np
from bleukit.conformance.contracts.trials import CLOSE, Trial, Way, of_each
from bleukit.conformance.definitions import alike

from bleukit.errors import InputError, shown


def _matrix_by_threads(threads: int, trial: Trial) -> Any:
    hypotheses, references = trial.corpus.grid
    return trial.bleu.matrix(hypotheses, references, threads=threads).ravel()


def _part_of_matrix(trial: Trial) -> Any:
    """Score all texts of a grid with each other, and return what is left of hypotheses with references, weighted."""
    hypotheses, references = trial.corpus.grid
    texts, weights = [*hypotheses, *references], [1.0] * len(hypotheses) + [2.0] * len(references)
    whole = trial.bleu.matrix(texts, weights=weights)
    if whole.tobytes() != trial.bleu.matrix(texts, list(texts), weights=weights).tobytes():  # NaN is equal to NaN
        raise InputError("it is not that of two lists of the same texts")
    return (whole[: len(hypotheses), len(hypotheses) :] / 2).ravel()


def _in_matrices(trial: Trial) -> Any:
    """Score a grid in two groups by weights, into arrays that are there, and return what the weights were not."""
    hypotheses, references = trial.corpus.grid
    groups = [hypotheses[:9], hypotheses[9:]]
    weights = [[number] * len(references) for number in (1.0, 2.0)]
    out = [np.zeros((len(group), len(references))) for group in groups]
    trial.bleu.matrices(groups, [references] * 2, weights=weights, out=out, threads=2)
    return np.concatenate([out[0], out[1] / 2]).ravel()


def _decoded(trial: Trial) -> list[float]:
    """Return the scores of a grid if each expected score is the mean of those of a row, and the best is chosen."""
    hypotheses, references = trial.corpus.grid
    scores = [float(value) for _, value in trial.scores(of_each)]
    means = [float(np.mean(row)) for row in np.reshape(scores, (-1, len(references)))]
    numbers = [place for place, mean in enumerate(means) if not math.isnan(mean)]  # without which there is no choice
    [choice] = trial.bleu.mbr([[hypotheses[place] for place in numbers]], references=[references])
    wanted = [means[place] for place in numbers]
    if not alike(list(choice.scores), wanted, CLOSE) or choice.index != choice.scores.index(max(choice.scores)):
        raise InputError(f"it chooses {choice}, with expected scores {shown(choice.scores)}, not {shown(wanted)}")
    return scores


def _duplicates(trial: Trial) -> list[float]:
    """Return the scores of texts with all others if the pairs of different texts are those that reach a threshold."""
    texts, bleu = list({repr(text): text for text in trial.corpus.hypotheses}.values()), trial.bleu
    pairs = bleu.matrix(texts, list(texts))
    higher = np.triu(np.maximum(pairs, pairs.T), 1)
    for threshold in sorted({score for score in higher.ravel().tolist() if 0 < score <= bleu.variant.scale}):
        rows, columns = np.nonzero(higher >= threshold)
        wanted = list(zip(rows.tolist(), columns.tolist(), higher[rows, columns].tolist(), strict=True))
        found = bleu.duplicates(texts, threshold).pairs
        if found != wanted:
            raise InputError(f"from {threshold} on they are {shown(found)}, expected {shown(wanted)}")
    return [float(value) for _, value in trial.scores(of_each)]


def _self_bleu(trial: Trial) -> list[float]:
    """Return the scores of texts with all others as references if self-BLEU is their mean, by each policy."""
    texts, bleu = trial.corpus.hypotheses, trial.bleu
    scores = [float(value) for _, value in trial.scores(of_each)]
    pairs = bleu.matrix(texts, list(texts))
    wanted = {
        "others": scores,
        "all": bleu.sentences(texts, [texts] * len(texts), references_by="segment").tolist(),
        "later": pairs[np.triu_indices(len(texts), 1)].tolist(),
    }
    for policy, values in wanted.items():
        mean = bleu.self_bleu(texts, references=policy).value  # type: ignore[arg-type]
        if not alike(mean, math.fsum(values) / len(values), CLOSE):
            raise InputError(f"with the references {policy!r} it is {mean}, expected the mean of {shown(values)}")
    return scores


TO_SCORES = (
    *(Way(f"a matrix by {n} threads", partial(_matrix_by_threads, n), of_each, "grid parts") for n in (1, 3)),
    Way("a matrix of texts with each other", _part_of_matrix, of_each, "grid parts"),
    Way("matrices of two groups", _in_matrices, of_each, "grid parts"),
    Way("self-BLEU", _self_bleu, of_each, "themselves parts"),
    Way("MBR decoding", _decoded, of_each, "grid parts"),
    Way("duplicates", _duplicates, of_each, "themselves parts"),
)
