"""The options by which a user says how sources are read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from pocketindex.builder.inputs.fields import OWN_NAMES, Fields
from pocketindex.options import COMMON, option, options_of
from pocketindex.options import Options as Table


class Css(NamedTuple):
    """CSS selectors that choose which elements of a page count. Empty ones choose nothing.

    select: the elements that alone count, including the navigation in them; exclude: the elements
    that are left out.
    """

    select: str = ""
    exclude: str = ""


WHOLE = Css()


@dataclass(frozen=True, kw_only=True)
class ReadingOptions(Table):
    """How sources are read; inputs without a use for an option pass over it."""

    format: str | None = option(
        None,
        "format of the input",
        shown=COMMON,
        shown_default="detected from its name and first bytes",
    )
    encoding: str | None = option(
        None,
        "encoding of texts and pages, such as cp1252 or utf-16, whatever they declare; invalid "
        "bytes are reported",
        metavar="NAME",
        shown_default="UTF-8, or what a page declares",
    )
    select: str = option(
        "",
        "index only the elements of HTML pages that match, including navigation in them",
        metavar="CSS",
        shown_default="everything visible except navigation",
    )
    exclude: str = option("", "leave out the elements of HTML pages that match", metavar="CSS")
    drop: Sequence[str] = option((), "parts to leave out of the texts", metavar="WHAT,...")
    add: Sequence[str] = option((), "parts to add to the texts", metavar="WHAT,...")
    follow_links: bool = option(
        False, "follow symbolic links that lead out of a folder that is a source"
    )


@dataclass(frozen=True, kw_only=True)
class Options(ReadingOptions):
    """Options of reading, with the names of the fields of records."""

    fields: Fields = OWN_NAMES

    @property
    def css(self) -> Css:
        """The selectors of the elements of a page that count."""
        return Css(self.select, self.exclude)

    def only_for_sources(self) -> dict[str, object]:
        """Return the options that are set and that apply only to sources, by name. Of documents
        that a program passes directly, only the fields can be chosen.
        """
        names = options_of(ReadingOptions)
        return {name: value for name in names if (value := getattr(self, name))}


DEFAULTS = Options()
