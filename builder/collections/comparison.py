"""A collection compared with itself: its pairs as they are found, and what is said of them."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from functools import lru_cache, partial
from math import floor
from pathlib import Path

from pocketindex.builder.collections.cosine.near import listed
from pocketindex.builder.collections.measures import corpus_of
from pocketindex.builder.collections.options import COSINE, Comparing
from pocketindex.builder.collections.pairs import Pair, sketch_pairs, text_pairs
from pocketindex.builder.document import Document
from pocketindex.builder.progress import Progress
from pocketindex.builder.settings import DEFAULTS, Settings
from pocketindex.builder.tally import Tally
from pocketindex.errors import spelled
from pocketindex.index import Index
from pocketindex.wording.counted import counted

MOST = 0.95  # share of pairs for which another threshold is named


@dataclass(frozen=True, slots=True)
class Comparison:
    """pairs: of documents by their numbers, found while they are asked for; count: documents; id:
    of one of them; report: of what was read; said: for people, when all pairs were asked for.
    """

    pairs: Iterator[Pair]
    count: int
    id: Callable[[int], str]
    report: Tally
    said: Callable[[], str]


def of_file(
    stack: ExitStack,
    index: Index,
    how: Comparing,
    progress: Progress,
    settings: Settings = DEFAULTS,
) -> Comparison:
    """Compare the documents of an open file: by its texts where it keeps them, else by its
    sketches, which tell a cosine.

    stack closes what is open. Raises ValueError where the measure needs texts that the file does
    not keep.
    """
    if index.kept == "text":
        return of_texts(stack, _kept(index, progress), Tally(), how, progress, settings)
    if how.measure != COSINE:
        raise how.refused(
            "{0} keeps no texts, and {measure} {1} counts the word 5-grams of texts; give the "
            "sources, or a file built with {3}, or {measure} {2}, which its sketches tell",
            index.path,
            how.measure,
            COSINE,
            spelled("keep", "text"),
        )
    least, probes = how.least, how.probes
    progress.phase("comparing sketches")
    pairs = sketch_pairs(index, least, probes, progress.add, settings.thread_count)
    ids = lru_cache(65_536)(lambda number: index.record(number).id)
    report = Tally()
    report.arrive(len(index))
    report.index(len(index))
    return Comparison(pairs, len(index), ids, report, lambda: _expectation(index, least))


def of_texts(
    stack: ExitStack,
    given: Iterable[Document],
    report: Tally,
    how: Comparing,
    progress: Progress,
    settings: Settings = DEFAULTS,
) -> Comparison:
    """Compare documents by their texts.

    report: has what was left out of them; of the settings max_memory and threads count.
    """
    ids = list[str]()

    def documents() -> Iterator[Document]:
        for document in given:
            report.arrive()
            ids.append(document.id)
            yield document

    # Once they are open the files need no name, and no trace is left when a reader of the output
    # that has seen enough ends us.
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        corpus = stack.enter_context(corpus_of(documents(), Path(folder), how, progress, settings))
    report.index(report.read - report.left_out)
    progress.phase("comparing", documents=len(corpus.text_of))

    def said() -> str:
        lines = [
            *corpus.hint(),
            *report.notes,
            f"{report.read:,} read, {report.indexed:,} compared, {report.left_out:,} skipped; "
            + counted(corpus.texts, "different text"),
            *report.reasons_text(),
            *corpus.notes(),
        ]
        return "\n".join(lines)

    pairs = text_pairs(corpus, progress.add)
    return Comparison(pairs, len(corpus.text_of), ids.__getitem__, report, said)


def _kept(index: Index, progress: Progress) -> Iterator[Document]:
    progress.phase(f"reading {index.path}")
    for number in range(len(index)):
        record = index.record(number)
        yield Document(record.id, record.title, index.text(number) or "")


def _expectation(index: Index, least: float) -> str:
    """What a list of pairs by sketches is worth."""
    head = (
        f"{counted(len(index), 'document')} compared by their sketches: similarities are estimates"
    )
    info = index.info()
    if info.scheme != "rff":
        return head
    share = partial(listed, bits=info.components, documents=len(index))
    at = [cosine for cosine in (least - 0.1, least, least + 0.05, least + 0.1) if 0 < cosine < 1]
    figures = ", ".join(f"{share(cosine, least):.0%} at {cosine:.2f}" for cosine in at)
    lower = next(
        (
            step / 100
            for step in range(floor(100 * least), 0, -1)
            if share(least, step / 100) >= MOST
        ),
        0.01,
    )
    return (
        f"{head}.\nExpected share of pairs listed, by cosine: {figures}.\n"
        f"{spelled('min_similarity', lower)} lists {MOST} of those at "
        f"{least:g}, and more that are below it. Similarities are exact from the sources, or from "
        f"a file built with {spelled('keep', 'text')}."
    )
