"""Write reader/constants.py: the numbers of the C headers that Python needs, too.

    python cbits/make_constants.py

It is no part of the compiled core, because the plain reader of the tests does without that.
"""

from __future__ import annotations

import re
from pathlib import Path

FOLDER = Path(__file__).parent
TARGET = FOLDER.parent / "reader" / "constants.py"
HEAD = '''"""The numbers of the format and of the core; written by cbits/make_constants.py."""

from __future__ import annotations

from enum import IntEnum
'''


def found(pattern: str, suffix: str = ".h") -> str:
    """Return what a pattern finds in the one file of the core that has it."""
    for path in sorted(FOLDER.rglob(f"*{suffix}")):
        if match := re.search(pattern, path.read_text(encoding="utf-8"), re.DOTALL):
            return match[1]
    raise ValueError(f"no file *{suffix} of {FOLDER} has {pattern}")


def number(name: str) -> str:
    """Return a number that a header defines."""
    return found(rf"#define {name} (\d+)u")


def rows(table: str) -> list[tuple[str, str]]:
    """Return the names and numbers of a table of the headers."""
    return re.findall(r"X\(POCKET_(\w+), (\d+),", found(rf"#define POCKET_{table}\(X\)(.*?)\n\n"))


def members(name: str, what: str, rows: list[tuple[str, str]]) -> str:
    """Return an enum of these names and numbers."""
    body = "".join(f"    {key} = {number}\n" for key, number in rows)
    return f'\n\nclass {name}(IntEnum):\n    """{what}"""\n\n{body}'


def content() -> str:
    """Return the whole file."""
    magic = found(r"magic\[8\] = \{(.*?)\}", ".[ch]")
    shown = ", ".join(byte.strip() for byte in magic.split(","))
    coarse = number("COARSE_BYTES")
    return (
        HEAD
        + f"\nMAGIC = bytes([{shown}])\n"
        + "# of a sketch: what a scan compares (docs/format.md, section 4)\n"
        + f"COARSE_BYTES = {coarse}\n"
        + "".join(f"{name} = {number(name)}\n" for name in ("MOST_SOURCES", "DEFAULT_SOURCES"))
        + members("SectionKind", "The sections of a file (docs/format.md 1.2).", rows("SECTIONS"))
        + members("Status", "What calls of the core return (status.h).", rows("STATUSES"))
    )


if __name__ == "__main__":
    TARGET.write_text(content(), encoding="utf-8")
