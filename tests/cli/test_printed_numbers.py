"""Commands print the numbers that Python gives: at every level, in every format, of several systems and variants."""

import csv
import io
import json
import math
import re
import shlex
from contextlib import ExitStack
from importlib.util import find_spec
from itertools import combinations, pairwise
from pathlib import Path

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from plain_text import usable_variants
from printed import printed

import bleukit
from bleukit.cli import scores, tables
from bleukit.reading import aligned_files, samples

VARIANTS = usable_variants()
HAS_ARROW = find_spec("pyarrow") is not None
PARQUET = pytest.param("parquet", marks=pytest.mark.skipif(not HAS_ARROW, reason="could not import 'pyarrow'"))
LEVELS = ["corpus", "document", "sentence"]
LISTS = {"precisions": "precision", "matches": "matches", "totals": "total"}
FIELDS = ["score", "brevity_penalty", "hypothesis_length", "reference_length", "segments", *LISTS]

lines = st.lists(st.sampled_from(["a", "b", "c", "the cat", "sat.", "é", '"x"', "a,b"]), max_size=8).map(" ".join)
names = st.sampled_from(["x", 'a,"b"', "ü\t1", "back\\slash"])


class Files:
    """Two systems with their references and documents, in text files, and the same in Python."""

    def __init__(self, folder, rows):
        columns = list(map(list, zip(*rows, strict=True)))
        self.folder, self.number = folder, len(rows)
        self.systems = {str(folder / name): texts for name, texts in zip(("one", "two"), columns, strict=False)}
        self.references = [list(pair) for pair in zip(columns[2], columns[3], strict=True)]
        self.documents = columns[4]
        others = {"ref1": columns[2], "ref2": columns[3], "doc": self.documents}
        for path, texts in (self.systems | {str(folder / name): texts for name, texts in others.items()}).items():
            Path(path).write_text("".join(f"{text}\n" for text in texts), "utf-8", newline="")
        self.words = [*self.systems, "-r", folder / "ref1", "-r", folder / "ref2"]

    def at(self, level):
        return ["--level", level, *(["--documents", self.folder / "doc"] if level == "document" else [])]

    def rows(self, bleu, texts, level):
        rows = bleu.statistics(texts, self.references, references_by="segment")
        return rows.by_document(self.documents) if level == "document" else rows.sum() if level == "corpus" else rows

    def units(self, bleu, level):
        """Return, for each unit of each system, its system, its name and its score."""
        found = []
        for system, texts in self.systems.items():
            rows = self.rows(bleu, texts, level)
            keys = rows.keys() if level == "document" else range(1, len(rows) + 1)
            found.append(
                [(system, str(key), one) for key, one in zip(keys, bleu.scores(rows, level=level), strict=True)]
            )
        return [one for of_unit in zip(*found, strict=True) for one in of_unit]


@st.composite
def texts_of_systems(draw, least=1):
    return draw(st.lists(st.tuples(lines, lines, lines, lines, names), min_size=least, max_size=least + 5))


@pytest.fixture(scope="module")
def few_at_a_time():
    """Read, score and write a few units at a time."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(aligned_files, "ROWS", 2)
        patch.setattr(aligned_files, "LEAST_ROWS", 2)
        patch.setattr(samples, "SEGMENTS", 2)
        patch.setattr(scores, "AT_A_TIME", 1)
        patch.setattr(tables, "ROW_GROUP", 8)
        yield


def table_of(path):
    """Return the rows of a table of scores; those of CSV with lists of what belongs to orders."""
    if path.suffix == ".parquet":
        return pytest.importorskip("pyarrow.parquet").read_table(path).to_pylist()
    text = path.read_text("utf-8")
    if path.suffix == ".jsonl":
        return list(map(json.loads, text.splitlines()))
    rows = list(csv.DictReader(io.StringIO(text, newline="")))
    for row in rows:
        for list_name, name in LISTS.items():
            row[list_name] = [row[key] for key in row if key.startswith(f"{name}_") and key[-1].isdigit()]
    return rows


def require_indented(text):
    """Fail unless a bracket that closes a line's block stands below the beginning of the line that opened it."""
    opened = []
    for line in text.splitlines():
        indent = len(line) - len(line.lstrip())
        assert line.strip()[0] not in "]}" or opened.pop() == indent, line
        opened += [indent] * line.endswith(("[", "{"))
    assert not opened


