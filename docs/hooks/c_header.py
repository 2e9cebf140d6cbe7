"""The reference of the C library, made from the comments of cbits/pocket.h."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

FUNCTION = re.compile(r"\b(pocket_\w+)\(")
TYPE = re.compile(r"^\} (pocket_\w+);|^typedef .*?\(?\*?(pocket_\w+)\)?(?:\(.*|);", re.M | re.S)
CONSTANT = re.compile(r"^#define (POCKET_\w+)", re.M)
STATUS = re.compile(r'\bX\(\s*(POCKET_\w+),\s*(\d+),\s*"((?:[^"\\]|\\.)*)"', re.S)


class Entry(NamedTuple):
    """A comment, and the declarations that follow it."""

    comment: str
    code: str

    @property
    def names(self) -> list[str]:
        """What the declarations declare."""
        if self.code.startswith(("typedef", "#define")):
            types = [a or b for a, b in TYPE.findall(self.code)]
            return types or CONSTANT.findall(self.code)
        return FUNCTION.findall(self.code)


def page(root: Path) -> str:
    """The page as Markdown."""
    header = (root / "cbits" / "pocket.h").read_text("utf-8")
    status = next((root / "cbits").rglob("status.h")).read_text("utf-8")
    return "\n".join(lines(header, status))


def lines(header: str, status: str) -> Iterator[str]:
    """The page, line by line."""
    found = entries(header)
    yield "# The C library\n"
    yield "This page is made from the comments of `cbits/pocket.h`. `make lib` writes the two files"
    yield "to drop into an app; [Embedding](../embedding.md) says how.\n"
    yield plain(header[: header.index("*/")]) + "\n"
    for title, chosen in (
        ("Functions", [e for e in found if not e.code.startswith(("typedef", "#define"))]),
        ("Types", [e for e in found if e.code.startswith("typedef")]),
        ("Constants", [e for e in found if e.code.startswith("#define")]),
    ):
        yield f"## {title}\n"
        for entry in chosen:
            yield f"### {', '.join(entry.names)}\n"
            yield f"```c\n{entry.code}\n```\n"
            if entry.comment:
                yield f"{entry.comment}\n"
    yield "## Statuses\n"
    yield "| number | name | sentence |\n|--:|---|---|"
    for name, number, sentence in STATUS.findall(status):
        yield f"| {number} | `{name}` | {sentence} |"


def entries(header: str) -> list[Entry]:
    """The declarations between the marks of the header, each with the comment before it."""
    inside = header.split("/* cdef: begin */")[1].split("/* cdef: end */")[0]
    found, comment, code = [], "", ""
    for block in re.split(r"(^/\*.*?\*/$)", inside, flags=re.M | re.S):
        if block.startswith("/*"):
            comment = plain(block)
            continue
        for code in re.split(r"\n\s*\n", block):
            for part in pieces(code.strip("\n")):
                found.append(Entry(comment, part))
                comment = ""
        comment = ""
    return [entry for entry in found if entry.names]


def pieces(code: str) -> Iterator[str]:
    """Lines of constants, then what follows them."""
    defined = [line for line in code.splitlines() if line.startswith("#define")]
    rest = "\n".join(line for line in code.splitlines() if not line.startswith("#define"))
    if defined:
        yield "\n".join(defined)
    if rest:
        yield rest


def plain(comment: str) -> str:
    """A comment's words, without its marks; < and * as they are."""
    text = comment.strip().removeprefix("/*").removesuffix("*/")
    text = "\n".join(re.sub(r"^\s*\* ?", "", line).strip() for line in text.splitlines())
    return text.strip().replace("<", "&lt;").replace("*", "\\*")
