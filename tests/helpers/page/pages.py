"""The disc's page in a browser: opening it, asking it, reading what it shows, and the native
answers.
"""

from __future__ import annotations

import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pocketindex
import pytest
from pocketindex.builder.page.serving.server import Server, run
from pocketindex.builder.page.site import Site

# How each is started: Playwright drives the system's browsers.
BROWSERS: dict[str, tuple[str, dict[str, Any]]] = {
    "chromium": ("chromium", {}),
    "firefox-esr": ("firefox", {"channel": "moz-firefox"}),
}
# Page.fill takes Firefox minutes with a long text.
PASTE = """text => {
    const box = document.getElementById("text");
    box.value = text;
    box.dispatchEvent(new Event("input", { bubbles: true }));
}"""
PASTE_AND_ASK = f"""text => {{
    ({PASTE})(text);
    document.getElementById("find").click();
}}"""
SAVED = """() => {
  const make = URL.createObjectURL;
  URL.createObjectURL = (blob) => {
    window.saved = blob.text();
    return make.call(URL, blob);
  };
}"""
ASK = """async (asks) => {
  const page = document.documentElement, out = [];
  for (const ask of asks) {
    const before = page.dataset.answered;
    location.hash = "#" + new URLSearchParams(ask);
    while (page.dataset.answered === before) await new Promise((resolve) => setTimeout(resolve, 1));
    const hits = Array.from(document.querySelectorAll("#hits > li"), (li) => [Number(li.dataset.document), Number(li.dataset.similarity)]);
    const [problem, effort] = ["problem", "effort"].map((id) => document.getElementById(id).textContent);
    out.push({ hits, problem, effort });
  }
  return out;
}"""
# Milliseconds from the click to the hits, seen from within the page.
CLOCK = """async (text) => {
  document.getElementById("text").value = text;
  const page = document.documentElement, before = page.dataset.answered, start = performance.now();
  document.getElementById("find").click();
  while (page.dataset.answered === before) await new Promise((resolve) => setTimeout(resolve));
  return performance.now() - start;
}"""
# The contrast of every text that is shown with what lies behind it, colours as the browser computes
# them.
CONTRAST = """() => {
  const canvas = Object.assign(document.createElement("canvas"), { width: 1, height: 1 });
  const pen = canvas.getContext("2d", { willReadFrequently: true });
  const paint = (colours) => {
    pen.clearRect(0, 0, 1, 1);
    for (const colour of colours) {
      pen.fillStyle = colour;
      pen.fillRect(0, 0, 1, 1);
    }
    return pen.getImageData(0, 0, 1, 1).data;
  };
  const linear = (value) => (value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4);
  const luminance = ([r, g, b]) => 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
  const texts = Array.from(document.querySelectorAll("body *")).filter(
    (e) => e.checkVisibility() && Array.from(e.childNodes).some((n) => n.nodeType === 3 && n.textContent.trim()),
  );
  return texts.map((element) => {
    const grounds = [];
    for (let e = element; e; e = e.parentElement) {
      grounds.unshift(getComputedStyle(e).backgroundColor);
      const stroke = getComputedStyle(e, "::before");
      if (stroke.content !== "none") grounds.push(stroke.backgroundColor);
    }
    const [a, b] = [luminance(paint(grounds)), luminance(paint([...grounds, getComputedStyle(element).color]))];
    return [(Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05), element.outerHTML.slice(0, 90)];
  });
}"""


@contextmanager
def launched(name: str) -> Iterator[Any]:
    """A browser, or a skip that says what is missing."""
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        pytest.skip("needs playwright (pip install --group browser)")
    path = shutil.which(name)
    if path is None:
        pytest.skip(f"needs {name}")
    kind, options = BROWSERS[name]
    with sync_playwright() as playwright:
        browser = getattr(playwright, kind).launch(executable_path=path, **options)
        try:
            yield browser
        finally:
            browser.close()


@contextmanager
def served(*pockets: Path, **choices: Any) -> Iterator[str]:
    """The url of `pocketindex serve` of files."""
    server = Server(Site([str(pocket) for pocket in pockets], **choices))
    stopped = threading.Event()
    thread = threading.Thread(target=run, args=(server, stopped), daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.port}/"
    finally:
        stopped.set()
        thread.join()


