"""A disc's page in every state: no rule of WCAG 2.2 AA or of good practice that axe-core can check is broken, and it fits its window."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from made_up import made_up
from pages import Shown, index_of
from pocketindex.builder import Settings as BuildSettings
from pocketindex.builder import build
from pocketindex.builder.disc.folder import Settings, write

pytestmark = pytest.mark.browser

AXE = Path(sys.prefix) / "npm" / "node_modules" / "axe-core" / "axe.min.js"
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
RUN = """async (rules) => {
  const { violations, passes } = await axe.run(document, { runOnly: rules });
  return [violations.map(({ id, nodes }) => [id, ...nodes.map((node) => node.html)]), passes.length];
}"""
VIEWS: dict[str, dict[str, Any]] = {
    "desk": {"viewport": {"width": 1100, "height": 900}},
    "dark": {"viewport": {"width": 1100, "height": 900}, "color_scheme": "dark"},
    "phone": {"viewport": {"width": 320, "height": 700}},
}


@pytest.fixture(scope="module")
def full(collection: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A disc with all that there can be: two collections, texts, titles."""
    folder = tmp_path_factory.mktemp("full")
    for name, keep in (("first", "text"), ("second", "snippet")):
        build([str(collection)], folder / f"{name}.pocket", BuildSettings(profile="learn", keep=keep, titles=True, shared_bits=64))
    return write([str(folder / "first.pocket"), str(folder / "second.pocket")], folder / "out", Settings(title="Everything")).folder


def results(shown: Shown) -> None:
    shown.ask(made_up(300)[5]["text"].replace(". ", ". Meanwhile a stranger came up the stairs. ", 2))
    shown.page.click("#hits > li:first-child summary")
    shown.page.wait_for_selector(".why li")


def titles(shown: Shown) -> None:
    shown.page.type("#title", "document")
    shown.page.wait_for_selector("#proposals [role=option]")
    shown.page.keyboard.press("ArrowDown")


STATES: dict[str, Callable[[Shown], object]] = {
    "start": lambda shown: None,
    "results": results,
    "titles": titles,
    "nothing": lambda shown: shown.ask("entirely other matters: quantum chromodynamics, gluons, lattices, confinement"),
    "problem": lambda shown: shown.ask("too short"),
    "loading": lambda shown: shown.page.evaluate("Object.assign(document.getElementById('loading'), { hidden: false, max: 9, value: 4 })"),
}


@pytest.mark.parametrize("view", VIEWS)
def test_no_rule_is_broken(view: str, browser: Any, full: Path) -> None:
    if not AXE.exists():
        pytest.skip("needs axe-core (make test-browser fetches it)")
    for state, reach in STATES.items():
        shown = Shown(browser, index_of(full), **VIEWS[view])
        shown.page.evaluate(AXE.read_text(encoding="utf-8"))
        reach(shown)
        violations, passed = shown.page.evaluate(RUN, RULES)
        assert violations == [], state
        assert passed > 15
        shown.close()


def test_it_finds_what_is_wrong(browser: Any, full: Path) -> None:
    """The rules do run."""
    if not AXE.exists():
        pytest.skip("needs axe-core (make test-browser fetches it)")
    shown = Shown(browser, index_of(full))
    shown.page.evaluate(AXE.read_text(encoding="utf-8"))
    shown.page.evaluate("document.documentElement.removeAttribute('lang')")
    violations, _ = shown.page.evaluate(RUN, RULES)
    assert "html-has-lang" in [rule for rule, *_ in violations]
    shown.close()


def test_no_state_is_wider_than_its_window_and_screenshots(browser: Any, full: Path, tmp_path: Path) -> None:
    """POCKETINDEX_SCREENSHOTS: a folder to look at them in."""
    folder = Path(os.environ.get("POCKETINDEX_SCREENSHOTS", tmp_path)) / browser.browser_type.name
    for view, options in VIEWS.items():
        for state, reach in STATES.items():
            shown = Shown(browser, index_of(full), **options)
            reach(shown)
            assert shown.page.evaluate("document.documentElement.scrollWidth <= innerWidth"), (view, state)
            shown.page.screenshot(path=folder / f"{view}-{state}.png", full_page=True)
            shown.close()
    assert len(list(folder.glob("*.png"))) == len(VIEWS) * len(STATES)
