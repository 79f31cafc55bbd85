"""The ways through functions that score tables, comparisons and explanations."""

from __future__ import annotations

import json
import math
from functools import partial
from typing import TYPE_CHECKING, Any

from bleukit.conformance.contracts.trials import (
    LEVELS,
    Trial,
    Way,
    as_read,
    at_level,
    checks,
    document_of,
    expected,
    of_all,
    of_documents,
    of_each,
    require,
    rows_at,
)
from bleukit.conformance.definitions import PLAIN_VARIANT

import bleukit
from bleukit.errors import InputError, shown

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bleukit.accumulator import Level


FEW_VARIANTS = 20
"""So many of the variants that are said to give a score are asked for it."""


def _tabulated(level: Level, trial: Trial) -> list[float]:
    """Return the scores of one of two systems by the last variant of a table, whose others have one key of another."""
    hypotheses, references = trial.input
    others = {f"{key} {value}": bleukit.load(trial.bleu.variant, **{key: value}) for key, value in OTHER_VALUES}
    table = bleukit.table(
        {**others, "own": trial.bleu},
        {"other": hypotheses[::-1], "own": hypotheses},
        references,
        level=level,
        documents=document_of(len(hypotheses)) if level == "document" else None,
        references_by="segment",
    )
    columns = [row for row in table if row["system"] == "own"]
    for name, bleu in others.items():
        rows = at_level(level, bleu.statistics(hypotheses, references, references_by="segment"))
        wanted = [score.value for score in bleu.scores(rows, level=level)]
        require(f"scores by {name}", [_number(row[name]) for row in columns], wanted)
    return [_number(row["own"]) for row in columns]


def _split_after_first(text: str) -> list[str]:
    return [text[:1], text[1:]]


def _split_before_last(text: str) -> list[str]:
    return [text[:-1], text[-1:]]


def _number(score: float | None) -> float:
    return math.nan if score is None else score


OTHER_VALUES: Sequence[tuple[str, Any]] = (
    *(("lowercase", value) for value in (True, False, "ascii")),
    *(("tokenizer", value) for value in ("char", "whitespace", _split_after_first, _split_before_last)),
    *(("reference_length", value) for value in ("longest", "shortest")),
    *(("counter", value) for value in ("unclipped", "nltk")),
    *(("smoothing", value) for value in ("none", "floor")),
    *(("weights", value) for value in (2, 6)),
)
"""Keys, and values of which a variant has not all."""


def _compared(trial: Trial) -> list[float]:
    """Return the scores of the documents in a comparison with another system, if the differences are right."""
    hypotheses, references = trial.input
    systems = {"own": hypotheses, "other": hypotheses[::-1]}
    documents = document_of(len(hypotheses))
    found = bleukit.compare(
        trial.bleu,
        systems,
        references,
        documents=documents,
        by="document",
        test="delta",
        references_by="segment",
    )
    wanted = {
        name: trial.bleu.corpus(texts, references, references_by="segment").value for name, texts in systems.items()
    }
    got = {system.system: system.score for system in found.systems}
    require("scores", [got["own"], got["other"]], [*wanted.values()])
    [pair] = found.pairs
    require("difference", pair.difference, wanted[pair.first] - wanted[pair.second])
    own = {group.group: system.score for group in found.groups for system in group.systems if system.system == "own"}
    return [own[name] for name in dict.fromkeys(documents)]


def _check_agreement(trial: Trial) -> None:
    """Check the differences of two systems by two variants, in points."""
    hypotheses, references = trial.input
    systems, bleus = {"own": hypotheses, "other": hypotheses[::-1]}, [trial.bleu, bleukit.load(PLAIN_VARIANT)]
    found = bleukit.agreement(bleus, systems, references, test="delta", references_by="segment")
    [pair] = found.pairs
    for difference, bleu in zip(pair.differences, bleus, strict=True):
        first, second = (
            bleu.corpus(systems[name], references, references_by="segment").value for name in (pair.first, pair.second)
        )
        require(
            f"difference by {difference.variant}", difference.difference, (first - second) * 100 / bleu.variant.scale
        )


def _check_explanation(trial: Trial) -> None:
    """Check that the shares of keys add up to the difference of the two scores, in points, and segments' counts."""
    [second] = expected(trial, of_all)
    plain = bleukit.load(PLAIN_VARIANT)
    first = plain.corpus(*trial.input).value
    found = bleukit.explain(plain, trial.bleu, *trial.input)
    scores = first * 100 / plain.variant.scale, second * 100 / trial.bleu.variant.scale
    require("scores", list(found.scores), list(scores))
    if abs(math.fsum(part.points for part in found.parts) - found.difference) > 1e-9:
        raise InputError(f"the shares do not add up to {found.difference}: {shown(found.parts)}")
    of_words = [bleukit.load(bleu.variant, weights=1) for bleu in (plain, trial.bleu)]
    for segment in bleukit.explain(of_words[0], of_words[1], *trial.input, most=len(trial.corpus)).segments:
        row, counted = trial.plain[segment.segment - 1], segment.second
        matched = sum(stop - start for start, stop in counted.matched)
        got = [*counted.matches, *counted.totals, len(counted.tokens), counted.reference_length, matched]
        wanted = [row.matches[0], row.totals[0], row.hypothesis_length, float(row.reference_length), row.matches[0]]
        require(f"counts of segment {segment.segment}", got, wanted)


