"""Make web/base/layout.js: what the page has to know of the core's C, by name.

    python builder/page/make_layout.py [FILE]        default builder/page/web/base/layout.js

Statuses, kinds of sections, limits and structs come from the headers in cbits/, the calls from
pocket.h and data/make_wasm.py. The layout is that of wasm32: a pointer has four bytes, and each
field lies at a multiple of its size. A test compares both with a compiler.
"""

from __future__ import annotations

import re
import runpy
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from cffi import FFI  # type: ignore[import-untyped,unused-ignore]

ROOT = Path(__file__).resolve().parents[2]
CORE = ROOT / "cbits"
TARGET = Path(__file__).resolve().parent / "web" / "base" / "layout.js"
POINTER = 4
WIDTH = 100
TYPES = {"uint64_t": "bigint", "int64_t": "bigint", "void": "void"}
# Defined beside pocket.h: the allocator of memory_wasm.c.
ALLOCATOR = {
    "pocket_malloc": "(length: number) => number",
    "pocket_free": "(at: number) => void",
}
# Numbers that the core keeps to itself (docs/format.md 1.1 to 1.3 and 9).
SIZES = {
    "HEADER_BYTES": r"HEADER",
    "ENTRY_BYTES": r"ENTRY",
    "DIRECTORY_BYTES": r"(?:POCKET_)?DIRECTORY(?:_ENTRY)?",
    "MOST_SECTIONS": r"MAX_SECTIONS",
    "MOST_SOURCES": r"MOST_SOURCES",
    "DEFAULT_SOURCES": r"DEFAULT_SOURCES",
    "LEAST_ADDED": r"LEAST_TERMS",
    "LEAST_EDITED": r"LEAST_EDITED",
    "SEGMENT_TERMS": r"SEGMENT_TERMS",
}


def text() -> str:
    """Return layout.js. Raises ValueError where the C does not say what it should."""
    public = declarations("pocket.h")
    ffi = FFI()
    if not re.search(r"typedef [^;]*\bpocket_status;", public):
        ffi.cdef("typedef uint32_t pocket_status;")  # an enum has four bytes
    ffi.cdef(re.sub(r"^(?:const )?\w+ \*?pocket_\w+\([^;]*\);", "", public, flags=re.M))
    structs = re.findall(r"typedef struct \w+ \{[^}]*\}\s*(pocket_\w+);", public)
    layouts = {bare(name): layout(ffi, name) for name in structs}
    parts = [
        "// Made by builder/page/make_layout.py from the headers in cbits/: do not edit it.",
        table("STATUS", numbers("STATUSES")),
        table("KIND", numbers("SECTIONS"), "The kinds of sections."),
        table("SCHEME", schemes()),
        "\n".join(f"export const {name} = {value};" for name, value in constants(public)),
        f"export const MAGIC = [{', '.join(map(str, magic()))}];",
        table("BYTES", {camel(n): size for n, (size, _) in layouts.items()}, "Sizes of structs."),
        *(
            table(
                name.upper(), {camel(field): at for field, at in places.items()}, f"pocket_{name}."
            )
            for name, (_, places) in layouts.items()
        ),
        calls(public),
    ]
    return "\n\n".join(parts) + "\n"


def source(pattern: str) -> tuple[str, re.Match[str]]:
    """Return the one place in the C where pattern is found, and its file."""
    found = [
        (path.name, match)
        for path in sorted(CORE.rglob("*.[ch]"))
        if not path.name.startswith("_")
        for match in re.finditer(pattern, path.read_text(encoding="utf-8"), re.S)
    ]
    if len(found) != 1:
        places = ", ".join(name for name, _ in found) or "none"
        raise ValueError(f"cbits: expected one place with {pattern}, found {places}")
    return found[0]


def declarations(header: str) -> str:
    """Return what cffi reads of a header, without its comments."""
    (path,) = CORE.rglob(header)
    between = path.read_text(encoding="utf-8").split("/* cdef: begin */")[1]
    return re.sub(r"/\*.*?\*/", "", between.split("/* cdef: end */")[0], flags=re.S)


def numbers(name: str) -> dict[str, int]:
    """Return the names and numbers of a table of the headers."""
    _, macro = source(rf"#define POCKET_{name}\(X\) \\\n((?:[^\n]*\\\n)*[^\n]*)")
    rows = re.findall(r"X\(POCKET_(\w+), (\d+),", macro[1])
    return {camel(name.lower()): int(number) for name, number in rows}


