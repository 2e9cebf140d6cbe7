"""Ask a pocket file for the documents most similar to a text, and make such files.

>>> import pocketindex
>>> report = pocketindex.build("wiki.jsonl.gz", "wiki.pocket")      # doctest: +SKIP
>>> with pocketindex.open("wiki.pocket") as index:      # doctest: +SKIP
...     for hit in index.query("a whole document", top=3):
...         print(hit.similarity, hit.title)
"""

from __future__ import annotations

from pocketindex import starting as starting  # before all that takes time to load

# isort: split

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pocketindex import spark
    from pocketindex.builder.changed import Changed
    from pocketindex.builder.changing.diff import Difference
    from pocketindex.builder.changing.merge import NotMerged
    from pocketindex.builder.changing.update import NothingLeft, NothingToRemove
    from pocketindex.builder.collections.findings import Evidence, FoundPassage
    from pocketindex.builder.document import Document
    from pocketindex.builder.functions.build import build
    from pocketindex.builder.functions.check import Checked, Findings, ItemPair, check
    from pocketindex.builder.functions.choices import BuildChoices, Reading, Updating
    from pocketindex.builder.functions.cleaning import Cleaned, Containing
    from pocketindex.builder.functions.dedup import Deduplicated, Dropped, dedup
    from pocketindex.builder.functions.diff import Differences, diff
    from pocketindex.builder.functions.documents import Documents
    from pocketindex.builder.functions.left_out import shared_passages
    from pocketindex.builder.functions.pairs import Pairs, SimilarPair, pairs
    from pocketindex.builder.functions.update import merge, update
    from pocketindex.builder.inputs.source import NeedsPackage, SourceError
    from pocketindex.builder.measured import MeanError, Measured
    from pocketindex.builder.report import Ended, Example, Reason, Report
    from pocketindex.builder.schemes.known_profiles import NoSuchProfile
    from pocketindex.builder.settings import Settings
    from pocketindex.builder.shortened import PageLoss, Pages
    from pocketindex.builder.site.choosing import LeftOutPage
    from pocketindex.builder.site.menus import Menu
    from pocketindex.builder.site.report import SiteReport
    from pocketindex.builder.site.site import NoPages, site
    from pocketindex.builder.spill.journal import Busy, NoSpace, NotResumed
    from pocketindex.builder.spill.shrinking import Shrunk
    from pocketindex.builder.tally import MostlyBad, NoDocument, Refused
    from pocketindex.contents.documents import Record, Records
    from pocketindex.contents.info import Info, Table
    from pocketindex.errors import (
        Damaged,
        FileChanged,
        ForeignShard,
        HasNoSketch,
        MissingShard,
        NeedsCmph,
        NeedsLabels,
        NeedsTexts,
        NeedsTitles,
        NoPassages,
        NotAManifest,
        NotAPocketFile,
        NotReachable,
        NoWords,
        PocketError,
        TextTooLong,
        TextTooShort,
        TooNew,
    )
    from pocketindex.index import Index, open
    from pocketindex.joint_index import FileNumbers, JointIndex, open_many
    from pocketindex.queries.classification import Classification
    from pocketindex.queries.explain import Component, Explanation, Term
    from pocketindex.queries.filters import AskedFilter
    from pocketindex.queries.frequent_passages import ExampleDocument, FrequentPassage
    from pocketindex.queries.hits import FileHit, FileHits, Hit, Hits, Numbers
    from pocketindex.queries.options import QueryOptions
    from pocketindex.queries.quotations import quotations
    from pocketindex.queries.sources import CommonPassage, Source, Sources, WordsOnly
    from pocketindex.queries.word_search import AskedWord, Replacement, WordHit, WordHits
    from pocketindex.wording.passages import Passage
    from pocketindex.wording.shared import Shared

__version__ = "1.0.0rc1"

