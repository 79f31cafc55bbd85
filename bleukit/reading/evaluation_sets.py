"""Evaluation sets: the SGML and XML files in which NIST and WMT keep sources, references and systems' translations.

Two layouts are read. Mteval's has ``<srcset>``, ``<refset>`` or ``<tstset>``, in it ``<doc docid="…" sysid="…">``, in
it ``<seg id="…">``; in XML the set itself has the ``refid`` or ``sysid``. WMT's, since 2021, has ``<doc id="…">``, in
it ``<src>``, ``<ref translator="…">`` and ``<hyp system="…">``, in these ``<seg id="…">``.

A file that ends in .xml must be well-formed, and deep nesting is refused. All else (.sgm, .sgml) is read as leniently
as mteval does, and a little more: tags in any case, attributes without quotation marks, a bare ``&``, and no end tags:
a segment then ends where the next block begins. Entities that a file declares are refused in either, and nothing
outside the file is read.
"""

from __future__ import annotations

import html
import re
from collections import Counter
from dataclasses import dataclass, field
from io import StringIO
from itertools import chain
from typing import TYPE_CHECKING, Literal, TypeAlias
from xml.parsers import expat

from bleukit.framework.errors import InputError, quantity
from bleukit.reading.aligned_segments import AlignedSegments, group_references
from bleukit.reading.files import DEFAULT_LIMITS, TextFile
from bleukit.reading.paths import XML, has_suffix, is_evaluation_set, split_path

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from bleukit.reading.files import Limits

TranslationRole: TypeAlias = Literal["source", "reference", "system"]
SegmentId: TypeAlias = tuple[str, str]
"""The ids of a document and of a segment in it."""
TokenizeFunction: TypeAlias = "Callable[[str], Sequence[str]]"

SEGMENTS = 8192
"""Number of segments in each part of a corpus."""

MAX_DEPTH = 100
MAX_NAMES = 10_000
"""Different names of XML elements and attributes, which the parser keeps."""

_SETS: Mapping[str, TranslationRole] = {"srcset": "source", "refset": "reference", "tstset": "system"}
_PARTS: Mapping[str, TranslationRole] = {"src": "source", "ref": "reference", "hyp": "system"}
_TAG = re.compile(
    r"<(/?)(srcset|refset|tstset|doc|seg|p|hl)(\s[^<>]*)?>"
    r"|<!entity\s+(?:%\s*)?([^\s>]+)",
    re.IGNORECASE,
)
_ATTRIBUTE = re.compile(r"""(?<!\w)([a-z]\w*)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))""", re.IGNORECASE)
_SPACES = re.compile(r"[ \t-\r]+")
"""What becomes a space in SGML, as in mteval, also at the ends: its tokenization tells ``5.`` from ``5. ``."""
_ENTITY = re.compile(r"&(?:quot|amp|lt|gt|apos|#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6});")


@dataclass(frozen=True)
class Translation:
    """All segments of one source, reference or system, in the order of the file.

    In SGML ``has_entities``: the texts are as they stand in the file, ``&amp;`` included.
    """

    path: str
    role: TranslationRole
    name: str
    segments: dict[SegmentId, str] = field(default_factory=dict)
    has_entities: bool = False

    def __str__(self) -> str:
        return f"{self.path}: {self.role}{f' {self.name!r}' if self.name else ''}"

    def texts(self, places: Sequence[SegmentId], *, keep_entities: bool) -> list[str]:
        """Return the texts of these segments, their entities replaced unless a tokenizer does that itself."""
        texts = [self.segments[place] for place in places]
        return texts if keep_entities or not self.has_entities else [_without_entities(text) for text in texts]


def all_replace_entities(tokenizers: Sequence[TokenizeFunction]) -> bool:
    """Return whether the tokenizers, at least one, all replace SGML's entities themselves, as mteval's and 13a do."""
    return bool(tokenizers) and all(list(tokenize("&amp;")) == list(tokenize("&")) for tokenize in tokenizers)