def schemes() -> dict[str, int]:
    _, names = source(r"schemes\[\] = \{([^}]*)\}")
    return {name: i for i, name in enumerate(re.findall(r"&scheme_(\w+)", names[1]), 1)}


def magic() -> list[int]:
    _, found = source(r"\bmagic\[8\] = \{([^}]*)\}")
    return [int(byte, 16) for byte in found[1].split(",")]


def constants(public: str) -> Iterator[tuple[str, str]]:
    yield from re.findall(r"#define POCKET_(\w+) (\d+)", public)
    for name, pattern in SIZES.items():
        _, found = source(rf"#define {pattern} (\d+)u?\b")
        yield name, found[1]


def layout(ffi: FFI, name: str) -> tuple[int, dict[str, int]]:
    """Return the size of a struct and the place of each field, for wasm32."""
    size, _, places = _layout(ffi, ffi.typeof(name))
    return size, places


def _layout(ffi: FFI, struct: Any) -> tuple[int, int, dict[str, int]]:
    """Return the size of a struct, what it is aligned to, and the place of each field."""
    places = {}
    at = 0
    widest = 1
    for field, described in struct.fields:
        size, alignment = _size(ffi, f"{struct.cname}.{field}", described.type)
        at += -at % alignment
        places[field] = at
        at += size
        widest = max(widest, alignment)
    return at + -at % widest, widest, places


def _size(ffi: FFI, name: str, kind: Any) -> tuple[int, int]:
    """Return the size of a field, and what it is aligned to."""
    if kind.kind == "struct":
        return _layout(ffi, kind)[:2]
    if kind.kind == "array":
        size, alignment = _size(ffi, name, kind.item)
        return size * kind.length, alignment
    if kind.kind not in ("pointer", "primitive", "enum"):
        raise ValueError(
            f"{name}: expected a number, a pointer, a struct or an array, found {kind.cname}"
        )
    size = POINTER if kind.kind == "pointer" else ffi.sizeof(kind)
    return size, size


def calls(public: str) -> str:
    """Return a comment with the type of what data/make_wasm.py exports."""
    exports = runpy.run_path(str(ROOT / "data" / "make_wasm.py"))["EXPORTS"]
    declared = dict(ALLOCATOR)
    for header in (public, declarations("pocket_build.h")):
        for result, name, given in re.findall(
            r"^(?:const )?(\w+ \*?)(pocket_\w+)\(([^;]*)\);", header, re.M
        ):
            arguments = [argument(one) for one in given.split(",") if one.strip() != "void"]
            declared[name] = f"({', '.join(arguments)}) => {kind_of(result)}"
    lines = [" * @property {WebAssembly.Memory} memory"]
    for name in sorted(f"pocket_{export}" for export in exports):
        lines += wrapped(f" * @property {{{declared[name]}}} {name}")
    return "\n".join(
        [
            "/**",
            " * What the core exports. A pointer is a number, a uint64_t a bigint.",
            " * @typedef {object} Calls",
            *lines,
            " */",
        ]
    )


def argument(given: str) -> str:
    """Return `uint32_t *count` as `count: number`."""
    words = given.replace("*", " * ").split()
    return f"{camel(words[-1])}: {kind_of(' '.join(words[:-1]))}"


def kind_of(declared: str) -> str:
    return "number" if "*" in declared else TYPES.get(declared.split()[-1], "number")


def wrapped(line: str) -> list[str]:
    """Return the line of a comment as lines that are not too long, cut before an argument."""
    lines = [line]
    while len(lines[-1]) > WIDTH:
        cut = lines[-1].rindex(", ", 0, WIDTH) + 1
        lines[-1:] = [lines[-1][:cut], f" *  {lines[-1][cut:]}"]
    return lines


def table(name: str, rows: dict[str, int], comment: str = "") -> str:
    body = "".join(f"  {key}: {value},\n" for key, value in rows.items())
    return f"{f'// {comment}' + chr(10) if comment else ''}export const {name} = {{\n{body}}};"


def bare(name: str) -> str:
    return name.removeprefix("pocket_")


def camel(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(word.capitalize() for word in rest)


if __name__ == "__main__":
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else TARGET
    target.write_text(text(), encoding="utf-8")
