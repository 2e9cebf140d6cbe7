"""The collections of a disc: pocket files as they are, and documents that become one with all that
a visitor may ask: titles, words, passages, and texts to read.
"""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

from pocketindex.builder.inputs.source import STDIN
from pocketindex.builder.pipeline import build_sources
from pocketindex.builder.progress import Progress
from pocketindex.builder.settings import Settings
from pocketindex.builder.tally import Tally
from pocketindex.constants import MAGIC
from pocketindex.kinds import unpacked_name

# What a page can make use of.
ASKED = ("documents", "passages", "words")


@dataclass
class Gathered:
    """paths: of the pocket files, in the order of the sources; made: the one that was made of
    documents, "" for none; documents: the sources that it was made of; report: what became of them.
    """

    paths: list[str]
    made: str = ""
    documents: list[str] = field(default_factory=list)
    report: Tally | None = None


def is_pocket(source: str) -> bool:
    """Return whether a source is a pocket file, or is meant to be one."""
    if source.endswith(".pocket"):
        return True
    if not os.path.isfile(source):
        return False
    with open(source, "rb") as file:
        return file.read(len(MAGIC)) == MAGIC


def documents_of(sources: Sequence[str]) -> list[str]:
    """Return the sources that are documents."""
    return [source for source in sources if not is_pocket(source)]


@contextmanager
def gathered(
    sources: Sequence[str],
    folder: Path,
    settings: Settings,
    progress: Callable[[], Progress],
    skipped: str | Path | None = None,
) -> Iterator[Gathered]:
    """Yield the pocket files of a disc.

    All sources that are documents become one collection, which takes the place of the first of
    them. Its file lies in a folder beside the disc until the block ends.

    folder: the disc's; settings: how documents are read; progress: makes what shows it. Raises what
    build does.
    """
    documents = documents_of(sources)
    if not documents:
        yield Gathered(list(sources))
        return
    for source in documents:
        if os.path.isdir(source) and Path(source).resolve() in [
            folder.resolve(),
            *folder.resolve().parents,
        ]:
            raise ValueError(
                f"{folder}: it lies in {source}, and the disc would be read as a part of it; write "
                "it elsewhere"
            )
    place = folder.resolve().parent
    place.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=f".{folder.name}.", dir=place) as work:
        made = os.path.join(work, f"{name_of(documents[0])}.pocket")
        wanted = replace(settings, keep="text", titles=True, index=ASKED)
        with progress() as shown:
            report = build_sources(documents, made, wanted, shown, skipped=skipped)
        first = sources.index(documents[0])
        paths = [made if i == first else one for i, one in enumerate(sources)]
        kept = [one for one in paths if one == made or is_pocket(one)]
        yield Gathered(kept, made, documents, report)


def name_of(source: str) -> str:
    """Return the name of the collection that is made of a source: that of the folder or file."""
    if source == STDIN:
        return "documents"
    name = os.path.basename(os.path.abspath(source.rstrip("/")))
    if not os.path.isdir(source):
        name = os.path.splitext(unpacked_name(name))[0]
    return re.sub(r"[*?\[\]\x00-\x1f]+", "", name) or "documents"
