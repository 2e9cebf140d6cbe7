"""Make one pocket file of several."""

from __future__ import annotations

import argparse
import sys

from pocketindex.builder.changing.merge import merge
from pocketindex.builder.commands.arguments.work import add_work_arguments
from pocketindex.builder.commands.build import times
from pocketindex.builder.functions.update import MergeOptions
from pocketindex.builder.options import WorkOptions
from pocketindex.builder.progress import Progress
from pocketindex.builder.settings import Settings
from pocketindex.builder.spill.output import check_stdout_once
from pocketindex.flags import add_options, chosen, rare_text
from pocketindex.options import options_of
from pocketindex.wording.counted import counted

EXAMPLES = """\
examples:
  pocketindex merge 2024.pocket 2025.pocket -o both.pocket
  pocketindex merge *.pocket --newest -o all.pocket

Of documents with the same id, that of the last file is kept; with --newest, that of the file that
was changed last, whatever their order here. The files must have the same profile and settings:
build the second with --profile FIRST.pocket. The texts are not needed. Shingles too common
to be indexed in one of the inputs are not indexed in the result either.
"""
EXAMPLES += "\n" + rare_text(options_of(MergeOptions).values())


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("files", metavar="FILE.pocket", nargs="+")
    parser.add_argument(
        "-o",
        "--output",
        metavar="NEW.pocket",
        required=True,
        help="may be one of the files; replaced only when the new file is whole",
    )
    own = options_of(MergeOptions)
    add_options(parser, [own[name] for name in own if name not in options_of(WorkOptions)])
    add_work_arguments(parser)
    parser.add_argument("--json", action="store_true", help="print the report as one JSON object")


def run(arguments: argparse.Namespace) -> int:
    check_stdout_once(output=arguments.output, json=arguments.json)
    with Progress(form=arguments.progress) as progress:
        report = merge(
            arguments.files,
            arguments.output,
            chosen(Settings, arguments),
            newest=arguments.newest,
            refuse_replace=arguments.refuse_replace,
            keys_per_part=arguments.keys_per_part,
            progress=progress,
            resume=arguments.resume,
        )
    size, changed = report.size, report.changed
    assert changed
    count = changed.kept + changed.added + changed.replaced
    if arguments.json:
        sys.stdout.writelines(report.as_json(output=arguments.output, bytes=size, documents=count))
        return 0
    lines = [*report.notes, changed.text()]
    lines.append(f"{arguments.output}: {counted(count, 'document')}, {size:,} bytes")
    print("\n".join([*lines, times(report)]), file=sys.stderr)
    return 0
