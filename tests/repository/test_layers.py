"""Imports go one way: cbits <- reader <- builder; data holds no code that is imported."""

from __future__ import annotations

import ast
import re
from collections import Counter
from pathlib import Path

import pytest
from places import ROOT

FOLDERS = {
    "cbits": "pocketindex.cbits",
    "reader": "pocketindex",
    "builder": "pocketindex.builder",
    "builder/plugins": "pocketindex.plugins",  # rooms of builder/ with names of their own
    "builder/spark": "pocketindex.spark",
    "data": "pocketindex.data",
}
BUILDING = ("pocketindex.builder", "pocketindex.plugins", "pocketindex.spark")
FORBIDDEN = {
    "cbits": (*BUILDING, "pocketindex.data", "pocketindex.index", "pocketindex.errors"),
    "reader": BUILDING,
    "builder": (),
    "builder/plugins": (),
    "builder/spark": (),
    "data": (),
}


def imported(path: Path) -> set[str]:
    """Every module that a file names in an import, wherever it stands."""
    names = set[str]()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            names.add(node.module or "")
            names.update(f"{node.module}.{alias.name}" for alias in node.names)
    return names


def breaches(folder: str, path: Path) -> set[str]:
    # The face of the package gives what builds by a table of names; its imports are for types.
    face = path == ROOT / "reader" / "__init__.py"
    return {
        name
        for name in (at_load(ast.parse(path.read_text())) if face else imported(path))
        for root in FORBIDDEN[folder]
        if name == root or name.startswith(root + ".")
    }


@pytest.mark.parametrize("folder", sorted(FOLDERS))
def test_no_layer_reaches_back(folder: str) -> None:
    files = [path for path in (ROOT / folder).rglob("*.py") if not path.name.startswith("make_")]

    assert files
    assert {str(path): breaches(folder, path) for path in files if breaches(folder, path)} == {}


# What each room of builder/ may import of it, besides itself. The base are modules at its top; the
# others there are the pipeline, with the passes.
BASE = frozenset({"conventions", "document", "language", "progress"})
PIPELINE = BASE | {"spill", "sections", "inputs", "out", "schemes", "write", "pipeline"}
ROOMS = {
    **dict.fromkeys(BASE, BASE),
    "spill": BASE,
    "inputs": BASE | {"spill"},
    "out": BASE | {"spill", "inputs"},
    "sections": BASE | {"spill"},
    "schemes": BASE | {"spill", "sections"},
    "write": BASE | {"spill", "sections", "schemes"},
    "pipeline": PIPELINE,
    "collections": PIPELINE,
    "changing": PIPELINE,
    "functions": PIPELINE | {"collections", "changing"},
    "spark": PIPELINE | {"collections", "functions"},
    "evaluate": PIPELINE,
    "page": PIPELINE,
    "site": PIPELINE | {"collections", "functions", "page"},
    "commands": PIPELINE | {"collections", "changing", "functions", "evaluate", "page", "site"},
    "plugins": frozenset({"site"}),
}


# The same for the rooms of reader/. What is at its top and not named here stands on all but
# commands.
READER_BASE = frozenset({"addresses", "arguments", "constants", "errors", "kinds", "options"})
QUERIES = READER_BASE | {"answers", "ffi", "contents", "wording"}
READER_ROOMS: dict[str, frozenset[str]] = {
    **dict.fromkeys(READER_BASE, READER_BASE),
    "ffi": READER_BASE,
    "answers": frozenset(),
    "opening": READER_BASE | {"ffi"},
    "contents": READER_BASE | {"answers", "ffi"},
    "wording": frozenset({"answers"}),
    "queries": QUERIES,
    "top": QUERIES | {"opening", "queries"},
    "commands": QUERIES | {"opening", "queries", "top"},
}


# The command: nothing else imports it.
COMMAND = ("pocketindex.cli", "pocketindex.commands", "pocketindex.builder.commands")


def module_of(path: Path) -> str:
    """The name that a file of reader/, builder/ or cbits/ is imported by."""
    own = path.relative_to(ROOT).with_suffix("")
    folder = max((one for one in FOLDERS if own.is_relative_to(one)), key=len)
    rest = own.relative_to(folder).parts
    return ".".join(part for part in (FOLDERS[folder], *rest) if part != "__init__")


# The same for the folders of builder/inputs; the modules at its top bring them together, but for
# these, which are below all.
INPUT_BASE = frozenset({"source", "options", "fields", "kinds"})
INPUT_ROOMS = {
    **dict.fromkeys(INPUT_BASE, INPUT_BASE),
    "opening": INPUT_BASE,
    "rows": INPUT_BASE | {"opening"},
    "pages": INPUT_BASE | {"opening"},
    "archives": INPUT_BASE | {"opening", "pages"},
}


MODULES = {
    module_of(path): path
    for folder in ("reader", "builder", "cbits")
    for path in (ROOT / folder).rglob("*.py")
}


