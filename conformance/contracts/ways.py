"""Every way to a number, in one table, held to what components give one by one and to the formula, to the last bit.

A variant tokenizes, counts and sums in batches, chunks, threads and buffers. A new way is a row of WAYS.
"""

from __future__ import annotations

import copy
import pickle
from collections import Counter
from contextlib import suppress
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np
from bleukit.conformance.contracts import (
    corpora,
    printed_lines,
    ways_of_commands,
    ways_of_files,
    ways_of_functions,
    ways_of_pairs,
    ways_of_shards,
)
from bleukit.conformance.contracts.trials import (
    CLOSE,
    LEVELS,
    OtherwiseError,
    Trial,
    Way,
    at_level,
    by_plain_functions,
    counted_alone,
    document_of,
    expected,
    joined,
    of_all,
    of_documents,
    of_each,
    of_long_resamples,
    of_mask,
    of_ordered_resamples,
    of_resamples,
    of_short_resamples,
    require,
    rows_at,
)
from bleukit.conformance.definitions import alike

import bleukit
from bleukit.errors import InputError, shown
from bleukit.statistics import Statistics

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from bleukit.conformance.contracts.corpora import Corpus
    from bleukit.conformance.contracts.trials import Groups

    from bleukit import Bleu
    from bleukit.accumulator import Accumulator, Level


def _form(bleu: Bleu, _: Corpus) -> tuple[Any, ...]:
    """Return what the statistics of a variant are like, whatever it counts."""
    return bleu.max_order, bleu.variant.is_macro


def _taking(bleu: Bleu, _: Corpus) -> tuple[Any, ...]:
    """Return how a variant takes the texts that are read: one by one or in batches, in which case, as documents."""
    tokenizer, variant = bleu.components["tokenizer"], bleu.variant
    lowercases = variant.lowercase, hasattr(tokenizer.call, "lowercasing")
    return tokenizer.batch is None, *lowercases, variant.join_documents, bleu.counts_whole_texts


def _counting(bleu: Bleu, corpus: Corpus) -> tuple[Any, ...]:
    """Return how a variant counts a corpus; the tokenizer does not matter to tokens."""
    variant = bleu.variant
    counting = variant.counter, variant.reference_length, variant.lowercase, variant.join_documents
    return *_form(bleu, corpus), *counting, variant.tokenizer if "text" in corpus.offers else None


def _scoring(bleu: Bleu, corpus: Corpus) -> tuple[Any, ...]:
    """Return how a variant scores a corpus: how is of no interest if the corpus is about counting."""
    form = _form(bleu, corpus)
    if corpus.is_counted:
        return form
    return (*form, bleu.sentence_variant) if corpus.grid else (*form, bleu.variant)


def _by_sets(trial: Trial) -> Statistics:
    hypotheses, references = trial.input
    return trial.bleu.statistics(hypotheses, [*map(list, zip(*references, strict=True))], references_by="set")


def _tuples(values: Any) -> Any:
    return values if isinstance(values, str) else tuple(map(_tuples, values))


def _alone(trial: Trial) -> Statistics:
    hypotheses, references = trial.input
    return trial.bleu.statistics(hypotheses, [reference for [reference] in references])


def _prepared(trial: Trial) -> Any:
    tokens = not isinstance(trial.corpus.hypotheses[0], str)
    return trial.bleu.prepare(trial.corpus.references, tokens=tokens)


def _one_by_one(trial: Trial) -> Statistics:
    pairs = zip(*trial.input, strict=True)
    return joined([trial.bleu.statistics([own], [list(others)]) for own, others in pairs])


def _documents_of(trial: Trial, level: Level) -> dict[str, Any]:
    return {"documents": document_of(len(trial.corpus))} if level == "document" else {}


def _in_parts(level: Level, trial: Trial) -> Any:
    """Return an accumulator that was given a text in parts."""
    taken, (hypotheses, references) = trial.bleu.accumulator(level), trial.input
    documents = _documents_of(trial, level)
    for part in trial.parts():
        own = {name: names[part] for name, names in documents.items()}
        taken.update(hypotheses[part], references[part], **own)
    return taken


