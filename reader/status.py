"""From a status of the core to an exception."""

from __future__ import annotations

from typing import Any

from pocketindex.cbits import ffi
from pocketindex.errors import raise_status


def check(status: int, error: Any, path: str) -> None:
    """Return on POCKET_OK; raise what the status and its pocket_error mean for the file at path."""
    if status:
        field = ffi.string(error.field).decode() if error.field else None
        allowed = ffi.string(error.allowed).decode() if error.allowed else None
        raise_status(path, status, error.section, error.block, error.expected, error.found, field, allowed)
