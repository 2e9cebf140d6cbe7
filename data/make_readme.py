"""Make README.md for a package registry, which shows it outside of the repository: relative links
become links into the repository at the tag of this version.

    python data/make_readme.py        to standard output

The address is `Repository` of [project.urls] in pyproject.toml. Without it, the text of a link is
left and pictures are left out, so that no link leads nowhere.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LINK = re.compile(r"(!?)\[([^\]]*)\]\((?!https?:|#)([^)\s]+)\)")


def addresses(root: Path = ROOT) -> dict[str, str]:
    """Return [project.urls] of pyproject.toml, which an owner sets; empty if it is not there."""
    text = (root / "pyproject.toml").read_text(encoding="utf-8")
    section = re.search(r"^\[project\.urls\]\n((?:(?!\[).*\n)*)", text, re.M)
    return dict(re.findall(r'^"?([\w ]+?)"? = "(.*)"$', section[1] if section else "", re.M))


def absolute(text: str, repository: str, tag: str) -> str:
    """Return a text in Markdown with its relative links made absolute. repository: the address, in
    which blob/TAG/PATH is a page and raw/TAG/PATH a file, as GitHub has it; "" if there is none.
    """

    def link(found: re.Match[str]) -> str:
        picture, shown, path = found.groups()
        if not repository:
            return "" if picture else shown
        kind = "raw" if picture else "blob"
        return f"{picture}[{shown}]({repository.rstrip('/')}/{kind}/{tag}/{path})"

    return LINK.sub(link, text)


def readme(root: Path = ROOT) -> str:
    """Return README.md as the registries get it."""
    pyproject = (root / "pyproject.toml").read_text(encoding="utf-8")
    version = re.search(r'^version = "(.+)"$', pyproject, re.M)
    assert version
    text = (root / "README.md").read_text(encoding="utf-8")
    return absolute(text, addresses(root).get("Repository", ""), f"v{version[1]}")


if __name__ == "__main__":
    sys.stdout.write(readme())
