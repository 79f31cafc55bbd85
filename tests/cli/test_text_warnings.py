"""Text that a tokenizer is not made for is warned about, once, with what to use; other text is not."""

from pathlib import Path

import pytest

from bleukit.reading import aligned_files

CHINESE = "我们今天去北京看朋友。\n"
JAPANESE = "私たちは今日東京に行きました。\n"
THAI = "ฉันรักแมวมากเพราะมันน่ารักมาก\n"
TOKENIZED = "the cat is n't here .\n" * 120
PLAIN = "Is the cat here? It's late.\n" * 9


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
        ("who is here ?\nhe is !\n" * 20, "--set tokenizer=whitespace"),
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
        ("Qui est là ?\n" * 50, []),
        ("Il dit : « non » !\nC'est vrai !\nViens-tu ?\n" * 50, []),
        ("Qui est là ?\nUn chat, un chien !\nIl est tard.\n" * 50, []),
        ("<a href=&quot;x&quot;>\n&amp;lt; is &lt;\n", []),
        ("Il-Ġimgħa li ġejja, f'Ġunju.\nĠanni mar Ġermanja.\n", []),
        ("Write to me@example.org or @@name.\n" * 3, []),
    ],
)
def test_other_text_is_not_warned_about(run, tmp_path, text, options):
    assert warned(run, tmp_path, text, *options) == ""


@pytest.mark.parametrize(
    ("text", "remedies"),
    [
        ("un@@ believ@@ able\n" + PLAIN[:56], ["hypotheses have subword units ('@@ '): join them: sed"]),
        ("▁un believ able\n▁the ▁cat\n", ["subword units ('▁'): join them: sed"]),
        ("un Ġbeliev able Ġcat Ġsat\nĠthe Ġcat Ġsat\n", ["subword units ('Ġ'): join them: sed"]),
        ("un ##believ ##able\nthe cat\n", ["subword units ('##'): join them: sed"]),
        ("<s> the cat </s>\n[CLS] a cat [PAD]\n", ["special tokens of a model, such as '</s>': leave them out"]),
        ("t h e _ c a t _ i s _ h e r e\n" * 2, ["spaces within words: join"]),
        ("t h e <space> c a t\n", ["spaces within words: join"]),
        ("un believ able</w> cat</w>\n", ["spaces within words: join"]),
        ("a well @-@ known cat\n" + PLAIN * 5, ["split hyphens ('@-@'): detokenize"]),
        ("it &apos;s &quot; late &quot;\n" + PLAIN, ["escapes, such as those of Moses' tokenizer"]),
        ("un@@ it &apos;s\n", ["subword units", "escapes"]),
    ],
)
def test_text_that_is_not_final_is_warned_about(run, tmp_path, text, remedies):
    (tmp_path / "hyp").write_text(text, encoding="utf-8")
    (tmp_path / "ref").write_text("the cat\n" * text.count("\n"))
    status, _out, err = run("score", "-q", "-r", "ref", "hyp")
    assert (status, err.count("bleukit: warning: "), err.count("\n")) == (0, len(remedies), len(remedies))
    assert all(remedy in err for remedy in remedies)
    err = run("score", "-q", "-r", "hyp", "ref")[2]
    assert err.count(" references have ") == len(remedies)


@pytest.mark.parametrize(
    ("form", "mark"),
    [
        ("Translation: {}", "begin with 'Translation:'"),
        ("__en__ {}", "begin with '__en__'"),
        ("[{n}] {}", "begin with '['"),
        ("{n}: {}", "begin with '0:'"),
        ('"{}"', "begin with '\"'"),
        ("<p>{}</p>", "begin with '<'"),
        ("- {}", "begin with '-'"),
        ("{} en_XX", "end in 'en_XX'"),
        ("{} -> {}", "have '->'"),
        ("A – man {n}: {} | {}", "have '|' and '–'"),
        ("a_{}", "have '_'"),
        ("Sure! Here is the text: {}", "begin with 'Sure! Here is'"),
        ("cafe\u0301 {}", "have '\u0301'"),
    ],
)
def test_marks_that_references_do_not_have_are_warned_about(run, tmp_path, form, mark):
    texts = ["The cat is late", "Is it here?", "It rains, again.", "A dog came", "Yes!", "Nobody knew it."]
    (tmp_path / "ref").write_text("".join(f"{text}\n" for text in texts))
    (tmp_path / "hyp").write_text("".join(f"{form.format(text, text, n=n)}\n" for n, text in enumerate(texts)))
    status, _out, err = run("score", "-q", "-r", "ref", "hyp")
    assert (status, mark in err) == (0, True)
    assert "6 of the first 6 hypotheses" in err
    assert run("score", "-q", "-r", "hyp", "hyp")[2] == ""


