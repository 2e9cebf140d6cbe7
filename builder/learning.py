"""The profile of a build: the one that the settings name, or the one that suits the collection."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
from pocketindex.builder import shipped
from pocketindex.builder.batches import batches
from pocketindex.builder.job import Job
from pocketindex.builder.language import detector
from pocketindex.builder.profile import Profile
from pocketindex.builder.same_ids import Duplicates
from pocketindex.builder.sample import LEARNED, LOOKED_AT, Bounds, Sample
from pocketindex.builder.schemes import SCHEMES
from pocketindex.builder.schemes.neighbours import Idf
from pocketindex.builder.schemes.rff import Learned
from pocketindex.builder.schemes.term_rows import TermRows
from pocketindex.builder.schemes.tuning import Expectation, Target, choose
from pocketindex.builder.settings import Settings
from pocketindex.builder.spool import Spool
from pocketindex.builder.work import NoMemory
from pocketindex.builder.workers import Workers

LEARN_FROM = 2_000  # documents: a smaller collection says less of its language than a shipped profile does
# What learning takes at its peak, measured: bytes for what is loaded, a byte of text, a term learned from, and a term looked at.
_LOADED, _TEXTS, _LEARNED, _LOOKED_AT = 64 << 20, 1, 40, 45


def profile(spool: Spool, duplicates: Duplicates, sample: Sample, job: Job) -> Profile:
    """Choose, or learn from the sample; a profile that a stopped build has learned is taken. Raises NoSuchProfile, Damaged, TooNew."""
    settings, work, report = job.settings, job.work, job.report
    scheme, choice, count = SCHEMES[settings.scheme], settings.profile, spool.count - duplicates.count
    if choice == "auto":
        choice = "learn" if count >= LEARN_FROM else shipped.for_languages(_languages(spool, duplicates, job)) or scheme.otherwise
    if choice != "learn":
        chosen = shipped.load(choice, settings.scheme)
        return Profile(scheme.fit(chosen.data, count), choice) if choice in shipped.SHIPPED else chosen
    name = "learned from this collection"
    for entry in work.of("profile"):
        report.expectation = Expectation.of_state(entry["expectation"]) if entry["expectation"] else None
        return Profile(work.path(entry).read_bytes(), name)
    data = _learn(name, spool, count, sample, job)
    with work.file("profile") as file:
        file.write(data)
    work.record("profile", ("profile", file), expectation=report.expectation.state() if report.expectation else None)
    return Profile(data, name)


def _learn(name: str, spool: Spool, documents: int, sample: Sample, job: Job) -> bytes:
    job.progress.phase("learning the profile")
    settings, scheme = job.settings, SCHEMES[job.settings.scheme]
    looked_at, learned_from, idf = _texts(spool, sample, settings, job.workers)
    texts = looked_at[:learned_from]
    choices = settings.scheme_settings or scheme.settings()
    if settings.scheme != "rff" or not texts:
        return bytes(scheme.learn(name, texts, documents, choices))
    learned = Learned(name, texts, documents, choices)
    job.progress.phase("choosing tables, probes and sketch")
    data, job.report.expectation = choose(
        learned, looked_at, Target.parse(settings.target), settings.probes, *settings.beside, idf, job.workers.map
    )
    return data


def _texts(spool: Spool, sample: Sample, settings: Settings, workers: Workers) -> tuple[list[bytes], int, Idf]:
    """Sampled texts within what memory there must be for them, how many of them may be learned from, and what their terms weigh.

    Raises NoMemory where max_memory is less than that.
    """
    numbers = sample.places
    lengths, bounds = spool.lengths(numbers), Bounds(LOOKED_AT)
    numbers = [number for number in numbers if bounds.take(lengths[number])]
    by_number = spool.texts(numbers)
    texts = [by_number.pop(number) for number in numbers]
    idf, terms, bounds = Idf(), list[int](), Bounds(LOOKED_AT)
    for some, rows in zip(batches(texts), workers.map(_terms, batches(texts)), strict=True):
        counts = np.diff(rows.ends, prepend=0).tolist()
        taken = sum(bounds.take(len(text), count) for text, count in zip(some, counts, strict=True))
        idf.add(rows.first(taken))
        terms += counts[:taken]
        if taken < len(some):
            break
    texts, bounds = texts[: len(terms)], Bounds(LEARNED)
    learned = sum(bounds.take(len(text), n) for text, n in zip(texts[: settings.sample], terms, strict=False))
    needed = _LOADED + _TEXTS * sum(map(len, texts)) + _LEARNED * sum(terms[:learned]) + _LOOKED_AT * sum(terms)
    if needed > settings.max_memory:
        raise NoMemory(
            f"to learn a profile from this collection takes about {needed >> 20} MiB, and max_memory is {settings.max_memory >> 20} MiB; "
            f"give --max-memory {(needed >> 20) + 1}M, with --resume to go on from what was read, or a profile that is there, as "
            "--profile en"
        )
    return texts, learned, idf


def _terms(texts: Sequence[bytes]) -> TermRows:
    return TermRows.of(texts, 0)


def _languages(spool: Spool, duplicates: Duplicates, job: Job) -> Counter[str]:
    """How many documents are in which language."""
    found: Counter[str] = Counter()
    detect = detector() if job.settings.detect_language else None
    for chunk in spool.chunks:
        own = ~duplicates.among(chunk.first, chunk.count)
        named = [head.language.decode() for head in chunk.heads_of(own)]
        if detect:
            texts = (text for text, kept in zip(chunk.all_texts(), own.tolist(), strict=True) if kept)
            named = [language or detect(text) for language, text in zip(named, texts, strict=True)]
        found.update(named)
    if detect:
        told = ", ".join(f"{language or 'unknown'} {count:,}" for language, count in found.most_common())
        job.report.notes.append(f"languages, detected where a document does not say its own: {told}")
    return found
