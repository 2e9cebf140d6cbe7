"""Formulas of office files (ECMA-376, part 1, 22.1) as a line of text."""

from __future__ import annotations

from pocketindex.builder.inputs.pages.office.walking import Element, Names

_PROPERTIES = "Pr"  # how the names of elements end that say how something looks


def linear(names: Names, element: Element) -> str:
    """Return a formula as people type one: (a+b)/2, x^2, a_1, √(x)."""

    def of(parent: Element, *path: str) -> str:
        found = names.first(parent, *path)
        return "" if found is None else linear(names, found)

    def grouped(text: str) -> str:
        return text if len(text) <= 1 or text.isalnum() else f"({text})"

    def char(properties: str, name: str, usual: str) -> str:
        return names.get(names.first(element, properties, name), "m:val", usual)

    match names(element.tag):
        case "m:t":
            return element.text or ""
        case "w:del" | "w:moveFrom":
            return ""
        case "m:f":
            return f"{grouped(of(element, 'm:num'))}/{grouped(of(element, 'm:den'))}"
        case "m:sSup":
            return f"{of(element, 'm:e')}^{grouped(of(element, 'm:sup'))}"
        case "m:sSub":
            return f"{of(element, 'm:e')}_{grouped(of(element, 'm:sub'))}"
        case "m:sSubSup":
            low, high = (grouped(of(element, name)) for name in ("m:sub", "m:sup"))
            return f"{of(element, 'm:e')}_{low}^{high}"
        case "m:rad":
            return f"{of(element, 'm:deg')}√{grouped(of(element, 'm:e'))}"
        case "m:d":
            inner = char("m:dPr", "m:sepChr", "|").join(
                linear(names, child) for child in element if names(child.tag) == "m:e"
            )
            begin, end = char("m:dPr", "m:begChr", "("), char("m:dPr", "m:endChr", ")")
            return f"{begin}{inner}{end}"
        case "m:nary":
            low, high = of(element, "m:sub"), of(element, "m:sup")
            limits = (f"_{grouped(low)}" if low else "") + (f"^{grouped(high)}" if high else "")
            return f"{char('m:naryPr', 'm:chr', '∫')}{limits} {of(element, 'm:e')}"
        case "m:mr" | "m:eqArr":
            return " ".join(linear(names, child) for child in element if names(child.tag) == "m:e")
        case "m:m":
            return "; ".join(
                linear(names, child) for child in element if names(child.tag) == "m:mr"
            )
        case name if name.endswith(_PROPERTIES):
            return ""
    return "".join(linear(names, child) for child in element)