def _streamed(level: Level, trial: Trial) -> Any:
    streams = {name: iter(names) for name, names in _documents_of(trial, level).items()}
    hypotheses, references = trial.input
    return trial.bleu.accumulator(level).update(iter(hypotheses), iter(references), **streams)


def _added(level: Level, trial: Trial) -> Any:
    """Return an accumulator to which rows were added in parts."""
    taken, rows, documents = trial.bleu.accumulator(level), trial.counted(), _documents_of(trial, level)
    for part in (*trial.parts(), slice(0, 0)):
        taken.add(rows[part], **{name: names[part] for name, names in documents.items()})
    return taken


def _merged(level: Level, trial: Trial) -> Any:
    """Return what several accumulators were given, each of them nothing at the end, one of them pickled, merged."""
    rows, documents = trial.counted(), _documents_of(trial, level)
    cuts = [0, len(rows) // 3, len(rows) // 2, len(rows)]
    parts = []
    for part in map(slice, cuts, cuts[1:]):
        taken = trial.bleu.accumulator(level)
        for some in (part, slice(0, 0)):
            taken.add(rows[some], **{name: names[some] for name, names in documents.items()})
        parts.append(taken)
    first, second, third = parts
    before = third.statistics
    merged = first.merge(_pickled(second)).merge(third).merge(trial.bleu.accumulator(level))
    if merged is not first or third.statistics != before:
        raise InputError("what is merged is not the first, or the other has changed")
    return merged


def _by_threads(threads: int, trial: Trial) -> Statistics:
    return trial.bleu.statistics(*trial.input, threads=threads)


def _prepared_by_threads(threads: int, trial: Trial) -> Any:
    """Count hypotheses after their first one in the place of each."""
    prepared, hypotheses = _prepared(trial), trial.corpus.hypotheses
    prepared.statistics(hypotheses[:1] * len(hypotheses), threads=threads)
    return prepared.statistics(hypotheses, threads=threads)


def _scores_at(level: Level, trial: Trial) -> Sequence[Any]:
    return trial.bleu.scores(rows_at(level, trial), level=level)


def _scores_of_more_orders(level: Level, trial: Trial) -> Sequence[Any]:
    """Score rows that count more orders than the variant weighs."""
    more = bleukit.load(trial.bleu.variant, weights=trial.bleu.max_order + 2)
    return trial.bleu.scores(at_level(level, more.statistics(*trial.input)), level=level)


def _score_columns_at(level: Level, trial: Trial) -> Any:
    """Return the column of scores if the others are those of the scores, too."""
    rows = rows_at(level, trial)
    columns = trial.bleu.score_columns(rows, level=level)
    others = list(zip(columns.brevity_penalty.tolist(), map(tuple, columns.precisions.tolist()), strict=True))
    scores = trial.bleu.scores(rows[: corpora.FEW], level=level)
    for place, (score, other) in enumerate(zip(scores, others, strict=False)):
        if repr((score.brevity_penalty, score.precisions)) != repr(other):
            raise InputError(f"row {place}: {other}, of the score {score.brevity_penalty, score.precisions}")
    return columns.value.tolist()


def _on_the_other_scale(trial: Trial) -> list[float]:
    """Return the scores if the variant whose scale is 1 instead of 100, or 100 instead of 1, has the same shares."""
    scores, scale = [float(value) for _, value in trial.scores(of_each)], trial.bleu.variant.scale
    got = bleukit.load(trial.bleu.variant, scale=1 if scale == 100 else 100).sentences(*trial.input)
    if not alike(list(got * scale / (101 - scale)), scores, CLOSE):
        raise InputError(f"they are {shown(got.tolist())}, of scale {scale} {shown(scores)}")
    return scores


def _with_another_empty_score(trial: Trial) -> list[float]:
    """Return the score of the corpus if by another score of empty texts it is what that variant gives one by one."""
    bleu = bleukit.load(trial.bleu.variant, empty_score=trial.bleu.variant.scale / 3)
    other = Trial(trial.source, bleu, trial.corpus, counted_alone(bleu, trial.corpus), trial.folder)
    require("score", [bleu.corpus(*trial.input).value], expected(other, of_all))
    return expected(trial, of_all)


def _scores_of_merged(level: Level, trial: Trial) -> Sequence[Any]:
    scores: Sequence[Any] = _merged(level, trial).scores()
    return scores


def _running(trial: Trial) -> Statistics:
    """Sum the rows one after the other."""
    rows = trial.counted()
    running = rows[0]
    for row in rows[1:]:
        running = (running + row).sum()
    return running.sum()


def _compared(trial: Trial) -> Statistics:
    """Return the rows if they are equal to the same ones alone, and their sum to that with the same last segment."""
    rows = trial.counted()
    named = rows.with_keys(map(str, range(len(rows))))
    equal = [(rows, _pickled(rows)), (rows.sum(), _pickled(rows).sum()), (named, _pickled(named))]
    unequal = [(rows, named)] + [(rows.sum(), rows[::-1].sum())] * (trial.plain[0] != trial.plain[-1])
    if not all(one == other for one, other in equal) or any(one == other for one, other in unequal):
        raise InputError("equal statistics are unequal, or unequal ones equal")
    if [*(named + rows).keys(), *(named + named).keys()] != [*range(2 * len(rows)), *named.keys(), *named.keys()]:
        raise InputError("rows with keys, or with and without, are joined to ones with others")
    return rows


def _of_numpy_columns(trial: Trial) -> Statistics:
    """Return statistics of NumPy's columns, of several types, if those that cannot hold the counts are refused."""
    rows = trial.counted()
    for kinds in ({"q": "u8", "d": "d"}, {"q": ">i8", "d": ">f8"}):
        columns = {name: np.array(rows.column(name)) for name in rows.columns}
        for name, column in columns.items():
            columns[name] = column.astype(kinds[column.dtype.char.replace("l", "q")])
        made = Statistics(rows.max_order, columns, rows.last_segments, rows.counted_by)
        if made != rows:
            raise InputError(f"of columns of type {kinds['q']} they are {made}")
    for wrong in (rows.segments + 0.5, rows.segments + np.uint64(1 << 63), rows.segments[:-1]):
        with suppress(InputError):
            Statistics(rows.max_order, {**columns, "segments": wrong})
            raise OtherwiseError(f"segments {wrong} of type {wrong.dtype} are taken")
    return made


def _masks(trial: Trial) -> Statistics:
    """Take rows by a mask of Booleans, and all others by its opposite."""
    rows = trial.counted()
    is_even = [place % 2 == 0 for place in range(len(rows))]
    return rows[is_even] + rows[[not even for even in is_even]]


def _from_numpy(trial: Trial) -> Statistics:
    """Count texts in NumPy's arrays."""
    arrays: Any = [np.empty(len(trial.corpus), object) for _ in trial.input]
    for array, texts in zip(arrays, trial.input, strict=True):
        array[:] = texts
    return trial.bleu.statistics(*arrays, references_by="segment")


def _resampled_in_blocks(trial: Trial) -> Statistics:
    """Return each row as a resample by Booleans, if resamples of more indices than are taken together are right."""
    rows, often = trial.counted(), 700_001
    groups = [[0, 1, 0], [1, 2, 1]]
    got = rows.resampled(indices=np.tile(np.array(groups, np.int8), often))
    for name in ("segments", "hypothesis_length", "reference_tokens", "fewest_references", "most_references"):
        own = rows.column(name).tolist()
        merged = {"fewest_references": min, "most_references": max}.get(name, lambda values: often * sum(values))
        wanted = [merged([own[place] for place in group]) for group in groups]
        if got.column(name).tolist() != wanted:
            raise InputError(f"{name}: {got.column(name).tolist()}, expected {wanted}")
    return rows.resampled(np.eye(len(rows), dtype=bool))


def _by_weights(trial: Trial) -> Statistics:
    number = len(trial.corpus)
    counts = [Counter(group) for group in of_resamples(number)]
    return trial.counted().resampled([[often[place] for place in range(number)] for often in counts])


def _python_sum(trial: Trial) -> Statistics:
    total: Any = sum(trial.counted())  # which begins with 0
    return joined([total]).sum()


def _by_name(trial: Trial) -> Statistics:
    rows = rows_at("document", trial)
    if [*rows.items()] != [(name, rows[str(name)]) for name in rows.keys()]:  # noqa: SIM118 - they are no mapping
        raise InputError("its items are not the rows of the names")
    return joined(rows[str(name)] for name in rows.keys())  # noqa: SIM118


def _given_in_python(bleu: Bleu) -> Bleu:
    """Return a variant whose components are not chosen by name, but are Python objects."""
    components: Any = {kind: component.call for kind, component in bleu.components.items()}
    return bleukit.load(bleu.variant, **components)


def _pickled(value: Any) -> Any:
    return pickle.loads(pickle.dumps(value))  # noqa: S301 - it was pickled here


def _sum_of_sums(trial: Trial) -> Statistics:
    rows = trial.counted()
    return joined([rows[part].sum() for part in trial.parts()]).sum()


def _by_index(of: Callable[[int], Groups], trial: Trial) -> Statistics:
    return trial.counted().resampled(indices=of(len(trial.corpus)))


def _by_small_index(trial: Trial) -> Statistics:
    """Resample by numbers of 8 bits, or of 16 if the text is longer."""
    number = len(trial.corpus)
    indices = np.array(of_resamples(number), np.int8 if number <= np.iinfo(np.int8).max else np.int16)
    return trial.counted().resampled(indices=indices)


def _statistics_in(take: Callable[[Level, Trial], Accumulator], level: Level, trial: Trial) -> Statistics:
    taken = take(level, trial)
    if taken.segments != len(trial.corpus) or f" {taken.segments} segments," not in repr(taken):
        raise InputError(f"it has taken {taken.segments} segments, not {len(trial.corpus)}: {taken}")
    return taken.statistics


def _in_accumulators(takes: Mapping[str, Callable[[Level, Trial], Accumulator]], needs: str) -> list[Way]:
    """Return the ways through accumulators, of which each is named, at each level."""
    return [
        Way(f"an accumulator {how}, level {level}", partial(_statistics_in, take, level), of, needs)
        for how, take in takes.items()
        for level, of in LEVELS.items()
    ]


_TO_ROWS = (
    Way("rows of all segments at once", lambda t: t.bleu.statistics(*t.input), of_each, "segments"),
    Way("rows of a long text", lambda t: t.counted(), of_each, "long"),
    Way("rows of tuples", lambda t: t.bleu.statistics(*map(_tuples, t.input)), of_each, "segments"),
    Way("rows of segments one by one", _one_by_one, of_each, "segments few parts"),
    Way("references by set", _by_sets, of_each, "segments sets"),
    Way("references that are in no list", _alone, of_each, "single"),
    Way("NumPy's arrays of texts", _from_numpy, of_each, "text few"),
    *(
        Way(f"rows by {n} threads", partial(_by_threads, n), of_each, "segments")
        for n in (1, 2, 3, 16, corpora.THREADS)
    ),
    *(
        Way(f"prepared references by {n} threads", partial(_prepared_by_threads, n), of_each, "segments")
        for n in (1, corpora.THREADS)
    ),
    Way("a buffer of UTF-8", ways_of_files.from_buffers, of_each, "text UTF-8"),
    Way("references laid out as the texts say", lambda t: t.bleu.statistics(*t.input), of_each, "layout"),
    Way("components given in Python", lambda t: _given_in_python(t.bleu).statistics(*t.input), of_each, "segments"),
    Way(
        "components that are plain functions",
        lambda t: by_plain_functions(t.bleu).statistics(*t.input),
        of_each,
        "segments brief few parts",
    ),
    Way("a pickled variant", lambda t: _pickled(t.bleu).statistics(*t.input), of_each, "segments"),
    *_in_accumulators({"given texts in parts": _in_parts, "given streams": _streamed}, "segments parts"),
)

_OF_ROWS = (
    Way("pickled statistics", lambda t: _pickled(t.counted()), of_each),
    Way("copied statistics", lambda t: copy.deepcopy(t.counted()), of_each),
    Way("NumPy's columns", _of_numpy_columns, of_each, "segments few default"),
    Way("rows that are compared", _compared, of_each),
    Way("a mask of rows", _masks, of_mask),
    Way("every second row", lambda t: t.counted()[::2] + t.counted()[1::2], of_mask),
    Way("rows from the end", lambda t: t.counted()[:-3] + t.counted()[::-1][:3][::-1], of_each),
    Way(
        "rows by negative numbers",
        lambda t: joined(t.counted()[place] for place in range(-len(t.plain), 0)),
        of_each,
        "few",
    ),
    Way("an array of rows", lambda t: t.counted()[[*range(len(t.plain))][::-1]][::-1], of_each),
    Way("parts one after the other", lambda t: t.counted()[:3] + t.counted()[3:], of_each),
    Way("the sum of all rows", lambda t: t.counted().sum(), of_all),
    Way("the sum of the sums of parts", _sum_of_sums, of_all),
    Way("the sum of rows one by one", _running, of_all, "few"),
    Way("Python's sum of rows", _python_sum, of_all, "few"),
    Way("rows by the names of documents", _by_name, of_documents, "few"),
    Way("rows by document", lambda t: rows_at("document", t), of_documents),
    Way("pickled rows by document", lambda t: _pickled(rows_at("document", t)), of_documents),
    *(
        Way(says, partial(_by_index, of), of, needs, is_exact=False)
        for says, of, needs in (
            ("resamples by index", of_resamples, ""),
            ("short resamples by index", of_short_resamples, "few"),
            ("long resamples by index", of_long_resamples, "few"),
        )
    ),
    Way("resamples by index of few bits", _by_small_index, of_resamples, "hundreds", is_exact=False),
    Way("resamples in blocks", _resampled_in_blocks, of_each, "marked brief few default", is_exact=False),
    Way("resamples by weight", _by_weights, of_ordered_resamples, "few", is_exact=False),
    *_in_accumulators({"given rows": _added, "merged": _merged}, "parts"),
    *ways_of_shards.OF_ROWS,
)

BRIEFLY = (
    Way("a corpus", lambda t: [t.bleu.corpus(*t.input)], of_all, "segments"),
    Way("sentences", lambda t: t.bleu.sentences(*t.input), of_each, "segments"),
    *(Way(f"columns of scores, level {level}", partial(_score_columns_at, level), of) for level, of in LEVELS.items()),
)
"""The ways to scores in which a variant is tried with each other value of an option of a component."""

_TO_SCORES = (
    *BRIEFLY,
    *(Way(f"scores, level {level}", partial(_scores_at, level), of, "few") for level, of in LEVELS.items()),
    *(
        Way(f"scores of more orders, level {level}", partial(_scores_of_more_orders, level), of, "segments few micro")
        for level, of in LEVELS.items()
    ),
    *(
        Way(f"scores of an accumulator, level {level}", partial(_scores_of_merged, level), of, "few parts")
        for level, of in LEVELS.items()
    ),
    Way("the score of an accumulator", lambda t: [_merged("document", t).compute()], of_all, "segments parts"),
    *ways_of_shards.TO_SCORES,
    Way("a corpus by 17 threads", lambda t: [t.bleu.corpus(*t.input, threads=corpora.THREADS)], of_all, "segments"),
    Way("a corpus by another empty score", _with_another_empty_score, of_all, "marked brief few parts macro"),
    Way("a corpus with prepared references", lambda t: [_prepared(t).corpus(t.input[0])], of_all, "segments"),
    Way(
        "sentences by plain functions",
        lambda t: by_plain_functions(t.bleu).sentences(*t.input),
        of_each,
        "segments brief few parts",
    ),
    Way("sentences on the other scale", _on_the_other_scale, of_each, "segments few"),
    Way("sentences with prepared references", lambda t: _prepared(t).sentences(t.input[0]), of_each, "segments"),
    Way("sentence", lambda t: [*map(t.bleu.sentence, *t.input)], of_each, "segments few parts"),
    *ways_of_commands.TO_SCORES,
    *ways_of_functions.TO_SCORES,
    *ways_of_pairs.TO_SCORES,
    *printed_lines.TO_SCORES,
)

DEPENDING_ON: dict[Callable[[Bleu, Corpus], object], Sequence[Way]] = {
    _taking: ways_of_files.TO_ROWS,
    _counting: _TO_ROWS,
    _form: _OF_ROWS,
    _scoring: _TO_SCORES,
}
"""The ways by that part of a variant on which they depend, for a corpus."""

WAYS = tuple(chain.from_iterable(DEPENDING_ON.values()))
