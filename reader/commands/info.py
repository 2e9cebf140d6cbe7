"""Show what a pocket file holds, and its bytes by section."""

from __future__ import annotations

import argparse
import json

from pocketindex.commands.shards import add_shard_arguments, opened
from pocketindex.contents.info import Info
from pocketindex.contents.unrelated import FAR, unrelated
from pocketindex.index import Index
from pocketindex.streams import printable
from pocketindex.wording.counted import counted

EXAMPLES = """\
examples:
  pocketindex info wiki.pocket
  pocketindex info wiki.pocket --json

The last line says how well the weights of terms fit documents that were added by `update`: by how
much similarities are overestimated, roughly. A manifest of shards, or its folder, stands for them:
each is shown.
"""
SHARE = "the share of equal components, which unrelated texts may have, too"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE.pocket", nargs="+")
    parser.add_argument("--json", action="store_true", help="one JSON object a file")
    add_shard_arguments(parser)


def run(arguments: argparse.Namespace) -> int:
    with opened(arguments.file, arguments) as indexes:
        for index in indexes.indexes:
            _show(index, arguments.json)
    return 0


def _show(index: Index, as_json: bool) -> None:
    """Print what a file holds."""
    info, similarity = index.info(), unrelated(index._core, index.path)
    if as_json:
        more = {} if similarity is None else {"unrelated": round(similarity, 4)}
        print(json.dumps(info.as_dict() | more, ensure_ascii=False))
        return
    print(as_text(info))
    if similarity is not None:
        print(
            f"  weights     two documents drawn at random look {max(similarity, 0):.3f} alike; "
            + (
                f"from {FAR} on they do not fit the collection: build again from all texts"
                if similarity >= FAR
                else f"below {FAR} they fit the collection"
            )
        )


def as_text(info: Info) -> str:
    """Return the same for people."""
    each = info.bytes_per_document
    lines = [
        f"{printable(info.path)}: pocket file {info.version}, {info.file_size:,} bytes",
        f"  documents   {info.documents:,}{_short(info)}",
        (
            f"  scheme      {info.scheme}, {info.components} components, at least "
            f"{info.least_terms} "
            "terms"
        ),
        f"  profile     {printable(info.profile)} ({info.profile_fingerprint})",
        (
            f"  hash        {info.mph}, {info.mph_bits_per_key:.2f} bits a key, checksums of "
            f"{info.checksum_bits} bits"
        ),
        f"  texts       {info.texts}",
        f"  passages    {_passages(info)}",
        f"  words       {_words(info)}",
        f"  labels      {f'{info.labels:,} different ones' if info.labels else 'none'}",
        f"  asked by    {'a scan of all sketches' if info.way == 'scan' else info.way} by default",
        f"  probes      {info.default_probes} a table where tables are asked",
        (
            f"  shown       hits where the first has similarity {info.min_similarity:.3f} or more; "
            f"{'below, it may be chance' if info.scheme == 'rff' else SHARE}"
        ),
        f"  beside      {info.identity_bits} bits a document for identity",
    ]
    if info.cells:
        lines.append(
            f"  cells       {info.cells:,}, the nearest {info.cells_asked} where they are asked"
        )
    for number, table in enumerate(info.tables):
        lines.append(
            f"  table {number}     {counted(table.keys, 'key')} in {counted(table.parts, 'part')}, "
            "average "
            "postlist "
            f"{table.average_postlist:.2f}"
        )
    lines.append("  bytes       section             total   a document")
    for name, size in info.sections.items():
        lines.append(
            "              "
            f"{name:12}{size:>13,}{size / info.documents if info.documents else 0:>13.2f}"
        )
    lines.append(f"              look-up (all but what is shown){each['look-up']:>7.2f}")
    return "\n".join(lines)


def _short(info: Info) -> str:
    """Return how many documents are found as a copy alone where texts are compared."""
    if not info.short_documents:
        return ""
    return f", of which {info.short_documents:,} are too short for a sketch"


def _words(info: Info) -> str:
    """Return what can be searched for."""
    if not info.sections.get("words"):
        return "none"
    of_each = "all of each document"
    if info.words_heaviest:
        of_each = (
            f"the {info.words_heaviest} heaviest of each document, by the words of "
            f"{info.words_counted:,}"
        )
    titles = "with titles" if info.title_weight else "without titles"
    forms = f"other forms by {info.word_forms}" if info.word_forms else "no other forms"
    return f"{info.words:,} different ones, {of_each}, {titles}, {forms}"


def _passages(info: Info) -> str:
    """Return how passages are found."""
    if not info.run_terms:
        return "none"
    return (
        f"shingles of {info.run_terms} words, at least one kept of {info.run_window} in a row; "
        f"{info.frequent_runs:,} in more than {counted(info.run_documents, 'document')}"
    )
