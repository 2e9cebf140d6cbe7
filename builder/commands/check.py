"""Find the items of a test set that are in a collection, in whole or in part."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable
from contextlib import ExitStack, nullcontext
from dataclasses import replace

from pocketindex.arguments import is_stdio
from pocketindex.builder import inputs
from pocketindex.builder.collections.findings import (
    OTHERS,
    VERDICTS,
    Finding,
)
from pocketindex.builder.collections.options import CheckOptions
from pocketindex.builder.commands.arguments.items import items
from pocketindex.builder.commands.arguments.records import (
    add_bad_record_arguments,
    add_force_argument,
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
from pocketindex.builder.commands.cleaning import (
    Cleaning,
    add_clean_arguments,
    check_clean_arguments,
)
from pocketindex.builder.commands.findings import (
    FLAT,
    FOUND,
    Counts,
    flat_rows,
    item_text,
    pair_text,
    row_of,
)
from pocketindex.builder.functions.checking import Checking
from pocketindex.builder.functions.left_out import leaving_out
from pocketindex.builder.inputs.source import STDIN, check_stdin_once
from pocketindex.builder.out.rows import form_of, rows_out
from pocketindex.builder.progress import Progress
from pocketindex.builder.settings import Settings
from pocketindex.builder.spill.threads import Threads
from pocketindex.builder.tally import NoDocument, Tally
from pocketindex.commands.rows import add_row_arguments
from pocketindex.commands.shards import add_shard_arguments, opened
from pocketindex.flags import add_options, chosen
from pocketindex.options import options_of
from pocketindex.wording.counted import were

EXAMPLES = """\
examples:
  pocketindex check train.pocket test.jsonl
  pocketindex check train.pocket test.jsonl --source train.jsonl.zst --fail-on passage
  pocketindex check crawl-1.pocket crawl-2.pocket test.jsonl.gz --json > findings.jsonl
  pocketindex check train.pocket quiz.parquet --text question -o findings.parquet
  pocketindex check wiki.pocket essays/ --each-other --exclude-quotes --ignore draft.txt
  pocketindex check test.jsonl --clean train.jsonl.zst -o clean.jsonl.zst --report dropped.jsonl

TESTSET is anything that build takes as a SOURCE (- is standard input). An item without an id gets
the number of its line as its id, or that of its row (Parquet, Arrow) or place (JSON array).
The verdict of an item is the first of these that holds:
  copy       a document has the same words in the same order. If its text is not at hand, it has the
             sketch and the identity bits of the item
  near       the cosine of a document and the item (or what --measure says) is --min-similarity or
             more, or the similarity of their sketches if the text of the document is not at hand.
             An item that is word for word in a longer document is a passage instead
  passage    documents have passages of the item, as `sources` finds them: nine words or more, some
             of which may have been changed. coverage is the share of the item that all documents
             cover together
  phrase     documents have only pieces of fewer than nine words, word for word. Many texts have
             such pieces by chance, so --fail-on passage does not count them
  not found  none of these, with the methods that are named

--clean writes training data without the documents that contain an item. A document contains an item
if it has the whole item, or 13 consecutive words of it, or an edited passage of it. In an edited
passage, at most two of thirteen words are changed, and 20 words are unchanged; for a shorter item,
four fifths of its words are enough, or three quarters if eight of them are consecutive. All such
documents are found. --clean needs no FILE.pocket; without one, the verdicts of the items are about
the training data.

A folder of texts can be a TESTSET: `check FILE.pocket essays/ --each-other` looks for each text in
the file, and compares it with all others.
"""
COMMON = (
    "--help",
    "--help-all",
    "--source",
    "--fail-on",
    "--each-other",
    "--exclude-quotes",
    "--ignore",
    "--clean",
    "--mark",
    "--report",
    "--min-similarity",
    "--json",
    "--csv",
    "--output",
    "--id",
    "--text",
)

MORE = """\
"looked" names the methods by which an item was looked for. Each of them misses something:
  sketches           The sketch of the item is compared with the sketches of all documents. This
                     misses an item that is a small part of a document, or less than
                     --min-similarity similar to it. An item of too few terms has no sketch.
  sketches of parts  In files without passages and words (build --index documents,passages,words),
                     the sketches of paragraphs of the item, or of windows of --window words, are
                     compared, too, if the item has several paragraphs of 50 words or more, or 200
                     words. This misses what is a small part of its document, or less than a
                     paragraph of the item.
  passages           Shingles and words are looked up in a file that keeps no texts, which gives
                     estimates. This misses sentences of fewer than nine words, many of fewer than
                     fifteen, and passages that have few unchanged words in a row. "words_only" is
                     the longest sentence whose words a document has, perhaps in another order.
  kept texts         Documents that share shingles or rare words with the item are compared with it
                     by their texts (build --keep text). This misses a passage that was rewritten or
                     translated, and an edited one of fewer than nine words.
  source             All documents of --source, from which the file was built, are compared as with
                     kept texts.
  each other         With --each-other, the items are compared with one another as with kept texts.
