"""Choose the profile of a build: the one that the settings name, or the one that suits the
collection.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import replace

from pocketindex.builder.language import detector
from pocketindex.builder.passes.context import Context
from pocketindex.builder.schemes import SCHEMES
from pocketindex.builder.schemes import known_profiles as known_profiles
from pocketindex.builder.schemes.profile import Profile
from pocketindex.builder.schemes.rff import bits_of
from pocketindex.builder.settings import DEFAULTS, Settings
from pocketindex.contents.info import SCHEMES as NAMES

# documents: fewer say less of what is common than a shipped profile does (small.md)
LEARN_FROM = 50


def check(settings: Settings) -> None:
    """Raise ValueError if the profile is a file that contradicts a setting. Settings that are not
    given are those of the profile. Raises NoSuchProfile, Damaged, TooNew.
    """
    path = settings.profile_name
    if path in ("auto", "learn", *known_profiles.of_scheme(settings.scheme)):
        return
    known, chosen = known_profiles.load(path, settings.scheme), settings.choices
    if settings.scheme == "rff":
        chosen = replace(chosen, cells=None)  # no profile decides them
    scheme = NAMES[known.scheme]
    own, by_default = settings.scheme, type(chosen)()
    contradictions: list[tuple[str, object, object]] = []
    if own != scheme and (own != DEFAULTS.scheme or chosen != by_default):
        said = "scheme" if own != DEFAULTS.scheme else "the scheme of the choices"
        contradictions = [(said, own, scheme)]
    elif chosen.least_terms != by_default.least_terms:
        contradictions = [("least_terms", chosen.least_terms, known.least_terms)]
    if own == scheme == "rff":
        if chosen.shape != by_default.shape and chosen.components is None:
            contradictions.append(
                ("components of the shape", chosen.chosen.components, known.components)
            )
        contradictions += [
            ("components", chosen.components, known.components),
            ("tables", chosen.tables, known.tables),
            ("bits", chosen.bits, bits_of(known.data)),
        ]
    for name, value, there in contradictions:
        if value is not None and value != there:
            raise ValueError(
                f"{name} is {value}; the profile {path} has {there}: omit it, or learn a "
                "profile with it"
            )


def profile(
    count: int,
    sampled: Callable[[], Iterable[bytes]],
    in_languages: Callable[[], Iterable[tuple[str, bytes]]],
    context: Context,
) -> Profile:
    """Choose or learn a profile. One that a stopped build has learned is reused.

    count: the number of documents without repeated ones; sampled: returns the texts of the sample;
    in_languages: yields the language that each document states, and its text. Raises NoSuchProfile,
    Damaged, TooNew.
    """
    settings, work = context.settings, context.work
    scheme, choice = SCHEMES[settings.scheme], settings.profile_name
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
    """Return the number of documents in each language."""
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
