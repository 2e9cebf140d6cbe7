"""The labels of a text: those of the documents that are most similar to it, weighted."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

from pocketindex.answers.results import Results
from pocketindex.arguments import check_whole
from pocketindex.errors import NeedsLabels
from pocketindex.queries.hits import FileHit, Hit
from pocketindex.queries.options import QueryOptions
from pocketindex.queries.word_search import WordHit

if TYPE_CHECKING:
    from pocketindex.index import Index

# By measurement (bench/results/classify.md).
LEAST_SHARE = 0.5  # of a label that is given beside others
CLOSE = 0.05  # the best share less the next: labels that are nearer decide nothing
NOISE = 64  # of so many unrelated texts one has a document that counts as more than chance
SOUGHT = 4  # times as many hits are looked at: some have no labels

Way = Literal["words", "texts", "sketches"]
WAYS: tuple[Way, ...] = ("words", "texts", "sketches")  # the best first
# Of a score, a cosine or a similarity, which makes its weight: what is low is mostly chance.
POWER = {"words": 4, "texts": 2, "sketches": 4}

Verdict = Literal["clear", "too little evidence"]
AnyHit: TypeAlias = Hit | FileHit | WordHit


@dataclass(frozen=True, repr=False)
class Classification(Results[AnyHit]):
    """The labels of the documents that are most similar to a text.

    labels: the labels with a share of half or more, or the one with the largest share if there is
    none; empty if there is too little evidence. shares: for each label of a deciding document, the
    largest first, the weight of the documents that have it, as a share of the weight of all
    documents that decide. hits: the documents that decided, most similar first. way: how they were
    found and weighted: `words` by the fourth power of a score, `texts` by the square of an exact
    cosine, `sketches` by the fourth power of a similarity. verdict: `clear`, or `too little
    evidence`. In the latter case, reason is `no similar document` if no deciding document is more
    similar than chance, or `too close` if two labels have nearly the same share.
    """

    hits: tuple[AnyHit, ...]
    labels: tuple[str, ...]
    shares: dict[str, float]
    verdict: Verdict
    reason: str = ""
    way: Way = "sketches"

    def _row(self) -> type:
        kinds = {type(hit) for hit in self.hits}
        return kinds.pop() if kinds else WordHit if self.way == "words" else Hit

    @property
    def best(self) -> tuple[str, ...]:
        """The labels as they would be without a verdict; nothing where nothing decided."""
        return chosen(self.shares)


def way_of(indexes: Iterable[Index], by: Way | None = None) -> Way:
    """Return by, or where it is None the best way that all files can be asked.

    Raises NeedsLabels where a file was built without --label.
    """
    files = list(indexes)
    for index in files:
        if not index.has_labels:
            raise NeedsLabels(index.path)
    if by is not None:
        return by
    if all(index.has_words for index in files):
        return "words"
    return "texts" if all(index.kept == "text" for index in files) else "sketches"


def options_of(top: int, way: Way) -> QueryOptions:
    """Return how to ask for the documents that decide: chance is what many of them have to
    outweigh.
    """
    check_whole("top", top, 1)
    return QueryOptions(top=SOUGHT * top, min_similarity=0, exact=way == "texts")


def noise_floor(index: Index, documents: int) -> float:
    """Return the similarity that unrelated documents reach by chance among so many, once in NOISE
    texts: less than what a hit is shown for, because many documents decide together.
    """
    from statistics import NormalDist  # slow to import

    deviations = -NormalDist().inv_cdf(1 / (NOISE * max(documents, 1)))
    return deviations * index.similarity_error(0) or index.min_similarity()


def by_similarity(hits: Iterable[Hit], top: int, least: Sequence[float]) -> Classification:
    """Let the top first hits that have labels decide.

    least: the similarity below which a hit may be chance, in each file. A hit's cosine counts where
    it has one.
    """
    way: Way = "sketches"
    found = list[tuple[AnyHit, float, bool]]()
    for hit in hits:
        near = hit.similarity
        if hit.cosine is not None:
            way, near = "texts", max(hit.cosine, 0.0)
        sure = hit.similarity >= least[getattr(hit, "file_number", 0)]
        found.append((hit, near ** POWER[way], sure))
    return _decided(found, top, way)


def by_words(hits: Iterable[tuple[WordHit, float]], top: int) -> Classification:
    """Return the same of hits of a search, each with the score below which it may be chance."""
    ordered = sorted(hits, key=lambda one: -one[0].score)
    found = [(hit, hit.score ** POWER["words"], hit.score >= least) for hit, least in ordered]
    return _decided(found, top, "words")


def _decided(found: Iterable[tuple[AnyHit, float, bool]], top: int, way: Way) -> Classification:
    """Return what hits decide. found: hits with their weights, and whether they are more similar
    than chance makes them.
    """
    deciding = [one for one in found if one[1] > 0 and one[0].labels][:top]
    shares = shares_of([(hit.labels, weight) for hit, weight, _ in deciding])
    labels, ordered = chosen(shares), list(shares.values())
    reason = ""
    if not any(sure for *_, sure in deciding):
        reason = "no similar document"
    elif labels and shares[labels[0]] < LEAST_SHARE and _margin(ordered) < CLOSE:
        reason = "too close"
    return Classification(
        tuple(hit for hit, *_ in deciding),
        () if reason else labels,
        shares,
        "too little evidence" if reason else "clear",
        reason,
        way,
    )


def shares_of(deciding: Sequence[tuple[Sequence[str], float]]) -> dict[str, float]:
    """Return the share of each label, highest first, of equal ones in the order of their names.

    deciding: labels and weight of each document.
    """
    weights, total = defaultdict[str, float](float), 0.0
    for labels, weight in deciding:
        total += weight
        for label in labels:
            weights[label] += weight
    if not total:
        return {}
    ordered = sorted(weights.items(), key=lambda one: (-one[1], one[0]))
    return {label: weight / total for label, weight in ordered}


def chosen(shares: Mapping[str, float]) -> tuple[str, ...]:
    """Return the labels of a share of half or more, or else the best; shares: highest first."""
    many = tuple(label for label, share in shares.items() if share >= LEAST_SHARE)
    return many or tuple(shares)[:1]


def _margin(shares: Sequence[float]) -> float:
    """Return the best of shares, highest first, less the next."""
    return shares[0] - (shares[1] if len(shares) > 1 else 0.0)
