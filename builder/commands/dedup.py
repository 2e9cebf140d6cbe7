"""Write a collection without its near-duplicates."""

from __future__ import annotations

import argparse
import contextlib
import sys

import numpy as np
import pocketindex
from pocketindex.builder import inputs
from pocketindex.builder.collections.dedup import EXACT, KEPT, NEAR, decide, samples
from pocketindex.builder.collections.keep import Preferences
from pocketindex.builder.collections.measures import corpus_of
from pocketindex.builder.collections.options import CONTAINMENT, JACCARD, DedupOptions
from pocketindex.builder.collections.passing.against import Against
from pocketindex.builder.collections.passing.folders import expanded
from pocketindex.builder.collections.passing.listing import Listing
from pocketindex.builder.collections.passing.named import Named
from pocketindex.builder.collections.passing.outputs import Outputs
from pocketindex.builder.collections.passing.sources import Sources, is_table
from pocketindex.builder.collections.replay import replayed
from pocketindex.builder.collections.shingles.corpus import ShingleCorpus
from pocketindex.builder.collections.shingles.saved import SAVED
from pocketindex.builder.commands.arguments.records import (
    add_bad_record_arguments,
    add_force_argument,
    add_report_argument,
    add_resume_argument,
)
from pocketindex.builder.commands.arguments.sources import (
    add_encoding_argument,
    add_field_arguments,
)
from pocketindex.builder.commands.arguments.work import add_work_arguments
from pocketindex.builder.commands.removals import (
    LISTED,
    list_removals,
    placed,
    summary,
)
from pocketindex.builder.inputs.fields import FieldNames, Fields
from pocketindex.builder.inputs.source import STDIN, SourceError, check_stdin_once
from pocketindex.builder.out.rows import RowsOut, rows_out
from pocketindex.builder.passes.reading import state_of
from pocketindex.builder.progress import Progress
from pocketindex.builder.settings import Settings
from pocketindex.builder.spill.folder import work_folder
from pocketindex.builder.spill.journal import Entry
from pocketindex.builder.spill.output import Output, check_stdout_once
from pocketindex.builder.tally import NoDocument
from pocketindex.flags import add_options, chosen
from pocketindex.options import options_of

EXAMPLES = """\
examples:
  pocketindex dedup docs.jsonl.gz -o unique.jsonl
  pocketindex dedup docs.jsonl.zst -o unique.jsonl --min-similarity .9 --keep longest --report \\
      dropped.jsonl
  pocketindex dedup docs.parquet -o unique.parquet
  pocketindex dedup docs.jsonl.zst -o unique.parquet
  pocketindex dedup news.jsonl mine.jsonl.gz -o unique.jsonl.gz --against docs.jsonl.gz
  pocketindex dedup docs.jsonl.gz -o unique.jsonl --save-shingles docs.shingles
  pocketindex dedup news.jsonl -o unique.jsonl --against docs.shingles
  pocketindex dedup news.jsonl -o unique.jsonl --keep newest --date published
  pocketindex dedup news.jsonl -o unique.jsonl --prefer published:least

A source is a file of JSON Lines, compressed or not, or - for standard input. Each line is a
document, and lines that are kept are written byte for byte, in their order; the records of a JSON
array become lines, and lines of another encoding are written in UTF-8. A source may also be Parquet
or Arrow: its rows are kept with all columns. Both keep their codec (a Parquet file that of its
first column), and Parquet the size of its row groups. If the suffix of OUT names another format,
lines become rows or rows become lines, with all fields and their types. A folder stands for the
files of these formats in it and in its folders; others are left out, and named at the end. All
sources are deduplicated as one collection. If OUT is a folder, it gets a file for each source, in
the source's format; if two sources have the same name, they keep their folders, too.

Documents are considered one after the other, in the order of the sources, or of --keep or --prefer.
A document is kept unless it is a near-duplicate of one that was kept before. The similarity of two
texts is the share of their word 5-grams (runs of five words) that both have (--measure jaccard;
`pairs --help-all` describes the other measures). It depends on these two texts alone, on the order
of words and on figures. Every near-duplicate is found, so deduplicating the output removes nothing.
By --measure cosine or records it may remove a few more documents, because these measures depend on
the whole collection. Texts that differ only in white space are "exact" duplicates. Lines that hold
no document are left out and counted.

For --keep newest, a date is ISO 8601 or a number of seconds since 1970; a document without one is
the oldest. The output may be one of the sources. Temporary files are made beside it, and it is only
replaced when the new file is complete.

exit codes: 0 the output is complete, even if nothing was dropped or bad lines were left out;
2 an error, and no output is written; 3 a pocket file of --against is damaged

`--help-all` shows every option and the fields of a report.
"""

