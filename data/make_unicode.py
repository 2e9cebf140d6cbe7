"""Make data/unicode.bin and its C headers, cbits/text/unicode/unicode_*.h, the tables of the term streams, from the Unicode
15.0.0 files.

    python data/make_unicode.py [FOLDER]        FOLDER: the Unicode files, default /usr/share/unicode (Debian: unicode-data)

Layout of unicode.bin (docs/format.md 7.1), integers little-endian:

    size         field
    3            Unicode version: 15, 0, 0
    1            version of this layout: 3
    2            lengths of top, middle and entries, in u16 units
    2            ..
    2            ..
    2            number of fold groups
    2            length of folds, in u16 units
    2            number of ranges
    2            number of letters with a plain spelling
    2 each       top: code point >> 9 -> place in middle
    2 each       middle: + (code point >> 4 & 31) -> place in entries
    2 each       entries: + (code point & 15) -> kind << 13 | payload
    4 each       groups: u16 place of the group's first fold in folds, u16 units of each of its folds
    2 each       folds: in UTF-16, shorter ones first, so that a place tells the length
    2 * 192      voicing: for U+3040 + i and U+3099, then U+309A: the low byte of the kana U+30xx that they compose to, 0 for none
    4 each       ranges of the stream `interop`: first code point << 2 | class; a range goes on to the next one
    6 each       plain: a letter, rising, and its plain spelling: one or two letters, or none, with zeros behind it; all in UTF-16

The payload of kind `mapped` is the place of the fold in folds; of any other kind it is the
canonical combining class. Every code point of a fold stands for itself: it is looked up once more
for its kind, but not folded again.
"""

from __future__ import annotations

import argparse
import re
import struct
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from pocketindex.builder.write.folding import LETTERS

VERSION = (15, 0, 0)
LAYOUT = 3
CODE_POINTS = 0x110000
TOP_BITS, MIDDLE_BITS = 9, 4
KANA, KANAS = 0x3040, 192
WIDTHS = {"voicing": 8, "ranges": 32}  # bits of an element, where it is not 16
FORMS = {8: "B", 16: "H", 32: "I"}
IOTA_SUBSCRIPT = 0x345
ZERO_WIDTH_SPACE = 0x200B  # it is there to part words
SYLLABLES = range(0xAC00, 0xD7A4)

SEPARATOR, LETTER, BARE, PAIR, OTHER, MARK, MAPPED, IGNORED = range(8)
BARE_SCRIPTS = {"Latin", "Greek", "Cyrillic", "Arabic", "Hebrew"}
PAIR_SCRIPTS = {"Han", "Hiragana", "Katakana", "Thai", "Lao", "Khmer", "Myanmar"}
PAIR_EXTRAS = {0x30FC, 0x3005}


class Unicode:
    """What the stream needs to know of the Unicode Character Database, read from its files in a
    folder.
    """

    def __init__(self, folder: Path) -> None:
        self.category: dict[int, str] = {}
        self.combining: dict[int, int] = {}
        self.decomposition: dict[int, list[int]] = {}
        self.canonical: dict[int, list[int]] = {}
        self._read_characters(folder)
        self.lower = {
            point: int(to, 16)
            for point, (status, to, *_) in _fields(folder, "CaseFolding")
            if status in ("C", "S")
        }
        self.script = {point: script for point, (script, *_) in _fields(folder, "Scripts")}
        properties = _fields(folder, "DerivedCoreProperties")
        self.removed = {
            point for point, (name, *_) in properties if name == "Default_Ignorable_Code_Point"
        }
        self.removed |= {point for point, category in self.category.items() if category == "Cf"}

    def _read_characters(self, folder: Path) -> None:
        first = 0
        for line in _open(folder / "UnicodeData.txt"):
            code, name, category, combining, _, decomposition, *_ = line.split(";")
            point = int(code, 16)
            if name.endswith(", First>"):
                first = point
                continue
            for each in range(first, point + 1) if name.endswith(", Last>") else (point,):
                self.category[each] = category
                self.combining[each] = int(combining)
            parts = [int(part, 16) for part in decomposition.split() if not part.startswith("<")]
            if parts:
                self.decomposition[point] = parts
                if not decomposition.startswith("<"):
                    self.canonical[point] = parts

    def kind(self, point: int) -> int:
        """The kind of a code point that is its own fold (docs/format.md 7, step 5)."""
        category, script = self.category.get(point, "Cn"), self.script.get(point, "")
        letter, mark = category.startswith("L"), category in ("Mn", "Mc")
        if point in PAIR_EXTRAS or ((letter or mark) and script in PAIR_SCRIPTS):
            return PAIR
        if letter:
            return BARE if script in BARE_SCRIPTS else LETTER
        if mark:
            return MARK
        return OTHER if category in ("Nd", "Pc") else SEPARATOR

    def decompose(self, point: int) -> list[int]:
        """Compatibility decomposition in full, but of Hangul syllables, which UnicodeData.txt does
        not decompose.
        """
        parts = self.decomposition.get(point)
        return (
            [point] if parts is None else [each for part in parts for each in self.decompose(part)]
        )

    def fold(self, point: int) -> list[int]:
        """The fold of a code point (docs/format.md 7, step 2).

        U+0345 keeps its place among the marks until they are sorted (7.1).
        """
        if point in self.removed:
            return []
        lower = [
            each if each == IOTA_SUBSCRIPT else self.lower.get(each, each)
            for each in self.decompose(point)
        ]
        return [each for part in lower for each in self.decompose(part) if each not in self.removed]