class SetCorpus:
    """The corpus of some evaluation sets: segments belong together by the ids of their documents and their own.

    It holds all systems and all references of the files, or those that ``#NAME`` chooses; see
    :data:`bleukit.reading.corpora.Corpus`. Of a text file among them, line N belongs to segment N of the first set.
    Raises InputError if a file cannot be read, is above a limit, or holds none of them, and if documents or segments
    are missing.
    """

    has_documents = True

    def __init__(
        self,
        system_paths: Sequence[str],
        reference_paths: Sequence[str],
        limits: Limits = DEFAULT_LIMITS,
        on_read: Callable[[int], object] | None = None,
    ) -> None:
        # One file may hold the systems and the references.
        files = {
            path: TextFile(path, limits, on_read) for path, _ in map(split_path, (*reference_paths, *system_paths))
        }
        sets = {path: read_evaluation_set(file) for path, file in files.items() if is_evaluation_set(path)}
        sides: dict[TranslationRole, Sequence[str]] = {"reference": reference_paths, "system": system_paths}
        named = {
            (role, path): _chosen(path, role, sets)
            for role, paths in sides.items()
            for path in paths
            if is_evaluation_set(path)
        }
        first = next(iter(named.values()))[0]
        self._references, self._systems = (
            [one for path in paths for one in named.get((role, path)) or [_lines(files[path], role, first)]]
            for role, paths in sides.items()
        )
        chosen = [*self._references, *self._systems]
        for other in chosen[1:]:
            _check_same_segments(chosen[0], other)
            _check_same_segments(other, chosen[0])
        self._places = list(chosen[0].segments)
        self.references: int | None = len(self._references)
        held = Counter((one.path, one.role) for translations in sets.values() for one in translations if one.segments)
        self.system_paths, self.reference_paths = (
            [f"{one.path}#{one.name}" if held[one.path, one.role] > 1 else one.path for one in translations]
            for translations in (self._systems, self._references)
        )
        times = Counter(one.name for one in self._systems)
        self.systems = [str(one) if times[one.name] > 1 or not one.name else one.name for one in self._systems]
        self.notes = [note for file in files.values() for note in file.notes]
        self.has_entities = any(
            one.has_entities and any("&" in text for text in one.segments.values()) for one in chosen
        )

    def close(self) -> None:
        """Close nothing: all was read."""

    def parts(self, *tokenizers: TokenizeFunction) -> Iterator[AlignedSegments]:
        """Yield all segments, some at a time, for these tokenizers."""
        keep_entities = all_replace_entities(tokenizers)
        for first in range(0, len(self._places), SEGMENTS):
            places = self._places[first : first + SEGMENTS]
            systems, references = (
                [translation.texts(places, keep_entities=keep_entities) for translation in side]
                for side in (self._systems, self._references)
            )
            documents = [document for document, _ in places]
            names = [f"{document}:{segment}" for document, segment in places]
            yield AlignedSegments(first, systems, group_references(references), documents, names)


def read_evaluation_set(file: TextFile) -> list[Translation]:
    """Return what a file holds, in its order. Raises InputError, with the line, if it cannot be read."""
    builder = _Builder(file.path, file.limits, has_entities=not has_suffix(file.path, XML))
    if builder.has_entities:
        _scan_sgml(map(bytes.decode, _bounded(file)), builder)
    else:
        _parse_xml(_bounded(file), builder)
    return list(builder.translations.values())


def _bounded(file: TextFile) -> Iterator[bytes]:
    for content in file.utf8():
        file.limits.check("text", file.characters_read, "{}: the evaluation set", file.name)
        yield content


def _chosen(path: str, role: TranslationRole, sets: Mapping[str, Sequence[Translation]]) -> list[Translation]:
    file, name = split_path(path)
    translations = [translation for translation in sets[file] if translation.segments]
    of_role = [translation for translation in translations if translation.role == role]
    if not of_role:
        wanted = "<tstset>, or <hyp>" if role == "system" else "<refset>, or <ref>"
        held = ", ".join(dict.fromkeys(f"a {translation.role}" for translation in translations))
        instead = f"; it holds {held}" if held else ""
        raise InputError(f"{file}: holds no segment of a {role} ({wanted} of WMT's XML, with <seg>){instead}")
    chosen = [translation for translation in of_role if name in {None, translation.name}]
    if not chosen:
        held = ", ".join(repr(translation.name) for translation in of_role)
        raise InputError(f"{file}: holds no {role} {name!r}; it holds {held}")
    return chosen


