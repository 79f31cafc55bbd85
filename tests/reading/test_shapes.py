"""Files of known formats are read as that or refused by the name of the format; plain text that is like them is not."""

import bz2
import csv
import gzip
import io
import json
import lzma
import pickle
import plistlib
import pprint
import random
import re
import shlex
import shutil
import sqlite3
import subprocess
import tarfile
import tempfile
import zipfile
from contextlib import closing
from itertools import chain
from pathlib import Path
from xml.sax.saxutils import escape

import numpy as np
import pytest
import yaml
from nltk import Tree
from nltk.tag.util import tuple2str
from nltk.translate import AlignedSent, Alignment

from bleukit.framework.errors import InputError
from bleukit.reading import paths, shapes
from bleukit.reading.files import TextFile

TEXTS = [
    "The committee will meet again on Tuesday, after the break.",
    'She said: "We have not seen the boat since March."',
    "Is that what you meant?",
    "Prices rose by 3.5 % in 2021; wages did not.",
    "He lives in a small house near the river.",
    "Please don't open the door, it's cold outside!",
    "Two men, one dog and a very old car.",
    "Nobody knew where the key had been.",
]
REFERENCES = [text.replace("the", "a") for text in TEXTS]
TAGS = ["DT", "NN", "VBZ", "IN", "JJ", "NNS", "RB", "."]
PAIRS = list(zip(TEXTS, REFERENCES, strict=True))


def lines(texts):
    return "".join(f"{text}\n" for text in texts)


def tokens(text):
    for mark in '".,;:!?%':
        text = text.replace(mark, f" {mark} ")
    return text.split()


def numbered(form, texts=TEXTS, start=0):
    return lines(form.format(n=number, text=text) for number, text in enumerate(texts, start))


def table(rows, delimiter, *, quoting=csv.QUOTE_MINIMAL):
    stream = io.StringIO()
    csv.writer(stream, delimiter=delimiter, quoting=quoting, lineterminator="\n").writerows(rows)
    return stream.getvalue()


def archive(kind, name, content):
    stream = io.BytesIO()
    if kind == "zip":
        with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as file:
            for one in name:
                file.writestr(one, content)
    else:
        with tarfile.open(fileobj=stream, mode=kind) as file:
            member = tarfile.TarInfo(name[0])
            member.size = len(content)
            file.addfile(member, io.BytesIO(content))
    return stream.getvalue()


def saved(save, *values, **named):
    stream = io.BytesIO()
    save(stream, *values, **named)
    return stream.getvalue()


def database():
    path = Path(tempfile.mkdtemp()) / "texts.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE t (hyp TEXT)")
        connection.executemany("INSERT INTO t VALUES (?)", [(text,) for text in TEXTS])
        connection.commit()
    content = path.read_bytes()
    shutil.rmtree(path.parent)
    return content


def tagged(text):
    return [(token, TAGS[number % 7] if token[0].isalnum() else token) for number, token in enumerate(tokens(text))]


def conllu(text):
    rows = (
        f"{n}\t{word}\t{word.lower()}\tNOUN\t{tag}\t_\t0\troot\t_\t_" for n, (word, tag) in enumerate(tagged(text), 1)
    )
    return f"# text = {text}\n{lines(rows)}\n"


def clock(second, mark=","):
    return f"00:00:{second:02}{mark}000"


def n_best(names):
    return lines(
        f"{n} ||| {text} {k} ||| {names}= -{n}.5 -2.25 ||| -{k}.75" for n, text in enumerate(TEXTS) for k in range(3)
    )


def fairseq(letters):
    order = random.Random(1).sample(range(len(TEXTS)), len(TEXTS))
    body = []
    for n in order:
        body += [f"{letter}-{n}\t{'' if letter in 'ST' else '-0.25' + chr(9)}{TEXTS[n]}" for letter in letters]
        body.append(f"P-{n}\t-0.1 -0.2 -0.3")
    return lines(body)


OBJECTS = [{"id": n, "hypothesis": text, "reference": other} for n, (text, other) in enumerate(PAIRS)]
XML = '<?xml version="1.0" encoding="utf-8"?>\n'
TREE = "(S (NP (DT the) (NN boat)) (VP (VBZ is) (ADJP (JJ late))) (. .))"

JSON = {
    "JSON lines": lines(map(json.dumps, OBJECTS)),
    "JSON array": json.dumps(OBJECTS),
    "JSON array, indented": json.dumps(OBJECTS, indent=2),
    "JSON array, an object a line": "[\n" + ",\n".join(map(json.dumps, OBJECTS)) + "\n]\n",
    "JSON objects, indented": lines(json.dumps(row, indent=4) for row in OBJECTS),
    "JSON lines, not ASCII": lines(
        json.dumps({"hypothesis": text, "note": "été"}, ensure_ascii=False) for text in TEXTS
    ),
    "JSON array of texts": json.dumps(TEXTS),
    "JSON array of texts, indented": json.dumps(TEXTS, indent=1),
    "Sockeye": lines(json.dumps({"sentence_id": n, "score": -0.5, "translation": t}) for n, t in enumerate(TEXTS)),
}
"""Each is read as rows."""

