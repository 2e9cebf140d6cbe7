"""docs/format.md, section 8, "Doubt": hits that are asked once more, with distinct terms."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace

from plain.profile import Profile
from plain.projection import Projection
from plain.sketch import Quantised
from plain.weighed import COPY, MANY_TERMS, Weighed

NO_DOUBT, PART, MOST_PARTS = 5_800, 60, 16
ENOUGH, MORE_OF_SHORT = 25_200, 4_800


def parts(profile: Profile, text: bytes) -> int:
    """Return the square of the vector's length, in squares of its largest term, rounded down."""
    assert isinstance(profile.scheme, Projection)
    counts = Counter(profile.terms(text))
    squares = [
        (min(65_535, count) * profile.scheme.weight(word)) ** 2 for word, count in counts.items()
    ]
    largest = max(squares, default=0)
    return min(MOST_PARTS, sum(squares) // largest) if largest else MOST_PARTS


def distinct(profile: Profile, text: bytes) -> Quantised:
    """Return the sketch of the distinct terms of a text, with the square roots of their weights."""
    assert isinstance(profile.scheme, Projection)
    return profile.scheme.quantise(list(dict.fromkeys(profile.terms(text))), by_roots=True)


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
                is_low = hit.similarity < noise_floor
                both = hit.similarity + similarity + PART * parts(profile, text)
                is_short = len(profile.terms(text)) < MANY_TERMS
                enough = 3 * noise_floor + ENOUGH + MORE_OF_SHORT * (is_low and is_short)
                is_shown = 4 * both >= enough
                if is_shown or not is_low:
                    hit = replace(hit, verdict=is_shown)
        yield hit
