"""Fields of Word documents: only their results are text."""

from __future__ import annotations

from pocketindex.builder.inputs.pages.office.ooxml import NAMES
from pocketindex.builder.inputs.pages.office.walking import Element

_CHAR, _CODE = "w:fldChar", "w:instrText"
_SEEN = frozenset(
    (
        *("w:t", "w:tab", "w:ptab", "w:br", "w:cr", "w:sym", "w:noBreakHyphen"),
        *("w:drawing", "w:pict", "w:object", "w:footnoteReference", "w:endnoteReference"),
        *("m:oMath", "w:ruby"),
    )
)
_BUTTON = "MACROBUTTON"  # shows the end of its code: MACROBUTTON name text


class _Field:
    def __init__(self, begin: Element) -> None:
        self.begin = begin
        self.code = ""
        self.in_code = list[Element]()  # what stands in its code
        self.has_result = False


def hide_codes(root: Element) -> None:
    """Rename the elements that stand in the codes of fields, so that nobody takes them for text.

    A field goes from its begin to its end, over paragraphs and with fields inside; one without an
    end is none. The begin of one that shows something without a result gets it as "shown".
    """
    if next(root.iter("{*}fldChar"), None) is None:
        return
    fields = list[_Field]()
    hidden = list[Element]()
    for element in root.iter():
        name = NAMES(element.tag)
        if name == _CHAR:
            kind = NAMES.get(element, "w:fldCharType")
            if kind == "begin":
                fields.append(_Field(element))
            elif kind == "separate" and fields:
                fields[-1].has_result = True
            elif kind == "end" and fields:
                field = fields.pop()
                hidden += field.in_code
                if not field.has_result:
                    field.begin.set("shown", _shown(field))
        elif name == _CODE and fields:
            fields[-1].code += element.text or ""
        elif name in _SEEN:
            for field in fields:
                if not field.has_result:
                    field.in_code.append(element)
    for element in hidden:
        element.tag = "code"
        del element[:]
        element.text = None


def _shown(field: _Field) -> str:
    """Return what a field shows that has no result: the chosen item of a list, or a button."""
    items = NAMES.first(field.begin, "w:ffData", "w:ddList")
    if items is not None:
        texts = [NAMES.get(item, "w:val") for item in items if NAMES(item.tag) == "w:listEntry"]
        chosen = NAMES.first(items, "w:result")
        chosen = NAMES.first(items, "w:default") if chosen is None else chosen
        number = NAMES.get(chosen, "w:val", "0")
        place = int(number[:9]) if number.isdecimal() else len(texts)
        return texts[place] if place < len(texts) else ""
    words = field.code.split(None, 2)
    return words[2].strip() if len(words) == 3 and words[0] == _BUTTON else ""
