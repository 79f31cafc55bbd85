"""The compiled parts against plain Python, and sacreBLEU, on made-up input: a little or, with ``--fuzz``, for SECONDS.

Hypothesis makes up pieces and a seed, from which hundreds of segments are mixed: so millions are scored in minutes, and
what fails still shrinks.
"""

import gzip
import json
import re
import time
from array import array
from itertools import accumulate
from random import Random
from typing import NamedTuple
from xml.sax.saxutils import escape

import numpy as np
import outcomes
import pytest
import sacrebleu.metrics.bleu
from corpus import SETS, TEXTS
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from plain import PlainPython
from strategies import texts

import bleukit
from bleukit.framework import creating, registry
from bleukit.framework.options import Component

FEW = 4
"""How many examples are tried at a time."""

VARIANTS = [name for name in bleukit.variants() if name != "sacrebleu-flores200"]  # which needs a model
RULES = ["13a", "zh", "intl", "char", "none"]
COMPILED = [*RULES, "whitespace", "evaluate", "nltk-words", "e2e-metrics"]


@pytest.fixture(scope="module")
def plain(request):
    parts = bleukit.compiled_parts()
    if not all(parts.values()):
        (pytest.fail if request.config.getoption("--fuzz") else pytest.skip)("built without a compiler")
    process = PlainPython(parts)
    yield process
    process.close()


@pytest.fixture
def fuzz(request, plain, evaluated):
    """Check a property on a few examples or, with ``--fuzz``, until this test's share of the time is over."""
    seconds = request.config.getoption("--fuzz")
    tests = sum(item.path == request.path for item in request.session.items)
    evaluated[request.node.name] = 0

    def same(function, *arguments, segments):
        """Return what a function of ``outcomes`` returns, which is the same in plain Python."""
        evaluated[request.node.name] += segments
        plain.start(function, *arguments)
        ours = getattr(outcomes, function)(*arguments)
        assert ours == plain.result()
        return ours

    def fuzz(strategy, check):
        @given(strategy)
        def on_example(drawn):
            check(same, *drawn)

        fixed = {"deadline": None, "suppress_health_check": list(HealthCheck)}
        if not seconds:
            settings(**fixed, max_examples=FEW, derandomize=True, database=None)(on_example)()
            return
        end = time.monotonic() + seconds / tests
        run = settings(**fixed, max_examples=FEW, derandomize=False, print_blob=True)(on_example)
        while time.monotonic() < end:  # every time with another seed
            run()

    return fuzz


class Most(NamedTuple):
    """How many an example has at most."""

    segments: int
    variants: int


@pytest.fixture
def most(request):
    return Most(1000, 20) if request.config.getoption("--fuzz") else Most(30, 2)


marks = st.text("0123456789.,-'&;<>$ \n\t中½", max_size=6)
pieces = st.lists(st.one_of(st.sampled_from(TEXTS), texts, marks), min_size=1, max_size=15)
words = st.one_of(
    st.sampled_from(["a", "b", "<unk>", "", "\0", "\ud83d", "\U0010ffff"]),
    st.text(max_size=3),
    st.text("ab\0é€😀", min_size=6, max_size=40),
    st.sampled_from(TEXTS),
)


class Mixed:
    """Segments mixed of some pieces, with documents: how many, how long, and which, by a seed."""

    def __init__(self, parts, seed, number, join):
        self.parts, self.random, self.join = parts, Random(seed), join
        drawn = [self._drawn() for _ in range(number)]
        self.hypotheses = list(map(join, drawn))
        self.references = [self._changed(each) for each in drawn]
        self.documents = [self.random.randrange(5) for _ in range(number)]

    def __len__(self):
        return len(self.hypotheses)

    def _drawn(self):
        longest = 100 if self.random.random() < 0.1 else 8
        return self.random.choices(self.parts, k=int(self.random.random() ** 2 * longest))

    def _changed(self, drawn):
        """Return some references: what was drawn, with parts replaced, left out or moved."""
        random, references = self.random, []
        for _ in range(random.choice([1, 1, 2, 4])):
            rate = random.choice([0, 0.1, 0.5, 1])
            changed = [random.choice(self.parts) if random.random() < rate else part for part in drawn]
            start, stop = sorted(random.choices(range(len(drawn) + 1), k=2))
            references.append(self.join(changed[start:stop] + changed[:start] * random.randrange(2) + changed[stop:]))
        return references


