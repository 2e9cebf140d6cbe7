"""Changes a file in its parts: what is in an archive or packed is changed and packed again, and
markup is changed by its signs, so that a change gets beyond the first check.
"""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import re
import tarfile
import zipfile
from collections.abc import Callable, Sequence
from random import Random

import zstandard

Raw = Callable[[bytes, int], bytes]

PACKERS: dict[str, tuple[Callable[[bytes], bytes], Callable[[bytes], bytes]]] = {
    ".gz": (
        lambda content: gzip.compress(content, 1, mtime=0),
        lambda content: gzip.GzipFile(fileobj=io.BytesIO(content)).read(_MOST_PART),
    ),
    ".bz2": (
        lambda content: bz2.compress(content, 1),
        lambda content: bz2.BZ2File(io.BytesIO(content)).read(_MOST_PART),
    ),
    ".xz": (
        lambda content: lzma.compress(content, preset=0),
        lambda content: lzma.LZMAFile(io.BytesIO(content)).read(_MOST_PART),
    ),
    ".zst": (
        zstandard.ZstdCompressor(level=1).compress,
        lambda content: (
            zstandard.ZstdDecompressor()
            .stream_reader(content, read_across_frames=True)
            .read(_MOST_PART)
        ),
    ),
}
# Bytes of a part that is packed again: a page takes the square of its depth, and a bomb minutes.
_MOST_PART = 1 << 15
_MOST_TOKENS = 4096
_TOKEN = re.compile(rb"(?s)<[^<>]*>|\\[a-z]+-?\d*|\"[^\"]*\"|\w+|\r\n|.")
_ODD = (
    *(b"0", b"-1", b"1", b"65536", b"2147483648", b"-9223372036854775809", b"1e999", b"NaN"),
    *(b"", b"\0", b"\r", b"\n", b"\r\n\r\n", b"\xef\xbb\xbf", b"\xff\xfe", b"\xed\xa0\x80"),
    *(b"\xc3", b"\x80", "\u2028".encode(), "é".encode(), "𝄞".encode(), b"\x1c", b"\x85", b"\x0c"),
    *(b"&#xD800;", b"&#0;", b"&#x110000;", b"&amp;", b"\\ud800", b"\\u0000", b"]]>", b"<![CDATA["),
    *(b"<!--", b"-->", b"<!DOCTYPE a [<!ENTITY b 'c'>]>", b"&b;", b"<?a b?>", b"../", b"/", b"."),
    *(b"%00", b"%2e%2e/", b"=?utf-8?q?=ff?=", b"=?x?b?=?=", b"=\n", b"--", b"From ", b"\\'", b"{"),
    *(b"utf-7", b"utf-16", b"idna", b"unicode_escape", b"rot13", b"hex", b"zlib", b"undefined"),
)


def mutated(content: bytes, most: int, random: Random, raw: Raw, others: Sequence[bytes]) -> bytes:
    """Return the content with a change, of at most so many bytes, or without one.

    raw: changes bytes as the fuzzer does; others: files to take parts from.
    """
    for _ in range(4):
        changed = _changed(content, random, raw, others, 0)
        if len(changed) <= most:
            return changed
    return content[:most]


def _changed(
    content: bytes, random: Random, raw: Raw, others: Sequence[bytes], depth: int
) -> bytes:
    way = random.random()
    if way < 0.1:
        return raw(content, len(content) + 64)
    if depth < 3 and way < 0.85:

        def inner(part: bytes) -> bytes:
            return _changed(part, random, raw, others, depth + 1)[:_MOST_PART]

        for change in (_zip, _tar, _packed):
            if (found := change(content, random, inner)) is not None:
                return found
    if way < 0.13 and depth == 0:
        return _again(random, random.choice(list(PACKERS.values()))[0], content)
    if way < 0.35:
        return raw(content, len(content) + 64)
    return _tokens(content, random, others)


def _zip(content: bytes, random: Random, inner: Callable[[bytes], bytes]) -> bytes | None:
    """Change a part of a zip archive; None for another kind."""
    if not content.startswith(b"PK\x03\x04"):
        return None
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            files = [
                (one.filename, archive.open(one).read(_MOST_PART), one.compress_type)
                for one in archive.infolist()
            ]
    except Exception:  # it was damaged before
        return None
    return _pack_zip(_parts(files, random, inner))


def _pack_zip(files: list[tuple[str, bytes, int]]) -> bytes | None:
    out = io.BytesIO()
    try:
        with zipfile.ZipFile(out, "w") as archive:
            for name, part, method in files:
                own = zipfile.ZipInfo(name)
                own.compress_type = method
                archive.writestr(own, part)
    except Exception:  # a name or a method that cannot be written
        return None
    return out.getvalue()


