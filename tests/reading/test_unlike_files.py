"""Evaluation sets beside plain text, references that were named otherwise, and marks at the beginning of a file."""

import pytest

SET = """<refset setid="s" refid="A">
<doc docid="d"><seg id="1">the boat is late now</seg><seg id="2">nobody knew where the key had been</seg></doc>
<doc docid="e"><seg id="1">two men, one dog and a very old car</seg></doc></refset>
"""
WMT = """<dataset id="s"><doc id="d"><src lang="de"><p><seg id="1">das Boot</seg><seg id="2">zwei</seg></p></src>
<ref lang="en" translator="A"><p><seg id="1">the boat is late now</seg><seg id="2">two men and a dog</seg></p></ref>
<hyp system="X" language="en"><p><seg id="1">the boat is late now</seg><seg id="2">two men and a cat</seg></p></hyp>
<hyp system="Y" language="en"><p><seg id="1">a boat is late now</seg><seg id="2">two men</seg></p></hyp></doc></dataset>
"""
HYPOTHESES = "the boat is late\nnobody knew where the key was\ntwo men, one dog and an old car\n"


@pytest.fixture
def files(tmp_path):
    (tmp_path / "ref.sgm").write_text(SET)
    (tmp_path / "hyp.sgm").write_text(SET.replace("refset", "tstset").replace("refid", "sysid").replace(" now", ""))
    (tmp_path / "wmt.xml").write_text(WMT)
    (tmp_path / "hyp").write_text(HYPOTHESES)
    (tmp_path / "ref").write_text(
        "the boat is late now\nnobody knew where the key had been\ntwo men, one dog and a very old car\n"
    )
    return tmp_path


@pytest.mark.parametrize(
    "command", ["score -q", "score -q --level sentence", "compare --resample-by segment --samples 10 --format csv"]
)
def test_lines_beside_a_set_belong_to_its_segments(run, files, command):
    (files / "other").write_text(HYPOTHESES.replace("late", "here"))
    ours = run(*command.split(), "-r", "ref.sgm", "hyp", "other")
    theirs = run(*command.split(), "-r", "ref", "hyp", "other")
    assert ours == theirs
    assert ours[0] == 0


def test_documents_are_those_of_the_set(run, files):
    status, out, err = run("score", "--level", "document", "-r", "ref.sgm", "hyp")
    assert (status, err) == (0, "")
    assert [line.split("\t")[0] for line in out.splitlines()[1:3]] == ["d", "e"]


def test_sets_of_systems_take_lines_as_references(run, files):
    assert run("score", "-q", "-r", "ref", "hyp.sgm") == run("score", "-q", "-r", "ref.sgm", "hyp.sgm")


def test_other_numbers_of_lines_are_refused(run, files):
    (files / "short").write_text("a\nb\n")
    status, out, err = run("score", "-r", "ref.sgm", "short")
    assert (status, out) == (2, "")
    assert "short has 2 lines, ref.sgm: reference 'A' has 3 segments: line N must belong to segment N" in err


def test_a_set_with_references_scores_itself(run, files):
    assert run("score", "-q", "wmt.xml") == run("score", "-q", "-r", "wmt.xml", "wmt.xml")
    assert run("score", "-q", "wmt.xml#Y") == run("score", "-q", "-r", "wmt.xml", "wmt.xml#Y")
    status, out, err = run("score", "hyp.sgm")
    assert (status, out) == (2, "")
    assert "hyp.sgm: holds no segment of a reference" in err


def test_numbered_references_are_proposed(run, files):
    for number in (0, 1):
        (files / f"ref{number}").write_text(HYPOTHESES)
    (files / "ref").unlink()
    status, out, err = run("score", "-r", "ref", "hyp")
    assert (status, out) == (2, "")
    assert "ref: no such file; there are numbered ones, of which each is named: -r ref0 -r ref1" in err


