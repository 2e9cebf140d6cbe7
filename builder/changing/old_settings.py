"""Read the settings that a file was built with, as far as the file has them."""

from __future__ import annotations

import struct
from dataclasses import replace

from pocketindex.builder.passes.writing import SECTIONS
from pocketindex.builder.sections.pocket_file import PocketFile
from pocketindex.builder.settings import DEFAULTS, Settings
from pocketindex.constants import SectionKind
from pocketindex.errors import spelled

KEYS_PER_PART = (60_000, 2_000)  # that documents name
_TABLES, _TABLE = 24, struct.Struct("<IIQQ")


def settings_of(file: PocketFile, reading: Settings, keys_per_part: int | None) -> Settings:
    """Return the settings of an update. How sources are read, and the limits of the work, are those
    of reading; all others are those of the file. keys_per_part: None for the number that the file
    seems to have.
    """
    told = {name: getattr(DEFAULTS, name) for own in SECTIONS for name in own.told}
    index = ["documents"]
    for own in SECTIONS:
        if own.kind in file:
            told |= own.settings_of(file[own.kind])
            if own.index:
                index.append(own.index(file[own.kind]))
    return replace(
        reading,
        profile=file.path,
        keys_per_part=_keys_per_part(file) if keys_per_part is None else keys_per_part,
        index=tuple(index),
        **told,
    )


def with_labels(file: PocketFile, settings: Settings, are_new: bool) -> Settings:
    """Return the settings with a field of labels if the file has labels, and without one otherwise.
    are_new: whether documents are read. Raises ValueError.
    """
    if SectionKind.LABELS in file:
        if settings.fields.label:
            return settings
        if are_new:
            raise ValueError(
                f"{file.path} has labels; name the field that has those of the new documents "
                f"with {spelled('label')}, whether or not they have some"
            )
        return replace(settings, fields=replace(settings.fields, label="label"))
    if settings.fields.label:
        raise ValueError(
            f"{file.path} has no labels; omit {spelled('label')}, or build it again from all texts"
        )
    return settings


def _keys_per_part(file: PocketFile) -> int:
    """Return the keys per part that a file was built with: the first usual size (KEYS_PER_PART)
    that gives as many parts as it has, or else the least that does.
    """
    rows = list[tuple[int, int]]()
    for kind in (SectionKind.TABLES, SectionKind.IDS):
        rest = file[kind].parameters[_TABLES:]
        count = file[kind].numbers(0, 1)[0]
        rows += [(keys, parts) for _, parts, keys, _ in _TABLE.iter_unpack(rest[: 24 * count])]
    for size in KEYS_PER_PART:
        if all(-(-keys // size) == parts for keys, parts in rows):
            return size
    return max((-(-keys // parts) for keys, parts in rows if parts), default=KEYS_PER_PART[0])