def number(value):
    """Return a number as it is written: null and an empty cell stand for NaN."""
    return math.nan if value in {None, ""} else float(value)


def same(one, other):
    """Return whether two numbers, or lists of them, are equal, NaN being equal to NaN."""
    if isinstance(other, list | tuple):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(other, float):  # parts of a document may be added up in another order
        return math.isclose(number(one), other, rel_tol=1e-13) or (math.isnan(number(one)) and math.isnan(other))
    return number(one) == other


def require(found, score):
    """Fail unless a row has the fields of a score."""
    for field in FIELDS:
        wanted = getattr(score, "value" if field == "score" else field)
        assert same(found[field], wanted), (field, found[field], wanted)


def drawn(data, names=()):
    """Return one of these variants, of all if none are named."""
    return VARIANTS[data.draw(st.sampled_from(names or sorted(VARIANTS)))]


def or_refused(bleu, files, level):
    """Return the units of a text; a variant that cannot score one is another test's."""
    try:
        return files.units(bleu, level)
    except bleukit.InputError:
        assume(False)


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("form", ["json", "csv", "jsonl", PARQUET])
@settings(max_examples=6)
@given(rows=texts_of_systems(), data=st.data())
def test_score_writes_what_a_score_consists_of(tmp_path_factory, few_at_a_time, form, level, rows, data):
    bleu = drawn(data)
    files = Files(tmp_path_factory.mktemp("scores"), rows)
    wanted = or_refused(bleu, files, level)
    words = ["score", "-V", bleu.variant.name, *files.words, *files.at(level)]
    if form == "json":
        text = printed(*words, "--format", "json")
        require_indented(text)
        whole = json.loads(text)
        assert (whole["level"], whole["signature"]) == (level, wanted[0][2].signature)
        of_systems = [
            [{"system": system["system"], **unit} for unit in system.get(f"{level}s", [system])]
            for system in whole["systems"]
        ]
        found = [one for of_unit in zip(*of_systems, strict=True) for one in of_unit]
        for system, (_, _, score) in zip(whole["systems"], files.units(bleu, "corpus"), strict=True):
            require(system, score)
            assert (system["signature"], system["variant"]) == (score.signature, score.variant)
    else:
        printed(*words, "-o", files.folder / f"scores.{form}")
        found = table_of(files.folder / f"scores.{form}")
        assert [row["signature"] for row in found] == [score.signature for *_, score in wanted]
    assert [row["system"] for row in found] == [system for system, *_ in wanted]
    if level != "corpus":
        assert [row[level] for row in found] == [unit for _, unit, _ in wanted]
    for row, (*_, score) in zip(found, wanted, strict=True):
        require(row, score)


@pytest.mark.parametrize("level", LEVELS)
@settings(max_examples=8)
@given(rows=texts_of_systems(), places=st.none() | st.integers(0, 9), data=st.data())
def test_score_prints_lines(tmp_path_factory, few_at_a_time, level, rows, places, data):
    bleu = drawn(data)
    files = Files(tmp_path_factory.mktemp("lines"), rows)
    wanted = or_refused(bleu, files, level)
    width = ["-w", places] if places is not None else []
    words = ["score", "-V", bleu.variant.name, *files.words, *files.at(level), *width]
    lines, alone = printed(*words).splitlines(), printed(*words, "-q").splitlines()
    whole = [line for line in lines if not line.startswith("note: ")]
    decimals = (2 if bleu.variant.scale == 100 else 4) if places is None else places
    if level == "corpus":
        rows = [line for line in whole if line.startswith(("one ", "two "))]
        assert len(rows) == len(alone) == 2
        for row, value, (system, _, score) in zip(rows, alone, wanted, strict=True):
            cells = [Path(system).name, value, percent(score), f"{score.brevity_penalty:.4f}"]
            assert row.split() == [*cells, str(score.hypothesis_length), f"{score.reference_length:.10g}"]
            assert value == rounded(score.value, decimals)
        assert [line for line in lines if line not in whole] == [
            f"note: {Path(system).name}: {score.note}" for system, _, score in wanted if score.note
        ]
        *_, segments, means = whole[-3:-1] if bleu.variant.is_macro else [*whole[-2:-1], ""]
        assert segments.endswith(f", {files.number} segment{'s' * (files.number > 1)}")
        assert means.startswith("BLEU is the mean of the sentence scores; " if bleu.variant.is_macro else "")
        assert whole[-1] == f"signature {wanted[0][2].signature}"
        return
    head, *rows, last = (line.split("\t") for line in whole)
    assert (head, last) == ([level, *files.systems], [f"# signature {wanted[0][2].signature}"])
    assert [row[1:] for row in rows] == [line.split("\t") for line in alone]
    escaped = {"ü\t1": "ü\\t1", "back\\slash": "back\\\\slash"}
    assert [row[0] for row in rows] == [escaped.get(unit, unit) for _, unit, _ in wanted[::2]]
    values = [score.value for *_, score in wanted]
    assert [cell for row in rows for cell in row[1:]] == [
        repr(value) if places is None else rounded(value, places) for value in values
    ]


