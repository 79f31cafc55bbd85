"""The tokenizers whose programs cannot be run here, defined once more, as plainly as can be.

Each definition takes a text, how it is lowercased (False, True or "ascii") and the options of the tokenizer.
"""

import re
import unicodedata
from functools import cache
from itertools import chain, groupby

PERL_SPACES = "".join(c for c in map(chr, range(0x3001)) if unicodedata.category(c)[0] == "Z" or c in "\t\n\v\f\r\x85")
"""Unicode's White_Space: all separators, and the controls that are spaces."""

PYTHON_SPACES = PERL_SPACES + "\x1c\x1d\x1e\x1f"
ASCII_SPACES = " \t\n\v\f\r"

ASCII_SYMBOLS = "".join(c for c in map(chr, range(128)) if unicodedata.category(c)[0] in "PS" and c not in "',-.")
"""ASCII's punctuation and symbols, but for those that words and numbers may hold."""

ENTITIES = {"&quot;": '"', "&amp;": "&", "&lt;": "<", "&gt;": ">"}


def plain_lower(text, lowercase):
    """Return a text in lower case: True by Unicode's full mappings, with the final sigma; "ascii" A to Z alone."""
    if lowercase == "ascii":
        return text.translate({upper: upper + 32 for upper in range(ord("A"), ord("Z") + 1)})
    return text.lower() if lowercase else text


def words(text, spaces=PYTHON_SPACES):
    """Return what is between spaces."""
    return [word for word in re.split(f"[{spaces}]+", text) if word]


@cache
def category_runs():
    """Return each category in the order of all code points, with the code points in a row that have it."""
    return [(category, "".join(run)) for category, run in groupby(map(chr, range(0x110000)), unicodedata.category)]


@cache
def _class(category):
    """Return the code points of a Unicode category, such as P or Nd, for a class of a regular expression.

    The programs know a later version of Unicode than Python may: what is unassigned here is asked of ``regex``.
    """
    import regex  # an optional dependency, as in the tokenizers

    later = regex.findall(rf"\p{{{category}}}", "".join(run for own, run in category_runs() if own == "Cn"))
    known = chain.from_iterable(run for own, run in category_runs() if own.startswith(category))
    in_a_row = groupby(enumerate(sorted([*known, *later])), lambda place: ord(place[1]) - place[0])
    runs = ([character for _, character in run] for _, run in in_a_row)
    return "".join(f"{re.escape(run[0])}-{re.escape(run[-1])}" for run in runs)


def _apart(text, *rules):
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
    text,
    lowercase=False,
    *,
    ascii_whitespace=False,
    blanks="",
    spaces=PERL_SPACES,
):
    """Return the words of mteval's ``tokenization``: without marks, with entities replaced, and punctuation apart."""
    text = "".join(" " if character in blanks else character for character in text)
    text = text.replace("<skipped>", "").replace("-\n", "").replace("\n", " ")
    for entity, character in ENTITIES.items():
        text = text.replace(entity, character)
    text = _apart(plain_lower(f" {text} ", lowercase), *_WESTERN)
    return words(text, ASCII_SPACES if ascii_whitespace else spaces)


def _evaluate(text, lowercase=False):
    """Return Hugging Face's: sacreBLEU's without the strip."""
    return _mteval(plain_lower(text, lowercase), spaces=PYTHON_SPACES)


@cache
def _international():
    """Return how mteval writes punctuation, unless between numbers, and symbols apart in all languages."""
    number, mark, symbol = map(_class, "NPS")
    return (f"([^{number}])([{mark}])", r"\1 \2 "), (f"([{mark}])([^{number}])", r" \1 \2"), (f"([{symbol}])", r" \1 ")


