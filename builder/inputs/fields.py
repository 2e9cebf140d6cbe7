"""Which field of a record is what: for the inputs whose records have named fields."""

from __future__ import annotations

import difflib
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from pocketindex.builder.document import Document, Notice, Unfit
from pocketindex.builder.inputs.source import SourceError
from pocketindex.errors import is_typed, spelled
from pocketindex.options import COMMON, Options, option, options_of

_MOST_SHOWN = 20  # names in a message
_WORDS_OF_TEXT = 5  # of a value that may be a text under another name
MOST_QUOTED = 60  # characters of a name or a value in a message
MARK = "#"  # before the number of a record without an id
NUMBERED = "numbered"  # the reason of a Notice that ids are numbers

# What collections call the parts of a document, besides the names of their own.
_USUAL = {
    "id": (
        "_id",
        "docid",
        "doc_id",
        "document_id",
        "uuid",
        "guid",
        "key",
        "nr",
        "no",
        "identifier",
    ),
    "title": ("headline", "heading", "subject", "name", "titel", "titre", "titulo"),
    "text": (
        *("body", "content", "contents", "article", "document", "passage", "abstract"),
        *("description", "message", "question", "inhalt", "contenu", "texte", "texto", "testo"),
    ),
}


def _field(part: str, what: str, **more: Any) -> Any:
    return option(
        None,
        f"field that holds the {what}",
        **{"metavar": "FIELD", "dest": f"field_{part}", "shown_default": part, **more},
    )


@dataclass(frozen=True, kw_only=True)
class FieldNames(Options):
    """The names of the fields of a record, columns of a table or attributes of an object that hold
    the parts of a document.
    """

    id: str | None = _field("id", "id", shown=COMMON)
    title: str | None = _field("title", "title", shown=COMMON)
    text: str | None = _field("text", "text", shown=COMMON)
    url: str | None = _field("url", "url")
    date: str | None = _field("date", "date", shown_default="none")
    lang: str | None = _field("lang", "language")
    label: str | None = _field("label", "label, or a list of labels", shown_default="none")


