"""docs/format.md, section 12: what a folder of shards says of them."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from pocketindex.arguments import is_stdio
from pocketindex.errors import ForeignShard, MissingShard, NotAManifest, TooNew
from pocketindex.ffi.threads import in_threads
from pocketindex.index import Index
from pocketindex.opening.file import MANIFEST
from pocketindex.wording.counted import counted

FORMAT, VERSION = "pocketindex shards", 1
MOST_BYTES = 1 << 24  # of a manifest: some eighty thousand shards
_PIECE = 1 << 20  # bytes of a file that are read at once
_NAMED = 3  # missing shards in a note


@dataclass(frozen=True, slots=True)
class Shard:
    """A pocket file of a collection that is divided among several files.

    file: the name of the file; bytes: its size; sha256: the SHA-256 of the file, and crc32c: the
    CRC32C of its header, which identifies it (both in hexadecimal); profile: the fingerprint of its
    profile.
    """

    file: str
    bytes: int
    sha256: str
    crc32c: str
    documents: int
    profile: str


@dataclass(frozen=True, slots=True)
class Manifest:
    """A manifest of shards (docs/format.md, section 12). path: of the manifest itself; shards: one
    or more, in the order of the documents.
    """

    path: str
    shards: tuple[Shard, ...]

    @property
    def documents(self) -> int:
        """Documents in all shards."""
        return sum(shard.documents for shard in self.shards)

    def place(self, shard: Shard) -> str:
        """Return the path of a shard's file."""
        return os.path.join(os.path.dirname(self.path), shard.file)

    def open(self, shard: Shard, sha256: bool = False) -> Index:
        """Open a shard and check that it is the one described.

        Size, header, profile and documents are compared. The header has a checksum of every block,
        so blocks that are read later are checked, too. sha256: read the whole file now, and compare
        its SHA-256.

        Raises MissingShard, ForeignShard, and the errors of Index.
        """
        path = self.place(shard)

        def same(field: str, expected: int | str, found: int | str) -> None:
            if expected != found:
                raise ForeignShard(path, field, expected, found, self.path)

        try:
            same("bytes", shard.bytes, os.stat(path).st_size)
        except (FileNotFoundError, NotADirectoryError):
            raise MissingShard(path, self.path, shard.documents, self.documents) from None
        index = Index(path)
        try:
            same("crc32c", shard.crc32c, checksum_of(path))
            same("profile", shard.profile, index.info().profile_fingerprint)
            same("documents", shard.documents, len(index))
            if sha256:
                same("sha256", shard.sha256, sha256_of(path))
        except BaseException:
            index.close()
            raise
        return index


def manifest_at(path: str) -> str | None:
    """Return the manifest that a path names, itself or by its folder; None where it names none."""
    if is_stdio(path):
        return None
    if os.path.basename(path) == MANIFEST:
        return path
    inside = os.path.join(path, MANIFEST)
    return inside if os.path.isfile(inside) else None


