"""The packages and the C extensions; everything else is in pyproject.toml."""

import os
import shutil
import subprocess
import sysconfig
from fnmatch import fnmatch
from pathlib import Path
from runpy import run_path

from setuptools import find_packages, setup
from setuptools.command.bdist_wheel import bdist_wheel
from setuptools.command.build_ext import build_ext
from setuptools.command.build_py import build_py
from setuptools.errors import CCompilerError, ExecError, PlatformError

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
    for what is in a room of its own.
    """
    return [
        ".".join(part for part in (package, inner) if part)
        for package, folder in ROOMS.items()
        for inner in ("", *sorted(find_packages(folder)))
        if f"{folder}/{inner.partition('.')[0]}" not in ROOMS.values()
    ]


def has_cmph() -> bool:
    """Return whether to compile the parts that use libcmph, a system library under a copyleft
    licence (Debian: libcmph-dev). They are compiled only if POCKETINDEX_CMPH is 1.
    """
    if os.environ.get("POCKETINDEX_CMPH") != "1":
        return False
    pkg_config = shutil.which("pkg-config")
    if pkg_config is not None and subprocess.call([pkg_config, "--exists", "cmph"]) == 0:
        return True
    raise SystemExit(
        "POCKETINDEX_CMPH=1: pkg-config does not find libcmph; install it (Debian: apt-get install "
        "libcmph-dev pkg-config), or build without the variable"
    )


NO_COMPILER = """\
pocketindex: no wheel fits this system, and its C code cannot be compiled here: {problem}.
Do one of these, and run pip again:
  - upgrade pip, which may then find a wheel: python -m pip install --upgrade pip
  - install a C compiler and Python's headers (Debian, Ubuntu: apt-get install gcc python3-dev;
    Fedora: dnf install gcc python3-devel; Alpine: apk add gcc musl-dev python3-dev; macOS:
    xcode-select --install; Windows: the Build Tools for Visual Studio)"""


# Scripts that make what is in the package: they stay with the sources.
MAKERS = ("make_*", "amalgamate", "ffi_build")


class Modules(build_py):
    """Leave out the scripts, and the comments of the page's modules."""

    def find_package_modules(self, package: str, folder: str) -> list[tuple[str, str, str]]:
        found = super().find_package_modules(package, folder)
        return [one for one in found if not any(fnmatch(one[1], maker) for maker in MAKERS)]

    def build_package_data(self) -> None:
        super().build_package_data()
        join = run_path(str(Path(__file__).with_name("builder") / "page" / "join.py"))
        for module in Path(self.build_lib, "pocketindex", "builder", "page", "web").rglob("*.js"):
            code = join["without_comments"](module.name, module.read_text(encoding="utf-8"))
            module.write_text(code, encoding="utf-8", newline="\n")


class Wheel(bdist_wheel):
    """Put the bill of materials where PEP 770 expects it."""

    def write_wheelfile(self, folder: str, *more: str) -> None:
        super().write_wheelfile(folder, *more)
        target = Path(folder, "sboms", "pocketindex.cdx.json")
        target.parent.mkdir(exist_ok=True)
        bill = run_path(str(Path(__file__).with_name("data") / "make_sbom.py"))["sbom"]("wheel")
        target.write_text(bill, encoding="utf-8", newline="\n")


class Build(build_ext):
    """Compile the extensions. If that fails, say what to do."""

    def build_extensions(self) -> None:
        # A Python that was built for one machine has linkers look for libraries there.
        linker = getattr(self.compiler, "linker_so", None) or []
        linker[:] = [word for word in linker if not word.startswith("-Wl,-rpath")]
        super().build_extensions()

    def run(self) -> None:
        try:
            super().run()
        except (CCompilerError, ExecError, PlatformError) as error:
            raise SystemExit(NO_COMPILER.format(problem=error)) from error


modules = ["cbits/ffi_build.py:core"]
if has_cmph():
    modules.append("cbits/ffi_build.py:cmph")

# One wheel for every Python from 3.10 on: the extension keeps to the limited API (cffi). A Python
# without the global lock has no such API before 3.15, and gets a wheel of its own.
LIMITED = {} if sysconfig.get_config_var("Py_GIL_DISABLED") else {"py_limited_api": "cp310"}
setup(
    long_description=run_path(str(Path(__file__).with_name("data") / "make_readme.py"))["readme"](),
    long_description_content_type="text/markdown",
    packages=packages(),
    # Where shells and man look for them, below the prefix of an installation.
    data_files=[
        ("share/man/man1", ["data/shell/pocketindex.1"]),
        ("share/bash-completion/completions", ["data/shell/pocketindex"]),
        ("share/zsh/site-functions", ["data/shell/_pocketindex"]),
    ],
    package_dir=ROOMS,
    cffi_modules=modules,
    cmdclass={"build_ext": Build, "build_py": Modules, "bdist_wheel": Wheel},
    options={"bdist_wheel": LIMITED},
)
