"""<pocket-search> says what else there is: pages in other languages, and parts of a long page that
were not loaded.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from looked_over import AXE, RULES, RUN
from searched_site import Visitor, indexed, page
from sites import write

pytestmark = pytest.mark.browser

PARTS = "".join(
    f"<h2 id=p{n}>Lake {n}</h2><p>Here is water.</p><p>{f'filler{n} ' * 1500}</p>"
    for n in range(12)
)
SITE = {
    "index.html": page("Welcome", "<p>The radar of ships."),
    "long.html": page("Lakes", PARTS),
    "de/index.html": page("Willkommen", "<p>Das Radar der Schiffe.", lang="de", up="../"),
    "de/zwei.html": page("Zwei", "<p>Zwei Radare, ein Fluss.", lang="de", up="../"),
    "fr/index.html": page("Bienvenue", "<p>Le radar.", lang="fr-CA", up="../"),
    "xx/index.html": page("Xx", "<p>Radars, no_language.", lang="no_language", up="../"),
}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    pytest.importorskip("resiliparse")
    return indexed(write(tmp_path_factory.mktemp("elsewhere") / "site", SITE), cache=False)


@pytest.fixture
def visitor(browser: Any, site: Path) -> Iterator[Visitor]:
    own = Visitor(browser, (site / "index.html").as_uri())
    yield own
    own.close()


def offers(visitor: Visitor) -> list[str]:
    visitor.page.wait_for_selector("pocket-search [part=languages]")
    return visitor.texts("language")


def test_pages_of_other_languages_are_counted_and_a_button_shows_them(visitor: Visitor) -> None:
    visitor.search("radar")

    assert visitor.texts("status") == ["1 page Enter opens “Welcome”."]
    assert offers(visitor) == ["German: 2 pages", "Canadian French: 1 page", "no_language: 1 page"]
    visitor.answered(visitor.page.get_by_role("button", name="German: 2 pages").click)
    assert sorted(visitor.texts("hit-title")) == ["Willkommen", "Zwei"]
    assert "English: 1 page" in offers(visitor)
    visitor.press("Escape")
    visitor.search("radar ships")
    assert visitor.texts("hit-title") == ["Welcome"]


def test_what_no_page_of_another_language_has_is_offered_by_none(visitor: Visitor) -> None:
    visitor.search("radar ships")
    visitor.write("fluss")

    assert offers(visitor) == ["German: 1 page"]
    visitor.write("radra")  # is corrected here alone
    assert visitor.texts("hit-title") == ["Welcome"]
    visitor.page.wait_for_load_state("networkidle")
    assert visitor.texts("languages") == []


def test_parts_of_a_long_page_that_were_not_loaded_are_told(visitor: Visitor) -> None:
    visitor.search("water")

    (told,) = visitor.texts("rest")
    assert told == "6 more parts of this long page have words of the search"


def test_the_offers_break_no_rule_that_axe_knows(visitor: Visitor) -> None:
    if not AXE.exists():
        pytest.skip("needs axe-core (make test-browser fetches it)")
    visitor.search("radar")
    offers(visitor)
    visitor.page.evaluate(AXE.read_text(encoding="utf-8"))

    violations, passed = visitor.page.evaluate(RUN, RULES)

    assert violations == []
    assert passed > 12
