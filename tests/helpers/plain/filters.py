"""docs/format.md, section 10: filters of a question, and the documents that pass them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from plain.labels import Labels
from plain.word_stream import wholes

FILTERS = 16
NEAR = 3
NAME_BLOCKS_COLD, LABELLED_BLOCKS_COLD = 64, 256
MARKS = (b'"', *(chr(code).encode() for code in (0x201C, 0x201D, 0x201E)))
SPACE = frozenset([*range(9, 14), 32])


@dataclass
class Filter:
    """A filter from byte start to end of its text. given: beside the text; near: labels by their
    numbers.
    """

    start: int
    end: int
    value_start: int
    value: bytes
    excluded: bool
    language: bool
    given: bool = False
    labels: set[int] = field(default_factory=set)
    documents: int = 0
    near: list[int] = field(default_factory=list)


def mark_at(text: bytes, at: int) -> int:
    """Return the bytes of the quotation mark here, 0 where there is none."""
    return next((len(mark) for mark in MARKS if text.startswith(mark, at)), 0)


def next_mark(text: bytes, at: int) -> int:
    while at < len(text) and not mark_at(text, at):
        at += 1
    return at


def filters_of(text: bytes) -> list[Filter]:
    found, at = list[Filter](), 0
    while at < len(text):
        own = _filter_at(text, at) if at == 0 or text[at - 1] in SPACE else None
        if own:
            found.append(own)
            at = own.end
            continue
        size = mark_at(text, at)
        closed = next_mark(text, at + size) if size else len(text)
        at = closed + mark_at(text, closed) if closed < len(text) else at + 1
    return found


def _filter_at(text: bytes, start: int) -> Filter | None:
    excluded = text[start : start + 1] == b"-"
    at = start + excluded
    name = next((n for n in (b"label:", b"lang:") if text[at : at + len(n)].lower() == n), b"")
    if not name:
        return None
    at += len(name)
    size = mark_at(text, at)
    at += size
    to = at
    if size:
        to = next_mark(text, at)
    else:
        while to < len(text) and text[to] not in SPACE:
            to += 1
    if to == at or (size and to == len(text)):
        return None
    end = to + (mark_at(text, to) if size else 0)
    return Filter(start, end, at, text[at:to], excluded, name == b"lang:")


class Filtering:
    """The documents that pass some filters."""

    def __init__(self, filters: Sequence[Filter], labels: Labels | None, cold: bool) -> None:
        names = labels.every_name(NAME_BLOCKS_COLD if cold else labels.count) if labels else []
        documents = (
            labels.every_document(LABELLED_BLOCKS_COLD if cold else labels.documents)
            if labels
            else []
        )
        self.capped = bool(
            cold
            and labels
            and (
                labels.name_blocks > NAME_BLOCKS_COLD
                or labels.section.count - labels.name_blocks > LABELLED_BLOCKS_COLD
            )
        )
        languages = {i: name[5:] for i, name in enumerate(names) if _is_language(name)}
        topics = {i: name for i, name in enumerate(names) if not _is_language(name)}
        self.unlabelled = 0
        for one in filters:
            if not (languages if one.language else topics):
                self.unlabelled |= 2 if one.language else 1
            if one.language:
                own = _tag(one.value)
                one.labels = {
                    i for i, tag in languages.items() if f"{_tag(tag)}-".startswith(own + "-")
                }
            else:
                one.labels = {i for i, name in topics.items() if name == one.value} or {
                    i for i, name in topics.items() if _terms(name) == _terms(one.value) != []
                }
                if not one.labels:
                    one.near = _near(one.value, topics)
            one.documents = sum(not one.labels.isdisjoint(own) for own in documents)
        self.passing = {
            number for number, own in enumerate(documents) if _passes(filters, set(own))
        }
        if labels and not labels.count:
            self.passing = set()


def _is_language(name: bytes) -> bool:
    return name.startswith(b"lang:") and len(name) > 5


def _tag(tag: bytes) -> str:
    """Return a tag with bytes as characters, of which letters of ASCII are small."""
    return tag.lower().decode("latin-1").replace("_", "-")


def _terms(text: bytes) -> list[bytes]:
    return [term.bytes for term in wholes(text)]


def _passes(filters: Sequence[Filter], own: set[int]) -> bool:
    for language in (False, True):
        some = [one for one in filters if one.language is language and not one.excluded]
        if some and all(one.labels.isdisjoint(own) for one in some):
            return False
    return all(one.labels.isdisjoint(own) for one in filters if one.excluded)


def _pairs(text: bytes) -> list[int]:
    small = text.lower()
    return [(31 * x + y) % 1024 for x, y in pairwise(small)]


def _near(value: bytes, topics: dict[int, bytes]) -> list[int]:
    own, worth = set(_pairs(value)), dict[int, int]()
    for number, name in topics.items():
        pairs = _pairs(name)
        if own and pairs:
            common = sum(pair in own for pair in pairs)
            worth[number] = 1000 * common // (len(value) - 1 + len(pairs))
    near = [number for number in topics if worth.get(number, 0) >= 250]
    return sorted(near, key=lambda number: (-worth[number], number))[:NEAR]
