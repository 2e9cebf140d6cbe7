"""Errors name the file, the place, what was expected and what to do; raise_status turns the core's
statuses into them.
"""

from __future__ import annotations

import os
import pickle
import re
from typing import Any

import pocketindex
import pytest
from places import ROOT
from pocketindex import constants, errors
from pocketindex.errors import (
    Damaged,
    FileChanged,
    NeedsCmph,
    NoPassages,
    NotAPocketFile,
    NoWords,
    PocketError,
    TextTooLong,
    TextTooShort,
    TooNew,
    raise_status,
)

STATUS_H = ROOT / "cbits" / "base" / "status.h"

CASES: list[tuple[tuple[Any, ...], type[Exception], str]] = [
    ((1, 4, -1, 0, 0, None), LookupError, "a.pocket: there is no such document"),
    ((1, 5, -1, 0, 0, "id"), LookupError, "a.pocket: there is no such id"),
    ((1, 6, -1, 0, 0, "texts"), LookupError, "a.pocket: the file was built without texts"),
    (
        (2, 0, -1, 5, 3, None),
        TextTooShort,
        (
            "the text has 3 terms besides stop words; 5 are needed to find similar documents, and "
            "no document has exactly this text; give more text"
        ),
    ),
    (
        (3, 0, -1, 0, 268435457, None),
        TextTooLong,
        (
            "the text is too long: expected at most 268435456 bytes, found 268435457; give a part "
            "of "
            "it"
        ),
    ),
    (
        (4, 0, -1, 65536, 65537, "probes"),
        ValueError,
        "a.pocket: probes is outside its documented range: expected at most 65536, found 65537",
    ),
    (
        (4, 0, -1, 1000, 1001, "most hits", "0 .. %"),
        ValueError,
        "a.pocket: most hits is outside its documented range: expected 0 .. 1000, found 1001",
    ),
    ((10, 0, -1, 0, 0, None), MemoryError, "a.pocket: memory ran out"),
    (
        (11, 0, -1, 0, 0, None),
        OSError,
        "a.pocket: the file cannot be opened or read; check that it exists and may be read",
    ),
    (
        (12, 0, -1, 0, 0, None),
        FileChanged,
        "a.pocket: changed: it was written to while open; open it again; replace files by renaming",
    ),
    (
        (14, 0, -1, 0, 0, None),
        PocketError,
        "a.pocket: the call was ended before it was done; ask again",
    ),
    (
        (13, 2, 7, 0, 0, "block"),
        PocketError,
        "a.pocket: section tables, block 7 is not at hand; lend it and ask again",
    ),
    (
        (20, 0, -1, 0, 0, "magic"),
        NotAPocketFile,
        (
            "a.pocket: not a pocket file: its first bytes are wrong; check the path, or copy or "
            "download it again"
        ),
    ),
    (
        (21, 0, -1, 1, 2, "major version"),
        TooNew,
        "a.pocket: too new: major version: expected 1, found 2; upgrade pocketindex",
    ),
    (
        (21, 77, -1, 8, 77, "required section", "1 .. %"),
        TooNew,
        "a.pocket: too new: required section: expected 1 .. 8, found 77; upgrade pocketindex",
    ),
    (
        (21, 1, -1, 0, 0, "scheme"),
        TooNew,
        "a.pocket: too new: this reader does not know its scheme; upgrade pocketindex",
    ),
    (
        (22, 2, -1, 0, 3, "minimal perfect hash"),
        NeedsCmph,
        (
            "a.pocket: its perfect hash cmph-bdz needs libcmph; apt-get install libcmph-dev, and "
            "install pocketindex from its sources with POCKETINDEX_CMPH=1"
        ),
    ),
    (
        (30, 0, -1, 64, 99, "number of sections", "1 .. %"),
        Damaged,
        (
            "a.pocket: damaged: header: number of sections: expected 1 .. 64, found 99; copy or "
            "download the file again"
        ),
    ),
    (
        (30, 0, -1, 0x12AB, 0xFFFFFFFF, "CRC32C"),
        Damaged,
        (
            "a.pocket: damaged: header: CRC32C: expected 0x000012ab, found 0xffffffff; copy or "
            "download the file again"
        ),
    ),
    (
        (31, 0, -1, 5000, 4000, None),
        Damaged,
        (
            "a.pocket: damaged: header: size of the file: expected 5000, found 4000; copy or "
            "download "
            "the file again"
        ),
    ),
    (
        (32, 2, 7, 16, 17, None),
        Damaged,
        (
            "a.pocket: damaged: section tables, block 7: CRC32C: expected 0x00000010, found "
            "0x00000011; copy or download the file again"
        ),
    ),
    (
        (33, 4, -1, 0, 0, "padding"),
        Damaged,
        (
            "a.pocket: damaged: section documents: padding has a value that the format does not "
            "allow; copy or download the file again"
        ),
    ),
    (
        (33, 6, -1, 1, 1, "kept", "a phrase"),
        Damaged,
        (
            "a.pocket: damaged: section texts: kept: expected a phrase, found 1; copy or download "
            "the "
            "file again"
        ),
    ),
    (
        (33, 99, 0, 1, 2, "first"),
        Damaged,
        (
            "a.pocket: damaged: section of kind 99, block 0: first: expected 1, found 2; copy or "
            "download the file again"
        ),
    ),
    (
        (6, 2, -1, 1, 0, "number of tables"),
        ValueError,
        (
            "a.pocket: the file was built without tables, so there is nothing to probe; ask it "
            "without probes"
        ),
    ),
    (
        (7, 9, -1, 1, 0, "sections"),
        NoPassages,
        "a.pocket: expected passages or words, found none; build it with "
        'index=("documents", "passages", "words")',
    ),
    (
        (8, 10, -1, 1, 0, "sections"),
        NoWords,
        'a.pocket: expected words, found none; build it with index=("documents", "words")',
    ),
    (
        (40, 0, -1, 0, 0, None),
        PocketError,
        "a.pocket: a key occurs twice in one part; report this as a bug of the builder",
    ),
    (
        (41, 0, -1, 0, 0, None),
        PocketError,
        (
            "a.pocket: no perfect hash was found for the keys of a part; build with fewer keys a "
            "bucket"
        ),
    ),
    (
        (99, 0, -1, 0, 0, None),
        PocketError,
        "a.pocket: unknown status 99 from the core; reinstall pocketindex",
    ),
]


