"""Other searches for words, over the same bodies: each gives the ids of its ten best hits, and the
bytes of what it looks words up in.
"""

from __future__ import annotations

import html
import json
import os
import shutil
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2] / "tests" / "helpers" / "page"))

from pages import launched
from static_server import Server, serving

Ask = Callable[[str], list[str]]
Rows = Sequence[dict[str, Any]]
# Debian's python3-xapian, which no package index has.
SYSTEM = "/usr/lib/python3/dist-packages"
PAGE = '<!doctype html><html lang="en"><meta charset="utf-8"><body><p>{}</p></body></html>'
TITLES_A_VISIT = 50
OPEN_PAGEFIND = """async () => {
  window.pagefind = await import("/pagefind.js");
  await window.pagefind.init();
}"""
# Ten results with what is shown of each, as the readme of Pagefind asks for them.
ASK_PAGEFIND = """async (words) => {
  const found = await window.pagefind.search(words);
  const shown = await Promise.all(found.results.slice(0, 10).map((one) => one.data()));
  return shown.map(({ url }) => url);
}"""


@contextmanager
def building(cache: Path, name: str) -> Iterator[None]:
    """Keep how long a build took, of the clock and of processors, beside what it made."""
    began, before = time.perf_counter(), os.times()
    yield
    passed, after = time.perf_counter() - began, os.times()
    processors = sum(after[:4]) - sum(before[:4])
    (cache / f"{name}.seconds").write_text(json.dumps([passed, processors]))


def built_in(cache: Path, name: str) -> tuple[float, float]:
    passed, processors = json.loads((cache / f"{name}.seconds").read_text())
    return passed, processors


def tantivy(rows: Rows, cache: Path) -> tuple[Ask, int]:
    import tantivy as peer

    folder = cache / "tantivy"
    fresh = not folder.exists()
    folder.mkdir(exist_ok=True)
    schema = peer.SchemaBuilder()
    schema.add_text_field("id", stored=True, tokenizer_name="raw", index_option="basic")
    schema.add_text_field("body", stored=False, index_option="freq")
    index = peer.Index(schema.build(), path=str(folder))
    if fresh:
        with building(cache, "tantivy"):
            writer = index.writer(500_000_000, 1)
            for row in rows:
                writer.add_document(peer.Document(id=str(row["id"]), body=row["text"]))
            writer.commit()
            writer.wait_merging_threads()
    index.reload()
    searcher = index.searcher()

    def ask(text: str) -> list[str]:
        hits = searcher.search(index.parse_query(text, ["body"]), 10).hits
        return [searcher.doc(address)["id"][0] for _, address in hits]

    kinds = (".idx", ".term", ".pos", ".fieldnorm")
    size = sum(one.stat().st_size for one in folder.iterdir() if one.suffix in kinds)
    return ask, size


def fts(rows: Rows, cache: Path) -> tuple[Ask, int]:
    path = cache / "fts.sqlite"
    fresh = not path.exists()
    data = sqlite3.connect(path)
    if fresh:
        with building(cache, "FTS5"):
            data.execute("create virtual table t using fts5(body, content='')")
            data.executemany(
                "insert into t(rowid, body) values (?, ?)",
                ((i, row["text"]) for i, row in enumerate(rows)),
            )
            data.execute("insert into t(t) values ('optimize')")
            data.commit()
    ids = [str(row["id"]) for row in rows]

    def ask(text: str) -> list[str]:
        words = " OR ".join(f'"{word}"' for word in text.split())
        return [
            ids[number]
            for (number,) in data.execute(
                "select rowid from t where t match ? order by bm25(t) limit 10", (words,)
            )
        ]

    return ask, path.stat().st_size


def page(row: dict[str, Any]) -> str:
    """The body alone, as a page."""
    return PAGE.format(html.escape(row["text"]))


