"""``bleukit score -t``: test sets that sacreBLEU has downloaded."""

import hashlib
import json
import re
import subprocess
import sys

import pytest
from sacrebleu import DATASETS
from sacrebleu.metrics import BLEU

XML = """<?xml version="1.0" encoding="utf-8"?>
<dataset><doc id="d" origlang="en"><src lang="en"><p><seg id="1">Four dogs, asleep.</seg><seg id="2">Six</seg></p></src>
<ref lang="{}" translator="A"><p><seg id="1">{}</seg><seg id="2">{}</seg></p></ref></doc></dataset>
"""
REFERENCES = {"de": ["Vier Hunde, die schlafen.", "Sechs"], "zh": ["四只狗在睡觉。", "六"]}
OUTPUTS = {"de": ["Vier Hunde, die liefen.", "Sechs"], "zh": ["四只狗在跑步。", "六"]}


OLDER = ["Vier Katzen.", "Acht"]
"""The references of another test set, from English to German."""


def lines(texts):
    return "".join(f"{text}\n" for text in texts)


@pytest.fixture
def cache(tmp_path, monkeypatch):
    """A cache of sacreBLEU's with two test sets whose archives are extracted; no other can be downloaded."""

    def extracted(name, archive, texts):
        folder = tmp_path / "cache" / name / "raw"
        for path, (language, references) in texts.items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_text(XML.format(language, *references), encoding="utf-8")
        (folder / archive).write_bytes(b"extracted")
        monkeypatch.setattr(DATASETS[name], "_outdir", str(tmp_path / "cache" / name))
        monkeypatch.setattr(DATASETS[name], "_rawdir", str(folder))

    folder = "wmt22-news-systems-1.1/xml"
    texts = {f"{folder}/wmttest2022.en-{pair[0]}.all.xml": pair for pair in REFERENCES.items()}
    extracted("wmt22", "wmt22.v1.1.tar.gz", texts)
    extracted("wmt21", "wmt21.test.tgz", {"test/newstest2021.en-de.xml": ("de", OLDER)})
    for language, outputs in OUTPUTS.items():
        (tmp_path / language).write_text(lines(outputs), encoding="utf-8")
    (tmp_path / "both").write_text(lines(["Vier Hunde.", "Acht", *OUTPUTS["de"]]), encoding="utf-8")
    monkeypatch.setattr("sacrebleu.utils.SACREBLEU_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("SACREBLEU", str(tmp_path / "cache"))  # for other processes

    def refuse(*_, **__):
        raise AssertionError("something is downloaded")

    monkeypatch.setattr("urllib.request.urlopen", refuse)


@pytest.mark.parametrize("language", REFERENCES)
def test_a_test_set_brings_references_and_the_variant_of_its_language(run, cache, language):
    status, out, err = run("score", "-t", "wmt22", "-l", f"en-{language}", "--format", "json", language)
    assert (status, err) == (0, "")
    expected = BLEU(trg_lang=language).corpus_score(OUTPUTS[language], [REFERENCES[language]])
    assert json.loads(out)["systems"][0]["score"] == pytest.approx(expected.score, abs=1e-12)


def test_several_test_sets_follow_one_another_as_in_sacrebleu(run, cache, tmp_path):
    chosen = "score", "-t", "wmt21,wmt22", "-l", "en-de", "both"
    status, out, err = run(*chosen, "--format", "json")
    assert (status, err) == (0, "")
    found = json.loads(out)
    options = ["-t", "wmt21,wmt22", "-l", "en-de", "-i", "both", "-b", "-w", "12"]
    theirs = subprocess.run(
        [sys.executable, "-m", "sacrebleu", *options], capture_output=True, text=True, check=True, cwd=tmp_path
    ).stdout
    assert found["systems"][0]["score"] == pytest.approx(float(theirs), abs=1e-6)
    assert [*found["test_set"]["sha256"]] == ["wmt21.en-de.ref-A", "wmt22.en-de.ref-A"]
    assert "|with:wmt21.en-de.ref-A sha256:" in found["signature"]
    counted = run(*chosen, "--statistics", "kept.npz")
    assert run(*chosen, "--statistics", "kept.npz") == counted


def test_the_signature_and_json_say_which_files_were_read(run, cache):
    name = "wmt22.en-de.ref-A"
    sha256 = hashlib.sha256(lines(REFERENCES["de"]).encode()).hexdigest()
    chosen = "score", "-t", "wmt22", "-l", "en-de", "de"
    found = json.loads(run(*chosen, "--format", "json")[1])
    assert found["test_set"] == {"name": "wmt22", "language_pair": "en-de", "sha256": {name: sha256}}
    field = f"|with:{name} sha256:{sha256[:16]}|"
    assert field in found["signature"]
    assert found["systems"][0]["signature"] == found["signature"]
    assert field in run(*chosen)[1]
    assert field in run(*chosen, "--level", "sentence")[1]
    run(*chosen, "-o", "scores.csv")
    with open("scores.csv", encoding="utf-8") as table:  # noqa: PTH123 - in the folder where the command ran
        assert field in table.read()
    assert "test_set" not in json.loads(run("score", "-r", "de", "de", "--format", "json")[1])


def test_a_signature_with_a_test_set_is_read(run, cache):
    chosen = "score", "-t", "wmt22", "-l", "en-de", "de"
    signature = json.loads(run(*chosen, "--set", "smoothing=floor", "--format", "json")[1])["signature"]
    status, out, err = run(*chosen, "--signature", signature)
    assert (status, err) == (0, "")
    assert signature in out


def test_what_else_a_signature_names_stays(run, cache, tmp_path):
    (tmp_path / "spaces.py").write_text(
        "import bleukit.plugin\n\n@bleukit.plugin.hookimpl\n"
        "def bleukit_tokenizers():\n    return {'spaces': lambda: str.split}\n"
    )
    out = run("score", "-t", "wmt22", "-l", "en-de", "de", "--plugin", "spaces.py", "--set", "tokenizer=spaces")[1]
    assert re.search(r"\|with:spaces sha256:[0-9a-f]{16},wmt22.en-de.ref-A sha256:", out)


@pytest.mark.parametrize(
    "options",
    [["--list"], ["--list", "-l", "en-de"], ["-t", "wmt22", "-l", "en-de", "--list"]]
    + [["-t", "wmt22", "-l", "en-de", "--echo", *fields] for fields in (["src"], ["src", "ref"], ["all"])]
    + [["-t", "wmt21,wmt22", "-l", "en-de", "--echo", "ref"]],
    ids=" ".join,
)
def test_sets_are_listed_and_printed_as_sacrebleu_does(run, cache, options):
    program = [sys.executable, "-m", "sacrebleu", *options]
    theirs = subprocess.run(program, capture_output=True, text=True, encoding="utf-8", check=True).stdout
    assert run("score", *options)[:2] == (0, theirs)


@pytest.mark.parametrize(
    ("ended", "said"),
    [
        ((0, ""), (0, "")),
        ((0, "sacreBLEU: a note\n"), (0, "sacreBLEU: a note\n")),
        ((-2, ""), (130, "")),
        ((1, ""), (2, "bleukit: error: sacreBLEU: ended with status 1\n")),
        (
            (1, "sacreBLEU: no such set,\nsacreBLEU: or pair\n"),
            (2, "bleukit: error: sacreBLEU: no such set, or pair\n"),
        ),
        (
            (2, "usage: sacrebleu\n [-h]\nsacrebleu: error: no\n"),
            (2, "bleukit: error: sacreBLEU: sacrebleu: error: no\n"),
        ),
        ((1, "Traceback (most recent\n  x\nKeyError: 3\n"), (2, "bleukit: error: sacreBLEU: KeyError: 3\n")),
    ],
)
def test_how_sacrebleu_ends_is_how_the_command_ends(run, monkeypatch, ended, said):
    status, message = ended
    of_process = subprocess.CompletedProcess([], status, None, message)
    monkeypatch.setattr(subprocess, "run", lambda *_, **__: of_process)
    assert run("sacrebleu", "-l", "en-de") == (said[0], "", said[1])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["-t", "wmt20", "-l", "en-de"], "-t: wmt20 is not in sacreBLEU's cache"),
        (["-t", "wmt22,wmt20", "-l", "en-de"], "-t: wmt20 is not in sacreBLEU's cache"),
        (["-t", "wmt20", "-l", "en-de"], "; this gets it: sacrebleu --download wmt20 -l en-de"),
        (["-t", "wmt20", "--list"], "; this gets it: sacrebleu --download wmt20 -l "),
        (["-t", "wmt20", "-l", "en-de", "--echo", "src"], "-t: wmt20 is not in sacreBLEU's cache"),
        (["-t", "wmt22,", "-l", "en-de"], "-t: unknown test set ''; --list lists those that there are"),
        (["-t", "wmt99", "-l", "en-de"], "-t: unknown test set 'wmt99'; --list lists those that there are"),
        (["-t", "wmt22", "-l", "de-xx"], "-l: wmt22 has no 'de-xx', but cs-en, "),
        (["-t", "wmt22"], "a test set (-t) and its language pair (-l) go together"),
        (["-l", "en-de"], "a test set (-t) and its language pair (-l) go together"),
        (["-t", "wmt22", "-l", "en-de", "-r", "de"], "give references (-r) or a test set (-t), not both"),
        (["--echo", "src"], "--echo needs a test set (-t) and its language pair (-l)"),
        (["-t", "wmt22", "-l", "en-de", "--echo", "ref:Z"], "sacreBLEU: No such field ref:Z"),
        (["-tok", "zh", "-r", "de"], "a tokenizer is chosen by --set tokenizer=NAME"),
        (["-lc", "-r", "de"], "case is ignored with --set lowercase=true"),
    ],
    ids=" ".join,
)
def test_errors(run, cache, options, message):
    status, out, err = run("score", *options, "de")
    assert (status, out) == (2, "")
    assert message in err.splitlines()[-1]
    assert all(line.startswith("bleukit: ") for line in err.splitlines())


def test_what_a_library_writes_to_standard_error_need_not_be_text(run, monkeypatch, tmp_path):
    python = tmp_path / "python"
    python.write_text("#!/bin/sh\nprintf 'mecab: no \\377\\n' >&2\nexit 1\n")
    python.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(python))
    assert run("sacrebleu", "ref") == (2, "", "bleukit: error: sacreBLEU: mecab: no \ufffd\n")
