"""Find the input that reads a source, and bind the options that it can use."""

from __future__ import annotations

import contextlib
import functools
import glob
import io
import os
import re
import sys
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from pocketindex.builder.inputs.fields import OWN_NAMES
from pocketindex.builder.inputs.kinds import INPUTS, Input, by_begin, by_name
from pocketindex.builder.inputs.opening.addresses import Address, located
from pocketindex.builder.inputs.opening.elsewhere import (
    Elsewhere,
    is_folder,
    is_regular,
    name_of_file,
)
from pocketindex.builder.inputs.opening.encoding import is_charset
from pocketindex.builder.inputs.opening.stream import Stream
from pocketindex.builder.inputs.options import DEFAULTS, Css, Options
from pocketindex.builder.inputs.source import STDIN, SourceError
from pocketindex.builder.inputs.unread import check_begin, check_kind
from pocketindex.builder.inputs.walking import written
from pocketindex.errors import spelled
from pocketindex.kinds import BEGIN, packing_of

Found = list[tuple[str, "Input"]]


_PATTERN = re.compile(r"[*?\[]")
_WAS_ADDRESS = re.compile(r"[a-z][a-z0-9+.-]+:/[^/]", re.IGNORECASE)  # as pathlib leaves it


def find(source: str, format: str | None = None) -> Input:
    """Return the input that reads `source`: the one named `format`, or else the one that its being
    a folder, its suffix or its first bytes tell, in this order.

    Raises SourceError if there is no such format or source, or if no input fits; the message says
    what to do if the kind of file is known.
    """
    if format is not None:
        if format not in INPUTS:
            raise SourceError(
                source,
                f"there is no format {format!r}; `pocketindex build --help-all` lists them",
            )
        if source == STDIN and INPUTS[format].walked:
            raise SourceError(
                source,
                f"standard input is a single file, and the format {format} is not; give a path",
            )
        named = INPUTS[format]
        if named.walked or source == STDIN or not is_folder(located(source)):
            return named
        if named.one:  # which each of its files is
            return INPUTS["folder"]
        pattern = os.path.join(glob.escape(source), "*")
        raise SourceError(
            source,
            f"it is a folder, and {format} is the format of a file; give the files as a pattern "
            f"such as {pattern!r}",
        )
    source = located(source)
    if kind := known(source):
        return kind
    if source == STDIN or (os.path.exists(source) and not os.path.isfile(source)):
        return INPUTS["jsonl"]  # or a pipe, of which a look at the first bytes would take them away
    if not isinstance(source, Elsewhere) and not os.path.exists(source):
        if _WAS_ADDRESS.match(source):
            raise SourceError(
                source,
                "a path has lost a slash of this address; give it as a string, not as a Path",
            )
        raise SourceError(
            source,
            "there is no such file or folder; check the path (`pocketindex build --help` says "
            "what else is read)",
        )
    raise SourceError(
        source,
        f"its name and its first bytes do not tell its format; name it with {spelled('format')} "
        "(`pocketindex build --help-all` lists what is read)",
    )


def known(source: str) -> Input | None:
    """Return the input for a source by its being a folder, its suffix or its first bytes; None
    where these do not tell, or there is no such source.

    Raises SourceError for a kind that is known and not read.
    """
    check_kind(source)
    if is_folder(source):
        return INPUTS["folder"]
    if source != STDIN:
        if not is_regular(source):
            return None
        if kind := by_name(name_of_file(source)):
            return kind
    begin = _begin_of(source)
    check_begin(source, begin)
    return by_begin(begin)


def _begin_of(source: str) -> bytes:
    """Return the first bytes of a file or of standard input, unpacked.

    Standard input keeps them; of it none are known where it is not buffered.
    """
    if source != STDIN:
        with Stream(source, text=False) as stream:
            return stream.take(BEGIN)
    begin = sys.stdin.buffer.peek(BEGIN) if isinstance(sys.stdin.buffer, io.BufferedReader) else b""
    if packing_of(begin):
        with contextlib.suppress(SourceError), Stream(source, text=False, content=begin) as stream:
            return stream.piece(BEGIN)  # what is at hand ends in the middle
    return begin


