"""Turn ODT and ODP into text: paragraphs, lists, tables, notes, frames, headers and footers of an
OpenDocument file, packed or as one XML file, with lxml, in a separate process (apart.py).

The text is what a reader sees (https://docs.oasis-open.org/office/OpenDocument/v1.3/), without
deleted or hidden text, the templates of indexes and the masters of slides.
"""

from __future__ import annotations

import re
import sys

from pocketindex.builder.document import Unfit
from pocketindex.builder.inputs.pages.office.odf_names import NAMES
from pocketindex.builder.inputs.pages.office.odf_styles import Styles
from pocketindex.builder.inputs.pages.office.package import Package, PartError, parse
from pocketindex.builder.inputs.pages.office.walking import Element, Lines, Walker
from pocketindex.builder.inputs.pages.signs import CODE, HEADING, ITEM

_WHAT = "OpenDocument file"
_ZIP = b"PK"
_MANIFEST = "META-INF/manifest.xml"
_SPACE = re.compile(r"[ \t\r\n]+")
_MOST_SPACES = 256  # of one text:s
_ROWS = frozenset(("table:table-rows", "table:table-header-rows", "table:table-row-group"))
_ON = "true"
_TOKENS = ("math:mi", "math:mn", "math:mo", "math:mtext", "math:ms")
_UNSEEN = (
    "text:tracked-changes",
    "text:note-citation",
    "text:hidden-text",
    "text:script",
    "text:sequence-decls",
    "text:variable-decls",
    "text:user-field-decls",
    "text:table-of-content-source",
    "text:illustration-index-source",
    "text:table-index-source",
    "text:object-index-source",
    "text:user-index-source",
    "text:alphabetical-index-source",
    "text:bibliography-source",
    "table:covered-table-cell",
    "office:forms",
    "office:event-listeners",
    "office:binary-data",
    "presentation:notes",
    "presentation:header-decl",
    "presentation:date-time-decl",
    "svg:title",
    "svg:desc",
    "math:annotation",
)

_MOST_OBJECTS = 4  # documents within documents
# XML nests 256 deep at most, and a level takes four calls.
_CALLS = 1_000 + 4 * 256 * (_MOST_OBJECTS + 1)


def parsed(content: bytes, add: str) -> tuple[str, str, str, list[str]]:
    """Parse an OpenDocument text or presentation in this process, and return title, text, language
    and the problems of its parts; add: "comments" or "notes" (of the speaker) to include these.

    Raises Unfit "unreadable", "bomb" or "too long".
    """
    sys.setrecursionlimit(max(sys.getrecursionlimit(), _CALLS))
    package = Package(content, _WHAT) if content.startswith(_ZIP) else None
    try:
        if package:
            _check_encryption(package)
        root = package.xml("content.xml") if package else parse(content, "the file")
    except PartError as error:
        raise Unfit("unreadable", f"not an {_WHAT}, or a damaged one: {error}") from None
    body = NAMES.first(root, "office:body")
    kinds = ("office:text", "office:presentation", "office:drawing")
    story = next(
        (NAMES.first(body, kind) for kind in kinds if NAMES.first(body, kind) is not None), None
    )
    if story is None:
        raise Unfit("unreadable", f"not an {_WHAT} with a text or with slides")
    walker = _Document(package, add.split(","))
    looks = walker.other_part("styles.xml") if package else root
    walker.styles.read(root)
    if looks is not root and looks is not None:
        walker.styles.read(looks)
    walker.read_forms(story)
    lines = walker.lines_of(story) + walker.noted + walker.comments
    if looks is not None and NAMES(story.tag) == "office:text":
        lines += walker.heads_and_feet(looks)
    described = walker.other_part("meta.xml") if package else root
    meta = NAMES.first(described, "office:meta")
    title, language = (
        " ".join((found.text or "").split())
        if (found := NAMES.first(meta, name)) is not None
        else ""
        for name in ("dc:title", "dc:language")
    )
    return title, "\n".join(lines), language or walker.styles.language, walker.problems


def _check_encryption(package: Package) -> None:
    if _MANIFEST not in package:
        return
    root = package.xml(_MANIFEST)
    if any(NAMES(element.tag) == "manifest:encryption-data" for element in root.iter()):
        raise Unfit("unreadable", "it is encrypted; save a copy without a password")


