"""What the page of a disc has, as it is written."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any


def on_page(target: Path, id: str) -> str:
    """Return what the page of a folder has in a script with an id."""
    found = re.search(
        rf'<script [^>]*id="{id}">(.*?)</script>',
        (target / "index.html").read_text(encoding="utf-8"),
        re.S,
    )
    assert found
    return found[1]


def collections(target: Path) -> list[dict[str, Any]]:
    """Return what the page of a folder says of its collections."""
    described: list[dict[str, Any]] = json.loads(on_page(target, "disc"))["collections"]
    return described
