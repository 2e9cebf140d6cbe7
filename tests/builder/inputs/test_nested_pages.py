"""HTML pages of a stranger that nest their elements thousands of times: reading takes a time in
proportion to the page.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import pytest
import resiliparse.parse.html
from pocketindex.builder.inputs.options import WHOLE, Css
from pocketindex.builder.inputs.pages import html
from pocketindex.builder.inputs.pages.ancestors import of_tags
from pocketindex.builder.inputs.pages.visible import visible

NESTED = 300
# Four times the nesting. What is in proportion to the page takes four times as long, and somewhat
# more where memory is slow; what is in proportion to the square takes sixteen times as long.
TIMES = 9

Page = Callable[[int], str]
PAGES: dict[str, tuple[Page, Css]] = {
    "ruby": (lambda n: "<p>1" + "<ruby><div>\n" * n, WHOLE),
    "ruby in readings": (lambda n: "<p>1" + "<ruby>a<rt><div>\n" * n, WHOLE),
    "ruby within": (lambda n: "<div>" * n + "<ruby>a<rt>b</ruby>" * n, WHOLE),
    "selected": (lambda n: "<main><div>word\n" * n, Css("main", "")),
    "selected within": (lambda n: "<main>" + "<div>\n" * n + "<p>x" * n, Css("main,p", "")),
    "excluded": (lambda n: "<main><div>word\n" * n, Css("", "main")),
    "navigation": (lambda n: "<nav><div>word\n" * n, WHOLE),
    "hidden": (lambda n: "<div hidden><div>word\n" * n, WHOLE),
    "pictures": (lambda n: "<svg>" + "<desc><div>word\n" * n, WHOLE),
    "descriptions within": (lambda n: "<svg>" + "<g>" * n + "<desc></desc>" * n, WHOLE),
    "headers": (lambda n: "<header><div>\n" * n + "<h1>a", WHOLE),
    "headers within": (lambda n: "<div>" * n + "<header>a</header>" * n, WHOLE),
    "footers": (lambda n: "<footer><div>a\n" * n, WHOLE),
    "articles": (lambda n: "<article><header>a\n" * n, WHOLE),
    "contents": (lambda n: "<div class=toc><p>a\n" * n + "<main>x", WHOLE),
    "menus": (lambda n: "<div class=menu>a\n" * n, WHOLE),
    "shadow trees": (
        lambda n: "<div>" * n + "<p><template shadowrootmode=open><slot></slot></template>x" * n,
        WHOLE,
    ),
}


@pytest.mark.parametrize("name", PAGES)
def test_deeper_pages_take_longer_in_proportion(name: str) -> None:
    page, css = PAGES[name]

    def seconds(nested: int) -> float:
        began = time.process_time()
        visible(resiliparse.parse.html, page(nested), css)
        return time.process_time() - began

    shallow, deep = (min(seconds(nested) for _ in range(3)) for nested in (NESTED, 4 * NESTED))
    assert deep < TIMES * max(shallow, 0.001), (shallow, deep)


def test_each_element_is_passed_once_on_the_way_up() -> None:
    seen = 0

    def is_section(one: object) -> bool:
        nonlocal seen
        seen += 1
        return getattr(one, "tag", "") == "section"

    tree: Any = resiliparse.parse.html.HTMLTree.parse("<section><div>" * 300 + "<p>x" * 300)
    ancestors = of_tags("section")
    ancestors._fits = is_section
    found = [ancestors.depth(one) for one in tree.document.query_selector_all("p")[:]]
    assert found == [300] * 300
    assert seen == 2 * 300 + 3  # html, body and the document


def test_words_of_ruby_that_is_nested_too_deeply_are_there_once() -> None:
    nested = 150
    found = html.read(("<ruby>a<rt>b<div>" * nested).encode(), "page.html")
    letters = "".join(found.text.split())
    assert (letters.count("a"), letters.count("b")) == (nested, nested)
