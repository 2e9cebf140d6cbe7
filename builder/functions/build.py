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
    """Build a pocket file at path from documents. It has the same bytes as that of the command.

    documents: see [Documents][pocketindex.Documents]. An iterable is read once; during the build,
    documents that do not fit into max_memory (in bytes) are in the folder PATH.work.

    The other arguments are the options of `pocketindex build`, with _ for -. An existing file is
    replaced only when the new one is complete, and only if it is a pocket file or force is given;
    "-" is standard output. resume continues a build that was killed, if the same documents are
    given again. The report counts the records that are left out, and the logger "pocketindex" warns
    of them.

    Raises TypeError (an object that is not a document, with its number; an unknown option),
    ValueError (an invalid value of an option), SourceError (a source or table that cannot be read),
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
