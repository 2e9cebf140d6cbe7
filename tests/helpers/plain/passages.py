"""docs/format.md, section 6.3."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from plain.conventions import murmur, u32, u64
from plain.layout import Section
from plain.tables import Part, Tables

SHINGLE_TERMS, WINDOW, SHINGLE_DOCUMENTS = 16, 256, 1_000  # at most
MORE = 24  # bytes of parameters behind those of a table


class Shingle(NamedTuple):
    """A shingle. number: of its first term, counted from 0."""

    hash: int
    number: int


def shingles(terms: Sequence[bytes], size: int) -> list[Shingle]:
    """Return all shingles of so many terms."""
    hashes = [murmur(term).to_bytes(8, "little") for term in terms]
    return [
        Shingle(
            int.from_bytes(hashes[number], "little")
            if size == 1
            else murmur(b"".join(hashes[number : number + size])),
            number,
        )
        for number in range(len(hashes) - size + 1)
    ]


def winnowed(found: Sequence[Shingle], window: int) -> list[Shingle]:
    """Return the shingles that are kept, in their order. Shingle sorts by hash, then by number."""
    windows = range(max(1, len(found) - window + 1))
    kept = {min(found[first : first + window]) for first in windows} if found else set()
    return sorted(kept, key=lambda shingle: shingle.number)


class Passages:
    """The section of passages: a table of shingles."""

    def __init__(self, section: Section, documents: int) -> None:
        place, data = section.place(), section.parameters
        self.section, self.documents = section, documents
        self.tables = Tables(section, documents, 1, MORE)
        place.equal("minimal perfect hash", 5, self.tables.mph)
        place.equal("default probes", 1, self.tables.default_probes)
        self.run_terms, self.window, self.run_documents, self.key_range = (
            u32(data, len(data) - MORE + 4 * i) for i in range(4)
        )
        self.left_out = u64(data, len(data) - 8)
        place.within("terms of a shingle", 1, SHINGLE_TERMS, self.run_terms)
        place.within("window", 1, WINDOW, self.window)
        place.within("documents of a shingle", 1, SHINGLE_DOCUMENTS, self.run_documents)
        place.require(self.key_range >= 1, "key range", "at least 1", self.key_range)

    def key(self, hash: int) -> int:
        """Return the key of a shingle."""
        return hash * 256 * self.key_range >> 64

    def postlist(self, hash: int) -> list[int]:
        """Return the documents that have a shingle of this hash, none where no such shingle is."""
        key = self.key(hash)
        block = self.tables.part_of(0, key)
        if block is None:
            return []
        part = self.tables.part(block)
        slot = part.quotient.slot(self._counted(key, block)) if part.quotient else None
        if slot is None:
            return []
        found = part.postlist(slot)
        part.place.within("documents of a shingle", 1, self.run_documents, len(found))
        if [part.posting(posting) for posting in found] == [self.documents]:
            return []  # it is left out
        return [self.tables.document(part, posting) for posting in found]

    def _counted(self, key: int, block: int) -> int:
        """Return a key, counted from the least one with the quotient of the part's first key."""
        rest = self.tables.checksum_bits
        return key - (self.section.firsts[block] >> rest << rest)

    def verify(self) -> None:
        """Check that every postlist rises and is no longer than it may be, and that they are as
        many as is said.
        """
        keys = postings = left_out = 0
        for number in self.tables.ranges[0]:
            part = self.tables.part(number)
            place = part.place
            for postlist in part.postlists():
                place.within("documents of a shingle", 1, self.run_documents, len(postlist))
                if postlist == [self.documents]:
                    left_out += 1
                    continue
                for before, document in pairwise([-1, *postlist]):
                    place.require(
                        document < self.documents,
                        "posting",
                        f"less than {self.documents}",
                        document,
                    )
                    place.require(document > before, "posting", f"more than {before}", document)
            self._verify_keys(part, number)
            keys += part.keys
            postings += part.count
        self.section.place().equal("keys", self.tables.totals[0][0], keys)
        self.section.place().equal("postings", self.tables.totals[0][1], postings)
        self.section.place().equal("keys that are left out", self.left_out, left_out)

    def _verify_keys(self, part: Part, number: int) -> None:
        """Check that the keys rise, from the part's first one to below that of the next part."""
        firsts, place = self.section.firsts, part.place
        if part.quotient:
            part.quotient.verify(self._counted(firsts[number], number))
            ends = number + 1 == len(firsts)
            most = (256 * self.key_range if ends else firsts[number + 1]) - 1
            last = part.quotient.keys[-1] + firsts[number] - self._counted(firsts[number], number)
            place.require(last <= most, "last key", f"at most {most}", last)
