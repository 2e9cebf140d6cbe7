"""Turn a collection of documents into a pocket file."""

from __future__ import annotations

import argparse
import json
import sys

from pocketindex.arguments import is_file
from pocketindex.builder.build import build
from pocketindex.builder.out.implied import implied_name
from pocketindex.builder.progress import Progress
from pocketindex.builder.report import Report
from pocketindex.builder.schemes import SCHEMES
from pocketindex.builder.settings import DEFAULTS, Settings, check_url_template
from pocketindex.builder.verbs.arguments.records import (
    add_keys_per_part_argument,
    add_record_arguments,
    add_resume_argument,
    settings,
)
from pocketindex.builder.verbs.arguments.schemes import add_scheme_arguments, scheme_settings
from pocketindex.builder.verbs.arguments.sources import add_source_arguments
from pocketindex.builder.verbs.arguments.work import add_work_arguments
from pocketindex.builder.work.output import check_stdout_once
from pocketindex.builder.write.perfect_hash import MPHS
from pocketindex.contents.texts import KEPT
from pocketindex.index import open as open_index
from pocketindex.wording.counted import counted
from pocketindex.wording.snippet import CHARACTERS

EXAMPLES = """\
examples:
  pocketindex build docs.jsonl.gz -o docs.pocket
  pocketindex build notes/ -o notes.pocket --profile de
  pocketindex build 'news/*.parquet' -o news.pocket --id url --text body --title headline

`--help-all` shows every option, more examples, and what can be a SOURCE.
"""

COMMON = (
    "--index",
    "--help",
    "--help-all",
    "--output",
    "--format",
    "--id",
    "--title",
    "--text",
    "--profile",
    "--shape",
    "--keep",
    "--titles",
    "--resume",
    "--measure",
    "--json",
)

MORE = """\
more examples:
  zcat docs.csv.gz | pocketindex build - --format csv -o docs.pocket
  pocketindex build docs.jsonl.gz -o - | ssh host 'cat > docs.pocket'
  pocketindex build docs.jsonl.gz -o docs.pocket --shape small
  pocketindex build docs.jsonl.gz -o docs.pocket --refuse-shrink --skipped skipped.jsonl
  pocketindex build docs.jsonl.gz -o docs.pocket --measure
  pocketindex build docs.jsonl.gz -o docs.pocket --keep text
  pocketindex build docs.jsonl.gz -o docs.pocket --shared-bits 128
  pocketindex build posts.jsonl -o posts.pocket --label topics
  pocketindex build wiki.jsonl.zst -o wiki.pocket \\
      --url-template 'https://simple.wikipedia.org/wiki/{title}'
  pocketindex build simplewiki-latest-pages-articles-multistream.xml.bz2 -o wiki.pocket \\
      --drop tables,references
  pocketindex build pydoc: -o python.pocket --keys-per-part 2000

sources:
  jsonl                      JSON Lines, or a JSON array of objects, with a text and optional id,
                             title, url, lang
  csv, tsv                   with a first row of names
  parquet                    Parquet, Arrow, Feather; pocketindex[parquet]
  folder                     of .txt, .md, .html, .epub, .pdf, .docx and similar files
  tar, zip                   archives of such files, also in folders; not unpacked
  text, markdown, html, pdf  one file; pocketindex[html], pocketindex[pdf]
  docx, pptx, odt, rtf       a document or a presentation; pocketindex[office], except for rtf
  warc                       the pages and texts of a crawl; pocketindex[warc]
  zim                        the articles and texts of a ZIM file; pocketindex[zim]
  mediawiki                  an XML dump: its articles by page id; pocketindex[wiki]
  pydoc:                     the documentation of the running Python

  The format is found by the name or the first bytes, or named with --format. What is read line by
  line or in one pass (jsonl, csv, tsv, tar, warc, mediawiki) may be packed as .gz, .bz2, .xz or
  .zst. - is standard input: its first bytes tell its format, or else it is JSON Lines. Patterns
  such as 'data/**/*.md' may be quoted. Several sources are read in order; if documents have the
  same id, the first is kept. A record without an id gets the number of its line or row as its id,
  and the report says so. A bad record is left out and counted with its reason (with --strict it is
  an error; --skipped FILE.jsonl lists all of them). Files of other kinds in a folder are counted
  by suffix. Bytes that are not UTF-8 are reported with their place; --encoding names another
  encoding. A source that is cut short or damaged is an error, unless --keep-going keeps what was
  read of it. A build without a document is an error, too. After an error the old file is unchanged.

large collections:
  What does not fit into --max-memory goes to the folder FILE.pocket.work. It needs about as much
  room as the texts. It is gone when the build ends, whatever the end. Only a build that is killed
  leaves it behind: the same command with --resume goes on from there.
"""

