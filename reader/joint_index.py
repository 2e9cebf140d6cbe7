"""Several open pocket files asked as one: similarity is calibrated in each, so their hits can be
merged.
"""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Iterable, Iterator, Sequence
from heapq import merge
from itertools import islice
from typing import TYPE_CHECKING, Literal, NamedTuple, overload

from pocketindex.arguments import as_text, check_type, check_whole
from pocketindex.constants import DEFAULT_SOURCES, MOST_SOURCES
from pocketindex.errors import MissingShard, NoPassages, TextTooShort
from pocketindex.ffi.threads import in_threads
from pocketindex.index import Index, check_texts, encode
from pocketindex.manifest import manifest_at, open_shards
from pocketindex.opening.closing import Closing
from pocketindex.opening.file import File, listed
from pocketindex.queries.filters import filters_text
from pocketindex.queries.hits import FileHit, FileHits, Hit
from pocketindex.queries.joint_words import search_all
from pocketindex.queries.options import DECIDING, Choices, QueryOptions
from pocketindex.queries.sources import Sources, Traced, sources_of, trace
from pocketindex.queries.spans import Span, left_out
from pocketindex.queries.word_search import MOST_HITS, WordHits

# Classifying is imported by the method that does it, as in index.py.
if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    from pocketindex.queries.classification import Classification, Way
    from pocketindex.queries.explain import Explanation
    from typing_extensions import Unpack


class FileNumbers(NamedTuple):
    """Hits of several files as arrays: as Numbers, and files: the place of each hit's file among
    the files, -1 where there is no hit.
    """

    files: npt.NDArray[np.int64]
    numbers: npt.NDArray[np.int64]
    similarities: npt.NDArray[np.float64]


