"""The inputs: where documents come from.

They may import the base (conventions, document) and spill, and no other room. A new one is a
file, and a line in the table of kinds.py.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pocketindex.builder.inputs.fields import OWN_NAMES, Fields
    from pocketindex.builder.inputs.finding import check_used, find, find_all, listed, sparing
    from pocketindex.builder.inputs.kinds import INPUTS, Input
    from pocketindex.builder.inputs.opening.addresses import located
    from pocketindex.builder.inputs.options import Options, SourceOptions
    from pocketindex.builder.inputs.source import SourceError

__all__ = [
    "INPUTS",
    "OWN_NAMES",
    "Fields",
    "Input",
    "Options",
    "SourceError",
    "SourceOptions",
    "check_used",
    "find",
    "find_all",
    "listed",
    "located",
    "sparing",
]


def __getattr__(name: str) -> Any:
    """Import all inputs when one is asked for: a process that reads one page needs none of them."""
    if name not in __all__:
        raise AttributeError(f"module 'pocketindex.builder.inputs' has no attribute {name!r}")
    from pocketindex.builder.inputs import finding

    return getattr(finding, name)
