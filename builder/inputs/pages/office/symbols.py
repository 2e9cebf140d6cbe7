"""The characters of the font Symbol, which has Greek letters and signs at places of its own
(https://www.unicode.org/Public/MAPPINGS/VENDORS/ADOBE/symbol.txt).
"""

from __future__ import annotations

FONT = "Symbol"
_PRIVATE = 0xF000  # where Word has the places of such fonts
_FIRST = 0x20
# A space stands for a place without a character, and for pieces of brackets.
_LOW = (
    " !∀#∃%&∋()∗+,−./0123456789:;<=>?"
    "≅ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ[∴]⊥_"
    " αβχδεφγηιϕκλμνοπθρστυϖωξψζ{|}∼ "
)
_HIGH = (
    "€ϒ′≤⁄∞ƒ♣♦♥♠↔←↑→↓°±″≥×∝∂•÷≠≡≈…   "
    "ℵℑℜ℘⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉∠∇®©™∏√⋅¬∧∨⇔⇐⇑⇒⇓"
    "◊⟨®©™∑           ⟩∫⌠ ⌡          "
)
_CHARS = {
    **{_FIRST + place: char for place, char in enumerate(_LOW)},
    **{0xA0 + place: char for place, char in enumerate(_HIGH)},
}


def char(code: str, font: str) -> str:
    """Return what a character of a font of symbols means, or nothing if it is a picture."""
    place = ord(code)
    if _PRIVATE <= place <= _PRIVATE + 0xFF:
        return _CHARS.get(place - _PRIVATE, "") if font == FONT else ""
    return text(code) if font == FONT else code


def text(written: str) -> str:
    """Return a text in the font Symbol as a reader sees it."""
    return "".join(
        _CHARS.get(place - _PRIVATE if _PRIVATE <= place <= _PRIVATE + 0xFF else place, one)
        for one, place in ((one, ord(one)) for one in written)
    )
