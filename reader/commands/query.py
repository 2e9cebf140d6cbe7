"""Find the documents most similar to a document."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from pocketindex.commands.documents import (
    add_batch_arguments,
    add_document_arguments,
    batch,
    check_batch_arguments,
    text_of,
)
from pocketindex.commands.rows import add_row_arguments, row_printer
from pocketindex.commands.shards import add_shard_arguments, opened
from pocketindex.contents.documents import Record
from pocketindex.errors import TextTooShort
from pocketindex.ffi.threads import in_threads
from pocketindex.flags import add_options, chosen
from pocketindex.given import check_one_document, is_index
from pocketindex.index import Index
from pocketindex.joint_index import JointIndex
from pocketindex.options import options_of
from pocketindex.queries.explain import Explanation
from pocketindex.queries.hits import FileHit, FileHits, Hit
from pocketindex.queries.options import QueryOptions
from pocketindex.streams import printable
from pocketindex.wording.counted import were
from pocketindex.wording.shared import Shared
from pocketindex.wording.snippet import snippet

EXAMPLES = """\
examples:
  pocketindex build wiki.jsonl -o wiki.pocket --keep text
  pocketindex query wiki.pocket draft.txt
  pocketindex query wiki.pocket - --top 3 --json < draft.txt
  pocketindex query wiki.pocket page.html
  cat page.html | pocketindex query wiki.pocket - --format html
  pocketindex query wiki.pocket draft.txt --explain
  pocketindex query wiki.pocket draft.txt --exact
  pocketindex query wiki.pocket --batch tests.jsonl > overlaps.jsonl
  pocketindex query 2024.pocket 2025.pocket 2026.pocket draft.txt
  pocketindex query shards/manifest.json draft.txt

The last argument is the document, in any format that `build` reads: its text is what a build would
have made of it. An argument that cannot be a file is the text itself if it has blanks, or letters
of a script that is written without them, such as Chinese or Thai. All arguments before it are
pocket files; with --batch all are. A manifest of shards, or its folder, stands for them. Hits of
several files are merged by similarity (ties: the order of the files, then of the documents) and say
their file.

A batch is what build takes as a SOURCE; of JSON Lines, Parquet and Arrow a record without an id has
the number of its line or row, unless --id names a field. It gives one line a document:
  {"id": ..., "hits": [{"rank": 1, "id": ..., "title": ..., "url": ..., "similarity": ...,
  "similarity_error": ...}, ...]}
With several files each hit has "file", too. With --csv there is a row a hit, which begins with the
id of its document.
"""
MORE = """\
In files built with --keep text, --exact also shows how much wording the two texts share: the share
of the shingles of three words in either text that both have (Jaccard; "shared" in JSON). It is
small if a long text contains the whole of a short one, so the share of your text's shingles that a
hit has is shown, too.
"""
COMMON = (
    *("--help", "--help-all", "--batch", "--top", "--min-similarity", "--exact", "--explain"),
    *("--json", "--csv", "--format", "--id", "--text"),
)
TOO_SHORT = "too short"
ROW = (
    *("rank", "id", "title", "url", "similarity", "labels", "similarity_error", "evidence"),
    *("words", "file", "cosine", "shared", "snippet"),
)
BATCH_ROW = ("query", *ROW[:-1], "error")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.usage = (
        "%(prog)s [options] FILE.pocket... DOCUMENT\n       %(prog)s [options] FILE.pocket... "
        "--batch DOCS"
    )
    parser.add_argument(
        "files",
        metavar="FILE.pocket... DOCUMENT",
        nargs="+",
        help="DOCUMENT: a text, HTML, EPUB, PDF or other file; - is standard input",
    )
    add_options(parser, options_of(QueryOptions).values())
    parser.add_argument(
        "--explain",
        action="store_true",
        help="also show which components agree and which terms weigh most",
    )
    add_row_arguments(parser, "a hit")
    add_shard_arguments(parser)
    parser.set_defaults(batch=None, format=None, encoding=None, threads=None)


def add_more_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments that only the inputs of the builder understand."""
    parser.add_argument(
        "--batch",
        metavar="DOCS",
        help="query every document of this source; - for standard input",
    )
    add_document_arguments(parser)
    add_batch_arguments(parser, ("id", "text"))