COMMON = (
    "--help",
    "--help-all",
    "--output",
    "--measure",
    "--min-similarity",
    "--keep",
    "--prefer",
    "--report",
    "--against",
    "--save-shingles",
    "--dry-run",
    "--resume",
    "--replay",
    "--date",
    "--id",
    "--text",
    "--json",
)

MORE = """\
The report has a line for each document that was dropped: {"id": its id, "source": its source,
"line": its line or row there, from 1, "source_checksum": that of all documents of the source,
"kept": the id of the document that was kept for it, "kept_source": the source of that one,
"kept_line": its line there, "cluster": a number that all documents dropped for the same one have,
"kind": "exact" or "near", "similarity": ...}. If the kept document is one of --against, "kept_line"
is only known if it comes from a file of --save-shingles. Lines for what holds no document come
first: {"place": "docs.jsonl:7", "kind": "skipped", "reason": ..., "detail": ...}. A source of which
nothing was dropped has a line at the end: {"source": ..., "source_checksum": ..., "kind":
"source"}. --replay refuses a source with another checksum, and other sources.

A file that --save-shingles has written has about 8 bytes for each word. It serves --measure jaccard
and containment with any --min-similarity, in place of the documents that it was made from.

A run that was killed leaves its work in the folder OUT.work; one that ends by an error or Ctrl-C
removes it. --resume reads the sources again and continues from there; it refuses if the sources or
the options have changed.

--max-memory does not include Python and its libraries, which take about 50 MB (140 MB with Parquet
or Arrow), and some 200 bytes for each document.
"""


BY_SHINGLES = (JACCARD, CONTAINMENT)  # measures whose work can be kept in a file


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
        help="its suffix says its format: .jsonl, also .gz, .bz2, .xz or .zst; .parquet or .arrow; "
        "or a folder, for a file of each source in its own; each replaced only when whole",
    )
    parser.add_argument(
        "--against",
        metavar="SOURCE",
        action="append",
        default=[],
        type=inputs.located,
        help="also drop near-duplicates of the documents of this source, which is not written: "
        "what build takes, a pocket file that keeps its texts, or a file that --save-shingles has "
        "written; may be repeated",
    )
    parser.add_argument(
        "--save-shingles",
        metavar="FILE",
        help="also write the 5-grams of the documents that are kept, which --against of a later "
        "dedup takes in place of these documents",
    )
    parser.add_argument(
        "--dry-run", action="store_true", help="compare and report, but write no output"
    )
    parser.add_argument(
        "--replay",
        metavar="REPORT",
        help="compare nothing, and drop the documents that a report of --report lists, which was "
        "made from the same sources",
    )
    add_options(parser, options_of(DedupOptions).values())
    add_report_argument(parser)
    add_force_argument(parser)
    add_bad_record_arguments(parser)
    add_resume_argument(parser)
    parser.add_argument("--json", action="store_true", help="the counts as one JSON object")
    add_encoding_argument(parser)
    add_field_arguments(parser, "lines", ("id", "text", "date"))
    add_work_arguments(parser)


