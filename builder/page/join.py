"""ES modules as one classic script: what a page opened from a folder may run.

The modules are few and written for it, so a few rules stand in for a parser; a module that breaks
one is refused with its name and line:

- An import is `import { a, b } from "./other.js";` at the top, by the names that are exported.
- An export stands before a declaration: `export const a`, `export function f`, `export class C`.
- What a module declares begins in the first column, and what does not is indented.
- A template literal ends on its line. A comment that is more than the end of a line begins one.

Every module comes after those it imports, all in one function: their names are one room, so no two
may declare the same. Comments stay behind.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

NAME = r"[A-Za-z_$][\w$]*"
IMPORT = re.compile(r'import \{([^}]*)\} from "(\.[^"]*)";')
DECLARED = re.compile(
    rf"(export )?(?:async function\*?|function\*?|class|const|let) ({NAME})(?![\w$])"
)
# In the first column of a line: the end of something, or a call.
OTHER = re.compile(r"[}\])]|[\w$.]+\(")
COMMENT = re.compile(r"\s*/\*(?:(?!\*/).)*\*/\s*$|\s*//")
# No quote behind it: it is in no string.
TRAILING = re.compile(r"""\s+// [^"'`]*$""")
CAST = re.compile(r"/\*\* @type \{.*?\} \*/ ?(?=\S)")


class NotJoined(ValueError):
    """A module that the joiner cannot take, with its name and what to do."""


@dataclass
class Module:
    """A module: what it imports from which, what it declares and exports, and its other lines."""

    name: str
    imports: dict[str, list[str]] = field(default_factory=dict)
    declared: list[str] = field(default_factory=list)
    exported: list[str] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)


def joined(main: str, read: Callable[[str], str]) -> str:
    """Return the script that does what the module main does. read gives a module's text by name.

    Raises NotJoined.
    """
    modules = ordered(main, read)
    check_names(modules)
    body = "".join(f"{line}\n" for module in modules for line in module.lines)
    return f'"use strict";\n(() => {{\n{body}}})();\n'


def ordered(main: str, read: Callable[[str], str]) -> list[Module]:
    """Return main and all that it imports, each after those it imports. Raises NotJoined."""
    done: dict[str, Module] = {}
    open_now: list[str] = []

    def visit(name: str) -> None:
        if name in done:
            return
        if name in open_now:
            circle = " -> ".join([*open_now[open_now.index(name) :], name])
            raise NotJoined(f"{circle}: these modules import each other in a circle")
        open_now.append(name)
        module = parsed(name, read(name))
        for other in module.imports:
            visit(other)
        open_now.pop()
        done[name] = module

    visit(main)
    return list(done.values())


def check_names(modules: list[Module]) -> None:
    """Raise NotJoined for a name that two modules declare, or that is imported and not exported."""
    owners: dict[str, str] = {}
    for module in modules:
        for name in module.declared:
            if name in owners:
                raise NotJoined(
                    f"{owners[name]} and {module.name} both declare {name}: rename one of them"
                )
            owners[name] = module.name
    exported = {module.name: module.exported for module in modules}
    for module in modules:
        for other, names in module.imports.items():
            for name in names:
                if name not in exported[other]:
                    raise NotJoined(f"{module.name} imports {name}, which {other} does not export")


def parsed(name: str, text: str) -> Module:
    """Return a module by its text. Raises NotJoined."""
    module = Module(name)
    lines = code_of(name, text)
    for number, line in lines:
        if line.startswith("import "):
            while ";" not in line:
                line = f"{line} {next(lines)[1].strip()}"
            add_import(module, number, line)
        else:
            add_line(module, number, line)
    return module


def code_of(name: str, text: str) -> Iterator[tuple[int, str]]:
    """Yield the lines of a module that have code, with their numbers, without comments. Raises
    NotJoined.
    """
    lines = iter(enumerate(text.split("\n"), 1))
    for number, line in lines:
        if line.lstrip().startswith("/*") and "*/" not in line:
            while "*/" not in line:
                number, line = next(lines)
            if not line.rstrip().endswith("*/"):
                raise NotJoined(f"{name}:{number}: a comment of several lines has to end its line")
        elif line.strip() and not COMMENT.match(line):
            yield number, TRAILING.sub("", CAST.sub("", line))


def without_comments(name: str, text: str) -> str:
    """Return a module without its comments, as a wheel has it. Raises NotJoined."""
    return "".join(f"{line}\n" for _, line in code_of(name, text))


def add_import(module: Module, number: int, line: str) -> None:
    found = IMPORT.fullmatch(line)
    names = [one.strip() for one in found[1].split(",") if one.strip()] if found else []
    if not found or not names or not all(re.fullmatch(NAME, one) for one in names):
        raise NotJoined(
            f'{module.name}:{number}: expected import {{ name }} from "./module.js"; found {line}'
        )
    if module.lines:
        raise NotJoined(f"{module.name}:{number}: imports come before everything else")
    path = posixpath.normpath(posixpath.join(posixpath.dirname(module.name), found[2]))
    module.imports.setdefault(path, []).extend(names)


def add_line(module: Module, number: int, line: str) -> None:
    if line.count("`") % 2:
        raise NotJoined(f"{module.name}:{number}: a template literal has to end on its line")
    if not line[0].isspace():
        found = DECLARED.match(line)
        if found:
            module.declared.append(found[2])
            if found[1]:
                module.exported.append(found[2])
                line = line.removeprefix("export ")
        elif not OTHER.match(line):
            raise NotJoined(
                f"{module.name}:{number}: expected a declaration or a call in the first column, "
                f"found {line}"
            )
    module.lines.append(line.strip())
