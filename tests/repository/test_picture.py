"""The picture of the page in the README: what a visitor sees, from the page as it is.

POCKETINDEX_PICTURE=docs/images/page.png writes it there; without, the test asks the same and keeps
nothing. `make picture` does the former.
"""

from __future__ import annotations

import importlib
import os
from pathlib import Path

import pytest
from pages import PASTE, Shown, index_of, launched
from pocketindex.builder import Settings as BuildSettings
from pocketindex.builder import build
from pocketindex.builder.page.folder import Settings, write
from python_documentation import python_documentation

pytestmark = pytest.mark.browser

MODULES = ["heapq", "bisect", "queue", "sched", "collections", "array", "graphlib"]
MODULES += ["functools", "itertools", "random"]
# Other words for some of the document's own, so that the picture shows an edited text.
REPLACED = {"element": "member", "priority": "urgency", "usual": "common", "list": "row"}


def draft() -> str:
    """The documentation of heapq without its first words, some of the others replaced."""
    text = " ".join((importlib.import_module("heapq").__doc__ or "").split()[5:])
    for old, new in REPLACED.items():
        text = text.replace(old, new)
    return text


def test_the_picture(tmp_path: Path) -> None:
    pocket = tmp_path / "python.pocket"
    template = "https://docs.python.org/3/search.html?q={id}"
    source = python_documentation(tmp_path / "python.jsonl", *MODULES)
    build(source, pocket, BuildSettings(profile="en", keep="text", url_template=template))
    titled = Settings(title="The documentation of Python")
    folder = write([str(pocket)], tmp_path / "out", titled).folder
    with launched("chromium") as browser:
        shown = Shown(browser, index_of(folder), viewport={"width": 960, "height": 940})
        shown.page.evaluate(PASTE, draft())
        shown.answered(lambda: shown.page.click("#find"))
        shown.page.wait_for_timeout(300)  # the passages come after the hits
        shown.page.evaluate("scrollTo(0, 0)")
        assert shown.shown()[0][0] == "heapq"
        assert shown.problem == ""
        target = os.environ.get("POCKETINDEX_PICTURE", str(tmp_path / "page.png"))
        shown.page.screenshot(path=target)
        assert Path(target).stat().st_size > 10_000
        shown.close()
