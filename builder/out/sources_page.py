"""The report of `sources --html`: the text with its passages coloured by source, in one file."""

from __future__ import annotations

from html import escape
from itertools import pairwise
from pathlib import Path

from pocketindex.builder.spill.output import Kind
from pocketindex.queries.sources import Source, Sources

COLOURS = 8
_MARK = b'<meta name="generator" content="pocketindex sources">'
_STYLE = """\
:root { color-scheme: light dark; --ink: #1c1c1c; --paper: #fff; --line: #c8c8c8; }
@media (prefers-color-scheme: dark) { :root { --ink: #ececec; --paper: #161616; --line: #444; } }
body { font: 1rem/1.6 system-ui, sans-serif; color: var(--ink); background: var(--paper);
  max-width: 72rem; margin: 2rem auto; padding: 0 1rem; }
main { display: grid; grid-template-columns: minmax(0, 2fr) minmax(14rem, 1fr); gap: 2rem; }
@media (max-width: 48rem) { main { grid-template-columns: minmax(0, 1fr); } }
.text { white-space: pre-wrap; overflow-wrap: anywhere; }
ol { padding-left: 1.6rem; } li { margin-bottom: .8rem; }
a { color: inherit; } mark { color: inherit; border-radius: .15rem; padding: .05rem 0; }
mark > a { text-decoration: none; font-size: .7em; vertical-align: super; padding: 0 .15rem; }
li:target, mark:target { outline: 3px solid currentColor; }
"""
_LIGHT = (48, 200, 110, 320, 275, 20, 170, 235)  # hues
_RULES = "".join(
    f".s{i} {{ background: hsl({hue} 85% 85%); border-bottom: 2px solid hsl({hue} 60% 40%); }}\n"
    f"@media (prefers-color-scheme: dark) {{ .s{i} {{ background: hsl({hue} 45% 24%); "
    f"border-bottom-color: hsl({hue} 60% 60%); }} }}\n"
    for i, hue in enumerate(_LIGHT)
)


PAGE = Kind("a report of `sources`", lambda path: _MARK in _head(path), is_text=True)


def _head(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(1024)


def page(text: str, found: Sources, name: str) -> str:
    """Return a page of HTML without references to anything but the sources' urls."""
    count = sum(one.added > 0 for one in found)
    head = (
        f"{found.coverage:.0%} of this text is in {count} document{'s' * (count != 1)}"
        if found
        else "No passage of this text is in the collection"
    )
    items = "\n".join(_item(one, number) for number, one in enumerate(found))
    return (
        '<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n'
        f"{_MARK.decode()}\n"
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(head)}: {escape(name)}</title>\n"
        f"<style>\n{_STYLE}{_RULES}</style>\n"
        f"<h1>{escape(head)}</h1>\n<main>\n"
        f'<div class="text" dir="auto">{_marked(text, found)}</div>\n'
        f'<aside aria-label="Sources"><ol>\n{items}\n</ol></aside>\n</main>\n</html>\n'
    )


def _item(one: Source, number: int) -> str:
    title = f"<bdi>{escape(one.title or one.id)}</bdi>"
    safe = one.url.startswith(("http://", "https://"))
    link = f'<a href="{escape(one.url, quote=True)}">{title}</a>' if safe else title
    edited = [own.edited for own in one.common]
    how = f", {sum(edited) / len(edited):.0%} of their words edited" if edited else ""
    also = "" if one.added else ", all of it in those above"
    passages = f"{len(one.passages)} passage{'s' * (len(one.passages) != 1)}"
    return (
        f'<li id="source-{number + 1}"><mark class="s{number % COLOURS}">{link}</mark><br>'
        f"{one.coverage:.0%} of the text{also}, {passages}{how}</li>"
    )


def _marked(text: str, found: Sources) -> str:
    """Return the text, each place marked by the first source that has it."""
    owner = dict[int, int]()
    bounds = {0, len(text), *(place for one in found for span in one.passages for place in span)}
    places = sorted(bounds)
    for number in range(len(found) - 1, -1, -1):
        for start, end in found[number].passages:
            for place in places:
                if start <= place < end:
                    owner[place] = number
    parts, last = list[str](), -1
    for start, end in pairwise(places):
        piece, number = escape(text[start:end]), owner.get(start, -1)
        if number < 0:
            parts.append(piece)
        else:
            sign = f'<a href="#source-{number + 1}">{number + 1}</a>' if number != last else ""
            parts.append(f'<mark class="s{number % COLOURS}">{sign}{piece}</mark>')
        last = number
    return "".join(parts)
