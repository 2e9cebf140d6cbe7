"""Decide which documents to drop by the report of an earlier dedup."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
from pocketindex.builder.collections.dedup import EXACT, KINDS, Decision
from pocketindex.builder.collections.passing.sources import Sources


def replayed(path: str, given: Sources) -> Decision:
    """Return which documents a report of dedup says were dropped, and for which others.

    path: of the report; given: the documents that were read. Raises ValueError if a line is not one
    of such a report, or if the report was written of other documents.
    """
    dropped = dict[tuple[str, int], dict[str, Any]]()
    with open(path, encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            try:
                row = json.loads(line)
                if row["kind"] in KINDS[EXACT:] and isinstance(row["id"], str):
                    dropped[row["source"], row["line"]] = row
            except (ValueError, KeyError, TypeError):
                raise ValueError(
                    f"{path}:{number}: expected a line of a report of dedup; give one that "
                    "--report FILE.jsonl has written"
                ) from None
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
