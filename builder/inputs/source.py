"""What all inputs share: their interface, and how they say what is wrong with a source."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import TYPE_CHECKING, Protocol

from pocketindex.addresses import masked
from pocketindex.arguments import STDIO
from pocketindex.builder.document import Document, Notice, Skip
from pocketindex.errors import PocketError
from pocketindex.streams import printable

if TYPE_CHECKING:
    from pocketindex.builder.spill.chunks.document_batch import DocumentBatch
    from pocketindex.builder.spill.threads import Each

OnSkip = Callable[["Skip | Notice"], None]
OnBytes = Callable[[int, "int | None"], None]

STDIN = STDIO
MEASURE_EVERY = 256  # records


class SourceError(PocketError):
    """A source that cannot be read, or not to its end.

    problem: what was expected, what was found and what to do.
    """

    def __init__(self, source: str, problem: str) -> None:
        source = masked(source)
        super().__init__(source, problem)
        self.source, self.problem = source, problem

    def __str__(self) -> str:
        # What a stranger has named steers no terminal.
        return printable(f"{self.source}: {self.problem}")


class NeedsPackage(SourceError):
    """A source that needs a package which is not installed."""


def needed(package: str, extra: str, source: str, what: str) -> ModuleType:
    """Return the module of another package.

    Raises NeedsPackage with the extra to install: `what` is in `source`, or what `source` is.
    """
    try:
        return importlib.import_module(package)
    except ImportError as error:
        raise NeedsPackage(
            source, f"{what}, which needs another package: pip install 'pocketindex[{extra}]'"
        ) from error


@dataclass
class Place:
    """Where in the content of a source its next record begins: a byte, and the lines before it."""

    offset: int = 0
    lines: int = 0


class Documents(Protocol):
    """The one function of an input.

    It yields the documents of `source` in an order that does not change, calls `skip` for each
    record that gave none, or one that is not as it stands there, and goes on, and raises
    SourceError only where the source as a whole cannot be read further. From time to time it calls
    `measure` with the bytes read so far and the bytes in all, None where nobody knows.
    """

    def __call__(self, source: str, skip: OnSkip, measure: OnBytes = ...) -> Iterator[Document]: ...


class Batches(Protocol):
    """The same, many documents at a time where that is faster; from a `place` on, which goes along,
    where the input is a placed one.

    each: for the work that needs no Python (threads.py). Whatever its threads, the same documents
    come together.
    """

    def __call__(
        self, source: str, skip: OnSkip, measure: OnBytes, *, each: Each
    ) -> Iterator[Document | DocumentBatch]: ...


def check_stdin_once(given: Mapping[str, Sequence[str]]) -> None:
    """Raise ValueError if more than one of these is standard input. given: sources, by the
    arguments that name them.
    """
    names = [name for name, sources in given.items() for one in sources if one == STDIN]
    if len(names) > 1:
        raise ValueError(
            f"{' and '.join(names)} are both standard input, which can be read only once; give one "
            "as a file"
        )


def unmeasured(read: int, total: int | None) -> None:
    """Measure nothing: the `measure` of a caller that does not want to know."""


def shown(source: str) -> str:
    """Return the source as messages name it."""
    return "<stdin>" if source == STDIN else masked(source)
