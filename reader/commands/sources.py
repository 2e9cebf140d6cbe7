"""Find the documents that passages of a text come from."""

from __future__ import annotations

import argparse
import sys
from contextlib import ExitStack
from dataclasses import replace
from importlib import import_module
from typing import Any

from pocketindex.arguments import is_stdio
from pocketindex.commands.documents import add_document_arguments, text_of
from pocketindex.commands.rows import add_row_arguments, row_printer
from pocketindex.commands.shards import add_shard_arguments, opened
from pocketindex.constants import DEFAULT_SOURCES
from pocketindex.given import check_one_document
from pocketindex.queries.quotations import quotations
from pocketindex.queries.sources import CommonPassage, Source, WordsOnly
from pocketindex.queries.spans import Span, joined
from pocketindex.streams import printable

EXAMPLES = """\
examples:
  pocketindex build wiki.jsonl -o wiki.pocket --index documents,passages,words --keep text
  pocketindex sources wiki.pocket essay.txt
  pocketindex sources wiki.pocket essay.pdf --html report.html
  echo 'A sentence of five words or more.' | pocketindex sources wiki.pocket -
  pocketindex sources 2024.pocket 2025.pocket essay.txt --json
  pocketindex sources wiki.pocket essay.txt --exclude-quotes --ignore draft.txt

The last argument is the text, in any format that `build` reads. The arguments before it are pocket
files that were built with --index documents,passages,words, or with only one of passages and words.
The list begins with the document that covers most of the text. Each of the next ones covers most of
what the documents before it leave.

A sentence of five words or more is found if a document has it word for word. A passage of nine
words or more is found even if some of its words were changed. A passage that was rewritten word by
word, or translated from another language, is not found. A file that was built with --keep text
gives verified passages, which were found in the text of the document. Other files give estimates: a
passage may begin or end some words too early or too late. If a document of such a file has all
words of a sentence, perhaps in another order, the sentence is listed with a question mark. A
passage that very many documents have is listed with an asterisk.

--exclude-quotes leaves out text between paired quotation marks, block quotations, and everything
from the heading of a bibliography on. --ignore leaves out each passage that FILE has as well, such
as an author's own draft or a form that everybody was given. Shares are those of the remaining text.

--json prints an object for each source, one per line, and --csv prints a row:
  {"rank": 1, "id": ..., "title": ..., "url": ..., "coverage": .31, "added": .31, "passages":
  [[start, end], ...], "file": ..., "verified": true, "phrases_only": false, "common": [...],
  "text_coverage": .57, "sources": 12}
Places are in code points of the text. "common" is present if the passages are verified. For each of
them it has the place in the document, the share of its words that were edited, and the number of
documents that have a sentence of it word for word. "phrases_only" is true for a source whose
passages are all shorter than nine words. "text_coverage" is the share of the text that all sources
cover together, and "sources" is their number. --top limits only how many are listed. "left_out" is
the share of the text that --exclude-quotes and --ignore leave out, if there is any. A document that
has all words of a sentence, in an unknown order, gets a line whose rank is null: {"rank": null,
"id": ..., "title": ..., "url": ..., "file": ..., "words_only": [start, end], "documents": 3}.
A passage that very many documents have gets such a line, too, with up to three of these documents:
{"rank": null, "frequent": [start, end], "documents": 3012, "examples": [...], "verified": true}.

exit codes: 0 a document has a passage of the text, or all words of a sentence; 1 no document has; 2
an error; 3 a file is damaged or is not a pocket file
"""
LINES = 20  # sources that are printed as lines
_PAGE = "pocketindex.builder.out.sources_page"
_LEFT_OUT = "pocketindex.builder.functions.left_out"
ROW = (
    "rank",
    "id",
    "title",
    "url",
    "coverage",
    "added",
    "passages",
    "file",
    "common",
    "verified",
    "phrases_only",
    "text_coverage",
    "sources",
    "left_out",
    "words_only",
    "documents",
    "frequent",
    "examples",
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.usage = "%(prog)s [options] FILE.pocket... TEXT"
    parser.add_argument(
        "files",
        metavar="FILE.pocket... TEXT",
        nargs="+",
        help="TEXT: a text, HTML, EPUB, PDF or other file; - is standard input",
    )
    parser.add_argument(
        "--top",
        type=int,
        metavar="N",
        help=f"number of sources to show (default {LINES}; {DEFAULT_SOURCES} in JSON, CSV, HTML)",
    )
    parser.add_argument(
        "--exclude-quotes",
        action="store_true",
        help="leave out quotations and the bibliography",
    )
    add_row_arguments(parser, "a source")
    add_shard_arguments(parser)
    parser.set_defaults(html=None, force=False, format=None, encoding=None, ignore=[])


def add_more_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments that only the builder understands."""
    parser.add_argument(
        "--html",
        metavar="REPORT.html",
        help="write the text with its passages coloured by source, in one file",
    )
    parser.add_argument(
        "--ignore",
        action="append",
        default=[],
        metavar="FILE",
        help="leave out the passages that FILE has as well; may be repeated",
    )
    import_module("pocketindex.builder.commands.arguments.records").add_force_argument(parser)
    add_document_arguments(parser)


def run(arguments: argparse.Namespace) -> int:
    *paths, document = arguments.files
    if not paths:
        raise ValueError("expected FILE.pocket... and a TEXT, found one file")
    check_one_document("sources", arguments.files)
    if arguments.ignore:
        import_module("pocketindex.builder.inputs.source").check_stdin_once(
            {"TEXT": [document], "--ignore": arguments.ignore}
        )
    with ExitStack() as stack:
        html = _html(arguments, stack) if arguments.html is not None else None
        indexes = stack.enter_context(opened(paths, arguments))
        text = text_of(document, arguments).decode("utf-8", "replace")
        spans = quotations(text) if arguments.exclude_quotes else []
        for file in arguments.ignore:
            spans += import_module(_LEFT_OUT).shared_passages(text, file)
        left_out = sum(end - start for start, end in joined(spans)) / (len(text) or 1)
        top = DEFAULT_SOURCES if arguments.top is None else arguments.top
        found, several = indexes.sources(text, top, leave_out=spans), indexes.several
        if html:
            with html.open() as out:
                page = import_module(_PAGE).page(text, found, document)
                out.write(page.encode(errors="replace"))
    if html and is_stdio(html.name):
        pass  # the page is what is printed
    elif arguments.json or arguments.csv:
        show = row_printer(arguments.csv, ROW)
        whole = {"text_coverage": round(found.coverage, 4), "sources": found.total}
        if spans:
            whole["left_out"] = round(left_out, 4)
        for rank, one in enumerate(found, 1):
            show({"rank": rank, **one.as_dict(), **whole})
        for words in found.words_only:
            show({"rank": None, **words.as_dict(), **whole})
        for frequent in found.frequent:
            show({"rank": None, **frequent.as_dict(), **whole})
    else:
        if arguments.top is None:
            found = replace(found, sources=found.sources[:LINES])
        for rank, one in enumerate(found, 1):
            print(_shown(one, rank, text, several, found.capped))
        for words in found.words_only:
            print(_words_shown(words, text, several))
        for frequent in found.frequent:
            print(f"  *. {printable(str(frequent))}")
            place = (frequent.start, frequent.end)
            print(f"       {frequent.start}-{frequent.end}  {_words(text, place)}")
    if spans:
        print(f"{left_out:.0%} of the text is left out", file=sys.stderr)
    print(found.summary(), file=sys.stderr)
    return 0 if found or found.words_only or found.frequent else 1


def _html(arguments: argparse.Namespace, stack: ExitStack) -> Any:
    """Open the output of the report."""
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


def _shown(one: Source, rank: int, text: str, several: bool, capped: bool) -> str:
    also = "" if one.added else ", which the sources above cover"
    lines = [f"{rank:3}. {one.coverage:5.0%} of the text{also}  {_name(one, several)}"]
    for place, span in enumerate(one.passages):
        common = one.common[place] if one.common else None
        lines.append(f"       {span[0]}-{span[1]}{_known(common, capped)}  {_words(text, span)}")
    return "\n".join(lines)


def _known(common: CommonPassage | None, capped: bool) -> str:
    """Say that a passage is an estimate, or where it stands in its document and how it differs.
    capped: whether more documents may have it than were looked at.
    """
    if common is None:
        return "  estimated"
    said = f"  at {common.document_start}-{common.document_end}"
    if common.edited:
        said += f", {common.edited:.0%} edited"
    if common.documents > 1:
        said += f", in {'at least ' if capped else ''}{common.documents:,} documents"
    return said


def _words_shown(one: WordsOnly, text: str, several: bool) -> str:
    number = "1 document has" if one.documents == 1 else f"{one.documents:,} documents have"
    return (
        f"  ?. {number} all words of a sentence, perhaps in another order  {_name(one, several)}\n"
        f"       {one.start}-{one.end}  {_words(text, (one.start, one.end))}"
    )


def _name(one: Source | WordsOnly, several: bool) -> str:
    where = f"  <{printable(one.url or one.id)}>"
    file = f"  [{printable(one.file)}]" if several else ""
    return f"{printable(one.title or one.id)}{where}{file}"


def _words(text: str, span: Span) -> str:
    words = " ".join(text[slice(*span)].split())
    return printable(words if len(words) <= 76 else f"{words[:36]} … {words[-36:]}")
