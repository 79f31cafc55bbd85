"""The tokenizers of TensorFlow's libraries; their scores are in the conformance suite."""

import pytest

import bleukit


@pytest.mark.parametrize(
    ("variant", "text", "tokens"),
    [
        ("tf-nmt-evaluate", " a  b\u00a0c\td ", ["a", "", "b\u00a0c\td"]),
        ("tf-nmt-evaluate", "", [""]),
        ("t2t-bleu-cased", "In 2020, 3.14% (1,000).", ["In", "2020", ",", "3.14", "%", "(", "1,000", ")", "."]),
        ("t2t-bleu-cased", '"5" is ½. 5.', ['"5', '"', "is", "½", ".", "5."]),
        ("t2t-bleu-cased", r"\n a\b C#", [r"\n", r"a\b", "C", "#"]),
        ("t2t-bleu-uncased", "ΟΔΟΣ. €5", ["οδος", ".", "€", "5"]),
        ("keras-hub", ".5 in 2020.", [".5", "in", "2020."]),
        ("keras-hub", ".a on mat.", [".", "a", "on", "mat", "."]),
        ("keras-hub", "a\u00a0b\u3000c &lt;d&gt;-\ne", ["a\u00a0b\u3000c", "<", "d", ">", "e"]),
    ],
)
def test_tokens(variant, text, tokens):
    assert bleukit.load(variant).tokenize(text) == tokens