# Each name is imported when it is first used: a program that only may ask waits for none.
_LATER = {
    "pocketindex.builder.changed": ("Changed",),
    "pocketindex.builder.changing.diff": ("Difference",),
    "pocketindex.builder.functions.diff": ("Differences", "diff"),
    "pocketindex.builder.changing.merge": ("NotMerged",),
    "pocketindex.builder.changing.update": ("NothingLeft", "NothingToRemove"),
    "pocketindex.builder.collections.findings": ("Evidence", "FoundPassage"),
    "pocketindex.builder.document": ("Document",),
    "pocketindex.builder.functions.build": ("build",),
    "pocketindex.builder.functions.check": ("Checked", "Findings", "ItemPair", "check"),
    "pocketindex.builder.functions.choices": ("BuildChoices", "Reading", "Updating"),
    "pocketindex.builder.functions.cleaning": ("Cleaned", "Containing"),
    "pocketindex.builder.functions.dedup": ("Deduplicated", "Dropped", "dedup"),
    "pocketindex.builder.functions.documents": ("Documents",),
    "pocketindex.builder.functions.left_out": ("shared_passages",),
    "pocketindex.builder.functions.pairs": ("Pairs", "SimilarPair", "pairs"),
    "pocketindex.builder.functions.update": ("merge", "update"),
    "pocketindex.builder.inputs.source": ("NeedsPackage", "SourceError"),
    "pocketindex.builder.measured": ("Measured", "MeanError"),
    "pocketindex.builder.report": ("Ended", "Example", "Reason", "Report"),
    "pocketindex.builder.schemes.known_profiles": ("NoSuchProfile",),
    "pocketindex.builder.settings": ("Settings",),
    "pocketindex.builder.shortened": ("PageLoss", "Pages"),
    "pocketindex.builder.site.choosing": ("LeftOutPage",),
    "pocketindex.builder.site.menus": ("Menu",),
    "pocketindex.builder.site.report": ("SiteReport",),
    "pocketindex.builder.site.site": ("NoPages", "site"),
    "pocketindex.builder.spill.journal": ("Busy", "NoSpace", "NotResumed"),
    "pocketindex.builder.spill.shrinking": ("Shrunk",),
    "pocketindex.builder.tally": ("MostlyBad", "NoDocument", "Refused"),
    "pocketindex.contents.documents": ("Record", "Records"),
    "pocketindex.errors": (
        "Damaged",
        "FileChanged",
        "ForeignShard",
        "HasNoSketch",
        "MissingShard",
        "NeedsCmph",
        "NeedsLabels",
        "NeedsTexts",
        "NeedsTitles",
        "NoPassages",
        "NotAManifest",
        "NotAPocketFile",
        "NotReachable",
        "NoWords",
        "PocketError",
        "TextTooLong",
        "TextTooShort",
        "TooNew",
    ),
    "pocketindex.index": ("Index", "open"),
    "pocketindex.queries.hits": ("FileHit", "FileHits", "Hit", "Hits", "Numbers"),
    "pocketindex.queries.options": ("QueryOptions",),
    "pocketindex.wording.shared": ("Shared",),
    "pocketindex.contents.info": ("Info", "Table"),
    "pocketindex.joint_index": ("FileNumbers", "JointIndex", "open_many"),
    "pocketindex.queries.classification": ("Classification",),
    "pocketindex.queries.explain": ("Component", "Explanation", "Term"),
    "pocketindex.queries.filters": ("AskedFilter",),
    "pocketindex.queries.frequent_passages": ("FrequentPassage", "ExampleDocument"),
    "pocketindex.queries.quotations": ("quotations",),
    "pocketindex.queries.sources": ("CommonPassage", "Source", "Sources", "WordsOnly"),
    "pocketindex.queries.word_search": ("AskedWord", "Replacement", "WordHit", "WordHits"),
    "pocketindex.wording.passages": ("Passage",),
}
_WHERE = {name: module for module, names in _LATER.items() for name in names}

__all__ = [
    "AskedFilter",
    "AskedWord",
    "BuildChoices",
    "Busy",
    "Changed",
    "Checked",
    "Classification",
    "Cleaned",
    "CommonPassage",
    "Component",
    "Containing",
    "Damaged",
    "Deduplicated",
    "Difference",
    "Differences",
    "Document",
    "Documents",
    "Dropped",
    "Ended",
    "Evidence",
    "Example",
    "ExampleDocument",
    "Explanation",
    "FileChanged",
    "FileHit",
    "FileHits",
    "FileNumbers",
    "Findings",
    "ForeignShard",
    "FoundPassage",
    "FrequentPassage",
    "HasNoSketch",
    "Hit",
    "Hits",
    "Index",
    "Info",
    "ItemPair",
    "JointIndex",
    "LeftOutPage",
    "MeanError",
    "Measured",
    "Menu",
    "MissingShard",
    "MostlyBad",
    "NeedsCmph",
    "NeedsLabels",
    "NeedsPackage",
    "NeedsTexts",
    "NeedsTitles",
    "NoDocument",
    "NoPages",
    "NoPassages",
    "NoSpace",
    "NoSuchProfile",
    "NoWords",
    "NotAManifest",
    "NotAPocketFile",
    "NotMerged",
    "NotReachable",
    "NotResumed",
    "NothingLeft",
    "NothingToRemove",
    "Numbers",
    "PageLoss",
    "Pages",
    "Pairs",
    "Passage",
    "PocketError",
    "QueryOptions",
    "Reading",
    "Reason",
    "Record",
    "Records",
    "Refused",
    "Replacement",
    "Report",
    "Settings",
    "Shared",
    "Shrunk",
    "SimilarPair",
    "SiteReport",
    "Source",
    "SourceError",
    "Sources",
    "Table",
    "Term",
    "TextTooLong",
    "TextTooShort",
    "TooNew",
    "Updating",
    "WordHit",
    "WordHits",
    "WordsOnly",
    "build",
    "check",
    "dedup",
    "diff",
    "merge",
    "open",
    "open_many",
    "pairs",
    "quotations",
    "shared_passages",
    "site",
    "spark",
    "update",
]


def __getattr__(name: str) -> Any:
    if name == "spark":
        return importlib.import_module("pocketindex.spark")
    if name not in _WHERE:
        raise AttributeError(f"module 'pocketindex' has no attribute {name!r}")
    found = globals()[name] = getattr(importlib.import_module(_WHERE[name]), name)
    return found


def __dir__() -> list[str]:
    return sorted(__all__)
