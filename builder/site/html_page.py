"""One file of HTML: what its head says, and what is read of it. Another process runs `parsed`
(builder/inputs/pages/apart.py), because the parser is not ours and the pages may be anybody's.
"""

from __future__ import annotations

import re
from typing import Any

from pocketindex.builder.inputs.pages import apart
from pocketindex.builder.inputs.pages.html import decoded
from pocketindex.builder.inputs.source import needed
from pocketindex.builder.site import markup
from pocketindex.builder.site.attributes import attributes_of
from pocketindex.builder.site.reading import page_of

AT_ONCE = 1.0  # seconds after which a page leads elsewhere, at most, for a redirect

_TAG = re.compile(r'<(meta|link|base)((?: [^\s=>]+="[^"]*")*)')
_REFRESH = re.compile(r"\s*([\d.]+)\s*[;,]?\s*(?:url\s*=\s*)?['\"]?([^'\"]*)", re.IGNORECASE)


def read(
    content: bytes, place: str, name: str, root: str = "", exclude: str = ""
) -> dict[str, Any]:
    """Return what is read of a file. place: for messages; name: the title of a page without one;
    root, exclude: selectors.

    Raises Unfit "unreadable" for a page that the parser cannot read, and SourceError where the
    parser is missing.
    """
    needed("resiliparse.parse.html", "html", place, "it is HTML")
    found: dict[str, Any] = apart.read(__name__, content, place, name, root, exclude)
    return found


def parsed(content: bytes, place: str, name: str, root: str, exclude: str) -> dict[str, Any]:
    """Parse a file in this process."""
    html = needed("resiliparse.parse.html", "html", place, "it is HTML")
    source, problem = decoded(content, place)
    if markup.is_fragment(source):
        return {"why": "empty" if not source.strip() else "fragment"}
    page = markup.parsed(html, source, root, exclude)
    said = {
        "lang": page.lang.strip().lower(),
        "problem": problem,
        **_head(page.head),
    }
    if page.read is None:
        return {"why": "root", **said}
    return {**said, **page_of(page.read, name)}


def _head(written: str) -> dict[str, Any]:
    """Return whether the page is for no index, where it is said to be kept, and where it leads."""
    noindex, canonical, refresh = False, "", ""
    for name, attributes in _TAG.findall(written):
        own = attributes_of(attributes)
        content = own.get("content", "")
        if name == "link" and "canonical" in own.get("rel", "").lower().split():
            canonical = canonical or own.get("href", "").strip()
        elif own.get("name", "").strip().lower() == "robots":
            words = {word.strip().lower() for word in content.split(",")}
            noindex |= bool(words & {"noindex", "none"})
        elif own.get("http-equiv", "").strip().lower() == "refresh" and not refresh:
            found = _REFRESH.match(content)
            if found and found[2].strip() and _seconds(found[1]) <= AT_ONCE:
                refresh = found[2].strip()
    return {"noindex": noindex, "canonical": canonical, "refresh": refresh}


def _seconds(written: str) -> float:
    try:
        return float(written)
    except ValueError:
        return AT_ONCE + 1
