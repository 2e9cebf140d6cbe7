"""The element <pocket-search> in a browser: opening it, asking, and what it shows, from a server and
from a folder.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from searched_site import Visitor, indexed, write_site
from static_server import Server, serving

pytestmark = pytest.mark.browser

MOST_AT_FIRST = 10_950  # bytes that every page loads


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return indexed(write_site(tmp_path_factory.mktemp("searched") / "site"))


@pytest.fixture
def server(site: Path) -> Iterator[Server]:
    with serving(site, False) as found:
        yield found


@contextmanager
def opened(browser: Any, url: str, **options: Any) -> Iterator[Visitor]:
    """Open a page, whose console has to stay empty."""
    visitor = Visitor(browser, url, **options)
    yield visitor
    assert visitor.said == []
    visitor.close()


@pytest.fixture(params=["folder", "served"])
def visitor(request: pytest.FixtureRequest, browser: Any, site: Path) -> Iterator[Visitor]:
    """The first page of the site."""
    if request.param == "folder":
        with opened(browser, (site / "index.html").as_uri()) as found:
            yield found
        return
    with serving(site, False) as server, opened(browser, f"{server.url}index.html") as found:
        yield found


def test_a_search(visitor: Visitor) -> None:
    visitor.search("ferry")

    assert visitor.status == "3 pages"
    assert visitor.texts("hit-link")[0] == "Ferry"
    assert "Opening hours of the ferry" in visitor.texts("place-link")
    assert {text.lower() for text in visitor.texts("mark")} == {"ferry"}
    visitor.page.get_by_role("link", name="What the ferry costs").first.click()
    visitor.page.wait_for_url("**/guide/p*.html#prices*")


def test_enter_opens_the_first_page(visitor: Visitor) -> None:
    visitor.press("/")
    visitor.page.keyboard.type("lighthouse")
    visitor.press("Enter")  # before there is an answer

    visitor.page.wait_for_url("**/guide/p2.html*")


@pytest.mark.parametrize("name", ["index.html", "guide/p3.html", "gone.html", "no/such/gone.html"])
def test_the_same_below_folders_and_from_an_error_at_any_depth(
    name: str, browser: Any, site: Path, tmp_path: Path
) -> None:
    """The address of the script is absolute in the page of an error, and relative in the others."""
    root = tmp_path / "a" / "b"
    shutil.copytree(site, root)
    error = (root / "404.html").read_text().replace("{root}", "/a/b/")
    (root / "no" / "such").mkdir(parents=True)
    for depth in (".", "no/such"):
        (root / depth / "gone.html").write_text(error)
    with serving(tmp_path, False) as server, opened(browser, f"{server.url}a/b/{name}") as visitor:
        visitor.search("ferry")

        link = visitor.page.get_by_role("link", name="Ferry", exact=True).get_attribute("href")
        assert link.split("#")[0] == f"{server.url}a/b/guide/p0.html"


def test_a_place_leads_to_its_heading_and_not_to_an_earlier_one_of_its_words(
    browser: Any, server: Server
) -> None:
    with opened(
        browser, f"{server.url}index.html", viewport={"width": 500, "height": 300}
    ) as visitor:
        visitor.search("ferry")
        visitor.page.get_by_role("link", name="Dogs").first.click()
        visitor.page.wait_for_url("**/guide/p*.html#dogs*")

        seen = """() => {
          const { top, bottom } = document.getElementById("dogs").getBoundingClientRect();
          return scrollY > 0 && top < innerHeight && bottom > 0;
        }"""
        visitor.page.wait_for_function(seen)


def test_a_heading_that_is_the_title_of_its_page_stands_once(browser: Any, tmp_path: Path) -> None:
    text = (
        "<!doctype html><html lang=en><title>Pier</title><h1 id=pier>Pier</h1><p>The gangway is "
        "steep.</p><h2 id=rails>Rails</h2><p>A gangway has rails, and a gangway has lamps.</p>"
        "<script src=_pocketindex/pocket-search.js></script><pocket-search></pocket-search>"
    )
    (tmp_path / "index.html").write_text(text, encoding="utf-8")
    with opened(browser, (indexed(tmp_path) / "index.html").as_uri()) as visitor:
        visitor.search("gangway")

        assert (visitor.texts("hit-link"), visitor.texts("place-link")) == (["Pier"], ["Rails"])
        assert visitor.texts("excerpt") == [
            "The gangway is steep.",
            "A gangway has rails, and a gangway has lamps.",
        ]
        visitor.write("steep")
        assert (visitor.texts("place-link"), visitor.texts("excerpt")) == (
            [],
            ["The gangway is steep."],
        )


def test_a_page_loads_a_small_script_and_the_entry_until_the_search_is_touched(
    browser: Any, server: Server, site: Path
) -> None:
    with opened(browser, f"{server.url}index.html") as visitor:
        visitor.page.wait_for_load_state("networkidle")

        loaded = [name for name in server.names() if "_pocketindex" in name]
        script, entry = sorted(loaded, reverse=True)
        assert script == "/_pocketindex/pocket-search.js"
        assert entry.startswith("/_pocketindex/entry.js?")
        own = site / "_pocketindex"
        sizes = [(own / name).stat().st_size for name in ("pocket-search.js", "entry.js")]
        assert sum(sizes) <= MOST_AT_FIRST


def test_an_entry_that_has_lain_is_loaded_again_when_the_search_is_touched(
    browser: Any, server: Server
) -> None:
    with opened(browser, f"{server.url}index.html") as visitor:
        visitor.page.wait_for_load_state("networkidle")
        before = [name for name in server.names() if "/entry.js?" in name]
        visitor.page.evaluate("const now = Date.now(); Date.now = () => now + 61_000")
        visitor.search("ferry")

        assert visitor.status == "3 pages"
        after = [name for name in server.names() if "/entry.js?" in name]
        assert len(after) == len(before) + 1


def test_a_strict_policy_is_kept(browser: Any, server: Server) -> None:
    with opened(browser, f"{server.url}allowed.html") as visitor:
        visitor.search("ferry")

        assert visitor.status == "3 pages"


def test_what_is_typed_while_the_search_is_loading_counts(browser: Any, server: Server) -> None:
    with opened(browser, f"{server.url}index.html") as visitor:
        visitor.page.route(
            "**/panel-*.js", lambda route: (visitor.page.wait_for_timeout(300), route.continue_())
        )
        visitor.press("/")
        visitor.answered(lambda: visitor.page.keyboard.type("ferry", delay=20))

        assert visitor.status == "3 pages"


def test_unknown_and_corrected_words_are_named(visitor: Visitor) -> None:
    visitor.search("ferry xyzzyx")

    assert visitor.texts("notes") == ["No page has “xyzzyx”: it was left out."]
    assert visitor.status == "3 pages"
    visitor.write("lighthuose")
    assert visitor.texts("notes") == [
        "No page has “lighthuose”. These are pages with “lighthouse”."
    ]
    visitor.write("xyzzyx")
    assert visitor.status == "Nothing was found."
    assert visitor.texts("notes") == ["No page has “xyzzyx”."]
    assert visitor.texts("hit") == []


def test_filters_mean_any_within_and_all_across_and_work_without_words(visitor: Visitor) -> None:
    visitor.search("ticket")
    page = visitor.page
    assert visitor.texts("filter")[:3] == ["guide 10", "reference 10", "story 10"]

    visitor.write("")
    visitor.answered(page.get_by_label("guide").check)
    assert visitor.status == "10 pages"
    visitor.answered(page.get_by_label("story").check)
    assert visitor.status == "20 pages"
    assert visitor.texts("filter") == [
        "guide 10",
        "reference 10",
        "story 10",
        "summer 10",
        "winter 10",
    ]
    visitor.answered(page.get_by_label("winter").check)
    assert visitor.status == "10 pages"
    visitor.answered(page.get_by_role("button", name="Clear filters").click)
    assert visitor.texts("hit") == []


def test_sorted_by_a_key_of_the_pages(visitor: Visitor) -> None:
    visitor.search("ferry")

    visitor.answered(lambda: visitor.page.get_by_label("Sort by").select_option("day:desc"))
    assert visitor.texts("hit-link") == ["Ferry, part 2", "Ferry, part 1", "Ferry"]


def test_more_pages_and_more_places(visitor: Visitor) -> None:
    visitor.search("passenger")
    assert visitor.status == "30 pages"
    assert len(visitor.texts("hit")) == 5

    visitor.page.get_by_role("button", name="more pages").click()
    visitor.page.wait_for_function(
        "document.querySelector('pocket-search').shadowRoot.querySelectorAll('[part=hit]').length === 15"
    )
    assert visitor.focused() == visitor.texts("hit-link")[5]
    visitor.write("ferry")
    hit = visitor.page.locator("[part=hit]").first
    shown = hit.locator("[part=place]:visible").count()
    hit.get_by_role("button", name="on this page").click()
    assert hit.locator("[part=place]:visible").count() > shown == 3


def test_an_address_opens_the_search_and_follows_it(browser: Any, server: Server) -> None:
    url = f"{server.url}index.html?q=ferry&filter.kind=guide"
    with opened(browser, url) as visitor:
        visitor.page.wait_for_function(
            "document.querySelector('pocket-search').shadowRoot.querySelector('[part=hit]')"
        )
        assert visitor.page.get_by_label("guide").is_checked()
        assert visitor.texts("hit-link") == ["Ferry"]

        visitor.write("harbour")
        assert "?q=harbour&filter.kind=guide" in visitor.page.url
        visitor.press("Enter")
        visitor.page.wait_for_url("**/guide/*")
        visitor.page.evaluate("setTimeout(() => history.back())")
        for _ in range(100):  # a page that the browser has kept is not loaded again
            visitor.page.wait_for_timeout(100)
            if "q=harbour" in visitor.page.evaluate("location.href"):
                break
        visitor.page.wait_for_function(
            "document.querySelector('pocket-search').shadowRoot.querySelector('[part=hit]')"
        )
        assert visitor.page.get_by_role("searchbox").input_value() == "harbour"
        visitor.press("Escape")
        assert visitor.page.url == f"{server.url}index.html"


def test_a_page_in_german(browser: Any, site: Path) -> None:
    with opened(browser, (site / "de" / "s0.html").as_uri()) as visitor:
        assert visitor.page.get_by_role("button").inner_text().startswith("Suche")
        visitor.search("insel xyzzyx")

        assert visitor.status == "3 Seiten"
        assert visitor.texts("notes") == [
            "Keine Seite enthält „xyzzyx“: Das Wort wurde weggelassen."
        ]
        assert "Preis der Insel" in visitor.texts("place-link")


def test_a_field_in_the_page(browser: Any, site: Path) -> None:
    with opened(browser, (site / "field.html").as_uri()) as visitor:
        visitor.page.get_by_role("searchbox").click()
        visitor.write("ferry")

        assert visitor.status == "3 pages"
        pictures = visitor.page.locator("[part=image]")
        assert pictures.first.get_attribute("src") == (site / "pic.svg").as_uri()
        visitor.answered(lambda: visitor.press("Escape"))
        assert visitor.page.get_by_role("searchbox").input_value() == ""
        assert visitor.texts("hit") == []


# What is wrong with a site, and what the search says of it. Files are removed or changed.
PROBLEMS = {
    "missing": (
        "rm entry.js",
        "This site has no search index. If it is yours: run “pocketindex site",
    ),
    "older": ("format 0", "The search index was made by an older pocketindex"),
    "newer": ("format 99", "The search index is newer than this page. Reload the page."),
    "part": (
        "rm panel-*.js",
        "The search cannot be loaded: the site’s folder “_pocketindex” is not",
    ),
    "core": ("rm core-*", "The search index is damaged or was uploaded in part."),
}


@pytest.mark.parametrize("problem", PROBLEMS)
def test_what_is_wrong_is_said_with_what_to_do(
    problem: str, browser: Any, site: Path, tmp_path: Path
) -> None:
    what, sentence = PROBLEMS[problem]
    shutil.copytree(site, tmp_path / "site")
    broken(tmp_path / "site" / "_pocketindex", *what.split())
    with serving(tmp_path / "site", False) as server:
        visitor = Visitor(browser, f"{server.url}index.html")
        visitor.press("/")
        visitor.page.keyboard.type("ferry")
        visitor.page.wait_for_function(
            "sentence => document.querySelector('pocket-search').shadowRoot"
            ".querySelector('[part=status]').textContent.startsWith(sentence)",
            arg=sentence,
        )
        visitor.close()


def broken(folder: Path, how: str, what: str) -> None:
    """rm: remove the files of a name; format: another number of the entry file's format."""
    if how == "rm":
        files = list(folder.glob(what))
        assert files
        for file in files:
            file.unlink()
    else:
        entry = folder / "entry.js"
        text = entry.read_text()
        assert '"format":1' in text.replace(" ", "")
        entry.write_text(text.replace(": ", ":").replace('"format":1', f'"format":{what}'))


def test_a_page_that_forbids_webassembly_is_told_what_to_allow(
    browser: Any, server: Server
) -> None:
    visitor = Visitor(browser, f"{server.url}forbidden.html")
    visitor.press("/")
    visitor.page.keyboard.type("ferry")
    visitor.page.wait_for_function(
        "document.querySelector('pocket-search').shadowRoot"
        ".querySelector('[part=status]').textContent.startsWith('This page forbids WebAssembly')"
    )
    visitor.close()


def test_an_old_browser_is_told_so(browser: Any, server: Server) -> None:
    visitor = Visitor(browser, f"{server.url}index.html")
    visitor.page.evaluate("() => { delete window.DecompressionStream }")
    visitor.press("/")

    visitor.page.wait_for_selector("text=This browser is too old for the search.")
    visitor.close()
