"""The C extensions; everything else is in pyproject.toml."""

import shutil
import subprocess

from setuptools import setup


def has_cmph() -> bool:
    """libcmph is a library of the system (Debian: libcmph-dev); without it, its back ends are left
    out.
    """
    pkg_config = shutil.which("pkg-config")
    return pkg_config is not None and subprocess.call([pkg_config, "--exists", "cmph"]) == 0


modules = ["cbits/ffi_build.py:core"]
if has_cmph():
    modules.append("cbits/ffi_build.py:cmph")

setup(cffi_modules=modules)
