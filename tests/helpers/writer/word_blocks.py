"""The words section after docs/format.md 6.4 for plain_writer.py beside it: slow, literal, its bits
a string of zeros and ones.
"""

from __future__ import annotations

import struct
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from known_terms import found_by

Blocks = list[tuple[int, bytes]]


@dataclass(frozen=True)
class WordSettings:
    """room: bytes of a block; heaviest: words of a document, 0 for all; most: postings of a block,
    above which a word goes on; counted_of: the collection of texts and titles, which words are
    counted of, where it is another; forms: classes of words, as far as they are in the collection;
    endings: the table: what a word drops, and what follows; rules: pairs of endings behind it, for
    words of no document, with a pair of empty ones before those that follow a doubled letter;
    marks: of words in a file with the stream `marked`.
    """

    room: int = 1024
    heaviest: int = 0
    title_weight: int = 3
    most: int = 10**9
    counted_of: tuple[tuple[str, str], ...] = ()
    forms: tuple[tuple[str, ...], ...] = ()
    endings: tuple[tuple[int, str], ...] = ((0, "s"), (1, ""))
    rules: tuple[tuple[str, str], ...] = ()
    marks: bool = False

    @property
    def table(self) -> tuple[tuple[int, str], ...]:
        """The endings, with the rules."""
        rules = tuple((len(one.encode()), one + other) for one, other in self.rules)
        return (*self.endings, (0, ""), *rules) if rules else self.endings


@dataclass(frozen=True)
class Collected:
    """What a collection says of its words: counted: the documents that words are counted of, and
    those of each word; having: those of the file that have it, as far as it says; ranks: of each
    word and document, without those that are not among the heaviest.
    """

    average: int
    documents: int
    counted: dict[bytes, int]
    having: dict[bytes, int]
    ranks: dict[bytes, dict[int, int]]


def read(
    texts: Sequence[tuple[str, str]], settings: WordSettings
) -> tuple[list[Counter[bytes]], list[int]]:
    """How often each document has each word, and their lengths."""
    times, lengths, marks = list[Counter[bytes]](), list[int](), settings.marks
    for text, title in texts:
        weight = settings.title_weight
        count = Counter(word for word, _ in found_by(text, marks))
        for word, _ in found_by(title, marks) if weight else ():
            count[word] += weight
        times.append(count)
        both = (*found_by(text, marks), *(found_by(title, marks) if weight else ()))
        lengths.append(sum(whole for _, whole in both))
    return times, lengths


