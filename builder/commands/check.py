"""Tell which items of a test set are, whole or in part, in a collection."""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import nullcontext
from dataclasses import asdict, replace
from typing import Any

from pocketindex.arguments import is_stdio
from pocketindex.builder import inputs
from pocketindex.builder.collections.contamination import Checker
from pocketindex.builder.collections.findings import (
    COPY,
    KEPT,
    METHODS,
    NOT_FOUND,
    PARTS,
    PASSAGE,
    SHINGLES,
    SKETCHES,
    SOURCE,
    VERDICTS,
    Evidence,
    Finding,
)
from pocketindex.builder.collections.options import CheckOptions
from pocketindex.builder.commands.arguments.items import items
from pocketindex.builder.commands.arguments.records import (
    add_force_argument,
    add_keep_going_argument,
)
from pocketindex.builder.commands.arguments.sources import (
    add_css_arguments,
    add_drop_argument,
    add_field_arguments,
    add_format_arguments,
    add_links_argument,
    options,
)
from pocketindex.builder.commands.arguments.work import add_work_arguments
from pocketindex.builder.document import Document
from pocketindex.builder.functions.check import EVIDENCE
from pocketindex.builder.functions.checking import checked, missed_note
from pocketindex.builder.inputs.source import STDIN
from pocketindex.builder.out.rows import Types, form_of, rows_out
from pocketindex.builder.progress import Progress
from pocketindex.builder.report import NoDocument, Report
from pocketindex.builder.settings import Settings
from pocketindex.builder.spill.threads import Threads
from pocketindex.commands.rows import add_row_arguments
from pocketindex.commands.shards import add_shard_arguments, opened
from pocketindex.flags import add_options, chosen, given
from pocketindex.options import options_of
from pocketindex.streams import printable
from pocketindex.wording.counted import counted, were
from pocketindex.wording.snippet import snippet

EXAMPLES = """\
examples:
  pocketindex check train.pocket test.jsonl
  pocketindex check train.pocket test.jsonl --source train.jsonl.zst --fail-on passage
  pocketindex check crawl-1.pocket crawl-2.pocket test.jsonl.gz --json > findings.jsonl
  pocketindex check train.pocket quiz.parquet --text question -o findings.parquet

Items are what build takes as a SOURCE (- is standard input). An item without an id gets the number
of its line, of its row in Parquet and Arrow, or of its place in a JSON array as its id.
Verdicts, the first that holds:
  copy       a document is byte for byte the item; without its text, as far as equal sketches and
             the file's identity bits tell
  near       a document is at cosine --min-similarity or more to the whole item; without its text,
             by the estimate from its sketch. If the estimate is close to the threshold and the
             index has passages, the shared passages decide: they have to be three tenths of the
             item, and to say as much as three rare shingles, of four words that no other document
             has
  passage    documents share shingles of --run terms with the item; coverage is the share of its
             terms in such shingles, of all documents together. By the passages of a file, documents
             have four fifths of the item, or 70 words of it or more. These say half as much as a
             copy of rare shingles would, or more. Or they say as much as twelve rare shingles,
             however much lies between, or as four in a part of the item that a document's sketch is
             so similar to. By sketches alone there is such a part, and coverage is of words
  not found  none of these, by the methods that are named
"""
COMMON = (
    "--help",
    "--help-all",
    "--source",
    "--fail-on",
    "--min-similarity",
    "--json",
    "--csv",
    "--output",
    "--id",
    "--text",
)

MORE = """\
How an item is looked for ("looked"), and what each method can miss:
  sketches           of whole documents, beside the whole item: misses an item that is a small part
                     of a document, or shares less than --min-similarity with it; not for an item of
                     too few terms
  sketches of parts  beside the item's paragraphs, or windows of --window words: of an item of
                     several paragraphs of 50 words or more, or of 200 words. Misses what is a small
                     part of its document, or less than a paragraph of the item
  passages           where a file has them (build --index documents,passages): misses what has few
                     words in a row unchanged, and what more than 50 documents have, or a dozen
                     where it is a small part of the item. Two sentences of a form are no passage:
                     `sources` names those, too
  kept texts         where a file keeps its texts (build --keep text): those of documents that
                     sketches and passages propose, for the cosine and the shingles. Misses what
                     these do not propose
  source             with --source, what the file was built from: every document, for equal texts
                     and for shingles. Finds each shingle of --run terms; misses what has none
                     (every tenth word replaced, say, or a translation), and items of fewer terms
A --source is read once, or more often where the items do not fit into --max-memory. --format and
--encoding are of the TESTSET, --source-format and --source-encoding of each --source. --select,
--exclude, --drop, --add and --follow-links hold for both.

With --csv a row for each document of an item. With --json a line an item: {"id": ..., "line": ...,
"verdict": ..., "coverage": ..., "looked": [...], "evidence": [{"kind", "id", "title", "url",
"file", and what is known of "similarity" (of the sketches), "cosine", "coverage", "passage" (the
longest)}]}.

exit codes: 0 all items were looked for, 1 an item has the verdict of --fail-on or a stronger one, 2
a line was no item, or another error, 3 a FILE.pocket is damaged or no pocket file
"""