def _open(path: Path) -> Iterator[str]:
    try:
        with path.open(encoding="utf-8") as file:
            yield from (line.rstrip("\n") for line in file)
    except FileNotFoundError:
        raise SystemExit(
            f"{path}: no such file. The tables are made from the Unicode {_dotted(VERSION)} files: "
            "install Debian's package unicode-data (apt-get install unicode-data), or give the "
            "folder that holds them."
        ) from None


def _fields(folder: Path, name: str) -> Iterator[tuple[int, list[str]]]:
    """(code point, fields after it) for every code point of a file of the database, whose version
    is checked.
    """
    path = folder / f"{name}.txt"
    for number, line in enumerate(_open(path)):
        if number == 0 and line != f"# {name}-{_dotted(VERSION)}.txt":
            raise SystemExit(
                f"{path}: expected the file of Unicode {_dotted(VERSION)}, found {line!r}. Give "
                "the folder of that version."
            )
        head, *fields = (field.strip() for field in line.partition("#")[0].split(";"))
        if fields:
            first, _, last = head.partition("..")
            for point in range(int(first, 16), int(last or first, 16) + 1):
                yield point, fields


def _dotted(version: Sequence[int]) -> str:
    return ".".join(map(str, version))


def _units(points: Sequence[int]) -> tuple[int, ...]:
    """Code points in UTF-16."""
    data = "".join(map(chr, points)).encode("utf-16-le")
    return struct.unpack(f"<{len(data) // 2}H", data)


def _share(values: Sequence[int], size: int) -> tuple[list[int], list[int]]:
    """Blocks of values laid over one another where they agree: (place of every block, shared
    values).
    """
    text, shared = "".join(map(chr, values)), ""
    places: dict[str, int] = {}
    blocks = [text[start : start + size] for start in range(0, len(text), size)]
    for block in blocks:
        if block not in places:
            if block not in shared:
                shared += block[
                    next(n for n in range(size, -1, -1) if shared.endswith(block[:n])) :
                ]
            places[block] = shared.index(block)
    return [places[block] for block in blocks], list(map(ord, shared))


def _ranges(unicode: Unicode) -> list[int]:
    """Where the class of the stream `interop` changes (docs/format.md 7.2): 0 other, 1 word
    character, 2 letter, 3 removed.
    """
    ranges: list[int] = []
    for point in range(CODE_POINTS):
        category = unicode.category.get(point, "Cn")
        letter, word = category in ("Ll", "Lu", "Lt", "Lo", "Lm"), category in ("Mn", "Nd", "Pc")
        which = 3 if point in unicode.removed else 2 if letter else 1 if word else 0
        if not ranges or ranges[-1] & 3 != which:
            ranges.append(point << 2 | which)
    return ranges


def _voicing(unicode: Unicode) -> list[int]:
    table = [0] * (2 * KANAS)
    for point, parts in unicode.canonical.items():
        if parts[-1] in (0x3099, 0x309A):
            base, mark = parts
            assert KANA <= min(base, point) <= max(base, point) < KANA + KANAS, (
                f"U+{point:04X} does not fit the voicing table"
            )
            table[KANAS * (mark - 0x3099) + base - KANA] = point & 0xFF
    return table


def _plain(folds: dict[int, list[int]]) -> list[int]:
    """The letters of folded text that have a plain spelling, and these."""
    table: list[int] = []
    for point in sorted(LETTERS):
        if folds[point] == [point]:
            units = [point, *map(ord, LETTERS[point])]
            assert len(units) <= 3, f"the plain spelling of U+{point:04X} is too long"
            table += units + [0] * (3 - len(units))
    return table


