"""The C extensions; everything else is in pyproject.toml."""

import os
import shutil
import subprocess

from setuptools import setup


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
setup(cffi_modules=modules, options={"bdist_wheel": {"py_limited_api": "cp310"}})
