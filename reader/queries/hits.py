"""Hits of a query. What they show of their documents is read from the file when it is looked at."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeVar

from pocketindex.answers.results import Result, Results
from pocketindex.contents.documents import FIELDS, read_documents
from pocketindex.wording.shared import Shared

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    from pocketindex.index import Index

_AnyHit = TypeVar("_AnyHit", bound="Hit")
_CELLS = 63  # the table that what lies in near cells counts as found in (docs/format.md, section 8)
Evidence = Literal["sketch", "words", "text"]
_BY_WORDS, _BY_TEXT, _ENOUGH = 1, 2, 4  # as in pocket.h
_TOGETHER = (
    32  # hits whose documents are read at once: whoever looks at one mostly looks at its neighbours
)


class Effort(NamedTuple):
    """What a query did: fields that Hits describes."""

    terms: int = 0
    probes: int = 0
    parts: int = 0
    candidates: int = 0
    capped: bool = False
    short: bool = False
    too_short: bool = False


class Found:
    """What a query found, best first, for its hits to look at: numbers and similarities
    (ten-thousandths) of documents, the tables they were found in (bit t for table t), and where
    there are such, cosines and what is shared; effort: what the query did.
    """

    __slots__ = (
        "cosines",
        "effort",
        "evidence",
        "fields",
        "handle",
        "index",
        "numbers",
        "order",
        "own_labels",
        "shared",
        "similarities",
        "tables",
        "words",
    )

    def __init__(
        self,
        index: Index,
        effort: Effort,
        numbers: Sequence[int] = (),
        similarities: Sequence[int] = (),
        tables: Sequence[int] = (),
        evidence: Sequence[int] = (),
        words: Sequence[int] = (),
        order: Sequence[int] = (),
    ) -> None:
        self.index = index
        self.effort = effort
        self.numbers = numbers
        self.similarities = similarities
        self.tables = tables
        self.evidence = evidence
        self.words = words
        self.order = order
        # Of its own: hits can be looked at when the index is closed.
        self.handle, self.own_labels = index._core, index._labels
        self.cosines: Sequence[float] | None = None
        self.shared: Sequence[Shared | None] | None = None
        # Title, id and url of a hit, then of the next, by groups of hits that are read together.
        self.fields: dict[int, list[str]] = {}

    def fields_of(self, place: int) -> list[str]:
        """Return the title, id and url of a hit from the file. Those of its neighbours in the file
        are kept, too.
        """
        group = place // _TOGETHER
        fields = self.fields.get(group)
        if fields is None:
            first = group * _TOGETHER
            fields = self.fields[group] = read_documents(
                self.handle, self.index.path, self.numbers[first : first + _TOGETHER]
            )
        start = FIELDS * (place % _TOGETHER)
        return fields[start : start + FIELDS]

    def labels_of(self, place: int) -> tuple[str, ...]:
        return self.own_labels.of(self.numbers[place]) if self.own_labels else ()

    def similarity(self, place: int) -> float:
        return self.similarities[place] / 10000

    def similarity_error(self, place: int) -> float:
        if self.evidence_of(place) == "text":
            return 0.0
        return self.index.similarity_error(self.similarity(place))

    def keys(self, place: int) -> tuple[int, ...]:
        tables = self.tables[place]
        return tuple(t for t in range(_CELLS) if tables >> t & 1)

    def near_cell(self, place: int) -> bool:
        return bool(self.tables[place] >> _CELLS)

    def evidence_of(self, place: int) -> Evidence:
        seen = self.evidence[place]
        if seen & _BY_TEXT:
            return "text"
        return "words" if seen & _BY_WORDS and seen & _ENOUGH else "sketch"

    def words_of(self, place: int) -> float | None:
        return self.words[place] / 10000 if self.evidence[place] & _BY_WORDS else None

    def cosine(self, place: int) -> float | None:
        return self.cosines[place] if self.cosines else None

    def shared_of(self, place: int) -> Shared | None:
        return self.shared[place] if self.shared else None

    def hits(self) -> Hits:
        """Return all of them."""
        new, hits = object.__new__, []
        for place in range(len(self.numbers)):
            hit = new(Hit)
            own = hit.__dict__
            own["_found"], own["_place"] = self, place
            hits.append(hit)
        return Hits(tuple(hits), *self.effort)


_FIELDS = {"title", "id", "url"}
# How a hit looks at each of its other fields.
_LOOK: dict[str, Callable[[Found, int], Any]] = {
    "similarity": Found.similarity,
    "number": lambda found, place: found.numbers[place],
    "labels": Found.labels_of,
    "similarity_error": Found.similarity_error,
    "keys": Found.keys,
    "near_cell": Found.near_cell,
    "evidence": Found.evidence_of,
    "words": Found.words_of,
    "cosine": Found.cosine,
    "shared": Found.shared_of,
}


@dataclass(frozen=True, repr=False)
class Hit(Result):
    """A similar document.

    number: its number in the file, from 0. similarity: 0..1, and 1 for a byte-identical text;
    similarity_error: its standard deviation, which is .045 at .8 with 168 bits. keys: the numbers
    of the sub-keys by which it was found; near_cell: whether it is in one of the cells nearest to
    the text. id, title, url: "" if there is none. They are read from the file when they are first
    used, together with those of neighbouring hits, which can raise Damaged or FileChanged. Hits
    keep the file open, so this also works after the index is closed; values that were read or
    pickled before remain. cosine (0..1), shared: computed from the texts themselves, only by
    queries with exact (reader/queries/exact.py). labels: the labels of the document, which are read
    like its id; empty for a file that was built without --label. evidence: what shows that the
    document has much of the text: its "sketch"; its "words", if the similarity of the sketch alone
    could be chance; or its "text", in which case similarity is the cosine of both texts and has no
    error. words (0..1): the share of the rarest words of the text, weighted by idf, that the
    document has beyond chance; None if words were not searched for (docs/format.md 8.1).
    """

    # None has a default, which would be found before __getattr__ is asked.
    id: str
    title: str
    url: str
    similarity: float
    number: int
    labels: tuple[str, ...]
    similarity_error: float
    keys: tuple[int, ...]
    near_cell: bool
    evidence: Evidence
    words: float | None
    cosine: float | None
    shared: Shared | None

    @classmethod
    def _of(cls: type[_AnyHit], found: Found, place: int, **more: Any) -> _AnyHit:
        """Return the hit at a place of the answer; more: the fields that a subclass adds."""
        hit = object.__new__(cls)
        hit.__dict__.update(more, _found=found, _place=place)
        return hit

    def _in_file(self, kind: type[_AnyHit], **more: Any) -> _AnyHit:
        """Return this hit as one of a subclass, with the fields that it adds."""
        return kind._of(self.__dict__["_found"], self.__dict__["_place"], **more)

    @property
    def _order(self) -> float:
        """Return what the hits of a query are ordered by, the highest first."""
        found: Found = self.__dict__["_found"]
        return found.order[self.__dict__["_place"]] if self.cosine is None else self.cosine

    if not TYPE_CHECKING:  # for the types every field is there

        def __getattr__(self, name: str) -> Any:
            own = self.__dict__
            found = own.get("_found")
            if found is not None and name in _FIELDS:  # these are in one place, and cost the same
                own["title"], own["id"], own["url"] = found.fields_of(own["_place"])
                return own[name]
            if found is None or name not in _LOOK:
                raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
            value = own[name] = _LOOK[name](found, own["_place"])
            return value

    def as_dict(self) -> dict[str, Any]:
        """Return the hit for JSON, as `query --json` prints it, without empty fields."""
        out: dict[str, Any] = {
            "id": self.id,
            "title": self.title,
            "url": self.url,
            "similarity": self.similarity,
        }
        if self.labels:
            out["labels"] = list(self.labels)
        out["similarity_error"] = round(self.similarity_error, 4)
        if self.evidence != "sketch":
            out["evidence"] = self.evidence
        if self.words is not None:
            out["words"] = round(self.words, 4)
        out |= self._where()
        if self.cosine is not None:
            out["cosine"] = round(self.cosine, 4)
        if self.shared:
            out["shared"] = self.shared.as_dict()
        return out

    def _where(self) -> dict[str, Any]:
        """Return what a hit of a subclass says of its file, for JSON."""
        return {}

    def __hash__(self) -> int:
        return hash((self.number, self.similarity))

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the fields, without the file."""
        return type(self), tuple(getattr(self, name) for name in self.__dataclass_fields__)


