"""A file system that stamps files by a clock with ticks, whatever the system's own do."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest


def in_ticking(folder: Path) -> list[str]:
    """What stands before a command that is to find an empty file system of that kind in folder, or
    a skip. Nobody else sees it, and it goes with the command.

    Newer kernels give ext4, xfs, btrfs and tmpfs times that are finer where a file was looked at.
    """
    words = 'mount -t ramfs none "$0" && exec "$@"'
    before = ["unshare", "--mount", "--map-root-user", "sh", "-c", words, str(folder)]
    try:
        able = subprocess.run([*before, "true"], capture_output=True).returncode == 0
    except FileNotFoundError:
        able = False
    if not able:
        pytest.skip("needs unshare, and the right to mount a ramfs")
    return before
