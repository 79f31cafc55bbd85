"""Each kind of bad input, given in each way, is an error that says where it is: never a number, never a traceback."""

import gzip
import json
from contextlib import closing, suppress

import pytest
from forms import COMPRESSED, FORMS, SUFFIXES, text_corpora
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from printed import printed

import bleukit
from bleukit.bleu import bleu
from bleukit.reading import corpora, files
from bleukit.reading.files import Limits
from bleukit.reading.samples import read_samples

BLEU = bleukit.load()


def are_tokens(texts):
    return isinstance(texts, list) and isinstance(texts[0], list)


WAYS = {
    "corpus": lambda own, others: BLEU.corpus(own, others, references_by="segment"),
    "sentences": lambda own, others: BLEU.sentences(own, others, references_by="segment"),
    "statistics": lambda own, others: BLEU.statistics(own, others, references_by="segment", threads=2),
    "accumulator": lambda own, others: BLEU.accumulator().update(own, others),
    "stream": lambda own, others: BLEU.accumulator("sentence").update(iter(own), iter(others)),
    "prepared": lambda own, others: BLEU.prepare(others, tokens=are_tokens(own)).corpus(own),
    "compared": lambda own, others: bleukit.compare(BLEU, {"a": own, "b": own}, others, references_by="segment"),
    "table": lambda own, others: bleukit.table(["nltk", "coco"], {"a": own}, others, references_by="segment"),
    "joined": lambda own, others: bleukit.join_documents(own, others, ["x"] * len(own), references_by="segment"),
}
BAD_TEXTS = [None, 1, 1.5, b"x", {"a": 1}, {"a"}, object]
BAD_GROUPS = [[], (), None, 1, b"x", ["a", None], ["a", 1], [b"a"], {"a"}, [["a", "b"]], ["a", ["b"]]]


@pytest.fixture(scope="module", autouse=True)
def few_at_a_time():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bleu, "CHUNK", 2)
        patch.setattr(bleu, "SLOW_CHUNK", 2)
        patch.setattr(files, "BLOCK", 64)
        yield


@pytest.mark.parametrize("way", WAYS)
@settings(max_examples=30)
@given(number=st.integers(1, 6), data=st.data())
def test_a_bad_item_is_named(way, number, data):
    texts, groups, place = ["a b"] * number, [["a b", "c"]] * number, data.draw(st.integers(0, number - 1))
    if data.draw(st.booleans()):
        texts[place] = data.draw(st.sampled_from(BAD_TEXTS))
        where = rf"hypotheses\[{place}\]"
    else:
        groups[place] = data.draw(st.sampled_from(BAD_GROUPS))
        where = rf"references\[{place}\]"
    with pytest.raises(bleukit.InputError, match=where) as error:
        WAYS[way](texts, groups)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("way", WAYS)
@settings(max_examples=10)
@given(number=st.integers(1, 6), more=st.sampled_from([-1, 1, 2]), tokenized=st.booleans())
def test_lists_of_other_lengths_do_not_pair(way, number, more, tokenized):
    text = ["a", "b"] if tokenized else "a b"
    with pytest.raises(bleukit.InputError, match=r"hypothes[ie]s|references|items"):
        WAYS[way]([text] * number, [[text]] * (number + more))
    other = "a b" if tokenized else ["a", "b"]
    with pytest.raises(bleukit.InputError, match=r"hypotheses\[1\]|references\[0\]"):
        WAYS[way]([text, other], [[text]] * 2)
    if not tokenized:  # else it is a token with a blank
        with pytest.raises(bleukit.InputError, match=r"references\[1\]"):
            WAYS[way]([text] * 2, [[text], [other]])


@pytest.mark.parametrize("wrong", ["a b", b"a", 1, None, {"a": "b"}, {"a"}, str])
@pytest.mark.parametrize("way", sorted(WAYS.keys() - {"joined", "stream"}))
def test_what_is_no_sequence_of_texts(way, wrong):
    with pytest.raises(bleukit.InputError, match="hypotheses: expected"):
        WAYS[way](wrong, ["a b"])
    with pytest.raises(bleukit.InputError, match="references: (expected|missing)"):
        WAYS[way](["a b"], wrong)


