"""docs/format.md as a program, a file a section: a reader of pocket files in plain Python.

It is the oracle for the C core and for the readers in other languages. It uses neither of them, is
written to be read rather than to be fast, and refuses whatever the page does not allow. For daily
use take `pocketindex.open`, which gives the same answers.

It may import constants and errors.
"""

from pocketindex.plain.documents import PlainRecord
from pocketindex.plain.index import PlainHit, PlainIndex, PlainReport
from pocketindex.plain.search import PlainAsked, PlainFound, PlainWordHit
from pocketindex.plain.shards import PlainShards
from pocketindex.plain.sources import PlainPassage, PlainSource, PlainSources

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
