"""index.html: the page, its style, its scripts, the core as WebAssembly and what is on the disc, in
one file.
"""

from __future__ import annotations

import base64
import hashlib
import html
import json
import re
from collections.abc import Mapping, Sequence
from importlib.resources import files
from typing import Any

from pocketindex.builder.page.join import joined

# The page's source, from here on by names with slashes.
WEB = files("pocketindex.builder.page").joinpath("web")
STYLES = tuple(
    f"style/{name}.css" for name in ("page", "results", "sources", "words", "reading", "report")
)

ENGLISH = "en"

# The first that unpack a raw deflate stream by themselves, and have all else that the page uses.
BROWSERS = "Chrome 103, Edge 103, Firefox 113, Safari 16.4"


def index_html(
    title: str,
    collections: list[dict[str, Any]],
    language: str | None = None,
    more: Mapping[str, Any] | None = None,
) -> bytes:
    """Return the page. title: the title of the disc; collections: as builder/page/folder.py
    describes them; language: one of languages(), or None for the first language of the visitor that
    is among them; more: what else the page has to know (visit/places.js).
    """
    spoken = [language] if language else languages()
    tables = {name: json.loads(source(f"languages/{name}.json")) for name in spoken}
    style = "".join(source(name) for name in STYLES)
    scripts = [joined(name, source) for name in ("first.js", "main.js")]
    core = (files("pocketindex.data") / "page.wasm.deflate").read_bytes()
    disc = {"title": title, "collections": collections, "browsers": BROWSERS, **(more or {})}
    parts = {
        "title": html.escape(title),
        "language": spoken[0],
        "languages": _json(tables, ascii=False),
        # Until a script can say it in the visitor's language.
        "old": tables[spoken[0]]["old"].replace("{browsers}", BROWSERS),
        "policy": policy(style, scripts),
        "style": style,
        "first": scripts[0],
        "script": scripts[1],
        "core": base64.b64encode(core).decode("ascii"),
        "disc": _json(disc),
    }
    page = re.sub(r"\{\{(\w+)\}\}", lambda place: parts[place[1]], source("page.html"))
    return page.encode("utf-8")


def source(name: str) -> str:
    """Return a file of the page's source."""
    return WEB.joinpath(*name.split("/")).read_text(encoding="utf-8")


def languages() -> list[str]:
    """Return the names of the page's languages, English first; each has a file in web/languages."""
    names = [path.name.removesuffix(".json") for path in WEB.joinpath("languages").iterdir()]
    return sorted(names, key=lambda name: (name != ENGLISH, name))


def _json(data: object, ascii: bool = True) -> str:
    """Return JSON for a script element. Only "<" could end the element, so it is escaped."""
    text = json.dumps(data, separators=(",", ":"), ensure_ascii=ascii)
    return text.replace("<", "\\u003c")


def policy(style: str, scripts: Sequence[str]) -> str:
    """Return the Content-Security-Policy: this style, these scripts, scripts of this
    folder, WebAssembly; no connection to anywhere else.

    `file:` because a page opened from a folder has no origin that 'self' could mean.
    """
    return "; ".join(
        (
            "default-src 'none'",
            f"script-src {' '.join(map(_hash, scripts))} 'self' file: 'wasm-unsafe-eval'",
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
