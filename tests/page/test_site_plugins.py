"""The plugins for MkDocs and Sphinx: the element is where the theme's search was, and finds."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from places import ROOT
from searched_site import Visitor
from static_server import serving

pytestmark = pytest.mark.browser

CONFIGURATION = """site_name: Island line
site_url: https://example.org/line/
theme: {theme}
use_directory_urls: false
plugins: [{plugins}]
"""
CONF = (
    'project = "Island line"\nextensions = ["pocketindex.plugins.sphinx"]\nhtml_theme = "{theme}"\n'
)
PAGES = {
    "index": ("Welcome", "Of ships.", "A ferry", "The ferry leaves."),
    "guide/harbour": ("Harbour", "The harbour.", "Prices", "Four crowns for the ferry."),
}


def made_by(*command: str, folder: Path) -> str:
    """Run a generator in a folder; what it says."""
    quiet = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    done = subprocess.run(
        [sys.executable, "-m", *command], cwd=folder, capture_output=True, text=True, env=quiet
    )
    assert done.returncode == 0, done.stderr
    return done.stdout + done.stderr


def mkdocs(folder: Path, theme: str, plugins: str = "pocketindex") -> str:
    """Build a site of two pages in folder/site."""
    pytest.importorskip("mkdocs", reason="needs mkdocs (pip install --group docs)")
    for name, (title, text, heading, more) in PAGES.items():
        page = folder / "docs" / f"{name}.md"
        page.parent.mkdir(parents=True, exist_ok=True)
        page.write_text(f"# {title}\n\n{text}\n\n## {heading}\n\n{more}\n")
    (folder / "mkdocs.yml").write_text(CONFIGURATION.format(theme=theme, plugins=plugins))
    return made_by("mkdocs", "build", folder=folder)


def sphinx(folder: Path, theme: str) -> str:
    """Build a site of two pages in folder/site; a warning is an error."""
    pytest.importorskip("sphinx", reason="needs sphinx (pip install --group sphinx)")
    for name, (title, text, heading, more) in PAGES.items():
        page = folder / f"{name}.rst"
        page.parent.mkdir(parents=True, exist_ok=True)
        tree = ".. toctree::\n\n   guide/harbour\n\n" if name == "index" else ""
        page.write_text(f"{title}\n{'=' * 9}\n\n{text}\n\n{tree}{heading}\n{'-' * 9}\n\n{more}\n")
    (folder / "conf.py").write_text(CONF.format(theme=theme))
    return made_by("sphinx", "-q", "-W", "-b", "html", ".", "site", folder=folder)


@contextmanager
def asked(browser: Any, url: str, text: str) -> Iterator[Visitor]:
    visitor = Visitor(browser, url)
    visitor.search(text)
    yield visitor
    visitor.close()


@pytest.mark.parametrize(
    ("build", "theme"),
    [
        *((mkdocs, theme) for theme in ("material", "mkdocs", "readthedocs")),
        *((sphinx, theme) for theme in ("alabaster", "classic")),
    ],
)
def test_the_search_of_a_theme_is_replaced(
    build: Any, theme: str, browser: Any, tmp_path: Path
) -> None:
    build(tmp_path, theme)
    page = tmp_path / "site" / "guide" / "harbour.html"

    assert page.read_text().count("<pocket-search>") == 1
    with asked(browser, page.as_uri(), "ferry") as visitor:
        assert {"A ferry", "Prices"} <= set(visitor.texts("place-link"))
        assert visitor.page.locator("form:visible").count() <= 1  # the element's own
    files = {path.name for path in (tmp_path / "site").rglob("*")}
    assert files.isdisjoint({"searchindex.js", "search_index.json"})


def test_a_page_for_errors_has_an_address_that_holds_at_any_depth(tmp_path: Path) -> None:
    mkdocs(tmp_path, "mkdocs")

    text = (tmp_path / "site" / "404.html").read_text()
    assert '<script src="/line/_pocketindex/pocket-search.js" defer></script>' in text


def test_an_unknown_place_and_another_search_are_told(tmp_path: Path) -> None:
    theme = tmp_path / "own"
    theme.mkdir()
    (theme / "main.html").write_text(
        "<html lang=en><head></head><body>{{ page.content }}</body></html>"
    )
    said = mkdocs(tmp_path, "{name: null, custom_dir: own}", "search, pocketindex")

    assert "take “search” out of plugins: its index is loaded beside this one" in said
    assert said.count("put <pocket-search></pocket-search> into its templates (index.html") == 1
    assert "2 pages (en 2)" in said  # whole, because none has a main part


def test_a_site_that_cannot_be_indexed_ends_the_build_with_the_reason(tmp_path: Path) -> None:
    pytest.importorskip("mkdocs", reason="needs mkdocs (pip install --group docs)")
    with pytest.raises(AssertionError, match=r"pocketindex: .*a\[\[.*CSS selector"):
        mkdocs(tmp_path, "mkdocs", 'pocketindex: {root: "a[["}')


@pytest.mark.slow
def test_the_documentation_finds_itself_from_a_folder_and_a_server(
    browser: Any, tmp_path: Path
) -> None:
    pytest.importorskip("material", reason="needs mkdocs-material (pip install --group docs)")
    made_by("mkdocs", "build", "--site-dir", str(tmp_path / "site"), folder=ROOT)
    with serving(tmp_path / "site", False) as server:
        for url in ((tmp_path / "site" / "disc.html").as_uri(), f"{server.url}disc.html"):
            with asked(browser, url, "replacing a disc") as visitor:
                assert visitor.texts("hit-link")[0] == "The page for a browser"
                assert "Replacing a disc" in visitor.texts("place-link")
                assert visitor.said == []
