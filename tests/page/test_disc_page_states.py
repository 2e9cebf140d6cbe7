"""A disc's page in every state: no rule of WCAG 2.2 AA or of good practice that axe-core can check
is broken, and it fits its window.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from looked_over import AXE, RULES, RUN, VIEWS, shots_of
from made_up import made_up
from pages import Shown, index_of
from pocketindex.builder import Settings as BuildSettings
from pocketindex.builder import build
from pocketindex.builder.page import cut
from pocketindex.builder.page import folder as disc
from pocketindex.builder.page.folder import Settings, write
from pocketindex.builder.page.page import BROWSERS

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def full(collection: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A disc with all that there can be: two collections, texts, titles."""
    folder = tmp_path_factory.mktemp("full")
    for name, keep in (("first", "text"), ("second", "snippet")):
        build(
            [str(collection)],
            folder / f"{name}.pocket",
            BuildSettings(profile="learn", keep=keep, titles=True),
        )
    return write(
        [str(folder / "first.pocket"), str(folder / "second.pocket")],
        folder / "out",
        Settings(title="Everything"),
    ).folder


# What browsers lack that are too old: Chrome up to 102 throws so, Firefox up to 112 knows no such
# name.
OLD = {
    "no raw deflate": """window.DecompressionStream = class { constructor(format) {
      if (format === "deflate-raw") throw new TypeError("Unsupported compression format: 'deflate-raw'");
    } }""",
    "no DecompressionStream": "delete window.DecompressionStream",
    "no WebAssembly": "delete window.WebAssembly",
}


@pytest.fixture(scope="module")
def alone(collection: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One collection in many shards, which is loaded once."""
    folder = tmp_path_factory.mktemp("alone")
    build([str(collection)], folder / "a.pocket", BuildSettings(profile="learn", keys_per_part=20))
    small = tuple(replace(kind, smallest=1) for kind in cut.KINDS)
    with pytest.MonkeyPatch.context() as patch:
        for module in (cut, disc):
            patch.setattr(module, "KINDS", small)
        return write([str(folder / "a.pocket")], folder / "out", Settings()).folder


def results(shown: Shown) -> None:
    shown.ask(
        made_up(300)[5]["text"].replace(". ", ". Meanwhile a stranger came up the stairs. ", 2)
    )
    shown.page.click("#hits > li:first-child summary")
    shown.page.wait_for_selector(".why li")


def titles(shown: Shown) -> None:
    shown.page.type("#text", "document")
    shown.page.wait_for_selector("#named a")
    shown.page.keyboard.press("ArrowDown")


STATES: dict[str, Callable[[Shown], object]] = {
    "start": lambda shown: None,
    "results": results,
    "titles": titles,
    "nothing": lambda shown: shown.ask(
        "entirely other matters: quantum chromodynamics, gluons, lattices, confinement"
    ),
    "problem": lambda shown: shown.ask("too short"),
    "loading": lambda shown: shown.page.evaluate(
        "Object.assign(document.getElementById('loading'), { hidden: false, max: 9, value: 4 })"
    ),
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


@pytest.mark.parametrize("lacking", OLD)
def test_an_old_browser_is_told_which_it_has_to_be(lacking: str, browser: Any, full: Path) -> None:
    page = browser.new_page()
    page.add_init_script(OLD[lacking])
    page.goto(index_of(full))
    page.wait_for_selector("#old:not([hidden])")

    assert page.inner_text("#old") == (
        f"This page needs JavaScript, WebAssembly and one of these browsers: {BROWSERS} or newer."
    )
    assert page.inner_text("#problem") == ""
    assert page.is_hidden("#ask")
    page.close()


def test_a_new_browser_is_told_nothing(browser: Any, full: Path) -> None:
    shown = Shown(browser, index_of(full))

    assert shown.page.is_hidden("#old")
    shown.close()


def test_the_line_of_loading_goes_when_it_is_done(browser: Any, alone: Path) -> None:
    """A visitor who types and does not ask yet."""
    shown = Shown(browser, index_of(alone))
    shown.page.evaluate("""() => {
      window.told = [];
      const status = document.getElementById("status");
      new MutationObserver(() => window.told.push(status.textContent)).observe(status, { childList: true });
    }""")
    shown.page.type("#text", "a beginning")
    shown.page.wait_for_function("() => told.length >= 2 && told.at(-1) === ''", timeout=20_000)

    told = shown.page.evaluate("told")
    assert told[0].startswith("Loading, only once: ")
    assert shown.page.is_hidden("#loading")
    shown.ask(made_up(300)[5]["text"])
    assert shown.page.inner_text("#status").endswith(("similar text", "similar texts"))
    shown.close()


def test_loading_that_fails_leaves_no_line(browser: Any, alone: Path, tmp_path: Path) -> None:
    """The last look-up shard is missing; the question says so."""
    copy = tmp_path / "copy"
    shutil.copytree(alone, copy)
    sorted(copy.glob("c0/l*/*.js"))[-1].unlink()
    shown = Shown(browser, index_of(copy))
    shown.page.focus("#text")
    shown.page.wait_for_timeout(1_000)

    assert shown.page.inner_text("#status") == ""
    assert shown.page.is_hidden("#loading")
    shown.ask("some words that nobody has ever asked before here")
    assert "cannot be loaded" in shown.problem
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


def test_no_state_is_wider_than_its_window_and_screenshots(
    browser: Any, full: Path, tmp_path: Path
) -> None:
    """POCKETINDEX_SCREENSHOTS: a folder to look at them in."""
    folder = shots_of(browser, tmp_path)
    for view, options in VIEWS.items():
        for state, reach in STATES.items():
            shown = Shown(browser, index_of(full), **options)
            reach(shown)
            assert shown.page.evaluate("document.documentElement.scrollWidth <= innerWidth"), (
                view,
                state,
            )
            shown.page.screenshot(path=folder / f"{view}-{state}.png", full_page=True)
            shown.close()
    assert all((folder / f"{v}-{s}.png").is_file() for v in VIEWS for s in STATES)
