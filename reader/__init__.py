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

from pocketindex.contents.documents import Record
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
    NoWords,
    PocketError,
    TextTooLong,
    TextTooShort,
    TooNew,
)
from pocketindex.index import Index, open
from pocketindex.joint_index import FileHit, FileHits, FileNumbers, JointIndex, open_many
from pocketindex.queries.classification import Classification
from pocketindex.queries.explain import Explanation
from pocketindex.queries.frequent_passages import FrequentPassage
from pocketindex.queries.hits import Hit, Hits, Numbers
from pocketindex.queries.options import QueryOptions
from pocketindex.queries.sources import CommonPassage, Source, Sources, WordsOnly
from pocketindex.queries.word_search import AskedWord, WordHit, WordHits
from pocketindex.wording.passages import Passage
from pocketindex.wording.shared import Shared

if TYPE_CHECKING:
    from pocketindex import spark
    from pocketindex.builder.changing.diff import diff
    from pocketindex.builder.document import Document
    from pocketindex.builder.functions.build import build
    from pocketindex.builder.functions.check import check
    from pocketindex.builder.functions.dedup import dedup
    from pocketindex.builder.functions.left_out import shared_passages
    from pocketindex.builder.functions.pairs import pairs
    from pocketindex.builder.functions.update import merge, update
    from pocketindex.builder.report import Report
    from pocketindex.builder.site.site import site
    from pocketindex.queries.quotations import quotations

__version__ = "0.1.0"

# The builder, and what is rarely used and slow to load, is imported when it is first used.
_LATER = {
    "Document": "pocketindex.builder.document",
    "Report": "pocketindex.builder.report",
    "build": "pocketindex.builder.functions.build",
    "check": "pocketindex.builder.functions.check",
    "dedup": "pocketindex.builder.functions.dedup",
    "diff": "pocketindex.builder.changing.diff",
    "merge": "pocketindex.builder.functions.update",
    "pairs": "pocketindex.builder.functions.pairs",
    "quotations": "pocketindex.queries.quotations",
    "shared_passages": "pocketindex.builder.functions.left_out",
    "site": "pocketindex.builder.site.site",
    "spark": "pocketindex.spark",
    "update": "pocketindex.builder.functions.update",
}

__all__ = [
    "AskedWord",
    "Classification",
    "CommonPassage",
    "Damaged",
    "Document",
    "Explanation",
    "FileChanged",
    "FileHit",
    "FileHits",
    "FileNumbers",
    "ForeignShard",
    "FrequentPassage",
    "HasNoSketch",
    "Hit",
    "Hits",
    "Index",
    "JointIndex",
    "MissingShard",
    "NeedsCmph",
    "NeedsLabels",
    "NeedsTexts",
    "NeedsTitles",
    "NoPassages",
    "NoWords",
    "NotAManifest",
    "NotAPocketFile",
    "Numbers",
    "Passage",
    "PocketError",
    "QueryOptions",
    "Record",
    "Report",
    "Shared",
    "Source",
    "Sources",
    "TextTooLong",
    "TextTooShort",
    "TooNew",
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
    if name not in _LATER:
        raise AttributeError(f"module 'pocketindex' has no attribute {name!r}")
    module = importlib.import_module(_LATER[name])
    found = module if name == "spark" else getattr(module, name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted(__all__)
