"""Turn a collection into a pocket file.

>>> from pocketindex.builder import build
>>> report = build(["docs.jsonl.gz"], "docs.pocket")      # doctest: +SKIP
"""

from pocketindex.builder.build import Settings, build
from pocketindex.builder.document import Document
from pocketindex.builder.report import NoDocument, Refused, Report
from pocketindex.builder.shrinking import Shrunk

__all__ = ["Document", "NoDocument", "Refused", "Report", "Settings", "Shrunk", "build"]
