"""docs/format.md, section 7: the term stream `folded`.

It reads data/unicode.bin and uses neither the C core nor unicodedata, so that the stream is the
same under every Python version.
"""

from __future__ import annotations

import struct
from codecs import register_error
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, lru_cache
from operator import attrgetter
from typing import NamedTuple

from places import ROOT

from plain.marks import KEPT, marks_of

SEPARATOR, LETTER, BARE, PAIR, OTHER, MARK, MAPPED, IGNORED = range(8)
WORD = (LETTER, BARE, OTHER, MARK)
LAYOUT = (15, 0, 0, 3)
RUN = 30
TERM_BYTES = 128
IOTA_SUBSCRIPT = 0x345
VOICED, VOICING_CLASS = 0x3099, 8
SYLLABLES = 0xAC00
LEADS = 0x1100
VOWELS = 0x1161
TRAILS = 0x11A7
CJK = ((0x3005,), range(0x3041, 0x3100), range(0x3400, 0xA000), range(0x20000, 0x40000))


class Point(NamedTuple):
    """A code point of the folded text, its kind and its canonical combining class; it was read from
    the bytes start .. end - 1 of the text.
    """

    code: int
    kind: int
    order: int
    start: int = 0
    end: int = 0


class Term(NamedTuple):
    """A term and where it stands in the text, in bytes; second: of a pair, where its second code
    point begins; marks: those that the term has lost, where the stream keeps others.
    """

    bytes: bytes
    start: int
    end: int
    second: int = -1
    marks: str = ""


class Tables:
    """The tables of data/unicode.bin; docs/format.md 7.1 has their layout."""

    def __init__(self, data: bytes) -> None:
        version = tuple(data[:4])
        if version != LAYOUT:
            raise ValueError(
                f"data/unicode.bin: expected version {LAYOUT}, found {version}; install "
                "pocketindex again"
            )
        top, middle, entries, groups, folds, ranges, plain = struct.unpack_from("<7H", data, 4)
        at = 18

        def take(form: str, count: int) -> tuple[int, ...]:
            nonlocal at
            values = struct.unpack_from(f"<{count}{form}", data, at)
            at += struct.calcsize(f"<{count}{form}")
            return values

        self.top = take("H", top)
        self.middle = take("H", middle)
        self.entries = take("H", entries)
        bounds = take("H", 2 * groups)
        self.groups = list(zip(bounds[::2], bounds[1::2], strict=True))
        self.folds = take("H", folds)
        self.voicing = take("B", 384)
        self.ranges = take("I", ranges)
        letters = [take("H", 3) for _ in range(plain)]
        self.plain = {code: "".join(map(chr, filter(None, own))) for code, *own in letters}

    def entry(self, code: int) -> tuple[int, int]:
        """Return kind and payload of a code point."""
        entry = self.entries[self.middle[self.top[code >> 9] + (code >> 4 & 31)] + (code & 15)]
        return entry >> 13, entry & 0x1FFF

    def fold(self, place: int) -> str:
        """Return the fold at this place."""
        size = max(size for first, size in self.groups if first <= place)
        return struct.pack(f"<{size}H", *self.folds[place : place + size]).decode("utf-16-le")

    def voiced(self, kana: int, mark: int) -> int:
        """Return what kana and U+3099 or U+309A compose to, or 0."""
        low = self.voicing[192 * (mark - VOICED) + kana - 0x3040] if 0 <= kana - 0x3040 < 192 else 0
        return 0x3000 + low if low else 0


@cache
def tables() -> Tables:
    return Tables((ROOT / "data" / "unicode.bin").read_bytes())


@lru_cache(maxsize=16)  # one text is asked in several ways
def terms(text: bytes) -> tuple[bytes, ...]:
    """Return the terms of a text in UTF-8, in its order; every term is at most 128 bytes of
    well-formed UTF-8. Any bytes will do.
    """
    return tuple(term.bytes for term in cut(points(text), every=False))


@lru_cache(maxsize=16)
def marked(text: bytes) -> tuple[bytes, ...]:
    """Return the terms of the stream `marked` (7.3)."""
    return tuple(term.bytes for term in cut(points(text, marks=True), every=False, marks=True))


def every_word(text: bytes, marks: bool = False) -> Iterator[Term]:
    """Return the stream `every word` (6.3), in the order of the text. Any bytes will do. marks:
    whether it is that of a file with the stream `marked`.
    """
    return cut(points(text, marks), every=True, marks=marks)


def points(text: bytes, marks: bool = False) -> Iterator[Point]:
    """Yield the points of a text (steps 1 to 4); marks: those of the stream `marked` (7.3)."""
    read = unspaced(list(characters(text))) if marks else characters(text)
    folded = (  # 2
        Point(*point[:3], start, end) for character, start, end in read for point in fold(character)
    )
    return syllables(point for run in runs(folded) for point in voice(run))


def characters(text: bytes) -> Iterator[tuple[str, int, int]]:
    """Yield the characters (step 1).

    Each with the place of its bytes. Python replaces every maximal ill-formed part, as Unicode
    recommends.
    """
    replaced = dict[int, int]()

    def replace(error: UnicodeError) -> tuple[str, int]:
        assert isinstance(error, UnicodeDecodeError)
        replaced[error.start] = error.end
        return "\ufffd", error.end

    register_error("plain", replace)
    start = 0
    for character in text.decode("utf-8", "plain"):
        end = replaced.get(start) or start + len(character.encode())
        yield character, start, end
        start = end