@dataclass(frozen=True, kw_only=True)
class Fields(FieldNames):
    """The names of the fields that become a document's id, title, text, url, date, lang and labels;
    None: the field of that very name.

    A record must have a text, and what is named; one without an id has its number as id, and one
    without a title its id as title. A date is read only where it is named, and so are labels: a
    field with one, or with a list of them. A name with dots, as doc.text, is that of a field within
    a field, unless a field has this very name.

    before: what stands before the numbers of records without an id; marks: whether these have to
    differ from the ids of other records; needs_id: whether these are an
    error; prefix: what the names of the options begin with; dated_by: the option that names the
    field of the date, where it is not called so.
    """

    before: str = field(default="", repr=False)
    marks: bool = field(default=True, repr=False)
    needs_id: bool = field(default=False, repr=False)
    prefix: str = field(default="", repr=False)
    dated_by: str = field(default="date", repr=False)

    def of_source(self, number: int, of: int = 1) -> Fields:
        """Return the fields of one of several sources, numbered from 1; of: how many there are.
        From the second one on, its number comes before ids that are numbers.
        """
        if number > 1:
            return replace(self, before=f"{number}:")
        return self.apart(of > 1)

    def apart(self, others: bool) -> Fields:
        """Return the fields of a source; others: whether a record beside those without an id may
        have one of its own, which may be a whole number. The numbers are marked then.
        """
        return replace(self, before=MARK) if others and self.marks and not self.before else self

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
        that there are, where some are missing that must be there, or one is there twice.
        """
        places, missing = dict[str, int](), list[str]()
        for part in PARTS:
            name = self.of(part)
            count = there.count(name) if name else 0
            if count == 1:
                places[part] = there.index(name)
            elif count:
                raise SourceError(
                    source,
                    f"expected one field {quoted(name)}, found {count}; rename one of them; its "
                    f"fields are {listed(there)}",
                )
            elif part == "text" or (part == "id" and needs_id) or part in self.named():
                missing.append(part)
        if missing:
            raise SourceError(source, self.missing(missing, there))
        return places

    def missing(self, parts: Sequence[str], there: Collection[str]) -> str:
        """Return a message for parts that have no field, which suggests the fields that may be
        meant.
        """
        *others, last = (quoted(self.of(part)) for part in parts)
        names = f"{', '.join(others)} and {last}" if others else last
        what = f"no field{'s' if len(parts) > 1 else ''} {names} among {listed(there)}"
        wanted = [part for part in _USUAL if part in parts or self.of(part) not in there]
        wanted += [part for part in parts if part not in _USUAL]
        meant = {part: near for part in wanted if (near := self.meant(part, there))}
        if not set(meant) & set(parts):
            return f"{what}; name the field that has the {parts[0]} with {self.option(parts[0])}"
        between = " " if is_typed() else ", "
        return f"{what}; did you mean {between.join(map(self.option, meant, meant.values()))}?"

    def meant(self, part: str, there: Collection[str]) -> str:
        """Return the field that may be meant for a part that has none, or ""."""
        own, used = self.of(part), {self.of(other) for other in PARTS if other != part}
        names = {name.strip().lower(): name for name in reversed(list(there)) if name not in used}
        usual = [own.lower(), part, *_USUAL.get(part, ())]
        near = difflib.get_close_matches(own.lower(), names, 1, 0.75)
        found = next((name for name in usual if name in names), near[0] if near else None)
        return names[found] if found is not None else ""

    def lacking(self, record: Mapping[str, Any]) -> list[str]:
        """Return which of the required id and text a record lacks.

        A record with a title and without a text is a document, unless another field may be its
        text: one with a usual name, or a string of several words that is no part of a document.
        """
        needed = ("id", "text") if self.id is not None else ("text",)
        there = [str(name) for name in record]
        lacking = [
            part
            for part in needed
            if value_at(record, self.of(part)) is None and self.of(part) not in record
        ]
        if lacking != ["text"] or not _is_text(value_at(record, self.of("title"))):
            return lacking
        used = {self.of(part) for part in PARTS}
        other = any(
            isinstance(value, str) and len(value.split()) >= _WORDS_OF_TEXT
            for name, value in record.items()
            if name not in used
        )
        return lacking if other or self.text is not None or self.meant("text", there) else []

    def argument(self, part: str) -> str:
        """Return the name of the argument, or the option, that names the field of a part."""
        return spelled(self._argument(part))

    def option(self, part: str, name: str = "") -> str:
        """Return the option that names the field of a part; name: "" for a placeholder."""
        name = shortened(name) or "FIELD"
        is_plain = not is_typed() or name.replace("_", "").isalnum()
        return spelled(self._argument(part), name if is_plain else quoted(name))

    def _argument(self, part: str) -> str:
        return f"{self.prefix}{self.dated_by if part == 'date' else part}"

    def numbered(self, source: str, number: str, there: Collection[str]) -> Notice:
        """Return the notice, one for each source, that records have no id.

        number: what they get instead; there: the fields of one of them. Raises SourceError if ids
        are required.
        """
        meant = self.meant("id", there) if self.id is None and "id" not in there else ""
        if self.needs_id:
            remedy = f"name the field that has the ids with {self.option('id', meant)}"
            raise SourceError(
                source,
                f"a record has no id, which says what document it replaces; {remedy}, or "
                "give every record an id",
            )
        hint = f"; if {quoted(meant)} has the ids, give {self.option('id', meant)}" if meant else ""
        mark = f", with {self.before} before it," if self.before else ""
        detail = f"records without an id get {number}{mark} as their id{hint}"
        return Notice(source, NUMBERED, detail)


OWN_NAMES = Fields()
PARTS = tuple(options_of(FieldNames))
NUMBERS_TOO = ("id", "title", "text", "date")  # may be numbers
ONLY_NAMED = ("date", "label")  # have no field of their own name


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and value.strip() != ""


def listed(names: Collection[str]) -> str:
    """Return field names for a message."""
    some = ", ".join(map(quoted, list(names)[:_MOST_SHOWN]))
    return (some or "none") + (
        f" and {len(names) - _MOST_SHOWN} more" if len(names) > _MOST_SHOWN else ""
    )


def quoted(value: str) -> str:
    """Return a name or a value in quotes for a message, only its beginning if it is long."""
    return f'"{shortened(value)}"'


def shortened(value: str) -> str:
    """Return a name or a value, only its beginning if it is long."""
    return value if len(value) <= MOST_QUOTED else value[: MOST_QUOTED - 3] + "..."


def value_at(record: Any, name: str) -> Any:
    """Return the value of a field of a mapping, or by a name with dots that of a nested field; None
    if there is none.
    """
    if name in record or "." not in name:
        return record.get(name)
    dot = name.find(".")
    while dot >= 0:
        inner = record.get(name[:dot])
        if isinstance(inner, Mapping) and (value := value_at(inner, name[dot + 1 :])) is not None:
            return value
        dot = name.find(".", dot + 1)
    return None


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
        raise Unfit(
            "no text", f"the field {quoted(fields.of('text'))} has no value, and there is no title"
        )
    labels = [label] if (label := get("label")) else labels
    more = get("url") or "", get("lang") or "", get("date") or "", tuple(labels)
    return Document(id, title, text or "", *more, name=id)
