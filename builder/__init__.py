"""Turn a collection into a pocket file.

The rooms, from the ground up, each of which imports the ones before it alone: the base
(conventions, document, language, progress); spill, inputs, out, schemes, write; the pipeline, which
is passes and this folder (pipeline.py draws it); collections, changing, functions, evaluate and
page; commands.
tests/repository/test_layers.py holds this.

>>> from pocketindex.builder import build
>>> report = build(["docs.jsonl.gz"], "docs.pocket")      # doctest: +SKIP
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pocketindex.builder.changed import Changed
    from pocketindex.builder.changing.diff import Difference
    from pocketindex.builder.changing.merge import NotMerged
    from pocketindex.builder.changing.update import NothingLeft, NothingToRemove
    from pocketindex.builder.document import Document
    from pocketindex.builder.functions.check import Checked, Findings
    from pocketindex.builder.functions.choices import BuildChoices, Reading, Updating
    from pocketindex.builder.functions.cleaning import Cleaned, Containing
    from pocketindex.builder.functions.dedup import Deduplicated, Dropped
    from pocketindex.builder.functions.documents import Documents
    from pocketindex.builder.functions.pairs import Pairs, SimilarPair
    from pocketindex.builder.pipeline import Settings, build
    from pocketindex.builder.report import Report
    from pocketindex.builder.spill.shrinking import Shrunk
    from pocketindex.builder.tally import MostlyBad, NoDocument, Refused

__all__ = [
    "BuildChoices",
    "Changed",
    "Checked",
    "Cleaned",
    "Containing",
    "Deduplicated",
    "Difference",
    "Document",
    "Documents",
    "Dropped",
    "Findings",
    "MostlyBad",
    "NoDocument",
    "NotMerged",
    "NothingLeft",
    "NothingToRemove",
    "Pairs",
    "Reading",
    "Refused",
    "Report",
    "Settings",
    "Shrunk",
    "SimilarPair",
    "Updating",
    "build",
]


def __getattr__(name: str) -> Any:
    """Import what is asked for, and no more: a process that reads one page needs little of it."""
    if name not in __all__:
        raise AttributeError(f"module 'pocketindex.builder' has no attribute {name!r}")
    if name == "build":  # the other one takes keywords
        from pocketindex.builder.pipeline import build as found
    else:
        import pocketindex

        found = getattr(pocketindex, name)
    globals()[name] = found
    return found
