"""The article's definitions that are not worked examples of a score."""

from bleukit.built_in.paper.counters import Clipped, Unclipped

from bleukit.bleu.ngrams import ngrams

clipped, unclipped = Clipped(), Unclipped()


def test_the_set_of_ngrams_and_the_substring_count():
    """Article, "Basic setup": G_2(abab) = {ab, ba} and C(ab, abcbab) = 2."""
    assert {ngram for ngram in ngrams("abab", 2) if len(ngram) == 2} == {("a", "b"), ("b", "a")}
    assert ngrams("abcbab", 2)["a", "b"] == 2


def test_clipping_by_the_shorter_text():
    """Article, "Modified n-gram precision": aba against abababa holds each of ab and ba once, however often y does."""
    assert clipped("aba", ["abababa"], 2) == ([3, 2], [3, 2])