def _tar(content: bytes, random: Random, inner: Callable[[bytes], bytes]) -> bytes | None:
    """Change a member of a tar archive, or a header with its checksum; None for another kind."""
    if content[257:262] != b"ustar":
        return None
    if random.random() < 0.3:
        return _header(content, random)
    try:
        with tarfile.open(fileobj=io.BytesIO(content), mode="r:") as archive:
            files = [
                (one.name, file.read(), 0) for one in archive if (file := archive.extractfile(one))
            ]
    except Exception:
        return None
    out = io.BytesIO()
    format = random.choice((tarfile.PAX_FORMAT, tarfile.GNU_FORMAT))
    try:
        with tarfile.open(fileobj=out, mode="w", format=format) as archive:
            for name, part, _ in _parts(files, random, inner):
                member = tarfile.TarInfo(name)
                member.size = len(part)
                archive.addfile(member, io.BytesIO(part))
    except Exception:
        return None
    return out.getvalue()


def _header(content: bytes, random: Random) -> bytes:
    """Change a byte or a field of a header of a tar archive, and sum it again."""
    places = [at for at in range(0, len(content), 512) if content[at + 257 : at + 262] == b"ustar"]
    at = random.choice(places)
    block = bytearray(content[at : at + 512].ljust(512, b"\0"))
    for _ in range(random.randint(1, 3)):
        block[random.choice((random.randrange(512), random.randrange(124, 158)))] = random.choice(
            (random.randrange(256), random.choice(b"01234567xgLKSVD\0 \x80\xff/"))
        )
    block[148:156] = b" " * 8
    block[148:156] = b"%06o\0 " % sum(block)
    return content[:at] + bytes(block) + content[at + 512 :]


def _parts(
    files: list[tuple[str, bytes, int]], random: Random, inner: Callable[[bytes], bytes]
) -> list[tuple[str, bytes, int]]:
    files = files or [("a.txt", b"a", 0)]
    at = random.randrange(len(files))
    name, part, method = files[at]
    way = random.random()
    if way < 0.8:
        files[at] = (name, inner(part), method)
    elif way < 0.86:
        files.insert(random.randrange(len(files) + 1), (name, part, method))
    elif way < 0.92:
        other = inner(name.encode(errors="surrogateescape"))
        files[at] = (other[:4000].decode(errors="replace"), part, method)
    elif way < 0.96:
        del files[at]
    else:
        other_at = random.randrange(len(files))
        files[at] = (name, files[other_at][1], method)
    return files


def _packed(content: bytes, random: Random, inner: Callable[[bytes], bytes]) -> bytes | None:
    """Change what is packed; None where nothing is."""
    for pack, unpack in PACKERS.values():
        try:
            plain = unpack(content)
        except Exception:  # of each packing another
            continue
        return _again(random, pack, inner(plain))
    return None


def _again(random: Random, pack: Callable[[bytes], bytes], plain: bytes) -> bytes:
    """Pack in one piece or in several, with something behind or the end cut off now and then."""
    way = random.random()
    if way < 0.3 and plain:
        at = random.randrange(len(plain))
        return pack(plain[:at]) + pack(plain[at:])
    packed = pack(plain)
    if way < 0.4:
        return packed + random.choice((b"\0" * 7, b"x", packed[:9], pack(b"")))
    return packed[: random.randrange(len(packed) + 1)] if way < 0.45 else packed


def _tokens(content: bytes, random: Random, others: Sequence[bytes]) -> bytes:
    """Take out, repeat, move or replace signs, or take some from another file."""
    start = random.randrange(max(1, len(content) - 4 * _MOST_TOKENS))
    window = content[start : start + 8 * _MOST_TOKENS]
    tokens = _TOKEN.findall(window)[:_MOST_TOKENS]
    end = start + sum(map(len, tokens))
    for _ in range(random.choice((1, 1, 1, 2, 4))):
        at = random.randrange(len(tokens) + 1)
        to = min(len(tokens), at + random.choice((1, 1, 2, 5, 20)))
        some, way = tokens[at:to], random.random()
        if way < 0.2:
            tokens[at:to] = []
        elif way < 0.4:
            tokens[at:at] = some * random.choice((1, 1, 1, 2, 9, 300, 3000))
        elif way < 0.55:
            place = random.randrange(len(tokens) + 1)
            tokens[place:place] = some
        elif way < 0.75:
            tokens[at:to] = [random.choice(_ODD)]
        elif way < 0.8:
            tokens[at:at] = [random.choice(_ODD) * random.choice((1, 40, 2000))]
        elif others:
            found = _TOKEN.findall(random.choice(others)[: 4 * _MOST_TOKENS])
            place = random.randrange(len(found) + 1)
            tokens[at:to] = found[place : place + random.choice((1, 2, 9, 40))]
    return content[:start] + b"".join(tokens) + content[end:]
