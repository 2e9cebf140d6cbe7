"""How sources are read: what a user says of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from pocketindex.builder.inputs.fields import OWN_NAMES, Fields


class Css(NamedTuple):
    """CSS selectors that choose what of a page counts; empty ones choose nothing.

    select: only what these elements have, navigation too; exclude: what is left out.
    """

    select: str = ""
    exclude: str = ""


WHOLE = Css()


@dataclass(frozen=True)
class Options:
    """Options of reading; each input takes those that it has a use for.

    format: the name of an input, None to detect it; fields: names of the fields of records;
    encoding: of texts and pages, None for UTF-8 and for what pages say; select, exclude: CSS
    selectors of the elements of HTML pages that alone count, and of those that do not; drop: parts
    that are left out of texts; add: parts that are added to them; follow_links: whether links that
    lead out of a folder are followed.
    """

    format: str | None = None
    fields: Fields = OWN_NAMES
    encoding: str | None = None
    select: str = ""
    exclude: str = ""
    drop: Sequence[str] = ()
    add: Sequence[str] = ()
    follow_links: bool = False

    @property
    def css(self) -> Css:
        """What of a page counts."""
        return Css(self.select, self.exclude)

    def only_for_sources(self) -> dict[str, object]:
        """Return the options that are set and that only sources have, by name: documents that a
        program gives have fields, and nothing else to choose.
        """
        names = ("format", "encoding", "select", "exclude", "drop", "add", "follow_links")
        return {name: value for name in names if (value := getattr(self, name))}


DEFAULTS = Options()
