"""How alike two documents are: what pairs, dedup and check compare them by."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain
from pathlib import Path

from pocketindex.builder.collections.corpus import Corpus
from pocketindex.builder.collections.options import COSINE, RECORDS, Comparing
from pocketindex.builder.collections.passing.against import Against
from pocketindex.builder.collections.shingles.corpus import ShingleCorpus
from pocketindex.builder.document import Document
from pocketindex.builder.progress import Progress
from pocketindex.builder.settings import DEFAULTS, Settings
from pocketindex.builder.spill.journal import WorkFolder


def corpus_of(
    documents: Iterable[Document],
    folder: Path,
    how: Comparing,
    progress: Progress,
    settings: Settings = DEFAULTS,
    against: Against | None = None,
    work: WorkFolder | None = None,
) -> Corpus:
    """Read documents that are to be compared with each other, by the measure and from the
    similarity on that the options name. Temporary files lie in folder; of the settings max_memory
    and threads count. against: what they are compared with, too, which comes behind them; of it at
    least what is near to one of them is taken; work: where a run that goes on when this one is
    stopped finds what was done, which the measures of 5-grams alone have.
    """
    if against is not None and how.measure in (COSINE, RECORDS):
        documents = chain(documents, against.documents())
    least = how.least
    # What only one measure needs is loaded for it alone.
    if how.measure == COSINE:
        from pocketindex.builder.collections.cosine.corpus import CosineCorpus

        return CosineCorpus(documents, folder, least, progress, how.probes, settings)
    if how.measure == RECORDS:
        from pocketindex.builder.collections.records.corpus import RecordCorpus

        return RecordCorpus(documents, folder, least, progress, settings)
    return ShingleCorpus(documents, folder, how.measure, least, progress, settings, against, work)
