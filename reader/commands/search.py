"""Find the documents that have a few words."""

from __future__ import annotations

import argparse
import json
import sys

from pocketindex.arguments import STDIO
from pocketindex.commands.rows import add_row_arguments, row_printer
from pocketindex.commands.shards import add_shard_arguments, opened
from pocketindex.given import is_index
from pocketindex.joint_index import JointIndex
from pocketindex.queries.filters import matching
from pocketindex.queries.marked import excerpt
from pocketindex.queries.word_search import WordHit, WordHits
from pocketindex.streams import BOLD, PLAIN, printable
from pocketindex.wording.counted import counted

EXAMPLES = """\
examples:
  pocketindex build wiki.jsonl -o wiki.pocket --index documents,words
  pocketindex search wiki.pocket volcano iceland
  pocketindex search wiki.pocket '"new york" subway -airport'
  pocketindex search wiki.pocket 'volc' --prefix
  pocketindex search 2024.pocket 2025.pocket 'volcano iceland' --group --json

The pocket files come first, then a few words to search for. The files have to be built with
--index documents,words. Documents are ranked as by BM25; those with all words rank higher, most of
all if their titles have the words. Case and accents do not matter. To search with a whole document
use `query`, and with a paragraph `sources`.

  "two words"   documents with these words next to each other, if the file keeps whole texts
                (--keep text)
  word -other   documents without the other word, which has three letters or more; put -- before the
                files
  wor*          words that begin with wor; --prefix does the same for the last word
  label:earn    documents with this label; label:"crude oil" is a label of two words, -label:earn
                excludes a label, and several labels match documents that have any of them
  lang:de       documents in this language, including its variants such as de-at

Labels and languages are kept by files that were built with --label FIELD. A search for filters
alone lists the documents that match them.

If no document has a word, it is tried in another form, as two words, joined with the next word, and
in another spelling; the answer says so. This does not apply to words in quotation marks.

In a search for eight words or more, minus signs, quotation marks and filters have no effect,
because such a text is taken for a sentence that was pasted.

--json prints one object per line for each hit, and --csv one row:
  {"rank": 1, "id": ..., "title": ..., "url": ..., "score": 11.2, "words": 2, "file": ...}
"labels" has the labels of the document. With --group, "like" has the similar hits that are grouped
under a hit. The last line of --json is about the answer:
  {"words": ..., "all": 3, "any": 9, ..., "notes": []}

exit codes: 0 found; 1 nothing found; 2 an error; 3 a file is damaged or no pocket file
"""
ROW = ("rank", "id", "title", "url", "score", "words", "file", "labels", "like")
SHOWN = 3  # hits of a group that are named


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.usage = "%(prog)s [options] FILE.pocket... WORDS"
    parser.add_argument(
        "files",
        metavar="FILE.pocket... WORDS",
        nargs="+",
        help="WORDS: what is searched for; - is standard input",
    )
    parser.add_argument(
        "--top", type=int, default=10, metavar="N", help="hits to show (default 10)"
    )
    parser.add_argument(
        "--prefix", action="store_true", help="the last word may be the beginning of a word"
    )
    parser.add_argument(
        "--group",
        action="store_true",
        help="show only the best hit of each group of near-duplicates",
    )
    add_row_arguments(parser, "a hit")
    add_shard_arguments(parser)


def run(arguments: argparse.Namespace) -> int:
    paths, text = split(arguments.files)
    with opened(paths, arguments) as indexes:
        found = indexes.search(text, arguments.top, prefix=arguments.prefix, group=arguments.group)
        show = row_printer(arguments.csv, ROW) if arguments.json or arguments.csv else None
        for rank, hit in enumerate(found, 1):
            if show:
                show({"rank": rank, **hit.as_dict()})
            else:
                print(_shown(rank, hit, indexes, found.text, arguments))
    if arguments.json:
        print(json.dumps(found.as_dict(), ensure_ascii=False))
    print(summary(found), file=sys.stderr)
    return 0 if found else 1


def split(given: list[str]) -> tuple[list[str], str]:
    """Return the pocket files, and all that follows as what is searched for.

    Raises ValueError where that is missing, or an index stands behind it.
    """
    count = 1
    while count < len(given) and is_index(given[count]):
        count += 1
    paths, words = given[:count], given[count:]
    if not words:
        raise ValueError("expected FILE.pocket... and WORDS, found no words")
    return paths, sys.stdin.read() if words == [STDIO] else " ".join(words)


def summary(found: WordHits) -> str:
    """Say how many documents have the words, and what a user should know about the answer."""
    if found.filters and (not found.allowed or all(one.excluded for one in found.words)):
        return "; ".join([matching(found.any), *found.notes])
    if found.filters and found.wanted and not found.any:
        said = "no document that matches the filters has any of these words"
    elif not found.words:
        said = "this has no word to search for"
    elif not found.wanted:
        said = "no document has any of these words"
    elif not found.any:
        said = "every document with these words also has a word that was excluded"
    elif found.wanted == 1:
        said = f"{_documents_have(found.any)} the word"
    elif found.pieces:
        number = counted(found.all, "document")
        said = f"up to {number} may have all words, {found.any:,} have a part of one"
    else:
        said = f"{_documents_have(found.all)} all words, {found.any:,} one of them"
    filtered = [matching(found.allowed)] if found.filters else []
    return "; ".join([said, *filtered, *found.notes])


def _documents_have(number: int) -> str:
    return f"{counted(number, 'document')} {'has' if number == 1 else 'have'}"


def _shown(
    rank: int, hit: WordHit, indexes: JointIndex, text: str, arguments: argparse.Namespace
) -> str:
    where = f"  <{printable(hit.url or hit.id)}>"
    file = f"  [{printable(hit.file)}]" if indexes.several else ""
    lines = [f"{rank:3}. {hit.score:5.1f}  {printable(hit.title or hit.id)}{where}{file}"]
    if piece := _piece(hit, indexes, text, arguments.prefix):
        lines.append(f"       {piece}")
    if hit.like:
        names = [printable(other.title or other.id) for other in hit.like[:SHOWN]]
        more = ", …" if len(hit.like) > SHOWN else ""
        lines.append(f"       {len(hit.like)} more like this: {', '.join(names)}{more}")
    return "\n".join(lines)


def _piece(hit: WordHit, indexes: JointIndex, text: str, prefix: bool) -> str:
    """Return the piece of a kept text that has most of the words; on a terminal these are bold."""
    index = indexes.indexes[indexes.paths.index(hit.file)]
    if index.kept == "none":
        return ""
    piece, spans = excerpt(index._kept_text(hit.number), text, prefix=prefix)
    if not sys.stdout.isatty():
        return printable(piece)
    parts, at = [], 0
    for start, end in spans:
        parts += [printable(piece[at:start]), BOLD, printable(piece[start:end]), PLAIN]
        at = end
    return "".join([*parts, printable(piece[at:])])