def _lines(file: TextFile, role: TranslationRole, beside: Translation) -> Translation:
    """Return the lines of a text file as the segments of a set. Raises InputError unless there are as many."""
    lines = file.lines()
    if len(lines) != len(beside.segments):
        counts = f"{quantity(len(lines), 'line')}, {beside} has {quantity(len(beside.segments), 'segment')}"
        raise InputError(f"{file.name} has {counts}: line N must belong to segment N")
    return Translation(file.path, role, file.path, dict(zip(beside.segments, lines, strict=True)))


def _check_same_segments(one: Translation, other: Translation) -> None:
    documents = {document for document, _ in other.segments}
    for document, segment in one.segments:
        if document not in documents:
            raise InputError(f"{other} lacks document {document!r}, which {one} has")
        if (document, segment) not in other.segments:
            raise InputError(f"{other} lacks segment {segment!r} of document {document!r}, which {one} has")


class _Builder:
    """Puts together what both parsers find: the start of sets, documents and parts, and segments with their text."""

    def __init__(self, path: str, limits: Limits, *, has_entities: bool) -> None:
        self.path = path
        self.limits = limits
        self.has_entities = has_entities
        self.translations: dict[tuple[TranslationRole, str], Translation] = {}
        self.line_of_segment: int | None = None
        """Where the segment that is open begins."""
        self._set: tuple[TranslationRole, str] | None = None
        self._document: str | None = None
        self._current: Translation | None = None
        self._id: str | None = None
        self._text = StringIO()
        self._number_of_segments = 0
        self._unnamed = 0
        self._seen: set[tuple[TranslationRole, str, str]] = set()
        self._kept = 0

    def start(self, tag: str, attributes: Mapping[str, str], line: int) -> None:
        if tag == "seg":
            self.line_of_segment, self._id, self._text = line, attributes.get("id"), StringIO()
        elif tag in _SETS:
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

    def characters(self, text: str) -> None:
        """Add to the text of the segment that is open."""
        if text and self.line_of_segment:
            self._text.write(text)
            self.limits.check("line", self.length, "{}:{}: this <seg>", self.path, self.line_of_segment)

    @property
    def length(self) -> int:
        """How much text the open segment has so far."""
        return self._text.tell()

    def end_segment(self, most: int | None = None) -> None:
        """Keep the open segment, with so many characters of its text."""
        line, self.line_of_segment = self.line_of_segment or 0, None
        if self._current is None or self._document is None:
            raise self.error("this <seg> is in no document of a set", line)
        self._number_of_segments += 1
        place = (self._document, self._id or str(self._number_of_segments))
        if place in self._current.segments:
            raise self.error(f"segment {place[1]!r} of document {place[0]!r} comes twice", line)
        self._keep()
        text = self._text.getvalue()[:most]
        self._current.segments[place] = _SPACES.sub(" ", text) if self.has_entities else text

    def end(self, tag: str) -> None:
        if tag in {"doc", *_PARTS, *_SETS}:
            self._current = None
        if tag in _SETS:
            self._set = None

    def error(self, problem: str, line: int) -> InputError:
        return InputError(f"{self.path}:{line}: {problem}")

    def declares(self, entity: str, line: int) -> InputError:
        return self.error(f"declares the entity {entity!r:.60}: entities of a file's own are refused", line)

    def _keep(self) -> None:
        """Count a segment or a document, which may be empty, for the limit of segments."""
        self._kept += 1
        if self._kept > self.limits.segments:
            self.limits.check("segments", self._kept, "{}: the evaluation set", self.path)

    def _open(self, role: TranslationRole, name: str, line: int) -> None:
        document = self._document or ""
        if (role, name, document) in self._seen:
            raise self.error(f"document {document!r} of {role} {name!r} comes twice", line)
        self._keep()
        self._seen.add((role, name, document))
        new = Translation(self.path, role, name, has_entities=self.has_entities)
        self._current = self.translations.setdefault((role, name), new)
        self._number_of_segments = 0


def _scan_sgml(blocks: Iterable[str], builder: _Builder) -> None:
    """Find the tags that matter, in one pass; all other markup is text, as it is to mteval.

    The text of a segment without an end tag ends where the first other block begins or ends.
    """
    block: int | None = None
    for text, tag, line in _tags(blocks, builder):
        builder.characters(text)
        if not tag:
            continue
        closing, name, attributes, entity = tag.groups()
        if entity:
            raise builder.declares(entity, line)
        name = name.lower()
        if name in {"p", "hl"}:
            block = builder.length if block is None else block
            builder.characters(tag[0])
            continue
        if builder.line_of_segment:
            builder.end_segment(None if closing and name == "seg" else block)
        if not closing:
            builder.start(name, _attributes(attributes), line)
            block = None
        else:
            builder.end(name)
    if builder.line_of_segment:
        raise builder.error("this <seg> is not ended, nor is its document", builder.line_of_segment)


