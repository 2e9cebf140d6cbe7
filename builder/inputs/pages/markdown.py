"""Markdown to words: a light strip of the markup, line by line and then within lines; no rendering.

Every expression here takes time in proportion to the text (a scan that fails stops at the next mark
of its own kind), so a hostile file costs no more than another one.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator

_FRONT_MATTER = re.compile(
    r"(?:---|\+\+\+)[ \t]*\n(?=\s*(?:#|[\w\"'-]+\s*[:=]))(?:.*\n)*?(?:---|\.\.\.|\+\+\+)[ "
    r"\t]*(?:\n|\Z)"
)
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})(.*)")
_HEADING = re.compile(r" {0,3}#{1,6}(?:[ \t]+(.*))?$")
_CLOSING_MARKS = re.compile(r"(?:^|[ \t])#+$")
_UNDERLINE = re.compile(r" {0,3}(?:=+|-+)[ \t]*$")
_RULE = re.compile(r" {0,3}(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,}|=+[ \t]*)$")
_TABLE_RULE = re.compile(r"[ \t]*(?:\|[ \t]*)?:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*(?:\|[ \t]*)?$")
_TARGET = re.compile(r" {0,3}\[[^\[\]^][^\[\]]*\]:[ \t]*\S")
_BLOCK_MARKS = re.compile(r"(?:[ \t]*(?:>|[-*+][ \t]+(?:\[[ xX]\][ \t])?|\d{1,9}[.)][ \t]+))*")
_BLANK_LINES = re.compile(r"\n{3,}")

_CODE = re.compile(r"(?<!`)`+([^`]+)`+")
_COMMENT = re.compile(r"<!--[^<-]*(?:(?!-->|<!--)[<-][^<-]*)*-->")
_TAG = re.compile(r"</?[A-Za-z][^<>]*>")
_LINK = re.compile(r"!?\[([^\[\]]*)\](?:\([^()]*(?:\([^()]*\)[^()]*)*\)|\[[^\[\]]*\])")
_STARS = re.compile(r"(?<!\s)\*+|\*+(?!\s)|~~")
_UNDERSCORES = re.compile(r"(?<!\w)_+|(?<!_)_+(?!\w)")
_ESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])")
_ENTITY = re.compile(r"&(?:#\d{1,7}|#[xX][0-9A-Fa-f]{1,6}|\w{1,31});")


def read(source: str) -> tuple[str, str]:
    """Return the first heading of a Markdown text, or nothing, and the text without front matter,
    markup and link targets.
    """
    source = source.replace("\r\n", "\n").replace("\r", "\n")
    if front_matter := _FRONT_MATTER.match(source):
        source = source[front_matter.end() :]
    title = ""
    parts: list[str] = []
    prose: list[str] = []
    for kind, line in _lines(source):
        if kind == "code":
            if prose:
                parts.append(_words("\n".join(prose)))
                prose = []
            parts.append(line)
            continue
        if kind == "heading" and not title:
            title = " ".join(_words(line).split())
        prose.append(line)
    parts.append(_words("\n".join(prose)))
    return title, _BLANK_LINES.sub("\n\n", "\n".join(parts)).strip()


def _lines(source: str) -> Iterator[tuple[str, str]]:
    """Yield the lines without the marks at their start, each as "code" (taken as it is), "heading"
    or "prose".
    """
    fence = ""
    before: str | None = None  # the last line, held back until it is known whether it is underlined
    for line in source.split("\n"):
        mark = _FENCE.match(line)
        if fence:
            if mark and mark[1].startswith(fence) and not mark[2].strip():
                fence = ""
            else:
                yield "code", line
            continue
        if before is not None and _UNDERLINE.match(line):
            yield "heading", before
            before = None
            continue
        if before is not None:
            yield "prose", before
            before = None
        if mark and not (mark[1][0] == "`" and "`" in mark[2]):
            fence = mark[1]
        elif heading := _HEADING.match(line):
            yield "heading", _CLOSING_MARKS.sub("", (heading[1] or "").rstrip())
        elif _RULE.match(line) or ("-" in line and _TABLE_RULE.match(line)) or _TARGET.match(line):
            continue
        else:
            marks = _BLOCK_MARKS.match(line)
            plain = line[marks.end() if marks else 0 :].lstrip()
            if plain.startswith("|"):
                yield "prose", plain.replace("|", " ")
            elif plain and len(plain) == len(line.lstrip()):
                before = plain
            else:
                yield "prose", plain
    if before is not None:
        yield "prose", before


def _words(prose: str) -> str:
    """Return prose without marks within lines; what stands between backticks stays as it is."""
    pieces = _CODE.split(prose)
    pieces[::2] = map(_unmarked, pieces[::2])
    return "".join(pieces)


def _unmarked(prose: str) -> str:
    prose = _TAG.sub(" ", _COMMENT.sub(" ", prose))
    for _ in range(2):  # an image within a link
        prose = _LINK.sub(r"\1", prose)
    prose = _UNDERSCORES.sub("", _STARS.sub("", prose.replace("\\_", "_")))
    return _ENTITY.sub(lambda entity: html.unescape(entity[0]), _ESCAPE.sub(r"\1", prose))