def run(arguments: argparse.Namespace) -> int:
    check_batch_arguments(arguments)
    if arguments.batch is not None and arguments.explain:
        raise ValueError("--explain is for one document; omit --batch or --explain")
    if arguments.csv and arguments.explain:
        raise ValueError("--explain shows what no row of CSV has; use --json")
    paths, document = split(arguments.files, arguments.batch is not None)
    with opened(paths, arguments) as indexes:
        if document is None:
            return run_batch(indexes, arguments, batch(arguments))
        text = text_of(document, arguments)
        try:
            hits = indexes.query(text, chosen(QueryOptions, arguments))
        except TextTooShort as error:
            print(f"pocketindex: {error}", file=sys.stderr)
            return 1
        if hits.capped:
            print(
                "pocketindex: the query stopped at 65,536 candidates; with fewer --probes it sees "
                "the nearest ones only",
                file=sys.stderr,
            )
        if hits.short:
            print(
                "pocketindex: the text has too few terms to find similar documents; these are its "
                "copies",
                file=sys.stderr,
            )
        several, shared = indexes.several, shared_of(indexes, text, hits)
        show = row_printer(arguments.csv, ROW) if arguments.json or arguments.csv else None
        for rank, hit in enumerate(hits, 1):
            explained = arguments.explain and not hits.by_file[hit.file_number].short
            explanation = indexes.explain(text, hit) if explained else None
            index = indexes.indexes[hit.file_number]
            if show:
                beside = {"snippet": index.snippet(hit)} if index.kept != "none" else {}
                show(as_dict(rank, hit, explanation, several, shared.get(rank)) | beside)
            else:
                print(as_text(rank, hit, explanation, several, shared.get(rank)))
                if index.kept != "none":
                    print(snippet_line(index, hit))
        if not hits and not show:
            print(nothing_found(indexes, text, arguments), file=sys.stderr)
        return 0 if hits else 1


def shared_of(indexes: JointIndex, text: bytes, hits: FileHits) -> dict[int, Shared]:
    """Return what text and hits have in common, by rank, of those whose texts are kept; with exact
    they know it.
    """
    found = {rank: hit.shared for rank, hit in enumerate(hits, 1) if hit.shared}
    for file, index in enumerate(indexes.indexes):
        ranks = {
            hit.number: rank
            for rank, hit in enumerate(hits, 1)
            if hit.file_number == file and not hit.shared
        }
        if index.kept == "text" and ranks:
            from pocketindex.queries.exact import (
                compare,  # numpy: only who needs it waits for its import
            )

            found |= {
                ranks[one.number]: one.shared
                for one in compare(index._core, index.path, text, list(ranks))
            }
    return found


_MANY_WORDS = 0.5  # of the rarest ones; a document with so many may have a passage


def nothing_found(indexes: JointIndex, text: bytes, arguments: argparse.Namespace) -> str:
    """Return what to say of no hits, with what was left out where nobody asked for that."""
    if arguments.min_similarity is not None or arguments.exact:
        return "nothing similar found"
    best = next(
        iter(indexes.query(text, chosen(QueryOptions, arguments), top=1, min_similarity=0)),
        None,
    )
    if best is None:
        return "nothing similar found"
    least = indexes.indexes[best.file_number].min_similarity(documents=len(indexes))
    digits = 4 if f"{best.similarity:.3f}" == f"{least:.3f}" else 3
    said = f"nothing similar found: the best, at {best.similarity:.{digits}f}, "
    if best.similarity >= least or best.evidence == "text":
        said += "is too different as a whole; --min-similarity 0 shows it"
    else:
        said += (
            f"may be chance; among {len(indexes):,} documents it takes {least:.{digits}f} to be "
            "more; --min-similarity 0 shows it"
        )
    if (best.words or 0) >= _MANY_WORDS:
        said += (
            f"; it has {best.words:.0%} of your text's rarest words, so `pocketindex sources` may "
            "find passages of your text in it"
        )
    return said


def split(given: list[str], is_batch: bool) -> tuple[list[str], str | None]:
    """Return the pocket files, and the document unless there is a batch.

    Raises ValueError where it is missing, or one too many.
    """
    expected = "give a DOCUMENT (or - for standard input), or --batch DOCS"
    if is_batch:
        if len(given) > 1 and not is_index(given[-1]):
            raise ValueError(f"{expected}, not both: {given[-1]} is no pocket file")
        return given, None
    if len(given) == 1:
        raise ValueError(expected)
    if is_index(given[-1]):
        raise ValueError(f"{expected}: the last argument, {given[-1]}, is a pocket file")
    check_one_document("query", given, "; for several, use --batch")
    return given[:-1], given[-1]


