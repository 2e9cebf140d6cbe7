"""The box of the page: what Enter does, what appears under it while a visitor types, and where what
is said stands.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pocketindex
import pytest
from made_up import made_up
from pages import PASTE, Shown, index_of
from pocketindex.builder import Settings as BuildSettings
from pocketindex.builder import build
from pocketindex.builder.page.folder import Settings, write

pytestmark = pytest.mark.browser

DOCUMENTS = made_up(120)
SENTENCE = " ".join(DOCUMENTS[9]["text"].split()[:24])
LONG = " ".join(DOCUMENTS[i]["text"] for i in (3, 5))
FOREIGN = "qwerty asdfgh zxcvbn uiopjk"
LAPTOP = {"width": 1366, "height": 768}
PHONE = {"width": 390, "height": 844}
HIDDEN = "['results', 'origin'].map((id) => document.getElementById(id).hidden)"
TYPED = f"text => {{ ({PASTE})(text); return {HIDDEN}; }}"
TYPED_AND_ASKED = (
    f"text => {{ ({PASTE})(text); document.forms.ask.requestSubmit(); return {HIDDEN}; }}"
)
KEYBOARD = 336  # of a phone: pixels that it covers


@pytest.fixture(scope="module")
def disc(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("box")
    source = folder / "docs.jsonl"
    source.write_text("".join(json.dumps(row) + "\n" for row in DOCUMENTS), encoding="utf-8")
    index = ("documents", "passages", "words")
    for name in ("box", "other"):
        settings = BuildSettings(profile="en", keep="text", titles=True, index=index)
        build([str(source)], folder / f"{name}.pocket", settings)
    paths = [str(folder / "box.pocket"), str(folder / "other.pocket")]
    write(paths, folder / "two", Settings(title="A collection of many things"))
    return write(paths[:1], folder / "one", Settings(title="A collection of many things")).folder


@pytest.mark.parametrize("text", ["lighthouse", SENTENCE, LONG], ids=["word", "sentence", "text"])
def test_enter_asks_whatever_the_number_of_words(text: str, browser: Any, disc: Path) -> None:
    shown = Shown(browser, index_of(disc))
    assert shown.page.evaluate("document.activeElement.id") == "text"
    shown.page.evaluate(PASTE, text)
    shown.answered(lambda: shown.page.press("#text", "Enter"))
    assert shown.page.input_value("#text") == text
    assert shown.texts("#hits h3")
    assert shown.said == []
    shown.close()


def test_shift_and_enter_begin_a_line(browser: Any, disc: Path) -> None:
    shown = Shown(browser, index_of(disc))
    page = shown.page
    page.keyboard.type("one")
    low = page.evaluate("text.offsetHeight")
    page.keyboard.press("Shift+Enter")
    page.keyboard.type("two")
    assert page.input_value("#text") == "one\ntwo"
    assert page.evaluate("text.offsetHeight") > low
    assert page.url.endswith("index.html")
    shown.close()


def test_the_box_grows_with_a_pasted_text_and_stays_small(browser: Any, disc: Path) -> None:
    shown = Shown(browser, index_of(disc), viewport=LAPTOP)
    low = shown.page.evaluate("text.offsetHeight")
    shown.page.evaluate(PASTE, LONG * 40)
    assert 3 * low < shown.page.evaluate("text.offsetHeight") <= 320
    shown.answered(lambda: shown.page.press("#text", "Enter"))
    assert shown.page.evaluate("text.offsetHeight") <= 2.5 * low
    shown.close()


@pytest.mark.parametrize("size", [LAPTOP, PHONE], ids=["laptop", "phone"])
@pytest.mark.parametrize("count", [1, 2, 3, 8, 20])
def test_the_first_hit_is_in_sight_while_words_are_typed(
    count: int, size: dict[str, int], browser: Any, disc: Path
) -> None:
    """Also above a phone's keyboard, and where there are two collections to choose from."""
    words = " ".join(DOCUMENTS[9]["text"].split()[:count])
    typed = words if len(words) > 4 else "lighthouse"
    shown = Shown(browser, index_of(disc.parent / "two"), viewport=size)
    shown.answered(lambda: shown.page.fill("#text", typed))
    place = shown.page.locator("#hits > li h3").first.bounding_box()
    seen = size["height"] - (KEYBOARD if size is PHONE else 0)
    assert place["y"] + place["height"] < seen
    assert shown.page.evaluate("scrollY") == 0
    assert shown.page.evaluate("document.activeElement.id") == "text"
    shown.close()


