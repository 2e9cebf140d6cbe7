"""Write sources of many kinds for the tests that read them at addresses."""

from __future__ import annotations

import gzip
import json
import lzma
import tarfile
import zipfile
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
from made_up import made_up

KINDS = {
    "packed lines": "docs.jsonl.gz",
    "a table": "rows.parquet",
    "a packed table": "rows.parquet.gz",
    "a tar archive": "files.tar.gz",
    "a zip archive": "files.zip",
    "a packed zip archive": "files.zip.xz",
    "a text": "one file.txt",
    "an mbox": "box.mbox",
    "a name without a suffix": "unnamed",
    "a pattern": "parts/*.jsonl",
    "a pattern of folders": "**/*.md",
    "a folder": "folder/",
}


def write_sources(top: Path) -> Path:
    """Write sources of the kinds above to a folder, and return it."""
    documents = made_up(8)
    lines = "".join(json.dumps(one) + "\n" for one in documents).encode()
    (top / "docs.jsonl.gz").write_bytes(gzip.compress(lines, mtime=0))
    (top / "unnamed").write_bytes(lines)
    pq.write_table(pa.Table.from_pylist(documents), top / "rows.parquet")
    (top / "one file.txt").write_text(documents[0]["text"])
    message = "From a@b Thu Jan  1 00:00:00 1970\nSubject: {}\n\n{}\n\n"
    box = "".join(message.format(number, one["text"]) for number, one in enumerate(documents))
    (top / "box.mbox").write_text(box)
    (top / "parts").mkdir()
    for name in ("b.jsonl", "a.jsonl", ".hidden.jsonl"):
        own = json.dumps({"id": name, "text": f"{name} {documents[1]['text']}"})
        (top / "parts" / name).write_text(own + "\n")
    folder = top / "folder"
    for name in ("b.txt", "A dir/ö.md", "A dir/page.html", ".hidden/c.txt", ".d.txt", "e.bin"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(f"{name} {documents[2]['text']}")
    for part in ("cur", "new", "tmp"):
        (folder / "mail" / part).mkdir(parents=True)
        (folder / "mail" / part / f"{part}1:2,S").write_text(f"Subject: {part}\n\nwords of {part}")
    for number, one in enumerate(documents):
        (top / f"{number}.txt").write_text(one["text"])
    with tarfile.open(top / "files.tar.gz", "w:gz") as tar:
        for number in (0, 1, 0):  # of two with one name the later is read
            tar.add(top / f"{number}.txt", "same.txt" if number == 0 else "other.txt")
    for path in (top / "files.zip", folder / "inner.zip"):
        with zipfile.ZipFile(path, "w") as archive:
            for number in range(3):
                archive.write(top / f"{number}.txt", f"in/{number}.txt")
    for name, pack in (("rows.parquet.gz", gzip.compress), ("files.zip.xz", lzma.compress)):
        (top / name).write_bytes(pack((top / Path(name).stem).read_bytes()))
    for number in range(len(documents)):
        (top / f"{number}.txt").unlink()
    return top