def unspaced(text: Sequence[tuple[str, int, int]]) -> Iterator[tuple[str, int, int]]:
    """Yield the characters without the blanks between single ones of Chinese and Japanese, where
    three or more of these are in a row (7.3).
    """

    def cjk(at: int) -> bool:
        return 0 <= at < len(text) and is_cjk(text[at][0])

    def single(at: int) -> bool:
        return cjk(at) and not cjk(at - 1) and not cjk(at + 1)

    at = 0
    while at < len(text):
        end = at
        while single(at) and end + 2 < len(text) and text[end + 1][0] == " " and single(end + 2):
            end += 2
        if end < at + 4:
            end = at
        yield from text[at : end + 1 : 2]
        at = end + 1


@cache
def is_cjk(character: str) -> bool:
    """Return whether it is a character of Chinese or Japanese."""
    code = ord(character)
    within = any(code in own for own in CJK)
    return within and tables().entry(code)[0] in (PAIR, MAPPED)


@cache
def fold(character: str) -> tuple[Point, ...]:
    """Return the fold of a character (step 2); its code points are final."""
    kind, payload = tables().entry(ord(character))
    if kind == IGNORED:
        return ()
    if kind != MAPPED:
        return (Point(ord(character), kind, payload),)
    return tuple(Point(ord(each), *tables().entry(ord(each))) for each in tables().fold(payload))


def runs(points: Iterable[Point]) -> Iterator[list[Point]]:
    """Yield runs (step 3).

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
    """Return a run in canonical order (step 3).

    Each mark is read from the whole of it. U+0345 gets its fold only here
    (7.1); it is in the highest class, and so among the last.
    """
    if not marks:
        return marks
    place = marks[0].start, marks[-1].end
    return [
        Point(0x3B9, BARE, 0, *place) if mark.code == IOTA_SUBSCRIPT else Point(*mark[:3], *place)
        for mark in sorted(marks, key=attrgetter("order"))
    ]


def voice(run: list[Point]) -> list[Point]:
    """Compose a kana with the first voicing mark of its run (step 4)."""
    at = next((i for i, point in enumerate(run) if i > 0 and point.order == VOICING_CLASS), 0)
    kana = tables().voiced(run[0].code, run[at].code) if at else 0
    if not kana:
        return run
    return [Point(kana, PAIR, 0, run[0].start, run[at].end), *run[1:at], *run[at + 1 :]]


def syllables(points: Iterable[Point]) -> Iterator[Point]:
    """Compose Hangul jamo (step 4)."""
    last: Point | None = None
    for point in points:
        composed = last and syllable(last.code, point.code)
        if composed:
            assert last
            last = Point(composed, LETTER, 0, last.start, point.end)
        else:
            if last:
                yield last
            last = point
    if last:
        yield last


def syllable(first: int, second: int) -> int:
    """Return what two Hangul code points compose to, or 0."""
    lead = first - LEADS
    vowel = second - VOWELS
    trail = second - TRAILS
    if 0 <= lead < 19 and 0 <= vowel < 21:
        return SYLLABLES + 28 * (21 * lead + vowel)
    if 0 <= first - SYLLABLES < 11172 and (first - SYLLABLES) % 28 == 0 and 0 < trail < 28:
        return first + trail
    return 0


def cut(points: Iterable[Point], every: bool, marks: bool = False) -> Iterator[Term]:
    """Yield the terms (steps 5 and 6): words, and pairs of neighbours; every: words without a
    letter, too; marks: with those that `marked` keeps.
    """
    word: list[Point] = []
    pairs: list[Point] = []
    alone = False
    for point in points:
        if pairs and point.kind != PAIR:
            if alone:
                yield pair_term(pairs)
            pairs = []
        if point.kind in WORD:
            word.append(point)
            continue
        yield from word_term(word, every, marks)
        word = []
        if point.kind == PAIR:
            alone = not pairs
            pairs = [*pairs[-1:], point]
            if not alone:
                yield pair_term(pairs)
    yield from word_term(word, every, marks)
    if pairs and alone:
        yield pair_term(pairs)


def pair_term(pairs: list[Point]) -> Term:
    """Return the term of two neighbours, or of one that has none."""
    both = "".join(chr(p.code) for p in pairs).encode()
    return Term(both, pairs[0].start, pairs[-1].end, pairs[-1].start)


def word_term(word: list[Point], every: bool, marks: bool) -> Iterator[Term]:
    """Yield the term of a word, if it is one: marks after bare letters dropped, the first 128
    bytes, if they hold a letter or every word is a term; marks: and those that `marked` keeps.
    """
    data = b""
    dropped = list[tuple[str, int]]()
    full = letter = bare = False
    for point in word:
        if point.kind == MARK and bare:
            dropped.append((data.decode()[-1:], point.code))
            continue
        bare = point.kind == BARE
        more = chr(point.code).encode()
        full = full or len(data) + len(more) > TERM_BYTES
        if not full:
            data += more
            letter = letter or point.kind in (BARE, LETTER)
    if word and (letter or every):
        kept = marks_of(data.decode(), dropped) if marks else ""
        lost = "".join(chr(code) for _, code in dropped if code in KEPT)
        lost = lost if marks and not kept else ""
        yield Term(data + kept.encode(), word[0].start, word[-1].end, marks=lost)
