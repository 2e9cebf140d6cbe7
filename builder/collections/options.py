"""The options of pairs, dedup and check: how alike documents have to be, and how they are found."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from pocketindex.builder.collections.keep import LEAST, POLICIES, Preferences
from pocketindex.builder.collections.parts import SHORT, WINDOW
from pocketindex.builder.inputs.fields import listed
from pocketindex.options import COMMON, Options, option

JACCARD = "jaccard"
CONTAINMENT = "containment"
COSINE = "cosine"
RECORDS = "records"
LEAST_OF_RECORDS = 0.82
MEASURES = (JACCARD, CONTAINMENT, COSINE)  # of texts; the similarity of two is a share


def min_similarity_option(default: float | None, shown_default: str | None = None) -> Any:
    """Declare the option min_similarity."""
    return option(
        default,
        "similarity from which on documents are near-duplicates, above 0, at most 1",
        above=0,
        most=1,
        metavar="S",
        shown=COMMON,
        shown_default=shown_default,
    )


def probes_option(shown_default: str) -> int | None:
    """Declare the option probes of a search."""
    return option(
        None,
        "keys to look up in each table",
        least=1,
        most=65_536,
        metavar="N",
        shown_default=shown_default,
    )


_SCANNED = "all sketches are scanned, up to 1,048,576 texts; beyond that 1024, or 4096 below 0.8"


@dataclass(frozen=True, kw_only=True)
class Comparing(Options):
    """The options of deduplication: how similar documents have to be, by which measure, and how
    they are found.
    """

    measure: str = option(
        JACCARD,
        "how similarity is measured: by the share of word 5-grams that both texts have, of those "
        "of either (jaccard) or of the shorter one (containment), by the tf-idf cosine of their "
        "words, or, for titles, addresses and the like, by the words that both have (records)",
        choices=(*MEASURES, RECORDS),
        shown=COMMON,
    )
    min_similarity: float | None = min_similarity_option(
        None, f"0.8, of records {LEAST_OF_RECORDS}"
    )
    probes: int | None = probes_option(_SCANNED)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.probes is not None and self.measure != COSINE:
            raise self.refused(
                "{probes} is of sketches, which {measure} {0} does not use; omit it, or give "
                "{measure} {1}",
                self.measure,
                COSINE,
            )

    @property
    def least(self) -> float:
        """The similarity from which on documents are near-duplicates."""
        if self.min_similarity is not None:
            return self.min_similarity
        return LEAST_OF_RECORDS if self.measure == RECORDS else 0.8


@dataclass(frozen=True, kw_only=True)
class PairsOptions(Comparing):
    """How pairs of near-duplicates are found."""


@dataclass(frozen=True, kw_only=True)
class DedupOptions(Comparing):
    """Which documents stay of near-duplicates."""

    keep: str = option(
        "first",
        "which of several near-duplicates to keep",
        choices=POLICIES,
        shown=COMMON,
    )
    prefer: str | None = option(
        None,
        "of several near-duplicates, keep the one with the greatest value of this field, or the "
        f"least (FIELD:{LEAST}); numbers are compared as numbers if all values are, else all are "
        "compared as strings; a document without a value comes last",
        metavar="FIELD",
        shown=COMMON,
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.prefer is not None and self.keep != "first":
            raise self.refused(
                "{prefer} and {keep} both say which document is kept; omit one of them"
            )

    def check_known(self, preferences: Preferences, there: Collection[str] = ()) -> None:
        """Raise OptionError if no document that was read has a value of the preferred field.

        there: fields that the records have, for the message.
        """
        if self.prefer is None or preferences.missing < len(preferences):
            return
        fields = f"; the fields are {listed(there)}" if there else ""
        raise self.refused(
            "{prefer} is {0}, and no record has a value in that field{1}",
            repr(self.prefer),
            fields,
        )


@dataclass(frozen=True, kw_only=True)
class CheckOptions(Options):
    """How items are looked for in a collection."""

    min_similarity: float = min_similarity_option(0.7)
    measure: str = option(
        COSINE,
        "what --min-similarity is of, where a document's text is at hand: the cosine of words, or "
        "the share of word 5-grams of both texts (jaccard), or of the shorter one (containment)",
        choices=MEASURES,
    )
    window: int = option(
        WINDOW, "words in each part that a long paragraph is split into", least=SHORT, metavar="N"
    )
    top: int = option(3, "number of documents to name for an item", least=1, metavar="N")
    probes: int | None = probes_option("the file's")
    exclude_quotes: bool = option(False, "leave out quotations and the bibliography", shown=COMMON)
    each_other: bool = option(
        False, "compare the items with each other, too, and name each pair once", shown=COMMON
    )