A --source is read once, or more often if the items do not fit into --max-memory. --format and
--encoding apply to TESTSET, and --source-format and --source-encoding to each --source. --select,
--exclude, --drop, --add and --follow-links apply to both.

--csv prints a row for each document that has something of an item. --json prints a line for each
item: {"id": ..., "line": ..., "verdict": ..., "coverage": ..., "looked": [...], "evidence":
[{"kind", "id", "title", "url", "file", "verified", and, as far as they are known, "similarity" (of
the sketches), "cosine", "jaccard" (the share of the word 5-grams of both texts that both have),
"coverage", "passage" (the longest), "passages"}], "documents": ..., "capped": ...}. "verified" is
true if the evidence was seen in the text of the document, and false if it is estimated from
sketches, shingles or words. "passages" has the place of each passage in the item. If they are
verified, it also has the place in the document, the share of the words that were edited, and the
number of documents that have a sentence of the passage word for word. "documents" is the number of
all documents that have something of the item; --top of them are listed. If very many documents have
a passage, the number is an estimate, and three of them are examples. If "capped" is true, it is a
lower limit. "capped" is true if the item has more matches than are looked at.

--clean writes lines unchanged to the byte, and rows with all of their columns; the suffix of the
output decides how it is compressed. If OUT is a folder, it gets a file for each source. --mark
drops no document and adds to every record a list of the ids of the items that it contains. Lines
that are not a document are left out and counted. --source-id and --source-text name the fields of
TRAIN, and --source-encoding the encoding of its lines. --report has a line for each item of a
dropped document: {"id": document, "source", "line", "item": id, "item_line", "kind": "copy",
"passage" or "phrase" (an item of fewer than nine words), "coverage", "passage", "passages"}. For a
line that is not a document it has {"place", "kind": "skipped", "reason", "detail"}. Items of fewer
than five words are not looked for; the last lines of the output say how many there are.

With --each-other, each pair of items that have something in common gets a line or row after those
of the items: "looked" is ["each other"], the evidence is the second item, and "document_coverage"
is the share of the second item that the first one has.

exit codes: 0 all items were looked for; 1 an item or a pair has the verdict of --fail-on or a
stronger one; 2 a line is not an item, or another error; 3 a FILE.pocket is damaged or is not a
pocket file
"""


class _Gone(argparse.Action):
    """Refuse an option that was removed."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        parser.error(
            "--run was removed, because a passage no longer needs a number of unchanged words in a "
            "row; omit it"
        )


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("files", metavar="FILE.pocket", nargs="*")
    parser.add_argument("testset", metavar="TESTSET", type=inputs.located)
    parser.add_argument(
        "--source",
        type=inputs.located,
        action="append",
        default=[],
        metavar="SOURCE",
        help=(
            "also look for equal texts and passages in SOURCE, which is anything that build takes; "
            "may be repeated"
        ),
    )
    parser.add_argument(
        "--fail-on",
        choices=VERDICTS[:-1],
        help="exit with 1 if an item or a pair has this verdict or a stronger one",
    )
    parser.add_argument(
        "--ignore",
        action="append",
        default=[],
        metavar="FILE",
        help="leave out the passages that FILE has as well; may be repeated",
    )
    add_clean_arguments(parser)
    parser.add_argument("--run", action=_Gone, help=argparse.SUPPRESS)
    add_options(parser, options_of(CheckOptions).values())
    add_row_arguments(parser, "an item")
    add_shard_arguments(parser)
    add_format_arguments(parser)
    add_css_arguments(parser)
    add_drop_argument(parser)
    add_links_argument(parser)
    add_field_arguments(parser, "items", ("id", "text"))
    group = parser.add_argument_group("how each --source is read")
    add_options(group, options_of(inputs.SourceOptions).values())
    parser.add_argument(
        "-o",
        "--output",
        metavar="OUT",
        help="write the items to a file of the kind of its suffix: .jsonl, .csv, .parquet, .arrow; "
        "with --clean, the training data, of their own kind",
    )
    add_force_argument(parser)
    add_bad_record_arguments(parser)
    add_work_arguments(parser)


_OF_CLEAN = ("source_id", "source_text", "source_encoding")  # what is said of TRAIN, too


