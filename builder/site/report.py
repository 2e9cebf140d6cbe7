"""The report of `pocketindex site`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

from pocketindex.answers.results import Results
from pocketindex.builder.site.choosing import LeftOutPage
from pocketindex.builder.site.menus import Menu
from pocketindex.wording.counted import counted

SHOWN = 5  # pages of each reason
SCRIPT_ADDRESS = "/_pocketindex/pocket-search.js"
PASTE = (
    f'<script src="{SCRIPT_ADDRESS}" defer></script>',
    "<pocket-search></pocket-search>",
)


@dataclass(frozen=True, repr=False)
class SiteReport(Results[LeftOutPage]):
    """The pages that were left out, by their paths, and what was indexed.

    folder: the folder of the index; pages: the number of its pages; parsed: the number of HTML
    files that the cache did not have; languages: the number of pages in each language, the largest
    first; files, bytes: what is in the folder, including the files of the earlier index, which stay
    until the next build; written: the number of files that this build wrote; menu: the fifty
    words that more than half of the pages share, if there are such words.
    """

    left_out: tuple[LeftOutPage, ...]
    folder: str
    pages: int
    parsed: int
    languages: dict[str, int]
    files: int
    written: int
    bytes: int
    warnings: tuple[str, ...]
    menu: Menu | None

    def as_dict(self) -> dict[str, Any]:
        """Return the report as a dict for JSON."""
        return {**asdict(self), "paste": PASTE}

    def _sum(self) -> str:
        return f"{counted(self.pages, 'page')} in {self.folder}, {len(self):,} left out"

    def text(self) -> str:
        """Return the report as text, with the lines to paste into pages."""
        return "\n".join(
            [
                *self.lines(),
                "Put these two lines into your pages. If the site is in a folder of its host, such "
                "as /docs/, the address begins with that folder: /docs" + SCRIPT_ADDRESS,
                *(f"  {line}" for line in PASTE),
            ]
        )

    def lines(self) -> Iterator[str]:
        """Yield the lines of the report, without those to paste into pages."""
        for warning in self.warnings:
            yield f"warning: {warning}"
        reasons = dict[str, list[LeftOutPage]]()
        for one in self.left_out:
            reasons.setdefault(one.reason, []).append(one)
        for own in reasons.values():
            yield f"left out: {counted(len(own), 'file')}"
            yield from (f"  {one.path}: {one.detail}" for one in own[:SHOWN])
            if len(own) > SHOWN:
                yield f"  and {len(own) - SHOWN:,} more for this reason; --json lists them all"
        if self.menu:
            some = " that were compared" if self.menu.compared < self.pages else ""
            yield (
                f"warning: {self.menu.pages:,} of {self.menu.compared:,} pages{some} share the "
                f"same fifty words ({self.menu.begins} …), which looks like a menu; put "
                "data-pagefind-body on the element with the text of a page, or "
                "data-pagefind-ignore on the menu"
            )
        languages = ", ".join(f"{code or 'none'} {n:,}" for code, n in self.languages.items())
        yield (
            f"{self.folder}: {counted(self.pages, 'page')} ({languages}) in "
            f"{counted(self.files, 'file')}, {self.bytes:,} bytes; parsed "
            f"{counted(self.parsed, 'HTML file')} and wrote {counted(self.written, 'file')}"
        )
