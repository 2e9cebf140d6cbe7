"""Join words that are broken at the ends of lines.

A hyphen at the end of a line may belong to the word ("well-" and "known"), or only mark the break
("lan-" and "tern"). The text decides: by how it writes the same word elsewhere, by its other broken
words, and by how many of its lines end with a hyphen. A text that breaks words does so every few
lines; another text has a hyphen at the end of a line only now and then.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

_LETTER = r"[^\W\d_]"
_HYPHENS = "-\u2010\u058a"
# These never belong to a word: a soft hyphen, and the sign that readers of printed pages use.
_SOFT = "\u00ad\u00ac"
_BREAK = re.compile(
    rf"[{_HYPHENS}{_SOFT}][ \t]*\r?\n[ \t]*(?:[>|][> |]*)?(?={_LETTER})"  # > quotes a mail
)
_HEAD = re.compile(r"\S*\Z")
_TAIL = re.compile(r"\S{1,64}")
_REST = re.compile(r"[ \t]*\r?\n|[ \t]*")
_WORD = re.compile(rf"{_LETTER}+(?:['’]{_LETTER}+)*")
_COMPOUND = re.compile(rf"(?<!{_LETTER}){_LETTER}+[{_HYPHENS}]{_LETTER}+")
_LINE_END = re.compile(rf"{_LETTER}\S?[ \t]*\n")
_COLUMNS = re.compile(r"\S(?: {3,}|\t)[ \t]*\S")
_OPENING = "([{\"'“„«‘‚»›‹*_"
_HALF = 64  # characters of half a word, at most
_LEAST = 2  # letters of half a word
_LINE = 1_000  # characters of a line that are looked at
# In a text that breaks words, one line of so many ends with a hyphen, or more do.
_LINES = 20

# What follows a hyphen that stands for the end of a word behind it: "Haus- und Hof".
_LINKS = re.compile("and|or|nor|to|but|und|oder|bis|bzw|sowie|et|ou|y|o|u|e|ed|en|of|og|och|eller")
# Parts of words that are written with a hyphen, and nearly never halves of others.
_FIRST = re.compile(
    "self|well|ill|ever|one|two|three|four|five|six|seven|eight|nine|ten|twenty|thirty"
)
_SECOND = re.compile(
    "aware|based|defined|driven|friendly|known|level|like|oriented|related|scale|sized"
    "|specific|style|term"
)


@dataclass(frozen=True, slots=True)
class _Broken:
    """A word that ends at a line's end with a hyphen, and what the next line begins with.

    hyphen, begin, end: the places of the hyphen, of the second half, and of the end of what is
    written to it; soft: whether the sign says by itself that it stands for the line alone.
    """

    hyphen: int
    begin: int
    end: int
    first: str
    second: str
    soft: bool


def joined(text: str, breaks: bool | None = None) -> str:
    """Return the text with its broken words joined. The second half of a word moves up to the
    first, with the punctuation that follows it. Everything else stays unchanged.

    breaks: whether the text is known to break words, which counts for a word about which it says
    nothing.
    """
    found = list(_broken(text))
    if not found:
        return text
    ways = list(_decided(text, found))
    if breaks is None:
        lines = sum(1 for _ in _LINE_END.finditer(text)) + len(found)
        breaks = ways.count(True) >= ways.count(False) and _LINES * len(found) >= lines
    out, at = list[str](), 0
    for one, way in zip(found, ways, strict=True):
        if one.hyphen < at or not (breaks if way is None else way):
            continue
        out += (text[at : one.hyphen], text[one.begin : one.end])
        at = one.end
        rest = _REST.match(text, at)
        if rest and rest.end() < len(text) and not rest[0].endswith("\n"):
            out.append(text[one.hyphen + 1 : one.begin])
            at = rest.end()
    return "".join((*out, text[at:]))


def _broken(text: str) -> Iterator[_Broken]:
    """Yield what may be a broken word: none of it is an option, an address or a cell of a table."""
    for found in _BREAK.finditer(text):
        at, begin = found.start(), found.end()
        head = _HEAD.search(text[max(at - _HALF, 0) : at])
        tail = _TAIL.match(text, begin)
        assert head
        assert tail
        first, soft = head[0].lstrip(_OPENING), text[at] in _SOFT
        word = _WORD.match(tail[0])
        second = word[0] if word else ""
        if not first.isalpha() or min(len(first), len(second)) < _LEAST:
            continue
        same_case = second.islower() or (second.isupper() and first.isupper())
        if not soft and (not same_case or _LINKS.fullmatch(second) or _in_table(text, at, begin)):
            continue
        yield _Broken(at, begin, tail.end(), first.lower(), second.lower(), soft)


def _in_table(text: str, at: int, begin: int) -> bool:
    """Return whether the line that ends at one place and the line from another have columns."""
    line = max(text.rfind("\n", 0, at) + 1, at - _LINE)
    end = text.find("\n", begin, begin + _LINE)
    return bool(
        _COLUMNS.search(text, line, at)
        and _COLUMNS.search(text, begin, end if end >= 0 else begin + _LINE)
    )


def _decided(text: str, found: list[_Broken]) -> Iterator[bool | None]:
    """Yield for each whether it is a word without a hyphen, None where nothing says so."""
    wanted = {word for one in found for word in (one.first + one.second, one.first, one.second)}
    words = Counter(word for match in _WORD.finditer(text) if (word := match[0].lower()) in wanted)
    # As parts of broken words they say nothing.
    words.subtract(half for one in found for half in (one.first, one.second))
    asked = {f"{one.first}-{one.second}" for one in found}
    compounds = Counter(
        word
        for match in _COMPOUND.finditer(text)
        if (word := re.sub(f"[{_HYPHENS}]", "-", match[0].lower())) in asked
    )
    for one in found:
        whole, compound = words[one.first + one.second], compounds[f"{one.first}-{one.second}"]
        if one.soft or whole > compound:
            yield True
        elif compound > whole or _FIRST.fullmatch(one.first) or _SECOND.fullmatch(one.second):
            yield False
        else:
            yield False if min(words[one.first], words[one.second]) > 0 else None
