"""The packages and the C extensions; everything else is in pyproject.toml."""

import os
import shutil
import subprocess

from setuptools import find_packages, setup

# The folders at the top of the repository are the packages. There is no folder named pocketindex:
# it would shadow the installed package.
ROOMS = {
    "pocketindex": "reader",
    "pocketindex.builder": "builder",
    "pocketindex.cbits": "cbits",
    "pocketindex.data": "data",
    "pocketindex.plugins": "builder/plugins",
    "pocketindex.spark": "builder/spark",
}


def packages() -> list[str]:
    """List the package of each room, and those of the folders in it that have an __init__.py, but
    for a folder that is a room of its own.
    """
    return [
        ".".join(part for part in (package, inner) if part)
        for package, folder in ROOMS.items()
        for inner in ("", *sorted(find_packages(folder)))
        if f"{folder}/{inner}" not in ROOMS.values()
    ]


def has_cmph() -> bool:
    """libcmph is a library of the system (Debian: libcmph-dev); without it, its back ends are left
    out. POCKETINDEX_CMPH=0 leaves them out, too: wheels for others have no part of it.
    """
    if os.environ.get("POCKETINDEX_CMPH") == "0":
        return False
    pkg_config = shutil.which("pkg-config")
    return pkg_config is not None and subprocess.call([pkg_config, "--exists", "cmph"]) == 0


modules = ["cbits/ffi_build.py:core"]
if has_cmph():
    modules.append("cbits/ffi_build.py:cmph")

# One wheel for every Python from 3.10 on: the extension keeps to the limited API (cffi).
setup(
    packages=packages(),
    # Where shells and man look for them, below the prefix of an installation.
    data_files=[
        ("share/man/man1", ["data/shell/pocketindex.1"]),
        ("share/bash-completion/completions", ["data/shell/pocketindex"]),
        ("share/zsh/site-functions", ["data/shell/_pocketindex"]),
    ],
    package_dir=ROOMS,
    cffi_modules=modules,
    options={"bdist_wheel": {"py_limited_api": "cp310"}},
)
