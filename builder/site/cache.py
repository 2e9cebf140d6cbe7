"""What is known of pages that were read before, in a file of SQLite beside the site. A build takes
texts and words of pages from it, one page at a time, so that it needs no memory for them.
"""

from __future__ import annotations

import hashlib
import sqlite3
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from pocketindex.builder.site.counting.vocabulary import Counts, Vocabulary
from pocketindex.builder.site.html_page import Record
from pocketindex.errors import spelled

WAIT = 1.0  # seconds for another build to let the file go
READER = 8  # another one where pages are read or indexed in another way
DAMAGED = "{}: the cache is damaged, so {} read anew"
MOST_GROWN = 2  # words for each that the first build knew, before the file is begun anew

_TABLES = {
    "pages": "id INTEGER PRIMARY KEY, address TEXT UNIQUE, key BLOB, said TEXT, sum",
    "texts": "id INTEGER PRIMARY KEY, stored BLOB, sum",
    "counts": "id INTEGER PRIMARY KEY, numbers BLOB, weights BLOB, places BLOB, texts BLOB, sum",
    "vocabulary": "words BLOB, first INTEGER, sum",  # first: of the first build
    "kept": "key BLOB PRIMARY KEY, made BLOB, sum",
}


class CacheDamaged(OSError):
    """What was known of a page is not there any more."""


class Row(NamedTuple):
    """What is known of a page. id: of its texts and words; said: as Record has it."""

    id: int
    said: str


def cache_of(site: Path) -> Path:
    """Return the path of the cache of a site: a hidden file beside it, so that nobody uploads it
    with the site.
    """
    site = site.resolve()
    return site.with_name(f".{site.name}.pocketindex-cache")


