"""The outcome of a build's records, for programs and for people."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from itertools import islice
from typing import Any

from pocketindex.answers.results import Part, Results
from pocketindex.builder.changed import Changed
from pocketindex.builder.inputs.source import SourceError
from pocketindex.builder.measured import Measured
from pocketindex.builder.shortened import SHOWN, Pages, ShortenedPages
from pocketindex.streams import printable
from pocketindex.wording.counted import counted

EXAMPLES = 3
# What no record is that was meant to be one.
MALFORMED = frozenset(
    {"bad line", "bad row", "no id", "no text", "too long", "unreadable", "unsafe name", "bomb"}
)
_DETAIL = 200  # characters of an example that people see


@dataclass(frozen=True, repr=False, slots=True)
class Example(Part):
    """A record. place: where it is, such as "wiki.jsonl:17", a path or an id; detail: a sentence
    for people.
    """

    place: str
    detail: str


@dataclass(frozen=True, repr=False, slots=True)
class Reason(Part):
    """Why records were left out, or were not read exactly as they are.

    reason: a short key, such as "no text"; records: the number of records; left_out: whether they
    are not in the file; examples: the first of them.
    """

    reason: str
    records: int
    left_out: bool
    examples: tuple[Example, ...]


@dataclass(frozen=True, repr=False, slots=True)
class Ended(Part):
    """A source that could not be read to its end. problem: what was expected and what was found."""

    source: str
    problem: str

    def __str__(self) -> str:
        return printable(f"{self.source}: {self.problem}")


class ReportText:
    """The text that a Tally and a Report share."""

    reasons: Sequence[Reason]
    read: int
    indexed: int
    short: int
    without_text: int
    notes: Sequence[str]
    ended: Sequence[Ended | SourceError]
    pages: ShortenedPages | Pages
    seconds: Mapping[str, float]
    processor: Mapping[str, float]
    temporary: int
    size: int
    measured: Measured | None
    changed: Changed | None
    forms: str

    @property
    def left_out(self) -> int:
        """Return the number of records that are not in the file, for any reason."""
        return sum(one.records for one in self._skipped)

    @property
    def malformed(self) -> int:
        """Return the number of records that are not in the file because they are malformed."""
        return sum(one.records for one in self._skipped if one.reason in MALFORMED)

    @property
    def _skipped(self) -> list[Reason]:
        return [one for one in self.reasons if one.left_out]

    @property
    def _noticed(self) -> list[Reason]:
        return [one for one in self.reasons if not one.left_out]

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
        lines = _counted(self._skipped)
        if noticed := self._noticed:
            lines += ["read, but not as it stands there:", *_counted(noticed)]
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
        the sums, and shortened [{place, left_out, share}], every page that lost words, of a Report
        the 1,000 that lost most (pages.losing says how many did); of a build seconds and processor
        {phase: seconds} and temporary, in bytes, and measured (Measured.as_dict).
        """
        pages = {**self.pages.sums(), "shortened": list(self.pages.listed())}
        return {**self._as_dict(), **({"pages": pages} if self.pages.pages else {})}

    def _as_dict(self) -> dict[str, Any]:
        """Return as_dict() without the pages."""
        noticed = self._noticed
        return {
            "read": self.read,
            "indexed": self.indexed,
            **({"short": self.short, "without_text": self.without_text} if self.short else {}),
            "skipped": {one.reason: one.records for one in self._skipped},
            **({"noticed": {one.reason: one.records for one in noticed}} if noticed else {}),
            **(
                {"ended": [{"source": one.source, "problem": one.problem} for one in self.ended]}
                if self.ended
                else {}
            ),
            **({"notes": list(self.notes)} if self.notes else {}),
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
                one.reason: [asdict(example) for example in one.examples]
                for one in sorted(self.reasons, key=lambda one: (-one.records, one.reason))
            },
        }

    def _shortened(self) -> list[str]:
        """Format what was left out of pages, for people."""
        if not self.pages.left:
            return []
        lines = [
            f"{self.pages.share:.1%} of {self.pages.words:,} visible words on "
            f"{counted(self.pages.pages, 'page')} of HTML were left out; most of these pages:"
        ]
        return lines + [
            f"  {one.share:6.1%} ({one.left_out:,}) of {visible(one.place)}"
            for one in islice(self.pages.losses(), SHOWN)
        ]


@dataclass(frozen=True, repr=False)
class Report(ReportText, Results[Reason]):
    """The outcome of the records that were read. Its items are the reasons why some are not in the
    file or differ from the source, the most frequent first.

    read, indexed: the numbers of records that were read and that are in the file; short: of the
    latter, those without a sketch; without_text: of these, those with only a title. skipped: the
    number of records that are not in the file, by reason; noticed: the number of records that are
    in the file but differ from the source, by reason; examples: the first records of each reason. A
    strict build ends at the first of these records, unless the reason is ordinary.

    Reasons of the inputs: "bad line", "bad row", "no id", "no text", "empty", "too long",
    "unreadable", "unsafe name", "bomb", "redirect", "other name space", "http status", "revisit",
    "replaced", "link", "import error", "other kind: .jpg" and the like; of the build: "duplicate
    id"; of notices: "wrong encoding", "no such field", "truncated", "no end mark", "markup stays",
    "part left out", "letters unreadable", "not selected".

    notes: what else people should know; ended: the sources that could not be read to their end, if
    the build was to continue nevertheless; pages: how much of the HTML pages is left out; seconds,
    processor: the time that each phase took, by the clock and summed over all processors;
    temporary: the size of the work folder in bytes; size: the size of the file that was written in
    bytes; measured: what the file finds, if it was measured; changed: for an update, what it did to
    the file; forms: the language and the libraries by which words are forms of one another.
    """

    reasons: tuple[Reason, ...] = ()
    read: int = 0
    indexed: int = 0
    short: int = 0
    without_text: int = 0
    notes: tuple[str, ...] = ()
    ended: tuple[Ended, ...] = ()
    pages: Pages = field(default_factory=Pages)
    seconds: dict[str, float] = field(default_factory=dict)
    processor: dict[str, float] = field(default_factory=dict)
    temporary: int = 0
    size: int = 0
    measured: Measured | None = None
    changed: Changed | None = None
    forms: str = ""

    @property
    def skipped(self) -> dict[str, int]:
        return {one.reason: one.records for one in self._skipped}

    @property
    def noticed(self) -> dict[str, int]:
        return {one.reason: one.records for one in self._noticed}

    @property
    def examples(self) -> dict[str, tuple[Example, ...]]:
        return {one.reason: one.examples for one in self.reasons}

    def __repr__(self) -> str:
        return f"<Report: {self._sum()}>"

    def _sum(self) -> str:
        return f"{self.read:,} read, {self.indexed:,} indexed, {self.left_out:,} skipped"


def _counted(reasons: Sequence[Reason]) -> list[str]:
    """Format the counts of each reason, with examples below it, for people."""
    lines, width = list[str](), max((len(f"{one.records:,}") for one in reasons), default=0)
    for one in reasons:
        lines.append(f"  {one.records:{width},} {visible(one.reason)}")
        lines += [
            f"  {'':{width}}   {visible(example.place)}: {visible(example.detail)}"
            for example in one.examples
        ]
        if one.records > EXAMPLES:
            lines.append(f"  {'':{width}}   ...")
    return lines


def visible(text: str) -> str:
    """Return text from a record, safe to print and not too long."""
    return printable(text if len(text) <= _DETAIL else text[: _DETAIL - 3] + "...")
