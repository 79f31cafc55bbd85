"""The same texts are read from files of every form, in blocks and parts of any size."""

import json
from contextlib import closing

import pytest
from forms import BY_FILE, FORMS, delimited, flat, json_lines, sentences, text_corpora
from hypothesis import given, settings
from hypothesis import strategies as st

from bleukit.framework.errors import InputError
from bleukit.framework.packed import grouped
from bleukit.reading import aligned_files, corpora, evaluation_sets, files, table_file
from bleukit.reading.aligned_segments import AlignedSegments
from bleukit.reading.column_names import ColumnNames
from bleukit.reading.corpora import in_memory, open_corpus, read_segments
from bleukit.reading.samples import read_samples

try:
    import pyarrow as pa
    from pyarrow import parquet
except ImportError:  # an extra
    pa = None


@pytest.fixture(
    scope="module", params=[(1, 1), (7, 2), (11, 3), (1 << 20, 8192)], ids=lambda sizes: f"{sizes[0]} bytes"
)
def small_parts(request):
    """Read so many bytes, and so many rows, at a time."""
    block, rows = request.param
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(files, "BLOCK", block)
        patch.setattr(aligned_files, "ROWS", rows)
        patch.setattr(aligned_files, "LEAST_ROWS", 1)
        patch.setattr(table_file, "ROWS", rows)
        patch.setattr(table_file, "LISTS", rows)
        patch.setattr(evaluation_sets, "SEGMENTS", rows)
        yield rows


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.__name__)
@settings(max_examples=4)
@given(text=text_corpora(), data=st.data())
def test_every_form_holds_the_same(tmp_path_factory, small_parts, form, text, data):
    arguments = form(tmp_path_factory.mktemp("form"), text, data.draw)
    known = ["document", "source"] if "columns" in arguments or form.__name__ == "folders_of_tables" else []
    with closing(open_corpus(**arguments, wanted=known)) as corpus:
        parts = list(corpus.parts())
    assert [part.first for part in parts] == [sum(len(one.references) for one in parts[:n]) for n in range(len(parts))]
    assert max(len(part.references) for part in parts) <= small_parts
    assert [[one for part in parts for one in part.systems[n]] for n in range(len(text.systems))] == [
        *text.systems.values()
    ]
    assert [list(own) for part in parts for own in part.references] == text.references
    assert corpus.references == len(text.references[0])
    if form.__name__ not in BY_FILE and "wide" not in form.__name__:
        assert [name.rpartition("#")[2] for name in corpus.systems] == [*text.systems]
    if form.__name__ != "folders_of_lines":
        assert corpus.has_documents
        assert [one for part in parts for one in part.documents] == text.documents
    if known:
        assert [one for part in parts for one in part.sources] == text.sources
    assert [note for note in corpus.notes if "byte-order mark" not in note] == []
    for path, own in zip(corpus.system_paths, text.systems.values(), strict=True):
        if "columns" not in arguments:
            alone = {**arguments, "hypotheses": [path], "references": arguments["references"]}
            with closing(open_corpus(**alone)) as corpus_of_one:
                assert list(in_memory(corpus_of_one).systems[0]) == own


@settings(max_examples=8)
@given(text=text_corpora(), data=st.data())
def test_the_segments_of_one_file_are_those_of_its_columns(tmp_path_factory, small_parts, text, data):
    folder, [name, *_] = tmp_path_factory.mktemp("segments"), text.systems
    columns = flat({"hyp": text.systems[name], "refs": text.references, "src": text.sources})
    for suffix in ("csv", "tsv", "jsonl"):
        path = folder / f"t.{suffix}"
        content = json_lines(columns, data.draw) if suffix == "jsonl" else delimited(columns, data.draw, suffix)
        path.write_text(content, "utf-8", newline="")
        for chosen, how in (
            ("", {}),
            ("#src", {}),
            ("", {"role": "source"}),
            ("", {"columns": ColumnNames(("ref1",))}),
        ):
            column = {"#src": "src"}.get(chosen, "src" if how.get("role") else "ref1" if how else "hyp")
            found = [one for part in read_segments(f"{path}{chosen}", notes=[], **how) for one in part]
            assert found == columns[column]
    for form in FORMS:
        if form.__name__.startswith(("mteval", "wmt")):
            [path] = form(folder, text, data.draw)["hypotheses"]
            found = [one for part in read_segments(f"{path}#{name}", notes=[]) for one in part]
            assert found == text.systems[name]


samples = st.integers(2, 3).flatmap(
    lambda size: st.lists(st.lists(sentences.filter(str.strip), min_size=size, max_size=size), min_size=1, max_size=5)
)


