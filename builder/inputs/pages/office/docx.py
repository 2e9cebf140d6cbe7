"""Turn DOCX into text: paragraphs, tables, notes, text boxes, headers and footers of a Word
document, with lxml, in a separate process (apart.py).

The text is what a reader sees (ECMA-376, part 1, 17), without deleted or hidden text, the codes of
fields, and the numbers and bullets of lists.
"""

from __future__ import annotations

from pocketindex.builder.inputs.pages.office import symbols
from pocketindex.builder.inputs.pages.office.ooxml import (
    NAMES,
    Parts,
    Relation,
    main_part,
    properties,
)
from pocketindex.builder.inputs.pages.office.package import Package, PartError
from pocketindex.builder.inputs.pages.office.walking import Element, Lines
from pocketindex.builder.inputs.pages.office.word_fields import hide_codes
from pocketindex.builder.inputs.pages.signs import CODE, HEADING, ITEM

_WHAT = "DOCX file"
_OFF = ("0", "false", "off")
# Names of styles for code: of Word, Pandoc and LibreOffice.
_CODE = frozenset(("html preformatted", "source code", "preformatted text"))
_LEVELS = frozenset("012345678")  # of headings; 9 is none
_ROWS = frozenset(("w:sdt", "w:sdtContent", "w:customXml", "w:ins", "w:moveTo"))
# Whose text is not seen: deleted, moved away, a code, or how something looks.
_UNSEEN = (
    "w:del",
    "w:moveFrom",
    "w:delText",
    "w:instrText",
    "w:delInstrText",
    "w:rPr",
    "w:tblPr",
    "w:sdtPr",
    "w:sdtEndPr",
    "m:oMathParaPr",
)
_NOTES = ("footnotes", "endnotes")


def parsed(content: bytes, add: str) -> tuple[str, str, str, list[str]]:
    """Parse a Word document in this process, and return title, text, language and the problems of
    its parts; add: "comments" to include these.

    Raises Unfit "unreadable", "bomb" or "too long".
    """
    package = Package(content, _WHAT)
    path, root = main_part(package, "word/document.xml", "w:document", _WHAT)
    word = _Word(package, path)
    lines = word.lines_of_part(root, word.own)
    for kind in _NOTES:
        lines += word.notes(kind)
    if "comments" in add.split(","):
        lines += word.notes("comments")
    lines += word.heads_and_feet()
    title, language = properties(package)
    return title, "\n".join(lines), language or word.language, word.problems


def _on(element: Element) -> bool:
    """Return whether a property is there and not switched off."""
    return element is not None and NAMES.get(element, "w:val") not in _OFF


def _level(properties: Element) -> bool | None:
    """Return whether a paragraph with these properties is a heading; None if they do not say."""
    level = NAMES.first(properties, "w:outlineLvl")
    return None if level is None else NAMES.get(level, "w:val") in _LEVELS


def _listed(properties: Element) -> bool | None:
    """Return whether a paragraph with these properties is a list item; None if they do not say."""
    number = NAMES.first(properties, "w:numPr", "w:numId")
    return None if number is None else NAMES.get(number, "w:val") != "0"


def _having(own: dict[str, bool], based: dict[str, str]) -> set[str]:
    """Return the styles that have a property, either their own or that of the style they are based
    on.
    """
    found = set[str]()
    for id in based:
        style, seen = id, set[str]()
        while style and style not in own and style not in seen:
            seen.add(style)
            style = based.get(style, "")
        if own.get(style):
            found.add(id)
    return found


