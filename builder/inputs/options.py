"""The options by which a user says how sources are read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from pocketindex.builder.inputs.fields import OWN_NAMES, FieldNames, Fields
from pocketindex.options import ALL, COMMON, OptionError, option, options_of
from pocketindex.options import Options as Table

OF_SOURCE = "source_"  # what the names of SourceOptions begin with


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
        "format of the input (`pocketindex build --help-all` lists them)",
        metavar="FORMAT",
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


def _own(table: type, name: str) -> Any:
    """Declare an option of reading once more, for what is read beside the items."""
    return replace(options_of(table)[name], dest="", shown=ALL).field()


@dataclass(frozen=True, kw_only=True)
class SourceOptions(Table):
    """How a collection is read beside the items that are looked for in it. All else that says how
    the items are read holds for both: what counts as text, and what is read of a folder.
    """

    source_id: str | None = _own(FieldNames, "id")
    source_title: str | None = _own(FieldNames, "title")
    source_text: str | None = _own(FieldNames, "text")
    source_url: str | None = _own(FieldNames, "url")
    source_format: str | None = _own(ReadingOptions, "format")
    source_encoding: str | None = _own(ReadingOptions, "encoding")

    def of_source(self) -> dict[str, Any]:
        """Return the options for reading the source, which may differ from those for the items, by
        their names in Options.
        """
        own = {name: getattr(self, name) for name in options_of(SourceOptions)}
        own = {name.removeprefix(OF_SOURCE): value for name, value in own.items()}
        format, encoding = own.pop("format"), own.pop("encoding")
        fields = Fields(**own, prefix=OF_SOURCE)
        return {"format": format, "encoding": encoding, "fields": fields}

    def check_unused(self) -> None:
        """Raise OptionError where one of these is given; there is no source."""
        for name, one in options_of(SourceOptions).items():
            if getattr(self, name) is not None:
                text = f"{{{name}}} says how a {{source}} is read; give {{source}}"
                raise OptionError(text, (), {name: one.flag, "source": "--source"})


# options that hold for the collection and for the items
SHARED = [n for n in options_of(ReadingOptions) if OF_SOURCE + n not in options_of(SourceOptions)]


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