def find_all(
    sources: Sequence[str], options: Options = DEFAULTS, alone: bool = True
) -> list[tuple[str, Input]]:
    """Return each source with the input that reads it. A pattern such as *.csv or data/**/*.md is
    replaced by the sorted paths that match it.

    alone: whether nothing else is read with these options; otherwise the caller calls check_used.
    Raises SourceError as find does, for a pattern that nothing matches, and for an option that no
    source can use; ValueError for an encoding that does not exist.
    """
    fields = options.fields
    if list(sources).count(STDIN) > 1:
        raise SourceError(STDIN, "standard input is given twice but can be read only once")
    found = [(path, find(path, options.format)) for source in sources for path in _expanded(source)]
    if fields.named() and found and not any(kind.named for _, kind in found):
        names = ", ".join(name for name, kind in sorted(INPUTS.items()) if kind.named)
        raise SourceError(
            found[0][0],
            f"it has no records with fields to name with {fields.option(fields.named()[0])}; these "
            f"formats have: {names}",
        )
    if options.encoding:
        check_encoding(options.encoding, found)
    if alone:
        check_used(options, found)
    return [
        (path, told(kind, replace(options, fields=fields.of_source(number, len(found)))))
        for number, (path, kind) in enumerate(found, 1)
    ]


def check_used(options: Options, found: Sequence[tuple[str, Input]]) -> None:
    """Raise SourceError for an option that says what counts as text, or what is read of a folder,
    and that none of the sources can use; ValueError for an invalid selector.
    """
    for option, does, parts in (
        ("drops", "leave out", options.drop),
        ("adds", "add", options.add),
    ):
        for part in parts:
            if found and not any(part in getattr(kind, option) for _, kind in found):
                raise SourceError(
                    found[0][0],
                    f"its texts have no {part!r} to {does} with {spelled(option[:-1])}; these "
                    f"formats have: {listed(option)}",
                )
    if any(options.css):
        check_css(options.css, found)
    if options.follow_links and found and not any(kind.walked for _, kind in found):
        raise SourceError(
            found[0][0],
            f"it is not a folder, and {spelled('follow_links')} is for folders; omit it",
        )


def sparing(found: Sequence[tuple[str, Input]], *paths: str | os.PathLike[str] | None) -> Found:
    """Return the sources without these files and folders, which the command writes itself."""
    told: dict[str, Any] = {
        "spared": written(os.fspath(path) for path in paths if path is not None)
    }
    return [
        (source, replace(kind, documents=functools.partial(kind.documents, **told)))
        if kind.walked
        else (source, kind)
        for source, kind in found
    ]


def listed(option: str) -> str:
    """Return the inputs with the parts that they can drop or add, for messages; option: "drops" or
    "adds".
    """
    return "; ".join(
        f"{name}: {', '.join(parts)}"
        for name, kind in sorted(INPUTS.items())
        if (parts := getattr(kind, option))
    )


def check_encoding(encoding: str, found: Sequence[tuple[str, Input]]) -> None:
    """Raise ValueError for an encoding that there is not, SourceError where none of the sources
    needs to be told one.
    """
    if not is_charset(encoding):
        raise ValueError(
            f"encoding is {encoding!r}; there is no text encoding of this name; expected one as "
            "utf-16, cp1252 or shift_jis"
        )
    if found and not any(kind.encoded for _, kind in found):
        raise SourceError(
            found[0][0], f"its format says or fixes the encoding; omit {spelled('encoding')}"
        )


def check_css(css: Css, found: Sequence[tuple[str, Input]]) -> None:
    """Raise ValueError for an invalid selector, and SourceError if no source has HTML pages."""
    if found and not any(kind.pages for _, kind in found):
        raise SourceError(
            found[0][0],
            f"it has no pages of HTML; omit {spelled('select')} and {spelled('exclude')}",
        )
    from pocketindex.builder.inputs.pages import html

    html.check_selectors(**css._asdict())


def told(kind: Input, options: Options) -> Input:
    """Return the input with those of the options bound that it can use."""
    own: dict[str, Any] = {}
    if kind.files:
        own["options"] = options
    elif kind.encoded and options.encoding:
        own["encoding"] = options.encoding
    if kind.named and options.fields != OWN_NAMES:
        own["fields"] = options.fields
    if dropped := [part for part in options.drop if part in kind.drops]:
        own["drop"] = dropped
    if not own:
        return kind
    return replace(
        kind,
        documents=functools.partial(kind.documents, **own),
        batches=functools.partial(kind.batches, **own) if kind.batches else None,
    )


def _expanded(source: str) -> list[str]:
    source = located(source)
    if isinstance(source, Address) and source.is_pattern():
        if matching := source.matching():
            return list(matching)
        raise SourceError(source, "no file or folder fits it as a pattern; check the address")
    if isinstance(source, Elsewhere) or not _PATTERN.search(source) or os.path.lexists(source):
        return [source]
    paths = sorted(glob.glob(source, recursive=True))
    if not paths:
        raise SourceError(
            source,
            "there is no file or folder of this name, and none fits it as a pattern; check the "
            "path",
        )
    return paths
