"""Turn a collection of documents into a pocket file."""

from __future__ import annotations

import argparse
import sys

from pocketindex.arguments import is_file
from pocketindex.builder.commands.arguments.records import (
    add_record_arguments,
    add_resume_argument,
    settings,
)
from pocketindex.builder.commands.arguments.sources import add_source_arguments, formats
from pocketindex.builder.commands.arguments.work import add_work_arguments
from pocketindex.builder.functions.choices import Resumed
from pocketindex.builder.inputs.fields import FieldNames
from pocketindex.builder.inputs.options import ReadingOptions
from pocketindex.builder.options import BuildOptions, RecordOptions, WorkOptions
from pocketindex.builder.out.answers import answers
from pocketindex.builder.out.implied import implied_name
from pocketindex.builder.pipeline import build_sources
from pocketindex.builder.progress import Progress
from pocketindex.builder.report import ReportText
from pocketindex.builder.schemes import SchemeOptions
from pocketindex.builder.schemes import settings_of as scheme_settings
from pocketindex.builder.settings import DEFAULTS, Settings
from pocketindex.builder.spill.output import check_stdout_once
from pocketindex.flags import add_options, chosen, common_flags, rare_text
from pocketindex.index import open as open_index
from pocketindex.options import options_of
from pocketindex.wording.counted import counted

EXAMPLES = """\
examples:
  pocketindex build docs.jsonl.gz -o docs.pocket
  pocketindex build notes/ -o notes.pocket --profile de
  pocketindex build 'news/*.parquet' -o news.pocket --id url --text body --title headline

`--help-all` shows every option, more examples, and what can be a SOURCE.
"""

MORE = f"""\
more examples:
  zcat docs.csv.gz | pocketindex build - --format csv -o docs.pocket
  pocketindex build docs.jsonl.gz -o - | ssh host 'cat > docs.pocket'
  pocketindex build https://example.org/docs.jsonl.gz -o docs.pocket
  pocketindex build 's3://bucket/news/*.parquet' -o news.pocket
  pocketindex build docs.jsonl.gz -o docs.pocket --shape small
  pocketindex build docs.jsonl.gz -o docs.pocket --refuse-shrink --skipped skipped.jsonl
  pocketindex build docs.jsonl.gz -o docs.pocket --measure
  pocketindex build docs.jsonl.gz -o docs.pocket --keep text
  pocketindex build posts.jsonl -o posts.pocket --label topics
  pocketindex build wiki.jsonl.zst -o wiki.pocket \\
      --url-template 'https://simple.wikipedia.org/wiki/{{title}}'
  pocketindex build simplewiki-latest-pages-articles-multistream.xml.bz2 -o wiki.pocket \\
      --drop tables,references
  pocketindex build docs.jsonl.gz -o far.pocket --set keys_per_part=2000

sources:
{formats()}

  Each of these may be at an address, such as https://, s3:// or gs://, and so may a folder/ or a
  pattern: pocketindex[url], and what docs/inputs.md names.

  The format is found by the name or the first bytes, or named with --format. Every file may be
  packed as .gz, .bz2, .xz or .zst (pocketindex[zst]), a ZIM file excepted. - is standard input:
  its first bytes tell its format, or else it is JSON Lines. Patterns such as 'data/**/*.md' may
  be quoted. Several sources are read in order; if documents have the same id, the first is kept.
  A record without an id gets the number of its line or row as its id, and the report says so. A
  bad record is left out and counted with its reason (with --strict it is an error; --skipped
  FILE.jsonl lists all of them). Files of other kinds in a folder are counted by suffix. Bytes
  that are not UTF-8 are reported with their place; --encoding names another encoding. A source
  that is cut short or damaged is an error, unless --keep-going keeps what was read of it. A build
  without a document is an error, too. After an error the old file is unchanged.

large collections:
  What does not fit into --max-memory goes to the folder FILE.pocket.work. It needs about as much
  room as the texts. It is gone when the build ends, whatever the end. Only a build that is killed
  leaves it behind: the same command with --resume goes on from there.
"""

# What other commands have, too, has functions of its own.
_SHARED = {*options_of(ReadingOptions), *options_of(RecordOptions), *options_of(WorkOptions)}
_OWN = [one for name, one in options_of(BuildOptions).items() if name not in _SHARED]
COMMON = (
    *("--help", "--help-all", "--output", "--json"),
    *common_flags([*_OWN, *options_of(ReadingOptions).values(), *options_of(FieldNames).values()]),
    *common_flags([*options_of(SchemeOptions).values(), *options_of(Resumed).values()]),
)
MORE += "\n" + rare_text([*_OWN, *options_of(SchemeOptions).values()])


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_source_arguments(parser, labels=True)
    parser.add_argument(
        "-o",
        "--output",
        metavar="FILE.pocket",
        help="default: the SOURCE's name; - is stdout",
    )
    add_options(parser, _OWN)
    group = parser.add_argument_group("options of the scheme")
    add_options(group, options_of(SchemeOptions).values())
    add_record_arguments(parser)
    add_resume_argument(parser)
    add_work_arguments(parser)
    parser.add_argument("--json", action="store_true", help="print the report as one JSON object")


def run(arguments: argparse.Namespace) -> int:
    if arguments.output is None:
        arguments.output = implied_name(arguments.source, arguments.force)
    check_stdout_once(output=arguments.output, skipped=arguments.skipped, json=arguments.json)
    of_scheme = scheme_settings(arguments.scheme, chosen(SchemeOptions, arguments))
    made = settings(arguments, scheme_settings=of_scheme)
    made.check_choices(getattr(arguments, "given", ()))
    with Progress(form=arguments.progress) as progress:
        report = build_sources(
            arguments.source,
            arguments.output,
            made,
            progress,
            arguments.resume,
            arguments.skipped,
        )
    size = report.size
    if arguments.json:
        sys.stdout.writelines(report.as_json(output=arguments.output, bytes=size))
        return code(report)
    print(report.text(), file=sys.stderr)
    answered = ""
    average = f", {size / report.indexed:.1f} a document"
    if is_file(arguments.output):
        with open_index(arguments.output) as index:
            info = index.info()
            answered = answers(info.sections, index.kept)
        average += f", {info.bytes_per_document['look-up']:.1f} of them for look-ups"
    print(
        f"{arguments.output}: {counted(report.indexed, 'document')}, {size:,} bytes{average}",
        file=sys.stderr,
    )
    if shape := _of_the_shape(made):
        print(shape, file=sys.stderr)
    print(times(report), file=sys.stderr)
    if answered:
        print(answered, file=sys.stderr)
    return code(report)


def _of_the_shape(settings: Settings) -> str:
    """Return what a named shape found elsewhere; nothing where more than the shape was chosen, or
    that is not known.
    """
    found = settings.choices.found if settings.scheme == "rff" else None
    if is_file(settings.profile):
        return ""  # its components and tables are those of the file
    names = ("checksum_bits", "probes", "identity_bits")
    if not found or any(getattr(settings, name) != getattr(DEFAULTS, name) for name in names):
        return ""
    return f"the shape {settings.choices.shape} {found.text()}"


def times(report: ReportText) -> str:
    """Return where the time went."""
    phases = ", ".join(f"{phase} {seconds:.1f}" for phase, seconds in report.seconds.items())
    return (
        f"{sum(report.seconds.values()):.1f} seconds ({phases}), {report.temporary:,} bytes of "
        "temporary files"
    )


def code(report: ReportText) -> int:
    return 2 if report.ended else 0
