"""Write a collection without its near-duplicates."""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import sys
from array import array
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import chain
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
    decide,
)
from pocketindex.builder.collections.measures import corpus_of
from pocketindex.builder.collections.options import DedupOptions
from pocketindex.builder.collections.passing.packing import packing
from pocketindex.builder.collections.passing.sources import (
    Against,
    Named,
    Sources,
    expanded,
    is_table,
)
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
from pocketindex.builder.settings import Settings
from pocketindex.builder.spill.output import Kind, Output, check_stdout_once
from pocketindex.builder.spill.replace import working_folder
from pocketindex.builder.tally import NoDocument, Tally
from pocketindex.flags import add_options, chosen
from pocketindex.options import options_of
from pocketindex.wording.counted import have

EXAMPLES = """\
examples:
  pocketindex dedup docs.jsonl.gz -o unique.jsonl
  pocketindex dedup docs.jsonl.zst -o unique.jsonl --min-similarity .9 --keep longest --report \\
      dropped.jsonl
  pocketindex dedup docs.parquet -o unique.parquet
  pocketindex dedup news.jsonl mine.jsonl.gz -o unique.jsonl.gz --against docs.jsonl.gz
  pocketindex dedup news.jsonl -o unique.jsonl --keep newest --date published

Sources are JSON Lines with a text each, packed or not (- is standard input); lines that stay are
passed through byte for byte, in their order. Or they are Parquet or Arrow, of which rows are passed
through with all of their columns, and Parquet in its codec; "line" is the row, from 1. All sources
are one collection. A folder as OUT gets a file of each, packed as it was. Documents are taken as
--keep prefers them: a document is kept unless it is a near-duplicate of one kept before.
Similarity is the share of word 5-grams, the runs of five words in a row, that two texts have in
common (--measure jaccard; `pairs --help-all` has the others). It depends on these two texts alone,
on the order of words and on figures, and every near-duplicate is found: the output loses nothing
when it is deduplicated again. Texts that differ in white space alone are "exact". Lines that hold
no document are left out and counted.
A date, of --keep newest, is ISO 8601 or seconds since 1970; a document without one is the oldest.
The output may be a source. Temporary files lie beside it, and it is replaced only when the new one
is whole.

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
    "--against",
    "--dry-run",
    "--replay",
    "--date",
    "--id",
    "--text",
    "--json",
)

MORE = """\
A line of the report: {"id": dropped, "source": its source, "line": its line there, "kept": id,
"kept_source": its source, "kept_line": its line, which is not known of --against, "cluster": a
number for all that went for the same document, "kind": "exact" or "near", "similarity": ...}, after
those of the lines that hold no document: {"place":
"docs.jsonl:7", "kind": "skipped", "reason": ..., "detail": ...}.
"""


MUCH = 1 / 3  # of the documents: so many near-duplicates are rare
SHOWN = 3  # pairs of so many

LISTED: Types = {
    "place": "string",
    "id": "string",
    "source": "string",
    "line": "int64",
    "kept": "string",
    "kept_source": "string",
    "kept_line": "int64",
    "cluster": "int64",
    "kind": "string",
    "reason": "string",
    "detail": "string",
    "similarity": "double",
}


class _Listing(Tally):
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
    parser.add_argument(
        "source",
        metavar="SOURCE",
        nargs="+",
        type=inputs.located,
        help="file, folder, pattern, address, or - for stdin",
    )
    parser.add_argument(
        "-o",
        "--output",
        metavar="OUT",
        help="of the sources' kind: .jsonl, also .gz, .bz2, .xz or .zst; of tables .parquet or "
        ".arrow; or a folder, for a file of each source; each replaced only when whole",
    )
    parser.add_argument(
        "--against",
        metavar="SOURCE",
        action="append",
        default=[],
        type=inputs.located,
        help="drop what this has, too, and write nothing of it: what build takes, or a pocket file "
        "that keeps its texts; may be repeated",
    )
    parser.add_argument(
        "--dry-run", action="store_true", help="compare and report, and write no output"
    )
    parser.add_argument(
        "--replay",
        metavar="REPORT",
        help="compare nothing, and drop what this report (.jsonl) of the same sources lists",
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
    sources = expanded(arguments.source)
    _check(arguments, sources)
    targets = _targets(arguments, sources)
    with contextlib.ExitStack() as stack:
        progress = stack.enter_context(Progress(form=arguments.progress))
        outputs = [
            stack.enter_context(
                Output(target, _kind(arguments, target, own), force=arguments.force)
            )
            for target, own in targets
        ]
        listing = stack.enter_context(_report(arguments)) if arguments.report is not None else None
        folder = stack.enter_context(working_folder(_work(outputs)))
        report, left_aside = _Listing(listing), Tally()
        fields = Fields(
            id=arguments.field_id,
            text=arguments.field_text,
            date=arguments.field_date,
            marks=False,
        )
        given = Sources(sources, folder, arguments.keep, fields)
        against = stack.enter_context(contextlib.closing(_against(arguments)))
        documents = chain(
            against.documents(left_aside, progress), given.documents(report, progress)
        )
        corpus = None
        if arguments.replay is not None:
            for _ in documents:
                progress.add()
        else:
            settings = Settings(max_memory=arguments.max_memory, threads=arguments.threads)
            how = chosen(DedupOptions, arguments)
            corpus = stack.enter_context(corpus_of(documents, folder, how, progress, settings))
        if not len(given):
            raise NoDocument(report.report(), sources)
        report.check_bad(sources, arguments.keep_going)
        others = len(against)
        if corpus is None:
            decision = _replayed(arguments.replay, given)
        else:
            progress.phase("comparing")
            preferences = array("d", [float("-inf")]) * others + given.preferences
            decision = decide(corpus, preferences, others).after(others)
        for number, output in enumerate(outputs):
            progress.phase(f"writing {output.name}")
            with output.open() as out:
                if _is_folder(arguments.output):
                    given.write_one(number, decision.stays, out, output.name)
                else:
                    given.write(decision.stays, out, output.name)

        def named(document: int) -> Named:
            return given.named(document) if document >= 0 else against.named(document + others)

        if listing:
            _list(named, decision, listing)
        short, notes = 0, left_aside.reasons_text()
        if corpus is not None:
            short, notes = corpus.short, [*notes, *corpus.notes(), *_much(named, decision)]
    counts = {
        "read": report.read,
        "kept": decision.count(KEPT),
        "dropped_exact": decision.count(EXACT),
        "dropped_near": decision.count(NEAR),
        "skipped": report.left_out,
        "too_short": short,
        "undated": given.undated,
    }
    if arguments.against:
        counts["against"] = others
        counts["dropped_against"] = int((decision.keepers < 0).sum())
    print(
        *_summary(arguments, counts, report, notes),
        sep="\n",
        file=sys.stdout if arguments.json else sys.stderr,
    )
    return 0


def _replayed(path: str, given: Sources) -> Decision:
    """Return what a report says of the documents. Raises ValueError where it is of others."""
    dropped = dict[tuple[str, int], dict[str, Any]]()
    with open(path, encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            try:
                row = json.loads(line)
                if row["kind"] in KINDS[EXACT:]:
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


def _against(arguments: argparse.Namespace) -> Against:
    fields = Fields(id=arguments.field_id, text=arguments.field_text)
    return Against(arguments.against, inputs.Options(fields=fields))


def _work(outputs: Sequence[Output]) -> Path | None:
    """Return the name beside which temporary files lie. It is not that of an output, as opening one
    removes what lies beside it.
    """
    path = outputs[0].path if outputs else None
    return path and path.with_name(f"{path.name}.work")


def _is_folder(output: str) -> bool:
    return os.path.isdir(output) or output.endswith(("/", os.sep))


def _targets(arguments: argparse.Namespace, sources: list[str]) -> list[tuple[str, list[str]]]:
    """Return the files that are written, each with the sources that it is of."""
    output = arguments.output
    if output is None:
        return []
    if not _is_folder(output):
        return [(output, sources)]
    if STDIN in sources:
        raise ValueError(f"{output}: standard input has no name for a file in this folder")
    names = Counter(os.path.basename(source) for source in sources)
    name, count = names.most_common(1)[0]
    if count > 1:
        raise ValueError(
            f"{output}: {count} sources have the name {name}; give one file as the output, or "
            "sources of different names"
        )
    os.makedirs(output, exist_ok=True)
    return [(os.path.join(output, os.path.basename(one)), [one]) for one in sources]


def _report(arguments: argparse.Namespace) -> contextlib.AbstractContextManager[RowsOut]:
    spares = [*arguments.source, *arguments.against]
    spares += [arguments.output] if arguments.output is not None else []
    return rows_out(
        arguments.report, LISTED, others=spares, what="the report", force=arguments.force
    )


def _check(arguments: argparse.Namespace, sources: list[str]) -> None:
    """Check the arguments. Raises ValueError, SourceError."""
    if arguments.dry_run and arguments.output is not None:
        raise ValueError("--dry-run writes no output; omit -o, or --dry-run")
    if not arguments.dry_run and arguments.output is None:
        raise ValueError("there is no output; give -o OUT, or --dry-run for the report alone")
    if arguments.replay is not None and (arguments.against or arguments.report is not None):
        raise ValueError("--replay takes what a report says; omit --against and --report")
    check_stdout_once(output=arguments.output, report=arguments.report, json=arguments.json)
    chosen(DedupOptions, arguments)
    if (arguments.keep == "newest") != (arguments.field_date is not None):
        raise ValueError(
            "--keep newest and --date FIELD go together: the newest is told by that field"
        )
    if STDIN in sources and is_table(STDIN):
        raise SourceError(
            "standard input", "rows of a table are read twice; give the table as a file"
        )


def _kind(arguments: argparse.Namespace, target: str, sources: list[str]) -> Kind:
    """Return the kind of an output. Raises ValueError where it cannot hold the sources."""
    form, text = form_of(target), arguments.field_text or "text"
    tables = [source for source in sources if is_table(source)]
    if not tables:
        if not is_stdio(target) and not packing(target):
            check_line_name(target, "the output")
        made = documents_of(text)
    elif len(tables) < len(sources):
        raise ValueError(
            f"{target}: some sources are tables, as {tables[0]}, and some are JSON Lines; give a "
            "folder as the output, for a file of each"
        )
    elif form not in TABLES and not is_stdio(target):
        raise ValueError(
            f"{target}: rows of {tables[0]} are passed through; give a name that ends in .parquet, "
            ".arrow or .arrows"
        )
    else:
        made = table_of(form, text)

    def is_own(path: Path) -> bool:
        """Return whether a file is a source, or of the kind of the output."""
        same = any(is_file(source) and os.path.samefile(source, path) for source in sources)
        return same or made.is_own(path)

    return replace(made, is_own=is_own)


def _list(named: Callable[[int], Named], decision: Decision, out: RowsOut) -> None:
    clusters = dict[int, int]()
    for document in np.flatnonzero(decision.verdicts != KEPT).tolist():
        kept = int(decision.keepers[document])
        own, other = named(document), named(kept)
        _write(
            out,
            id=own.id,
            source=own.source,
            line=own.line,
            kept=other.id,
            kept_source=other.source,
            kept_line=other.line,
            cluster=clusters.setdefault(kept, len(clusters) + 1),
            kind=KINDS[decision.verdicts[document]],
            similarity=float(decision.similarities[document]),
        )


def _much(named: Callable[[int], Named], decision: Decision) -> list[str]:
    """Show some pairs if so many documents are dropped that a person should check them."""
    gone = np.flatnonzero(decision.verdicts == NEAR)
    if len(gone) <= MUCH * len(decision.verdicts):
        return []
    some = gone[np.linspace(0, len(gone) - 1, num=SHOWN, dtype=np.int64)]
    lines = [
        f"{len(gone) / len(decision.verdicts):.0%} of all documents went as near-duplicates; look "
        "at some of them, and raise --min-similarity if they should have stayed:"
    ]
    for document in dict.fromkeys(some.tolist()):
        own, kept = named(document), named(int(decision.keepers[document]))
        similarity = decision.similarities[document]
        lines.append(f"  {_place(own)} went for {_place(kept)}, similarity {similarity:.2f}")
    return lines


def _place(named: Named) -> str:
    return f"{named.id!r} ({f'line {named.line}' if named.line else named.source})"


def _summary(
    arguments: argparse.Namespace, counts: dict[str, int], report: Tally, notes: list[str]
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
        f"{arguments.output or 'nothing is written'}: "
        + ", ".join(f"{counts[name]:,} {name.replace('_', ' ')}" for name in names)
    ]
    if "against" in counts:
        lines.append(
            f"{counts['dropped_against']:,} of the dropped ones went for one of the "
            f"{counts['against']:,} documents of --against"
        )
    lines += [*report.notes, *report.reasons_text()]
    lines += notes
    if counts["undated"]:
        lines.append(
            f"{have(counts['undated'], 'document')} no date in the field "
            f"{arguments.field_date!r}: they count as the oldest"
        )
    return lines
