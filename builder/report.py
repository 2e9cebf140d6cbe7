"""The tally of a build: every record that was read is in the file, or stands here with the reason why not."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pocketindex.builder.document import Skip
from pocketindex.builder.inputs.source import SourceError
from pocketindex.errors import PocketError

if TYPE_CHECKING:
    from pocketindex.builder.measured import Measured

EXAMPLES = 3
# What is no document by kind: nothing is wrong with such a record, and a strict build counts it like any other.
ORDINARY = frozenset({"redirect", "other name space", "http status"})
_DETAIL = 200  # characters of an example that people see


class Refused(PocketError):
    """The first skip of a strict build."""

    def __init__(self, skip: Skip) -> None:
        super().__init__(skip)
        self.skip, self.place, self.reason = skip, skip.place, skip.reason

    def __str__(self) -> str:
        return f"{_visible(self.place)}: {self.reason}: {_visible(self.skip.detail)}; correct it, or build without strict to leave it out"


class NoDocument(PocketError):
    """The end of a build whose sources have records, none of them a document: a wrong format or field. An old file stays."""

    def __init__(self, report: Report) -> None:
        super().__init__(report)
        self.report = report

    def __str__(self) -> str:
        first = [
            f"{count:,} {reason} ({_visible(some[0].place)}: {_visible(some[0].detail)})" for reason, count, some in self.report.reasons()
        ]
        return (
            f"none of the {self.report.read:,} records is a document: {', '.join(first)}; nothing is written: "
            "name the format with --format, or the fields with --id and --text"
        )


class Report:
    """Counts records: read, indexed, and skipped by reason with the first EXAMPLES of each.

    Each record that an input meets is one call of `arrive` (it gave a document) or `reject` (it gave none); each document that arrived
    then is one of `index` or `skip`. In a strict report `reject` and `skip` raise Refused,
    but not for the reasons in ORDINARY.

    Reasons of the inputs: "bad line", "bad row", "no id", "no text", "empty", "too long", "unreadable", "unsafe name", "bomb", "redirect",
    "other name space", "http status", "import error"; of the build: "duplicate id", "too short".

    ended: the sources that could not be read to their end, where the build was to go on; notes: what else people should know;
    seconds, processor: that each phase took, by the clock and of all processors; temporary: bytes of the work folder;
    measured: what the file finds, where that was asked for.
    """

    def __init__(self, strict: bool = False) -> None:
        self.strict = strict
        self.read = 0
        self.indexed = 0
        self.skipped: dict[str, int] = {}
        self.examples: dict[str, list[Skip]] = {}
        self.ended: list[SourceError] = []
        self.notes: list[str] = []
        self.seconds, self.processor = dict[str, float](), dict[str, float]()
        self.temporary = 0
        self.measured: Measured | None = None

    def arrive(self, documents: int = 1) -> None:
        """So many documents came from an input."""
        self.read += documents

    def reject(self, skip: Skip) -> None:
        """A record gave no document: this is the `skip` of an input."""
        self.read += 1
        self.skip(skip)

    def skip(self, skip: Skip) -> None:
        """A document that arrived is left out of the file."""
        self.skipped[skip.reason] = self.skipped.get(skip.reason, 0) + 1
        examples = self.examples.setdefault(skip.reason, [])
        if len(examples) < EXAMPLES:
            examples.append(skip)
        if self.strict and skip.reason not in ORDINARY:
            raise Refused(skip)

    def skip_more(self, reason: str, documents: int) -> None:
        """So many more are left out for a reason that skip() was told before."""
        if documents:
            self.skipped[reason] += documents

    def end(self, error: SourceError) -> None:
        """A source could not be read further; what came before is kept."""
        self.ended.append(error)

    def index(self, documents: int = 1) -> None:
        """So many of the documents that arrived are in the file."""
        self.indexed += documents

    def state(self) -> dict[str, Any]:
        """What is counted so far, a copy fit for JSON and restore()."""
        return {
            "read": self.read,
            "indexed": self.indexed,
            "skipped": dict(self.skipped),
            "examples": {reason: [[one.place, one.detail] for one in examples] for reason, examples in self.examples.items()},
            "ended": [[one.source, one.problem] for one in self.ended],
        }

    def restore(self, state: dict[str, Any]) -> None:
        """Go on from a state()."""
        self.read, self.indexed, self.skipped = state["read"], state["indexed"], dict(state["skipped"])
        self.examples = {reason: [Skip(place, reason, detail) for place, detail in some] for reason, some in state["examples"].items()}
        self.ended = [SourceError(*one) for one in state["ended"]]

    @property
    def left_out(self) -> int:
        """The number of skipped records, for any reason."""
        return sum(self.skipped.values())

    def check(self) -> None:
        """Raise AssertionError unless every record that was read was either indexed or skipped: for the end of a build."""
        if self.read != self.indexed + self.left_out:
            raise AssertionError(
                f"the counts of the build do not add up: {self.read} read, {self.indexed} indexed, {self.left_out} skipped"
            )

    def text(self) -> str:
        """For people: a line with the sums, and one for each reason, the commonest first, with its examples below."""
        lines = [*self.notes, f"{self.read:,} read, {self.indexed:,} indexed, {self.left_out:,} skipped"]
        width = max((len(f"{count:,}") for count in self.skipped.values()), default=0)
        for reason, count in self._by_count():
            lines.append(f"  {count:{width},} {reason}")
            lines += [f"  {'':{width}}   {_visible(one.place)}: {_visible(one.detail)}" for one in self.examples[reason]]
            if count > EXAMPLES:
                lines.append(f"  {'':{width}}   ...")
        lines += [f"not read to the end: {error}" for error in self.ended]
        lines += [self.measured.text()] if self.measured else []
        return "\n".join(lines)

    def as_dict(self) -> dict[str, Any]:
        """For programs: read, indexed, skipped {reason: count} and examples {reason: [{place, detail}]}, fit for JSON.

        Where there are any, ended [{source, problem}] and notes; of a build seconds and processor {phase: seconds} and temporary, in bytes,
        and measured (Measured.as_dict).
        """
        return {
            "read": self.read,
            "indexed": self.indexed,
            "skipped": dict(self._by_count()),
            **({"ended": [{"source": one.source, "problem": one.problem} for one in self.ended]} if self.ended else {}),
            **({"notes": self.notes} if self.notes else {}),
            **{
                name: {phase: round(seconds, 3) for phase, seconds in taken.items()}
                for name, taken in (("seconds", self.seconds), ("processor", self.processor))
                if taken
            },
            **({"temporary": self.temporary} if self.temporary else {}),
            **({"measured": self.measured.as_dict()} if self.measured else {}),
            "examples": {
                reason: [{"place": one.place, "detail": one.detail} for one in self.examples[reason]] for reason, _ in self._by_count()
            },
        }

    def reasons(self) -> list[tuple[str, int, list[Skip]]]:
        """Why records were skipped, the commonest reason first: reason, count and examples."""
        return [(reason, count, self.examples[reason]) for reason, count in self._by_count()]

    def _by_count(self) -> list[tuple[str, int]]:
        return sorted(self.skipped.items(), key=lambda item: (-item[1], item[0]))


def _visible(text: str) -> str:
    """Text of a stranger's record, safe to print: no control characters, no lone surrogates, no end of its own."""
    short = text if len(text) <= _DETAIL else text[: _DETAIL - 3] + "..."
    return "".join(char if char.isprintable() else "?" for char in short)
