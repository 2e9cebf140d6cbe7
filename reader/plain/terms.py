"""docs/format.md, section 7: the term stream `folded`.

It reads data/unicode.bin and uses neither the C core nor unicodedata, so that the stream is the
same under every Python version.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator
from functools import cache
from importlib.resources import files
from operator import attrgetter
from typing import NamedTuple

SEPARATOR, LETTER, BARE, PAIR, OTHER, MARK, MAPPED, IGNORED = range(8)
WORD = (LETTER, BARE, OTHER, MARK)
LAYOUT = (15, 0, 0, 2)
RUN = 30
TERM_BYTES = 128
IOTA_SUBSCRIPT = 0x345
VOICED, VOICING_CLASS = 0x3099, 8
SYLLABLES, LEADS, VOWELS, TRAILS = 0xAC00, 0x1100, 0x1161, 0x11A7


class Point(NamedTuple):
    """A code point of the folded text, its kind and its canonical combining class."""

    code: int
    kind: int
    order: int


class Tables:
    """data/unicode.bin; its layout: docs/format.md 7.1."""

    def __init__(self, data: bytes) -> None:
        version = tuple(data[:4])
        if version != LAYOUT:
            raise ValueError(
                f"data/unicode.bin: expected version {LAYOUT}, found {version}; install "
                "pocketindex again"
            )
        top, middle, entries, groups, folds, ranges = struct.unpack_from("<6H", data, 4)
        at = 16

        def take(form: str, count: int) -> tuple[int, ...]:
            nonlocal at
            values = struct.unpack_from(f"<{count}{form}", data, at)
            at += struct.calcsize(f"<{count}{form}")
            return values

        self.top, self.middle, self.entries = take("H", top), take("H", middle), take("H", entries)
        bounds = take("H", 2 * groups)
        self.groups = list(zip(bounds[::2], bounds[1::2], strict=True))
        self.folds = take("H", folds)
        self.voicing = take("B", 384)
        self.ranges = take("I", ranges)

    def entry(self, code: int) -> tuple[int, int]:
        """Kind and payload of a code point."""
        entry = self.entries[self.middle[self.top[code >> 9] + (code >> 4 & 31)] + (code & 15)]
        return entry >> 13, entry & 0x1FFF

    def fold(self, place: int) -> str:
        """The fold at this place."""
        size = max(size for first, size in self.groups if first <= place)
        return struct.pack(f"<{size}H", *self.folds[place : place + size]).decode("utf-16-le")

    def voiced(self, kana: int, mark: int) -> int:
        """What kana and U+3099 or U+309A compose to, or 0."""
        low = self.voicing[192 * (mark - VOICED) + kana - 0x3040] if 0 <= kana - 0x3040 < 192 else 0
        return 0x3000 + low if low else 0


@cache
def tables() -> Tables:
    return Tables(files("pocketindex.data").joinpath("unicode.bin").read_bytes())


def terms(text: bytes) -> Iterator[bytes]:
    """The terms of a text in UTF-8, in its order; every term is at most 128 bytes of well-formed
    UTF-8. Any bytes will do.
    """
    return cut(points(text))


def points(text: bytes) -> Iterator[Point]:
    """1 to 4."""
    characters = text.decode(
        "utf-8", "replace"
    )  # 1: Python replaces every maximal ill-formed part, as Unicode recommends
    folded = (point for character in characters for point in fold(character))  # 2
    return syllables(point for run in runs(folded) for point in voice(run))


@cache
def fold(character: str) -> tuple[Point, ...]:
    """2. The fold of a character; its code points are final."""
    kind, payload = tables().entry(ord(character))
    if kind == IGNORED:
        return ()
    if kind != MAPPED:
        return (Point(ord(character), kind, payload),)
    return tuple(Point(ord(each), *tables().entry(ord(each))) for each in tables().fold(payload))


def runs(points: Iterable[Point]) -> Iterator[list[Point]]:
    """3.

    Every starter with its marks in canonical order; marks beyond the 30th, and those without a
    starter, in lists of their own.
    """
    starter: list[Point] = []
    marks: list[Point] = []
    for point in points:
        if point.order == 0 or len(marks) == RUN:
            yield starter + ordered(marks)
            starter, marks = [], []
        (marks if point.order else starter).append(point)
    yield starter + ordered(marks)


def ordered(marks: list[Point]) -> list[Point]:
    """3.

    A run in canonical order. U+0345 gets its fold only here (7.1); it is in the highest class, and
    so among the last.
    """
    marks = sorted(marks, key=attrgetter("order"))
    return [Point(0x3B9, BARE, 0) if mark.code == IOTA_SUBSCRIPT else mark for mark in marks]


def voice(run: list[Point]) -> list[Point]:
    """4. Compose a kana with the first voicing mark of its run."""
    at = next((i for i, point in enumerate(run) if i > 0 and point.order == VOICING_CLASS), 0)
    kana = tables().voiced(run[0].code, run[at].code) if at else 0
    return [Point(kana, PAIR, 0), *run[1:at], *run[at + 1 :]] if kana else run


def syllables(points: Iterable[Point]) -> Iterator[Point]:
    """4. Compose Hangul jamo."""
    last: Point | None = None
    for point in points:
        composed = last and syllable(last.code, point.code)
        if composed:
            last = Point(composed, LETTER, 0)
        else:
            if last:
                yield last
            last = point
    if last:
        yield last


def syllable(first: int, second: int) -> int:
    """What two Hangul code points compose to, or 0."""
    lead, vowel, trail = first - LEADS, second - VOWELS, second - TRAILS
    if 0 <= lead < 19 and 0 <= vowel < 21:
        return SYLLABLES + 28 * (21 * lead + vowel)
    if 0 <= first - SYLLABLES < 11172 and (first - SYLLABLES) % 28 == 0 and 0 < trail < 28:
        return first + trail
    return 0


def cut(points: Iterable[Point]) -> Iterator[bytes]:
    """5 and 6. The terms: words, and pairs of neighbours."""
    word: list[Point] = []
    pairs = ""
    for point in points:
        if pairs and point.kind != PAIR:
            if len(pairs) == 1:
                yield pairs.encode()
            pairs = ""
        if point.kind in WORD:
            word.append(point)
            continue
        yield from word_term(word)
        word = []
        if point.kind == PAIR:
            pairs = pairs[-1:] + chr(point.code)
            if len(pairs) == 2:
                yield pairs.encode()
    yield from word_term(word)
    if len(pairs) == 1:
        yield pairs.encode()


def word_term(word: list[Point]) -> Iterator[bytes]:
    """The term of a word, if it is one: marks after bare letters dropped, the first 128 bytes, if
    they hold a letter.
    """
    data = b""
    full = letter = bare = False
    for point in word:
        if point.kind == MARK and bare:
            continue
        bare = point.kind == BARE
        more = chr(point.code).encode()
        full = full or len(data) + len(more) > TERM_BYTES
        if not full:
            data += more
            letter = letter or point.kind in (BARE, LETTER)
    if letter:
        yield data
