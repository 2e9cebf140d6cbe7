"""List all pairs of near-duplicate documents, or the clusters they make."""

from __future__ import annotations

import argparse
import csv
import json
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from functools import lru_cache, partial
from math import floor
from pathlib import Path
from typing import Any

from pocketindex.builder.collections.corpus import Corpus
from pocketindex.builder.collections.near import listed
from pocketindex.builder.collections.pairs import Pair, clusters, sketch_pairs, text_pairs
from pocketindex.builder.document import Document
from pocketindex.builder.progress import Progress
from pocketindex.builder.report import Report
from pocketindex.builder.verbs.source_arguments import add_source_arguments, sources
from pocketindex.index import Index
from pocketindex.verbs.query import is_pocket

EXAMPLES = """\
examples:
  pocketindex pairs docs.jsonl.gz > pairs.jsonl
  pocketindex pairs docs.jsonl.gz --clusters --min-similarity .9
  pocketindex pairs 'news/*.parquet' --id url --text body --csv > pairs.csv
  pocketindex pairs docs.pocket --csv

exit codes: 0 there are pairs, 1 there are none
"""

COMMON = (
    "--help",
    "--help-all",
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
With SOURCEs (what `build` takes) a temporary index proposes pairs and the texts decide: similarity
is the tf-idf cosine of all their words, numbers too, at most .1 above the one with 1 + ln tf; equal
texts (but for white space) are "exact". A pocket file that keeps its texts (build --keep text) is
compared in the same way. Any other has only its sketches, of words with a letter: similarities are
estimates, and texts that differ in their numbers look the same. The end says which share of the
pairs at a cosine to expect in the list: with 128 bits half of those at the threshold, nearly all of
those .1 above it. "exact" are equal sketches of texts with equal identity bits. A file that is
scanned by default (`info`) misses no pair that its sketches tell; of 2,000,000 documents one or two
in a hundred.

Pairs come by the later document, then the earlier: {"a": earlier id, "b": later id,
"similarity": ..., "kind": "exact" or "near"}. Many copies of one document make many pairs: with
--clusters there is a line for each group of documents that pairs join, directly or through others:
{"cluster": 1, "size": 3, "documents": [ids]}.
"""

MOST = 0.95  # share of pairs for which another threshold is named

Ids = Callable[[int], str]
Comparison = tuple[
    Iterator[Pair], int, Ids, Callable[[], str]
]  # pairs, documents, and what to say in the end


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_source_arguments(parser, "SOURCE|FILE.pocket")
    parser.add_argument(
        "--min-similarity",
        type=float,
        default=0.8,
        metavar="S",
        help="of a pair, above 0, at most 1 (default .8)",
    )
    parser.add_argument(
        "--probes",
        type=int,
        metavar="N",
        help="keys looked up in each table (default 1024, 4096 for texts below .8; sketches: as "
        "suits the file)",
    )
    parser.add_argument("--clusters", action="store_true", help="groups instead of pairs")
    parser.add_argument(
        "--csv",
        action="store_true",
        help="a,b,similarity,kind, or cluster,id, with a line of names",
    )
    parser.add_argument("--json", action="store_true", help="one JSON object a line (the default)")


def run(arguments: argparse.Namespace) -> int:
    if arguments.csv and arguments.json:
        raise ValueError("--csv and --json exclude each other")
    if not 0 < arguments.min_similarity <= 1:
        raise ValueError(
            f"--min-similarity is {arguments.min_similarity}; it must be above 0, at most 1"
        )
    if arguments.probes is not None and not 1 <= arguments.probes <= 65_536:
        raise ValueError(f"--probes is {arguments.probes}; it must be 1 .. 65536")
    files = [source for source in arguments.source if is_pocket(source)]
    if files and len(arguments.source) > 1:
        raise ValueError(
            f"{files[0]} is a pocket file: give one pocket file, or the sources of a collection"
        )
    with ExitStack() as stack, Progress() as progress:
        pairs, count, ids, end = (
            _of_file(stack, arguments, progress)
            if files
            else _of_sources(stack, arguments, progress)
        )
        if arguments.clusters:
            found = _write(
                *_clusters(clusters(count, pairs), ids, arguments.csv), arguments.csv, progress
            )
        else:
            found = _write(
                ("a", "b", "similarity", "kind"), _pairs(pairs, ids), arguments.csv, progress
            )
        progress.clear()
        print(end(), file=sys.stderr)
    return 0 if found else 1


def _of_file(stack: ExitStack, arguments: argparse.Namespace, progress: Progress) -> Comparison:
    index = stack.enter_context(Index(arguments.source[0]))
    if index.kept == "text":
        return _of_texts(stack, arguments, progress, Report(), _kept(index, progress))
    progress.phase("comparing sketches")
    pairs = sketch_pairs(index, arguments.min_similarity, arguments.probes, progress.add)
    ids = lru_cache(65_536)(lambda number: index.record(number).id)
    return pairs, len(index), ids, lambda: _expectation(index, arguments.min_similarity)


def _kept(index: Index, progress: Progress) -> Iterator[Document]:
    progress.phase(f"reading {index.path}")
    for number in range(len(index)):
        record = index.record(number)
        yield Document(record.id, record.title, index.text(number) or "")


def _expectation(index: Index, least: float) -> str:
    """What a list of pairs by sketches is worth."""
    head = f"{len(index):,} documents compared by their sketches: similarities are estimates"
    info = index.info()
    if info.scheme != "rff":
        return head
    share = partial(listed, bits=info.components, documents=len(index))
    at = [cosine for cosine in (least - 0.1, least, least + 0.05, least + 0.1) if 0 < cosine < 1]
    figures = ", ".join(f"{share(cosine, least):.2f} of those at {cosine:.3g}" for cosine in at)
    lower = next(
        (
            step / 100
            for step in range(floor(100 * least), 0, -1)
            if share(least, step / 100) >= MOST
        ),
        0.01,
    )
    return (
        f"{head}.\nOf the pairs at a cosine so many are expected in the list: {figures}.\n"
        f"--min-similarity {lower:g} lists {MOST} of those at {least:g}, and more that are below "
        "it. Similarities are exact from the "
        "SOURCE, or from a file built with --keep text."
    )


def _of_sources(stack: ExitStack, arguments: argparse.Namespace, progress: Progress) -> Comparison:
    found = sources(arguments)
    report = Report()

    def documents() -> Iterator[Document]:
        for source, kind in found:
            progress.phase(f"reading {source}")
            yield from kind.documents(source, report.reject, progress.measure)

    return _of_texts(stack, arguments, progress, report, documents())


def _of_texts(
    stack: ExitStack,
    arguments: argparse.Namespace,
    progress: Progress,
    report: Report,
    given: Iterator[Document],
) -> Comparison:
    ids = list[str]()

    def documents() -> Iterator[Document]:
        for document in given:
            report.arrive()
            ids.append(document.id)
            yield document

    # Once they are open the files need no name, and no trace is left when a reader of the output
    # that has seen enough ends us.
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        corpus = stack.enter_context(
            Corpus(documents(), Path(folder), arguments.min_similarity, progress, arguments.probes)
        )
    report.index(report.read - report.left_out)
    progress.phase("comparing")

    def end() -> str:
        lines = report.text().split("\n")
        short = sum(text in corpus.short for text in corpus.text_of)
        lines[0] = (
            f"{report.read:,} read, {report.indexed:,} compared, {report.left_out:,} skipped; "
            f"{corpus.texts:,} different texts"
        )
        if short:
            lines.append(
                f"{short:,} documents have too few terms for a sketch: only equal ones are found"
            )
        if corpus.capped:
            lines.append(
                f"{corpus.capped:,} texts have more than 65,536 candidates: of theirs some pairs "
                "may be missing"
            )
        return "\n".join(lines)

    return text_pairs(corpus, progress.add), len(corpus.text_of), ids.__getitem__, end


def _pairs(pairs: Iterable[Pair], ids: Ids) -> Iterator[tuple[Any, ...]]:
    for pair in pairs:
        yield ids(pair.first), ids(pair.second), pair.similarity, "exact" if pair.exact else "near"


def _clusters(
    groups: list[list[int]], ids: Ids, as_csv: bool
) -> tuple[tuple[str, ...], Iterable[tuple[Any, ...]]]:
    if as_csv:
        return ("cluster", "id"), (
            (number, ids(i)) for number, group in enumerate(groups, 1) for i in group
        )
    return ("cluster", "size", "documents"), (
        (number, len(group), [ids(i) for i in group]) for number, group in enumerate(groups, 1)
    )


def _write(
    names: tuple[str, ...], rows: Iterable[tuple[Any, ...]], as_csv: bool, progress: Progress
) -> bool:
    """Print the rows; whether there were any."""
    writer, found = csv.writer(sys.stdout, lineterminator="\n"), False
    if as_csv:
        writer.writerow(names)
    for row in rows:
        found = True
        progress.clear()
        if as_csv:
            writer.writerow(row)
        else:
            print(json.dumps(dict(zip(names, row, strict=True)), ensure_ascii=False))
    return found