def percent(score):
    return "/".join("–" if math.isnan(share) else f"{100 * share:.1f}" for share in score.precisions)


def rounded(value, places):
    text = f"{value:.{places}f}"
    return f"{value:.1e}" if value and float(text) == 0 else text


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("form", ["json", "csv", "jsonl", PARQUET, "text", "lines"])
@settings(max_examples=5)
@given(rows=texts_of_systems(), data=st.data())
def test_several_variants_in_one_table(tmp_path_factory, few_at_a_time, form, level, rows, data):
    chosen = data.draw(st.lists(st.sampled_from(sorted(VARIANTS)), min_size=2, max_size=3, unique=True))
    files = Files(tmp_path_factory.mktemp("variants"), rows)
    wanted = {name: or_refused(VARIANTS[name], files, level) for name in chosen}
    words = ["score", *files.words, *files.at(level), *(word for name in chosen for word in ("-V", name))]
    places = [(system, unit) for system, unit, _ in wanted[chosen[0]]]
    values = {name: [score.value for *_, score in of_one] for name, of_one in wanted.items()}
    if form == "text" and level != "corpus":
        head, *found = (line.split("\t") for line in printed(*words).splitlines())
        assert head == [level, "system", *chosen]
        found, signatures = found[: len(places)], found[len(places) :]
        assert signatures == [[f"# signature {wanted[name][0][2].signature}"] for name in chosen]
        assert [row[1] for row in found] == [system for system, _ in places]
        assert [[row[2 + place] for row in found] for place in range(len(chosen))] == [
            list(map(repr, values[name])) for name in chosen
        ]
    elif form in {"text", "lines"}:
        found = [line.split("\t") for line in printed(*words, "-q", "-w", "9").splitlines()]
        shown = [[rounded(values[name][place], 9) for name in chosen] for place in range(len(places))]
        assert found == shown
        if level == "corpus":
            table = printed(*words, "-w", "9").partition("\n\n")[0]
            points = {100 / VARIANTS[name].variant.scale * value for name in chosen for value in values[name]}
            numbers = {word for word in table.split() if re.fullmatch(r"[0-9.]+(e-[0-9]+)?", word)}
            assert numbers == {rounded(value, 9) for value in points}
    else:
        path = files.folder / f"variants.{form}"
        text = printed(*words, *(["--format", "json"] if form == "json" else ["-o", path]))
        found = json.loads(text)["rows"] if form == "json" else table_of(path)
        assert [(row["system"], row[level] if level != "corpus" else "1") for row in found] == places
        for name in chosen:
            assert all(same(row[name], value) for row, value in zip(found, values[name], strict=True)), name
            signatures = [score.signature for *_, score in wanted[name]]
            if form == "json":
                [column] = [one for one in json.loads(text)["columns"] if one["variant"] == name]
                assert column["signature"] == signatures[0]
            else:
                last, all_of_them = None, []
                for row in found:
                    last = row[f"signature_{name}"] or last
                    all_of_them.append(last)
                assert all_of_them == signatures
                new = [row[f"signature_{name}"] not in {None, ""} for row in found]
                assert new[0]
                assert level == "corpus" or sum(new) == 1


