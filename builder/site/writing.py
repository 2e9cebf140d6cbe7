"""The folder of an index in a site, replaced file by file so that a reader finds a whole one at any
time.
"""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

from pocketindex.builder.site.pages import TARGET
from pocketindex.builder.site.pieces import FORMAT, Pieces, content_of
from pocketindex.builder.site.scripts import SCRIPT, core, engine, field_script, panel_script
from pocketindex.builder.spill.replace import replacing

ENTRY = "entry.js"
RELATED = "related.json"
_OWN = re.compile(r"[a-z]+-[a-z2-7]{10}\.js|\..*\.\d+\.tmp")
_NAMED = re.compile(rb"pocketEntry = (\{.*\});")


def check_target(site: Path) -> Path:
    """Return the folder of the index. Raises ValueError where something else is in its place."""
    folder = site / TARGET
    if not os.path.lexists(folder):
        return folder
    if not folder.is_dir() or folder.is_symlink():
        raise ValueError(
            f"{folder}: expected a folder of an index or nothing; move away what is there"
        )
    names = {entry.name for entry in folder.iterdir()}
    foreign = sorted(name for name in names if not _is_own(name))
    if foreign or (names and ENTRY not in names and not all(map(_OWN.fullmatch, names))):
        what = f"{foreign[0]} is none of its files" if foreign else f"it has no {ENTRY}"
        raise ValueError(f"{folder}: it is no folder of an index: {what}; move it away")
    return folder


def _is_own(name: str) -> bool:
    return bool(_OWN.fullmatch(name)) or name in (ENTRY, RELATED, SCRIPT)


def write(pieces: Pieces, index: str, version: str, related: bytes | None) -> int:
    """Write the files of an index beside its pieces; return how many are new or have other bytes
    than before, with these.

    The entry comes last: until then readers find the earlier index, whose files stay until the next
    build. What the one before it left goes.
    """
    panel = pieces.put("panel", panel_script())
    names = {
        "engine": pieces.put("engine", engine()),
        "core": f"core-{pieces.add('core', core())}.js",
        "index": f"i-{index}.js",
        "panel": panel,
    }
    fixed = {SCRIPT: field_script(panel)}
    folder = pieces.folder
    before = _files_of(folder)
    written = pieces.written
    if related is not None:
        fixed[RELATED] = related
    for name, content in fixed.items():
        written += _write(folder / name, content)
    entry = {"format": FORMAT, "version": version, **names}
    content = b"pocketEntry = %s;\n" % json.dumps(entry, separators=(",", ":")).encode()
    changed = _write(folder / ENTRY, content)
    keep = {ENTRY, *pieces.files, *fixed}
    if not changed:
        return written
    for path in folder.iterdir():
        if path.name not in keep and path.name not in before:
            path.unlink(missing_ok=True)  # another build may take it away, too
    return written + 1


def _files_of(folder: Path) -> set[str]:
    """Return the names of the files of the index that is there."""
    try:
        found = _NAMED.match((folder / ENTRY).read_bytes())
        entry = json.loads(found[1]) if found else {}
        listed = json.loads(content_of((folder / entry["index"]).read_bytes()))
        names = {entry[name] for name in ("engine", "core", "index", "panel")}
        for language in listed["languages"]:
            names |= {f"w-{key}.js" for _, key in language["words"]}
            names |= {f"t-{key}.js" for _, key in language["texts"]}
            names |= {f"a-{language['all']}.js", f"f-{language['facets']}.js"}
    except (OSError, ValueError, KeyError, TypeError):
        return set()
    return names


def _write(path: Path, content: bytes) -> int:
    """Write a file, if it has not these bytes."""
    if path.is_file() and path.stat().st_size == len(content) and path.read_bytes() == content:
        return 0
    with replacing(path) as out:
        out.write(content)
    return 1