def _check_identification(trial: Trial) -> None:
    """Check that a score is found to be one by the variant that gives it, and by the variants that are written."""
    path = trial.folder / "identified.yaml"
    for own in (trial.bleu, bleukit.load(trial.bleu.variant, weights=[0.5] * 4)):
        score = own.corpus(*trial.input).value
        found = bleukit.identify(f"{score:.9f}", *trial.input, variants=[own.variant])
        if own.variant not in [candidate.variant for group in found.groups for candidate in group.named]:
            raise InputError(f"{score:.9f} is said to be by {shown(found.groups)}, not by {own.label}")
        for group in found.groups:
            for candidate in (*group.named, *group.mixtures)[:FEW_VARIANTS]:
                path.write_text(candidate.to_dict()["file"], "utf-8")
                require(f"score by {candidate}", bleukit.load(path).corpus(*trial.input).value, candidate.value)


def _check_ibleu(trial: Trial) -> None:
    """Check iBLEU against sources that are the hypotheses in the other order."""
    hypotheses, references = trial.input
    sources = hypotheses[::-1]
    of_sources = trial.bleu.corpus(hypotheses, [[source] for source in sources], references_by="segment").value
    [score] = expected(trial, of_all)
    for alpha in (0.0, 0.123456789, 0.7, 1.0):
        found = bleukit.ibleu(hypotheses, references, sources, alpha, trial.bleu, references_by="segment")
        require(f"iBLEU, alpha {alpha}", found.value, alpha * score - (1 - alpha) * of_sources)
        if f"|ibleu:{alpha!r}|" not in found.signature:
            raise InputError(f"alpha {alpha!r} is signed {found.signature!r}")


def _check_sets_of_references(trial: Trial) -> None:
    """Check that each function takes references by set: as many as segments, so that they could be by segment, too."""
    bleu, plain = trial.bleu, bleukit.load(PLAIN_VARIANT)
    hypotheses, sets = ["a b c d e", "f g h i j"], [["a b c d", "f g h i"], ["b c d e", "g h i j"]]
    how: Any = {"references_by": "set"}
    by_segment: Any = list(zip(*sets, strict=True))
    wanted = bleu.corpus(hypotheses, by_segment, references_by="segment").value
    systems = {"own": hypotheses, "other": hypotheses[::-1]}
    joined = bleukit.join_documents(hypotheses, sets, ["one", "two"], **how)
    [pair] = bleukit.agreement([bleu, plain], systems, sets, test="delta", **how).pairs
    got = {
        "corpus": bleu.corpus(hypotheses, sets, **how).value,
        "statistics": bleu.score(bleu.statistics(hypotheses, sets, **how)).value,
        "ibleu": bleukit.ibleu(hypotheses, sets, hypotheses, 1.0, bleu, **how).value,
        "table": bleukit.table({"own": bleu}, {"own": hypotheses}, sets, **how)[0]["own"],
        "compare": bleukit.compare(bleu, systems, sets, test="delta", **how).systems[0].score,
        "agreement": pair.differences[0].difference,
        "explain": bleukit.explain(plain, bleu, hypotheses, sets, **how).scores[1],
        "join_documents": bleu.corpus(joined.hypotheses, joined.references, references_by="segment").value,
    }
    require(f"scores by {', '.join(got)}", [*got.values()], [wanted] * len(got))
    sentences = bleu.sentences(hypotheses, by_segment, references_by="segment").tolist()
    require("sentences", bleu.sentences(hypotheses, sets, **how).tolist(), sentences)


def _as_json(trial: Trial) -> list[float]:
    """Return what JSON says of scores, if it says the same as plain data."""
    values = []
    for score in trial.bleu.scores(rows_at("sentence", trial), level="sentence"):
        wanted = as_read(score.to_dict())
        data = json.loads(score.to_json())
        if data != wanted:
            raise InputError(f"it is {data}, expected {wanted}")
        values.append(math.nan if data["value"] is None else data["value"])
    return values


TO_SCORES = (
    Way("scores as JSON", _as_json, of_each, "few"),
    *(
        Way(f"a table of variants, level {level}", partial(_tabulated, level), of, "segments brief few default parts")
        for level, of in LEVELS.items()
    ),
    Way("a comparison by documents", _compared, of_documents, "segments hundreds default parts"),
    *checks(
        ("sets of references", _check_sets_of_references, "default once"),
        ("agreement of variants", _check_agreement, "segments few default"),
        ("an explanation", _check_explanation, "text few default"),
        ("an identification", _check_identification, "marked brief few default"),
        ("iBLEU", _check_ibleu, "text few default"),
    ),
)
