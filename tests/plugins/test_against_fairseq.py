"""Counts as fairseq-score gets them: with its Dictionary and its Scorer written out here, and from its libbleu."""

import ctypes
import os
import random
import re
import struct
import subprocess
from collections import Counter
from pathlib import Path
from shutil import which

import pytest

import bleukit
from bleukit.plugin import InputError

LIBBLEU = os.environ.get("LIBBLEU")
PAD, END, UNKNOWN, NO_WORD = 1, 2, 3, -999


def encoded(hypotheses, references):
    """Return the numbers of each pair of lines, as fairseq_cli/score.py encodes them."""
    indices = {"<s>": 0, "<pad>": PAD, "</s>": END, "<unk>": UNKNOWN}

    def encode_line(line):
        words = re.sub(r"\s+", " ", line).strip().split()
        return [*(indices.setdefault(word, len(indices)) for word in words), END]

    for ours, theirs in zip(hypotheses, references, strict=True):
        hypothesis, reference = encode_line(ours), encode_line(theirs)
        yield hypothesis, [NO_WORD if word == UNKNOWN else word for word in reference]


def trimmed(sentence):
    while sentence and sentence[0] == PAD:
        sentence = sentence[1:]
    while len(sentence) > 1 and sentence[-1] in (PAD, END):
        sentence = sentence[:-1]
    return sentence


def bleu_hash(numbers):
    value = 14695981039346656037
    for byte in struct.pack(f"<{len(numbers)}i", *numbers):
        signed = byte - 256 if byte > 127 else byte
        value = (value ^ signed % 2**64) * 0x100000001B3 % 2**64
    return value


def by_hand(pairs):
    matches, totals, lengths = [0] * 4, [0] * 4, [0, 0]
    for pair in pairs:
        texts = [trimmed(sentence) for sentence in pair]
        lengths = [length + len(text) for length, text in zip(lengths, texts, strict=True)]
        for n in range(1, 5):
            ours, theirs = (Counter(bleu_hash(text[i : i + n]) for i in range(len(text) - n + 1)) for text in texts)
            totals[n - 1] += ours.total()
            matches[n - 1] += (ours & theirs).total()
    return matches, totals, *lengths


@pytest.fixture(scope="module")
def libbleu(tmp_path_factory):
    if not LIBBLEU:
        pytest.skip("LIBBLEU does not name the folder of fairseq's libbleu.cpp")
    library = tmp_path_factory.mktemp("libbleu") / "libbleu.so"
    subprocess.run([which("g++"), "-shared", "-fPIC", Path(LIBBLEU, "libbleu.cpp"), "-o", library], check=True)
    compiled = ctypes.CDLL(library)

    def count(pairs):
        stat = (ctypes.c_size_t * 10)()
        for hypothesis, reference in pairs:
            sides = [
                argument
                for side in (reference, hypothesis)
                for argument in (ctypes.c_size_t(len(side)), (ctypes.c_int * len(side))(*side))
            ]
            compiled.bleu_add(stat, *sides, PAD, END)
        reference_length, length, *counts = stat
        return counts[::2], counts[1::2], length, reference_length

    return count


def corpora_of_words():
    """Yield texts of few words and of many: from some 128 on hashes are equal."""
    for seed in range(40):
        chance = random.Random(seed)
        words = [f"w{n}" for n in range(chance.choice([5, 200, 400, 3000]))]
        words += ["<unk>", "<pad>", "</s>", "<s>", "ÄÖ"]
        longest = chance.choice([3, 30, 150])
        lines = [chance.choices(words, k=chance.randint(0, longest)) for _ in range(chance.choice([1, 5, 20]))]
        moved = [chance.sample(line, len(line)) if chance.random() < 0.7 else line[1:] for line in lines]
        yield [" ".join(line) for line in lines], [" ".join(line) for line in moved]


def counted(variant, hypotheses, references):
    score = bleukit.load(variant).corpus(hypotheses, references)
    return [*score.matches], [*score.totals], score.hypothesis_length, int(score.reference_length)


def test_words_are_numbered_and_hashed_as_by_fairseq():
    corpora = list(corpora_of_words())
    assert [counted("fairseq", *corpus) for corpus in corpora] == [by_hand(encoded(*corpus)) for corpus in corpora]
    exact = [counted("fairseq-exact", *corpus) for corpus in corpora]
    assert sum(counted("fairseq", *corpus) != other for corpus, other in zip(corpora, exact, strict=True)) >= 3


def test_libbleu_counts_the_same(libbleu):
    for corpus in corpora_of_words():
        assert counted("fairseq", *corpus) == libbleu(encoded(*corpus))


def test_a_long_text_is_numbered_as_a_whole():
    chance = random.Random(7)
    words = [f"w{n}" for n in range(300)]
    hypotheses = [" ".join(chance.choices(words, k=9)) for _ in range(2500)]
    references = [" ".join(chance.sample(line.split(), 9)) for line in hypotheses]
    expected = by_hand(encoded(hypotheses, references))
    bleu = bleukit.load("fairseq")
    ways = [bleu.corpus(hypotheses, references, threads=2), bleu.prepare(references).corpus(hypotheses)]
    ways += [bleu.accumulator().update(iter(hypotheses), iter(references)).compute()]
    for score in ways:
        assert [*score.matches] == expected[0]
    assert len(bleu.sentences(hypotheses, references)) == 2500


def test_a_part_of_a_text_is_refused():
    bleu, lines = bleukit.load("fairseq"), ["a b c d"]
    part = "counter 'fairseq' .* counts whole texts: segments from 2 on are part of one"
    with pytest.raises(InputError, match=part):
        bleu.statistics(lines, lines, first=1)
    with pytest.raises(InputError, match=part):
        bleu.prepare(lines).statistics(lines, first=1)
    one, other = (bleu.accumulator().update(lines, lines) for _ in range(2))
    with pytest.raises(InputError, match=part):
        one.update(lines, lines)
    with pytest.raises(InputError, match="fairseq counts whole texts: what was counted in parts cannot be merged"):
        one.merge(other)
    assert one.compute().segments == 1
    with pytest.raises(InputError, match="fairseq counts whole texts: it cannot count parts of one, as this needs"):
        bleukit.Shard.of(bleu, bleu.statistics(lines, lines))


def test_a_text_of_no_segment_and_segments_of_no_word_are_counted():
    bleu = bleukit.load("fairseq")
    assert len(bleu.statistics([], [])) == 0
    matches, totals = bleu.components["counter"].call.for_text().batch([], [], 4)
    assert matches.shape == totals.shape == (0, 4)
    assert bleu.statistics([[], ["a"]], [[[]], [["a"]]]).matches.tolist() == [[0] * 4, [1, 0, 0, 0]]


def test_several_references_count_as_the_one_with_most():
    bleu, exact = (bleukit.load(name) for name in ("fairseq", "fairseq-exact"))
    hypothesis, references = "a a a b <unk>", ["a b a", "a a <unk> b"]
    assert bleu.sentence(hypothesis, references).matches == exact.sentence(hypothesis, references).matches
