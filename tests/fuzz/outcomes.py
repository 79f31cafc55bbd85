"""What bleukit makes of an input, as plain data, so that two processes can compare it.

Each function returns the same with the compiled parts and without them; what bleukit raises on purpose is a result,
anything else is a fault.
"""

import io
import json
from array import array
from contextlib import redirect_stderr, redirect_stdout
from functools import cache

import numpy as np

import bleukit
from bleukit.bleu import ngrams
from bleukit.cli import main
from bleukit.comparing import loops
from bleukit.framework import loops as columns
from bleukit.framework.packed import Grouped, PackedTexts, PackedTokens, concatenate_texts, require_consistent
from bleukit.pairs import loops as pair_loops
from bleukit.reading import files


@cache
def loaded(variant):
    """Return the BLEU of a variant: a name, and keys that override it, as JSON, which can be remembered."""
    name, overrides = json.loads(variant)
    return bleukit.load(name, **overrides)


def reported(function):
    """Return what a function returns, or the error that bleukit raises on purpose."""

    def call(*arguments):
        try:
            return function(*arguments)
        except bleukit.BleukitError as error:
            return type(error).__name__, str(error)

    return call


def scores(variants, hypotheses, references, documents):
    """Score segments at all levels, by each of some variants."""
    return [_scores(variant, hypotheses, references, documents) for variant in variants]


@reported
def _scores(variant, hypotheses, references, documents):
    bleu = loaded(variant)
    rows = bleu.statistics(hypotheses, references, references_by="segment")
    return repr(
        [
            *(bytes(rows.column(name)).hex() for name in rows.COLUMNS),
            bleu.score_columns(rows, level="sentence").value.tolist(),
            bleu.sentence(hypotheses[-1], references[-1]).to_dict() if len(references[-1]) == 1 else None,
            [score.to_dict() for score in bleu.scores(rows.by_document(documents))],
            bleu.score(rows).to_dict(),
        ]
    )


def every_way(variant, hypotheses, references, documents):
    """Assert that every way to score some segments gives the same."""
    bleu = loaded(variant)
    rows = bleu.statistics(hypotheses, references, references_by="segment", threads=1)
    assert bleu.statistics(hypotheses, references, references_by="segment", threads=3) == rows
    assert bleu.prepare(references, tokens=not isinstance(hypotheses[0], str)).statistics(hypotheses) == rows
    accumulator = bleu.accumulator("document")
    for start in range(0, len(hypotheses), 100):
        part = slice(start, start + 100)
        accumulator.update(hypotheses[part], references[part], documents=documents[part])
    assert accumulator.statistics == rows.by_document(documents)
    corpus = bleu.corpus(hypotheses, references, references_by="segment")
    assert repr(corpus.to_dict()) == repr(bleu.score(rows).to_dict())
    values = bleu.score_columns(rows[-9:], level="sentence").value.tolist()
    assert repr(values) == repr([score.value for score in bleu.scores(rows[-9:], level="sentence")])
    every_pair(bleu, hypotheses[:9], [group if isinstance(group, str) else group[0] for group in references[:9]])


def every_pair(bleu, hypotheses, references):
    """Assert that a matrix holds the scores of its pairs.

    An input may be refused: a pair by the smoothing, and token lists that hold only strings of several words, because
    they look like groups of texts.
    """
    if isinstance(references[0], str) != isinstance(hypotheses[0], str):  # a single token list
        return
    pairs = [([hypothesis], [[reference]]) for hypothesis in hypotheses for reference in references]
    try:
        scores = [bleu.sentences(*pair, references_by="segment").item() for pair in pairs]
        of_pairs, of_all = bleukit.matrix(bleu, hypotheses, references), bleukit.matrix(bleu, hypotheses)
    except bleukit.InputError:
        return
    assert repr(of_pairs.ravel().tolist()) == repr(scores)
    assert repr(of_all.tolist()) == repr(bleukit.matrix(bleu, hypotheses, list(hypotheses)).tolist())


@reported
def matrix(variant, hypotheses, references):
    """Score every pair; some of them also as single sentences."""
    bleu = loaded(variant)
    found = bleukit.matrix(bleu, hypotheses, references).tolist()
    for row in range(0, len(hypotheses), 9):
        column = row % len(references)
        alone = bleu.sentence(hypotheses[row], [references[column]]).value
        assert repr(found[row][column]) == repr(alone)
    return repr(found)


@reported
def among(variant, texts, references):
    """Score texts against each other."""
    return repr(bleukit.self_bleu(texts, loaded(variant), references=references).value)


def grouped_alike(matches, rows, columns):
    """Return the kinds of pairs, as what all of a kind have; None if the arrays do not fit together."""
    try:
        pairs, kinds = pair_loops.distinct(matches, rows, columns)
    except (ValueError, TypeError):
        return None
    described = [
        (*matches[:, row, column].tolist(), rows[row], columns[column]) for row, column in np.ndindex(matches.shape[1:])
    ]
    assert [described[pair] for pair in pairs[kinds]] == described
    return True


