"""The parts of the site that compute, and how pages look, in a real browser."""

import json
import re
from urllib.parse import urlencode, urlsplit

import pytest
from built import GROUPS, HYPOTHESES, NEEDS_SITE, REFERENCES, SITE
from chromium import CHROMIUM, NO_CHROMIUM

import bleukit

pytest_plugins = ["browser"]
pytest.importorskip("playwright.sync_api", reason="needs the dependency group page: tox -e docs-browser")
axe = pytest.importorskip(
    "axe_playwright_python.sync_playwright", reason="needs the dependency group page: tox -e docs-browser"
)
pytestmark = [pytest.mark.docs, NEEDS_SITE, pytest.mark.skipif(CHROMIUM is None, reason=NO_CHROMIUM)]

PAGES = [
    "index.html",
    "which-number.html",
    "which.html#number=55.08",
    "play.html#w=nltk",
    "differences.html",
    "variants/index.html",
    "variants/multi-bleu.html",
    "components/smoothing-exp.html",
    "components/tokenizer-13a.html",
    "cases.html",
    "documents/wikipedia.html",
    "tutorials/score.html",
]


@pytest.fixture
def opened(browser):
    """Open a page of the site; whatever it prints, or asks the network for, fails the test."""
    contexts, faults = [], []

    def opened(page, **context):
        contexts.append(browser.new_context(**context))
        tab = contexts[-1].new_page()
        tab.on("console", lambda message: faults.append(message.text) if message.type == "error" else None)
        tab.on("pageerror", lambda error: faults.append(str(error)))
        tab.on(
            "request",
            lambda request: None if request.url.startswith(("file:", "data:")) else faults.append(request.url),
        )
        path, _, fragment = page.partition("#")
        tab.goto(f"{(SITE / path).resolve().as_uri()}{'#' if fragment else ''}{fragment}")
        return tab

    yield opened
    for context in contexts:
        context.close()
    assert not faults


def test_clicks_from_the_start_to_a_paper_s_number_and_how_to_compute_it(opened):
    """What it may be and the command that computes it are two clicks away; to try it is the third."""
    tab = opened("index.html")
    tab.locator("article .sd-card", has_text="Why is mine different").click(position={"x": 9, "y": 9})
    row = tab.locator("article tr", has_text="BLEU 28.4 (tokenized)")
    assert "on pre-tokenized text" in row.inner_text()
    row.locator("a", has_text="multi-bleu").first.click()
    assert "bleukit score -V multi-bleu -r REFERENCE HYPOTHESIS" in tab.inner_text("article")
    tab.click("article a:has-text('Try it in the playground')")
    assert tab.input_value("#choose-v") == "multi-bleu"


@pytest.mark.parametrize(("link", "page"), [("find the BLEU", "which.html"), ("playground", "play.html")])
def test_a_link_in_a_card_leads_to_its_own_page(opened, link, page):
    tab = opened("index.html")
    link = tab.locator("article .sd-card a", has_text=link).last
    link.scroll_into_view_if_needed()
    place = link.bounding_box()
    tab.mouse.click(place["x"] + place["width"] / 2, place["y"] + place["height"] / 2)
    tab.wait_for_url(f"**/{page}")


def test_the_list_of_variants_can_be_filtered(opened):
    tab = opened("variants/index.html")
    tab.fill("input.filter", "chinese sacreBLEU")
    shown = [row.inner_text().split()[0] for row in tab.locator("article tbody tr:visible").all()]
    assert shown
    assert {"sacrebleu-zh"} <= {*shown} < {*bleukit.variants()}
    tab.fill("input.filter", "")
    assert tab.locator("article tbody tr:visible").count() == len(bleukit.variants())


@pytest.mark.parametrize(
    ("question", "title"),
    [
        ("which bleu should i report", "Which BLEU should I report?"),
        ("bleu 0", "Frequent questions"),
        ("nltk different from sacrebleu", "Frequent questions"),
        ("is 30 good", "Frequent questions"),
        ("is a better than b", "Frequent questions > Is A better than B?"),
        ("torcheval", "What a paper's BLEU means"),
        ("significance test", "Comparing systems"),
        ("sacrebleu", "sacrebleu"),
    ],
)
def test_the_search_leads_to_the_page_that_answers(browser, question, title):
    tab = browser.new_page()
    tab.route("http://site/**", lambda route: route.fulfill(path=SITE / urlsplit(route.request.url).path[1:]))
    tab.goto(f"http://site/search.html?{urlencode({'q': question})}")
    assert tab.locator("#search-results li > a").first.inner_text() == title
    tab.close()


def test_the_playground_has_the_scores_of_python(opened):
    tab = opened("play.html")
    shown = json.loads(
        re.search(
            r'<script type="application/json">(.*?)</script>',
            (SITE / "play.html").read_text(encoding="utf-8"),
            re.DOTALL,
        )[1]
    )
    segments = 2
    compared = 0
    for name in shown["variants"]:
        tab.select_option("#choose-v", name)
        score = tab.query_selector(".score strong")
        if score is None:  # it needs what the browser has not, and says so
            assert "which Python has" in tab.inner_text(".result")
            continue
        expected = bleukit.load(name).corpus(HYPOTHESES[:segments], GROUPS[:segments]).value
        assert float(score.inner_text()) == pytest.approx(expected, abs=0.005 if expected > 1 else 0.00005), name
        compared += 1
    assert compared > 40


