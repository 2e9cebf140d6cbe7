"""The files of folders whose records can be passed through."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from pocketindex.builder.document import Notice, Skip
from pocketindex.builder.inputs import Options, find_all, sparing
from pocketindex.builder.inputs.finding import Found, known
from pocketindex.builder.inputs.kinds import by_name
from pocketindex.builder.inputs.listing import Listing
from pocketindex.builder.inputs.opening.addresses import Address
from pocketindex.builder.inputs.source import SourceError
from pocketindex.builder.inputs.walking import Walk, written
from pocketindex.wording.counted import were

_PASSED = ("jsonl", "parquet")  # formats whose records are passed through


class Files(NamedTuple):
    """The files of a folder: those whose records can be passed through, in order; the names of all
    others; and what was not followed.
    """

    paths: list[str]
    others: list[str]
    links: list[Skip | Notice]

    def note(self, folder: str) -> list[str]:
        """Return a line about the files that are left out, if there are some."""
        lines = [f"{one.place}: left out: {one.detail}" for one in self.links]
        if self.others:
            lines.append(
                f"{folder}: {were(len(self.others), 'file')} left out, being neither JSON Lines "
                f"nor Parquet nor Arrow: {', '.join(self.others[:3])}"
                f"{', ...' if len(self.others) > 3 else ''}"
            )
        return lines


def files_of(folder: str) -> Files:
    """Return the files of a folder and of the folders in it. A file whose name does not tell its
    kind is known by its first bytes. Raises SourceError for an address that cannot be listed.
    """
    links = list[Skip | Notice]()
    walk: Walk | Listing = (
        Listing(folder, _is_passed)
        if isinstance(folder, Address)
        else Walk(folder, links.append, _is_passed)
    )
    names = [name for name in walk.names() if name not in walk.messages]
    unnamed = {name: path for name, path in walk.paths(walk.others).items() if not by_name(name)}
    told = [name for name, path in unnamed.items() if _has_records(path)]
    others = sorted({*walk.others, *walk.messages} - {*told})
    return Files(list(walk.paths(sorted(names + told)).values()), others, links)


def with_records(found: Found, options: Options, *outputs: str | None) -> tuple[Found, list[str]]:
    """Return what is found, with each file of many records in its folders by itself, and a folder
    only if it gives other documents, too; and lines that say what of folders is left out. options:
    of reading; outputs: files that the command writes, which are not read.

    Raises what find_all does.
    """
    if options.format is not None or not any(kind.walked for _, kind in found):
        return found, []
    names, apart, notes = list[str](), list[str](), list[str]()
    spared = written(path for path in outputs if path is not None)
    for source, kind in found:
        files = files_of(source) if kind.walked else Files([], [], [])
        own = [path for path in files.paths if not written([path]) & spared]
        is_given = any((other := by_name(name)) and other.in_folder for name in files.others)
        if is_given or not own:
            names.append(source)
        else:
            notes += files.note(source)
        names += own
        apart += own
    return sparing(find_all(names, options), *apart, *outputs), notes


def expanded(sources: Sequence[str], encoding: str | None) -> tuple[list[str], list[str]]:
    """Return the files of sources, patterns and folders as the files in them, in order; and lines
    that say what of folders is left out. encoding: of lines, if it is named.

    Raises SourceError for a file that is neither JSON Lines nor a table, and for a folder without
    any; what find_all raises for an encoding.
    """
    found, notes = list[str](), list[str]()
    for source, kind in find_all(sources, Options(encoding=encoding)):
        if kind.name == "folder":
            files = files_of(source)
            if not files.paths:
                raise SourceError(
                    source, "there is no file of JSON Lines, Parquet or Arrow in this folder"
                )
            found += files.paths
            notes += files.note(source)
        elif kind.name in _PASSED:
            found.append(source)
        else:
            raise SourceError(
                source,
                f"expected JSON Lines, a JSON array, Parquet or Arrow, whose records can be "
                f"written again unchanged; found the format {kind.name}",
            )
    return found, notes


def _is_passed(name: str) -> bool:
    kind = by_name(name)
    return kind is not None and kind.name in _PASSED


def _has_records(path: str) -> bool:
    try:
        kind = known(path)
    except (OSError, SourceError):
        return False
    return kind is not None and kind.name in _PASSED
