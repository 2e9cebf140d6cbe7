"""Write a collection without its near-duplicates."""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from pocketindex.arguments import is_file, is_stdio
from pocketindex.builder import inputs
from pocketindex.builder.collections.dedup import (
    EXACT,
    KEPT,
    KINDS,
    NEAR,
    Decision,
    Lines,
    decide,
    write,
)
from pocketindex.builder.collections.dedup_table import TableRows
from pocketindex.builder.collections.measures import corpus_of
from pocketindex.builder.collections.options import DedupOptions
from pocketindex.builder.commands.arguments.records import (
    add_force_argument,
    add_keep_going_argument,
)
from pocketindex.builder.commands.arguments.sources import add_field_arguments
from pocketindex.builder.commands.arguments.work import add_work_arguments
from pocketindex.builder.document import Skip
from pocketindex.builder.inputs.fields import Fields
from pocketindex.builder.inputs.source import STDIN, SourceError
from pocketindex.builder.out.lines import check_line_name
from pocketindex.builder.out.rows import TABLES, RowsOut, Types, form_of, rows_out
from pocketindex.builder.out.written import documents_of, table_of
from pocketindex.builder.progress import Progress
from pocketindex.builder.report import NoDocument, Report
from pocketindex.builder.settings import Settings
from pocketindex.builder.spill.output import Kind, Output, check_stdout_once
from pocketindex.builder.spill.replace import working_folder
from pocketindex.flags import add_options, chosen
from pocketindex.options import options_of
from pocketindex.wording.counted import have

EXAMPLES = """\
examples:
  pocketindex dedup docs.jsonl.gz -o unique.jsonl
  pocketindex dedup docs.jsonl.zst -o unique.jsonl --min-similarity .9 --keep longest --report \\
      dropped.jsonl
  pocketindex dedup docs.parquet -o unique.parquet
  pocketindex dedup news.jsonl -o unique.jsonl --keep newest --date published

The source is JSON Lines with a text each, packed or not (- is standard input); lines that stay are
passed through byte for byte, in their order. Or it is Parquet or Arrow, of which rows are passed
through with all of their columns; "line" is the row, from 1. Documents are taken as --keep prefers
them: a document is kept unless it is a near-duplicate of one kept before.
Similarity is the share of word 5-grams, the runs of five words in a row, that two texts have in
common (--measure jaccard; `pairs --help-all` has the others). It depends on these two texts alone,
on the order of words and on figures, and every near-duplicate is found: the output loses nothing
when it is deduplicated again. Texts that differ in white space alone are "exact". Lines that hold
no document are left out and counted.
A date, of --keep newest, is ISO 8601 or seconds since 1970; a document without one is the oldest.
The output may be the source. Temporary files lie beside it, and it is replaced only when the new
one is whole.

`--help-all` shows every option, and what a report has.
"""

COMMON = (
    "--help",
    "--help-all",
    "--output",
    "--measure",
    "--min-similarity",
    "--keep",
    "--report",
    "--date",
    "--id",
    "--text",
    "--json",
)

MORE = """\
A line of the report: {"id": dropped, "line": its line, "kept": id, "kept_line": its line, "kind":
"exact" or "near", "similarity": ...}, after those of the lines that hold no document: {"place":
"docs.jsonl:7", "kind": "skipped", "reason": ..., "detail": ...}.
"""


MUCH = 1 / 3  # of the documents: so many near-duplicates are rare
SHOWN = 3  # pairs of so many

LISTED: Types = {
    "place": "string",
    "id": "string",
    "line": "int64",
    "kept": "string",
    "kept_line": "int64",
    "kind": "string",
    "reason": "string",
    "detail": "string",
    "similarity": "double",
}


class _Listing(Report):
    """Writes what was skipped to the report file, too."""

    def __init__(self, out: RowsOut | None) -> None:
        super().__init__()
        self._out = out

    def skip(self, skip: Skip) -> None:
        super().skip(skip)
        if self._out:
            row = {"place": skip.place, "reason": skip.reason, "detail": skip.detail}
            _write(self._out, kind="skipped", **row)


def _write(out: RowsOut, **row: Any) -> None:
    out.write([row.get(name) for name in LISTED])


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("source", metavar="SOURCE", type=inputs.located)
    parser.add_argument(
        "-o",
        "--output",
        metavar="OUT",
        required=True,
        help="of the source's kind: .jsonl; of tables .parquet or .arrow; replaced only when whole",
    )
    add_options(parser, options_of(DedupOptions).values())
    parser.add_argument(
        "--report",
        metavar="FILE",
        help="who was dropped for whom, as .jsonl, .csv, .parquet or .arrow; replaced only when it "
        "is whole",
    )
    add_force_argument(parser)
    add_keep_going_argument(parser)
    parser.add_argument("--json", action="store_true", help="the counts as one JSON object")
    add_field_arguments(parser, "lines", ("id", "text", "date"))
    add_work_arguments(parser)


