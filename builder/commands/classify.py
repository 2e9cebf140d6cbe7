"""Name the labels of documents by those of the most similar documents of a file."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterator
from typing import Any

from pocketindex.arguments import check_whole
from pocketindex.builder.commands.arguments.items import batch
from pocketindex.builder.commands.arguments.sources import (
    add_batch_arguments,
    add_format_arguments,
    check_batch,
    sources,
)
from pocketindex.builder.commands.arguments.work import add_work_arguments
from pocketindex.builder.evaluate.labels import evaluated
from pocketindex.builder.inputs import located
from pocketindex.builder.inputs.one_text import text_of
from pocketindex.builder.inputs.source import SourceError
from pocketindex.builder.progress import Progress
from pocketindex.commands.documents import MOST_THREADS
from pocketindex.commands.rows import add_row_arguments, row_printer
from pocketindex.commands.shards import add_shard_arguments, opened
from pocketindex.ffi.threads import in_threads
from pocketindex.given import is_index
from pocketindex.joint_index import JointIndex
from pocketindex.queries.classification import WAYS, Classification, way_of
from pocketindex.queries.hits import Hit
from pocketindex.queries.options import DECIDING
from pocketindex.queries.word_search import WordHit
from pocketindex.streams import printable
from pocketindex.wording.counted import were

EXAMPLES = """\
examples:
  pocketindex build posts.jsonl -o posts.pocket --label topics --index documents,words
  pocketindex classify posts.pocket letter.txt
  pocketindex classify posts.pocket letter.txt reply.pdf page.html --json
  pocketindex classify posts.pocket - < letter.txt
  pocketindex classify posts.pocket --batch new.jsonl > labels.jsonl
  pocketindex classify posts.pocket --batch new.parquet --text body --csv > labels.csv
  pocketindex classify posts.pocket --evaluate held-out.jsonl --label topics

Arguments that are pocket files are asked; all others are documents, in any format that `build`
reads. The 20 most similar documents that have labels decide, each with a weight. The share of a
label is that of the documents that have it. Labels with half or more are given, or else the one
with most. What finds and weighs the documents:

  words      the 64 heaviest words of the text, searched for; the score to the fourth power
  texts      the exact cosine of kept texts, squared
  sketches   the similarity to the fourth power: much worse

The first of these that all files can is taken. Build with --index documents,words for good classes.

The verdict is "too little evidence" where no document is more similar than chance alone makes it,
or where the two best labels are practically tied. No label is given then.

With --csv a row a label that is given. With --json, and in a batch, one object a document:
  {"id": ..., "verdict": "clear", "by": "words",
  "labels": [{"label": ..., "share": .71}, ...], "shares": [{"label": ..., "share": .71}, ...],
  "evidence": [{"id": ..., "title": ..., "score": ..., "labels": [...]}, ...]}

