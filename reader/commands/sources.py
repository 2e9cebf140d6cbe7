"""Find the documents that passages of a text come from."""

from __future__ import annotations

import argparse
import sys
from contextlib import ExitStack
from importlib import import_module
from typing import Any

from pocketindex.arguments import is_stdio
from pocketindex.commands.documents import add_document_arguments, text_of
from pocketindex.commands.rows import add_row_arguments, row_printer
from pocketindex.commands.shards import add_shard_arguments, opened
from pocketindex.given import check_one_document
from pocketindex.queries.sources import Source, Sources
from pocketindex.streams import printable

EXAMPLES = """\
examples:
  pocketindex build wiki.jsonl -o wiki.pocket --index documents,passages
  pocketindex sources wiki.pocket essay.txt
  pocketindex sources wiki.pocket essay.pdf --html report.html
  echo 'a paragraph of some dozens of words' | pocketindex sources wiki.pocket -
  pocketindex sources 2024.pocket 2025.pocket essay.txt --json

The last argument is the text, in any format that `build` reads. All before it are pocket files that
were built with --index documents,passages. First comes the document that covers most of the text,
then, each time, the one that covers most of what is left.

Passages are found by shingles of the same four words. So a passage is found whose words were
changed here and there, and not one that was rewritten or translated. In files that were built with
--keep text the passages are exact; in others a passage may begin or end some words too early or too
late.

With --json one object a source and line, with --csv one row:
  {"rank": 1, "id": ..., "title": ..., "url": ..., "coverage": .31, "added": .31, "passages":
  [[start, end], ...], "file": ...}
Places are code points of the text. Where texts are kept, "common" has each passage with its place
in the document and the share of its words that were edited.

exit codes: 0 some passage was found; 1 none was; 2 an error; 3 a file is damaged or no pocket file
"""
_PAGE = "pocketindex.builder.out.sources_page"
ROW = ("rank", "id", "title", "url", "coverage", "added", "passages", "file", "common")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.usage = "%(prog)s [options] FILE.pocket... TEXT"
    parser.add_argument(
        "files",
        metavar="FILE.pocket... TEXT",
        nargs="+",
        help="TEXT: a text, HTML, EPUB, PDF or other file; - is standard input",
    )
    parser.add_argument(
        "--top", type=int, default=10, metavar="N", help="sources to show (default 10)"
    )
    add_row_arguments(parser, "a source")
    add_shard_arguments(parser)
    parser.set_defaults(html=None, force=False, format=None, encoding=None)


def add_more_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments that only the builder understands."""
    parser.add_argument(
        "--html",
        metavar="REPORT.html",
        help="write the text with its passages coloured by source, in one file",
    )
    import_module("pocketindex.builder.commands.arguments.records").add_force_argument(parser)
    add_document_arguments(parser)


def run(arguments: argparse.Namespace) -> int:
    *paths, document = arguments.files
    if not paths:
        raise ValueError("expected FILE.pocket... and a TEXT, found one file")
    check_one_document("sources", arguments.files)
    with ExitStack() as stack:
        html = _html(arguments, stack) if arguments.html is not None else None
        indexes = stack.enter_context(opened(paths, arguments))
        text = text_of(document, arguments).decode("utf-8", "replace")
        found, several = indexes.sources(text, arguments.top), indexes.several
        if html:
            with html.open() as out:
                page = import_module(_PAGE).page(text, found, document)
                out.write(page.encode(errors="replace"))
    if html and is_stdio(html.name):
        pass  # the page is what is printed
    elif arguments.json or arguments.csv:
        show = row_printer(arguments.csv, ROW)
        for rank, one in enumerate(found, 1):
            show({"rank": rank, **one.as_dict()})
    else:
        for rank, one in enumerate(found, 1):
            print(_shown(one, rank, text, several))
    print(summary(found), file=sys.stderr)
    return 0 if found else 1


def _html(arguments: argparse.Namespace, stack: ExitStack) -> Any:
    """Return where the report goes."""
    output = import_module("pocketindex.builder.spill.output")
    output.check_stdout_once(html=arguments.html, json=arguments.json, csv=arguments.csv)
    return stack.enter_context(
        output.Output(
            arguments.html,
            import_module(_PAGE).PAGE,
            what="the report",
            spares=arguments.files,
            force=arguments.force,
        )
    )


def summary(found: Sources) -> str:
    """Say how much of the text is in how many documents."""
    if not found:
        said = f"no passage of this text ({found.terms:,} words) is in the collection"
    else:
        count = sum(one.added > 0 for one in found)
        said = f"{found.coverage:.0%} of this text is in {count} document{'s' * (count != 1)}"
    if found.capped:
        said += "; the text is too long: only its first 1,048,576 words were looked at"
    return said


def _shown(one: Source, rank: int, text: str, several: bool) -> str:
    name = printable(one.title or one.id)
    where = f"  <{printable(one.url)}>" if one.url else f"  <{printable(one.id)}>"
    file = f"  [{printable(one.file)}]" if several else ""
    also = "" if one.added else ", all of it in those above"
    lines = [f"{rank:3}. {one.coverage:5.0%} of the text{also}  {name}{where}{file}"]
    edited = {own.start: own.edited for own in one.common}
    for start, end in one.passages:
        words = " ".join(text[start:end].split())
        shown = words if len(words) <= 76 else f"{words[:36]} … {words[-36:]}"
        changed = f"  {edited[start]:.0%} edited" if edited.get(start) else ""
        lines.append(f"       {start}-{end}{changed}  {printable(shown)}")
    return "\n".join(lines)
