"""The elements that mean something, and what is kept of them while they are open."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from pocketindex.builder.site.attributes import Named

LEFT_OUT = frozenset(
    [
        *("head", "style", "script", "noscript", "label", "form", "svg", "footer", "nav"),
        *("iframe", "template"),
    ]
)
# Those whose content is no text of the page: they part blocks, and do no more.
UNREAD = frozenset(["script", "style", "iframe", "noembed", "noframes", "xmp"])
LANDMARKS = frozenset(["header", "nav", "footer", "aside"])
VOID = frozenset(
    [
        *("area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta"),
        *("param", "source", "track", "wbr", "basefont", "bgsound", "frame", "keygen"),
    ]
)
# Words go on through these.
JOINED = frozenset(
    [
        *("span", "em", "code", "strong", "b", "i", "tt", "a", "kbd", "var", "sup"),
        *("sub", "cite", "small", "big", "dfn", "samp", "q", "u", "font", "acronym"),
        *("abbr", "mark", "time", "ins", "del", "s", "bdi", "bdo"),
        *("img", "input", "wbr", "ruby", "rt", "rp"),
    ]
)
HEADINGS = {f"h{level}": level for level in range(1, 7)}
LONGEST_HEADING = 120  # characters of a block that is as good as one, by its own weight
SIGNATURE = 7  # the level of a Sphinx object, which has no weight of its own
# What stands before the name of such an object.
KIND = re.compile(
    r"^(?:(?:abstract|async|class|classmethod|exception|final|property|static|staticmethod) )+"
)
# Ids of what holds a heading lead to it.
HOLDERS = frozenset(["section", "div", "article", "li", "dd"])
_HIDDEN = re.compile("[\u200b\u2060\ufeff]")
# Signs that end a block as letters do, without a full stop.
STOPPED = "_\"'’”»)]}"
# Elements that mean something by their names.
SPECIAL = LEFT_OUT.union(LANDMARKS, HEADINGS, ["title", "img"]) - UNREAD


@dataclass(slots=True, eq=False)
class Part:
    """What stands below a heading. start: the number of its first block."""

    id: str
    title: str
    level: int
    start: int


@dataclass(slots=True, eq=False)
class Capture:
    """The text of an element that is open, without what is ignored in it."""

    depth: int
    texts: list[str] = field(default_factory=list)

    def text(self) -> str:
        return spaced("".join(self.texts))


@dataclass(slots=True, eq=False)
class Heading:
    """A heading that is open. first: the number of its first block; anchor: its id, or that of what
    stands for it.
    """

    level: int
    first: int
    anchor: str
    landmark: bool
    weighty: bool  # it counts as a heading: no own weight makes it less than text


@dataclass(slots=True, eq=False)
class Frame:
    """An element that is open and means something: what was before it, and what is done at its
    end.
    """

    before: tuple[int, bool, int, bool]
    ignores: bool = False
    capture: Capture | None = None
    sets: Sequence[tuple[str, Named, str | None]] = ()
    heading: Heading | None = None
    anchor: str = ""
    section: bool = False
    landmark: bool = False
    is_title: bool = False


def spaced(text: str) -> str:
    """Return text with white space made one space, and without zero-width spaces."""
    return " ".join((text if text.isascii() else _HIDDEN.sub("", text)).split())
