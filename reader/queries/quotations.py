"""Find what a text quotes and cites, so that a search for passages can leave it out."""

from __future__ import annotations

import re
from collections.abc import Iterator

from pocketindex.queries.spans import Span, joined

# Pairs of marks that open and close a quotation. A mark that opens in one language may close in
# another.
_PAIRS = [
    tuple(pair) for pair in ["“”", "„“", "„”", "””", "«»", "»«", "‹›", "›‹", "「」", "『』", "‚‘"]
]
_SAME_PARAGRAPH = r"(?!\n[^\S\n]*\n)"
# A quotation of several paragraphs has an opening mark before each, and one closing mark.
_GOES_ON = r"(?=\s*\n[^\S\n]*\n\s*{open})"
_QUOTED = re.compile(
    "|".join(
        [
            *(
                f"{a}(?:{_SAME_PARAGRAPH}[^{a}{b}])*(?:{b}|{_GOES_ON.format(open=a)})"
                if a != b
                else f"{a}(?:{_SAME_PARAGRAPH}[^{a}])*{a}"
                for a, b in _PAIRS
            ),
            # The same characters as a mark of inches or an apostrophe open and close nothing.
            rf'(?<!\w)"(?=\S)(?:{_SAME_PARAGRAPH}[^"])*"(?!\w)',
            rf"(?<!\w)‘(?=\S)(?:{_SAME_PARAGRAPH}[^‘])*?(?<=\S)’(?!\w)",
            rf"(?<!\w)'(?=\w)(?:{_SAME_PARAGRAPH}[^\n'])*?(?<=[\w.,!?])'(?!\w)",
        ]
    )
)
_MARKED_LINES = re.compile(r"(?:^[ \t]{0,3}>.*(?:\n|\Z))+", re.MULTILINE)
_PARAGRAPH = re.compile(r"\S(?:.|\n(?![^\S\n]*(?:\n|\Z)))*")
_INDENTED = re.compile(r"(?: {4}|\t)[^\S\n]*\S")
_HEADING = re.compile(
    r"^[ \t]*(?P<level>#{0,6})[ \t]*(?:[0-9]{1,2}\.?[ \t]+|[IVX]{1,4}\.[ \t]+)?[*_]{0,2}"
    r"(?:references|references cited|bibliography|works cited|works consulted|literature cited|"
    r"literatur|literaturverzeichnis|literaturangaben|quellen|quellenverzeichnis|"
    r"quellen-? und literaturverzeichnis|bibliographie|bibliografie|références|"
    r"références bibliographiques|referencias|referencias bibliográficas|bibliografía|bibliografia|"
    r"referências|referências bibliográficas|riferimenti bibliografici|literatuur|"
    r"literatuurlijst|referenties)[*_]{0,2}[ \t]*:?[*_]{0,2}[ \t]*#*[ \t]*$",
    re.MULTILINE | re.IGNORECASE,
)


def quotations(text: str) -> list[Span]:
    """Return the parts of a text that quote or cite, as a list of (start, end) in code points, in
    rising order: text between paired quotation marks, block quotations, and bibliographies.

    A block quotation has > before each line, or is a paragraph that is indented by four spaces or a
    tab in a text whose other paragraphs mostly are not. A bibliography begins with its heading. If
    headings are marked as in Markdown, it ends before the next heading of the same or a higher
    level. Otherwise it ends with the text, and the last of several such headings begins it.
    """
    return joined(
        [
            *(found.span() for found in _QUOTED.finditer(text)),
            *(found.span() for found in _MARKED_LINES.finditer(text)),
            *_indented(text),
            *_bibliographies(text),
        ]
    )


def _indented(text: str) -> list[Span]:
    """Find the paragraphs of which all lines are indented, if most paragraphs are not indented."""
    found, others = list[Span](), 0
    for paragraph in _PARAGRAPH.finditer(text):
        start = text.rfind("\n", 0, paragraph.start()) + 1
        lines = text[start : paragraph.end()].split("\n")
        if all(_INDENTED.match(line) for line in lines):
            found.append(paragraph.span())
        else:
            others += 1
    return found if others > len(found) else []


def _bibliographies(text: str) -> Iterator[Span]:
    headings = list(_HEADING.finditer(text))
    marked = [heading for heading in headings if heading["level"]]
    for heading in marked:
        same = re.compile(rf"^#{{1,{len(heading['level'])}}}[ \t]", re.MULTILINE)
        following = same.search(text, heading.end())
        yield heading.start(), following.start() if following else len(text)
    if headings and not marked:
        yield headings[-1].start(), len(text)