@pytest.mark.parametrize("by_document", [False, True])
def test_intervals_are_those_of_a_comparison(tmp_path, few_at_a_time, by_document):
    words = ["a", "the cat", "sat.", "b c", "on a mat"]
    rows = [[" ".join(words[(place + n) % 5] for n in range(5)) for _ in range(4)] for place in range(24)]
    for place, row in enumerate(rows):
        row[0] += f" {place % 3} x y" * (place % 4)
        row[1] += f" {place % 2}" * (place % 7)
    files = Files(tmp_path, [(*row, f"document {place // 2}", "") for place, row in enumerate(rows)])
    chosen = ["sacrebleu", "coco"]
    words = ["score", *files.words, "--confidence", *(["--documents", tmp_path / "doc"] if by_document else [])]
    how = {"test": "bootstrap", "references_by": "segment", **({"documents": files.documents} if by_document else {})}
    wanted = {}
    for name in chosen:
        comparison = bleukit.compare(name, files.systems, files.references, **how)
        wanted[name] = [[one.interval.low, one.interval.high] for one in by_name(comparison.systems)]
        assert all(low < high for low, high in wanted[name])
        of_json = json.loads(printed(*words, "-V", name, "--format", "json"))["systems"]
        assert [[one["interval"]["low"], one["interval"]["high"]] for one in of_json] == wanted[name]
        assert {one["procedure"] for one in of_json} == {comparison.procedure}
        printed(*words, "-V", name, "-o", tmp_path / "one.jsonl")
        of_table = table_of(tmp_path / "one.jsonl")
        assert [[row["interval_low"], row["interval_high"]] for row in of_table] == wanted[name]
    printed(*words, "-V", chosen[0], "-V", chosen[1], "-o", tmp_path / "both.jsonl")
    found = table_of(tmp_path / "both.jsonl")
    for name in chosen:
        assert [[row[f"interval_low_{name}"], row[f"interval_high_{name}"]] for row in found] == wanted[name]
    for options, as_points in ([], True), (["-m", "bleu", "-m", "ter"], False):
        shown = printed(*words, *options, "-V", chosen[0], "-V", chosen[1], "-w", "6").partition("\n\n")[0]
        by = {name: 100 / VARIANTS[name].variant.scale if as_points else 1 for name in chosen}
        assert {tuple(ends.split("\u2013")) for ends in re.findall(r"\(([^()]+)\)", shown)} >= {
            (f"{by[name] * low:.6f}", f"{by[name] * high:.6f}") for name in chosen for low, high in wanted[name]
        }


def by_name(systems):
    return sorted(systems, key=lambda system: system.system)


@settings(max_examples=5)
@given(rows=texts_of_systems(least=3), data=st.data())
def test_compare_writes_what_python_finds(tmp_path_factory, rows, data):
    files = Files(tmp_path_factory.mktemp("compare"), rows)
    documented = data.draw(st.booleans())
    test = data.draw(st.sampled_from(["bootstrap", "randomization", "sacrebleu-bs", "sacrebleu-ar"]))
    words = ["compare", *files.words, "--test", test, "--samples", "50", "--seed", "3"]
    how = {"test": test, "samples": 50, "seed": 3, "references_by": "segment"}
    if documented:
        words, how = [*words, "--documents", files.folder / "doc"], {**how, "documents": files.documents}
    try:
        wanted = json.loads(bleukit.compare("nltk", files.systems, files.references, **how).to_json())
    except bleukit.InputError as error:
        assert str(error)[:40] in printed(*words, "-V", "nltk", status=2)  # noqa: PT017 - it may have none
        return
    found = json.loads(printed(*words, "-V", "nltk", "--format", "json"))
    assert {key: found[key] for key in ("systems", "pairs", "test", "samples", "seed") if key in wanted} == {
        key: wanted[key] for key in ("systems", "pairs", "test", "samples", "seed") if key in wanted
    }


