"""List all pairs of near-duplicate documents, or the clusters they make."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any

from pocketindex.arguments import is_stdio
from pocketindex.builder.collections import comparison
from pocketindex.builder.collections.options import PairsOptions
from pocketindex.builder.collections.pairs import clusters
from pocketindex.builder.collections.passing.folders import with_records
from pocketindex.builder.commands.arguments.records import (
    add_bad_record_arguments,
    add_force_argument,
)
from pocketindex.builder.commands.arguments.sources import (
    add_source_arguments,
    check_read,
    options,
    sources,
)
from pocketindex.builder.commands.arguments.work import add_work_arguments
from pocketindex.builder.functions.numbered import Numbered
from pocketindex.builder.functions.pairs import compared
from pocketindex.builder.out.rows import Types, form_of, rows_out
from pocketindex.builder.progress import Progress
from pocketindex.builder.settings import Settings
from pocketindex.builder.tally import Tally
from pocketindex.commands.rows import add_row_arguments
from pocketindex.flags import add_options, chosen
from pocketindex.given import is_pocket
from pocketindex.index import Index
from pocketindex.options import options_of

EXAMPLES = """\
examples:
  pocketindex pairs docs.jsonl.gz > pairs.jsonl
  pocketindex pairs docs.jsonl.gz --clusters --min-similarity .9
  pocketindex pairs 'news/*.parquet' --id url --text body --csv > pairs.csv
  pocketindex pairs docs.pocket --measure cosine --csv
  pocketindex pairs docs.parquet -o pairs.parquet

exit codes: 0 there are pairs, 1 there are none
"""

COMMON = (
    "--help",
    "--help-all",
    "--output",
    "--measure",
    "--min-similarity",
    "--clusters",
    "--csv",
    "--format",
    "--id",
    "--title",
    "--text",
    "--url",
)

MORE = """\
The similarity of two texts is the share of their word 5-grams (runs of five words) that both have:
of those that at least one text has (--measure jaccard), or of those of the text with fewer of them
(--measure containment). It depends on these two texts alone, and every pair is found. Words are
compared without case and accents. Numbers are words, and signs of arithmetic between numbers or
single letters count, too. In Chinese, Japanese, Thai and the like each pair of characters is a
word. A text of fewer than five words has a single 5-gram, all of its words, so such a text is only
similar to one with the same words. Texts that differ only in white space are "exact" duplicates.

--measure records is for titles, questions, addresses, products and other short texts. The
similarity of two records is the share of their words that both have in the same order, or the same
share by weight if that is smaller; the fewer records have a word, the more it weighs. One block of
words may have moved, as where two halves are swapped, but no other word may be at another place.
Words of four letters or more that differ in a few characters count as the same word. Two records
are not similar if each has a term with a digit that the other one lacks. A pair is not found if the
words that both have make up less than about two fifths of the weight.

--measure cosine is the tf-idf cosine of all words and numbers in any order, at most .1 above the
cosine with 1 + ln tf. It depends on the whole collection, and sketches propose the texts that are
compared. From a pocket file without texts (built without --keep text), similarities are estimated
from its sketches, which know only words with a letter, so texts that differ in numbers alone look
the same; the last line says which share of the pairs is expected in the list, by their cosine. With
168 bits it is half of the pairs at the threshold and nearly all of those .1 above it. There,
"exact" means equal sketches of texts with equal identity bits. If a file is scanned by default (see
`info`), no pair that its sketches show is missed; otherwise one or two in a hundred are, in a file
of 2,000,000 documents.

A folder gives the documents of its files, as `build` reads them, and the records of its files of
JSON Lines, Parquet and Arrow, as `dedup` reads them.

Pairs are listed in the order of the later document, then of the earlier one: {"a": earlier id, "b":
later id, "similarity": ..., "kind": "exact" or "near"}. Many copies of one document make many
pairs. With --clusters there is instead a line for each group of documents that are connected by
pairs, directly or through others: {"cluster": 1, "size": 3, "documents": [ids]}. With --csv, a row
has a, b, similarity and kind, or cluster and id.
"""

PAIR: Types = {"a": "string", "b": "string", "similarity": "double", "kind": "string"}
CLUSTER: Types = {"cluster": "int64", "size": "int64", "documents": ["string"]}
MEMBER: Types = {"cluster": "int64", "id": "string"}  # of a cluster, in a table


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_source_arguments(parser, "SOURCE|FILE.pocket")
    parser.add_argument(
        "-o",
        "--output",
        metavar="OUT",
        help="a file by its suffix: .jsonl, .csv, .parquet or .arrow (default: standard output)",
    )
    add_force_argument(parser)
    add_bad_record_arguments(parser)
    add_options(parser, options_of(PairsOptions).values())
    parser.add_argument("--clusters", action="store_true", help="groups instead of pairs")
    add_row_arguments(parser, "a pair or cluster")
    add_work_arguments(parser)


def run(arguments: argparse.Namespace) -> int:
    chosen(PairsOptions, arguments)
    files = [source for source in arguments.source if is_pocket(source)]
    if files and len(arguments.source) > 1:
        raise ValueError(
            f"{files[0]} is a pocket file: give one pocket file, or the sources of a collection"
        )
    if files:
        check_read(arguments, f"{files[0]} is a pocket file, which is already built; omit it")
    types = CLUSTER if arguments.clusters else PAIR
    to_file = arguments.output is not None and not is_stdio(arguments.output)
    if arguments.clusters and (arguments.csv or (to_file and form_of(arguments.output) != "json")):
        types = MEMBER
    alike = (PAIR, CLUSTER, MEMBER)
    with (
        ExitStack() as stack,
        Progress(form=arguments.progress) as progress,
        rows_out(
            arguments.output,
            types,
            arguments.csv,
            arguments.source,
            force=arguments.force,
            alike=alike,
        ) as out,
    ):
        found = _compared(stack, arguments, progress)
        for row in _rows(found, types):
            if not to_file:
                progress.clear()
            out.write(row)
        progress.clear()
        print(found.said(), file=sys.stderr)
    return 0 if out.count else 1


def _compared(
    stack: ExitStack, arguments: argparse.Namespace, progress: Progress
) -> comparison.Comparison:
    settings = Settings(max_memory=arguments.max_memory, threads=arguments.threads)
    given: Index | Numbered
    if is_pocket(arguments.source[0]):
        given = stack.enter_context(Index(arguments.source[0]))
    else:
        report, how = Tally(arguments.strict), options(arguments)
        found, report.notes = with_records(sources(arguments), how, arguments.output)
        given = Numbered(found, report, progress, arguments.keep_going)
    return compared(stack, given, chosen(PairsOptions, arguments), progress, settings)


def _rows(found: comparison.Comparison, types: Types) -> Iterator[tuple[Any, ...]]:
    id = found.id
    if types is PAIR:
        for pair in found.pairs:
            kind = "exact" if pair.exact else "near"
            yield id(pair.first), id(pair.second), pair.similarity, kind
        return
    for number, group in enumerate(clusters(found.count, found.pairs), 1):
        if types is CLUSTER:
            yield number, len(group), [id(document) for document in group]
        else:
            yield from ((number, id(document)) for document in group)
