"""The scripts that search: the engine, and the part of the core that it needs."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from pocketindex.builder.page.join import joined
from pocketindex.builder.page.page import source

ENGINE = "site/main.js"


@cache
def engine() -> bytes:
    """Return the engine, which answers questions."""
    return joined(ENGINE, source).encode()


@cache
def core() -> bytes:
    """Return the part of the core that it needs, as WebAssembly."""
    return (files("pocketindex.data") / "site.wasm").read_bytes()