def room_of(module: str) -> str:
    """The room of a module of builder/, for one at its top the base or the pipeline."""
    for room in ("plugins", "spark"):
        if module.startswith(f"pocketindex.{room}"):
            return room
    first = (module.removeprefix("pocketindex.builder").lstrip(".") or "build").split(".")[0]
    return first if first in ROOMS else "pipeline"


def uses(module: str, anywhere: bool = True) -> set[str]:
    """The modules of ours that a module imports; unless anywhere, only when it is loaded itself."""
    names = (
        imported(MODULES[module]) if anywhere else at_load(ast.parse(MODULES[module].read_text()))
    )
    return {name for name in names if name in MODULES} - {module}


def at_load(tree: ast.AST) -> set[str]:
    """What is imported outside functions and `if TYPE_CHECKING`."""
    names = set[str]()
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            names.add(node.module or "")
            names.update(f"{node.module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Try):
            names |= at_load(node)
    return names


def circle(graph: dict[str, set[str]]) -> list[str]:
    """A way through a graph that comes back to where it began, if there is one."""
    done, way = set[str](), list[str]()

    def visit(node: str) -> list[str]:
        if node in way:
            return [*way[way.index(node) :], node]
        if node in done:
            return []
        way.append(node)
        for other in sorted(graph[node]):
            if found := visit(other):
                return found
        done.add(way.pop())
        return []

    return next((found for node in graph if (found := visit(node))), [])


IN_ROOMS = ("pocketindex.builder.", "pocketindex.spark")  # the builder's face has names of all


def test_the_rooms_of_the_builder_look_one_way() -> None:
    breaches = {
        (module, other)
        for module in MODULES
        if module.startswith(IN_ROOMS)
        for other in uses(module)
        if other.startswith(IN_ROOMS)
        and room_of(other) != room_of(module)
        and room_of(other) not in ROOMS[room_of(module)]
    }

    assert breaches == set()
    rooms = {room_of(m) for m in MODULES if m.startswith(BUILDING)}
    assert rooms >= {"base" if room in BASE else room for room in ROOMS} - {"base", "page"}


def reader_room_of(module: str) -> str:
    first = module.removeprefix("pocketindex.").split(".")[0]
    return first if first in READER_ROOMS else "top"


def test_the_rooms_of_the_reader_look_one_way() -> None:
    """What an import is needed for when a module is loaded counts, not what types are named by."""
    reader = {module for module in MODULES if MODULES[module].is_relative_to(ROOT / "reader")}
    reader.discard("pocketindex")
    breaches = {
        (module, other)
        for module in reader
        for other in uses(module, anywhere=False) & reader
        for room, used in [[reader_room_of(name) for name in (module, other)]]
        if used != room and used not in READER_ROOMS[room]
    }

    assert breaches == set()
    assert {reader_room_of(module) for module in reader} == set(READER_ROOMS)


def test_the_rooms_of_the_inputs_look_one_way() -> None:
    inputs = "pocketindex.builder.inputs."
    breaches = {
        (module, other)
        for module in MODULES
        if module.startswith(inputs)
        for other in uses(module)
        if other.startswith(inputs)
        for room, used in [[name.removeprefix(inputs).split(".")[0] for name in (module, other)]]
        if room in INPUT_ROOMS and used != room and used not in INPUT_ROOMS[room]
    }

    assert breaches == set()
    assert {m.removeprefix(inputs).split(".")[0] for m in MODULES} >= set(INPUT_ROOMS)


def test_the_work_folder_knows_no_chunk() -> None:
    chunks = "pocketindex.builder.spill.chunks"
    rest = {module for module in MODULES if module.startswith("pocketindex.builder.spill.")}
    rest = {module for module in rest if not f"{module}.".startswith(f"{chunks}.")}

    assert rest
    for module in rest:
        assert not {name for name in uses(module) if name.startswith(chunks)}, module


def test_what_commands_share_knows_no_command() -> None:
    commands = "pocketindex.builder.commands."
    arguments = {module for module in MODULES if module.startswith(commands + "arguments.")}

    assert arguments
    for module in arguments:
        assert {name for name in uses(module) if name.startswith(commands)} <= arguments


def of_the_command(module: str) -> bool:
    return any(f"{module}.".startswith(f"{one}.") for one in COMMAND)


def test_no_library_imports_the_command() -> None:
    libraries = {
        module for module in MODULES if not of_the_command(module) and ".make_" not in module
    }
    breaches = {
        (module, name)
        for module in libraries - {"pocketindex.__main__"}
        for name in uses(module)
        if of_the_command(name)
    }

    assert breaches == set()
    assert of_the_command("pocketindex.commands.rows")
    assert not of_the_command("pocketindex.rows")


def test_no_module_imports_itself_by_a_way_round() -> None:
    graph = {
        # To import from one's own package is no use of what its face imports.
        module: {
            other for other in uses(module, anywhere=False) if not module.startswith(other + ".")
        }
        for module in MODULES
    }

    assert circle(graph) == []
    assert circle({"a": {"b"}, "b": {"c"}, "c": {"b"}}) == ["b", "c", "b"]


# Folders with more files than one looks through, which have still to be divided.
CROWDED = {"builder/inputs/pages"}


def test_no_folder_of_the_product_has_more_than_20_files() -> None:
    files = [
        path
        for room in ("cbits", "reader", "builder", "data")
        for path in (ROOT / room).rglob("*")
        if path.is_file() and path.suffix not in (".so", ".pyc") and not path.name.startswith("_")
    ]
    counts = Counter(path.parent.relative_to(ROOT).as_posix() for path in files)

    assert len(counts) > 40
    assert {folder for folder, count in counts.items() if count > 20} <= CROWDED


def test_every_room_says_what_it_is_for_and_what_it_may_import() -> None:
    rooms = (
        path for name in ("builder", "reader") for path in (ROOT / name).rglob("*/__init__.py")
    )
    for path in rooms:
        if path.parent.name not in ("disc", "page"):
            text = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
            assert "may import" in text, f"{path}: its docstring"


def test_a_planted_breach_is_seen(tmp_path: Path) -> None:
    path = tmp_path / "planted.py"
    path.write_text("def f():\n    from pocketindex.builder import build\n")

    assert breaches("reader", path) == {"pocketindex.builder", "pocketindex.builder.build"}


# The rooms of the core: each may include those that are named, and pocket.h where base/ is among
# them and it is not base/ itself.
CORE_ROOMS = {
    "base": (),
    "text": ("base",),
    "sketch": ("base", "text"),
    "file": ("base", "text", "sketch"),
    "query": ("base", "text", "sketch", "file"),
    "build": ("base", "text", "sketch", "file"),
    "ingest": ("base",),
    "cmph": ("base", "file"),
}
WITHOUT_POCKET_H = ("base", "text", "ingest", "cmph")
INCLUDE = re.compile(r'^#include "([\w/]+\.h)"', re.MULTILINE)
DEFINITION = re.compile(
    r"^(?!static|typedef|return|else)(?:const )?\w[\w *]*?[ *](\w+)\([^;{}]*\) *\{", re.MULTILINE
)
CALL = re.compile(r"\b(\w+)\(")


def includes(path: Path) -> list[str]:
    return INCLUDE.findall(path.read_text(encoding="utf-8"))


@pytest.mark.parametrize("room", CORE_ROOMS)
def test_no_room_of_the_core_reaches_back(room: str) -> None:
    allowed = {room, *CORE_ROOMS[room]}
    files = sorted((ROOT / "cbits" / room).rglob("*.[ch]"))

    assert files
    for path in files:
        for name in includes(path):
            if name == "pocket.h":
                assert room not in WITHOUT_POCKET_H, f"{path.name} includes {name}"
            else:
                assert name.partition("/")[0] in allowed, f"{path.name} includes {name}"


def test_every_file_of_the_core_is_in_a_room() -> None:
    files = [path for path in (ROOT / "cbits").rglob("*.[ch]") if not path.name.startswith("_")]

    rooms = {path.relative_to(ROOT / "cbits").parts[0] for path in files}
    assert rooms - {"pocket.h"} == {*CORE_ROOMS}
    assert len({path.name for path in files}) == len(files)


def core_uses(files: dict[str, str]) -> dict[str, set[str]]:
    """What the files of C use of each other, where x.c and x.h are one unit: what they include, and
    the functions that they call, wherever these are declared.
    """
    defined = {
        name: path[:-2]
        for path, text in files.items()
        if path.endswith(".c")
        for name in DEFINITION.findall(text)
    }
    graph: dict[str, set[str]] = {path[:-2]: set() for path in files}
    for path, text in files.items():
        used = {name[:-2] for name in INCLUDE.findall(text) if name != "pocket.h"}
        if path.endswith(".c"):
            used |= {defined[name] for name in CALL.findall(text) if name in defined}
        graph[path[:-2]] |= used - {path[:-2]}
    return graph


def test_no_file_of_the_core_needs_one_that_needs_it() -> None:
    core = ROOT / "cbits"
    paths = [path for path in core.rglob("*.[ch]") if not path.name.startswith("_")]
    files = {path.relative_to(core).as_posix(): path.read_text("utf-8") for path in paths}
    del files["pocket.h"]
    graph = core_uses(files)

    assert circle(graph) == []
    assert "query/sources/choose_sources" in graph["query/sources/sources"]
    assert circle(
        core_uses(
            {
                "a.h": "int chosen(void);\n",
                "a.c": '#include "a.h"\nint found(void) { return chosen(); }\n',
                "b.c": '#include "a.h"\nint chosen(void) { return 1; }\n',
            }
        )
    ) == ["a", "b", "a"]


def test_the_core_includes_no_python_and_prints_nothing() -> None:
    for path in (ROOT / "cbits").rglob("*.[ch]"):
        if path.name.startswith("_"):
            continue
        source = path.read_text(encoding="utf-8")
        for word in ("Python.h", "stdio.h", "printf", "getenv", "exit("):
            assert word not in source, f"{path.name} has {word}"
