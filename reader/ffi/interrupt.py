"""Let Ctrl-C and time limits end a long call of the core. The core regularly asks whether to go on,
and Python handles signals then.
"""

from __future__ import annotations

import threading
import time
from typing import Any

from pocketindex.cbits import ffi, lib


class _Own(threading.local):
    """The state of a thread: what a handler of signals has raised in a call, and whether the thread
    is to stop.
    """

    raised: BaseException | None = None
    stop: threading.Event | None = None


_own = _Own()


def _keep(kind: Any, raised: BaseException, trace: Any) -> None:
    _own.raised = raised


def _stops() -> bool:
    return _own.stop is not None and _own.stop.is_set()


@ffi.def_extern(name="pocket_asked", error=1, onerror=_keep)  # type: ignore[untyped-decorator,unused-ignore]
def _asked(argument: Any) -> int:
    """Return whether the call of this thread should end. An exception raised here ends it, too."""
    return int(_stops())


def watch(handle: Any) -> None:
    """Make calls with this handle of an index ask whether to go on."""
    lib.pocket_on_interrupt(handle, lib.pocket_asked, ffi.NULL)


def stop_at(event: threading.Event | None) -> None:
    """End this thread's calls once event is set."""
    _own.stop = event


class Deadline(threading.Event):
    """An event that is set once a number of seconds has passed."""

    def __init__(self, seconds: float) -> None:
        super().__init__()
        self._at = time.monotonic() + seconds

    def is_set(self) -> bool:
        """Return whether the time has passed."""
        return time.monotonic() >= self._at


def _cancelled() -> BaseException:
    from concurrent.futures import CancelledError  # with logging, as long as a query takes

    return CancelledError()


def go_on() -> None:
    """Raise CancelledError if this thread should stop; for use between two calls."""
    if _stops():
        raise _cancelled()


def raise_it(status: int) -> None:
    """Raise what has ended a call of this thread, if anything has: the error of a handler of
    signals, or CancelledError.
    """
    raised, _own.raised = _own.raised, None
    if raised is not None:
        raise raised
    if status == lib.POCKET_INTERRUPTED:
        raise _cancelled()
