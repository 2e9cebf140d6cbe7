"""Twelve tasks of those who ship a disc, look something up, or check an essay: each done by the
keyboard, from a folder and served, in Chromium, Firefox and WebKit.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pocketindex
import pytest
import webkit
from made_up import made_up
from pages import BROWSERS, PASTE, Shown, index_of, launched, saved
from run_command import run
from static_server import serving

pytestmark = pytest.mark.browser

DOCUMENTS = made_up(30)
IMAGE = bytes.fromhex("47494638396101000100800000ff0000ffffff2c00000000010001000002024401003b")
LONG = "\n".join(f"<p>Line {i} of a log that goes on." for i in range(200))
MOST_TABS = 80


@pytest.fixture(scope="module", params=[*BROWSERS, "webkit"])
def browser(request: pytest.FixtureRequest) -> Iterator[Any]:
    """Each browser that the tasks are done in."""
    with webkit.launched() if request.param == "webkit" else launched(request.param) as found:
        yield found


@pytest.fixture(scope="module")
def manuals(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of pages, and the disc that one command makes of it."""
    folder = tmp_path_factory.mktemp("tasks")
    pages = folder / "manuals"
    (pages / "images").mkdir(parents=True)
    (pages / "images" / "a.gif").write_bytes(IMAGE)
    for row in DOCUMENTS:
        page = f"<title>{row['title']}</title><p><img src='images/a.gif' alt=''> {row['text']}"
        (pages / f"{row['id']}.html").write_text(page, encoding="utf-8")
    copy = f"<title>Nearly document 4</title><p>{DOCUMENTS[4]['text']} and two more words"
    (pages / "copy.html").write_text(copy, encoding="utf-8")
    (pages / "log.html").write_text(f"<title>A log</title>{LONG}<p>A zeppelin, and a zeppelin.")
    done = run("disc", pages, folder / "out", "--originals", "--title", "Manuals")
    assert done.returncode == 0
    return folder


@pytest.fixture(params=["folder", "served"])
def shown(request: pytest.FixtureRequest, browser: Any, manuals: Path) -> Iterator[Shown]:
    with opened(request.param, browser, manuals / "out") as page:
        yield page
        assert page.said == []


@contextmanager
def opened(way: str, browser: Any, out: Path) -> Iterator[Shown]:
    if way == "folder":
        page = Shown(browser, index_of(out))
        yield page
        page.close()
        return
    with serving(out, False) as server:
        page = Shown(browser, f"{server.url}index.html")
        yield page
        page.close()


def tab_to(shown: Shown, selector: str, key: str = "Tab") -> None:
    """Press a key until what is focused is what selector finds."""
    for _ in range(MOST_TABS):
        shown.page.keyboard.press(key)
        if shown.page.evaluate("found => document.activeElement.matches(found)", selector):
            return
    raise AssertionError(f"no key leads to {selector}")


def type_in(shown: Shown, words: str) -> None:
    """Type, and wait for the answer that comes by itself."""
    shown.answered(lambda: shown.page.keyboard.type(words))
    shown.page.wait_for_timeout(700)  # a pause within the words may have had an answer of its own


def press(shown: Shown, *keys: str) -> None:
    for key in keys:
        shown.page.keyboard.press(key)


def reading(shown: Shown, title: str) -> None:
    shown.page.wait_for_selector(f"#read-title:has-text('{title}')")


def test_shipping_a_word_finds_its_document(shown: Shown) -> None:
    type_in(shown, "zeppelin")
    assert shown.texts("#hits h3") == ["A log"]


def test_shipping_a_pasted_paragraph_finds_its_source(shown: Shown) -> None:
    words = " ".join(DOCUMENTS[7]["text"].split()[-34:])
    shown.page.keyboard.insert_text(words)
    shown.answered(lambda: press(shown, "Enter"))
    assert shown.texts("#share")[0].startswith("100 % of this text is in 1 document")
    assert shown.texts("#sources h3") == [DOCUMENTS[7]["title"]]


def test_shipping_a_hit_leads_to_the_page_itself(shown: Shown) -> None:
    word = DOCUMENTS[7]["text"].split()[-3]
    type_in(shown, word)
    press(shown, "Enter")
    shown.page.wait_for_selector("#hits .about a")
    tab_to(shown, "#hits .about a")
    press(shown, "Enter")
    shown.page.wait_for_url("**/o0/doc-7.html")
    shown.page.wait_for_function("document.querySelector('img').naturalWidth === 1")
    shown.said.clear()  # an original names no icon, and a browser asks for one


