"""Bring new documents into a pocket file, and take old ones out of it."""

from __future__ import annotations

import argparse
import sys

from pocketindex.builder.changed import named_ids
from pocketindex.builder.changing.update import NothingToRemove, read_ids, update
from pocketindex.builder.commands.arguments.records import (
    add_record_arguments,
    add_resume_argument,
    settings,
)
from pocketindex.builder.commands.arguments.sources import add_source_arguments, check_read
from pocketindex.builder.commands.arguments.work import add_work_arguments
from pocketindex.builder.commands.build import code, times
from pocketindex.builder.functions.update import KeysPerPart, Update
from pocketindex.builder.inputs.source import STDIN
from pocketindex.builder.progress import Progress
from pocketindex.builder.spill.output import check_spares, check_stdout_once
from pocketindex.flags import add_options, common_flags, rare_text
from pocketindex.options import options_of
from pocketindex.wording.counted import counted

EXAMPLES = """\
examples:
  pocketindex update docs.pocket new.jsonl
  pocketindex update docs.pocket new.jsonl --remove gone.txt -o docs-2.pocket
  pocketindex update docs.pocket --remove gone.txt

A document of a SOURCE takes the place of the one that has its id. The old texts are not needed.
"""

MORE = """\
what stays as it is:
  All that depends on the whole collection: what terms weigh, the cells, the average length that
  `search` counts with, and the settings of the build. The bytes are those of
  `build --profile FILE.pocket` of the documents that stay, in the order of the file, and then the
  new ones. `pocketindex build --help-all` says what can be a SOURCE, and what --resume does.
"""


COMMON = (
    *("--help", "--help-all", "--remove", "--output", "--label", "--json"),
    *common_flags(options_of(Update).values()),
)
MORE += "\n" + rare_text(options_of(Update).values())


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE.pocket")
    add_source_arguments(parser, labels=True, needed=False)
    parser.add_argument(
        "--remove",
        metavar="IDS.txt",
        action="append",
        default=[],
        help="remove the documents whose ids are in IDS.txt, one per line (`-` reads standard "
        "input); may be repeated",
    )
    parser.add_argument(
        "--remove-id",
        metavar="ID",
        action="append",
        default=[],
        help="remove the document with this id; may be repeated",
    )
    parser.add_argument(
        "-o",
        "--output",
        metavar="NEW.pocket",
        help="the new file (default: FILE.pocket, replaced only when the new one is whole)",
    )
    add_options(parser, options_of(KeysPerPart).values())
    add_record_arguments(parser)
    add_resume_argument(parser)
    add_work_arguments(parser)
    parser.add_argument("--json", action="store_true", help="print the report as one JSON object")


def run(arguments: argparse.Namespace) -> int:
    if not (arguments.source or arguments.remove or arguments.remove_id):
        raise ValueError("give a SOURCE of new documents, or --remove IDS.txt, or both")
    if not arguments.source:
        check_read(arguments, "give one, or omit it")
    if [*arguments.source, *arguments.remove].count(STDIN) > 1:
        raise ValueError("standard input is given twice but can be read only once; give a file")
    check_stdout_once(output=arguments.output, skipped=arguments.skipped, json=arguments.json)
    ids = [id for path in arguments.remove for id in read_ids(path)] + arguments.remove_id
    if not arguments.source and not ids:
        named = ", ".join(arguments.remove)
        raise ValueError(f"{named}: there is no id in it, and no SOURCE is given")
    output = arguments.file if arguments.output is None else arguments.output
    check_spares(output, "the output", arguments.remove)
    try:
        with Progress(form=arguments.progress) as progress:
            report = update(
                arguments.file,
                arguments.source,
                ids,
                arguments.output,
                settings(arguments),
                keys_per_part=arguments.keys_per_part,
                progress=progress,
                resume=arguments.resume,
                skipped=arguments.skipped,
                spares=arguments.remove,
            )
    except NothingToRemove as nothing:
        print(f"pocketindex: {_said(nothing, arguments)}", file=sys.stderr)
        return 1
    size = report.size
    if arguments.json:
        sys.stdout.writelines(report.as_json(output=output, bytes=size))
        return code(report)
    print(report.text(), file=sys.stderr)
    assert report.changed
    count = report.indexed + report.changed.kept
    print(f"{output}: {counted(count, 'document')}, {size:,} bytes", file=sys.stderr)
    print(times(report), file=sys.stderr)
    return code(report)


def _said(nothing: NothingToRemove, arguments: argparse.Namespace) -> str:
    """Return the message for ids none of which is in the file, with the names that were typed."""
    if len(nothing.ids) == 1:
        return str(nothing)
    in_files = f" in {', '.join(arguments.remove)}" if arguments.remove else ""
    return (
        f"none of the {len(nothing.ids):,} ids{in_files} is in "
        f"{arguments.file}; nothing was written: {named_ids(nothing.ids)}"
    )
