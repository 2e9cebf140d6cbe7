"""Turn PPTX into text: the slides of a presentation in order, with tables, groups, charts and
diagrams, by lxml in a separate process (apart.py).

Text of masters and layouts, numbers of slides and shapes that are switched off are left out; hidden
slides stay, because everyone who opens the file sees them.
"""

from __future__ import annotations

from collections import Counter

from pocketindex.builder.inputs.pages.office.ooxml import (
    NAMES,
    Parts,
    main_part,
    properties,
    relations,
)
from pocketindex.builder.inputs.pages.office.package import Package, PartError
from pocketindex.builder.inputs.pages.office.walking import Element, Lines
from pocketindex.builder.inputs.pages.signs import HEADING, ITEM

_WHAT = "PPTX file"
_TITLES = ("title", "ctrTitle")
_NO_BULLET = "a:buNone"
_BULLETS = frozenset((_NO_BULLET, "a:buChar", "a:buAutoNum", "a:buBlip"))
_CONTENT = "obj"  # the placeholder whose paragraphs are items unless they say otherwise
_FEET = ("dt", "ftr", "hdr")  # placeholders that each slide repeats


def parsed(content: bytes, add: str) -> tuple[str, str, str, list[str]]:
    """Parse a presentation in this process, and return title, text, language and the problems of
    its parts; add: "comments" or "notes" (of the speaker) to include these after their slide.

    Raises Unfit "unreadable", "bomb" or "too long".
    """
    package = Package(content, _WHAT)
    path, root = main_part(package, "ppt/presentation.xml", "p:presentation", _WHAT)
    slides = _Slides(package, add.split(","))
    lines = slides.all(path, root)
    title, language = properties(package)
    return title, "\n".join(lines), language or slides.language(), slides.problems


class _Slides(Parts):
    def __init__(self, package: Package, add: list[str]) -> None:
        super().__init__(package)
        self._add = add
        self._feet = set[tuple[str, ...]]()
        self._languages = Counter[str]()
        self._kind = ""  # of the placeholder that is read
        self.handlers |= {
            "a:r": self._run,
            "p:sp": self._shape,
            "p:graphicFrame": self._frame,
            "p:grpSp": self._frame,
            "p:pic": self.nothing,
            "p:oleObj": self.nothing,
            "p:extLst": self.nothing,
        }

    def all(self, path: str, root: Element) -> list[str]:
        """Return the lines of all slides."""
        own = self.relations_of(path)
        lines = list[str]()
        listed = NAMES.first(root, "p:sldIdLst")
        for entry in listed if listed is not None else ():
            relation = own.get(NAMES.get(entry, "r:id"))
            if relation is None:
                self.problems.append(f"{path} names a slide that the file does not have")
                continue
            lines += self.part(relation.path)
            lines += self._beside(relation.path)
        return lines

    def language(self) -> str:
        """Return the language of most of the text."""
        return max(self._languages, key=lambda one: (self._languages[one], one), default="")

    def _beside(self, path: str) -> list[str]:
        """Return the lines of notes and comments of a slide, as far as they are asked for."""
        try:
            own = relations(self.package, path)
        except PartError:
            return []  # which was said when the slide was read
        lines = list[str]()
        for relation in own.values():
            if relation.kind == "notesSlide" and "notes" in self._add:
                lines += self._part_of(relation.path, "p:sp", "body")
            elif relation.kind == "comments" and "comments" in self._add:
                lines += self._part_of(relation.path, "", "")
        return lines

    def _part_of(self, path: str, name: str, kind: str) -> list[str]:
        """Return the lines of the shapes of this kind in a part of notes, or those of comments."""
        try:
            root = self.package.xml(path)
        except PartError as error:
            self.problems.append(f"{error}; its text is left out")
            return []
        lines = list[str]()
        for element in root.iter():
            if name:
                if NAMES(element.tag) == name and _placeholder(element) == kind:
                    lines += self.lines_of(element)
            elif NAMES(element.tag) == "p:text":
                lines += (element.text or "").split("\n")
            elif NAMES(element.tag) == "p188:txBody":
                lines += self.lines_of(element)
        return [line for line in lines if line.strip()]

    def _shape(self, element: Element, lines: Lines) -> None:
        kind = _placeholder(element)
        if _hidden(element) or kind == "sldNum":
            return
        self._kind = kind
        found = self.lines_of(element)
        self._kind = ""
        if kind in _FEET:
            if tuple(found) in self._feet:
                return
            self._feet.add(tuple(found))
        lines.box(found)

    def _sign_of(self, element: Element) -> str:
        """Return the sign of a paragraph: that of a title, or of an item where it has a bullet."""
        if self._kind in _TITLES:
            return HEADING
        properties = NAMES.first(element, "a:pPr")
        looks = {NAMES(one.tag) for one in properties} if properties is not None else set[str]()
        bullets = looks & _BULLETS
        if bullets - {_NO_BULLET} or (self._kind == _CONTENT and not bullets):
            return ITEM
        return ""

    def _frame(self, element: Element, lines: Lines) -> None:
        if not _hidden(element):
            self.inside(element, lines)

    def _run(self, element: Element, lines: Lines) -> None:
        looks = NAMES.first(element, "a:rPr")
        text = NAMES.first(element, "a:t")
        if text is not None and NAMES.get(looks, "lang"):
            self._languages[NAMES.get(looks, "lang")] += len(text.text or "")
        self.inside(element, lines)


def _properties(element: Element) -> Element:
    """Return the element of a shape's properties that are not drawn."""
    return next((child for child in element if NAMES(child.tag).startswith("p:nv")), None)


def _hidden(element: Element) -> bool:
    properties = NAMES.first(_properties(element), "p:cNvPr")
    return NAMES.get(properties, "hidden") in ("1", "true")


def _placeholder(element: Element) -> str:
    """Return the kind of a placeholder; nothing for another shape."""
    found = NAMES.first(_properties(element), "p:nvPr", "p:ph")
    return "" if found is None else NAMES.get(found, "type", "obj")
