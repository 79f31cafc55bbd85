"""The Moses and NIST variants equal the real Perl scripts, on corpora of many kinds of words.

Set MOSES_SCRIPTS to the folder scripts/generic of Moses. mteval-v13a.pl and mteval-v14.pl need the Perl modules
XML::Twig and Sort::Naturally. The scripts' code is no part of this project.
"""

import os
import random
import re
import subprocess
from pathlib import Path

import pytest

import bleukit

SCRIPTS = os.environ.get("MOSES_SCRIPTS", "")
pytestmark = pytest.mark.skipif(not SCRIPTS, reason="MOSES_SCRIPTS does not name the folder of the Perl scripts")

WORDS = """the The cat sat CAFÉ ΣΑΣ İx ß 猫 が bank\u00a0note a\u3000b a\x1cb 3.5 1,000 10-20 well-known U.S. e.g., $5
50% &amp; &lt;b&gt; &quot;q&quot; &apos; &#39; &amp;lt; &amp;quot; (x) — « » … ¿ e\u2010mail - -- 3- x² ½ ٣.٤ don't
\u2018a\u2019 € + \u00b4 ^ ` ~ | [ ] { } <skipped> ٪ · 1. 2, .5 a.b a..b 5..6 .""".replace("\n", " ").split(" ")


def corpus(seed):
    rng = random.Random(seed)
    number, references = rng.choice([2, 12]), rng.choice([1, 3])
    rows = [rng.choices(WORDS, k=rng.choice([1, 2, 5, 15])) for _ in range(number)]

    def changed(words):
        kept = [word for word in words if rng.random() > 0.15] or ["a"]
        return " ".join(word if rng.random() > 0.15 else rng.choice(WORDS) for word in kept)

    return [changed(row) for row in rows], [[changed(row) for _ in range(references)] for row in rows]


def run(script, *options, folder, stdin=None):
    command = ["perl", str(Path(SCRIPTS, script)), *options]
    return subprocess.run(command, cwd=folder, stdin=stdin, capture_output=True, check=True).stdout.decode()


def write(path, lines):
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8", newline="")


def sgml(name, attributes, systems):
    """A set of one document, in which every system has the same segments."""
    lines = [f'<{name} setid="s" srclang="a" {attributes}>']
    for number, segments in enumerate(systems):
        lines += [f'<doc docid="d" sysid="{number}">']
        lines += [f'<seg id="{place}">{segment}</seg>' for place, segment in enumerate(segments, 1)]
        lines += ["</doc>"]
    return [*lines, f"</{name}>"]


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize(
    ("script", "options", "variant"),
    [
        ("multi-bleu.perl", [], "multi-bleu"),
        ("multi-bleu.perl", ["-lc"], "multi-bleu-lc"),
        ("multi-bleu-detok.perl", [], "multi-bleu-detok"),
    ],
)
def test_multi_bleu(tmp_path, script, options, variant, seed):
    hypotheses, references = corpus(seed)
    write(tmp_path / "hypothesis", hypotheses)
    for number, stream in enumerate(zip(*references, strict=True)):
        write(tmp_path / f"reference{number}", stream)
    with (tmp_path / "hypothesis").open() as stdin:
        printed = run(script, *options, "reference", folder=tmp_path, stdin=stdin)
    score = bleukit.load(variant).corpus(hypotheses, references)
    precisions = "/".join("0.0" if p != p else f"{100 * p:.1f}" for p in score.precisions)  # noqa: PLR0124 - nan
    c, r = score.hypothesis_length, score.reference_length
    expected = f"{precisions} (BP={score.brevity_penalty:.3f}, ratio={c / r:.3f}, hyp_len={c}, ref_len={r:.0f})"
    assert printed == f"BLEU = {score.value:.2f}, {expected}\n"


SPLIT_NON_ASCII = {"tokenizer": {"name": "mteval-international", "split_non_ascii": True}}


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize(
    ("script", "options", "variant", "overrides"),
    [
        ("v11b", "", "mteval-v11b", {}),
        ("v11b", "-c", "mteval-v11b", {"lowercase": False}),
        ("v12", "", "mteval-v12", {}),
        ("v12", "-e", "mteval-v12", SPLIT_NON_ASCII),
        ("v13a", "", "mteval-v13a", {}),
        ("v13a", "-c", "mteval-v13a", {"lowercase": False}),
        ("v13a", "--brevity-penalty shortest", "mteval-v13a", {"reference_length": "shortest"}),
        ("v13a", "--no-smoothing", "mteval-v13a-no-smoothing", {}),
        ("v14", "", "mteval-v13a", {}),
        ("v14", "--international-tokenization", "mteval-v14", {}),
        ("v14", "--international-tokenization -c", "mteval-v14", {"lowercase": False}),
    ],
)
def test_mteval(tmp_path, script, options, variant, overrides, seed):
    hypotheses, references = corpus(seed)
    write(tmp_path / "source.sgm", sgml("srcset", "", [hypotheses]))
    write(tmp_path / "reference.sgm", sgml("refset", 'trglang="b"', zip(*references, strict=True)))
    write(tmp_path / "test.sgm", sgml("tstset", 'trglang="b"', [hypotheses]))
    files = ["-s", "source.sgm", "-r", "reference.sgm", "-t", "test.sgm"]
    printed = run(f"mteval-{script}.pl", "-b", "-d", "2", *files, *options.split(), folder=tmp_path)
    bleu = bleukit.load(variant, **overrides)
    rows = bleu.statistics(hypotheses, references)
    of_segments = re.findall(r"^  BLEU score using 4-grams = (\S+)", printed, re.MULTILINE)
    assert of_segments == [f"{score.value:.4f}" for score in bleu.scores(rows)]
    assert re.search(r"^BLEU score = (\S+)", printed, re.MULTILINE)[1] == f"{bleu.score(rows).value:.4f}"


COMPOUNDS = r"s{(\S)-(\S)}{$1 ##AT##-##AT## $2}g"
"""What get_ende_bleu.sh of Tensor2Tensor does to tokenized text before multi-bleu.perl."""


@pytest.mark.parametrize("seed", range(6))
def test_get_ende_bleu(tmp_path, seed):
    hypotheses, references = corpus(seed)
    hypotheses[0] += " ä-ö-ü a-b-c -a b- c--d\u3000-e"
    texts = {"hypothesis": hypotheses}
    texts |= {f"reference{number}": stream for number, stream in enumerate(zip(*references, strict=True))}
    for name, lines in texts.items():
        write(tmp_path / "plain", lines)
        command = ["perl", "-ple", COMPOUNDS, str(tmp_path / "plain")]
        (tmp_path / name).write_bytes(subprocess.run(command, capture_output=True, check=True).stdout)
    with (tmp_path / "hypothesis").open() as stdin:
        printed = run("multi-bleu.perl", "reference", folder=tmp_path, stdin=stdin)
    score = bleukit.load("t2t-get-ende-bleu").corpus(hypotheses, references)
    lengths = f"hyp_len={score.hypothesis_length}, ref_len={score.reference_length:.0f}"
    assert re.match(r"BLEU = (\S+),", printed)[1] == f"{score.value:.2f}"
    assert lengths in printed
