"""Tell which items of a test set are, whole or in part, in a collection."""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, nullcontext
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from pocketindex.arguments import is_stdio
from pocketindex.builder import inputs
from pocketindex.builder.collections.contamination import Checker
from pocketindex.builder.collections.findings import (
    COPY,
    KEPT,
    METHODS,
    NEAR,
    NOT_FOUND,
    OTHERS,
    PARTS,
    PASSAGE,
    PASSAGES,
    PHRASE,
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
from pocketindex.builder.functions.check import EVIDENCE, WORDS_ONLY
from pocketindex.builder.functions.checking import Together, checked, missed_note
from pocketindex.builder.functions.left_out import leaving_out
from pocketindex.builder.inputs.source import STDIN
from pocketindex.builder.out.rows import Types, form_of, rows_out
from pocketindex.builder.progress import Progress
from pocketindex.builder.report import NoDocument, Report
from pocketindex.builder.settings import Settings
from pocketindex.builder.spill.threads import Threads
from pocketindex.commands.rows import add_row_arguments
from pocketindex.commands.shards import add_shard_arguments, opened
from pocketindex.flags import add_options, chosen
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
  pocketindex check wiki.pocket essays/ --each-other --exclude-quotes --ignore draft.txt

Items are what build takes as a SOURCE (- is standard input). An item without an id gets the number
of its line, of its row in Parquet and Arrow, or of its place in a JSON array as its id.
Verdicts, the first that holds:
  copy       a document has the same words in the same order; without its text, it has the sketch
             and the identity bits of the item
  near       the cosine of a document and the item (or what --measure says), or without its text
             the estimate from its sketch, is --min-similarity or more
  passage    documents have passages of the item, as `sources` finds them: nine words or more, some
             of which may have been changed. coverage is the share of the item that all documents
             have together
  phrase     all that documents have are pieces of fewer than nine words, word for word. Such pieces
             stand in many texts: --fail-on passage does not count them
  not found  none of these, by the methods that are named

A folder of texts is a TESTSET: `check FILE.pocket essays/ --each-other` looks for each text in the
file, and compares it with every other.
"""
COMMON = (
    "--help",
    "--help-all",
    "--source",
    "--fail-on",
    "--each-other",
    "--exclude-quotes",
    "--ignore",
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
  sketches of parts  in files without passages and words (build --index documents,passages,words):
                     beside the item's paragraphs, or windows of --window words: of an item of
                     several paragraphs of 50 words or more, or of 200 words. Misses what is a small
                     part of its document, or less than a paragraph of the item
  passages           by the passages and words of a file without texts: estimates. Misses what has
                     few words in a row unchanged, and most sentences of fewer than fifteen words;
                     "words_only" has the longest sentence whose words a document has, perhaps in
                     another order
  kept texts         by passages and words, verified in the texts (build --keep text): misses a
                     passage that was rewritten or translated, and an edited one of fewer than nine
                     words
  source             with --source, what the file was built from: every document, as by kept texts
  each other         with --each-other: the items beside each other, as by kept texts
A --source is read once, or more often where the items do not fit into --max-memory. --format and
--encoding are of the TESTSET, --source-format and --source-encoding of each --source. --select,
--exclude, --drop, --add and --follow-links hold for both.

With --csv a row for each document of an item. With --json a line an item: {"id": ..., "line": ...,
"verdict": ..., "coverage": ..., "looked": [...], "evidence": [{"kind", "id", "title", "url",
"file", "verified", and what is known of "similarity" (of the sketches), "cosine", "jaccard" (the
share of word 5-grams that both texts have), "coverage", "passage" (the longest), "passages"}],
"documents": ..., "capped": ...}. "verified" is true where that was seen in the document's text, and
false where sketch, passages or words tell it. "passages" has the places of each in the item and,
where verified, in the document, the share of its words that were edited, and how many documents
have a sentence of it word for word. "documents" is the number of all documents that have something
of the item, of which --top are named.

With --each-other each pair of items has a line, or row, of its own behind those of the items:
"looked" is ["each other"], and the evidence is the second item, with "document_coverage", the share
of it.

exit codes: 0 all items were looked for, 1 an item, or a pair, has the verdict of --fail-on or a
stronger one, 2 a line was no item, or another error, 3 a FILE.pocket is damaged or no pocket file
"""

FOUND: Types = {
    "id": "string",
    "line": "int64",
    "verdict": "string",
    "coverage": "double",
    "looked": ["string"],
    "evidence": [dict(EVIDENCE)],
    "documents": "int64",
    "capped": "bool",
    "words_only": dict(WORDS_ONLY),
}
FLAT: Types = {
    **{name: type for name, type in FOUND.items() if name != "evidence"},
    **{f"evidence_{name}": type for name, type in EVIDENCE.items()},
}


class _Gone(argparse.Action):
    """An option that other versions had."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        parser.error(
            "--run has no meaning any more, because passages are found without so many words in a "
            "row; omit it"
        )


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
            "look into this, too, for equal texts and passages: what build takes; may be repeated"
        ),
    )
    parser.add_argument(
        "--fail-on",
        choices=VERDICTS[:-1],
        help="exit with 1 where an item has this verdict or a stronger one",
    )
    parser.add_argument(
        "--ignore",
        action="append",
        default=[],
        metavar="FILE",
        help="leave out the passages that FILE has, too; may be repeated",
    )
    parser.add_argument("--run", action=_Gone, help=argparse.SUPPRESS)
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
    paired = Counter[str]()
    capped = unordered = 0
    sources = _sources(arguments)
    missed = Counter[str]()
    ignored = [Path(path) for path in arguments.ignore]
    read = [*arguments.files, arguments.testset, *arguments.ignore]
    read += [source for source, _ in sources]
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
        ExitStack() as stack,
        rows_out(arguments.output, types, arguments.csv, read, force=arguments.force)
        if arguments.output is not None or arguments.csv or arguments.json
        else nullcontext() as out,
    ):
        checker = Checker(
            indexes,
            asked.min_similarity,
            asked.window,
            asked.top,
            asked.probes,
            threads.map,
            asked.measure,
        )
        compared = Together(asked.min_similarity, asked.window, asked.measure)
        left_out = stack.enter_context(leaving_out(asked.exclude_quotes, ignored))
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
            STDIN not in arguments.source,
            left_out,
        ):
            report.arrive()
            verdicts[finding.verdict] += 1
            capped += finding.capped
            unordered += finding.verdict == NOT_FOUND and finding.words_only is not None
            if asked.each_other:
                compared.add(number, item, left_out)
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
        if asked.each_other:
            progress.phase(f"comparing the items of {arguments.testset}")
        for (number, first), second, one, is_capped in compared.pairs(
            arguments.testset, threads.map
        ):
            paired[one.kind] += 1
            capped += is_capped
            if out:
                finding = Finding(one.kind, one.coverage, [OTHERS], [one], 1, is_capped)
                for row in (_flat if types is FLAT else _row)(number, first, finding):
                    out.write(row)
            if not out or to_file:
                print(_pair_as_text(first, second[1], one))
        if not report.read:
            raise NoDocument(report, [arguments.testset])
        report.check_bad([arguments.testset], arguments.keep_going)
    report.index(report.read - report.left_out)
    print(
        "\n".join(
            [
                *_summary(arguments, report, verdicts, methods),
                *_pair_summary(asked.each_other, paired),
                *_limits(capped, unordered, checker.without_words if verdicts[NOT_FOUND] else []),
            ]
        ),
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
    return 1 if any((verdicts + paired)[verdict] for verdict in failing) else 0


def _row(number: int, item: Document, finding: Finding) -> Iterator[tuple[Any, ...]]:
    """Yield an item, with what is known of each document."""
    coverage = None if finding.coverage is None else round(finding.coverage, 4)
    known = [
        {name: value for name, value in _rounded(one).items() if value not in (None, [])}
        for one in finding.evidence
    ]
    yield item.id, number, finding.verdict, coverage, finding.looked, known, *_more(finding)


def _flat(number: int, item: Document, finding: Finding) -> Iterator[tuple[Any, ...]]:
    """Yield an item with each document that has something of it, or alone."""
    coverage = None if finding.coverage is None else round(finding.coverage, 4)
    looked = "; ".join(finding.looked)
    head = (item.id, number, finding.verdict, coverage, looked, *_more(finding))
    for one in finding.evidence:
        yield (*head, *_rounded(one).values())
    if not finding.evidence:
        yield (*head, *[None] * len(EVIDENCE))


def _more(finding: Finding) -> tuple[int, bool, dict[str, Any] | None]:
    words = finding.words_only
    return finding.documents, finding.capped, None if words is None else asdict(words)


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
    share = ""
    if finding.verdict in (PASSAGE, PHRASE) and finding.coverage:
        share = f"  {finding.coverage:.0%} of it in {counted(finding.documents, 'document')}"
    head = f"{finding.verdict:8} {printable(item.id)}{share}"
    shown = [f"  {_of(one)}" for one in finding.evidence]
    if len(shown) < finding.documents:
        shown.append(f"  and {finding.documents - len(shown):,} more")
    return "\n".join([head, *shown])


def _pair_as_text(first: Document, second: Document, one: Evidence) -> str:
    """Return the verdict of a pair of items, and the passages that both have."""
    said = [_likeness(one)] if one.kind == NEAR else []
    if one.coverage is not None:
        said.append(f"{one.coverage:.0%} of the first")
    if one.document_coverage is not None:
        said.append(f"{one.document_coverage:.0%} of the second")
    shares = f"  {', '.join(said)}" if said else ""
    lines = [f"{one.kind:8} {printable(first.id)} and {printable(second.id)}{shares}"]
    for own in one.passages:
        words = snippet(first.text[own.start : own.end])
        where = f"{own.start}-{own.end} at {own.document_start}-{own.document_end}"
        changed = f", {own.edited:.0%} edited" if own.edited else ""
        lines.append(f"  {where}{changed}  {printable(words)}")
    return "\n".join(lines)


def _of(one: Evidence) -> str:
    name = f"{printable(one.title)}  <{printable(one.url or one.id)}>  [{printable(one.file)}]"
    if one.kind == COPY:
        return f"copy  {name}"
    if one.kind == NEAR:
        return f"near  {_likeness(one)}  {name}"
    by = "" if one.verified else ", estimated"
    if one.similarity is not None:
        by = f", by sketches, similarity {one.similarity:.3f}"
    edited = [own.edited for own in one.passages if own.edited]
    by += f", up to {max(edited):.0%} of a passage edited" if edited else ""
    return (
        f"{one.kind}  {one.coverage:.0%} of the item{by}  {name}\n    "
        f"{printable(snippet(one.passage or ''))}"
    )


def _likeness(one: Evidence) -> str:
    if one.cosine is not None:
        shared = "" if one.jaccard is None else f", jaccard {one.jaccard:.3f}"
        return f"cosine {one.cosine:.3f}{shared}"
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
    least = arguments.min_similarity
    misses = {
        SKETCHES: (
            "of whole documents; they miss an item that is a small part of a document, or is "
            f"less than {least:g} similar to it"
        ),
        PARTS: (
            "paragraphs of the item beside whole documents; they miss what is less than a "
            "paragraph, or a small part of a document"
        ),
        PASSAGES: (
            "the passages and words of the file; without texts they miss most sentences of fewer "
            "than fifteen words, and what has few words in a row unchanged"
        ),
        KEPT: (
            "of documents that share rare words or passages; they miss what was rewritten or "
            "translated, and edited sentences of fewer than nine words"
        ),
        SOURCE: (
            "every document, for equal texts and passages; it misses what was rewritten or "
            "translated, and edited sentences of fewer than nine words"
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
    if KEPT not in methods and SOURCE not in methods:
        lines.append(
            "  build with --index documents,passages,words --keep text to find every sentence"
        )
    return lines


def _pair_summary(compared: bool, paired: Counter[str]) -> list[str]:
    if not compared:
        return []
    counts = ", ".join(f"{paired[verdict]:,} {verdict}" for verdict in VERDICTS if paired[verdict])
    number = counted(sum(paired.values()), "pair")
    return [f"{number} of items have something in common{f': {counts}' if counts else ''}"]


def _limits(capped: int, unordered: int, without_words: list[str]) -> list[str]:
    """Say what was not looked at, and what is not known."""
    lines = [f"{path} has no words: only longer passages are found there" for path in without_words]
    if unordered:
        lines.append(
            f"of {counted(unordered, 'item')} that {'is' if unordered == 1 else 'are'} not found a "
            "document has all words of a sentence; texts are not kept, so that their order is not "
            "known"
        )
    if capped:
        lines.append(f"of {counted(capped, 'item')} more was to be looked at than is")
    return lines
