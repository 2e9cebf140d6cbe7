"""A disc that was served once works with the server stopped; what is kept is said, and goes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pocketindex
import pytest
from made_up import made_up
from pages import Shown, index_of, served
from pocketindex.builder.page.folder import Settings, write
from static_server import serving

pytestmark = pytest.mark.browser

INDEX = ("documents", "passages", "words")
KEPT = "() => document.getElementById('offline-act').textContent.startsWith('Remove')"
CACHES = """async () => {
  const found = {};
  for (const name of await caches.keys()) {
    const all = await (await caches.open(name)).keys();
    found[name] = all.map(({ url }) => new URL(url).pathname);
  }
  return found;
}"""
WORKERS = "async () => (await navigator.serviceWorker.getRegistrations()).length"


def built(folder: Path, name: str, first: int) -> Path:
    path = folder / f"{name}.pocket"
    rows = made_up(30 + first)[first:]
    pocketindex.build(rows, path, index=INDEX, keep="text", titles=True, progress=False)
    return path


@pytest.fixture
def disc(tmp_path: Path) -> Path:
    return write([str(built(tmp_path, "first", 0))], tmp_path / "out").folder


def opened(browser: Any, url: str) -> Shown:
    return Shown(browser, f"{url}index.html")


def kept(shown: Shown) -> None:
    """Ask, and wait until all is kept."""
    shown.put(" ".join(made_up(9)[3]["text"].split()[-30:]))
    shown.page.wait_for_function(KEPT, timeout=60_000)


def again(shown: Shown) -> None:
    shown.page.reload()
    shown.page.wait_for_selector("#ask:not([hidden])")


def test_with_the_server_stopped_all_is_there(browser: Any, disc: Path) -> None:
    with serving(disc, False) as server:
        shown = opened(browser, server.url)
        kept(shown)
        said = shown.page.inner_text("#offline-said")
        assert said.startswith("This page also works offline: this browser keeps ")
    again(shown)
    # Nothing of this was asked for while there was a server.
    text = made_up(30)[21]["text"]
    shown.put(" ".join(text.split()[-30:]))
    assert shown.texts("#sources h3") == [made_up(30)[21]["title"]]
    shown.put(text.split()[-2])
    shown.page.click("#hits h3 a")
    shown.page.wait_for_selector("#read-text p")
    assert text.split()[-2] in shown.texts("#read-text")[0]
    assert shown.page.inner_text("#offline-said") == said
    shown.close()


def test_the_address_of_the_folder_leads_to_the_page(browser: Any, disc: Path) -> None:
    with serving(disc, False) as server:
        shown = opened(browser, server.url)
        kept(shown)
    shown.page.goto(server.url)
    shown.page.wait_for_selector("#ask:not([hidden])")
    shown.close()


def test_a_new_edition_replaces_the_old_one(browser: Any, disc: Path, tmp_path: Path) -> None:
    new = built(tmp_path, "second", 15)
    with serving(disc, False) as server:
        shown = opened(browser, server.url)
        kept(shown)
        (before,) = shown.page.evaluate(CACHES)
        write([str(new)], disc, Settings(force=True))
        again(shown)
        assert shown.texts("#holds li")[0].startswith("second ")
        kept(shown)
        ((after, files),) = shown.page.evaluate(CACHES).items()
        assert after != before
        assert after.split(" ")[0] == server.url
    own = json.loads((disc / "manifest.json").read_bytes())["files"]
    assert set(files) == {f"/{name}" for name in own} - {"/readme.txt", "/offline.js"}
    again(shown)
    assert shown.texts("#holds li")[0].startswith("second ")
    shown.put(" ".join(made_up(45)[40]["text"].split()[-30:]))
    assert shown.texts("#sources h3") == [made_up(45)[40]["title"]]
    shown.close()


def test_an_edition_that_is_not_whole_leaves_the_old_one(
    browser: Any, disc: Path, tmp_path: Path
) -> None:
    """A file of the new one is missing: the old one is kept on, and works."""
    new = built(tmp_path, "second", 15)
    with serving(disc, False) as server:
        shown = opened(browser, server.url)
        kept(shown)
        (before,) = shown.page.evaluate(CACHES)
        write([str(new)], disc, Settings(force=True))
        sorted(disc.glob("c0/p*/*.js"))[-1].unlink()
        again(shown)
        shown.put(made_up(30)[20]["text"].split()[-2])
        shown.page.wait_for_selector("#offline-said:has-text('The page could not be kept')")
        assert list(shown.page.evaluate(CACHES)) == [before]
    again(shown)
    assert shown.texts("#holds li")[0].startswith("first ")
    shown.close()


def test_what_is_kept_can_be_removed(browser: Any, disc: Path) -> None:
    with serving(disc, False) as server:
        shown = opened(browser, server.url)
        kept(shown)
        shown.page.click("#offline-act")
        shown.page.wait_for_selector("#offline-said:has-text('Removed.')")
        assert shown.page.evaluate(CACHES) == {}
        assert shown.page.evaluate(WORKERS) == 0
        shown.page.click("#offline-act")
        shown.page.wait_for_function(KEPT)
        assert len(shown.page.evaluate(CACHES)) == 1
    shown.close()


def test_a_large_disc_is_kept_when_the_visitor_wants_it(browser: Any, disc: Path) -> None:
    page = disc / "index.html"
    text = page.read_text(encoding="utf-8")
    data = text[text.index('"offline":{') :]
    bytes_of = data[data.index('"bytes":') : data.index("}")]
    page.write_text(text.replace(bytes_of, '"bytes":8000001'), encoding="utf-8")
    with serving(disc, False) as server:
        shown = opened(browser, server.url)
        shown.put(made_up(9)[3]["text"])
        shown.page.wait_for_timeout(3_000)
        assert shown.page.evaluate(CACHES) == {}
        assert shown.page.evaluate(WORKERS) == 0
        offer = "Keep this page for offline use (8 MB)"
        assert shown.page.inner_text("#offline-act") == offer
        shown.page.click("#offline-act")
        shown.page.wait_for_function(KEPT)
    again(shown)
    shown.close()


def test_two_discs_of_a_server_keep_apart(browser: Any, disc: Path, tmp_path: Path) -> None:
    root = tmp_path / "root"
    for name, first in (("one", 0), ("two", 15)):
        write([str(built(tmp_path, name, first))], root / name)
    with serving(root, False) as server:
        shown = opened(browser, f"{server.url}one/")
        kept(shown)
        shown.page.goto(f"{server.url}two/index.html")
        kept(shown)
        assert len(shown.page.evaluate(CACHES)) == 2
        shown.page.click("#offline-act")
        shown.page.wait_for_selector("#offline-said:has-text('Removed.')")
        ((name, _),) = shown.page.evaluate(CACHES).items()
        assert name.split(" ")[0] == f"{server.url}one/"
    shown.page.goto(f"{server.url}one/index.html")
    shown.page.wait_for_selector("#ask:not([hidden])")
    shown.close()


def test_nothing_is_kept_from_a_folder_and_of_serve(
    browser: Any, disc: Path, tmp_path: Path
) -> None:
    shown = Shown(browser, index_of(disc))
    shown.put(made_up(9)[3]["text"])
    shown.page.wait_for_timeout(2_500)
    assert shown.page.is_hidden("#offline")
    shown.close()
    with served(tmp_path / "first.pocket") as url:
        shown = Shown(browser, url)
        shown.put(made_up(9)[3]["text"])
        shown.page.wait_for_timeout(2_500)
        assert shown.page.is_hidden("#offline")
        assert shown.page.evaluate(CACHES) == {}
        assert shown.page.evaluate(WORKERS) == 0
        shown.close()
