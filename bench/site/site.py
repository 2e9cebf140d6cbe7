"""The search of a website beside Pagefind's, on the manuals of Debian: builds, bytes, what a change
of twenty pages uploads, bytes on the wire, and which page comes first.

    python bench/site/site.py FOLDER… --pagefind COMMAND --work DIR [-o RESULTS.md]

FOLDER: HTML of the packages postgresql-doc-15 and python3.11-doc, unpacked by `dpkg -x`. Needs
playwright, chromium and Pagefind (npm). Pages without lang get "en". DIR is written anew.
"""

from __future__ import annotations

import os
import random
import re
import shutil
import subprocess
import sys
import time
from collections import Counter, namedtuple
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote

sys.path.insert(0, str(Path(__file__).parents[2] / "tests" / "helpers" / "page"))
sys.path.insert(0, str(Path(__file__).parents[1] / "measuring"))

from intervals import table
from pages import launched
from resiliparse.parse.html import HTMLTree
from running import parser, report
from static_server import serving

ASKED = 300
SHOWN = 5  # hits whose texts are loaded
PASTED = (40, 60)  # words of a paragraph, and of what is pasted of it
LINE = {"offline": False, "latency": 150, "downloadThroughput": 2e5, "uploadThroughput": 2e5}
TIMES = 3  # of which the middle one counts
CHANGED = 20
HOME = """<!doctype html><html lang=en><title>Manuals</title><pocket-search></pocket-search>Both.
<script src=_pocketindex/pocket-search.js defer></script>"""
SIGNS = re.compile(r"[¶#§]|^[\d.]+\s|^(?:Chapter|Appendix|Part)\s\S+\s")

# The page has loaded the entry. The engine is loaded beside what it asks for, as the element does it.
OURS = """async (queries) => {
  const add = (tag, own) => document.head.append(Object.assign(document.createElement(tag), own));
  const load = (name) => new Promise((onload) => add("script", { src: `/_pocketindex/${name}`, onload }));
  if (!globalThis.site) {
    for (const name of [pocketEntry.core, pocketEntry.index])
      add("link", { rel: "preload", as: "fetch", crossOrigin: "", href: `/_pocketindex/${name}` });
    await load(pocketEntry.engine);
    globalThis.site = await pocketSite.open(`${location.origin}/_pocketindex/`, pocketEntry);
  }
  const answers = [];
  for (const [text, top] of queries) {
    const { hits } = await site.search(text, { language: "en", top });
    answers.push(hits.map((hit) => [hit.page, hit.subs.map((sub) => sub.url)]));
  }
  return answers;
}"""
THEIRS = """async (queries) => {
  const found = await import("/pagefind/pagefind.js");
  await found.options({ noWorker: true });
  await found.init();
  const answers = [];
  for (const [text, top] of queries) {
    const { results } = await found.search(text);
    const hits = await Promise.all(results.slice(0, top).map((result) => result.data()));
    const urls = (of) => of.map(({ url }) => location.origin + url);
    answers.push(hits.map((hit) => [...urls([hit]), urls(hit.sub_results)]));
  }
  return answers;
}"""


# Its command, its folder in a site, and the script that asks it.
Search = namedtuple("Search", "name command folder script")


def built(search: Search, site: Path) -> str:
    """Processor time and memory of a build."""
    command = [*search.command, str(site)]
    quiet: Any = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    compiled = {**os.environ, "PYTHONDONTWRITEBYTECODE": ""}  # as what pip installs is
    child = subprocess.Popen(command, env=compiled, **quiet)
    _, status, used = os.wait4(child.pid, 0)
    assert status == 0, command
    return f"{used.ru_utime + used.ru_stime:.1f} s, {used.ru_maxrss / 1024:.0f} MB"


