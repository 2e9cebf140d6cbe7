"""A place to read: a text with its structure, what is marked in it, what lies beside it, and addresses
that survive a new build.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pocketindex
import pytest
from looked_over import VIEWS, looked_over, shots_of
from made_up import made_up
from pages import Shown, index_of, quiet, served
from pocketindex.builder import Settings as BuildSettings
from pocketindex.builder import build
from pocketindex.builder.page.folder import Settings, write
from run_command import run

pytestmark = pytest.mark.browser

DOCUMENTS = made_up(40)
FOREIGN = "id=1&c=0#/ü ?%"  # an id with signs of addresses
STRUCTURED = (
    "<title>Harbours</title><h1>Harbours</h1><p>A harbour is a place for ships.</p>"
    "<h2>Where</h2><ul><li>In bays<li>In <i>estuaries</i></ul>"
    "<table><tr><td>Bergen<td>ice</tr><tr><td>Genoa<td>none</tr></table>"
    "<p>In two lines:</p><pre>def harbour():\n    return 1</pre><p>The harbour master sleeps.</p>"
)


def built(folder: Path, rows: list[dict[str, str]], name: str = "a") -> Path:
    source = folder / f"{name}.jsonl"
    source.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    index = ("documents", "passages", "words")
    settings = BuildSettings(profile="en", keep="text", titles=True, index=index)
    build([str(source)], folder / f"{name}.pocket", settings)
    return folder / f"{name}.pocket"


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A disc of pages, with their files."""
    folder = tmp_path_factory.mktemp("pages")
    (folder / "manuals" / "images").mkdir(parents=True)
    (folder / "manuals" / "images" / "a.gif").write_bytes(
        bytes.fromhex("47494638396101000100800000ff0000ffffff2c00000000010001000002024401003b")
    )
    for row in DOCUMENTS:
        page = f"<title>{row['title']}</title><p>{row['text']}"
        (folder / "manuals" / f"{row['id']}.html").write_text(page, encoding="utf-8")
    image = "<p><img src='images/a.gif' alt=''><a href='doc-1.html'>another</a>"
    (folder / "manuals" / "harbours.html").write_text(STRUCTURED + image)
    done = run("disc", folder / "manuals", folder / "out", "--originals", "--title", "Manuals")
    assert done.returncode == 0
    return folder / "out"


def read(shown: Shown, id: str) -> None:
    shown.page.evaluate("id => { location.hash = new URLSearchParams({ id }); }", id)
    shown.page.wait_for_selector("#reading:not([hidden])")


def test_a_text_keeps_its_structure(browser: Any, pages: Path) -> None:
    shown = Shown(browser, index_of(pages))
    read(shown, "harbours.html")
    assert shown.texts("#read-title") == ["Harbours"]
    assert shown.texts("#read-text h3") == ["Harbours", "Where"]
    assert shown.texts("#read-text p")[0] == "A harbour is a place for ships."
    assert shown.texts("#read-text ul") == ["In baysIn estuaries"]
    assert shown.texts("#read-text li") == ["In bays", "In estuaries"]
    assert shown.texts("#read-text tr") == ["Bergenice", "Genoanone"]
    assert shown.texts("#read-text td") == ["Bergen", "ice", "Genoa", "none"]
    assert shown.texts("#read-text pre") == ["def harbour():\n    return 1"]
    assert shown.said == []
    shown.close()


def test_words_are_marked_and_gone_to(browser: Any, pages: Path) -> None:
    shown = Shown(browser, index_of(pages), viewport={"width": 700, "height": 420})
    page = shown.page
    shown.put("harbour")
    page.click("#hits h3 a:has-text('Harbours')")
    page.wait_for_selector("#reading:not([hidden])")
    marks = shown.texts("#read-text mark")
    assert [mark.lower() for mark in marks] == ["harbour"] * 3
    assert shown.texts("#read-common") == ["3 places with your words"]
    for key, at in (("next", 2), ("next", 3), ("next", 1), ("previous", 3)):
        page.click(f"#{key}")
        assert shown.texts("#read-common") == [f"{at} of 3"]
        place = page.evaluate("document.activeElement.getBoundingClientRect().top")
        assert page.evaluate("document.activeElement.tagName") == "MARK"
        assert 0 < place < 420
    page.click("#back")
    page.wait_for_selector("#hits h3 a")
    assert page.input_value("#text") == "harbour"
    shown.close()


def test_words_that_begin_so_are_marked_where_they_were_found_so(browser: Any, pages: Path) -> None:
    shown = Shown(browser, index_of(pages))
    shown.page.type("#text", "harbo")
    shown.page.click("#hits h3 a:has-text('Harbours')")
    shown.page.wait_for_selector("#read-text mark")
    assert shown.texts("#read-text mark")[0] == "Harbours"
    shown.close()


def test_what_is_marked_is_in_sight_at_once(browser: Any, tmp_path: Path) -> None:
    rows = [*DOCUMENTS, {"id": "long", "title": "Long"}]
    rows[-1]["text"] = "\n".join([*(f"Line {i} of many." for i in range(400)), "A zeppelin lands."])
    out = write([str(built(tmp_path, rows))], tmp_path / "out").folder
    shown = Shown(browser, index_of(out), viewport={"width": 900, "height": 500})
    shown.put("zeppelin")
    shown.page.click("#hits h3 a")
    shown.page.wait_for_selector("#read-text mark")
    top = shown.page.evaluate(
        "document.querySelector('#read-text mark').getBoundingClientRect().top"
    )
    assert 0 < top < 500
    shown.close()


