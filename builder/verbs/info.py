"""Show what a pocket file holds, and its bytes by section."""

from __future__ import annotations

import argparse
import json

from pocketindex.builder.changing.alike import FAR, alike
from pocketindex.builder.sections.pocket_file import PocketFile
from pocketindex.verbs.info import EXAMPLES, add_arguments, as_text
from pocketindex.verbs.shards import opened

__all__ = ["EXAMPLES", "add_arguments", "run"]


def run(arguments: argparse.Namespace) -> int:
    with opened([arguments.file], arguments) as indexes:
        for path in indexes.paths:
            _show(path, arguments.json)
    return 0


def _show(path: str, as_json: bool) -> None:
    """Print what a file holds."""
    with PocketFile(path) as file:
        info, unrelated = file.index.info(), alike(file)
    if as_json:
        more = {} if unrelated is None else {"unrelated": round(unrelated, 4)}
        print(json.dumps(info.as_dict() | more, ensure_ascii=False))
        return
    print(as_text(info))
    if unrelated is not None:
        print(
            f"  weights     two documents drawn at random look {max(unrelated, 0):.3f} alike; "
            + (
                f"from {FAR} on they do not fit the collection: build again from all texts"
                if unrelated >= FAR
                else f"below {FAR} they fit the collection"
            )
        )
