"""What a text quotes and cites, so that it can be left out of a search for passages."""

from __future__ import annotations

import re
from collections.abc import Iterator

from pocketindex.queries.spans import Span, joined

# Marks that open and close a quotation, of the usual kinds: what opens in one language closes in
# another.
_PAIRS = [
    tuple(pair) for pair in ["“”", "„“", "„”", "””", "«»", "»«", "‹›", "›‹", "「」", "『』", "‚‘"]
]
_SAME_PARAGRAPH = r"(?!\n[^\S\n]*\n)"
# A quotation of several paragraphs opens each of them, and closes with the last one.
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
            # A mark of inches, or an apostrophe, opens and closes nothing.
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
    """Return what a text quotes or cites, as rising places in code points: what stands between
    paired quotation marks, block quotations, and a bibliography from its heading on.

    A block quotation has > before each line, or is a paragraph that is indented by four spaces or a
    tab where most are not. A bibliography ends with the text, or with the next heading of its level
    where headings are marked as in Markdown; of several headings without marks the last one counts.
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
    """Find the paragraphs that are indented on all lines, where most paragraphs are not."""
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
