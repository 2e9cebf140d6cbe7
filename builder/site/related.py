"""Find the most similar pages of each page with a temporary pocket file."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, TypeAlias

from pocketindex.builder.document import Document
from pocketindex.builder.functions.build import build
from pocketindex.builder.site.pages import Page
from pocketindex.builder.site.texts import parts_of
from pocketindex.errors import HasNoSketch
from pocketindex.index import Index
from pocketindex.queries.hits import Hit

LEAST_SIMILAR = 0.2


Similar: TypeAlias = dict[str, list[dict[str, Any]]]


def related(pages: Sequence[Page], stored: Callable[[int], bytes], most: int) -> Similar:
    """Return the most similar pages of each page, by their addresses, each with its url, title and
    similarity. stored: gives what is kept of a page's texts, by its id.
    """
    titles = {page.address: page.said["title"] for page in pages}
    found = Similar()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "pages.pocket"
        build(_documents(pages, stored), path, progress=False)
        with Index(path) as index:
            for number in range(len(index)):
                address = _address(index.record(number).id)
                found[address] = [
                    {"url": other, "title": titles[other], "similarity": round(hit.similarity, 4)}
                    for hit in _hits(index, number, most)
                    for other in [_address(hit.id)]
                ]
    return dict(sorted(found.items()))


def _hits(index: Index, number: int, most: int) -> Sequence[Hit]:
    try:
        hits = index.like(number, top=most + 1)
    except HasNoSketch:
        return []
    return [hit for hit in hits if hit.number != number and hit.similarity >= LEAST_SIMILAR][:most]


def _documents(pages: Sequence[Page], stored: Callable[[int], bytes]) -> Iterator[Document]:
    for page in pages:
        text = "\n".join(part[3] for part in parts_of(stored(page.id)))
        yield Document(id=f"/{page.address}", title=page.said["title"], text=text)


def _address(id: str) -> str:
    return id[1:]
