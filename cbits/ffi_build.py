"""What cffi compiles: `core` (pocketindex.cbits._core), and `cmph` (pocketindex.cbits._cmph) where
libcmph is installed.

Declarations are written once, in the headers, between the lines `cdef: begin` and `cdef: end`.
"""

from __future__ import annotations

import re
from pathlib import Path

from cffi import FFI  # type: ignore[import-untyped,unused-ignore]

FOLDER = Path(__file__).parent
FLAGS = ["-std=c11", "-O2", "-ffp-contract=off", "-fvisibility=hidden", "-Wall", "-Wextra"]


def declarations(header: str) -> str:
    """The part of a header that cffi reads."""
    text = (FOLDER / header).read_text(encoding="utf-8")
    return text.split("/* cdef: begin */")[1].split("/* cdef: end */")[0]


def statuses() -> str:
    """The list of status.h as an enum: cffi knows no macros."""
    text = (FOLDER / "status.h").read_text(encoding="utf-8")
    rows = re.findall(r"X\((POCKET_\w+), (\d+),", text)
    return "enum { " + ", ".join(f"{name} = {number}" for name, number in rows) + " };"


def sources(cmph: bool) -> list[str]:
    """The C files, from the root of the repository: those that need libcmph start with cmph_, those
    that cffi writes with _.
    """
    return [
        f"cbits/{path.name}"
        for path in sorted(FOLDER.glob("*.c"))
        if path.name.startswith("cmph_") == cmph and path.name[0] != "_"
    ]


HEADERS = [f"cbits/{path.name}" for path in sorted(FOLDER.glob("*.h"))]

# What calls of the core ask in Python (reader/interrupt.py).
ASKED = 'extern "Python" int pocket_asked(void *argument);'

core = FFI()
core.cdef(statuses() + declarations("pocket.h") + declarations("pocket_build.h") + ASKED)
core.set_source(
    "pocketindex.cbits._core",
    '#include "pocket_build.h"',
    sources=sources(cmph=False),
    include_dirs=["cbits"],
    depends=HEADERS,
    extra_compile_args=FLAGS,
)

cmph = FFI()
cmph.cdef(declarations("cmph_adapter.h"))
cmph.set_source(
    "pocketindex.cbits._cmph",
    '#include "cmph_adapter.h"',
    sources=sources(cmph=True),
    include_dirs=["cbits"],
    depends=HEADERS,
    libraries=["cmph"],
    extra_compile_args=FLAGS,
)
