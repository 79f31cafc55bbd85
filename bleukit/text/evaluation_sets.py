"""Evaluation sets: the SGML and XML files in which NIST and WMT keep sources, references and systems' translations.

Two layouts are read. Mteval's has ``<srcset>``, ``<refset>`` or ``<tstset>``, in it ``<doc docid="…" sysid="…">``, in
it ``<seg id="…">``; in XML the set itself has the ``refid`` or ``sysid``. WMT's, since 2021, has ``<doc id="…">``, in
it ``<src>``, ``<ref translator="…">`` and ``<hyp system="…">``, in these ``<seg id="…">``.

A file that ends in .xml must be well-formed, and deep nesting is refused. All else (.sgm, .sgml) is read as leniently
as mteval does, and a little more: tags in any case, attributes without quotation marks, a bare ``&``, and no end tags:
a segment then ends where the next block begins. Entities of a file's own are refused in either, and nothing outside the
file is read.
"""

from __future__ import annotations

import html
import re
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias
from xml.parsers import expat

from bleukit.errors import InputError
from bleukit.text.files import SET_SUFFIX, read_lines

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

Role: TypeAlias = Literal["source", "reference", "system"]
Place: TypeAlias = tuple[str, str]
"""The ids of a document and of a segment in it."""

MAX_DEPTH = 100
_SETS: Mapping[str, Role] = {"srcset": "source", "refset": "reference", "tstset": "system"}
_PARTS: Mapping[str, Role] = {"src": "source", "ref": "reference", "hyp": "system"}
_TAG = re.compile(r"<(/?)(srcset|refset|tstset|doc|seg|p|hl)(\s[^<>]*)?>", re.IGNORECASE)
_ATTRIBUTE = re.compile(r"""(?<!\w)([a-z]\w*)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))""", re.IGNORECASE)
_ENTITY = re.compile(r"&(?:quot|amp|lt|gt|apos|#[0-9]{1,7}|#x[0-9a-f]{1,6});", re.IGNORECASE)
_DECLARATION = re.compile(r"<!entity\s+(?:%\s*)?([^\s>]+)", re.IGNORECASE)


@dataclass(frozen=True)
class Translation:
    """All segments of one source, reference or system, in the order of the file.

    In SGML ``has_entities``: the texts are as they stand in the file, ``&amp;`` included.
    """

    path: str
    role: Role
    name: str
    segments: dict[Place, str] = field(default_factory=dict)
    has_entities: bool = False

    def __str__(self) -> str:
        return f"{self.path}: {self.role}{f' {self.name!r}' if self.name else ''}"

    def texts(self, places: Sequence[Place], *, keep_entities: bool) -> list[str]:
        """Return the texts of these segments, their entities replaced unless a tokenizer does that itself."""
        texts = [self.segments[place] for place in places]
        return texts if keep_entities or not self.has_entities else [_without_entities(text) for text in texts]


class Aligned(NamedTuple):
    """Systems and references of the same segments, and where these are."""

    systems: list[Translation]
    references: list[Translation]
    places: list[Place]


def read_aligned(system_paths: Sequence[str], reference_paths: Sequence[str]) -> Aligned:
    """Return all systems and all references of these files.

    Raises InputError for a file that cannot be read or holds none of them, and where documents or segments are missing.
    """
    references = [found for path in reference_paths for found in _of_role(path, "reference")]
    systems = [found for path in system_paths for found in _of_role(path, "system")]
    first = references[0]
    for other in (*references[1:], *systems):
        _check_same_segments(first, other)
        _check_same_segments(other, first)
    return Aligned(systems, references, list(first.segments))


def names(translations: Sequence[Translation]) -> list[str]:
    """Return what each is called; with its file where it has no name, or shares it."""
    times = Counter(translation.name for translation in translations)
    return [str(each) if times[each.name] > 1 or not each.name else each.name for each in translations]


def read(path: str) -> list[Translation]:
    """Return what a file holds, in its order. Raises InputError, with the line, where it cannot be read."""
    text = "\n".join(read_lines(path))
    suffix = SET_SUFFIX.search(path)
    builder = _Builder(path, has_entities=not (suffix and suffix[1]))
    if builder.has_entities:
        _scan_sgml(text, builder)
    else:
        _parse_xml(text, builder)
    return list(builder.translations.values())


