"""Evaluation sets: what mteval reads is read, what is broken is reported in one line."""

import time

import pytest

import bleukit
from bleukit.reading import evaluation_sets
from bleukit.reading.corpora import read_whole
from bleukit.reading.evaluation_sets import MAX_DEPTH, SetCorpus
from bleukit.reading.files import TextFile
from bleukit.reading.paths import is_evaluation_set


def read(path):
    return evaluation_sets.read_evaluation_set(TextFile(path))


SGML = """<!DOCTYPE refset SYSTEM "x.dtd">
<REFSET setid="s" srclang=cs trglang='en'>
<DOC docid=d1 sysid="A">
<hl>
<SEG id=1> Tom & Jerry &amp; co.
 cost < 5 </SEG>
</hl>
<p><seg id="2">two</p>
<p><seg id="3">three &quot;x&quot;
</DOC>
<doc sysid="A" docid="d2"><seg id="1">one</seg></doc>
<doc docid="d1" sysid="B"><seg id="1">a</seg><seg id="2"></seg><seg id="3">c</seg></doc>
<doc docid="d2" sysid="B"><seg id="1">d</seg></doc>
</REFSET>
"""
MTEVAL_XML = """<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE mteval SYSTEM "mteval.dtd">
<mteval>
<tstset setid="s" srclang="cs" trglang="en" sysid="one"><doc docid="d" genre="nw">
<hl><seg id="1">Tom &amp; &lt;b&gt; &#233;</seg></hl><p><seg id="2">x <i>y</i> z</seg></p></doc></tstset>
<tstset setid="s" srclang="cs" trglang="en" sysid="two"><doc docid="d"><seg id="1">1</seg>
<seg id="2">2</seg></doc></tstset>
</mteval>
"""
WMT_XML = """<dataset id="t"><collection id="general">
<doc origlang="cs" id="d"><src lang="cs"><p><seg id="1">s1</seg><seg id="2">s2</seg></p></src>
<ref lang="en" translator="A"><p><seg id="1">a1</seg></p><p><seg id="2">a2</seg></p></ref>
<ref lang="en" translator="B"><p><seg id="1">b1</seg><seg id="2">b2</seg></p></ref>
<hyp system="X" lang="en"><p><seg id="1">x1</seg><seg id="2">x2</seg></p></hyp></doc>
</collection></dataset>
"""


@pytest.fixture
def file(tmp_path):
    def write(text, name="set.sgm"):
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return str(path)

    return write


def test_sgml_is_read_as_leniently_as_by_mteval_and_without_end_tags(file):
    first, second = read(file(SGML))
    assert (first.role, first.name, second.name) == ("reference", "A", "B")
    places = [("d1", "1"), ("d1", "2"), ("d1", "3"), ("d2", "1")]
    assert list(first.segments) == list(second.segments) == places
    assert first.texts(places, keep_entities=True) == [
        " Tom & Jerry &amp; co. cost < 5 ",
        "two",
        "three &quot;x&quot; ",
        "one",
    ]
    assert first.texts(places, keep_entities=False)[::2] == [" Tom & Jerry & co. cost < 5 ", 'three "x" ']


def test_mtevals_xml_may_hold_several_systems(file):
    one, two = read(file(MTEVAL_XML, "set.xml"))
    assert (one.role, one.name, two.name) == ("system", "one", "two")
    assert one.segments == {("d", "1"): "Tom & <b> é", ("d", "2"): "x y z"}


def test_wmts_xml_holds_source_references_and_systems(file):
    found = {
        (translation.role, translation.name): list(translation.segments.values())
        for translation in read(file(WMT_XML, "a.xml"))
    }
    assert found == {
        ("source", "1"): ["s1", "s2"],
        ("reference", "A"): ["a1", "a2"],
        ("reference", "B"): ["b1", "b2"],
        ("system", "X"): ["x1", "x2"],
    }


@pytest.mark.parametrize("name", ["set.sgm", "set.xml"])
def test_names_are_one_line(file, name):
    (system,) = read(file('<tstset sysid="a\n\tb"><doc docid=" d "><seg id="1">x</seg></doc></tstset>', name))
    assert (system.name, list(system.segments)) == ("a b", [("d", "1")])


def test_segments_without_ids_are_numbered_by_document(file):
    documents = '<doc docid="d"><seg>a</seg><seg>b</seg></doc><doc docid="e"><seg>c</seg></doc>'
    (system,) = read(file(f'<tstset sysid="s">{documents}</tstset>'))
    assert system.segments == {("d", "1"): "a", ("d", "2"): "b", ("e", "1"): "c"}


def test_a_mistake_in_sgml_is_named_with_its_line(file):
    path = file('<tstset sysid="s">\n<doc docid="d">\n<seg id="1">a</seg>\n<seg id="1">b</seg>\n</doc>\n</tstset>')
    with pytest.raises(bleukit.InputError, match=r"set.sgm:4: segment '1' of document 'd' comes twice"):
        read(path)


@pytest.mark.parametrize(
    ("name", "accepted"),
    [("a.sgm", True), ("a.SGML", True), ("a.xml.gz", True), ("a.txt", False), ("sgm", False), ("a.sgm.txt", False)],
)
def test_a_set_is_known_by_its_suffix(name, accepted):
    assert is_evaluation_set(name) is accepted