@settings(max_examples=10)
@given(rows=texts_of_systems(least=2), n_best=st.integers(1, 3), data=st.data())
def test_pairs_of_lines(tmp_path_factory, few_at_a_time, rows, n_best, data):
    bleu = drawn(data, ("sacrebleu", "nltk", "coco", "wikipedia"))
    files = Files(tmp_path_factory.mktemp("pairs"), rows)
    variant, [one, two], texts = ["-V", bleu.variant.name], files.systems, [*files.systems.values()]
    groups = list(map(list, zip(*texts, strict=True)))
    references = [[text] for text, _ in files.references]
    decimals = 2 if bleu.variant.scale == 100 else 4
    for words, choices in (
        (["mbr", one, two, *variant], bleukit.mbr(bleu, groups)),
        (["mbr", one, two, "-r", files.folder / "ref1", *variant], bleukit.mbr(bleu, groups, references=references)),
    ):
        assert printed(*words) == "".join(f"{choice.text}\n" for choice in choices)
        data_of = json.loads(printed(*words, "--n-best", n_best, "--format", "json"))
        assert data_of["signature"] == bleu.signature
        lines_of = iter(printed(*words, "--n-best", n_best).splitlines())
        for place, (found, choice) in enumerate(zip(data_of["segments"], choices, strict=True)):
            got = found["segment"], found["index"], found["score"], found["text"]
            assert got == (place + 1, choice.index, choice.score, choice.text)
            best = [(n, choice.scores[n], groups[place][n]) for n in choice.best(n_best)]
            assert [(own["index"], own["score"], own["text"]) for own in found["n_best"]] == best
            for _, score, text in best:
                assert next(lines_of) == f"{place + 1}\t{score:.{decimals}f}\t{text}"
    for policy in ("others", "all", "later"):
        words = ["self-bleu", one, two, *variant, "--references", policy]
        found = json.loads(printed(*words, "--format", "json"))
        wanted = [bleukit.self_bleu(own, bleu, references=policy) for own in texts]
        assert [(of["file"], of["value"], of["texts"]) for of in found["files"]] == [
            (path, of.value, of.texts) for path, of in zip(files.systems, wanted, strict=True)
        ]
        assert printed(*words).splitlines()[:2] == [
            f"{path}: self-BLEU {of.value:.{decimals}f} of {of.texts} texts"
            for path, of in zip(files.systems, wanted, strict=True)
        ]
        if policy != "later":
            found = json.loads(printed(*words, "--level", "sentence", "--format", "json"))
            scores_of = [bleukit.self_bleu_scores(bleu, own, references=policy).tolist() for own in texts]
            assert [(of["file"], of["scores"]) for of in found["files"]] == list(
                zip(files.systems, scores_of, strict=True)
            )
            assert printed(*words, "--level", "sentence").splitlines()[:-1] == [
                f"{path}\t{place}\t{score:.{decimals}f}"
                for path, own in zip(files.systems, scores_of, strict=True)
                for place, score in enumerate(own, 1)
            ]


@pytest.mark.parametrize("name", sorted(VARIANTS))
def test_tokens_and_variant_files(tmp_path, name):
    bleu, texts = VARIANTS[name], ["The cat, it's 3.5%!", "", "a  b &amp; c", "Él no."]
    (tmp_path / "text").write_text("".join(f"{text}\n" for text in texts), "utf-8")
    tokens = [list(bleu.tokenize(text)) for text in texts]
    assert printed("tokenize", tmp_path / "text", "-V", name) == "".join(f"{' '.join(own)}\n" for own in tokens)
    as_json = printed("tokenize", *[tmp_path / "text"] * 2, "-V", name, "--format", "json")
    assert list(map(json.loads, as_json.splitlines())) == tokens * 2
    keys = {"lowercase": True, "weights": [0.5, 0.5], "scale": 100}
    overrides = [word for key, value in keys.items() for word in ("--set", f"{key}={json.dumps(value)}")]
    changed = bleukit.load(name, **keys)
    (tmp_path / "v.yaml").write_text(changed.variant.to_yaml(), "utf-8")
    assert printed("config", "show", "-V", name, *overrides) == changed.variant.to_yaml()
    assert bleukit.load(tmp_path / "v.yaml").signature == changed.signature
    assert printed("config", "check", tmp_path / "v.yaml") == f"{tmp_path / 'v.yaml'}: ok, {changed.signature}\n"
    (tmp_path / "w.yaml").write_text(json.dumps({"variant": name, **keys}), "utf-8")
    for chosen in (["-V", name, *overrides], ["-c", tmp_path / "v.yaml"], ["-c", tmp_path / "w.yaml"]):
        words = ["score", tmp_path / "text", "-r", tmp_path / "text", "--format", "json", *chosen]
        assert json.loads(printed(*words))["systems"][0]["signature"] == changed.corpus(texts, texts).signature


