"""Turn RTF into text: paragraphs, tables, notes, text boxes, headers and footers, in a separate
process (apart.py).

The text is what a reader sees (Rich Text Format Specification 1.9.1), without hidden or deleted
text, the codes of fields, and the numbers and bullets of lists. Bytes are read by the code page of
their font, which may have characters of two bytes.
"""

from __future__ import annotations

import copy
import locale
import re
from collections.abc import Callable

from pocketindex.builder.document import Unfit
from pocketindex.builder.inputs.kinds import INPUTS
from pocketindex.builder.inputs.pages.office import symbols
from pocketindex.builder.inputs.pages.office.rtf_fonts import NO_FONT, Fonts
from pocketindex.builder.inputs.pages.office.rtf_words import (
    CHARS,
    HEADS,
    MATH,
    PROPERTIES,
    SEEN_IN_STARRED,
    UNSEEN,
)
from pocketindex.builder.inputs.pages.office.walking import Lines
from pocketindex.builder.inputs.pages.signs import HEADING, ITEM

_TOKEN = re.compile(
    rb"\\(?:([a-zA-Z]{1,32})(-?\d{1,10})?\ ?|'([0-9a-fA-F]{2})|([^a-zA-Z]))"
    rb"|([{}])|([^\\{}\r\n]+)|[\r\n]+|\\"
)
_SIGNS = {b"~": "\xa0", b"_": "\u2011", b"\\": "\\", b"{": "{", b"}": "}", b"\t": "\t"}
_MOST_GROUPS = 10_000
_BODY = 9  # the outline level of what is no heading
_PRIVATE = range(0xF000, 0xF100)  # where Word has the places of fonts of symbols
_NO_TEXT = re.compile(rb"\\[a-zA-Z]+(?:-?\d+)? ?|[\s\0\x1a{}]")


def parsed(content: bytes, add: str) -> tuple[str, str, str, list[str]]:
    """Parse an RTF file in this process, and return title, text, language and its problems; add:
    "comments" to include these.

    Raises Unfit "unreadable".
    """
    if not INPUTS["rtf"].fits(content):
        raise Unfit(
            "unreadable",
            "not an RTF file, though its name says so; give it the suffix of its format",
        )
    reader = _Reader("comments" in add.split(","))
    reader.read(content, content.index(b"{"))
    if problem := reader.problem_of_characters:
        reader.problems.append(problem)
    lines = [*reader.body.finished(), *reader.notes, *reader.comments]
    lines += dict.fromkeys(reader.heads)
    # Characters beyond U+FFFF are written as two.
    text = "\n".join(lines).encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return " ".join(reader.title), text, reader.language, reader.problems


class _Story:
    """The text of a document, a note, a header, a footer or a box: lines, and the unfinished
    tables.

    done: is called with the lines at the end.
    """

    def __init__(self, done: Callable[[list[str]], None]) -> None:
        self.done = done
        self.depth = 0  # tables that the paragraph stands in
        self._cells = list[list[Lines]]()  # of the rows that are not done, from the outside
        self._open = [Lines()]  # the text, and the cell of each table

    def add(self, text: str) -> None:
        self._here().add(text)

    def box(self, lines: list[str]) -> None:
        self._here().box(lines)

    def end(self, sign: str = "") -> None:
        """End a paragraph with this sign, and tables that it does not stand in."""
        here = self._here()
        self._leave(self.depth)
        here.sign = sign
        here.end()
        here.sign = ""

    def end_cell(self, depth: int) -> None:
        """End a cell of the table at this depth, from 1; the open paragraph is one where it does
        not say that it stands in a table.
        """
        self._leave(depth)
        cell = Lines()
        if self.depth:
            cell = self._here(depth)
            self._open[depth] = Lines()
        else:
            self._open[0].move_open(cell)
        while len(self._cells) < depth:
            self._cells.append([])
        self._cells[-1].append(cell)

    def end_row(self, depth: int) -> None:
        """End a row of the table at this depth."""
        self._leave(depth)
        self._here(min(depth, len(self._open)) - 1).end()
        self._leave(depth - 1)

    def finished(self) -> list[str]:
        self.depth = 0
        self.end()
        return self._open[0].done

    def _here(self, depth: int | None = None) -> Lines:
        """Return the lines of the cell at a depth, or at that of the paragraph."""
        depth = self.depth if depth is None else depth
        while len(self._open) <= depth:
            self._open.append(Lines())
        return self._open[depth]

    def _leave(self, depth: int) -> None:
        """End the rows of all tables that are deeper."""
        while (deepest := max(len(self._open) - 1, len(self._cells))) > depth:
            cells = self._cells.pop() if len(self._cells) == deepest else []
            if len(self._open) > deepest:
                last = self._open.pop()
                last.end()
                if last.done:
                    cells.append(last)
            outer = self._here(deepest - 1)
            outer.tables += deepest > 1
            if cells:
                outer.row(cells)


