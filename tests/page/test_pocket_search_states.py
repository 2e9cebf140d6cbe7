"""<pocket-search> in every state: no rule of WCAG 2.2 AA or of good practice that axe-core can check
is broken, and it fits its window. All it can do is done by keys.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from looked_over import AXE, RULES, RUN, shots_of
from searched_site import Visitor, indexed, write_site

pytestmark = pytest.mark.browser

VIEWS: dict[str, dict[str, Any]] = {
    "desk": {"viewport": {"width": 1366, "height": 768}},
    "phone": {"viewport": {"width": 390, "height": 844}},
}
# How each state is reached, and on which page.
STATES: dict[str, tuple[str, Callable[[Visitor], object]]] = {
    "closed": ("index.html", lambda visitor: None),
    "open": ("index.html", lambda visitor: visitor.answered(lambda: visitor.press("/"))),
    "results": ("index.html", lambda visitor: visitor.search("ferry")),
    "dark": ("dark.html", lambda visitor: visitor.search("ferry")),
    "many": ("index.html", lambda visitor: visitor.search("passenger")),
    "notes": ("index.html", lambda visitor: visitor.search("lighthuose xyzzyx")),
    "nothing": ("index.html", lambda visitor: visitor.search("xyzzyx")),
    "filters": ("index.html", lambda visitor: with_filters(visitor)),
    "second": ("index.html", lambda visitor: down(visitor)),
    "german": ("de/s0.html", lambda visitor: visitor.search("insel xyzzyx")),
    "field": ("field.html", lambda visitor: visitor.write("ferry")),
    "field-empty": ("field.html", lambda visitor: None),
    "missing": ("broken.html", lambda visitor: problem(visitor)),
    "related": ("guide/p0.html", lambda visitor: None),
}


def down(visitor: Visitor) -> None:
    """A link of the second page has the focus."""
    visitor.search("ferry")
    visitor.press(*["ArrowDown"] * 7)


def with_filters(visitor: Visitor) -> None:
    """Filters are ticked so that no page is left."""
    visitor.search("ferry")
    fold = visitor.page.get_by_role("button", name="Filters", exact=True)
    if fold.is_visible():
        fold.click()
    visitor.answered(visitor.page.get_by_label("winter").check)


def problem(visitor: Visitor) -> None:
    visitor.press("/")
    visitor.page.wait_for_selector("text=This site has no search index")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = indexed(write_site(tmp_path_factory.mktemp("states") / "site"))
    shutil.copytree(folder / "_pocketindex", folder / "broken")
    (folder / "broken" / "entry.js").unlink()
    text = (folder / "index.html").read_text().replace('="_pocketindex/', '="broken/')
    (folder / "broken.html").write_text(text)
    return folder


@pytest.mark.parametrize("view", VIEWS)
def test_every_state_passes_axe_and_fits(
    view: str, browser: Any, site: Path, tmp_path: Path
) -> None:
    if not AXE.exists():
        pytest.skip("needs axe-core (make test-browser fetches it)")
    for state, (name, reach) in STATES.items():
        visitor = Visitor(browser, (site / name).as_uri(), **VIEWS[view])
        reach(visitor)
        visitor.page.evaluate(AXE.read_text(encoding="utf-8"))
        violations, passed = visitor.page.evaluate(RUN, RULES)
        assert violations == [], state
        assert passed > 12, state
        fits = "document.documentElement.scrollWidth <= innerWidth"
        assert visitor.page.evaluate(fits), state
        visitor.page.screenshot(path=shots_of(browser, tmp_path) / f"search-{view}-{state}.png")
        visitor.close()


@pytest.fixture
def visitor(browser: Any, site: Path) -> Iterator[Visitor]:
    found = Visitor(browser, (site / "index.html").as_uri())
    yield found
    found.close()


def tab_to(visitor: Visitor, name: str, back: bool = False) -> None:
    """Go to what has a name, by the Tab key alone."""
    for _ in range(60):
        visitor.press("Shift+Tab" if back else "Tab")
        label = visitor.page.evaluate(
            """() => {
              const on = document.activeElement?.shadowRoot?.activeElement;
              return on?.closest("label")?.innerText ?? on?.ariaLabel ?? on?.innerText ?? "";
            }"""
        )
        if label.startswith(name):
            return
    pytest.fail(f"no Tab leads to {name}")


def test_the_button_opens_and_has_the_focus_again(visitor: Visitor) -> None:
    visitor.press("Tab")
    visitor.press("Enter")
    visitor.answered(lambda: visitor.page.keyboard.type("ferry"), "ferry")
    assert visitor.focused() == "search"

    visitor.press("Escape")
    assert visitor.focused().startswith("Search")
    visitor.press("Enter")  # what was asked is still there, ready to be replaced
    visitor.answered(lambda: visitor.page.keyboard.type("harbour"), "harbour")
    assert visitor.page.get_by_role("searchbox").input_value() == "harbour"


def test_arrows_lead_from_the_field_to_each_link_and_back(visitor: Visitor) -> None:
    visitor.search("ferry")
    visitor.press("ArrowDown")
    assert visitor.focused() == "Ferry"
    visitor.press("ArrowDown")
    assert visitor.focused() == "Opening hours of the ferry"
    visitor.press("ArrowUp", "ArrowUp")
    assert visitor.focused() == "search"
    visitor.press("ArrowDown", "ArrowDown", "ArrowDown")
    visitor.press("Enter")
    visitor.page.wait_for_url("**/guide/p*.html#prices*")


def test_a_letter_on_a_link_goes_on_in_the_field(visitor: Visitor) -> None:
    visitor.search("ferry")
    visitor.press("ArrowDown")
    visitor.answered(lambda: visitor.page.keyboard.type("x"), "ferryx")
    assert visitor.focused() == "search"

    visitor.press("ArrowDown")
    visitor.press("/")
    assert visitor.focused() == "search"
    assert visitor.page.get_by_role("searchbox").input_value() == "ferryx"


def test_filters_an_order_and_more_pages_by_tab_space_and_arrows(visitor: Visitor) -> None:
    visitor.search("passenger")
    tab_to(visitor, "Sort by")
    visitor.answered(lambda: visitor.press("ArrowDown"))
    tab_to(visitor, "guide")
    visitor.answered(lambda: visitor.press("Space"))
    assert visitor.status == "10 pages"
    tab_to(visitor, "story")
    visitor.answered(lambda: visitor.press("Space"))
    assert visitor.status == "20 pages"
    tab_to(visitor, "Show more")
    visitor.press("Enter")
    visitor.page.wait_for_function(
        "document.querySelector('pocket-search').shadowRoot.activeElement?.part.contains('hit-link')"
    )
    assert visitor.focused() == visitor.texts("hit-link")[5]
    tab_to(visitor, "Clear filters", back=True)
    visitor.answered(lambda: visitor.press("Enter"))
    assert visitor.status == "30 pages"


def test_a_shortcut_is_left_alone_where_somebody_writes(visitor: Visitor) -> None:
    visitor.page.evaluate("document.querySelector('main').append(document.createElement('input'))")
    visitor.page.locator("main input").focus()
    visitor.press("/")

    assert visitor.page.locator("main input").input_value() == "/"
    assert not visitor.page.get_by_role("searchbox").is_visible()
    visitor.press("Control+k")
    assert visitor.page.get_by_role("searchbox").is_visible()


def test_a_screen_reader_hears_the_number_and_what_enter_opens(visitor: Visitor) -> None:
    visitor.search("ferry")

    status = visitor.page.get_by_role("status")
    assert status.text_content() == "3 pages Enter opens “Ferry”."
    assert visitor.page.get_by_role("dialog", name="Search").count() == 1
    assert visitor.page.get_by_role("heading", level=2).count() == 3
