"""The tally of a build: every record that was read is in the file, or stands here with the reason
why not.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any

from pocketindex.builder.document import Notice, Shortened, Skip
from pocketindex.builder.inputs.archives.archive import OTHER_KIND
from pocketindex.builder.inputs.fields import NUMBERED
from pocketindex.builder.inputs.source import SourceError
from pocketindex.builder.shortened import SHOWN, ShortenedPages
from pocketindex.errors import PocketError
from pocketindex.streams import printable
from pocketindex.wording.counted import counted, no_document

if TYPE_CHECKING:
    from pocketindex.builder.changed import Changed
    from pocketindex.builder.measured import Measured
    from pocketindex.builder.out.skipped import SkippedList

EXAMPLES = 3
# What is no document by kind: nothing is wrong with such a record, and a strict build counts it
# like any other.
ORDINARY = frozenset({"redirect", "other name space", "http status", "revisit", "replaced", "link"})
# What no record is that was meant to be one.
MALFORMED = frozenset(
    {"bad line", "bad row", "no id", "no text", "too long", "unreadable", "unsafe name", "bomb"}
)
_FIELDS = "name the format with --format, or the fields with --id and --text"
_HINTS = {
    "no id": "",  # what is missing is said with the record
    "no text": "",
    "bad line": "give JSON Lines or a JSON array, or name the format with --format",
    "empty": "give sources with texts",
    "": "give sources with documents",
}
_DETAIL = 200  # characters of an example that people see


def is_ordinary(reason: str) -> bool:
    """Return whether a record that is left out for this reason has nothing wrong."""
    return reason in ORDINARY or reason.startswith(OTHER_KIND)


class Refused(PocketError):
    """The first skip or notice of a strict build."""

    def __init__(self, skip: Skip | Notice) -> None:
        super().__init__(skip)
        self.skip = skip
        self.place = skip.place
        self.reason = skip.reason

    def __str__(self) -> str:
        return (
            f"{_visible(self.place)}: {self.reason}: {_visible(self.skip.detail)}; correct it, "
            "or build without strict"
        )


class NoDocument(PocketError):
    """The end of a build whose sources have no document: no record, or none that can be one.

    An old file stays.

    report: what was read and left out; sources: that were given.
    """

    def __init__(self, report: Report, sources: Sequence[str]) -> None:
        super().__init__(report, sources)
        self.report, self.sources = report, sources

    def __str__(self) -> str:
        first = [
            f"{count:,} {reason} ({_visible(some[0].place)}: {_visible(some[0].detail)})"
            for reason, count, some in self.report.reasons()
        ]
        others = {reason for reason in self.report.skipped if not is_ordinary(reason)} or {""}
        hints = {_HINTS.get(reason, _FIELDS) for reason in others}
        hint = hints.pop() if len(hints) == 1 else _FIELDS
        names = _named(self.sources)
        end = f"; nothing is written{hint and f': {hint}'}"
        if not first:
            return f"{names}: there is no record in it{end}"
        return f"{names}: {no_document(self.report.read, 'the')}: {', '.join(first)}{end}"


class MostlyBad(PocketError):
    """More than half of the records of the sources are malformed, so a format or a field is
    probably wrong.

    An old file stays. report: what was read and left out; sources: that were given.
    """

    def __init__(self, report: Report, sources: Sequence[str]) -> None:
        super().__init__(report, sources)
        self.report, self.sources = report, sources

    def __str__(self) -> str:
        reasons = ", ".join(
            f"{count:,} {reason} ({_visible(some[0].place)}: {_visible(some[0].detail)})"
            for reason, count, some in self.report.reasons()
            if reason in MALFORMED
        )
        return (
            f"{_named(self.sources)}: {self.report.malformed:,} of {self.report.read:,} records "
            f"are bad: {reasons}; nothing is written: {_FIELDS}, or use --keep-going to write what "
            "is left"
        )


class Report:
    """Counts of records: read, indexed (of these short: without a sketch, and without_text: with
    a title alone), and skipped by reason with the first EXAMPLES of each.

    Each record that an input meets is one call of `arrive` (it gave a document) or `reject` (it
    gave none); each document that arrived then is one of `index` or `skip`. `reject` also takes a
    Notice, which is counted apart: the record is read, or it is none. In a strict report `reject`
    and `skip` raise Refused, but not for reasons that are ordinary.

    Reasons of the inputs: "bad line", "bad row", "no id", "no text", "empty", "too long",
    "unreadable", "unsafe name", "bomb", "redirect", "other name space", "http status", "revisit",
    "replaced", "link", "import error", "other kind: .jpg" and the like; of the build: "duplicate
    id"; of notices: "wrong encoding", "no such field", "truncated", "no end mark", "markup stays",
    "part left out", "letters unreadable", "not selected". A Shortened is only counted; where it is
    much, skipped_list has a line for it, too.

    has_numbers: whether ids of some are numbers for want of one; ended: the sources that could not
    be read to their end, where the build was to go on; notes: what else people should know;
    seconds, processor: that each phase took, by the clock and of all processors; temporary: bytes
    of the work folder; size: of the file that was written, in bytes; measured: what the file finds,
    where that was asked for; pages: how much of the pages of HTML is left out; changed: of an
    update, what it did to the file; forms: the language and the libraries by which words are forms
    of one another; skipped_list: of everything that is left out, where that was
    asked for.
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
        self.pages = ShortenedPages()

    def arrive(self, documents: int = 1) -> None:
        """Count so many documents that came from an input."""
        self.read += documents

    def reject(self, skip: Skip | Notice) -> None:
        """Note that a record gave no document, or one that is not as it stands there: this is the
        `skip` of an input.
        """
        if skip.reason == NUMBERED:
            self.has_numbers = True
            self.notes.append(f"{_visible(skip.place)}: {_visible(skip.detail)}")
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
        """Count so many more as rejected for a reason that reject() was told before; noticed: by a
        Notice.
        """
        if noticed:
            self.noticed[reason] += records
        else:
            self.read += records
            self.skip_more(reason, records)

    def skip(self, skip: Skip) -> None:
        """Note that a document that arrived is left out of the file."""
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
        """Count so many more as left out for a reason that skip() was told before."""
        if documents:
            self.skipped[reason] += documents

    def end(self, error: SourceError) -> None:
        """Note that a source could not be read further; what came before is kept."""
        self.ended.append(error)

    def index(self, documents: int = 1, short: int = 0, without_text: int = 0) -> None:
        """Count so many of the documents that arrived as being in the file; short: those of them
        without a sketch, without_text: those of these that have a title alone.
        """
        self.indexed += documents
        self.short += short
        self.without_text += without_text

    def state(self) -> dict[str, Any]:
        """Return what is counted so far, a copy fit for JSON and restore()."""
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
        """Go on from a state()."""
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

    @property
    def malformed(self) -> int:
        """The number of records that were skipped because they are not what was expected."""
        return sum(count for reason, count in self.skipped.items() if reason in MALFORMED)

    def check_bad(self, sources: Sequence[str], keep_going: bool) -> None:
        """Raise MostlyBad if more than half of the records are bad, unless keep_going is set."""
        if not keep_going and 2 * self.malformed > self.read:
            raise MostlyBad(self, sources)

    @property
    def left_out(self) -> int:
        """The number of skipped records, for any reason."""
        return sum(self.skipped.values())

    def check(self) -> None:
        """Raise AssertionError unless every record that was read was either indexed or skipped: for
        the end of a build.
        """
        if self.read != self.indexed + self.left_out:
            raise AssertionError(
                f"the counts of the build do not add up: {self.read} read, {self.indexed} "
                f"indexed, {self.left_out} skipped"
            )

    def __repr__(self) -> str:
        return f"<Report: {self.read:,} read, {self.indexed:,} indexed, {self.left_out:,} skipped>"

    def text(self) -> str:
        """Return the report for people: a line with the sums, and one for each reason, the
        commonest first, with its examples below.
        """
        return "\n".join(
            [
                *self.notes,
                f"{self.read:,} read, {self.indexed:,} indexed, {self.left_out:,} skipped",
                *([self.changed.text()] if self.changed else []),
                *([f"other forms of words by {self.forms}"] if self.forms else []),
                *([self._of_short()] if self.short else []),
                *self.reasons_text(),
            ]
        )

    def reasons_text(self) -> list[str]:
        """Return lines for people: what was left out, and what was not read exactly as it is."""
        lines = self._counted(self.skipped)
        if self.noticed:
            lines += ["read, but not as it stands there:", *self._counted(self.noticed)]
        lines += self._shortened()
        lines += [f"not read to the end: {error}" for error in self.ended]
        return [*lines, *([self.measured.text()] if self.measured else [])]

    def _of_short(self) -> str:
        """Return a sentence on how short documents are found."""
        some = f"; {self.without_text:,} have a title and no text" if self.without_text else ""
        return (
            f"{counted(self.short, 'document')} too short to be compared by similarity, but found "
            f"as a copy, by id and by words{some}"
        )

    def as_json(self, **before: Any) -> Iterator[str]:
        """Yield the parts of a line of JSON with what is given and as_dict(). Of a list of pages
        that is long, only some are in memory at a time.
        """
        whole = {**before, **self._as_dict()}
        if not self.pages.pages:
            yield json.dumps(whole, ensure_ascii=False) + "\n"
            return
        begin = json.dumps({**whole, "pages": self.pages.sums()}, ensure_ascii=False)
        yield begin.removesuffix("}}") + ', "shortened": ['
        for number, page in enumerate(self.pages.listed()):
            yield ", " * (number > 0) + json.dumps(page, ensure_ascii=False)
        yield "]}}\n"

    def as_dict(self) -> dict[str, Any]:
        """Return the report for programs: read, indexed, short and without_text where
        there are any, skipped {reason: count} and examples
        {reason: [{place, detail}]}, fit for JSON.

        Where there are any, noticed {reason: count}, ended [{source, problem}], notes and pages:
        the sums, and shortened [{place, left_out, share}], every page that lost words; of a
        build seconds and processor {phase: seconds} and temporary, in bytes, and measured
        (Measured.as_dict).
        """
        pages = {**self.pages.sums(), "shortened": list(self.pages.listed())}
        return {**self._as_dict(), **({"pages": pages} if self.pages.pages else {})}

    def _as_dict(self) -> dict[str, Any]:
        """Return as_dict() without the pages."""
        return {
            "read": self.read,
            "indexed": self.indexed,
            **({"short": self.short, "without_text": self.without_text} if self.short else {}),
            "skipped": dict(_by_count(self.skipped)),
            **({"noticed": dict(_by_count(self.noticed))} if self.noticed else {}),
            **(
                {"ended": [{"source": one.source, "problem": one.problem} for one in self.ended]}
                if self.ended
                else {}
            ),
            **({"notes": self.notes} if self.notes else {}),
            **{
                name: {phase: round(seconds, 3) for phase, seconds in taken.items()}
                for name, taken in (("seconds", self.seconds), ("processor", self.processor))
                if taken
            },
            **({"temporary": self.temporary} if self.temporary else {}),
            **({"measured": self.measured.as_dict()} if self.measured else {}),
            **({"changed": self.changed.as_dict()} if self.changed else {}),
            **({"word_forms": self.forms} if self.forms else {}),
            "examples": {
                reason: [
                    {"place": one.place, "detail": one.detail} for one in self.examples[reason]
                ]
                for reason, _ in _by_count(self.skipped | self.noticed)
            },
        }

    def reasons(self) -> list[tuple[str, int, list[Skip | Notice]]]:
        """Return why records were skipped, commonest first: reason, count and examples."""
        return [(reason, count, self.examples[reason]) for reason, count in _by_count(self.skipped)]

    def _shortened(self) -> list[str]:
        """Format what was left out of pages, for people."""
        if not self.pages.left:
            return []
        lines = [
            f"{self.pages.share:.1%} of {self.pages.words:,} visible words on "
            f"{counted(self.pages.pages, 'page')} of HTML were left out; most of these pages:"
        ]
        return lines + [
            f"  {share:6.1%} ({left:,}) of {_visible(place)}"
            for share, left, place in islice(self.pages.losses(), SHOWN)
        ]

    def _counted(self, counts: dict[str, int]) -> list[str]:
        """Format the counts of each reason, with examples below it, for people."""
        lines, width = list[str](), max((len(f"{count:,}") for count in counts.values()), default=0)
        for reason, count in _by_count(counts):
            lines.append(f"  {count:{width},} {_visible(reason)}")
            lines += [
                f"  {'':{width}}   {_visible(one.place)}: {_visible(one.detail)}"
                for one in self.examples[reason]
            ]
            if count > EXAMPLES:
                lines.append(f"  {'':{width}}   ...")
        return lines


def _by_count(counts: dict[str, int]) -> list[tuple[str, int]]:
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


def _named(sources: Sequence[str]) -> str:
    more = ", ..." if len(sources) > EXAMPLES else ""
    return ", ".join(map(_visible, sources[:EXAMPLES])) + more


def _visible(text: str) -> str:
    """Return text from a record, safe to print and not too long."""
    return printable(text if len(text) <= _DETAIL else text[: _DETAIL - 3] + "...")
