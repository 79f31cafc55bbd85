"""What the tokenizers of translation programs do; their scores are in the conformance suite, from the programs."""

import pytest

import bleukit


def tokens(text, variant, **keys):
    return list(bleukit.load(variant, **keys).tokenize(text))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", [""]),
        ("\x00\t a \x0b\t b\x1f", ["a", "b"]),
        ("a\u3000\u3000b", ["a", "", "b"]),
        ("a \u2028b", ["a", "", "b"]),
        ("a\xa0b\u2007c\u202fd", ["a\xa0b\u2007c\u202fd"]),
    ],
)
def test_multeval_splits_at_each_breaking_space(text, expected):
    assert tokens(text, "multeval-jbleu") == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("猫がABC、ﾈｺ", ["猫", "が", "ABC、ﾈｺ"]),
        ("ไทย 한국어", ["ไ", "ท", "ย", "한국어"]),
        ("中.5中", ["中", ".", "5", "中"]),
        ("a\xa0b c\td", ["a\xa0b", "c", "d"]),
        ("&amp;lt; <skipped>x", ["<", "x"]),
    ],
)
def test_marian_splits_continuous_scripts(text, expected):
    assert tokens(text, "marian-bleu-spm") == expected


def test_space_alone_separates_words():
    assert tokens(" a\tb  c\u3000d ", "marian-bleu-plain-vocab") == ["a\tb", "c\u3000d"]


@pytest.mark.parametrize(
    ("text", "parts"),
    [("a-b-c", ["a", "b-c"]), ("ä-ö-ü", ["ä", "ö", "ü"]), ("-a b-", ["-a", "b-"]), ("a--b", ["a", "-b"])],
)
def test_compounds_are_split_byte_by_byte(text, parts):
    split = tokens(text, "t2t-get-ende-bleu")
    assert [token for token in split if token != "##AT##-##AT##"] == parts


def test_what_the_xml_cannot_hold_is_blank_for_dialogpt():
    assert tokens("R&B &lt; <3", "dialogpt-bleu") == ["r", "b", "lt", ";", "3"]
    assert tokens("R&B &lt;", "dialogpt-bleu", tokenizer="mteval") == ["r", "&", "b", "<"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2020. (3,) 1a a1 ⅷxⅷ", ["2020.", "(", "3,)", "1", "A", "A1", "ⅷ", "Xⅷ"]),
        ("well-\nknown -\r\nx 5-\n6", ["WELLKNOWN", "X", "5-", "6"]),
        ("&apos;x&amp;lt; &nbsp;", ["'", "X", "&", "LT", ";", "&", "NBSP", ";"]),
        ("Straße ıſ ᾀǆ 👍a", ["STRAßE", "ıS", "ᾈǄ", "👍A"]),
        ("a\x1cb c\x85d\xa0e", ["A\x1cB", "C", "D", "E"]),
    ],
)
def test_dotnet(text, expected):
    assert tokens(text, "nltk", tokenizer="dotnet") == expected
