"""Learn a reference profile from a collection."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from pocketindex.arguments import is_stdio
from pocketindex.builder.commands.arguments.records import (
    add_bad_record_arguments,
    add_force_argument,
)
from pocketindex.builder.commands.arguments.sources import add_source_arguments, sources
from pocketindex.builder.commands.arguments.work import add_work_arguments
from pocketindex.builder.inputs.fields import FieldNames
from pocketindex.builder.inputs.options import ReadingOptions
from pocketindex.builder.options import BuildOptions
from pocketindex.builder.progress import Progress
from pocketindex.builder.schemes import SCHEMES, SchemeOptions
from pocketindex.builder.schemes import settings_of as scheme_settings
from pocketindex.builder.schemes.ff import STOP_WORDS, frequencies, pack_ff
from pocketindex.builder.schemes.profile import Profile
from pocketindex.builder.settings import Settings
from pocketindex.builder.spill.output import Kind, Output, check_spares
from pocketindex.builder.spill.threads import Threads
from pocketindex.builder.tally import NoDocument, Tally
from pocketindex.errors import PocketError
from pocketindex.flags import add_options, chosen, common_flags, rare_text
from pocketindex.options import COMMON as IN_HELP
from pocketindex.options import Options, option, options_of

EXAMPLES = """\
examples:
  pocketindex profile news.jsonl.gz -o news.profile
  pocketindex build mine.jsonl -o mine.pocket --profile news.profile

All documents of the sources are counted. Files built with one profile have comparable sketches.
"""


@dataclass(frozen=True, kw_only=True)
class ProfileOptions(Options):
    """The options of the command alone."""

    name: str | None = option(
        None, "name of the profile in `info`", shown_default="that of the output", shown=IN_HELP
    )
    stop_words: int | None = option(
        None,
        "leave out the N most frequent terms (scheme ff)",
        least=0,
        most=4_000,
        metavar="N",
        shown_default=f"{STOP_WORDS}, fewer if there are few terms",
        shown=IN_HELP,
    )


_OWN = [
    *options_of(ProfileOptions).values(),
    replace(options_of(BuildOptions)["scheme"], shown=IN_HELP),
    *options_of(SchemeOptions).values(),
]
COMMON = (
    *("--help", "--help-all", "--output"),
    *common_flags([*_OWN, *options_of(ReadingOptions).values(), *options_of(FieldNames).values()]),
)
MORE = rare_text(_OWN)
NAME_BYTES = 255  # docs/format.md 2


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_source_arguments(parser)
    parser.add_argument("-o", "--output", metavar="FILE.profile", required=True)
    add_force_argument(parser)
    add_bad_record_arguments(parser)
    add_options(parser, _OWN)
    add_work_arguments(parser)


def run(arguments: argparse.Namespace) -> int:
    report = Tally(arguments.strict)
    own = chosen(ProfileOptions, arguments)
    settings = (
        scheme_settings(arguments.scheme, chosen(SchemeOptions, arguments))
        or SCHEMES[arguments.scheme].settings()
    )
    spares = [source for source, _ in sources(arguments)]
    check_spares(arguments.output, "the profile", spares)
    written = Path(arguments.output)
    if arguments.output and not is_stdio(arguments.output) and written.suffix != ".profile":
        raise ValueError(
            f"{written}: a profile is known by its name; give one that ends in .profile"
        )
    output = Output(arguments.output, PROFILE, what="the profile", force=arguments.force)
    name = own.name or ("profile" if is_stdio(arguments.output) else written.stem)
    if (size := len(name.encode("utf-8", "replace"))) > NAME_BYTES:
        raise ValueError(f"the name has {size:,} bytes; it may have {NAME_BYTES}")
    work = chosen(Settings, arguments)
    with (
        output,
        Progress(form=arguments.progress) as progress,
        Threads(work.thread_count) as threads,
    ):
        texts = _texts(arguments, report, progress)
        if arguments.scheme == "ff":
            data = pack_ff(
                name, frequencies(texts, settings, own.stop_words, work.max_memory), settings
            )
        elif own.stop_words is not None:
            raise ValueError(f"--stop-words is no choice of scheme {arguments.scheme}")
        else:
            data = SCHEMES[arguments.scheme].learn(name, texts, None, settings, threads.map)
        if report.read == report.left_out:
            raise NoDocument(report.report(), arguments.source)
        report.check_bad(arguments.source, arguments.keep_going)
        with output.open() as out:
            out.write(data)
    report.index(report.read - report.left_out)
    print(report.text(), file=sys.stderr)
    print(
        f"{arguments.output}: {len(data):,} bytes, fingerprint {Profile(data, name).fingerprint}",
        file=sys.stderr,
    )
    return 0


def _is_profile(path: Path) -> bool:
    try:
        Profile(path.read_bytes(), str(path))
    except PocketError:
        return False
    return True


PROFILE = Kind("a profile", _is_profile)


def _texts(arguments: argparse.Namespace, report: Tally, progress: Progress) -> Iterator[bytes]:
    for source, kind in sources(arguments):
        progress.phase(f"reading {source}")
        for document in kind.documents(source, report.reject, progress.measure):
            report.arrive()
            progress.add()
            yield document.text.encode()
