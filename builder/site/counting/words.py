"""The words of a page and what each of them weighs there (docs/format.md 13.3)."""

from __future__ import annotations

import re
import unicodedata
import zlib
from array import array
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any, NamedTuple

from pocketindex.builder.site.attributes import WEIGHT_UNIT
from pocketindex.builder.site.counting.word_table import MOST, UNKNOWN, WordTable
from pocketindex.builder.write.folding import LETTERS
from pocketindex.queries.terms import written_terms

WORDS, WHOLE = 4, 3  # streams of the core (cbits/build/pocket_build.h)
TITLE_WEIGHT = 5
MOST_TITLE, MOST_HEADING = 8, 15  # words that are told apart
UNSEARCHED = ("image", "url")  # metadata that are addresses
PARTS_TEXTS = "pocketindexpartstexts"  # no word of theirs
_PARTS_TEXTS = PARTS_TEXTS.encode()
MOST_SPELLED = 120  # bytes of a spelling that is told from the plain one
JOINT = b"\x01"  # between the first word of a heading and the checksum of all
SPELLED = b"\0"  # between a word's plain spelling and its own

# The number that a heading begins with, with what it is of: `8.15.6. `, `F.29. `, `Chapter 5. `.
NUMBER = re.compile(
    r"(?:[^\W\d_]+\s(?=\S*[.:]\s))?"
    r"(?:(?:[A-Z]|[IVXLC]+)\.(?:\d+\.)*|(?:[A-Z]\.)?\d+(?:\.\d+)*[.:]?)\s(?=.*\w)"
)
_ASCII = bytes(range(128))
_OTHER = re.compile(r"[^\W_]*[^\W\x00-\x7f_](?:[^\W_]|[\u0300-\u036f])*")


class PageWords(NamedTuple):
    """The words of a page with a line feed behind each, its weights in all (24 for one of weight 1)
    as four bytes, and where it stands as one: the words of the title in the low half, in the high
    half those of the shortest heading that has it; 0 where neither does.

    texts: which texts of the page have each word, as a byte (texts.py), nothing where it has one
    text.
    """

    lines: bytes
    weights: bytes
    places: bytes
    texts: bytes = b""


NONE = PageWords(b"", b"", b"")


def words_of(text: str) -> list[bytes]:
    """Return the words of a text (docs/format.md 6.4), in plain letters."""
    return _plain_terms(text, WORDS)


def together(words: list[bytes]) -> bytes:
    """Return the entry of a title or heading with these words, nothing where it has none."""
    own = list(dict.fromkeys(words))
    return own[0] + JOINT + b"%06x" % (zlib.crc32(JOINT.join(own)) & 0xFFFFFF) if own else b""


def without_number(title: str) -> str:
    """Return a title or heading without its number, or nothing where it has none."""
    number = NUMBER.match(title) if " " in title else None
    return title[number.end() :] if number else ""


def page_words(
    record: dict[str, Any], ends: Sequence[int] = (), homes: Sequence[int] = ()
) -> tuple[PageWords, int]:
    """Return the words of a page that was read (reading.py), and the number of words in it.

    ends: of each of several texts, the number of the block behind it; homes: the number of the text
    that each heading is in. A page of one text has neither.
    """
    meta = record["meta"]
    searched = [value for key, value in meta.items() if key not in (*UNSEARCHED, "title")]
    weighted = [
        *_by_text(record["weighted"], ends),
        (TITLE_WEIGHT * WEIGHT_UNIT, meta["title"], 0),
        (WEIGHT_UNIT, "\n".join(searched), 0),
    ]
    table, spelled, length = WordTable(), list[bytes](), 0
    for weight, text, texts in weighted:
        table.within(texts)
        count, own = _add(table, text, weight)
        length += count
        spelled += own
    titles = list(dict.fromkeys([meta["title"], *record["headings"]]))
    of_titles, wholes = _each(titles, WORDS), _each(titles, WHOLE)
    within = dict[str, int]()
    for heading, home in zip(record["headings"], homes, strict=bool(homes)):
        within[heading] = within.get(heading, 0) | 1 << home
    entries = dict[bytes, int]()
    for title, entry in [*zip(titles, map(together, of_titles), strict=True), *_unnumbered(titles)]:
        if entry:
            entries[entry] = entries.get(entry, 0) | within.get(title, 0)
    of_text = dict[int, list[bytes]]()
    for entry, texts in entries.items():
        of_text.setdefault(texts, []).append(entry)
    for texts, own_entries in of_text.items():
        table.within(texts)
        table.add(own_entries, [WEIGHT_UNIT] * len(own_entries))
    placed = _placed(titles, of_titles, [len(set(own)) for own in wholes], {*record["headings"]})
    placed |= {word: placed.get(word.partition(SPELLED)[0], 0) for word in spelled}
    places = bytearray(len(table))
    for number, place in zip(table.find(placed), placed.values(), strict=True):
        if number != UNKNOWN:
            places[number] = place
    # What no text has, as the metadata, is in the first.
    having = table.texts().replace(b"\0", b"\1") if ends else b""
    return PageWords(table.lines(), table.sums(), bytes(places), having), length


