"""docs/format.md as a program, a file a section: a reader of pocket files in plain Python.

It is the oracle for the C core and for the readers in other languages. It uses neither of them, is
written to be read rather than to be fast, and refuses whatever the page does not allow. For daily
use take `pocketindex.open`, which gives the same answers.

Of the product it imports constants and errors.
"""

from plain.documents import PlainRecord
from plain.index import PlainHit, PlainIndex, PlainReport
from plain.question import PlainAsked
from plain.search import PlainFound, PlainWordHit
from plain.shards import PlainShards
from plain.sources import PlainPassage, PlainSource, PlainSources

__all__ = [
    "PlainAsked",
    "PlainFound",
    "PlainHit",
    "PlainIndex",
    "PlainPassage",
    "PlainRecord",
    "PlainReport",
    "PlainShards",
    "PlainSource",
    "PlainSources",
    "PlainWordHit",
]
