"""What is known of pages that were read before, in a file of SQLite beside the site."""

from __future__ import annotations

import hashlib
import sqlite3
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from pocketindex.builder.site.words import PageWords

WAIT = 1.0  # seconds for another build to let the file go
READER = 3  # another one where pages are read in another way


@dataclass
class Row:
    """What is kept of a page. said, stored, words, menus: as a Page has them, the first as JSON."""

    said: str
    stored: bytes
    words: PageWords
    menus: list[int]


def cache_of(site: Path) -> Path:
    """Return the path of the cache of a site: a hidden file beside it, so that nobody uploads it
    with the site.
    """
    site = site.resolve()
    return site.with_name(f".{site.name}.pocketindex-cache")


class Cache:
    """Rows by path, of files with the same bytes that were read in the same way.

    path: of the file, None to keep nothing; how: all that decides how a page is read. A file that
    is damaged, or of another version, is begun anew. note: why nothing can be kept, or nothing.
    """

    def __init__(self, path: Path | None, how: str) -> None:
        """Raise ValueError where another build has the file."""
        self.how = hashlib.sha256(f"{READER}:{how}".encode()).hexdigest()
        self.note = ""
        self._seen: set[str] = set()
        self._connection = self._opened(path)

    def _opened(self, path: Path | None) -> sqlite3.Connection:
        try:
            return self._tables(str(path) if path else ":memory:")
        except sqlite3.OperationalError as error:
            if "locked" in str(error):
                raise ValueError(
                    f"{path}: another build of the site is using it; wait for its end, or add "
                    "--no-cache"
                ) from error
            self.note = f"{path}: nothing is kept for the next build: {error}"
        except sqlite3.DatabaseError:
            if path:
                path.unlink(missing_ok=True)
                return self._opened(path)
        return self._tables(":memory:")

    def _tables(self, name: str) -> sqlite3.Connection:
        connection = sqlite3.connect(name, timeout=WAIT, isolation_level=None)
        try:
            connection.execute("PRAGMA synchronous = OFF")
            connection.execute("BEGIN IMMEDIATE")
            connection.execute("CREATE TABLE IF NOT EXISTS how (how TEXT)")
            if connection.execute("SELECT how FROM how").fetchall() != [(self.how,)]:
                connection.execute("DROP TABLE IF EXISTS pages")
                connection.execute("DELETE FROM how")
                connection.execute(
                    "CREATE TABLE pages (path TEXT PRIMARY KEY, key BLOB, said TEXT, stored BLOB,"
                    " words BLOB, weights BLOB, places BLOB, length INTEGER, texts BLOB,"
                    " menus BLOB)"
                )
                connection.execute("INSERT INTO how VALUES (?)", (self.how,))
        except BaseException:
            connection.close()
            raise
        return connection

    def get(self, path: str, key: bytes) -> Row | None:
        """Return what is known of a file with such bytes (their SHA-256)."""
        self._seen.add(path)
        found = self._connection.execute(
            "SELECT said, stored, words, weights, places, length, texts, menus FROM pages"
            " WHERE path = ? AND key = ?",
            (path, key),
        ).fetchone()
        if not found:
            return None
        said, stored, words, weights, places, length, texts, menus = found
        own = PageWords(
            words,
            np.frombuffer(weights, np.uint32),
            np.frombuffer(places, np.uint8),
            length,
            np.frombuffer(texts, np.uint8),
        )
        return Row(said, stored, own, np.frombuffer(menus, np.uint32).tolist())

    def put(self, path: str, key: bytes, row: Row) -> None:
        """Keep what is known of a file."""
        own = row.words
        self._connection.execute(
            "INSERT OR REPLACE INTO pages VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                *(path, key, row.said, row.stored, own.joined),
                *(own.weights.tobytes(), own.places.tobytes(), own.length),
                *(own.texts.tobytes(), np.array(row.menus, np.uint32).tobytes()),
            ),
        )

    def forget(self) -> None:
        """Forget pages that were not asked for."""
        known = {path for (path,) in self._connection.execute("SELECT path FROM pages")}
        gone = [(path,) for path in known - self._seen]
        self._connection.executemany("DELETE FROM pages WHERE path = ?", gone)

    def close(self) -> None:
        """Write what is new."""
        self._connection.execute("COMMIT")
        self._connection.close()
