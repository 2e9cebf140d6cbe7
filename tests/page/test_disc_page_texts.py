"""What a disc's page shows of the hits' texts, from files that keep snippets or whole texts."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pocketindex
import pytest
from made_up import made_up
from pages import Shown, index_of, native, quiet, served
from pocketindex.builder import Settings as BuildSettings
from pocketindex.builder import build
from pocketindex.builder.page.folder import Settings, write
from test_disc_page_damage import rewritten

pytestmark = pytest.mark.browser

OWN = "Meanwhile a stranger came up the stairs. "
EDITED = made_up(300)[5]["text"].replace(". ", f". {OWN}", 2)


@pytest.fixture(scope="module")
def kept(collection: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A file that keeps snippets and one that keeps texts."""
    folder = tmp_path_factory.mktemp("kept")
    for keep in ("snippet", "text"):
        build(
            [str(collection)], folder / f"{keep}.pocket", BuildSettings(profile="learn", keep=keep)
        )
    return {keep: folder / f"{keep}.pocket" for keep in ("snippet", "text")}


def test_snippets(browser: Any, kept: dict[str, Path], tmp_path: Path) -> None:
    folder = write([str(kept["snippet"])], tmp_path / "out").folder
    shown = Shown(browser, index_of(folder))
    assert shown.ask(EDITED) == native(kept["snippet"], [EDITED])[0]
    with pocketindex.open(kept["snippet"]) as index:
        assert shown.texts(".excerpt") == [index.snippet(number) for number, _ in shown.hits()]
    assert shown.page.locator("#hits mark").count() == 0
    quiet(shown, folder.as_uri())
    shown.close()


@pytest.mark.parametrize("way", ["folder", "picked", "served"])
def test_common_passages(way: str, browser: Any, kept: dict[str, Path], tmp_path: Path) -> None:
    """Marked in the excerpt, and listed under Why."""
    folder = write([str(kept["snippet" if way == "picked" else "text"])], tmp_path / "out").folder
    with served(kept["text"]) if way == "served" else nullcontext(index_of(folder)) as url:
        shown = Shown(browser, url)
        if way == "picked":
            shown.page.set_input_files("#pocket", kept["text"])
            shown.page.wait_for_selector("#status:has-text('is open')")
        hits = shown.ask(EDITED)
        shown.page.click("#hits > li:first-child summary")
        shown.page.wait_for_selector(".why li")
        quotes, marked = (
            shown.texts(f"#hits > li:first-child {place}")
            for place in (".quotes li", ".excerpt mark")
        )
        excerpt = shown.texts(".excerpt")[0]
        quiet(shown, url.removesuffix("index.html"))
        shown.close()
    with pocketindex.open(kept["text"]) as index:
        text = index.text(hits[0][0]) or ""
    longest = max(EDITED.split(OWN), key=len).strip(" .")

    assert hits == native(kept["text"], [EDITED])[0]
    assert longest in quotes[0]
    assert quotes[0] in EDITED
    assert len(quotes) <= 3
    assert marked
    assert all(mark in text for mark in marked)
    assert any(mark[:60] in longest or longest[:60] in mark for mark in marked)
    assert "stranger" not in excerpt
    assert excerpt.strip("… ") in text


def test_damage_in_the_texts_leaves_the_hits(
    browser: Any, kept: dict[str, Path], tmp_path: Path
) -> None:
    folder = write([str(kept["text"])], tmp_path / "out", Settings(title="Damaged")).folder
    for path in (folder / "c0" / "t00").iterdir():
        script = rewritten(
            path.read_bytes().decode("latin-1"), lambda data: bytes(byte ^ 1 for byte in data)
        )
        path.write_bytes(script.encode("latin-1"))
    shown = Shown(browser, index_of(folder))
    # As in a file that keeps no texts: with them, they decide the similarity.
    assert shown.ask(EDITED) == native(kept["snippet"], [EDITED])[0]
    assert shown.problem.startswith(
        "The file c0/t00/t0000.js is damaged. Copy or download the folder again."
    )
    assert set(shown.texts(".excerpt")) == {""}
    shown.close()