REFUSED = {
    "JSON object, indented": (json.dumps({"data": OBJECTS}, indent=2), "JSON"),
    "JSON object of texts": (json.dumps(dict(enumerate(TEXTS))), "JSON"),
    "COCO's annotations": (json.dumps({"images": [{"id": 1}], "annotations": [{"caption": "x"}]}), "COCO"),
    "ARB": (json.dumps({"@@locale": "en", "title": "My house", "@title": {"type": "text"}}, indent=2), "JSON"),
    "notebook": (json.dumps({"cells": [{"source": TEXTS}], "nbformat": 4}, indent=1), "JSON"),
    "JSON lines with others": (lines(map(json.dumps, OBJECTS * 3)) + "end\n", "JSON lines"),
    "JSON strings": (lines(map(json.dumps, TEXTS)), "JSON strings"),
    "Python lists": (lines(str(tokens(text)) for text in TEXTS), "Python's values"),
    "Python dictionaries": (lines(str(row) for row in OBJECTS), "Python's values"),
    "Python tuples": (lines(str((n, text)) for n, text in enumerate(TEXTS)), "Python's values"),
    "a Python list": (pprint.pformat(TEXTS, width=200), "Python's values"),
    "JSON lines with commas": (lines(f"{json.dumps(row)}," for row in OBJECTS), "Python's values"),
    "pipeline's results": (lines(str([{"generated_text": text}]) for text in TEXTS), "Python's values"),
    "tensors": (lines(f"tensor({[*range(n, 99)]})" for n in range(8)), "numbers|Python's values"),
    "tensors on a device": (lines(f"tensor([[{n}, 7]], device='cuda:0')" for n in range(8)), "Python's values"),
    "lists of tensors": (lines(f"[tensor({n}), tensor(7)]" for n in range(8)), "Python's values"),
    "arrays": (lines(f"array({tokens(text)}, dtype='<U9')" for text in TEXTS), "Python's values"),
    "results of CTranslate2": (lines(f"TranslationResult(hypotheses=[{tokens(t)}])" for t in TEXTS), "Python's values"),
    "numbers of tokens": (lines(" ".join(map(str, range(n, 20 + n))) for n in range(8)), "numbers"),
    "numbers of tokens in lists": (lines(str([*range(n, 20 + n)]) for n in range(8)), "numbers"),
    "matrix": (saved(np.savetxt, np.arange(30.0).reshape(5, 6)).decode(), "numbers"),
    "features": (numbered("{n} 1:0.5 3:{n}.25 7:1 9:0.5"), "numbers"),
    "Python bytes": (lines(str(text.encode()) for text in TEXTS), "Python's values"),
    "n-best of Moses": (n_best("LM0= -3 TM0"), "n-best"),
    "n-best of Marian": (n_best("F0"), "n-best"),
    "n-best of one": (numbered("{n} ||| {text} ||| F0= -1 ||| -1.5"), "n-best"),
    "fast_align's input": (lines(map(" ||| ".join, PAIRS)), "|||"),
    "phrase table": (lines(f"{a} ||| {b} ||| 0.1 0.2 ||| 0-0 1-1" for a, b in PAIRS), "|||"),
    "alignments": (
        lines(str(AlignedSent(["a"] * 3, ["b"] * 3, Alignment([(0, 0), (1, n)])).alignment) for n in (1, 2)),
        "alignments",
    ),
    "alignments with chances": ("0-0:0.91 1-1:0.8 2-2:0.7\n0-0:0.5 1-2:0.4\n", "alignments"),
    "alignments of SimAlign": ("0p0 1p1 2p2\n0p0 1p2\n", "alignments"),
    "n-best between bars": (numbered("{n} | {text} | -0.5"), "n-best"),
    "fields between bars": (lines(map("|".join, PAIRS)), "fields"),
    "fields between tildes": (lines(map("~".join, PAIRS)), "fields"),
    "fields between control characters": (lines(map("\x1f".join, PAIRS)), "fields"),
    "fields between words": (lines(map(" <SEP> ".join, PAIRS)), "fields"),
    "LJ Speech": (numbered("LJ001-000{n}|{text}|{text}"), "fields"),
    "alignments with possible ones": ("0-0 1?1 2-2\n0-0 1-2\n", "alignments"),
    "GIZA++": (
        "# Sentence pair (1) source length 2 target length 2 alignment score : 0.1\na b\nNULL ({ }) a ({ 1 })\n",
        "GIZA",
    ),
    "fairseq-generate": (fairseq("STHD"), "fairseq"),
    "fairseq-generate without D": (fairseq("STH"), "fairseq"),
    "fairseq-generate with its log": (
        "2021-03-04 10:00:00 | INFO | fairseq.tasks | loading\n" + fairseq("STHD"),
        "fairseq",
    ),
    "OpenNMT's output": (
        lines(f"SENT {n}: {tokens(t)}\nPRED {n}: {t}\nPRED SCORE: -1.5\n" for n, t in enumerate(TEXTS)),
        "OpenNMT",
    ),
    "Marian's log": (numbered("[2019-03-01 12:00:{n:02}] Ep. 1 : Up. {n}00 : Sen. 1,200 : Cost 7.1"), "log"),
    "fairseq's log": (numbered("2021-03-04 10:00:{n:02} | INFO | fairseq.trainer | {text}"), "log"),
    "OpenNMT's log": (numbered("[2019-06-01 12:00:{n:02},123 INFO] Step {n}/100; acc: 1"), "log"),
    "Sockeye's log": (numbered("[INFO:sockeye.training] Epoch[{n}] Batch [50]\tSpeed: 12"), "log"),
    "log of levels": (numbered("[INFO] {text}"), "log"),
    "log of times": (numbered("10:00:0{n},123 - INFO - {text}"), "log"),
    "syslog": (numbered("Jan  1 10:00:0{n} host app[1]: {text}"), "log"),
    "log of a server": (numbered('127.0.0.1 - - [10/Oct/2000:13:55:3{n} -0700] "GET / HTTP/1.0" 200 7'), "log"),
    "Python's log": (numbered("INFO:root:{text}"), "log"),
    "TensorFlow's log": (numbered("I0301 12:00:{n:02}.123456 1234 trainer.py:12] step {n}"), "log"),
    "JoeyNMT's log": (numbered("2021-01-01 12:00:{n:02},000 - INFO - joeynmt.training - Epoch {n}"), "log"),
    "ids from 0": (numbered("{n}\t{text}"), "ids"),
    "ids out of order": (lines(random.Random(2).sample(numbered("{n}\t{text}", start=7).splitlines(), 8)), "ids"),
    "ids of utterances": (numbered("utt-{n:03}\t{text}"), "ids"),
    "segments alone": (numbered('<seg id="{n}">{text}</seg>'), "XML"),
    "trace of Moses": (lines(f"a |0-0| {text} |1-5|" for text in TEXTS), "alignments"),
    "names of pictures": (numbered("data/img_{n}.png {text}"), "ids"),
    "Kaldi": (numbered("1089-134686-{n:04} {text}"), "ids"),
    "Kaldi, with names": (numbered("spk1-utt000{n} {text}"), "ids"),
    "Kaldi, AISHELL": (numbered("BAC009S0002W012{n} {text}"), "ids"),
    "Kaldi, Switchboard": (numbered("sw02001-A_00009{n}-00011{n} {text}"), "ids"),
    "Kaldi, TIMIT": (numbered("FCJF0_SX{n} {text}"), "ids"),
    "Kaldi, Common Voice": (numbered("common_voice_en_1700{n} {text}"), "ids"),
    "documents and segments": (numbered("newstest2014-0-en:{n} {text}"), "ids"),
    "grep": (numbered("out/hyp.{n}.txt:{text}"), "ids"),
    "ids in hexadecimal": (numbered("3f2a9c81d04{n} {text}"), "ids"),
    "ids before commas": (numbered('{n},"{text}"'), "CSV"),
    "festvox": (numbered('( arctic_a000{n} "{text}" )'), "ids"),
    "trn of WSJ": (numbered("{text} (4k0c030{n})"), "ids"),
    "cat -n": (numbered("     {n}\t{text}"), "ids"),
    "trn": (numbered("{text} (spk1_utt{n})"), "ids"),
    "stm": (numbered("talk 1 spk {n}.10 {n}.90 <o,f0> {text}"), "times"),
    "ctm": (lines(f"talk 1 {n}.10 0.20 {word}" for n, word in enumerate(tokens(TEXTS[0]))), "times"),
    "labels of Audacity": (numbered("{n}.000000\t{n}.500000\t{text}"), "times"),
    "TextGrid": ('File type = "ooTextFile"\nObject class = "TextGrid"\n\nxmin = 0\n', "Praat"),
    "master labels": ('#!MLF!#\n"*/a.lab"\na\n.\n', "HTK"),
    "TSV with a header": (
        table([["source", "reference", "hypothesis"], *([a, b, a] for a, b in PAIRS)], "\t"),
        "table",
    ),
    "TSV with one known name": (table([["reference", "system_a"], *PAIRS], "\t"), "table"),
    "CSV with a header": (table([["reference", "hypothesis"], *PAIRS], ","), "table"),
    "CSV with ; and a header": (table([["reference", "hypothesis"], *PAIRS], ";"), "table"),
    "CSV, all quoted": (table(PAIRS, ",", quoting=csv.QUOTE_ALL), "CSV"),
    "TSV of sentences": (table(PAIRS, "\t"), "table"),
    "TSV with scores": (table([[a, b, 0.25 * n] for n, (a, b) in enumerate(PAIRS)], "\t"), "table"),
    "po": (
        lines(f"#: a.c:{n}\nmsgid {json.dumps(a)}\nmsgstr {json.dumps(b)}\n" for n, (a, b) in enumerate(PAIRS)),
        "po",
    ),
    "strings": (lines(f'/* Title */\n"title.{n}" = {json.dumps(t)};\n' for n, t in enumerate(TEXTS)), "strings"),
    "properties": ("# English\n" + numbered("menu.title.{n}={text}"), "properties"),
    "properties with blanks": (numbered("menu.title-{n} = Hello World and all"), "properties"),
    "xliff": (f'{XML}<xliff version="1.2"><file><body/></file></xliff>\n', "XML"),
    "xliff without declaration": ('<xliff version="1.2">\n<file/>\n</xliff>\n', "XML"),
    "tmx": ('<tmx version="1.4">\n<header/>\n<body/>\n</tmx>\n', "XML"),
    "units of TMX": (numbered('<tu tuid="{n}"><tuv xml:lang="en"><seg>{text}</seg></tuv></tu>'), "XML"),
    "units of XLIFF": (numbered('<trans-unit id="{n}"><target>{text}</target></trans-unit>'), "XML"),
    "entities": (numbered('<!ENTITY k{n} "x">'), "XML"),
    "resx": ("<root>\n" + numbered('<data name="k{n}"><value>{text}</value></data>') + "</root>\n", "XML"),
    "TEI": ('<TEI xmlns="http://www.tei-c.org/ns/1.0">\n<text><p>x</p></text>\n</TEI>\n', "XML"),
    "Android's strings": ('<resources>\n<string name="a">b</string>\n</resources>\n', "XML"),
    "property list": (plistlib.dumps({"title": "x"}).decode(), "XML"),
    "HTML": ("<!DOCTYPE html>\n<html><body>\n<p>x</p>\n</body></html>\n", "HTML"),
    "HTML without doctype": (f"<html>\n<body>{lines(map(escape, TEXTS))}</body>\n</html>\n", "HTML"),
    "evaluation set": ('<refset setid="s">\n<doc docid="d"><seg id="1">x</seg></doc></refset>\n', "evaluation set"),
    "srt": (lines(f"{n}\n{clock(n)} --> {clock(n + 1)}\n{text}\n" for n, text in enumerate(TEXTS, 1)), "subtitles"),
    "srt with CR": (
        lines(f"{n}\n{clock(n)} --> {clock(n + 1)}\n{t}\n" for n, t in enumerate(TEXTS, 1)).replace("\n", "\r\n"),
        "subtitles",
    ),
    "vtt": (
        "WEBVTT\n\n" + lines(f"{clock(n, '.')} --> {clock(n + 1, '.')}\n{t}\n" for n, t in enumerate(TEXTS)),
        "subtitles",
    ),
    "ass": (
        "[Script Info]\nTitle: x\n\n[Events]\n"
        + numbered("Dialogue: 0,0:00:0{n}.00,0:00:09.00,Default,,0,0,0,,{text}"),
        "subtitles",
    ),
    "sbv": (lines(f"0:00:0{n}.000,0:00:0{n + 1}.000\n{t}\n" for n, t in enumerate(TEXTS)), "subtitles"),
    "srt without numbers": (lines(f"{clock(n)} --> {clock(n + 1)}\n{t}\n" for n, t in enumerate(TEXTS)), "subtitles"),
    "SubViewer": (lines(f"00:00:0{n}.00,00:00:0{n}.90\n{t}\n" for n, t in enumerate(TEXTS)), "subtitles"),
    "MPL2": (numbered("[{n}00][{n}50]{text}"), "subtitles"),
    "TMPlayer": (numbered("00:00:0{n}:{text}"), "subtitles"),
    "Whisper": (numbered("[00:00:0{n}.000 --> 00:00:09.000]  {text}"), "subtitles"),
    "MicroDVD": (numbered("{{{n}00}}{{{n}50}}{text}"), "subtitles"),
    "LRC": ("[ti:Song]\n" + numbered("[00:1{n}.50]{text}"), "subtitles"),
    "CoNLL-U": ("".join(map(conllu, TEXTS)), "CoNLL"),
    "CoNLL 2003": (
        "-DOCSTART- -X- -X- O\n\n"
        + "".join(lines(f"{w} {t} B-NP O" for w, t in tagged(text)) + "\n" for text in TEXTS),
        "CoNLL",
    ),
    "NER in two columns": (
        "".join(lines(f"{w} {'B-PER' if w[0].isupper() else 'O'}" for w, _ in tagged(t)) + "\n" for t in TEXTS),
        "CoNLL",
    ),
    "token, tab, tag": ("".join(lines(f"{w}\t{t}" for w, t in tagged(text)) + "\n" for text in TEXTS), "tagged"),
    "TreeTagger": (lines(f"{w}\t{t}\t{w.lower()}" for text in TEXTS for w, t in tagged(text)), "tagged"),
    "token, blank, tag": ("".join(lines(f"{w} {t}" for w, t in tagged(text)) + "\n" for text in TEXTS), "tagged"),
    "a token a line": ("".join(lines(tokens(text)) + "\n" for text in TEXTS), "tokens, one a line"),
    "a token a line, marked": ("".join(f"<s>\n{lines(tokens(text))}</s>\n" for text in TEXTS), "tokens, one a line"),
    "tagged text": (lines(" ".join(map(tuple2str, tagged(text))) for text in TEXTS), "tags"),
    "MeCab": (
        "".join(lines(f"{word}\t名詞,一般,*,*" for word in tokens(text)) + "EOS\n" for text in TEXTS),
        "tokens, one a line",
    ),
    "factors of OpenNMT": (lines(" ".join(f"{word}￨C" for word in tokens(text)) for text in TEXTS), "factors"),
    "factors": (lines(" ".join(f"{w}|{w.lower()}|{t}" for w, t in tagged(text)) for text in TEXTS), "factors"),
    "trees": (lines([f"(ROOT {TREE})"] * 3), "trees"),
    "trees of sentiment": ("(3 (2 The) (2 (2 boat) (3 sank)))\n" * 3, "trees"),
    "trees without root": (lines([TREE, TREE]), "trees"),
    "trees, indented": (Tree.fromstring(f"(TOP {TREE.replace('boat', 'b' * 60)})").pformat() + "\n", "trees"),
    "AMR": ("# ::id a.1\n# ::snt The boat is late.\n(l / late\n   :domain (b / boat))\n\n", "AMR"),
    "YAML": (yaml.safe_dump({"en": {"title": "My house", "items": TEXTS}}), "YAML"),
    "YAML, list": (lines(f"- {json.dumps(text)}" for text in TEXTS), "YAML"),
    "YAML of MuST-C": (numbered("- {{duration: {n}.5, offset: {n}.1, wav: ted_1.wav}}"), "YAML"),
    "YAML, list of objects": (yaml.safe_dump(OBJECTS, sort_keys=False), "YAML"),
    "YAML of Rails": ('en:\n  hello: "Hello world"\n  errors:\n    blank: "is blank"\n', "YAML"),
    "TOML": ('title = "x"\n\n[texts]\na = "The boat is late."\nb = "It is not here."\n', "TOML"),
    "INI": ("[main]\nname = the boat\n; note\nplace = the river\n", "INI"),
    "Git LFS": ("version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 12345\n", "Git LFS"),
}
"""Text, and what the message names."""

