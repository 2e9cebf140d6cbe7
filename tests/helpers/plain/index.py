"""docs/format.md, section 8: the queries of an index."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from functools import partial

from pocketindex.errors import TEXT_BYTES, Damaged, TextTooLong, TextTooShort

from plain.aligned import Text
from plain.conventions import Bytes, murmur
from plain.copies import copy_key
from plain.doubt import distinct, judged
from plain.judged import File
from plain.opened import Opened, as_bytes
from plain.probes import PROBES, probes
from plain.search import PlainFound, Search
from plain.sketch import Digits, Quantised
from plain.sketches import COARSE
from plain.sources import PlainSources, find_sources
from plain.weighed import FOUND, LEAST_WORDS, Kept, Weighed, is_sure, more_than_chance, weigh

CANDIDATES = 65_536  # a query takes no more of them
LOOKED_AT = 262_144  # postlists of which it looks at the first document's sketch, at most
PASSED = 2**32  # postings that it passes over to find postlists, at most
# of all sketches: up to so many a file is scanned by default
SCANNED_BITS, SCANNED_BITS_WITH_CELLS = 1 << 27, 1 << 25
SCANNED_BITS_FIRST = 1 << 24  # for a first answer, without cells
# documents that a scan looks at closely, and for each hit asked for
FEW_ASKED = 3  # terms of a text that is compared with sketches, at least
SCAN_LEAST, SCAN_TIMES = 512, 4
CELLS = 63  # the table that what lies in near cells counts as found in
FIRST_PROBES = 64  # of a first answer, at most


@dataclass(frozen=True)
class PlainHit:
    """A hit.

    similarity: in ten-thousandths; tables: bit t is set where table t has it, bit 63 where a near
    cell has; weighed: what words and texts say of it.
    """

    document: int
    id: str
    title: str
    url: str
    similarity: int
    tables: int
    weighed: Weighed

    @property
    def evidence(self) -> int:
        """As the core numbers it."""
        own = self.weighed
        verdict = {None: 0, True: 4, False: 8}[own.verdict]
        return (own.words is not None) | 2 * own.is_read | verdict


@dataclass
class PlainReport:
    """What a query did.

    terms: of the text, without stop words; probes: keys looked up; parts: those in whose range the
    keys are, each once; candidates: different documents; capped: whether candidates were left out;
    words: that were asked for; texts: that were read.
    """

    terms: int = 0
    probes: int = 0
    parts: int = 0
    candidates: int = 0
    capped: bool = False
    words: int = 0
    texts: int = 0


class PlainIndex(Opened):
    """An open pocket file, and what it answers.

    report is that of the last query.
    """

    def __init__(self, path: str, data: Bytes) -> None:
        super().__init__(path, data)
        self.report = PlainReport()

    def sketch(self, text: bytes | str) -> tuple[list[int], list[int], list[int]]:
        """Return digits and weights, one a component, and sub-keys, one a table.

        Raises TextTooShort, TextTooLong.
        """
        quantised = self.profile.quantise(as_bytes(text), self.least_terms)
        return (
            quantised.digits,
            quantised.weights,
            [table.key(table.digits(quantised.digits)) for table in self.profile.tables],
        )

    def candidates(self, quantised: Quantised, wanted: int) -> dict[int, int]:
        """Return the tables, as bits, in which each candidate was found."""
        found = dict[int, int]()
        total = 0
        looked_at = 0
        passed = 0
        for number, table in enumerate(self.profile.tables):
            keys = probes(table, quantised, wanted)
            blocks = [self.tables.part_of(number, key) for key in keys]
            self.report.probes += len(keys)
            self.report.parts += len(set(blocks) - {None})
            key_of = partial(self.sub_key, number)
            for key, block in zip(keys, blocks, strict=True):
                if block is None:
                    continue
                part = self.tables.part(block)
                slot = self.tables.slot(part, key, key_of)
                if slot is None:
                    continue
                postlist = part.postlist(slot)
                passed += part.passed(slot, postlist)
                part.place.within("postings passed over", 0, PASSED, passed)
                if looked_at == LOOKED_AT:
                    self.report.capped = True
                    return found
                looked_at += 1
                if key_of(self.tables.document(part, postlist[0])) != key:
                    continue
                for posting in postlist:
                    if total == CANDIDATES:
                        self.report.capped = True
                        return found
                    document = self.tables.document(part, posting)
                    found[document] = found.get(document, 0) | 1 << number
                    total += 1
        return found

    def similarity(
        self, quantised: Quantised, digits: Digits, same_identity: bool, is_text: bool = True
    ) -> int:
        """Return the similarity of a query to stored digits, in ten-thousandths."""
        weights = quantised.weights if any(quantised.weights) else [1] * len(digits)
        equal = sum(
            weight
            for weight, asked, stored in zip(weights, quantised.digits, digits, strict=True)
            if asked == stored
        )
        if tuple(quantised.digits) == tuple(digits) and same_identity:
            return 10_000
        return self.profile.similarity(65_536 * equal // sum(weights), is_text)

    @property
    def least_terms(self) -> int:
        """The number of terms that a text must have to be compared with sketches."""
        least = self.profile.least_terms
        asks_others = self.words or self._keeps_whole_texts or not self.profile.is_cosine
        return least if asks_others else min(least, FEW_ASKED)

    @property
    def scans(self) -> bool:
        """Whether a query that does not say how compares with every sketch."""
        if not self.profile.tables and not self.cells:
            return True
        return self._is_small(SCANNED_BITS_WITH_CELLS if self.cells else SCANNED_BITS)

    def _is_small(self, bits: int) -> bool:
        small = self.sketched * min(len(self.profile.components), 8 * COARSE) <= bits
        return self.profile.is_cosine and self.profile.is_binary and small

    def nearest(self, quantised: Quantised, top: int, documents: Iterable[int]) -> list[int]:
        """Return, of digits that are bits, the documents whose coarse codes are at the least
        Hamming distance, of others all.
        """
        if not self.profile.is_binary:
            return list(documents)
        distances = [
            (
                sum(
                    asked != stored
                    for asked, stored in zip(
                        quantised.digits[: 8 * COARSE],
                        self.sketches.record(document)[0][: 8 * COARSE],
                        strict=True,
                    )
                ),
                document,
            )
            for document in documents
        ]
        whole_codes = max(1, len(self.profile.components) // (8 * COARSE))
        depth = whole_codes * max(SCAN_LEAST, SCAN_TIMES * min(top, self.sketched))
        return [document for _, document in sorted(distances)[:depth]]

    def query(
        self,
        text: bytes | str,
        top: int = 10,
        probes: int = 0,
        exhaustive: bool = False,
        first: bool = False,
        sketches_alone: bool = False,
    ) -> list[PlainHit]:
        """Return the documents most similar to a text, best first, at most top.

        probes 0 is the file's default way; exhaustive: the text is compared with every sketch;
        first: only a first answer is wanted; sketches_alone: words and texts are not asked.

        Raises ValueError for probes above 65,536 and for any where there are no tables,
        TextTooShort, TextTooLong, Damaged.
        """
        data = as_bytes(text)
        self.report = PlainReport()
        self._check_probes(probes, exhaustive)
        try:
            quantised = self.profile.quantise(
                data, self.profile.least_terms if sketches_alone else self.least_terms
            )
        except TextTooShort as error:
            self.report.terms = error.terms
            return self._short(data, top, error, sketches_alone, first)
        self.report.terms = quantised.terms
        if quantised.terms < self.profile.least_terms:
            key = copy_key(data)
            copies = self._found_copies(key, top) if key is not None else []
            if copies:
                return [self._hit(Weighed(*own)) for own in copies[:top]]
        return self._ask(
            quantised,
            murmur(data) % (1 << self.sketches.identity_bits),
            top,
            probes,
            exhaustive,
            data,
            first,
            sketches_alone,
        )

    def query_document(
        self, number: int, top: int = 10, probes: int = 0, exhaustive: bool = False
    ) -> list[PlainHit]:
        """Return the documents most similar to a stored one, itself among them.

        Raises as query and record do.
        """
        if not 0 <= number < self.count:
            raise IndexError(f"document: expected 0 .. {self.count - 1}, found {number}")
        self.report = PlainReport()
        self._check_probes(probes, exhaustive)
        if number >= self.sketched:
            assert self.copies
            none = TextTooShort(0, self.profile.least_terms)
            key = self.copies.key(number)
            copies = self._found_copies(key, top) if key is not None else []
            if not copies:
                raise none
            return [self._hit(Weighed(*own)) for own in copies[:top]]
        digits, identity = self.sketches.record(number)
        return self._ask(self.profile.stored(digits), identity, top, probes, exhaustive, None)

    def _check_probes(self, probes: int, exhaustive: bool) -> None:
        if not 0 <= probes <= PROBES:
            raise ValueError(f"probes: expected 0 .. {PROBES}, found {probes}")
        if probes and not exhaustive and not self.profile.tables and not self.cells:
            raise ValueError("probes: the file has no tables")

    def _short(
        self, data: bytes, top: int, none: TextTooShort, sketches_alone: bool, first: bool
    ) -> list[PlainHit]:
        """Return the copies of a text without a sketch, and the documents that have its words.
        Raises none where there are none.
        """
        key = copy_key(data)
        found = self._found_copies(key, top) if key is not None else []
        copies = {document for document, _ in found}
        hits = self._weighed(data, found, copies, None, sketches_alone, first)
        if not hits and self.report.words < LEAST_WORDS:
            raise none
        return [self._hit(own) for own in hits[:top]]

    def _found_copies(self, key: int, top: int) -> list[tuple[int, int]]:
        """Return the documents without a sketch that have a copy key, with their similarities."""
        if self.copies is None:
            return []
        same, alike = self.copies.find(key)
        self.report.candidates = len(same) + len(alike)
        found = [*((own, 10_000) for own in same), *((own, 9_999) for own in alike)]
        return found[: max(top, FOUND)]

    def _hit(self, own: Weighed, tables: int = 0) -> PlainHit:
        record = self.documents.record(own.document)
        where = own.document, record.id, record.title, record.url
        return PlainHit(*where, own.similarity, tables, own)

    @property
    def kept(self) -> Kept:
        def text_of(number: int) -> bytes | None:
            try:
                return self._whole_text(number).text
            except Damaged:
                return None

        has_all = self.words is not None and not self.words.heaviest
        return Kept(
            self.count,
            self.profile,
            self.words,
            has_all,
            text_of if self._keeps_whole_texts else None,
        )

    def _weighed(
        self,
        data: bytes,
        found: list[tuple[int, int]],
        candidates: Collection[int],
        quantised: Quantised | None,
        sketches_alone: bool,
        first: bool,
    ) -> list[Weighed]:
        """Return what was found, weighed where it is not sure. candidates: what it was found of."""

        def sketched(document: int) -> int | None:
            if quantised is None or document >= self.sketched:
                return None
            own = self.similarity(quantised, self.sketches.record(document)[0], False)
            return self.profile.without_luck(own, self.count)

        kept, least = self.kept, self.profile.min_similarity(self.count)
        sure = is_sure([similarity for _, similarity in found], self.count, least, first)
        hits = [Weighed(*own) for own in found]
        if not (sketches_alone or sure) and (kept.words or kept.text_of):
            terms, is_ranked = self.report.terms, quantised is not None
            hits, words, texts = weigh(kept, data, terms, found, sketched, least, is_ranked)
            self.report.words, self.report.texts = words, texts
            self.report.candidates += sum(hit.document not in candidates for hit in hits)
        if sketches_alone or quantised is None or not self.profile.is_cosine:
            return hits
        quantised = distinct(self.profile, data)
        by_bits = least > self.profile.min_related(self.count)
        doubt = least if by_bits else least - least // 4
        return list(judged(self.profile, data, hits, least, doubt, sketched))

    def shown(self, hits: list[PlainHit], documents: int = 0) -> list[PlainHit]:
        """Return the hits that are shown, unless somebody says otherwise."""
        least = self.profile.min_similarity(max(documents, self.count))
        shown = {own.document for own in more_than_chance([hit.weighed for hit in hits], least)}
        return [hit for hit in hits if hit.document in shown]

    def _ask(
        self,
        quantised: Quantised,
        identity: int,
        top: int,
        probes: int,
        exhaustive: bool,
        data: bytes | None,
        first: bool = False,
        sketches_alone: bool = False,
    ) -> list[PlainHit]:
        """Return the best hits. data: the text, where one asks."""
        by_tables, by_cells = self.ways(probes, first)
        if exhaustive or not by_tables + by_cells:
            found = dict.fromkeys(self.nearest(quantised, max(top, FOUND), range(self.sketched)), 0)
        else:
            found = self.candidates(quantised, by_tables) if by_tables else {}
            for document in (
                self.near_cells(quantised, max(top, FOUND), by_cells, first) if by_cells else ()
            ):
                found[document] = found.get(document, 0) | 1 << CELLS
        self.report.candidates = len(found)
        ranked = []
        for document in found:
            digits, stored = self.sketches.record(document)
            ranked.append(
                (
                    -self.similarity(quantised, digits, identity == stored, data is not None),
                    document,
                )
            )
        best = [
            (document, self.profile.without_luck(-negative, self.count))
            for negative, document in sorted(ranked)[: max(top, FOUND)]
        ]
        hits = [Weighed(*own) for own in best]
        if data is not None:
            hits = self._weighed(data, best, found, quantised, sketches_alone, first)
        return [self._hit(own, found.get(own.document, 0)) for own in hits[:top]]

    def ways(self, probes: int, first: bool) -> tuple[int, int]:
        """Return the probes of each table, and the cells; neither for a scan."""
        given, cells = self.tables.default_probes, self.cells
        if first and cells:
            return 0, cells.first_asked
        if first:
            scans = not self.profile.tables or self._is_small(SCANNED_BITS_FIRST)
            return 0 if scans else min(FIRST_PROBES, given), 0
        if not probes:
            probes = 0 if self.scans else given
        return probes if self.profile.tables else 0, min(
            -(-probes * cells.asked // given), cells.count
        ) if cells else 0

    def near_cells(self, quantised: Quantised, top: int, count: int, first: bool) -> list[int]:
        """Return the nearest documents of so many cells; for a first answer, of those within
        the pruning threshold.
        """
        assert self.cells
        pruning = self.cells.first_pruning if first else 0
        members = self.cells.members_of(self.cells.nearest(quantised, count, pruning))
        return self.nearest(quantised, top, members)

    def titled(self, text: bytes | str) -> list[tuple[int, str]] | None:
        """Number and title (its first 255 bytes) of the documents whose titles begin with a text;
        None where the file has none for that.
        """
        return (
            [(entry.document, entry.title) for entry in self.titles.look_up(as_bytes(text))]
            if self.titles
            else None
        )

    def sources(self, text: bytes | str, top: int = 10, cold: bool = False) -> PlainSources | None:
        """Return the documents that parts of a text come from, at most top of them; None where the
        file has neither passages nor words.

        cold: fewer shingles are looked up. Raises TextTooLong, Damaged.
        """
        data = as_bytes(text)
        if len(data) > TEXT_BYTES:
            raise TextTooLong(len(data))
        if self.passages is None and self.words is None:
            return None
        file = File(
            self.count,
            self.profile,
            self.passages,
            self.words,
            self._whole_text if self._keeps_whole_texts else None,
        )
        return find_sources(file, data, top, cold)

    @property
    def _keeps_whole_texts(self) -> bool:
        return self.texts is not None and not self.texts.characters

    def _whole_text(self, number: int) -> Text:
        assert self.texts
        return Text(self.texts.text(number).encode(), self.profile.marks)

    def search(
        self,
        text: bytes | str,
        top: int = 10,
        prefix: bool = False,
        cold: bool = False,
        titles: bool = False,
        replace: int = 0,
        exact: bool = False,
        *,
        filters: bytes = b"",
    ) -> PlainFound | None:
        """Return the documents that have words of a text, at most top of them; None where the file
        has no words.

        cold: a first answer; titles: of hits with all words in their titles; replace: other words
        may be asked instead of those that no document has; exact: without other forms; filters:
        given beside the text. Raises TextTooLong, Damaged.
        """
        data = as_bytes(text)
        if len(data) > TEXT_BYTES:
            raise TextTooLong(len(data))
        if self.words is None:
            return None
        said = self._said if self._keeps_whole_texts else None
        title_of = self._title if titles else None
        search = Search(self.words, said, title_of, cold, exact)
        search.labels, search.given = self.labelled, filters
        search.marks = self.profile.marks
        if replace:
            own = said or (lambda i: [self._title(i)])
            return search.replaced(data, top, prefix, own, replace > 1)
        return search.run(data, top, prefix)

    def _title(self, number: int) -> bytes:
        return self.record(number).title.encode()

    def _said(self, number: int) -> list[bytes]:
        """Return what a document's quotes may stand in: its title and its text."""
        assert self.texts
        return [self._title(number), self.texts.text(number).encode()]
