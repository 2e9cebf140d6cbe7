"""Wikitext to words: cbits/wikitext.c, called from Python."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from pocketindex.cbits import ffi, lib
from pocketindex.errors import TextTooLong

DROPS = {"tables": lib.POCKET_DROP_TABLES, "references": lib.POCKET_DROP_REFERENCES}
# What every wiki understands beside its own language's names.
_FILES, _CATEGORIES = ("File", "Image"), ("Category",)


class Stripper:
    """What takes the markup away from pages of one wiki.

    files, categories: what the wiki calls these name spaces, in its language; drop: names of DROPS
    that are left out of the text.
    """

    def __init__(
        self, files: Iterable[str] = (), categories: Iterable[str] = (), drop: Iterable[str] = ()
    ) -> None:
        self._files = _names((*_FILES, *files))
        self._categories = _names((*_CATEGORIES, *categories))
        self._drop = 0
        for name in drop:
            if name not in DROPS:
                raise ValueError(f"drop has {name!r}; it may have {', '.join(DROPS)}")
            self._drop |= DROPS[name]

    def text(self, wikitext: str | bytes) -> str:
        """Return what a reader of the page sees, but for mathematics, urls, what stands beside the
        page, and templates that do more than wrap text.

        The templates that wrap text are those of cbits/ingest/wikitext_templates.c.

        Bytes that are no UTF-8 become U+FFFD. Raises TextTooLong above 2^28 bytes.
        """
        return self.texts(
            [wikitext if isinstance(wikitext, bytes) else wikitext.encode(errors="surrogatepass")]
        )[0]

    def texts(self, wikitexts: Sequence[bytes]) -> list[str]:
        """Return the same of many pages."""
        count, content = len(wikitexts), b"".join(wikitexts)
        ends = np.cumsum([len(page) for page in wikitexts], dtype=np.uint64)
        out_ends = np.empty(count, np.uint64)
        out = np.empty(4 * len(content) + 3 * count, np.uint8)
        status = lib.pocket_wikitext(
            content,
            ffi.from_buffer("uint64_t[]", ends),
            count,
            self._files,
            self._categories,
            self._drop,
            ffi.from_buffer("uint8_t[]", out),
            ffi.from_buffer("uint64_t[]", out_ends),
        )
        if status == lib.POCKET_TEXT_TOO_LONG:
            raise TextTooLong(max(map(len, wikitexts)))
        if status:
            raise MemoryError("memory ran out while wikitext was read")
        places = out_ends.tolist()
        return [
            str(out.data[start:end], "utf-8")
            for start, end in zip([0, *places], places, strict=False)
        ]


def _names(names: Iterable[str]) -> bytes:
    """Return the names, a line each.

    The core folds ASCII letters only, so a name of another script is there as it is written and in
    small letters.
    """
    spelt = {
        form.replace("_", " ").strip()
        for name in names
        for form in (name.lower(), name[:1] + name[1:].lower())
    }
    folded = {"".join(c.lower() if c.isascii() else c for c in form) for form in spelt}
    return "".join(
        f"{form}\n" for form in sorted(folded) if form and "\n" not in form and "\0" not in form
    ).encode()
