"""Markdown to text, as apart.py calls it: CommonMark, tables and strikethrough by markdown-it-py,
and the text of the HTML between the marks.

Each paragraph, heading, list item, row of a table and line of code stands on lines of its own.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise

from markdown_it import MarkdownIt
from markdown_it.common.html_blocks import block_names
from markdown_it.rules_block import StateBlock, reference
from markdown_it.token import Token
from pocketindex.builder.document import Unfit
from pocketindex.builder.inputs.pages.markup import front_matter
from pocketindex.builder.inputs.pages.signs import CODE, HEADING, ITEM, code

# The library leaves out quotes and lists that nest deeper than this; Python's stack holds as many.
_NESTING = 100

_TASK = re.compile(r"\[[ xX]\][ \t\n]+")
# What HTML has besides text: comments, what is read as one, elements whose content nobody sees, and
# tags.
_MARKUP = re.compile(
    r"""<!--(?:-?>|.*?(?:--!?>|\Z))
    |<(?:[!?]|/[^A-Za-z])[^>]*(?:>|\Z)
    |<(script|style|template|noframes|noembed|iframe|title)(?=[\s/>]).*?(?:</\1\s*>|\Z)
    |</?([A-Za-z][^\s/>]*)(?:"[^"]*"|'[^']*'|[^'">])*>
    |</?([A-Za-z][^\s/>]*)[^>]*(?:>|\Z)""",
    re.DOTALL | re.IGNORECASE | re.VERBOSE,
)
_PRE = re.compile(r"<pre(?=[\s>])[^>]*>\n?((?:(?!<pre).)*?)\n?</pre\s*>", re.DOTALL | re.IGNORECASE)
_SIGNS = dict.fromkeys(("h1", "h2", "h3", "h4", "h5", "h6"), HEADING) | {"li": ITEM}
_SIGNED = re.compile(f"([{HEADING}{ITEM}])[\\s{HEADING}{ITEM}]*")
_CELLS = {"td", "th"}
_BLOCKS = {*block_names, "br", "pre", "textarea"} - _CELLS


class _Parser(MarkdownIt):
    def __init__(self) -> None:
        super().__init__("commonmark", {"maxNesting": _NESTING})
        self.enable(["table", "strikethrough"])
        self.block.ruler.at("reference", _reference)

    def normalizeLinkText(self, link: str) -> str:  # noqa: N802
        """Return the address of an automatic link as it is written."""
        return link

    def validateLink(self, url: str) -> bool:  # noqa: ARG002, N802
        """Take every target for one: nothing is followed here, and no target is text."""
        return True


def _reference(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Read the target of links, but for a footnote, [^1]: whose text is text."""
    at = state.bMarks[start] + state.tShift[start]
    return not state.src.startswith("[^", at) and reference(state, start, end, silent)


_PARSER = _Parser()


@dataclass
class _Piece:
    """A piece of text, and the lines of the source that it is from, the last one excluded."""

    text: str
    begin: int
    end: int
    cell: bool = False


def parsed(content: bytes) -> tuple[str, str, str, str, str]:
    """Parse Markdown in UTF-8 in this process: the fields of markdown.Markdown."""
    source = content.decode(errors="surrogatepass").replace("\r\n", "\n").replace("\r", "\n")
    fields, block, source, problem = front_matter.split(source)
    tokens = _PARSER.parse(source)
    if max((token.level for token in tokens), default=0) >= _NESTING - 1:
        raise Unfit("unreadable", f"its quotes and lists are nested {_NESTING} deep")
    title = fields.get("title") or _heading(tokens)
    text = _joined(_pieces(tokens))
    return (
        title,
        f"{block}\n{text}" if block else text,
        fields.get("date", ""),
        fields.get("lang") or fields.get("language", ""),
        problem,
    )


def _heading(tokens: Sequence[Token]) -> str:
    """Return the first heading that says something, or nothing."""
    for before, token in pairwise(tokens):
        if before.type == "heading_open" and (said := " ".join(_inline(token).split())):
            return said
    return ""


def _pieces(tokens: Iterable[Token]) -> Iterator[_Piece]:
    before, item = "", False
    for token in tokens:
        begin, end = token.map or (0, 0)
        if token.type == "inline":
            text = _inline(token)
            if item and (task := _TASK.match(text)):
                text = text[task.end() :]
            sign = HEADING if before == "heading_open" else ITEM if item else ""
            yield _Piece(text and sign + text, begin, end, before in ("th_open", "td_open"))
        elif token.type in ("fence", "code_block"):
            yield _Piece(code(token.content.removesuffix("\n")), begin, end)
        elif token.type == "html_block":
            yield _Piece(_text_of_html(token.content).strip("\n\t "), begin, end)
        item = before == "list_item_open" and token.type == "paragraph_open"
        before = token.type


def _joined(pieces: Iterable[_Piece]) -> str:
    """Join pieces by a line feed, or by two where a blank line is between them in the source."""
    out = list[str]()
    last = _Piece("", 0, 0)
    for piece in _rows(pieces):
        if not piece.text:
            continue
        if out:
            # Between the first row of a table and the second there is a line of hyphens.
            least = last.begin + 2 if piece.cell and last.cell else last.end
            out.append("\n" if piece.begin <= least else "\n\n")
        out.append(piece.text)
        last = piece
    return "".join(out).strip("\n")


def _rows(pieces: Iterable[_Piece]) -> Iterator[_Piece]:
    """Yield the cells of a row as one piece, with a tab between them."""
    for is_cell, group in groupby(pieces, lambda piece: piece.cell):
        if not is_cell:
            yield from group
            continue
        for begin, cells in groupby(group, lambda piece: piece.begin):
            row = "\t".join(" ".join(piece.text.split()) for piece in cells)
            yield _Piece(row.strip("\t"), begin, begin + 1, cell=True)


def _inline(token: Token) -> str:
    """Return the text of what stands within lines."""
    children = token.children or []
    plain = "".join(map(_plain, children))
    if not any(child.type == "html_inline" for child in children):
        return plain
    return _text_of_html(
        "".join(
            child.content if child.type == "html_inline" else html.escape(_plain(child))
            for child in children
        )
    )


def _plain(token: Token) -> str:
    if token.type in ("softbreak", "hardbreak"):
        return "\n"
    if token.type == "image":
        return "".join(_plain(one) for one in token.children or () if one.type != "html_inline")
    return token.content


def _text_of_html(source: str) -> str:
    """Return the text of HTML, with the signs of its headings, items and code."""
    source = _PRE.sub(lambda found: f"\n{code(found[1])}\n", source)
    text = _SIGNED.sub(r"\1", _MARKUP.sub(_gap, source))
    rows = (line if line.startswith(CODE) else line.strip(" \t") for line in text.split("\n"))
    return html.unescape("\n".join(rows) if "\t" in text else text)


def _gap(markup: re.Match[str]) -> str:
    """Return what stands between two texts in place of markup."""
    name = (markup[2] or markup[3] or "").lower()
    if markup[2] and name in _SIGNS and markup[0][1] != "/":
        return f"\n{_SIGNS[name]}"
    if name in _CELLS:
        return "\t" if markup[2] and markup[0][1] != "/" else ""
    return "\n" if name in _BLOCKS else ""