def run_batch(
    indexes: JointIndex,
    arguments: argparse.Namespace,
    records: Iterable[Sequence[tuple[str, str | None, str]]],
) -> int:
    """Print a line a document of the batch, in its order; of CSV a row a hit."""
    found, bad = False, 0
    show = row_printer(arguments.csv, BATCH_ROW)
    for id, error, hits in _answers(indexes, arguments, records):
        bad += error is not None and error != TOO_SHORT
        found = found or bool(hits)
        line: dict[str, Any] = {"id": id} | ({"error": error} if error else {})
        if not arguments.csv:
            show(line | {"hits": hits})
        elif hits:
            for hit in hits:
                show({"query": id} | hit)
        else:
            show({"query": id, "error": error})
    if bad:
        print(
            f"pocketindex: {arguments.batch}: {were(bad, 'record')} no document; "
            f"{'its' if bad == 1 else 'their'} line in the output has an error",
            file=sys.stderr,
        )
        return 2
    return 0 if found else 1


def _answers(
    indexes: JointIndex,
    arguments: argparse.Namespace,
    records: Iterable[Sequence[tuple[str, str | None, str]]],
) -> Iterator[tuple[str, str | None, list[dict[str, Any]]]]:
    """Yield id, error and hits of each document."""
    several, asked = indexes.several, chosen(QueryOptions, arguments)

    def hits_of(record: tuple[str, str | None, str]) -> FileHits | None:
        return None if record[1] is None else next(indexes.query_many([record[1]], asked))

    for some in records:
        for (id, _, problem), hits in zip(
            some, in_threads(hits_of, some, arguments.threads), strict=True
        ):
            if hits is None:
                yield id, problem, []
            else:
                own = [as_dict(rank, hit, None, several) for rank, hit in enumerate(hits, 1)]
                yield id, TOO_SHORT if hits.too_short else None, own


def as_dict(
    rank: int,
    hit: FileHit,
    explanation: Explanation | None,
    with_file: bool,
    shared: Shared | None = None,
) -> dict[str, Any]:
    """Return a hit for JSON. shared: where the texts are at hand."""
    out = {"rank": rank, **hit.as_dict()}
    if not with_file:
        del out["file"]
    if shared and not hit.shared:
        out["shared"] = shared.as_dict()
    if explanation:
        agreeing = sum(c.agrees for c in explanation.components)
        out["explanation"] = {
            "agreement": round(explanation.agreement, 4),
            "components": len(explanation.components),
            "agreeing": agreeing,
            "keys": list(hit.keys),
            "near_cell": hit.near_cell,
            "terms": [
                {"term": t.term, "count": t.count, "weight": round(t.weight, 4)}
                for t in explanation.terms[:20]
            ],
        }
        if explanation.passages is not None:
            out["explanation"]["passages"] = [
                {"words": p.words, "text": p.text} for p in explanation.passages
            ]
    return out


def as_text(
    rank: int,
    hit: FileHit,
    explanation: Explanation | None,
    with_file: bool,
    shared: Shared | None = None,
) -> str:
    """Return a hit for people: similarity, title, where to find it."""
    where = hit.url or (hit.id if hit.id != hit.title else "")
    line = f"{rank:3}  {hit.similarity:.3f}  {printable(hit.title or hit.id)}" + (
        f"  <{printable(where)}>" if where else ""
    )
    line += f"  [{printable(hit.file)}]" if with_file else ""
    if hit.evidence == "words":
        line += f"\n       has {hit.words:.0%} of your text's rarest words"
    if shared and (hit.cosine is not None or shared.containment):  # a text of two words has none
        cosine = "" if hit.cosine is None else f"cosine {hit.cosine:.3f}; "
        line += (
            f"\n       {cosine}has {shared.containment:.0%} of your text's shingles of 3 words; "
            f"both texts share {shared.jaccard:.0%} of all"
        )
    if explanation is None:
        return line
    agreeing = sum(c.agrees for c in explanation.components)
    by = _found_by(hit)
    terms = ", ".join(f"{printable(t.term)} {100 * t.weight:.0f}%" for t in explanation.terms[:8])
    return (
        f"{line}\n       {agreeing} of {len(explanation.components)} components agree, "
        f"{100 * explanation.agreement:.0f}% of their weight; "
        f"found by {by}\n       terms that weigh most: {terms or 'none'}"
    ) + "".join(
        f"\n       both have {p.words} words: {printable(snippet(p.text))}"
        for p in explanation.passages or ()
    )


def _found_by(hit: FileHit) -> str:
    keys = [f"key {', '.join(map(str, hit.keys))}"] if hit.keys else []
    return " and ".join([*keys, *(["the nearest cells"] if hit.near_cell else [])]) or "the scan"


def snippet_line(index: Index, document: Hit | Record) -> str:
    """Return what the file keeps of a text, under the line that names the document."""
    return "       " + printable(index.snippet(document) or "")