def _of_role(path: str, role: Role) -> list[Translation]:
    translations = [translation for translation in read(path) if translation.segments]
    found = [translation for translation in translations if translation.role == role]
    if not found:
        wanted = "<tstset>, or <hyp>" if role == "system" else "<refset>, or <ref>"
        held = ", ".join(dict.fromkeys(f"a {translation.role}" for translation in translations))
        instead = f"; it holds {held}" if held else ""
        raise InputError(f"{path}: holds no segment of a {role} ({wanted} of WMT's XML, with <seg>){instead}")
    return found


def _check_same_segments(one: Translation, other: Translation) -> None:
    documents = {document for document, _ in other.segments}
    for document, segment in one.segments:
        if document not in documents:
            raise InputError(f"{other} lacks document {document!r}, which {one} has")
        if (document, segment) not in other.segments:
            raise InputError(f"{other} lacks segment {segment!r} of document {document!r}, which {one} has")


class _Builder:
    """Puts together what both parsers find: the start of sets, documents and parts, and whole segments."""

    def __init__(self, path: str, *, has_entities: bool) -> None:
        self.path = path
        self.has_entities = has_entities
        self.translations: dict[tuple[Role, str], Translation] = {}
        self._set: tuple[Role, str] | None = None
        self._document: str | None = None
        self._current: Translation | None = None
        self._number_of_segments = 0
        self._unnamed = 0
        self._seen: set[tuple[Role, str, str]] = set()

    def start(self, tag: str, attributes: Mapping[str, str], line: int) -> None:
        if tag in _SETS:
            self._set = (_SETS[tag], attributes.get("sysid") or attributes.get("refid") or "")
            self._document = None
        elif tag == "doc":
            self._document = attributes.get("docid") or attributes.get("id")
            self._unnamed = 0
            if not self._document:
                raise self.error("this <doc> has no docid", line)
            if self._set:
                role, name = self._set
                self._open(role, attributes.get("sysid") or name, line)
        elif tag in _PARTS and self._document and not self._set:
            part = attributes.get("translator") or attributes.get("system")
            self._unnamed += not part
            self._open(_PARTS[tag], part or str(self._unnamed), line)

    def segment(self, attributes: Mapping[str, str], text: str, line: int) -> None:
        if self._current is None or self._document is None:
            raise self.error("this <seg> is in no document of a set", line)
        self._number_of_segments += 1
        place = (self._document, attributes.get("id") or str(self._number_of_segments))
        if place in self._current.segments:
            raise self.error(f"segment {place[1]!r} of document {place[0]!r} comes twice", line)
        self._current.segments[place] = text

    def end(self, tag: str) -> None:
        if tag in {"doc", *_PARTS, *_SETS}:
            self._current = None
        if tag in _SETS:
            self._set = None

    def error(self, problem: str, line: int) -> InputError:
        return InputError(f"{self.path}:{line}: {problem}")

    def declares(self, entity: str, line: int) -> InputError:
        return self.error(f"declares the entity {entity!r:.60}: entities of a file's own are refused", line)

    def _open(self, role: Role, name: str, line: int) -> None:
        document = self._document or ""
        if (role, name, document) in self._seen:
            raise self.error(f"document {document!r} of {role} {name!r} comes twice", line)
        self._seen.add((role, name, document))
        new = Translation(self.path, role, name, has_entities=self.has_entities)
        self._current = self.translations.setdefault((role, name), new)
        self._number_of_segments = 0