def read_manifest(path: str) -> Manifest:
    """Read a manifest. Raises OSError, NotAManifest, TooNew."""

    def refuse(field: str, expected: int | str, found: Any) -> NotAManifest:
        return NotAManifest(path, field, expected, found if isinstance(found, int) else repr(found))

    with open(path, "rb") as file:
        data = file.read(MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        raise NotAManifest(path, "bytes", f"at most {MOST_BYTES}", "more")
    try:
        read = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise NotAManifest(path, "JSON", "an object", str(error)) from None

    def value(of: Any, where: str, key: str, fits: Callable[[Any], bool], expected: str) -> Any:
        found = of.get(key) if isinstance(of, dict) else None
        if not fits(found):
            raise refuse(f"{where}{key}", expected, found)
        return found

    value(read, "", "format", lambda found: found == FORMAT, repr(FORMAT))
    version = value(read, "", "version", _is_count, "a number")
    if version != VERSION:
        raise TooNew(path, "version of the manifest", VERSION, version)
    profile = value(read, "", "profile", _is_hex(16), "16 hexadecimal digits")
    listed = value(read, "", "shards", _is_filled, "a list")
    shards = []
    for number, one in enumerate(listed):
        rules = (
            ("file", _is_name, "the name of a file in this folder"),
            ("bytes", _is_count, "a number"),
            ("sha256", _is_hex(64), "64 hexadecimal digits"),
            ("crc32c", _is_hex(8), "8 hexadecimal digits"),
            ("documents", _is_count, "a number"),
        )
        found = {rule[0]: value(one, f"shard {number}, ", *rule) for rule in rules}
        shards.append(Shard(**found, profile=profile))
    if len(names := {shard.file for shard in shards}) < len(shards):
        raise refuse("shards", f"{len(shards)} names", len(names))
    documents = sum(shard.documents for shard in shards)
    value(read, "", "documents", lambda found: found == documents, str(documents))
    return Manifest(path, tuple(shards))


@dataclass(frozen=True, slots=True)
class OpenShards:
    """The shards of a manifest that are there; missing: the others; note: what they are, a sentence
    for people, empty where none is missing.
    """

    paths: list[str]
    indexes: list[Index]
    missing: list[MissingShard]
    note: str


def open_shards(path: str, allow_missing: bool = False, sha256: bool = False) -> OpenShards:
    """Open all shards of a manifest, as Manifest.open does.

    allow_missing: continue without shards that are not there, with a warning of the logger
    "pocketindex". Raises MissingShard if none is left.
    """
    manifest = read_manifest(path)

    def opened(shard: Shard) -> Index | MissingShard:
        try:
            return manifest.open(shard, sha256)
        except MissingShard as error:
            return error

    found = in_threads(opened, manifest.shards, together=1)
    missing = [one for one in found if isinstance(one, MissingShard)]
    if missing and not (allow_missing and len(missing) < len(found)):
        raise missing[0]
    there = [
        (manifest.place(shard), one)
        for shard, one in zip(manifest.shards, found, strict=True)
        if isinstance(one, Index)
    ]
    note = _note(manifest, missing) if missing else ""
    if note:
        import logging  # only who misses something waits for its import

        log = logging.getLogger("pocketindex")
        log.addHandler(logging.NullHandler())  # who wants to see it adds another
        log.warning("%s", note)
    return OpenShards([path for path, _ in there], [index for _, index in there], missing, note)


def _note(manifest: Manifest, missing: list[MissingShard]) -> str:
    names = ", ".join(os.path.basename(one.path) for one in missing[:_NAMED])
    more = f" and {len(missing) - _NAMED:,} more" if len(missing) > _NAMED else ""
    documents = sum(one.documents for one in missing)
    shards, every = counted(len(manifest.shards), "shard"), counted(manifest.documents, "document")
    return (
        f"{manifest.path}: {len(missing):,} of {shards} {_is_or_are(len(missing))} missing, and "
        f"with them {documents:,} of {every} {_is_or_are(documents)} not asked: {names}{more}"
    )


def _is_or_are(number: int) -> str:
    return "is" if number == 1 else "are"


def checksum_of(path: str) -> str:
    """Return the checksum in the header of a pocket file (docs/format.md, 1.1), hexadecimal."""
    with open(path, "rb") as file:
        return f"{int.from_bytes(file.read(32)[28:], 'little'):08x}"


def sha256_of(path: str) -> str:
    """Return the SHA-256 of a file, hexadecimal."""
    import hashlib  # only who compares whole files waits for its import

    digest = hashlib.sha256()
    with open(path, "rb") as file:
        while piece := file.read(_PIECE):
            digest.update(piece)
    return digest.hexdigest()


def _is_count(found: Any) -> bool:
    return isinstance(found, int) and not isinstance(found, bool) and 0 <= found < 1 << 64


def _is_filled(found: Any) -> bool:
    return isinstance(found, list) and bool(found)


def _is_hex(digits: int) -> Callable[[Any], bool]:
    pattern = re.compile(f"[0-9a-f]{{{digits}}}")
    return lambda found: isinstance(found, str) and bool(pattern.fullmatch(found))


def _is_name(found: Any) -> bool:
    """Return whether it leads nowhere but into the folder."""
    return (
        isinstance(found, str)
        and 0 < len(found.encode("utf-8", "replace")) <= 255
        and found[0] != "."
        and not set(found) & set("/\\:\0")
    )
