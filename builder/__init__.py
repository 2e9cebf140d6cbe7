"""Turn a collection into a pocket file.

The rooms, from the ground up, each of which imports the ones before it alone: the base
(conventions, document, language, progress); work, inputs, schemes, write; the pipeline in this
folder (build.py draws it); collections, evaluate and page; verbs. tests/repository/test_layers.py
holds this.

>>> from pocketindex.builder import build
>>> report = build(["docs.jsonl.gz"], "docs.pocket")      # doctest: +SKIP
"""

from pocketindex.builder.build import Settings, build
from pocketindex.builder.document import Document
from pocketindex.builder.report import NoDocument, Refused, Report
from pocketindex.builder.work.shrinking import Shrunk

__all__ = ["Document", "NoDocument", "Refused", "Report", "Settings", "Shrunk", "build"]
