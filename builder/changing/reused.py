"""Write the documents of an old file that stay to chunks like those of documents that were read and
sketched, so that the later passes of a build need not distinguish them.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt
from pocketindex.builder.passes.context import Context
from pocketindex.builder.passes.finishing import Old
from pocketindex.builder.passes.placing import NOTHING
from pocketindex.builder.schemes.profile import Profile
from pocketindex.builder.sections.copies import CopyKeys, copy_keys_of
from pocketindex.builder.sections.pocket_file import PocketFile
from pocketindex.builder.sections.texts import texts_of
from pocketindex.builder.spill.chunks.chunk import Chunk, Ends
from pocketindex.builder.spill.chunks.document_batch import packed_label
from pocketindex.builder.spill.chunks.repeated_ids import RepeatedIds
from pocketindex.builder.spill.chunks.sketched import Sketched
from pocketindex.builder.spill.chunks.spool import CHUNK_BYTES, CHUNK_DOCUMENTS
from pocketindex.builder.spill.journal import Entry, Written
from pocketindex.builder.spill.sorted_files import sorted_bytes
from pocketindex.builder.write.sketches import records_of
from pocketindex.cbits import ffi, lib
from pocketindex.constants import SectionKind

Flags = npt.NDArray[np.bool_]
_EACH = 1_024  # bytes that a document takes while its chunk is made, about


def reuse(file: PocketFile, stay: Flags, profile: Profile, context: Context, which: int = 0) -> Old:
    """Reuse the documents of a file that stay, in their order.

    stay: a flag for each document of the file. which: the number of the file, if there are several.

    Raises Damaged.
    """
    work = context.work
    taken = list[Sketched]()
    none_repeated, copy_keys = RepeatedIds(len(file)), copy_keys_of(file)
    (stride,) = file[SectionKind.SKETCHES].numbers(4, 1)

    def take(entry: Entry) -> None:
        if own := entry["count"]:
            path = work.path(entry)
            chunk = Chunk(path, 0, own, entry["texts"], entry["details"])
            sketches = path.with_name(path.name.replace("taken", "taken-sketches"))
            sizes = (0, own, entry["with_sketch"], stride, profile.tables)
            taken.append(Sketched(chunk, none_repeated, sketches, *sizes))

    context.progress.phase("reusing documents", documents=len(file))
    done = [entry for entry in work.of("taken") if entry["which"] == which]
    for entry in done:
        take(entry)
    at = done[-1]["end"] if done else 0
    context.progress.add(at)

    def one(numbered: tuple[int, tuple[int, int]]) -> tuple[Written, Written, Entry]:
        number, (start, end) = numbered
        own = _Taken(file, start, end, stay, profile, copy_keys)
        return own.write(f"{which:03}{number:06}", context)

    for documents, sketches, sizes in context.threads.map(
        one, enumerate(_ranges(file, at, context), len(done))
    ):
        name = sizes.pop("name")
        work.enter("taken-sketches", (f"taken-sketches-{name}", sketches))
        take(work.enter("taken", (f"taken-{name}", documents), which=which, **sizes))
        context.progress.add(sizes["end"] - sizes["start"])
    numbers = np.flatnonzero(stay).astype(np.uint32)
    sketched = numbers[numbers < file.with_sketch]
    return Old(
        file, taken, numbers, _cells(file)[sketched] if SectionKind.CELLS in file else NOTHING
    )


def _cells(file: PocketFile) -> npt.NDArray[np.uint32]:
    """Return the cell of each document with a sketch."""
    part = file[SectionKind.CELLS]
    (cells,) = part.numbers(0, 1)
    firsts = np.frombuffer(part.blocks(0, 1)[-4 * cells :], "<u4")
    found = np.searchsorted(firsts, np.arange(file.with_sketch), "right") - 1
    return found.astype(np.uint32)


def _ranges(file: PocketFile, at: int, context: Context) -> Iterator[tuple[int, int]]:
    """Yield ranges of documents whose texts are about a chunk."""
    memory, kept = context.settings.max_memory, 0
    if SectionKind.TEXTS in file:
        part = file[SectionKind.TEXTS]
        kept = len(part) * part.numbers(12, 1)[0]
    each = kept // max(len(file), 1) + _EACH
    step = max(1, min(min(memory // 32, CHUNK_BYTES) // each, memory >> 14, CHUNK_DOCUMENTS))
    for start in range(at, len(file), step):
        yield start, min(start + step, len(file))


class _Taken:
    """The documents of a range that stay."""

    def __init__(
        self,
        file: PocketFile,
        start: int,
        end: int,
        stay: Flags,
        profile: Profile,
        copy_keys: CopyKeys,
    ) -> None:
        self._file = file
        self._start = start
        self._end = end
        self._profile = profile
        self._keys = copy_keys
        self._stay = stay[start:end]

    def write(self, name: str, context: Context) -> tuple[Written, Written, Entry]:
        """Write a chunk of documents and one of sketches. Returns both, and their entries in the
        journal.
        """
        work = context.work
        heads, head_ends, hashes = self._heads()
        texts = self._texts()
        text_ends = np.cumsum([len(text) for text in texts], dtype="<u8")
        ids = sorted_bytes(hashes)
        with work.file(f"taken-{name}") as documents:
            for part in (*texts, heads, text_ends.tobytes(), head_ends.astype("<u8").tobytes()):
                documents.write(part)
            documents.write(ids)
        records, copies = self._records(), self._copies()
        keys = self._profile.keys_of(records, self._file.path)
        with work.file(f"taken-sketches-{name}") as sketches:
            sketches.write(copies.astype("<u8").tobytes())
            sketches.write(records.tobytes())
            for table in range(keys.shape[1]):
                sketches.write(sorted_bytes(np.ascontiguousarray(keys[:, table])))
            sketches.write(ids)
        sizes: Entry = {
            "name": name,
            "start": self._start,
            "end": self._end,
            "count": len(copies),
            "with_sketch": len(records),
            "texts": int(text_ends[-1]) if len(texts) else 0,
            "details": len(heads),
        }
        return documents, sketches, sizes

    def _records(self) -> npt.NDArray[np.uint8]:
        """Return the records of the sketches, with shape (n, stride)."""
        part = self._file[SectionKind.SKETCHES]
        each = part.numbers(12, 1)[0]
        end = min(self._end, self._file.with_sketch)
        start = min(self._start, end)
        blocks = range(start // each, -(-end // each))
        first = blocks.start
        records = np.concatenate(
            [
                records_of(part.parameters, b""),
                *(records_of(part.parameters, part.blocks(block, block + 1)) for block in blocks),
            ]
        )
        begin = start - first * each
        return records[begin : begin + end - start][self._stay[: end - start]]

    def _copies(self) -> npt.NDArray[np.uint64]:
        """Return the copies of the documents (schemes/profile.py, Sketches.copies)."""
        copies = np.zeros(self._end - self._start, np.uint64)
        sketched = self._file.with_sketch
        copies[max(0, sketched - self._start) :] = lib.POCKET_WITHOUT_TEXT
        start = max(self._start - sketched, 0)
        own = self._keys[start : max(self._end - sketched, 0)]
        at = start + sketched - self._start
        copies[at : at + len(own)] = own | np.uint64(lib.POCKET_SHORT)
        return copies[self._stay]

    def _texts(self) -> list[bytes]:
        if SectionKind.TEXTS not in self._file:
            return [b""] * int(self._stay.sum())
        texts = texts_of(self._file[SectionKind.TEXTS], self._start, self._end)
        return [text for text, stays in zip(texts, self._stay.tolist(), strict=True) if stays]

    def _labels(self) -> list[bytes]:
        """Return the labels of each document of the range, packed as in its details."""
        index, known = self._file.index, dict[tuple[str, ...], bytes]()
        found = list[bytes]()
        for number in range(self._start, self._end):
            own = index._labels_and_language(number)
            if own not in known:
                known[own] = b"".join(map(packed_label, own))
            found.append(known[own])
        return found

    def _heads(self) -> tuple[bytes, Ends, npt.NDArray[np.uint64]]:
        """Return the details, their ends, and the hashes of the ids."""
        part = self._file[SectionKind.DOCUMENTS]
        total, template, symbols = part.numbers(0, 3)
        firsts = part.firsts
        first = int(np.searchsorted(firsts, np.uint64(self._start), "right")) - 1
        last = int(np.searchsorted(firsts, np.uint64(self._end), "left"))
        begin = int(firsts[first])
        count = (int(firsts[last]) if last < len(part) else total) - begin
        packed = part.blocks(first, last)
        labels = [b""] * count
        own = slice(self._start - begin, self._end - begin)
        if SectionKind.LABELS in self._file:
            labels[own] = self._labels()
        label_ends = np.cumsum([len(one) for one in labels], dtype=np.uint64)
        joined = b"".join(labels)
        out = np.empty(8 * len(packed) + 10 * count + len(joined), np.uint8)
        ends, hashes = np.empty(count, np.uint64), np.empty(count, np.uint64)
        status = lib.pocket_document_heads(
            part.parameters[16 + template :],
            symbols,
            ffi.from_buffer("uint8_t[]", packed),
            len(packed),
            joined,
            ffi.from_buffer("uint64_t[]", label_ends),
            count,
            ffi.from_buffer("uint8_t[]", out),
            ffi.from_buffer("uint64_t[]", ends),
            ffi.from_buffer("uint64_t[]", hashes),
        )
        if status:
            raise part.damaged("record")
        starts = np.append(np.uint64(0), ends[:-1])
        kept = np.flatnonzero(self._stay) + own.start
        sizes = np.cumsum(ends[kept] - starts[kept], dtype=np.uint64)
        heads = np.empty(int(sizes[-1]) if len(kept) else 0, np.uint8)
        lib.pocket_copy_pieces(
            ffi.from_buffer("uint8_t[]", out),
            ffi.from_buffer("uint64_t[]", starts[kept]),
            ffi.from_buffer("uint64_t[]", ends[kept]),
            len(kept),
            ffi.from_buffer("uint8_t[]", heads, require_writable=True),
            ffi.from_buffer("uint64_t[]", np.append(np.uint64(0), sizes[:-1])),
        )
        return heads.tobytes(), sizes, hashes[kept]
