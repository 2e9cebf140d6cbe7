"""The words section after docs/format.md 6.4 for plain_writer.py beside it: slow, literal, its bits
a string of zeros and ones.
"""

from __future__ import annotations

import struct
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from known_terms import found_by

Blocks = list[tuple[int, bytes]]


@dataclass(frozen=True)
class WordSettings:
    """room: bytes of a block; heaviest: words of a document, 0 for all; most: postings of a block,
    above which a word goes on; counted_of: the collection of texts and titles, which words are
    counted of, where it is another.
    """

    room: int = 1024
    heaviest: int = 0
    title_weight: int = 3
    most: int = 10**9
    counted_of: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Collected:
    """What a collection says of its words: counted: the documents that words are counted of, and
    those of each word; having: those of the file that have it, as far as it says; levels: of each
    word and document, without those that are not among the heaviest.
    """

    average: int
    documents: int
    counted: dict[bytes, int]
    having: dict[bytes, int]
    levels: dict[bytes, dict[int, int]]


def read(
    texts: Sequence[tuple[str, str]], settings: WordSettings
) -> tuple[list[Counter[bytes]], list[int]]:
    """How often each document has each word, and their lengths."""
    times, lengths = list[Counter[bytes]](), list[int]()
    for text, title in texts:
        weight = settings.title_weight
        count = Counter(word for word, _ in found_by(text))
        for word, _ in found_by(title) if weight else ():
            count[word] += weight
        times.append(count)
        both = (*found_by(text), *(found_by(title) if weight else ()))
        lengths.append(sum(whole for _, whole in both))
    return times, lengths