def _mteval_international(text, lowercase=False, *, split_non_ascii=False):
    """Return the words of mteval-v14's ``tokenization_international``."""
    text = text.replace("<skipped>", "").replace("\u2028", " ")
    for entity, character in {**ENTITIES, "&apos;": "'"}.items():
        text = text.replace(entity, character)
    text = text.replace("\u03a3", "\u03c3") if lowercase is True else text  # Perl knows no final sigma
    text = plain_lower(text, lowercase)
    if split_non_ascii:
        text = "".join(character if character.isascii() else f" {character} " for character in text)
    return words(_apart(text, *_international()), PERL_SPACES)


def _e2e_metrics(text, lowercase=False):
    """Return those of e2e-metrics, which lowercases tokens, and has one for no text."""
    return [plain_lower(token, lowercase) for token in _mteval(text, spaces=PYTHON_SPACES)] or [""]


def _codexglue(text, lowercase=False):
    """Return those of CodeXGLUE's code-to-text: words by themselves, then what mteval-v11a writes apart."""
    words_by_themselves = re.findall(r"\w+|[^\s\w]", plain_lower(text, lowercase))
    return words(_apart(" ".join(words_by_themselves), *_WESTERN))


def _parlai(text, lowercase=False):
    """Return words without ASCII punctuation and articles; one empty one if there is none."""
    text = _apart(plain_lower(text, lowercase), (f"[{re.escape(ASCII_SYMBOLS)}',.-]", " "))
    runs = re.split(r"(\w+)", text)
    return words("".join(" " if run in {"a", "an", "the"} else run for run in runs)) or [""]


def _t2t(text, lowercase=False):
    """Return Tensor2Tensor's: as mteval-v14's, with decimal digits in place of numbers, and no backslash."""
    digit, mark, symbol = map(_class, ("Nd", "P", "S"))
    mark = rf"(?!\\)[{mark}]"
    text = plain_lower(text, lowercase)
    return words(
        _apart(
            text, (f"([^{digit}])({mark})", r"\1 \2 "), (f"({mark})([^{digit}])", r" \1 \2"), (f"([{symbol}])", r" \1 ")
        )
    )


def _keras_hub(text, lowercase=False):
    """Return Keras Hub's: as mteval's, without the space before and after the text."""
    text = plain_lower(text, lowercase).replace("<skipped>", "").replace("-\n", "").replace("\n", " ")
    for entity, character in ENTITIES.items():
        text = text.replace(entity, character)
    return words(_apart(text, *_WESTERN), ASCII_SPACES)


def _multi_bleu(text, lowercase=False, *, split_hyphens=False):
    """Return what is between ASCII white space; Tensor2Tensor's script marks hyphens in it before."""
    tokens = words(plain_lower(text, lowercase), ASCII_SPACES)
    return [part for token in tokens for part in _compound(token)] if split_hyphens else tokens


def _compound(token):
    """Return the parts of a compound: of three bytes with a hyphen in the middle none belongs to the next three."""
    parts, part, rest = [], b"", token.encode("utf-8", "surrogatepass")
    while rest:
        if len(rest) > 2 and rest[1:2] == b"-":
            parts += [part + rest[:1], b"##AT##-##AT##"]
            part, rest = rest[2:3], rest[3:]
        else:
            part, rest = part + rest[:1], rest[1:]
    return [part.decode("utf-8", "surrogatepass") for part in (*parts, part)]


def _multeval(text, lowercase=False):
    """Return what is between breaking spaces, also if that is nothing, but ASCII's beside each other are one.

    What is up to U+0020 does not count at both ends.
    """
    text = plain_lower(text, lowercase).strip("".join(map(chr, range(0x21))))
    breaking = "".join(space for space in PERL_SPACES if space not in "\xa0\u2007\u202f")
    return re.split(f"[{breaking}]", re.sub(f"[{ASCII_SPACES}]+", " ", text))


