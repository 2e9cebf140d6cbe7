"""docs/format.md, section 8, "Doubt": hits that are asked once more, with distinct terms."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace

from plain.profile import Profile
from plain.projection import Projection
from plain.sketch import Quantised
from plain.weighed import COPY, Weighed

NO_DOUBT, BY_DISTINCT_TERMS = 5_800, 4_400
LARGE, RATHER_LARGE = 7, 10  # parts of a vector, of which a large term has more than one


def is_spread(profile: Profile, text: bytes, parts: int) -> bool:
    assert isinstance(profile.scheme, Projection)
    counts = Counter(profile.terms(text))
    squares = [
        (min(65_535, count) * profile.scheme.weight(word)) ** 2 for word, count in counts.items()
    ]
    return max(squares, default=0) * parts <= sum(squares)


def distinct(profile: Profile, text: bytes) -> Quantised:
    """Return what the scheme makes of the terms of a text, each once."""
    return profile.scheme.quantise(list(dict.fromkeys(profile.terms(text))))


def judged(
    profile: Profile,
    text: bytes,
    hits: list[Weighed],
    noise_floor: int,
    least: int,
    asked_again: Callable[[int], int | None],
) -> Iterator[Weighed]:
    """Yield the hits, in order, with what is decided about those in doubt. least: from which
    similarity on a hit is in doubt; asked_again: the similarity of a document to the distinct
    terms, None where it has no sketch.
    """
    is_shown = False
    for hit in hits:
        if not (is_shown or hit.similarity == COPY or hit.verdict is False):
            is_shown = bool(hit.verdict) or hit.similarity >= max(NO_DOUBT, noise_floor)
            is_near = hit.similarity >= least
            similarity = asked_again(hit.document) if is_near and not is_shown else None
            if similarity is not None:
                agrees = similarity >= BY_DISTINCT_TERMS
                if is_spread(profile, text, LARGE if agrees else RATHER_LARGE) == agrees:
                    hit = replace(hit, verdict=agrees)
                is_shown = hit.similarity >= noise_floor if hit.verdict is None else hit.verdict
        yield hit
