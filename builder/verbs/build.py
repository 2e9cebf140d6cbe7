"""Turn a collection of documents into a pocket file."""

from __future__ import annotations

import argparse
import json
import os
import sys

from pocketindex.builder.build import Settings, build
from pocketindex.builder.inputs import INPUTS
from pocketindex.builder.mph import MPHS
from pocketindex.builder.profile import FF_BORDERS, FfSettings
from pocketindex.builder.progress import Progress
from pocketindex.index import open as open_index

EXAMPLES = """\
examples:
  pocketindex build docs.jsonl.gz -o docs.pocket
  pocketindex build notes/ -o notes.pocket --profile de
  pocketindex build wiki.jsonl.zst -o wiki.pocket --url-template 'https://simple.wikipedia.org/wiki/{title}'
  pocketindex build pydoc: -o python.pocket --keys-per-part 2000

sources:
  JSON Lines with id, title, text and optional url, lang (plain, .gz, .zst; - is standard input); a folder of .txt and .md files;
  pydoc: for the documentation of the running Python. Several are read in order; of documents with the same id the first is kept.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("source", metavar="SOURCE", nargs="+")
    parser.add_argument("-o", "--output", metavar="FILE.pocket", required=True, help="replaced only when the new file is whole")
    parser.add_argument("--format", choices=sorted(INPUTS), help="of the sources (default: found out)")
    parser.add_argument("--scheme", choices=["ff"], default="ff", help="how texts become keys (default ff, fuzzy-fingerprinting)")
    parser.add_argument(
        "--profile",
        default="auto",
        metavar="PROFILE",
        help="auto (learned from 2,000 documents on), learn, en, de, or a .profile or .pocket file to share one (default auto)",
    )
    add_scheme_arguments(parser)
    parser.add_argument("--mph", choices=sorted(MPHS), default="pilot", help="minimal perfect hash (default pilot)")
    parser.add_argument("--checksum-bits", type=int, choices=[0, 8, 16, 32], default=16, help="checksum of each key (default 16)")
    parser.add_argument("--identity-bits", type=int, choices=[0, 8, 16, 32], default=16, help="to tell byte-identical texts (default 16)")
    parser.add_argument("--keys-per-part", type=int, default=60_000, metavar="N", help="~60000 in memory (default), ~2000 for cold media")
    parser.add_argument(
        "--probes", type=int, default=Settings.probes, metavar="N", help=f"default of later queries (default {Settings.probes})"
    )
    parser.add_argument("--url-template", default="", metavar="URL", help="urls made from {id} and {title}: they cost no bytes")
    parser.add_argument("--strict", action="store_true", help="the first record that has to be left out is an error")
    parser.add_argument("--json", action="store_true", help="the report as one JSON object")


def add_scheme_arguments(parser: argparse.ArgumentParser) -> None:
    """The choices of scheme ff, for learning a profile."""
    shown = ";".join(",".join(f"{b:g}" for b in scheme) for scheme in FF_BORDERS)
    group = parser.add_argument_group("scheme ff, where the profile is learned")
    group.add_argument("--classes", type=int, default=FfSettings.classes, metavar="K", help="prefix classes, 2 .. 256 (default 26)")
    group.add_argument("--prefix", type=int, default=FfSettings.prefix, metavar="N", help="letters of a prefix (default 3)")
    group.add_argument(
        "--borders", type=borders, default=FF_BORDERS, metavar="B", help=f"of each fuzzification scheme's intervals (default '{shown}')"
    )
    group.add_argument(
        "--least-terms", type=int, default=FfSettings.least_terms, metavar="N", help="shorter texts are left out (default 5)"
    )


def borders(text: str) -> tuple[tuple[float, ...], ...]:
    """'0;-.35,.35' -> ((0.0,), (-0.35, 0.35))"""
    try:
        return tuple(tuple(float(b) for b in scheme.split(",")) for scheme in text.split(";"))
    except ValueError:
        raise argparse.ArgumentTypeError(
            f"{text!r}: expected rising numbers, with commas within a fuzzification scheme and ; between them"
        ) from None


def scheme_settings(arguments: argparse.Namespace) -> FfSettings:
    """Raises ValueError for choices outside their range."""
    return FfSettings(arguments.classes, arguments.prefix, arguments.borders, least_terms=arguments.least_terms)


def run(arguments: argparse.Namespace) -> int:
    settings = Settings(
        format=arguments.format,
        scheme=arguments.scheme,
        scheme_settings=scheme_settings(arguments),
        profile=arguments.profile,
        mph=arguments.mph,
        checksum_bits=arguments.checksum_bits,
        identity_bits=arguments.identity_bits,
        keys_per_part=arguments.keys_per_part,
        probes=arguments.probes,
        url_template=arguments.url_template,
        strict=arguments.strict,
    )
    with Progress() as progress:
        report = build(arguments.source, arguments.output, settings, progress)
    size = os.path.getsize(arguments.output)
    if arguments.json:
        print(json.dumps({"output": arguments.output, "bytes": size, **report.as_dict()}, ensure_ascii=False))
        return 0
    print(report.text(), file=sys.stderr)
    with open_index(arguments.output) as index:
        each = index.info().bytes_per_document["look-up"]
        average = f", {size / len(index):.1f} a document, {each:.1f} of them for look-ups" if len(index) else ""
    print(f"{arguments.output}: {report.indexed:,} documents, {size:,} bytes{average}", file=sys.stderr)
    return 0