class _Word(Parts):
    def __init__(self, package: Package, path: str) -> None:
        super().__init__(package)
        self.language = ""
        # Styles that hide text, and those of headings, of items of lists and of code.
        self._hidden, self._headings = set[str](), set[str]()
        self._items, self._code = set[str](), set[str]()
        self._is_hidden = False  # whether the style of the paragraph is one
        self._noted: dict[str, dict[str, None]] = {kind: {} for kind in _NOTES}
        self._sections = list[Element]()
        self.own = self.relations_of(path)
        self._read_styles()
        self.handlers |= {
            **dict.fromkeys(_UNSEEN, self.nothing),
            "w:p": self._word_paragraph,
            "w:r": self._run,
            "w:t": self._word_text,
            "w:tab": lambda _, lines: lines.add("\t"),
            "w:ptab": lambda _, lines: lines.add("\t"),
            "w:br": lambda _, lines: lines.add("\n"),
            "w:cr": lambda _, lines: lines.add("\n"),
            "w:noBreakHyphen": lambda _, lines: lines.add("\u2011"),
            "w:sym": self._symbol,
            "w:fldChar": lambda element, lines: lines.add(element.get("shown", "")),
            "w:tbl": self._word_table,
            "w:txbxContent": self.boxed,
            "w:footnoteReference": self._note,
            "w:endnoteReference": self._note,
            "w:pPr": self._paragraph_properties,
            "w:sectPr": lambda element, _: self._sections.append(element),
            "w:altChunk": self._chunk,
            "w:ruby": self._ruby,
        }

    def lines_of_part(self, root: Element, own: dict[str, Relation]) -> list[str]:
        """Return the lines of a part, without the codes of fields."""
        hide_codes(root)
        return super().lines_of_part(root, own)

    def notes(self, kind: str) -> list[str]:
        """Return the lines of footnotes or endnotes, in the order in which the text refers to them,
        or of all comments.
        """
        wanted = self._noted.get(kind)
        path = next((one.path for one in self.own.values() if one.kind == kind), "")
        if not (path if wanted is None else wanted):
            return []
        try:
            root = self.package.xml(path or f"the part of {kind}")
        except PartError as error:
            self.problems.append(f"{error}; its {kind} are left out")
            return []
        own = self.relations_of(path)
        hide_codes(root)
        notes = {NAMES.get(note, "w:id"): note for note in root}
        found = list[str]()
        for id in notes if wanted is None else wanted:
            if id in notes:
                before, self.relations = self.relations, own
                found += self.lines_of(notes[id])
                self.relations = before
        return found

    def heads_and_feet(self) -> list[str]:
        """Return the lines of the headers and footers of pages, each text once."""
        try:
            settings = next((one.path for one in self.own.values() if one.kind == "settings"), "")
            chosen = NAMES.first(self.package.xml(settings), "w:evenAndOddHeaders")
        except PartError:
            chosen = None
        found = dict[str, list[str]]()
        for section in self._sections:
            shown = {
                "first": _on(NAMES.first(section, "w:titlePg")),
                "even": _on(chosen),
            }
            for child in section:
                if NAMES(child.tag) in ("w:headerReference", "w:footerReference"):
                    relation = self.own.get(NAMES.get(child, "r:id"))
                    if relation and shown.get(NAMES.get(child, "w:type"), True):
                        if relation.path not in found:
                            found[relation.path] = self.part(relation.path)
        return list(dict.fromkeys(line for lines in found.values() for line in lines))

    def _read_styles(self) -> None:
        """Read the language, and which styles are for hidden text, headings, items or code."""
        path = next((one.path for one in self.own.values() if one.kind == "styles"), "")
        if path not in self.package:
            return
        try:
            root = self.package.xml(path)
        except PartError as error:
            self.problems.append(f"{error}; text that a style hides cannot be recognised")
            return
        defaults = NAMES.first(root, "w:docDefaults", "w:rPrDefault", "w:rPr", "w:lang")
        self.language = NAMES.get(defaults, "w:val")
        based, vanish = dict[str, str](), dict[str, bool]()
        headings, items, code = dict[str, bool](), dict[str, bool](), dict[str, bool]()
        for style in root:
            id = NAMES.get(style, "w:styleId")
            based[id] = NAMES.get(NAMES.first(style, "w:basedOn"), "w:val")
            element = NAMES.first(style, "w:rPr", "w:vanish")
            if element is not None:
                vanish[id] = _on(element)
            if NAMES.get(NAMES.first(style, "w:name"), "w:val").lower() in _CODE:
                code[id] = True
            properties = NAMES.first(style, "w:pPr")
            if (level := _level(properties)) is not None:
                headings[id] = level
            if (listed := _listed(properties)) is not None:
                items[id] = listed
        self._hidden = _having(vanish, based)
        self._headings = _having(headings, based)
        self._items = _having(items, based)
        self._code = _having(code, based)

    def _sign(self, properties: Element, style: str) -> str:
        """Return the sign of a paragraph: of a heading, an item or code, or "" (signs.py)."""
        is_heading, is_item = _level(properties), _listed(properties)
        if style in self._headings if is_heading is None else is_heading:
            return HEADING
        if style in self._code:
            return CODE
        return ITEM if (style in self._items if is_item is None else is_item) else ""

    def _word_paragraph(self, element: Element, lines: Lines) -> None:
        properties = NAMES.first(element, "w:pPr")
        before = self._is_hidden
        style = NAMES.get(NAMES.first(properties, "w:pStyle"), "w:val")
        self._is_hidden = style in self._hidden
        lines.sign = self._sign(properties, style)
        self.inside(element, lines)
        self._is_hidden = before
        mark = NAMES.first(properties, "w:rPr")
        gone = ("w:del", "w:moveFrom")
        # A mark that is not seen does not end a line.
        if not any(NAMES.first(mark, name) is not None for name in gone) and not _on(
            NAMES.first(mark, "w:vanish")
        ):
            lines.end()

    def _paragraph_properties(self, element: Element, _: Lines) -> None:
        section = NAMES.first(element, "w:sectPr")
        if section is not None:
            self._sections.append(section)

    def _run(self, element: Element, lines: Lines) -> None:
        looks = NAMES.first(element, "w:rPr")
        vanish = NAMES.first(looks, "w:vanish")
        style = NAMES.get(NAMES.first(looks, "w:rStyle"), "w:val")
        if _on(vanish) if vanish is not None else style in self._hidden or self._is_hidden:
            return
        if NAMES.get(NAMES.first(looks, "w:rFonts"), "w:ascii") == symbols.FONT:
            inner = Lines()
            self.inside(element, inner)
            inner.end()
            lines.add(symbols.text("\n".join(inner.done)))
        else:
            self.inside(element, lines)

    def _word_text(self, element: Element, lines: Lines) -> None:
        lines.add((element.text or "").replace("\n", " "))

    def _symbol(self, element: Element, lines: Lines) -> None:
        try:
            char = chr(int(NAMES.get(element, "w:char"), 16))
        except (ValueError, OverflowError):
            return
        lines.add(symbols.char(char, NAMES.get(element, "w:font")))

    def _word_table(self, element: Element, lines: Lines) -> None:
        lines.end()
        lines.tables += 1
        for row in self.below(element, "w:tr", _ROWS):
            properties = NAMES.first(row, "w:trPr")
            if NAMES.first(properties, "w:del") is not None or _on(
                NAMES.first(properties, "w:hidden")
            ):
                continue
            cells = []
            for cell in self.below(row, "w:tc", _ROWS):
                if NAMES.first(cell, "w:tcPr", "w:cellDel") is None:
                    cells.append(Lines())
                    self.inside(cell, cells[-1])
            lines.row(cells)

    def _note(self, element: Element, _: Lines) -> None:
        kind = NAMES(element.tag).removeprefix("w:").replace("Reference", "s")
        self._noted[kind][NAMES.get(element, "w:id")] = None

    def _ruby(self, element: Element, lines: Lines) -> None:
        base, above = (
            " ".join(self.lines_of(part)) if part is not None else ""
            for part in (NAMES.first(element, "w:rubyBase"), NAMES.first(element, "w:rt"))
        )
        lines.add(f"{base}({above})" if above else base)

    def _chunk(self, element: Element, _: Lines) -> None:
        relation = self.relations.get(NAMES.get(element, "r:id"))
        if relation and relation.path:
            self.problems.append(
                f"{relation.path} is a file within the document, whose text is left out; open "
                "the document in Word and save it"
            )
