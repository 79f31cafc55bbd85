"""Text that a tokenizer is not made for is warned about, once, with what to use; other text is not."""

import pytest

CHINESE = "我们今天去北京看朋友。\n"
JAPANESE = "私たちは今日東京に行きました。\n"
THAI = "ฉันรักแมวมากเพราะมันน่ารักมาก\n"
TOKENIZED = "the cat is n't here .\n" * 120


def warned(run, tmp_path, text, *options):
    (tmp_path / "hyp").write_text(text, encoding="utf-8")
    status, out, err = run("score", "-q", "-r", "hyp", "hyp", *options)
    assert (status, bool(out)) == (0, True)
    return err


@pytest.mark.parametrize(
    ("text", "remedy"),
    [
        (CHINESE, "-V sacrebleu-zh"),
        (JAPANESE, "-V sacrebleu-ja"),
        (THAI, "--set tokenizer=char"),
        (TOKENIZED, "--set tokenizer=whitespace"),
    ],
)
@pytest.mark.parametrize("level", ["corpus", "sentence"])
def test_one_warning_names_what_to_use(run, tmp_path, text, remedy, level):
    err = warned(run, tmp_path, text * 20, "--level", level)
    assert err.count("bleukit: warning: ") == err.count("\n") == 1
    assert remedy in err


@pytest.mark.parametrize(
    ("text", "options"),
    [
        (CHINESE, ["-V", "sacrebleu-zh"]),
        (THAI, ["--set", "tokenizer=char"]),
        (TOKENIZED, ["-V", "nltk"]),
        (TOKENIZED, ["--set", "tokenizer=whitespace"]),
        ("我们 今天 去 北京 看 朋友 。\n", ["-V", "nltk"]),
        ("トランスフォーマーモデル を 使う 。\n", ["-V", "nltk"]),
        ("The word 我们今天去北京看 is quoted.\nThe cat is here.\n", ["-V", "sacrebleu-zh"]),
        ("the cat is here.\nthe dog sat .\n" * 50, []),
        ("Ein Übergang für Bücher.\n", []),
    ],
)
def test_other_text_is_not_warned_about(run, tmp_path, text, options):
    assert warned(run, tmp_path, text, *options) == ""


@pytest.mark.parametrize("arguments", ["set.sgm", "set.sgm set.sgm", "hyp hyp -r set.sgm", "set.sgm#one set.sgm#two"])
def test_evaluation_sets_hold_no_samples(run, tmp_path, arguments):
    (tmp_path / "hyp").write_text("x\n")
    (tmp_path / "set.sgm").write_text('<tstset><doc docid="d"><seg id="1">x</seg></doc></tstset>')
    status, out, err = run("mbr", *arguments.split())
    assert (status, out) == (2, "")
    assert "is an evaluation set; samples and their references are in text files or tables" in err