@settings(max_examples=15)
@given(before=st.integers(0, 5), number=st.integers(1, 5), data=st.data())
def test_segments_of_a_stream_are_numbered_from_the_first_ever(before, number, data):
    place, accumulator = data.draw(st.integers(0, number - 1)), BLEU.accumulator()
    accumulator.update(["a"] * before, ["a"] * before)
    texts = ["a"] * number
    texts[place] = None
    with pytest.raises(bleukit.InputError, match=rf"hypotheses\[{before + place}\]: expected a str"):
        accumulator.update(texts, ["a"] * number)


PAIRS = {
    "matrix": (lambda texts: bleukit.matrix(BLEU, texts), "hypotheses"),
    "references of a matrix": (lambda texts: bleukit.matrix(BLEU, ["a"], texts), "references"),
    "mbr": (lambda texts: bleukit.mbr(BLEU, [["a"], texts]), r"samples\[1\]: hypotheses"),
    "references of mbr": (lambda texts: bleukit.mbr(BLEU, [["a"]], references=[texts]), r"samples\[0\]: references"),
    "aggregation": (lambda texts: bleukit.mbr(BLEU, [["a"], texts], aggregate=True), r"samples\[1\]: hypotheses"),
    "references of aggregation": (
        lambda texts: bleukit.mbr(BLEU, [["a"]], references=[texts], aggregate=True),
        r"samples\[0\]: references",
    ),
    "self-BLEU": (lambda texts: bleukit.self_bleu(texts, BLEU), "texts"),
    "scores of texts": (lambda texts: bleukit.self_bleu_scores(BLEU, texts), "texts"),
    "diversity": (lambda texts: bleukit.diversity(BLEU, [["a", "b"], texts]), r"groups\[1\]"),
    "tokens": (lambda texts: list(BLEU.tokenize_all(texts)), "texts"),
}


@pytest.mark.parametrize("name", PAIRS)
@settings(max_examples=15)
@given(number=st.integers(2, 5), data=st.data())
def test_a_bad_text_among_others_is_named(name, number, data):
    call, where = PAIRS[name]
    texts, place = ["a b"] * number, data.draw(st.integers(1, number - 1))
    texts[place] = data.draw(st.sampled_from([*BAD_TEXTS, ["a", "b"]]))
    with pytest.raises(bleukit.InputError, match=rf"({where})\[{place}\]: expected"):
        call(texts)
    with pytest.raises(bleukit.InputError, match=r"expected a sequence"):
        call("a b")


FAULTS = {
    "lines": [
        (b"\xff", "is not UTF-8 text: byte 1 of the line is 0xff"),
        (b"a\xc3(", "is not UTF-8 text: byte 2 of the line is 0xc3"),
        (b"\xed\xa0\x80", "is not UTF-8 text: byte 1 of the line is 0xed"),
    ],
    "csv": [
        (b"a", "row {row} has 1 field, the header has 2"),
        (b"a,b,c", "row {row} has 3 fields, the header has 2"),
        (b'a,"b"c', "row {row} is not proper CSV"),
        (b'a,"b', "row {row} is not proper CSV"),
        (b"a,\xff", ":{line}: is not UTF-8 text: byte 3 of the line is 0xff"),
    ],
    "tsv": [
        (b"a", "row {row} has 1 field, the header has 2"),
        (b"a\tb\tc", "row {row} has 3 fields, the header has 2"),
        (b"a\t\xff", ":{line}: is not UTF-8 text: byte 3 of the line is 0xff"),
    ],
    "jsonl": [
        (b'{"hyp": null, "ref": "b"}', "row {row}, column 'hyp': expected text, got null"),
        (b'{"hyp": "a", "ref": 1}', "row {row}, column 'ref': expected text, got int 1"),
        (b'{"hyp": "a", "ref": ["b"]}', "row {row}, column 'ref': expected text, got list"),
        (b'{"hyp": "a"}', "row {row}: has no column 'ref', which row 1 has"),
        (b'{"hyp": "a", "ref": "b", "ref": "b"}', "row {row}: not proper JSON: ValueError: the key 'ref' comes twice"),
        (b'["a", "b"]', "row {row}: expected a JSON object, got list"),
        (b'{"hyp": "a", "ref": "b"', "row {row}: not proper JSON"),
        (b"", "row {row}: is blank"),
        (b'{"hyp": "a", "ref": "\xff"}', ":{row}: is not UTF-8 text: byte 22 of the line is 0xff"),
    ],
    "lists.jsonl": [
        (b'{"hyp": "a", "ref": "b"}', "row {row}, column 'ref': expected a list of texts, got str 'b'"),
        (b'{"hyp": "a", "ref": []}', "row {row}, column 'ref': an empty list; at least one reference is needed"),
        (b'{"hyp": "a", "ref": ["b", null]}', "row {row}, column 'ref': expected a list of texts, got null"),
        (b'{"hyp": "a", "ref": ["b", 1]}', "row {row}, column 'ref': expected a list of texts, got int 1"),
    ],
}
RIGHT = {
    "csv": (b"hyp,ref\n", b"a,b"),
    "tsv": (b"hyp\tref\n", b"a\tb"),
    "jsonl": (b"", b'{"hyp": "a", "ref": "b"}'),
    "lists.jsonl": (b"", b'{"hyp": "a", "ref": ["b"]}'),
    "lines": (b"", b"a"),
}


