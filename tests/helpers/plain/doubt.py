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
FAMILIAR, UNIT = 70, 25
ENOUGH, MORE_OF_SHORT = 25_200, 4_800


def added(profile: Profile, text: bytes) -> int:
    """Return what a text adds to the similarities: its parts, which are the square of the vector's
    length in squares of its largest term, rounded down, and what light terms add.
    """
    assert isinstance(profile.scheme, Projection)
    terms = profile.terms(text)
    weights = {term: profile.scheme.weight(term) for term in terms}
    squares = [(min(65_535, n) * weights[term]) ** 2 for term, n in Counter(terms).items()]
    largest = max(squares, default=0)
    parts = min(MOST_PARTS, sum(squares) // largest) if largest else MOST_PARTS
    mean = sum(weights.values()) // len(weights)
    known = max(0, FAMILIAR - mean) if len(terms) >= MANY_TERMS else 0
    return PART * parts + UNIT * known


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
                both = hit.similarity + similarity + added(profile, text)
                is_short = len(profile.terms(text)) < MANY_TERMS
                enough = 3 * noise_floor + ENOUGH + MORE_OF_SHORT * (is_low and is_short)
                is_shown = 4 * both >= enough
                if is_shown or not is_low:
                    hit = replace(hit, verdict=is_shown)
        yield hit