def run(arguments: argparse.Namespace) -> int:
    sources, left_aside = expanded(arguments.source, arguments.encoding)
    arguments.source = sources  # of a pattern the files, which no report may replace
    _check(arguments, sources)
    with contextlib.ExitStack() as stack:
        progress = stack.enter_context(Progress(form=arguments.progress))
        outputs = stack.enter_context(
            Outputs(
                arguments.output,
                sources,
                arguments.field_text,
                spares=arguments.against,  # the output may replace a source, but has none of these
                force=arguments.force,
            )
        )
        listing = stack.enter_context(_report(arguments)) if arguments.report is not None else None
        saving = stack.enter_context(_saving(arguments)) if arguments.save_shingles else None
        report = Listing(listing, LISTED, arguments.strict)
        how = chosen(DedupOptions, arguments)
        preferences = Preferences(how.keep, how.prefer, arguments.field_date)
        fields = Fields(
            id=arguments.field_id,
            text=arguments.field_text,
            date=preferences.field,
            marks=False,
            dated_by="date" if how.prefer is None else "prefer",
        )
        given = Sources(
            sources,
            outputs.folder,
            preferences,
            fields,
            memory=arguments.max_memory,
            as_table=outputs.is_table,
            encoding=arguments.encoding,
        )
        against = stack.enter_context(contextlib.closing(_against(arguments, progress)))
        documents = given.documents(report, progress)
        corpus, left = None, list[str]()
        if arguments.replay is not None:
            for _ in documents:
                progress.add()
        else:
            work = None
            if outputs.path and how.measure in BY_SHINGLES:
                begin = _begin(arguments, how, sources, against)
                work = stack.enter_context(
                    work_folder(outputs.path, begin, arguments.resume, left.append)
                )
            elif arguments.resume:
                raise ValueError(
                    f"{arguments.output}: --resume needs a regular file, and this is not one; give "
                    "-o FILE"
                )
            settings = Settings(max_memory=arguments.max_memory, threads=arguments.threads)
            corpus = stack.enter_context(
                corpus_of(
                    documents,
                    outputs.folder,
                    how,
                    progress,
                    settings,
                    against if arguments.against else None,
                    work,
                )
            )
        if not len(given):
            raise NoDocument(report.report(), sources, fields)
        if arguments.against and not against.count:
            raise NoDocument(against.report(), arguments.against)
        report.check_bad(sources, arguments.keep_going, fields)
        if corpus is None:
            decision = replayed(arguments.replay, LISTED, given)
        else:
            how.check_known(preferences, given.there)
            preferences.check_dated("--date", given.there)
            progress.phase("comparing")
            decision = decide(corpus, preferences.ranks(), len(against)).of(len(given))
        outputs.write(given, decision.stays, progress)
        if saving:
            assert isinstance(corpus, ShingleCorpus)
            progress.phase(f"writing {saving.name}")
            with saving.open() as out:
                corpus.save(out, np.flatnonzero(decision.stays), given.named)

        def named(document: int) -> Named:
            own = document < len(given)
            return given.named(document) if own else against.named(document - len(given))

        list_removals(named, decision, given.checksums(), report)
        short, hint, notes = 0, list[str](), [*left, *left_aside, *given.notes, *against.notes]
        if corpus is not None:
            short, hint = corpus.short, corpus.hint()
            notes += [*preferences.notes(), *corpus.notes()]
            notes += samples(lambda document: placed(named(document)), decision, "--min-similarity")
    counts = {
        "read": report.read,
        "kept": decision.count(KEPT),
        "dropped_exact": decision.count(EXACT),
        "dropped_near": decision.count(NEAR),
        "skipped": report.left_out,
        "too_short": short,
    }
    if how.prefer is None:
        counts["undated"] = preferences.missing
    else:
        counts["without_value"] = preferences.missing
    if arguments.against:
        counts["against"] = against.count
        counts["dropped_against"] = int((decision.keepers >= len(given)).sum())
    print(
        *summary(arguments, counts, report, hint, notes),
        sep="\n",
        file=sys.stdout if arguments.json else sys.stderr,
    )
    return 0


def _deciding(arguments: argparse.Namespace) -> list[str]:
    """Return the flags that decide which documents are dropped, and of the report on it, where they
    are not what they are by default.
    """
    how, options = chosen(DedupOptions, arguments), options_of(DedupOptions)
    found = {one.flag: getattr(how, name) != one.default for name, one in options.items()}
    found["--date"] = arguments.field_date is not None
    found["--against"] = bool(arguments.against)
    found["--report"] = arguments.report is not None
    return [flag for flag, is_there in found.items() if is_there]


