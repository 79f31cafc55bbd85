"""The site that `tox -e docs` has built in the folder BLEUKIT_SITE: its pages and links."""

import html
import re
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from bleukit.conformance.judging.cases import documents_by_name
from built import GROUPS, HYPOTHESES, NEEDS_SITE, SITE

import bleukit
from bleukit.bleu.hookspecs import COMPONENT_HOOKS
from bleukit.framework import registry

pytestmark = [pytest.mark.docs, NEEDS_SITE]

BY_HASH = {"play.html", "which.html", "differences.html"}
"""Pages whose addresses hold what was chosen."""

VARIANTS = sorted(bleukit.variants())
WITH_CODE = [
    *("codebleu-ngram-match", "ignite-smooth2-micro", "nltk", "sacrebleu", "sacrebleu-intl", "sacrebleu-zh", "sockeye"),
    "wikipedia",
]
"""Variants with code of a library that is in the dependency group test."""


class Parsed(HTMLParser):
    """The links and the ids of a page, what it loads, and the text of its code blocks."""

    def __init__(self, path):
        super().__init__()
        self.links, self.loads, self.ids = [], [], set()
        self.text = path.read_text(encoding="utf-8")
        self.feed(self.text)

    def handle_starttag(self, tag, attributes):
        of = dict(attributes)
        self.ids.update(of[key] for key in ("id", "name") if of.get(key))
        if tag == "a" and "href" in of:
            self.links.append(of["href"])
        elif "src" in of or (tag == "link" and of.get("rel") != "canonical"):
            self.loads.append(of.get("src") or of["href"])


@pytest.fixture
def extension(monkeypatch):
    """Let the test import the site's extension."""
    pytest.importorskip("jinja2")
    monkeypatch.syspath_prepend(Path(__file__).parents[2] / "docs")


@cache
def parsed(path):
    return Parsed(path)


def pages():
    return sorted(SITE.rglob("*.html"))


def text_of(page, section=""):
    pattern = rf'<section id="{re.escape(section)}">.*?</section>' if section else r"<article.*?</article>"
    part = re.search(pattern, parsed(SITE / page).text, re.DOTALL)[0]
    return " ".join(html.unescape(re.sub(r"<[^>]+>", "", part)).split())


def test_all_links_lead_to_a_page_and_a_place_on_it():
    wrong = []
    for page in pages():
        for link in parsed(page).links:
            parts = urlsplit(link)
            if parts.scheme in {"http", "https"}:
                continue
            target = (page.parent / unquote(parts.path)).resolve() if parts.path else page
            if not target.is_file() or (
                parts.fragment
                and target.suffix == ".html"
                and target.name not in BY_HASH
                and unquote(parts.fragment) not in parsed(target).ids
            ):
                wrong.append((page.name, link))
    assert not wrong


def test_pages_load_nothing_from_elsewhere():
    assert len(pages()) > 200
    loads = {load for page in pages() for load in parsed(page).loads}
    assert not [load for load in loads if "//" in load]
    styles = [path.read_text(encoding="utf-8") for path in SITE.rglob("*.css")]
    assert styles
    assert not [style for style in styles if re.search(r"url\(['\"]?https?:|@import ['\"]?https?:", style)]


def test_the_site_is_small():
    assert sum(path.stat().st_size for path in SITE.rglob("*") if path.is_file()) < 15e6


def test_everything_that_is_registered_has_a_page():
    assert {path.stem for path in (SITE / "variants").glob("*.html")} == {*VARIANTS, "index"}
    offered = {kind: registry.installed().of_kind(kind) for kind in COMPONENT_HOOKS}
    components = {f"{kind.replace('_', '-')}-{name}" for kind in COMPONENT_HOOKS for name in offered[kind]}
    assert {path.stem for path in (SITE / "components").glob("*.html")} == {*components, "index"}
    assert {path.stem for path in (SITE / "documents").glob("*.html")} == {*documents_by_name()}


def test_the_page_of_a_document_has_a_section_for_each_case():
    for name, document in documents_by_name().items():
        sections = re.findall(r'<section id="([^"]+)"><h3>', parsed(SITE / f"documents/{name}.html").text)
        assert sections == [case.id for case in document.cases]


