"""Turn documents that a program has into a pocket file."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from pocketindex.arguments import path_of
from pocketindex.builder.build import build_found
from pocketindex.builder.functions.choices import settings_of
from pocketindex.builder.functions.documents import Documents, found_of
from pocketindex.builder.functions.looked_at import log, looked_at
from pocketindex.builder.report import Report

if TYPE_CHECKING:
    from pocketindex.builder.functions.choices import BuildChoices
    from typing_extensions import Unpack


def build(
    documents: Documents,
    path: str | os.PathLike[str],
    *,
    resume: bool = False,
    skipped: str | os.PathLike[str] | None = None,
    progress: bool | None = None,
    **choices: Unpack[BuildChoices],
) -> Report:
    """Build a pocket file at path from documents; the bytes are those of the command.

    documents: what [Documents][pocketindex.builder.Documents] says. An iterable is read once, and
    what does not fit into max_memory (bytes) lies in the folder PATH.work while the build goes on.

    choices: the options of `pocketindex build`, with _ for -: keep="text", shape="small",
    index=["documents", "passages"], and id, title, text, url, date and lang for names of fields. An
    existing file is replaced only by a whole one, and only if it is a pocket file or force is
    given; "-" is standard output. resume: whether to continue a build that was killed, for which
    the same documents must be given again. skipped: a file of JSON Lines for every record that is
    left out. progress: None for a bar where somebody looks. What is left out
    is counted in the report, and is a warning of the logger "pocketindex".

    Raises TypeError (documents that are none, with the number of the first; a choice that there is
    not), ValueError (a value of a choice), SourceError (a source or table that cannot be read),
    Refused (strict), NoDocument, MostlyBad, Shrunk (refuse_shrink), Busy, NotResumed, NoSpace,
    OSError.

    >>> import pocketindex
    >>> texts = ["a text of some words", "another text"]
    >>> report = pocketindex.build(texts, "texts.pocket")  # doctest: +SKIP
    """
    settings = settings_of(choices)
    found = found_of(documents, settings)
    with looked_at(progress) as shown:
        report = build_found(
            found,
            [source for source, _ in found],
            path_of("path", path),
            settings,
            shown,
            resume,
            None if skipped is None else path_of("skipped", skipped),
        )
    log(report)
    return report
