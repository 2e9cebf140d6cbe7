"""Turn the text of a tree with marks (marks.py) into lines."""

from __future__ import annotations

import re

from pocketindex.builder.inputs.pages.marks import (
    BLOCK,
    CELL,
    KEPT_BEGIN,
    KEPT_END,
    LOOK,
    NO_MARKS,
)

_ENDS = re.compile(rf"{BLOCK}[{BLOCK} \n]*")
_A_CELL = "\0"  # as a word; no tree has this character


def lines(text: str) -> tuple[str, int]:
    """Return the text with a line for each block, one space for other white space, and a tab
    between the cells of a row; and the number of its words.
    """
    if LOOK in text:  # of a tag within CDATA, which is text
        text = text.replace(f" {LOOK}", "")
    flowing, *others = text.replace("\xad", "").split(KEPT_BEGIN)
    flow, words = _flow(flowing)
    found = [flow]
    for part in others:
        kept, _, flowing = part.partition(KEPT_END)
        kept = kept.replace(BLOCK, "\n").replace(CELL, "\t").replace("\xa0", " ")
        kept = kept.translate(NO_MARKS)
        flow, more = _flow(flowing)
        found += (kept.strip("\n").rstrip(), flow)
        words += len(kept.split()) + more
    return "\n".join(filter(None, found)), words


def _flow(text: str) -> tuple[str, int]:
    """Return the lines of a text whose white space says nothing, and the number of its words."""
    cells = text.count(CELL)
    if cells:
        text = text.replace(CELL, f" {_A_CELL} ")
    # No loop of Python's own, which takes several times as long.
    flow = "\n".join(filter(None, map(" ".join, map(str.split, _ENDS.split(text)))))
    words = flow.count(" ") + flow.count("\n") + bool(flow) - cells
    if cells:
        flow = "\n".join(filter(None, map(_row, flow.split("\n"))))
    return flow, words


def _row(line: str) -> str:
    if _A_CELL not in line:
        return line
    return "\t".join(cell.strip(" ") for cell in line.split(_A_CELL)).strip("\t")
