"""Measure schemes on a collection of one's own."""

from __future__ import annotations

import argparse
import json
import shlex
import sys
from pathlib import Path

from pocketindex.arguments import file_of
from pocketindex.builder.progress import Progress
from pocketindex.builder.schemes import known_profiles
from pocketindex.builder.settings import Settings
from pocketindex.builder.verbs.arguments.records import add_force_argument, add_keep_going_argument
from pocketindex.builder.verbs.arguments.sources import add_source_arguments, fields, sources
from pocketindex.builder.verbs.arguments.work import add_work_arguments
from pocketindex.builder.work.swap import folder_replaced, settle
from pocketindex.wording.counted import counted

EXAMPLES = """\
examples:
  pocketindex evaluate docs.jsonl -o report/
  pocketindex evaluate wiki.jsonl.zst --schemes rff,ff,minhash --queries 1000 -o report/

Writes report/index.html, which needs nothing beside it, and report/results.json. Every document of
50 words or more takes part; truth is the exact tf-idf cosine of every pair, profiles are learned
from documents that no query is. Needs: pip install 'pocketindex[evaluate]'
"""
COMMON = (
    "--help",
    "--help-all",
    "--output",
    "--format",
    "--id",
    "--text",
    "--schemes",
    "--queries",
    "--open",
    "--seed",
)
MORE = ""
REPORT = ("index.html", "results.json")
NAMES = ("rff", "ff", "plsh", "plsh-sum", "minhash", "wminhash", "simhash")


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
    add_keep_going_argument(parser)
    parser.add_argument(
        "--schemes",
        type=_schemes,
        default=list(NAMES),
        metavar="SCHEME[,SCHEME]",
        help=f"of {', '.join(NAMES)} (default all)",
    )
    parser.add_argument(
        "--queries",
        type=int,
        default=500,
        metavar="N",
        help="random ones, and as many that have a neighbour (default 500)",
    )
    parser.add_argument(
        "--open",
        metavar="PROFILE",
        help=(
            "also rff with this profile from another collection: en, de, or a .profile or "
            ".pocket file"
        ),
    )
    parser.add_argument(
        "--seed", type=int, default=2007, help="of what is drawn at random (default 2007)"
    )
    add_work_arguments(parser)


def _schemes(text: str) -> list[str]:
    """Parse names of schemes: 'rff,ff'."""
    names = text.split(",")
    for name in names:
        if name not in NAMES:
            raise argparse.ArgumentTypeError(
                f"expected some of {', '.join(NAMES)}, with commas between, found {name!r}"
            )
    return names


def run(arguments: argparse.Namespace) -> int:
    try:
        from pocketindex.builder.evaluate import collection, report
        from pocketindex.builder.evaluate.evaluation import evaluate
    except ImportError as error:
        raise ValueError(
            f"evaluate needs {error.name}: pip install 'pocketindex[evaluate]'"
        ) from None
    if not 20 <= arguments.queries <= 20_000:
        raise ValueError(f"--queries is {arguments.queries}; it must be 20 .. 20000")
    output = Path(file_of("--output", arguments.output, "a report", "a folder"))
    _check_output(output, arguments.force)
    if arguments.open is not None:
        known_profiles.load(arguments.open, "rff")  # what it is not is said before the work
    work = Settings(
        max_memory=arguments.max_memory,
        threads=arguments.threads,
        keep_going=arguments.keep_going,
    )
    form = "lines" if arguments.progress == "auto" else arguments.progress
    with Progress(form=form) as progress:
        progress.phase("reading, and computing the truth")
        found = sources(arguments)
        loaded = collection.load(found, arguments.queries, arguments.seed, settings=work)
        data = evaluate(loaded, arguments.schemes, arguments.seed, arguments.open, progress.phase)
    words = [
        *(Path(s).name for s in arguments.source),
        "--schemes",
        ",".join(arguments.schemes),
        "--queries",
        str(arguments.queries),
    ]
    named = {part: getattr(fields(arguments), part) for part in fields(arguments).named()}
    for option in ("open", "format", "encoding", "select", "exclude", "drop", "add"):
        named[option] = getattr(arguments, option)
    words += [word for option, said in named.items() if said for word in (f"--{option}", said)]
    words += ["--follow-links"] if arguments.follow_links else []
    command = f"pocketindex evaluate {shlex.join(words)} --seed {arguments.seed}"
    with folder_replaced(output, REPORT.__contains__) as fresh:
        (fresh / "results.json").write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")
        (fresh / "index.html").write_text(report.page(data, command), encoding="utf-8")
    print(
        f"{output / 'index.html'}: {counted(len(loaded.texts), 'document')}, "
        f"{counted(len(arguments.schemes), 'scheme')}",
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
