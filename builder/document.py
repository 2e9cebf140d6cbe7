"""A document on its way into a pocket file, and a record that did not become one."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import InitVar, dataclass

from pocketindex.answers.results import Part
from pocketindex.arguments import short
from pocketindex.errors import TEXT_BYTES, spelled

# docs/format.md section 5, in bytes of UTF-8.
ID_BYTES = 1024
TITLE_BYTES = 8192
URL_BYTES = 8192
LABEL_BYTES = 1024  # docs/format.md section 6.5
MOST_LABELS = 255  # of a document
LABELS_BYTES = 65_535  # of all labels of a document, with two more each

# A record may have one part in so many of the memory that a build may take: on its way it lies
# there as bytes, as characters of up to four bytes each, and as both once more.
RECORD = 16
_ANY = 1 << 62

_LONE_SURROGATE = re.compile("[\ud800-\udfff]")


class Unfit(ValueError):
    """The fields given make no Document.

    reason: a short key to count by; detail: what was found and what is allowed.
    """

    def __init__(self, reason: str, detail: str) -> None:
        super().__init__(reason, detail)
        self.reason, self.detail = reason, detail

    def __str__(self) -> str:
        return f"{self.reason}: {self.detail}"


@dataclass(frozen=True, slots=True)
class Skip:
    """A record that was left out.

    place: where it stands, as "wiki.jsonl:17", a path or an id; reason: a short key to count by, as
    "bad line"; detail: a sentence for people.
    """

    place: str
    reason: str
    detail: str


@dataclass(frozen=True, slots=True)
class Notice:
    """Something wrong with a record that is read all the same, or with a source.

    The fields are as those of Skip.
    """

    place: str
    reason: str
    detail: str


_limits = list[int]()  # of the builds that are under way


@contextmanager
def records_within(memory: int) -> Iterator[None]:
    """Limit each record to its share of this many bytes of memory for the time of a block."""
    limit = memory // RECORD
    _limits.append(limit)
    try:
        yield
    finally:
        _limits.remove(limit)


def most_of_record(limit: int) -> int:
    """Return how many bytes a record may have: limit, or less if its share of the memory is
    smaller.
    """
    return min([limit, *_limits])


def beyond_memory(size: int, most: int) -> str:
    """Return a phrase that says that a record of so many bytes exceeds its share of memory."""
    return (
        f"{size:,} bytes, expected at most {most:,}, a sixteenth of {spelled('max_memory')}; "
        "raise it, or split the record"
    )


NAVIGATION = "navigation"  # the reason of a Shortened


@dataclass(frozen=True, slots=True)
class Shortened(Notice):
    """How much of a page became its text. There is one for each page, even if nothing is wrong.

    words: the number of words visible on the page; left: the number of them that are left out.
    """

    words: int
    left: int

    @property
    def is_much(self) -> bool:
        """Whether more than a fifth is left out, so that it is listed."""
        return 5 * self.left > self.words

    @classmethod
    def of(cls, place: str, words: int, left: int, by_choice: bool = False) -> Shortened:
        """Return the notice for a page; by_choice: whether the user chose what is left out."""
        why = f"by {spelled('select')} and {spelled('exclude')}" if by_choice else "as navigation"
        detail = f"{left:,} of {words:,} visible words are left out {why}"
        if not by_choice:
            detail += f"; {spelled('select', 'body')} keeps them"
        return cls(place, NAVIGATION, detail, words, left)


@dataclass(frozen=True, repr=False, slots=True)
class Document(Part):
    """One document; whatever exists of this class fits a pocket file.

    A lone surrogate becomes U+FFFD, a title above TITLE_BYTES is cut at a character, and a text of
    nothing but white space is an empty one. Other fields that do not fit raise Unfit: "no id",
    "empty" (neither a text nor a title), "too long".

    name: used as the title if there is none, such as the name of a file. A record with a name but
    with neither a text nor a title is still empty.

    lang: a language tag, date: when it was written, as the source has it; both may be empty,
    neither is stored. labels: each once, in the order given, an empty one left out.
    """

    id: str
    title: str
    text: str
    url: str = ""
    lang: str = ""
    date: str = ""
    labels: tuple[str, ...] = ()
    name: InitVar[str] = ""

    def __post_init__(self, name: str) -> None:
        titled = isinstance(self.title, str) and self.title.strip() != ""
        if self.title == "":
            object.__setattr__(self, "title", name)
        for field, limit in (
            ("id", ID_BYTES),
            ("title", TITLE_BYTES),
            ("text", most_of_record(TEXT_BYTES)),
            ("url", URL_BYTES),
            ("lang", _ANY),
            ("date", _ANY),
        ):
            value = getattr(self, field)
            if not isinstance(value, str):
                raise TypeError(f"{field} is {short(value)}; it must be a string")
            if value.isascii() and len(value) <= limit:
                continue
            whole, size = _without_surrogates(value)
            if size > limit:
                if field == "text" and limit < TEXT_BYTES:
                    raise Unfit("too long", f"the text has {beyond_memory(size, limit)}")
                if field != "title":
                    raise Unfit(
                        "too long", f"the {field} has {size:,} bytes, expected at most {limit:,}"
                    )
                whole = whole.encode()[:limit].decode(errors="ignore")
            if whole is not value:
                object.__setattr__(self, field, whole)
        if self.labels:
            object.__setattr__(self, "labels", _fit_labels(self.labels))
        if not self.id:
            raise Unfit("no id", "the id is empty")
        if not self.text or self.text.isspace():
            if not titled:
                raise Unfit("empty", "it has neither a text nor a title of its own")
            object.__setattr__(self, "text", "")


def of_text(id: str, text: str) -> Document:
    """Return a document for what compares texts alone: the text may be empty. Raises Unfit if it is
    too long.
    """
    return Document(id, "a title", text)


def _fit_labels(labels: Iterable[str]) -> tuple[str, ...]:
    """Return the labels, each once, fit for UTF-8. Raises Unfit, TypeError."""
    if not isinstance(labels, tuple | list) or not all(isinstance(one, str) for one in labels):
        raise TypeError(f"labels is {short(labels)}; it must be a tuple of strings")
    sizes = dict(_without_surrogates(label) for label in labels if label)
    if (longest := max(sizes.values(), default=0)) > LABEL_BYTES:
        raise Unfit("too long", f"a label has {longest:,} bytes, expected at most {LABEL_BYTES:,}")
    if len(sizes) > MOST_LABELS:
        raise Unfit(
            "too many labels",
            f"the document has {len(sizes):,} labels, expected at most {MOST_LABELS}",
        )
    if (size := sum(sizes.values()) + 2 * len(sizes)) > LABELS_BYTES:
        raise Unfit(
            "too long", f"the labels have {size:,} bytes, expected at most {LABELS_BYTES:,}"
        )
    return tuple(sizes)


def _without_surrogates(value: str) -> tuple[str, int]:
    """Return the value fit for UTF-8, and its size in bytes."""
    try:
        return value, len(value.encode())
    except UnicodeEncodeError:
        value = _LONE_SURROGATE.sub("\ufffd", value)
        return value, len(value.encode())
