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
    texts: tuple[int, ...]


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


def names(folder: Path) -> set[str]:
    """The files that the entry and the index name."""
    entry, index = listed(folder)
    own = {entry[name] for name in ("engine", "core", "index", "panel")}
    for language in index["languages"]:
        own |= {f"w-{key}.js" for _, key in language["words"]}
        own |= {f"t-{key}.js" for _, key in language["texts"]}
        own |= {f"a-{language['all']}.js"}
        own |= {f"f-{language['facets']}.js"} if language["facets"] else set()
    return own


def words(folder: Path, language: dict[str, Any]) -> dict[bytes, Entry]:
    """The whole dictionary of a language, in its order."""
    found = dict[bytes, Entry]()
    texts = dict(json.loads(piece(folder, f"a-{language['all']}"))["texts"])
    for first, key in language["words"]:
        own = dict(entries(piece(folder, f"w-{key}"), texts))
        assert next(iter(own)) == first.encode()
        assert not found or max(found) < first.encode()
        found.update(own)
    assert list(found) == sorted(found)
    return found


def entries(data: bytes, texts: dict[int, int]) -> Iterator[tuple[bytes, Entry]]:
    """texts: how many the pages of several have, by slot."""
    heads, gaps, levels = (int.from_bytes(data[i : i + 4], "little") for i in (0, 4, 8))
    gap_numbers = numbers(data[12 + heads : 12 + heads + gaps])
    level, place = 12 + heads + gaps, 12 + heads + gaps + levels
    of_texts = place + levels
    at, word = 12, b""
    while at < 12 + heads:
        word, at = grown(word, data, at)
        stem, at = grown(word.partition(b"\0")[0], data, at)
        (count,), at = next_numbers(data, at)
        slot, postings = 0, []
        for _ in range(count):
            slot += next(gap_numbers)
            having: tuple[int, ...] = (0,)
            if slot in texts:
                having = tuple(i for i in range(8) if data[of_texts] >> i & 1)
                assert having
                assert having[-1] < texts[slot]
                of_texts += 1
            postings.append(Posting(slot, data[level], data[place], having))
            level, place = level + 1, place + 1
        yield word, Entry(stem, postings)
    assert (level, place) == (12 + heads + gaps + levels, 12 + heads + gaps + 2 * levels)
    assert of_texts == len(data)


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
    """Address, metadata and the parts of each text, by the slot of the page."""
    described = json.loads(piece(folder, f"a-{language['all']}"))
    texts, records = dict(described["texts"]), dict[int, list[Any]]()
    for first, key in language["texts"]:
        own = json.loads(piece(folder, f"t-{key}"))
        assert own[0][0] == first
        assert list(records) < [slot for slot, _ in own]
        records.update(own)
    found = dict[int, list[Any]]()
    for slot in described["slots"]:
        own = [records.pop(slot + n) for n in range(texts.get(slot, 1))]
        assert all(one[:2] == own[0][:2] for one in own)
        found[slot] = [*own[0][:2], [one[2] for one in own]]
    assert not records
    return found


def entry_of(heading: list[bytes]) -> bytes:
    """The entry of a heading of these words."""
    own = list(dict.fromkeys(heading))
    return own[0] + b"\x01" + b"%06x" % (zlib.crc32(b"\x01".join(own)) & 0xFFFFFF)
