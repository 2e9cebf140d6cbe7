"""What pyproject.toml says is what the folders hold."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PYPROJECT = (ROOT / "pyproject.toml").read_text(encoding="utf-8")


def test_every_package_folder_is_listed() -> None:
    mapped = set(re.findall(r'^"pocketindex[\w.]*" = "([\w/]+)"$', PYPROJECT, re.M))
    folders = {
        str(path.parent.relative_to(ROOT))
        for room in ("reader", "builder", "cbits", "data")
        for path in (ROOT / room).rglob("__init__.py")
        if "__pycache__" not in path.parts
    }

    assert folders == mapped


def test_every_extra_that_a_message_names_exists() -> None:
    extras = set(re.findall(r"^(\w+) = \[", PYPROJECT.split("[project.optional-dependencies]")[1].split("[dependency-groups]")[0], re.M))
    sources = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "builder").rglob("*.py"))
    named = set(re.findall(r'needed\("[\w.]+", "(\w+)"', sources)) | set(re.findall(r"pocketindex\[(\w+)\]", sources))

    assert {"parquet", "html", "pdf", "warc", "wiki", "zim", "zst", "evaluate"} <= named
    assert named <= extras


def test_the_version_is_written_once_in_each_place() -> None:
    import pocketindex

    assert f'version = "{pocketindex.__version__}"' in PYPROJECT


def test_nothing_in_the_repository_names_a_machine() -> None:
    import subprocess

    # Only a checkout has a list of its files.
    listed = subprocess.run(["git", "-C", str(ROOT), "ls-files"], capture_output=True, text=True, check=False)
    for name in listed.stdout.split("\n"):
        path = ROOT / name
        if path.suffix in {".py", ".c", ".h", ".md", ".toml", ".txt", ".sh"} and path.is_file():
            assert not re.search(r"/(work|farm|root)/", path.read_text(encoding="utf-8").replace("/(work|farm|root)/", "")), name
