"""What `pocketindex site` says."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

from pocketindex.builder.site.choosing import LeftOut
from pocketindex.wording.counted import counted

SHOWN = 5  # pages of each reason
PASTE = (
    '<script src="/_pocketindex/pocket-search.js" defer></script>',
    "<pocket-search></pocket-search>",
)


@dataclass(frozen=True)
class SiteReport:
    """What was indexed.

    folder: of the index; pages: in it; parsed: how many files were read anew; languages: pages of
    each, most first; files, bytes: of the folder, with the files of the earlier index that stay for
    one build; written: how many files are new or changed; menu: how many pages share the same fifty
    words and the first of these, where more than half do.
    """

    folder: str
    pages: int
    parsed: int
    languages: dict[str, int]
    files: int
    written: int
    bytes: int
    left_out: list[LeftOut]
    warnings: list[str]
    menu: tuple[int, str] | None

    def as_dict(self) -> dict[str, Any]:
        """Return the report for JSON."""
        menu = {"pages": self.menu[0], "begins": self.menu[1]} if self.menu else None
        return {**asdict(self), "menu": menu, "paste": list(PASTE)}

    def text(self) -> str:
        """Return the report for people."""
        return "\n".join(self._lines())

    def _lines(self) -> Iterator[str]:
        for warning in self.warnings:
            yield f"warning: {warning}"
        reasons = dict[str, list[LeftOut]]()
        for one in self.left_out:
            reasons.setdefault(one.reason, []).append(one)
        for own in reasons.values():
            yield f"left out: {counted(len(own), 'file')}"
            yield from (f"  {one.path}: {one.detail}" for one in own[:SHOWN])
            if len(own) > SHOWN:
                yield f"  and {len(own) - SHOWN:,} more for this reason; --json lists them all"
        if self.menu:
            yield (
                f"warning: {self.menu[0]:,} of {self.pages:,} pages share the same fifty words "
                f"({self.menu[1]} …), which looks like a menu; put data-pagefind-body on the "
                "element with the text of a page, or data-pagefind-ignore on the menu"
            )
        languages = ", ".join(f"{code or 'none'} {n:,}" for code, n in self.languages.items())
        yield (
            f"{self.folder}: {counted(self.pages, 'page')} ({languages}), {self.parsed:,} read "
            f"anew; {counted(self.files, 'file')}, {self.written:,} of them new or changed, "
            f"{self.bytes:,} bytes"
        )
        yield "Put these lines into your pages (below a folder of a host, with its name in front):"
        yield from (f"  {line}" for line in PASTE)