class _Group:
    """The state within braces, which groups inside them inherit."""

    def __init__(self, story: _Story) -> None:
        self.story = story
        self.seen = True  # false in a destination that is no text
        self.hidden = self.deleted = self.starred = self.fonts = False
        self.font = -1
        self.sign = ""  # of the paragraph (signs.py)
        self.fallback = 1  # characters that follow \u for who does not know it


class _Reader:
    def __init__(self, with_comments: bool) -> None:
        self.title = list[str]()
        self.notes, self.comments, self.heads = list[str](), list[str](), list[str]()
        self.language = ""
        self.problems = list[str]()
        self.body = _Story(lambda _: None)
        self._with_comments = with_comments
        self._fonts = Fonts()
        self._group = _Group(self.body)
        self._groups = list[_Group]()
        self._bytes = bytearray()  # of text, not decoded yet
        self._passed = 0  # characters that are left to pass over

    @property
    def problem_of_characters(self) -> str:
        """What is wrong with bytes of the text, or nothing."""
        return self._fonts.problem

    def read(self, content: bytes, place: int) -> None:
        """Read a file from its first brace on."""
        end = len(content)
        while place < end:
            token = _TOKEN.match(content, place)
            assert token
            place = token.end()
            word, number, code, sign, brace, text = token.groups()
            if text:
                self._take(text)
            elif code:
                self._take(bytes((int(code, 16),)))
            elif brace == b"{":
                self._flush()
                self._passed = 0
                if len(self._groups) == _MOST_GROUPS:
                    raise Unfit("unreadable", f"its groups nest deeper than {_MOST_GROUPS:,}")
                self._groups.append(self._group)
                self._group = copy.copy(self._group)
                self._group.starred = False
            elif brace:
                self._close()
                if not self._groups:
                    self._check_rest(content[place:])
                    return
            elif word == b"bin":
                place += max(0, int(number or 0))
                self._passed = max(0, self._passed - 1)
            elif self._passed and (word or sign):
                self._passed -= 1
            elif word:
                self._flush()
                self._word(word.decode(), int(number) if number else None)
            elif sign:
                self._sign(sign)
        while self._groups:
            self._close()
        self.problems.append("it ends within a group, so it may be cut short")

    def _close(self) -> None:
        self._flush()
        self._passed = 0
        inner, self._group = self._group, self._groups.pop()
        if inner.story is not self._group.story:
            inner.story.done(inner.story.finished())

    def _check_rest(self, rest: bytes) -> None:
        if size := len(_NO_TEXT.sub(b"", rest)):
            self.problems.append(
                f"{size:,} bytes after the brace that ends the document are left out"
            )

    # ---- text ----

    def _take(self, text: bytes) -> None:
        """Take bytes of text, except those that only stand in for a Unicode character."""
        passed = min(self._passed, len(text))
        self._passed -= passed
        if self._group.fonts:
            self._fonts.name(text)
        elif self._group.seen:
            self._bytes += text[passed:]

    def _flush(self) -> None:
        """Decode the bytes that stand together."""
        if self._bytes:
            text = self._fonts.decoded(bytes(self._bytes), self._group.font)
            self._bytes.clear()
            self._add(text)

    def _add(self, text: str) -> None:
        group = self._group
        if group.seen and not group.hidden and not group.deleted:
            group.story.add(text)

    def _sign(self, sign: bytes) -> None:
        self._flush()
        if sign == b"*":
            self._group.starred = True
        elif sign in b"\r\n":
            self._end()
        else:
            self._add(_SIGNS.get(sign, ""))

    def _end(self) -> None:
        if self._group.seen and not self._group.hidden and not self._group.deleted:
            self._group.story.end(self._group.sign)

    # ---- words ----

    def _word(self, word: str, number: int | None) -> None:
        group = self._group
        on = number != 0
        starred, group.starred = group.starred, False
        if word in CHARS:
            self._add(CHARS[word])
        elif word in ("par", "sect", "page", "column"):
            self._end()
        elif word == "u":
            self._unicode(number)
        elif word == "uc":
            group.fallback = max(0, number or 0)
        elif word == "v":
            group.hidden = on
        elif word == "deleted":
            group.deleted = on
        elif word == "f":
            group.font = number or 0
            if group.fonts:
                self._fonts.begin(group.font)
        elif word == "outlinelevel":
            group.sign = HEADING if number is not None and 0 <= number < _BODY else ""
        elif word == "ls":
            group.sign = group.sign or (ITEM if number else "")
        elif word == "plain":
            group.hidden = group.deleted = False
            group.font = -1
        elif word in ("pard", "intbl", "itap"):
            if word == "pard":
                group.sign = ""
            group.story.depth = {"pard": 0, "intbl": max(1, group.story.depth)}.get(
                word, min(max(0, number or 0), 64)
            )
        elif word in ("cell", "nestcell"):
            if group.seen:
                group.story.end_cell(1 if word == "cell" else max(2, group.story.depth))
        elif word in ("row", "nestrow"):
            if group.seen:
                group.story.end_row(1 if word == "row" else max(2, group.story.depth))
        elif word in PROPERTIES:
            self._fonts.said(word, number, group.fonts)
        elif word == "deflang":
            self.language = locale.windows_locale.get(number or 0, "").replace("_", "-")
        else:
            self._destination(word, starred)

    def _unicode(self, number: int | None) -> None:
        self._passed = self._group.fallback
        code = (number or 0) + (0x10000 if (number or 0) < 0 else 0)
        if not 0 <= code <= 0x10FFFF or number is None:
            return
        if code in _PRIVATE:
            self._add(symbols.char(chr(code), self._fonts.family(self._group.font)))
        else:
            self._add(chr(code))

    def _destination(self, word: str, starred: bool) -> None:
        """Turn to where the text of the group goes that begins with this word."""
        group = self._group
        if word in ("pntext", "listtext") and self._groups:  # the number of an item
            self._groups[-1].sign = self._groups[-1].sign or ITEM
        if word == "fonttbl":
            group.fonts = True
            group.seen = False
        elif word == "title":
            if self._groups and not group.seen:
                self._turn(self.title.extend)
                group.font = NO_FONT
        elif not group.seen and not (word == "ud" and starred):
            return
        elif word == "footnote":
            self._turn(self.notes.extend)
        elif word in HEADS:
            self._turn(self.heads.extend)
        elif word == "annotation" and self._with_comments:
            self._turn(self.comments.extend)
        elif word in ("shptxt", "dptxbxtext"):
            self._turn(group.story.box)
        elif word == "ud":  # the same in Unicode as what stands before it in \upr
            group.seen = len(self._groups) < 2 or self._groups[-2].seen
        elif (
            (starred and word not in SEEN_IN_STARRED)
            or word in UNSEEN
            or (word.startswith("m") and word.endswith(MATH))
        ):
            group.seen = False

    def _turn(self, done: Callable[[list[str]], None]) -> None:
        group = self._group
        group.story = _Story(done)
        group.seen = True
        group.hidden = group.deleted = False