def _sources(arguments: argparse.Namespace) -> list[tuple[str, inputs.Input]]:
    """Find what each --source names. An option that says what counts as text, or --follow-links,
    is in order if it applies to a --source alone.
    """
    asked, own = options(arguments), chosen(inputs.SourceOptions, arguments)
    if not arguments.source:
        of_clean = dict.fromkeys(_OF_CLEAN) if arguments.clean else {}
        replace(own, **of_clean).check_unused()
        return []
    if not arguments.files:
        raise ValueError("--source is what a FILE.pocket was built from; give that, or --clean")
    found = inputs.find_all(arguments.source, replace(asked, **own.of_source()), alone=False)
    testset = inputs.find_all([arguments.testset], inputs.Options(format=arguments.format))
    inputs.check_used(asked, [*testset, *found])
    return found


def run(arguments: argparse.Namespace) -> int:
    check_clean_arguments(arguments)
    check_stdin_once(
        {
            "TESTSET": [arguments.testset],
            "--source": arguments.source,
            "--clean": arguments.clean,
            "--ignore": arguments.ignore,
        }
    )
    asked, report, counts = chosen(CheckOptions, arguments), Tally(arguments.strict), Counts()
    name, sources = arguments.testset, _sources(arguments)
    read = [*arguments.files, name, *arguments.ignore, *(source for source, _ in sources)]
    output = None if arguments.clean else arguments.output
    to_file = output is not None and not is_stdio(output)
    form = form_of(output) if output is not None and to_file else "json"
    if arguments.json and form != "json":
        raise ValueError(
            f"{output}: --json writes JSON Lines, and the name is that of a file of "
            "another kind; give a name that ends in .jsonl, or omit --json"
        )
    types, rows = (FLAT, flat_rows) if arguments.csv or form == "csv" else (FOUND, row_of)
    with (
        Progress(form=arguments.progress) as progress,
        opened(arguments.files, arguments) if arguments.files else nullcontext() as indexes,
        Threads(Settings(threads=arguments.threads).thread_count) as threads,
        ExitStack() as stack,
        rows_out(output, types, arguments.csv, read, force=arguments.force)
        if output is not None or arguments.csv or arguments.json
        else nullcontext() as out,
    ):
        cleaning = Cleaning(arguments, read, stack, asked.top) if arguments.clean else None
        left_out = stack.enter_context(leaving_out(asked.exclude_quotes, arguments.ignore))
        checking = Checking(asked, indexes, threads.map, left_out, progress)
        progress.phase(f"checking {name}")
        testset = items(name, arguments, report.reject, progress.measure, alone=not sources)
        in_training: Iterable[Finding] = ()
        if cleaning:
            testset = iter(all_items := list(testset))
            if all_items:
                cleaning.clean([checking.counted(one) for one in all_items], threads.map, progress)
            in_training = map(cleaning.finding, range(len(all_items)))
        for number, item, finding in checking.findings(
            testset,
            in_training,
            sources or None,
            arguments.max_memory,
            STDIN not in arguments.source,
        ):
            report.arrive()
            counts.add(number, finding)
            if not to_file:
                progress.clear()
            if out:
                for row in rows(number, item, finding):
                    out.write(row)
            elif shown := item_text(item, finding):
                print(shown)
        for (number, first), second, one, capped in checking.pairs(name):
            finding = Finding(one.kind, one.coverage, [OTHERS], [one], 1, capped)
            counts.add_pair(number, finding)
            if out:
                for row in rows(number, first, finding):
                    out.write(row)
            if not out or to_file:
                print(pair_text(first, second[1], one))
        if not report.read:
            raise NoDocument(report.report(), [name])
        report.check_bad([name], arguments.keep_going)
    report.index(report.read - report.left_out)
    checker = checking.checker
    lines = [
        *counts.summary(
            report.indexed, asked.min_similarity, not checker or checker.finds_sentences
        ),
        *([counts.pair_summary()] if asked.each_other else []),
        *counts.limits(checker.without_words if checker else []),
        *(cleaning.summary() if cleaning else []),
    ]
    print("\n".join(lines), file=sys.stderr if out and not to_file else sys.stdout)
    notes = [f"pocketindex: {note}" for note in checking.notes()]
    notes += [*report.notes, *report.reasons_text()]
    if report.left_out:
        notes.append(
            f"pocketindex: {name}: {were(report.left_out, 'line')} skipped, "
            "because no item could be read there"
        )
    for note in notes:
        print(note, file=sys.stderr)
    failing = VERDICTS[: VERDICTS.index(arguments.fail_on) + 1] if arguments.fail_on else ()
    found = any((counts.verdicts + counts.pairs)[verdict] for verdict in failing)
    return 2 if report.left_out else int(found)
