"""Which field of a record is what: for the inputs whose records have named fields."""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from pocketindex.builder.document import Document, Unfit
from pocketindex.builder.inputs.source import SourceError

_MOST_SHOWN = 20  # names in a message


@dataclass(frozen=True)
class Fields:
    """The names of the fields that become a document's id, title, text, url, date, lang and labels;
    None: the field of that very name.

    A record must have id and text, and what is named; without a title the id is the title. A date
    is read only where it is named, and so are labels: a field with one, or with a list of them.
    """

    id: str | None = None
    title: str | None = None
    text: str | None = None
    url: str | None = None
    date: str | None = None
    lang: str | None = None
    label: str | None = None

    def of(self, part: str) -> str:
        """Return the name of the field that becomes this part of a document; nothing where none
        does.
        """
        name: str | None = getattr(self, part)
        return name if name is not None else "" if part in ONLY_NAMED else part

    @cached_property
    def given(self) -> tuple[tuple[str, str], ...]:
        """Part and name of all that become something."""
        return tuple((part, name) for part in PARTS if (name := self.of(part)))

    def named(self) -> tuple[str, ...]:
        """Return the parts for which a name is given."""
        return tuple(part for part in PARTS if getattr(self, part) is not None)

    def places(self, source: str, there: Sequence[str], needs_id: bool = True) -> dict[str, int]:
        """Return where in `there`, the fields of every record, each part of a document is; parts
        that are nowhere are left out.

        needs_id: whether there must be one that has no name. Raises SourceError, with the fields
        that there are, where one is missing that must be there, or is there twice.
        """
        places = {}
        for part in PARTS:
            name = self.of(part)
            count = there.count(name) if name else 0
            if count == 1:
                places[part] = there.index(name)
            elif count:
                raise SourceError(
                    source,
                    (
                        f'expected one field "{name}", found {count}; rename one of them; its '
                        "fields "
                        f"are {listed(there)}"
                    ),
                )
            elif part == "text" or (part == "id" and needs_id) or part in self.named():
                raise SourceError(
                    source,
                    (
                        f'expected a field "{name}" for the {part}, found {listed(there)}; name it '
                        f"with --{part} FIELD"
                    ),
                )
        return places


OWN_NAMES = Fields()
PARTS = tuple(field.name for field in dataclasses.fields(Fields))
ONLY_NAMED = ("date", "label")  # have no field of their own name


def listed(names: Collection[str]) -> str:
    """Return field names for a message."""
    some = ", ".join(f'"{name}"' for name in list(names)[:_MOST_SHOWN])
    return (some or "none") + (
        f" and {len(names) - _MOST_SHOWN} more" if len(names) > _MOST_SHOWN else ""
    )


def document(fields: Fields, values: dict[str, str | None], labels: Iterable[str] = ()) -> Document:
    """Return the document of a record's values by part, where None is no value. Raises Unfit.

    labels: where they are no value.
    """
    id, text = values.get("id"), values.get("text")
    if id is None:
        raise Unfit("no id", f'expected a value of the field "{fields.of("id")}"')
    get = values.get
    title = get("title") or ""
    if text is None and not title.strip():
        raise Unfit("no text", f'expected a value of the field "{fields.of("text")}"')
    labels = [label] if (label := get("label")) else labels
    more = get("url") or "", get("lang") or "", get("date") or "", tuple(labels)
    return Document(id, title, text or "", *more, name=id)
