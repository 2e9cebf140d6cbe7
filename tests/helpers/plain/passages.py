"""docs/format.md, section 6.3."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from plain.conventions import murmur, u32
from plain.layout import Section
from plain.tables import Part, Tables

SHINGLE_TERMS, WINDOW, SHINGLE_DOCUMENTS = 16, 256, 1_000  # at most
MORE = 16  # bytes of parameters behind those of the tables
ALL, FREQUENT = range(2)  # tables
EXAMPLES = 3


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


class Frequent(NamedTuple):
    """What the table of all shingles has of a frequent one."""

    documents: int
    examples: list[int]


class Passages:
    """The section of passages: a table of all shingles, and one of the frequent ones."""

    def __init__(self, section: Section, documents: int) -> None:
        place, data = section.place(), section.parameters
        self.section, self.documents = section, documents
        self.tables = Tables(section, documents, 2, MORE)
        place.equal("minimal perfect hash", 5, self.tables.mph)
        place.equal("default probes", 1, self.tables.default_probes)
        self.run_terms, self.window, self.run_documents, self.key_range = (
            u32(data, len(data) - MORE + 4 * i) for i in range(4)
        )
        place.within("terms of a shingle", 1, SHINGLE_TERMS, self.run_terms)
        place.within("window", 1, WINDOW, self.window)
        place.within("documents of a shingle", 1, SHINGLE_DOCUMENTS, self.run_documents)
        place.require(self.key_range >= 1, "key range", "at least 1", self.key_range)

    def key(self, hash: int) -> int:
        """Return the key of a shingle."""
        return hash * 256 * self.key_range >> 64

    def postlist(self, hash: int) -> list[int]:
        """Return the documents that have a shingle of this hash, none where no such shingle is and
        where it is frequent.
        """
        found = self.shingle(hash)
        return [] if isinstance(found, Frequent) else found

    def shingle(self, hash: int) -> list[int] | Frequent:
        """Return what the section has of a shingle of this hash."""
        key = self.key(hash)
        block = self.tables.part_of(ALL, key)
        if block is None:
            return []
        part = self.tables.part(block)
        slot = part.quotient.slot(self._counted(key, block)) if part.quotient else None
        if slot is None:
            return []
        postlist = [part.posting(posting) for posting in part.postlist(slot)]
        found = self._read(part, postlist)
        for document in found.examples if isinstance(found, Frequent) else found:
            part.place.require(
                document < self.documents, "posting", f"less than {self.documents}", document
            )
        return found

    def _read(self, part: Part, postlist: list[int]) -> list[int] | Frequent:
        """Return what a postlist of the table of all shingles says."""
        what, most = "documents of a shingle", self.run_documents
        if len(postlist) < 2 or postlist[-2] != self.documents:
            part.place.require(len(postlist) <= most, what, f"at most {most}", len(postlist))
            return postlist
        *examples, _, count = postlist
        part.place.require(count > most, what, f"at least {most + 1}", count)
        part.place.require(count <= self.documents, what, f"at most {self.documents}", count)
        part.place.equal("examples of a shingle", min(EXAMPLES, count), len(examples))
        return Frequent(count, examples)

    def _counted(self, key: int, block: int) -> int:
        """Return a key, counted from the least one with the quotient of the part's first key."""
        rest = self.tables.checksum_bits
        return key - (self.section.firsts[block] >> rest << rest)

    def verify(self) -> None:
        """Check that every postlist rises and is as long as it may be, that they are as many as is
        said, and that the second table has the shingles that are frequent in the first one.
        """
        frequent = list[int]()
        totals = [self._verify_table(table, frequent) for table in (ALL, FREQUENT)]
        for (expected, listed), (keys, postings) in zip(self.tables.totals, totals, strict=True):
            self.section.place().equal("keys", expected, keys)
            self.section.place().equal("postings", listed, postings)

    def _verify_table(self, table: int, frequent: list[int]) -> tuple[int, int]:
        """Check a table, and return its keys and postings. frequent: how many documents those keys
        have that are frequent in the first table, which adds them.
        """
        keys = postings = 0
        for number in self.tables.ranges[table]:
            part = self.tables.part(number)
            for postlist in part.postlists():
                documents = postlist
                if table == ALL:
                    found = self._read(part, postlist)
                    if isinstance(found, Frequent):
                        frequent.append(found.documents)
                        documents = found.examples
                else:
                    part.place.require(
                        len(postlist) > self.run_documents,
                        "documents of a shingle",
                        f"more than {self.run_documents}",
                        len(postlist),
                    )
                self._verify_documents(part, documents)
            self._verify_keys(part, table, number)
            keys += part.keys
            postings += part.count
        if table == FREQUENT:
            self.section.place().equal("frequent keys", len(frequent), keys)
            self.section.place().equal("postings of frequent keys", sum(frequent), postings)
        return keys, postings

    def _verify_documents(self, part: Part, documents: Sequence[int]) -> None:
        for before, document in pairwise([-1, *documents]):
            part.place.require(
                document < self.documents, "posting", f"less than {self.documents}", document
            )
            part.place.require(document > before, "posting", f"more than {before}", document)

    def _verify_keys(self, part: Part, table: int, number: int) -> None:
        """Check that the keys rise, from the part's first one to below that of the next part."""
        firsts, place = self.section.firsts, part.place
        if part.quotient:
            part.quotient.verify(self._counted(firsts[number], number))
            ends = number + 1 not in self.tables.ranges[table]
            most = (256 * self.key_range if ends else firsts[number + 1]) - 1
            last = part.quotient.keys[-1] + firsts[number] - self._counted(firsts[number], number)
            place.require(last <= most, "last key", f"at most {most}", last)