@settings(max_examples=8)
@given(groups=samples, data=st.data())
def test_samples_of_every_form(tmp_path_factory, small_parts, groups, data):
    folder, size = tmp_path_factory.mktemp("samples"), len(groups[0])
    references = [[text, "x"] for text, *_ in groups]
    weights = [[place / 2, 1.0] for place in range(len(groups))]
    columns = {f"sample_{n}": list(texts) for n, texts in enumerate(zip(*groups, strict=True), 1)}

    def write(name, content):
        path = folder / name
        path.write_text(content, "utf-8", newline="")
        return str(path)

    of_lines = [write(f"{name}.txt", "".join(f"{text}\n" for text in texts)) for name, texts in columns.items()]
    of_references = [write(f"r{n}", "".join(f"{one[n]}\n" for one in references)) for n in range(2)]
    flat_rows = "".join(f"{text}\n" for group in groups for text in group)
    objects = [
        {"samples": group, "references": others, "weights": own}
        for group, others, own in zip(groups, references, weights, strict=True)
    ]
    beside = {**columns, "r 1": [one for one, _ in references], "r 2": [other for _, other in references]}
    asked = ColumnNames(reference=("r 1", "r 2"))
    ways = [
        (of_lines, {}, None, None),
        (of_lines, {"references": of_references}, references, None),
        ([write("flat.txt", flat_rows)], {"each": size}, None, None),
        ([write("lists.jsonl", "".join(json.dumps(group) + "\n" for group in groups))], {}, None, None),
        ([write("objects.jsonl", "".join(json.dumps(one) + "\n" for one in objects))], {}, references, weights),
        ([write("t.csv", delimited(columns, data.draw, "csv"))], {}, None, None),
        ([write("u.csv", delimited(beside, data.draw, "csv"))], {"columns": asked}, references, None),
    ]
    if pa is not None:
        parquet.write_table(pa.table({"samples": groups}), folder / "t.parquet", row_group_size=2)
        ways.append(([str(folder / "t.parquet")], {}, None, None))
    for paths, how, others, own in ways:
        found = [group for some in read_samples(paths, how.pop("references", ()), **how, notes=[]) for group in some]
        assert [list(group.samples) for group in found] == groups, paths
        assert [group.references and list(group.references) for group in found] == (others or [None] * len(groups))
        assert [group.weights and list(group.weights) for group in found] == (own or [None] * len(groups))


KNOWING_DOCUMENTS = [form for form in FORMS if form.__name__ in {"lines", "long csv", "mteval xml"}]


@settings(max_examples=8)
@given(texts_of_sets=st.lists(text_corpora(), min_size=1, max_size=3), data=st.data())
def test_test_sets_follow_each_other_and_documents_are_joined(tmp_path_factory, small_parts, texts_of_sets, data):
    """Systems may come in another order in each test set; documents of one name in two sets are two."""
    names, references = [*texts_of_sets[0].systems], len(texts_of_sets[0].references[0])
    opened, segments = {}, []
    for number, text in enumerate(texts_of_sets):
        systems = {name: text.systems.get(name, text.sources) for name in names}
        order = data.draw(st.permutations(names))
        groups = [(own * 3)[:references] for own in text.references]
        own = text._replace(systems={name: systems[name] for name in order}, references=groups)
        form = data.draw(st.sampled_from(KNOWING_DOCUMENTS))
        arguments = form(tmp_path_factory.mktemp("set"), own, data.draw)
        opened[f"set {number}"] = open_corpus(**arguments, wanted=["document"]), order
        sides = groups, *(systems[name] for name in opened["set 0"][1])
        segments += zip([f"set {number}"] * len(groups), text.documents, *sides, strict=True)
    corpus = corpora.TestSetsCorpus(opened)
    assert corpus.systems == opened["set 0"][1]
    parts = list(corpus.parts())
    assert [part.first for part in parts] == [sum(len(one.references) for one in parts[:n]) for n in range(len(parts))]
    found = []
    for part in parts:
        found += zip(part.test_sets, part.documents, map(list, part.references), *part.systems, strict=True)
    assert found == segments
    corpus.close()

    for name, (one, order) in opened.items():
        with pytest.raises(InputError, match=rf"^test set {name}: holds the systems z"):
            corpora.TestSetsCorpus({"first": opened["set 0"], name: (one, ["z", *order[1:]])})
    documents = {}
    for test_set, document, own, *systems in segments:
        documents.setdefault((test_set, document), []).append((own, systems))
    joined = corpora.documents_of(corpora.in_memory(_InMemory(found, corpus)))
    wanted = [
        (
            document,
            [" ".join(side) for side in zip(*(own for own, _ in some), strict=True)],
            *(" ".join(side) for side in zip(*(systems for _, systems in some), strict=True)),
        )
        for (_, document), some in documents.items()
    ]
    assert list(zip(joined.documents, joined.references, *joined.systems, strict=True)) == wanted
    assert joined.names == joined.documents


class _InMemory:
    """A corpus that was read before."""

    has_documents, has_entities = True, False

    def __init__(self, segments, corpus):
        test_sets, documents, references, *systems = map(list, zip(*segments, strict=True))
        self._all = AlignedSegments(0, systems, grouped(references), documents, test_sets=test_sets)
        self.systems, self.system_paths, self.reference_paths = corpus.systems, [], []

    def parts(self, *_):
        yield self._all