@pytest.mark.parametrize(("form", "fault"), [(form, fault) for form, faults in FAULTS.items() for fault in faults])
@settings(max_examples=4)
@given(before=st.integers(1, 30), after=st.integers(0, 3), packed=st.sampled_from([*COMPRESSED]))
def test_a_bad_row_of_a_file_is_named(tmp_path_factory, form, fault, before, after, packed):
    wrong, message = fault
    head, right = RIGHT[form]
    folder = tmp_path_factory.mktemp("refused")
    path = folder / (f"t.{form}{packed}" if form != "lines" else f"t{packed}")
    rows = [right] * before + [wrong] + [right] * after
    if wrong.endswith(b'"b') and form == "csv":
        rows = rows[: before + 1]  # what follows an open quotation mark is in it
    path.write_bytes(COMPRESSED[packed](head + b"".join(row + b"\n" for row in rows)))
    words = ["score", path]
    if form == "lines":
        (folder / "r").write_bytes(b"a\n" * len(rows))
        words += ["-r", folder / "r"]
        message = f":{{row}}: {message}"
    found = printed(*words, status=2)
    assert found.startswith(f"bleukit: error: {path}")
    assert message.format(row=before + 1, line=before + 2) in found


@settings(max_examples=12)
@given(one=st.integers(1, 40), other=st.integers(1, 40), rows=st.sampled_from(["lines", "csv", "jsonl"]))
def test_files_of_other_lengths_are_named(tmp_path_factory, one, other, rows):
    assume(one != other)
    folder = tmp_path_factory.mktemp("uneven")
    head, right = RIGHT[rows]
    path, beside = folder / (f"t.{rows}" if rows != "lines" else "t"), folder / "r"
    path.write_bytes(head + (right + b"\n") * one)
    beside.write_bytes(b"a\n" * other)
    found = printed("score", path, "-r", beside, status=2)
    unit = "line" if rows == "lines" else "row"
    assert f"{path} has {one} {unit}{'s' * (one > 1)}" in found
    assert f"{beside} has {other} line{'s' * (other > 1)}" in found


@settings(max_examples=8)
@given(before=st.integers(0, 9), size=st.integers(1, 4))
def test_a_bad_line_of_samples_is_named(tmp_path_factory, before, size):
    path = tmp_path_factory.mktemp("samples") / "s.jsonl"
    path.write_text('["a", "b"]\n' * before + '["a", null]\n["a"]\n')
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("bleukit.reading.samples.SEGMENTS", size)
        message = rf"s.jsonl:{before + 1}: expected a list of texts"
        with pytest.raises(bleukit.InputError, match=message):
            list(read_samples([str(path)], notes=[]))


def test_systems_of_a_table_differ_in_their_texts_alone(tmp_path):
    for role, name in (("document", "doc"), ("source", "src"), ("test_set", "test_set")):
        path = tmp_path / f"{role}.csv"
        path.write_text(f"system,hyp,ref,{name}\nA,a,b,1\nA,a,b,1\nB,a,b,1\nB,a,b,2\n")
        message = rf"{role}.csv: row 4, column '{name}': differs from row 2, which has the same segment of another"
        with pytest.raises(bleukit.InputError, match=message):
            corpora.open_corpus([str(path)], [], wanted=[role])


