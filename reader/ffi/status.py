"""From a status of the core to an exception."""

from __future__ import annotations

from typing import Any

from pocketindex.cbits import ffi
from pocketindex.errors import raise_status
from pocketindex.ffi.interrupt import raise_it


def check(status: int, error: Any, path: str) -> None:
    """Return on POCKET_OK; raise what a handler of signals raised in the call, or what the status
    means for the file at path.

    error: None of a call that fills none.
    """
    if status:
        raise_it(status)
        if error is None:
            raise_status(path, status)
        field = ffi.string(error.field).decode() if error.field else None
        allowed = ffi.string(error.allowed).decode() if error.allowed else None
        raise_status(
            path, status, error.section, error.block, error.expected, error.found, field, allowed
        )
