"""Titles looked up on a disc's page as a visitor types, and what is like the document that was
chosen.
"""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pocketindex
import pytest
from pages import Shown, index_of, native, quiet, served
from pocketindex.builder import Settings as BuildSettings
from pocketindex.builder import build
from pocketindex.builder.page.folder import write

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def titled(collection: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Files with titles, one that keeps no texts and one that keeps them."""
    folder = tmp_path_factory.mktemp("titled")
    for keep in ("none", "text"):
        build(
            [str(collection)],
            folder / f"{keep}.pocket",
            BuildSettings(profile="learn", keep=keep, titles=True),
        )
    return {keep: folder / f"{keep}.pocket" for keep in ("none", "text")}


def proposed(shown: Shown, text: str) -> list[str]:
    """Type it, and wait until the page has looked it up."""
    shown.page.fill("#title", "")
    shown.page.type("#title", text)
    shown.page.wait_for_function(
        "text => document.getElementById('proposals').dataset.of === text", arg=text
    )
    return shown.texts("#proposals [role=option]")


@pytest.mark.parametrize("way", ["folder", "picked", "served"])
def test_proposals(
    way: str, browser: Any, titled: dict[str, Path], pocket: Path, tmp_path: Path
) -> None:
    path = titled["none"]
    folder = write([str(pocket if way == "picked" else path)], tmp_path / "out").folder
    with served(path) if way == "served" else nullcontext(index_of(folder)) as url:
        shown = Shown(browser, url)
        assert shown.page.is_hidden("#title") == (way == "picked")
        if way == "picked":
            shown.page.set_input_files("#pocket", path)
            shown.page.wait_for_selector("#status:has-text('is open')")
        with pocketindex.open(path) as index:
            for text in ("DOCUMENT 1", "document", "dócument 299 ubersicht", "Document 1 — "):
                assert proposed(shown, text) == [record.title for record in index.titles(text, 8)]
            assert proposed(shown, "zebra") == []
            assert shown.page.inner_text("#status") == "No title begins with this."

            proposed(shown, "document 12")
            shown.answered(lambda: shown.page.click("#proposals li:nth-child(3)"))
            chosen = index.titles("document 12", 3)[2]
            others = index.like(chosen, 19)
        assert shown.hits() == [
            (chosen.number, 10_000),
            *((hit.number, round(hit.similarity * 10_000)) for hit in others),
        ]
        assert shown.page.input_value("#title") == chosen.title
        assert shown.page.locator("#hits details").count() == 0
        assert shown.page.inner_text("#effort").startswith(
            "By the stored features of the document, "
        )
        if way != "picked":
            assert shown.page.evaluate("location.hash") == f"#d={chosen.number}"
            again = Shown(browser, shown.page.url)
            again.page.wait_for_selector("#hits > li")
            assert again.hits() == shown.hits()
            again.close()
        quiet(shown, url.removesuffix("index.html"))
        shown.close()


def test_a_document_with_its_text_is_asked_by_it(
    browser: Any, titled: dict[str, Path], tmp_path: Path
) -> None:
    shown = Shown(browser, index_of(write([str(titled["text"])], tmp_path / "out").folder))
    proposed(shown, "Document 17 ")
    shown.answered(lambda: shown.page.press("#title", "Enter"))
    with pocketindex.open(titled["text"]) as index:
        text = index.text(17)
    assert text
    assert shown.page.input_value("#text") == text
    assert shown.hits() == native(titled["text"], [text])[0]
    shown.close()


def test_by_keyboard(browser: Any, titled: dict[str, Path], tmp_path: Path) -> None:
    """The keys and the attributes of a combobox."""
    shown = Shown(browser, index_of(write([str(titled["none"])], tmp_path / "out").folder))
    page = shown.page
    field = page.get_by_role("combobox", name="Or begin with a title of the collection")
    titles = proposed(shown, "document 2")
    assert field.get_attribute("aria-expanded") == "true"
    assert page.get_by_role("option").all_inner_texts() == titles
    for key, active in (
        ("ArrowDown", 0),
        ("ArrowDown", 1),
        ("ArrowUp", 0),
        ("ArrowUp", 7),
        ("ArrowDown", 0),
        ("ArrowDown", 1),
    ):
        page.keyboard.press(key)
        assert page.evaluate("document.activeElement.id") == "title"
        assert page.get_by_role("option", selected=True).all_inner_texts() == [titles[active]]
        assert field.get_attribute("aria-activedescendant") == page.get_by_role(
            "option", selected=True
        ).get_attribute("id")
    shown.answered(lambda: page.keyboard.press("Enter"))
    assert shown.shown()[0][0] == titles[1]
    assert page.evaluate("document.activeElement.id") == "results"
    assert (field.get_attribute("aria-expanded"), field.get_attribute("aria-activedescendant")) == (
        "false",
        None,
    )

    proposed(shown, "document 2")
    page.keyboard.press("Escape")
    assert (page.is_hidden("#proposals"), page.input_value("#title")) == (True, "document 2")
    page.keyboard.press("Escape")
    assert page.input_value("#title") == ""
    proposed(shown, "document 2")
    page.keyboard.press("Tab")
    assert page.is_hidden("#proposals")
    shown.close()


def test_damage_is_said_and_unknown_numbers(
    browser: Any, titled: dict[str, Path], tmp_path: Path
) -> None:
    folder = write([str(titled["none"])], tmp_path / "out").folder
    for path in (folder / "c0" / "n00").iterdir():
        path.write_text("")
    shown = Shown(browser, index_of(folder))
    shown.page.type("#title", "d")
    shown.page.wait_for_selector("#problem:not(:empty)")
    assert (
        shown.problem == "The file c0/n00/n0000.js is damaged. Copy or download the folder again."
    )
    shown.answered(lambda: shown.page.evaluate("location.hash = '#d=300'"))
    assert shown.problem.startswith("“none” has no such document.")
    shown.close()