def test_lists_of_words_are_no_references(run, tmp_path):
    (tmp_path / "hyp").write_text("the cat is late\na dog is here\n")
    (tmp_path / "ref.jsonl").write_text('{"references": ["the", "cat", "is", "here"]}\n' * 2)
    err = run("score", "-q", "-r", "ref.jsonl", "hyp")[2]
    assert "2 of the first 2 segments have only references of one word: if these are the words of one reference" in err


def test_a_blank_text_may_have_a_blank_reference(run, tmp_path):
    assert warned(run, tmp_path, "The cat is late\n\nA dog came\n") == ""


@pytest.mark.parametrize("command", [["score"], ["score", "-q"], ["score", "-m", "bleu", "-m", "chrf"], ["compare"]])
def test_tables_of_several_variants_and_comparisons_warn_too(run, tmp_path, command):
    (tmp_path / "hyp").write_text("un@@ believ@@ able\n" * 3)
    (tmp_path / "other").write_text("un@@ believ@@ ed\n" * 3)
    (tmp_path / "ref").write_text("unbelievable\n \nyes\n")
    variants = [] if "-m" in command else ["-V", "nltk", "-V", "sacrebleu"]
    status, _out, err = run(*command, *variants, "-r", "ref", "hyp", "other")
    assert status == 0
    assert err.count("3 of the first 3 hypotheses have subword units") == 1
    assert err.count("1 of the first 3 segments have a blank reference") == 1


@pytest.mark.parametrize(("names", "is_asked"), [(("ref1", "ref2", "hyp"), True), (("r", "h", "r2x"), False)])
def test_a_file_called_as_a_reference_that_is_scored_as_a_system_is_asked_about(run, tmp_path, names, is_asked):
    for name in names:
        (tmp_path / name).write_text("the cat is here\n")
    err = run("score", "-q", "-r", *names)[2]
    assert ("if it is a reference, give it by -r: -r ref1 -r ref2" in err) == is_asked
    assert is_asked or not err


def test_a_quiet_table_counts_the_variants_that_have_no_score(run, tmp_path):
    (tmp_path / "hyp").write_text("the cat is here\n")
    status, out, err = run("score", "-q", "-V", "nltk", "-V", "d-bleu", "-r", "hyp", "hyp")
    assert (status, out) == (0, "1.0000\t–\n")
    assert (
        err == "bleukit: warning: 1 variant has no score, or does not fit the text: without -q it says which, and why\n"
    )


@pytest.mark.parametrize("variant", ["multi-bleu", "nltk"])
def test_plain_text_for_a_variant_of_tokens_is_warned_about(run, tmp_path, variant):
    err = warned(run, tmp_path, PLAIN, "-V", variant)
    assert "leaves punctuation attached to words in 9 of the first 9 segments; tokenize the text, or use" in err
    assert warned(run, tmp_path, "the cat is here .\n", "-V", variant) == ""


def test_blank_references_are_warned_about(run, tmp_path):
    (tmp_path / "ref").write_text("a cat\n \na dog\n")
    (tmp_path / "hyp").write_text("a cat\nx\na dog\n")
    err = run("score", "-q", "-r", "hyp", "-r", "ref", "hyp")[2]
    assert err.count("\n") == 1
    assert "1 of the first 3 segments have a blank reference" in err


def test_plain_texts_are_not(run, tmp_path):
    folder = Path(__file__).parents[2] / "examples"
    for name in ("hypothesis.txt", "reference1.txt"):
        assert warned(run, tmp_path, (folder / name).read_text() * 100) == ""


@pytest.mark.parametrize("arguments", ["set.sgm", "set.sgm set.sgm", "hyp hyp -r set.sgm", "set.sgm#one set.sgm#two"])
def test_evaluation_sets_hold_no_samples(run, tmp_path, arguments):
    (tmp_path / "hyp").write_text("x\n")
    (tmp_path / "set.sgm").write_text('<tstset><doc docid="d"><seg id="1">x</seg></doc></tstset>')
    status, out, err = run("mbr", *arguments.split())
    assert (status, out) == (2, "")
    assert "is an evaluation set; samples and their references are in text files or tables" in err


@pytest.mark.parametrize("options", [[], ["-V", "sacrebleu", "-V", "mteval-v13a"]])
def test_a_text_that_is_read_in_parts_is_warned_of_once(run, tmp_path, monkeypatch, options):
    monkeypatch.setattr(aligned_files, "ROWS", 8)
    monkeypatch.setattr(aligned_files, "LEAST_ROWS", 8)
    err = warned(run, tmp_path, CHINESE * 40, *options)
    assert err.count("bleukit: warning: ") == err.count("\n") == 1
