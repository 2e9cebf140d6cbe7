"""Index the built HTML of a static site, in place."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

import pocketindex
from pocketindex.arguments import path_of
from pocketindex.builder.inputs.options import ReadingOptions
from pocketindex.builder.inputs.pages.html import check_selectors
from pocketindex.builder.progress import Progress
from pocketindex.builder.site.cache import Cache, CacheDamaged, cache_of
from pocketindex.builder.site.choosing import WHY, LeftOutPage, choose
from pocketindex.builder.site.index import by_language, index, packed
from pocketindex.builder.site.linking import link
from pocketindex.builder.site.menus import menu_of
from pocketindex.builder.site.pages import TARGET, Page, Reading, files_of, read_page
from pocketindex.builder.site.pieces import Pieces
from pocketindex.builder.site.report import SiteReport
from pocketindex.builder.site.writing import check_target, write
from pocketindex.keywords import Keywords, takes
from pocketindex.options import Options, option, options_of
from pocketindex.wording.counted import counted

if TYPE_CHECKING:
    from pocketindex.builder.site.related import Similar

FilePath: TypeAlias = str | os.PathLike[str]

TEXTS = b"texts"  # what the cache keeps the names of pieces of texts under
LINKS = 5  # to similar pages, in each page with <pocket-related>


@dataclass(frozen=True, kw_only=True)
class SiteOptions(Options):
    """How a site is read and indexed."""

    exclude: str = options_of(ReadingOptions)["exclude"].field()
    root: str = option(
        "",
        "read only the first element of each page that matches, for metadata, too",
        metavar="CSS",
    )
    glob: str = option(
        "",
        "read the files that match PATTERN (docs/*.html) instead of all *.html and *.htm",
        metavar="PATTERN",
    )
    force_language: str = option(
        "", "index all pages together in this language, whatever their lang", metavar="LANG"
    )
    base: str = option(
        "",
        "the address that the site will have, such as https://example.org/docs/, which says which "
        "canonical addresses belong to it",
        shown_default="told by pages whose canonical address is their own",
        metavar="URL",
    )
    related: int = option(
        0,
        "list the N most similar pages of each page in related.json and in <pocket-related>",
        shown_default="5 in <pocket-related>, and no related.json",
        least=0,
        most=100,
        metavar="N",
    )
    cache: bool = option(True, "keep nothing of what was parsed beside the site for the next build")


@dataclass(frozen=True, kw_only=True)
class Site(SiteOptions, Keywords):
    """The arguments of site."""

    folder: FilePath = field(kw_only=False)


class NoPages(ValueError):
    """A site has no page that can be indexed."""


@takes(Site)
def site(call: Site) -> SiteReport:
    """Index the built HTML in a folder, and write the index to _pocketindex/ in it.

    folder: the root of the site. The result has the number of pages in the index, and each file
    that is left out with the reason. The index has the same bytes as that of `pocketindex site`.

    Raises NoPages, ValueError for an invalid selector or a folder _pocketindex/ that contains
    anything but an index, SourceError if the HTML parser is missing (pip install
    'pocketindex[html]'), and OSError.

    >>> import pocketindex
    >>> report = pocketindex.site("build/html")      # doctest: +SKIP
    >>> report.pages, len(report.left_out)      # doctest: +SKIP
    (1699, 3)
    """
    return index_site(Path(path_of("folder", call.folder)), call, Progress(form="none"))


def index_site(folder: Path, options: SiteOptions, progress: Progress) -> SiteReport:
    """Index a site, and raise the same errors as `site`."""
    if not folder.is_dir():
        raise NotADirectoryError(f"{folder}: expected the folder of a built site, found no folder")
    check_selectors(root=options.root, exclude=options.exclude)
    check_target(folder)
    reading = Reading(options.root, options.exclude)
    found = list(files_of(folder, options.glob))
    progress.phase("reading pages", documents=len(found))
    with _cached(folder, options, reading) as cache:
        try:
            return _indexed(folder, found, reading, options, cache, progress)
        except CacheDamaged:
            cache.begin_anew()
            return _indexed(folder, found, reading, options, cache, progress)


def _indexed(
    folder: Path,
    found: Sequence[tuple[str, str]],
    reading: Reading,
    options: SiteOptions,
    cache: Cache,
    progress: Progress,
) -> SiteReport:
    paths = [path for path, why in found if not why]
    pages, parsed = _pages(folder, paths, reading, cache, progress)
    chosen = choose(pages, options.base)
    chosen.left_out += [LeftOutPage(path, why, WHY[why]) for path, why in found if why]
    if not chosen.pages:
        raise NoPages(_nothing(folder, chosen.left_out, options.glob))
    pieces = Pieces(folder / TARGET)
    languages = by_language(chosen.pages, options.force_language.lower())
    key = _key_of(languages)
    known = json.loads(cache.kept(key) or "[]")
    texts = json.loads(cache.kept(TEXTS) or "{}")
    if not known or not pieces.take(known[1]):
        listed, texts = index(
            languages, cache, pieces, pocketindex.__version__, progress.phase, texts
        )
        known = [listed, sorted(pieces.files)]
        cache.keep(key, packed(known))
        cache.keep(TEXTS, packed(texts))
    most = options.related or LINKS * any(page.said["related"] for page in chosen.pages)
    similar = _similar(chosen.pages, most, key, cache) if most else {}
    menu = menu_of(chosen.pages, cache.stored)
    listing = packed(similar) if options.related else None
    written = write(pieces, known[0], pocketindex.__version__, listing)
    link(folder, pages, similar)
    sizes = list(_sizes(pieces.folder))
    return SiteReport(
        left_out=tuple(sorted(chosen.left_out, key=lambda one: one.path)),
        folder=str(pieces.folder),
        pages=len(chosen.pages),
        parsed=parsed,
        languages={code: len(own) for code, own in languages.items()},
        files=len(sizes),
        written=written,
        bytes=sum(sizes),
        warnings=(*chosen.warnings, *([cache.note] if cache.note else ())),
        menu=menu,
    )


def _sizes(folder: Path) -> Iterator[int]:
    for entry in os.scandir(folder):
        with suppress(FileNotFoundError):  # another build may take it away
            yield entry.stat().st_size


def _key_of(languages: dict[str, list[Page]]) -> bytes:
    """Return a checksum of all that an index follows from."""
    found = hashlib.sha256(packed(list(languages)))
    for page in chain.from_iterable(languages.values()):
        found.update(hashlib.sha256(page.path.encode(errors="surrogateescape")).digest() + page.key)
    found.update(packed([len(own) for own in languages.values()]))
    return found.digest()


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
    """Return the pages and the number of pages that were parsed."""
    pages, parsed = list[Page](), 0
    for path in paths:
        page, anew = read_page(folder, path, reading, cache)
        pages.append(page)
        parsed += anew
        progress.add(1)
    return pages, parsed


def _similar(pages: Sequence[Page], most: int, key: bytes, cache: Cache) -> Similar:
    """Return the most similar pages of each. key: of what they follow from."""
    own = key + most.to_bytes(1, "little")
    known = cache.kept(own)
    if known is None:
        from pocketindex.builder.site.related import related  # which loads a whole build

        known = packed(related(pages, cache.stored, most))
        cache.keep(own, known)
    similar: Similar = json.loads(known)
    return similar


def _nothing(folder: Path, left_out: Sequence[LeftOutPage], glob: str) -> str:
    if not left_out:
        what = f"files that match {glob}" if glob else "*.html or *.htm files"
        return f"{folder}: there are no {what}; name the folder that the site was built into"
    first = left_out[0]
    return (
        f"{folder}: none of {counted(len(left_out), 'file')} can be indexed; {first.path}: "
        f"{first.detail}"
    )