BOMB = '<!DOCTYPE m [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;">]>'
DOC = '<doc docid="d"><seg id="1">x</seg></doc>'


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (BOMB + "<m>&b;</m>", ":1: declares the entity 'a': entities of a file's own are refused"),
        ('<!DOCTYPE m [<!ENTITY a SYSTEM "/etc/passwd">]><m>&a;</m>', ":1: declares the entity 'a'"),
        ('<!DOCTYPE m [<!ENTITY % a SYSTEM "http://x.test/"> %a;]><m/>', ":1: declares the entity 'a'"),
        ('<!DOCTYPE m SYSTEM "m.dtd"><m>\n&nbsp;</m>', ":2: the entity &nbsp; is not one of XML's five"),
        ("<m>\n&nbsp;</m>", ":2: is not well-formed XML: undefined entity"),
        ("<m>\n<b></m>", ":2: is not well-formed XML: mismatched tag"),
        ("<a>" * (MAX_DEPTH + 1), f":1: is nested deeper than {MAX_DEPTH} levels"),
        ('<m><seg id="1">x</seg></m>', ":1: this <seg> is in no document of a set"),
        (
            '<m><doc id="d"><ref translator="A"><seg id="1">x</seg></ref>\n<seg id="2">y</seg></doc></m>',
            ":2: this <seg> is in no document of a set",
        ),
        ('<m><doc><seg id="1">x</seg></doc></m>', ":1: this <doc> has no docid"),
        (f'<m><refset refid="r">{DOC}\n{DOC}</refset></m>', ":2: document 'd' of reference 'r' comes twice"),
        (
            '<m><refset><doc docid="d"><seg id="1"/>\n<seg id="1"/></doc></refset></m>',
            ":2: segment '1' of document 'd' comes",
        ),
    ],
)
def test_xml_that_is_broken_or_harmful_is_refused_in_one_line(file, text, message):
    path = file(text, "set.xml")
    with pytest.raises(bleukit.InputError) as error:
        read(path)
    assert str(error.value).startswith(path + message)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    "declaration", [BOMB, '<!DOCTYPE m [<!ENTITY a SYSTEM "x">]>', "<!DOCTYPE m [\n<!entity\n% a 'x'>]>"]
)
def test_sgml_that_declares_entities_is_refused(file, declaration):
    path = file(f'{declaration}<tstset><doc docid="d"><seg id="1">&a;</seg></doc></tstset>')
    with pytest.raises(bleukit.InputError, match=r"set.sgm:[12]: declares the entity 'a': entities of a"):
        read(path)


def test_entities_of_sgml_are_those_of_xml_in_lower_case(file):
    document = '<doc docid="d"><seg id="1">&lt;&#X41;&#x42; &Lt; &LT; &AMP; &nbsp;</seg></doc>'
    path = file(f'<tstset sysid="a">{document}</tstset><refset>{document}</refset>')
    replaced, as_they_stand = read_whole(SetCorpus([path], [path]))
    assert list(replaced.systems[0]) == ["<AB &Lt; &LT; &AMP; &nbsp;"]
    assert (
        [*as_they_stand.systems[0]] == [*as_they_stand.references.items] == ["&lt;&#X41;&#x42; &Lt; &LT; &AMP; &nbsp;"]
    )


@pytest.mark.parametrize(
    "piece", ["<seg ", "<seg id=", "<seg>", "<a>", "<seg id='1", "&amp", "</seg>", "<doc docid='d'>"]
)
def test_large_sgml_is_read_or_refused_in_linear_time(file, piece):
    path = file('<tstset><doc docid="d">' + piece * (2_000_000 // len(piece)))
    start = time.process_time()
    with pytest.raises(bleukit.InputError):
        SetCorpus([path], [path])
    assert time.process_time() - start < 10  # it takes a tenth of a second


def segments(tag, name, documents):
    found = "".join(
        f'<doc docid="{document}" sysid="{name}">' + "".join(f'<seg id="{i}">x</seg>' for i in ids) + "</doc>"
        for document, ids in documents.items()
    )
    return f"<{tag}>{found}</{tag}>"


@pytest.mark.parametrize(
    ("references", "systems", "message"),
    [
        ({"d": "12"}, {"d": "1"}, "h.sgm: system 's' lacks segment '2' of document 'd', which "),
        ({"d": "1"}, {"d": "12"}, "r.sgm: reference 'r' lacks segment '2' of document 'd', which "),
        ({"d": "1", "e": "1"}, {"d": "1"}, "h.sgm: system 's' lacks document 'e', which "),
        ({"d": "1"}, {"d": "1", "e": "1"}, "r.sgm: reference 'r' lacks document 'e', which "),
    ],
)
def test_missing_documents_and_segments_are_named(file, references, systems, message):
    reference = file(segments("refset", "r", references), "r.sgm")
    system = file(segments("tstset", "s", systems), "h.sgm")
    with pytest.raises(bleukit.InputError, match=message):
        SetCorpus([system], [reference])


def test_a_set_of_another_role_is_reported(file):
    path = file(segments("tstset", "s", {"d": "1"}))
    with pytest.raises(bleukit.InputError, match=r"holds no segment of a reference .*; it holds a system$"):
        SetCorpus([path], [path])