def _scan_sgml(text: str, builder: _Builder) -> None:
    """Find the tags that matter, in one pass; all other markup is text, as it is to mteval."""
    declared = _DECLARATION.search(text)
    if declared:
        raise builder.declares(declared[1], text.count("\n", 0, declared.start()) + 1)
    attributes: Mapping[str, str] | None = None  # of the segment that is open
    start = line_of_segment = 0
    block: int | None = None  # where the first other block since then begins or ends
    for tag, line in _tags_with_lines(text):
        closing, name = bool(tag[1]), tag[2].lower()
        if name in {"p", "hl"}:
            block = tag.start() if block is None else block
            continue
        if attributes is not None:
            ended = closing and name == "seg"
            end = tag.start() if ended or block is None else block
            builder.segment(attributes, _on_one_line(text[start:end]), line_of_segment)
            attributes = None
        if name == "seg":
            if not closing:
                attributes, start, line_of_segment, block = _attributes(tag[3]), tag.end(), line, None
        elif closing:
            builder.end(name)
        else:
            builder.start(name, _attributes(tag[3]), line)
    if attributes is not None:
        raise builder.error("this <seg> is not ended, nor is its document", line_of_segment)


def _tags_with_lines(text: str) -> Iterator[tuple[re.Match[str], int]]:
    line, counted = 1, 0
    for tag in _TAG.finditer(text):
        line += text.count("\n", counted, tag.start())
        counted = tag.start()
        yield tag, line


def _attributes(inside: str | None) -> dict[str, str]:
    """Read the attributes of a tag, with quotation marks or without."""
    found = (match.groups() for match in _ATTRIBUTE.finditer(inside or ""))
    return _normalized({name: next(filter(None, values), "") for name, *values in found})


def _normalized(attributes: Mapping[str, str]) -> dict[str, str]:
    """Return names in lower case, and values on one line."""
    return {name.lower(): " ".join(value.split()) for name, value in attributes.items()}


def _on_one_line(text: str) -> str:
    """Join lines by spaces, as mteval does, also at the ends: its tokenization tells ``5.`` from ``5. ``."""
    return re.sub(r"[ \t-\r]+", " ", text)


def _without_entities(text: str) -> str:
    """Replace XML's five entities and numeric references; all others, and a bare ``&``, are text."""
    return _ENTITY.sub(lambda entity: html.unescape(entity[0]), text) if "&" in text else text


def _parse_xml(text: str, builder: _Builder) -> None:
    parser = expat.ParserCreate()
    handlers = _XmlHandlers(builder, parser)
    parser.StartElementHandler = handlers.start
    parser.EndElementHandler = handlers.end
    parser.CharacterDataHandler = handlers.characters
    parser.EntityDeclHandler = handlers.refuse_declaration
    parser.SkippedEntityHandler = handlers.refuse_reference
    try:
        parser.Parse(text, True)
    except expat.ExpatError as error:
        raise builder.error(f"is not well-formed XML: {expat.ErrorString(error.code)}", error.lineno) from error


class _XmlHandlers:
    """Follows the elements of an XML file; all text in a segment is its text, that of elements in it too."""

    def __init__(self, builder: _Builder, parser: expat.XMLParserType) -> None:
        self.builder = builder
        self.parser = parser
        self.depth = 0
        self.segment: _OpenSegment | None = None

    def start(self, name: str, attributes: dict[str, str]) -> None:
        line = self.parser.CurrentLineNumber
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise self.builder.error(f"is nested deeper than {MAX_DEPTH} levels", line)
        if self.segment:
            return
        if name.lower() == "seg":
            self.segment = _OpenSegment(_normalized(attributes), [], self.depth, line)
        else:
            self.builder.start(name.lower(), _normalized(attributes), line)

    def end(self, name: str) -> None:
        if not self.segment:
            self.builder.end(name.lower())
        elif self.segment.depth == self.depth:
            self.builder.segment(self.segment.attributes, "".join(self.segment.text), self.segment.line)
            self.segment = None
        self.depth -= 1

    def characters(self, text: str) -> None:
        if self.segment:
            self.segment.text.append(text)

    def refuse_declaration(self, name: str, *_: object) -> None:
        raise self.builder.declares(name, self.parser.CurrentLineNumber)

    def refuse_reference(self, name: str, *_: object) -> None:
        raise self.builder.error(f"the entity &{name}; is not one of XML's five", self.parser.CurrentLineNumber)


class _OpenSegment(NamedTuple):
    attributes: dict[str, str]
    text: list[str]
    depth: int
    line: int
