"""The page's modules: joined into one script, in one direction, laid out as the C says, and tested
by node.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
from pathlib import Path
from typing import Any

import pocketindex
import pytest
from core_sources import script, tool
from pocketindex.builder import Settings, build
from pocketindex.builder.page.join import NotJoined, joined, parsed, without_comments
from pocketindex.builder.page.offline import WORKER
from pocketindex.builder.page.page import STYLES, index_html, source
from pocketindex.builder.page.shard import deflated
from pocketindex.builder.site.scripts import (
    FIELD_STYLE,
    PANEL_STYLE,
    core,
    engine,
    field_script,
    panel_script,
)
from pocketindex.queries.marked import excerpt

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "builder" / "page"
WEB = PAGE / "web"
# Each room imports from itself and from those before it.
ROOMS = ("base", "texts", "bytes", "core", "ask", "view", "visit", "site", "field", "panel", "")
# The first module of each script.
MAINS = ("first.js", "main.js", "site/main.js", "panel.js", "pocket_search.js")
# The worker is a script of its own beside the page.
MODULES = sorted({path.relative_to(WEB).as_posix() for path in WEB.rglob("*.js")} - {WORKER})


def room(name: str) -> str:
    return name.rpartition("/")[0]


def join(**modules: str) -> str:
    """Join modules by their texts; main is the first of them."""
    texts = {f"{name}.js": text for name, text in modules.items()}
    return joined(next(iter(texts)), texts.__getitem__)


def ran(code: str) -> str:
    done = subprocess.run([tool("node")], input=code, capture_output=True, text=True, check=True)
    return done.stdout


def test_a_wheel_has_the_code_of_the_modules_without_their_comments() -> None:
    for name in (*MODULES, WORKER):
        code = without_comments(name, source(name))
        assert not re.search(r"^\s*(/\*|\*|//)", code, re.MULTILINE)
        assert without_comments(name, code) == code
        if name == WORKER:
            ran(f"new Function({json.dumps(code)})")
        else:
            assert parsed(name, code) == parsed(name, source(name))


def test_joined_modules_do_what_modules_do() -> None:
    code = join(
        main='// the page\nimport {\n  count,\n  next,\n} from "./b.js";\n'
        'import { Shape } from "./c.js";\n\nnext();\nconsole.log(count, new Shape().name);\n',
        b="/** More. */\nexport let count = 1;\n\n/**\n * @returns {void}\n */\n"
        'export function next() {\n  // why\n  count++; // "kept"\n}\n',
        c='import { count } from "./b.js";\n\nconst name = `a ${count}`;\n'
        "export class Shape {\n  name = /** @type {string} */ (name);\n}\n",
    )

    assert ran(code) == "2 a 1\n"
    assert code == (
        '"use strict";\n(() => {\nlet count = 1;\nfunction next() {\ncount++; // "kept"\n}\n'
        "const name = `a ${count}`;\nclass Shape {\nname = (name);\n}\n"
        "next();\nconsole.log(count, new Shape().name);\n})();\n"
    )


@pytest.mark.parametrize(
    ("modules", "message"),
    [
        (
            {"a": 'import { b } from "./b.js";\n', "b": 'import { a } from "./a.js";\n'},
            "a.js -> b.js -> a.js: these modules import each other in a circle",
        ),
        (
            {
                "a": 'import { b } from "./b.js";\nconst x = 1;\n',
                "b": "export const b = 1;\nlet x;\n",
            },
            "b.js and a.js both declare x: rename one of them",
        ),
        (
            {"a": 'import { b } from "./b.js";\n', "b": "const b = 1;\n"},
            "a.js imports b, which b.js does not export",
        ),
        ({"a": 'import b from "./b.js";\n'}, "a.js:1: expected import { name } from"),
        ({"a": 'import { a as b } from "./b.js";\n'}, "a.js:1: expected import { name } from"),
        ({"a": 'import { a } from "b";\n'}, "a.js:1: expected import { name } from"),
        ({"a": 'f();\nimport { b } from "./b.js";\n'}, "a.js:2: imports come before"),
        ({"a": "export default 1;\n"}, "a.js:1: expected a declaration or a call in the first"),
        ({"a": "const [b] = [1];\n"}, "a.js:1: expected a declaration or a call in the first"),
        ({"a": "\nconst b = `\n`;\n"}, "a.js:2: a template literal has to end on its line"),
        ({"a": "/* b\n*/ f();\n"}, "a.js:2: a comment of several lines has to end its line"),
    ],
)
def test_modules_that_cannot_be_joined_are_refused(modules: dict[str, str], message: str) -> None:
    with pytest.raises(NotJoined) as refused:
        join(**modules)
    assert str(refused.value).startswith(message)


def test_code_between_comments_stays() -> None:
    code = join(main="function f() {\n  /* a */ f(); /* b */\n  /* c */\n  // d\n}\n// e\n")

    assert code == '"use strict";\n(() => {\nfunction f() {\n/* a */ f(); /* b */\n}\n})();\n'


def test_the_page_is_small_before_the_first_question() -> None:
    """As a server packs it, the core included."""
    assert len(deflated(index_html("A title", []))) <= 170_000


def test_the_scripts_of_a_site_are_small() -> None:
    """What every page of it has, as it lies; what is loaded when the search is touched, as a server
    packs it, with the engine and its part of the core.
    """
    field, panel = field_script("panel-abcdefghij.js"), panel_script()

    assert len(field) <= 10_750
    assert sum(len(deflated(script)) for script in (panel, engine(), core())) <= 66_000
    assert not re.search(r"^\s|@type", (field + panel).decode(), re.M)


def test_the_pages_script_has_no_trace_of_modules_and_is_the_same_each_time(
    tmp_path: Path,
) -> None:
    code = joined("main.js", source)

    assert code == joined("main.js", source)
    assert not re.search(r"^\s*(import|export)\b|^\s*(//|/\*)", code, re.M)
    assert "@type" not in code
    assert len(deflated(code.encode())) <= 43_008
    page = tmp_path / "page.cjs"  # an argument may not be as long
    page.write_text(f"new Function({json.dumps(code)});\n", encoding="utf-8")
    subprocess.run([tool("node"), str(page)], check=True)


def reaching_back(name: str, text: str) -> list[str]:
    """Return what a module imports from a room that comes after its own."""
    own = ROOMS.index(room(name))
    return [other for other in parsed(name, text).imports if ROOMS.index(room(other)) > own]


@pytest.mark.parametrize("name", MODULES)
def test_no_room_reaches_back(name: str) -> None:
    assert reaching_back(name, source(name)) == []
    assert all((WEB / other).is_file() for other in parsed(name, source(name)).imports)


def test_a_planted_breach_is_seen() -> None:
    text = 'import { a } from "../base/a.js";\nimport { b } from "../view/b.js";\n'

    assert reaching_back("core/core.js", text) == ["view/b.js"]


def test_every_module_is_in_a_script() -> None:
    reached, names = set(MAINS), [*MAINS]
    while names:
        found = parsed(names[-1], source(names.pop())).imports
        names += [name for name in found if name not in reached]
        reached |= set(found)

    assert sorted(reached) == MODULES
    assert {path.relative_to(WEB).as_posix() for path in WEB.rglob("*.css")} == {
        *STYLES,
        FIELD_STYLE,
        PANEL_STYLE,
    }


def test_the_source_is_readable() -> None:
    for path in (path for path in WEB.rglob("*") if path.suffix in (".js", ".css")):
        lines = path.read_text(encoding="utf-8").splitlines()
        assert len(lines) <= 300 or path.name == "layout.js", path  # that one is made
        assert max(map(len, lines)) <= 100, path
    for folder in {path.parent for path in WEB.rglob("*")}:
        assert len([path for path in folder.iterdir() if path.is_file()]) <= 15, folder


def test_the_layout_is_the_headers() -> None:
    make = script(PAGE / "make_layout.py")

    assert make.text() == (WEB / "base" / "layout.js").read_text(encoding="utf-8"), (
        "run: python builder/page/make_layout.py"
    )


def test_the_layout_is_the_compilers(tmp_path: Path) -> None:
    """Each size and place, as clang has it for wasm32."""
    text = (WEB / "base" / "layout.js").read_text(encoding="utf-8")
    objects = {
        name: dict(re.findall(r"^  (\w+): (\d+),$", body, re.M))
        for name, body in re.findall(r"export const (\w+) = \{\n(.*?)\};", text, re.S)
    }
    (header,) = (ROOT / "cbits").rglob("pocket.h")
    lines = ['#include "pocket.h"']
    for name, size in objects["BYTES"].items():
        struct = f"pocket_{snake(name)}"
        lines.append(f'_Static_assert(sizeof({struct}) == {size}, "{struct}");')
        for field, at in objects[snake(name).upper()].items():
            place = f"offsetof({struct}, {snake(field)})"
            lines.append(f'_Static_assert({place} == {at}, "{place}");')
    lines += [
        f'_Static_assert(POCKET_{snake(n).upper()} == {v}, "");'
        for n, v in objects["STATUS"].items()
    ]
    (tmp_path / "layout.c").write_text("\n".join([*lines, ""]))
    compiled = subprocess.run(
        [
            *(tool("clang"), "--target=wasm32", "-ffreestanding", "-std=c11", "-fsyntax-only"),
            *(f"-I{folder}" for folder in {header.parent, *header.parent.glob("*/")}),
            str(tmp_path / "layout.c"),
        ],
        capture_output=True,
        text=True,
    )

    assert len(lines) > 80
    assert compiled.returncode == 0, compiled.stderr


def snake(name: str) -> str:
    return re.sub(r"[A-Z]", lambda letter: f"_{letter[0].lower()}", name)


def marked(piece: str, spans: list[tuple[int, int]]) -> list[str]:
    """The words that are marked in a piece; those that overlap are one."""
    joined = list[tuple[int, int]]()
    for start, end in spans:
        if joined and start < joined[-1][1]:
            joined[-1] = joined[-1][0], end
        else:
            joined.append((start, end))
    return [piece[start:end] for start, end in joined]


def searched(path: Path) -> list[dict[str, Any]]:
    """What Python answers to some searches, and the pieces of texts that it shows."""
    rows = []
    with pocketindex.open(path) as index:
        for words in (
            "lighthouse keeper",
            '"the river" -weir',
            "Übersicht 灯台守",
            "colo xyzzy",
            "lighthous kee per",
        ):
            for prefix in (False, True):
                found = index.search(words, 12, prefix=prefix)
                group = index.search(words, 5, prefix=prefix, group=True)
                texts = [index.text(index.record(hit.number)) or "" for hit in found]
                pieces = [excerpt(text, found.text, prefix=prefix) for text in texts]
                rows.append(
                    {
                        "asked": words,
                        "prefix": prefix,
                        "hits": [[hit.number, hit.words] for hit in found],
                        "groups": [[hit.number, len(hit.like)] for hit in group],
                        "words": [[one.word, one.documents, one.excluded] for one in found.words],
                        "text": found.text,
                        "counts": [found.all, found.any],
                        "pieces": [[piece, marked(piece, spans)] for piece, spans in pieces],
                    }
                )
    return rows


def test_what_needs_no_browser(collection: Path, tmp_path: Path) -> None:
    node = tool("node")
    version = subprocess.run([node, "--version"], capture_output=True, text=True).stdout
    if int(version.lstrip("v").split(".")[0]) < 20:
        pytest.skip("needs node 20")
    tests = sorted(map(str, (ROOT / "tests" / "page" / "modules").glob("*.test.mjs")))
    passages = tmp_path / "passages.pocket"
    build(
        [str(collection)],
        passages,
        Settings(
            profile="learn",
            keep="text",
            index=("documents", "passages", "words"),
            keys_per_part=100,
        ),
    )
    words = tmp_path / "words.pocket"
    build(
        [str(collection)],
        words,
        Settings(profile="learn", keep="text", titles=True, index=("documents", "words")),
    )
    (tmp_path / "words.json").write_text(json.dumps(searched(words)))
    done = subprocess.run(
        [node, "--test", *tests],
        capture_output=True,
        text=True,
        timeout=300,
        env={
            **os.environ,
            "POCKETINDEX_PASSAGES": str(passages),
            "POCKETINDEX_WORDS": str(words),
            "POCKETINDEX_SEARCHED": str(tmp_path / "words.json"),
        },
    )

    assert tests
    assert done.returncode == 0, done.stdout