def _formula(root: Element) -> str:
    """Return the letters and signs of a formula, words apart."""
    text = ""
    for element in root.iter():
        if NAMES(element.tag) in _TOKENS:
            token = " ".join((element.text or "").split())
            text += " " + token if text[-1:].isalnum() and token[:1].isalnum() else token
    return text


class _Document(Walker):
    def __init__(self, package: Package | None, add: list[str]) -> None:
        super().__init__(NAMES)
        self.styles = Styles()
        self.noted = list[str]()
        self.comments = list[str]()
        self._package, self._add = package, add
        self._folder = ""  # of the document that is read, which may lie in another
        self._controls = dict[str, list[str]]()
        self._paragraphs = 0  # that we are in; what stands beside them is no text
        self.handlers = {
            **dict.fromkeys(_UNSEEN, self.nothing),
            "text:p": self._paragraph,
            "text:h": self._heading,
            "text:list-item": self._item,
            "text:span": self._span,
            "text:s": self._spaces,
            "text:tab": lambda _, lines: lines.add("\t"),
            "text:line-break": lambda _, lines: lines.add("\n"),
            "text:section": self._section,
            "text:note": self._note,
            "text:ruby": self._ruby,
            "text:variable-set": self._variable,
            "text:page-number": self.nothing,
            "office:annotation": self._annotation,
            "dc:creator": self.nothing,
            "dc:date": self.nothing,
            "table:table": self._table,
            "table:shapes": self.boxed,
            "draw:frame": self._frame,
            "draw:control": self._control,
            "draw:page": self._page,
            **dict.fromkeys(
                (
                    *("draw:text-box", "draw:g", "draw:custom-shape", "draw:rect", "draw:ellipse"),
                    *("draw:circle", "draw:line", "draw:polyline", "draw:polygon", "draw:path"),
                    *("draw:regular-polygon", "draw:connector", "draw:caption", "draw:measure"),
                    "dr3d:scene",
                ),
                self.boxed,
            ),
        }

    def _heading(self, element: Element, lines: Lines) -> None:
        lines.end()
        lines.sign = HEADING
        self._paragraph(element, lines)
        lines.sign = ""

    def _item(self, element: Element, lines: Lines) -> None:
        lines.end()
        lines.sign = ITEM
        self.inside(element, lines)
        lines.end()
        lines.sign = ""

    def other_part(self, path: str) -> Element:
        """Return the root of a part, None if it is missing, or damaged, which is reported."""
        assert self._package
        if path not in self._package:
            return None
        try:
            return self._package.xml(path)
        except PartError as error:
            self.problems.append(f"{error}; its text is left out")
            return None

    def inside(self, element: Element, lines: Lines) -> None:
        """Add the text of an element, and of all its children."""
        self._add_text(element.text, lines)
        for child in element:
            self.walk(child, lines)
            self._add_text(child.tail, lines)

    def heads_and_feet(self, root: Element) -> list[str]:
        """Return the lines of the headers and footers of pages, each once."""
        found = list[str]()
        masters = NAMES.first(root, "office:master-styles")
        for master in masters if masters is not None else ():
            for part in master:
                name = NAMES(part.tag)
                if name.startswith(("style:header", "style:footer")) and (
                    NAMES.get(part, "style:display") != "false"
                ):
                    found += self.lines_of(part)
        return list(dict.fromkeys(found))

    def read_forms(self, story: Element) -> None:
        """Learn what the controls of forms show: their labels and values."""
        for element in story.iter():
            if not NAMES(element.tag).startswith("form:"):
                continue
            id = NAMES.get(element, "xml:id") or NAMES.get(element, "form:id")
            if id:
                chosen = [
                    NAMES.get(option, "form:label")
                    for option in element
                    if _ON
                    in (
                        NAMES.get(option, "form:current-selected"),
                        NAMES.get(option, "form:selected"),
                    )
                ]
                value = NAMES.get(element, "form:current-value") or (
                    NAMES.get(element, "form:value")
                    if NAMES(element.tag) in ("form:text", "form:textarea", "form:combobox")
                    else ""
                )
                shown = [NAMES.get(element, "form:label"), value, *chosen]
                self._controls[id] = [text for text in shown if text]

    def _add_text(self, text: str | None, lines: Lines) -> None:
        if text and self._paragraphs:
            lines.add(_SPACE.sub(" ", text))

    def _paragraph(self, element: Element, lines: Lines) -> None:
        hidden = any(
            NAMES.get(child, "text:is-hidden") == _ON
            for child in element
            if NAMES(child.tag) == "text:hidden-paragraph"
        )
        if not hidden and not self.styles.hides(element):
            if not lines.sign and self.styles.is_code(element):
                lines.sign = CODE
            self._paragraphs += 1
            self.inside(element, lines)
            self._paragraphs -= 1
        lines.end()
        if lines.sign == CODE:
            lines.sign = ""

    def _span(self, element: Element, lines: Lines) -> None:
        if not self.styles.hides(element):
            self.inside(element, lines)

    def _spaces(self, element: Element, lines: Lines) -> None:
        count = NAMES.get(element, "text:c", "1")
        lines.add(" " * min(int(count[:9]) if count.isdecimal() else 1, _MOST_SPACES))

    def _section(self, element: Element, lines: Lines) -> None:
        shown = NAMES.get(element, "text:display", _ON)
        if shown == "none" or (
            shown == "condition" and NAMES.get(element, "text:is-hidden") == _ON
        ):
            return
        self.inside(element, lines)

    def _note(self, element: Element, _: Lines) -> None:
        place = len(self.noted)
        found = self.lines_of(element)
        self.noted[place:place] = found

    def _annotation(self, element: Element, _: Lines) -> None:
        if "comments" in self._add:
            for child in element:
                if NAMES(child.tag).startswith("text:"):
                    inner = Lines()
                    self.walk(child, inner)
                    inner.end()
                    self.comments += inner.done

    def _ruby(self, element: Element, lines: Lines) -> None:
        base, above = (
            " ".join(self.lines_of(part)) if part is not None else ""
            for part in (
                NAMES.first(element, "text:ruby-base"),
                NAMES.first(element, "text:ruby-text"),
            )
        )
        lines.add(f"{base}({above})" if above else base)

    def _variable(self, element: Element, lines: Lines) -> None:
        if NAMES.get(element, "text:display") != "none":
            self.inside(element, lines)

    def _table(self, element: Element, lines: Lines) -> None:
        lines.end()
        lines.tables += 1
        for row in self.below(element, "table:table-row", _ROWS):
            cells = []
            for cell in self.below(row, "table:table-cell", frozenset()):
                cells.append(Lines())
                self.inside(cell, cells[-1])
            lines.row(cells)

    def _frame(self, element: Element, lines: Lines) -> None:
        """Add the first of the frame's contents that has text; the others are alternatives. The
        title of a slide is a heading.
        """
        is_title = NAMES.get(element, "presentation:class") == "title"
        for child in element:
            name = NAMES(child.tag)
            if name == "draw:object":
                found = self._object(child)
            elif name in ("draw:image", "draw:object-ole", "draw:plugin"):
                found = self.lines_of(child)
            elif name in ("draw:text-box", "table:table"):
                inner = Lines()
                inner.sign = HEADING if is_title else ""
                self.walk(child, inner)
                inner.end()
                found = inner.done
            else:
                continue
            if found:
                lines.box(found)
                return

    def _object(self, element: Element) -> list[str]:
        """Return the lines of a document within the document: a formula, or a chart."""
        path = NAMES.get(element, "xlink:href").removeprefix("./").rstrip("/")
        folder = f"{self._folder}{path}/"
        content = f"{folder}content.xml"
        if path and self._package and content in self._package:
            root = self.other_part(content)
        else:
            root = next(iter(element), None)  # a flat file has the document itself
        if root is None:
            return []
        if NAMES(root.tag) == "math:math":
            return [line] if (line := _formula(root)) else []
        body = NAMES.first(root, "office:body")
        if NAMES.first(body, "office:chart") is not None:
            for cell in list(body.iter()):  # its values are drawn, and no text
                if NAMES.get(cell, "office:value-type") == "float":
                    del cell[:]
        if body is None:
            return []
        if folder.count("/") > _MOST_OBJECTS:
            self.problems.append("documents in it are nested too deeply; their text is left out")
            return []
        around, self._folder = self._folder, folder
        found = list(dict.fromkeys(self.lines_of(body)))
        self._folder = around
        return found

    def _control(self, element: Element, lines: Lines) -> None:
        for text in self._controls.get(NAMES.get(element, "draw:control"), ()):
            lines.add(f" {text} ")

    def _page(self, element: Element, lines: Lines) -> None:
        lines.end()
        lines.box(self.lines_of(element))
        if "notes" in self._add:
            notes = NAMES.first(element, "presentation:notes")
            if notes is not None:
                lines.box(self.lines_of(notes))
        lines.end()
