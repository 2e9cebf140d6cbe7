"""What DOCX and PPTX files share (ECMA-376): relationships, properties, alternatives, and the text
of drawings, charts and diagrams.

Transitional and strict files differ in their namespaces alone.
"""

from __future__ import annotations

import posixpath
from typing import NamedTuple
from urllib.parse import unquote

from pocketindex.builder.document import Unfit
from pocketindex.builder.inputs.pages.office import omml
from pocketindex.builder.inputs.pages.office.package import Package, PartError
from pocketindex.builder.inputs.pages.office.walking import Element, Lines, Names, Walker

_BOTH = {
    "w": ("wordprocessingml", "main"),
    "p": ("presentationml", "main"),
    "a": ("drawingml", "main"),
    "c": ("drawingml", "chart"),
    "dgm": ("drawingml", "diagram"),
    "m": ("officeDocument", "math"),
    "r": ("officeDocument", "relationships"),
}
_PREFIXES = {
    **{
        f"http://schemas.openxmlformats.org/{area}/2006/{name}": short
        for short, (area, name) in _BOTH.items()
    },
    **{f"http://purl.oclc.org/ooxml/{area}/{name}": short for short, (area, name) in _BOTH.items()},
    "http://schemas.openxmlformats.org/markup-compatibility/2006": "mc",
    "http://schemas.openxmlformats.org/package/2006/relationships": "rel",
    "http://schemas.openxmlformats.org/package/2006/metadata/core-properties": "cp",
    "http://purl.org/dc/elements/1.1/": "dc",
    "http://schemas.microsoft.com/office/drawing/2014/chartex": "cx",
    "http://schemas.microsoft.com/office/powerpoint/2018/8/main": "p188",
    "urn:schemas-microsoft-com:vml": "v",
}
NAMES = Names(_PREFIXES)
# What tells that an alternative has text of its own.
_TEXTS = {"w:t", "a:t", "m:t", "c:chart", "cx:chart", "dgm:relIds", "v:textpath"}


class Relation(NamedTuple):
    """A relationship of a part. kind: the last part of its type, as "footnotes"; path: of the part
    that it leads to, empty for one outside of the package.
    """

    kind: str
    path: str


def relations(package: Package, path: str) -> dict[str, Relation]:
    """Return the relationships of a part, by their ids; of the package itself for "".

    Raises PartError where they are damaged.
    """
    folder, name = posixpath.split(path)
    listed = posixpath.join(folder, "_rels", f"{name}.rels")
    if listed not in package:
        return {}
    found = {}
    for entry in package.xml(listed):
        if NAMES(entry.tag) != "rel:Relationship":
            continue
        target = unquote(entry.get("Target", "").partition("#")[0]).replace("\\", "/")
        outside = entry.get("TargetMode", "") == "External" or not target
        full = "" if outside else posixpath.normpath(posixpath.join("/", folder, target))
        kind = entry.get("Type", "").rpartition("/")[2]
        found[entry.get("Id", "")] = Relation(kind, full.lstrip("/"))
    return found


def main_part(package: Package, usual: str, root: str, what: str) -> tuple[str, Element]:
    """Return path and root element of the main part.

    usual: its path where no relationship names one; root: the short name that its root must have;
    what: the kind of file, for messages. Raises Unfit "unreadable".
    """
    path = _leading(package, "officeDocument", usual)
    try:
        element = package.xml(path)
    except PartError as error:
        raise Unfit("unreadable", f"not a {what}, or a damaged one: {error}") from None
    if NAMES(element.tag) != root:
        found = element.tag.rpartition("}")[2]
        raise Unfit("unreadable", f"not a {what}: expected {root!r} in {path}, found {found!r}")
    return path, element


def _leading(package: Package, kind: str, usual: str) -> str:
    """Return the path of the part that the package names for this, or else the usual one."""
    try:
        named = relations(package, "").values()
    except PartError:
        return usual
    return next((one.path for one in named if one.kind == kind and one.path in package), usual)


def properties(package: Package) -> tuple[str, str]:
    """Return title and language of the core properties; each may be empty."""
    try:
        core = package.xml(_leading(package, "core-properties", "docProps/core.xml"))
    except PartError:
        return "", ""
    title, language = (
        (found.text or "") if (found := NAMES.first(core, name)) is not None else ""
        for name in ("dc:title", "dc:language")
    )
    return " ".join(title.split()), language.strip()


