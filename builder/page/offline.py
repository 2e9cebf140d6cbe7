"""The part of a disc that a browser keeps, so that its page works offline."""

from __future__ import annotations

import hashlib
import json
import re
from typing import Any

WORKER = "worker/offline.js"  # of the page's source
_NOT_KEPT = re.compile(r".*\.pocket|programs/.*|readme\.txt|offline\.js")


def kept_offline(files: dict[str, dict[str, Any]], page: bytes) -> dict[str, Any]:
    """Return the edition of a disc, which changes with any of its bytes, and the number of bytes
    that a browser keeps. files: the entries of the manifest; page: index.html without these two
    values.
    """
    own = {name: entry for name, entry in files.items() if not _NOT_KEPT.fullmatch(name)}
    digest = hashlib.sha256(json.dumps(own, sort_keys=True).encode("ascii") + page)
    size = sum(entry["bytes"] for entry in own.values()) + len(page)
    return {"edition": digest.hexdigest()[:16], "bytes": size}
