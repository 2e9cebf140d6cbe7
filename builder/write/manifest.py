"""Write the manifest of a folder of shards (docs/format.md, section 12)."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from pocketindex.builder.spill.replace import replacing
from pocketindex.index import Index
from pocketindex.manifest import FORMAT, VERSION, Shard, checksum_of, sha256_of
from pocketindex.opening.file import MANIFEST


def shard_of(path: str | os.PathLike[str]) -> Shard:
    """Describe a finished pocket file, which is read once. Raises what opening an Index raises."""
    name = os.fspath(path)
    with Index(name) as index:
        return Shard(
            os.path.basename(name),
            os.stat(name).st_size,
            sha256_of(name),
            checksum_of(name),
            len(index),
            index.info().profile_fingerprint,
        )


def write_manifest(folder: str | os.PathLike[str], shards: Sequence[Shard]) -> Path:
    """Write the manifest of shards, in the order of their documents. Returns its path.

    The manifest gets its name when it is complete. Raises ValueError if there is no shard, if
    shards have different profiles, or if two have the same name.
    """
    if not shards:
        raise ValueError(
            f"{os.fspath(folder)}: a manifest has one shard or more, and none is given"
        )
    first, names = shards[0], set[str]()
    for shard in shards:
        if shard.profile != first.profile:
            raise ValueError(
                f"{shard.file}: its profile is {shard.profile}, that of {first.file} "
                f"{first.profile}; shards have one profile: build them with the same"
            )
        if shard.file in names:
            raise ValueError(f"{shard.file}: two shards have this name; a file is one shard")
        names.add(shard.file)
    head = {
        "format": FORMAT,
        "version": VERSION,
        "profile": first.profile,
        "documents": sum(shard.documents for shard in shards),
    }
    rows = [asdict(shard) for shard in shards]
    for row in rows:
        del row["profile"]
    lines = ",\n".join(json.dumps(row, ensure_ascii=False) for row in rows)
    path = Path(folder) / MANIFEST
    with replacing(path) as out:
        out.write(f'{json.dumps(head)[:-1]}, "shards": [\n{lines}\n]}}\n'.encode())
    return path
