"""What the site has beside the files of docs/: generated pages, and links that fit.

mkdocs.yml names this file under `hooks`. Pages of the repository outside docs/ get a place in the
site (`ORIGINS`); a link to one leads there. A link to any other file of the repository loses its
address and keeps its words.
"""

from __future__ import annotations

import posixpath
import re
import sys
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File, Files

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(Path(__file__).parent))

import c_header  # noqa: E402
import command  # noqa: E402
import python_names  # noqa: E402

LINK = re.compile(r"(?P<mark>!?)\[(?P<words>(?:[^\[\]]|\[[^\]]*\])*)\]\((?P<target>[^()\s]+)\)")


def origins() -> dict[str, str]:
    """Pages that are made of files outside docs/: place in the site -> path in the repository."""
    results = ROOT / "bench" / "results"
    pages = {f"measured/{p.name}": f"bench/results/{p.name}" for p in sorted(results.glob("*.md"))}
    return pages | {
        "measured/index.md": "bench/README.md",
        "contributing.md": "CONTRIBUTING.md",
        "changes.md": "CHANGELOG.md",
        "security.md": "SECURITY.md",
    }


ORIGINS = origins()
PLACES = {path: place for place, path in ORIGINS.items()}


def on_files(files: Files, config: Any, **_: Any) -> Files:
    """Add the pages that are not files of docs/."""
    for place, path in ORIGINS.items():
        files.append(File.generated(config, place, content=(ROOT / path).read_text("utf-8")))
    made = {
        "reference/command.md": command.page(),
        "reference/c.md": c_header.page(ROOT),
        "reference/python.md": python_names.page(),
    }
    for place, content in made.items():
        files.append(File.generated(config, place, content=content))
    return files


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Lead the links of a page to places in the site."""
    return relinked(markdown, page.file.src_uri)


def relinked(markdown: str, place: str) -> str:
    """The page's text with links as they are from its place in the site."""
    path = ORIGINS.get(place, f"docs/{place}")

    def link(found: re.Match[str]) -> str:
        target, _, part = found["target"].partition("#")
        if not target or "://" in target or target.startswith("mailto:"):
            return found[0]
        wanted = posixpath.normpath(posixpath.join(posixpath.dirname(path), target))
        there = PLACES.get(wanted)
        if there is None and wanted.startswith("docs/"):
            there = wanted.removeprefix("docs/")
        if there is None and wanted == "cbits/pocket.h":
            there = "reference/c.md"
        if there is None:
            return found["words"]
        relative = posixpath.relpath(there, posixpath.dirname(place) or ".")
        return f"{found['mark']}[{found['words']}]({relative}{'#' + part if part else ''})"

    return LINK.sub(link, markdown)