# Options that belong to a choice, and how that is given.
_OF = {
    "snippet": ("snippet", "--keep snippet"),
    "run_terms": ("passages", "--index documents,passages"),
    "run_window": ("passages", "--index documents,passages"),
    "title_weight": ("words", "--index documents,words"),
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_source_arguments(parser, labels=True)
    parser.add_argument(
        "-o",
        "--output",
        metavar="FILE.pocket",
        help="default: the SOURCE's name; - is stdout",
    )
    parser.add_argument(
        "--profile",
        default="auto",
        metavar="PROFILE",
        help="what terms weigh: auto (counted in the collection from 50 documents on), learn, en, "
        "de, or a .profile or .pocket file to "
        "share one (default auto)",
    )
    parser.add_argument(
        "--detect-language",
        action="store_true",
        help="guess that of documents which do not say it, from 200 characters on, for the choice "
        "between en and de (needs resiliparse)",
    )
    add_scheme_arguments(parser)
    parser.add_argument(
        "--mph", choices=sorted(MPHS), default="pilot", help="minimal perfect hash (default pilot)"
    )
    parser.add_argument(
        "--checksum-bits",
        type=int,
        choices=[0, 8, 16, 32],
        help="checksum of each key (default: of the shape, 16)",
    )
    parser.add_argument(
        "--identity-bits",
        type=int,
        choices=[0, 8, 16, 32],
        default=8,
        help="to tell byte-identical texts (default 8)",
    )
    parser.add_argument(
        "--shared-bits",
        type=int,
        choices=[0, 64, 128, 256],
        default=0,
        help="to tell how much text a hit shares with a query (default 0)",
    )
    add_keys_per_part_argument(parser, 60_000, "60000")
    parser.add_argument(
        "--probes",
        type=int,
        metavar="N",
        help="keys that a query looks up in each table by default (default "
        + ", ".join(f"{s.probes(s.settings(), 0)} for {name}" for name, s in SCHEMES.items())
        + ")",
    )
    parser.add_argument(
        "--keep",
        choices=list(KEPT.values()),
        default="none",
        help="of each text: nothing (default), a snippet to show, or all of it, for query "
        "--exact and get --full-text",
    )
    parser.add_argument(
        "--snippet", type=int, metavar="N", help=f"characters of a snippet (default {CHARACTERS})"
    )
    parser.add_argument(
        "--titles",
        action="store_true",
        help="titles can be looked up by their beginnings: about 9 bytes a document",
    )
    parser.add_argument(
        "--url-template",
        default="",
        metavar="URL",
        help="urls made from {id} and {title}: they cost no bytes",
    )
    parser.add_argument(
        "--index",
        type=lambda text: tuple(text.split(",")),
        default=DEFAULTS.index,
        metavar="documents[,passages][,words[:N]]",
        help="what the file answers: `query`, `sources`, `search`; words:32 has the 32 heaviest of "
        "each document (default documents)",
    )
    parser.add_argument(
        "--run-terms",
        type=int,
        metavar="N",
        help=f"terms of a run, of which passages are made (default {DEFAULTS.run_terms})",
    )
    parser.add_argument(
        "--run-window",
        type=int,
        metavar="N",
        help="of so many runs one is kept: fewer find more of an edited passage, and take more "
        f"bytes (default {DEFAULTS.run_window})",
    )
    parser.add_argument(
        "--title-weight",
        type=int,
        metavar="N",
        help="how often a word of a title counts for `search`, 0 for not at all "
        f"(default {DEFAULTS.title_weight})",
    )
    add_record_arguments(parser)
    parser.add_argument(
        "--refuse-shrink",
        action="store_true",
        help="a file of less than half of the documents of the one it would replace is an error, "
        "and the old one stays",
    )
    add_resume_argument(parser)
    add_work_arguments(parser)
    parser.add_argument(
        "--measure",
        action="store_true",
        help="ask the finished file with 1,000 of its documents and say what of their exact "
        "neighbours it finds, and how far off similarity is; decides no byte",
    )
    parser.add_argument("--json", action="store_true", help="the report as one JSON object")


def run(arguments: argparse.Namespace) -> int:
    _check(arguments)
    if arguments.output is None:
        arguments.output = implied_name(arguments.source, arguments.force)
    check_stdout_once(output=arguments.output, skipped=arguments.skipped, json=arguments.json)
    check_url_template(arguments.url_template)
    chosen = settings(
        arguments,
        scheme=arguments.scheme,
        scheme_settings=scheme_settings(arguments),
        profile=arguments.profile,
        detect_language=arguments.detect_language,
        mph=arguments.mph,
        checksum_bits=arguments.checksum_bits,
        identity_bits=arguments.identity_bits,
        shared_bits=arguments.shared_bits,
        keys_per_part=arguments.keys_per_part,
        probes=arguments.probes,
        keep=arguments.keep,
        titles=arguments.titles,
        index=arguments.index,
        **{name: value for name in _OF if (value := getattr(arguments, name)) is not None},
        url_template=arguments.url_template,
        refuse_shrink=arguments.refuse_shrink,
        measure=arguments.measure,
    )
    with Progress(form=arguments.progress) as progress:
        report = build(
            arguments.source,
            arguments.output,
            chosen,
            progress,
            arguments.resume,
            arguments.skipped,
        )
    size = report.size
    if arguments.json:
        print(
            json.dumps(
                {"output": arguments.output, "bytes": size, **report.as_dict()}, ensure_ascii=False
            )
        )
        return code(report)
    print(report.text(), file=sys.stderr)
    average = f", {size / report.indexed:.1f} a document"
    if is_file(arguments.output):
        with open_index(arguments.output) as index:
            each = index.info().bytes_per_document["look-up"]
        average += f", {each:.1f} of them for look-ups"
    print(
        f"{arguments.output}: {counted(report.indexed, 'document')}, {size:,} bytes{average}",
        file=sys.stderr,
    )
    if shape := _of_the_shape(chosen):
        print(shape, file=sys.stderr)
    print(times(report), file=sys.stderr)
    return code(report)


def _check(arguments: argparse.Namespace) -> None:
    """Raise ValueError where an option is given without what it belongs to."""
    kinds = {name.partition(":")[0] for name in arguments.index}
    there = {arguments.keep, *kinds}
    for name, (wanted, belongs) in _OF.items():
        if getattr(arguments, name) is not None and wanted not in there:
            raise ValueError(f"--{name.replace('_', '-')} goes with {belongs}")
    if arguments.detect_language and arguments.profile != "auto":
        raise ValueError(
            "--detect-language goes with --profile auto, which chooses a profile by the language"
        )


def _of_the_shape(settings: Settings) -> str:
    """Return what a named shape found elsewhere; nothing where more than the shape was chosen, or
    that is not known.
    """
    found = settings.choices.found if settings.scheme == "rff" else None
    if is_file(settings.profile):
        return ""  # its components and tables are those of the file
    chosen = (settings.checksum_bits, settings.probes, settings.identity_bits, settings.shared_bits)
    if not found or chosen != (
        DEFAULTS.checksum_bits,
        DEFAULTS.probes,
        DEFAULTS.identity_bits,
        DEFAULTS.shared_bits,
    ):
        return ""
    return f"the shape {settings.choices.shape} {found.text()}"


def times(report: Report) -> str:
    """Return where the time went."""
    phases = ", ".join(f"{phase} {seconds:.1f}" for phase, seconds in report.seconds.items())
    return (
        f"{sum(report.seconds.values()):.1f} seconds ({phases}), {report.temporary:,} bytes of "
        "temporary files"
    )


def code(report: Report) -> int:
    return 2 if report.ended else 0