class Parts(Walker):
    """Goes through parts of a package; reads drawings, with the parts that charts and diagrams have
    of their own.
    """

    def __init__(self, package: Package) -> None:
        super().__init__(NAMES)
        self.package = package
        self.relations: dict[str, Relation] = {}
        self.handlers = {
            "mc:AlternateContent": self._alternative,
            "a:p": self._paragraph,
            "a:t": self._text,
            "a:br": lambda _, lines: lines.add("\n"),
            "a:tbl": self._table,
            "c:chart": self._part,
            "cx:chart": self._part,
            "dgm:relIds": self._diagram,
            "m:oMath": lambda element, lines: lines.add(omml.linear(NAMES, element)),
            "v:textpath": lambda element, lines: lines.box([element.get("string", "")]),
        }

    def part(self, path: str) -> list[str]:
        """Return the lines of a part. One that is missing or damaged is a problem."""
        try:
            root = self.package.xml(path)
        except PartError as error:
            self.problems.append(f"{error}; its text is left out")
            return []
        return self.lines_of_part(root, self.relations_of(path))

    def relations_of(self, path: str) -> dict[str, Relation]:
        """Return the relationships of a part. Damaged ones are a problem."""
        try:
            return relations(self.package, path)
        except PartError as error:
            self.problems.append(f"{error}; what {path} refers to is left out")
            return {}

    def lines_of_part(self, root: Element, own: dict[str, Relation]) -> list[str]:
        """Return the lines of a part with these relationships."""
        before, self.relations = self.relations, own
        try:
            return self.lines_of(root)
        finally:
            self.relations = before

    def _alternative(self, element: Element, lines: Lines) -> None:
        """Go into the first alternative that has text: what a text box says stands in each."""
        for choice in element:
            if any(NAMES(inner.tag) in _TEXTS for inner in choice.iter()):
                self.inside(choice, lines)
                return

    def _paragraph(self, element: Element, lines: Lines) -> None:
        inner = Lines()
        inner.sign = self._sign_of(element)
        self.inside(element, inner)
        inner.end()
        lines.box(inner.done)

    def _sign_of(self, element: Element) -> str:  # noqa: ARG002, which a slide looks at
        """Return the sign of a paragraph of a drawing (signs.py)."""
        return ""

    def _text(self, element: Element, lines: Lines) -> None:
        lines.add(element.text or "")

    def _table(self, element: Element, lines: Lines) -> None:
        for row in self.below(element, "a:tr", frozenset()):
            cells = []
            for cell in self.below(row, "a:tc", frozenset()):
                cells.append(Lines())
                self.inside(cell, cells[-1])
            inner = Lines()
            inner.row(cells)
            lines.box(inner.done)

    def _diagram(self, element: Element, lines: Lines) -> None:
        if path := self._target(NAMES.get(element, "r:dm")):
            lines.box(self.part(path))

    def _part(self, element: Element, lines: Lines) -> None:
        if path := self._target(NAMES.get(element, "r:id")):
            try:
                self._chart(self.package.xml(path), lines)
            except PartError as error:
                self.problems.append(f"{error}; its text is left out")

    def _target(self, id: str) -> str:
        """Return the path of a part of a drawing; one that is not there is a problem."""
        relation = self.relations.get(id)
        if relation is None:
            self.problems.append("a chart or diagram is not in the file; its text is left out")
        return relation.path if relation else ""

    def _chart(self, root: Element, lines: Lines) -> None:
        """Add titles, and the names of series and categories, each once; values are drawn, and no
        text.
        """
        found = Lines()
        for element in root.iter():
            name = NAMES(element.tag)
            if name == "a:p":
                self._paragraph(element, found)
            elif name in ("c:tx", "c:cat", "cx:strDim"):
                points = (
                    inner.text
                    for inner in element.iter()
                    if NAMES(inner.tag) in ("c:v", "cx:pt") and inner.text
                )
                found.box([line] if (line := "\t".join(points)) else [])
        found.end()
        lines.box(dict.fromkeys(found.done))
