"""The sections that a file may do without, by the tests' own writer (plain_writer.py): texts,
titles in order, passages, words, labels; and copies, which a file with short documents has.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import replace

from known_terms import words_of
from plain.titles import title_key
from plain_layout import QUOTIENT, Section, Settings, Text, content, mix, murmur, pack, varint
from plain_tables import laid_out
from word_blocks import section_of


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


def shingle_hashes(text: str, size: int, marks: bool = False) -> list[int]:
    words = [murmur(word) for word in words_of(text, marks)]
    if size == 1:
        return words
    shingles = [words[i : i + size] for i in range(len(words) - size + 1)]
    return [murmur(struct.pack(f"<{size}Q", *shingle)) for shingle in shingles]


def shingle_key(hash: int, settings: Settings) -> int:
    return hash * 256 * settings.key_range >> 64


def passages(documents: Sequence[Text], settings: Settings) -> Section:
    assert settings.passages
    size, window, most = settings.passages
    postlists: dict[int, list[int]] = {}
    for number, document in enumerate(documents):
        marks = bool(settings.words and settings.words.marks)
        hashes = shingle_hashes(document.text, size, marks)
        kept = {
            min(hashes[i : i + window]) for i in range(max(0, len(hashes) - window) + 1) if hashes
        }
        for key in kept:
            postlist = postlists.setdefault(shingle_key(key, settings), [])
            postlist += [number] * (number not in postlist)
    frequent = {key: postlist for key, postlist in postlists.items() if len(postlist) > most}
    for key, postlist in frequent.items():
        postlists[key] = [*postlist[:3], len(documents), len(postlist)]
    section = laid_out(
        9,
        [postlists, frequent],
        replace(settings, mph=QUOTIENT, checksum_bits=settings.rest_bits, default_probes=1),
    )
    more = struct.pack("<4I", size, window, most, settings.key_range)
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


def copy_key(text: str) -> int | None:
    own = text.encode().strip(bytes([9, 10, 11, 12, 13, 32]))
    if not own:
        return None
    hash = 0
    for word in words_of(own.decode()):
        hash = mix(hash + murmur(word) & 2**64 - 1)
    if not words_of(own.decode()):
        hash = murmur(own)
    return (hash >> 32) * 128 + murmur(own) % 128


def copies(documents: Sequence[Text], sketched: int, settings: Settings) -> Section:
    """Of the documents, which are in order, those behind the ones with a sketch."""
    own = [copy_key(document.text) for document in documents[sketched:]]
    keys, together = [key for key in own if key is not None], settings.copies
    parts = [keys[at : at + together] for at in range(0, len(keys), together)]
    blocks = tuple((part[0], pack((key, 39) for key in part)) for part in parts)
    return Section(12, struct.pack("<4I", len(documents), len(keys), together, 0), blocks)


def optional(documents: Sequence[Text], sketched: int, settings: Settings) -> list[Section]:
    """Those that the settings ask for, in their order; sketched: documents that have a sketch."""
    return [
        *([copies(documents, sketched, settings)] if sketched < len(documents) else []),
        *([texts(documents, settings)] if settings.keep else []),
        *([title_list(documents, settings)] if settings.titles else []),
        *([passages(documents, settings)] if settings.passages else []),
        *([words(documents, settings)] if settings.words else []),
        *([labels(documents, settings)] if settings.labels else []),
    ]
