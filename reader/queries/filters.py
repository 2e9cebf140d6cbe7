"""Filters of a search by label and language (docs/format.md, section 10)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pocketindex.cbits import lib
from pocketindex.wording.counted import counted

if TYPE_CHECKING:
    from pocketindex.index import Index

MARKS = re.compile('["\u201c\u201d\u201e]')
KINDS = {1: "labels", 2: "languages"}  # what a file may lack, as the core says it


@dataclass(frozen=True, slots=True)
class AskedFilter:
    """A filter of a search: label:earn, lang:de.

    kind: "label" or "lang"; excluded: behind a minus; documents: how many have a label or language
    that it means; labels: how many of these there are; near: where there is none, up to three
    labels that are spelt alike.
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
    """Return filters for the core: any of the labels, and any of the languages. Raises TypeError,
    ValueError.
    """
    given = [("label", one) for one in _each("label", label)]
    given += [("lang", one) for one in _each("lang", lang)]
    # A quotation mark ends a value; without it a label is found by its words.
    return " ".join(f'{kind}:"{MARKS.sub(" ", one)}"' for kind, one in given).encode()


def _each(name: str, given: str | Iterable[str]) -> list[str]:
    values = [given] if isinstance(given, str) else list(given)
    for one in values:
        if not isinstance(one, str):
            raise TypeError(f"{name}: expected a str or several, found {one!r:.80}")
        if not one:
            raise ValueError(f"{name}: expected a {name}, found an empty str; leave it away")
    return values


def filters_found(index: Index, found: Any, text: bytes, given: bytes) -> tuple[AskedFilter, ...]:
    """Return the filters of the core's answer. text: what was asked; given: beside it."""
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


def merged_filters(answers: Sequence[tuple[AskedFilter, ...]]) -> tuple[AskedFilter, ...]:
    """Return the filters of several files as those of one."""
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


def filter_notes(
    filters: Sequence[AskedFilter], allowed: int, unlabelled: Sequence[tuple[str, int]]
) -> list[str]:
    """Return what a user should know about filters, one sentence each. allowed: the documents that
    pass them; unlabelled: files that lack labels (1), languages (2) or both (3).
    """
    if not filters:
        return []
    said = [f"{counted(allowed, 'document')} {'passes' if allowed == 1 else 'pass'} the filters"]
    for one in filters:
        if one.labels or any(kinds & (2 if one.kind == "lang" else 1) for _, kinds in unlabelled):
            continue
        what = "language" if one.kind == "lang" else "label"
        near = f"; near ones are {', '.join(one.near)}" if one.near else ""
        said.append(f"no document has the {what} {one.value}{near}")
    for kind, what in KINDS.items():
        names = [Path(path).name for path, kinds in unlabelled if kinds & kind]
        if names:
            verb = "keeps" if len(names) == 1 else "keep"
            said.append(
                f"{', '.join(names)} {verb} no {what} of documents: build with --label FIELD, "
                "which keeps both"
            )
    return said
