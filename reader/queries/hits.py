"""Hits of a query. What they show of their documents is read from the file when it is looked at."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from pocketindex.contents.documents import FIELDS, read_documents
from pocketindex.wording.shared import Shared

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    from pocketindex.index import Index

_CELLS = 63  # the table that what lies in near cells counts as found in (docs/format.md, section 8)
Evidence = Literal["sketch", "words", "text"]
_BY_WORDS, _BY_TEXT, _ENOUGH = 1, 2, 4  # as in pocket.h
_TOGETHER = (
    32  # hits whose documents are read at once: whoever looks at one mostly looks at its neighbours
)


class Found:
    """What a query found, best first, for its hits to look at: numbers and similarities
    (ten-thousandths) of documents, the tables they were found in (bit t for table t), and where
    there are such, cosines and what is shared.
    """

    __slots__ = (
        "cosines",
        "errors",
        "evidence",
        "fields",
        "handle",
        "index",
        "labels",
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
        index: Index | None,
        numbers: Sequence[int] = (),
        similarities: Sequence[int] = (),
        tables: Sequence[int] = (),
        evidence: Sequence[int] = (),
        words: Sequence[int] = (),
        order: Sequence[int] = (),
    ) -> None:
        self.index = index
        self.numbers = numbers
        self.similarities = similarities
        self.tables = tables
        self.evidence = evidence
        self.words = words
        self.order = order
        self.handle = (
            index._core if index else None
        )  # of its own: hits can be looked at when the index is closed
        self.errors: Sequence[float] | None = None
        self.cosines: Sequence[float | None] | None = None
        self.shared: Sequence[Shared | None] | None = None
        # Those of the file, and what was looked at of them.
        self.own_labels = index._labels if index else None
        self.labels: list[tuple[str, ...] | None] = [None if self.own_labels else ()] * len(numbers)
        # Title, id and url of the first hit, then of the second, and so on; None: not looked at
        # yet.
        self.fields: list[str | None] = [None] * (FIELDS * len(numbers))

    def read(self, place: int) -> str:
        """Return the field in this place, of the file; those of neighbours are kept, too."""
        assert self.index is not None
        first = place // FIELDS // _TOGETHER * _TOGETHER
        fields = read_documents(
            self.handle, self.index.path, self.numbers[first : first + _TOGETHER]
        )
        self.fields[FIELDS * first : FIELDS * first + len(fields)] = fields
        return fields[place - FIELDS * first]


class Hit:
    """A similar document, as an Index makes it; it does not change.

    number: in the file, from 0; similarity: 0..1, 1 for a byte-identical text; similarity_error:
    its standard deviation, .045 at .8 with 168 bits; keys: the numbers of the sub-keys it was found
    by; near_cell: whether it lies in one of the cells nearest to the text. id, title, url ("" where
    there is none): read from the file when they are first looked at, with those of its neighbours,
    also when the index is closed by then: hits keep the file open. That can raise Damaged or
    FileChanged; what was looked at or pickled before stays. cosine (0..1) and shared: of the texts
    themselves, only from queries with exact; reader/queries/exact.py defines them. labels: of
    the document, read like its id; none in a file that was built without --label. evidence: what
    tells that the document has much of the text: its "sketch"; its "words", where the sketch alone
    would be chance; or its "text", by which similarity is then the cosine of both texts, without
    an error. words (0..1): the share of the rarest words of the text that the document has beyond
    chance, by their idf; None where they were not asked for (docs/format.md 8.1).
    """

    __slots__ = ("_found", "_place")

    def __init__(self, found: Found, place: int) -> None:
        self._found, self._place = found, place

    @property
    def title(self) -> str:
        return self._field(0)

    @property
    def id(self) -> str:
        return self._field(1)

    @property
    def url(self) -> str:
        return self._field(2)

    @property
    def labels(self) -> tuple[str, ...]:
        known = self._found.labels[self._place]
        if known is None:
            assert self._found.own_labels is not None
            known = self._found.own_labels.of(self.number)
            self._found.labels[self._place] = known
        return known

    def _field(self, field: int) -> str:
        place = FIELDS * self._place + field
        known = self._found.fields[place]
        return self._found.read(place) if known is None else known

    @property
    def number(self) -> int:
        return self._found.numbers[self._place]

    @property
    def similarity(self) -> float:
        return self._found.similarities[self._place] / 10000

    @property
    def similarity_error(self) -> float:
        if self._found.errors:
            return self._found.errors[self._place]
        assert self._found.index is not None
        if self.evidence == "text":
            return 0.0
        return self._found.index.similarity_error(self.similarity)

    @property
    def keys(self) -> tuple[int, ...]:
        tables = self._found.tables[self._place]
        return tuple(t for t in range(_CELLS) if tables >> t & 1)

    @property
    def near_cell(self) -> bool:
        return bool(self._found.tables[self._place] >> _CELLS)

    @property
    def evidence(self) -> Evidence:
        seen = self._found.evidence[self._place]
        if seen & _BY_TEXT:
            return "text"
        return "words" if seen & _BY_WORDS and seen & _ENOUGH else "sketch"

    @property
    def words(self) -> float | None:
        return (
            self._found.words[self._place] / 10000
            if self._found.evidence[self._place] & _BY_WORDS
            else None
        )

    @property
    def cosine(self) -> float | None:
        return self._found.cosines[self._place] if self._found.cosines else None

    @property
    def shared(self) -> Shared | None:
        return self._found.shared[self._place] if self._found.shared else None

    def as_dict(self) -> dict[str, Any]:
        """Return the hit for JSON, as `query --json` prints it."""
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

    def _beside(self) -> tuple[Any, ...]:
        """Return what a hit of a subclass has more, in the order of its arguments."""
        return ()

    def _own(self) -> tuple[Any, ...]:
        found, place = self._found, self._place
        exact = (self.cosine, self.shared)
        evidence = (found.evidence[place], found.words[place], found.order[place])
        return (
            self.title,
            self.id,
            self.url,
            self.number,
            found.similarities[place],
            self.similarity_error,
            found.tables[place],
            *exact,
            self.labels,
            *evidence,
        )

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        assert isinstance(other, Hit)
        return (
            self.number == other.number
            and self._own() == other._own()
            and self._beside() == other._beside()
        )

    def __hash__(self) -> int:
        return hash((self.number, self.similarity))

    def __reduce__(self) -> tuple[Callable[..., Hit], tuple[Any, ...]]:
        return made, (type(self), self._own(), self._beside())

    def __repr__(self) -> str:
        """Show what can be had of the document: to look at a hit so raises no error."""
        shown: dict[str, Any] = {}
        try:
            shown = {"id": self.id, "title": self.title, "url": self.url}
            shown |= {"labels": self.labels} if self.labels else {}
        except Exception:
            shown = {}
        shown |= {
            name: getattr(self, name)
            for name in (
                "similarity",
                "similarity_error",
                "keys",
                "near_cell",
                "number",
                "evidence",
                "words",
                "cosine",
                "shared",
            )
        }
        beside = ", ".join(map(repr, self._beside()))
        fields = ", ".join(
            f"{name}={value!r}" for name, value in shown.items() if value is not None
        )
        return f"{type(self).__name__}({fields}{', ' if beside else ''}{beside})"


def made(kind: Callable[..., Hit], own: tuple[Any, ...], beside: tuple[Any, ...]) -> Hit:
    """Return a hit with its fields: out of a pickle, and for tests."""
    title, id, url, number, similarity, error, tables, cosine, shared, labels, *more = own
    found = Found(None, [number], [similarity], [tables], *([one] for one in more))
    found.errors = [error]
    found.cosines = [cosine]
    found.shared = [shared]
    found.fields, found.labels = [title, id, url], [labels]
    return kind(found, 0, *beside)


class Hits(list[Hit]):
    """The hits of a query, best first, and what the query did.

    terms: terms of the text after stop words; probes: keys looked up; parts: parts of tables
    touched; candidates: distinct documents ranked; capped: the query stopped at 65,536 candidates,
    or 262,144 postlists; short: the text has too few terms for a sketch, and the file no words to
    ask for, so that its hits are only copies; too_short: it is short, and has no copy.
    """

    terms: int = 0
    probes: int = 0
    parts: int = 0
    candidates: int = 0
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