def mixed(parts, join, most):
    numbers = st.one_of(st.integers(1, 9), st.integers(most // 2, most))
    return st.builds(Mixed, parts, st.integers(0, 2**32), numbers, st.just(join))


def mixed_texts(most):
    return mixed(pieces, "".join, most)


def mixed_tokens(most):
    return mixed(st.lists(words, min_size=1, max_size=15), list, most)


def components(kind):
    """Return components by their names, those that need no model of their own."""
    names = []
    for name in registry.installed().of_kind(kind):
        try:
            creating.create(registry.installed(), kind, Component(name))
        except bleukit.VariantError:
            continue
        names.append(name)
    return st.sampled_from(names)


named = st.tuples(st.sampled_from(VARIANTS), st.just({}))
of_components = st.tuples(
    st.sampled_from(VARIANTS),
    st.fixed_dictionaries(
        {"tokenizer": st.sampled_from(COMPILED)},
        optional={
            "counter": components("counter"),
            "reference_length": components("reference_length"),
            "smoothing": components("smoothing"),
            "lowercase": st.sampled_from([True, False, "ascii"]),
            "weights": st.integers(1, 9) | st.lists(st.sampled_from([0, 0.25, 1]), min_size=1, max_size=6),
            "effective_order": st.booleans(),
        },
    ),
)
variants = st.one_of(of_components, of_components, of_components, named).map(json.dumps)


@pytest.mark.parametrize("mixed", [mixed_texts, mixed_tokens])
def test_scores(fuzz, most, mixed):
    def check(same, some_variants, corpus):
        corpus = corpus.hypotheses, corpus.references, corpus.documents
        found = same("scores", some_variants, *corpus, segments=len(some_variants) * len(corpus[0]))
        for variant, outcome in zip(some_variants[:3], found, strict=False):
            if isinstance(outcome, str):  # no error
                outcomes.every_way(variant, *(each[:50] for each in corpus))

    fuzz(st.tuples(st.lists(variants, min_size=1, max_size=most.variants), mixed(most.segments)), check)


@pytest.mark.parametrize("mixed", [mixed_texts, mixed_tokens])
def test_every_pair(fuzz, most, mixed):
    def check(same, variant, corpus):
        references = [each[0] for each in corpus.references][: len(corpus) // 2 + 1]
        pairs = len(corpus) * len(references)
        same("matrix", variant, corpus.hypotheses, references, segments=pairs)

    fuzz(st.tuples(variants, mixed(most.segments // 5)), check)


@pytest.mark.parametrize("mixed", [mixed_texts, mixed_tokens])
def test_each_text_against_the_others(fuzz, most, mixed):
    def check(same, variant, corpus, references):
        texts = [*corpus.hypotheses, *(each[0] for each in corpus.references)]
        same("among", variant, texts, references, segments=len(texts) ** 2)

    policies = st.sampled_from(["others", "all", "later"])
    fuzz(st.tuples(variants, mixed(most.segments // 10), policies), check)


def test_kinds_of_pairs(fuzz):
    def check(same, seed, orders, height, width, most, wrong):
        random = np.random.default_rng(seed)
        matches = random.integers(0, most, (orders, height, width))
        rows, columns = random.integers(0, 3, height + wrong[0]), random.integers(0, 2**32, width + wrong[1])
        fits = outcomes.grouped_alike(matches, rows, columns)
        assert fits is (None if any(wrong) else True)

    numbers = [st.integers(1, largest) for largest in (9, 40, 40, 2**20)]
    wrong = st.sampled_from([(0, 0), (0, 0), (1, 0), (0, 1), (-1, 0)])
    fuzz(st.tuples(st.integers(0, 2**32), *numbers, wrong), check)


def test_tokenizers(fuzz, most):
    """sacreBLEU's own are the oracle."""

    some_variants = [json.dumps(["sacrebleu", {"tokenizer": name}]) for name in RULES]

    def check(same, corpus):
        found = same("tokens", some_variants, corpus.hypotheses, segments=len(RULES) * len(corpus))
        for name, ours in zip(RULES, found, strict=True):
            tokenize = sacrebleu.metrics.bleu._get_tokenizer(name)()
            assert ours == [tokenize(text.rstrip()).split() for text in corpus.hypotheses]

    fuzz(st.tuples(mixed_texts(most.segments)), check)


def test_what_may_be_no_text(fuzz):
    """What is refused, and why, does not depend on the compiled parts either."""
    some = st.one_of(st.sampled_from([None, "", "a b", "a", b"a", 1, float("nan"), np.array(["a", "b"])]), texts)
    nested = st.recursive(some, lambda inner: st.lists(inner, max_size=4) | st.lists(inner, max_size=3).map(tuple))
    lists = st.lists(nested, min_size=1, max_size=4)

    def check(same, variant, hypotheses, references, layout):
        same("anything", variant, hypotheses, references, layout, segments=len(hypotheses))

    fuzz(st.tuples(named.map(json.dumps), lists, lists, st.sampled_from([None, "segment", "set", "sets"])), check)


NOT_IN_XML = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def on_a_line(text):
    """Return a text without what no file can hold in one segment, or what its reader looks for at the start."""
    return "x " + re.sub("[\ud800-\udfff\n\0]", "", text).rstrip("\r")


def as_lines(kind, texts):
    return "".join(f"{text}\n" for text in texts)


def as_crlf(kind, texts):
    return "".join(f"{text}\r\n" for text in texts)


def as_set(kind, texts):
    name = "sysid" if kind == "tstset" else "refid"
    segments = (f'<seg id="{number}">{escape(text)}</seg>\n' for number, text in enumerate(texts))
    return f'<{kind} {name}="a"><doc docid="d">\n{"".join(segments)}</doc></{kind}>\n'


FORMATS = {".txt": as_lines, ".crlf": as_crlf, ".sgm": as_set, ".xml": as_set, ".txt.gz": as_lines, ".xml.gz": as_set}


def test_files(fuzz, most, tmp_path):
    """Every file is read back as it was written, and scored as its segments are."""
    bleu = bleukit.load("nltk")  # whose tokenizer leaves entities to the reader

    def check(same, suffix, corpus):
        clean = [on_a_line(text) for text in corpus.hypotheses], [on_a_line(each[0]) for each in corpus.references]
        if "xml" in suffix:
            clean = tuple([NOT_IN_XML.sub("", text).replace("\r", "") for text in texts] for texts in clean)
        paths = []
        for kind, side in zip(("tstset", "refset"), clean, strict=True):
            content = FORMATS[suffix](kind, side).encode()
            paths.append(tmp_path / f"{kind}{suffix}")
            paths[-1].write_bytes(gzip.compress(content, 1) if suffix.endswith("gz") else content)
        arguments = [
            "score",
            "-V",
            "nltk",
            "--format",
            "json",
            "--level",
            "sentence",
            "-r",
            str(paths[1]),
            str(paths[0]),
        ]
        status, out, _ = same("command", *arguments, segments=len(corpus))
        assert status == 0
        [system] = json.loads(out)["systems"]
        expected = bleu.sentences(*clean, references_by="segment").tolist()
        assert [sentence["score"] for sentence in system["sentences"]] == expected

    fuzz(st.tuples(st.sampled_from(list(FORMATS)), mixed_texts(most.segments)), check)


pieces_of_utf8 = st.one_of(
    st.sampled_from(
        [b"a", b" ", b".", b"1", b"&amp;", b"\n", b"\r\n", b"\0", "é中😀\xa0\u3000".encode(), b"\xef\xbb\xbf", b"a" * 9]
    ),
    st.sampled_from(
        [b"\xc0\x80", b"\xed\xa0\x80", b"\xe0\x80\x80", b"\xf4\x90\x80\x80", b"\xf0\x9f\x98", b"\xe4\xb8", b"\xc3"]
    ),
    st.text(max_size=5).map(lambda text: text.encode("utf-8", "surrogatepass")),
    st.binary(max_size=3),
)
utf8 = st.lists(pieces_of_utf8, max_size=20).map(b"".join) | texts.map(lambda text: text.encode("utf-8", "ignore"))


def test_utf8_in_files(fuzz, tmp_path):
    def check(same, content, block, most):
        path = tmp_path / "text"
        path.write_bytes(content)
        same("read", str(path), block, most, segments=1)

    fuzz(st.tuples(utf8, st.integers(1, 9), st.integers(1, 40)), check)


def test_utf8_in_buffers(fuzz):
    some_variants = [json.dumps(["sacrebleu", {"tokenizer": name}]) for name in RULES]
    some_variants += [json.dumps(["sacrebleu", {"lowercase": how}]) for how in (True, "ascii")]

    def check(same, contents, damages):
        ends = list(accumulate(map(len, contents)))
        places = [[0, *ends][: len(ends)], ends]
        for side, place, number in damages:
            if ends:
                places[side][place % len(ends)] = number
        same("packed", some_variants, b"".join(contents), *places, segments=len(contents))

    numbers = st.integers(-1, 40) | st.sampled_from([-(2**63), 2**63 - 1])
    damages = st.lists(st.tuples(st.integers(0, 1), st.integers(0, 9), numbers), max_size=1)
    fuzz(st.tuples(st.lists(utf8, max_size=5), damages), check)


COMMANDS = [
    ["score", "-r", "{0}", "{1}"],
    ["score", "-V", "nltk", "--level", "document", "--format", "json", "-r", "{0}", "{1}"],
    ["tokenize", "-V", "mteval-v13a", "{0}"],
    ["tokenize", "{1}"],
    ["explain", "-V", "nltk", "-V", "sacrebleu", "-r", "{0}", "{1}"],
    ["compare", "--samples", "10", "--interval-samples", "39", "-r", "{0}", "{1}"],
]


def test_damaged_files(fuzz, tmp_path):
    """Whatever is in a file, a command ends with a result, or with one line and status 2."""
    fragments = [*SETS, *TEXTS, "<", ">", "</seg>", "<seg>", "\n", "&", "\0"]
    contents = st.one_of(
        st.binary(max_size=200),
        st.lists(st.sampled_from(fragments), max_size=8).map(lambda parts: "".join(parts).encode("utf-8", "ignore")),
        st.tuples(st.sampled_from(SETS), st.integers(0, 300), st.integers(0, 9), st.sampled_from(fragments)).map(
            lambda cut: (cut[0][: cut[1]] + cut[3] + cut[0][cut[1] + cut[2] :]).encode("utf-8", "ignore")
        ),
        st.sampled_from(SETS).map(str.encode),
    )
    suffixes = st.sampled_from([".txt", ".sgm", ".xml", ".sgm.gz", ".bz2", ".xz"])

    def check(same, command, suffix, first, second):
        paths = [tmp_path / f"{number}{suffix}" for number in range(2)]
        for path, content in zip(paths, (first, second), strict=True):
            path.write_bytes(gzip.compress(content) if suffix.endswith("gz") and len(content) % 5 else content)
        status, out, err = same("command", *(part.format(*paths) for part in command), segments=1)
        assert status in {0, 2}
        if status:
            assert re.fullmatch("(bleukit: warning: .*\n)*bleukit: error: .*\n", err)
            assert "tokenize" in command or not out
        else:
            assert "Traceback" not in err

    fuzz(st.tuples(st.sampled_from(COMMANDS), suffixes, contents, contents), check)


def test_comparing(fuzz, most):
    def check(same, variant, corpus, test, by, seed):
        others = [corpus.join(corpus.random.choices(corpus.parts, k=5)) for _ in range(len(corpus))]
        systems = {"one": corpus.hypotheses, "other": [each[-1] for each in corpus.references], "third": others}
        keys = {"test": test, "samples": 50, "interval_samples": 39, "seed": seed, "by": by, "baseline": "one"}
        same("compared", variant, systems, corpus.references, corpus.documents, keys, segments=3 * len(corpus))

    tests = st.sampled_from(["permutation", "bootstrap", "delta", "sacrebleu-bs", "sacrebleu-ar"])
    by = st.sampled_from([None, "document", "length"])
    corpora = mixed_texts(most.segments) | mixed_tokens(most.segments)
    fuzz(st.tuples(named.map(json.dumps), corpora, tests, by, st.integers(0, 2**32)), check)


def test_loops(fuzz):
    def check(same, seed, samples, rows, columns, drawn):
        random = np.random.default_rng(seed)
        numbers = random.integers(-(2**20), 2**20, (rows, columns), np.int32)
        chosen = random.integers(0, 256, (samples, (rows + 7) // 8), np.uint8)
        indices = random.integers(0, rows, (samples, drawn))
        same("looped", chosen, numbers, indices, segments=0)

    fuzz(st.tuples(st.integers(0, 2**32), *[st.integers(1, n) for n in (40, 700, 20, 50)]), check)


def test_buffers(fuzz):
    """Buffers that do not fit together are refused before anything is read; all others are counted alike."""

    def buffers(texts, padding):
        tokens = [token.encode() for text in texts for token in text]
        return [b"".join(tokens) + padding, list(accumulate(map(len, tokens))), list(accumulate(map(len, texts)))]

    def check(same, texts, padding, damages, max_order):
        everything = [*buffers(texts, padding), *buffers(texts[::-1], padding)]
        everything += [[*range(1, len(texts) + 1)], list(map(len, texts))]
        for buffer, place, number in damages:
            values = everything[buffer] = list(everything[buffer])
            if not values or place < 0:
                values.append(number)
            else:
                values[place % len(values)] = number
        packed = [array("B", [value if 0 <= value < 256 else 97 for value in everything[n]]) for n in (0, 3)]
        ends = [array("q", everything[n]) for n in (1, 2, 4, 5)]
        both = (packed[0], ends[0], ends[1]), (packed[1], ends[2], ends[3])
        same("counted", *both, *everything[6:], max_order, segments=0)

    texts = st.lists(st.lists(st.text("ab", max_size=20), max_size=5), max_size=4)
    padding = st.sampled_from([bytes(16)] * 6 + [bytes(15), b"", b"\xff" * 16])
    numbers = st.integers(-1, 9) | st.sampled_from([-(2**63), 2**63 - 1, 2**31])
    damages = st.lists(st.tuples(st.integers(0, 7), st.integers(-1, 9), numbers), max_size=2)
    fuzz(st.tuples(texts, padding, damages, st.integers(1, 5)), check)
