"""The inputs: where documents come from.

They may import the base (conventions, document) and spill, and no other room. A new one is a
file, and a line in the table of kinds.py.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pocketindex.builder.inputs.fields import OWN_NAMES, Fields
    from pocketindex.builder.inputs.finding import check_used, find, find_all, listed, sparing
    from pocketindex.builder.inputs.kinds import INPUTS, Input
    from pocketindex.builder.inputs.opening.addresses import located
    from pocketindex.builder.inputs.options import Options, SourceOptions
    from pocketindex.builder.inputs.source import SourceError

_LATER = {
    "fields": ("OWN_NAMES", "Fields"),
    "finding": ("check_used", "find", "find_all", "listed", "sparing"),
    "kinds": ("INPUTS", "Input"),
    "opening.addresses": ("located",),
    "options": ("Options", "SourceOptions"),
    "source": ("SourceError",),
}
_WHERE = {name: module for module, names in _LATER.items() for name in names}

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
    """Import what is asked for, and no more: a process that reads one page needs little of it."""
    if name not in _WHERE:
        raise AttributeError(f"module 'pocketindex.builder.inputs' has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{_WHERE[name]}"), name)
