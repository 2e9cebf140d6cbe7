"""Turn a collection into a pocket file.

>>> from pocketindex.builder import build
>>> report = build(["docs.jsonl.gz"], "docs.pocket")      # doctest: +SKIP
"""

from pocketindex.builder.build import Settings, build
from pocketindex.builder.document import Document
from pocketindex.builder.report import Refused, Report

__all__ = ["Document", "Refused", "Report", "Settings", "build"]
