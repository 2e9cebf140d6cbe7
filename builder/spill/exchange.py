"""Exchange two files or folders in one atomic step, by a system call of Linux that most of its file
systems support.
"""

from __future__ import annotations

import ctypes
import errno
import os
import sys
from pathlib import Path

_HERE, _EXCHANGE = -100, 2  # AT_FDCWD and RENAME_EXCHANGE of renameat2(2)


def exchange(one: Path, other: Path) -> None:
    """Exchange two files or folders, both of which must exist: each gets the name of the other.

    Raises OSError; its errno is ENOSYS if the system has no such call.
    """
    library = ctypes.CDLL(None, use_errno=True) if sys.platform.startswith("linux") else None
    call = getattr(library, "renameat2", None)
    if call is None:
        raise OSError(errno.ENOSYS, os.strerror(errno.ENOSYS), str(other))
    name, folder = ctypes.c_char_p, ctypes.c_int
    call.argtypes = folder, name, folder, name, ctypes.c_uint
    if call(_HERE, os.fsencode(one), _HERE, os.fsencode(other), _EXCHANGE):
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number), str(other))
