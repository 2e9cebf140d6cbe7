"""Where the records that stay go: one file of all sources, or a folder with one of each."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

from pocketindex.arguments import is_file, is_stdio
from pocketindex.builder.collections.corpus import Flags
from pocketindex.builder.collections.passing.marks import Marks, unmarked
from pocketindex.builder.collections.passing.packing import packing
from pocketindex.builder.collections.passing.sources import Sources, is_table
from pocketindex.builder.inputs.kinds import by_name
from pocketindex.builder.inputs.source import STDIN
from pocketindex.builder.out.lines import check_line_name
from pocketindex.builder.out.rows import TABLES, form_of
from pocketindex.builder.out.written import documents_of, table_of
from pocketindex.builder.progress import Progress
from pocketindex.builder.spill.output import Kind, Output
from pocketindex.builder.spill.replace import working_folder


class Outputs:
    """The files that are written, each replaced only when it is whole, at the end of the block.

    output: a file for all sources, a folder for a file of each, or None for no output; text: the
    field of the texts; spares: files that must not be replaced; folder: for temporary files, beside
    the output. Raises ValueError where an output cannot hold the sources, and what Output raises.
    """

    def __init__(
        self,
        output: str | None,
        sources: Sequence[str],
        text: str | None,
        spares: Sequence[str] = (),
        force: bool = False,
    ) -> None:
        self._each = output is not None and _is_folder(output)
        targets = _targets(output, sources)
        self._forms = [_form(target, own, self._each) for target, own in targets]
        with ExitStack() as stack:
            self._outputs = [
                stack.enter_context(
                    Output(target, _kind(form, own, text or "text"), spares=spares, force=force)
                )
                for (target, own), form in zip(targets, self._forms, strict=True)
            ]
            self.folder = stack.enter_context(working_folder(self._work()))
            self._stack = stack.pop_all()

    def write(
        self, given: Sources, stays: Flags, progress: Progress, marks: Marks = unmarked
    ) -> None:
        """Write the records that stay. marks: what the field holds that they get."""
        for number, (output, form) in enumerate(zip(self._outputs, self._forms, strict=True)):
            progress.phase(f"writing {output.name}")
            with output.open() as out:
                if self._each:
                    given.write_one(number, stays, out, output.name, form, marks)
                else:
                    given.write(stays, out, output.name, form, marks)

    @property
    def is_table(self) -> bool:
        """Whether all sources are written as one table."""
        return not self._each and any(form in TABLES for form in self._forms)

    @property
    def path(self) -> Path | None:
        """The first file that is replaced or created, None where there is none."""
        return self._outputs[0].path if self._outputs else None

    def _work(self) -> Path | None:
        """Return the name beside which temporary files lie. It is not that of an output, as opening
        one removes what lies beside it.
        """
        return self.path and self.path.with_name(f"{self.path.name}.work")

    def __enter__(self) -> Outputs:
        return self

    def __exit__(self, *error: object) -> None:
        self._stack.__exit__(*error)  # type: ignore[arg-type]


def _is_folder(output: str) -> bool:
    return os.path.isdir(output) or output.endswith(("/", os.sep))


def _targets(output: str | None, sources: Sequence[str]) -> list[tuple[str, Sequence[str]]]:
    """Return the files that are written, each with the sources that it is of."""
    if output is None:
        return []
    if not _is_folder(output):
        return [(output, sources)]
    if STDIN in sources:
        raise ValueError(f"{output}: standard input has no name for a file in this folder")
    targets = [os.path.join(output, name) for name in _names(output, sources)]
    for target in targets:
        os.makedirs(os.path.dirname(target), exist_ok=True)
    return [(target, [one]) for target, one in zip(targets, sources, strict=True)]


def _names(output: str, sources: Sequence[str]) -> list[str]:
    """Return a name in a folder for each source: its own, or its path below the folder that all
    have in common, if two have the same name.
    """
    names = [os.path.basename(source) for source in sources]
    if len(set(names)) < len(names) and all(map(is_file, sources)):
        paths = list(map(os.path.abspath, sources))
        around = os.path.commonpath(map(os.path.dirname, paths))
        names = [os.path.relpath(path, around) for path in paths]
    name, count = Counter(names).most_common(1)[0]
    if count > 1:
        raise ValueError(
            f"{output}: {count} sources have the name {name}; give one file as the output, or "
            "sources of different names"
        )
    return names


def _form(target: str, sources: Sequence[str], each: bool) -> str:
    """Return the form in which sources are written to a file: "json", or a form of tables. Raises
    ValueError where the file cannot have them.
    """
    form = form_of(target)
    tables = [source for source in sources if is_table(source)]
    if is_stdio(target):
        form = "stream" if tables else "json"
    if form in TABLES:
        if len(tables) < len(sources) and (tables or each):
            raise ValueError(
                f"{target}: some sources are tables, as {tables[0]}, and some are JSON Lines; give "
                "a name that ends in .jsonl, or a folder, for a file of each"
                if tables
                else f"{target}: its source is JSON Lines and not what the name says; give a file "
                "as the output"
            )
        return form
    if not is_stdio(target):
        plain = target[: len(target) - len(packing(target))]
        if tables and (each or not _is_lines(plain)):
            raise ValueError(
                f"{target}: a row of {tables[0]} becomes a row or a line; give a name that ends in "
                ".parquet, .arrow, .arrows or .jsonl"
            )
        check_line_name(plain, "the output")
    return "json"


def _is_lines(name: str) -> bool:
    """Return whether a file is JSON Lines by its name."""
    kind = by_name(os.path.basename(name))
    return kind is not None and kind.name == "jsonl"


def _kind(form: str, sources: Sequence[str], text: str) -> Kind:
    """Return the kind of an output of a form."""
    made = table_of(form, text) if form in TABLES else documents_of(text)

    def is_own(path: Path) -> bool:
        """Return whether a file is a source, or of the kind of the output."""
        same = any(is_file(source) and os.path.samefile(source, path) for source in sources)
        return same or made.is_own(path)

    return replace(made, is_own=is_own)