@pytest.mark.parametrize(("status", "kind", "message"), CASES)
def test_statuses_become_errors(
    status: tuple[Any, ...], kind: type[Exception], message: str
) -> None:
    with pytest.raises(kind) as caught:
        raise_status("a.pocket", *status)

    assert type(caught.value) is kind
    assert str(caught.value) == message
    assert str(pickle.loads(pickle.dumps(caught.value))) == message


def test_every_error_can_be_imported_from_the_package() -> None:
    kinds = {name: kind for name, kind in vars(errors).items() if isinstance(kind, type)}
    named = {name for name in kinds if issubclass(kinds[name], PocketError) and name[0] != "_"}

    assert named <= set(pocketindex.__all__)
    assert all(getattr(pocketindex, name) is getattr(errors, name) for name in named)


def test_success_raises_nothing() -> None:
    raise_status("a.pocket", 0)


def test_every_status_of_the_core_has_its_error() -> None:
    numbers = {int(number) for number in re.findall(r"X\(POCKET_\w+, (\d+),", STATUS_H.read_text())}

    assert numbers == {0} | {status[0] for status, _, _ in CASES} - {99}


def test_a_damaged_file_tells_its_place() -> None:
    with pytest.raises(Damaged) as caught:
        raise_status("a.pocket", 32, 3, 12, 1, 2, "CRC32C")
    error = caught.value

    assert (error.path, error.section, error.block, error.field) == (
        "a.pocket",
        "sketches",
        12,
        "CRC32C",
    )
    assert (error.expected, error.found) == (1, 2)


def test_texts_are_also_value_errors() -> None:
    assert issubclass(TextTooShort, ValueError)
    assert issubclass(TextTooLong, ValueError)
    assert issubclass(TextTooShort, PocketError)
    assert issubclass(TextTooLong, PocketError)


def test_a_file_of_another_kind_is_told_by_its_first_bytes() -> None:
    assert "it is compressed with xz;" in str(NotAPocketFile("a", b"\xfd7zXZ\0"))
    with pytest.raises(NotAPocketFile, match="it is compressed with gzip; unpack it first: gunz"):
        raise_status("a", 20, found=0x088B1F)
    assert len(constants.MAGIC) == 8


def test_a_manifest_in_place_of_a_file_is_known() -> None:
    said = str(NotAPocketFile("out/manifest.json", b'{"format'))

    assert said.endswith("not a pocket file; give the shards that this manifest names")


def test_what_is_no_regular_file_is_said() -> None:
    with pytest.raises(OSError, match=f"{os.devnull}: it is no regular file, as a pipe is none"):
        pocketindex.open(os.devnull)