def test_the_limit_of_text_is_that_of_all_systems(tmp_path):
    (tmp_path / "t").write_text("abc\n" * 2)
    own = [str(tmp_path / "t")]
    for systems in (1, 3):
        size = 6 * (systems + 1)
        with closing(corpora.open_corpus(own * systems, own)) as corpus:
            assert len(corpora.in_memory(corpus, limits=Limits(text=size)).systems) == systems
        message = f"the text has more than {size - 1} characters"
        with (
            closing(corpora.open_corpus(own * systems, own)) as corpus,
            pytest.raises(bleukit.InputError, match=message),
        ):
            corpora.in_memory(corpus, limits=Limits(text=size - 1))


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.__name__)
@settings(max_examples=4)
@given(text=text_corpora(), data=st.data())
def test_a_file_that_is_cut_or_changed_is_never_read_as_another_text(tmp_path_factory, form, text, data):
    """It may lack whole lines, which other files then have more; or it is refused in words."""
    folder = tmp_path_factory.mktemp("cut")
    arguments = form(folder, text, data.draw)
    paths = sorted(path for path in folder.rglob("*") if path.is_file() and not path.name.startswith("."))
    path = data.draw(st.sampled_from(paths))
    content = path.read_bytes()
    cut = data.draw(st.integers(0, len(content) - 1))
    path.write_bytes(content[:cut])
    with suppress(bleukit.InputError), closing(corpora.open_corpus(**arguments)) as corpus:
        whole = corpora.in_memory(corpus)
        systems = [*text.systems.values()]
        for own, wanted in zip(whole.systems, systems, strict=False):
            assert all(any(line.startswith(one.rstrip()) for line in wanted) for one in own)


LONG = ["x" * 30, "é" * 40, "b"]


@pytest.mark.parametrize(
    "suffix", ["", ".gz", ".csv", ".tsv", ".jsonl", ".sgm", ".xml", *(f".{s}" for s in SUFFIXES[3:])]
)
def test_limits_hold_to_the_last_character(tmp_path, suffix):
    """The longest text has 40 characters; a set counts its documents, too."""
    path = tmp_path / f"t{suffix}"
    columns = {"hyp": LONG, "ref": LONG}
    longest, refused, number = 40, 39, 3
    if suffix in {"", ".gz"}:
        content = "".join(f"{text}\n" for text in LONG).encode()
        path.write_bytes(gzip.compress(content) if suffix else content)
    elif suffix in {".csv", ".tsv"}:
        separator = "," if suffix == ".csv" else "\t"
        path.write_text(f"hyp{separator}ref\n" + "".join(f"{text}{separator}{text}\n" for text in LONG), "utf-8")
        longest, refused = 81, 39  # a line, of which parts may wait; a field
    elif suffix == ".jsonl":
        path.write_text("".join(json.dumps({"hyp": a, "ref": a}, ensure_ascii=False) + "\n" for a in LONG), "utf-8")
        longest = len(json.dumps({"hyp": LONG[1], "ref": LONG[1]}, ensure_ascii=False))
        refused = longest - 1
    elif suffix in {".sgm", ".xml"}:
        one = "<doc docid='d'>" + "".join(f"<seg id='{n}'>{text}</seg>" for n, text in enumerate(LONG)) + "</doc>"
        path.write_text(f"<mteval><tstset sysid='a'>{one}</tstset><refset>{one}</refset></mteval>", "utf-8")
        number = 8  # two documents, and the segments of both sides
    else:
        from forms import feather, pa, parquet

        (parquet.write_table if suffix == ".parquet" else feather.write_feather)(pa.table(columns), str(path))
    own = [str(path)]
    others = own if suffix in {"", ".gz", ".sgm", ".xml"} else []

    def read(**limits):
        with closing(corpora.open_corpus(own, others, limits=Limits(**limits))) as corpus:
            return corpora.in_memory(corpus, limits=Limits(**limits))

    assert list(read(line=longest, segments=number).systems[0]) == LONG
    with pytest.raises(bleukit.InputError, match=rf"has more than {refused} characters, the limit 'line'"):
        read(line=refused)
    with pytest.raises(bleukit.InputError, match=rf"has more than {number - 1} segments, the limit 'segments'"):
        read(segments=number - 1)
    if suffix not in {".sgm", ".xml"}:
        assert list(read(text=142).systems[0]) == LONG
        with pytest.raises(bleukit.InputError, match="has more than 141 characters, the limit 'text'"):
            read(text=141)
