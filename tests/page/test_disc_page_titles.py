"""Titles looked up on a disc's page as a visitor types, and what is like the document that was
chosen.
"""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pocketindex
import pytest
from pages import Shown, index_of, quiet, served
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
    shown.page.fill("#text", "")
    shown.answered(lambda: shown.page.fill("#text", text))
    return shown.texts("#named li")


@pytest.mark.parametrize("way", ["folder", "picked", "served"])
def test_proposals(
    way: str, browser: Any, titled: dict[str, Path], pocket: Path, tmp_path: Path
) -> None:
    path = titled["none"]
    folder = write([str(pocket if way == "picked" else path)], tmp_path / "out").folder
    with served(path) if way == "served" else nullcontext(index_of(folder)) as url:
        shown = Shown(browser, url)
        if way == "picked":
            shown.page.fill("#text", "document 1")
            shown.page.wait_for_timeout(400)
            assert shown.page.is_hidden("#results")
            shown.page.fill("#text", "")
            shown.page.set_input_files("#pocket", path)
            shown.page.wait_for_selector("#status:has-text('is open')")
        with pocketindex.open(path) as index:
            for text in ("DOCUMENT 1", "d", "dócument 299 ubersicht", "Document 1 — "):
                assert proposed(shown, text) == [record.title for record in index.titles(text, 20)]
            assert proposed(shown, "zebra") == []
            assert shown.page.inner_text("#found") == "No title begins with this"

            proposed(shown, "document 12")
            shown.page.click("#named li:nth-child(3) a")
            shown.page.locator("#read-like").scroll_into_view_if_needed()
            shown.page.wait_for_selector("#like li, #like-note:not(:empty)")
            chosen = index.titles("document 12", 3)[2]
            others = [hit for hit in index.like(chosen, 9) if hit.number != chosen.number]
        assert shown.texts("#read-title") == [chosen.title]
        assert shown.texts("#like a") == [hit.title for hit in others[:8]]
        shown.answered(lambda: shown.page.click("#alike"))
        assert shown.hits()[0] == (chosen.number, 10_000)
        assert shown.page.inner_text("#effort").startswith(
            "By the stored features of the document, "
        )
        quiet(shown, url.removesuffix("index.html"))
        shown.close()


def test_damage_is_said_and_unknown_numbers(
    browser: Any, titled: dict[str, Path], tmp_path: Path
) -> None:
    folder = write([str(titled["none"])], tmp_path / "out").folder
    for path in (folder / "c0" / "n00").iterdir():
        path.write_text("")
    shown = Shown(browser, index_of(folder))
    shown.page.type("#text", "d")
    shown.page.wait_for_selector("#problem:not(:empty)")
    assert (
        shown.problem == "The file c0/n00/n0000.js is damaged. Copy or download the folder again."
    )
    shown.answered(lambda: shown.page.evaluate("location.hash = '#d=300'"))
    assert shown.problem.startswith("“none” has no such document.")
    shown.close()
