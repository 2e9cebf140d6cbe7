"""A few words in the page's box, from every place that a file lies in: what is found, marked and
folded, what is said of it, and what is loaded for it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pocketindex
import pytest
from looked_over import VIEWS, looked_over, shots_of
from made_up import made_up
from pages import Shown, index_of, quiet, served
from pocketindex.builder import Settings as BuildSettings
from pocketindex.builder import build
from pocketindex.builder.page.folder import Settings, write
from static_server import serving
from test_disc_page_damage import rewritten

pytestmark = pytest.mark.browser

RARE = max(made_up(300)[8]["text"].split()[-20:-4], key=len)
MARKUP = "<img src=x onerror=alert(1)><b>bold</b>"
LONG = made_up(300)[11]["text"]


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """With words: one that keeps texts, one that keeps snippets; and one without words."""
    folder = tmp_path_factory.mktemp("files")
    rows = [{**row, "url": f"https://example.org/{i}"} for i, row in enumerate(made_up(300))]
    words = rows[8]["text"].split()
    for i in range(4):  # nearly the text of document 8
        rows.append({**rows[8], "id": f"copy-{i}", "title": f"Copy {i}"})
        rows[-1]["text"] = " ".join([*words[: len(words) - i], f"ending{i}"])
    rows.append({"id": MARKUP, "title": MARKUP, "url": "javascript:alert(1)"})
    rows[-1]["text"] = f"Marsupials {MARKUP} of several words that no other document has at all"
    source = folder / "docs.jsonl"
    source.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    for name, keep, index in (
        ("texts", "text", ("documents", "words")),
        ("snippets", "snippet", ("documents", "words")),
        ("before", "text", ("documents",)),
    ):
        settings = BuildSettings(profile="en", keep=keep, titles=True, index=index)
        build([str(source)], folder / f"{name}.pocket", settings)
    return {name: folder / f"{name}.pocket" for name in ("texts", "snippets", "before")}


@pytest.fixture(scope="module")
def disc(files: dict[str, Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write([str(files["texts"])], tmp_path_factory.mktemp("disc") / "out").folder


@contextmanager
def page_at(
    way: str, browser: Any, files: dict[str, Path], disc: Path, folder: Path
) -> Iterator[tuple[Shown, str]]:
    if way == "served":
        with served(files["texts"]) as url:
            yield Shown(browser, url), url
    elif way in ("http", "ranges"):
        out = write([str(files["texts"])], folder / "out", Settings(with_file=True)).folder
        with serving(out, way == "ranges") as server:
            yield Shown(browser, f"{server.url}index.html"), server.url
    elif way == "picked":
        url = index_of(write([str(files["before"])], folder / "out").folder)
        shown = Shown(browser, url)
        assert shown.texts("label[for=text]") == ["Your text"]
        shown.page.set_input_files("#pocket", files["texts"])
        shown.page.wait_for_selector("#status:has-text('is open')")
        yield shown, url.removesuffix("index.html")
    else:
        yield Shown(browser, index_of(disc)), index_of(disc).removesuffix("index.html")


def found(shown: Shown) -> list[tuple[int, int]]:
    """The numbers of the hits that are shown, and how many words each has."""
    rows = shown.page.evaluate(
        "Array.from(document.querySelectorAll('#hits > li'), "
        "(li) => [li.dataset.document, li.dataset.words].map(Number))"
    )
    return [(document, words) for document, words in rows]


def native(path: Path, words: str, **choices: Any) -> list[tuple[int, int]]:
    with pocketindex.open(path) as index:
        return [(hit.number, hit.words) for hit in index.search(words, **choices)]


def search(shown: Shown, words: str) -> list[tuple[int, int]]:
    shown.put(words)
    return found(shown)


@pytest.mark.parametrize("way", ["folder", "http", "ranges", "picked", "served"])
def test_words_find_their_documents(
    way: str, browser: Any, files: dict[str, Path], disc: Path, tmp_path: Path
) -> None:
    with page_at(way, browser, files, disc, tmp_path) as (shown, root):
        assert shown.texts("#find") == ["Search"]
        assert shown.texts("label[for=text]") == ["A few words, a paragraph or a text"]
        assert search(shown, "lighthouse keeper -portal") == native(
            files["texts"], "lighthouse keeper -portal", group=True
        )
        assert shown.page.evaluate("document.querySelector('#hits mark').textContent") in (
            "lighthouse",
            "keeper",
        )
        assert shown.texts("#notes") == ["Documents with “portal” are left out."]
        assert search(shown, '"buried the northern portal"') == native(
            files["texts"], '"buried the northern portal"', group=True
        )
        quiet(shown, root)
        shown.close()


def test_a_text_and_words_are_offered_for_each_other(
    browser: Any, files: dict[str, Path], disc: Path
) -> None:
    shown = Shown(browser, index_of(disc))
    shown.ask(LONG)
    assert shown.hits()[0] == (11, 10_000)
    assert shown.texts("#offers button") == ["Search for these words"]
    shown.answered(lambda: shown.page.click("#offers button"))
    assert found(shown)[0][0] == 11
    assert "as=words" in shown.page.url
    assert (
        "documents have all words" in shown.texts("#found")[0]
        or "1 document has all" in (shown.texts("#found")[0])
    )
    shown.answered(lambda: shown.page.click("#offers button:has-text('Find texts like this')"))
    assert shown.hits()[0] == (11, 10_000)
    shown.answered(lambda: shown.page.evaluate("history.back()"))
    assert found(shown)[0][0] == 11
    shown.put("lighthouse keeper")
    shown.answered(lambda: shown.page.click("#offers button:has-text('Find texts like this')"))
    assert shown.problem == ""
    assert shown.texts("#share") == ["100 % of this text is in 34 documents"]
    assert shown.texts("#found") == ["No text is similar as a whole."]
    assert shown.texts("#effort") == ["2 words of your text counted, 20 documents compared"]
    assert shown.texts("#offers button") == ["Search for these words"]
    shown.answered(lambda: shown.page.click("#offers button"))
    assert found(shown) == native(files["texts"], "lighthouse keeper", group=True)
    assert shown.said == []
    shown.close()


def test_while_words_are_typed_the_last_is_a_beginning(
    browser: Any, files: dict[str, Path], disc: Path
) -> None:
    shown = Shown(browser, index_of(disc))
    page = shown.page
    shown.answered(lambda: page.type("#text", "lighthouse keep"))
    assert found(shown) == native(files["texts"], "lighthouse keep", prefix=True, group=True)
    assert page.evaluate("document.activeElement.id") == "text"
    page.locator("#hits > li").first.scroll_into_view_if_needed()
    page.wait_for_selector("#hits mark:text-is('keeper')")
    assert page.url.endswith("index.html")
    shown.answered(lambda: page.press("#text", "Enter"))
    assert page.input_value("#text") == "lighthouse keep"
    assert shown.texts("#notes") == ["“keep” is in no document."]
    assert page.url.endswith("#q=lighthouse+keep")
    assert shown.said == []
    shown.close()


def test_titles_that_begin_so_come_first(browser: Any, disc: Path) -> None:
    shown = Shown(browser, index_of(disc))
    shown.put("document 12")
    assert [title.split(" —")[0] for title in shown.texts("#named li")] == [
        "Document 12",
        "Document 120",
        "Document 121",
        "Document 122",
    ]
    assert shown.page.get_attribute("#named a", "href") == "#id=doc-12"
    assert shown.texts("#hits h3")[0].startswith("Document 12 ")
    shown.close()


def test_what_is_alike_is_folded(browser: Any, files: dict[str, Path], disc: Path) -> None:
    shown = Shown(browser, index_of(disc))
    assert len(native(files["texts"], RARE)) == 5
    assert len(search(shown, RARE)) == 1
    summary = shown.page.locator("#hits summary")
    assert summary.inner_text().startswith("4 more like this")
    summary.click()
    shown.page.wait_for_selector(".like li")
    assert len(shown.texts(".like li")) == 4
    assert shown.page.get_attribute(".like a", "href").startswith("#id=copy-")
    shown.close()


def test_more_is_shown_where_it_is_wanted(browser: Any, files: dict[str, Path], disc: Path) -> None:
    shown = Shown(browser, index_of(disc))
    assert len(search(shown, "lighthouse")) == 10
    shown.answered(lambda: shown.page.click("#offers button:has-text('Show more')"))
    assert found(shown) == native(files["texts"], "lighthouse", top=30, group=True)
    shown.close()


def test_texts_are_loaded_as_they_are_seen(browser: Any, disc: Path) -> None:
    shown = Shown(browser, index_of(disc), viewport={"width": 1000, "height": 500})
    shown.put("lighthouse")
    assert shown.page.locator(".excerpt mark").count() >= 1
    last = shown.page.locator("#hits > li").last
    assert last.locator(".excerpt mark").count() == 0
    last.scroll_into_view_if_needed()
    last.locator(".excerpt mark").first.wait_for()
    assert shown.page.locator(".excerpt.awaited").count() < 9
    shown.close()


def test_what_any_search_needs_is_there_before_it(browser: Any, disc: Path) -> None:
    """It is asked for with the page, once, and a search asks for its words and titles alone."""
    with serving(disc, False) as server:
        shown = Shown(browser, f"{server.url}index.html", service_workers="block")
        shown.page.wait_for_load_state("networkidle")
        before = [path for path, _ in server.asked]
        shown.page.type("#text", "lighthouse")
        shown.page.wait_for_selector("#hits h3")
        behind = [path for path, _ in server.asked[len(before) :]]
        assert shown.said == []
        shown.close()

    shards = sorted(path for path in before if path.startswith("/c"))
    assert shards[:2] == ["/c0/d00/d0000.js", "/c0/heads.js"]
    assert {path[4] for path in shards} == {"d", "h", "l"}
    assert {path[4] for path in behind} <= {"n", "t", "w"}
    assert len({*before, *behind}) == len(before + behind)


def test_what_is_said_of_an_answer(browser: Any, files: dict[str, Path], tmp_path: Path) -> None:
    shown = Shown(browser, index_of(write([str(files["snippets"])], tmp_path / "out").folder))
    shown.put('"lighthouse keeper" xyzzy')
    assert shown.texts("#notes") == [
        "“xyzzy” is in no document. “snippets” keeps no whole texts, so only the words of quotes "
        "were searched for there."
    ]
    shown.put("xyzzy plugh")
    assert shown.texts("#found") == ["No document has any of these words"]
    assert shown.texts("#notes") == ["“xyzzy”, “plugh” are in no document."]
    said = shown.page.locator("#status").text_content()
    assert said == "No document has any of these words. “xyzzy”, “plugh” are in no document."
    assert found(shown) == []
    shown.put("!")
    assert shown.texts("#found") == ["This has no word to search for"]
    shown.put("lighthouse -lighthouse")
    assert shown.texts("#notes") == ["Documents with “lighthouse” are left out."]
    assert shown.texts("#found") == [
        "Every document with these words also has a word that you excluded"
    ]
    shown.put("marsupials")
    assert shown.texts("#hits h3") == [MARKUP]
    assert shown.page.locator("#results img, #results b, #hits a").count() == 0
    assert shown.said == []
    shown.close()


def test_without_words_the_box_is_as_before(
    browser: Any, files: dict[str, Path], tmp_path: Path
) -> None:
    shown = Shown(browser, index_of(write([str(files["before"])], tmp_path / "out").folder))
    assert shown.texts("label[for=text]") == ["Your text"]
    shown.page.type("#text", "document 12")
    shown.page.wait_for_selector("#named li")
    assert shown.texts("#found") == ["11 titles begin with this"]
    assert shown.page.locator("#hits > li").count() == 0
    shown.put("lighthouse keeper")
    assert shown.problem.endswith("Paste more of it.")
    assert shown.texts("#offers button") == []
    shown.close()


def test_several_files_are_searched_as_one(
    browser: Any, files: dict[str, Path], tmp_path: Path
) -> None:
    paths = [files["texts"], files["before"], files["snippets"]]
    shown = Shown(browser, index_of(write([str(p) for p in paths], tmp_path / "out").folder))
    shown.put("volunteers herons")
    rows = shown.page.evaluate(
        "Array.from(document.querySelectorAll('#hits > li'), "
        "(li) => [li.dataset.collection, Number(li.dataset.document)])"
    )
    with pocketindex.open_many(paths) as indexes:
        hits = indexes.search("volunteers herons", group=True)
    assert [tuple(row) for row in rows] == [(Path(hit.file).stem, hit.number) for hit in hits]
    assert shown.texts("#hits .about")[0].endswith(" · in texts")
    assert shown.problem == ""
    shown.close()


def test_damage_in_the_words_is_said(browser: Any, files: dict[str, Path], tmp_path: Path) -> None:
    folder = write([str(files["texts"])], tmp_path / "out").folder
    for path in (folder / "c0" / "w00").iterdir():
        script = rewritten(
            path.read_bytes().decode("latin-1"), lambda data: bytes(byte ^ 1 for byte in data)
        )
        path.write_bytes(script.encode("latin-1"))
    shown = Shown(browser, index_of(folder))
    shown.put("lighthouse")
    assert shown.problem.startswith("The file c0/w00/w00")
    assert shown.problem.endswith("is damaged. Copy or download the folder again.")
    assert shown.ask(LONG)[0] == (11, 10_000)
    shown.close()


def test_damage_in_the_titles_leaves_the_hits(
    browser: Any, files: dict[str, Path], tmp_path: Path
) -> None:
    folder = write([str(files["texts"])], tmp_path / "out").folder
    for path in (folder / "c0" / "n00").iterdir():
        path.unlink()
    shown = Shown(browser, index_of(folder))
    shown.put("lighthouse")
    assert shown.texts("#hits > li")
    assert shown.problem.startswith("The file c0/n00/n00")
    shown.close()


def folds(shown: Shown) -> None:
    shown.put(RARE)
    shown.page.locator("#hits summary").click()
    shown.page.wait_for_selector(".like li")


STATES: dict[str, Callable[[Shown], object]] = {
    "start": lambda shown: shown.page.type("#text", "l"),
    "words": lambda shown: shown.put("document lighthouse"),
    "typed": lambda shown: shown.answered(lambda: shown.page.type("#text", "lightho")),
    "folded": folds,
    "notes": lambda shown: shown.put('"lighthouse keeper" xyzzy'),
    "none": lambda shown: shown.put("xyzzy plugh"),
    "text": lambda shown: shown.ask(LONG),
}


@pytest.mark.parametrize("view", VIEWS)
def test_no_rule_is_broken_and_screenshots(
    view: str, browser: Any, files: dict[str, Path], tmp_path: Path
) -> None:
    out = write([str(files["snippets"])], tmp_path / "out", Settings(title="Words")).folder
    shot = shots_of(browser, tmp_path) / f"{view}-words"
    looked_over(browser, out, VIEWS[view], STATES, shot)
