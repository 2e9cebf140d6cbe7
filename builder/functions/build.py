"""Turn documents that a program has into a pocket file."""

from __future__ import annotations

from dataclasses import dataclass, field

from pocketindex.arguments import path_of
from pocketindex.builder.functions.choices import (
    BuildChoices,
    Resumed,
    Shown,
    Skipped,
    settings_of,
)
from pocketindex.builder.functions.documents import Documents, found_of
from pocketindex.builder.functions.looked_at import log, looked_at
from pocketindex.builder.options import Path
from pocketindex.builder.pipeline import build_found
from pocketindex.builder.report import Report
from pocketindex.keywords import takes


@dataclass(frozen=True, kw_only=True)
class Build(BuildChoices, Shown, Skipped, Resumed):
    """The arguments of build."""

    documents: Documents = field(kw_only=False)
    path: Path = field(kw_only=False)


@takes(Build)
def build(call: Build) -> Report:
    """Build a pocket file at path from documents; the bytes are those of the command.

    documents: what [Documents][pocketindex.Documents] says. An iterable is read once, and
    what does not fit into max_memory (bytes) lies in the folder PATH.work while the build goes on.

    The other arguments are the options of `pocketindex build`, with _ for -. An existing file is
    replaced only by a whole one, and only if it is a pocket file or force is given; "-" is standard
    output. To continue a build that was killed with resume, the same documents must be given again.
    What is left out is counted in the report, and is a warning of the logger "pocketindex".

    Raises TypeError (documents that are none, with the number of the first; a choice that there is
    not), ValueError (a value of a choice), SourceError (a source or table that cannot be read),
    Refused (strict), NoDocument, MostlyBad, Shrunk (refuse_shrink), Busy, NotResumed, NoSpace,
    OSError.

    >>> import pocketindex
    >>> texts = ["a text of some words", "another text"]
    >>> report = pocketindex.build(texts, "texts.pocket")  # doctest: +SKIP
    """
    settings = settings_of(call)
    found = found_of(call.documents, settings)
    with looked_at(call.progress) as shown:
        report = build_found(
            found,
            [source for source, _ in found],
            path_of("path", call.path),
            settings,
            shown,
            call.resume,
            None if call.skipped is None else path_of("skipped", call.skipped),
        )
    log(report)
    return report.report()
