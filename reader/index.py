"""An open pocket file: query it with whole documents."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from math import pi, sqrt
from typing import TYPE_CHECKING, Any, Literal, overload

from pocketindex.arguments import check_type, check_whole
from pocketindex.cbits import ffi, lib
from pocketindex.constants import DEFAULT_SOURCES
from pocketindex.contents.documents import Record, Records, read_records
from pocketindex.errors import NeedsTitles, TextTooShort
from pocketindex.ffi.status import check
from pocketindex.ffi.threads import in_threads
from pocketindex.opened import Opened
from pocketindex.opening.file import File
from pocketindex.queries.hits import Found, Hit, Hits, Numbers
from pocketindex.queries.options import DECIDING, LEAST_COSINE, Choices, QueryOptions

# What not every program asks for is imported by the method that does it: a program that opens a
# file waits for no more than that.
if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    from pocketindex.queries.classification import Classification, Way
    from pocketindex.queries.explain import Explanation
    from pocketindex.queries.sources import Sources
    from pocketindex.queries.spans import Span
    from pocketindex.queries.word_search import WordHits
    from typing_extensions import Unpack

MAX_TITLES = 10_000  # of an answer


class Index(Opened):
    """A read-only index, which many threads may use at the same time. It is pickled as its path,
    its address or its bytes; one that was opened from a file object cannot be pickled.
    """

    def query(
        self,
        text: str | bytes,
        options: QueryOptions | int | None = None,
        /,
        **choices: Unpack[Choices],
    ) -> Hits:
        """Return the documents that are most similar to text, best first.

        The keywords are the fields of QueryOptions: top, probes, min_similarity, exhaustive and
        exact. options: the same as an object, or a number for top. Ids, titles and urls are read
        when they are first used (see Hit). A text that has too few terms for a sketch finds only
        its copies and, in a file with words, what is similar by its words; in a file with neither
        words nor texts three terms are enough. Raises NeedsTexts,
        TextTooShort (such a text finds nothing), TextTooLong, ValueError (an option is out of
        range), Damaged, FileChanged.
        """
        hits = self._query(encode(text), QueryOptions.of(options, choices))
        if hits.too_short:
            raise TextTooShort(hits.terms, self._least_terms, self.has_words)
        return hits

    @overload
    def query_many(
        self,
        texts: Iterable[str | bytes],
        options: QueryOptions | int | None = ...,
        /,
        *,
        numbers: Literal[False] = ...,
        **choices: Unpack[Choices],
    ) -> Iterator[Hits]: ...

    @overload
    def query_many(
        self,
        texts: Iterable[str | bytes],
        options: QueryOptions | int | None = ...,
        /,
        *,
        numbers: Literal[True],
        **choices: Unpack[Choices],
    ) -> Numbers: ...

    def query_many(
        self,
        texts: Iterable[str | bytes],
        options: QueryOptions | int | None = None,
        /,
        *,
        numbers: bool = False,
        **choices: Unpack[Choices],
    ) -> Iterator[Hits] | Numbers:
        """Yield the hits of each text, in order. A text that is too short for a sketch gives its
        copies, and with too_short none.

        numbers: return all at once as arrays of documents' numbers and similarities, a row a text,
        without looking at any document (record(number) has what is to be shown); on all
        processors, at most four, where there are many texts.
        """
        asked = QueryOptions.of(options, choices)
        check_texts(texts)
        if numbers and asked.exact:
            raise ValueError("numbers and exact exclude each other: exact compares texts")
        return (
            Numbers(*self._numbers(texts, asked)[:2])
            if numbers
            else (self._query(encode(text), asked) for text in texts)
        )

    def like(
        self,
        document: int | str | Record | Hit,
        options: QueryOptions | int | None = None,
        /,
        **choices: Unpack[Choices],
    ) -> Hits:
        """Return the documents that are most similar to a document of the file, without this
        document itself. It is given by its id (a str), its number (an int), or a record or hit.

        The query is the stored sketch, not the text. A sketch has no margins, so similarities are
        less accurate than those of `query`, and more probes are needed to find as much. A document
        without a sketch finds its copies, if it has a text. Raises the errors of query, and
        IndexError for a number that no document has.
        """
        number = self._number_of(document)
        asked = QueryOptions.of(options, choices)
        if asked.exact:
            raise ValueError("exact compares texts, and a stored document asks without its own")
        found = self._query(number, replace(asked, top=asked.top + 1))
        others = [hit for hit in found if hit.number != number][: asked.top]
        return replace(found, hits=tuple(others))

    def _query(self, query: bytes | int, options: QueryOptions, documents: int = 0) -> Hits:
        """Ask with a text, or with the number of a document, which cannot be compared exactly.
        documents: of all files that are asked.
        """
        found = options.ask(self, query, documents)
        if isinstance(query, bytes) and options.exact:
            found = self._exact(query, found, options)
        return found.hits()

    def _numbers(
        self, texts: Iterable[str | bytes], options: QueryOptions, documents: int = 0
    ) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.float64], npt.NDArray[np.int64]]:
        """Return numbers and similarities, a row a text, and what the hits come by; -1 for none."""
        import numpy as np

        found = in_threads(lambda text: options.ask(self, encode(text), documents), list(texts))
        numbers = np.full((len(found), options.top), -1, np.int64)
        similarities, order = np.zeros((len(found), options.top)), numbers.copy()
        for row, own in enumerate(found):
            numbers[row, : len(own.numbers)] = own.numbers
            similarities[row, : len(own.numbers)] = own.similarities
            order[row, : len(own.numbers)] = own.order
        return numbers, similarities / 10000, order

    def _exact(self, text: bytes, found: Found, options: QueryOptions) -> Found:
        from pocketindex.queries.exact import (
            compare,  # numpy: only who asks for it waits for its import
        )

        compared = compare(self._core, self.path, text, found.numbers)
        least = LEAST_COSINE if options.min_similarity is None else options.min_similarity
        best = [one for one in compared if one.cosine >= least][: options.top]
        places = {number: place for place, number in enumerate(found.numbers)}
        chosen = [places[one.number] for one in best]
        compared_hits = Found(
            self,
            found.effort,
            *(
                [row[place] for place in chosen]
                for row in (
                    found.numbers,
                    found.similarities,
                    found.tables,
                    found.evidence,
                    found.words,
                    found.order,
                )
            ),
        )
        compared_hits.cosines = [one.cosine for one in best]
        compared_hits.shared = [one.shared for one in best]
        return compared_hits

    def min_similarity(self, stored: bool = False, documents: int = 0) -> float:
        """Return the similarity (0..1) below which a first hit may be due to chance: hardly any
        text that has nothing to do with the documents finds one at this similarity or above. It
        rises with the number of documents and falls with the number of bits of a sketch. By
        default, a query returns no hits if the first one is below, except for copies of its text;
        otherwise it returns all hits from seven eighths of it on (docs/format.md, section 8).
        stored: whether the query is a stored document, whose sketch is less accurate; documents:
        the number of documents of all files that are searched together, at least this one's.
        """
        return float(lib.pocket_min_similarity(self._core, documents, stored) / 10000)

    def similarity_error(self, similarity: float) -> float:
        """Return the standard deviation of an estimated similarity (both 0..1), which follows from
        the size of the sketches (docs/format.md, section 8).
        """
        if not self._is_cosine:
            return sqrt(similarity * (1 - similarity) / self._components)
        return sqrt(pi / (2 * self._components) * (1 - similarity**2) ** 1.5)

    def classify(
        self, text: str | bytes, top: int = DECIDING, *, by: Way | None = None
    ) -> Classification:
        """Return the labels of the documents most similar to text, each with its weight.

        top: documents that decide, those of them that have labels. by: what finds and weighs them:
        `words`, a search for the 64 heaviest words of text; `texts`, the exact cosine of those that
        the file keeps; `sketches`; None for the first of these that the file can. A text with
        nothing to go by has too little evidence. Raises NeedsLabels where the file was built
        without --label, NoWords, NeedsTexts, TextTooLong, ValueError, Damaged, FileChanged.
        """
        from pocketindex.queries.classification import (
            by_similarity,
            by_words,
            noise_floor,
            options_of,
            way_of,
        )
        from pocketindex.queries.heaviest_words import on_topic

        own, way = encode(text), way_of([self], by)
        options = options_of(top, way)
        if way == "words":
            return by_words(on_topic(self, own, options.top), top)
        return by_similarity(self._query(own, options), top, [noise_floor(self, len(self))])

    def titles(self, text: str, top: int = 10) -> Records:
        """Return at most top documents (1 .. 10,000): first those whose titles begin with text, in
        alphabetical order, then those whose titles have all of its words, best first; the last word
        may be the beginning of a longer one. Case, accents and punctuation do not matter. All
        titles begin with an empty text.

        The first part needs a file that was built with `--titles`, and the second one `--index
        documents,words`. Raises NeedsTitles if the file has neither, ValueError, Damaged.
        """
        check_whole("top", top, 1, MAX_TITLES)
        encoded = encode(text)
        numbers = self._titles_that_begin(encoded, top)
        if self._words_of_titles:
            from pocketindex.queries.word_search import MOST_HITS, titled

            more = titled(self, encoded, min(top, MOST_HITS))
            numbers = [*(numbers or []), *more]
        if numbers is None:
            raise NeedsTitles(self.path)
        first = list(dict.fromkeys(numbers))[:top]
        return Records(tuple(read_records(self._core, self.path, first)))

    def _titles_that_begin(self, encoded: bytes, top: int) -> list[int] | None:
        """Return the documents, None for a file without titles to look up."""
        found = ffi.new("pocket_title **")
        count = ffi.new("uint32_t *", top)
        error = ffi.new("pocket_error *")
        status = lib.pocket_titles_find(self._core, encoded, len(encoded), found, count, error)
        if status == lib.POCKET_NOT_FOUND:
            return None
        check(status, error, self.path)
        try:
            return [found[0][i].document for i in range(count[0])]
        finally:
            lib.pocket_titles_free(found[0])

    @property
    def _words_of_titles(self) -> bool:
        summary = ffi.new("pocket_summary *")
        lib.pocket_summarize(self._core, summary)
        return bool(summary.words_room and summary.word_title_weight)

    def sources(
        self, text: str | bytes, top: int = DEFAULT_SOURCES, *, leave_out: Iterable[Span] = ()
    ) -> Sources:
        """Return the documents that passages of a text come from (docs/format.md, section 9).

        The first source covers most of the text. Each of the next ones covers most of what the
        sources before it leave. top: the number of sources to return, 1 to 1,000. leave_out: parts
        of the text as (start, end) in code points, such as pocketindex.quotations returns. They are
        not looked for and do not count as text. The file must have been built with `--index
        documents,passages,words`, or with one of passages and words; `--keep text` makes the answer
        exact. Raises NoPassages, TextTooLong, ValueError, Damaged, FileChanged.
        """
        from pocketindex.queries.sources import sources_of, trace
        from pocketindex.queries.spans import left_out

        own = encode(left_out(encode(text).decode("utf-8", "replace"), leave_out))
        return sources_of(own, [trace(self, self.path, own, top)], top)

    def search(
        self,
        text: str | bytes,
        top: int = 10,
        *,
        prefix: bool = False,
        group: bool = False,
        replace: bool = True,
        label: str | Iterable[str] = (),
        lang: str | Iterable[str] = (),
    ) -> WordHits:
        """Return the documents that contain words of text, best first (docs/format.md, section 10).

        text: a few words. Words in "quotation marks" have to be next to each other, word -other
        excludes documents with the other word, and wor* matches all words that begin with wor. In a
        text of eight words or more, none of this has an effect. Documents are ranked as by BM25;
        those with all words rank higher, most of all if their titles have the words. prefix:
        whether the last word may be the beginning of a longer one; group: whether hits with similar
        sketches are grouped, so that top is the number of groups; replace: whether a word that no
        document has, outside of quotation marks, is tried as two words, joined with the next word,
        and in another spelling, and so is a word that few documents have if a thousand times more
        have the other and none has all words; the answer says so. label, lang: only documents with
        one of these labels and in one of these languages, as with `label:x lang:de` in text;
        -label:x excludes a label. A text that has only filters finds all documents that match them.
        The file must have been built with `--index documents,words`. Raises NoWords, TextTooLong,
        ValueError, Damaged, FileChanged.
        """
        from pocketindex.queries.filters import filters_text
        from pocketindex.queries.word_search import RARE, search

        own = encode(text).decode("utf-8", "replace")
        filters = filters_text(label, lang)
        return search(self, own, top, prefix, group, RARE if replace else 0, filters=filters)

    def explain(self, text: str | bytes, hit: int | str | Hit | Record) -> Explanation:
        """Return why a document is similar to text: the components that agree, the terms with the
        most weight, and, if the file keeps whole texts, the passages that both have. The document
        is given by its id (a str), its number (an int), or a record or hit.

        Raises HasNoSketch if the document is too short, and TextTooShort if the text is.
        """
        from pocketindex.queries.explain import explain
        from pocketindex.wording.passages import passages

        own, stored = encode(text), self.text(hit)
        common = None if stored is None else passages(own.decode("utf-8", "replace"), stored)
        return explain(self._core, self.path, own, self._number_of(hit), common)


def open(file: File, *more: Any, cold: bool | None = None) -> Index:
    """Open a pocket file: Index(file, cold=cold).

    file: a path, bytes, a binary file object with read and seek, or an address (https://, s3:// or
    any other that fsspec reads), from which only ranges are read. cold: whether the file is read
    from a slow disc or over a network. A query without options then reads only few blocks that are
    close together: the nearest cells, or fewer keys. With probes or exhaustive, it reads more. By
    default, cold is true for an address.
    """
    if more:
        raise TypeError(
            "open takes one file, and options by name; for several files use open_many([...])"
        )
    return Index(file, cold=cold)


def encode(text: str | bytes) -> bytes:
    """Return text in UTF-8; lone surrogates become U+FFFD."""
    if isinstance(text, bytes):
        return text
    if not isinstance(text, str):
        raise TypeError(f"expected a text, str or bytes, found one of type {type(text).__name__}")
    try:
        return text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace").encode()


def check_texts(texts: Iterable[str | bytes]) -> None:
    """Raise TypeError unless texts is an iterable of texts. A string would be one of characters."""
    if isinstance(texts, str | bytes):
        raise TypeError("expected texts, found a single one; give it in a list, or to query")
    check_type("texts", texts, Iterable, "an iterable of texts")
