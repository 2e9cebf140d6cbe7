"""What a page may do with <pocket-search>: give results, texts and colours of its own, listen; and
<pocket-related>.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from searched_site import Visitor, indexed, page, write_site

pytestmark = pytest.mark.browser

OWN_HIT = """<pocket-search>
<template><article class="card"><img data-field-src="image" data-field-alt="image_alt">
<h3><a data-field-href="url" data-field="title"></a></h3><p data-field="excerpt"></p>
<b data-field="author"></b><template data-field="places"><a data-field-href="url" data-field="title"
class="place"></a></template></article></template></pocket-search>"""
OWN_TEXTS = """<pocket-search><script type="application/json">{ "search": "Rechercher",
"filter:kind": "Genre", "sort:day:desc": "Latest first" }</script></pocket-search>"""
PRESET = '<pocket-search filters="kind=guide&amp;kind=story" sort="day:desc"></pocket-search>'
ODD_NAME = "Talk:50% of #1?.html"
PAGES = {
    "own": OWN_HIT,
    "texts": OWN_TEXTS,
    "preset": PRESET,
    "two": "<pocket-search></pocket-search>",
    "folded": "<div hidden><pocket-search></pocket-search></div>",
    "unseen": '<pocket-search style="display: none"></pocket-search>',
    "invisible": '<div style="visibility: hidden"><pocket-search></pocket-search></div>',
    "inert": "<div inert><pocket-search></pocket-search></div>",
    "several": "<div hidden><pocket-search></pocket-search></div>"
    "<pocket-search></pocket-search><pocket-search></pocket-search>",
    "none": "<div hidden><pocket-search inline></pocket-search><pocket-search></pocket-search>"
    "<pocket-search></pocket-search></div>",
}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = write_site(tmp_path_factory.mktemp("own") / "site")
    for name, search in PAGES.items():
        (folder / f"{name}.html").write_text(page("Own", "<p>Of ways.", search=search))
    (folder / ODD_NAME).write_text(page("Odd", "<p>A gargoyle."))
    return indexed(folder)


def opened(browser: Any, site: Path, name: str) -> Visitor:
    return Visitor(browser, (site / name).as_uri())


def test_a_link_leads_to_a_page_of_any_name(browser: Any, site: Path) -> None:
    visitor = opened(browser, site, "two.html")
    visitor.search("gargoyle")
    visitor.page.get_by_role("link", name="Odd").click()
    visitor.page.wait_for_url(f"{site.as_uri()}/{quote(ODD_NAME, safe=':')}*")

    assert visitor.page.inner_text("h1") == "Odd"
    visitor.close()


def test_results_in_a_form_of_the_pages_own(browser: Any, site: Path) -> None:
    visitor = opened(browser, site, "own.html")
    visitor.search("ferry")
    card = visitor.page.locator("pocket-search > [slot] > .card").first

    assert card.locator("h3 a").inner_text() == "Ferry"
    assert card.locator("h3 mark").inner_text() == "Ferry"
    assert card.locator("img").get_attribute("src") == (site / "pic.svg").as_uri()
    assert card.locator("img").get_attribute("alt") == "A picture"
    assert card.locator("b").inner_text() == "Ann 0"
    assert "Dogs" in card.locator(".place").all_inner_texts()
    visitor.write("welcome")  # a page without author and image
    assert card.locator("b, img").count() == 0
    visitor.press("ArrowDown")
    assert visitor.page.evaluate("document.activeElement.textContent") == "Welcome"
    visitor.press("Enter")
    visitor.page.wait_for_url("**/index.html*")
    visitor.close()


def test_texts_of_the_pages_own(browser: Any, site: Path) -> None:
    visitor = opened(browser, site, "texts.html")
    assert visitor.page.get_by_role("button", name="Rechercher").count() == 1
    visitor.search("ferry")

    assert visitor.page.get_by_role("group", name="Genre").count() == 1
    orders = visitor.page.get_by_label("Sort by").locator("option").all_inner_texts()
    assert orders == ["Relevance", "Latest first"]
    visitor.close()


def test_filters_and_an_order_from_the_beginning(browser: Any, site: Path) -> None:
    visitor = opened(browser, site, "preset.html")
    visitor.search("ferry")

    assert visitor.texts("hit-link") == ["Ferry, part 2", "Ferry"]
    assert visitor.page.get_by_label("story").is_checked()
    visitor.close()


def test_events_tell_and_a_page_may_follow_a_link_itself(browser: Any, site: Path) -> None:
    visitor = opened(browser, site, "two.html")
    visitor.page.evaluate(
        """() => {
          window.told = [];
          for (const name of ["open", "results", "select", "close"]) {
            addEventListener(`pocket-${name}`, (event) => {
              told.push([name, event.detail?.text ?? "", event.detail?.url ?? ""]);
              event.preventDefault();
            });
          }
        }"""
    )
    visitor.search("ferry")
    visitor.press("Enter")
    visitor.press("Escape")

    told = visitor.page.evaluate("window.told")
    assert [name for name, _, _ in told if name != "results"] == ["open", "select", "close"]
    assert ["results", "ferry", ""] in told
    (url,) = [url for name, _, url in told if name == "select"]
    assert url.startswith((site / "guide" / "p0.html").as_uri())
    assert visitor.page.url == (site / "two.html").as_uri()
    visitor.close()


def test_the_element_is_opened_moved_and_closed_by_the_page(browser: Any, site: Path) -> None:
    visitor = opened(browser, site, "two.html")
    visitor.answered(
        lambda: visitor.page.evaluate(
            """() => {
              const element = document.querySelector("pocket-search");
              document.querySelector("main").append(element);
              element.open("ferry");
            }"""
        ),
        "ferry",
    )

    assert visitor.status == "3 pages"
    visitor.page.evaluate("document.querySelector('pocket-search').close()")
    assert not visitor.page.get_by_role("searchbox").is_visible()
    visitor.search("harbour")
    assert visitor.status == "3 pages"
    visitor.close()


@pytest.mark.parametrize("name", ["folded", "unseen", "invisible", "inert"])
def test_a_dialog_is_shown_where_its_element_is_not(browser: Any, site: Path, name: str) -> None:
    visitor = opened(browser, site, f"{name}.html")
    place = """() => {
      const element = document.querySelector("pocket-search");
      return [element.parentElement.tagName, element.style.cssText];
    }"""
    before = visitor.page.evaluate(place)
    visitor.answered(
        lambda: visitor.page.evaluate("document.querySelector('pocket-search').open('ferry')"),
        "ferry",
    )

    assert visitor.page.get_by_role("searchbox").is_visible()
    visitor.page.keyboard.press("Control+k")
    visitor.page.keyboard.press("Escape")
    visitor.page.get_by_role("searchbox").wait_for(state="hidden")
    visitor.page.wait_for_timeout(100)  # the event comes later
    assert visitor.page.evaluate(place) == before
    visitor.close()


@pytest.mark.parametrize(("name", "number"), [("folded", 0), ("several", 1), ("none", 1)])
@pytest.mark.parametrize("key", ["/", "Control+k"])
def test_a_key_opens_one_dialog_wherever_its_element_is(
    browser: Any, site: Path, name: str, number: int, key: str
) -> None:
    visitor = opened(browser, site, f"{name}.html")
    which = """() => [...document.querySelectorAll("pocket-search")].map(
      (one) => one.shadowRoot.querySelector("dialog")?.open ?? false)"""
    visitor.page.evaluate("""() => document.addEventListener("pocket-open", ({ target }) => {
      target.dataset.was = 'open';
    })""")
    visitor.page.keyboard.press(key)
    visitor.page.keyboard.press("Control+k")  # which leads to its field

    assert sum(visitor.page.evaluate(which)) == 1
    assert visitor.page.get_by_role("searchbox").is_visible()
    visitor.page.keyboard.type("ferry")
    visitor.page.get_by_role("link", name="Ferry", exact=True).first.wait_for()
    visitor.page.keyboard.press("Escape")
    visitor.page.wait_for_timeout(100)
    was = "() => [...document.querySelectorAll('pocket-search')].map((one) => one.dataset.was)"
    assert visitor.page.evaluate(was).index("open") == number
    assert not any(visitor.page.evaluate(which))
    visitor.close()


def test_properties_and_parts_change_how_it_looks(browser: Any, site: Path) -> None:
    visitor = opened(browser, site, "two.html")
    visitor.page.add_style_tag(
        content="pocket-search { --pocket-paper: rgb(1, 2, 3) }"
        "pocket-search::part(hit-link) { color: rgb(4, 5, 6) }"
    )
    visitor.search("ferry")
    colour = (
        "([part, property]) => getComputedStyle(document.querySelector('pocket-search')"
        ".shadowRoot.querySelector(`[part=${part}]`))[property]"
    )

    assert visitor.page.evaluate(colour, ["dialog", "backgroundColor"]) == "rgb(1, 2, 3)"
    assert visitor.page.evaluate(colour, ["hit-link", "color"]) == "rgb(4, 5, 6)"
    visitor.close()


def test_a_dark_page_has_a_dark_search_whatever_the_system_prefers(
    browser: Any, site: Path
) -> None:
    visitor = Visitor(browser, (site / "dark.html").as_uri(), color_scheme="light")
    visitor.search("ferry")
    dark = "document.querySelector('pocket-search').hasAttribute('dark')"

    assert visitor.page.evaluate(dark)
    visitor.press("Escape")
    visitor.page.evaluate("document.body.className = ''")  # its switch
    visitor.press("/")
    visitor.page.wait_for_function(f"!{dark}")
    for colour, is_dark in {"oklch(0.95 0 0)": True, "lab(20 0 0)": False}.items():
        visitor.press("Escape")
        visitor.page.evaluate("colour => { document.body.style.color = colour }", colour)
        visitor.press("/")
        assert visitor.page.evaluate(dark) is is_dark
    visitor.close()


def test_similar_pages_are_links_before_any_script(browser: Any, site: Path) -> None:
    visitor = Visitor(browser, (site / "guide" / "p0.html").as_uri(), java_script_enabled=False)
    links = visitor.page.get_by_role("navigation", name="Related pages").get_by_role("link")

    assert sorted(links.all_inner_texts()) == ["Ferry, part 1", "Ferry, part 2"]
    links.first.click()
    visitor.page.wait_for_url("**/guide/p*0.html")
    visitor.close()
