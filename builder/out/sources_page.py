"""The report of `sources --html`: the text with its passages coloured by source, in one file."""

from __future__ import annotations

from html import escape
from itertools import pairwise
from pathlib import Path

from pocketindex.builder.spill.output import Kind
from pocketindex.queries.sources import Source, Sources, WordsOnly
from pocketindex.wording.counted import counted

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
    said = found.summary()
    head = said[0].upper() + said[1:]
    items = "\n".join(_item(one, number) for number, one in enumerate(found))
    words = "\n".join(_words_only(one, text) for one in found.words_only)
    return (
        '<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n'
        f"{_MARK.decode()}\n"
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(head)}: {escape(name)}</title>\n"
        f"<style>\n{_STYLE}{_RULES}</style>\n"
        f"<h1>{escape(head)}</h1>\n<main>\n"
        f'<div class="text" dir="auto">{_marked(text, found)}</div>\n'
        f'<aside aria-label="Sources"><ol>\n{items}\n</ol>\n{words}</aside>\n</main>\n</html>\n'
    )


def _item(one: Source, number: int) -> str:
    title = f"<bdi>{escape(one.title or one.id)}</bdi>"
    safe = one.url.startswith(("http://", "https://"))
    link = f'<a href="{escape(one.url, quote=True)}">{title}</a>' if safe else title
    also = "" if one.added else ", which the sources above cover"
    kind = "phrase" if one.phrases_only else "passage"
    return (
        f'<li id="source-{number + 1}"><mark class="s{number % COLOURS}">{link}</mark><br>'
        f"{one.coverage:.0%} of the text{also}, "
        f"{counted(len(one.passages), kind)}{_known(one)}</li>"
    )


def _known(one: Source) -> str:
    """Say whether the passages are estimates, how much was edited, and how many documents have
    them.
    """
    if not one.verified:
        return ", estimated: the texts of the documents are not kept"
    said = ""
    if edited := max(own.edited for own in one.common):
        said += f", up to {edited:.0%} of a passage edited"
    if (documents := max(own.documents for own in one.common)) > 1:
        said += f", a sentence of it in {documents:,} documents"
    return said


def _words_only(one: WordsOnly, text: str) -> str:
    words = " ".join(text[one.start : one.end].split())
    has = "1 document has" if one.documents == 1 else f"{one.documents:,} documents have"
    return (
        f"<p>{has} all words of a sentence, perhaps in another order: "
        f"<bdi>{escape(one.title or one.id)}</bdi>.</p>\n<blockquote>{escape(words)}</blockquote>"
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
