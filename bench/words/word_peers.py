"""Other searches for words, over the same bodies: each gives the ids of its ten best hits."""

from __future__ import annotations

import html
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2] / "tests" / "helpers" / "page"))

from pages import launched
from static_server import serving

Ask = Callable[[str], list[str]]
Rows = Sequence[dict[str, Any]]
PAGE = '<!doctype html><html lang="en"><meta charset="utf-8"><body><p>{}</p></body></html>'
# Ten results with what is shown of each, as the readme of Pagefind asks for them.
ASK_PAGEFIND = """async (words) => {
  const found = await window.pagefind.search(words);
  const shown = await Promise.all(found.results.slice(0, 10).map((one) => one.data()));
  return shown.map(({ url }) => url);
}"""


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


@contextmanager
def pagefind(rows: Rows, cache: Path) -> Iterator[tuple[Ask, int]]:
    """In chromium, over HTTP on loopback; bytes are those of its index, without its fragments (what
    it shows of a page) and its program.
    """
    site, out = cache / "site", cache / "pagefind"
    if not out.exists():
        for number, row in enumerate(rows):
            path = site / f"{number >> 10:03}" / f"{number}.html"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(page(row), encoding="utf-8")
        program = [sys.executable, "-m", "pagefind_bin", "--site", site, "--silent"]
        subprocess.run([*program, "--output-path", out], check=True)
        shutil.rmtree(site)
    (out / "empty.html").write_text("<!doctype html><html lang='en'><title>x</title></html>")
    size = sum(
        path.stat().st_size for pattern in ("index/*", "*.pf_meta") for path in out.glob(pattern)
    )
    with launched("chromium") as browser, serving(out, False) as server:
        tab = browser.new_page()
        tab.goto(f"{server.url}empty.html")
        tab.evaluate(
            "async () => { window.pagefind = await import('/pagefind.js');"
            " await window.pagefind.init(); }"
        )

        def ask(text: str) -> list[str]:
            urls = tab.evaluate(ASK_PAGEFIND, text)
            return [str(rows[int(Path(url).stem)]["id"]) for url in urls]

        yield ask, size


def xapian(rows: Rows, cache: Path) -> tuple[Ask, int]:
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

    targets = {full: cache / f"{'full' if full else 'plain'}.zim" for full in (False, True)}
    for full, target in targets.items():
        if not target.exists():
            with Creator(target).config_indexing(full, "eng") as creator:
                for number in range(len(rows)):
                    creator.add_item(Article(number))
    searcher = Searcher(Archive(targets[True]))

    def ask(text: str) -> list[str]:
        found = searcher.search(Query().set_query(text))
        return [str(rows[int(path)]["id"]) for path in found.getResults(0, 10)]

    return ask, targets[True].stat().st_size - targets[False].stat().st_size
