"""A writer of tiny pocket files after docs/format.md, for tests only: slow, literal, and sharing no
code with the reader or the builder.

`write` makes a file from documents, a profile and settings; `sections` and `assemble` are its two
halves, so that a test can change a field in between and get a file whose checksums agree with the
fault.
"""

from __future__ import annotations

import struct
import zlib
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import floor, prod

import mmh3
from known_terms import terms_of, words_of
from pocketindex.plain.titles import title_key
from word_blocks import WordSettings, section_of

PILOT, BMZ = 1, 2


@dataclass(frozen=True)
class Text:
    id: str
    text: str
    title: str = ""
    url: str = ""
    labels: tuple[str, ...] = ()


@dataclass(frozen=True)
class FF:
    """An `ff` profile.

    components: (source, borders), the borders in units of 1/65536; tables: (first component, number
    of them), and as many such pairs more as a sub-key has rows.
    """

    name: str = "test"
    stops: tuple[str, ...] = ("the", "of", "and")
    stop_slots: int = 4
    least_terms: int = 1
    prefix: int = 1
    expectation: tuple[int, ...] = (2**30, 2**30, 2**31)
    bins: tuple[int, ...] = tuple(i * 7 % 3 for i in range(256))
    components: tuple[tuple[int, tuple[int, ...]], ...] = (
        (0, (0,)),
        (1, (-20_000, 30_000)),
        (2, (-30_000, -5_000, 20_000)),
        (2, (1_000,)),
        (1, (-65_536, 0, 30_000, 65_536)),
    )
    tables: tuple[tuple[int, ...], ...] = ((0, 3), (2, 3))

    def members(self, table: int) -> list[int]:
        """The components of a sub-key."""
        rows = self.tables[table]
        return [
            j
            for first, count in zip(rows[::2], rows[1::2], strict=True)
            for j in range(first, first + count)
        ]

    def intervals(self, table: int) -> list[int]:
        return [len(self.components[j][1]) + 1 for j in self.members(table)]


@dataclass(frozen=True)
class Settings:
    """How a file is laid out.

    part_keys: the most keys of a part; mph above 1 gets bytes and slots that no hash made; content:
    bytes of a block of documents, above which the next begins; symbols: of documents; keep: text,
    snippet; titles: entries of a block of the titles section, 0 for none; passages: terms of a run,
    runs of a window, the most documents of a run; words: how words are collected and laid out
    (word_blocks.py); labels: of a block of labels, and documents of a block.
    """

    mph: int = PILOT
    checksum_bits: int = 16
    part_keys: int = 60
    identity_bits: int = 32
    shared_bits: int = 0
    posting_bits: int = 7
    default_probes: int = 4
    per_block: int = 3
    content: int = 60
    template: str = ""
    symbols: tuple[bytes, ...] = (b"doc-", b"\xfe", b"a", b"e")
    keep: str = ""
    characters: int = 0
    room: int = 64
    titles: int = 0
    passages: tuple[int, int, int] | None = None
    words: WordSettings | None = None
    labels: tuple[int, int] | None = None


@dataclass(frozen=True)
class Section:
    kind: int
    parameters: bytes
    blocks: tuple[tuple[int, bytes], ...] = ()
    flags: int = 1
    changes: dict[str, int] = field(default_factory=dict)
    """Fields to write instead: offset, length, parameters, blocks, checksum, reserved."""


def murmur(data: bytes) -> int:
    return mmh3.hash64(data, 0, signed=False)[0]


def mix(x: int) -> int:
    x = (x ^ x >> 32) * 0xD6E8FEB86659FD93 & 2**64 - 1
    x = (x ^ x >> 32) * 0xD6E8FEB86659FD93 & 2**64 - 1
    return x ^ x >> 32


def crc32c(data: bytes) -> int:
    crc = 0xFFFFFFFF
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ (0x82F63B78 if crc & 1 else 0)
    return crc ^ 0xFFFFFFFF


def pad(data: bytes) -> bytes:
    return data + bytes(-len(data) % 8)