@pytest.mark.parametrize(
    ("arguments", "warned"),
    [
        ("-r ref1 ref2 hyp", "ref2: scored as a system; if it is a reference, give it by -r: -r ref1 -r ref2"),
        ("-r ref.A ref.B hyp", "ref.B: scored as a system"),
        ("-r human_A human_B hyp", "human_B: scored as a system"),
        ("-r human ref2 hyp1", "ref2: scored as a system; if it is a reference, give it by -r: -r human -r ref2"),
        ("-r ref1 -r ref2 hyp", ""),
        ("-r ref hyp prefix", ""),
        ("-r ref hyp1 hyp2", ""),
        ("-r ref1 hyp1 hyp2", ""),
    ],
)
def test_references_without_r_are_asked_about(run, files, arguments, warned):
    for name in ("ref1", "ref2", "ref.A", "ref.B", "hyp1", "hyp2", "human", "human_A", "human_B", "prefix"):
        (files / name).write_text(HYPOTHESES)
    status, _out, err = run("score", "-q", *arguments.split())
    assert status == 0
    assert warned in err
    assert bool(warned) == bool(err)


def test_a_mark_that_is_left_out_is_said(run, files):
    (files / "bom").write_text(f"\ufeff{HYPOTHESES}", encoding="utf-8")
    status, out, err = run("score", "-q", "-r", "ref", "bom")
    assert (status, out) == run("score", "-q", "-r", "ref", "hyp")[:2]
    assert err == "bleukit: warning: bom: begins with a byte-order mark, which is left out; sacreBLEU counts it\n"


def test_a_lone_surrogate_is_refused_with_its_row(run, files):
    (files / "hyp.jsonl").write_text(
        '{"system": "a", "hyp": "x", "ref": "x"}\n{"system": "a\\ud800", "hyp": "x", "ref": "x"}\n'
    )
    status, out, err = run("score", "hyp.jsonl")
    assert (status, out) == (2, "")
    assert "hyp.jsonl: row 2, column 'system': holds a lone surrogate, which is no character" in err


@pytest.mark.parametrize(
    "command", ["tokenize hyp", "mbr hyp hyp", "explain -V nltk -r ref hyp", "explain -V nltk -V coco -r ref hyp"]
)
def test_terminals_are_not_commanded(run, files, command):
    (files / "hyp").write_text(HYPOTHESES.replace("boat", "\x1b[31mboat\x9b"))
    status, out, err = run(*command.split())
    assert status == 0
    assert not {"\x1b", "\x9b"} & {*out, *err}
    assert "\\x1b" in out or "coco" in command


@pytest.mark.parametrize(
    "command", ["score -r ref a\x1b[2J", "score -r ref hyp -V a\x1b[2J", "compare -r ref hyp b\x1b[2J"]
)
def test_names_do_not_command_terminals(run, files, command):
    (files / "b\x1b[2J").write_text(HYPOTHESES)
    _status, out, err = run(*command.split(" "))
    assert "\x1b" not in out + err
    assert "\\x1b[2J" in out + err


@pytest.mark.parametrize("name", ["=1+2", "+x", "-x", "@x"])
def test_names_are_no_formulas(run, files, name):
    (files / name).write_text(HYPOTHESES)
    assert run("score", "-r", "ref", "-o", "scores.csv", "--", name) == (0, "", "")
    assert (files / "scores.csv").read_text().splitlines()[1].startswith(f"'{name},")


@pytest.mark.parametrize("name", ["x" * 300, "a/" * 3000])
def test_names_may_be_too_long(run, files, name):
    status, out, err = run("score", "-r", "ref", name)
    assert (status, out) == (2, "")
    assert "cannot be read: File name too long" in err


def test_nan_is_in_no_range(run, files):
    status, out, err = run("compare", "--power", "nan", "-r", "ref", "hyp", "ref")
    assert (status, out) == (2, "")
    assert "nan is no number in the range 0<x<=0.999999" in err


def test_groups_of_references_are_seen(run, files):
    (files / "groups").write_text("a b\na c\n\nx y\nx z\nx w\n")
    (files / "two").write_text("a b\nx y\n")
    status, out, err = run("score", "-r", "groups", "two")
    assert (status, out) == (2, "")
    assert "groups has 6 lines, two has 2 lines" in err
    assert 'groups has 2 groups of lines; list those of each in JSON lines, {"references": […]}' in err
    (files / "three").write_text("a\nb\nc\n")
    assert "groups of lines" not in run("score", "-r", "groups", "three")[2]


def test_a_tokenizer_in_place_of_a_variant(run, files):
    status, out, err = run("score", "-V", "zh", "-r", "ref", "hyp")
    assert (status, out) == (2, "")
    assert "it is a tokenizer: --set tokenizer=zh, or `tokenizer: zh` in a variant file" in err
    assert "'sacrebleu-zh'" in err
