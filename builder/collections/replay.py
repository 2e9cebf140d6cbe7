"""Decide which documents to drop by the report of an earlier dedup."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
from pocketindex.builder.collections.dedup import EXACT, KINDS, Decision
from pocketindex.builder.collections.passing.sources import Sources
from pocketindex.builder.out.rows import Types
from pocketindex.builder.out.rows_in import rows_of


def replayed(path: str, types: Types, given: Sources) -> Decision:
    """Return which documents a report of dedup says were dropped, and for which others.

    path: of the report; types: of its columns; given: the documents that were read. Raises
    ValueError if a row is not one of such a report, or if the report was written of other
    documents; SourceError, OSError.
    """
    dropped = dict[tuple[str, int], dict[str, Any]]()
    checksums = given.checksums()
    for number, row in enumerate(rows_of(path, types), 1):
        match row:
            case {"kind": kind, "id": str(), "source": str(source), "line": int(line)} if (
                kind in KINDS[EXACT:]
            ):
                dropped[source, line] = row
                has = checksums.get(source)
                if has is not None and row.get("source_checksum", has) != has:
                    raise ValueError(
                        f"{path}: {source} has changed since this report was written; give the "
                        "source as it was, or deduplicate again"
                    )
            case {"kind": "skipped", "place": str()}:
                pass
            case _:
                raise ValueError(
                    f"{path}:{number}: expected a line of a report of dedup; give one that "
                    "--report has written"
                )
    if twice := [one for one, times in Counter(given.sources).items() if times > 1]:
        raise ValueError(
            f"{twice[0]} is given twice, so a line of {path} does not tell which document it is "
            "of; give each source once"
        )
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


def _is_of_others(path: str, source: str, line: int, id: str) -> str:
    return (
        f"{path}: it is not of these sources: it drops the document {id!r} of line {line} of "
        f"{source}, which is not there; give the sources as they were given for the report"
    )
