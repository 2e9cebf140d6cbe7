"""What cffi compiles: `core` (pocketindex.cbits._core), and `cmph` (pocketindex.cbits._cmph) where
libcmph is installed.

Declarations are written once, in the headers, between the lines `cdef: begin` and `cdef: end`.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

from cffi import FFI  # type: ignore[import-untyped,unused-ignore]

FOLDER = Path(__file__).parent
ROOT = FOLDER.parent
GCC = ["-std=c11", "-O2", "-ffp-contract=off", "-fvisibility=hidden", "-Wall", "-Wextra"]
# The stack is guarded and jumps are checked; no path of this machine gets into the extension.
HARDENED = ["-fstack-protector-strong", "-U_FORTIFY_SOURCE", "-D_FORTIFY_SOURCE=2", "-g0"]
HARDENED += [f"-ffile-prefix-map={ROOT}=."]
if sys.platform == "linux":  # C code throws nothing: tables to unwind its stack are a tenth of it
    HARDENED += ["-fno-asynchronous-unwind-tables", "-fno-unwind-tables"]
FLAGS = ["/std:c11", "/O2"] if sys.platform == "win32" else [*GCC, *HARDENED]
# Read-only once it is loaded, without debug symbols.
LINKED = {"linux": ["-Wl,-z,relro,-z,now,-z,noexecstack", "-Wl,--build-id=none", "-Wl,-s"]}.get(
    sys.platform, []
)


# The rooms in the order in which they may include each other (tests/test_layers.py).
READING = ("base", "text", "sketch", "file", "query")
BUILDING = ("build", "ingest")


def declarations(header: str) -> str:
    """Return the part of a header that cffi reads."""
    text = (FOLDER / header).read_text(encoding="utf-8")
    return text.split("/* cdef: begin */")[1].split("/* cdef: end */")[0]


def statuses() -> str:
    """Return the list of base/status.h as an enum: cffi knows no macros."""
    text = (FOLDER / "base" / "status.h").read_text(encoding="utf-8")
    rows = re.findall(r"X\((POCKET_\w+), (\d+),", text)
    values = ", ".join(f"{name} = {number}" for name, number in rows)
    return f"typedef enum pocket_status {{ {values} }} pocket_status;"


def sources(*rooms: str) -> list[str]:
    """Return the C files of some rooms, from the root of the repository."""
    return [
        path.relative_to(FOLDER.parent).as_posix()
        for room in rooms
        for path in sorted((FOLDER / room).rglob("*.c"))
    ]


HEADERS = [path.relative_to(FOLDER.parent).as_posix() for path in sorted(FOLDER.rglob("*.h"))]

# What calls of the core ask in Python (reader/ffi/interrupt.py).
ASKED = 'extern "Python" int pocket_asked(void *argument);'
FACES = ("pocket.h", "build/pocket_build.h", "ingest/pocket_ingest.h")

core = FFI()
core.cdef(statuses() + "".join(map(declarations, FACES)) + ASKED)
core.set_source(
    "pocketindex.cbits._core",
    "".join(f'#include "{header}"\n' for header in FACES),
    sources=sources(*READING, *BUILDING),
    include_dirs=["cbits"],
    depends=HEADERS,
    extra_compile_args=FLAGS,
    extra_link_args=LINKED,
)

cmph = FFI()
cmph.cdef(statuses() + declarations("cmph/cmph_adapter.h"))
cmph.set_source(
    "pocketindex.cbits._cmph",
    '#include "cmph/cmph_adapter.h"',
    sources=sources("cmph"),
    include_dirs=["cbits"],
    depends=HEADERS,
    libraries=["cmph"],
    extra_compile_args=FLAGS,
    extra_link_args=LINKED,
)
