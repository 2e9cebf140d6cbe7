"""The profile of a build: the one that the settings name, or the one that suits the collection."""

from __future__ import annotations

from collections import Counter

from pocketindex.builder import shipped
from pocketindex.builder.job import Job
from pocketindex.builder.language import detector
from pocketindex.builder.profile import Profile
from pocketindex.builder.same_ids import Duplicates
from pocketindex.builder.sample import Sample
from pocketindex.builder.schemes import SCHEMES
from pocketindex.builder.spool import Spool

# documents: fewer say less of what is common than a shipped profile does (bench/results/small.md)
LEARN_FROM = 50


def profile(spool: Spool, duplicates: Duplicates, sample: Sample, job: Job) -> Profile:
    """Choose, or learn from the sample; a profile that a stopped build has learned is taken.

    Raises NoSuchProfile, Damaged, TooNew.
    """
    settings, work = job.settings, job.work
    scheme, choice, count = (
        SCHEMES[settings.scheme],
        settings.profile,
        spool.count - duplicates.count,
    )
    if choice == "auto":
        choice = (
            "learn"
            if count >= LEARN_FROM
            else _of_language(spool, duplicates, job) or scheme.otherwise
        )
    if choice != "learn":
        chosen = shipped.load(choice, settings.scheme)
        return (
            Profile(scheme.fit(chosen.data, choice, count, settings.choices), choice)
            if choice in shipped.SHIPPED
            else chosen
        )
    name = "weights of this collection"
    for entry in work.of("profile"):
        return Profile(work.path(entry).read_bytes(), name)
    job.progress.phase("weighing terms")
    data = scheme.learn(name, sample.texts(spool), count, settings.choices, job.workers.map)
    with work.file("profile") as file:
        file.write(data)
    work.record("profile", ("profile", file))
    return Profile(data, name)


def _of_language(spool: Spool, duplicates: Duplicates, job: Job) -> str | None:
    return shipped.for_languages(_languages(spool, duplicates, job), job.settings.scheme)


def _languages(spool: Spool, duplicates: Duplicates, job: Job) -> Counter[str]:
    """How many documents are in which language."""
    found: Counter[str] = Counter()
    detect = detector() if job.settings.detect_language else None
    for chunk in spool.chunks:
        own = ~duplicates.among(chunk.first, chunk.count)
        named = [head.language.decode() for head in chunk.heads_of(own)]
        if detect:
            texts = (
                text for text, kept in zip(chunk.all_texts(), own.tolist(), strict=True) if kept
            )
            named = [language or detect(text) for language, text in zip(named, texts, strict=True)]
        found.update(named)
    if detect:
        told = ", ".join(
            f"{language or 'unknown'} {count:,}" for language, count in found.most_common()
        )
        job.report.notes.append(
            f"languages, detected where a document does not say its own: {told}"
        )
    return found