@dataclass(frozen=True, repr=False)
class FileHit(Hit):
    """A hit that says its file: the path as it was given, and its place among the files, from 0."""

    file: str
    file_number: int

    __hash__ = Hit.__hash__

    def _where(self) -> dict[str, Any]:
        return {"file": self.file}


@dataclass(frozen=True, repr=False)
class Hits(Results[Hit]):
    """The hits of a query, best first, and what the query did.

    terms: terms of the text after stop words; probes: keys looked up; parts: parts of tables
    touched; candidates: distinct documents ranked; capped: the query stopped at 65,536 candidates,
    or 262,144 postlists; short: the text has too few terms for a sketch, and the file no words to
    ask for, so that its hits are only copies; too_short: it is short, and has no copy.
    """

    hits: tuple[Hit, ...] = ()
    terms: int = 0
    probes: int = 0
    parts: int = 0
    candidates: int = 0
    capped: bool = False
    short: bool = False
    too_short: bool = False


@dataclass(frozen=True, repr=False)
class FileHits(Results[FileHit]):
    """Hits of all files, best first.

    by_file: what the query did in each file; capped: whether it was capped in any file; short,
    too_short: whether the text is short in every file; notes: the files that were not searched, and
    why (JointIndex.notes).
    """

    hits: tuple[FileHit, ...] = ()
    by_file: tuple[Hits, ...] = ()
    notes: tuple[str, ...] = ()
    capped: bool = False
    short: bool = False
    too_short: bool = False


class Numbers(NamedTuple):
    """Hits as arrays, a row a text, best first, (texts, top): documents' numbers (int64) and
    similarities (0..1, float64).

    Where a text has fewer hits the numbers are -1 and the similarities 0.
    """

    numbers: npt.NDArray[np.int64]
    similarities: npt.NDArray[np.float64]