@pytest.mark.parametrize("name", ["sacrebleu", "nltk", "mteval-v13a", "coco", "matlab"])
def test_what_identify_prints_gives_the_score(tmp_path, name):
    texts = {
        "hyp": ["The cat sat on the mat today.", "a dog ran over the road", "it rains"],
        "one": ["the cat sat on the mat", "a dog ran on a road", "It rained."],
        "two": ["A cat sat on the mat today", "the dog ran over a road", "rain"],
        "three": ["the cat was on the mat today", "dogs ran over the road", "it is raining"],
    }
    for file, own in texts.items():
        (tmp_path / file).write_text("".join(f"{text}\n" for text in own))
    references = [word for file in ("one", "two", "three") for word in ("-r", tmp_path / file)]
    score = printed("score", tmp_path / "hyp", *references[:2], "-V", name, "-q", "-w", "6").strip()
    found = (
        printed("identify", tmp_path / "hyp", *references, "--score", score)
        .splitlines()[-1]
        .removeprefix("To reproduce: ")
    )
    assert printed(*shlex.split(found)[1:], "-q", "-w", "6").strip() == score


def parts_of(files, cuts):
    """Write the parts of a text, each in a folder of its own."""
    places = [0, *sorted(cuts), files.number]
    columns = [*files.systems.values(), *zip(*files.references, strict=True), files.documents]
    rows = list(zip(*columns, strict=True))
    for place, (start, end) in enumerate(pairwise(places)):
        (files.folder / f"part {place}").mkdir()
        yield Files(files.folder / f"part {place}", rows[start:end])


@pytest.mark.parametrize("level", LEVELS)
@settings(max_examples=5)
@given(rows=texts_of_systems(least=2), data=st.data())
def test_kept_statistics_of_parts_are_merged(tmp_path_factory, few_at_a_time, level, rows, data):
    bleu = drawn(data)
    files = Files(tmp_path_factory.mktemp("kept"), rows)
    wanted = or_refused(bleu, files, level)
    cuts = data.draw(st.sets(st.integers(1, files.number - 1), max_size=2))
    kept = []
    with ExitStack() as stack:
        for part in parts_of(files, cuts):
            stack.enter_context(pytest.MonkeyPatch.context()).chdir(part.folder)
            kept.append(part.folder / "kept.jsonl")
            words = ["score", "one", "two", "-r", "ref1", "-r", "ref2", "-V", bleu.variant.name, *part.at(level)]
            words += ["--statistics", kept[-1]]
            first = printed(*words, "--format", "json")
            assert printed(*words, "--format", "json") == first == printed(*words[:-2], "--format", "json")
            changed = Path("two").read_text("utf-8")
            Path("two").write_text(f"{changed[:-1]}x\n", "utf-8")
            assert "since then two changed" in printed(*words, status=2)
            Path("two").write_text(changed, "utf-8")
            assert "holds other statistics" in printed(*words, "--set", "weights=9", status=2)
    for words in (
        ["merge", *kept, "--equal-parts", "--statistics", files.folder / "sum.jsonl"],
        ["merge", files.folder / "sum.jsonl"],
    ):
        of_systems = [
            system.get(f"{level}s", [system]) for system in json.loads(printed(*words, "--format", "json"))["systems"]
        ]
        found = [one for of_unit in zip(*of_systems, strict=True) for one in of_unit]
        assert [one[level] for one in found if level != "corpus"] == [
            unit for _, unit, _ in wanted if level != "corpus"
        ]
        for row, (*_, score) in zip(found, wanted, strict=True):
            assert number(row["score"]) == pytest.approx(score.value, rel=1e-12, abs=1e-15, nan_ok=True)
            assert [row[field] for field in FIELDS[2:] if field != "precisions"] == [
                list(value) if isinstance(value, tuple) else pytest.approx(value)
                for value in (getattr(score, field) for field in FIELDS[2:] if field != "precisions")
            ]
    assert "is given twice" in printed("merge", kept[0], kept[0], status=2)