BINARY = {
    "zip": (archive("zip", ["hyp.txt"], lines(TEXTS)), "zip"),
    "xlsx": (archive("zip", ["[Content_Types].xml", "_rels/.rels", "xl/workbook.xml"], "<x/>"), "Excel"),
    "docx": (archive("zip", ["[Content_Types].xml", "_rels/.rels", "word/document.xml"], "<x/>"), "Office"),
    "odt": (archive("zip", ["mimetype"], "application/vnd.oasis.opendocument.text"), "zip|Office"),
    "tar": (archive("w", ["hyp.txt"], lines(TEXTS).encode()), "tar"),
    "7z": (b"7z\xbc\xaf'\x1c\x00\x04" + bytes(range(256)), "7z"),
    "gz": (gzip.compress(lines(TEXTS).encode()), "gzip"),
    "bz2": (bz2.compress(lines(TEXTS).encode()), "bzip2"),
    "xz": (lzma.compress(lines(TEXTS).encode()), "xz"),
    "pdf": (b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj\n", "PDF"),
    "png": (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "image"),
    "doc": (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(512), "Office"),
    "rtf": (b"{\\rtf1\\ansi The boat is late.\\par}\n", "Office"),
    "npy": (saved(np.save, np.array(TEXTS)), "npy"),
    "npy of objects": (saved(np.save, np.array(TEXTS, object), allow_pickle=True), "npy"),
    "npz": (saved(np.savez, hyp=np.array(TEXTS)), "npz"),
    "npz, compressed": (saved(np.savez_compressed, np.array(TEXTS)), "npz"),
    "HDF5": (b"\x89HDF\r\n\x1a\n" + bytes(88), "HDF5"),
    "sqlite": (database(), "SQLite"),
    "sound": (b"RIFF\x24\x08\0\0WAVEfmt \x10\0\0\0\1\0\1\0" + bytes(8), "binary"),
    "MP3": (b"ID3\x04\0\0\0\0\0\x23TSSE" + bytes(8), "binary"),
    "program": (b"\x7fELF\x02\x01\x01" + bytes(9), "binary"),
    "a number, pickled": (pickle.dumps(0x1950A86A20F9469CFC6C, 2), "pickle"),
    "MATLAB": (b"MATLAB 5.0 MAT-file, Platform: GLNXA64".ljust(124) + b"\0\1IM", "MATLAB"),
    "mo": (b"\xde\x12\x04\x95" + bytes(24), "gettext"),
    **{f"pickle {n}": (pickle.dumps(TEXTS, n), "pickle") for n in range(pickle.HIGHEST_PROTOCOL + 1) if n != 1},
    **{f"pickled dict {n}": (pickle.dumps({"a": TEXTS}, n), "pickle") for n in (2, 4)},
    **{name: (lines(TEXTS).encode(name), name[:6].upper()) for name in ("utf-16", "utf-16-le", "utf-16-be")},
    **{name: (lines(TEXTS).encode(name), "UTF-32") for name in ("utf-32", "utf-32-le", "utf-32-be")},
}

PLAIN = {
    "texts": lines(TEXTS),
    "one line that looks like JSON": '{"a": "b"} is an object.\n["a", "b"] is an array.\n' + lines(TEXTS),
    "about JSON": 'JSON looks like this:\n{"name": "boat", "late": true}\n["a", 1]\nThat was an array.\n',
    "JSON only at first": '{"hypothesis": "x"}\n' * 2 + "and then text\n",
    "brackets": "[Music]\n[Applause]\n[Music]\n",
    "braces": "{n} files were found.\n{0} of {1}\n{user} has left.\n",
    "empty brackets": "[]\n{}\n[]\n",
    "Markdown": "| a | b |\n| --- | --- |\n| The boat | is late |\n| It | rains |\n",
    "Markdown table of texts": "| source | reference |\n| --- | --- |\n" + lines(f"| {a} | {b} |" for a, b in PAIRS),
    "Markdown table without outer bars": "a | b\n--- | ---\n" + lines(map(" | ".join, PAIRS)),
    "Markdown, links": numbered("[{text}](http://x/{n})"),
    "Markdown, headings": numbered("# {text}"),
    "Markdown, lists": "# Title\n\n- one: first\n- two: second\n\n* three\n1. four\n",
    "front matter": "---\nThe boat is late.\n---\nIt rains.\n",
    "tabs in sentences": "He said,\tthen left.\nThe price,\tand the tax, rose.\nNo tab here.\nOne,\ttwo,\tthree.\n",
    "a tab after some of the sentences": lines(
        f"{a}\t{b}" if number % 2 else f"{a[:-1]},\t{b}" for number, (a, b) in enumerate(PAIRS)
    ),
    "a tab in each sentence": lines(text.replace(" ", "\t", 1) for text in TEXTS),
    "commas": "red, green, blue\nreference, hypothesis and source, all in one\nyes, no\n",
    "semicolons": lines(text.replace(",", ";") for text in TEXTS),
    "numbers first": "12 people came.\n13 people left.\n14 people stayed.\n",
    "numbered list": "1.\tFirst, open the door.\n2.\tThen close it.\n3.\tWait.\n",
    "numbers": "1,200\n3.5\n2021\n17\n",
    "scores of games": "3-2\n1-0\n2-2\n",
    "years": "(2019)\nIt was (2020)\nThen came (2021)\n",
    "schedule": numbered("{n}:30pm {text}"),
    "diary": numbered("2021-03-0{n} {text}", start=1),
    "diary, days first": numbered("0{n}-Mar-2021 {text}", start=1),
    "ages": numbered("1{n}-year-old {text}"),
    "ordinals": numbered("1{n}th {text}"),
    "flights": numbered("LH40{n} {text}"),
    "aircraft": numbered("F-1{n} {text}"),
    "questions with numbers": numbered("Q{n}: {text}"),
    "verses": numbered("Gen 1:{n} {text}"),
    "footnotes": numbered("[{n}] {text}"),
    "cited": numbered("{text} (Smith 200{n})"),
    "versions": numbered("{text} (covid-1{n})"),
    "sums": numbered("{n} + {n} = 2{n}"),
    "telephones": numbered("+49 30 123450{n}"),
    "times": "12:30 - Lunch is served.\n13:30 - The meeting goes on.\n",
    "dates": "On 2021-03-04 10:00 it began.\n2021 was cold.\nSee you on 2021-05-06 12:00.\n",
    "chat": "[12:30] <bob> hello there\n[12:31] <ann> hi bob\n",
    "chat with seconds": numbered("[10:00:0{n}] <bob> {text}"),
    "chat of a telephone": numbered("[12/03/21, 10:00:0{n}] Bob: {text}"),
    "posts": numbered("@user{n} {text}"),
    "dialogue": "ALICE: Where is the boat?\nBOB: It is late.\nALICE: Again?\n",
    "dialogue with notes": "Alice: Hi.\n  (laughs)\nBob: Hello.\n",
    "Python": "def f(x):\nreturn x + 1\nx = f(2)\nprint(x)\ntry:\n    pass\nexcept ValueError:\n    x = {'a': 1}\n",
    "assignments": "x = 1\ny = x + 2\nself.value = y\nname = 'boat'\nresult = f(x, y)\n",
    "Java": 'int x = 5;\nString s = "boat";\nif (a || b) { return x; }\npublic void f() { }\n',
    "pipelines": "find . -name '*.c' | xargs grep a\nls -l | wc -l\ncat a | sort | uniq -c\n",
    "Haskell": "map :: (a -> b) -> [a] -> [b]\nf x = x + 1\nid :: a -> a\n",
    "calls": "sorted(d.items(), key=lambda x: x[1])\nos.path.join(a, b)\nx.split(',')\n",
    "molecules": "CC(=O)Oc1ccccc1C(=O)O\nCCO\nc1ccccc1\n",
    "C": '{ int i = 0; }\n[0] = 1,\nchar *s = "x";\n#include <stdio.h>\n',
    "shell": "export A=1\ncat a | grep b | sort\n[ -f x ] && echo y\nfor i in *; do echo $i; done\n",
    "SQL": "SELECT a FROM t WHERE b = 'c';\nINSERT INTO t VALUES (1, 'x');\nSELECT 1;\n",
    "lisp": "(define (f x) (+ x 1))\n(S (f 1))\n(let ((a 1)) a)\n",
    "tags in text": "<b>The boat</b> is late.\nIt <i>rains</i>.\n<p>See below.</p>\n",
    "markup first": "<unk> boat is late .\n<s> it rains </s>\n<pad>\n",
    "quotes": '"Yes," she said.\n"No."\n"Perhaps", he said, "tomorrow".\n',
    "quotes all around": '"Hello."\n"Who is there?"\n"Nobody."\n',
    "paragraphs": "First text.\nSecond text.\n\nThird text.\nFourth text.\n\n",
    "words": "boat\nhouse\nriver\ndog\n",
    "words and blank lines": "boat\n\nhouse\nriver\n\ndog\n",
    "Chinese": "我们今天去北京看朋友。\n他说：“好”。\n\n价格上涨了。\n",
    "Japanese": "私たちは今日東京に行きました。\n猫が好きです。\n",
    "questions": "What is 1-1?\nWhat is 2-2 3-3?\n",
    "paths": "/usr/bin and /etc\nsrc/main.c or src/lib.c\na/b c/d\n",
    "slashes": "and/or this\nhe/she said\nAC/DC plays\n",
    "capitals": "STOP NOW\nGO HOME\nEXIT HERE\n",
    "keys in prose": "ERROR: the disk is full\nWARNING: the boat is late\nINFO: none\n",
    "covid": "covid-19 is here\ncovid-20 is not\n",
    "emoji": "😀 😀\n:) ok\n",
    "hashes": "# first\n# second\n# third\n",
    "ORC": "ORC\nis a name.\n",
    "PAR1": "PAR1 is a gene.\nGIF89a is a format.\nRar! is not.\n",
    "equations": "a = b\nE = mc2\nx=y\n",
    "pipes": "a ||| b\nbut not here\n",
    "PRED": "PRED 1: this is a line about OpenNMT.\nThe rest is text.\nAnd more.\nAnd more.\n",
    "S-1": "S-1\tis a bomber.\nT-34 is a tank.\nH-1 is a visa.\n",
    "BOM": "\ufeffThe boat is late.\n",
    "subwords": "▁The ▁boat ▁is ▁late .\nun@@ believ@@ able\n",
    "tokenized": "the boat is late .\nit &apos;s raining , is n&apos;t it ?\n",
    "CSS": "a { color: red; }\nbody { margin: 0 }\n",
}


def content(text):
    return text if isinstance(text, bytes) else text.encode()


@pytest.mark.parametrize("name", JSON)
@pytest.mark.parametrize("file", ["hyp.json", "hyp.txt", "hyp.jsonl", "hyp"])
def test_json_is_read_by_any_name(run, tmp_path, name, file):
    (tmp_path / file).write_text(JSON[name], encoding="utf-8")
    (tmp_path / "ref.txt").write_text(lines(TEXTS), encoding="utf-8")
    assert run("score", "-q", "-r", "ref.txt", file) == (0, "100.00\n", "")


@pytest.mark.parametrize("name", [*REFUSED, *BINARY])
def test_other_formats_are_refused_by_name(run, tmp_path, name):
    text, word = {**REFUSED, **BINARY}[name]
    (tmp_path / "hyp").write_bytes(content(text))
    status, out, err = run("score", "-r", "hyp", "hyp")
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert any(each in err for each in word.split("|"))
    assert len(err) < 400


@pytest.mark.parametrize("name", PLAIN)
@pytest.mark.parametrize("copies", [1, 40])
def test_plain_text_is_not(run, tmp_path, name, copies):
    (tmp_path / "hyp").write_text(PLAIN[name] * copies, encoding="utf-8")
    blocks = TextFile(str(tmp_path / "hyp")).blocks()
    assert [*chain.from_iterable(blocks)] == (PLAIN[name] * copies).removeprefix("\ufeff").split("\n")[:-1]
    assert not paths.holds_table(str(tmp_path / "hyp"))


@pytest.mark.parametrize("command", ["score -r ref.txt", "tokenize", "self-bleu", "explain -V nltk -r ref.txt"])
def test_lines_of_text_can_be_insisted_on(run, tmp_path, command):
    for name in ("ref.txt", "hyp.json"):
        (tmp_path / name).write_text(JSON["JSON lines"])
    status, out, err = run(*command.split(), "--as-text", "hyp.json")
    assert (status, err) == (0, "")
    assert "hypothesis" in out or command != "tokenize"


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("hyp.jsonl", '{"hyp": "a"}\n\n{"hyp": "b"}\n', "hyp.jsonl: row 2: is blank; without blank lines: grep . FILE"),
        ("hyp.txt", '{"hyp": "a"}\n' * 9000 + "plain\n", "hyp.txt: row 9001: not proper JSON"),
        ("hyp.txt", f"{json.dumps(OBJECTS)[:-1]}, 3]", "hyp.txt: row 9: expected a JSON object, got int 3"),
        ("hyp.json", "plain\n", "hyp.json: row 1: not proper JSON"),
        ("hyp.json", '{"data": [{"hyp": "a"}]}', "an object; jq -c '.data[]' FILE prints its 'data'"),
        ("hyp.json", '{"a": "x", "b": "y", "c": "z"}', "an object; jq -c '.[]' FILE prints its values"),
        (
            "hyp.json",
            '{"hyp": ["a", "b"], "ref": ["c", "d"]}',
            "row 1, column 'hyp': expected text, got list ['a', 'b']",
        ),
        ("hyp.json", '{\n"hyp": ["a", "b"],\n"ref": ["c", "d"]}', "with an object for each segment is expected"),
        ("hyp.json", "[]", "got an empty one"),
    ],
)
def test_what_contradicts_json_is_named(run, tmp_path, name, text, message):
    (tmp_path / name).write_text(text)
    status, out, err = run("score", "-r", name, name)
    assert (status, out) == (2, "")
    assert message in err


