"""Ask a pocket file for the documents most similar to a text.

>>> import pocketindex
>>> with pocketindex.open("wiki.pocket") as index:      # doctest: +SKIP
...     for hit in index.query("a whole document", top=3):
...         print(hit.similarity, hit.title)
"""

from pocketindex.classification import Classification
from pocketindex.common_passages import CommonPassage
from pocketindex.documents import Record
from pocketindex.errors import (
    Damaged,
    FileChanged,
    NeedsCmph,
    NeedsLabels,
    NeedsTexts,
    NeedsTitles,
    NoPassages,
    NotAPocketFile,
    NoWords,
    PocketError,
    TextTooLong,
    TextTooShort,
    TooNew,
)
from pocketindex.explain import Explanation
from pocketindex.hits import Hit, Hits, Numbers
from pocketindex.index import Index, open
from pocketindex.joint_index import FileHit, FileHits, FileNumbers, JointIndex, open_many
from pocketindex.options import QueryOptions
from pocketindex.passages import Passage
from pocketindex.shared import Shared
from pocketindex.sources import Source, Sources
from pocketindex.word_search import AskedWord, WordHit, WordHits

__version__ = "0.1.0"

__all__ = [
    "AskedWord",
    "Classification",
    "CommonPassage",
    "Damaged",
    "Explanation",
    "FileChanged",
    "FileHit",
    "FileHits",
    "FileNumbers",
    "Hit",
    "Hits",
    "Index",
    "JointIndex",
    "NeedsCmph",
    "NeedsLabels",
    "NeedsTexts",
    "NeedsTitles",
    "NoPassages",
    "NoWords",
    "NotAPocketFile",
    "Numbers",
    "Passage",
    "PocketError",
    "QueryOptions",
    "Record",
    "Shared",
    "Source",
    "Sources",
    "TextTooLong",
    "TextTooShort",
    "TooNew",
    "WordHit",
    "WordHits",
    "open",
    "open_many",
]
