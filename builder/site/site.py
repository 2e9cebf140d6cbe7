"""Index the built HTML of a static site, in place."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

import pocketindex
from pocketindex.arguments import path_of
from pocketindex.builder.inputs.options import Css, ReadingOptions
from pocketindex.builder.inputs.pages.html import check
from pocketindex.builder.progress import Progress
from pocketindex.builder.site.cache import Cache, cache_of
from pocketindex.builder.site.choosing import WHY, LeftOut, choose
from pocketindex.builder.site.index import by_language, index, packed
from pocketindex.builder.site.linking import link
from pocketindex.builder.site.menus import menu_of
from pocketindex.builder.site.pages import Page, Reading, files_of, read_page
from pocketindex.builder.site.pieces import Pieces
from pocketindex.builder.site.report import SiteReport
from pocketindex.builder.site.writing import check_target, write
from pocketindex.keywords import Keywords, takes
from pocketindex.options import Options, option, options_of

if TYPE_CHECKING:
    from pocketindex.builder.site.related import Similar

FilePath: TypeAlias = str | os.PathLike[str]

LINKS = 5  # to similar pages, in pages with a place for them


@dataclass(frozen=True, kw_only=True)
class SiteOptions(Options):
    """How a site is read and indexed."""

    exclude: str = options_of(ReadingOptions)["exclude"].field()
    root: str = option(
        "",
        "read of each page only the first element that matches, metadata too",
        metavar="CSS",
    )
    glob: str = option(
        "",
        "read the files that match PATTERN (docs/*.html) in place of all *.html and *.htm",
        metavar="PATTERN",
    )
    force_language: str = option(
        "", "make one index in this language of all pages, whatever their lang", metavar="LANG"
    )
    base: str = option(
        "",
        "the address that the site will have, as https://example.org/docs/, by which canonical "
        "addresses are told; without it, by pages that name their own",
        metavar="URL",
    )
    related: int = option(
        0,
        "list the N most similar pages of each in related.json; without it, only in pages with "
        "<pocket-related>, five in each",
        least=0,
        most=100,
        metavar="N",
    )
    cache: bool = option(
        True, "keep what was read of pages in a hidden file beside the site for the next build"
    )


@dataclass(frozen=True, kw_only=True)
class Site(SiteOptions, Keywords):
    """The arguments of site."""

    folder: FilePath = field(kw_only=False)


class NoPages(ValueError):
    """A site has no page for its index."""


@takes(Site)
def site(call: Site) -> SiteReport:
    """Index the built HTML in a folder, and write the index to _pocketindex/ in it.

    folder: the root of the site. The result says which pages are in the index, and why others are
    not. The bytes are those of `pocketindex site`.

    Raises NoPages, ValueError for a selector that is none or a folder _pocketindex/ that is no
    index, SourceError where the HTML parser is missing (pip install 'pocketindex[html]'), OSError.

    >>> import pocketindex
    >>> report = pocketindex.site("build/html")      # doctest: +SKIP
    >>> report.pages, len(report.left_out)      # doctest: +SKIP
    (1699, 3)
    """
    return index_site(Path(path_of("folder", call.folder)), call, Progress(form="none"))


def index_site(folder: Path, options: SiteOptions, progress: Progress) -> SiteReport:
    """Index a site; raises as `site` does."""
    if not folder.is_dir():
        raise NotADirectoryError(f"{folder}: expected the folder of a built site, found none")
    check(Css(options.root, options.exclude))
    target = check_target(folder)
    reading = Reading(options.root, options.exclude)
    found = list(files_of(folder, options.glob))
    progress.phase("reading pages", documents=len(found))
    with _cached(folder, options, reading) as cache:
        paths = [path for path, why in found if not why]
        pages, parsed = _pages(folder, paths, reading, cache, progress)
        chosen = choose(pages, options.base)
        chosen.warnings += [cache.note] if cache.note else []
        chosen.left_out += [LeftOut(path, why, WHY[why]) for path, why in found if why]
        if not chosen.pages:
            raise NoPages(_nothing(folder, chosen.left_out, options.glob))
        pieces = Pieces(target if target.is_dir() else None)
        languages = by_language(chosen.pages, options.force_language.lower())
        listed = index(languages, cache, pieces, pocketindex.__version__, progress.phase)
    most = options.related or LINKS * any(page.said["related"] for page in chosen.pages)
    similar = _similar(chosen.pages, most) if most else {}
    listing = packed(similar) if options.related else None
    written = write(target, pieces, listed, pocketindex.__version__, listing)
    link(folder, pages, similar)
    return SiteReport(
        folder=str(target),
        pages=len(chosen.pages),
        parsed=parsed,
        languages={code: len(own) for code, own in languages.items()},
        files=len(pieces.files) + 2,
        written=written,
        bytes=sum(entry.stat().st_size for entry in target.iterdir()),
        left_out=sorted(chosen.left_out, key=lambda one: one.path),
        warnings=chosen.warnings,
        menu=menu_of(chosen.pages),
    )


@contextmanager
def _cached(folder: Path, options: SiteOptions, reading: Reading) -> Iterator[Cache]:
    how = f"{pocketindex.__version__}:{reading.root}:{reading.exclude}"
    cache = Cache(cache_of(folder) if options.cache else None, how)
    try:
        yield cache
        cache.forget()
    finally:
        cache.close()


def _pages(
    folder: Path, paths: Sequence[str], reading: Reading, cache: Cache, progress: Progress
) -> tuple[list[Page], int]:
    """Return the pages, and how many of them were parsed."""
    pages, parsed = list[Page](), 0
    for path in paths:
        page, anew = read_page(folder, path, reading, cache)
        pages.append(page)
        parsed += anew
        progress.add(1)
    return pages, parsed


def _similar(pages: Sequence[Page], most: int) -> Similar:
    from pocketindex.builder.site.related import related  # which loads a whole build

    return related(pages, most)


def _nothing(folder: Path, left_out: Sequence[LeftOut], glob: str) -> str:
    if not left_out:
        what = f"files that match {glob}" if glob else "*.html or *.htm files"
        return f"{folder}: there are no {what}; name the folder that the site was built into"
    first = left_out[0]
    return (
        f"{folder}: none of {len(left_out):,} files is a page for an index; {first.path}: "
        f"{first.detail}"
    )
