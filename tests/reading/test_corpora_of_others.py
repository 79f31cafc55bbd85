"""Corpora made of others: what is known of each segment goes where its texts go, in whatever parts it is read."""

from itertools import chain, pairwise

from hypothesis import given
from hypothesis import strategies as st

from bleukit.corpus.arranging import ArrangedCorpus, Arrangement
from bleukit.corpus.procedure import procedure_keys
from bleukit.framework.packed import grouped
from bleukit.reading import corpora
from bleukit.reading.aligned_segments import AlignedSegments

FIELDS = ("documents", "names", "sources", "test_sets")


class Parts:
    """A corpus of two systems and two references, with all that can be known of a segment, read in some parts."""

    system_paths = reference_paths = systems = ("one", "two")
    references = 2
    has_documents = True
    has_entities = False
    notes = ()

    def __init__(self, name, cuts, segments, test_sets=None):
        numbers = range(segments)
        self._cuts = sorted({0, segments, *(cut for cut in cuts if cut < segments)})
        self._whole = AlignedSegments(
            0,
            [[f"{name} {system} {number}" for number in numbers] for system in self.systems],
            grouped([[f"{name} A {number}", f"{name} B {number}"] for number in numbers]),
            [f"{name} document {number % 3}" for number in numbers],
            [f"{name} name {number}" for number in numbers],
            [f"{name} source {number}" for number in numbers],
            test_sets and [test_sets[number % len(test_sets)] for number in numbers],
        )

    def parts(self, *_):
        return (self._whole.part(*ends) for ends in pairwise(self._cuts))


SIZES = st.integers(1, 9)
CUTS = st.lists(st.integers(1, 8), max_size=3)


def rows(segments):
    """Return all that is known of each segment, by its number."""
    known = {field: getattr(segments, field) or [None] * len(segments.references) for field in FIELDS}
    texts = zip(zip(*segments.systems, strict=True), map(tuple, segments.references), *known.values(), strict=True)
    return dict(enumerate(texts, segments.first))


def read(corpus):
    """Return all rows of a corpus, whose parts must follow each other."""
    parts = list(map(rows, corpus.parts()))
    found = list(chain.from_iterable(parts))
    assert found == list(range(len(found)))
    return [row for part in parts for row in part.values()]


@given(SIZES, CUTS)
def test_a_corpus_in_memory_has_all_that_its_parts_have(segments, cuts):
    corpus = Parts("x", cuts, segments, ["a", "b"])
    assert rows(corpora.in_memory(corpus)) == dict(enumerate(read(corpus)))


@given(SIZES, CUTS, st.sampled_from(["first", "pooled", "mean", None]), st.data())
def test_an_arrangement_keeps_what_is_known_of_each_segment(segments, cuts, over, data):
    first = data.draw(st.integers(1, segments))
    last = data.draw(st.integers(first, segments + 1))
    corpus = Parts("x", cuts, segments, ["a", "b"])
    expected = []
    for systems, references, *known in read(corpus)[first - 1 : last]:
        groups = (
            [references] if over is None else [references[:1]] if over == "first" else [(one,) for one in references]
        )
        expected += [(systems, group, *known) for group in groups]
    keys = {"reference": 1} if over == "first" else {"over_references": over}
    arrangement = Arrangement(procedure_keys({"segments": f"{first}-{last}", **keys}))
    assert read(ArrangedCorpus(corpus, arrangement)) == expected
    assert arrangement.together == (2 if over == "mean" else 1)


@given(SIZES, SIZES, CUTS, CUTS)
def test_test_sets_follow_each_other_with_their_systems_in_one_order(here, there, cuts, others):
    sets = {"news": (Parts("x", cuts, here), ("A", "B")), "web": (Parts("y", others, there), ("B", "A"))}
    expected = [(*row[:-1], "news") for row in read(sets["news"][0])]
    expected += [(row[0][::-1], *row[1:-1], "web") for row in read(sets["web"][0])]
    corpus = corpora.TestSetsCorpus(sets)
    assert (list(corpus.systems), read(corpus)) == (["A", "B"], expected)


@given(SIZES, CUTS)
def test_joined_documents_keep_their_test_sets(segments, cuts):
    corpus = Parts("x", cuts, segments, ["a", "b"])
    documents = {}
    for systems, references, document, _, _, test_set in read(corpus):
        documents.setdefault((test_set, document), []).append((systems, references))
    expected = []
    for (test_set, document), members in documents.items():
        sides = (tuple(map(" ".join, zip(*side, strict=True))) for side in zip(*members, strict=True))
        expected.append((*sides, document, document, None, test_set))
    assert rows(corpora.documents_of(corpora.in_memory(corpus))) == dict(enumerate(expected))
