"""What is known of pages that were read before, in a file of SQLite beside the site."""

from __future__ import annotations

import hashlib
import sqlite3
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from pocketindex.builder.site.counting.vocabulary import Counts, Vocabulary
from pocketindex.builder.site.html_page import Record

WAIT = 1.0  # seconds for another build to let the file go
READER = 4  # another one where pages are read in another way
DAMAGED = "{}: the cache is damaged, so {} read anew"
MOST_UNUSED = 2  # words for each that a page has, before the file is begun anew
_KINDS = (np.int32, np.uint32, np.uint8, np.uint8, np.uint32)  # the last five columns


@dataclass
class Row:
    """What is kept of a page. said, stored, words, menus: as a Page has them, the first as JSON."""

    said: str
    stored: bytes
    words: Counts
    menus: Sequence[int]


def cache_of(site: Path) -> Path:
    """Return the path of the cache of a site: a hidden file beside it, so that nobody uploads it
    with the site.
    """
    site = site.resolve()
    return site.with_name(f".{site.name}.pocketindex-cache")


class Cache:
    """Rows by path, of files with the same bytes that were read in the same way.

    path: of the file, None to keep nothing; how: all that decides how a page is read. A file of
    another version is begun anew, one that is damaged, too. note: that it is, or why nothing can be
    kept, or nothing.
    """

    def __init__(self, path: Path | None, how: str) -> None:
        """Raise ValueError where another build has the file."""
        self.how = hashlib.sha256(f"{READER}:{how}".encode()).hexdigest()
        self.note = ""
        self.vocabulary = Vocabulary()
        self._seen, self._asked = set[str](), set[bytes]()
        self._counts = list[Counts]()  # of the pages that were asked for
        self._path = path
        self._known = 0  # words of the vocabulary that the file has
        self._connection = self._opened()

    def _opened(self) -> sqlite3.Connection:
        path = self._path
        try:
            connection = self._tables(str(path) if path else "")
            self._load(connection)
            return connection
        except sqlite3.OperationalError as error:
            if "locked" in str(error):
                raise ValueError(
                    f"{path}: another build of the site is using it; wait for its end, or add "
                    "--no-cache"
                ) from error
            self.note = f"{path}: nothing is kept for the next build: {error}"
            self._path = None
        except (sqlite3.DatabaseError, ValueError):
            if path:
                self.note = DAMAGED.format(path, "all pages are")
                path.unlink(missing_ok=True)
                return self._opened()
        return self._tables("")

    def _tables(self, name: str) -> sqlite3.Connection:
        """Return a connection to a file, or to a temporary one without a name."""
        connection = sqlite3.connect(name, timeout=WAIT, isolation_level=None)
        try:
            connection.execute("PRAGMA page_size = 32768")  # most of a page's row is in one
            connection.execute("PRAGMA synchronous = OFF")
            connection.execute("BEGIN IMMEDIATE")
            connection.execute("CREATE TABLE IF NOT EXISTS how (how TEXT)")
            if connection.execute("SELECT how FROM how").fetchall() != [(self.how,)]:
                for table in ("pages", "vocabulary", "kept"):
                    connection.execute(f"DROP TABLE IF EXISTS {table}")
                connection.execute("DELETE FROM how")
                connection.execute(
                    "CREATE TABLE pages (path TEXT PRIMARY KEY, key BLOB, sum INTEGER, said TEXT,"
                    " length INTEGER, stored BLOB, numbers BLOB, weights BLOB, places BLOB,"
                    " texts BLOB, menus BLOB)"
                )
                connection.execute("CREATE TABLE vocabulary (words BLOB, ranks BLOB, sum INTEGER)")
                connection.execute(
                    "CREATE TABLE kept (key BLOB PRIMARY KEY, made BLOB, sum INTEGER)"
                )
                connection.execute("INSERT INTO how VALUES (?)", (self.how,))
        except BaseException:
            connection.close()
            raise
        return connection

    def _load(self, connection: sqlite3.Connection) -> None:
        for words, order, sum in connection.execute("SELECT * FROM vocabulary"):
            if _sum(words, order) != sum:
                raise ValueError("other words than were written")
            self.vocabulary = Vocabulary(words, np.frombuffer(order, np.int32))
        self._known = len(self.vocabulary)
        if not self._known and connection.execute("SELECT 1 FROM pages LIMIT 1").fetchall():
            raise ValueError("pages without their words")

    def _execute(self, statement: str, values: Sequence[Any] = ()) -> list[Any]:
        """Return the rows of a statement. Where the file cannot be used any more, the build goes on
        without it.
        """
        try:
            return self._connection.execute(statement, values).fetchall()
        except sqlite3.DatabaseError as error:
            if not self._path:
                raise
            self.note = f"{self._path}: nothing is kept for the next build: {error}"
            self._connection.close()
            self._path.unlink(missing_ok=True)
            self._path = None
            self._connection = self._tables("")
            return self._connection.execute(statement, values).fetchall()

    def get(self, path: str, key: bytes) -> Row | None:
        """Return what is known of a file with such bytes (their SHA-256)."""
        self._seen.add(path)
        found = self._execute("SELECT * FROM pages WHERE path = ? AND key = ?", (path, key))
        if not found:
            return None
        _, _, sum, said, length, stored, *blobs = found[0]
        if _sum(said.encode(), stored, *blobs) != sum:
            self.note = DAMAGED.format(self._path, "some pages are")
            return None
        numbers, weights, places, texts, menus = map(np.frombuffer, blobs, _KINDS)
        self._counts.append(Counts(numbers, weights, places, texts, length))
        return Row(said, stored, self._counts[-1], menus.tolist())

    def put(self, path: str, key: bytes, record: Record) -> Row:
        """Keep what was read of a file, and return it."""
        own, said, stored = self.vocabulary.counts(record.words), record.said, record.stored
        self._counts.append(own)
        menus = np.array(record.menus, np.uint32)
        arrays = own.numbers, own.weights, own.places, own.texts, menus
        blobs = [array.tobytes() for array in arrays]
        sum = _sum(said.encode(), stored, *blobs)
        values = (path, key, sum, said, own.length, stored, *blobs)
        marks = ", ".join("?" * len(values))
        self._execute(f"INSERT OR REPLACE INTO pages VALUES ({marks})", values)  # noqa: S608
        return Row(said, stored, own, record.menus)

    def kept(self, key: bytes, make: Callable[[], bytes]) -> bytes:
        """Return what was made under a key, or make it now."""
        self._asked.add(key)
        for made, sum in self._execute("SELECT made, sum FROM kept WHERE key = ?", (key,)):
            if _sum(made) == sum:
                return bytes(made)
        made = make()
        self._execute("INSERT OR REPLACE INTO kept VALUES (?, ?, ?)", (key, made, _sum(made)))
        return made

    def forget(self) -> None:
        """Forget what was not asked for."""
        for table, column, asked in (("pages", "path", self._seen), ("kept", "key", self._asked)):
            for (own,) in self._execute(f"SELECT {column} FROM {table}"):  # noqa: S608
                if own not in asked:
                    self._execute(f"DELETE FROM {table} WHERE {column} = ?", (own,))  # noqa: S608
        in_use = np.count_nonzero(self.vocabulary.are_in(self._counts))
        if len(self.vocabulary) > MOST_UNUSED * in_use:  # numbers are for ever
            self._execute("DELETE FROM how")  # so that the next build begins anew

    def close(self) -> None:
        """Write what is new."""
        own = self.vocabulary
        if len(own) > self._known:
            words, order = own.lines, own.words()[1].tobytes()
            self._execute("DELETE FROM vocabulary")
            values = (words, order, _sum(words, order))
            self._execute("INSERT INTO vocabulary VALUES (?, ?, ?)", values)
        self._execute("COMMIT")
        self._connection.close()


def _sum(*blobs: bytes) -> int:
    found = 0
    for blob in blobs:
        found = zlib.crc32(blob, found)
    return found
