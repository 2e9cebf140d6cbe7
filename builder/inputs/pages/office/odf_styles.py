"""What styles of an OpenDocument file say about its text: its language, and what is hidden."""

from __future__ import annotations

from collections.abc import Iterator

from pocketindex.builder.inputs.pages.office.odf_names import NAMES
from pocketindex.builder.inputs.pages.office.walking import Element

_NONE = ("none", "zxx")  # no language
# Of LibreOffice and Pandoc; _20_ is a space.
_CODE = frozenset(("Preformatted_20_Text", "Source_20_Text", "Source_Text"))


class Styles:
    """language: of the default paragraph, as "en-GB"; empty where it has none."""

    def __init__(self) -> None:
        self.language = ""
        self._parents = dict[str, str]()
        self._displays = dict[str, str]()

    def read(self, root: Element) -> None:
        """Learn the styles of a part; those of several parts come together."""
        for group in root:
            if NAMES(group.tag) not in ("office:styles", "office:automatic-styles"):
                continue
            for style in group:
                family = NAMES.get(style, "style:family")
                looks = NAMES.first(style, "style:text-properties")
                if NAMES(style.tag) == "style:default-style" and family == "paragraph":
                    self._read_language(looks)
                if NAMES(style.tag) == "style:style" and family in ("paragraph", "text"):
                    name = NAMES.get(style, "style:name")
                    self._parents[name] = NAMES.get(style, "style:parent-style-name")
                    if display := NAMES.get(looks, "text:display"):
                        self._displays[name] = display

    def hides(self, element: Element) -> bool:
        """Return whether the style of a paragraph or span hides its text."""
        if not self._displays:
            return False
        shown = (self._displays[one] for one in self._line(element) if one in self._displays)
        return next(shown, "") == "none"

    def is_code(self, element: Element) -> bool:
        """Return whether a paragraph has a style for text that keeps its white space."""
        return any(one in _CODE for one in self._line(element))

    def _line(self, element: Element) -> Iterator[str]:
        """Yield the style of an element, and those that it is based on."""
        name, seen = NAMES.get(element, "text:style-name"), set[str]()
        while name and name not in seen:
            yield name
            seen.add(name)
            name = self._parents.get(name, "")

    def _read_language(self, looks: Element) -> None:
        language, country = (NAMES.get(looks, name) for name in ("fo:language", "fo:country"))
        if language and language not in _NONE:
            known = country and country not in _NONE
            self.language = self.language or (f"{language}-{country}" if known else language)