class Pagefind:
    """Asked in a tab of chromium, over HTTP on loopback. sent: the bytes that each title made it
    load. The page is opened anew now and then: what it has loaded stays with it, and makes it
    slower than a visitor ever sees it.
    """

    def __init__(self, rows: Rows, tab: Any, server: Server) -> None:
        self.rows, self.tab, self.server = rows, tab, server
        self.sent = list[int]()

    def __call__(self, text: str) -> list[str]:
        if len(self.sent) % TITLES_A_VISIT == 0:
            self.tab.goto(f"{self.server.url}empty.html")
            self.tab.evaluate(OPEN_PAGEFIND)
        before = sum(self.server.sent)
        urls = self.tab.evaluate(ASK_PAGEFIND, text)
        self.sent.append(sum(self.server.sent) - before)
        return [str(self.rows[int(Path(url).stem)]["id"]) for url in urls]


@contextmanager
def pagefind(rows: Rows, cache: Path) -> Iterator[tuple[Pagefind, int, int]]:
    """Bytes of its index, and of its fragments, which are what it shows of a page."""
    site, out = cache / "site", cache / "pagefind"
    if not out.exists():
        for number, row in enumerate(rows):
            path = site / f"{number >> 10:03}" / f"{number}.html"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(page(row), encoding="utf-8")
        program = [sys.executable, "-m", "pagefind_bin", "--site", site, "--silent"]
        with building(cache, "Pagefind"):
            subprocess.run([*program, "--output-path", out], check=True)
        shutil.rmtree(site)
    (out / "empty.html").write_text("<!doctype html><html lang='en'><title>x</title></html>")
    index, fragments = (
        sum(path.stat().st_size for pattern in patterns for path in out.glob(pattern))
        for patterns in (("index/*", "*.pf_meta"), ("fragment/*",))
    )
    with launched("chromium") as browser, serving(out, False) as server:
        tab = browser.new_page()
        tab.set_default_timeout(0)
        yield Pagefind(rows, tab, server), index, fragments


def xapian(rows: Rows, cache: Path) -> tuple[Ask, int]:
    """With what it does of itself: BM25, no stems; without positions, which nobody asks for."""
    sys.path.append(SYSTEM)
    import xapian as peer

    folder, first = cache / "xapian", cache / "xapian-first"
    if not folder.exists():
        with building(cache, "Xapian"):
            data = peer.WritableDatabase(str(first), peer.DB_CREATE_OR_OVERWRITE)
            terms = peer.TermGenerator()
            for row in rows:
                document = peer.Document()
                terms.set_document(document)
                terms.index_text_without_positions(row["text"])
                data.add_document(document)
            data.commit()
            data.compact(str(folder))
            data.close()
        shutil.rmtree(first)
    enquire = peer.Enquire(peer.Database(str(folder)))
    parser = peer.QueryParser()

    def ask(text: str) -> list[str]:
        enquire.set_query(parser.parse_query(text))
        return [str(rows[hit.docid - 1]["id"]) for hit in enquire.get_mset(0, 10)]

    return ask, sum(path.stat().st_size for path in folder.iterdir())


def zim(rows: Rows, cache: Path) -> tuple[Ask, int]:
    """The full-text index of a ZIM; bytes are what the ZIM has more with it than without it."""
    from libzim.reader import Archive
    from libzim.search import Query, Searcher
    from libzim.writer import Creator, Hint, Item, StringProvider

    class Article(Item):  # type: ignore[misc]
        def __init__(self, number: int) -> None:
            super().__init__()
            self.number = number

        def get_path(self) -> str:
            return str(self.number)

        def get_title(self) -> str:
            return str(self.number)

        def get_mimetype(self) -> str:
            return "text/html"

        def get_contentprovider(self) -> StringProvider:
            return StringProvider(page(rows[self.number]))

        def get_hints(self) -> dict[Hint, bool]:
            return {Hint.FRONT_ARTICLE: True}

    targets = {full: cache / f"{'ZIM' if full else 'plain'}.zim" for full in (False, True)}
    for full, target in targets.items():
        if not target.exists():
            with (
                building(cache, target.stem),
                Creator(target).config_indexing(full, "eng") as creator,
            ):
                for number in range(len(rows)):
                    creator.add_item(Article(number))
    searcher = Searcher(Archive(targets[True]))

    def ask(text: str) -> list[str]:
        found = searcher.search(Query().set_query(text))
        return [str(rows[int(path)]["id"]) for path in found.getResults(0, 10)]

    return ask, targets[True].stat().st_size - targets[False].stat().st_size