def _tags(blocks: Iterable[str], builder: _Builder) -> Iterator[tuple[str, re.Match[str] | None, int]]:
    """Yield each tag with the text before it and its line; the text may come in pieces, without a tag."""
    line, rest = 1, ""
    for block in chain(blocks, (None,)):
        text = rest + (block or "")
        last = text.rfind("<")
        unfinished = block is not None and last >= 0 and text.find(">", last) < 0
        end = last if unfinished else len(text)
        position = counted = 0
        for tag in _TAG.finditer(text, 0, end):
            start = tag.start()
            line += text.count("\n", counted, start)
            counted = start
            yield text[position:start], tag, line
            position = tag.end()
        yield text[position:end], None, line
        line += text.count("\n", counted, end)
        rest = text[end:]
        builder.limits.check("line", len(rest), "{}:{}: this tag", builder.path, line)


def _attributes(inside: str | None) -> dict[str, str]:
    """Read the attributes of a tag, with quotation marks or without."""
    if not inside:
        return {}
    attributes = (match.groups() for match in _ATTRIBUTE.finditer(inside))
    return _normalized({name: next(filter(None, values), "") for name, *values in attributes})


def _normalized(attributes: Mapping[str, str]) -> dict[str, str]:
    """Return names in lower case, and values on one line."""
    return {name.lower(): " ".join(value.split()) for name, value in attributes.items()}


def _without_entities(text: str) -> str:
    """Replace XML's five entities and numeric references; all others, and a bare ``&``, are text."""
    return _ENTITY.sub(lambda entity: html.unescape(entity[0]), text) if "&" in text else text


def _parse_xml(blocks: Iterable[bytes], builder: _Builder) -> None:
    parser = expat.ParserCreate("utf-8", intern={})
    parser.buffer_text = True
    handlers = _XmlHandlers(builder, parser)
    parser.StartElementHandler = handlers.start
    parser.EndElementHandler = handlers.end
    parser.CharacterDataHandler = builder.characters
    parser.EntityDeclHandler = handlers.refuse_declaration
    parser.SkippedEntityHandler = handlers.refuse_reference
    fed = 0
    try:
        for content in blocks:
            fed += len(content)
            parser.Parse(content, False)
            line = parser.CurrentLineNumber
            unread = fed - max(parser.CurrentByteIndex, 0)
            builder.limits.check("line", unread, "{}:{}: this markup", builder.path, line)
            if len(parser.intern) > MAX_NAMES:
                raise builder.error(f"has more than {MAX_NAMES:,} names of elements and attributes", line)
        parser.Parse(b"", True)
    except expat.ExpatError as error:
        raise builder.error(f"is not well-formed XML: {expat.ErrorString(error.code)}", error.lineno) from error


class _XmlHandlers:
    """Follows the elements of an XML file; all text in a segment is its text, that of elements in it too."""

    def __init__(self, builder: _Builder, parser: expat.XMLParserType) -> None:
        self.builder = builder
        self.parser = parser
        self.depth = self.depth_of_segment = 0

    def start(self, name: str, attributes: dict[str, str]) -> None:
        line = self.parser.CurrentLineNumber
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise self.builder.error(f"is nested deeper than {MAX_DEPTH} levels", line)
        if not self.builder.line_of_segment:
            self.depth_of_segment = self.depth
            self.builder.start(name.lower(), _normalized(attributes), line)

    def end(self, name: str) -> None:
        if not self.builder.line_of_segment:
            self.builder.end(name.lower())
        elif self.depth_of_segment == self.depth:
            self.builder.end_segment()
        self.depth -= 1

    def refuse_declaration(self, name: str, *_: object) -> None:
        raise self.builder.declares(name, self.parser.CurrentLineNumber)

    def refuse_reference(self, name: str, *_: object) -> None:
        raise self.builder.error(f"the entity &{name}; is not one of XML's five", self.parser.CurrentLineNumber)
