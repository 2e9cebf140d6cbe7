"""docs/format.md, section 12: shards, asked as one."""

from __future__ import annotations

import json
import os

from pocketindex.errors import ForeignShard, MissingShard, NotAManifest, TooNew

from plain.conventions import u32
from plain.index import PlainHit, PlainIndex

FORMAT, VERSION = "pocketindex shards", 1


class PlainShards:
    """The shards of a manifest, all of them there; close() or `with` gives them back."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        """Raises OSError, NotAManifest, TooNew, MissingShard, ForeignShard, and what opening a
        PlainIndex does.
        """
        manifest = os.fspath(path)
        with open(manifest, encoding="utf-8") as file:
            read = json.load(file)
        if read["format"] != FORMAT:
            raise NotAManifest(manifest, "format", repr(FORMAT), repr(read["format"]))
        if read["version"] != VERSION:
            raise TooNew(manifest, "version of the manifest", VERSION, read["version"])
        self.names, self.indexes = list[str](), list[PlainIndex]()
        for shard in read["shards"]:
            own = os.path.join(os.path.dirname(manifest), shard["file"])
            if not os.path.exists(own):
                raise MissingShard(own, manifest, shard["documents"], read["documents"])
            index = PlainIndex.open(own)
            self.names.append(shard["file"])
            self.indexes.append(index)
            for field, expected, found in (
                ("bytes", shard["bytes"], len(index.data)),
                ("crc32c", shard["crc32c"], f"{u32(index.data, 28):08x}"),
                ("profile", read["profile"], f"{index.profile.fingerprint:016x}"),
                ("documents", shard["documents"], index.count),
            ):
                if expected != found:
                    self.close()
                    raise ForeignShard(own, field, expected, found, manifest)

    def query(self, text: bytes | str, top: int = 10) -> list[tuple[str, PlainHit]]:
        """Return the hits of all shards, each with the name of its shard. Raises what
        PlainIndex.query does.
        """
        found = [
            (name, hit)
            for name, index in zip(self.names, self.indexes, strict=True)
            for hit in index.query(text, top)
        ]
        return sorted(found, key=lambda one: -one[1].similarity)[:top]

    def close(self) -> None:
        for index in self.indexes:
            index.close()

    def __enter__(self) -> PlainShards:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
