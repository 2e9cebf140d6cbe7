"""A writer of tiny pocket files after docs/format.md, for tests only: slow, literal, and sharing no
code with the reader or the builder.

`write` makes a file from documents, a profile and settings; `sections` and `assemble`
(plain_layout.py) are its two halves, so that a test can change a field in between and get a file
whose checksums agree with the fault.
"""

from __future__ import annotations

import struct
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import floor, prod

from known_terms import terms_of
from optional_sections import copy_key, optional
from plain_layout import FF, PILOT, Section, Settings, Text, assemble, murmur, pack, pad
from plain_tables import tables

# 2. Profile


def profile(ff: FF) -> bytes:
    slots = [0] * ff.stop_slots
    for word in ff.stops if slots else ():
        at = murmur(word.encode()) % len(slots)
        while slots[at]:
            at = (at + 1) % len(slots)
        slots[at] = murmur(word.encode())
    borders = [border for _, values in ff.components for border in values]
    name = ff.name.encode()
    counts = (
        len(ff.tables),
        0,
        len(ff.components),
        len(borders),
        len(slots),
        ff.least_terms,
        len(name),
    )
    classes, stream = len(ff.expectation), 5 if ff.marks else 1
    return b"".join(
        pad(array)
        for array in (
            struct.pack("<HHHHIIIIHH4x", 1, stream, *counts, sum(map(len, ff.tables)) // 2),
            name,
            struct.pack(f"<{len(slots)}Q", *slots),
            b"".join(
                struct.pack("<HH", table[i], table[i + 1] | (1 << 14 if i else 0))
                for table in ff.tables
                for i in range(0, len(table), 2)
            ),
            b"".join(
                struct.pack("<HH", source, len(values) + 1) for source, values in ff.components
            ),
            struct.pack(f"<{len(borders)}i", *borders),
            struct.pack(f"<IIII{classes}I", ff.prefix, len(ff.bins), classes, 0, *ff.expectation)
            + bytes(ff.bins),
        )
    )


@dataclass(frozen=True)
class Digit:
    """A component of a text: its digit, the cost of each direction (-1, 1) that there is."""

    value: int
    costs: dict[int, int]


def sketch(ff: FF, text: str) -> list[Digit]:
    words = [term for term in terms_of(text, ff.marks) if term.decode() not in ff.stops]
    counts: Counter[int] = Counter()
    for word in words:
        counts[ff.bins[murmur(word.decode()[: ff.prefix].encode()) % len(ff.bins)]] += 1
    n, digits = len(words), []
    for source, borders in ff.components:
        expectation, share = ff.expectation[source], Fraction(counts[source] * 2**32, n)
        targets = [
            min(2**32 - 1, expectation + floor(Fraction(expectation * border, 65_536)))
            for border in borders
        ]
        value = len([target for target in targets if share >= target])

        def cost(target: int, share: Fraction = share, expectation: int = expectation) -> int:
            near = floor(abs(share - target)) // 16
            return min(2**32 - 1, near * near // expectation + 1)

        costs = {}
        if value > 0:
            costs[-1] = cost(targets[value - 1])
        if value < len(targets):
            costs[1] = cost(targets[value])
        digits.append(Digit(value, costs))
    return digits


def sub_key(digits: Sequence[int], intervals: Sequence[int]) -> int:
    if prod(intervals) > 2**64:
        return murmur(bytes(digits))
    key = 0
    for digit, interval in zip(reversed(digits), reversed(intervals), strict=True):
        key = key * interval + digit
    return key


# 4, 5, 6 and the whole


def sketches(
    ff: FF, documents: Sequence[Text], rows: Sequence[Sequence[Digit]], settings: Settings
) -> Section:
    widths = [len(f"{len(borders):b}") for _, borders in ff.components]
    packed = [
        pack((digit.value, width) for digit, width in zip(digits, widths, strict=True))
        for digits in rows
    ]
    beside = [
        (murmur(document.text.encode()) % (1 << settings.identity_bits)).to_bytes(
            settings.identity_bits // 8, "little"
        )
        for document in documents
    ]
    stride = (sum(widths) + 7) // 8 + settings.identity_bits // 8
    parameters = struct.pack(
        "<4I", len(documents), stride, settings.identity_bits, settings.per_block
    )
    blocks = (
        (first, b"".join([*packed[first:end], *beside[first:end]]))
        for first in range(0, len(packed), settings.per_block)
        for end in [first + settings.per_block]
    )
    return Section(3, parameters, tuple(blocks))


def record(document: Text, symbols: Sequence[bytes] = ()) -> bytes:
    """Packed from left to right with the first symbol that fits; the format allows any way."""
    fields = [value.encode() for value in (document.title, document.id, document.url)]
    data, packed = b"\xfe".join(fields if fields[2] else fields[:2]), b""
    while data:
        code = next((code for code, symbol in enumerate(symbols) if data.startswith(symbol)), None)
        packed += bytes([254, data[0]]) if code is None else bytes([code])
        data = data[1 if code is None else len(symbols[code]) :]
    return packed + b"\xff"


def titles(documents: Sequence[Text], settings: Settings) -> Section:
    template = settings.template.encode()
    groups: list[tuple[int, bytes]] = []
    for number, document in enumerate(documents):
        if not groups or len(groups[-1][1]) >= settings.content:
            groups.append((number, b""))
        groups[-1] = (groups[-1][0], groups[-1][1] + record(document, settings.symbols))
    counts = struct.pack("<IIII", len(documents), len(template), len(settings.symbols), 0)
    parameters = pad(
        counts + template + bytes(map(len, settings.symbols)) + b"".join(settings.symbols)
    )
    return Section(4, parameters, tuple(groups))


def in_order(documents: Sequence[Text], ff: FF) -> tuple[list[Text], list[Text]]:
    """The documents that have a sketch, and the others, both as they lie in the file."""

    def terms(document: Text) -> int:
        return len(
            [term for term in terms_of(document.text, ff.marks) if term.decode() not in ff.stops]
        )

    def key(document: Text) -> tuple[bool, int]:
        own = copy_key(document.text)
        return own is None, own or 0

    short = [document for document in documents if terms(document) < ff.least_terms]
    return [one for one in documents if one not in short], sorted(short, key=key)


def sections(documents: Sequence[Text], ff: FF, settings: Settings) -> list[Section]:
    sketched, short = in_order(documents, ff)
    documents = [*sketched, *short]
    rows = [sketch(ff, document.text) for document in sketched]
    members = [(ff.members(table), ff.intervals(table)) for table in range(len(ff.tables))]
    keys = [
        [sub_key([digits[j].value for j in own], intervals) for digits in rows]
        for own, intervals in members
    ]
    ids = replace(settings, mph=PILOT, checksum_bits=8, default_probes=1)
    return [
        Section(1, profile(ff)),
        tables(2, keys, settings),
        sketches(ff, sketched, rows, settings),
        titles(documents, settings),
        tables(5, [[murmur(document.id.encode()) for document in documents]], ids),
        *optional(documents, len(sketched), settings),
    ]


def write(
    documents: Sequence[Text], ff: FF | None = None, settings: Settings | None = None
) -> bytes:
    return assemble(sections(documents, ff or FF(), settings or Settings()))