def test_the_section_of_a_case_has_what_the_document_says_and_what_libraries_answer():
    totals = "totals[3, 2, 1, 0]✓ [3, 2, 1, 0]✗ [3, 2, 1, 1]✓ [3, 2, 1, 0]"
    assert "must bebleukitnltksacrebleu" in text_of("documents/wikipedia.html", "W13-short")
    assert totals in text_of("documents/wikipedia.html", "W13-short")
    assert "the document prints 2/3; reference 1 holds" in text_of("documents/wikipedia.html", "W4")
    assert "BLEU = BP × exp(Σ w ln p)" in text_of("documents/wikipedia.html", "W4")
    assert "because NLTK's total at order 4 is 1" in text_of("documents/matlab.html", "M5")
    assert "is tested. level: it is about a sentence" in text_of("documents/sacrebleu.html", "R10-short-sentence")


def test_three_clicks_from_the_start_to_a_variant():
    first = {link for link in parsed(SITE / "index.html").links if link.startswith("which-number")}
    assert first
    assert "variants/multi-bleu.html" in parsed(SITE / "which-number.html").links
    assert "BLEU 28.4 (tokenized)" in text_of("which-number.html")
    assert "bleukit score -V multi-bleu -r REFERENCE HYPOTHESIS" in text_of("variants/multi-bleu.html")


def test_the_page_of_a_variant_has_errata_and_departures_from_the_plain_definition():
    assert 'Erratum W4, the "grouped unigram" score' in text_of("variants/wikipedia.html")
    assert "Where it departs" not in text_of("variants/wikipedia.html")
    assert "sacreBLEU's default puts 1/2, 1/4, 1/8 matches" in text_of("variants/sacrebleu.html")


def test_the_page_of_a_variant_shows_a_score_of_words():
    words = "The cat sat on a mat.", ["The cat sat on the mat."]
    for name in ("matlab", "nltk", "codexglue-code-to-text"):
        assert str(bleukit.load(name).corpus(words[:1], words[1:])) in text_of(f"variants/{name}.html")


@pytest.mark.parametrize("name", WITH_CODE)
def test_the_code_on_a_page_gives_the_score_on_the_page(name):
    page = parsed(SITE / f"variants/{name}.html").text
    blocks = re.findall(r'<div class="highlight-python[^>]*>.*?<pre>(.*?)</pre>', page, re.DOTALL)
    codes = [html.unescape(re.sub(r"<[^>]+>", "", block)) for block in blocks]
    runnable = [code for code in codes if "torch" not in code]
    assert runnable
    for code in runnable:
        names = {"hypotheses": HYPOTHESES, "references": GROUPS}
        exec(code, names)
        points = names["score"] * 100 / bleukit.load(name).variant.scale
        assert f"scores {points:.2f} of 100" in text_of(f"variants/{name}.html")


def test_a_variant_of_a_plugin_has_a_page_too(extension, tmp_path):
    """The page is made of what is registered: nothing says which plugins are bleukit's own."""
    from _extension import variants
    from _extension.pages import Pages

    module = tmp_path / "lines_plugin.py"
    module.write_text(
        '"""Lines: a test."""\n'
        "from bleukit.plugin import Component, Variant, hookimpl\n"
        "@hookimpl\n"
        "def bleukit_tokenizers():\n"
        '    return {"lines": lambda: str.splitlines}\n'
        "@hookimpl\n"
        "def bleukit_variants():\n"
        "    named = {key: Component(name) for key, name in (('tokenizer', 'lines'), ('counter', 'clipped'),\n"
        "        ('reference_length', 'closest'), ('smoothing', 'none'))}\n"
        '    return {"lines-bleu": Variant(description="BLEU of whole lines", **named)}\n'
    )
    with registry.also_installed([str(module)]):
        variants.known.cache_clear()
        page = Pages(tmp_path)
        page.write("lines.md", "variant.md", **variants.facts("lines-bleu", bleukit.variants()["lines-bleu"]))
    variants.known.cache_clear()
    written = (tmp_path / "lines.md").read_text(encoding="utf-8")
    assert written.startswith("---\norphan: true\n---\n\n# lines-bleu\n\nBLEU of whole lines.")
    assert "[`lines`](../components/tokenizer-lines.md)" in written
    assert "signature" in written.lower()
    assert "variant:lines-bleu|" in written
