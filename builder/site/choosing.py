"""Choose the pages of a site that are in its index (docs/site.md)."""

from __future__ import annotations

import posixpath
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from urllib.parse import unquote, urljoin, urlsplit

from pocketindex.answers.results import Part
from pocketindex.builder.site.pages import Page

WHY = {
    "empty": "the file is empty",
    "fragment": "a fragment without doctype, html, head, title and body",
    "root": "no element matches the selector of the root",
    "body": "it has no data-pagefind-body, and other pages have one",
    "noindex": "its meta element robots excludes it from indexes",
    "redirect": "it redirects to another page",
    "not found": "the page for error 404",
    "textless": "it has neither text nor a title",
    "link": "a symbolic link to a folder, which is not followed",
    "unreadable": "the HTML parser failed",
    "no file": "it is no regular file, or a link that leads to none",
    "unread": "it cannot be read",
}


_PLAIN = re.compile(r"/(?!/)[\w./-]*")  # a path alone


@dataclass(frozen=True, repr=False)
class LeftOutPage(Part):
    """A file that is not in the index. reason: a key of WHY, or "canonical"."""

    path: str
    reason: str
    detail: str


@dataclass
class Chosen:
    """The pages of the index, and the others with their reasons."""

    pages: list[Page] = field(default_factory=list)
    left_out: list[LeftOutPage] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)


def choose(pages: Sequence[Page], base: str) -> Chosen:
    """Choose among the files of a site. base: the address of the site; if it is "", the pages whose
    canonical address is their own tell it.
    """
    chosen = Chosen()
    bodies = any(page.said.get("body") for page in pages)
    candidates = list[Page]()
    for page in pages:
        reason = _reason(page, bodies)
        if reason:
            chosen.left_out.append(LeftOutPage(page.path, reason, _detail(page, reason)))
        else:
            candidates.append(page)
    _by_canonical(candidates, pages, base or _own_base(pages), chosen)
    for page in chosen.pages:
        chosen.warnings += [f"{page.path}: {warning}" for warning in page.said["warnings"]]
        if page.said["problem"]:
            chosen.warnings.append(f"{page.path}: {page.said['problem']}")
    return chosen


def _reason(page: Page, bodies: bool) -> str:
    said = page.said
    if "why" in said:
        return str(said["why"])
    if said["noindex"]:
        return "noindex"
    if said["refresh"] and _path(urljoin(f"/{page.path}", said["refresh"])) != _path(
        f"/{page.path}"
    ):
        return "redirect"
    if page.path == "404.html":
        return "not found"
    if bodies and not said["body"]:
        return "body"
    return "textless" if said["empty"] and not said["named"] else ""


def _detail(page: Page, reason: str) -> str:
    if reason == "redirect":
        return f"it redirects to {page.said['refresh']}"
    detail = page.said.get("detail", "")
    return WHY.get(reason, reason) + (f": {detail}" if detail else "")


def _path(address: str) -> str:
    """Return the path of an address, in which index.html and a last slash make no difference."""
    path = address if _PLAIN.fullmatch(address) else unquote(urlsplit(address).path)
    return posixpath.normpath(path.removesuffix("index.html") or "/")


def _own_base(pages: Sequence[Page]) -> str:
    """Return the address below which most pages say that they are."""
    found = Counter[str]()
    for page in pages:
        canonical = page.said.get("canonical", "")
        own = page.address
        if "://" in canonical and canonical.removesuffix("index.html").endswith(f"/{own}"):
            found[canonical.removesuffix("index.html").removesuffix(own)] += 1
    return found.most_common(1)[0][0] if found else ""


def _by_canonical(
    candidates: Sequence[Page], pages: Sequence[Page], base: str, chosen: Chosen
) -> None:
    """Leave out pages whose canonical address is that of another page of the index."""
    root = urlsplit(base)
    by_path = {_path(f"/{page.path}"): page for page in pages}
    kept = {page.path for page in candidates}
    leads = dict[str, Page]()
    for page in candidates:
        canonical = page.said["canonical"]
        if not canonical:
            continue
        address = urljoin(urljoin(base or "/", f"./{page.address}"), canonical)
        below = urlsplit(address)
        if below.netloc != root.netloc and below.netloc:
            continue
        prefix = root.path.rstrip("/")
        if not below.path.startswith(f"{prefix}/"):
            continue
        other = by_path.get(_path(address.replace(base, "/", 1) if base else address))
        if other and other is not page:
            leads[page.path] = other
    for page in candidates:
        other = leads.get(page.path)
        if other is None:
            chosen.pages.append(page)
        elif other.path not in kept or other.path in leads:
            chosen.pages.append(page)
            why = "is left out" if other.path not in kept else "names another one itself"
            chosen.warnings.append(
                f"{page.path}: its canonical address is that of {other.path}, which {why}; the page"
                " stays in the index"
            )
        else:
            detail = f"its canonical address is that of {other.path}"
            chosen.left_out.append(LeftOutPage(page.path, "canonical", detail))
