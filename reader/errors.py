"""What can go wrong with a pocket file, each with a message that names the file, the place, what
was expected and what to do, and how messages spell options: as Python writes an argument or, while
the command runs, as the command writes a flag.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from pocketindex.constants import SectionKind, Status

SECTIONS = {0: "header", **{int(kind): kind.name.lower() for kind in SectionKind}}
HASHES = {1: "pilot", 2: "cmph-bmz", 3: "cmph-bdz", 4: "cmph-chd"}
TEXT_BYTES = 268_435_456
COPY_AGAIN = "copy or download the file again"
_typed = False


def is_typed() -> bool:
    """Return whether the command runs, so that options are spelled as they are typed."""
    return _typed


@contextmanager
def as_typed() -> Iterator[None]:
    """Spell options as the command does until the end of the block, in all threads."""
    global _typed
    before, _typed = _typed, True
    try:
        yield
    finally:
        _typed = before


def spelled(name: str, value: Any = None, rare: bool = False) -> str:
    """Return an option, with its value unless it is None, as those who read a message write it.

    name: as in Python; value: a string, a number, a list of strings or a truth; rare: whether the
    command has it as `--set NAME=VALUE`.

    >>> print(spelled("keep", "text"), spelled("force", True), spelled("index", ("a", "b")))
    keep="text" force=True index=("a", "b")
    >>> with as_typed():
    ...     print(spelled("keep", "text"), spelled("force", True), spelled("index", ("a", "b")))
    --keep text --force --index a,b
    """
    if not _typed:
        return name if value is None else f"{name}={_literal(value)}"
    flag = f"--set {name}" if rare else f"--{'no-' * (value is False)}{name.replace('_', '-')}"
    if value is None or isinstance(value, bool):
        return flag
    shown = ",".join(value) if isinstance(value, tuple) else str(value)
    return f"{flag}{'=' if rare else ' '}{shown}"


def _literal(value: Any) -> str:
    if isinstance(value, tuple):
        return f"({', '.join(map(_literal, value))})"
    return f'"{value}"' if isinstance(value, str) else f"{value}"


def section_name(kind: int) -> str:
    """Return the name of a section, as docs/format.md 1.2 has it."""
    return SECTIONS.get(kind, f"of kind {kind}")


class PocketError(Exception):
    """Whatever pocketindex refuses; its subclasses say why."""


class _OfFile(PocketError):
    """What a file is or lacks."""

    def __init__(self, path: str) -> None:
        super().__init__(path)
        self.path = path


class _Without(_OfFile):
    """A file was built without something. what: what is missing; option, value: how a build is told
    to include it.
    """

    what, option = "", ""
    value: bool | str | tuple[str, ...] = True

    def __str__(self) -> str:
        option = spelled(self.option, self.value)
        return f"{self.path}: expected {self.what}, found none; build it with {option}"


class _Compared(PocketError):
    """A field of a file has another value than was expected; more: of the subclass."""

    def __init__(
        self, path: str, field: str, expected: int | str, found: int | str, *more: str
    ) -> None:
        super().__init__(path, field, expected, found, *more)
        self.path = path
        self.field = field
        self.expected = expected
        self.found = found


class NotAPocketFile(PocketError):
    """The file does not start with the magic bytes. found: its first bytes, empty when unknown."""

    def __init__(self, path: str, found: bytes = b"") -> None:
        super().__init__(path, found)
        self.path, self.found = path, found

    def __str__(self) -> str:
        if self.path.endswith("manifest.json"):
            return f"{self.path}: not a pocket file; give the shards that this manifest names"
        from pocketindex.kinds import not_an_index  # only for a mistake

        return f"{self.path}: not a pocket file: {not_an_index(self.path, self.found)}"


class TooNew(_Compared):
    """The file needs another, mostly newer, reader.

    field: what this reader does not know (major version, scheme ...).
    """

    def __str__(self) -> str:
        if self.expected == self.found:
            return (
                f"{self.path}: too new: this reader does not know its {self.field}; upgrade "
                "pocketindex"
            )
        return (
            f"{self.path}: too new: {self.field}: expected {self.expected}, found "
            f"{self.found}; upgrade pocketindex"
        )


class Damaged(PocketError):
    """The file contradicts docs/format.md.

    section: a name of SECTIONS; block: its number, None for the header or a section's head; field:
    what was compared; expected, found: sizes in bytes, counts or checksums, as the field says.
    expected is a phrase where many values are allowed.
    """

    def __init__(
        self,
        path: str,
        section: str,
        block: int | None,
        field: str,
        expected: int | str,
        found: int | str,
    ) -> None:
        super().__init__(path, section, block, field, expected, found)
        self.path = path
        self.section = section
        self.block = block
        self.field = field
        self.expected = expected
        self.found = found

    def __str__(self) -> str:
        place = self.section if self.section == "header" else f"section {self.section}"
        if self.block is not None:
            place += f", block {self.block}"
        if self.expected == self.found:
            fault = f"{self.field} has a value that the format does not allow"
        else:
            fault = (
                f"{self.field}: expected {self._show(self.expected)}, found "
                f"{self._show(self.found)}"
            )
        return f"{self.path}: damaged: {place}: {fault}; {COPY_AGAIN}"

    def _show(self, value: int | str) -> str:
        is_checksum = self.field == "CRC32C" or self.field.endswith("checksum")
        return f"0x{value:08x}" if is_checksum and isinstance(value, int) else str(value)


class NotReachable(PocketError):
    """A file at an address cannot be read. path: the address, without what is secret in it;
    problem: the reason, and what to do.
    """

    def __init__(self, path: str, problem: str) -> None:
        super().__init__(path, problem)
        self.path, self.problem = path, problem

    def __str__(self) -> str:
        return f"{self.path}: {self.problem}"


class FileChanged(_OfFile):
    """The file was written to while it was open: its size or a time of it is another one."""

    def __str__(self) -> str:
        return (
            f"{self.path}: changed: it was written to while open; open it again; replace files "
            "by renaming"
        )


class NeedsCmph(PocketError):
    """The file's perfect hash is one of libcmph's and this installation was built without it."""

    def __init__(self, path: str, hash_name: str) -> None:
        super().__init__(path, hash_name)
        self.path, self.hash_name = path, hash_name

    def __str__(self) -> str:
        return (
            f"{self.path}: its perfect hash {self.hash_name} needs libcmph; apt-get install "
            "libcmph-dev, and install pocketindex from its sources with POCKETINDEX_CMPH=1"
        )


class NeedsTexts(PocketError):
    """The file does not keep the whole texts of its documents, which were asked for.

    kept: `none` or `snippet`.
    """

    def __init__(self, path: str, kept: str) -> None:
        super().__init__(path, kept)
        self.path, self.kept = path, kept

    def __str__(self) -> str:
        found = "only snippets of them" if self.kept == "snippet" else "nothing of them"
        return (
            f"{self.path}: expected the texts of its documents, found {found}; build it with "
            f"{spelled('keep', 'text')}"
        )


class NeedsTitles(_Without):
    """The file has no titles section, and a title was looked up."""

    what, option = "titles to look up", "titles"


class NeedsLabels(_Without):
    """The file has no labels section, and a label was asked for."""

    what, option, value = "documents with labels", "label", "FIELD"


class NoPassages(_Without):
    """The file has neither passages nor words, and sources were asked for."""

    what, option, value = "passages or words", "index", ("documents", "passages", "words")


class NoWords(_Without):
    """The file has no words section, and words were searched for."""

    what, option, value = "words", "index", ("documents", "words")


class NotAManifest(_Compared):
    """The file does not say what docs/format.md, section 12, wants of a manifest.

    field: of which shard and key, or "JSON".
    """

    def __str__(self) -> str:
        folder = os.path.dirname(self.path)
        page = os.path.join(folder, "index.html")
        if self.field == "format" and os.path.isfile(page):
            return f"{folder or '.'} is a disc; open {page} in a browser"
        return (
            f"{self.path}: not a manifest of shards: {self.field}: expected {self.expected}, "
            f"found {self.found}; check the path, or copy the manifest again"
        )


class MissingShard(PocketError):
    """A manifest names a file that is not beside it. path: of the file."""

    def __init__(self, path: str, manifest: str, documents: int, of: int) -> None:
        super().__init__(path, manifest, documents, of)
        self.path = path
        self.manifest = manifest
        self.documents = documents
        self.of = of

    def __str__(self) -> str:
        return (
            f"{self.path}: missing: {self.manifest} names it, with {self.documents:,} of "
            f"{self.of:,} documents; copy it there, or ask the others: allow_missing=True, or "
            "--allow-missing where a command has it"
        )


class ForeignShard(_Compared):
    """A file is not the one that a manifest describes under its name.

    field: what was compared, as the manifest calls it.
    """

    def __init__(
        self, path: str, field: str, expected: int | str, found: int | str, manifest: str
    ) -> None:
        super().__init__(path, field, expected, found, manifest)
        self.manifest = manifest

    def __str__(self) -> str:
        return (
            f"{self.path}: not the shard that {self.manifest} describes: {self.field}: expected "
            f"{self.expected}, found {self.found}; copy the folder again, or build it again"
        )


class TextTooShort(PocketError, ValueError):
    """The text has too few terms, not counting stop words, to be compared by a sketch, and no
    document is a copy of it, or similar to it by its words.

    terms: the number of terms of the text; least: the number that a sketch needs; words: whether
    the file can be searched for words, which the message then suggests.
    """

    def __init__(self, terms: int, least: int, words: bool = False) -> None:
        super().__init__(terms, least, words)
        self.terms = terms
        self.least = least
        self.words = words

    def __str__(self) -> str:
        terms = "1 term" if self.terms == 1 else f"{self.terms:,} terms"
        if self.words:
            return (
                f"the text has {terms} besides stop words; with fewer than {self.least}, it is "
                "compared by its words alone, and no document is similar; `pocketindex search` "
                "finds documents that have some of them"
            )
        return (
            f"the text has {terms} besides stop words; {self.least} are needed to find similar "
            "documents, and no document has exactly this text; give more text"
        )


class HasNoSketch(PocketError, ValueError):
    """A document has too few terms for a sketch, so it cannot be compared by one."""

    def __init__(self, path: str, number: int) -> None:
        super().__init__(path, number)
        self.path, self.number = path, number

    def __str__(self) -> str:
        return (
            f"{self.path}: document {self.number} has too few terms for a sketch; it is found by "
            "its id, its words and as a copy"
        )


class TextTooLong(PocketError, ValueError):
    """The text has more bytes than a reader takes. size: in bytes of UTF-8."""

    def __init__(self, size: int, limit: int = TEXT_BYTES) -> None:
        super().__init__(size, limit)
        self.size, self.limit = size, limit

    def __str__(self) -> str:
        return (
            f"the text is too long: expected at most {self.limit} bytes, found {self.size}; "
            "give a part of it"
        )


_DAMAGED_FIELDS = {30: "header", 31: "size of the file", 32: "CRC32C", 33: "field"}


def _phrase(expected: int, allowed: str | None) -> int | str:
    """Return what was expected, as cbits/pocket.h has it: the number, or the phrase in which %
    stands for it.
    """
    return allowed.replace("%", str(expected)) if allowed else expected


def raise_status(
    path: str,
    status: int,
    section: int = 0,
    block: int = -1,
    expected: int = 0,
    found: int = 0,
    field: str | None = None,
    allowed: str | None = None,
) -> None:
    """Raise what a status of the C core (cbits/status.h) with its error (cbits/pocket.h) means; 0
    returns.

    Besides the errors of this module: LookupError (1, 5), ValueError (4, 6), MemoryError (10),
    OSError (11).
    """
    if status == 0:
        return
    if status in _DAMAGED_FIELDS:
        place = section_name(section), None if block < 0 else block
        raise Damaged(
            path, *place, field or _DAMAGED_FIELDS[status], _phrase(expected, allowed), found
        )
    match status:
        case Status.NOT_FOUND:
            if field in SECTIONS.values():
                raise LookupError(f"{path}: the file was built without {field}")
            raise LookupError(f"{path}: there is no such {field or 'document'}")
        case Status.TEXT_TOO_SHORT if field == "document":
            raise HasNoSketch(path, found)
        case Status.TEXT_TOO_SHORT:
            raise TextTooShort(found, expected)
        case Status.TEXT_TOO_LONG:
            raise TextTooLong(found)
        case Status.BAD_ARGUMENT:
            most = _phrase(expected, allowed or "at most %")
            raise ValueError(
                f"{path}: {field or 'an argument'} is outside its documented range: expected "
                f"{most}, found {found}"
            )
        case Status.NO_PASSAGES:
            raise NoPassages(path)
        case Status.NO_WORDS:
            raise NoWords(path)
        case Status.NO_TABLES:
            raise ValueError(
                f"{path}: the file was built without tables, so there is nothing to probe; "
                "ask it "
                "without probes"
            )
        case Status.NO_MEMORY:
            raise MemoryError(f"{path}: memory ran out")
        case Status.IO:
            raise OSError(
                f"{path}: it is no regular file, as a pipe is none; write it to one"
                if os.path.exists(path) and not os.path.isfile(path)
                else f"{path}: the file cannot be opened or read; check that it exists and may be "
                "read"
            )
        case Status.FILE_CHANGED:
            raise FileChanged(path)
        case Status.NOT_AT_HAND:
            raise PocketError(
                f"{path}: section {section_name(section)}, block {block} is not at hand; lend "
                "it "
                "and ask again"
            )
        case Status.INTERRUPTED:
            raise PocketError(f"{path}: the call was ended before it was done; ask again")
        case Status.NOT_POCKET:
            raise NotAPocketFile(path, found.to_bytes(8, "little") if found else b"")
        case Status.TOO_NEW:
            raise TooNew(path, field or "version", _phrase(expected, allowed), found)
        case Status.NEEDS_CMPH:
            raise NeedsCmph(path, HASHES.get(found, "of libcmph"))
        case Status.DUPLICATE_KEY:
            raise PocketError(
                f"{path}: a key occurs twice in one part; report this as a bug of the builder"
            )
        case Status.HASH_FAILED:
            raise PocketError(
                f"{path}: no perfect hash was found for the keys of a part; build with fewer "
                "keys "
                "a bucket"
            )
        case _:
            raise PocketError(
                f"{path}: unknown status {status} from the core; reinstall pocketindex"
            )
