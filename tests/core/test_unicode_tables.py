"""data/unicode.bin and the C headers of its arrays are what data/make_unicode.py makes of the
Unicode 15.0.0 files.
"""

from __future__ import annotations

import importlib.util
import re
import struct
from functools import cache
from pathlib import Path
from types import ModuleType

import pytest
from places import ROOT
from plain.terms import tables

FILES = Path("/usr/share/unicode")
DATA = (ROOT / "data/unicode.bin").read_bytes()
HEADERS = {
    name: (ROOT / f"cbits/text/unicode/{name}.h").read_text()
    for name in ("unicode_tables", "unicode_ranges", "unicode_plain")
}


@cache
def script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("make_unicode", ROOT / "data/make_unicode.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@cache
def made() -> dict[str, list[int]]:
    if not (FILES / "UnicodeData.txt").exists():
        pytest.skip("needs the Debian package unicode-data: apt-get install unicode-data")
    first_line = (FILES / "Scripts.txt").read_text().partition("\n")[0]
    if "15.0.0" not in first_line:
        pytest.skip(
            f"needs the Debian package unicode-data of Unicode 15.0.0, found {first_line!r}"
        )
    tables: dict[str, list[int]] = script().arrays(FILES)
    return tables


def test_the_script_makes_unicode_bin() -> None:
    assert script().pack(made()) == DATA


def test_the_script_makes_the_c_headers() -> None:
    tables = dict(made())
    for name in ("ranges", "plain"):
        own = {name: tables.pop(name)}
        assert script().header(own, f"unicode_{name}") == HEADERS[f"unicode_{name}"]
    assert script().header(tables, "unicode_tables") == HEADERS["unicode_tables"]


def test_the_c_headers_have_the_bytes_of_unicode_bin() -> None:
    text = "".join(HEADERS.values())
    found = re.findall(r"uint(8|16|32)_t unicode_(\w+)\[(\d+)\] = \{(.*?)\};", text, re.DOTALL)
    values = [
        (width, list(map(int, numbers.replace(",", " ").split()))) for width, _, _, numbers in found
    ]
    assert [name for _, name, _, _ in found] == [
        "top",
        "middle",
        "entries",
        "groups",
        "folds",
        "voicing",
        "ranges",
        "plain",
    ]
    assert [int(size) for _, _, size, _ in found] == [len(numbers) for _, numbers in values]
    assert f"#define UNICODE_GROUPS {struct.unpack_from('<H', DATA, 10)[0]}\n" in text
    assert f"#define UNICODE_RANGES {struct.unpack_from('<H', DATA, 14)[0]}\n" in text
    assert f"#define UNICODE_PLAIN {struct.unpack_from('<H', DATA, 16)[0]}\n" in text
    assert (
        b"".join(
            struct.pack(f"<{len(numbers)}{ {'8': 'B', '16': 'H', '32': 'I'}[width] }", *numbers)
            for width, numbers in values
        )
        == DATA[18:]
    )


def test_a_plain_spelling_has_no_more_bytes_than_the_word() -> None:
    """The core writes it to as much memory."""
    for letter, spelled in tables().plain.items():
        assert len(spelled.encode()) <= len(chr(letter).encode())


def test_unicode_bin_is_small_and_tells_its_version() -> None:
    assert DATA[:4] == bytes([15, 0, 0, 3])
    assert len(DATA) <= 57 << 10


def test_without_the_unicode_files_the_script_says_how_to_get_them(tmp_path: Path) -> None:
    with pytest.raises(SystemExit) as failure:
        script().main([str(tmp_path)])
    assert str(failure.value) == (
        f"{tmp_path}/UnicodeData.txt: no such file. The tables are made from the Unicode 15.0.0 "
        "files: install Debian's package "
        "unicode-data (apt-get install unicode-data), or give the folder that holds them."
    )


def test_files_of_another_version_are_refused(tmp_path: Path) -> None:
    (tmp_path / "UnicodeData.txt").write_text("0041;LATIN CAPITAL LETTER A;Lu;0;L;;;;;N;;;;0061;\n")
    (tmp_path / "CaseFolding.txt").write_text("# CaseFolding-16.0.0.txt\n0041; C; 0061; #\n")
    with pytest.raises(SystemExit) as failure:
        script().arrays(tmp_path)
    assert str(failure.value) == (
        f"{tmp_path}/CaseFolding.txt: expected the file of Unicode 15.0.0, found '# "
        "CaseFolding-16.0.0.txt'. "
        "Give the folder of that version."
    )


def test_what_the_core_takes_for_granted_is_checked() -> None:
    made()
    with pytest.raises(AssertionError, match=r"the fold of U\+0041 is not final"):
        script().check(script().Unicode(FILES), {0x41: [0x61], 0x61: [0x62], 0x62: [0x62]})
