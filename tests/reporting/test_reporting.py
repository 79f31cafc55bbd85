"""The report as Python writes it; tests/test_page.py opens it in a browser and uses it."""

import base64
import datetime as dt
import gzip
import hashlib
import json
import re
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pytest
from reported import corpus

import bleukit
from bleukit.reporting import page

ROOT = Path(__file__).parents[2]
DONE = (0, "", "")


class Scripts(HTMLParser):
    """The script elements of a page: their attributes and texts."""

    def __init__(self, html):
        super().__init__()
        self.found, self.elements = [], []
        self.feed(html)

    def handle_starttag(self, tag, attributes):
        self.elements.append((tag, dict(attributes)))
        if tag == "script":
            self.found.append([dict(attributes), ""])

    def handle_data(self, data):
        if self.elements and self.elements[-1][0] == "script":
            self.found[-1][1] += data

    def handle_endtag(self, tag):
        self.elements.append(("", {}))


def opened(html, *, of_report=True):
    """The data of a page, its columns, and its blocks of texts."""
    scripts = {attributes.get("id"): text for attributes, text in Scripts(html).found}
    data = json.loads(scripts["data"])
    blocks = {
        name: gzip.decompress(base64.b64decode(text))
        for name, text in scripts.items()
        if text and name not in {"data", "licence", None}
    }
    if not of_report:
        return (data,)
    columns = {
        each["name"]: np.frombuffer(blocks["arrays"], f"<{each['type']}", each["length"], each["start"])
        for each in data["columns"]
    }
    return data, columns, [json.loads(blocks[name]) for name in blocks if name.startswith("texts")]


@pytest.fixture(scope="module")
def report():
    systems, references, source, documents = corpus()
    return bleukit.report(
        bleukit.load(), systems, references, source=source, documents=documents, title="A <b>title</b>"
    )


@pytest.mark.skipif(not (ROOT / "page" / "src").exists(), reason="not in a checkout")
def test_the_page_is_built_from_its_sources():
    """If this fails: `npm ci && npm run build` in the folder page."""
    paths = [ROOT / "page" / name for name in ("build.js", "package-lock.json")]
    paths += [path for path in (ROOT / "page" / "src").rglob("*") if path.is_file()]
    names = sorted((path.relative_to(ROOT / "page").as_posix(), path) for path in paths)
    lines = [f"{hashlib.sha256(path.read_bytes()).hexdigest()} {name}\n" for name, path in names]
    written = re.search('name="bleukit-sources" content="(.*?)"', page.ASSET.read_text(encoding="utf-8"))[1]
    digest = hashlib.sha256("".join(lines).encode()).hexdigest()
    assert written == digest
    for name in ("bleukit.js", "bleukit.css"):
        assert (ROOT / "docs" / "_static" / name).read_text(encoding="utf-8").startswith(f"/* sources {digest} */\n")


def test_the_page_runs_nothing_but_its_own_script_and_loads_nothing(report):
    found = Scripts(report.html)
    policy = next(of["content"] for _, of in found.elements if of.get("http-equiv") == "Content-Security-Policy")
    assert policy.startswith("default-src 'none'; script-src 'sha256-")
    runs = [text for attributes, text in found.found if attributes.get("type") is None]
    digests = [base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() for text in runs]
    assert [f"'sha256-{digest}'" for digest in digests] == re.findall(r"script-src (\S+);", policy)
    attributes = [(tag, name) for tag, of in found.elements for name in of]
    assert not [name for _, name in attributes if name.startswith("on") or name in {"src", "href", "style"}]


def test_the_page_holds_what_was_counted_and_all_texts(report):
    systems, references, source, _ = corpus()
    data, columns, blocks = opened(report.html)
    bleu = bleukit.load()
    for number, (name, hypotheses) in enumerate(systems.items()):
        statistics = bleu.statistics(hypotheses, references)
        for order in range(4):
            assert columns[f"{number}.matches.{order + 1}"].tolist() == statistics.matches[:, order].tolist()
            assert columns[f"{number}.totals.{order + 1}"].tolist() == statistics.totals[:, order].tolist()
        assert columns[f"{number}.reference"].tolist() == statistics.reference_length.tolist()
        assert data["systems"][number] == name
        assert data["scores"][number]["value"] == bleu.score(statistics).value
        assert [text for block in blocks for text in block["systems"][number]] == hypotheses
    assert [group for block in blocks for group in block["references"]] == references
    assert [text for block in blocks for text in block["source"]] == source
    assert data["comparison"]["pairs"][0]["first"] == "one"
    assert data["groups"]["document"][:2] == ["document 0", "document 1"]