class Cache:
    """Rows by address, of files with the same bytes that were read in the same way.

    path: of the file, None to keep nothing; how: all that decides how a page is read. A file of
    another version is begun anew, one that is damaged, too. note: that it is, or why nothing can be
    kept, or nothing.
    """

    def __init__(self, path: Path | None, how: str) -> None:
        """Raise ValueError where another build has the file."""
        self.how = hashlib.sha256(f"{READER}:{how}".encode()).hexdigest()
        self.note = ""
        self._path = path
        self._ids = dict[str, int | None]()  # of the files that were asked for, None of new ones
        self._asked = set[bytes]()
        self._free = 1  # an id that is not used, as all above it
        self._known = self._first = 0  # words that the file has, and had after the first build
        self.vocabulary = Vocabulary()
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
                    f"{path}: another build of the site is using it; wait for its end, or "
                    f"use {spelled('cache', False)}"
                ) from error
            self.note = f"{path}: nothing is kept for the next build: {error}"
            self._path = None
        except (sqlite3.DatabaseError, ValueError):
            if path:
                self.note = DAMAGED.format(path, "all pages are")
                _delete(path)
                return self._opened()
        return self._tables("")

    def _tables(self, name: str) -> sqlite3.Connection:
        """Return a connection to a file, or to a temporary one without a name."""
        connection = sqlite3.connect(name, timeout=WAIT, isolation_level=None)
        try:
            connection.execute("PRAGMA page_size = 8192")
            connection.execute("PRAGMA synchronous = OFF")
            connection.execute("BEGIN IMMEDIATE")
            connection.execute("CREATE TABLE IF NOT EXISTS how (how TEXT)")
            if connection.execute("SELECT how FROM how").fetchall() != [(self.how,)]:
                for table, columns in _TABLES.items():
                    connection.execute(f"DROP TABLE IF EXISTS {table}")
                    connection.execute(f"CREATE TABLE {table} ({columns})")
                connection.execute("DELETE FROM how")
                connection.execute("INSERT INTO how VALUES (?)", (self.how,))
        except BaseException:
            connection.close()
            raise
        return connection

    def _load(self, connection: sqlite3.Connection) -> None:
        self.vocabulary, self._known, self._first = Vocabulary(), 0, 0
        ((most,),) = connection.execute("SELECT max(id) FROM pages").fetchall()
        self._free = (most or 0) + 1
        for words, first, sum in connection.execute("SELECT * FROM vocabulary"):
            if _sum(words) != sum:
                raise ValueError("other words than were written")
            self.vocabulary, self._first = Vocabulary(words), first
            self._known = len(self.vocabulary)
        if not self._known and connection.execute("SELECT 1 FROM pages LIMIT 1").fetchall():
            raise ValueError("pages without their words")

    def begin_anew(self) -> None:
        """Forget everything, because something that was known is not there any more."""
        if self._path:
            self.note = self.note or DAMAGED.format(self._path, "all pages are")
            self._connection.close()
            _delete(self._path)
            self._connection = self._opened()
        self._ids.clear()

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
            _delete(self._path)
            self._path = None
            self._connection = self._tables("")
            return self._connection.execute(statement, values).fetchall()

    def get(self, address: str, key: bytes) -> Row | None:
        """Return what is known of a file with such bytes (their SHA-256)."""
        statement = "SELECT id, key, said, sum FROM pages WHERE address = ?"
        self._ids[address] = None
        for id, known, said, sum in self._execute(statement, (address,)):
            self._ids[address] = id
            if known != key:
                return None
            if _sum(said.encode()) == sum:
                return Row(id, said)
            self.note = DAMAGED.format(self._path, "some pages are")
        return None

    def put(self, address: str, key: bytes, record: Record) -> Row:
        """Keep what was read of a file that was asked for, and return what is known then."""
        id = self._ids[address] or self._free
        self._free = max(self._free, id + 1)
        said: tuple[Any, ...] = (id, address, key, record.said, _sum(record.said.encode()))
        self._execute("INSERT OR REPLACE INTO pages VALUES (?, ?, ?, ?, ?)", said)
        own = self.vocabulary.counts(record.words)
        for table, blobs in (("texts", (record.stored,)), ("counts", own)):
            values = (id, *blobs, _sum(*blobs))
            marks = ", ".join("?" * len(values))
            self._execute(f"INSERT OR REPLACE INTO {table} VALUES ({marks})", values)  # noqa: S608
        return Row(id, record.said)

    def stored(self, id: int) -> bytes:
        """Return what pieces of texts have of a page, a line of JSON for each of its texts. Raises
        CacheDamaged where it is not there any more, as counts does.
        """
        return self._blobs("texts", id)[0]

    def counts(self, id: int) -> Counts:
        """Return the words of a page."""
        return Counts(*self._blobs("counts", id))

    def _blobs(self, table: str, id: int) -> list[bytes]:
        found = self._execute(f"SELECT * FROM {table} WHERE id = ?", (id,))  # noqa: S608
        for _, *blobs, sum in found:
            if _sum(*blobs) == sum:
                return list(blobs)
        raise CacheDamaged(
            f"{self._path or 'a temporary file'}: what the cache has of a page is damaged; check "
            "the disk, and build the site again"
        )

    def kept(self, key: bytes) -> bytes | None:
        """Return what was kept under a key."""
        self._asked.add(key)
        for made, sum in self._execute("SELECT made, sum FROM kept WHERE key = ?", (key,)):
            if _sum(made) == sum:
                return bytes(made)
        return None

    def keep(self, key: bytes, made: bytes) -> None:
        """Keep what was made for the next build, if it asks for it."""
        self._execute("INSERT OR REPLACE INTO kept VALUES (?, ?, ?)", (key, made, _sum(made)))

    def forget(self) -> None:
        """Forget what was not asked for."""
        for id, address in self._execute("SELECT id, address FROM pages"):
            for table in ("pages", "texts", "counts") if address not in self._ids else ():
                self._execute(f"DELETE FROM {table} WHERE id = ?", (id,))  # noqa: S608
        for (key,) in self._execute("SELECT key FROM kept"):
            if key not in self._asked:
                self._execute("DELETE FROM kept WHERE key = ?", (key,))
        if self._first and len(self.vocabulary) > MOST_GROWN * self._first:  # numbers are for ever
            self._execute("DELETE FROM how")  # so that the next build begins anew

    def close(self) -> None:
        """Write what is new."""
        own = self.vocabulary
        if len(own) > self._known:
            words = own.lines
            self._execute("DELETE FROM vocabulary")
            values = (words, self._first or len(own), _sum(words))
            self._execute("INSERT INTO vocabulary VALUES (?, ?, ?)", values)
        self._execute("COMMIT")
        self._connection.close()


def _delete(path: Path) -> None:
    """Delete a file of SQLite, and what it left beside it where it could not end its work."""
    path.unlink(missing_ok=True)
    path.with_name(f"{path.name}-journal").unlink(missing_ok=True)


def _sum(*blobs: bytes) -> int:
    found = 0
    for blob in blobs:
        found = zlib.crc32(blob, found)
    return found
