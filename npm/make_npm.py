"""Make the npm package: the modules that the page uses as one ES module, the core, types, and the
element of a website's search.

    python npm/make_npm.py FOLDER

`npm pack FOLDER` makes a tarball of it. The same sources give the same bytes.
"""

from __future__ import annotations

import base64
import json
import re
import runpy
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

from pocketindex.builder.page.join import check_names, ordered
from pocketindex.builder.site.scripts import SCRIPT, field_script

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
# What an application can ask; the page's stages of a query and its texts at hand stay out.
EXPORTS = (
    *("malloc", "free", "open_pieces", "close", "missed", "miss", "lend", "describe"),
    *("summarize", "section_get", "query", "query_document", "more_than_chance"),
    *("documents_get", "document_free", "find", "text_kept", "text_get", "text_free"),
    *("title_count", "titles_find", "titles_free", "label_count", "labels_get", "label_name"),
    *("sources", "sources_free", "search", "search_free", "mark_words"),
)
# Each module that is exported, by the file of the package that it becomes. A web component that
# builds on the index gets a line here and one in package.json. The element of a website's search
# does not: it asks the index of the site.
ENTRIES = {
    "index.js": (
        "npm/index.js",
        ("open", "Index", "Problem as PocketError", "TooShort as TextTooShort"),
    )
}
INSTEAD = {"builder/page/web/base/language.js": "npm/language.js"}


def source(name: str) -> str:
    """Return a module by its path from the root, or the module that replaces it in the package."""
    return (ROOT / INSTEAD.get(name, name)).read_text(encoding="utf-8")


def module(main: str, exports: tuple[str, ...]) -> str:
    """Return main and all that it imports as one ES module."""
    modules = ordered(main, source)
    check_names(modules)
    lines = [line for one in modules for line in one.lines]
    return "\n".join([*lines, f"export {{ {', '.join(exports)} }};", ""])


def core() -> str:
    """Return wasm.js: the core, compiled with the functions that the package calls."""
    wasm = runpy.run_path(str(ROOT / "data" / "make_wasm.py"))
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder, "pocket.wasm")
        wasm["make"](target, EXPORTS)
        packed = wasm["packed"](target.read_bytes())
    return f'export const wasm = "{base64.b64encode(packed).decode("ascii")}";\n'


def version() -> str:
    """Return the version as npm writes it: 1.0.0rc1 is 1.0.0-rc.1."""
    given = runpy.run_path(str(ROOT / "data" / "make_sbom.py"))["version"]()
    return re.sub(r"(?<=\d)(a|b|rc)(\d+)$", lambda found: f"-{found[1]}.{found[2]}", given)


def addresses() -> dict[str, Any]:
    """Return the addresses of the project as package.json names them; empty where it has none."""
    known = runpy.run_path(str(ROOT / "data" / "make_readme.py"))["addresses"]()
    named = {
        "homepage": known.get("Documentation"),
        "repository": "Repository" in known and {"type": "git", "url": known["Repository"]},
        "bugs": known.get("Issues"),
    }
    return {name: value for name, value in named.items() if value}


def make(folder: Path) -> None:
    """Write the package to folder."""
    folder.mkdir(parents=True, exist_ok=True)
    described = json.loads((HERE / "package.json").read_text(encoding="utf-8"))
    described["version"] = version()
    described.update(addresses())
    files = {
        "package.json": json.dumps(described, indent=2, ensure_ascii=False) + "\n",
        "wasm.js": core(),
        SCRIPT: field_script().decode("utf-8"),
        "sbom.cdx.json": runpy.run_path(str(ROOT / "data" / "make_sbom.py"))["sbom"]("npm"),
        **{name: module(*entry) for name, entry in ENTRIES.items()},
    }
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8", newline="\n")
    types = (HERE / "index.d.ts", HERE / "pocket-search.d.ts")
    for path in (*types, HERE / "README.md", ROOT / "LICENSE"):
        shutil.copyfile(path, folder / path.name)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python npm/make_npm.py FOLDER")
    make(Path(sys.argv[1]))