def files_of(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


def changed(site: Path, same: bool) -> None:
    """Add a sentence of twenty words to each of twenty pages: of the page's own words, or the same
    one to all. Add a page with such a sentence alone, and take the one before away.
    """
    draw = random.Random(1)
    pages = sorted(path for path in site.rglob("*.html") if path.stat().st_size > 4000)
    spare, *pages = draw.sample(pages, CHANGED + 1)
    for path in pages:
        text = path.read_text("utf-8")
        words = HTMLTree.parse(spare.read_text("utf-8") if same else text).body.text.split()
        own = draw if not same else random.Random(3)
        sentence = " ".join(own.choices([word for word in words if word.isalpha()], k=20))
        path.write_text(text.replace("</body>", f"<p>{sentence}.</p></body>"), encoding="utf-8")
    (gone,) = site.glob("short*.html")
    gone.unlink()
    short(site / f"short{same}.html", sentence)


def short(path: Path, text: str) -> None:
    path.write_text(f"<!doctype html><html lang=en><title>Short</title><p>{text}.", "utf-8")


def questions(site: Path) -> dict[str, list[tuple[str, str, str]]]:
    """Questions with the address of the page that is meant, and the id of the heading."""
    titles, headings = list[tuple[str, str, str]](), list[tuple[str, str, str]]()
    pasted = list[tuple[str, str, str]]()
    for path in sorted(site.rglob("*.html")):
        address = quote(re.sub(r"(^|/)index\.html$", r"\1", path.relative_to(site).as_posix()))
        body = HTMLTree.parse(path.read_text("utf-8")).body
        first = body.query_selector("h1") or body.query_selector("h2")
        if first is not None:
            titles.append((said(first.text), address, ""))
        for paragraph in body.query_selector_all("p"):
            own = paragraph.text.split()
            if len(own) >= PASTED[0]:
                pasted.append((" ".join(own[: PASTED[1]]), address, ""))
        for heading in body.query_selector_all("h2, h3, h4"):
            above = heading
            while above is not None and above != body and not above.getattr("id"):
                above = above.parent
            id = above.getattr("id") if above is not None and above != body else ""
            if heading != first and id:
                headings.append((said(heading.text), address, id))
    draw = random.Random(2)
    named = single([*titles], headings)
    chosen = draw.sample(named, ASKED)
    forms = [(formed(text), *rest) for text, *rest in chosen]
    errors = [(mistyped(text, draw), *rest) for text, *rest in chosen]
    heads = draw.sample(single(headings, titles), ASKED)
    paragraphs = draw.sample(single(pasted, []), ASKED)
    return {
        "titles": chosen,
        "headings": heads,
        "another form": forms,
        "one error": errors,
        "pasted": paragraphs,
    }


def said(text: str) -> str:
    return " ".join(SIGNS.sub("", " ".join(text.split())).split())


def single(own: Sequence[Any], others: Sequence[Any]) -> list[tuple[str, str, str]]:
    """Those of which there is one, with a word of five letters, and no question of their own."""
    count = Counter(text.lower() for text, *_ in [*own, *others])
    return [one for one in own if count[one[0].lower()] == 1 and re.search(r"[a-z]{5}", one[0])]


def longest(text: str) -> str:
    return max(re.findall(r"[A-Za-z]+", text), key=len)


def formed(text: str) -> str:
    word = longest(text)
    other = word[:-1] if word.endswith("s") and not word.endswith("ss") else f"{word}s"
    return text.replace(word, other, 1)


def mistyped(text: str, draw: random.Random) -> str:
    word, letter = longest(text), draw.choice("abcdefghijklmnopqrstuvwxyz")
    at = draw.randrange(1, len(word) - 1)
    swapped = word[:at] + word[at + 1] + word[at] + word[at + 2 :]
    ways = (word[:at] + word[at + 1 :], word[:at] + letter + word[at:], swapped)
    return text.replace(word, draw.choice(ways), 1)


def asked(search: Search, site: Path, sets: dict[str, Any]) -> list[str]:
    """Shares of questions whose page comes first, and bytes that are loaded."""
    rows = []
    with launched("chromium") as browser, serving(site, ranges=False) as server:
        page = browser.new_page()
        page.goto(f"{server.url}index.html")
        for queries in ([], [("connection", SHOWN)], [("create table index", SHOWN)]):
            before = sum(server.sent)
            page.evaluate(search.script, queries)
            rows.append(f"{(sum(server.sent) - before) / 1000:.0f} kB")
        for name, own in sets.items():
            found = page.evaluate(search.script, [(text, 1) for text, *_ in own])
            first, led = 0, 0
            for (_, address, id), hits in zip(own, found, strict=True):
                is_first = bool(hits) and hits[0][0] == server.url + address
                first += is_first
                led += is_first and f"{hits[0][0]}#{quote(id)}" in hits[0][1]
            rows.append(f"{first / len(own):.2f}")
            if name == "headings":
                rows.append(f"{led / max(1, first):.2f}")
    return rows


def waited(search: Search, site: Path) -> list[str]:
    """Seconds until an open page answers a first search and a next one, at 200 kB/s and 150 ms."""
    times = list[tuple[float, float]]()
    with launched("chromium") as browser, serving(site, ranges=False) as server:
        for _ in range(TIMES):
            page = browser.new_context().new_page()
            page.goto(f"{server.url}index.html")
            line = page.context.new_cdp_session(page)
            line.send("Network.enable")
            line.send("Network.emulateNetworkConditions", LINE)
            began = [time.perf_counter()]
            for text in ("connection", "create table index"):
                page.evaluate(search.script, [(text, SHOWN)])
                began.append(time.perf_counter())
            times.append((began[1] - began[0], began[2] - began[1]))
            page.context.close()
    return [f"{sorted(own)[TIMES // 2]:.2f} s" for own in zip(*times, strict=True)]


ROWS = (
    *("build", "again, nothing changed", "bytes", "files"),
    *("a sentence of own words in 20 pages: build", "to upload"),
    *("the same sentence in 20 pages: build", "to upload"),
    *("loaded: field touched", "first search", "next search of three words"),
    *("page first: titles", "headings", "of these leads to the heading"),
    *("titles with another form", "titles with one typing error", "pasted paragraphs"),
    *("answered at 200 kB/s and 150 ms: first search", "next one"),
)


def measured(search: Search, source: Path, work: Path, sets: dict[str, Any]) -> list[str]:
    site = work / search.name
    shutil.copytree(source, site)
    rows = [built(search, site), built(search, site)]
    before = files_of(site / search.folder)
    rows += [f"{sum(map(len, before.values())):,}", f"{len(before):,}"]
    answers = asked(search, site, sets)
    for same in (False, True):
        changed(site, same)
        rows.append(built(search, site))
        after = files_of(site / search.folder)
        new = [content for name, content in after.items() if before.get(name) != content]
        rows.append(f"{sum(map(len, new)):,} in {len(new)}")
        before = after
    return rows + answers + waited(search, site)


def main() -> None:
    options = parser(__doc__)
    options.add_argument("folders", nargs="+", type=Path)
    options.add_argument("--pagefind", required=True)
    options.add_argument("--work", required=True, type=Path)
    given = options.parse_args()
    shutil.rmtree(given.work, ignore_errors=True)
    source = given.work / "source"
    for number, folder in enumerate(given.folders):
        shutil.copytree(folder, source / str(number), ignore_dangling_symlinks=True)
    (source / "index.html").write_text(HOME)
    for path in source.rglob("*.html"):
        text = re.sub(
            r"<html(?![^>]* lang=)", '<html lang="en"', path.read_bytes().decode("utf-8", "replace")
        )
        path.write_text(text, encoding="utf-8")
    short(source / "short.html", "A page of one sentence, which goes away")
    sets = questions(source)
    own = Path(sys.executable).with_name("pocketindex")
    searches = [
        Search("pocketindex", (str(own), "site"), "_pocketindex", OURS),
        Search("pagefind", (given.pagefind, "--site"), "pagefind", THEIRS),
    ]
    columns = [measured(search, source, given.work, sets) for search in searches]
    head = ["", *(search.name for search in searches)]
    report(table(head, list(zip(ROWS, *columns, strict=True))), given.output)


if __name__ == "__main__":
    main()