def collect(texts: Sequence[tuple[str, str]], settings: WordSettings) -> Collected:
    """texts: text and title of each document."""
    times, lengths = read(texts, settings)
    others, their_lengths = read(settings.counted_of or texts, settings)
    documents = max(1, len(others))
    average = max(1, 256 * sum(their_lengths) // documents)
    counted = Counter(word for count in others for word in count)
    ranks: dict[bytes, dict[int, int]] = {}
    titles = [
        {word for word, _ in found_by(title, settings.marks)} if settings.title_weight else set()
        for _, title in texts
    ]

    def rank_of(word: bytes, document: int, part: tuple[int, int]) -> int:
        if word in titles[document]:
            return 7 + min(8, sum(b"\0" not in word for word in titles[document]))
        eighths = 8 * part[0] // (part[1] - part[0])
        return min(7, len(f"{eighths:b}") - 1)

    for document, (count, length) in enumerate(zip(times, lengths, strict=True)):
        part = {
            word: (10 * average * t, 10 * average * t + 3 * average + 2304 * length)
            for word, t in ((word, min(t, 32_767)) for word, t in count.items())
        }

        def weight_of(word: bytes, part: dict[bytes, tuple[int, int]] = part) -> int:
            above, below = part[word]
            return idf(documents, max(1, counted[word])) * (65_536 * above // below)

        chosen = sorted(count, key=lambda word: (-weight_of(word), word))
        for word in chosen[: settings.heaviest or None]:
            ranks.setdefault(word, {})[document] = rank_of(word, document, part[word])
    if settings.heaviest:
        ranks |= {word: {} for word in counted if counted[word] > 1 and word not in ranks}
    known = {word: max(1, counted[word]) for word in ranks}
    having = {
        word: min(len(texts), max(known[word], len(own))) if own else 0
        for word, own in ranks.items()
    }
    return Collected(average, documents if settings.heaviest else 0, known, having, ranks)


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

    def __init__(self, ranks: dict[int, int], documents: int, counted: int, heaviest: int) -> None:
        self.counts = [sum(own == rank for own in ranks.values()) for rank in range(16)]
        self.all = sorted(ranks.items(), key=lambda own: (-own[1], own[0]))
        more = counted - len(ranks)
        self.head = gamma(2 * more if more > 0 else 1 - 2 * more) if heaviest else ""
        told = 16 if sum(self.counts[8:]) else 8
        self.head += str(told // 16)
        self.head += "".join(gamma(self.counts[rank] + 1) for rank in reversed(range(told)))
        self.documents = documents

    def after(self, number: int) -> int:
        """1 + the document before this posting in the same rank."""
        document, rank = self.all[number - 1] if number else (0, -1)
        return document + 1 if rank == self.all[number][1] else 0

    def bits(self, first: int, last: int) -> str:
        bits = ""
        for rank in reversed(range(16)):
            own = [i for i in range(first, last) if self.all[i][1] == rank]
            apart = 710 * self.documents // (1024 * self.counts[rank]) if own else 0
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


def forms_of(words: Iterable[bytes], settings: WordSettings) -> dict[bytes, str]:
    """Of each word the bits that say which one is the next of its class."""
    known, bits = set(words), dict[bytes, str]()
    if not settings.forms:
        return dict.fromkeys(known, "")
    for members in settings.forms:
        own = [word for word in (member.encode() for member in members) if word in known]
        for word, other in zip(own, own[1:] + own[:1], strict=True):
            if word != other:
                bits[word] = ending_bits(word, other, settings)
    return {word: bits.get(word, gamma(1)) for word in known}


def ending_bits(word: bytes, other: bytes, settings: WordSettings) -> str:
    shared = max(i for i in range(len(word) + 1) if other.startswith(word[:i]))
    for number, (dropped, more) in enumerate(settings.endings, 1):
        if word[: len(word) - dropped] + more.encode() == other and dropped <= len(word):
            return gamma(1 + number)
    spelled = bytes([len(word) - shared, len(other) - shared]) + other[shared:]
    return gamma(2 + len(settings.table)) + "".join(low(byte, 8) for byte in spelled)


def endings_of(settings: WordSettings) -> bytes:
    """The parameters behind the numbers."""
    name = b"by hand" if settings.forms else b""
    table = settings.table if settings.forms else ()
    data = struct.pack("<HH", len(name), len(table)) + name
    ends = ((dropped, more.encode()) for dropped, more in table)
    data += b"".join(bytes([dropped, len(more)]) + more for dropped, more in ends)
    return data + bytes(-len(data) % 8)


def blocks_of(found: Collected, documents: int, settings: WordSettings) -> Blocks:
    blocks, held = Blocks(), list[tuple[bytes, str]]()

    def flush() -> None:
        if held:
            blocks.append((first_of(held[0][0]), heads(held)))
            held.clear()

    forms = forms_of(found.ranks, settings)
    for word in sorted(found.ranks):
        own = Postings(found.ranks[word], documents, found.counted[word], settings.heaviest)
        own.head = forms[word] + own.head
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
        len(found.ranks),
        sum(map(len, found.ranks.values())),
        settings.heaviest,
        found.average,
        settings.title_weight,
        found.documents,
    )
    parameters += endings_of(settings)
    return parameters, tuple(blocks_of(found, len(texts), settings))
