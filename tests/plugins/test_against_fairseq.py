"""Counts as fairseq-score gets them: with its Dictionary and its Scorer written out here, and from its libbleu."""

import ctypes
import os
import random
import re
import subprocess
from collections import Counter
from pathlib import Path
from shutil import which

import pytest

import bleukit

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


def by_hand(pairs):
    matches, totals, lengths = [0] * 4, [0] * 4, [0, 0]
    for pair in pairs:
        texts = [trimmed(sentence) for sentence in pair]
        lengths = [length + len(text) for length, text in zip(lengths, texts, strict=True)]
        for n in range(1, 5):
            ours, theirs = (Counter(tuple(text[i : i + n]) for i in range(len(text) - n + 1)) for text in texts)
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


def corpora_of_words(*sizes):
    """Yield texts of so many words."""
    for seed in range(40):
        chance = random.Random(seed)
        words = [f"w{n}" for n in range(chance.choice(sizes))]
        words += ["<unk>", "<pad>", "</s>", "<s>", "ÄÖ"]
        longest = chance.choice([3, 30, 150])
        lines = [chance.choices(words, k=chance.randint(0, longest)) for _ in range(chance.choice([1, 5, 20]))]
        moved = [chance.sample(line, len(line)) if chance.random() < 0.7 else line[1:] for line in lines]
        yield [" ".join(line) for line in lines], [" ".join(line) for line in moved]


def counted(variant, hypotheses, references):
    score = bleukit.load(variant).corpus(hypotheses, references)
    return [*score.matches], [*score.totals], score.hypothesis_length, int(score.reference_length)


def test_words_are_those_of_fairseq():
    for corpus in corpora_of_words(5, 200, 400, 3000):
        assert counted("fairseq", *corpus) == by_hand(encoded(*corpus))


def test_libbleu_counts_the_same_where_no_hashes_are_equal(libbleu):
    for corpus in corpora_of_words(5, 50, 100):
        assert counted("fairseq", *corpus) == libbleu(encoded(*corpus))


def test_several_references_count_as_the_one_with_most():
    score = bleukit.load("fairseq").sentence("a a a b <unk>", ["a b a", "a a <unk> b"])
    assert score.matches == (3, 2, 0, 0)


def test_unknown_words_match_nothing_in_a_matrix_either():
    texts = ["a <unk> b c", "<unk> <unk>", "a b c </s>", "<pad> a <unk>", ""]
    bleu = bleukit.load("fairseq", smoothing="add-one")
    expected = [[bleu.sentence(one, other).value for other in texts] for one in texts]
    assert bleukit.matrix(bleu, texts, texts).tolist() == expected
