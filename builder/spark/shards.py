"""A folder of pocket files, each of which one task builds as a single machine does."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np
from pocketindex.builder.passes.context import Context
from pocketindex.builder.passes.finishing import finish, plan
from pocketindex.builder.passes.sketching import sketch
from pocketindex.builder.pipeline import check_count
from pocketindex.builder.progress import Progress
from pocketindex.builder.schemes import SCHEMES
from pocketindex.builder.schemes.profile import Profile
from pocketindex.builder.settings import Settings
from pocketindex.builder.spill.chunks.chunk import chosen
from pocketindex.builder.spill.chunks.repeated_ids import RepeatedIds
from pocketindex.builder.spill.chunks.spool import Spool
from pocketindex.builder.spill.journal import WorkFolder
from pocketindex.builder.spill.replace import replacing
from pocketindex.builder.spill.threads import Threads
from pocketindex.builder.tally import Tally
from pocketindex.builder.write.manifest import shard_of, write_manifest
from pocketindex.manifest import Shard
from pocketindex.spark.reading import SOURCE, Read, batch_of, numbered
from pocketindex.spark.stages import Row, kept_on_disk, made, stage, streamed

PIECE = 1 << 24  # bytes of a file in a row
MEMORY = 1 << 28  # bytes that a task may take for sorting and its chunks
COLUMNS = {
    "shard": "int",
    "first": "long",
    "texts": "binary",
    "details": "binary",
    "text_ends": "binary",
    "detail_ends": "binary",
    "hashes": "binary",
}
BUILT = {"shard": "int", "piece": "binary", "said": "string"}


def write_shards(
    target: Path,
    read: Read,
    repeated: RepeatedIds,
    profile: Profile,
    shards: int,
    context: Context,
) -> None:
    """Make the folder target of so many files, each of an equal run of the documents without those
    of repeated ids, and its manifest.

    The profile has the weights of all documents, for as many as are in a file.
    """
    count, settings = read.count - repeated.count, context.settings
    choices, name = settings.choices, "weights of this collection"
    fit = SCHEMES[settings.scheme].fit
    data = fit(profile.data, name, -(-count // shards), choices)
    with ExitStack() as stack:
        context.progress.phase("building shards", documents=count)
        task = partial(_cut, read.firsts, read.count, repeated, shards)
        cut = stage(read.batches.drop("said"), task, COLUMNS)
        parted = cut.repartitionById(shards, cut["shard"]).sortWithinPartitions("first")
        one = replace(settings, threads=1, max_memory=MEMORY)
        work = _Work(one, data, name)
        built = made(kept_on_disk(stage(parted, work, BUILT), stack))
        context.progress.phase("writing shards")
        _receive(target, built, context)


def _cut(
    firsts: dict[int, int], count: int, repeated: RepeatedIds, shards: int, rows: Iterator[Row]
) -> Iterator[Row]:
    """Documents by the shard that they are in, without those of repeated ids."""
    for first, row in numbered(firsts, rows):
        batch, own = batch_of(row), ~repeated.among(first, row["count"])
        of = (first + np.arange(len(batch))) * shards // count
        for shard in np.unique(of[own]).tolist():
            some = own & (of == shard)
            texts, text_ends = chosen(bytes(batch.texts), batch.text_ends, some)
            details, detail_ends = chosen(bytes(batch.details), batch.detail_ends, some)
            yield {
                "shard": shard,
                "first": first,
                "texts": texts,
                "details": details,
                "text_ends": text_ends,
                "detail_ends": detail_ends,
                "hashes": batch.hashes[some],
            }


@dataclass(frozen=True)
class _Work:
    """What a task does to the documents of a shard: the passes of a build on a single machine."""

    settings: Settings
    profile: bytes
    name: str

    def __call__(self, rows: Iterator[Row]) -> Iterator[Row]:
        # Spark removes this folder when the application ends, even where a task was killed.
        places = os.environ.get("SPARK_LOCAL_DIRS", tempfile.gettempdir()).split(",")
        with tempfile.TemporaryDirectory(dir=places[0]) as name, Threads(1) as threads:
            work, report = WorkFolder(Path(name), {}), Tally()
            context = Context(self.settings, work, report, Progress(form="none"), threads)
            spool, shard = Spool(work, self.settings.max_memory, threads), -1
            for row in rows:
                shard = row["shard"]
                if spool.add(batch_of(row)):
                    spool.finish()
            spool.end()
            if not spool.count:
                return
            profile = Profile(self.profile, self.name)
            made, repeated = plan(spool.count, profile, self.settings), RepeatedIds(spool.count)
            parts = sketch(spool, repeated, profile, context, made.cells > 0)
            said = [report.indexed, report.short, report.without_text]
            yield {"shard": shard, "piece": b"", "said": json.dumps(said)}
            path = Path(name) / "built.pocket"
            finish(path, parts, made, context)
            with path.open("rb") as file:
                while piece := file.read(PIECE):
                    yield {"shard": shard, "piece": piece, "said": None}


def _receive(target: Path, built: Any, context: Context) -> None:
    """Write the files as their pieces come, then the manifest."""
    for row in built.where("said is not null").select("said").collect():
        context.report.index(*json.loads(row.said))
    check_count([SOURCE], target, context, context.report.indexed)
    target.mkdir(exist_ok=True)
    pieces = streamed(built.where("said is null"), "shard", "piece")
    found = list[Shard]()
    for shard, own in groupby(pieces, lambda row: int(row.shard)):
        path = target / f"{shard:05}.pocket"
        with replacing(path) as out:
            for row in own:
                out.write(row.piece)
        found.append(shard_of(path))
    write_manifest(target, found)
