"""The scripts of a site's search: a small one for every page, with the element <pocket-search>; the
results, which it loads when a visitor uses the element; the engine; and the part of the core that
the engine needs.
"""

from __future__ import annotations

import json
import re
from functools import cache, partial
from importlib.resources import files
from typing import Any

from pocketindex.builder.page.join import joined
from pocketindex.builder.page.page import WEB, source

ENGINE = "site/main.js"
FIELD_STYLE = "field/field.css"
PANEL_STYLE = "panel/panel.css"
# The name that pages have.
SCRIPT = "pocket-search.js"

_STRING = re.compile(r"""("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')""")
# Beside - + ! and < a space may mean something.
_BESIDE_SIGN = re.compile(r" (?=[{}()\[\],;:?=>&|*])|(?<=[{}()\[\],;:?=>&|*]) ")
_BEFORE_LINE = re.compile(r"(?<=[{;,(\[])\n(?=.)")


@cache
def panel_script() -> bytes:
    """Return the script with the results, which is loaded when a visitor uses the element."""
    return bundle(
        "panel.js", "panel/given.js", PANEL_STYLE=style(PANEL_STYLE), PANEL_TEXTS=texts("panel")
    )


def field_script(panel: str = "") -> bytes:
    """Return the script of every page. panel: the name of the script with the results; without it,
    the script reads the name from the entry of the index.
    """
    return bundle(
        "pocket_search.js",
        "field/given.js",
        FIELD_STYLE=style(FIELD_STYLE),
        FIELD_TEXTS=texts("field"),
        PANEL=panel,
    )


@cache
def engine() -> bytes:
    """Return the engine, which answers searches."""
    return bundle(ENGINE)


@cache
def core() -> bytes:
    """Return the part of the core that the engine needs, as WebAssembly."""
    return (files("pocketindex.data") / "site.wasm").read_bytes()


def bundle(main: str, given: str = "", **values: Any) -> bytes:
    """Return the script of a main module without the spaces that mean nothing. given: a module that
    declares values, which get the values given here.
    """
    as_json = partial(json.dumps, ensure_ascii=False, separators=(",", ":"))
    declared = "".join(
        f"export const {name} = {as_json(value)};\n" for name, value in values.items()
    )
    script = joined(main, lambda name: declared if name == given else source(name))
    # No line of it begins within a string or a template.
    lines = [squeezed(line.strip()) for line in script.split("\n")]
    return _BEFORE_LINE.sub("", "\n".join(lines)).encode("utf-8")


def squeezed(line: str) -> str:
    """Return a line of a script without spaces beside signs. One that may have a template or a
    regular expression stays as it is.
    """
    parts = _STRING.split(line)
    if any("`" in part or "/" in part for part in parts[::2]):
        return line
    parts[::2] = [_BESIDE_SIGN.sub("", part) for part in parts[::2]]
    return "".join(parts)


def style(name: str) -> str:
    """Return a style sheet without comments, spaces and signs that have no effect."""
    text = source(name)
    for pattern, instead in (
        (r"/\*.*?\*/", ""),
        (r":\s+", ":"),
        (r"\s*([{};,])\s*", r"\1"),
        (r";\}", "}"),
        (r"\b0\.", "."),
        (r'="([\w-]+)"\]', r"=\1]"),
    ):
        text = re.sub(pattern, instead, text, flags=re.S)
    return text.strip()


def texts(room: str) -> dict[str, Any]:
    """Return the texts of one part by language: field, panel or related."""
    return {language: table[room] for language, table in languages().items()}


@cache
def languages() -> dict[str, dict[str, Any]]:
    """Return the tables of texts by language. Each is a file."""
    files = sorted(WEB.joinpath("field", "languages").iterdir(), key=lambda file: file.name)
    return {
        file.name.removesuffix(".json"): json.loads(file.read_text(encoding="utf-8"))
        for file in files
    }
