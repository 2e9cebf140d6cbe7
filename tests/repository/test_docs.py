"""README and documents: as short as was promised, with links that lead somewhere; the generated
pages have everything.
"""

from __future__ import annotations

import importlib.util
import re
import sys
from pathlib import Path
from types import ModuleType

import pytest
from pocketindex import cli

ROOT = next(p for p in Path(__file__).resolve().parents if (p / "pyproject.toml").exists())
DOCS = ROOT / "docs"
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md"]
PAGES += [ROOT / "bench" / "README.md", *sorted((ROOT / "bench" / "results").glob("*.md"))]
PAGES += sorted(p for p in DOCS.rglob("*.md") if "hooks" not in p.parts)
LINK = re.compile(r"\]\(([^()\s]+)\)")
FENCED = re.compile(r"^```.*?^```$", re.M | re.S)


def hook(name: str) -> ModuleType:
    """A script of docs/hooks."""
    spec = importlib.util.spec_from_file_location(name, DOCS / "hooks" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def test_the_readme_is_short() -> None:
    lines = (ROOT / "README.md").read_text("utf-8").splitlines()

    assert len(lines) <= 120
    assert max(map(len, lines)) <= 100


@pytest.mark.parametrize("page", PAGES, ids=[str(page.relative_to(ROOT)) for page in PAGES])
def test_links_lead_somewhere(page: Path) -> None:
    """Of a page as it lies in the repository; pages of the site that are made are known."""
    made = {DOCS / "reference" / name for name in ("command.md", "c.md", "python.md")}
    made |= {DOCS / "measured" / "index.md"}
    made |= {DOCS / name for name in ("contributing.md", "changes.md", "security.md")}
    for target in LINK.findall(FENCED.sub("", page.read_text("utf-8"))):
        path, _, _ = target.partition("#")
        if path and "://" not in path:
            there = (page.parent / path).resolve()
            assert there.exists() or there in made, f"{page}: {target}"


def test_every_page_and_script_that_a_comment_names_exists() -> None:
    named = re.compile(r"\b(?:bench|docs)/[\w/]+\.(?:md|py)\b")
    gone = {
        (str(path.relative_to(ROOT)), name)
        for room in ("reader", "builder", "cbits", "data", "bench")
        for path in (ROOT / room).rglob("*")
        if path.suffix in (".py", ".c", ".h", ".js") and not path.name.startswith("_")
        for name in named.findall(path.read_text("utf-8"))
        if not (ROOT / name).exists()
    }

    assert gone == set()


def test_the_command_page_has_every_command_and_option() -> None:
    text = hook("command").page()

    assert set(re.findall(r"^## (\w+)$", text, re.M)) == set(cli.COMMANDS)
    assert "`--min-similarity` `S`" in text
    assert "%(" not in text


def test_the_c_page_has_every_function_and_status() -> None:
    header = (ROOT / "cbits" / "pocket.h").read_text("utf-8")
    text = hook("c_header").page(ROOT)
    body = header.split("/* cdef: begin */")[1]
    code = re.sub(r"/\*.*?\*/", "", body, flags=re.S)
    functions = set(re.findall(r"\b(pocket_\w+)\(", code))

    assert len(functions) > 20
    assert functions == {name for name in functions if re.search(rf"^### .*\b{name}\b", text, re.M)}
    assert re.search(r"\| 33 \| `POCKET_DAMAGED_FIELD` \| ", text)


def test_the_python_page_has_every_public_name() -> None:
    import pocketindex
    from pocketindex import builder

    found = re.findall(r"^::: ([\w.]+)$", hook("python_names").page(), re.M)
    names = {f"pocketindex.{name}" for name in pocketindex.__all__ if name != "spark"}
    names |= {f"pocketindex.spark.{name}" for name in pocketindex.spark.__all__}

    others = {"build"} | set(builder.__all__) - set(pocketindex.__all__)
    assert sorted(found) == sorted(names | {f"pocketindex.builder.{name}" for name in others})