OF_DOCUMENTS = {"d-bleu", "d-bleu-lc", "d-bleu-zh"}


def test_the_search_finds_the_variants_that_give_the_number(opened):
    tab = opened("which.html#number=55.08")
    tab.wait_for_function("document.querySelector('.result').innerText.includes('procedures tried')")
    links = {link.inner_text() for link in tab.query_selector_all(".result td a code, .result th a code")}
    known = set(re.findall(r'"(.*?)"', json.dumps(tab.evaluate("bleukit.known"))))
    assert {"multi-bleu", "nltk"} <= links
    scores = {name: bleukit.load(name).corpus(HYPOTHESES, REFERENCES[0]) for name in known - OF_DOCUMENTS}
    points = {name: score.value * 100 / bleukit.load(name).variant.scale for name, score in scores.items()}
    assert links - OF_DOCUMENTS == {name for name, value in points.items() if 55.075 <= value < 55.085}


@pytest.mark.parametrize(
    ("name", "changes", "words"),
    [
        ("sacrebleu", {}, "sacrebleu"),
        ("nltk", {"lowercase": True, "average": "macro"}, "nltk, mean of sentence scores, lowercased"),
        ("nltk", {"smoothing": "nltk-method1", "weights": [0.5, 0.5, 0, 0]}, "nltk with method1, with BLEU-2"),
        ("sacrebleu", {"tokenizer": "char"}, "sacrebleu with tok char"),
    ],
)
def test_the_search_finds_what_people_do_as_identify_does(opened, name, changes, words):
    bleu = bleukit.load(name, **changes)
    number = f"{bleu.corpus(HYPOTHESES, REFERENCES[0]).value * 100 / bleu.variant.scale:.4f}"
    tab = opened(f"which.html#number={number}")
    tab.wait_for_function("document.querySelector('.result').innerText.includes('procedures tried')")
    row = tab.query_selector_all(".result table")[-1].query_selector("tbody tr")
    share, _, first = (cell.inner_text() for cell in row.query_selector_all("td, th"))
    (answer, *_) = bleukit.identify(number, HYPOTHESES, [[text] for text in REFERENCES[0]]).answers
    assert first.split("; ")[0] == answer.first.words
    assert words in {found.words for found in answer.same_score}
    assert float(share.rstrip(" %")) == pytest.approx(100 * answer.posterior, abs=5)  # the browser tries fewer


def test_the_search_explains_the_difference_from_the_default(opened):
    tab = opened("which.html#number=55.08")
    tab.click("summary")
    assert tab.eval_on_selector("#choose-w", "choice => choice.value") != "sacrebleu"
    tab.select_option("#choose-w", "nltk")
    shown = tab.inner_text("details .result" if tab.query_selector("details .result") else "details")
    explained = bleukit.explain("sacrebleu", "nltk", HYPOTHESES, REFERENCES[0])
    assert f"{explained.difference:+.4f}".replace("-", "−") in shown


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("nltk", "mteval-v13a"),
        ("sacrebleu", "tf-nmt-compute-bleu"),
        ("ignite-smooth1-macro", "sacrebleu-intl"),
        ("coco-bleu-2", "nltk"),
    ],
)
def test_the_difference_of_two_variants_is_that_of_explain(opened, first, second):
    tab = opened(f"differences.html#v={first}&w={second}")
    rows = [row.inner_text().split("\t") for row in tab.query_selector_all(".result tbody tr")]
    shares = {key.strip(): _number(points) for key, points in (row for row in rows if len(row) == 2)}
    explained = bleukit.explain(first, second, HYPOTHESES, GROUPS)
    assert shares.pop("all") == pytest.approx(explained.difference, abs=1e-4)
    without_effect = dict.fromkeys(shares, 0.0)  # such as the score of an empty text, which explain leaves out
    assert shares == pytest.approx(without_effect | {part.key: part.points for part in explained.parts}, abs=1e-4)
    shown = [summary.inner_text() for summary in tab.query_selector_all(".result summary")]
    moved = [re.fullmatch(r"Segment (\d+): (\S+) points", summary).groups() for summary in shown]
    assert {int(segment): _number(points) for segment, points in moved} == pytest.approx(
        {segment.segment: segment.points for segment in explained.segments}, abs=1e-4
    )
    made = tab.evaluate(
        "([first, second]) => bleukit.variants.moreTokens(first, second, bleukit.variants.sample)", [first, second]
    )
    assert [dict(tokens) for tokens in made] == [dict(tokens) for tokens in explained.tokens]


def _number(points):
    return float(points.replace("−", "-"))


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize(("width", "scheme"), [(1440, "light"), (768, "dark"), (360, "dark")])
def test_pages_are_accessible_and_fit(opened, page, width, scheme):
    tab = opened(page, viewport={"width": width, "height": 900}, color_scheme=scheme)
    tab.wait_for_timeout(200)
    if width != 768:
        found = axe.Axe().run(tab, options={"preload": False}).response["violations"]
        assert [(each["id"], [node["html"][:200] for node in each["nodes"]]) for each in found] == []
    assert tab.evaluate("document.documentElement.scrollWidth") <= width
