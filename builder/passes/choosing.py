"""The profile of a build: the one that the settings name, or the one that suits the collection."""

from __future__ import annotations

from collections import Counter

from pocketindex.builder.language import detector
from pocketindex.builder.passes.context import Context
from pocketindex.builder.schemes import SCHEMES
from pocketindex.builder.schemes import known_profiles as known_profiles
from pocketindex.builder.schemes.profile import Profile
from pocketindex.builder.work.repeated_ids import RepeatedIds
from pocketindex.builder.work.sample import Sample
from pocketindex.builder.work.spool import Spool

# documents: fewer say less of what is common than a shipped profile does (small.md)
LEARN_FROM = 50


def profile(spool: Spool, repeated: RepeatedIds, sample: Sample, context: Context) -> Profile:
    """Choose, or learn from the sample; a profile that a stopped build has learned is taken.

    Raises NoSuchProfile, Damaged, TooNew.
    """
    settings, work = context.settings, context.work
    scheme = SCHEMES[settings.scheme]
    choice = settings.profile
    count = spool.count - repeated.count
    if choice == "auto":
        choice = (
            "learn"
            if count >= LEARN_FROM
            else _of_language(spool, repeated, context) or scheme.otherwise
        )
    if choice != "learn":
        chosen = known_profiles.load(choice, settings.scheme)
        return (
            Profile(scheme.fit(chosen.data, choice, count, settings.choices), choice)
            if choice in known_profiles.SHIPPED
            else chosen
        )
    name = "weights of this collection"
    for entry in work.of("profile"):
        return Profile(work.path(entry).read_bytes(), name)
    context.progress.phase("weighing terms")
    data = scheme.learn(name, sample.texts(spool), count, settings.choices, context.threads.map)
    with work.file("profile") as file:
        file.write(data)
    work.enter("profile", ("profile", file))
    return Profile(data, name)


def _of_language(spool: Spool, repeated: RepeatedIds, context: Context) -> str | None:
    return known_profiles.for_languages(
        _languages(spool, repeated, context), context.settings.scheme
    )


def _languages(spool: Spool, repeated: RepeatedIds, context: Context) -> Counter[str]:
    """How many documents are in which language."""
    found: Counter[str] = Counter()
    detect = detector() if context.settings.detect_language else None
    for chunk in spool.chunks:
        own = ~repeated.among(chunk.first, chunk.count)
        named = [details.language.decode() for details in chunk.details_of(own)]
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
        context.report.notes.append(
            f"languages, detected where a document does not say its own: {told}"
        )
    return found
