"""What dedup says of the documents that it dropped: the lines of its report, and its last words."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Mapping

import numpy as np
from pocketindex.builder.collections.dedup import KEPT, KINDS, Decision
from pocketindex.builder.collections.passing.listing import SOURCE, Listing
from pocketindex.builder.collections.passing.named import Named
from pocketindex.builder.out.rows import Types
from pocketindex.builder.tally import Tally
from pocketindex.wording.counted import have

LISTED: Types = {
    "place": "string",
    "id": "string",
    "source": "string",
    "line": "int64",
    "source_checksum": "string",
    "kept": "string",
    "kept_source": "string",
    "kept_line": "int64",
    "cluster": "int64",
    "kind": "string",
    "reason": "string",
    "detail": "string",
    "similarity": "double",
}


def list_removals(
    named: Callable[[int], Named], decision: Decision, checksums: Mapping[str, str], out: Listing
) -> None:
    """Write to the report a line for each document that was dropped, and then one for each source
    of which none was dropped. named: what people know a document by; checksums: of what was read of
    each source, by which a replay knows it again.
    """
    clusters, whole = dict[int, int](), dict(checksums)
    for document in np.flatnonzero(decision.verdicts != KEPT).tolist():
        kept = int(decision.keepers[document])
        own, other = named(document), named(kept)
        whole.pop(own.source, None)
        out.write(
            id=own.id,
            source=own.source,
            line=own.line,
            source_checksum=checksums[own.source],
            kept=other.id,
            kept_source=other.source,
            kept_line=other.line,
            cluster=clusters.setdefault(kept, len(clusters) + 1),
            kind=KINDS[decision.verdicts[document]],
            similarity=float(decision.similarities[document]),
        )
    for source, checksum in whole.items():
        out.write(source=source, source_checksum=checksum, kind=SOURCE)


def placed(named: Named) -> str:
    """Return the id of a document, and its line or its source."""
    return f"{named.id!r} ({f'line {named.line}' if named.line else named.source})"


def summary(
    arguments: argparse.Namespace,
    counts: dict[str, int],
    report: Tally,
    hint: list[str],
    notes: list[str],
) -> list[str]:
    """Return the lines that end a run, or with --json the object that has the counts."""
    if arguments.json:
        return [
            json.dumps(
                {
                    "output": arguments.output,
                    **counts,
                    **({"saved_shingles": saved} if (saved := arguments.save_shingles) else {}),
                    "notes": [*hint, *notes],
                    "skipped_by_reason": report.as_dict()["skipped"],
                },
                ensure_ascii=False,
            )
        ]
    names = ("read", "kept", "dropped_exact", "dropped_near", "skipped")
    lines = [
        *hint,
        f"{arguments.output or 'nothing is written'}: "
        + ", ".join(f"{counts[name]:,} {name.replace('_', ' ')}" for name in names),
    ]
    if "against" in counts:
        lines.append(
            f"{counts['dropped_against']:,} of the dropped ones went for one of the "
            f"{counts['against']:,} documents of --against"
        )
    if arguments.save_shingles is not None:
        lines.append(f"{arguments.save_shingles}: the 5-grams of {counts['kept']:,} documents")
    lines += [*report.notes, *report.reasons_text()]
    lines += notes
    if counts.get("undated"):
        lines.append(
            f"{have(counts['undated'], 'document')} no date in the field "
            f"{arguments.field_date!r}: they count as the oldest"
        )
    if counts.get("without_value"):
        lines.append(
            f"{have(counts['without_value'], 'document')} no value in the field of --prefer "
            f"{arguments.prefer!r}: they come last"
        )
    return lines