CONTINUOUS = (
    *((0x2E80, 0x2E99), (0x2E9B, 0x2EF3), (0x2F00, 0x2FD5), (0x3005, 0x3005), (0x3007, 0x3007), (0x3021, 0x3029)),
    *((0x3038, 0x303B), (0x3040, 0x30FF), (0x3200, 0x32FF), (0x3400, 0x4DB5), (0x4E00, 0x9FEF), (0xF900, 0xFA6D)),
    *((0xFA70, 0xFAD9), (0x0E00, 0x0E7F), (0x1B000, 0x1B0FF), (0x1B130, 0x1B16F), (0x20000, 0x2A6D6)),
    *((0x2A700, 0x2B734), (0x2B740, 0x2B81D), (0x2B820, 0x2CEA1), (0x2CEB0, 0x2EBE0), (0x2F800, 0x2FA1D)),
)
"""The first and the last of the code points that Marian takes for Han, kana and Thai."""


def _marian(text, lowercase=False):
    """Return mteval's words between ASCII white space, but each Han, kana and Thai character is one."""
    tokens = _mteval(plain_lower(text, lowercase), ascii_whitespace=True)
    continuous = "".join(f"{chr(first)}-{chr(last)}" for first, last in CONTINUOUS)
    return [part for token in tokens for part in words(_apart(token, (f"([{continuous}])", r" \1 ")), " ")]


_DOTNET_PIECE = re.compile("-\r?\n|&(quot|amp|lt|gt|apos);|.", re.DOTALL)


@cache
def _dotnet_number():
    return re.compile(f"[{_class('N')}{_class('P')}]+")


@cache
def _dotnet_kinds():
    """Return the kinds of characters up to U+FFFF, as .NET knows them; all others are letters."""
    kinds = dict.fromkeys(PERL_SPACES, "space")
    for category, kind in {"N": "number", "P": "punctuation", "S": "symbol"}.items():
        kinds |= dict.fromkeys(re.findall(f"[{_class(category)}]", "".join(map(chr, range(0x10000)))), kind)
    return kinds


def _dotnet(text, lowercase=False):
    """Return the tokens of ``WordTokenize``, which takes one character after the other."""
    rest, tokens, word = plain_lower(text, lowercase), [], ""
    while rest:
        piece = _DOTNET_PIECE.match(rest)[0]
        kind = "letter" if len(piece) == 1 else "joint" if piece[0] == "-" else "entity"
        kind = _dotnet_kinds().get(piece, kind)
        if kind == "number" and not word:
            piece = _dotnet_number().match(rest)[0]
            piece = re.split("[\U00010000-\U0010ffff]", piece)[0]
        rest = rest[len(piece) :]
        if kind == "letter" or (kind == "number" and word):
            word += piece if kind == "number" else _simple_upper(piece)
        elif kind != "joint":
            tokens += [word] * bool(word) + [{**ENTITIES, "&apos;": "'"}.get(piece, piece)] * (kind != "space")
            word = ""
    return tokens + [word] * bool(word)


def _simple_upper(letter):
    """Return the one character that a letter is in upper case; of a dotless i, and beyond U+FFFF, there is none."""
    if letter == "\u0131" or letter > "\uffff":
        return letter
    return next((upper for upper in (letter.upper(), letter.title()) if len(upper) == 1), letter)


def _fairseq(text, lowercase=False):
    """Return words and the end of the sentence, without padding at both ends; the last word is never dropped."""
    line = [*words(plain_lower(text, lowercase)), "</s>"]
    while line[0] == "<pad>":
        line = line[1:]
    while len(line) > 1 and line[-1] in {"<pad>", "</s>"}:
        line = line[:-1]
    return line


TOKENIZERS = {
    "whitespace": lambda text, lowercase=False: words(plain_lower(text, lowercase)),
    "codexglue": _codexglue,
    "dotnet": _dotnet,
    "e2e-metrics": _e2e_metrics,
    "evaluate": _evaluate,
    "fairseq": _fairseq,
    "keras-hub": _keras_hub,
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
"""By the name of the tokenizer; sacreBLEU's own are called in the tests."""