exit codes: 0 some document has a label, 1 none has, 2 an error, 3 a file is damaged or no pocket
file
"""
COMMON = (
    *("--help", "--help-all", "--batch", "--evaluate", "--label", "--text", "--id", "--top"),
    *("--no-exact", "--json", "--csv", "--format"),
)
MORE = ""
ROW = ("id", "verdict", "reason", "label", "share", "error")
_SHOWN = 5  # documents of the evidence, where people read it
_SKETCHES = (
    "pocketindex: note: not every file has words, so sketches decide, which are wrong more often; "
    "build with --index documents,words"
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.usage = (
        "%(prog)s [options] FILE.pocket... DOCUMENT...\n"
        "       %(prog)s [options] FILE.pocket... --batch DOCS\n"
        "       %(prog)s [options] FILE.pocket... --evaluate SPLIT --label FIELD"
    )
    parser.add_argument(
        "files",
        metavar="FILE.pocket DOCUMENT",
        nargs="+",
        help="DOCUMENT: a text, HTML, PDF or other file; - is standard input",
    )
    parser.add_argument(
        "--batch",
        type=located,
        metavar="DOCS",
        help="classify every document of this source; - for standard input",
    )
    parser.add_argument(
        "--evaluate",
        type=located,
        metavar="SPLIT",
        help="a collection with labels that is not in the files: how many are named right",
    )
    parser.add_argument(
        "--top",
        type=int,
        default=DECIDING,
        metavar="N",
        help=f"documents that decide (default {DECIDING})",
    )
    parser.add_argument(
        "--by",
        choices=WAYS,
        help="what decides (default: the first of these that all files can)",
    )
    add_row_arguments(parser, "a document")
    add_shard_arguments(parser)
    add_format_arguments(parser)
    add_batch_arguments(parser, ("id", "text", "label"))
    add_work_arguments(parser)


def run(arguments: argparse.Namespace) -> int:
    paths = [path for path in arguments.files if is_index(path)]
    documents = [path for path in arguments.files if path not in paths]
    _check(arguments, paths, documents)
    with opened(paths, arguments) as indexes:
        if way_of(indexes.indexes, arguments.by) == "sketches" and not arguments.by:
            print(_SKETCHES, file=sys.stderr)
        if arguments.evaluate:
            return _evaluate(indexes, arguments)
        if arguments.batch:
            return _batch(indexes, arguments)
        found, several = False, indexes.several
        show = _printer(arguments.csv) if arguments.json or arguments.csv else None
        for name in documents:
            text = text_of(name, arguments.format, arguments.encoding, batch=True)
            one = _classify(indexes, text, arguments)
            found = found or bool(one.labels)
            if show:
                show(as_dict(name, one, several))
            else:
                print(as_text(name, one, several))
        return 0 if found else 1


def _check(arguments: argparse.Namespace, paths: list[str], documents: list[str]) -> None:
    """Raise ValueError where it is not clear what is asked of what."""
    given = [bool(documents), bool(arguments.batch), bool(arguments.evaluate)]
    if not paths:
        raise ValueError("expected a FILE.pocket that was built with --label, found none")
    if sum(given) != 1:
        found = "more than one" if sum(given) else "none"
        raise ValueError(
            "give DOCUMENTs (or - for standard input), --batch DOCS or --evaluate SPLIT; "
            f"found {found} of them"
        )
    if arguments.evaluate and not arguments.field_label:
        raise ValueError("--evaluate needs --label FIELD, which has the right labels")
    if arguments.field_label and not arguments.evaluate:
        raise ValueError("--label goes with --evaluate")
    if arguments.csv and arguments.evaluate:
        raise ValueError("--csv is for rows, and --evaluate gives none; use --json")
    check_batch(arguments, bool(arguments.batch or arguments.evaluate))
    if arguments.threads is not None:
        check_whole("threads", arguments.threads, 1, MOST_THREADS)


def _classify(
    indexes: JointIndex, text: str | bytes, arguments: argparse.Namespace
) -> Classification:
    return indexes.classify(text, arguments.top, by=arguments.by)


def _printer(as_csv: bool) -> Callable[[dict[str, Any]], None]:
    """Return what prints a document as it is for JSON; of CSV a row a label, or one without any."""
    show = row_printer(as_csv, ROW)
    if not as_csv:
        return show

    def rows(line: dict[str, Any]) -> None:
        own = {name: line.get(name) for name in ROW}
        for label in line["labels"] or [{}]:
            show(own | label)

    return rows


def _batch(indexes: JointIndex, arguments: argparse.Namespace) -> int:
    """Print a line a document of the batch, in its order; of CSV a row a label."""
    found = False
    bad = 0
    show = _printer(arguments.csv)

    def line_of(record: tuple[str, str | None, str]) -> dict[str, Any]:
        id, text, problem = record
        if text is None:
            return {"id": id, "error": problem, "labels": []}
        return as_dict(id, _classify(indexes, text, arguments), indexes.several)

    with Progress(form=arguments.progress) as progress:
        for some in batch(arguments.batch, arguments, progress):
            for line in in_threads(line_of, some, arguments.threads):
                bad += "error" in line
                found = found or bool(line["labels"])
                show(line)
    if bad:
        print(
            f"pocketindex: {arguments.batch}: {were(bad, 'record')} no document; "
            f"{'its' if bad == 1 else 'their'} line in the output has an error",
            file=sys.stderr,
        )
        return 2
    return 0 if found else 1


def _evaluate(indexes: JointIndex, arguments: argparse.Namespace) -> int:
    """Say how many documents of the split are named right."""
    result = evaluated(
        (set(labels), _classify(indexes, text, arguments)) for text, labels in _split(arguments)
    )
    print(json.dumps(result.as_dict()) if arguments.json else result.text())
    return 0


def _split(arguments: argparse.Namespace) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield text and labels of each document of the split that has labels."""
    count = 0
    with Progress(form=arguments.progress) as progress:
        progress.phase(f"reading {arguments.evaluate}")
        for source, kind in sources(arguments, [arguments.evaluate]):
            for document in kind.documents(source, lambda skip: None, progress.measure):
                progress.add()
                if document.labels:
                    count += 1
                    yield document.text, document.labels
    if not count:
        raise SourceError(
            arguments.evaluate,
            f'expected documents with labels in the field "{arguments.field_label}", found none; '
            "correct --label",
        )


def as_dict(id: str, one: Classification, with_file: bool) -> dict[str, Any]:
    """Return a classification for JSON."""
    shares = [{"label": label, "share": round(share, 4)} for label, share in one.shares.items()]
    out: dict[str, Any] = {"id": id, "verdict": one.verdict, "by": one.way}
    if one.reason:
        out["reason"] = one.reason
    out["labels"] = [share for share in shares if share["label"] in one.labels]
    out["shares"] = shares
    out["evidence"] = [_evidence(hit, with_file) for hit in one.hits]
    return out


def _evidence(hit: Hit | WordHit, with_file: bool) -> dict[str, Any]:
    own: dict[str, Any] = {"id": hit.id, "title": hit.title}
    if isinstance(hit, WordHit):
        own["score"] = round(hit.score, 2)
    else:
        own["similarity"] = hit.similarity
        if hit.cosine is not None:
            own["cosine"] = round(hit.cosine, 4)
    own["labels"] = list(hit.labels)
    return own | ({"file": _file(hit)} if with_file else {})


def _file(hit: Hit | WordHit) -> str:
    return getattr(hit, "file", "")


def _weighed(hit: Hit | WordHit) -> str:
    """Return what decided of a hit, for people."""
    if isinstance(hit, WordHit):
        return f"{hit.score:.1f}"
    return f"{hit.similarity if hit.cosine is None else hit.cosine:.3f}"


def as_text(id: str, one: Classification, with_file: bool) -> str:
    """Return a classification for people: labels with their shares, and the documents that weigh
    most.
    """
    given = ", ".join(f"{printable(label)} {one.shares[label]:.0%}" for label in one.labels)
    lines = [f"{printable(id)}: {given or f'{one.verdict}: {one.reason}'}"]
    others = [label for label in one.shares if label not in one.labels][:3]
    if others:
        lines.append(
            "       less: " + ", ".join(f"{printable(own)} {one.shares[own]:.0%}" for own in others)
        )
    for hit in one.hits[:_SHOWN]:
        labels = ", ".join(map(printable, hit.labels))
        file = f"  [{printable(_file(hit))}]" if with_file else ""
        lines.append(f"       {_weighed(hit)}  {printable(hit.title or hit.id)}  ({labels}){file}")
    return "\n".join(lines)
