"""The C core, through cffi: lib has the functions of pocket.h, build/pocket_build.h and
ingest/pocket_ingest.h, ffi makes their arguments. It imports nothing of the other packages.
"""

from typing import Any

from pocketindex.cbits._core import ffi, lib

__all__ = ["ffi", "lib", "query_options"]


def query_options(probes: int = 0, report: Any = ffi.NULL, sketches_alone: bool = False) -> Any:
    """Make a pocket_query_options. report is a pocket_report that the caller keeps, or NULL.
    sketches_alone: neither words nor texts are asked.
    """
    size = ffi.sizeof("pocket_query_options")
    return ffi.new("pocket_query_options *", [size, probes, report, sketches_alone])
