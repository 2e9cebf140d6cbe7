"""The profile of a build: the one that the settings name, or the one that suits the collection."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable

from pocketindex.builder.language import detector
from pocketindex.builder.passes.context import Context
from pocketindex.builder.schemes import SCHEMES
from pocketindex.builder.schemes import known_profiles as known_profiles
from pocketindex.builder.schemes.profile import Profile

# documents: fewer say less of what is common than a shipped profile does (small.md)
LEARN_FROM = 50


def profile(
    count: int,
    sampled: Callable[[], Iterable[bytes]],
    in_languages: Callable[[], Iterable[tuple[str, bytes]]],
    context: Context,
) -> Profile:
    """Choose, or learn; a profile that a stopped build has learned is taken.

    count: of documents without repeated ones; sampled: gives the texts of the sample;
    in_languages: gives the language that each document says, and its text. Raises NoSuchProfile,
    Damaged, TooNew.
    """
    settings, work = context.settings, context.work
    scheme, choice = SCHEMES[settings.scheme], settings.profile
    if choice == "auto":
        choice = (
            "learn"
            if count >= LEARN_FROM
            else known_profiles.for_languages(_languages(in_languages(), context), settings.scheme)
            or scheme.otherwise
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
    data = scheme.learn(name, sampled(), count, settings.choices, context.threads.map)
    with work.file("profile") as file:
        file.write(data)
    work.enter("profile", ("profile", file))
    return Profile(data, name)


def _languages(documents: Iterable[tuple[str, bytes]], context: Context) -> Counter[str]:
    """Return how many documents are in which language."""
    detect = detector() if context.settings.detect_language else None
    found = Counter(
        language or (detect(text) if detect else language) for language, text in documents
    )
    if detect:
        told = ", ".join(
            f"{language or 'unknown'} {count:,}" for language, count in found.most_common()
        )
        context.report.notes.append(
            f"languages, detected where a document does not say its own: {told}"
        )
    return found
