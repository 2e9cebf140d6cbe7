"""Tell which items of a test set are, whole or in large part, in a collection."""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from typing import Any

import pocketindex
from pocketindex.builder.inputs import jsonl
from pocketindex.builder.progress import Progress
from pocketindex.builder.report import Report
from pocketindex.contamination import CLEAN, KINDS, TOO_SHORT, WINDOW, Checker, Evidence, Finding
from pocketindex.verbs.query import printable

EXAMPLES = """\
examples:
  pocketindex check test.jsonl train.pocket
  pocketindex check test.jsonl.gz crawl-1.pocket crawl-2.pocket --json > findings.jsonl
  jq -c '{id, text: .question}' quiz.jsonl | pocketindex check - train.pocket

Items are JSON Lines with a text each, and an id or else the number of their line (plain, .gz, .zst; - is standard input). Verdicts:
  exact      a document is byte for byte the item, as far as equal sketches and the file's identity bits tell
  near       a document is at least --min-similarity similar to the whole item
  partly     a document is at least --min-part similar to the whole item or to a part of it
  clean      none of these
  too short  the item has too few terms for a sketch and was not looked for

An item of several paragraphs of 50 words or more, or of 200 words, is also asked by its parts: paragraphs, and windows of long ones. The
file holds a sketch of each document as a whole and no text. So what is found are documents that are much of the item, or of a part of
it. An item that is one paragraph among many of a document is rarely found: for these build the file from paragraphs, a record each.
Items below 50 words count as found from .95 on only; "too short" ones need another tool.

With --json a line an item: {"id": ..., "line": ..., "verdict": ..., "evidence": [{"kind", "id", "title", "url", "file", "similarity",
"words": [first, last + 1]}]}.

exit codes: 0 something was found, 1 nothing was found (the test set is clean), 2 a line was no item, or another error
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("testset", metavar="TESTSET.jsonl")
    parser.add_argument("files", metavar="FILE.pocket", nargs="+")
    parser.add_argument("--min-similarity", type=float, default=0.8, metavar="S", help="of a near document (default .8)")
    parser.add_argument("--min-part", type=float, default=0.6, metavar="S", help="of one that has a part (default .6)")
    parser.add_argument("--window", type=int, default=WINDOW, metavar="N", help=f"words of a part of a long paragraph (default {WINDOW})")
    parser.add_argument("--top", type=int, default=3, metavar="N", help="documents to name for an item (default 3)")
    parser.add_argument("--probes", type=int, metavar="N", help="keys looked up in each table (default: the file's)")
    parser.add_argument("--json", action="store_true", help="one JSON object an item and line, clean ones too")


def run(arguments: argparse.Namespace) -> int:
    report, verdicts = Report(), Counter[str]()
    with Progress() as progress, pocketindex.open_many(arguments.files) as indexes:
        near, partly = arguments.min_similarity, arguments.min_part
        checker = Checker(indexes, near, partly, arguments.window, arguments.top, arguments.probes)
        progress.phase(f"checking {arguments.testset}")
        for line in jsonl.lines(arguments.testset, report.reject, progress.measure, needs_id=False):
            report.arrive()
            finding = checker.check(line.document.text)
            verdicts[finding.verdict] += 1
            progress.add()
            shown = _as_json(line, finding) if arguments.json else _as_text(line, finding)
            if shown:
                progress.clear()
                print(shown)
    report.index(report.read - report.left_out)
    print(_table(verdicts, report), file=sys.stderr if arguments.json else sys.stdout)
    if report.left_out:
        print("\n".join(report.text().split("\n")[1:]), file=sys.stderr)
        print(f"pocketindex: {arguments.testset}: {report.left_out} lines were no item and were not looked for", file=sys.stderr)
        return 2
    return 0 if any(verdicts[kind] for kind in KINDS) else 1


def _as_json(line: jsonl.Line, finding: Finding) -> str:
    evidence = [_evidence(one) for one in finding.evidence]
    return json.dumps({"id": line.document.id, "line": line.number, "verdict": finding.verdict, "evidence": evidence}, ensure_ascii=False)


def _evidence(one: Evidence) -> dict[str, Any]:
    hit = one.hit
    fields = {"kind": one.kind, "id": hit.id, "title": hit.title, "url": hit.url, "file": hit.path, "similarity": hit.similarity}
    return {**fields, "words": list(one.words)}


def _as_text(line: jsonl.Line, finding: Finding) -> str:
    """A line for each document that has something of the item; nothing for an item that is clean."""
    out = []
    for one in finding.evidence:
        hit, (first, end) = one.hit, one.words
        part = f" words {first + 1}-{end}" if one.kind == "partly" else ""
        name = f"{printable(hit.title or hit.id)}  <{printable(hit.url or hit.id)}>  [{printable(hit.path)}]"
        out.append(f"{one.kind:7} {hit.similarity:.3f}  {printable(line.document.id)}{part}  in  {name}")
    return "\n".join(out)


def _table(verdicts: Counter[str], report: Report) -> str:
    lines = [f"{report.indexed:,} items"]
    notes = {TOO_SHORT: "  not looked for"}
    for verdict in (*KINDS, CLEAN, TOO_SHORT):
        share = 100 * verdicts[verdict] / report.indexed if report.indexed else 0
        lines.append(f"  {verdict:10}{verdicts[verdict]:>9,}{share:>8.1f} %{notes.get(verdict, '') if verdicts[verdict] else ''}")
    return "\n".join(lines)