def test_shipping_the_first_page_says_what_there_is(shown: Shown) -> None:
    assert shown.texts("#holds li")[0].startswith("manuals 32 documents")
    tab_to(shown, "#holds a")
    press(shown, "Enter")
    shown.page.wait_for_selector(".titles li")
    assert len(shown.texts(".titles li")) == 32


def test_looking_up_a_hit_is_opened_where_its_word_is(shown: Shown) -> None:
    type_in(shown, "zeppelin")
    press(shown, "ArrowDown", "Enter")
    reading(shown, "A log")
    mark = shown.page.locator("#read-text mark").first.bounding_box()
    assert 0 < mark["y"] < shown.page.evaluate("innerHeight")


def test_looking_up_a_sentence_of_nine_words_is_asked_by_enter(shown: Shown) -> None:
    sentence = "The lighthouse keeper wrote every evening about the colour"
    shown.page.keyboard.type(sentence)
    shown.answered(lambda: press(shown, "Enter"))
    assert shown.page.input_value("#text") == sentence
    assert shown.texts("#hits h3")


def test_looking_up_a_title_opens_its_text(shown: Shown) -> None:
    type_in(shown, "document 17")
    press(shown, "ArrowDown", "Enter")
    reading(shown, DOCUMENTS[17]["title"])
    assert DOCUMENTS[17]["text"].split()[3] in shown.texts("#read-text")[0]


def test_looking_up_from_mark_to_mark_and_back(shown: Shown) -> None:
    type_in(shown, "zeppelin")
    press(shown, "ArrowDown", "Enter")
    reading(shown, "A log")
    tab_to(shown, "#next", "Shift+Tab")
    press(shown, "Enter")
    assert shown.texts("#read-common") == ["2 of 2"]
    tab_to(shown, "#back", "Shift+Tab")
    press(shown, "Enter")
    shown.page.wait_for_selector("#reading", state="hidden")
    assert shown.page.input_value("#text") == "zeppelin"


def test_looking_up_what_is_similar_stands_at_the_end(shown: Shown) -> None:
    type_in(shown, "document 4")
    press(shown, "ArrowDown", "Enter")
    reading(shown, DOCUMENTS[4]["title"])
    press(shown, "End")
    shown.page.wait_for_selector("#like a")
    tab_to(shown, "#like a")
    press(shown, "Enter")
    reading(shown, "Nearly document 4")


def test_looking_up_a_kept_address_opens_the_same_text(shown: Shown) -> None:
    type_in(shown, "document 21")
    press(shown, "ArrowDown", "Enter")
    reading(shown, DOCUMENTS[21]["title"])
    address = shown.page.url
    assert address.endswith("#id=doc-21.html")
    shown.page.goto("about:blank")
    shown.page.goto(address)
    reading(shown, DOCUMENTS[21]["title"])


def essay() -> str:
    """Two passages among words of one's own."""
    own = " ".join(f"own{i} thought{i} sentence{i}." for i in range(120))
    copied = [" ".join(DOCUMENTS[i]["text"].split()[-34:]) for i in (9, 12)]
    return f"{own} {copied[0]}. {own[::-1]} {copied[1]}."


def asked(shown: Shown) -> None:
    shown.page.evaluate(PASTE, essay())
    shown.answered(lambda: press(shown, "Enter"))


def test_checking_an_essay_names_its_share_and_its_sources(shown: Shown, manuals: Path) -> None:
    asked(shown)
    index = ("documents", "passages", "words")
    path = manuals / "essay.pocket"
    pocketindex.build(DOCUMENTS, path, index=index, keep="text", progress=False)
    with pocketindex.open(path) as file:
        share = file.sources(essay()).coverage
    assert shown.texts("#share")[0].startswith(f"{share * 100:.0f} % of this text is in 2 doc")
    assert set(shown.texts("#sources h3")) == {DOCUMENTS[9]["title"], DOCUMENTS[12]["title"]}
    assert shown.page.locator("#map .place").count() == 2
    tab_to(shown, "#own")
    tab_to(shown, ".passage")
    press(shown, "Enter")
    assert shown.page.evaluate("document.activeElement.matches('#sources h3 a')")


def test_checking_an_essay_gives_a_report_to_keep(shown: Shown) -> None:
    asked(shown)
    tab_to(shown, "#save")
    text = saved(shown, lambda: press(shown, "Enter"))
    assert shown.texts("#share")[0] in text
    assert DOCUMENTS[9]["title"] in text
