"""index.html: the page, its style, its scripts, the core as WebAssembly and what is on the disc, in
one file.
"""

from __future__ import annotations

import base64
import hashlib
import html
import json
import re
from importlib.resources import files
from typing import Any

from pocketindex.builder.page.join import joined
from pocketindex.builder.page.shard import deflated

# The page's source, from here on by names with slashes.
WEB = files("pocketindex.builder.page").joinpath("web")
STYLES = tuple(
    f"style/{name}.css" for name in ("page", "results", "sources", "words", "reading", "report")
)

# The first that unpack a raw deflate stream by themselves, and have all else that the page uses.
BROWSERS = "Chrome or Edge 103, Firefox 113, Safari 16.4"


def index_html(title: str, collections: list[dict[str, Any]]) -> bytes:
    """Return the page. title: the disc's; collections: as builder/page/folder.py describes them."""
    style = "".join(source(name) for name in STYLES)
    script = joined("main.js", source)
    core = (files("pocketindex.data") / "pocket.wasm").read_bytes()
    parts = {
        "title": html.escape(title),
        "lead": lead(
            sum(collection["documents"] for collection in collections),
            any(collection["passages"] for collection in collections),
            any(collection["words"] for collection in collections),
        ),
        "browsers": BROWSERS,
        "policy": policy(style, script),
        "style": style,
        "script": script,
        "core": base64.b64encode(deflated(core)).decode("ascii"),
        # Within a script element only "<" could end it.
        "disc": json.dumps(
            {"title": title, "collections": collections}, separators=(",", ":")
        ).replace("<", "\\u003c"),
    }
    page = re.sub(r"\{\{(\w+)\}\}", lambda place: parts[place[1]], source("page.html"))
    return page.encode("utf-8")


def source(name: str) -> str:
    """Return a file of the page's source."""
    return WEB.joinpath(*name.split("/")).read_text(encoding="utf-8")


def lead(documents: int, passages: bool, words: bool) -> str:
    """Return what the page is for, in a line. By passages and by words the sources of a text can be
    found.
    """
    among = f" among {documents:,} documents" if documents else ""
    if words:
        return (
            "Search for <mark>a few words</mark>, or give a text and find where it comes from, and "
            f"what is <mark>nearly the same</mark>{among}."
        )
    if passages:
        return (
            "Give a text or a paragraph and find <mark>where it comes from</mark>, and what is "
            f"nearly the same{among}."
        )
    return f"Give a whole text and find what is <mark>nearly the same</mark>{among}."


def policy(style: str, script: str) -> str:
    """Return the Content-Security-Policy: this style, this script, scripts of this folder,
    WebAssembly; no connection to anywhere else.

    `file:` because a page opened from a folder has no origin that 'self' could mean.
    """
    return "; ".join(
        (
            "default-src 'none'",
            f"script-src {_hash(script)} 'self' file: 'wasm-unsafe-eval'",
            f"style-src {_hash(style)}",
            "connect-src 'self'",
            "img-src data:",
            "base-uri 'none'",
            "form-action 'none'",
        )
    )


def _hash(text: str) -> str:
    digest = hashlib.sha256(text.encode("utf-8")).digest()
    return f"'sha256-{base64.b64encode(digest).decode('ascii')}'"