def _by_text(
    weighted: Sequence[tuple[int, list[str], list[int]]], ends: Sequence[int]
) -> Iterator[tuple[int, str, int]]:
    """Yield the blocks of each weight that are in the same text, and a bit for this text."""
    for weight, blocks, numbers in weighted:
        first = 0
        for text, end in enumerate(ends or [numbers[-1] + 1]):
            behind = bisect_left(numbers, end)
            if behind > first:
                yield weight, "\n".join(blocks[first:behind]), 1 << text
            first = behind


def _unnumbered(titles: Sequence[str]) -> Iterator[tuple[str, bytes]]:
    """Yield the titles and headings that begin with a number, and the entries of their rests."""
    found = [(title, rest) for title in titles if (rest := without_number(title))]
    entries = map(together, _each([rest for _, rest in found], WORDS))
    yield from zip([title for title, _ in found], entries, strict=True)


def _add(table: WordTable, text: str, weight: int) -> tuple[int, list[bytes]]:
    """Add the words of a text; return how many it has, and the entries of those that have another
    plain spelling.
    """
    content = text.encode(errors="replace")
    if _is_plain(content):
        return table.weigh(content, weight), []
    # No word goes on behind a line, and most lines have letters of ASCII alone.
    lines = text.split("\n")
    plain = "\n".join([line for line in lines if line.isascii()])
    other = "\n".join([line for line in lines if not line.isascii()])
    counts = _plain_counts(other.encode(errors="replace"))
    length = table.weigh(plain.encode(), weight) + sum(counts.values())
    _take_spelled(counts, _spellings(other))
    table.add(counts, [min(weight * count, MOST) for count in counts.values()])
    return length, [word for word in counts if SPELLED in word]


def _placed(
    titles: list[str], of_titles: list[list[bytes]], sizes: list[int], headings: set[str]
) -> dict[bytes, int]:
    """Return where the words of titles stand. titles: of the page, and of its headings; of_titles:
    the words of each; sizes: how many different whole ones.
    """
    found = dict[bytes, int]()
    for title, own, size in zip(titles, of_titles, sizes, strict=True):
        if title in headings:
            place = min(size, MOST_HEADING) << 4
            found |= {word: min(found.get(word, place), place) for word in own}
    for word in of_titles[0]:
        found[word] = found.get(word, 0) | min(sizes[0], MOST_TITLE)
    return found


def _is_plain(content: bytes) -> bool:
    """Return whether a text, as UTF-8, has no letters but those of ASCII."""
    if content.isascii():
        return True
    others = content.translate(None, _ASCII).decode()
    return not any(map(str.isalnum, unicodedata.normalize("NFKC", others)))


def _plain_counts(content: bytes) -> dict[bytes, int]:
    """Return how often each word is in a text, in plain letters."""
    table = WordTable()
    table.weigh(content, 1)
    words = table.lines().decode().translate(LETTERS).encode().split(b"\n")
    found = dict[bytes, int]()
    for word, count in zip(words, array("I", table.sums()), strict=False):
        found[word] = found.get(word, 0) + count
    found.pop(b"", None)
    return found


def _take_spelled(counts: dict[bytes, int], spellings: dict[bytes, Counter[bytes]]) -> None:
    """Move the counts of words that are written with accents to entries of their own."""
    for word, spelled in spellings.items():
        if word in counts:
            for other, times in spelled.items():
                counts[word] -= times
                counts[word + SPELLED + other] = times
            if counts[word] <= 0:
                del counts[word]


def _each(texts: list[str], stream: int) -> list[list[bytes]]:
    """Return the words of each of some short texts, which are read together."""
    own = [list[bytes]()]
    for word in _plain_terms(f"\n{PARTS_TEXTS}\n".join(texts), stream):
        if word == _PARTS_TEXTS:
            own.append([])
        else:
            own[-1].append(word)
    return own if len(own) == len(texts) else [_plain_terms(text, stream) for text in texts]


def _plain_terms(text: str, stream: int) -> list[bytes]:
    terms = written_terms(text.encode(errors="replace"), stream)
    if not terms.isascii():
        terms = terms.decode().translate(LETTERS).encode()
    words = terms.split(b"\n")
    words.pop()
    return words if b"" not in words else [word for word in words if word]


def _spellings(text: str) -> dict[bytes, Counter[bytes]]:
    """Return how often words are written with accents or letters that their plain spelling lacks,
    and how.
    """
    found = dict[bytes, Counter[bytes]]()
    others = " ".join([chunk for chunk in text.split() if not chunk.isascii()])
    for written, times in Counter(_OTHER.findall(others)).items():
        word, spelled = _spelled(written)
        if word:
            found.setdefault(word, Counter())[spelled] += times
    return found


@cache
def _spelled(written: str) -> tuple[bytes, bytes]:
    """Return the plain word that is written so and its spelling, or nothing where they are the
    same, or it is not one word.
    """
    spelled = unicodedata.normalize("NFC", written.lower()).encode()
    words = words_of(written)
    differs = len(words) == 1 and words[0] != spelled and len(spelled) <= MOST_SPELLED
    return (words[0], spelled) if differs else (b"", b"")
