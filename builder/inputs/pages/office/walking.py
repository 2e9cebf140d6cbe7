"""Turn the elements of an office file into lines of text: a function for each kind of element, and
a collector of lines.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from pocketindex.builder.inputs.pages.signs import CODE, HEADING, ITEM

Element = Any  # of lxml
_UNSEEN = re.compile("[\u00ad\ufeff]")  # soft hyphens, and marks of no width


class Lines:
    """Lines that are being collected. A paragraph is a line, and the text of a box beside it
    follows it.
    """

    def __init__(self) -> None:
        self.done: list[str] = []
        self.tables = 0  # that stand in it
        self.sign = ""  # of what the next line begins (signs.py)
        self._open: list[str] = []
        self._boxes: list[str] = []

    def add(self, text: str) -> None:
        """Add text to the paragraph."""
        self._open.append(text)

    def box(self, lines: Iterable[str]) -> None:
        """Put lines after the paragraph."""
        self._boxes.extend(lines)

    def end(self) -> None:
        """End the paragraph; one of white space is none, but for an empty line of code."""
        if self._open:
            text = "".join(self._open)
            if _UNSEEN.search(text):
                text = _UNSEEN.sub("", text)
            if self.sign == CODE:
                self.done += (CODE + line.rstrip() for line in text.split("\n"))
            else:
                for line in text.split("\n"):
                    if line := line.strip():
                        self.done.append(self.sign + line)
                        self.sign = ""
            self._open = []
        if self._boxes:
            self.done.extend(self._boxes)
            self._boxes = []

    def move_open(self, other: Lines) -> None:
        """End the paragraph in `other`."""
        other._open, other._boxes = self._open, self._boxes
        self._open, self._boxes = [], []
        other.end()

    def row(self, cells: list[Lines]) -> None:
        """Add a row of a table as a line, with a tab between cells.

        A row with one cell, or with a table in a cell, is there for the layout: the paragraphs in
        it stay lines.
        """
        for cell in cells:
            cell.end()
        if len(cells) == 1 or any(cell.tables for cell in cells):
            for cell in cells:
                self.done.extend(cell.done)
        elif any(cell.done for cell in cells):
            rows = (
                " ".join(line.lstrip(HEADING + ITEM + CODE) for line in cell.done) for cell in cells
            )
            self.done.append("\t".join(rows).strip())


class Names:
    """Short names of elements and attributes, as "w:p", by the prefixes of known namespaces."""

    def __init__(self, prefixes: Mapping[str, str]) -> None:
        self._prefixes = prefixes
        self._known: dict[Any, str] = {}

    def __call__(self, tag: Any) -> str:
        """Return the short name of a tag; nothing for a namespace that is not known."""
        name = self._known.get(tag)
        if name is None:
            name = ""
            if isinstance(tag, str):
                uri, _, local = tag.rpartition("}")
                prefix = self._prefixes.get(uri[1:])
                name = f"{prefix}:{local}" if prefix else local if not uri else ""
            self._known[tag] = name
        return name

    def first(self, element: Element, *path: str) -> Element:
        """Return the first child of this name, and so on along the path; None where there is none.

        None has no children.
        """
        for name in path:
            if element is None:
                return None
            for child in element:
                if self(child.tag) == name:
                    element = child
                    break
            else:
                return None
        return element

    def get(self, element: Element, name: str, default: str = "") -> str:
        """Return the attribute of this short name; of None the default."""
        if element is None:
            return default
        for key, value in element.attrib.items():
            if self(key) == name:
                return str(value)
        return default


Handler = Callable[[Element, Lines], None]


class Walker:
    """Goes through elements. `handlers` has functions by short names of elements; all other
    elements are entered.
    """

    def __init__(self, names: Names) -> None:
        self.names = names
        self.handlers: dict[str, Handler] = {}
        self.problems: list[str] = []

    def walk(self, element: Element, lines: Lines) -> None:
        """Add the text of an element."""
        handler = self.handlers.get(self.names(element.tag))
        if handler:
            handler(element, lines)
        else:
            self.inside(element, lines)

    def inside(self, element: Element, lines: Lines) -> None:
        """Add the text of all children."""
        for child in element:
            self.walk(child, lines)

    def lines_of(self, element: Element) -> list[str]:
        """Return the lines of what stands in an element."""
        lines = Lines()
        self.inside(element, lines)
        lines.end()
        return lines.done

    def boxed(self, element: Element, lines: Lines) -> None:
        """Put the lines of what stands in an element behind the paragraph."""
        lines.box(self.lines_of(element))

    def below(self, element: Element, name: str, through: frozenset[str]) -> list[Element]:
        """List the elements of a name among the children, and in children whose names are in
        `through`.
        """
        found = []
        for child in element:
            short = self.names(child.tag)
            if short == name:
                found.append(child)
            elif short in through:
                found += self.below(child, name, through)
        return found

    @staticmethod
    def nothing(element: Element, lines: Lines) -> None:
        """Pass over an element."""
