"""Write training data without the documents that contain test items, or with these marked."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import asdict

import numpy as np
from pocketindex.builder import inputs
from pocketindex.builder.collections.contained import LEAST_WORDS, ContainedItems
from pocketindex.builder.collections.findings import Finding
from pocketindex.builder.collections.keep import Preferences
from pocketindex.builder.collections.passing.folders import expanded
from pocketindex.builder.collections.passing.listing import Listing
from pocketindex.builder.collections.passing.outputs import Outputs
from pocketindex.builder.collections.passing.sources import Sources
from pocketindex.builder.commands.arguments.records import add_report_argument
from pocketindex.builder.commands.findings import EVIDENCE
from pocketindex.builder.document import Document
from pocketindex.builder.inputs.fields import Fields
from pocketindex.builder.inputs.options import OF_SOURCE
from pocketindex.builder.out.rows import Types, rows_out
from pocketindex.builder.progress import Progress
from pocketindex.builder.spill.output import check_stdout_once
from pocketindex.builder.spill.threads import Each
from pocketindex.builder.tally import NoDocument
from pocketindex.wording.counted import counted, were

# What the report says of an item that a document contains, beside the kind.
CONTAINED = ("coverage", "passage", "passages")
LISTED: Types = {
    "place": "string",
    "id": "string",
    "source": "string",
    "line": "int64",
    "item": "string",
    "item_line": "int64",
    "kind": "string",
    **{name: EVIDENCE[name] for name in CONTAINED},
    "reason": "string",
    "detail": "string",
}


def add_clean_arguments(parser: argparse.ArgumentParser) -> None:
    """Add --clean, --mark and --report."""
    parser.add_argument(
        "--clean",
        nargs="+",
        action="extend",
        default=[],
        metavar="TRAIN",
        type=inputs.located,
        help="write TRAIN (JSON Lines, Parquet or Arrow) to --output without the documents that "
        "contain an item; files, folders, patterns, or - for stdin",
    )
    parser.add_argument(
        "--mark",
        metavar="FIELD",
        help="with --clean, keep all documents, and name the items that one contains in this field",
    )
    add_report_argument(parser)


def check_clean_arguments(arguments: argparse.Namespace) -> None:
    """Raise ValueError for arguments that do not go together."""
    for name in () if arguments.clean else ("mark", "report"):
        if getattr(arguments, name) is not None:
            raise ValueError(f"--{name} is of training data that are cleaned; give --clean TRAIN")
    if not arguments.clean:
        if not arguments.files:
            raise ValueError(
                "there is nothing in which the items are looked for; give a FILE.pocket before "
                "TESTSET, or --clean TRAIN"
            )
        return
    if arguments.output is None and arguments.report is None:
        raise ValueError("--clean has no output; give -o OUT, or --report FILE to change nothing")
    if arguments.mark is not None and arguments.output is None:
        raise ValueError("--mark has no output; give -o OUT")
    rows = arguments.json or arguments.csv
    check_stdout_once(output=arguments.output, report=arguments.report, json=rows)


class Cleaning:
    """A run that cleans training data. Its outputs are opened at once, and replace what was there
    at the end of the stack's block. Raises ValueError, SourceError, OSError.
    """

    def __init__(
        self, arguments: argparse.Namespace, read: Sequence[str], stack: ExitStack, top: int
    ) -> None:
        self._arguments, self._stack, self._top = arguments, stack, top
        self._sources, self._left_aside = expanded(arguments.clean, arguments.source_encoding)
        own = arguments.source_text
        self._outputs = stack.enter_context(
            Outputs(arguments.output, self._sources, own, spares=read, force=arguments.force)
        )
        listing = None
        if arguments.report is not None:
            spares = [*read, *self._sources]
            spares += [arguments.output] if arguments.output is not None else []
            listing = stack.enter_context(
                rows_out(
                    arguments.report,
                    LISTED,
                    others=spares,
                    what="the report",
                    force=arguments.force,
                )
            )
        self._report = Listing(listing, LISTED, arguments.strict)
        self._dirty = self._kept = 0

    def clean(self, items: Sequence[tuple[int, Document]], each: Each, progress: Progress) -> None:
        """Look for the numbered items in all documents, and write the output."""
        arguments, report = self._arguments, self._report
        own = {"id": arguments.source_id, "text": arguments.source_text}
        fields = Fields(**own, marks=False, prefix=OF_SOURCE)
        self._given = given = Sources(
            self._sources,
            self._outputs.folder,
            Preferences("first"),
            fields,
            arguments.mark,
            arguments.max_memory,
            self._outputs.is_table,
            arguments.source_encoding,
        )
        self.found = self._stack.enter_context(
            ContainedItems([item.text for _, item in items], self._top, each)
        )
        marks = dict[int, list[str]]()
        count = 0
        for document, contained in enumerate(self.found.look(given.documents(report, progress))):
            progress.add()
            count += 1
            if contained:
                marks[document] = [items[number][1].id for number, _ in contained]
            for number, one in contained:
                named, (line, item) = given.named(document), items[number]
                report.write(
                    id=named.id,
                    source=named.source,
                    line=named.line,
                    item=item.id,
                    item_line=line,
                    kind=one.kind,
                    **{name: asdict(one)[name] for name in CONTAINED},
                )
        if not count:
            raise NoDocument(report.report(), self._sources, fields)
        report.check_bad(self._sources, arguments.keep_going, fields)
        stays = np.ones(count, bool)
        if arguments.mark is None:
            stays[list(marks)] = False
        self._dirty, self._kept = len(marks), int(stays.sum())
        self._outputs.write(given, stays, progress, lambda document: marks.get(document, []))

    def finding(self, item: int) -> Finding:
        """Return the finding for an item: the documents of the training data that contain it."""
        return self.found.finding(item, lambda document: self._given.named(document).source)

    def summary(self) -> list[str]:
        """Return lines that say how many documents were dropped or marked, and what was not
        searched for.
        """
        report, some = self._report, sum(map(bool, self.found.counts))
        done = "marked" if self._arguments.mark is not None else "dropped"
        lines = [
            f"{self._arguments.output or 'nothing is written'}: {report.read:,} read, "
            f"{self._kept:,} kept, {self._dirty:,} {done}, {report.left_out:,} skipped; the {done} "
            f"ones contain {some:,} of {counted(len(self.found.counts), 'item')}"
        ]
        if short := len(self.found.too_short):
            lines.append(
                f"{were(short, 'item')} not looked for in the training data, because of having "
                f"fewer than {LEAST_WORDS} words"
            )
        lines += [*self._left_aside, *self._given.notes]
        return [*lines, *report.notes, *report.reasons_text()]
