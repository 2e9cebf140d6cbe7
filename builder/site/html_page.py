"""One file of HTML: what its head says, what is read of it, and its words. Another process runs
`parsed` (builder/inputs/pages/apart.py), because the parser is not ours and the pages may be
anybody's. It loads nothing else, for a build that reads one page starts it, too.
"""

from __future__ import annotations

import json
import re
from typing import Any, NamedTuple

from pocketindex.builder.document import Unfit
from pocketindex.builder.inputs.pages import apart
from pocketindex.builder.inputs.pages.html import decoded
from pocketindex.builder.inputs.source import needed
from pocketindex.builder.site import markup
from pocketindex.builder.site.attributes import attributes_of
from pocketindex.builder.site.counting.words import NONE, PageWords, page_words
from pocketindex.builder.site.reading import page_of
from pocketindex.builder.site.texts import cut, ends_of, homes_of, stored

AT_ONCE = 1.0  # seconds after which a page leads elsewhere, at most, for a redirect

_TAG = re.compile(r'<(meta|link)((?: [^\s=>]+="[^"]*")*)')
_SAYING = ("canonical", "robots", "refresh")  # words of what is read of a head
_REFRESH = re.compile(r"\s*([\d.]+)\s*[;,]?\s*(?:url\s*=\s*)?['\"]?([^'\"]*)", re.IGNORECASE)


class Record(NamedTuple):
    """What is read of a file. said: JSON of what its head and attributes say, and why it is no
    page, how many words it has and how many bytes each of its texts; stored: what pieces of texts
    have of it, a line of JSON for each text.
    """

    said: str
    stored: bytes = b""
    words: PageWords = NONE


def read(
    content: bytes,
    path: str,
    address: str,
    name: str,
    root: str = "",
    exclude: str = "",
    related: bool = False,
) -> Record:
    """Return what is read of a file. path: for messages; address: of the page below the site; name:
    its title, if it has none; root, exclude: selectors; related: whether it has an element for
    similar pages.

    Raises SourceError where the parser is missing.
    """
    needed("resiliparse.parse.html", "html", path, "it is HTML")
    try:
        said, stored, *words = apart.read(
            __name__, content, path, address, name, root, exclude, related
        )
    except Unfit as unfit:
        return Record(json.dumps({"why": unfit.reason, "detail": unfit.detail}))
    return Record(said, stored, PageWords(*words))


def parsed(
    content: bytes, path: str, address: str, name: str, root: str, exclude: str, related: bool
) -> tuple[Any, ...]:
    """Read a file in this process."""
    record = record_of(content, path, name, root, exclude)
    said = {key: value for key, value in record.items() if key not in _READ}
    if "meta" not in record:
        return json.dumps(said), b"", *NONE
    meta, parts = record["meta"], record["parts"]
    texts = cut(parts)
    several = (ends_of(texts), homes_of(texts, record["headings"])) if len(texts) > 1 else ()
    words, length = page_words(record, *several)
    lines = stored(address, meta, texts)
    said |= {
        "related": related,
        "title": meta["title"],
        "empty": not any(part[3] for part in parts),
        "words": length,
        "texts": [len(line) for line in lines],
    }
    return json.dumps(said), b"\n".join(lines), *words


_READ = frozenset(["meta", "parts", "headings", "weighted"])


def record_of(
    content: bytes, path: str, name: str, root: str = "", exclude: str = ""
) -> dict[str, Any]:
    """Return what is said in the head of a page, and what is read of it (reading.py)."""
    html = needed("resiliparse.parse.html", "html", path, "it is HTML")
    source, problem = decoded(content, path)
    if markup.is_fragment(source):
        return {"why": "empty" if not source.strip() else "fragment"}
    page = markup.parsed(html, source, root, exclude)
    said = {"lang": page.lang.strip().lower(), "problem": problem, **_head(page.head)}
    if page.read is None:
        return {"why": "root", **said}
    return {**said, **page_of(markup.tokens(page.read), name)}


def _head(written: str) -> dict[str, Any]:
    """Return whether the page is for no index, where it is said to be kept, and where it leads."""
    noindex, canonical, refresh = False, "", ""
    small = written.lower()
    told = any(word in small for word in _SAYING)
    for name, attributes in _TAG.findall(written) if told else ():
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