def run(arguments: argparse.Namespace) -> int:
    kind = _check(arguments)
    with contextlib.ExitStack() as stack:
        progress = stack.enter_context(Progress(form=arguments.progress))
        output = stack.enter_context(Output(arguments.output, kind, force=arguments.force))
        out = stack.enter_context(output.open())
        listing = stack.enter_context(_report(arguments)) if arguments.report is not None else None
        folder = stack.enter_context(working_folder(output.path))
        report = _Listing(listing)
        lines = _documents_of(arguments, folder)
        documents = lines.documents(report, progress)
        settings = Settings(max_memory=arguments.max_memory, threads=arguments.threads)
        corpus = stack.enter_context(
            corpus_of(documents, folder, chosen(DedupOptions, arguments), progress, settings)
        )
        if not lines.numbers:
            raise NoDocument(report, [arguments.source])
        report.check_bad([arguments.source], arguments.keep_going)
        progress.phase("comparing")
        decision = decide(corpus, lines.preferences)
        progress.phase(f"writing {output.name}")
        if isinstance(lines, TableRows):
            lines.write(decision, out, arguments.output)
        else:
            write(lines, decision, out)
        if listing:
            _list(lines, decision, listing)
        short, notes = corpus.short, [*corpus.notes(), *_much(lines, decision)]
    counts = {
        "read": report.read,
        "kept": decision.count(KEPT),
        "dropped_exact": decision.count(EXACT),
        "dropped_near": decision.count(NEAR),
        "skipped": report.left_out,
        "too_short": short,
        "undated": lines.undated,
    }
    print(
        *_summary(arguments, counts, report, notes),
        sep="\n",
        file=sys.stdout if arguments.json else sys.stderr,
    )
    return 0


def _documents_of(arguments: argparse.Namespace, folder: Path) -> Lines | TableRows:
    if inputs.find(arguments.source) is inputs.INPUTS["parquet"]:
        fields = Fields(
            id=arguments.field_id,
            text=arguments.field_text,
            date=arguments.field_date,
            marks=False,
        )
        return TableRows(arguments.source, arguments.keep, fields)
    fields = Fields(id=arguments.field_id, text=arguments.field_text, marks=False)
    return Lines(arguments.source, folder, arguments.keep, arguments.field_date, fields)


def _report(arguments: argparse.Namespace) -> contextlib.AbstractContextManager[RowsOut]:
    spares = [arguments.source, arguments.output]
    return rows_out(
        arguments.report, LISTED, others=spares, what="the report", force=arguments.force
    )


def _check(arguments: argparse.Namespace) -> Kind:
    """Check the arguments and return the kind of the output. Raises ValueError, SourceError."""
    check_stdout_once(output=arguments.output, report=arguments.report, json=arguments.json)
    chosen(DedupOptions, arguments)
    if (arguments.keep == "newest") != (arguments.field_date is not None):
        raise ValueError(
            "--keep newest and --date FIELD go together: the newest is told by that field"
        )
    kind, form = inputs.find(arguments.source), form_of(arguments.output)
    if kind not in (inputs.INPUTS["jsonl"], inputs.INPUTS["parquet"]):
        raise SourceError(
            arguments.source,
            "dedup passes lines and rows through: expected JSON Lines, Parquet or Arrow",
        )
    text = arguments.field_text or "text"
    if kind is inputs.INPUTS["jsonl"]:
        if not is_stdio(arguments.output):
            check_line_name(arguments.output, "the output")
        made = documents_of(text)
    elif arguments.source == STDIN:
        raise SourceError(
            "standard input", "rows of a table are read twice; give the table as a file"
        )
    elif form not in TABLES and not is_stdio(arguments.output):
        raise ValueError(
            f"{arguments.output}: rows of {arguments.source} are passed through; give a name that "
            "ends in .parquet, .arrow or .arrows"
        )
    else:
        made = table_of(form, text)

    def is_own(path: Path) -> bool:
        """Return whether a file is the source, or of the kind of the output."""
        same = is_file(arguments.source) and os.path.samefile(arguments.source, path)
        return same or made.is_own(path)

    return replace(made, is_own=is_own)


def _list(lines: Lines | TableRows, decision: Decision, out: RowsOut) -> None:
    for document, verdict in enumerate(decision.verdicts):
        if verdict != KEPT:
            kept = decision.keepers[document]
            _write(
                out,
                id=lines.ids[document],
                line=lines.numbers[document],
                kept=lines.ids[kept],
                kept_line=lines.numbers[kept],
                kind=KINDS[verdict],
                similarity=decision.similarities[document],
            )


def _much(lines: Lines | TableRows, decision: Decision) -> list[str]:
    """Name some pairs where so much goes that somebody should look whether it is right."""
    gone = np.flatnonzero(decision.verdicts == NEAR)
    if len(gone) <= MUCH * len(decision.verdicts):
        return []
    some = gone[np.linspace(0, len(gone) - 1, num=SHOWN, dtype=np.int64)]
    pairs = [
        f"  {lines.ids[document]!r} (line {lines.numbers[document]}) went for "
        f"{lines.ids[kept]!r} (line {lines.numbers[kept]}), similarity "
        f"{decision.similarities[document]:.2f}"
        for document in dict.fromkeys(some.tolist())
        for kept in [decision.keepers[document]]
    ]
    return [
        f"{len(gone) / len(decision.verdicts):.0%} of all documents went as near-duplicates; look "
        "at some of them, and raise --min-similarity if they should have stayed:",
        *pairs,
    ]


def _summary(
    arguments: argparse.Namespace, counts: dict[str, int], report: Report, notes: list[str]
) -> list[str]:
    if arguments.json:
        return [
            json.dumps(
                {
                    "output": arguments.output,
                    **counts,
                    "notes": notes,
                    "skipped_by_reason": report.as_dict()["skipped"],
                },
                ensure_ascii=False,
            )
        ]
    names = ("read", "kept", "dropped_exact", "dropped_near", "skipped")
    lines = [
        f"{arguments.output}: "
        + ", ".join(f"{counts[name]:,} {name.replace('_', ' ')}" for name in names)
    ]
    lines += [*report.notes, *report.reasons_text()]
    lines += notes
    if counts["undated"]:
        lines.append(
            f"{have(counts['undated'], 'document')} no date in the field "
            f"{arguments.field_date!r}: they count as the oldest"
        )
    return lines
