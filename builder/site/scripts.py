"""The scripts that search: the engine, and what shows what it finds, each a classic script of some
modules of builder/page/web.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from pocketindex.builder.page.join import joined
from pocketindex.builder.page.page import source

ENGINE = "site/main.js"
# What a page names by itself, and so has always the same name; and the main module of each.
COMPONENTS: dict[str, str] = {}


@cache
def engine() -> bytes:
    """Return the engine, which answers questions."""
    return joined(ENGINE, source).encode()


@cache
def core() -> bytes:
    """Return the part of the core that it needs, as WebAssembly."""
    return (files("pocketindex.data") / "site.wasm").read_bytes()


def components() -> dict[str, bytes]:
    """Return the scripts that pages name, by their names."""
    return {name: joined(main, source).encode() for name, main in COMPONENTS.items()}
