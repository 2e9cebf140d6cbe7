"""Plain spellings of words: of letters that Unicode does not take apart, as ß and ø, which many
keyboards lack, and without marks, of which a word has only those of Vietnamese (docs/format.md
7.3).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pocketindex.builder.write.forms import Words

NAME = "folding-3"  # another one for other letters: they decide bytes
# Blocks that are full, so that no version of Unicode has more letters there.
BLOCKS = (
    (0xC0, 0x2B0),
    (0x1D00, 0x1DC0),
    (0x1E00, 0x1F00),
    (0x2C60, 0x2C80),
    (0xA722, 0xA788),
    (0xA7FA, 0xA800),
)
NAMED = re.compile(
    r"LATIN (?:CAPITAL |SMALL |EPIGRAPHIC )?(?:LETTER|LIGATURE) (?:SMALL CAPITAL )?"
    r"(?:(?:DOTLESS|TURNED|OPEN|CLOSED|REVERSED|INVERTED|LONG|BARRED|SIDEWAYS|STRETCHED|INSULAR|"
    r"SCRIPT|HALF|TOP|BOTTOM|BROKEN|VISIGOTHIC|ARCHAIC|MIDDLE-WELSH) )*"
    r"([A-Z]{1,2})(?: DIGRAPH| ROTUNDA| BAR)?(?: WITH .*)?"
)
OWN = {
    "ß": "ss",
    "ð": "d",
    "þ": "th",
    "ŋ": "n",
    "ĸ": "k",
    "ə": "e",
    "ǝ": "e",
    "ſ": "s",
    "ɩ": "i",
    "ʊ": "u",
    "ɣ": "g",
    "ʃ": "sh",
    "ʒ": "z",
    "ʌ": "v",
    "ɑ": "a",
    "ɯ": "m",
    "ꝥ": "th",
    "ꝧ": "th",
    "ƿ": "w",
    "ȝ": "z",
    "ꝩ": "v",
    "ᴆ": "d",
    "ᵼ": "i",
    "ↄ": "c",
    "ꟾ": "i",
    # Signs of transcriptions and of names, which most people leave away.
    "ʹ": "",
    "ʺ": "",
    "ʻ": "",
    "ʼ": "",
    "ʾ": "",
    "ʿ": "",
    # As Arabic has the letters of Persian and Urdu, and without tatweel.
    "ی": "ي",
    "ى": "ي",
    "ې": "ي",
    "ے": "ي",
    "ک": "ك",
    "ہ": "ه",
    "ھ": "ه",
    "ە": "ه",
    "ة": "ه",
    "ۃ": "ه",
    "ـ": "",
    # The nukta of Devanagari.
    "\u093c": "",
}


def _letters() -> dict[int, str]:
    found = {ord(letter): plain for letter, plain in OWN.items()}
    for block in BLOCKS:
        for code in range(*block):
            name = NAMED.fullmatch(unicodedata.name(chr(code), ""))
            if name and code not in found:
                found[code] = name[1].lower()
    return found


LETTERS = _letters()
PLAIN = LETTERS | dict.fromkeys(range(0x300, 0x340), "")


def plain(words: list[str]) -> list[str]:
    """Return the plain spelling of each word; what has a 0 byte is one with marks, in addition."""
    return [
        word if word.isascii() or "\0" in word else word.translate(PLAIN) or word for word in words
    ]


def lacking(words: Words) -> list[bytes]:
    """Return the plain spellings that are no words, in order."""
    found = {spelled for batch in words.batches() for spelled in _others(batch)}
    for batch in words.batches():
        found.difference_update(batch)
    return sorted(word for spelled in found if len(word := spelled.encode()) <= 128)


def _others(words: list[str]) -> Iterable[str]:
    return (own for word, own in zip(words, plain(words), strict=True) if word != own)