def _begin(
    arguments: argparse.Namespace, how: DedupOptions, sources: list[str], against: Against
) -> Entry:
    """Return what the decisions depend on, to tell whether a stopped run may go on."""
    named = {
        one.flag: getattr(arguments, one.dest or name)
        for name, one in options_of(FieldNames).items()
        if name in ("id", "text", "date")
    }
    named["--encoding"] = arguments.encoding
    named |= {one.flag: getattr(how, name) for name, one in options_of(DedupOptions).items()}
    return {
        "the version of pocketindex": pocketindex.__version__,
        **{flag: value if value is None else str(value) for flag, value in named.items()},
        **state_of([(source, None) for source in sources]),
        "what --against has": state_of(against.found),
    }


def _against(arguments: argparse.Namespace, progress: Progress) -> Against:
    fields = Fields(id=arguments.field_id, text=arguments.field_text)
    against = Against(arguments.against, inputs.Options(fields=fields), arguments.strict, progress)
    if against.saved and arguments.measure not in BY_SHINGLES:
        against.close()
        raise ValueError(
            f"{against.saved[0]} has shingles and no texts, by which --measure {arguments.measure} "
            "compares documents; give the sources of these documents"
        )
    return against


def _report(arguments: argparse.Namespace) -> contextlib.AbstractContextManager[RowsOut]:
    spares = _files(arguments, arguments.output)
    return rows_out(
        arguments.report, LISTED, others=spares, what="the report", force=arguments.force
    )


def _saving(arguments: argparse.Namespace) -> Output:
    return Output(
        arguments.save_shingles,
        SAVED,
        what="the file of --save-shingles",
        spares=_files(arguments, arguments.output, arguments.report),
        force=arguments.force,
    )


def _files(arguments: argparse.Namespace, *others: str | None) -> list[str]:
    """Return the files that are read, and others that are written."""
    return [*arguments.source, *arguments.against, *(one for one in others if one is not None)]


def _check(arguments: argparse.Namespace, sources: list[str]) -> None:
    """Check the arguments. Raises ValueError, SourceError."""
    if arguments.dry_run and arguments.output is not None:
        raise ValueError("--dry-run writes no output; omit -o, or --dry-run")
    if not arguments.dry_run and arguments.output is None:
        raise ValueError("there is no output; give -o OUT, or --dry-run for the report alone")
    if arguments.resume and arguments.measure not in BY_SHINGLES:
        raise ValueError(
            f"--resume is of --measure {' and '.join(BY_SHINGLES)}, of which a run that is stopped "
            "leaves what it has done; omit it"
        )
    if arguments.dry_run and arguments.resume:
        raise ValueError("--resume goes on to an output; omit it, or give -o OUT")
    if arguments.replay is not None and arguments.resume:
        raise ValueError("--replay compares nothing that could go on; omit --resume")
    if arguments.replay is not None and (without_effect := _deciding(arguments)):
        raise ValueError(f"--replay drops what a report says; omit {', '.join(without_effect)}")
    if arguments.save_shingles is not None:
        if arguments.measure not in BY_SHINGLES:
            raise ValueError(
                f"--save-shingles needs --measure {' or '.join(BY_SHINGLES)}, which compare "
                "5-grams; omit it"
            )
        if arguments.replay is not None:
            raise ValueError("--replay finds no 5-grams; omit --save-shingles")
        if arguments.dry_run:
            raise ValueError("--dry-run writes no output; omit it, or --save-shingles")
    check_stdin_once(
        {
            "SOURCE": sources,
            "--against": arguments.against,
            "--replay": [arguments.replay or ""],
        }
    )
    check_stdout_once(
        output=arguments.output,
        report=arguments.report,
        save_shingles=arguments.save_shingles,
        json=arguments.json,
    )
    chosen(DedupOptions, arguments)
    if (arguments.keep == "newest") != (arguments.field_date is not None):
        raise ValueError(
            "--keep newest and --date FIELD go together: the newest is told by that field"
        )
    if STDIN in sources and is_table(STDIN):
        raise SourceError(
            "standard input", "rows of a table are read twice; give the table as a file"
        )
