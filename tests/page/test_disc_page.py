"""The disc's page in browsers: from a folder, over HTTP with ranges and without, from a picked
file: the native answers, or clear words.
"""

from __future__ import annotations

import json
import os
import re
import struct
from pathlib import Path
from typing import Any

import pocketindex
import pytest
from made_up import made_up
from pages import CONTRAST, Shown, index_of, native, quiet, served
from places import GOLDEN
from plain.terms import every_word
from pocketindex.builder import Settings as BuildSettings
from pocketindex.builder import build
from pocketindex.builder.conventions import crc32c
from pocketindex.builder.page.folder import Settings, write
from pocketindex.builder.schemes.rff import RffSettings
from pocketindex.builder.write import cells
from static_server import serving
from vectors import load

pytestmark = pytest.mark.browser

NAMES = sorted({case["file"] for case in load("answers")})
HOSTILE = "</script><script>window.hit = 1</script><img src=x onerror='window.hit = 1'>"


@pytest.fixture(scope="module")
def texts() -> list[str]:
    """Documents of the collection, whole, in part and edited."""
    out = [d["text"] for d in made_up(300)[:12]]
    out += [text[: len(text) // 2] for text in out[:4]]
    return [*out, out[3].upper(), " ".join(out[:3]), out[5].replace(" the ", " a ")]


@pytest.fixture(scope="module")
def disc(pocket: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write(
        [str(pocket)], tmp_path_factory.mktemp("disc") / "out", Settings(title="Made up")
    ).folder


@pytest.fixture(scope="module")
def disc_with_file(pocket: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write(
        [str(pocket)], tmp_path_factory.mktemp("disc") / "out", Settings(with_file=True)
    ).folder


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Markup in every field, a url that runs, a link template's special characters."""
    folder = tmp_path_factory.mktemp("hostile")
    documents = [
        {
            "id": f"{i}{HOSTILE}",
            "title": HOSTILE,
            "text": d["text"],
            "url": "javascript:window.hit = 1",
        }
        for i, d in enumerate(made_up(9))
    ]
    (folder / "docs.jsonl").write_text("".join(json.dumps(d) + "\n" for d in documents))
    build(
        [str(folder / "docs.jsonl")],
        folder / f"{HOSTILE.replace('/', '_')}.pocket",
        BuildSettings(profile="en"),
    )
    return next(folder.glob("*.pocket"))


def recorded(case: dict[str, Any]) -> list[list[int]]:
    """The hits of a case as the page has them: where the file at hand would be scanned, it asks the
    tables, if there are any.
    """
    with pocketindex.open(GOLDEN / f"{case['file']}.pocket") as index:
        info = index.info()
        if "copies" in case:
            return [hit for hit in case["copies"] if hit[1] > 0]
        if case["way"] == "tables" or not (info.tables or info.cells):
            return [hit[:2] for hit in case["hits"][: case["shown"]]]
        hits = index.query(bytes.fromhex(case["text"]).decode(), 5, probes=info.default_probes)
        return [[hit.number, round(hit.similarity * 10_000)] for hit in hits]


def searched(case: dict[str, Any]) -> bool:
    """Whether the page searches for the words of a text (test_disc_page_words.py): few of them, in
    a file that has words.
    """
    few = len(list(every_word(bytes.fromhex(case["text"])))) <= 7
    return few and str(case["file"]).startswith("words")


# The second in a file with words, of a text that has some.
TOO_SHORT = ("This text is too short: it has ", "With fewer than ")


def test_the_recorded_answers(browser: Any, tmp_path: Path) -> None:
    folder = write([str(GOLDEN / f"{name}.pocket") for name in NAMES], tmp_path / "out").folder
    shown = Shown(browser, index_of(folder))
    cases = [
        case
        for case in load("answers")
        if bytes.fromhex(case["text"]).strip() and case["way"] != "cold" and not searched(case)
    ]
    asks = []
    for case in cases:
        place = NAMES.index(case["file"])
        asks.append(
            {
                "q": bytes.fromhex(case["text"]).decode(),
                "c": str(place),
                "probes": str(case["probes"]),
                "as": "text",
            }
        )
    for case, answer in zip(cases, shown.ask_all(asks), strict=True):
        if case.get("too_short"):
            # Where documents have the words, these are shown, and beside them why there is no more.
            said = answer["problem"] or answer["effort"]
            assert said.startswith(TOO_SHORT), case
            continue
        assert (answer["hits"][:5], answer["problem"]) == (recorded(case), ""), case
    quiet(shown, folder.as_uri())
    shown.close()


def test_from_a_folder(browser: Any, disc: Path, pocket: Path, texts: list[str]) -> None:
    shown = Shown(browser, index_of(disc))
    assert [shown.ask(text) for text in texts] == native(pocket, texts)

    shown.ask(texts[11])
    with pocketindex.open(pocket) as index:
        assert shown.shown() == [(hit.title, hit.url) for hit in index.query(texts[11], 20)]
    quiet(shown, disc.as_uri())
    shown.close()


@pytest.mark.parametrize("ranges", [False, True], ids=["shards", "ranges"])
def test_over_http(
    ranges: bool, browser: Any, disc_with_file: Path, pocket: Path, texts: list[str]
) -> None:
    with serving(disc_with_file, ranges) as server:
        shown = Shown(browser, server.url + "index.html")
        assert [shown.ask(text) for text in texts] == native(pocket, texts)
        quiet(shown, server.url)
        shown.close()
        file = [status for path, status in server.asked if path.endswith(".pocket")]
        # After the first question the disc is kept for later, with all of its scripts.
        scripts = [url for url in shown.asked if url.endswith(".js")]

    assert {status for _, status in server.asked} <= {200, 206}
    if ranges:
        assert set(file) == {206}
        assert scripts[0] == f"{server.url}c0/heads.js"  # packed there
    else:
        assert file == [200]  # probed once
        assert len(scripts) > 2


def test_a_picked_file(browser: Any, disc: Path, pocket: Path, texts: list[str]) -> None:
    shown = Shown(browser, index_of(disc))
    shown.page.set_input_files("#pocket", pocket)
    shown.page.wait_for_selector("#status:has-text('is open: 300 documents')")
    assert [shown.ask(text) for text in texts] == native(pocket, texts)
    quiet(shown, disc.as_uri())
    shown.close()


def test_without_scripts_the_files_of_the_disc_are_chosen(
    browser: Any, pocket: Path, texts: list[str], tmp_path: Path
) -> None:
    folder = write(
        [str(pocket), str(GOLDEN / "rff-wide.pocket")], tmp_path / "out", Settings(scripts=False)
    ).folder
    first, second = sorted(folder.rglob("*.pocket"))
    shown = Shown(browser, index_of(folder))
    asks_for = f"The page cannot read c0/{first.name} by itself"
    shown.page.wait_for_selector(f"#status:has-text('{asks_for}')")
    shown.page.check("input[name=collection] >> nth=1")
    assert (shown.ask(texts[1]), shown.problem[: len(asks_for)]) == ([], asks_for)

    shown.answered(lambda: shown.page.set_input_files("#pocket", first))
    assert (shown.hits(), shown.page.is_checked("input[name=collection] >> nth=1")) == (
        native(pocket, [texts[1]])[0],
        True,
    )
    shown.answered(lambda: shown.page.set_input_files("#pocket", second))
    assert shown.page.is_checked("input[name=collection] >> nth=0")
    assert shown.page.locator("input[name=collection]").count() == 3
    shown.page.check("input[name=collection] >> nth=2")
    assert shown.ask(texts[2]) == native(GOLDEN / "rff-wide.pocket", [texts[2]])[0]
    quiet(shown, folder.as_uri())
    shown.close()

    with serving(folder, ranges=True) as server:
        shown = Shown(browser, server.url + "index.html")
        shown.page.check("input[name=collection] >> nth=1")
        assert shown.ask(texts[1]) == native(pocket, [texts[1]])[0]
        shown.close()


def test_served(browser: Any, pocket: Path, texts: list[str]) -> None:
    """The page of `pocketindex serve`, which has no scripts beside it."""
    with served(pocket) as url:
        shown = Shown(browser, url)
        assert [shown.ask(text) for text in texts] == native(pocket, texts)
        quiet(shown, url)
        shown.close()


def far(pocket: Path, target: Path) -> Path:
    """The same file with a section of 5 GB, that no reader knows, before the documents: what is
    shown of a hit lies beyond 4 GiB.
    """
    data, gap = pocket.read_bytes(), 5 << 30
    entries = [list(entry) for entry in struct.iter_unpack("<IIQQIIII", data[32 : 32 + 200])]
    head = struct.pack("<QQI", 0, gap, 0)
    start = 32 + 240
    out, places = [], []
    for kind, flags, offset, length, *rest in entries:
        if kind == 4:
            start += -start % 8
            places.append([77, 0, start, len(head) + gap, 0, 1, crc32c(head), 0])
            out.append((start, head))
            start += len(head) + gap
        start += -start % 8
        places.append([kind, flags, start, length, *rest])
        out.append((start, data[offset : offset + length]))
        start += length
    table = b"".join(struct.pack("<IIQQIIII", *place) for place in places)
    header = data[:8] + struct.pack("<HHIQI", 1, 0, 6, start, 0)
    with open(target, "wb") as file:
        file.write(header + struct.pack("<I", crc32c(table, crc32c(header))) + table)
        for offset, piece in out:
            file.seek(offset)
            file.write(piece)
    return target


def test_a_picked_file_beyond_4_gib(
    browser: Any, disc: Path, pocket: Path, texts: list[str], tmp_path: Path
) -> None:
    with open(tmp_path / "hole", "wb") as hole:
        hole.truncate(1 << 26)
    if os.stat(tmp_path / "hole").st_blocks > 1 << 10:
        pytest.skip("needs a file system with sparse files")
    path = far(pocket, tmp_path / "far.pocket")
    assert path.stat().st_size > 5 << 30
    shown = Shown(browser, index_of(disc))
    shown.page.set_input_files("#pocket", path)
    shown.page.wait_for_selector("#status:has-text('is open')")
    assert [shown.ask(text) for text in texts[:5]] == native(pocket, texts[:5])
    assert shown.shown()[0][0] == "Document 4 — Übersicht"
    shown.close()


def test_parts_on_demand(
    browser: Any,
    collection: Path,
    texts: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Few cells at first; the button finds what the file's own number and its table do."""
    monkeypatch.setattr(cells, "COLD", 2)
    monkeypatch.setattr(cells, "ASKED", 9)
    in_cells = tmp_path / "cells.pocket"
    chosen = BuildSettings(profile="learn", scheme_settings=RffSettings(cells=12))
    build([str(collection)], in_cells, chosen)
    out = write([str(in_cells)], tmp_path / "out", Settings(loaded_once=0, with_file=True))
    with serving(out.folder, ranges=True) as server:
        shown = Shown(browser, server.url + "index.html")
        for text, expected in zip(texts, native(in_cells, texts, tables=True), strict=True):
            first = shown.ask(text)
            assert set(first) <= set(expected)
            assert shown.page.inner_text("#deeper") == "Search deeper"
            shown.answered(lambda: shown.page.click("#deeper"))
            assert shown.hits() == expected
        quiet(shown, server.url)
        shown.close()


def test_compared_with_all(browser: Any, disc: Path, pocket: Path, texts: list[str]) -> None:
    """The button is there while not all documents are compared."""
    shown = Shown(browser, index_of(disc))
    shown.ask(texts[14])
    assert shown.page.inner_text("#effort").endswith(", 300 documents compared")
    assert shown.page.is_hidden("#deeper")
    shown.ask_all([{"q": texts[14], "probes": "1"}])
    assert shown.page.inner_text("#deeper") == "Compare with all 300 documents"
    shown.answered(lambda: shown.page.click("#deeper"))
    with pocketindex.open(pocket) as index:
        hits = index.query(texts[14], 20, exhaustive=True)
    assert shown.hits() == [(h.number, round(h.similarity * 10_000)) for h in hits]
    shown.close()


def test_why(browser: Any, disc: Path, pocket: Path, texts: list[str]) -> None:
    shown = Shown(browser, index_of(disc))
    shown.ask(texts[13])
    shown.page.click("#hits > li:first-child summary")
    shown.page.wait_for_selector(".why li")
    with pocketindex.open(pocket) as index:
        why = index.explain(texts[13], index.query(texts[13])[0])
    said = shown.page.inner_text(".why p")
    terms = shown.page.evaluate(
        "Array.from(document.querySelectorAll('.why mark'), (mark) => [mark.textContent, "
        "mark.title])"
    )

    agreeing = sum(c.agrees for c in why.components)
    assert said.startswith(
        f"{agreeing} of {len(why.components)} features agree, with {round(100 * why.agreement)} % "
        "of the total weight"
    )
    assert [t for t, _ in terms] == [t.term for t in why.terms[:24]]
    assert [float(share.removesuffix(" %")) for _, share in terms] == pytest.approx(
        [100 * t.weight for t in why.terms[:24]], abs=0.06
    )
    shown.close()


def test_markup_in_every_field_is_text(browser: Any, hostile: Path, tmp_path: Path) -> None:
    folder = write([str(hostile)], tmp_path / "out", Settings(title=HOSTILE)).folder
    shown = Shown(browser, index_of(folder))
    shown.ask(made_up(9)[4]["text"])
    assert shown.shown()[0] == (HOSTILE, "")
    assert shown.page.inner_text("h1") == HOSTILE
    shown.page.click("#hits > li:first-child summary")
    shown.page.wait_for_selector(".why li")
    assert shown.page.evaluate(
        "[typeof window.hit, document.images.length, document.querySelectorAll('script').length]"
    ) == [
        "undefined",
        0,
        5,
    ]
    quiet(shown, folder.as_uri())
    shown.close()


def test_links_by_a_template(browser: Any, hostile: Path, tmp_path: Path) -> None:
    folder = write(
        [str(hostile)], tmp_path / "out", Settings(link_template="../zim/{title}.html?x={id}")
    ).folder
    shown = Shown(browser, index_of(folder))
    shown.ask(made_up(9)[4]["text"])
    title = "%3C/script%3E%3Cscript%3Ewindow.hit%20%3D%201%3C/script%3E%3Cimg%20src%3Dx%20onerror%3D%27window.hit%20%3D%201%27%3E"
    assert shown.shown()[0] == (HOSTILE, f"../zim/{title}.html?x=4{title}")
    shown.close()


# ---- what a visitor does ----


def test_several_collections_and_the_address(
    browser: Any, pocket: Path, texts: list[str], tmp_path: Path
) -> None:
    folder = write([str(pocket), str(GOLDEN / "rff-wide.pocket")], tmp_path / "out").folder
    shown = Shown(browser, index_of(folder))
    shown.page.check("input[name=collection] >> nth=1")
    text, both = next(
        (text, both)
        for text, *both in zip(
            texts, native(pocket, texts), native(GOLDEN / "rff-wide.pocket", texts), strict=True
        )
        if both[0] != both[1]
    )
    first = shown.ask(text)
    shown.answered(lambda: shown.page.check("input[name=collection] >> nth=2"))
    assert [first, shown.hits()] == both
    assert "c=1" in shown.page.evaluate("location.hash")

    shown.answered(lambda: shown.page.evaluate("history.back()"))
    assert (shown.hits(), shown.page.is_checked("input[name=collection] >> nth=1")) == (first, True)
    again = Shown(browser, shown.page.url)
    again.page.wait_for_selector("#hits > li")
    assert again.hits() == first

    fresh = Shown(browser, index_of(folder))
    fresh.ask(" ".join(texts))
    assert fresh.page.evaluate("location.hash") == ""
    for page in (shown, again, fresh):
        quiet(page, folder.as_uri())
        page.close()


def test_by_keyboard_and_for_screen_readers(browser: Any, disc: Path, texts: list[str]) -> None:
    shown = Shown(browser, index_of(disc))
    page = shown.page
    assert page.evaluate("document.activeElement.id") == "text"
    page.keyboard.insert_text(texts[0])
    shown.answered(lambda: page.keyboard.press("Enter"))
    assert page.evaluate("document.activeElement.id") == "results"
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Document 0 — Übersicht"
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.wait_for_selector(".why li")

    assert page.evaluate("document.getElementById('status').textContent") == "1 similar text"
    score = page.get_by_role("meter", name="similarity").first
    assert (score.inner_text(), score.get_attribute("aria-valuenow")) == ("100 %", "100")
    assert page.get_by_role("heading", level=1).inner_text() == "Made up"
    assert page.get_by_role("textbox", name="Your text").count() == 1
    assert page.get_by_role("region", name=re.compile("similar text")).count() == 1
    unnamed = page.evaluate(
        "Array.from(document.querySelectorAll('a, button, input, textarea, summary')).filter((e) "
        "=> e.checkVisibility() && "
        "!(e.textContent.trim() || e.labels?.[0]?.textContent.trim())).map((e) => e.outerHTML)"
    )
    assert unnamed == []
    shown.close()


# WCAG 2.2 AA asks 4.5 to 1 of a text.
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_contrast(scheme: str, browser: Any, disc: Path, texts: list[str]) -> None:
    shown = Shown(browser, index_of(disc), color_scheme=scheme)
    if not shown.page.evaluate(f"matchMedia('(prefers-color-scheme: {scheme})').matches"):
        pytest.skip("needs chromium: Firefox ESR takes no colour scheme from a test")
    shown.ask(texts[0])
    shown.page.click("#hits > li:first-child summary")
    shown.page.wait_for_selector(".why li")
    found = shown.page.evaluate(CONTRAST)

    assert len(found) > 20
    assert [row for row in found if row[0] < 4.5] == []
    shown.close()


def test_short_and_missing_texts(browser: Any, disc: Path) -> None:
    shown = Shown(browser, index_of(disc))
    shown.ask("   ")
    assert shown.problem == "Enter a text first: paste it, type it, or drop a file on the page."
    shown.ask("lighthouse keeper")
    assert (
        shown.problem
        == "This text is too short: it has 2 usable words, and at least 3 are needed to find "
        "similar documents. No document has exactly this text. Paste more of it."
    )
    assert (
        shown.ask(
            "tax law, double entry bookkeeping, depreciation tables, quarterly filings, auditors"
        )
        == []
    )
    assert shown.page.inner_text("#found") == "Nothing similar found."
    shown.close()
