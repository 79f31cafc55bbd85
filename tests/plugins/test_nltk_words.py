"""The tokenizer nltk-words gives what NLTK's word_tokenize gives, one by one and in batches."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from nltk import word_tokenize

import bleukit

pytestmark = pytest.mark.oldest

TOKENIZER = bleukit.load("nltk", tokenizer="nltk-words").components["tokenizer"].call


def batch(lines):
    return [*map(list, TOKENIZER.batch(lines))] if TOKENIZER.batch else [*map(TOKENIZER, lines)]


PARTS = (
    *"abcanNsS.,:;?!'\"`()[]{}<>«»“”‘’„*@#$%&-‐‒–—―‖…15 \t\n\u00a0é的_",
    *(
        "cannot",
        "gimme",
        "gonna",
        "gotta",
        "lemme",
        "wanna",
        "more'n",
        "d'ye",
        "'tis",
        "'twas",
        "n't",
        "'ll",
        "''",
        "``",
        "...",
        "--",
        ". ",
        " ' ",
    ),
)
LINES = st.lists(st.sampled_from(PARTS), max_size=20).map("".join)


@given(st.lists(LINES | st.text(), max_size=5))
def test_it_is_what_nltk_gives(lines):
    expected = [word_tokenize(line, preserve_line=True) for line in lines]
    assert list(map(TOKENIZER, lines)) == expected
    assert batch(lines) == expected


@pytest.mark.parametrize(
    "line",
    [
        "t's'%",
        "t's'*",
        "cannot'twas'twas",
        "'tis'twas",
        "cannot'tis",
        "x'll've",
        "(''tis",
        "a ''b''",
        "«'s",
        "more'nwanna ",
    ],
)
def test_it_is_what_nltk_gives_if_one_expression_reads_what_another_has_put(line):
    assert batch([line])[0] == TOKENIZER(line) == word_tokenize(line, preserve_line=True)


@pytest.mark.parametrize(
    "line", ["It ended. ' ) »", '"Stop!" (he said.) ', "x. " * 3, "cannot. gonna, wanna", "a,, b ,c", "x. `", "x. `` )"]
)
def test_it_is_what_nltk_gives_at_the_end_of_a_text(line):
    assert batch([line])[0] == TOKENIZER(line) == word_tokenize(line, preserve_line=True)
