"""The engine of a site's search, asked by pages of small sites in a browser."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pocketindex
import pytest
from site_asking import asked
from sites import page, write
from static_server import serving

pytestmark = pytest.mark.browser

FISH = page(
    "<h1>Fish</h1><p>The trout swims in cold rivers.</p><h2 id=pike>Pike</h2><p>A pike hunts trout "
    "in lakes; see <code>--dry-run</code>.</p><p data-pagefind-filter='kind'>water</p>"
)
BIRDS = page(
    "<h1>Birds</h1><p>A heron eats trout, partitions its time &amp; nests.</p>"
    "<p data-pagefind-filter='kind'>air</p><p data-pagefind-filter='home'>reeds</p>"
)
PAGES = {
    "index.html": FISH,
    "birds/herons.html": BIRDS,
    "birds/owls.html": page(
        "<h1>Owls</h1><p>Owls partitioned the night: trout are safe.</p>"
        "<p>Hooted, hooting, landed, landing, nested, nesting, rested, resting, jumped, jumping.</p>"
    ),
    "de/index.html": page("<h1>Fische</h1><p>Die Straße der Forelle, ein Café.</p>", lang="de"),
    "ja/index.html": page("<h1>歴史</h1><p>最初の船が作られました。</p>", lang="ja"),
    "pike.html": page("<h1>Pike</h1><p>Long.</p>"),
    # The checksum of the id is even, so that another text begins with it.
    "sea.html": page(
        f"<h1>Sea</h1><p>{'salt water ' * 1200}</p><h2 id=brine>4.2. Salt water</h2><p>Tides.</p>"
    ),
    "long.html": page(
        "<h1>Long</h1>"
        + "".join(f"<h2 id=s{n}>Lake {n}</h2><p>{'water ' * 900}</p>" for n in range(20))
        + "<h2 id=eels>Eels</h2><p>Eels and a sturgeon.</p>"
        + "".join(f"<h2 id=t{n}>Pond {n}</h2><p>{'sedge ' * 900}</p>" for n in range(20))
    ),
}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    pytest.importorskip("resiliparse")
    folder = write(tmp_path_factory.mktemp("site") / "a b", PAGES)
    pocketindex.site(folder, cache=False)
    return folder


@pytest.fixture(scope="module")
def ask(browser: Any, site: Path) -> Any:
    """Asks from a folder, one question at a time."""
    shown = browser.new_page()

    def answer(text: str | None, start: str = "index.html", **given: Any) -> Any:
        base = "../" * start.count("/") or "./"
        (found,) = asked(shown, (site / start).as_uri(), [{"q": text, **given}], base)
        assert "error" not in found, found["error"]
        return found

    yield answer
    shown.close()


def names(answer: Any) -> list[str]:
    return [hit["url"].rpartition("/a%20b/")[2] for hit in answer["hits"]]


def test_from_a_folder_and_over_http_the_same(ask: Any, browser: Any, site: Path) -> None:
    from_folder = ask("trout")
    with serving(site, ranges=False) as server:
        shown = browser.new_page()
        url = f"{server.url}birds/owls.html"
        (over_http,) = asked(shown, url, [{"q": "trout"}], "../")
        shown.close()

    assert sorted(names(from_folder)) == ["", "birds/herons.html", "birds/owls.html"]
    assert [hit["url"] for hit in over_http["hits"]] == [f"/{name}" for name in names(from_folder)]
    assert [hit["excerpt"] for hit in over_http["hits"]] == [
        hit["excerpt"] for hit in from_folder["hits"]
    ]


def test_a_title_that_is_the_question_comes_first(ask: Any) -> None:
    assert names(ask("pike")) == ["pike.html", ""]


def test_a_heading_is_led_to_without_its_number(ask: Any) -> None:
    (hit,) = ask("salt water")["hits"]
    (part,) = [sub for sub in hit["subs"] if sub["title"] == "4.2. Salt water"]

    assert part["url"].rpartition("#")[2] == "brine"


def test_parts_are_found_by_their_headings(ask: Any) -> None:
    (hit,) = (hit for hit in ask("pike")["hits"] if hit["meta"]["title"] == "Fish")
    (part,) = hit["subs"]

    assert (part["title"], part["url"].rpartition("#")[2]) == ("Pike", "pike")
    assert part["excerpt"].startswith("<mark>Pike</mark>. A <mark>pike</mark> hunts")
    assert part["link"].endswith("#pike:~:text=Pike")


def test_of_a_long_page_the_text_that_has_the_words_is_loaded(browser: Any, site: Path) -> None:
    with serving(site, ranges=False) as server:
        shown = browser.new_page()
        (answer, both) = asked(
            shown, f"{server.url}index.html", [{"q": "sturgeon"}, {"q": "water sedge"}], "/"
        )
        shown.close()
    ((hit,), (other,)) = answer["hits"], both["hits"]

    assert [sub["url"].rpartition("#")[2] for sub in hit["subs"]] == ["eels"]
    assert hit["excerpt"] == "Eels. Eels and a <mark>sturgeon</mark>."[: len(hit["excerpt"])]
    assert hit["rest"] == 0
    marked = "".join(sub["excerpt"] for sub in other["subs"])
    assert "<mark>water</mark>" in marked
    assert "<mark>sedge</mark>" in marked
    assert other["rest"] > 0


def test_a_form_that_no_page_has_finds_the_others(ask: Any) -> None:
    answer = ask("partitioning")

    assert sorted(names(answer)) == ["birds/herons.html", "birds/owls.html"]
    assert all("<mark>partition" in hit["excerpt"] for hit in answer["hits"])


@pytest.mark.parametrize("typed", ["troutt", "trut", "trput", "rtout", "truot"])
def test_one_typing_error_is_corrected_and_said(ask: Any, typed: str) -> None:
    answer = ask(typed)
    first_is_wrong = typed == "rtout"

    assert answer["corrected"] == (
        [] if first_is_wrong else [{"word": typed, "instead": "trout", "how": "spelling"}]
    )
    assert answer["unknown"] == ([typed] if first_is_wrong else [])
    assert len(answer["hits"]) == (0 if first_is_wrong else 3)


def test_a_word_that_no_page_has_is_named(ask: Any) -> None:
    answer = ask("trout Xylophöne")

    assert (answer["unknown"], answer["total"]) == (["Xylophöne"], 3)


@pytest.mark.parametrize(
    ("typed", "unknown", "corrected"),
    [
        ("trout_xyz", ["xyz"], []),
        ("trout-xyz", ["xyz"], []),
        ("herno_nests", [], [{"word": "herno", "instead": "heron", "how": "spelling"}]),
        ("Herno-trout", [], [{"word": "Herno", "instead": "heron", "how": "spelling"}]),
    ],
)
def test_a_part_of_a_name_that_no_page_has_is_named_or_corrected(
    ask: Any, typed: str, unknown: list[str], corrected: list[dict[str, str]]
) -> None:
    answer = ask(typed)

    assert (answer["unknown"], answer["corrected"]) == (unknown, corrected)
    assert "birds/herons.html" in names(answer)


def test_characters_without_spaces_are_named_and_marked_as_they_were_typed(ask: Any) -> None:
    (hit,) = ask("船", "ja/index.html")["hits"]

    assert "最初の<mark>船</mark>が" in hit["excerpt"]
    assert ask("ヒョウ柄", "ja/index.html")["unknown"] == ["ヒョウ柄"]


def test_quotes_and_excluded_words(ask: Any) -> None:
    assert names(ask('"hunts trout"')) == [""]
    assert names(ask('lakes "trout hunts"')) == []
    assert names(ask('"trout" -heron')) == names(ask("trout -heron"))
    assert sorted(names(ask("trout -heron"))) == ["", "birds/owls.html"]
    assert names(ask('"trou"')) == []


def test_what_is_pasted_from_a_manual_is_found(ask: Any) -> None:
    assert names(ask("--dry-run")) == [""]
    assert "<mark>--dry-run</mark>" in ask("--dry-run")["hits"][0]["excerpt"]
    pasted = "A heron eats trout, partitions its time & nests, and more that is nowhere"
    assert names(ask(pasted))[:1] == ["birds/herons.html"]


def test_a_pasted_text_finds_the_page_that_has_it_word_for_word(
    browser: Any, tmp_path: Path
) -> None:
    own = "every lantern beside the old harbour burns until the last boat returns"
    shuffled = " ".join(sorted(own.split()))
    pages = {
        "source.html": page(f"<h1>Boats</h1><p>{'And more. ' * 90}</p><p>{own}</p>"),
        "other.html": page(f"<h1>Harbours</h1><p>{shuffled}. {shuffled}.</p>"),
    }
    pocketindex.site(write(tmp_path / "site", pages), cache=False)
    shown = browser.new_page()
    asks = [{"q": text} for text in (own, shuffled)]
    found = asked(shown, (tmp_path / "site/source.html").as_uri(), asks, "./")
    shown.close()

    first = [answer["hits"][0]["url"].rpartition("/")[2] for answer in found]
    assert first == ["source.html", "other.html"]


def test_filters_and_what_ticking_gives(ask: Any) -> None:
    answer = ask("trout", filters={"kind": {"any": ["air"]}})

    assert names(answer) == ["birds/herons.html"]
    assert answer["ticked"] == {"home": {"reeds": 1}, "kind": {"air": 1, "water": 1}}
    assert (answer["unfiltered"], answer["counts"]["kind"]) == (3, {"air": 1, "water": 0})
    assert sorted(names(ask(None, filters={"kind": ["air"]}))) == ["birds/herons.html"]


def test_a_page_asks_the_pages_of_its_language(ask: Any) -> None:
    assert names(ask("forelle")) == []
    for typed in ("forelle", "strasse", "straße", "cafe", "Café", "Forellen"):
        assert names(ask(typed, start="de/index.html")) == ["de/"], typed


def test_hits_come_in_portions(ask: Any, browser: Any, site: Path) -> None:
    shown = browser.new_page()
    asked(shown, (site / "index.html").as_uri(), [], "./")
    found = shown.evaluate(
        """async () => {
          const site = await pocketSite.open(new URL("_pocketindex/", location.href).href,
            pocketEntry);
          const first = await site.search("trout", { top: 2 });
          const rest = await site.search("trout", { top: 2, from: 2 });
          return [first.total, first.hits.length, rest.hits.length];
        }"""
    )
    shown.close()

    assert found == [3, 2, 1]


def test_a_missing_piece_is_a_problem_with_a_reason(browser: Any, tmp_path: Path) -> None:
    folder = write(tmp_path / "site", {"index.html": FISH})
    pocketindex.site(folder, cache=False)
    for piece in (folder / "_pocketindex").glob("t-*"):
        piece.unlink()
    shown = browser.new_page()
    asked(shown, (folder / "index.html").as_uri(), [], "./")
    reason = shown.evaluate(
        """async () => {
          const site = await pocketSite.open(new URL("_pocketindex/", location.href).href,
            pocketEntry);
          try { await site.search("trout"); } catch (error) { return error.reason; }
        }"""
    )
    version = shown.evaluate(
        """async () => {
          try { await pocketSite.open(location.href, { ...pocketEntry, format: 99 }); }
          catch (error) { return error.reason; }
        }"""
    )
    shown.close()

    assert (reason, version) == ("missing", "version")