def test_an_address_survives_a_new_build(browser: Any, tmp_path: Path) -> None:
    rows = [{**row} for row in DOCUMENTS]
    rows[7]["id"] = FOREIGN
    out = tmp_path / "out"
    write([str(built(tmp_path, rows))], out)
    shown = Shown(browser, index_of(out))
    shown.answered(lambda: shown.page.keyboard.type("document 7 "))
    shown.page.keyboard.press("ArrowDown")
    shown.page.keyboard.press("Enter")
    shown.page.wait_for_selector("#reading:not([hidden])")
    address, title, text = shown.page.url, shown.texts("#read-title"), shown.texts("#read-text")
    shown.close()
    assert title == [rows[7]["title"]]
    more = [
        {"id": f"new-{i}", "title": "New", "text": f"{row['text']} new"}
        for i, row in enumerate(rows)
    ]
    write([str(built(tmp_path, [*more, *reversed(rows)]))], out, Settings(force=True))
    again = Shown(browser, address)
    again.page.wait_for_selector("#reading:not([hidden])")
    assert (again.texts("#read-title"), again.texts("#read-text")) == (title, text)
    again.close()


def test_an_original_is_one_click_from_its_hit(browser: Any, pages: Path) -> None:
    shown = Shown(browser, index_of(pages))
    shown.put("harbour")
    item = shown.page.locator("#hits > li:has-text('Harbours')")
    link = item.locator(".about a")
    assert link.inner_text() == "harbours.html"
    link.click()
    shown.page.wait_for_url("**/o0/harbours.html")
    image = "document.querySelector('img').naturalWidth"
    shown.page.wait_for_function(f"{image} === 1")
    shown.page.click("a")
    shown.page.wait_for_url("**/o0/doc-1.html")
    shown.close()


def test_similar_documents_stand_at_the_end(browser: Any, tmp_path: Path) -> None:
    copy = {**DOCUMENTS[5], "id": "copy", "title": "A copy"}
    copy["text"] += " with two words"
    path = built(tmp_path, [*DOCUMENTS, copy, {"id": "short", "title": "Short", "text": "of it"}])
    with served(path) as url, pocketindex.open(path) as index:
        shown = Shown(browser, url)
        read(shown, "doc-5")
        shown.page.locator("#read-like").scroll_into_view_if_needed()
        shown.page.wait_for_selector("#like li")
        assert shown.texts("#like a")[0] == "A copy"
        others = [hit for hit in index.like(index.document("doc-5"), 9) if hit.id != "doc-5"]
        assert shown.texts("#like a") == [hit.title for hit in others[:8]]
        shown.page.click("#like a")
        shown.page.wait_for_selector("#read-title:has-text('A copy')")
        read(shown, "short")
        shown.page.locator("#read-like").scroll_into_view_if_needed()
        shown.page.wait_for_selector("#like-note:not(:empty)")
        assert shown.texts("#like-note") == ["Nothing similar found."]
        quiet(shown, url)
        shown.close()


def test_titles_from_a_to_z_and_a_random_document(browser: Any, pages: Path) -> None:
    shown = Shown(browser, index_of(pages))
    page = shown.page
    assert shown.texts("#holds li") == ["manuals 41 documents · Titles from A to Z"]
    page.click("#holds a")
    page.wait_for_selector(".titles li")
    assert len(shown.texts(".titles li")) == 41
    page.click(".letters a:text-is('H')")
    page.wait_for_selector("#read-title:has-text('Titles: H')")
    assert shown.texts(".titles li") == ["Harbours"]
    page.click(".letters a:text-is('Q')")
    page.wait_for_selector("#read-title:has-text('Titles: Q')")
    assert shown.texts(".note") == ["No title begins with this"]
    page.go_back()
    page.wait_for_selector("#read-title:has-text('Titles: H')")
    page.click(".titles a")
    page.wait_for_selector("#read-text pre")
    page.click("#back")
    page.click("#back")
    page.evaluate("location.hash = ''")
    page.wait_for_selector("#random:visible")
    page.evaluate("Math.random = () => 0.999")
    page.click("#random")
    page.wait_for_selector("#read-text:not(:empty)")
    assert shown.texts("#read-title")[0] in {*(row["title"] for row in DOCUMENTS), "Harbours"}
    assert shown.said == []
    shown.close()


def marked(shown: Shown) -> None:
    shown.put("harbour")
    read(shown, "harbours.html")
    shown.page.click("#next")


def at_the_end(shown: Shown) -> None:
    read(shown, "doc-3.html")
    shown.page.locator("#read-like").scroll_into_view_if_needed()
    shown.page.wait_for_selector("#like li, #like-note:not(:empty)")


def titles(shown: Shown) -> None:
    shown.page.click("#holds a")
    shown.page.wait_for_selector(".titles li")


STATES: dict[str, Callable[[Shown], object]] = {
    "start": lambda shown: None,
    "marked": marked,
    "end": at_the_end,
    "titles": titles,
    "typed": lambda shown: shown.answered(lambda: shown.page.keyboard.type("document")),
}


@pytest.mark.parametrize("view", VIEWS)
def test_no_rule_is_broken_and_screenshots(
    view: str, browser: Any, pages: Path, tmp_path: Path
) -> None:
    shot = shots_of(browser, tmp_path) / f"{view}-reading"
    looked_over(browser, pages, VIEWS[view], STATES, shot)
