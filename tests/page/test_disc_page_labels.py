"""The labels of hits on the page, from every place that a file lies in, and in serve's JSON."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

import pocketindex
import pytest
from looked_over import VIEWS, looked_over, shots_of
from made_up import made_up
from pages import Shown, index_of, quiet, served
from pocketindex.builder import Settings as BuildSettings
from pocketindex.builder import build
from pocketindex.builder.inputs.fields import Fields
from pocketindex.builder.page.folder import Settings, write
from static_server import serving

pytestmark = pytest.mark.browser

MARKUP = "<img src=x onerror=alert(1)><b>bold</b>"
ARABIC = "جزر"
MANY = [f"label {i:02}" for i in range(40)]
ASKED = "lighthouse keeper"
LABELS = """() => Array.from(document.querySelectorAll("#hits > li"), (li) => [
  Number(li.dataset.document),
  Array.from(li.querySelectorAll(".labels li"), (label) => label.textContent),
])"""


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a file whose documents have no label, one, or more than are shown."""
    folder = tmp_path_factory.mktemp("labels")
    some: list[list[str]] = [["harbours", MARKUP], [], [ARABIC], MANY, ["x" * 1_000], ["harbours"]]
    rows = [{**row, "topics": some[i % len(some)]} for i, row in enumerate(made_up(120))]
    source = folder / "docs.jsonl"
    source.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    settings = BuildSettings(
        profile="en",
        keep="snippet",
        index=("documents", "words"),
        fields=Fields(label="topics"),
    )
    build([str(source)], folder / "labels.pocket", settings)
    return folder / "labels.pocket"


@contextmanager
def page_at(way: str, browser: Any, file: Path, folder: Path) -> Iterator[tuple[Shown, str]]:
    if way == "served":
        with served(file) as url:
            yield Shown(browser, url), url
        return
    out = write([str(file)], folder / "out", Settings(with_file=way == "ranges")).folder
    if way == "folder":
        yield Shown(browser, index_of(out)), index_of(out).removesuffix("index.html")
        return
    with serving(out, way == "ranges") as server:
        yield Shown(browser, f"{server.url}index.html"), server.url


def shown_of(labels: tuple[str, ...]) -> list[str]:
    more = len(labels) - 6
    return [*labels[:6], *([f"and {more} more"] if more > 0 else [])]


@pytest.mark.parametrize("way", ["folder", "http", "ranges", "served"])
def test_hits_have_their_labels(way: str, browser: Any, file: Path, tmp_path: Path) -> None:
    with page_at(way, browser, file, tmp_path) as (shown, root):
        for asked in (ASKED, made_up(120)[3]["text"]):
            shown.put(asked)
            found = shown.page.evaluate(LABELS)
            with pocketindex.open(file) as index:
                expected = [[number, shown_of(index.labels(number))] for number, _ in found]
            assert found == expected
            assert any(len(labels) == 7 for _, labels in found)
            assert (
                shown.page.evaluate("document.querySelectorAll('#hits img, #hits b').length") == 0
            )
        quiet(shown, root)
        shown.close()


@pytest.mark.parametrize("view", VIEWS)
def test_no_rule_is_broken_and_screenshots(
    view: str, browser: Any, file: Path, tmp_path: Path
) -> None:
    out = write([str(file)], tmp_path / "out", Settings(title="Labels")).folder
    states: dict[str, Callable[[Shown], object]] = {
        "words": lambda shown: shown.put(ASKED),
        "text": lambda shown: shown.put(made_up(120)[3]["text"]),
    }
    shot = shots_of(browser, tmp_path) / f"{view}-labels"
    looked_over(browser, out, VIEWS[view], states, shot)


def test_programs_get_them(file: Path) -> None:
    with served(file) as url, pocketindex.open(file) as index:
        asked = {"text": made_up(120)[3]["text"], "top": 20}
        question = Request(f"{url}api/0/query", json.dumps(asked).encode())
        question.add_header("Content-Type", "application/json")
        addresses = (question, f"{url}api/search?q=lighthouse+keeper&top=20")
        for address in addresses:
            with urlopen(address) as answer:
                rows = json.load(answer)["hits"]
            own = [index.document(row["id"]) for row in rows]
            assert [row.get("labels", []) for row in rows] == [[*index.labels(hit)] for hit in own]
            assert any("labels" in row for row in rows)
        with urlopen(f"{url}api/0/document?id={own[0].id}") as answer:
            assert json.load(answer).get("labels", []) == [*index.labels(own[0])]