def test_several_variants_are_compared_pair_by_pair(tmp_path):
    lines_of = {"one": ["a b c d", "a x"], "two": ["a b c x", "a b"], "three": ["x", "y"], "ref": ["a b c d", "a b"]}
    for name, texts in lines_of.items():
        (tmp_path / name).write_text("".join(f"{text}\n" * 6 for text in texts))
    paths = [tmp_path / name for name in ("one", "two", "three")]
    words = ["compare", *paths, "-r", tmp_path / "ref", "-V", "sacrebleu", "-V", "coco", "--samples", "50"]
    found = list(csv.DictReader(io.StringIO(printed(*words, "--format", "csv"))))
    pairs = [(str(one), str(other)) for one, other in combinations(paths, 2)]
    assert [(row["first"], row["second"], row["variant"]) for row in found] == [
        (*pair, name) for pair in pairs for name in ("sacrebleu", "coco")
    ]
    texts = {str(path): path.read_text().splitlines() for path in [*paths, tmp_path / "ref"]}
    for row in found:
        bleu = bleukit.load(row["variant"])
        scores_of = [bleu.corpus(texts[row[side]], texts[str(tmp_path / "ref")]).value for side in ("first", "second")]
        points = (scores_of[0] - scores_of[1]) * 100 / bleu.variant.scale
        assert float(row["difference"]) == pytest.approx(points)
        assert row["signature"].startswith(f"variant:{row['variant']}|references:1|")


@pytest.mark.parametrize("numbers", [(1, 1), (2, 2), (2, 1), (1, 3)])
def test_the_signatures_of_other_tools_say_how_many_references_there_are(tmp_path, few_at_a_time, numbers):
    path = tmp_path / "t.jsonl"
    rows = [{"hypothesis": "a b c d", "reference": ["a b c d"] * number} for number in numbers]
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    for level in ("corpus", "sentence"):
        found = json.loads(printed("score", path, "--level", level, "--format", "json"))["signatures"]["sacrebleu"]
        assert found.startswith(f"nrefs:{numbers[0] if len(set(numbers)) == 1 else 'var'}|")


@settings(max_examples=10)
@given(numbers=st.lists(st.integers(1, 3), min_size=1, max_size=9))
def test_a_signature_stands_where_it_changes(tmp_path_factory, few_at_a_time, numbers):
    path = tmp_path_factory.mktemp("numbers") / "t.jsonl"
    rows = [{"hypothesis": "a b c d", "reference": ["a b c d"] * number} for number in numbers]
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    out = path.with_name("scores.jsonl")
    printed("score", path, "-V", "nltk", "-V", "coco", "--level", "sentence", "-o", out)
    signatures = [bleukit.load("coco").sentence("a b c d", ["a b c d"] * number).signature for number in numbers]
    wanted = [own if own != before else None for before, own in pairwise([None, *signatures])]
    assert [row["signature_coco"] for row in table_of(out)] == wanted


def test_the_names_of_segments_are_kept(tmp_path):
    segments = "".join(f"<doc docid='d {n}'><seg id='x{n}'>a b</seg><seg id='y'>a c</seg></doc>" for n in range(3))
    (tmp_path / "set.sgm").write_text(f"<tstset sysid='s'>{segments}</tstset><refset>{segments}</refset>")
    words = ["score", tmp_path / "set.sgm", "-r", tmp_path / "set.sgm", "--level", "sentence"]
    names_of = [f"d {n}:{segment}" for n in range(3) for segment in (f"x{n}", "y")]
    for command in ([*words, "--statistics", tmp_path / "s.jsonl"], ["merge", tmp_path / "s.jsonl"]):
        [system] = json.loads(printed(*command, "--format", "json"))["systems"]
        assert [one["sentence"] for one in system["sentences"]] == names_of


@pytest.mark.parametrize("systems", [1, 2])
def test_a_segment_without_a_score_is_named_by_its_place_in_the_text(tmp_path, few_at_a_time, systems):
    (tmp_path / "v.yaml").write_text("variant: wikipedia\naverage: macro\nempty_score: .nan\n")
    (tmp_path / "t").write_text("a\n" * 6 + "\n" + "a\n")
    words = ["score", *[tmp_path / "t"] * systems, "-r", tmp_path / "t", "-c", tmp_path / "v.yaml"]
    assert "segment 7, counted from 1, has no score (NaN)" in printed(*words, status=2)


@pytest.mark.parametrize(("limit", "size"), [("1024", 1024), ("1K", 1024), ("1M", 1 << 20)])
def test_a_limit_is_a_number_of_characters(tmp_path, limit, size):
    path = tmp_path / "t"
    words = ["score", "-q", path, "-r", path, "--limit", f"line={limit}"]
    path.write_text(f"{'a' * size}\n")
    printed(*words)
    path.write_text(f"{'a' * (size + 1)}\n")
    assert f"{path}:1: the line has more than {size:,} characters, the limit 'line'" in printed(*words, status=2)
