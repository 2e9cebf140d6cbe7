"""The options by which a user says how sources are read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from pocketindex.builder.inputs.fields import OWN_NAMES, Fields

SHARED = ("select", "exclude", "drop", "add", "follow_links")


class Css(NamedTuple):
    """CSS selectors that choose which elements of a page count. Empty ones choose nothing.

    select: the elements that alone count, including the navigation in them; exclude: the elements
    that are left out.
    """

    select: str = ""
    exclude: str = ""


WHOLE = Css()


@dataclass(frozen=True)
class Options:
    """Options of reading. Each input takes those that it can use.

    format: the name of an input, None to detect it; fields: names of the fields of records;
    encoding: of texts and pages, None for UTF-8 and for what pages declare; select: a CSS selector
    of the elements of HTML pages that alone count; exclude: one of those that do not count; drop:
    parts to leave out of texts; add: parts to add to texts; follow_links: whether links that lead
    out of a folder are followed.
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
        """The selectors of the elements of a page that count."""
        return Css(self.select, self.exclude)

    def only_for_sources(self) -> dict[str, object]:
        """Return the options that are set and that apply only to sources, by name. Of documents
        that a program passes directly, only the fields can be chosen.
        """
        names = ("format", "encoding", *SHARED)
        return {name: value for name in names if (value := getattr(self, name))}

    def shared(self) -> dict[str, Any]:
        """Return the options that say what counts as text, or what is read of a folder: where a
        collection and what is compared with it are read, they hold for both.
        """
        return {name: getattr(self, name) for name in SHARED}


DEFAULTS = Options()
