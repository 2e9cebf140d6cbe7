"""An open pocket file and the documents that it has, before anything is searched."""

from __future__ import annotations

from operator import index
from typing import TYPE_CHECKING, Any, SupportsIndex, TypeVar

from pocketindex.arguments import short
from pocketindex.cbits import ffi, lib
from pocketindex.contents.documents import Record, read_records
from pocketindex.contents.labels import Labels, labels_of
from pocketindex.contents.texts import kept, read_text
from pocketindex.errors import NeedsLabels
from pocketindex.ffi.interrupt import watch
from pocketindex.ffi.status import check
from pocketindex.opening.closing import Closing
from pocketindex.opening.file import File, open_file
from pocketindex.wording.snippet import CHARACTERS, snippet

if TYPE_CHECKING:
    from pocketindex.contents.info import Info
    from pocketindex.queries.hits import Hit

RFF = 2  # the scheme whose similarity estimates a cosine
Own = TypeVar("Own", bound="Opened")


class Opened(Closing):
    """What an index is without its queries. Many threads may use it at the same time."""

    def __init__(self, file: File, *, cold: bool | None = None) -> None:
        """Open a file, given as a path, as bytes, as a binary file object or as an address.

        An address is https://, s3:// or any other that fsspec reads. From an address or a file
        object, calls read the ranges of bytes that they need, in few reads. These stay in memory
        until the index is closed, and only one call runs at a time. If a server does not support
        ranges, a file of up to 16 MB is read as a whole. cold: whether the file is on a slow disc,
        so that a query without options reads only few blocks; by default, only for an address.

        Raises OSError, NotReachable (for an address), NotAPocketFile, TooNew, Damaged, or NeedsCmph
        (its perfect hash needs libcmph).
        """
        opened = open_file(file)
        # path: as it was given, which messages show; _again is what opens it once more.
        self.path, self._again = opened.name, opened.again
        self.cold = cold = opened.is_far if cold is None else cold
        self._bytes, handle = opened.content, opened.handle
        # A running call holds the handle, so closing in another thread frees it only after that
        # call.
        self._handle: Any = handle
        watch(self._handle)
        if cold:
            lib.pocket_expect_cold(self._handle)
        summary = ffi.new("pocket_summary *")
        lib.pocket_summarize(self._handle, summary)
        self._components: int = summary.components
        self._is_cosine: bool = summary.scheme == RFF
        self._least_terms: int = summary.least_terms
        self._documents: int = summary.documents
        self._sketched: int = summary.sketched
        self.has_words: bool = summary.words_room > 0
        self.run_terms: int = summary.run_terms  # 0 without passages
        self.run_window: int = summary.run_window  # likewise
        self.kept = kept(self._handle)
        self._labels = labels_of(self._handle, self.path)
        if summary.mph != 1:
            self._attach_cmph()

    def _attach_cmph(self) -> None:
        from pocketindex.ffi.cmph import attach

        self._cmph = attach(self._handle, self.path)

    def close(self) -> None:
        """Release the file, as soon as no hit needs it.

        Using the index afterwards raises ValueError.
        """
        self._handle = self._labels = None

    def __len__(self) -> int:
        return self._documents

    def __contains__(self, id: object) -> bool:
        return isinstance(id, str) and self.find(id) is not None

    def __reduce__(self) -> tuple[Any, ...]:
        if self._again is None:
            raise TypeError(f"{self.path}: an index of a file object cannot be pickled")
        return _reopened, (type(self), self._again, self.cold)

    def __repr__(self) -> str:
        state = "closed" if self._handle is None else f"{self._documents} documents"
        return f"<pocketindex.Index {self.path!r}, {state}>"

    @property
    def least_terms(self) -> int:
        """Terms besides stop words that a text must have to be compared by its sketch."""
        return self._least_terms

    @property
    def _core(self) -> Any:
        """The core's handle (cffi); ValueError when closed."""
        if self._handle is None:
            raise ValueError(f"{self.path}: the index is closed")
        return self._handle

    def find(self, id: str) -> int | None:
        """Return the number of the document with this id; None if there is none. Raises Damaged."""
        if not isinstance(id, str):
            raise TypeError(f"expected an id, which is a str, found {short(id)}")
        key = id.encode("utf-8", "replace")
        number = ffi.new("uint32_t *")
        error = ffi.new("pocket_error *")
        status = lib.pocket_find(self._core, key, len(key), number, error)
        if status == lib.POCKET_NOT_FOUND:
            return None
        check(status, error, self.path)
        return int(number[0])

    def record(self, number: int | str) -> Record:
        """Return the document with this number, 0 .. len(index) - 1, or with this id, a str.

        A number is the place of a document in the file, and not its id. Raises IndexError for a
        number and KeyError for an id that no document has.
        """
        return read_records(self._core, self.path, [self._number_of(number)])[0]

    def document(self, id: str) -> Record:
        """Return the document with this id; KeyError when there is none."""
        number = self.find(id)
        if number is None:
            raise KeyError(f"{self.path}: no document has the id {short(id)}")
        return read_records(self._core, self.path, [number])[0]

    def _number_of(self, document: SupportsIndex | str | Hit | Record) -> int:
        """Return the number of a document: a str is its id; a number may be one of numpy's."""
        if isinstance(document, str):
            return self.document(document).number
        given: Any = document
        try:
            number = index(getattr(given, "number", given))
        except TypeError:
            raise TypeError(
                "expected the number of a document, a record or a hit, found a value of type "
                f"{type(document).__name__}"
            ) from None
        if not 0 <= number < self._documents:
            raise IndexError(
                f"{self.path}: no document number {number}; there are {self._documents}"
            )
        return number

    def text(self, document: int | str | Hit | Record) -> str | None:
        """Return the text of a document, given as its number or as it was found; None where the
        file keeps no whole texts. IndexError, Damaged.
        """
        return self._kept_text(document) if self.kept == "text" else None

    def snippet(
        self, document: int | str | Hit | Record, characters: int = CHARACTERS
    ) -> str | None:
        """Return the beginning of a document's text on one line, of at most so many characters;
        None where the file keeps nothing of it.
        """
        return snippet(self._kept_text(document), characters) if self.kept != "none" else None

    def _kept_text(self, document: int | str | Hit | Record) -> str:
        number = self._number_of(document)
        return read_text(self._core, self.path, number).decode("utf-8", "replace")

    @property
    def has_labels(self) -> bool:
        """Whether the file was built with --label."""
        return self._core is not None and self._labels is not None

    def labels(self, document: int | str | Hit | Record) -> tuple[str, ...]:
        """Return the labels of a document, given as its number or as it was found, in the order of
        their bytes; nothing where it has none.

        Raises NeedsLabels where the file was built without --label, IndexError, Damaged.
        """
        return self._stored_labels.of(self._number_of(document))

    def language(self, document: int | str | Hit | Record) -> str:
        """Return the language of a document, a tag in lower case, or "" if it has none.

        Raises NeedsLabels where the file was built without --label, IndexError, Damaged.
        """
        return self._stored_labels.language_of(self._number_of(document))

    @property
    def _stored_labels(self) -> Labels:
        labels = self._labels
        if self._core is None or labels is None:
            raise NeedsLabels(self.path)
        return labels

    def _labels_and_language(self, document: int) -> tuple[str, ...]:
        return self._stored_labels.all_of(document)

    def _label_name(self, number: int) -> str:
        return self._stored_labels.name(number)

    def info(self) -> Info:
        """Return the file's counts and settings, and the bytes of each section."""
        from pocketindex.contents.info import gather

        return gather(self._core, self.path)

    def verify(self) -> None:
        """Read and check every byte. Raises Damaged."""
        from pocketindex.opening.pieces import fetch_all

        fetch_all(self._core)
        error = ffi.new("pocket_error *")
        check(lib.pocket_verify(self._core, error), error, self.path)


def _reopened(kind: type[Own], file: File, cold: bool) -> Own:
    return kind(file, cold=cold)
