"""What functions take as keywords: the options of the command, with _ for -."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pocketindex.builder.inputs.fields import PARTS, FieldNames, Fields
from pocketindex.builder.inputs.options import ReadingOptions
from pocketindex.builder.options import BuildOptions, Path, RecordOptions, WorkOptions
from pocketindex.builder.schemes import SchemeOptions
from pocketindex.builder.schemes import settings_of as scheme_settings
from pocketindex.builder.settings import Settings
from pocketindex.keywords import Keywords
from pocketindex.options import COMMON, Options, option, options_of


@dataclass(frozen=True, kw_only=True)
class Shown(Options):
    """Whether progress is shown."""

    progress: bool | None = option(None, "show a bar; None shows one where somebody looks")


@dataclass(frozen=True, kw_only=True)
class Resumed(Options):
    """Whether work that was killed is continued."""

    resume: bool = option(
        False,
        "continue the same command after it was killed; the bytes are the same",
        shown=COMMON,
    )


@dataclass(frozen=True, kw_only=True)
class Skipped(Options):
    """Where is listed what is left out."""

    skipped: Path | None = option(
        None,
        "list every record that is left out or changed, and every page that loses more than a "
        "fifth of its words, one per line with place and reason, also if an error ends the work",
        metavar="FILE.jsonl",
    )


@dataclass(frozen=True, kw_only=True)
class Reading(Keywords, WorkOptions, ReadingOptions, FieldNames):
    """The options of reading documents, and of the time and memory that the work may take."""


@dataclass(frozen=True, kw_only=True)
class Updating(Reading, RecordOptions):
    """How an update is done; the file decides all else."""


@dataclass(frozen=True, kw_only=True)
class BuildChoices(Keywords, SchemeOptions, BuildOptions, FieldNames):
    """The options that decide the bytes of a pocket file."""


def settings_of(keywords: Keywords) -> Settings:
    """Return the settings that the arguments of a call make.

    Raises TypeError and OptionError for a value that is not allowed.
    """
    given: dict[str, Any] = {name: getattr(keywords, name) for name in keywords.given}
    # A call may have an option of its own by the name of one of a build, as dedup has keep.
    declared = options_of(type(keywords))
    own = {
        name: given[name]
        for name, one in options_of(Settings).items()
        if name in given and declared.get(name) == one
    }
    if isinstance(keywords, SchemeOptions):
        own["scheme_settings"] = scheme_settings(own.get("scheme", "rff"), keywords)
    named: dict[str, Any] = {part: given.get(part) for part in PARTS}
    fields = Fields(**named)
    settings = Settings(fields=fields, **own)
    settings.check_choices(own)
    return settings
