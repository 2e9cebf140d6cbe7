"""A plugin of pytest that keeps the small files which the tests of the inputs make, each for its
kind: what fuzzing starts from knows each feature that a test knows.

    POCKETINDEX_SEEN=FOLDER python -m pytest -p seen_files tests/builder/inputs
"""

from __future__ import annotations

import contextlib
import hashlib
import importlib
import io
import os
import pkgutil
import zipfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

from pocketindex.builder.inputs import INPUTS, Input, finding, pages
from pocketindex.builder.inputs.pages import apart

FOLDER = "POCKETINDEX_SEEN"
MOST_BYTES, MOST_FILES = 1 << 14, 400  # of a file; of a kind, where hypothesis makes many more
_counts = Counter[str]()


def pytest_configure() -> None:
    """Look at what goes into find() and into parsed() of each module of pages."""
    find, read = finding.find, apart.read

    def found(source: str, format: str | None = None) -> Input:
        kind = find(source, format)
        with contextlib.suppress(OSError, StopIteration):
            _keep(next(name for name, one in INPUTS.items() if one is kind), _bytes(source))
        return kind

    def asked(module: str, content: bytes, *arguments: Any) -> Any:
        _keep(_kind(module), content)
        return read(module, content, *arguments)

    finding.find, apart.read = found, asked
    for module in pkgutil.walk_packages(pages.__path__, f"{pages.__name__}."):
        own: Any = importlib.import_module(module.name)
        if hasattr(own, "parsed"):
            own.parsed = _watched(_kind(module.name), own.parsed)


def _watched(kind: str, parsed: Callable[..., Any]) -> Callable[..., Any]:
    def watched(content: bytes, *arguments: Any) -> Any:
        _keep(kind, content)
        return parsed(content, *arguments)

    return watched


def _kind(module: str) -> str:
    return module.rpartition(".")[2].partition("_")[0]


def _bytes(source: str) -> bytes:
    """Return the bytes of a file, or a zip archive of the files of a folder."""
    if not os.path.isdir(source):
        return Path(source).read_bytes() if os.path.isfile(source) else b""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for path in sorted(Path(source).rglob("*")):
            if path.is_file() and path.stat().st_size < MOST_BYTES:
                info = zipfile.ZipInfo(os.fsencode(path.relative_to(source)).decode("latin-1"))
                archive.writestr(info, path.read_bytes(), zipfile.ZIP_DEFLATED)
    return out.getvalue()


def _keep(kind: str, content: Any) -> None:
    if not isinstance(content, bytes) or not 0 < len(content) <= MOST_BYTES:
        return
    path = Path(os.environ[FOLDER]) / kind / hashlib.sha1(content).hexdigest()
    if _counts[kind] < MOST_FILES and not path.exists():
        _counts[kind] += 1
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
