"""Generated segments and corpora, for tests that must hold for all inputs."""

from hypothesis import strategies as st

import bleukit
from bleukit.framework import creating, registry
from bleukit.framework.layouts import refuse_another_layout
from bleukit.framework.options import Component

LETTERS = st.sampled_from("abcde")
tokens = st.lists(LETTERS, max_size=12)
"""Token lists over few words, so that n-grams repeat and match."""

_WORDS = [
    "the",
    "cat",
    "sat",
    "on",
    "The",
    "mat.",
    "3.14",
    "1,000",
    "e-mail",
    "(a)",
    "don't",
    "&amp;lt;",
    "5-6",
    "¿qué?",
]
_SCRIPTS = [
    "猫が座る",
    "他说：“1.5％”。",
    "고양이가",
    "½.",
    "٣٫١٤",
    "แมวนั่ง",
    "القطة",
    "בַּיִת",
    "кот",
    "ǅ",
    "👩‍👩‍👧",
    "é",
    "ﬁ",
    "\u0660",
    "<skipped>",
    "..,,--",
]
_SEPARATORS = [" ", "  ", "\t", "\r", "\x85", "\u2028", "\u00a0", "\u3000", "-\n", "\n", "\x1c", ""]


@st.composite
def _sentences(draw):
    words = draw(st.lists(st.sampled_from(_WORDS + _SCRIPTS), max_size=12))
    return "".join(word + draw(st.sampled_from(_SEPARATORS)) for word in words)


texts = st.one_of(_sentences(), st.text(max_size=30), st.text("ab.,-1& \n", max_size=30))
"""Text of many scripts, with every kind of whitespace inside, and arbitrary code points."""

hostile_texts = st.one_of(
    texts,
    st.text(st.characters(categories=["Cs", "Zs", "Cc", "Nd", "So", "Mn"]), max_size=20),  # lone surrogates too
    st.text("ab1. ,-&;<>'\n", max_size=40),
    st.lists(st.sampled_from(["&amp;", "&lt;", "amp;", "<skipped>", "<s", "-\n", "1", ".", ",", "-", " ", "é"])).map(
        "".join
    ),
)
"""The same, and what tokenizers look for."""

odd_tokens = st.one_of(
    st.sampled_from(["a", "b", "<unk>"]),
    st.text(max_size=3),
    st.text("ab\x00", min_size=6, max_size=35),
    st.text("aé€😀", min_size=4, max_size=9),
)
token_lists = st.lists(odd_tokens, max_size=40)


def is_plain(corpus):
    """Return whether references are plainly by segment; what could be another layout is refused, see test_inputs.py."""
    tokenized = not isinstance(corpus[0][0], str)
    try:
        for segments in (corpus, *([segment] for segment in corpus)):
            refuse_another_layout(*zip(*segments, strict=True), tokenized=tokenized)
    except bleukit.InputError:
        return False
    return True


def corpora(segments, max_size=5):
    """Lists of (hypothesis, references), each with 1 to 4 references."""
    pairs = st.tuples(segments, st.lists(segments, min_size=1, max_size=4))
    return st.lists(pairs, min_size=1, max_size=max_size).filter(is_plain)


def smoothings_that_promise(name_of_promise):
    """Yield the installed smoothings that make a promise, by name."""
    known = registry.installed()
    for name in sorted(known.of_kind("smoothing")):
        component = creating.create(known, "smoothing", Component(name))
        if component.promise(name_of_promise):
            yield name, component
