"""pocket_describe says in C what the exceptions of Python say, and cuts nothing but the end."""

from __future__ import annotations

import itertools

import pocketindex
import pytest
from places import ROOT
from pocketindex.cbits import ffi, lib
from pocketindex.constants import Status
from pocketindex.errors import as_typed, raise_status

# What Python says otherwise: of its own installation, in its own vocabulary, or with the first
# bytes of the file.
OTHERWISE = {
    Status.IO: "cannot open the file: ",
    Status.NOT_POCKET: "not a pocket file: expected the first bytes 89 50 43 4b 54 0d 0a 1a; ",
    Status.NEEDS_CMPH: "its perfect hash needs libcmph; build the file again with --set mph=pilot",
    Status.NO_PASSAGES: "expected passages or words, found none; build it with --index ",
    Status.NO_WORDS: "expected words, found none; build it with --index documents,words",
}
FIELDS = (None, "CRC32C", "head checksum", "file size", "document", "labels", "id")


REFUSED = (LookupError, ValueError, MemoryError, OSError, pocketindex.PocketError)


def described(size: int = 512, /, **fields: object) -> tuple[str, int]:
    """What C says of an error, in so many bytes, and how long the whole text is."""
    kept = {
        name: ffi.new("char[]", value) for name, value in fields.items() if type(value) is bytes
    }
    error = ffi.new("pocket_error *", {**fields, **kept})
    room = ffi.new("char[]", size + 1)
    room[size] = b"!"
    length = lib.pocket_describe(error, room, size)
    assert room[size] == b"!", "written beyond the room"
    return ffi.string(room).decode() if size else "", length


def by_python(path: str, **fields: object) -> str:
    named = {name: v.decode() if type(v) is bytes else v for name, v in fields.items()}
    with pytest.raises(REFUSED) as raised:
        raise_status(path, **named)  # type: ignore[arg-type]
    with as_typed():
        return str(raised.value).removeprefix(f"{path}: ")


@pytest.mark.parametrize("status", [one for one in Status if 0 < one < Status.DUPLICATE_KEY])
def test_c_says_what_python_says(status: Status) -> None:
    seen = set()
    for section, block, field, (expected, found), allowed in itertools.product(
        (0, 3, 99), (-1, 0, 7), FIELDS, ((1, 2), (3, 3), (0xFFFFFFFF, 1)), (None, b"1 .. %")
    ):
        if status == Status.NOT_AT_HAND and (section == 0 or block < 0):
            continue  # only a block can be lent
        error = {
            "status": int(status),
            "section": section,
            "block": block,
            "field": field.encode() if field else ffi.NULL,
            "expected": expected,
            "found": found,
            "allowed": allowed or ffi.NULL,
        }
        text, length = described(**error)
        plain = {name: None if value is ffi.NULL else value for name, value in error.items()}
        assert length == len(text) < 300
        assert text.strip(" .") == text
        seen.add(text)
        if status not in OTHERWISE:
            assert text == by_python("a.pocket", **plain)
        elif status != Status.IO:
            assert text.startswith(OTHERWISE[status])
    assert seen


def test_the_systems_words_are_told() -> None:
    text, _ = described(status=Status.IO, block=-1, field=b"open the file", found=2)

    assert text == "cannot open the file: No such file or directory"


def test_other_statuses_are_their_sentences() -> None:
    assert described(status=99, block=-1)[0] == "Unknown status."
    assert described(status=Status.DUPLICATE_KEY, block=-1)[0] == "A key occurs twice."
    assert described(status=0, block=-1)[0] == "Success."


def test_what_does_not_fit_is_cut_off() -> None:
    whole, length = described(status=Status.FILE_CHANGED, block=-1)

    for size in range(length + 3):
        assert described(size, status=Status.FILE_CHANGED, block=-1) == (
            whole[: max(0, size - 1)],
            length,
        )


def test_a_short_text_is_told_with_its_terms() -> None:
    path = ROOT / "tests" / "golden" / "hashed.pocket"
    handle, error = ffi.new("pocket_index **"), ffi.new("pocket_error *")
    assert lib.pocket_open_path(str(path).encode(), handle, error) == 0
    hits, count = ffi.new("pocket_hit[1]"), ffi.new("uint32_t *", 1)
    room = ffi.new("char[512]")
    try:
        for text, terms in ((b"", "0 terms"), (b"alpha", "1 term")):
            count[0] = 1
            status = lib.pocket_query(handle[0], text, len(text), ffi.NULL, hits, count, error)
            lib.pocket_describe(error, room, 512)
            assert status == error.status == Status.TEXT_TOO_SHORT
            assert (
                ffi.string(room).decode().startswith(f"the text has {terms} besides stop words; 3")
            )
    finally:
        lib.pocket_close(handle[0])


def test_header_and_library_tell_the_version_of_the_package() -> None:
    header = (ROOT / "cbits" / "pocket.h").read_text(encoding="utf-8")

    assert f'#define POCKET_VERSION "{pocketindex.__version__}"\n' in header
    assert ffi.string(lib.pocket_version()).decode() == pocketindex.__version__