def test_a_tokenizer_that_the_page_does_not_know_leaves_its_tokens():
    bleu = bleukit.load(tokenizer="matlab")
    data, _, blocks = opened(bleukit.report(bleu, {"one": ["It's 5."]}, [["It's 5."]]).html)
    assert data["has"]["tokens"]
    assert blocks[0]["tokens"] == {
        "systems": [[list(bleu.tokenize("It's 5."))]],
        "references": [[list(bleu.tokenize("It's 5."))]],
    }


def test_a_variant_that_cannot_be_compared_is_reported_without_tests():
    bleu = bleukit.load("nltk", smoothing="nltk-method5")
    data, columns, _ = opened(bleukit.report(bleu, {"one": ["a b c"] * 3}, ["a b c"] * 3).html)
    assert data["comparison"] is None
    assert "last segment" in data["refused"]
    assert columns["0.score"].tolist() == bleu.sentences(["a b c"] * 3, ["a b c"] * 3).tolist()


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        ({"source": ["one"]}, "source: 1 for 2 segments; each needs one"),
        ({"documents": ["one"]}, "documents: 1 for 2 segments; each needs one"),
        ({"source": ["one", 2]}, "source[1]: expected a str, got int 2"),
    ],
)
def test_what_does_not_fit_is_refused(given, problem):
    with pytest.raises(bleukit.InputError) as error:
        bleukit.report(bleukit.load(), {"one": ["a", "b"]}, ["a", "b"], **given)
    assert str(error.value) == problem


def test_no_segment_is_refused():
    with pytest.raises(bleukit.InputError, match="no segment to score"):
        bleukit.report(bleukit.load(), {"one": []}, [])


def test_a_notebook_shows_the_page_in_a_frame_without_an_origin(report):
    frame = Scripts(report._repr_html_()).elements
    assert [tag for tag, _ in frame] == ["iframe", ""]
    assert frame[0][1]["sandbox"] == "allow-scripts allow-downloads"
    assert frame[0][1]["srcdoc"] == report.html


def test_a_notebook_shows_scores_and_comparisons_as_tables():
    bleu = bleukit.load()
    score = bleu.corpus(["a b c d e"], ["a b c d e"])
    shown = Scripts(score._repr_html_())
    assert [tag for tag, _ in shown.elements if tag].count("tr") == 7
    assert "<td>BLEU</td><td>100.00</td>" in score._repr_html_()
    compared = bleukit.compare(bleu, {"<one>": ["a b c d e"] * 10, "two": ["a b c d x"] * 10}, ["a b c d e"] * 10)
    html = compared._repr_html_()
    assert "<td>&lt;one&gt;</td><td>100.00</td><td>100.00–100.00</td>" in html
    assert html.count("<table>") == 2
    assert compared.signature in html


@pytest.fixture
def files(tmp_path):
    systems, references, source, documents = corpus()
    texts = {"one.txt": systems["one"], "two.txt": systems["three"], "ref.txt": [group[0] for group in references]}
    for name, lines in {**texts, "source.txt": source, "documents.txt": documents}.items():
        kept = [re.sub("[\ud800-\udfff\0\n]", "", line) for line in lines]
        (tmp_path / name).write_text("".join(f"{line}\n" for line in kept), encoding="utf-8")


@pytest.mark.usefixtures("files")
def test_the_command_writes_the_page(run):
    command = ["report", "-r", "ref.txt", "one.txt", "two.txt", "-o", "page.html"]
    assert run(*command, "--source", "source.txt", "--documents", "documents.txt", "--by", "documents.txt") == DONE
    data, columns, blocks = opened(Path("page.html").read_text(encoding="utf-8"))
    assert data["systems"] == ["one", "two"]
    assert data["title"] == f"one, two on ref.txt: sacrebleu, {dt.date.today()}"  # noqa: DTZ011 - as the command
    assert sorted(data["groups"]) == ["document", "label", "length"]
    assert len(blocks[0]["source"]) == len(columns["document"]) == data["segments"] == 60