def collect(texts: Sequence[tuple[str, str]], settings: WordSettings) -> Collected:
    """texts: text and title of each document."""
    times, lengths = read(texts, settings)
    others, their_lengths = read(settings.counted_of or texts, settings)
    documents = max(1, len(others))
    average = max(1, 256 * sum(their_lengths) // documents)
    counted = Counter(word for count in others for word in count)
    levels: dict[bytes, dict[int, int]] = {}
    for document, (count, length) in enumerate(zip(times, lengths, strict=True)):
        part = {
            word: (10 * average * t, 10 * average * t + 3 * average + 2304 * length)
            for word, t in ((word, min(t, 65_535)) for word, t in count.items())
        }

        def weight_of(word: bytes, part: dict[bytes, tuple[int, int]] = part) -> int:
            above, below = part[word]
            return idf(documents, max(1, counted[word])) * (65_536 * above // below)

        chosen = sorted(count, key=lambda word: (-weight_of(word), word))
        for word in chosen[: settings.heaviest or None]:
            levels.setdefault(word, {})[document] = 8 * part[word][0] // part[word][1]
    if settings.heaviest:
        levels |= {word: {} for word in counted if counted[word] > 1 and word not in levels}
    known = {word: max(1, counted[word]) for word in levels}
    having = {
        word: min(len(texts), max(known[word], len(own))) if own else 0
        for word, own in levels.items()
    }
    return Collected(average, documents if settings.heaviest else 0, known, having, levels)


def logarithm(x: int) -> int:
    e = len(f"{x:b}") - 1
    y = x * 2**31 // 2**e
    result = 256 * e
    for i in reversed(range(8)):
        y = y * y // 2**31
        if y >= 2**32:
            result += 2**i
            y //= 2
    return result


@cache
def idf(documents: int, having: int) -> int:
    return max(1, logarithm(2 * documents + 2) - logarithm(2 * having + 1))


# Bits, the first one first


def low(value: int, width: int) -> str:
    return "".join(str(value >> i & 1) for i in range(width))


def gamma(x: int) -> str:
    e = len(f"{x:b}") - 1
    return "0" * e + "1" + low(x, e)


def packed(bits: str) -> bytes:
    return bytes(int(bits[at : at + 8][::-1], 2) for at in range(0, len(bits), 8))


class Postings:
    """The postings of a word in their order."""

    def __init__(self, levels: dict[int, int], documents: int, counted: int, heaviest: int) -> None:
        self.counts = [sum(own == level for own in levels.values()) for level in range(8)]
        self.all = sorted(levels.items(), key=lambda own: (-own[1], own[0]))
        more = counted - len(levels)
        self.head = gamma(2 * more if more > 0 else 1 - 2 * more) if heaviest else ""
        self.head += "".join(gamma(self.counts[level] + 1) for level in reversed(range(8)))
        self.documents = documents

    def after(self, number: int) -> int:
        """1 + the document before this posting in the same level."""
        document, level = self.all[number - 1] if number else (0, -1)
        return document + 1 if level == self.all[number][1] else 0

    def bits(self, first: int, last: int) -> str:
        bits = ""
        for level in reversed(range(8)):
            own = [i for i in range(first, last) if self.all[i][1] == level]
            apart = 710 * self.documents // (1024 * self.counts[level]) if own else 0
            k = max(0, len(f"{apart:b}") - 1)
            gaps = [self.all[i][0] - self.after(i) for i in own]
            bits += "".join(low(gap, k) for gap in gaps)
            for rest in (gap >> k for gap in gaps):
                bits += "0" * rest + "1" if rest < 24 else "0" * 24 + low(rest, 32)
        return bits


@cache
def spelled_after(before: bytes, word: bytes) -> bytes:
    shared = max(i for i in range(len(word) + 1) if before.startswith(word[:i]))
    more = len(word) - shared
    sizes = bytes(size for size in (shared, more) if size >= 15)
    return bytes([min(shared, 15) | min(more, 15) << 4]) + sizes + word[shared:]


def vocabulary(words: Sequence[bytes]) -> bytes:
    return b"".join(map(spelled_after, [b"", *words], words))


def heads(words: Sequence[tuple[bytes, str]]) -> bytes:
    """A block of words with their bits."""
    spelled = vocabulary([word for word, _ in words])
    data = struct.pack("<HH", len(words), len(spelled)) + spelled
    for at in range(16, len(words), 16):
        data += struct.pack("<I", sum(len(bits) for _, bits in words[:at]))
    return data + packed("".join(bits for _, bits in words))


def first_of(word: bytes) -> int:
    return int.from_bytes(word[:8] + bytes(8 - len(word[:8])), "big")


def going_on(word: bytes, own: Postings, settings: WordSettings) -> Iterator[bytes]:
    """The blocks of a word that does not fit in one."""
    at, number = 0, 0
    while at < len(own.all):
        end = min(len(own.all), at + settings.most) - (not number and settings.most > len(own.all))
        while True:
            if number:
                data = struct.pack("<HHIIII", 0, 0, number, at, end - at, own.after(at))
                data += packed(own.bits(at, end))
            else:
                data = heads([(word, own.head + "1" + gamma(1 + end) + own.bits(0, end))])
            if len(data) <= settings.room:
                break
            end -= 1
        yield data
        at, number = end, number + 1


def blocks_of(found: Collected, documents: int, settings: WordSettings) -> Blocks:
    blocks, held = Blocks(), list[tuple[bytes, str]]()

    def flush() -> None:
        if held:
            blocks.append((first_of(held[0][0]), heads(held)))
            held.clear()

    for word in sorted(found.levels):
        own = Postings(found.levels[word], documents, found.counted[word], settings.heaviest)
        one = (word, own.head + "0" + own.bits(0, len(own.all)))
        if len(own.all) > settings.most or len(heads([one])) > settings.room:
            flush()
            blocks += [(first_of(word), data) for data in going_on(word, own, settings)]
            continue
        if len(heads([*held, one])) > settings.room:
            flush()
        held.append(one)
    flush()
    return blocks


def section_of(
    texts: Sequence[tuple[str, str]], settings: WordSettings
) -> tuple[bytes, tuple[tuple[int, bytes], ...]]:
    """Parameters and blocks."""
    found = collect(texts, settings)
    parameters = struct.pack(
        "<IIQQIIII",
        len(texts),
        settings.room,
        len(found.levels),
        sum(map(len, found.levels.values())),
        settings.heaviest,
        found.average,
        settings.title_weight,
        found.documents,
    )
    return parameters, tuple(blocks_of(found, len(texts), settings))
