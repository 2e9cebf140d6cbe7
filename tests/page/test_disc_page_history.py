"""Back, forward and reload on the page, and where the focus is: each brings back what was there."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from made_up import made_up
from pages import Shown, index_of
from pocketindex.builder import Settings as BuildSettings
from pocketindex.builder import build
from pocketindex.builder.page.folder import write

pytestmark = pytest.mark.browser

TEXTS = [row["text"] for row in made_up(60)]
SHORT = " ".join(TEXTS[7].split()[:40])  # an address holds it
OTHER = " ".join(TEXTS[9].split()[:40])
LONG = " ".join(TEXTS[11:14])


@pytest.fixture(scope="module")
def disc(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("disc")
    source = folder / "docs.jsonl"
    source.write_text("".join(json.dumps(row) + "\n" for row in made_up(60)), encoding="utf-8")
    settings = BuildSettings(profile="en", keep="text", titles=True, index=("documents", "words"))
    build([str(source)], folder / "a.pocket", settings)
    return write([str(folder / "a.pocket")], folder / "out").folder


def state(shown: Shown) -> tuple[str, list[tuple[int, int]], str]:
    return shown.page.input_value("#text"), shown.hits(), shown.problem


def is_unasked(shown: Shown) -> bool:
    return state(shown) == ("", [], "") and shown.page.is_hidden("#results")


def test_back_from_the_first_question(browser: Any, disc: Path) -> None:
    shown = Shown(browser, index_of(disc))
    assert len(SHORT) < 1_000 < len(LONG)
    for text in (SHORT, LONG):
        shown.put(text)
        first = state(shown)
        assert first[0] == text
        assert first[1]
        shown.answered(lambda: shown.page.evaluate("history.back()"))
        assert is_unasked(shown)
        assert shown.page.locator("#offers button").count() == 0
        shown.answered(shown.page.go_forward)
        assert state(shown) == first
        shown.answered(lambda: shown.page.evaluate("history.back()"))
    assert shown.said == []
    shown.close()


def test_back_after_a_reload(browser: Any, disc: Path) -> None:
    shown = Shown(browser, index_of(disc))
    before = []
    for text in (SHORT, LONG, OTHER):
        shown.put(text)
        before.append(state(shown))
    for expected in reversed(before):
        shown.page.reload()
        shown.page.wait_for_selector("#hits > li")
        shown.page.wait_for_function("document.documentElement.dataset.answered")
        assert state(shown) == expected
        shown.answered(lambda: shown.page.evaluate("history.back()"))
    assert is_unasked(shown)
    assert shown.said == []
    shown.close()


def test_back_from_a_text_after_a_reload(browser: Any, disc: Path) -> None:
    """Back finds the question again, also a text that is too long for an address."""
    shown = Shown(browser, index_of(disc))
    shown.put(LONG)
    before = state(shown)
    shown.page.evaluate("location.hash = 'id=doc-11'")
    shown.page.wait_for_selector("#reading:not([hidden])")
    shown.page.reload()
    shown.page.wait_for_selector("#reading:not([hidden])")
    shown.answered(lambda: shown.page.evaluate("history.back()"))
    assert state(shown) == before
    shown.answered(lambda: shown.page.evaluate("history.back()"))
    assert is_unasked(shown)
    shown.close()


@pytest.mark.parametrize("address", ["#d=7", "#q=alice%20walks&as=x&probes=3", "#q=a%20b%20c"])
def test_an_address_that_is_asked_is_one_step_of_the_history(
    browser: Any, disc: Path, address: str
) -> None:
    """Whatever address its question gets: one back is where the visitor came from."""
    shown = Shown(browser, index_of(disc))
    shown.put(SHORT)
    before, length = state(shown), shown.page.evaluate("history.length")
    shown.answered(lambda: shown.page.evaluate("(to) => { location.hash = to; }", address))
    assert shown.page.evaluate("history.length") == length + 1
    shown.answered(lambda: shown.page.evaluate("history.back()"))
    assert state(shown) == before
    shown.close()


def test_a_document_of_a_collection_that_there_is_not(browser: Any, disc: Path) -> None:
    shown = Shown(browser, f"{index_of(disc)}#d=3&c=7")
    shown.page.wait_for_selector("#problem:not(:empty)")
    assert "no such collection" in shown.problem
    shown.close()


def focused(shown: Shown) -> str:
    found: str = shown.page.evaluate(
        "() => new Promise((done) => requestAnimationFrame(() => setTimeout(() =>"
        " done(document.activeElement.id || document.activeElement.textContent))))"
    )
    return found


def test_a_question_that_fails_keeps_the_focus(browser: Any, disc: Path) -> None:
    shown = Shown(browser, index_of(disc))
    page = shown.page
    page.fill("#text", "one two")
    page.focus("#find")
    shown.answered(lambda: page.keyboard.press("Enter"))  # searched for
    assert shown.problem == ""
    page.focus("#offers button")
    shown.answered(lambda: page.keyboard.press("Enter"))
    assert shown.problem.startswith("With fewer than 5 usable words")
    assert focused(shown) == "find"  # the button that was pressed is gone
    page.evaluate("document.getElementById('text').value = '- '.repeat(40)")
    shown.answered(lambda: page.keyboard.press("Enter"))
    assert shown.problem != ""
    assert focused(shown) == "find"
    page.focus("#text")
    shown.answered(lambda: page.keyboard.press("Control+Enter"))
    assert focused(shown) == "text"
    assert shown.said == []
    shown.close()
