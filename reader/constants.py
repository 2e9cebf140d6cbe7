"""The numbers of the format and of the core; written by cbits/make_constants.py."""

from __future__ import annotations

from enum import IntEnum

MAGIC = bytes([0x89, 0x50, 0x43, 0x4B, 0x54, 0x0D, 0x0A, 0x1A])
# of a sketch: what a scan compares (docs/format.md, section 4)
COARSE_BYTES = 16
MOST_SOURCES = 1000
DEFAULT_SOURCES = 100


class SectionKind(IntEnum):
    """The sections of a file (docs/format.md 1.2)."""

    PROFILE = 1
    TABLES = 2
    SKETCHES = 3
    DOCUMENTS = 4
    IDS = 5
    TEXTS = 6
    TITLES = 7
    CELLS = 8
    PASSAGES = 9
    WORDS = 10
    LABELS = 11
    COPIES = 12


class Status(IntEnum):
    """What calls of the core return (status.h)."""

    OK = 0
    NOT_FOUND = 1
    TEXT_TOO_SHORT = 2
    TEXT_TOO_LONG = 3
    BAD_ARGUMENT = 4
    NO_TABLES = 6
    NO_PASSAGES = 7
    NO_WORDS = 8
    NO_MEMORY = 10
    IO = 11
    FILE_CHANGED = 12
    NOT_AT_HAND = 13
    INTERRUPTED = 14
    NOT_POCKET = 20
    TOO_NEW = 21
    NEEDS_CMPH = 22
    DAMAGED_HEADER = 30
    DAMAGED_LENGTH = 31
    DAMAGED_CHECKSUM = 32
    DAMAGED_FIELD = 33
    DUPLICATE_KEY = 40
    HASH_FAILED = 41