@pytest.mark.usefixtures("files")
def test_a_table_has_the_sources_and_gives_the_page_its_name(run):
    columns = [Path(name).read_text(encoding="utf-8").split("\n")[:-1] for name in ("one.txt", "ref.txt", "source.txt")]
    rows = [dict(zip(("hyp", "ref", "original"), row, strict=True)) for row in zip(*columns, strict=True)]
    Path("all.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    assert run("report", "all.jsonl", "--source-column", "original", "-o", "page.html") == DONE
    data, _, blocks = opened(Path("page.html").read_text(encoding="utf-8"))
    assert " on all.jsonl: sacrebleu, " in data["title"]
    assert blocks[0]["source"] == columns[2]


@pytest.mark.usefixtures("files")
def test_the_page_is_opened_when_it_is_written(run, monkeypatch):
    opened_pages = []
    monkeypatch.setattr("webbrowser.open", lambda address: opened_pages.append((address, Path("page.html").exists())))
    assert run("report", "-r", "ref.txt", "one.txt", "-o", "page.html", "--open") == DONE
    assert opened_pages == [(Path("page.html").resolve().as_uri(), True)]


@pytest.mark.usefixtures("files")
@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["one.txt", "one.txt", "-o", "page.html"], "the system 'one.txt' is given twice"),
        (["one.txt", "--source", "short.txt", "-o", "page.html"], "short.txt: has 1 source text for 60 segments"),
        (["one.txt", "--by", "short.txt", "-o", "page.html"], "short.txt: has 1 label for 60 segments"),
        (["one.txt"], "Missing option '-o'"),
        (["one.txt", "-o", "-", "--open"], "--open needs a file to open"),
        (["one.txt", "-o", "nowhere/page.html"], "nowhere/page.html: cannot be written"),
    ],
)
def test_the_command_reports_what_is_wrong_in_one_line(run, arguments, problem):
    Path("short.txt").write_text("one\n", encoding="utf-8")
    status, out, err = run("report", "-r", "ref.txt", *arguments)
    assert (status, out) == (2, "")
    assert problem in err
    assert len(err.splitlines()) == 1
    assert not Path("page.html").exists()


@pytest.mark.usefixtures("files")
def test_explain_and_identify_write_pages_by_the_suffix_of_the_file(run):
    explain = ["explain", "-V", "nltk", "-V", "sacrebleu", "-r", "ref.txt", "one.txt"]
    assert run(*explain, "-o", "explained.html") == DONE
    assert Path("explained.html").read_bytes().endswith(b"</html>\n")
    data, *_ = opened(Path("explained.html").read_text(encoding="utf-8"), of_report=False)
    told = json.loads(run(*explain, "--format", "json")[1])
    assert (data["kind"], data["scores"], data["segments"]) == ("explanation", told["scores"], told["segments"])
    assert [part["points"] for part in data["parts"]] == [part["points"] for part in told["parts"]]
    assert run(*explain, "-o", "explained.txt") == DONE
    assert Path("explained.txt").read_text(encoding="utf-8").lstrip().startswith("nltk")
    identify = ["identify", "--score", "1.234567", "-r", "ref.txt", "one.txt"]
    status, out, err = run(*identify, "--format", "html")
    data, *_ = opened(out, of_report=False)
    assert (status, err, data["kind"], data["answers"]) == (1, "", "identification", [])
    assert data["closest"]["same_score"]


def test_only_explanations_and_identifications_have_such_a_page():
    with pytest.raises(bleukit.InputTypeError, match="expected what bleukit.explain or bleukit.identify returns"):
        bleukit.page("text")


def test_a_page_for_a_folder_that_is_missing_is_an_output_error(tmp_path):
    path = tmp_path / "missing" / "report.html"
    with pytest.raises(bleukit.OutputError, match=r"missing.*No such file or directory"):
        bleukit.report("nltk", {"one": ["a cat"]}, ["a cat"]).save(path)
    with pytest.raises(bleukit.OutputError, match=r"missing.*No such file or directory"):
        bleukit.page(bleukit.explain("nltk", "sacrebleu", ["a cat"], ["a cat"])).save(path)
