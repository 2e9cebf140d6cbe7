"""The C core, through cffi: lib has the functions of pocket.h, build/pocket_build.h and
ingest/pocket_ingest.h, ffi makes their arguments. It imports nothing of the other packages.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from pocketindex.cbits import _core
from pocketindex.cbits._core import ffi

if TYPE_CHECKING:
    from pocketindex.cbits._core import Lib

__all__ = ["IN_PIECES", "ffi", "lib", "query_options"]

# The handles of files that are open in pieces, and for each an object that makes a call of the core
# with it: ask(call, handle, the other arguments).
IN_PIECES: WeakKeyDictionary[Any, Any] = WeakKeyDictionary()

_INDEX, _VOID = ffi.typeof("pocket_index *"), ffi.typeof("void")


class _Lib:
    """The functions of the core. A call on a file in pieces is repeated until it has all its
    blocks, so callers need not know how a file is open.
    """

    def __getattr__(self, name: str) -> Any:
        found = getattr(_core.lib, name)
        if callable(found):
            kind = ffi.typeof(found)
            if kind.args and kind.args[0] == _INDEX and kind.result != _VOID:
                found = _asking(found)
        self.__dict__[name] = found
        return found

    def __dir__(self) -> list[str]:
        return dir(_core.lib)


def _asking(call: Callable[..., Any]) -> Callable[..., Any]:
    def ask(index: Any, *arguments: Any) -> Any:
        pieces = IN_PIECES.get(index) if IN_PIECES else None
        return pieces.ask(call, index, arguments) if pieces else call(index, *arguments)

    return ask


lib: Lib = _Lib()  # type: ignore[assignment]


def query_options(probes: int = 0, report: Any = ffi.NULL, sketches_alone: bool = False) -> Any:
    """Make a pocket_query_options. report is a pocket_report that the caller keeps, or NULL.
    sketches_alone: neither words nor texts are asked.
    """
    size = ffi.sizeof("pocket_query_options")
    return ffi.new("pocket_query_options *", [size, probes, report, sketches_alone])
