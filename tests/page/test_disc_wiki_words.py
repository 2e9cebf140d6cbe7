"""A disc of Simple English Wikipedia with words, over HTTP: what a search for two words loads, and
how long it takes.
"""

from __future__ import annotations

import io
import json
import re
import statistics
from pathlib import Path
from typing import Any

import pocketindex
import pytest
from pages import CLOCK, Shown
from pocketindex.builder import Settings as BuildSettings
from pocketindex.builder import build
from pocketindex.builder.page.folder import Settings, write
from static_server import serving
from test_disc_wiki import SORT

pytestmark = [pytest.mark.browser, pytest.mark.slow]

FIRST, NEXT = 300_000, 200_000  # bytes beside the page itself, medians
# From the click to the snippets, in times of a sort in the same page.
TIME = 9


@pytest.fixture(scope="module")
def pocket(corpora: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    pytest.importorskip("zstandard", reason="needs zstandard")
    path = tmp_path_factory.mktemp("wiki") / "simple.pocket"
    settings = BuildSettings(keep="snippet", titles=True, index=("documents", "words"))
    build([str(corpora / "wiki_simple.jsonl.zst")], path, settings)
    return path


def searches(corpora: Path, count: int) -> list[str]:
    """Titles of two words, from everywhere in the corpus."""
    import zstandard

    with open(corpora / "wiki_simple.jsonl.zst", "rb") as file:
        stream = io.TextIOWrapper(
            zstandard.ZstdDecompressor(max_window_size=1 << 27).stream_reader(file), "utf-8"
        )
        titles = [json.loads(line)["title"] for line in stream]
    found = [title for title in titles if re.fullmatch(r"[^\W\d_]{3,} [^\W\d_]{3,}", title)]
    return found[:: len(found) // count][:count]


@pytest.mark.parametrize("ranges", [False, True], ids=["shards", "ranges"])
def test_a_search_loads_little(
    ranges: bool, browser: Any, pocket: Path, corpora: Path, tmp_path: Path
) -> None:
    folder = write([str(pocket)], tmp_path / "out", Settings(with_file=ranges)).folder
    first = []
    following = []
    took = []
    with serving(folder, ranges) as server, pocketindex.open(pocket) as index:
        for words in searches(corpora, 8):
            shown = Shown(browser, f"{server.url}index.html")
            since = len(server.sent)
            shown.page.focus("#text")
            shown.put(words)
            numbers = [hit.number for hit in index.search(words)]
            found = shown.page.evaluate(
                "Array.from(document.querySelectorAll('#hits > li'), (li) => +li.dataset.document)"
            )
            first.append(sum(server.sent[since:]))
            shown.close()
            assert found == numbers
        shown = Shown(browser, f"{server.url}index.html")
        for words in searches(corpora, 40):
            since = len(server.sent)
            took.append(shown.page.evaluate(CLOCK, words) / shown.page.evaluate(SORT))
            following.append(sum(server.sent[since:]))
        shown.close()
    print(statistics.median(first), max(first), statistics.median(following), max(following))
    print(statistics.median(took))

    assert statistics.median(first) <= FIRST
    assert statistics.median(following) <= NEXT
    assert statistics.median(took) <= TIME