def arrays(folder: Path) -> dict[str, list[int]]:
    """The arrays of unicode.bin by name, in their order.

    Exits with a message when the files are absent or of another version.
    """
    unicode = Unicode(folder)
    folds = {point: unicode.fold(point) for point in unicode.category.keys() | unicode.removed}
    check(unicode, folds)
    mapped = {_units(fold) for point, fold in folds.items() if fold and fold != [point]}
    places: dict[tuple[int, ...], int] = {}
    groups: list[int] = []
    units: list[int] = []
    for sequence in sorted(mapped, key=lambda sequence: (len(sequence), sequence)):
        if not groups or groups[-1] != len(sequence):
            groups += [len(units), len(sequence)]
        places[sequence] = len(units)
        units += sequence
    assert len(units) < 1 << 13, "a place in folds takes 13 bits"
    entries = [SEPARATOR << 13] * CODE_POINTS
    for point, fold in folds.items():
        if not fold:
            entries[point] = IGNORED << 13
        elif fold != [point]:
            entries[point] = MAPPED << 13 | places[_units(fold)]
        else:
            entries[point] = unicode.kind(point) << 13 | unicode.combining[point]
    entries[ZERO_WIDTH_SPACE] = SEPARATOR << 13
    middle, entries = _share(entries, 1 << MIDDLE_BITS)
    top, middle = _share(middle, 1 << (TOP_BITS - MIDDLE_BITS))
    return {
        "top": top,
        "middle": middle,
        "entries": entries,
        "groups": groups,
        "folds": units,
        "voicing": _voicing(unicode),
        "ranges": _ranges(unicode),
        "plain": _plain(folds),
    }


def check(unicode: Unicode, folds: dict[int, list[int]]) -> None:
    """What terms.c takes for granted and a later Unicode version might change."""
    combining = unicode.combining
    for point, fold in folds.items():
        assert all(folds[each] == [each] for each in fold), (
            f"the fold of U+{point:04X} is not final"
        )
        assert all(each not in SYLLABLES for each in fold) or fold == [point], (
            f"U+{point:04X} folds to a Hangul syllable"
        )
    lowered = {point for point, to in unicode.lower.items() if combining[point] != combining[to]}
    assert lowered == {IOTA_SUBSCRIPT}, (
        "case folding changes the combining class of another code point"
    )
    highest = max(combining.values())
    assert [point for point, each in combining.items() if each == highest] == [IOTA_SUBSCRIPT], (
        "U+0345 is no longer the last mark"
    )
    assert {point for point, each in combining.items() if each == 8} == {0x3099, 0x309A}, (
        "other marks have the class of kana voicing"
    )
    assert all(unicode.kind(point) in (PAIR, MARK) for point, each in combining.items() if each), (
        "a letter has a combining class"
    )
    assert not any(combining.get(point) for point in unicode.removed), (
        "a removed code point has a combining class"
    )


def pack(tables: dict[str, list[int]]) -> bytes:
    """unicode.bin."""
    lengths = [
        len(tables["top"]),
        len(tables["middle"]),
        len(tables["entries"]),
        len(tables["groups"]) // 2,
        len(tables["folds"]),
        len(tables["ranges"]),
        len(tables["plain"]) // 3,
    ]
    data = struct.pack("<4B7H", *VERSION, LAYOUT, *lengths)
    for name, values in tables.items():
        data += struct.pack(f"<{len(values)}{FORMS[WIDTHS.get(name, 16)]}", *values)
    return data


def header(tables: dict[str, list[int]], name: str) -> str:
    """cbits/text/NAME.h: some of the arrays in C."""
    lines = [
        f"/* Of data/unicode.bin as C arrays, made from Unicode {_dotted(VERSION)} by "
        "data/make_unicode.py: do not edit.",
        " * The layout is described there and in docs/format.md 7.1. */",
        f"#ifndef POCKET_{name.upper()}_H",
        f"#define POCKET_{name.upper()}_H",
        "",
        "#include <stdint.h>",
        "",
    ]
    if "groups" in tables:
        lines.append(f"#define UNICODE_GROUPS {len(tables['groups']) // 2}")
    if "ranges" in tables:
        lines.append(f"#define UNICODE_RANGES {len(tables['ranges'])}")
    if "plain" in tables:
        lines.append(f"#define UNICODE_PLAIN {len(tables['plain']) // 3}")
    for array, values in tables.items():
        lines += [
            "",
            f"static const uint{WIDTHS.get(array, 16)}_t unicode_{array}[{len(values)}] = {{",
        ]
        lines += re.findall(r".{1,137},(?: |$)", ", ".join(map(str, values)) + ",")
        lines += ["};"]
    return "\n".join(line.rstrip() for line in [*lines, "", "#endif"]) + "\n"


def main(arguments: Sequence[str] | None = None) -> None:
    root = Path(__file__).resolve().parent.parent
    parser = argparse.ArgumentParser(
        description="Make data/unicode.bin and its C headers from the Unicode 15.0.0 files."
    )
    parser.add_argument(
        "folder",
        nargs="?",
        type=Path,
        default=Path("/usr/share/unicode"),
        help="their folder (default: %(default)s)",
    )
    tables = arrays(parser.parse_args(arguments).folder)
    data = pack(tables)
    (root / "data/unicode.bin").write_bytes(data)
    alone = {f"unicode_{name}": {name: tables.pop(name)} for name in ("ranges", "plain")}
    for name, own in {"unicode_tables": tables, **alone}.items():
        (root / f"cbits/text/unicode/{name}.h").write_text(header(own, name), encoding="ascii")
    sys.stdout.write(f"data/unicode.bin: {len(data)} bytes\n")


if __name__ == "__main__":
    main()
