"""Find the documents most similar to a document."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from typing import Any

import pocketindex
from pocketindex.explain import Explanation
from pocketindex.index import Hit, Hits, Index

EXAMPLES = """\
examples:
  pocketindex query wiki.pocket draft.txt
  pocketindex query wiki.pocket - --top 3 --json < draft.txt
  pocketindex query wiki.pocket draft.txt --explain
  pocketindex query wiki.pocket --batch tests.jsonl > overlaps.jsonl

A batch is JSON Lines with a text each, or the fields of the build's input; it gives one line a document:
  {"id": ..., "hits": [{"rank": 1, "id": ..., "title": ..., "url": ..., "similarity": ...}, ...]}
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE.pocket")
    parser.add_argument("document", metavar="DOCUMENT", nargs="?", help="a text file, or - for standard input")
    parser.add_argument("--batch", metavar="DOCS.jsonl", help="query every document of this file; - for standard input")
    parser.add_argument("--top", type=int, default=10, metavar="N", help="hits to show (default 10)")
    parser.add_argument(
        "--probes",
        type=int,
        metavar="N",
        help="keys looked up in each table: 1 is the published method, more find more (default: the file's)",
    )
    parser.add_argument("--min-similarity", type=float, default=0.3, metavar="S", help="leave out hits below this, 0 .. 1 (default 0.3)")
    parser.add_argument(
        "--exhaustive", action="store_true", help="compare with every sketch, look up no keys: slow in large files, misses nothing"
    )
    parser.add_argument("--explain", action="store_true", help="also show which components agree and which terms weigh most")
    parser.add_argument("--json", action="store_true", help="one JSON object a hit and line")


def run(arguments: argparse.Namespace) -> int:
    if (arguments.document is None) == (arguments.batch is None):
        raise ValueError("give a DOCUMENT (or - for standard input), or --batch DOCS.jsonl")
    with pocketindex.open(arguments.file) as index:
        if arguments.batch is not None:
            return run_batch(index, arguments)
        text = read(arguments.document)
        choices = {"min_similarity": arguments.min_similarity, "exhaustive": arguments.exhaustive}
        hits = index.query(text, arguments.top, arguments.probes, **choices)
        if hits.capped:
            print("pocketindex: the query stopped at 65,536 candidates; with fewer --probes it sees the nearest ones only", file=sys.stderr)
        for rank, hit in enumerate(hits, 1):
            explanation = index.explain(text, hit) if arguments.explain else None
            print(json.dumps(as_dict(rank, hit, explanation), ensure_ascii=False) if arguments.json else as_text(rank, hit, explanation))
        if not hits and not arguments.json:
            print("nothing similar found", file=sys.stderr)
        return 0 if hits else 1


def run_batch(index: Index, arguments: argparse.Namespace) -> int:
    """One JSON line a document of the batch, in its order."""
    choices = {"min_similarity": arguments.min_similarity, "exhaustive": arguments.exhaustive}
    found = False
    bad = 0
    for place, id, text in batch(arguments.batch):
        line: dict[str, Any] = {"id": id}
        if text is None:
            bad += 1
            line["error"] = f"{place}: expected a JSON object with a text"
            hits = Hits()
        else:
            (hits,) = index.query_many([text], arguments.top, arguments.probes, **choices)
            if hits.too_short:
                line["error"] = "too short"
        found = found or bool(hits)
        line["hits"] = [as_dict(rank, hit, None) for rank, hit in enumerate(hits, 1)]
        print(json.dumps(line, ensure_ascii=False))
    if bad:
        print(f"pocketindex: {arguments.batch}: {bad} lines were no document; their line in the output has an error", file=sys.stderr)
        return 2
    return 0 if found else 1


def batch(path: str) -> Iterator[tuple[str, str, str | None]]:
    """Place, id (the line number where there is none) and text of each line; None for a line that is no document."""
    name = "<stdin>" if path == "-" else path
    stream = sys.stdin.buffer if path == "-" else open(path, "rb")
    with stream:
        for number, line in enumerate(stream, 1):
            if not line.strip():
                continue
            try:
                fields = json.loads(line)
                text = fields["text"] if isinstance(fields, dict) else None
            except (ValueError, KeyError):
                fields, text = {}, None
            id = fields.get("id", number) if isinstance(fields, dict) else number
            yield f"{name}:{number}", str(id), text if isinstance(text, str) else None


def read(document: str) -> bytes:
    """The bytes of a file or of standard input."""
    if document == "-":
        return sys.stdin.buffer.read()
    with open(document, "rb") as stream:
        return stream.read()


def as_dict(rank: int, hit: Hit, explanation: Explanation | None) -> dict[str, Any]:
    """A hit for JSON."""
    out: dict[str, Any] = {"rank": rank, "id": hit.id, "title": hit.title, "url": hit.url, "similarity": hit.similarity}
    if explanation:
        agreeing = sum(c.agrees for c in explanation.components)
        out["explanation"] = {
            "agreement": round(explanation.agreement, 4),
            "components": len(explanation.components),
            "agreeing": agreeing,
            "keys": list(hit.keys),
            "terms": [{"term": t.term, "count": t.count, "weight": round(t.weight, 4)} for t in explanation.terms[:20]],
        }
    return out


def as_text(rank: int, hit: Hit, explanation: Explanation | None) -> str:
    """A hit for people: similarity, title, and where to find it."""
    where = hit.url or (hit.id if hit.id != hit.title else "")
    line = f"{rank:3}  {hit.similarity:.3f}  {printable(hit.title or hit.id)}" + (f"  <{printable(where)}>" if where else "")
    if explanation is None:
        return line
    agreeing = sum(c.agrees for c in explanation.components)
    keys = ", ".join(map(str, hit.keys))
    terms = ", ".join(f"{printable(t.term)} {100 * t.weight:.0f}%" for t in explanation.terms[:8])
    return (
        f"{line}\n       {agreeing} of {len(explanation.components)} components agree, {100 * explanation.agreement:.0f}% of their weight; "
        f"found by key {keys}\n       terms that weigh most: {terms or 'none'}"
    )


def printable(text: str) -> str:
    """Text without control characters: a title may not steer the terminal."""
    return "".join(c if c.isprintable() else "\ufffd" for c in text)
