"""The settings that a file was built with, as far as it says them."""

from __future__ import annotations

import struct
from dataclasses import replace

from pocketindex.builder.sections.pocket_file import PocketFile
from pocketindex.builder.settings import DEFAULTS, Settings
from pocketindex.builder.write.perfect_hash import MPHS
from pocketindex.constants import SectionKind
from pocketindex.contents.texts import KEPT
from pocketindex.wording.snippet import CHARACTERS

KEYS_PER_PART = (60_000, 2_000)  # that documents name
_TABLES, _TABLE = 24, struct.Struct("<IIQQ")


def settings_of(file: PocketFile, reading: Settings, keys_per_part: int | None) -> Settings:
    """Return the settings of an update: of reading how sources are read and what the work may take,
    of the file all else. keys_per_part: None for those that the file seems to have.
    """
    stride = file[SectionKind.SKETCHES].parameters
    words = _words(file)
    index = ["documents", *(["passages"] if SectionKind.PASSAGES in file else [])]
    if words is not None:
        index.append(f"words:{words[0]}" if words[0] else "words")
    keep, snippet = _kept(file)
    run_terms, run_window, run_documents = _runs(file)
    tables = file[SectionKind.TABLES]
    mph, checksum_bits = tables.numbers(4, 2)
    return replace(
        reading,
        profile=file.path,
        mph={number: name for name, number in MPHS.items()}[mph],
        checksum_bits=checksum_bits,
        identity_bits=int.from_bytes(stride[8:12], "little"),
        keys_per_part=_keys_per_part(file) if keys_per_part is None else keys_per_part,
        keep=keep,
        snippet=snippet,
        titles=SectionKind.TITLES in file,
        index=tuple(index),
        run_terms=run_terms,
        run_window=run_window,
        run_documents=run_documents,
        title_weight=words[1] if words else DEFAULTS.title_weight,
        url_template=_template(file),
    )


def with_labels(file: PocketFile, settings: Settings, are_new: bool) -> Settings:
    """Return the settings with a field of labels where the file has some, and only there.

    are_new: whether documents are read. Raises ValueError.
    """
    if SectionKind.LABELS in file:
        if settings.fields.label:
            return settings
        if are_new:
            raise ValueError(
                f"{file.path} has labels; name the field that has those of the new documents "
                "with --label, whether or not they have some"
            )
        return replace(settings, fields=replace(settings.fields, label="label"))
    if settings.fields.label:
        raise ValueError(
            f"{file.path} has no labels; leave --label away, or build it again from all texts"
        )
    return settings


def _kept(file: PocketFile) -> tuple[str, int]:
    if SectionKind.TEXTS not in file:
        return "none", CHARACTERS
    kept, characters = file[SectionKind.TEXTS].numbers(4, 2)
    return KEPT[kept], characters or CHARACTERS


def _words(file: PocketFile) -> tuple[int, int] | None:
    """Return the most words of a document, 0 for all, and the title weight."""
    if SectionKind.WORDS not in file:
        return None
    heaviest, _, title_weight = file[SectionKind.WORDS].numbers(24, 3)
    return heaviest, title_weight


def _runs(file: PocketFile) -> tuple[int, int, int]:
    if SectionKind.PASSAGES not in file:
        return DEFAULTS.run_terms, DEFAULTS.run_window, DEFAULTS.run_documents
    terms, window, documents = file[SectionKind.PASSAGES].numbers(48, 3)
    return terms, window, documents


def _template(file: PocketFile) -> str:
    part = file[SectionKind.DOCUMENTS]
    (length,) = part.numbers(4, 1)
    return part.parameters[16 : 16 + length].decode()


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
