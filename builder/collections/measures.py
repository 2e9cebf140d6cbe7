"""How alike two documents are: what pairs, dedup and check compare them by."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from pocketindex.builder.collections.corpus import Corpus
from pocketindex.builder.collections.cosine.corpus import CosineCorpus
from pocketindex.builder.collections.options import COSINE, RECORDS, Comparing
from pocketindex.builder.collections.records.corpus import RecordCorpus
from pocketindex.builder.collections.shingles.corpus import ShingleCorpus
from pocketindex.builder.document import Document
from pocketindex.builder.progress import Progress
from pocketindex.builder.settings import DEFAULTS, Settings


def corpus_of(
    documents: Iterable[Document],
    folder: Path,
    how: Comparing,
    progress: Progress,
    settings: Settings = DEFAULTS,
) -> Corpus:
    """Read documents that are to be compared with each other, by the measure and from the
    similarity on that the options name. Temporary files lie in folder; of the settings max_memory
    and threads count.
    """
    least = how.least
    if how.measure == COSINE:
        return CosineCorpus(documents, folder, least, progress, how.probes, settings)
    if how.measure == RECORDS:
        return RecordCorpus(documents, folder, least, progress, settings)
    return ShingleCorpus(documents, folder, how.measure, least, progress, settings)