class Shown:
    """An open page.

    said: what its console has, with every error; asked: the addresses it asked for (not all
    browsers tell).
    """

    def __init__(self, browser: Any, url: str, **options: Any) -> None:
        self.page = browser.new_page(**options)
        self.said: list[str] = []
        self.asked: list[str] = []
        self.page.on("console", lambda message: self.said.append(f"{message.type}: {message.text}"))
        self.page.on("pageerror", lambda error: self.said.append(f"error: {error}"))
        self.page.on("request", lambda request: self.asked.append(request.url))
        self.page.goto(url)
        self.page.wait_for_selector("#ask:not([hidden]), #problem:not(:empty)")

    def close(self) -> None:
        self.page.close()

    def answered(self, act: Any) -> None:
        """act(), and wait until the page has an answer to it."""
        before = self.page.evaluate("document.documentElement.dataset.answered ?? ''")
        act()
        self.page.wait_for_function(
            "before => (document.documentElement.dataset.answered ?? '') !== before",
            arg=before,
            timeout=60_000,
        )

    def put(self, text: str) -> None:
        """Ask as a visitor does."""
        # At once: what is pasted is searched for after a pause, and that answer is another one.
        self.answered(lambda: self.page.evaluate(PASTE_AND_ASK, text))

    def ask(self, text: str) -> list[tuple[int, int]]:
        """As put; the hits' numbers and similarities."""
        self.put(text)
        return self.hits()

    def found(self) -> list[tuple[str, int, int]]:
        """The hits' collections, numbers and similarities."""
        names = self.page.evaluate(
            "Array.from(document.querySelectorAll('#hits > li'), (li) => li.dataset.collection)"
        )
        return [(name, *hit) for name, hit in zip(names, self.hits(), strict=True)]

    def ask_all(self, asks: list[dict[str, str]]) -> list[dict[str, Any]]:
        """By address (q, c, probes), one after the other."""
        answers: list[dict[str, Any]] = self.page.evaluate(ASK, asks)
        return answers

    def hits(self) -> list[tuple[int, int]]:
        found = self.page.evaluate(
            "Array.from(document.querySelectorAll('#hits > li'), (li) => [li.dataset.document, "
            "li.dataset.similarity])"
        )
        return [(int(document), int(similarity)) for document, similarity in found]

    def shown(self) -> list[tuple[str, str]]:
        """The hits' titles and links ("" without one)."""
        found = self.page.evaluate(
            "Array.from(document.querySelectorAll('#hits h3'), (h) => [h.textContent, "
            "h.querySelector('a')?.getAttribute('href') ?? ''])"
        )
        return [(title, link) for title, link in found]

    def texts(self, selector: str) -> list[str]:
        """What each element that selector finds has."""
        found: list[str] = self.page.evaluate(
            "(found) => Array.from(document.querySelectorAll(found), (e) => e.textContent)",
            selector,
        )
        return found

    @property
    def problem(self) -> str:
        text: str = self.page.evaluate("document.getElementById('problem').textContent")
        return text


def saved(shown: Shown, act: Any) -> str:
    """What a page gives to be saved when act() is done. Playwright tells of no download in the
    system's Firefox.
    """
    shown.page.evaluate(SAVED)
    act()
    shown.page.wait_for_function("window.saved !== undefined")
    text: str = shown.page.evaluate("window.saved")
    return text


def index_of(folder: Path) -> str:
    return (folder / "index.html").as_uri()


def native(path: Path, texts: list[str], tables: bool = False) -> list[list[tuple[int, int]]]:
    """Hits outside the browser; tables: looked up as a page does that has the file in pieces, and
    not by the file's own way.
    """
    with pocketindex.open(path) as index:
        probes = index.info().default_probes if tables else None
        return [
            [
                (h.number, round(h.similarity * 10_000))
                for h in index.query(t, top=20, probes=probes)
            ]
            for t in texts
        ]


def merged(paths: list[Path], text: str) -> list[tuple[str, int, int]]:
    """The hits of all as the package merges them: the file's stem, number, similarity."""
    with pocketindex.open_many(paths) as files:
        hits = files.query(text, 20)
        return [(Path(h.file).stem, h.number, round(h.similarity * 10_000)) for h in hits]


def quiet(shown: Shown, root: str) -> None:
    """No word on the console, and nothing asked for outside the folder."""
    assert shown.said == []
    assert [url for url in shown.asked if not url.startswith((root, "data:", "blob:"))] == []
