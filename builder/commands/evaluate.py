"""Measure schemes on a collection of one's own."""

from __future__ import annotations

import argparse
import difflib
import json
import shlex
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from pocketindex.arguments import file_of
from pocketindex.builder.commands.arguments.records import (
    add_bad_record_arguments,
    add_force_argument,
    settings,
)
from pocketindex.builder.commands.arguments.sources import add_source_arguments, fields, sources
from pocketindex.builder.commands.arguments.work import add_work_arguments
from pocketindex.builder.inputs.fields import FieldNames
from pocketindex.builder.inputs.options import ReadingOptions
from pocketindex.builder.progress import Progress
from pocketindex.builder.schemes import known_profiles
from pocketindex.builder.spill.swap import folder_replaced, settle
from pocketindex.builder.tally import Tally
from pocketindex.flags import add_options, chosen, common_flags
from pocketindex.options import COMMON as IN_HELP
from pocketindex.options import Options, option, options_of
from pocketindex.wording.counted import counted

EXAMPLES = """\
examples:
  pocketindex evaluate docs.jsonl -o report/
  pocketindex evaluate wiki.jsonl.zst --schemes rff,ff,minhash --queries 1000 -o report/

Writes report/index.html, which needs nothing beside it, and report/results.json. Every document of
50 words or more takes part. The reference is the exact tf-idf cosine of all pairs; term weights
come only from documents that are not used as queries. Needs: pip install 'pocketindex[evaluate]'
"""
REPORT = ("index.html", "results.json")
NAMES = ("rff", "ff", "plsh", "plsh-sum", "minhash", "wminhash", "simhash")


def schemes(text: str) -> tuple[str, ...]:
    """Parse names of schemes with commas between them."""
    names = tuple(filter(None, text.split(",")))
    for name in names:
        if name not in NAMES:
            near = difflib.get_close_matches(name, NAMES, 1)
            meant = f"did you mean {near[0]}? " if near else ""
            raise argparse.ArgumentTypeError(
                f"there is no scheme {name!r}; {meant}(known: {', '.join(NAMES)})"
            )
    return names


@dataclass(frozen=True, kw_only=True)
class EvaluateOptions(Options):
    """The options of the command."""

    schemes: Sequence[str] = option(
        NAMES,
        "schemes to measure",
        metavar="SCHEME,...",
        parse=schemes,
        shown=IN_HELP,
    )
    queries: int = option(
        500,
        "number of random queries, and of queries that have a neighbour",
        least=20,
        most=20_000,
        metavar="N",
        shown=IN_HELP,
    )
    open: str | None = option(
        None,
        "also measure rff with this profile from another collection: en, de, or a .profile or "
        ".pocket file",
        metavar="PROFILE",
        shown=IN_HELP,
    )
    seed: int = option(2007, "seed of random choices", metavar="N", shown=IN_HELP)


_OWN = options_of(EvaluateOptions).values()
COMMON = (
    *("--help", "--help-all", "--output"),
    *common_flags([*_OWN, *options_of(ReadingOptions).values(), *options_of(FieldNames).values()]),
)
MORE = ""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_source_arguments(parser)
    parser.add_argument(
        "-o",
        "--output",
        metavar="REPORT/",
        required=True,
        help="a folder that does not exist yet, is empty or has an earlier report",
    )
    add_force_argument(parser)
    add_bad_record_arguments(parser)
    add_options(parser, _OWN)
    add_work_arguments(parser)


def run(arguments: argparse.Namespace) -> int:
    try:
        from pocketindex.builder.evaluate import collection, report
        from pocketindex.builder.evaluate.evaluation import evaluate
    except ImportError as error:
        raise ValueError(
            f"evaluate needs {error.name}: pip install 'pocketindex[evaluate]'"
        ) from None
    chosen(EvaluateOptions, arguments)
    output = Path(file_of("--output", arguments.output, "a report", "a folder"))
    _check_output(output, arguments.force)
    if arguments.open is not None:
        known_profiles.load(arguments.open, "rff")  # what it is not is said before the work
    work = settings(arguments)
    read = Tally(arguments.strict)
    form = "lines" if arguments.progress == "auto" else arguments.progress
    with Progress(form=form) as progress:
        progress.phase("reading, and computing the truth")
        found = sources(arguments)
        loaded = collection.load(
            found, arguments.queries, arguments.seed, settings=work, report=read
        )
        data = evaluate(loaded, arguments.schemes, arguments.seed, arguments.open, progress.phase)
    words = [
        *(Path(s).name for s in arguments.source),
        "--schemes",
        ",".join(arguments.schemes),
        "--queries",
        str(arguments.queries),
    ]
    named = {part: getattr(fields(arguments), part) for part in fields(arguments).named()}
    for name in ("open", "format", "encoding", "select", "exclude", "drop", "add"):
        said = getattr(arguments, name)
        named[name] = ",".join(said) if isinstance(said, tuple) else said
    words += [word for name, said in named.items() if said for word in (f"--{name}", said)]
    words += ["--follow-links"] if arguments.follow_links else []
    command = f"pocketindex evaluate {shlex.join(words)} --seed {arguments.seed}"
    with folder_replaced(output, REPORT.__contains__) as fresh:
        (fresh / "results.json").write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")
        (fresh / "index.html").write_text(report.page(data, command), encoding="utf-8")
    print(
        f"{output / 'index.html'}: {counted(len(loaded.texts), 'document')}, "
        f"{counted(len(arguments.schemes), 'scheme')}; {read.left_out:,} of {read.read:,} records "
        "were left out",
        *read.notes,
        *read.reasons_text(),
        sep="\n",
        file=sys.stderr,
    )
    return 0


def _check_output(output: Path, force: bool) -> None:
    """Raise an error if there is something that a report must not replace."""
    settle(output, REPORT.__contains__)
    if not output.exists():
        return
    if not output.is_dir():
        raise NotADirectoryError(20, "the report is a folder, and this is a file", str(output))
    found = {entry.name for entry in output.iterdir()}
    if found and not force and not _is_report(output):
        raise ValueError(
            f"{output}: the folder is not empty and has no report of `evaluate`; choose another "
            "name or use --force, which replaces index.html and results.json in it"
        )


def _is_report(folder: Path) -> bool:
    """Return whether a folder has the report of an earlier run."""
    try:
        data = json.loads((folder / "results.json").read_bytes())
        return isinstance(data, dict) and {"documents", "sample"} <= data.keys()
    except (OSError, ValueError):
        return False
