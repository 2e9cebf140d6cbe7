"""The index of a website, read as docs/format.md 13 says, without the product's code."""

from __future__ import annotations

import hashlib
import json
import re
import zlib
from base64 import b32encode
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

ESCAPED = {b"n": b"\n", b"r": b"\r"}


class Posting(NamedTuple):
    slot: int
    level: int
    place: int


class Entry(NamedTuple):
    stem: bytes
    postings: list[Posting]


def piece(folder: Path, name: str) -> bytes:
    """The bytes of a piece, whose name has to tell them."""
    content = (folder / f"{name}.js").read_bytes()
    key = name.partition("-")[2]
    head, tail = b'pocketShard("%s",1,"' % key.encode(), b'");\n'
    assert content.startswith(head)
    assert content.endswith(tail)
    packed = content[len(head) : -len(tail)]
    packed = re.sub(rb"\\(.)", lambda sign: ESCAPED.get(sign[1], sign[1]), packed, flags=re.DOTALL)
    data = zlib.decompress(packed, -15)
    assert b32encode(hashlib.sha256(b"1:" + data).digest())[:10].decode().lower() == key
    return data


def listed(folder: Path) -> tuple[dict[str, Any], dict[str, Any]]:
    """The entry, and the list of languages."""
    entry: dict[str, Any] = json.loads(
        (folder / "entry.js").read_text().partition(" = ")[2].rstrip(";\n")
    )
    return entry, json.loads(piece(folder, entry["index"].removesuffix(".js")))


def words(folder: Path, language: dict[str, Any]) -> dict[bytes, Entry]:
    """The whole dictionary of a language, in its order."""
    found = dict[bytes, Entry]()
    for first, key in language["words"]:
        own = dict(entries(piece(folder, f"w-{key}")))
        assert next(iter(own)) == first.encode()
        assert not found or max(found) < first.encode()
        found.update(own)
    assert list(found) == sorted(found)
    return found


def entries(data: bytes) -> Iterator[tuple[bytes, Entry]]:
    heads, gaps, levels = (int.from_bytes(data[i : i + 4], "little") for i in (0, 4, 8))
    gap_numbers = numbers(data[12 + heads : 12 + heads + gaps])
    level, place = 12 + heads + gaps, 12 + heads + gaps + levels
    at, word = 12, b""
    while at < 12 + heads:
        word, at = grown(word, data, at)
        stem, at = grown(word.partition(b"\0")[0], data, at)
        (count,), at = next_numbers(data, at)
        slot, postings = 0, []
        for _ in range(count):
            slot += next(gap_numbers)
            postings.append(Posting(slot, data[level], data[place]))
            level, place = level + 1, place + 1
        yield word, Entry(stem, postings)
    assert (level, place) == (12 + heads + gaps + levels, len(data))


def grown(before: bytes, data: bytes, at: int) -> tuple[bytes, int]:
    kept, more = data[at], data[at + 1]
    return before[:kept] + data[at + 2 : at + 2 + more], at + 2 + more


def next_numbers(data: bytes, at: int) -> tuple[tuple[int], int]:
    number, shift = 0, 0
    while True:
        number |= (data[at] & 127) << shift
        shift += 7
        at += 1
        if data[at - 1] < 128:
            return (number,), at


def numbers(data: bytes) -> Iterator[int]:
    at = 0
    while at < len(data):
        (number,), at = next_numbers(data, at)
        yield number


def pages(folder: Path, language: dict[str, Any]) -> dict[int, list[Any]]:
    """Address, metadata and parts of each page, by its slot."""
    found = dict[int, list[Any]]()
    for number, key in enumerate(language["texts"]):
        for slot, page in json.loads(piece(folder, f"t-{key}")) if key else ():
            assert slot >> language["shift"] == number
            found[slot] = page
    return found
