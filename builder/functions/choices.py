"""What functions take as keywords: the names of the command's options, with _ for -."""

from __future__ import annotations

import dataclasses
import difflib
import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypedDict

from pocketindex.arguments import check_fields, path_of
from pocketindex.builder.inputs.fields import PARTS, Fields
from pocketindex.builder.schemes import SCHEMES
from pocketindex.builder.settings import Settings, check_url_template


class FieldNames(TypedDict, total=False):
    """The field of a record, column of a table or attribute of an object that is each part of a
    document.

    Without a name it is that of the very name; a date is read only where it is named, and
    so are labels.
    """

    id: str
    title: str
    text: str
    url: str
    date: str
    lang: str
    label: str


class SourceChoices(FieldNames, total=False):
    """What decides how a collection is read beside the items that are looked for in it."""

    format: str | None
    encoding: str | None


class Reading(FieldNames, total=False):
    """What decides how documents are read; Settings defines what is not a name of a field."""

    format: str | None
    encoding: str | None
    select: str
    exclude: str
    drop: Sequence[str]
    follow_links: bool
    add: Sequence[str]
    max_memory: int
    threads: int | None


class Updating(Reading, total=False):
    """What decides how an update is done; the file decides all else."""

    strict: bool
    keep_going: bool
    force: bool


class SchemeChoices(TypedDict, total=False):
    """Choices of the schemes; their settings define them (`pocketindex build --help-all`)."""

    shape: str
    tables: int
    bits: int
    components: int
    cells: int
    classes: int
    prefix: int
    borders: Sequence[Sequence[float]]
    functions: int
    form: str
    width: float
    intervals: int
    bands: int
    rows: int
    shingle: int
    least_terms: int


class BuildChoices(Reading, SchemeChoices, total=False):
    """What decides a file; Settings defines what is not of the above."""

    scheme: str
    profile: str | os.PathLike[str]
    detect_language: bool
    mph: str
    checksum_bits: int | None
    identity_bits: int
    shared_bits: int
    keys_per_part: int
    probes: int | None
    sample: int
    keep: str
    snippet: int
    titles: bool
    index: Sequence[str]
    run_terms: int
    run_window: int
    run_documents: int
    title_weight: int
    url_template: str
    strict: bool
    keep_going: bool
    refuse_shrink: bool
    force: bool
    measure: bool


_OWN = {field.name for field in dataclasses.fields(Settings)} - {"fields", "scheme_settings"}
_OF_SCHEMES = {name for one in SCHEMES.values() for name in one.settings.__dataclass_fields__}


def settings_of(choices: Mapping[str, Any], known: type | None = None) -> Settings:
    """Return the settings that keywords make.

    known: the class of those that a function takes. Raises TypeError for a keyword that there is
    not, with the nearest one; ValueError for a value that is not allowed.
    """
    names = set((known or BuildChoices).__annotations__)
    for name in choices:
        if name not in names:
            near = difflib.get_close_matches(name, names, 1)
            meant = f"; is {near[0]!r} meant?" if near else ""
            raise TypeError(
                f"there is no choice {name!r}{meant} (known: {', '.join(sorted(names))})"
            )
    given: dict[str, Any] = {name: choices[name] for name in choices if name in _OWN}
    for name in ("drop", "add", "index"):
        if isinstance(given.get(name), str):
            given[name] = tuple(filter(None, given[name].split(",")))
        elif isinstance(given.get(name), Iterable):
            given[name] = tuple(given[name])
    if "profile" in given:
        given["profile"] = path_of("profile", given["profile"])
    scheme = given.get("scheme", "rff")
    of_scheme = {name: choices[name] for name in choices if name in _OF_SCHEMES}
    if of_scheme and isinstance(scheme, str) and scheme in SCHEMES:
        kind = SCHEMES[scheme].settings
        for name in of_scheme:
            if name not in kind.__dataclass_fields__:
                raise ValueError(f"{name} is no choice of scheme {scheme}")
        given["scheme_settings"] = kind(**of_scheme)
    named: dict[str, Any] = {part: choices.get(part) for part in PARTS}
    fields = Fields(**named, python=True)
    check_fields(fields)
    settings = Settings(fields=fields, **given)
    check_url_template(settings.url_template)
    return settings