def test_lists_of_one_text_are_hypotheses(run, tmp_path):
    rows = [{"target": other, "filtered_resps": [text]} for text, other in PAIRS]
    (tmp_path / "samples.jsonl").write_text(lines(map(json.dumps, rows)))
    columns = ["--hypothesis-column", "filtered_resps", "--reference-column", "target"]
    (tmp_path / "hyp").write_text(lines(TEXTS))
    (tmp_path / "ref").write_text(lines(REFERENCES))
    assert run("score", "-q", *columns, "samples.jsonl") == run("score", "-q", "-r", "ref", "hyp")
    (tmp_path / "samples.jsonl").write_text(
        lines(map(json.dumps, [{**row, "filtered_resps": ["a", "b"]} for row in rows]))
    )
    status, out, err = run("score", "-q", *columns, "samples.jsonl")
    assert (status, out) == (2, "")
    assert "row 1, column 'filtered_resps': expected text" in err


@pytest.mark.skipif(shutil.which("awk") is None, reason="needs awk")
def test_the_commands_that_a_refused_n_best_list_names_print_its_texts(tmp_path):
    path = tmp_path / "hyp"
    path.write_text("0 ||| a cat ||| F0= 1 ||| -1\n0 ||| the | cat ||| F0= 2 ||| -2\n1 ||| a dog ||| F0= 1 ||| -1\n")
    with pytest.raises(InputError) as caught:
        list(TextFile(str(path)).blocks())
    commands = [found.replace("FILE", str(path)) for found in re.findall("awk .*? FILE", str(caught.value))]
    printed = [
        subprocess.run(shlex.split(each), check=True, capture_output=True, text=True).stdout for each in commands
    ]
    assert printed == ["a cat\nthe | cat\na dog\n", "a cat\na dog\n"]