class JointIndex(Closing):
    """Pocket files that are searched together, in the order in which they were given. `with` or
    close() closes them.

    paths, indexes: the path and the Index of each file; missing: the shards that are not there,
    with allow_missing; notes: a sentence for each manifest that lacks shards.
    """

    def __init__(
        self,
        files: File | Iterable[File],
        *,
        allow_missing: bool = False,
        sha256: bool = False,
    ) -> None:
        """Open every file.

        files: pocket files, each in a form that Index accepts. A manifest of shards, or the folder
        with it, stands for all of its shards (docs/format.md, section 12). allow_missing: continue
        without shards that are not there. sha256: read the shards completely and compare their
        SHA-256; by default, their sizes, headers, profiles and documents are compared, and the
        blocks that a query reads.

        Raises the errors of Index, NotAManifest, MissingShard (also if none of the shards is
        there), ForeignShard, and ValueError if there is no file. After an error, no file stays
        open.
        """
        self.paths, self.indexes = list[str](), list[Index]()
        self.missing, self.notes = list[MissingShard](), list[str]()
        for file in listed(files):
            manifest = None
            if isinstance(file, str | os.PathLike):
                manifest = manifest_at(as_text(file))
            if manifest is None:
                self.indexes.append(Index(file))
                self.paths.append(self.indexes[-1].path)
                continue
            shards = open_shards(manifest, allow_missing, sha256)
            self.paths += shards.paths
            self.indexes += shards.indexes
            self.missing += shards.missing
            self.notes += [shards.note] if shards.note else []
        if not self.paths:
            raise ValueError("no pocket file is given")

    @classmethod
    def of(cls, indexes: Sequence[Index]) -> JointIndex:
        """Open files as one; close() closes them. Raises ValueError when there is none."""
        check_type("indexes", indexes, Iterable, "a list of open files; open_many takes paths")
        joint = cls.__new__(cls)
        joint.indexes = list(indexes)
        for index in joint.indexes:
            check_type("one of indexes", index, Index, "an open file; open_many takes paths")
        if not joint.indexes:
            raise ValueError("no open file is given")
        joint.paths = [index.path for index in indexes]
        joint.missing, joint.notes = [], []
        return joint

    def close(self) -> None:
        for index in self.indexes:
            index.close()

    @property
    def several(self) -> bool:
        """Whether there are several files, of which some may be missing: then hits say theirs."""
        return len(self.paths) + len(self.missing) > 1

    def __len__(self) -> int:
        """Return how many documents all files have; one that is in two counts twice."""
        return sum(map(len, self.indexes))

    def query(
        self,
        text: str | bytes,
        options: QueryOptions | int | None = None,
        /,
        **choices: Unpack[Choices],
    ) -> FileHits:
        """Return the documents of all files that are most similar to text. Ties are ordered by
        file, then by number.

        Every file is queried as by Index.query, with its own number of probes unless one is given.
        A file whose profile needs more terms than the text has finds only copies and, by words,
        what is similar; if that is so for all files, and there is neither, TextTooShort is raised.
        With exact, hits are ordered by the cosine, which each file computes with the weights of its
        own profile. Raises the errors of Index.query.
        """
        hits = self._query(text, QueryOptions.of(options, choices))
        if hits.too_short:
            least = min(index.least_terms for index in self.indexes)
            words = any(index.has_words for index in self.indexes)
            raise TextTooShort(max(own.terms for own in hits.by_file), least, words)
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
    ) -> Iterator[FileHits]: ...

    @overload
    def query_many(
        self,
        texts: Iterable[str | bytes],
        options: QueryOptions | int | None = ...,
        /,
        *,
        numbers: Literal[True],
        **choices: Unpack[Choices],
    ) -> FileNumbers: ...

    def query_many(
        self,
        texts: Iterable[str | bytes],
        options: QueryOptions | int | None = None,
        /,
        *,
        numbers: bool = False,
        **choices: Unpack[Choices],
    ) -> Iterator[FileHits] | FileNumbers:
        """Yield the hits of each text, in order, as Index.query_many does.

        numbers: return all at once as arrays.
        """
        asked = QueryOptions.of(options, choices)
        check_texts(texts)
        if numbers and asked.exact:
            raise ValueError("numbers and exact exclude each other: exact compares texts")
        return (
            self._numbers(list(texts), asked)
            if numbers
            else (self._query(text, asked) for text in texts)
        )

    def _query(self, text: str | bytes, options: QueryOptions) -> FileHits:
        data, documents = encode(text), len(self)
        by_file = in_threads(
            lambda index: index._query(data, options, documents), self.indexes, together=1
        )
        named = [[self._named(hit, file) for hit in hits] for file, hits in enumerate(by_file)]
        best = merge(
            *named,
            key=lambda hit: (-hit._order, hit.file_number, hit.number),
        )
        return FileHits(
            tuple(islice(best, options.top)),
            tuple(by_file),
            tuple(self.notes),
            any(hits.capped for hits in by_file),
            all(hits.short for hits in by_file),
            all(hits.too_short for hits in by_file),
        )

    def sources(
        self, text: str | bytes, top: int = DEFAULT_SOURCES, *, leave_out: Iterable[Span] = ()
    ) -> Sources:
        """Return the documents of all files that passages of a text come from, as Index.sources
        does for one file.

        Files with neither passages nor words are skipped, and without_words of the answer names
        them. Raises NoPassages if no file has passages or words, and the errors of Index.sources.
        """
        own = encode(left_out(encode(text).decode("utf-8", "replace"), leave_out))
        most = top if len(self.indexes) == 1 else MOST_SOURCES
        check_whole("top", top, 1, MOST_SOURCES)
        traced, missing = list[Traced](), list[NoPassages]()
        for path, index in zip(self.paths, self.indexes, strict=True):
            try:
                traced.append(trace(index, path, own, most))
            except NoPassages as error:
                missing.append(error)
        if not traced:
            raise missing[0]
        passed_over = [error.path for error in missing]
        return sources_of(own, traced, top, passed_over=passed_over)

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
        """Return the documents of all files that contain words of text, best first.

        Files without words are skipped. The weight of a word follows from its number of documents
        in all files together. A word is replaced if no file has it: by another form of it if one of
        the files has one, or else by what the first file that finds anything suggests. label, lang:
        as for Index.search. Raises NoWords if no file has words, and the errors of Index.search.
        """
        check_whole("top", top, 1, MOST_HITS)
        own, filters = encode(text).decode("utf-8", "replace"), filters_text(label, lang)
        return search_all(self.paths, self.indexes, own, top, prefix, group, replace, filters)

    def classify(
        self, text: str | bytes, top: int = DECIDING, *, by: Way | None = None
    ) -> Classification:
        """Return the labels of the documents of all files that are most similar to text, as
        Index.classify does for one file.

        by: None for the first way that all files support. Raises NeedsLabels if a file was built
        without --label, and the errors of Index.classify.
        """
        from pocketindex.queries.classification import (
            by_similarity,
            by_words,
            noise_floor,
            options_of,
            way_of,
        )
        from pocketindex.queries.heaviest_words import on_topic

        way = way_of(self.indexes, by)
        options = options_of(top, way)
        if way == "words":
            found = [
                (dataclasses.replace(hit, file=path), least)
                for path, index in zip(self.paths, self.indexes, strict=True)
                for hit, least in on_topic(index, encode(text), options.top)
            ]
            return by_words(found, top)
        least = [noise_floor(index, len(self)) for index in self.indexes]
        return by_similarity(self._query(text, options), top, least)

    def explain(self, text: str | bytes, hit: FileHit) -> Explanation:
        """Return why hit is similar to text: Index.explain of its file."""
        check_type("hit", hit, FileHit, "a hit of these files")
        return self.indexes[hit.file_number].explain(text, hit)

    def _named(self, hit: Hit, file: int) -> FileHit:
        return hit._in_file(FileHit, file=self.paths[file], file_number=file)

    def _numbers(self, texts: list[str | bytes], options: QueryOptions) -> FileNumbers:
        import numpy as np

        asked = [index._numbers(texts, options, len(self)) for index in self.indexes]
        numbers, similarities, order = (
            np.concatenate(rows, axis=1) for rows in zip(*asked, strict=True)
        )
        files = np.where(numbers < 0, -1, np.repeat(np.arange(len(asked)), options.top))
        # Ties: in the order of the files, and as each has them. Where there is no hit comes last.
        best = np.argsort(-order, axis=1, kind="stable")[:, : options.top]
        return FileNumbers(
            *(np.take_along_axis(rows, best, axis=1) for rows in (files, numbers, similarities))
        )


def open_many(
    files: File | Iterable[File],
    *,
    allow_missing: bool = False,
    sha256: bool = False,
) -> JointIndex:
    """Open several pocket files, or the shards of a manifest, to ask them as one: JointIndex(files,
    allow_missing=allow_missing, sha256=sha256).
    """
    return JointIndex(files, allow_missing=allow_missing, sha256=sha256)
