"""Write a collection without its near-duplicates."""

from __future__ import annotations

import argparse
import contextlib
import json
import sys
from collections.abc import Callable

import numpy as np
import pocketindex
from pocketindex.builder import inputs
from pocketindex.builder.collections.dedup import (
    EXACT,
    KEPT,
    KINDS,
    NEAR,
    Decision,
    decide,
)
from pocketindex.builder.collections.keep import Preferences
from pocketindex.builder.collections.measures import corpus_of
from pocketindex.builder.collections.options import CONTAINMENT, JACCARD, DedupOptions
from pocketindex.builder.collections.passing.against import Against
from pocketindex.builder.collections.passing.listing import Listing
from pocketindex.builder.collections.passing.named import Named
from pocketindex.builder.collections.passing.outputs import Outputs
from pocketindex.builder.collections.passing.sources import Sources, expanded, is_table
from pocketindex.builder.collections.replay import replayed
from pocketindex.builder.commands.arguments.records import (
    add_force_argument,
    add_keep_going_argument,
    add_report_argument,
    add_resume_argument,
)
from pocketindex.builder.commands.arguments.sources import add_field_arguments
from pocketindex.builder.commands.arguments.work import add_work_arguments
from pocketindex.builder.inputs.fields import FieldNames, Fields
from pocketindex.builder.inputs.source import STDIN, SourceError
from pocketindex.builder.out.rows import RowsOut, Types, rows_out
from pocketindex.builder.passes.reading import state_of
from pocketindex.builder.progress import Progress
from pocketindex.builder.settings import Settings
from pocketindex.builder.spill.folder import work_folder
from pocketindex.builder.spill.journal import Entry
from pocketindex.builder.spill.output import check_stdout_once
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
  pocketindex dedup docs.jsonl.zst -o unique.parquet
  pocketindex dedup news.jsonl mine.jsonl.gz -o unique.jsonl.gz --against docs.jsonl.gz
  pocketindex dedup news.jsonl -o unique.jsonl --keep newest --date published
  pocketindex dedup news.jsonl -o unique.jsonl --prefer published:least

Sources are JSON Lines with a text each, packed or not (- is standard input); lines that stay are
passed through byte for byte, in their order. Or they are Parquet or Arrow, of which rows are passed
through with all of their columns; "line" is the row, from 1. Parquet keeps its codec and the size
of its row groups. Where the suffix of OUT names another format, lines become rows and rows lines,
with all fields and their types. All sources are one collection. A folder as OUT gets a file of
each, packed as it was. Documents are taken as
--keep or --prefer has them: a document is kept unless it is a near-duplicate of one kept before.
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
    "--prefer",
    "--report",
    "--against",
    "--dry-run",
    "--resume",
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


RESUMED = (JACCARD, CONTAINMENT)  # measures whose work is kept where a run is stopped
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
    add_report_argument(parser)
    add_force_argument(parser)
    add_keep_going_argument(parser)
    add_resume_argument(parser)
    parser.add_argument("--json", action="store_true", help="the counts as one JSON object")
    add_field_arguments(parser, "lines", ("id", "text", "date"))
    add_work_arguments(parser)


def run(arguments: argparse.Namespace) -> int:
    sources = expanded(arguments.source)
    _check(arguments, sources)
    with contextlib.ExitStack() as stack:
        progress = stack.enter_context(Progress(form=arguments.progress))
        outputs = stack.enter_context(
            Outputs(arguments.output, sources, arguments.field_text, force=arguments.force)
        )
        listing = stack.enter_context(_report(arguments)) if arguments.report is not None else None
        report, left_aside = Listing(listing, LISTED), Tally()
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
        )
        against = stack.enter_context(contextlib.closing(_against(arguments, left_aside, progress)))
        documents = given.documents(report, progress)
        corpus, left = None, list[str]()
        if arguments.replay is not None:
            for _ in documents:
                progress.add()
        else:
            work = None
            if outputs.path and how.measure in RESUMED:
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
            raise NoDocument(report.report(), sources)
        report.check_bad(sources, arguments.keep_going)
        if corpus is None:
            decision = replayed(arguments.replay, given)
        else:
            how.check_known(preferences, given.there)
            progress.phase("comparing")
            decision = decide(corpus, preferences.ranks(), len(against)).of(len(given))
        outputs.write(given, decision.stays, progress)

        def named(document: int) -> Named:
            own = document < len(given)
            return given.named(document) if own else against.named(document - len(given))

        _list(named, decision, report)
        short, hint, notes = 0, list[str](), [*left, *given.notes, *left_aside.reasons_text()]
        if corpus is not None:
            short, hint = corpus.short, corpus.hint()
            notes = [*notes, *preferences.notes(), *corpus.notes(), *_much(named, decision)]
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
        *_summary(arguments, counts, report, hint, notes),
        sep="\n",
        file=sys.stdout if arguments.json else sys.stderr,
    )
    return 0


def _begin(
    arguments: argparse.Namespace, how: DedupOptions, sources: list[str], against: Against
) -> Entry:
    """Return what the decisions depend on, to tell whether a stopped run may go on."""
    named = {
        one.flag: getattr(arguments, one.dest or name)
        for name, one in options_of(FieldNames).items()
        if name in ("id", "text", "date")
    }
    named |= {one.flag: getattr(how, name) for name, one in options_of(DedupOptions).items()}
    return {
        "the version of pocketindex": pocketindex.__version__,
        **{flag: value if value is None else str(value) for flag, value in named.items()},
        **state_of([(source, None) for source in sources]),
        "what --against has": state_of(against.found),
    }


def _against(arguments: argparse.Namespace, report: Tally, progress: Progress) -> Against:
    fields = Fields(id=arguments.field_id, text=arguments.field_text)
    return Against(arguments.against, inputs.Options(fields=fields), report, progress)


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
    if arguments.resume and arguments.measure not in RESUMED:
        raise ValueError(
            f"--resume is of --measure {' and '.join(RESUMED)}, of which a run that is stopped "
            "leaves what it has done; omit it"
        )
    if arguments.dry_run and arguments.resume:
        raise ValueError("--resume goes on to an output; omit it, or give -o OUT")
    if arguments.replay is not None and arguments.resume:
        raise ValueError("--replay compares nothing that could go on; omit --resume")
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


def _list(named: Callable[[int], Named], decision: Decision, out: Listing) -> None:
    clusters = dict[int, int]()
    for document in np.flatnonzero(decision.verdicts != KEPT).tolist():
        kept = int(decision.keepers[document])
        own, other = named(document), named(kept)
        out.write(
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
    """Show some of the pairs if the share of dropped documents is so large that a person should
    check them.
    """
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
    arguments: argparse.Namespace,
    counts: dict[str, int],
    report: Tally,
    hint: list[str],
    notes: list[str],
) -> list[str]:
    if arguments.json:
        return [
            json.dumps(
                {
                    "output": arguments.output,
                    **counts,
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