@reported
def anything(variant, hypotheses, references, layout):
    """Score what may be no text at all."""
    bleu = loaded(variant)
    found = bleu.sentences(hypotheses, references, references_by=layout).tolist()
    whole = bleu.corpus(hypotheses, references, references_by=layout)
    return repr([found, whole.to_dict()])


def tokens(variants, texts):
    """Tokenize texts by each of some variants."""
    return [[list(each) for each in loaded(variant).tokenize_all(texts)] for variant in variants]


def command(*arguments):
    """Run the command line; returns exit status, standard output and standard error."""
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        try:
            main([*arguments])
        except SystemExit as error:
            status = error.code
    return status, out.getvalue(), err.getvalue()


@reported
def compared(variant, systems, references, documents, keys):
    """Compare systems."""
    comparison = bleukit.compare(
        loaded(variant), systems, references, documents=documents, references_by="segment", **keys
    )
    return repr(comparison.to_dict())


def looped(chosen, rows, indices):
    """Run the loops of comparing over random numbers."""
    sums = np.zeros((rows.shape[1], len(chosen)), np.int64)
    loops.sums_of_chosen(chosen, rows, sums)
    weights = np.empty((len(indices), len(rows)), np.float32)
    loops.tally(indices, weights)
    return sums.tolist(), weights.tolist()


def counted(hypotheses, references, group_ends, lengths, max_order):
    """Hand buffers to all that reads them, which may not fit together; returns a result for each, None if refused.

    ``hypotheses`` and ``references`` are the buffers of packed tokens, ``lengths`` one number per reference.
    """
    hypotheses, references = PackedTokens(*hypotheses), PackedTokens(*references)
    group_ends, lengths = array("q", group_ends), array("q", lengths)

    def table(clip):
        counts = ngrams.count_batch(hypotheses, Grouped(references, group_ends), max_order, clip=clip)
        return [list(map(list, side.tolist() if isinstance(side, memoryview) else side)) for side in counts]

    def against_all(clip):
        found = [ngrams.count_pairs(hypotheses, others, max_order, clip=clip) for others in (references, hypotheses)]
        found.append(ngrams.count_others(hypotheses, max_order, clip=clip))
        return [np.asarray(side).tolist() for sides in found for side in sides]

    def against_all_checked(clip):
        require_consistent(hypotheses)
        require_consistent(references)
        return against_all(clip)

    def checked(clip):
        require_consistent(hypotheses)
        require_consistent(references)
        ends = hypotheses.text_ends, references.text_ends, group_ends
        if len(group_ends) != len(hypotheses) or sum(columns.lengths_from_ends(group_ends)) != len(references):
            raise ValueError(ends)
        return table(clip)

    def policy(name):
        component = loaded(json.dumps([None, {"reference_length": name}])).components["reference_length"]
        return list(component.batch([3] * len(group_ends), Grouped(lengths, group_ends)))

    found = [refused(way, clip) for way in (checked, against_all_checked) for clip in (True, False)]
    if ngrams.count_batch.__module__ == "bleukit.bleu.ngrams_compiled":  # which checks for itself
        assert found == [refused(way, clip) for way in (table, against_all) for clip in (True, False)]
        for name in ("closest", "shortest", "average", "longest"):
            refused(policy, name)
    return [*found, refused(columns.lengths_from_ends, group_ends), refused(columns.sums, lengths, max_order)]


def read(path, block, most):
    """Read a file, some bytes at a time."""
    file = files.TextFile(path, files.Limits(line=most))
    file._block = block
    lines = []
    try:
        for some in file.blocks():
            lines += some
    except bleukit.InputError as error:
        lines.append(str(error))
    return lines, file.lines_read, file.characters_read, file.notes


def packed(variants, content, starts, ends):
    """Hand texts in a buffer to all that reads them; they may be no UTF-8, or not be in it: then the result is None."""
    texts = PackedTexts(content, array("q", starts), array("q", ends))
    found = [refused(list, texts), refused(lambda: list(concatenate_texts([texts, texts[1:]])))]
    found += [refused(tokens, [variant], texts) for variant in variants]
    return found if len(starts) == len(ends) and are_texts(content, zip(starts, ends, strict=True)) else None


def are_texts(content, places):
    """Return whether there are texts in UTF-8 at these places."""
    try:
        return all(
            0 <= start <= end <= len(content) and content[start:end].decode() is not None for start, end in places
        )
    except UnicodeDecodeError:
        return False


def refused(function, *arguments):
    """Return what a function returns, None if it refuses its arguments."""
    try:
        found = function(*arguments)
    except (ValueError, TypeError, IndexError, bleukit.PluginError):
        return None
    return list(found)
