"""The tally of a build: every record that was read is in the file, or is counted here with the
reason why not.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from typing import TYPE_CHECKING, Any

from pocketindex.builder.document import Notice, Shortened, Skip
from pocketindex.builder.inputs.archives.archive import OTHER_KIND
from pocketindex.builder.inputs.fields import NUMBERED, OWN_NAMES, Fields
from pocketindex.builder.inputs.source import SourceError
from pocketindex.builder.report import (
    EXAMPLES,
    MALFORMED,
    Ended,
    Example,
    Reason,
    Report,
    ReportText,
    visible,
)
from pocketindex.builder.shortened import ShortenedPages
from pocketindex.errors import PocketError, spelled
from pocketindex.wording.counted import no_document

if TYPE_CHECKING:
    from pocketindex.builder.changed import Changed
    from pocketindex.builder.measured import Measured
    from pocketindex.builder.out.skipped import SkippedList
    from pocketindex.builder.progress import Progress

# What is no document by kind: nothing is wrong with such a record, and a strict build counts it
# like any other.
ORDINARY = frozenset({"redirect", "other name space", "http status", "revisit", "replaced", "link"})
_HINTS = {
    "no id": "",  # what is missing is said with the record
    "no text": "",
    "bad line": "give JSON Lines or a JSON array",
    "empty": "give sources with texts",
    "": "give sources with documents",
}


def is_ordinary(reason: str) -> bool:
    """Return whether this reason for leaving a record out is no fault of the record."""
    return reason in ORDINARY or reason.startswith(OTHER_KIND)


def _named_by(passed: Fields | None) -> str:
    """Return which options say how records are read. passed: fields of records that are written
    again, whose format nobody can name.
    """
    fields = passed or OWN_NAMES
    names = f"the fields with {fields.argument('id')} and {fields.argument('text')}"
    return f"name {names}" if passed else f"{_format()}, or {names}"


def _format() -> str:
    return f"name the format with {spelled('format')}"


class Refused(PocketError):
    """The first skip or notice of a strict build."""

    def __init__(self, skip: Skip | Notice) -> None:
        super().__init__(skip)
        self.skip = skip
        self.place = skip.place
        self.reason = skip.reason

    def __str__(self) -> str:
        return (
            f"{visible(self.place)}: {self.reason}: {visible(self.skip.detail)}; correct it, "
            "or run without strict"
        )


class _NothingWritten(PocketError):
    """The end of a build that has left an earlier file as it was.

    report: what was read and left out; sources: the sources that were given; passed: fields of
    records that are written again.
    """

    def __init__(
        self, report: Report, sources: Sequence[str], passed: Fields | None = None
    ) -> None:
        super().__init__(report, sources, passed)
        self.report, self.sources, self._passed = report, sources, passed


class NoDocument(_NothingWritten):
    """The end of a build whose sources have no document: they have no record, or none that can be a
    document.
    """

    def __str__(self) -> str:
        first = [_first(one) for one in self.report.reasons if one.left_out]
        others = {reason for reason in self.report.skipped if not is_ordinary(reason)} or {""}
        fields = _named_by(self._passed)
        hints = {_HINTS.get(reason, fields) for reason in others}
        hint = hints.pop() if len(hints) == 1 else fields
        if "bad line" in others and hint != fields and not self._passed:
            hint += f", or {_format()}"
        names = _named(self.sources)
        end = f"; nothing is written{hint and f': {hint}'}"
        if not first:
            return f"{names}: there is no record in it{end}"
        return f"{names}: {no_document(self.report.read, 'the')}: {', '.join(first)}{end}"


class MostlyBad(_NothingWritten):
    """More than half of the records of the sources are malformed, so a format or a field is
    probably wrong.
    """

    def __str__(self) -> str:
        bad = [one for one in self.report.reasons if one.reason in MALFORMED]
        reasons = ", ".join(map(_first, bad))
        return (
            f"{_named(self.sources)}: {self.report.malformed:,} of {self.report.read:,} records "
            f"are bad: {reasons}; nothing is written: {_named_by(self._passed)}, or use "
            f"{spelled('keep_going', True)} to write the others"
        )


class Tally(ReportText):
    """Count the records of a build: those that were read, those that are in the file (short:
    without a sketch; without_text: with only a title), and those that were skipped, by reason, with
    the first EXAMPLES of each reason.

    For each record, an input calls `arrive` if the record gave a document and `reject` if it gave
    none; each document that arrived is then counted by `index` or `skip`. `reject` also takes a
    Notice, which is counted separately: its record was read, or it concerns no record. In a strict
    tally, `reject` and `skip` raise Refused, unless the reason is ordinary.

    A Shortened is only counted; if a page lost many words, skipped_list has a line for it, too.
    has_numbers: whether some documents have numbers as their ids, because they have none of their
    own; skipped_list: the list of everything that is left out, if it was asked for. The other
    attributes are those of a Report.
    """

    def __init__(self, strict: bool = False) -> None:
        self.strict = strict
        self.read = 0
        self.indexed = 0
        self.short = self.without_text = 0
        self.skipped: dict[str, int] = {}
        self.noticed: dict[str, int] = {}
        self.examples: dict[str, list[Skip | Notice]] = {}
        self.ended: list[SourceError] = []
        self.has_numbers = False
        self.notes: list[str] = []
        self.seconds, self.processor = dict[str, float](), dict[str, float]()
        self.temporary = self.size = 0
        self.measured: Measured | None = None
        self.changed: Changed | None = None
        self.forms = ""
        self.skipped_list: SkippedList | None = None
        self.pages: ShortenedPages = ShortenedPages()

    def arrive(self, documents: int = 1) -> None:
        """Count documents that came from an input."""
        self.read += documents

    def reject(self, skip: Skip | Notice) -> None:
        """Count a record that gave no document, or a document that differs from its record. This is
        the `skip` of an input.
        """
        if skip.reason == NUMBERED:
            self.has_numbers = True
            self.notes.append(f"{visible(skip.place)}: {visible(skip.detail)}")
        elif isinstance(skip, Shortened):
            self.pages.add(skip)
            if skip.is_much and self.skipped_list:
                self.skipped_list.note(skip)
        elif isinstance(skip, Notice):
            if self.skipped_list:
                self.skipped_list.note(skip)
            self._count(self.noticed, skip)
        else:
            self.read += 1
            self.skip(skip)

    def reject_more(self, reason: str, records: int, noticed: bool) -> None:
        """Count more records that were rejected for a reason that reject() knows already; noticed:
        whether a Notice gave the reason.
        """
        if noticed:
            self.noticed[reason] += records
        else:
            self.read += records
            self.skip_more(reason, records)

    def skip(self, skip: Skip) -> None:
        """Count a document that arrived and is left out of the file."""
        if self.skipped_list:
            self.skipped_list.note(skip)
        self._count(self.skipped, skip)

    def _count(self, counts: dict[str, int], one: Skip | Notice) -> None:
        counts[one.reason] = counts.get(one.reason, 0) + 1
        examples = self.examples.setdefault(one.reason, [])
        if len(examples) < EXAMPLES:
            examples.append(one)
        if self.strict and not is_ordinary(one.reason):
            raise Refused(one)

    def skip_more(self, reason: str, documents: int) -> None:
        """Count more documents that are left out for a reason that skip() knows already."""
        if documents:
            self.skipped[reason] += documents

    def end(self, error: SourceError) -> None:
        """Record that a source could not be read further; what came before is kept."""
        self.ended.append(error)

    def index(self, documents: int = 1, short: int = 0, without_text: int = 0) -> None:
        """Count documents that arrived and are in the file; short: how many of them have no sketch;
        without_text: how many of these have only a title.
        """
        self.indexed += documents
        self.short += short
        self.without_text += without_text

    def state(self) -> dict[str, Any]:
        """Return a copy of the counts for JSON and restore()."""
        return {
            "read": self.read,
            "indexed": self.indexed,
            "short": self.short,
            "without_text": self.without_text,
            "skipped": dict(self.skipped),
            "noticed": dict(self.noticed),
            "pages": self.pages.state(),
            "listed": self.skipped_list.keep() if self.skipped_list else [],
            "examples": {
                reason: [[one.place, one.detail] for one in examples]
                for reason, examples in self.examples.items()
            },
            "ended": [[one.source, one.problem] for one in self.ended],
        }

    def restore(self, state: dict[str, Any]) -> None:
        """Continue from the counts of state()."""
        self.read = state["read"]
        self.indexed = state["indexed"]
        self.short, self.without_text = state["short"], state["without_text"]
        self.skipped = dict(state["skipped"])
        self.noticed = dict(state["noticed"])
        self.pages.restore(state["pages"])
        if self.skipped_list:
            self.skipped_list.restore(state["listed"])
        self.examples = {
            reason: [
                (Notice if reason in self.noticed else Skip)(place, reason, detail)
                for place, detail in some
            ]
            for reason, some in state["examples"].items()
        }
        self.ended = [SourceError(*one) for one in state["ended"]]

    def check_bad(
        self, sources: Sequence[str], keep_going: bool, passed: Fields | None = None
    ) -> None:
        """Raise MostlyBad if more than half of the records are bad, unless keep_going is set.
        passed: as of MostlyBad.
        """
        if not keep_going and 2 * self.malformed > self.read:
            raise MostlyBad(self.report(), sources, passed)

    def finish(self, progress: Progress) -> Tally:
        """Take the times of a build that has ended, and return this tally. Raises AssertionError
        unless every record that was read was either indexed or skipped.
        """
        progress.end()
        self.seconds, self.processor = progress.seconds, progress.processor
        self.check()
        return self

    def check(self) -> None:
        """Raise AssertionError unless every record that was read was either indexed or skipped."""
        if self.read != self.indexed + self.left_out:
            raise AssertionError(
                f"the counts of the build do not add up: {self.read} read, {self.indexed} "
                f"indexed, {self.left_out} skipped"
            )

    @property
    def reasons(self) -> tuple[Reason, ...]:  # type: ignore[override]
        """Return the reasons for which records were skipped, the most frequent one first, followed
        by those for which records differ from their source.
        """
        return tuple(
            Reason(
                reason,
                count,
                counts is self.skipped,
                tuple(Example(one.place, one.detail) for one in self.examples[reason]),
            )
            for counts in (self.skipped, self.noticed)
            for reason, count in sorted(counts.items(), key=lambda item: (-item[1], item[0]))
        )

    def report(self) -> Report:
        """Return the report on what was counted so far."""
        told = {one.name: getattr(self, one.name) for one in fields(Report)}
        told["notes"] = tuple(self.notes)
        told["ended"] = tuple(Ended(one.source, one.problem) for one in self.ended)
        told["pages"] = self.pages.first()
        return Report(**told)


def _first(reason: Reason) -> str:
    first = reason.examples[0]
    return f"{reason.records:,} {reason.reason} ({visible(first.place)}: {visible(first.detail)})"


def _named(sources: Sequence[str]) -> str:
    more = ", ..." if len(sources) > EXAMPLES else ""
    return ", ".join(map(visible, sources[:EXAMPLES])) + more
