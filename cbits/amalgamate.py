"""Write the reading half of the core as two files: pocket.c and pocket.h, to be dropped into an
application.

    python cbits/amalgamate.py FOLDER

Everything but what pocket.h declares becomes static, so that no other name reaches the linker. The
same sources give the same bytes.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

HERE = Path(__file__).resolve().parent
# What reads: build/, ingest/ and cmph/ stay outside.
ROOMS = ("base", "text", "sketch", "file", "query")
INCLUDE = re.compile(r'^#include "([\w/]+\.h)"\n', re.M)
# A function's declaration in a header of ours; in pocket.h they are the public ones.
DECLARATION = re.compile(
    r"^(?!static|typedef|struct .*\{|enum|#|/|\*|return)(?:const )?\w[\w ]*[ *]\w+\(", re.M
)
# The schemes are the only objects that files share.
OBJECT = re.compile(r"^(?:extern )?(const scheme scheme_\w+)", re.M)
# Free-standing, these are the host's: the compiler calls some of them by itself.
SHARED = ("pocket.h", "memory.h", "status.h")


def in_room(room: Path) -> list[Path]:
    """Return the C files of a room and its folders, by name alone: to move one changes no byte."""
    return sorted(room.rglob("*.c"), key=lambda path: path.name)


def reading_half(folder: Path = HERE) -> list[Path]:
    """Return the C files of libpocket, room by room."""
    files = [path for room in ROOMS for path in in_room(folder / room)]
    # map.c asks for POSIX by macros that have to come before any header of the system.
    return sorted(files, key=lambda path: path.name != "map.c")


def joined(path: Path, seen: set[str]) -> Iterator[str]:
    """Yield the text of a file, its headers in it where they are first needed."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".h" and path.name not in SHARED:
        text = DECLARATION.sub(lambda found: "static " + found[0], text)
    text = OBJECT.sub(r"static \1", text)
    at = 0
    yield f"\n/* ======== {path.name} ======== */\n"
    for include in INCLUDE.finditer(text):
        yield text[at : include.start()]
        at = include.end()
        name = include[1]
        if name not in seen:
            seen.add(name)
            if name in ("pocket.h", "base/status.h"):
                yield '#include "pocket.h"\n'
            else:
                yield from joined(HERE / name, seen)
    yield text[at:]


def pocket_c(folder: Path = HERE) -> str:
    """Return the whole reading half, with the licence it is under."""
    licence = (folder.parent / "LICENSE").read_text(encoding="utf-8").strip()
    licence = "\n".join(f" * {line}".rstrip() for line in licence.split("\n"))
    head = f"""\
/* pocketindex {version(folder)}: ask a pocket file. Made by cbits/amalgamate.py; pocket.h says what to call, docs/embedding.md how.
 * The tables of Unicode are derived from the Unicode Character Database (Unicode License v3, https://www.unicode.org/license.txt).
 *
{licence}
 */
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wunused-function" /* helpers that only the building half calls */
#endif
"""
    seen: set[str] = set()
    body = "".join("".join(joined(path, seen)) for path in reading_half(folder))
    return head + body + "\n#if defined(__clang__)\n#pragma clang diagnostic pop\n#endif\n"


def pocket_h(folder: Path = HERE) -> str:
    """Return the public header with status.h in it."""
    status = (folder / "base" / "status.h").read_text(encoding="utf-8")
    return (
        (folder / "pocket.h")
        .read_text(encoding="utf-8")
        .replace('#include "base/status.h"\n', status)
    )


def version(folder: Path = HERE) -> str:
    """Return the version of the package, from pyproject.toml."""
    found = re.search(
        r'^version = "(.+)"$', (folder.parent / "pyproject.toml").read_text(encoding="utf-8"), re.M
    )
    assert found
    return found[1]


def write(target: Path, folder: Path = HERE) -> None:
    """Write pocket.c and pocket.h to target."""
    target.mkdir(parents=True, exist_ok=True)
    for name, text in (("pocket.c", pocket_c(folder)), ("pocket.h", pocket_h(folder))):
        (target / name).write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python cbits/amalgamate.py FOLDER")
    write(Path(sys.argv[1]))
