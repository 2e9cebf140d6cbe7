"""The C core, through cffi: lib has the functions of pocket.h and pocket_build.h, ffi makes their
arguments.
"""

from pocketindex.cbits._core import ffi, lib

__all__ = ["ffi", "lib"]
