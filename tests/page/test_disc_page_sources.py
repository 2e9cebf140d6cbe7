"""Where a text comes from, on a disc's page: sources and passages, from every place that a file
lies in, for pointer and keyboard; and the texts of a collection, read in the page.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pocketindex
import pytest
from looked_over import VIEWS, looked_over, shots_of
from made_up import made_up
from pages import Shown, index_of, quiet, saved, served
from pocketindex.builder import Settings as BuildSettings
from pocketindex.builder import build
from pocketindex.builder.page.folder import Settings, write
from static_server import serving
from test_disc_page_damage import rewritten

pytestmark = pytest.mark.browser

DOCUMENTS = made_up(300)
MARKUP = "<img src=x onerror=alert(1)><b>bold</b> & </script>"


def words(document: int, start: int, end: int) -> str:
    return " ".join(DOCUMENTS[document]["text"].split()[start:end])


ESSAY = "\n\n".join(
    [
        "This opening was written by nobody else, and it says what the essay is about.",
        words(4, 10, 48),
        f"Then something in between that has no source at all: {MARKUP}",
        words(12, 14, 50),
        "And an ending that nobody has written before, either, in words of its own.",
    ]
)
NUMBERS = " ".join(str(1_000 + 37 * i * i) for i in range(40))  # of which no sketch is made


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """With passages: one that keeps texts, one that keeps none; and one without passages."""
    folder = tmp_path_factory.mktemp("files")
    rows = [{**row, "url": f"https://example.org/{i}"} for i, row in enumerate(DOCUMENTS)]
    rows.append({"id": MARKUP, "title": MARKUP, "url": "javascript:alert(1)"})
    rows[-1]["text"] = f"{NUMBERS} {MARKUP} {words(5, 20, 50)[::-1]}"
    source = folder / "docs.jsonl"
    source.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    both = ("documents", "passages")
    for name, keep, index in (
        ("texts", "text", both),
        ("none", "none", both),
        ("before", "text", ("documents",)),
    ):
        settings = BuildSettings(profile="en", keep=keep, titles=True, index=index)
        build([str(source)], folder / f"{name}.pocket", settings)
    return {name: folder / f"{name}.pocket" for name in ("texts", "none", "before")}


@pytest.fixture(scope="module")
def disc(files: dict[str, Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write([str(files["texts"])], tmp_path_factory.mktemp("disc") / "out").folder


def sources(shown: Shown) -> list[tuple[int, int]]:
    """The numbers of the sources that are shown, and their coverage."""
    found = shown.page.evaluate(
        "Array.from(document.querySelectorAll('#sources > li'), "
        "(li) => [li.dataset.document, li.dataset.coverage].map(Number))"
    )
    return [(document, coverage) for document, coverage in found]


def native(path: Path, text: str) -> list[tuple[int, int]]:
    with pocketindex.open(path) as index:
        return [(s.number, round(s.coverage * 10_000)) for s in index.sources(text, 20)]


def lit(shown: Shown) -> list[str]:
    return shown.texts("#sources > li.lit h3")


def read(shown: Shown, selector: str) -> None:
    shown.page.click(selector)
    shown.page.wait_for_selector("#reading:not([hidden])")


@pytest.mark.parametrize("way", ["folder", "http", "picked", "served"])
def test_sources_and_passages(
    way: str, browser: Any, files: dict[str, Path], disc: Path, tmp_path: Path
) -> None:
    place: Any = nullcontext(index_of(disc))
    if way == "served":
        place = served(files["texts"])
    elif way == "http":
        place = serving(disc, False)
    elif way == "picked":
        place = nullcontext(index_of(write([str(files["before"])], tmp_path / "out").folder))
    with place as at:
        url = at if isinstance(at, str) else f"{at.url}index.html"
        shown = Shown(browser, url)
        if way == "picked":
            assert shown.texts("label[for=text]") == ["Your text"]
            shown.page.set_input_files("#pocket", files["texts"])
            shown.page.wait_for_selector("#status:has-text('is open')")
        assert shown.texts("label[for=text]") == ["A text or a paragraph"]
        shown.ask(ESSAY)
        found, passages = sources(shown), shown.texts(".passage")
        pieces = shown.texts(".piece")
        heading, text = shown.texts("#share")[0], "".join(shown.texts("#own"))
        quiet(shown, url.removesuffix("index.html"))
        shown.close()

    assert found == native(files["texts"], ESSAY)
    assert {4, 12} == {document for document, _ in found}
    assert heading.endswith(" % of this text is in 2 documents")
    order = [document for document, _ in found]
    for passage, document in zip(passages, (4, 12), strict=True):
        assert passage.endswith(f" {order.index(document) + 1} Document {document} — Übersicht")
    assert words(4, 12, 46) in pieces[0]
    assert words(12, 16, 48) in pieces[1]
    assert MARKUP in text


def test_a_part_of_a_text_from_little(browser: Any, disc: Path) -> None:
    """A row of numbers: none counts for similar documents."""
    shown = Shown(browser, index_of(disc))
    shown.ask(NUMBERS)

    assert shown.problem == ""
    assert [document for document, _ in sources(shown)] == [300]
    assert shown.texts("#found") == ["Too short to be compared as a whole"]
    assert shown.texts("#effort")[0].startswith("This text is too short")
    assert shown.texts("#sources h3") == [MARKUP]
    assert shown.page.locator("#origin img, #origin b, #results img").count() == 0
    shown.ask("12 34")
    assert shown.problem.startswith("This text is too short")
    assert shown.page.is_hidden("#origin")
    shown.ask("entirely other matters: quantum chromodynamics, gluons, lattices, confinement")
    assert shown.texts("#share") == ["No document here contains a passage of this text."]
    assert shown.texts("#share-note") == [""]
    assert shown.page.is_hidden("#passages")
    assert shown.said == []
    shown.close()


def test_pointer_and_keyboard_connect_both(browser: Any, disc: Path) -> None:
    shown = Shown(browser, index_of(disc))
    shown.ask(ESSAY)
    page = shown.page
    first, second = shown.texts("#sources h3")
    page.hover(".passage.hue2 .piece")
    assert lit(shown) == [second]
    page.hover("#sources > li:first-child")
    assert page.evaluate("document.querySelector('.piece.lit').closest('.passage').className") == (
        "passage hue1"
    )
    assert page.locator(".passage.hue2 .piece.lit").count() == 0
    page.mouse.move(1, 1)
    page.focus(".passage.hue1")
    assert lit(shown) == [first]
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.textContent") == first
    page.keyboard.press("Tab")  # its address
    page.keyboard.press("Tab")  # its passages
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.className") == "passage hue1"
    page.keyboard.press("Space")
    assert page.evaluate("document.activeElement.textContent") == first
    page.click(".passage.hue2 .piece")
    assert page.evaluate("document.activeElement.textContent") == second
    shown.close()


def test_a_text_is_printed_whole(browser: Any, disc: Path) -> None:
    shown = Shown(browser, index_of(disc))
    shown.put("\n\n".join([ESSAY, *(words(i, 0, 60) for i in range(20, 40))]))
    hidden = "(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight)(own)"
    assert shown.page.evaluate(hidden) > 0
    if browser.browser_type.name == "chromium":  # the other one cannot be told to
        shown.page.emulate_media(media="print")
        assert shown.page.evaluate(hidden) == 0
    shown.close()


def test_a_map_shows_where_passages_lie(browser: Any, disc: Path) -> None:
    shown = Shown(browser, index_of(disc))
    shown.ask(ESSAY)
    places = shown.page.evaluate(
        "Array.from(document.querySelectorAll('#map .place'), (e) => "
        "[e.className.match(/hue./)[0], parseFloat(e.style.left), parseFloat(e.style.width)])"
    )
    size = len(ESSAY.encode())
    expected = []
    for piece in shown.texts(".piece"):
        before = ESSAY[: ESSAY.index(piece)]
        expected += [100 * len(before.encode()) / size, 100 * len(piece.encode()) / size]
    found = [value for _, *place in sorted(places, key=lambda place: place[1]) for value in place]
    assert found == pytest.approx(expected, abs=0.1)
    assert {hue for hue, *_ in places} == {"hue1", "hue2"}
    assert (
        shown.page.get_attribute("#map", "aria-label")
        == "2 passages and where they are in your text"
    )
    shown.close()


def test_a_report_is_saved_as_one_page_without_scripts(
    browser: Any, disc: Path, tmp_path: Path
) -> None:
    shown = Shown(browser, index_of(disc))
    shown.ask(ESSAY)
    if browser.browser_type.name == "chromium":
        with shown.page.expect_download() as download:
            shown.page.click("#save")
        assert download.value.suggested_filename == "report.html"
    report = saved(shown, lambda: shown.page.click("#save"))
    (tmp_path / "report.html").write_text(report, encoding="utf-8")
    seen = [shown.texts(each) for each in ("#share", "#sources h3", "#own")]
    assert shown.said == []
    shown.close()

    assert "<script" not in report
    page = browser.new_page()
    page.goto((tmp_path / "report.html").as_uri())
    texts = "found => Array.from(document.querySelectorAll(found), (e) => e.textContent)"
    assert [page.evaluate(texts, each) for each in ("#share", "#sources h3", "#own")] == seen
    assert page.locator("button, [tabindex], img").count() == 0
    assert page.locator("#map .place").count() == 2
    assert "according to a search in texts on " in page.inner_text("body")
    links = page.evaluate("Array.from(document.querySelectorAll('h3 a'), (e) => e.href)")
    assert all(link.startswith(f"{index_of(disc)}#id=") for link in links)
    page.close()


def test_printing_prints_the_report(browser: Any, disc: Path) -> None:
    if browser.browser_type.name != "chromium":
        pytest.skip("needs chromium: Firefox cannot be told to show what it would print")
    shown = Shown(browser, index_of(disc))
    shown.ask(ESSAY)
    shown.page.emulate_media(media="print")
    for name in ("share", "map", "sources", "own"):
        assert shown.page.is_visible(f"#{name}"), name
    for name in ("ask", "results", "files", "keep", "offers"):
        assert shown.page.is_hidden(f"#{name}"), name
    shown.close()


def test_several_collections(browser: Any, files: dict[str, Path], tmp_path: Path) -> None:
    """Sources of each; one without passages has hits only."""
    rows = [{"id": str(i), "title": f"Other {i}", "text": words(i, 9, 99)} for i in range(20, 60)]
    source = tmp_path / "other.jsonl"
    source.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    build(
        [str(source)],
        tmp_path / "other.pocket",
        BuildSettings(profile="en", index=("documents", "passages")),
    )
    paths = [str(files["before"]), str(files["texts"]), str(tmp_path / "other.pocket")]
    shown = Shown(browser, index_of(write(paths, tmp_path / "out").folder))
    shown.ask(f"{words(4, 10, 48)} and then {words(30, 12, 45)}")
    names = shown.texts("#sources .about")

    assert shown.texts("#sources h3")[:3] == [
        "Document 4 — Übersicht",
        "Document 30 — Übersicht",
        "Other 30",
    ]
    assert " · in texts · " in names[0]
    assert ", the same passages as above · in other · " in names[2]
    assert shown.texts("#share")[0].startswith("About ")
    assert shown.texts("#share")[0].endswith(" % of this text is in 3 documents")
    assert " of your text, word for word" in names[0]
    assert " of your text, estimated" in names[2]
    assert shown.texts("#share-note") == [
        "“other” keeps no whole texts: passages there are estimated, and short ones are not found. "
        "“before” was not searched, because it keeps no passages and words."
    ]
    assert {"before", "texts"} <= {name for name, *_ in shown.found()}
    shown.page.click("#choices label:has-text('before')")
    shown.page.wait_for_selector("#origin", state="hidden")
    assert shown.texts("label[for=text]") == ["Your text"]
    assert shown.said == []
    shown.close()


def test_a_passage_of_very_many_documents_is_said_and_not_listed_whole(
    browser: Any, tmp_path: Path
) -> None:
    paragraph = "The committee met in the harbour office, and nobody wrote down what was agreed."
    source = tmp_path / "many.jsonl"
    rows = [{"id": str(i), "text": f"{words(i, 0, 40)}. {paragraph}"} for i in range(60)]
    source.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    settings = BuildSettings(profile="en", keep="text", index=("documents", "passages", "words"))
    build([str(source)], tmp_path / "many.pocket", settings)
    shown = Shown(
        browser, index_of(write([str(tmp_path / "many.pocket")], tmp_path / "out").folder)
    )
    shown.put(paragraph)

    assert shown.texts("#share") == ["100 % of this text is in 60 documents"]
    assert shown.texts("#share-note") == ["The first 20 are shown."]
    assert len(sources(shown)) == 20
    assert shown.texts("#sources .about")[0].startswith(
        "100 % of your text, word for word, in 60 documents"
    )
    assert shown.page.get_attribute("#sources > li:nth-child(9)", "class").startswith("hue1")
    assert shown.said == []
    shown.close()


def test_without_the_section_the_page_is_as_before(
    browser: Any, files: dict[str, Path], tmp_path: Path
) -> None:
    folder = write([str(files["before"])], tmp_path / "out").folder
    shown = Shown(browser, index_of(folder))
    hits = shown.ask(ESSAY)
    links = shown.shown()

    assert hits
    assert shown.texts("label[for=text]") == ["Your text"]
    assert shown.texts("#find") == ["Search"]
    assert shown.page.is_hidden("#origin")
    assert [link for _, link in links] == [f"https://example.org/{number}" for number, _ in hits]
    assert shown.page.evaluate("document.activeElement.id") == "results"
    assert not list(folder.glob("c0/p*"))
    shown.close()


def test_a_text_is_read_in_the_page(browser: Any, disc: Path) -> None:
    shown = Shown(browser, index_of(disc))
    page = shown.page
    shown.ask(ESSAY)
    asked, answer = page.url, shown.texts("#sources h3")
    read(shown, "#sources > li:has-text('Document 12 ') h3 a")

    assert page.url.endswith("#id=doc-12")
    assert page.inner_text("#read-title") == "Document 12 — Übersicht"
    assert shown.texts("#read-text p") == [DOCUMENTS[12]["text"]]
    assert shown.texts("#read-text mark") == [words(12, 14, 50)]
    assert shown.texts("#read-common") == ["One passage is in your text, too."]
    assert page.get_attribute("#read-about a", "href") == "https://example.org/12"
    assert page.is_visible("#ask")
    assert page.is_hidden("#origin")
    assert page.evaluate("document.activeElement.id") == "read-title"
    page.click("#next")
    assert page.evaluate("document.activeElement.tagName") == "MARK"
    page.click("#back")
    page.wait_for_selector("#reading", state="hidden")
    assert page.url == asked
    assert shown.texts("#sources h3") == answer
    assert page.evaluate("document.activeElement.textContent") == "Document 12 — Übersicht"
    page.go_forward()
    page.wait_for_selector("#reading:not([hidden])")
    shown.answered(lambda: page.click("#alike"))
    assert page.is_hidden("#reading")
    assert shown.hits()[0] == (12, 10_000)
    assert page.input_value("#text") == DOCUMENTS[12]["text"]
    read(shown, "#hits > li:first-child h3 a")
    assert page.url.endswith("#id=doc-12")
    assert shown.said == []
    shown.close()


def test_the_address_of_a_text(browser: Any, disc: Path, files: dict[str, Path]) -> None:
    shown = Shown(browser, index_of(disc))
    for act in (
        lambda: shown.page.evaluate(
            "id => { location.hash = new URLSearchParams({ id }); }", MARKUP
        ),
        shown.page.reload,
    ):
        act()
        shown.page.wait_for_selector("#reading:not([hidden])")
    assert shown.texts("#read-title") == [MARKUP]
    assert MARKUP in shown.texts("#read-text")[0]
    assert shown.page.locator("#reading img, #reading b, #read-about a").count() == 0
    shown.page.click("#back")
    shown.page.wait_for_selector("#text:visible")
    assert shown.said == []
    shown.close()
    for address, said in (
        ("id=doc-999", "has no such document"),
        ("id=doc-1&c=7", "no such collection"),
    ):
        shown = Shown(browser, f"{index_of(disc)}#{address}")
        shown.page.wait_for_selector("#problem:not(:empty)")
        assert said in shown.problem
        assert shown.page.is_visible("#text")
        shown.close()
    with served(files["none"]) as url:
        shown = Shown(browser, f"{url}#id=doc-1")
        shown.page.wait_for_selector("#reading:not([hidden])")
        assert "keeps no whole texts" in shown.texts("#read-text")[0]
        assert shown.page.get_attribute("#read-about a", "href") == "https://example.org/1"
        shown.ask(ESSAY)
        assert shown.page.get_attribute("#sources a", "href").startswith("https://example.org/")
        shown.close()


def test_passages_of_documents_that_are_not_similar(browser: Any, disc: Path) -> None:
    """What is said of no hits does not deny the passages above."""
    foreign = " ".join(f"foreign{i} other{i}" for i in range(90))
    shown = Shown(browser, index_of(disc))
    for text, said in (
        (f"{foreign} {words(4, 10, 48)}", "No text is similar as a whole."),
        (foreign, "Nothing similar found."),
    ):
        assert shown.ask(text) == []
        assert shown.texts("#found") == [said]
        assert (shown.page.locator("#sources > li").count() > 0) == ("whole" in said)
    shown.close()


def test_damage_in_the_passages_leaves_the_hits(
    browser: Any, files: dict[str, Path], tmp_path: Path
) -> None:
    folder = write([str(files["texts"])], tmp_path / "out").folder
    for path in (folder / "c0" / "p00").iterdir():
        script = rewritten(
            path.read_bytes().decode("latin-1"), lambda data: bytes(byte ^ 1 for byte in data)
        )
        path.write_bytes(script.encode("latin-1"))
    shown = Shown(browser, index_of(folder))

    with pocketindex.open(files["texts"]) as index:
        hits = index.query(ESSAY, top=20)
    assert 12 in {hit.number for hit in hits}
    assert shown.ask(ESSAY) == [(hit.number, round(hit.similarity * 10_000)) for hit in hits]
    assert shown.problem.startswith("The file c0/p00/p0000.js is damaged.")
    assert shown.page.is_hidden("#origin")
    shown.close()


def reading(shown: Shown) -> None:
    shown.ask(ESSAY)
    read(shown, "#sources h3 a[href^='#id']")


def pointed_at(shown: Shown) -> None:
    shown.ask(ESSAY)
    shown.page.focus(".passage.hue2")


STATES: dict[str, Callable[[Shown], object]] = {
    "sources": lambda shown: shown.ask(ESSAY),
    "lit": pointed_at,
    "short": lambda shown: shown.ask(NUMBERS),
    "none": lambda shown: shown.ask("entirely other matters: quantum chromodynamics, gluons"),
    "reading": reading,
}


@pytest.mark.parametrize("view", VIEWS)
def test_no_rule_is_broken_and_screenshots(
    view: str, browser: Any, files: dict[str, Path], tmp_path: Path
) -> None:
    out = write(
        [str(files["texts"]), str(files["none"])], tmp_path / "out", Settings(title="Sources")
    ).folder
    shot = shots_of(browser, tmp_path) / f"{view}-sources"
    looked_over(browser, out, VIEWS[view], STATES, shot)
