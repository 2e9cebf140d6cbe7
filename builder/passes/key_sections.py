"""Write the sections that are looked up by keys, from sorted files: tables, ids, passages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from pocketindex.builder.passes.context import Context
from pocketindex.builder.spill.chunks.arranged import Arranged
from pocketindex.builder.spill.sorted_files import Merged, SortedFile, fewer
from pocketindex.builder.write.container import Section
from pocketindex.builder.write.passages import (
    Numbered,
    ShingleLists,
    passages_parameters,
    write_passages,
)
from pocketindex.builder.write.tables import write_tables

HASH_CHECKSUM_BITS = 8  # of ids, which are hashes themselves


@dataclass(frozen=True)
class MergedKeys:
    """The merged keys of the documents of chunks. shingle_keys: the sorted files of their shingles,
    empty without passages; shingle_key_range: the key range of shingles.
    """

    arranged: Arranged
    tables: int
    shingle_keys: Sequence[SortedFile]
    shingle_key_range: int
    context: Context

    def write_tables(self, tables: Section, ids: Section, probes: int) -> None:
        """Write the tables, then the ids."""
        arranged = self.arranged
        settings = self.context.settings
        context = self.context
        context.progress.phase(
            "writing tables",
            documents=arranged.with_sketch * self.tables + arranged.count,
            unit="postings",
        )
        files = [
            Merged(
                fewer(
                    [part.sorted_keys(table) for part in arranged.sketched],
                    context.work.folder / f"keys-{table}",
                    context.merging,
                ),
                context.merging,
            )
            for table in range(self.tables + 1)
        ]
        write = partial(
            write_tables,
            threads=context.threads,
            keys_per_part=settings.keys_per_part,
            numbers=arranged.numbers,
            done=context.progress.add,
        )
        write(
            tables,
            files[:-1],
            arranged.with_sketch,
            mph=settings.mph,
            checksum_bits=settings.checksums,
            default_probes=probes,
        )
        write(ids, files[-1:], arranged.count, checksum_bits=HASH_CHECKSUM_BITS)

    def write_passages(self, section: Section) -> None:
        """Write the passages section (docs/format.md 6.3)."""
        settings = self.context.settings
        arranged = self.arranged
        context = self.context
        context.progress.phase(
            "writing passages",
            documents=sum(file.count for file in self.shingle_keys),
            unit="shingles",
        )
        files = fewer(self.shingle_keys, context.work.folder / "shingles", context.merging)
        merged = Numbered(Merged(files, context.merging), self.shingle_key_range)
        tables = [
            ShingleLists(
                merged,
                settings.run_documents,
                arranged.count,
                frequent=frequent,
                numbers=arranged.numbers,
            )
            for frequent in (False, True)
        ]
        write_passages(
            section,
            tables,
            arranged.count,
            context.threads,
            key_range=self.shingle_key_range,
            keys_per_part=settings.keys_per_part,
            done=context.progress.add,
        )
        section.parameters += passages_parameters(settings.shingle_shape, self.shingle_key_range)