FOUND: Types = {
    "id": "string",
    "line": "int64",
    "verdict": "string",
    "coverage": "double",
    "looked": ["string"],
    "evidence": [dict(EVIDENCE)],
}
FLAT: Types = {
    **{name: FOUND[name] for name in ("id", "line", "verdict", "coverage", "looked")},
    **{f"evidence_{name}": type for name, type in EVIDENCE.items()},
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("files", metavar="FILE.pocket", nargs="+")
    parser.add_argument("testset", metavar="TESTSET", type=inputs.located)
    parser.add_argument(
        "--source",
        type=inputs.located,
        action="append",
        default=[],
        metavar="SOURCE",
        help=(
            "look into this, too, for equal texts and shingles: what build takes; may be repeated"
        ),
    )
    parser.add_argument(
        "--fail-on",
        choices=VERDICTS[:-1],
        help="exit with 1 where an item has this verdict or a stronger one",
    )
    add_options(parser, options_of(CheckOptions).values())
    add_row_arguments(parser, "an item")
    add_shard_arguments(parser)
    add_format_arguments(parser)
    add_css_arguments(parser)
    add_drop_argument(parser)
    add_links_argument(parser)
    add_field_arguments(parser, "items", ("id", "text"))
    group = parser.add_argument_group("what is read of a --source")
    add_options(group, options_of(inputs.SourceOptions).values())
    parser.add_argument(
        "-o",
        "--output",
        metavar="OUT",
        help="items to a file by its suffix: .jsonl, .csv, .parquet or .arrow",
    )
    add_force_argument(parser)
    add_keep_going_argument(parser)
    add_work_arguments(parser)


def _sources(arguments: argparse.Namespace) -> list[tuple[str, inputs.Input]]:
    """Find what --source names. What counts as text, and --follow-links, may be for it alone."""
    asked, own = options(arguments), chosen(inputs.SourceOptions, arguments)
    if not arguments.source:
        own.check_unused()
        return []
    found = inputs.find_all(arguments.source, replace(asked, **own.of_source()), alone=False)
    testset = inputs.find_all([arguments.testset], inputs.Options(format=arguments.format))
    inputs.check_used(asked, [*testset, *found])
    return found


def run(arguments: argparse.Namespace) -> int:
    asked, report = chosen(CheckOptions, arguments), Report()
    verdicts = Counter[str]()
    methods = Counter[str]()
    sources = _sources(arguments)
    missed = Counter[str]()
    read = [*arguments.files, arguments.testset, *(source for source, _ in sources)]
    settings = Settings(threads=arguments.threads)
    to_file = arguments.output is not None and not is_stdio(arguments.output)
    form = form_of(arguments.output) if to_file else "json"
    if arguments.json and form != "json":
        raise ValueError(
            f"{arguments.output}: --json is JSON Lines, and the name is that of a file of another "
            "kind; give a name that ends in .jsonl, or leave --json away"
        )
    as_csv = arguments.csv or form == "csv"
    types = FLAT if as_csv else FOUND
    with (
        Progress(form=arguments.progress) as progress,
        opened(arguments.files, arguments) as indexes,
        Threads(settings.thread_count) as threads,
        rows_out(arguments.output, types, arguments.csv, read, force=arguments.force)
        if arguments.output is not None or arguments.csv or arguments.json
        else nullcontext() as out,
    ):
        texts = sources or any(index.kept == "text" for index in indexes.indexes)
        if given(arguments, "run_terms") and not texts:
            raise ValueError("--run goes with --source, or with a file built with --keep text")
        checker = Checker(
            indexes,
            asked.min_similarity,
            asked.run_terms,
            asked.window,
            asked.top,
            asked.probes,
            threads.map,
        )
        progress.phase(f"checking {arguments.testset}")
        testset = items(
            arguments.testset, arguments, report.reject, progress.measure, alone=not sources
        )
        if STDIN in arguments.source and arguments.testset == STDIN:
            raise ValueError("TESTSET and --source are both standard input; give one as a file")
        for number, item, finding in checked(
            testset,
            checker,
            sources or None,
            missed,
            progress,
            arguments.max_memory,
            again=STDIN not in arguments.source,
        ):
            report.arrive()
            verdicts[finding.verdict] += 1
            methods.update(finding.looked or [NOT_FOUND])
            if not to_file:
                progress.clear()
            if out:
                for row in (_flat if types is FLAT else _row)(number, item, finding):
                    out.write(row)
            elif shown := _as_text(item, finding):
                print(shown)
            if not sources:
                progress.add()
        if not report.read:
            raise NoDocument(report, [arguments.testset])
        report.check_bad([arguments.testset], arguments.keep_going)
    report.index(report.read - report.left_out)
    print(
        "\n".join(_summary(arguments, report, verdicts, methods)),
        file=sys.stderr if out and not to_file else sys.stdout,
    )
    for source, count in (+missed).items():
        print(f"pocketindex: {missed_note(source, count)}", file=sys.stderr)
    for line in [*report.notes, *report.reasons_text()]:
        print(line, file=sys.stderr)
    if report.left_out:
        print(
            (
                f"pocketindex: {arguments.testset}: {were(report.left_out, 'line')} no item and "
                "not looked for"
            ),
            file=sys.stderr,
        )
        return 2
    failing = VERDICTS[: VERDICTS.index(arguments.fail_on) + 1] if arguments.fail_on else ()
    return 1 if any(verdicts[verdict] for verdict in failing) else 0


def _row(number: int, item: Document, finding: Finding) -> Iterator[tuple[Any, ...]]:
    """Yield an item, with what is known of each document."""
    coverage = None if finding.coverage is None else round(finding.coverage, 4)
    known = [
        {name: value for name, value in _rounded(one).items() if value is not None}
        for one in finding.evidence
    ]
    yield item.id, number, finding.verdict, coverage, finding.looked, known


def _flat(number: int, item: Document, finding: Finding) -> Iterator[tuple[Any, ...]]:
    """Yield an item with each document that has something of it, or alone."""
    coverage = None if finding.coverage is None else round(finding.coverage, 4)
    head = (item.id, number, finding.verdict, coverage, "; ".join(finding.looked))
    for one in finding.evidence:
        yield (*head, *_rounded(one).values())
    if not finding.evidence:
        yield (*head, *[None] * len(EVIDENCE))


def _rounded(one: Evidence) -> dict[str, Any]:
    return {
        name: round(value, 4) if isinstance(value, float) else value
        for name, value in asdict(one).items()
    }


def _as_text(item: Document, finding: Finding) -> str:
    """Return the verdict, then a line for each document that has something of the item; nothing for
    an item that is not found.
    """
    if finding.verdict == NOT_FOUND:
        return ""
    share = (
        f"  {finding.coverage:.0%} of it in passages"
        if finding.verdict == PASSAGE and finding.coverage
        else ""
    )
    head = f"{finding.verdict:8} {printable(item.id)}{share}"
    return "\n".join([head, *(f"  {_of(one)}" for one in finding.evidence)])


def _of(one: Evidence) -> str:
    name = f"{printable(one.title)}  <{printable(one.url or one.id)}>  [{printable(one.file)}]"
    if one.kind == COPY:
        return f"copy  {name}"
    if one.coverage is None:
        return f"near  {_likeness(one)}  {name}"
    by = "" if one.similarity is None else f", by sketches, similarity {one.similarity:.3f}"
    return (
        f"passage  {one.coverage:.0%} of the item{by}  {name}\n    "
        f"{printable(snippet(one.passage or ''))}"
    )


def _likeness(one: Evidence) -> str:
    if one.cosine is not None:
        return f"cosine {one.cosine:.3f}"
    return f"similarity {one.similarity:.3f}"


def _summary(
    arguments: argparse.Namespace, report: Report, verdicts: Counter[str], methods: Counter[str]
) -> list[str]:
    lines = [counted(report.indexed, "item")]
    for verdict in VERDICTS:
        share = 100 * verdicts[verdict] / report.indexed if report.indexed else 0
        lines.append(f"  {verdict:10}{verdicts[verdict]:>9,}{share:>8.1f} %")
    if not verdicts[NOT_FOUND]:
        return lines
    least, terms = arguments.min_similarity, arguments.run_terms
    misses = {
        SKETCHES: (
            "of whole documents; they miss an item that is a small part of a document, or is "
            f"less than {least:g} similar to it"
        ),
        PARTS: (
            "paragraphs of the item beside whole documents; they miss what is less than a "
            "paragraph, or a small part of a document"
        ),
        SHINGLES: (
            "the passages of the file, from some 70 words on; they miss what has few words in a "
            "row unchanged, and what more than 50 documents have"
        ),
        KEPT: (
            f"of documents that sketches and passages propose, for shingles of {terms} terms; they "
            "miss what these do not propose"
        ),
        SOURCE: (
            f"every document, for equal texts and shingles of {terms} terms; it misses what has no "
            f"{terms} terms in a row unchanged"
        ),
    }
    lines.append('"not found" is what these do not find:')
    lines += [
        f"  {method}, {counted(methods[method], 'item')}: {misses[method]}"
        for method in METHODS
        if methods[method]
    ]
    if methods[NOT_FOUND]:
        lines.append(f"  not looked for: {counted(methods[NOT_FOUND], 'item')} of too few terms")
    if SOURCE not in methods:
        lines.append("  give what the file was built from as --source to find every passage")
    return lines
