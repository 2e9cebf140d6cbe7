"""Make data/pocket.wasm, the reading half of the core, and the parts of it that the page of a disc
(data/page.wasm.deflate) and the search of a website (data/site.wasm) need: free-standing, compiled
by the pinned ziglang.

    python data/make_wasm.py [FOLDER]        default data

A module imports nothing and exports its memory and the functions of MODULES, as pocket.h declares
them: a pointer is a number, a uint64_t a BigInt. The same sources give the same bytes.
"""

from __future__ import annotations

import os
import runpy
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CORE = ROOT / "cbits"
PAGE_EXPORTS = (  # what the modules of the page call (builder/page/web)
    *("malloc", "free", "close", "open_pieces", "missed", "miss", "lend"),
    *("summarize", "section_get", "query", "more_than_chance", "find", "text_kept", "text_get"),
    *("text_free", "documents_get", "document_free", "query_document"),
    *("title_count", "titles_find", "titles_free", "label_count", "labels_get", "label_name"),
    *("sources", "sources_free", "order_sources"),
    *("given_new", "given_look", "given_found", "given_free"),
    *("search", "search_free", "mark_words", "group"),
    *("terms_write", "classes", "influences", "sketch", "digits"),  # the stages of a query
)
EXPORTS = (
    *PAGE_EXPORTS,
    *("open", "sentence", "section_count", "table_get", "profile_name", "hash_bytes"),
    *("document_get", "verify"),
)
# What the search of a website calls (builder/site): its index is its own, so the linker leaves out
# all that reads pocket files.
SITE_EXPORTS = ("malloc", "free", "words_places", "asked_write")
PACKED = "page.wasm"  # kept as a deflate stream, which each page has in it
MODULES = {"pocket.wasm": EXPORTS, PACKED: PAGE_EXPORTS, "site.wasm": SITE_EXPORTS}
# -Os: 14 % smaller to fetch than -O2, and queries take .7 of the time in Node 20. Functions that
# say `inline` are inlined up to a size of 70 instead of 325: 3 % smaller to fetch; others up to one
# of 5 instead of 50: .6 % smaller.
FLAGS = [
    "-target",
    "wasm32-freestanding",
    "-std=c11",
    "-Os",
    *("-mllvm", "-inlinehint-threshold=70"),
    *("-mllvm", "-inline-threshold=5"),
    "-DPOCKET_FREESTANDING",
    "-nostdlib",
    "-fno-builtin",
    "-Icbits",
]
# The deepest call takes 57 KB. The stack lies before the data: a call that is too deep traps.
LINK = ["--no-entry", "--strip-all", "-z,stack-size=131072"]


def make(target: Path, exports: Sequence[str] = EXPORTS) -> None:
    """Compile to target. A SystemExit has the compiler's words."""
    sources = [
        *runpy.run_path(str(CORE / "amalgamate.py"))["reading_half"](CORE),
        CORE / "build" / "terms_write.c",
        CORE / "build" / "word_places.c",
    ]
    command = [sys.executable, "-m", "ziglang", "cc", *FLAGS, *(f"-Wl,{flag}" for flag in LINK)]
    command += [f"-Wl,--export=pocket_{name}" for name in exports]
    command += [os.path.relpath(source, ROOT) for source in sources]
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "pocket.wasm"
        done = subprocess.run([*command, "-o", str(out)], cwd=ROOT, capture_output=True, text=True)
        if done.returncode:
            sys.exit(f"{target} was not made:\n{done.stderr}")
        target.write_bytes(out.read_bytes())


def packed(module: bytes) -> bytes:
    """Return a module as a raw deflate stream, 6 % smaller than the one of zlib. It takes a second,
    so it is done here and not whenever a page is written.
    """
    from zopfli.zlib import compress

    return compress(module)[2:-4]  # without the head and the checksum of zlib's format


if __name__ == "__main__":
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "data"
    for name, exports in MODULES.items():
        with tempfile.TemporaryDirectory() as made:
            module = Path(made) / name
            make(module, exports)
            content = module.read_bytes()
        if name == PACKED:
            name, content = name + ".deflate", packed(content)
        (folder / name).write_bytes(content)  # into the file that an editable installation links to
