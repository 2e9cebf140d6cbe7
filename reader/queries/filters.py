"""Filters of a search by label and language (docs/format.md, section 10)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pocketindex.answers.results import Part
from pocketindex.cbits import lib
from pocketindex.errors import spelled
from pocketindex.wording.counted import counted

if TYPE_CHECKING:
    from pocketindex.index import Index

MARKS = re.compile('["\u201c\u201d\u201e]')
# What a file may lack, by the kinds of filters that need it, and how a build keeps it.
KINDS = {
    "label": ("labels", " to keep them"),
    "lang": ("languages", ", which keeps languages, too"),
}


@dataclass(frozen=True, repr=False, slots=True)
class AskedFilter(Part):
    """A filter of a search: label:earn, lang:de.

    kind: "label" or "lang"; excluded: whether a minus precedes it; documents: the number of
    documents that have a label or language to which it refers; labels: the number of these labels
    or languages; near: if there is none, up to three labels with a similar spelling.
    """

    kind: str
    value: str
    excluded: bool
    documents: int
    labels: int
    near: tuple[str, ...] = ()

    def __str__(self) -> str:
        value = f'"{self.value}"' if " " in self.value else self.value
        return f"{'-' * self.excluded}{self.kind}:{value}"


def filters_text(label: str | Iterable[str], lang: str | Iterable[str]) -> bytes:
    """Return filters for the core, which match documents with any of the labels and any of the
    languages. Raises TypeError, ValueError.
    """
    given = [("label", one) for one in _each("label", label)]
    given += [("lang", one) for one in _each("lang", lang)]
    # A quotation mark would end the value. Without it, the words of a label still find it.
    return " ".join(f'{kind}:"{MARKS.sub(" ", one)}"' for kind, one in given).encode()


def _each(name: str, given: str | Iterable[str]) -> list[str]:
    values = [given] if isinstance(given, str) else list(given)
    for one in values:
        if not isinstance(one, str):
            raise TypeError(f"{name}: expected a str or several, found {one!r:.80}")
        if not one:
            raise ValueError(f"{name}: expected a {name}, found an empty str; omit it")
    return values


def filters_found(index: Index, found: Any, text: bytes, given: bytes) -> tuple[AskedFilter, ...]:
    """Return the filters of the core's answer. text: the text that was searched for; given: the
    filters that were given beside it.
    """
    said = []
    for one in found.filters[0 : found.filter_count]:
        data = given if one.flags & lib.POCKET_FILTER_OPTION else text
        near = one.near_labels[0 : one.near_count] if not one.labels else ()
        said.append(
            AskedFilter(
                "lang" if one.flags & lib.POCKET_FILTER_LANGUAGE else "label",
                data[one.start : one.end].decode("utf-8", "replace"),
                bool(one.flags & lib.POCKET_FILTER_EXCLUDED),
                one.documents,
                one.labels,
                tuple(map(index._label_name, near)),
            )
        )
    return tuple(said)


def lacking(path: str, kinds: int) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return a file with the kinds of filters that it cannot answer, nothing if there are none.
    kinds: the core's bits of them.
    """
    own = tuple(kind for bit, kind in enumerate(KINDS) if kinds >> bit & 1)
    return ((path, own),) if own else ()


def merged_filters(answers: Sequence[tuple[AskedFilter, ...]]) -> tuple[AskedFilter, ...]:
    """Return the filters of several files as if they were one file."""
    return tuple(
        AskedFilter(
            own[0].kind,
            own[0].value,
            own[0].excluded,
            sum(one.documents for one in own),
            max(one.labels for one in own),
            tuple(dict.fromkeys(near for one in own for near in one.near))[:3],
        )
        for own in zip(*answers, strict=True)
    )


def matching(number: int) -> str:
    """Say how many documents match the filters."""
    if not number:
        return "no document matches the filters"
    return f"{counted(number, 'document')} {'matches' if number == 1 else 'match'} the filters"


def filter_notes(
    filters: Sequence[AskedFilter], unlabelled: Sequence[tuple[str, tuple[str, ...]]]
) -> list[str]:
    """Return what a user should know about filters, one sentence each. unlabelled: files, and
    the kinds of filters that need what each lacks.
    """
    said = []
    for one in filters:
        if one.labels or any(one.kind in kinds for _, kinds in unlabelled):
            continue
        what = "language" if one.kind == "lang" else "label"
        near = f"; similar labels: {', '.join(one.near)}" if one.near else ""
        said.append(f"no document has the {what} {one.value}{near}")
    for kind, (what, how_kept) in KINDS.items():
        names = [Path(path).name for path, kinds in unlabelled if kind in kinds]
        if names:
            verb = "keeps" if len(names) == 1 else "keep"
            said.append(
                f"{', '.join(names)} {verb} no {what} of documents; build with "
                f"{spelled('label', 'FIELD')}{how_kept}"
            )
    return said