def test_a_sentence_gets_its_documents_and_its_sources(browser: Any, disc: Path) -> None:
    shown = Shown(browser, index_of(disc))
    shown.put(SENTENCE)
    assert shown.texts("#share")[0].startswith("100 % of this text is in ")
    assert shown.texts("#sources h3") == ["Document 9 — Übersicht"]
    with pocketindex.open(disc.parent / "box.pocket") as index:
        expected = [hit.number for hit in index.search(SENTENCE, group=True)]
    assert [int(each) for each in numbers(shown)] == expected
    shown.put(FOREIGN)
    assert shown.page.is_hidden("#origin")
    assert shown.texts("#notes")[0].endswith("No document here contains a passage of this text.")
    shown.close()


def numbers(shown: Shown) -> list[str]:
    found: list[str] = shown.page.evaluate(
        "Array.from(document.querySelectorAll('#hits > li'), (li) => li.dataset.document)"
    )
    return found


def test_a_new_question_clears_the_old_answer_at_once(browser: Any, disc: Path) -> None:
    shown = Shown(browser, index_of(disc))
    for question in ("lighthouse", SENTENCE, LONG):
        shown.put(question)
        assert shown.page.is_visible("#results")
        # Seen in the same task as the key, before anything can have been answered.
        assert shown.page.evaluate(TYPED, LONG[::-1]) == [True, True]
    shown.put("lighthouse")
    assert shown.page.evaluate(TYPED_AND_ASKED, LONG) == [True, True]
    shown.close()


def test_an_emptied_box_is_the_start(browser: Any, disc: Path) -> None:
    shown = Shown(browser, index_of(disc))
    shown.put("lighthouse")
    shown.page.fill("#text", "")
    assert shown.page.is_hidden("#results")
    assert shown.page.is_visible("#lead")
    shown.close()


def test_keys_lead_to_the_hits_and_back(browser: Any, disc: Path) -> None:
    shown = Shown(browser, index_of(disc))
    page = shown.page
    shown.answered(lambda: page.keyboard.type("document 12"))
    titles = shown.texts("#named a, #hits h3 a")
    assert len(titles) > 2
    for key, at in (("ArrowDown", 0), ("ArrowDown", 1), ("ArrowUp", 0)):
        page.keyboard.press(key)
        assert page.evaluate("document.activeElement.textContent") == titles[at]
    page.keyboard.press("ArrowUp")
    assert page.evaluate("document.activeElement.id") == "text"
    page.keyboard.press("ArrowDown")
    page.keyboard.press("/")
    assert page.evaluate("document.activeElement.id") == "text"
    page.keyboard.type("a/b")
    assert page.input_value("#text") == "a/b"  # the key is a letter there
    shown.close()


def test_a_chosen_title_opens_its_text(browser: Any, disc: Path) -> None:
    shown = Shown(browser, index_of(disc))
    shown.answered(lambda: shown.page.keyboard.type("document 17"))
    shown.page.keyboard.press("ArrowDown")
    shown.page.keyboard.press("Enter")
    shown.page.wait_for_selector("#reading:not([hidden])")
    assert shown.texts("#read-title") == ["Document 17 — Übersicht"]
    shown.close()


def test_more_hits_go_on_where_the_visitor_is(browser: Any, disc: Path) -> None:
    shown = Shown(browser, index_of(disc))
    shown.put("lighthouse")
    before = numbers(shown)
    shown.answered(lambda: shown.page.click("#offers button:has-text('Show more')"))
    assert numbers(shown)[: len(before)] == before
    assert (
        shown.page.evaluate("document.activeElement.closest('li').dataset.document")
        == (numbers(shown)[len(before)])
    )
    shown.close()


@pytest.mark.parametrize("size", [LAPTOP, PHONE], ids=["laptop", "phone"])
def test_a_refusal_stands_where_the_eye_is(
    size: dict[str, int], browser: Any, disc: Path, tmp_path: Path
) -> None:
    """Also when a file is chosen at the end of a long answer."""
    (tmp_path / "essay.doc").write_bytes(b"\xd0\xcf\x11\xe0" + bytes(512))
    shown = Shown(browser, index_of(disc), viewport=size)
    shown.put("lighthouse")
    shown.page.evaluate("scrollTo(0, document.body.scrollHeight)")
    shown.page.set_input_files("#file", tmp_path / "essay.doc")
    shown.page.wait_for_selector("#problem:not(:empty)")
    place = shown.page.locator("#problem").bounding_box()
    assert place["y"] >= 0
    assert place["y"] + place["height"] <= size["height"]
    assert "“essay.doc” cannot be read as text" in shown.problem
    shown.close()
