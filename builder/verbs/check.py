"""Tell which items of a test set are, whole or in large part, in a collection."""

from __future__ import annotations

import argparse
import itertools
import json
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

import pocketindex
from pocketindex.builder import inputs
from pocketindex.builder.document import Document
from pocketindex.builder.duplicates.passages import LEAST, Passage, Passages
from pocketindex.builder.inputs import Fields, jsonl
from pocketindex.builder.progress import Progress
from pocketindex.builder.report import Report
from pocketindex.contamination import CLEAN, KINDS, TOO_SHORT, WINDOW, Checker, Evidence, Finding
from pocketindex.verbs.query import printable

SHARED = "shared"
FOUND = (KINDS[0], KINDS[1], SHARED, KINDS[2])  # the strongest first

EXAMPLES = """\
examples:
  pocketindex check test.jsonl train.pocket
  pocketindex check test.jsonl train.pocket --source train.jsonl.zst
  pocketindex check test.jsonl.gz crawl-1.pocket crawl-2.pocket --json > findings.jsonl
  pocketindex check quiz.jsonl train.pocket --text question

Items are JSON Lines with a text each, and an id or else the number of their line (plain, .gz, .bz2, .xz or .zst; - is standard input).
Verdicts:
  exact      a document is byte for byte the item, as far as equal sketches and the file's identity bits tell
  near       a document is at least --min-similarity similar to the whole item
  shared     a document of a --source has at least --min-shared of the item's runs of five words, in the same order
  partly     a document is at least --min-part similar to the whole item or to a part of it
  clean      none of these
  too short  the item has too few terms for a sketch and was not looked for

An item of several paragraphs of 50 words or more, or of 200 words, is also asked by its parts: paragraphs, and windows of long ones. The
file holds a sketch of each document as a whole and no text. So what is found are documents that are much of the item, or of a part of
it. An item that is one paragraph among many of a document is rarely found by it: for these give what the file was built from as --source,
too. It is read once, in memory that grows with the test set alone, and compared word by word. Items below 50 words count as found from .95
on only; those "too short" or below five words need another tool.

With --json a line an item: {"id": ..., "line": ..., "verdict": ..., "evidence": [{"kind", "id", "title", "url", "file", "similarity",
"words": [first, last + 1]}]}; evidence of the kind shared has the source as "file", and "shared", a share, in place of the last two.

exit codes: 0 something was found, 1 nothing was found (the test set is clean), 2 a line was no item, or another error
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("testset", metavar="TESTSET.jsonl")
    parser.add_argument("files", metavar="FILE.pocket", nargs="+")
    parser.add_argument(
        "--source",
        action="append",
        default=[],
        metavar="SOURCE",
        help="look into this, too, for runs of words: what build takes; may be repeated",
    )
    for part in ("id", "text"):
        parser.add_argument(f"--{part}", metavar="FIELD", help=f"of the items: the one with the {part} (default {part})")
    parser.add_argument("--min-shared", type=float, default=LEAST, metavar="S", help="share of an item's runs of five words (default .3)")
    parser.add_argument("--min-similarity", type=float, default=0.8, metavar="S", help="of a near document (default .8)")
    parser.add_argument("--min-part", type=float, default=0.6, metavar="S", help="of one that has a part (default .6)")
    parser.add_argument("--window", type=int, default=WINDOW, metavar="N", help=f"words of a part of a long paragraph (default {WINDOW})")
    parser.add_argument("--top", type=int, default=3, metavar="N", help="documents to name for an item (default 3)")
    parser.add_argument("--probes", type=int, metavar="N", help="keys looked up in each table (default: the file's)")
    parser.add_argument("--json", action="store_true", help="one JSON object an item and line, clean ones too")


def run(arguments: argparse.Namespace) -> int:
    report, verdicts = Report(), Counter[str]()
    if not 0 < arguments.min_shared <= 1:
        raise ValueError(f"--min-shared is {arguments.min_shared}; expected above 0, at most 1")
    sources = inputs.find_all(arguments.source)
    with Progress() as progress, pocketindex.open_many(arguments.files) as indexes:
        near, partly = arguments.min_similarity, arguments.min_part
        checker = Checker(indexes, near, partly, arguments.window, arguments.top, arguments.probes)
        lines: Iterable[jsonl.Line] = jsonl.lines(
            arguments.testset, report.reject, progress.measure, Fields(id=arguments.id, text=arguments.text), needs_id=False
        )
        passages: Iterable[list[Passage]] = itertools.repeat([])
        if sources:
            lines = list(lines)
            passages = _looked_for([line.document.text for line in lines], sources, arguments, progress)
        progress.phase(f"checking {arguments.testset}")
        for line, shared in zip(lines, passages, strict=False):
            report.arrive()
            finding = checker.check(line.document.text)
            verdict = SHARED if shared and finding.verdict not in (KINDS[0], KINDS[1]) else finding.verdict
            verdicts[verdict] += 1
            progress.add()
            shown = _as_json(line, verdict, finding, shared) if arguments.json else _as_text(line, finding, shared)
            if shown:
                progress.clear()
                print(shown)
    report.index(report.read - report.left_out)
    print(_table(verdicts, report), file=sys.stderr if arguments.json else sys.stdout)
    if report.left_out:
        print("\n".join(report.text().split("\n")[1:]), file=sys.stderr)
        print(f"pocketindex: {arguments.testset}: {report.left_out} lines were no item and were not looked for", file=sys.stderr)
        return 2
    return 0 if any(verdicts[kind] for kind in FOUND) else 1


def _looked_for(
    texts: list[str], sources: list[tuple[str, inputs.Input]], arguments: argparse.Namespace, progress: Progress
) -> list[list[Passage]]:
    """What the documents of the sources have of each text."""
    passages = Passages(texts, arguments.min_shared, arguments.top)
    for source, kind in sources:
        report = Report()
        progress.phase(f"reading {source}")
        passages.look(_counted(kind.documents(source, report.reject, progress.measure), progress), source)
        if report.left_out:
            progress.clear()
            print(f"pocketindex: {source}: {report.left_out} records were no document and were not looked into", file=sys.stderr)
    return passages.found


def _counted(documents: Iterable[Document], progress: Progress) -> Iterator[Document]:
    for document in documents:
        progress.add()
        yield document


def _as_json(line: jsonl.Line, verdict: str, finding: Finding, shared: list[Passage]) -> str:
    evidence = [_evidence(one) for one in finding.evidence] + [
        {"kind": SHARED, "id": one.id, "title": one.title, "url": one.url, "file": one.source, "shared": round(one.share, 4)}
        for one in shared
    ]
    return json.dumps({"id": line.document.id, "line": line.number, "verdict": verdict, "evidence": evidence}, ensure_ascii=False)


def _evidence(one: Evidence) -> dict[str, Any]:
    hit = one.hit
    fields = {"kind": one.kind, "id": hit.id, "title": hit.title, "url": hit.url, "file": hit.path, "similarity": hit.similarity}
    return {**fields, "words": list(one.words)}


def _as_text(line: jsonl.Line, finding: Finding, shared: list[Passage]) -> str:
    """A line for each document that has something of the item; nothing for an item that is clean."""
    out = []
    for one in finding.evidence:
        hit, (first, end) = one.hit, one.words
        part = f" words {first + 1}-{end}" if one.kind == "partly" else ""
        name = f"{printable(hit.title or hit.id)}  <{printable(hit.url or hit.id)}>  [{printable(hit.path)}]"
        out.append(f"{one.kind:7} {hit.similarity:.3f}  {printable(line.document.id)}{part}  in  {name}")
    for passage in shared:
        name = f"{printable(passage.title)}  <{printable(passage.url or passage.id)}>  [{printable(passage.source)}]"
        out.append(f"{SHARED:7} {passage.share:.3f}  {printable(line.document.id)}  in  {name}")
    return "\n".join(out)


def _table(verdicts: Counter[str], report: Report) -> str:
    lines = [f"{report.indexed:,} items"]
    notes = {TOO_SHORT: "  not looked for"}
    for verdict in (*FOUND, CLEAN, TOO_SHORT):
        if verdict == SHARED and not verdicts[SHARED]:
            continue
        share = 100 * verdicts[verdict] / report.indexed if report.indexed else 0
        lines.append(f"  {verdict:10}{verdicts[verdict]:>9,}{share:>8.1f} %{notes.get(verdict, '') if verdicts[verdict] else ''}")
    return "\n".join(lines)
