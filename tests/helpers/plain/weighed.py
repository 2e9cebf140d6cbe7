"""docs/format.md, section 8.1: what words and texts say of hits."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from math import inf, isqrt

from plain.candidates import Asked, Candidate, SegmentWords
from plain.profile import Profile
from plain.projection import Projection
from plain.segments import Unit, segments
from plain.terms import every_word, terms
from plain.words import Words

FOUND = 32  # hits of the sketches that are weighed, at least
SURE, AHEAD, APART, AHEAD_OF_COPY, OF_ONE_FORM = 6_800, 300, 1_500, 50, 3_300
FEW = 1_000  # documents, of which none is sure but a copy
LOOKED_UP_FIRST, LOOKED_UP, MORE = 16, 32, 48  # terms of a text
PROMISING = 3  # words of a candidate, for which more are looked up
NUMBER = 128  # its weight
CANDIDATES, LEAST_WORDS = 20, 2  # of words: how many, and what they have
READ, READ_OF_SHORT, TIED = 10, 5, 4_000
MANY_TERMS = 30  # of a text of which words alone tell
TOO_FEW, WORDS_TO_TELL = 500, 16
TELLING, PROMISING_BOTH = 15, 7  # tenths of the noise floor and the limit for words
COPY = 10_000

Limits = tuple[tuple[float, int], ...]
COSINES: Limits = ((9, 4_000), (14, 4_300), (inf, 4_500))
SHARES: Limits = (
    *((4, 6_000), (9, 9_500), (14, 8_500), (29, 7_500), (64, 5_000), (100, 4_000)),
    (inf, 3_000),
)


def limit(limits: Limits, count: int) -> int:
    return next(least for most, least in limits if count <= most)


@dataclass(frozen=True)
class Weighed:
    """A hit: its similarity, its words in ten-thousandths, None where they are not known, whether
    its text was read, what the terms decide that it shares with the text that asks, and what was
    decided at last: True for enough, False for against.
    """

    document: int
    similarity: int
    words: int | None = None
    is_read: bool = False
    by_terms: bool | None = None
    verdict: bool | None = None

    @property
    def order(self) -> int:
        if self.similarity == COPY or self.words is None or self.is_read:
            return 2 * self.similarity
        return self.similarity + self.words


@dataclass(frozen=True)
class Kept:
    """What a file has beside sketches. text_of: None where whole texts are not kept; returns None
    for a damaged one. has_all: the words section has all words of documents.
    """

    documents: int
    profile: Profile
    words: Words | None
    has_all: bool
    text_of: Callable[[int], bytes | None] | None


def is_sure(
    similarities: Sequence[int], documents: int, noise_floor: int, first_answer: bool
) -> bool:
    if not similarities:
        return False
    first, *others = similarities
    if first_answer and first >= noise_floor:
        return True
    if first == COPY:
        return not others or others[0] <= COPY - AHEAD_OF_COPY
    if documents < FEW:
        return False
    if not others:
        return first >= SURE
    ahead = first - others[0] >= AHEAD and first - ([*similarities[:10]][-1]) >= APART
    return first >= SURE and ahead and all(own < OF_ONE_FORM for own in similarities[31:32])


class TextWords:
    """The words of a text, and what documents have of them."""

    def __init__(self, kept: Kept, text: bytes, is_near: bool) -> None:
        """is_near: whether the sketches have found a document that may be shown."""
        self.kept = kept
        self.asked = Asked([], [])
        self.known = 0
        segment = next(segments(text, kept.profile.marks), None)
        if segment is None:
            return
        self.words = SegmentWords(segment, kept.documents, kept.words, kept.profile)
        self.idf, self.every = self.words.idf, self.words.known
        unit = Unit(0, len(segment.terms), is_stretch=True)
        for most in (LOOKED_UP,) if is_near else (LOOKED_UP_FIRST, LOOKED_UP):
            self.look_up(most)
            self.asked = self.words.candidates(unit, True, False, brief=True)
            if all(len(own.words) < PROMISING for own in self.asked.candidates):
                break

    def look_up(self, most: int) -> None:
        """Look up the terms that weigh most, and measure how much of them documents have."""
        words = list(self.words.segment.first)
        if self.kept.profile.is_cosine and len(words) > LOOKED_UP:
            words = sorted(words, key=lambda word: -self._weight(word))[:most]
        self.words.known = {word: self.every[word] for word in words if word in self.every}
        having = sum(self.idf[word] for word in self.words.known)
        self.known = 1024 * having // (sum(self.idf[word] for word in words) or 1)

    def _weight(self, word: bytes) -> int:
        profile = self.kept.profile
        if profile.is_stop_word(word) or not self.words._stands_alone(word):
            return 0
        return weight_of(profile, word)

    def own_idf(self, own: Candidate) -> int:
        """Return the share of the idf of the asked words that a candidate has, in 1/1024."""
        idf = self.words.idf
        whole = sum(idf[word] for word in self.asked.words)
        return 1024 * sum(idf[word] for word in own.words) // (whole or 1)

    def share(self, document: int) -> tuple[int, int]:
        """Return the words of a document, in 1/1024, and how many it has."""
        own = self._of.get(document) or Candidate(document, set())
        idf = self.words.idf
        whole = sum(idf[word] for word in self.asked.words)
        had = sum(idf[word] for word in own.words)
        chance = sum(
            idf[word]
            * min(1000, 1024 * self.words.having(word) * own.length // (4 * self.kept.documents))
            // 1024
            for word in self.asked.words
        )
        beyond = max(0, 1024 * (had - chance) // (whole - chance + 1))
        return min(1024, beyond * self.known // 1024), len(own.words)

    @property
    def _of(self) -> dict[int, Candidate]:
        return {own.document: own for own in self.asked.every}


def weight_of(profile: Profile, word: bytes) -> int:
    """Return the weight of a term that is no stop word."""
    if not profile.is_cosine:
        return 1
    assert isinstance(profile.scheme, Projection)
    return profile.scheme.weight(word) if has_letter(word) else NUMBER


def has_letter(word: bytes) -> bool:
    return bool(terms(word))


def counted(profile: Profile, text: bytes) -> dict[bytes, int]:
    """Return how often each term comes that is no stop word, at most 65,535 times."""
    counts = Counter(term.bytes for term in every_word(text, profile.marks))
    return {
        word: min(65_535, count) for word, count in counts.items() if not profile.is_stop_word(word)
    }


def cosine(profile: Profile, asked: bytes, document: bytes) -> int:
    own, others = (counted(profile, text) for text in (asked, document))
    product = sum(
        count * others[word] * weight_of(profile, word) ** 2
        for word, count in own.items()
        if word in others
    )
    if not product:
        return 0
    (root, shift), (other_root, other_shift) = (
        scaled_root(sum((count * weight_of(profile, word)) ** 2 for word, count in text.items()))
        for text in (own, others)
    )
    return min(9_999, (product << shift + other_shift) // (root * other_root // 10_000))


def scaled_root(square: int) -> tuple[int, int]:
    shift = (64 - square.bit_length()) // 2
    return isqrt(square << 2 * shift), shift


def weigh(
    kept: Kept,
    text: bytes,
    count: int,
    found: Iterable[tuple[int, int]],
    sketched: Callable[[int], int | None],
    noise_floor: int,
    is_ranked: bool,
) -> tuple[list[Weighed], int, int]:
    """Weigh hits (document, similarity); return them in order, how many words were asked for, and
    how many texts were read. count: terms of the text; sketched: the similarity of a document's
    sketch, None where it, or the text, has none; is_ranked: whether the text has one.
    """
    hits = [Weighed(*own) for own in found]
    asked = 0
    if kept.words:
        is_near = bool(hits) and 4 * hits[0].similarity >= 3 * noise_floor
        words = TextWords(kept, text, is_near)
        if words.asked.words:
            hits = with_words(hits, words, sketched, limit(SHARES, count))
        asked = len(words.asked.words)
    places = {hit.document: place for place, hit in enumerate(hits)}

    def best_first(hit: Weighed) -> tuple[int, int, int]:
        return -hit.order, -(hit.words or 0), places[hit.document]

    hits.sort(key=best_first)
    judge = Judge(kept, count, noise_floor, asked, is_ranked, sketched)
    read = 0
    if kept.text_of and hits:
        tied = sum(hit.order + TIED > hits[0].order for hit in hits[:READ])
        for place, hit in enumerate(hits[:READ]):
            if judge.is_to_be_read(hit, place, tied):
                other = kept.text_of(hit.document)
                if other is None:
                    continue
                own = COPY if other == text else cosine(kept.profile, text, other)
                read += 1
                if not hit.similarity == own == COPY:
                    by_terms = judge.by_terms(hit, text, other)
                    hits[place] = replace(hit, similarity=own, is_read=True, by_terms=by_terms)
    hits = [replace(hit, verdict=judge.verdict(hit)) for hit in hits]
    return sorted(hits, key=best_first), asked, read


def with_words(
    hits: list[Weighed], words: TextWords, sketched: Callable[[int], int | None], enough: int
) -> list[Weighed]:
    known = {hit.document for hit in hits}
    if any(
        words.own_idf(own) * 10_000 // 1024 >= enough for own in words.asked.candidates[:CANDIDATES]
    ):
        words.look_up(MORE)
    for own in words.asked.candidates[:CANDIDATES]:
        share, count = words.share(own.document)
        if count >= LEAST_WORDS and own.document not in known:
            similarity = sketched(own.document)
            by_words = 9_999 * share // 1024
            hits.append(Weighed(own.document, by_words if similarity is None else similarity))
    weighed = [weighed_by(words, hit) for hit in hits]
    first = sorted(((hit.order, hit.words or 0) for hit in weighed), reverse=True)[:2]
    if len(first) > 1 and first[0] == first[1]:
        words.words.add_numbers(words.asked, lambda word: not has_letter(word))
        weighed = [weighed_by(words, hit) for hit in weighed]
    return weighed


def weighed_by(words: TextWords, hit: Weighed) -> Weighed:
    share, count = words.share(hit.document)
    is_other = words.kept.has_all and count < len(words.asked.words)
    similarity = min(hit.similarity, COPY - 1) if is_other else hit.similarity
    own = share * 10_000 // 1024
    return replace(hit, similarity=similarity, words=own)


@dataclass(frozen=True)
class Judge:
    """What decides, of a text with so many terms (2.1), of which so many words were asked for."""

    kept: Kept
    terms: int
    noise_floor: int
    asked: int
    is_ranked: bool
    sketched: Callable[[int], int | None]

    def both_reach(self, hit: Weighed, tenths: int) -> bool:
        least = limit(SHARES, self.terms)
        both = hit.similarity * least + (hit.words or 0) * self.noise_floor
        return 10 * both >= tenths * least * self.noise_floor

    def tell(self, hit: Weighed) -> bool:
        if hit.words is None:
            return False
        if self.terms >= MANY_TERMS:
            return self.both_reach(hit, TELLING)
        is_near = 4 * hit.similarity >= 3 * self.noise_floor
        return hit.words >= limit(SHARES, self.terms) and is_near

    def by_terms(self, hit: Weighed, asked: bytes, document: bytes) -> bool | None:
        """Return what the terms that both texts have in common decide."""
        own, others = (counted(self.kept.profile, text).keys() for text in (asked, document))
        shared, both = len(own & others), len(own) * len(others)
        if 25 * shared**2 < both and 4 * shared < 3 * len(own):
            return False
        if self.terms < MANY_TERMS:
            return None
        nearly_all = self.tell(hit) and 10 * shared >= 9 * len(own)
        return True if 4 * shared**2 >= both or nearly_all else None

    def is_far_below(self, hit: Weighed) -> bool:
        """Whether the sketches alone tell that the cosine does not reach its limit."""
        is_low = 3 * hit.similarity + self.noise_floor < 3 * limit(COSINES, self.terms)
        return is_low and self.sketched(hit.document) is not None

    def is_hopeless(self, hit: Weighed) -> bool:
        if 4 * hit.similarity >= 3 * self.noise_floor:
            return False
        if hit.words is None:
            return True
        if self.terms < MANY_TERMS:
            is_low = 4 * hit.order < 7 * limit(COSINES, self.terms)
            return is_low or self.is_far_below(hit)
        return not self.both_reach(hit, PROMISING_BOTH)

    def is_to_be_read(self, hit: Weighed, place: int, tied: int) -> bool:
        if hit.similarity == COPY:
            return self.is_ranked
        if self.is_hopeless(hit):
            return False
        is_short = self.terms < MANY_TERMS
        is_near = is_short or hit.similarity >= self.noise_floor
        is_enough = self.is_ranked and is_near and self.tell(hit)
        return 1 < tied > place or not ((is_short and place >= READ_OF_SHORT) or is_enough)

    def verdict(self, hit: Weighed) -> bool | None:
        if hit.is_read:
            enough = hit.similarity >= limit(COSINES, self.terms)
            return enough if hit.by_terms is None else hit.by_terms
        if hit.words is None:
            return None
        if not self.is_ranked and self.kept.text_of and hit.similarity < COPY:
            return False
        if self.tell(hit):
            return True
        is_low = 4 * hit.similarity < 5 * self.noise_floor
        few = hit.words < TOO_FEW and is_low and self.asked >= WORDS_TO_TELL and self.kept.has_all
        return False if few else None


def more_than_chance(hits: Sequence[Weighed], noise_floor: int) -> list[Weighed]:
    """Return the hits that are shown, unless somebody says otherwise."""
    shown, least = list[Weighed](), noise_floor
    for hit in hits:
        is_copy = hit.similarity == COPY
        decided = hit.similarity >= least if hit.verdict is None else hit.verdict
        if is_copy or decided:
            shown.append(hit)
            if not is_copy:
                least = noise_floor - noise_floor // 8
    return shown
