"""How the command starts: Ctrl-C ends it without a traceback while its modules are still loaded."""

from __future__ import annotations

# Not signal, which imports enum first: an interrupt during that would show a traceback.
import _signal as signal  # type: ignore[import-not-found]
import os
import sys

INTERRUPTED = 130


def is_command() -> bool:
    """Return whether this process is the command, and not a program that uses the package."""
    name = os.path.basename(sys.argv[0]) if sys.argv else ""
    by_module = name == "-m" and "pocketindex" in sys.orig_argv[:8]
    return by_module or name in ("pocketindex", "pocketindex.exe")


def _end(*_: object) -> None:
    os._exit(INTERRUPTED)


def _handle(handler: object) -> None:
    try:
        signal.signal(signal.SIGINT, handler)
    except ValueError:
        return  # Only the main thread of a program may choose a handler, and this is another.


def end_quietly() -> None:
    """Have Ctrl-C end the process at once, unless it is ignored or somebody handles it already."""
    if is_command() and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        _handle(_end)


def started() -> None:
    """Have Ctrl-C raise KeyboardInterrupt again, for which the command is ready now."""
    if signal.getsignal(signal.SIGINT) is _end:
        _handle(signal.default_int_handler)


end_quietly()
