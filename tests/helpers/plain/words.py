"""docs/format.md, section 6.4."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import islice, pairwise

from plain.conventions import u16, u32, u64
from plain.layout import Section
from plain.place import Place

PARAMETERS = 40  # before the endings
ENDINGS = 4_096  # at most
LEAST_ROOM, MOST_ROOM = 1_024, 65_535
TITLE_WEIGHT = 100  # at most
LEVELS = 8
RANKS = 16  # the levels, and above them the postings of titles
SAMPLED = 16  # words between two that have a place
GOES_ON = 20  # bytes before the postings of a block in which a word goes on
ZEROS = 24  # of a gap; more are a number
WORD_BYTES = 128


def logarithm(x: int) -> int:
    """Return 256 times the logarithm to base 2, without floating point."""
    e = x.bit_length() - 1
    y, result = (x << 31) >> e, 256 * e
    for i in range(7, -1, -1):
        y = y * y >> 31
        if y >= 1 << 32:
            y >>= 1
            result += 1 << i
    return result


def idf(documents: int, having: int) -> int:
    return max(1, logarithm(2 * documents + 2) - logarithm(2 * having + 1))


def low_bits(documents: int, count: int) -> int:
    apart = 710 * documents // (1024 * count)
    return max(0, apart.bit_length() - 1)


@dataclass(frozen=True)
class Word:
    """A word of the file. postings: (document, rank), by rank, the highest first; counted: the
    documents by which the heaviest words were chosen, 0 where all count; having: how many have it,
    whether or not they are its postings, 0 without postings; blocks: of its postings, and how many
    lie in each; ending: how many bytes it drops to become the next word of its class, and what
    follows, None where it has no other form.
    """

    word: bytes
    postings: list[tuple[int, int]]
    counted: int
    having: int
    blocks: list[tuple[int, int]]
    ending: tuple[int, bytes] | None = None

    def next_form(self, place: Place) -> bytes:
        assert self.ending
        dropped, more = self.ending
        length = len(self.word) + len(more) - dropped if dropped <= len(self.word) else 0
        place.within("length of a form", 1, WORD_BYTES, length)
        return self.word[: len(self.word) - dropped] + more


class Bits:
    """Bits of a block, read one after the other; beyond the end they are zeros."""

    def __init__(self, data: bytes, place: Place) -> None:
        self._number = int.from_bytes(data, "little")
        self.size = 8 * len(data)
        self.at = 0
        self._place = place

    def take(self, width: int) -> int:
        value = self._number >> self.at & (1 << width) - 1
        self.at += width
        return value

    def zeros(self, most: int) -> int:
        """Return how many zeros come before the next one, most of them at most."""
        rest = (self._number >> self.at & (1 << most) - 1) | 1 << most
        count = (rest & -rest).bit_length() - 1
        self.at += count
        return count

    def gamma(self) -> int:
        zeros = self.zeros(32)
        self._place.require(self.take(1) == 1, "gamma", 1, 0)
        return 1 << zeros | self.take(zeros)

    def high(self) -> int:
        """Return the high part of a gap."""
        zeros = self.zeros(ZEROS)
        if zeros == ZEROS:
            return self.take(32)
        self.at += 1
        return zeros

    def inside(self) -> None:
        self._place.require(
            self.at <= self.size, "end of the postings", f"at most {self.size}", self.at
        )

    def end(self) -> None:
        """Check that there is no byte more than is needed, and that zeros follow the last bit."""
        self._place.equal("bytes of the postings", (self.at + 7) // 8, self.size // 8)
        self._place.equal("padding", 0, self._number >> self.at)


class Words:
    """The section of words."""

    def __init__(self, section: Section, documents: int) -> None:
        place, data = section.place(), section.parameters
        self.section, self.documents = section, documents
        place.require(
            len(data) >= PARAMETERS + 8,
            "length of the parameters",
            f"at least {PARAMETERS + 8}",
            len(data),
        )
        place.equal("number of documents", documents, u32(data, 0))
        self.room = u32(data, 4)
        self.count = u64(data, 8)
        self.postings = u64(data, 16)
        self.heaviest, self.average, self.title_weight, self.counted = (
            u32(data, at) for at in (24, 28, 32, 36)
        )
        place.within("room", LEAST_ROOM, MOST_ROOM, self.room)
        place.require(self.average >= 1, "average length", "at least 1", self.average)
        place.within("title weight", 0, TITLE_WEIGHT, self.title_weight)
        name = "documents that words were counted of"
        place.require(self.counted >= 1 or not self.heaviest, name, "at least 1", self.counted)
        place.require(self.counted == 0 or self.heaviest > 0, name, 0, self.counted)
        self.forms, self.endings = self._endings(data[PARAMETERS:], place)
        self.rules = self._rules(place)
        place.require(
            (section.count > 0) == (self.count > 0),
            "number of blocks",
            f"1 .. {self.count}" if self.count else 0,
            section.count,
        )
        for number, (before, first) in enumerate(pairwise(section.firsts), 1):
            section.place(number).require(before <= first, "first", f"at least {before}", first)

    def _endings(self, data: bytes, place: Place) -> tuple[bytes, list[tuple[int, bytes]]]:
        """Return the name of what made the classes, and the table."""
        size, count, at = u16(data, 0), u16(data, 2), 4
        room = min(255, len(data) - at)
        place.require(size <= room, "name of the classes", f"at most {room}", size)
        name, at = data[at : at + size], at + size
        place.utf8("UTF-8", name)
        most = ENDINGS if name else 0
        place.require(count <= most, "number of endings", f"at most {most}", count)
        endings = list[tuple[int, bytes]]()
        for number in range(count):
            head = data[at : at + 2]
            fits = len(head) == 2 and max(head) <= WORD_BYTES and at + 2 + head[1] <= len(data)
            place.require(fits, "ending", count, number)
            endings.append((head[0], data[at + 2 : at + 2 + head[1]]))
            at += 2 + head[1]
        rest = data[at:]
        place.require(len(rest) < 8 and not any(rest), "padding", 0, len(rest))
        return name, endings

    def _rules(self, place: Place) -> list[tuple[bytes, bytes, bool]]:
        """Return the pairs of endings, and whether a letter is doubled before the second."""
        if (0, b"") not in self.endings:
            return []
        first = self.endings.index((0, b"")) + 1
        rules, doubled = list[tuple[bytes, bytes, bool]](), False
        for number, (size, both) in enumerate(self.endings[first:], first):
            fits = size <= len(both) and is_text(both[:size]) and is_text(both[size:])
            place.require(fits, "ending", len(self.endings), number)
            rules.append((both[:size], both[size:], doubled))
            doubled = doubled or not both
        return rules

    def block(self, number: int) -> bytes:
        place, block = self.section.place(number), self.section.block(number)
        place.require(len(block) >= 4, "size of the block", "at least 4", len(block))
        place.require(
            len(block) <= self.room, "size of the block", f"at most {self.room}", len(block)
        )
        return block

    @cached_property
    def all(self) -> dict[bytes, Word]:
        """Every word, in the order of the file."""
        return {word.word: word for word in self.every()}

    def every(self) -> Iterator[Word]:
        number = 0
        while number < self.section.count:
            words, number = self._words(number)
            yield from words

    def _words(self, number: int) -> tuple[list[Word], int]:
        """Return the words of a block, and where the next words are."""
        place, block = self.section.place(number), self.block(number)
        count, vocabulary = u16(block, 0), u16(block, 2)
        place.require(count >= 1, "words", "at least 1", count)
        samples = (count - 1) // SAMPLED
        fixed = 4 + vocabulary + 4 * samples
        place.require(fixed <= len(block), "size of the block", f"at least {fixed}", len(block))
        spelled = self._vocabulary(block[4 : 4 + vocabulary], count, place)
        place.equal("first", first_of(spelled[0]), self.section.firsts[number])
        bits = Bits(block[fixed:], place)
        words = list[Word]()
        last = number
        for i, word in enumerate(spelled):
            if i and i % SAMPLED == 0:
                at = u32(block, 4 + vocabulary + 4 * (i // SAMPLED - 1))
                place.equal("place of a word", bits.at, at)
            found, bits = self._word(word, bits, number, count)
            words.append(found)
            last = found.blocks[-1][0]
        bits.end()
        return words, last + 1

    def _vocabulary(self, data: bytes, count: int, place: Place) -> list[bytes]:
        words = list[bytes]()
        word = b""
        at = 0

        def take(half: int) -> int:
            nonlocal at
            if half < 15 or at == len(data):
                return half
            at += 1
            return data[at - 1]

        for taken in range(count):
            place.require(at < len(data), "words", f"at least {count}", taken)
            halves, at = data[at], at + 1
            shared, more = take(halves & 15), take(halves >> 4)
            place.within("shared bytes", 0, len(word), shared)
            place.within("bytes of a word", 0, len(data) - at, more)
            place.within("length of a word", 1, WORD_BYTES, shared + more)
            word, at = word[:shared] + data[at : at + more], at + more
            words.append(word)
        place.equal("bytes after the last word", 0, len(data) - at)
        return words

    def _word(self, word: bytes, bits: Bits, number: int, count: int) -> tuple[Word, Bits]:
        """Return a word of a block of count words, and the bits behind its postings."""
        place = self.section.place(number)
        ending = self._ending(bits, place) if self.forms else None
        least = 0 if self.heaviest or ending else 1
        difference = bits.gamma() - 1 if self.heaviest else 0
        counts = [0] * RANKS
        for own in range((RANKS if bits.take(1) else LEVELS) - 1, -1, -1):
            counts[own] = bits.gamma() - 1
            if sum(counts) > self.documents:
                break
        total = sum(counts)
        place.within("documents of a word", least, self.documents, total)
        counted = self._counted(total, difference, bool(ending), place) if self.heaviest else 0
        having = min(self.documents, max(counted, total)) if total else 0
        here = total
        if bits.take(1):
            here = bits.gamma()
            place.within("postings of a block", 1, total, here)
            here -= 1
        bits.inside()
        ranks = [own for own in range(RANKS - 1, -1, -1) for _ in range(counts[own])]
        postings, blocks = list[tuple[int, int]](), list[tuple[int, int]]()
        self._take(bits, postings, ranks[:here], counts, place)
        blocks.append((number, here))
        if here < total:
            place.equal("words", 1, count)
        while len(postings) < total:
            bits.end()
            place.require(
                blocks[-1][0] + 1 < self.section.count,
                "postings of a word",
                total,
                len(postings),
            )
            bits = self._go_on(number, blocks, postings, ranks, counts)
            place = self.section.place(blocks[-1][0])
        return Word(word, postings, counted, having, blocks, ending), bits

    def _ending(self, bits: Bits, place: Place) -> tuple[int, bytes] | None:
        number, most = bits.gamma() - 1, len(self.endings) + 1
        place.within("ending", 0, most, number)
        if number < most:
            return self.endings[number - 1] if number else None
        dropped, length = bits.take(8), bits.take(8)
        place.within("length of an ending", 0, WORD_BYTES, length)
        return dropped, bytes(bits.take(8) for _ in range(length))

    def _counted(self, total: int, difference: int, has_form: bool, place: Place) -> int:
        """Return how many documents a word with so many postings was counted in."""
        half = (difference + 1) // 2
        counted = total + half if difference % 2 else max(0, total - half)
        least = 1 if total or has_form else 2
        place.within("counted documents of a word", least, self.counted, counted)
        return counted

    def _go_on(
        self,
        first: int,
        blocks: list[tuple[int, int]],
        postings: list[tuple[int, int]],
        ranks: list[int],
        counts: list[int],
    ) -> Bits:
        number = blocks[-1][0] + 1
        place, block = self.section.place(number), self.block(number)
        place.equal("first", self.section.firsts[first], self.section.firsts[number])
        place.require(len(block) >= GOES_ON, "size of the block", f"at least {GOES_ON}", len(block))
        heads, back, before, here, after = (u32(block, at) for at in range(0, GOES_ON, 4))
        place.equal("words", 0, heads)
        place.equal("blocks before", number - first, back)
        place.equal("postings before", len(postings), before)
        left = len(ranks) - len(postings)
        place.within("postings of a block", 1, left, here)
        own = ranks[len(postings)]
        begun = bool(postings) and postings[-1][1] == own
        place.equal("document before", postings[-1][0] + 1 if begun else 0, after)
        bits = Bits(block[GOES_ON:], place)
        self._take(bits, postings, ranks[before : before + here], counts, place)
        blocks.append((number, here))
        return bits

    def _take(
        self,
        bits: Bits,
        postings: list[tuple[int, int]],
        ranks: list[int],
        counts: list[int],
        place: Place,
    ) -> None:
        """Add the postings of these ranks, which lie in one block."""
        at = 0
        while at < len(ranks):
            own = ranks[at]
            size = ranks.count(own)
            k = low_bits(self.documents, counts[own])
            lows = [bits.take(k) for _ in range(size)]
            bits.inside()
            for low in lows:
                begun = bool(postings) and postings[-1][1] == own
                after = postings[-1][0] + 1 if begun else 0
                document = after + (bits.high() << k) + low
                place.require(
                    document < self.documents and bits.at <= bits.size,
                    "posting",
                    f"less than {self.documents}",
                    document,
                )
                postings.append((document, own))
            at += size

    def verify(self) -> None:
        before = b""
        words = 0
        postings = 0
        for word in self.every():
            place = self.section.place(word.blocks[0][0])
            place.utf8("UTF-8", word.word)
            place.require(before < word.word, "order of the words", "rising", word.word.hex())
            if word.ending:
                other = self.all.get(word.next_form(place))
                place.require(other is not None and other.ending is not None, "form", 1, 0)
            seen = set[int]()
            rest = iter(word.postings)
            for number, size in word.blocks:
                for document, _ in islice(rest, size):
                    self.section.place(number).require(
                        document not in seen, "ranks of a posting", 1, 2
                    )
                    seen.add(document)
            before = word.word
            words += 1
            postings += len(word.postings)
        self.section.place().equal("number of words", self.count, words)
        self.section.place().equal("number of postings", self.postings, postings)


def is_text(data: bytes) -> bool:
    try:
        return bool(data.decode()) or not data
    except UnicodeDecodeError:
        return False


def first_of(word: bytes) -> int:
    """Return `first` of a block that begins with this word."""
    return int.from_bytes(word[:8].ljust(8, b"\0"), "big")
