"""The scripts that search: the engine, and the part of the core that it needs."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from pocketindex.builder.page.element import bundle

ENGINE = "site/main.js"


@cache
def engine() -> bytes:
    """Return the engine, which answers questions."""
    return bundle(ENGINE)


@cache
def core() -> bytes:
    """Return the part of the core that it needs, as WebAssembly."""
    return (files("pocketindex.data") / "site.wasm").read_bytes()