@pytest.mark.parametrize("size", [1, 100, 100_000])
def test_a_pipe_is_judged_by_its_lines_together(tmp_path, size):
    """Reads of a pipe may end anywhere; the first of them does not decide."""
    text = '{"a": "b"}\n' * 20 + lines(TEXTS) * 3
    for content, is_refused in ((text, False), (n_best("F0"), True)):
        (tmp_path / "hyp").write_text(content)
        file = TextFile(str(tmp_path / "hyp"))
        parts = [content[start : start + size].encode() for start in range(0, len(content), size)]
        file._stored = lambda _, parts=parts: iter(parts)
        file._is_pipe = True
        if is_refused:
            with pytest.raises(InputError, match="holds an n-best list"):
                list(file.blocks())
        else:
            assert sum(map(len, file.blocks())) == content.count("\n")


@pytest.mark.parametrize("shape", [*shapes._BYTES, *shapes._BEGINNINGS, *shapes._LINES], ids=lambda shape: shape.name)
def test_what_an_expression_matches_has_one_of_the_marks(shape):
    """So nothing is missed by a look at the characters before the expression is compiled."""
    whole = [content(text) for text, _ in [*REFUSED.values(), *BINARY.values()]] + list(map(str.encode, PLAIN.values()))
    texts = [each.decode("latin-1" if shape in shapes._BYTES else "utf-8", errors="ignore") for each in whole]
    if shape in shapes._LINES:
        texts = list(chain.from_iterable(map(str.splitlines, texts)))
    found = [text for text in texts if re.match(shape.pattern, text, re.DOTALL)]
    marked = found if shape in shapes._LINES else [text[:1] for text in found]
    assert [text for text in marked if shape.marks and not set(text) & set(shape.marks)] == []