def pack(values: Iterable[tuple[int, int]]) -> bytes:
    """(value, width) from the least significant bit of the first byte upward."""
    total = shift = 0
    for value, width in values:
        assert value < 1 << width
        total |= value << shift
        shift += width
    return total.to_bytes((shift + 7) // 8, "little")


# 1. Layout


def assemble(
    sections: Sequence[Section], major: int = 1, minor: int = 0, reserved: int = 0
) -> bytes:
    start = 32 + 40 * len(sections)
    table, body = b"", b""
    for section in sections:
        directory, end = b"", 0
        for first, block in section.blocks:
            end += len(block)
            directory += struct.pack("<QQI", first, end, crc32c(block))
        head = section.parameters + directory
        content = head + b"".join(block for _, block in section.blocks)
        body = pad(body)
        values = {
            "offset": start + len(body),
            "length": len(content),
            "parameters": len(section.parameters),
            "blocks": len(section.blocks),
            "checksum": crc32c(head),
            "reserved": 0,
        } | section.changes
        table += struct.pack("<IIQQIIII", section.kind, section.flags, *values.values())
        body += content
    size = start + len(body)
    header = b"\x89PCKT\r\n\x1a" + struct.pack(
        "<HHIQI", major, minor, len(sections), size, reserved
    )
    return header + struct.pack("<I", crc32c(header + table)) + table + body


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
    classes = len(ff.expectation)
    return b"".join(
        pad(array)
        for array in (
            struct.pack("<HHHHIIIIHH4x", 1, 1, *counts, sum(map(len, ff.tables)) // 2),
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
    words = [term for term in terms_of(text) if term.decode() not in ff.stops]
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


# 3. Tables


def pilot(keys: Sequence[int], skew: int = 3) -> tuple[bytes, list[int]]:
    """The hash and the slot of each key, by trying pilots, larger buckets first, and seeds."""
    n = len(keys)
    extra, buckets = max(1, n // 99), max(1, n // 2)
    members: list[list[int]] = [[] for _ in range(buckets)]
    for key in keys:
        x = mix(key) >> 32
        cubic = ((x * x >> 32) * ((x >> 1) + 2**31)) >> 32
        members[((cubic - (cubic >> skew) + (x >> skew)) & 0xFFFFFFFF) * buckets >> 32].append(key)

    def place(key: int, number: int) -> int:
        h = (mix(key) ^ (number * 0x9E3779B97F4A7C15 & 2**64 - 1)) * 0xD6E8FEB86659FD93 & 2**64 - 1
        return (h >> 32) * (n + extra) >> 32

    for seed in range(256):
        pilots, taken = [0] * buckets, dict[int, int]()
        for bucket in sorted(range(buckets), key=lambda b: -len(members[b])):
            for candidate in range(256):
                wanted = {place(key, candidate + 256 * seed): key for key in members[bucket]}
                if len(wanted) == len(members[bucket]) and not wanted.keys() & taken.keys():
                    pilots[bucket] = candidate
                    taken |= wanted
                    break
            else:
                break
        else:
            free = (slot for slot in range(n) if slot not in taken)
            remap = [next(free) if n + i in taken else 0 for i in range(extra)]
            slots = {key: at if at < n else remap[at - n] for at, key in taken.items()}
            return struct.pack("<IBBH", buckets, seed, skew, extra) + bytes(pilots) + struct.pack(
                f"<{extra}H", *remap
            ), [slots[key] for key in keys]
    raise AssertionError(f"no pilots for {n} keys")


def part(postlists: dict[int, list[int]], settings: Settings) -> bytes:
    keys = sorted(postlists)
    if settings.mph == PILOT:
        function, slots = pilot(keys)
    else:
        function, slots = b"a hash of cmph", [(slot + 1) % len(keys) for slot in range(len(keys))]
    in_slots = [key for _, key in sorted(zip(slots, keys, strict=True))]
    postings = [posting for key in in_slots for posting in postlists[key]]
    data = struct.pack("<IIII", len(keys), len(postings), len(function), 0) + function
    data += pack(
        (mix(key) % (1 << settings.checksum_bits), settings.checksum_bits) for key in in_slots
    )
    if len(postings) > len(keys):
        ends = [len(postlists[key]) for key in in_slots]
        data += b"".join(struct.pack("<I", sum(ends[:slot])) for slot in range(0, len(keys), 64))
        data += pack((int(i == size - 1), 1) for size in ends for i in range(size))
    return data + pack((posting, settings.posting_bits) for posting in postings)


def tables(kind: int, rows: Sequence[Sequence[int]], settings: Settings) -> Section:
    """rows: for each table the keys of the documents, in their order."""
    found = []
    for row in rows:
        postlists: dict[int, list[int]] = {}
        for document, key in enumerate(row):
            postlists.setdefault(key, []).append(document)
        found.append(postlists)
    return laid_out(kind, found, settings)


def laid_out(kind: int, rows: Sequence[dict[int, list[int]]], settings: Settings) -> Section:
    """rows: for each table the documents of each key."""
    parameters = struct.pack(
        "<6I",
        len(rows),
        settings.mph,
        settings.checksum_bits,
        settings.posting_bits,
        0,
        settings.default_probes,
    )
    blocks: list[tuple[int, bytes]] = []
    for postlists in rows:
        keys, start = sorted(postlists), len(blocks)
        for at in range(0, len(keys), settings.part_keys):
            chosen = keys[at : at + settings.part_keys]
            blocks.append((chosen[0], part({key: postlists[key] for key in chosen}, settings)))
        parameters += struct.pack(
            "<IIQQ", start, len(blocks) - start, len(keys), sum(map(len, postlists.values()))
        )
    return Section(kind, parameters, tuple(blocks))


# 4, 5, 6 and the whole


def sketches(
    ff: FF, documents: Sequence[Text], rows: Sequence[Sequence[Digit]], settings: Settings
) -> Section:
    widths = [len(f"{len(borders):b}") for _, borders in ff.components]
    records = [
        pack((digit.value, width) for digit, width in zip(digits, widths, strict=True))
        + (murmur(document.text.encode()) % (1 << settings.identity_bits)).to_bytes(
            settings.identity_bits // 8, "little"
        )
        + pack((bit, 1) for bit in shared(document.text, settings.shared_bits))
        for document, digits in zip(documents, rows, strict=True)
    ]
    stride = (sum(widths) + 7) // 8 + settings.identity_bits // 8 + settings.shared_bits // 8
    parameters = struct.pack(
        "<4I", len(documents), stride, settings.identity_bits, settings.per_block
    )
    parameters += struct.pack("<2I", settings.shared_bits, 0) if settings.shared_bits else b""
    blocks = (
        (first, b"".join(records[first : first + settings.per_block]))
        for first in range(0, len(records), settings.per_block)
    )
    return Section(3, parameters, tuple(blocks))


def shared(text: str, bits: int) -> list[int]:
    words = [struct.pack("<Q", murmur(term)) for term in terms_of(text)]
    runs = [murmur(b"".join(words[i : i + 3])) for i in range(max(1, len(words) - 2))]
    least = [
        min(mix(run + 0x243F6A8885A308D3 + j * 0x9E3779B97F4A7C15 & 2**64 - 1) for run in runs)
        for j in range(1, bits + 1)
    ]
    return [value & 1 for value in least]


def varint(value: int) -> bytes:
    return bytes([value]) if value < 128 else bytes([value % 128 + 128]) + varint(value // 128)


def record(document: Text, symbols: Sequence[bytes] = ()) -> bytes:
    """Packed from left to right with the first symbol that fits; the format allows any way."""
    fields = [value.encode() for value in (document.title, document.id, document.url)]
    data, packed = b"\xfe".join(fields if fields[2] else fields[:2]), b""
    while data:
        code = next((code for code, symbol in enumerate(symbols) if data.startswith(symbol)), None)
        packed += bytes([254, data[0]]) if code is None else bytes([code])
        data = data[1 if code is None else len(symbols[code]) :]
    return packed + b"\xff"


def content(data: bytes) -> bytes:
    deflate = zlib.compressobj(9, wbits=-15)
    return struct.pack("<I", len(data)) + deflate.compress(data) + deflate.flush()


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


def snippet(text: str, characters: int) -> str:
    line = " ".join(text.split())
    if len(line) <= characters:
        return line
    spaces = [i for i in range(characters + 1) if line[i] == " " and 2 * i >= characters]
    return line[: spaces[-1] if spaces else characters]


def texts(documents: Sequence[Text], settings: Settings) -> Section:
    blocks: list[tuple[int, bytes]] = []
    for number, document in enumerate(documents):
        kept = (
            document.text
            if settings.keep == "text"
            else snippet(document.text, settings.characters)
        ).encode()
        own = varint(len(kept)) + kept
        if len(own) > settings.room:
            pieces = [kept[at : at + settings.room] for at in range(0, len(kept), settings.room)]
            blocks += [(number << 32 | i, piece) for i, piece in enumerate(pieces, 1)]
        elif (
            blocks and blocks[-1][0] % 2**32 == 0 and len(blocks[-1][1]) + len(own) <= settings.room
        ):
            blocks[-1] = (blocks[-1][0], blocks[-1][1] + own)
        else:
            blocks.append((number << 32, own))
    parameters = struct.pack(
        "<IIII",
        len(documents),
        1 if settings.keep == "text" else 2,
        settings.characters,
        settings.room,
    )
    return Section(6, parameters, tuple((first, content(data)) for first, data in blocks), flags=0)


def entries_block(entries: Sequence[tuple[int, bytes]], documents: int) -> bytes:
    """The content of a block of (document, title)."""
    width = max(1, len(f"{max(0, documents - 1):b}"))
    shared, before = [], b""
    for _, title in entries:
        shared.append(max(k for k in range(len(title) + 1) if before.startswith(title[:k])))
        before = title
    data = struct.pack("<I", len(entries)) + pack((document, width) for document, _ in entries)
    data += bytes(shared) + bytes(
        len(title) - k for (_, title), k in zip(entries, shared, strict=True)
    )
    return data + b"".join(title[k:] for (_, title), k in zip(entries, shared, strict=True))


def title_list(documents: Sequence[Text], settings: Settings) -> Section:
    cut = [document.title.encode()[:255].decode(errors="ignore").encode() for document in documents]
    found = sorted(
        (title_key(title), number, title) for number, title in enumerate(cut) if title_key(title)
    )
    blocks = []
    for at in range(0, len(found), settings.titles):
        some = found[at : at + settings.titles]
        first = int.from_bytes(some[0][0][:8].ljust(8, b"\0"), "big")
        blocks.append(
            (
                first,
                content(
                    entries_block([(number, title) for _, number, title in some], len(documents))
                ),
            )
        )
    parameters = struct.pack("<IIII", len(documents), len(found), 1 << 16, 0)
    return Section(7, parameters, tuple(blocks), flags=0)


def run_hashes(text: str, size: int) -> list[int]:
    words = [murmur(word) for word in words_of(text)]
    if size == 1:
        return words
    runs = [words[i : i + size] for i in range(len(words) - size + 1)]
    return [murmur(struct.pack(f"<{size}Q", *run)) for run in runs]


def passages(documents: Sequence[Text], settings: Settings) -> Section:
    assert settings.passages
    size, window, most = settings.passages
    postlists: dict[int, list[int]] = {}
    for number, document in enumerate(documents):
        hashes = run_hashes(document.text, size)
        kept = {
            min(hashes[i : i + window]) for i in range(max(0, len(hashes) - window) + 1) if hashes
        }
        for key in kept:
            postlists.setdefault(key, []).append(number)
    rare = {key: postlist for key, postlist in postlists.items() if len(postlist) <= most}
    section = laid_out(9, [rare], replace(settings, mph=PILOT, default_probes=1))
    more = struct.pack("<4IQ", size, window, most, 0, len(postlists) - len(rare))
    return replace(section, parameters=section.parameters + more, flags=0)


def words(documents: Sequence[Text], settings: Settings) -> Section:
    assert settings.words
    said = [(document.text, document.title) for document in documents]
    return Section(10, *section_of(said, settings.words), flags=0)


def labels(documents: Sequence[Text], settings: Settings) -> Section:
    assert settings.labels
    some, together = settings.labels
    names = sorted({label.encode() for document in documents for label in document.labels})
    numbers = [
        sorted(names.index(label.encode()) for label in set(document.labels))
        for document in documents
    ]
    least, most = min(map(len, numbers), default=0), max(map(len, numbers), default=0)
    bits, width = (most - least).bit_length(), max(1, (len(names) - 1).bit_length())
    blocks = []
    for at in range(0, len(names), some):
        own = b"".join(varint(len(name)) + name for name in names[at : at + some])
        blocks.append((at, content(own)))
    for at in range(0, len(documents) if names else 0, together):
        own_numbers = numbers[at : at + together]
        counts = [(len(own) - least, bits) for own in own_numbers]
        values = [(number, width) for own in own_numbers for number in own]
        blocks.append((2**32 + at, pack([*counts, *values])))
    own_blocks = -(-len(names) // some)
    counted = (len(documents), len(names), together, least, bits, own_blocks, 1 << 16)
    return Section(11, struct.pack("<IIIHHII", *counted), tuple(blocks), flags=0)


def sections(documents: Sequence[Text], ff: FF, settings: Settings) -> list[Section]:
    rows = [sketch(ff, document.text) for document in documents]
    members = [(ff.members(table), ff.intervals(table)) for table in range(len(ff.tables))]
    keys = [
        [sub_key([digits[j].value for j in own], intervals) for digits in rows]
        for own, intervals in members
    ]
    ids = replace(settings, mph=PILOT, checksum_bits=8, default_probes=1)
    return [
        Section(1, profile(ff)),
        tables(2, keys, settings),
        sketches(ff, documents, rows, settings),
        titles(documents, settings),
        tables(5, [[murmur(document.id.encode()) for document in documents]], ids),
        *([texts(documents, settings)] if settings.keep else []),
        *([title_list(documents, settings)] if settings.titles else []),
        *([passages(documents, settings)] if settings.passages else []),
        *([words(documents, settings)] if settings.words else []),
        *([labels(documents, settings)] if settings.labels else []),
    ]


def write(
    documents: Sequence[Text], ff: FF | None = None, settings: Settings | None = None
) -> bytes:
    return assemble(sections(documents, ff or FF(), settings or Settings()))
