"""The tables of the tests' own writer (plain_writer.py), after docs/format.md, section 3."""

from __future__ import annotations

import struct
from collections.abc import Sequence

from plain_layout import PILOT, QUOTIENT, Section, Settings, mix, pack


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


def quotient(keys: Sequence[int], rest_bits: int) -> bytes:
    """The hash of rising keys: those of each quotient in unary, and samples of them."""
    least, most = keys[0] >> rest_bits, keys[-1] >> rest_bits
    numbers = range(least, most + 1)
    together = [sum(key >> rest_bits == number for key in keys) for number in numbers]
    data = struct.pack("<I", len(together))
    for at in range(0, len(together), 64):
        data += struct.pack("<H", sum(together[:at]))
    return data + pack((bit, 1) for count in together for bit in [*[1] * count, 0])


def part(postlists: dict[int, list[int]], settings: Settings) -> bytes:
    keys = sorted(postlists)
    sums = {key: mix(key) for key in keys}
    if settings.mph == PILOT:
        function, slots = pilot(keys)
    elif settings.mph == QUOTIENT:
        sums = {key: key for key in keys}
        function, slots = quotient(list(sums.values()), settings.checksum_bits), [*range(len(keys))]
    else:
        function, slots = b"a hash of cmph", [(slot + 1) % len(keys) for slot in range(len(keys))]
    in_slots = [key for _, key in sorted(zip(slots, keys, strict=True))]
    postings = [posting for key in in_slots for posting in postlists[key]]
    data = struct.pack("<IIII", len(keys), len(postings), len(function), 0) + function
    data += pack(
        (sums[key] % (1 << settings.checksum_bits), settings.checksum_bits) for key in in_slots
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
