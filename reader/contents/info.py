"""Read the counts and settings of a pocket file."""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields
from typing import Any

from pocketindex.answers.results import Result
from pocketindex.cbits import ffi, lib
from pocketindex.contents.sections import LOOK_UP, sections_of
from pocketindex.contents.texts import kept
from pocketindex.errors import HASHES, SECTIONS, section_name
from pocketindex.ffi.status import check

SCHEMES = {1: "ff", 2: "rff", 3: "plsh", 4: "minhash", 5: "wminhash", 6: "simhash"}


@dataclass(frozen=True, slots=True)
class Table:
    """A table: its keys, postings (one a document), parts, and the components that make its
    sub-key.
    """

    keys: int
    postings: int
    parts: int
    first_component: int
    components: int

    @property
    def average_postlist(self) -> float:
        """Postings a key (Potthast 2007: 1.17)."""
        return self.postings / self.keys if self.keys else 0.0


@dataclass(frozen=True, slots=True, repr=False)
class Info(Result):
    """The counts and settings of a pocket file, and the bytes of its sections.

    texts: what the file keeps of texts: `none`, `snippet` or `text`.

    way: how a query is answered by default: by a `scan` of all sketches, by keys in `tables`, by
    these and the documents of the nearest cells (`cells and tables`), or only by cells (`cells`).
    default_probes: the number of keys that a query looks up in each table. cells: the number of
    cells, 0 for none; cells_asked: the number of nearest cells whose documents a query compares.

    min_similarity: the default threshold of a query for its first hit; a hit below it may be chance
    (Index.min_similarity).

    labels: the number of different labels of the documents, 0 if the file was built without labels.

    run_terms, run_window: the words of a shingle and the shingles of a window in the passages
    section, 0 without one. frequent_runs: the number of shingles that more than run_documents
    documents have. For a passage of such shingles, `sources` gives the number of documents and a
    few examples.

    words: the number of different words that can be searched for, 0 without a words section.
    word_postings: the number of their documents in all. words_heaviest: the most words of a
    document, 0 for all. words_counted: the number of documents whose words were counted to choose
    these. title_weight: how often a word of a title counts. word_forms: the language and the
    libraries by which words are forms of one another; empty if they are not.

    short_documents: the number of documents that have too few terms for a sketch.

    bytes_per_document: the bytes of each section, divided by the number of documents. `look-up` is
    the sum of the sections that a query needs: tables, sketches, cells and copies.
    """

    path: str
    version: str
    file_size: int
    documents: int
    short_documents: int
    keys: int
    scheme: str
    profile: str
    profile_fingerprint: str
    mph: str
    mph_bits_per_key: float
    checksum_bits: int
    identity_bits: int
    way: str
    default_probes: int
    cells: int
    cells_asked: int
    least_terms: int
    min_similarity: float
    components: int
    texts: str
    labels: int
    run_terms: int
    run_window: int
    run_documents: int
    frequent_runs: int
    words: int
    word_postings: int
    words_heaviest: int
    words_counted: int
    title_weight: int
    word_forms: str
    sections: dict[str, int]
    bytes_per_document: dict[str, float]
    tables: tuple[Table, ...]

    def as_dict(self) -> dict[str, Any]:
        """Return the same for JSON."""
        plain = asdict(self)
        plain["tables"] = [
            {**asdict(table), "average_postlist": round(table.average_postlist, 4)}
            for table in self.tables
        ]
        return plain


def look_up_bytes(sections: dict[str, int]) -> int:
    """Return the bytes of those sections that are read to find similar documents."""
    return sum(sections.get(section_name(kind), 0) for kind in LOOK_UP)


def gather(handle: Any, path: str) -> Info:
    """Read an open index's summary, sections and tables."""
    summary, error = ffi.new("pocket_summary *"), ffi.new("pocket_error *")
    lib.pocket_summarize(handle, summary)
    sections = {"header": 32 + 40 * lib.pocket_section_count(handle)}
    for section in sections_of(handle):
        sections[SECTIONS.get(section.kind, f"kind {section.kind}")] = section.length
    tables = []
    for i in range(summary.tables):
        table = ffi.new("pocket_table *")
        check(lib.pocket_table_get(handle, i, table), error, path)
        tables.append(
            Table(table.keys, table.postings, table.parts, table.first_component, table.components)
        )
    hash_bytes = ffi.new("uint64_t *")
    check(lib.pocket_hash_bytes(handle, hash_bytes, error), error, path)
    name, forms = ffi.new("char[256]"), ffi.new("char[256]")
    lib.pocket_word_forms(handle, forms)
    check(lib.pocket_profile_name(handle, name), error, path)
    keys = sum(table.keys for table in tables)
    documents = summary.documents
    # Most fields have the name of one of pocket_summary; own has the others.
    told = {name: getattr(summary, name) for name, _ in ffi.typeof("pocket_summary").fields}
    own: dict[str, Any] = {
        "path": path,
        "version": f"{summary.major}.{summary.minor}",
        "short_documents": documents - summary.sketched,
        "keys": keys,
        "scheme": SCHEMES.get(summary.scheme, str(summary.scheme)),
        "profile": ffi.string(name).decode("utf-8", "replace"),
        "profile_fingerprint": f"{summary.profile_fingerprint:016x}",
        "mph": HASHES.get(summary.mph, str(summary.mph)),
        "mph_bits_per_key": round(8 * hash_bytes[0] / keys, 4) if keys else 0.0,
        "way": _way(summary),
        "min_similarity": lib.pocket_min_similarity(handle, 0, 0) / 10000,
        "texts": kept(handle),
        "labels": lib.pocket_label_count(handle),
        "title_weight": summary.word_title_weight,
        "word_forms": ffi.string(forms).decode(),
        "sections": sections,
        "bytes_per_document": {
            "look-up": _each(look_up_bytes(sections), documents),
            **{name: _each(size, documents) for name, size in sections.items() if name != "header"},
        },
        "tables": tuple(tables),
    }
    return Info(**{field.name: (told | own)[field.name] for field in fields(Info)})


def _way(summary: Any) -> str:
    if summary.scans:
        return "scan"
    return " and ".join(
        name for name, count in (("cells", summary.cells), ("tables", summary.tables)) if count
    )


def _each(size: int, documents: int) -> float:
    return round(size / documents, 3) if documents else 0.0
