"""Decide which documents to drop by the report of an earlier dedup."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
from pocketindex.builder.collections.dedup import EXACT, KINDS, Decision
from pocketindex.builder.collections.passing.sources import Sources
from pocketindex.builder.out.rows import Types
from pocketindex.builder.out.rows_in import rows_of
from pocketindex.errors import spelled


def replayed(path: str, types: Types, given: Sources) -> Decision:
    """Return which documents a report of dedup says were dropped, and for which others.

    path: of the report; types: of its columns; given: the documents that were read. Raises
    ValueError if a row is not one of such a report, or if the report was written of other
    documents; SourceError, OSError.
    """
    dropped = dict[tuple[str, int], dict[str, Any]]()
    checksums = dict[str, str]()  # of the sources of the report
    for number, row in enumerate(rows_of(path, types), 1):
        match row:
            case {"kind": kind, "id": str(), "source": str(source), "line": int(line)} if (
                kind in KINDS[EXACT:]
            ):
                dropped[source, line] = row
                if row.get("source_checksum") is not None:
                    checksums[source] = row["source_checksum"]
            case {"kind": "source", "source": str(source), "source_checksum": str(checksum)}:
                checksums[source] = checksum
            case {"kind": "skipped", "place": str()}:
                pass
            case _:
                raise ValueError(
                    f"{path}:{number}: expected a line of a report of dedup; give one that "
                    f"{spelled('report')} has written"
                )
    if twice := [one for one, times in Counter(given.sources).items() if times > 1]:
        raise ValueError(
            f"{twice[0]} is given twice, so a line of {path} does not tell which document it is "
            "of; give each source once"
        )
    if checksums:
        _check_sources(path, checksums, given.checksums())
    count = len(given)
    decision = Decision(np.zeros(count, np.uint8), np.arange(count), np.ones(count))
    for document in range(count):
        own = given.named(document)
        found = dropped.pop((own.source, own.line or 0), None)
        if found is not None and found["id"] == own.id:
            decision.verdicts[document] = KINDS.index(found["kind"])
        elif found is not None:
            raise ValueError(_is_of_others(path, own.source, own.line or 0, found["id"]))
    for (source, place), found in dropped.items():
        raise ValueError(_is_of_others(path, source, place, found["id"]))
    return decision


def _check_sources(path: str, before: dict[str, str], now: dict[str, str]) -> None:
    """Raise ValueError if the sources of a report are not those that are given. before, now: their
    checksums.
    """
    if other := [source for source in before if source not in now]:
        raise ValueError(
            f"{path}: it is of {other[0]}, which is not given; give the sources as they were "
            "given for the report"
        )
    if other := [source for source in now if source not in before]:
        raise ValueError(
            f"{path}: it is not of {other[0]}; give the sources as they were given for the report"
        )
    if other := [source for source, checksum in before.items() if now[source] != checksum]:
        raise ValueError(
            f"{path}: {other[0]} has changed since this report was written; give the source as it "
            "was, or deduplicate again"
        )


def _is_of_others(path: str, source: str, line: int, id: str) -> str:
    return (
        f"{path}: it is not of these sources: it drops the document {id!r} of line {line} of "
        f"{source}, which is not there; give the sources as they were given for the report"
    )
