"""A small site with a search: its pages in two languages, and what a visitor does there."""

from __future__ import annotations

import html
from pathlib import Path
from typing import Any

import pocketindex

STYLE = """body { margin: 0; font: 17px/1.6 Georgia, serif; color: #222; background: #fff }
body.dark { color: #e8e8e8; background: #15171a }
header { display: flex; justify-content: space-between; align-items: center; padding: .6em 1.5em;
  border-bottom: 1px solid #8886; font-family: system-ui; text-transform: uppercase }
main { max-width: 44em; margin: 2em auto; padding: 0 1.5em }
"""
POLICY = (
    '<meta http-equiv="Content-Security-Policy" content="default-src \'self\'; '
    "script-src 'self' {allowed}\">"
)
WASM = "'wasm-unsafe-eval'"
PAGE = """<!doctype html>
<html lang="{lang}"><head><meta charset="utf-8"><title>{title}</title>{policy}
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="{up}style.css"><link rel="icon" href="{up}pic.svg">
<script src="{up}_pocketindex/pocket-search.js" defer></script></head>
<body class="{body}"><header><b>Island line</b> {search}</header>
<main data-pagefind-body><h1>{title}</h1>{text}</main></body></html>
"""
MODAL = "<pocket-search></pocket-search>"
PARTS = """<p>The {thing} is described here, and what a passenger has to know of it.</p>
<h2 id="hours">Opening hours of the {thing}</h2><p>The {thing} is open from {n} to noon.</p>
<h2 id="prices">What the {thing} costs</h2><p>A ticket costs {n} crowns &amp; is sold on board.</p>
<h2 id="dogs">Dogs</h2><p>A dog may see the {thing} on a lead.</p>
<h2 id="lost">Lost property</h2><p>What is lost near the {thing} is kept for {n} weeks.</p>
<p><span data-pagefind-filter="kind">{kind}</span>
<span data-pagefind-filter="season">{season}</span>
<span data-pagefind-sort="day">{n}</span> <i data-pagefind-meta="author">Ann {n}</i>
<img src="{up}pic.svg" alt="A picture"></p><pocket-related></pocket-related>"""
THINGS = (
    *("ferry", "harbour", "lighthouse", "timetable", "island"),
    *("keeper", "boat", "ticket", "crossing", "storm"),
)
KINDS = ("guide", "reference", "story")
SEASONS = ("summer", "winter")


def page(title: str, text: str, **more: str) -> str:
    """Return a page of the site. more: lang, policy, up (the way to the root), body, search."""
    how = {"lang": "en", "policy": "", "up": "", "body": "", "search": MODAL, **more}
    return PAGE.format(title=html.escape(title), text=text, **how)


def write_site(folder: Path) -> Path:
    """Write the site without an index, and return its folder.

    guide/: 30 pages, each about a thing; de/: three in German; at the top pages that have the
    search in other ways.
    """
    for name in ("guide", "de"):
        (folder / name).mkdir(parents=True)
    for n in range(30):
        thing = THINGS[n % len(THINGS)]
        chosen = {"kind": KINDS[n % 3], "season": SEASONS[n % 2]}
        title = thing.capitalize() if n < len(THINGS) else f"{thing.capitalize()}, part {n // 10}"
        text = PARTS.format(thing=thing, n=n, up="../", **chosen)
        (folder / "guide" / f"p{n}.html").write_text(page(title, text, up="../"))
    for n, title in enumerate(("Fähre", "Leuchtturm", "Sturm")):
        text = f"<p>Der Hafen, die Insel und: {title}.</p><h2 id=preis>Preis der Insel</h2><p>Zwei."
        (folder / "de" / f"s{n}.html").write_text(page(title, text, lang="de-AT", up="../"))
    tops = {
        "index": page("Welcome", "<p>Of ships."),
        "dark": page("Night", "<p>Of stars.", body="dark"),
        "allowed": page("Allowed", "<p>Of rules.", policy=POLICY.format(allowed=WASM)),
        "forbidden": page("Forbidden", "<p>Of rules.", policy=POLICY.format(allowed="")),
        "field": page("Find", "<pocket-search inline images></pocket-search>", search=""),
        "404": page("Nothing here", "<p>Gone.", up="{root}"),
    }
    for name, text in tops.items():
        (folder / f"{name}.html").write_text(text)
    (folder / "style.css").write_text(STYLE)
    (folder / "pic.svg").write_text('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 6"/>')
    return folder


def indexed(folder: Path, **options: Any) -> Path:
    """Index a site, and return its folder."""
    pocketindex.site(folder, **options)
    return folder


# The questions that are answered from now on.
WATCH = """() => {
  window.watching?.abort();
  window.watching = new AbortController();
  const answers = (window.answers = []);
  const { signal } = window.watching;
  addEventListener("pocket-results", ({ detail }) => answers.push(detail.text), { signal });
}"""


class Visitor:
    """An open page of a site with a search.

    said: what its console has, with every error; asked: the addresses it asked for.
    """

    def __init__(self, browser: Any, url: str, **options: Any) -> None:
        self.page = browser.new_page(**options)
        self.said: list[str] = []
        self.asked: list[str] = []
        self.page.on("console", lambda message: self.said.append(f"{message.type}: {message.text}"))
        self.page.on("pageerror", lambda error: self.said.append(f"error: {error}"))
        self.page.on("request", lambda request: self.asked.append(request.url))
        self.page.goto(url)

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def search(self, text: str) -> None:
        """Open the search by its key, write words, and wait for the answer."""
        self.press("Control+k")
        self.write(text)

    def write(self, text: str) -> None:
        """Replace what stands in the field, and wait for the answer to it."""
        self.answered(lambda: self.page.get_by_role("searchbox").fill(text), text)

    def answered(self, act: Any, text: str | None = None) -> None:
        """act(), and wait until the search has an answer to it. text: the question, if not any."""
        self.page.evaluate(WATCH)
        act()
        self.page.wait_for_function(
            "text => window.answers.some((answer) => text === null || answer === text)", arg=text
        )

    def texts(self, part: str) -> list[str]:
        """The text of each element of a part that is shown."""
        found = self.page.locator(f"pocket-search [part={part}]:visible")
        return [" ".join(text.split()) for text in found.all_inner_texts()]

    @property
    def status(self) -> str:
        """The line above the results."""
        text: str = self.page.locator("pocket-search [part=status]").evaluate(
            "line => line.firstChild?.textContent ?? ''"
        )
        return text

    def focused(self) -> str:
        """What has the focus, within the element or on the page: its text, or its part."""
        text: str = self.page.evaluate(
            """() => {
              const on = document.activeElement;
              const inner = on?.shadowRoot?.activeElement ?? on;
              return inner instanceof HTMLInputElement ? inner.type : inner.textContent;
            }"""
        )
        return text

    def close(self) -> None:
        self.page.close()
