"""Write the folder: index.html, each collection's shards, manifest.json, and the pocket files where
they are asked for.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pocketindex.builder.page import programs
from pocketindex.builder.page.cut import GB, KINDS, LOOK_UP, Cut, cut, read
from pocketindex.builder.page.first import name_first
from pocketindex.builder.page.join import without_comments
from pocketindex.builder.page.links import links_of, templates_of
from pocketindex.builder.page.loads import Loads
from pocketindex.builder.page.offline import WORKER, kept_offline
from pocketindex.builder.page.originals import originals
from pocketindex.builder.page.page import index_html, source
from pocketindex.builder.page.readme import readme
from pocketindex.builder.page.shard import deflated, script
from pocketindex.builder.spill.swap import folder_replaced, settle
from pocketindex.errors import spelled

MANIFEST = "manifest.json"
# FAT32 has no room for a longer file.
LARGEST_FILE = 4 * GB - 1
# A look-up part of up to so many bytes is loaded once; of a larger one parts come as queries need
# them.
LOADED_ONCE = 4_000_000
_LEFT = re.compile(r"\..*\.\d+\.tmp")  # what a killed process has left
_SYSTEMS = ("Thumbs.db", "desktop.ini")


@dataclass
class Settings:
    """Choices of a disc. title: the disc's heading, "" for the names of the collections;
    language: of the page, None for that of each visitor's browser;
    link_template: for the hits' links, with {id} or {title}, or several that begin with NAME= for
    the collection of that name; originals: the sources of pocket files, by their paths, that are
    put in, too, and that hits lead to; programs: a folder that `make programs` has filled, "" for
    none: they ask the pocket files, which are put in, too; scripts: without them only the pocket
    files are put in.
    """

    title: str = ""
    language: str | None = None
    with_file: bool = False
    link_template: str | Sequence[str] = ""
    originals: dict[str, list[str]] = field(default_factory=dict)
    loaded_once: int = LOADED_ONCE
    force: bool = False
    programs: str = ""
    scripts: bool = True

    @property
    def files_for(self) -> str:
        """The option by which the pocket files are put in, "" where they are not."""
        return (
            spelled("with_file")
            if self.with_file
            else spelled("without_scripts")
            if not self.scripts
            else spelled("with_programs")
            if self.programs
            else ""
        )


@dataclass
class Written:
    """What is in the folder: bytes of each file, and of the manifest that names them; and what
    queries load of each collection.
    """

    folder: Path
    files: dict[str, dict[str, Any]] = field(default_factory=dict)
    collections: list[Loads] = field(default_factory=list)
    manifest: int = 0

    @property
    def size(self) -> int:
        """Return the bytes of all files together."""
        named: int = sum(entry["bytes"] for entry in self.files.values())
        return self.manifest + named


def write(
    paths: list[str],
    target: Path,
    settings: Settings | None = None,
    tell: Callable[[str], None] = lambda phase: None,
) -> Written:
    """Write the disc of these pocket files. target appears when all of it is written; an existing
    disc is swapped for it by renames (swap.py).

    tell: is called with the name of each phase. Raises ValueError if target has other content, a
    file cannot be on a disc, the link template is invalid, or the programs are missing; what cut()
    raises; OSError.
    """
    settings = settings or Settings()
    templates = templates_of(settings.link_template)
    links = links_of([Path(path).stem for path in paths], templates)
    settle(target, _is_own)
    check_target(target, settings.force)
    check_stays(paths, target, settings)
    found = programs.find(Path(settings.programs)) if settings.programs else {}
    with folder_replaced(target, _is_own) as fresh:
        written = _write(paths, links, fresh, settings, found, tell)
    written.folder = target
    return written


def _is_own(name: str) -> bool:
    """Return whether an entry of a disc's folder belongs to the disc, and not to the system."""
    return not name.startswith(".") and name not in _SYSTEMS


def check_target(target: Path, force: bool) -> None:
    """Check what is there: a folder is replaced only when it is empty, or a disc and force is
    given.
    """
    if not target.exists():
        return
    if not target.is_dir():
        raise ValueError(
            f"{target}: expected a folder or nothing, found a file; choose another name"
        )
    found = {entry.name for entry in target.iterdir() if not _LEFT.fullmatch(entry.name)}
    if not found:
        return
    if not {MANIFEST, "index.html"} <= found:
        raise ValueError(f"{target}: the folder is not empty and no disc; choose another name")
    if not force:
        raise ValueError(f"{target}: there is a disc already; {spelled('force', True)} replaces it")
    for name in _foreign(target):
        raise ValueError(
            f"{target}: {name} is not of the disc that is there, and would be lost; move it away"
        )


def _foreign(target: Path) -> Iterator[str]:
    """Yield the files in the folder of a disc that its manifest does not name."""
    try:
        own = {MANIFEST, *json.loads((target / MANIFEST).read_bytes())["files"]}
    except (ValueError, KeyError, TypeError):
        raise ValueError(
            f"{target}: {MANIFEST} is damaged, so nothing says which files are the disc's; choose "
            "another name, or remove the folder"
        ) from None
    for entry in sorted(target.rglob("*")):
        name = entry.relative_to(target)
        # What systems put beside files, and what a killed process has left, begins with a dot.
        if any(part.startswith(".") or part in _SYSTEMS for part in name.parts):
            continue
        if entry.is_file() and name.as_posix() not in own:
            yield name.as_posix()


def check_stays(paths: list[str], target: Path, settings: Settings) -> None:
    """Raise ValueError where a pocket file lies in the folder that is replaced, and would be lost:
    the disc is written without it.
    """
    for path in paths:
        if not settings.files_for and target.resolve() in Path(path).resolve().parents:
            raise ValueError(
                f"{path}: it lies in {target}, which is replaced; move the file elsewhere, or put "
                f"it in with {spelled('with_file', True)}"
            )


def _write(
    paths: list[str],
    links: list[str],
    folder: Path,
    settings: Settings,
    found: dict[str, Path],
    tell: Callable[[str], None],
) -> Written:
    """Write the folder. found: the programs to put in, by their names on the disc."""
    written = Written(folder)
    described = []
    for number, path in enumerate(paths):
        tell(f"checking {path}")
        pieces = cut(path, settings.scripts)
        tell(f"writing {path}")
        link = _put_originals(path, f"o{number}", settings, written) or links[number]
        described.append(_write_collection(path, f"c{number}", pieces, link, settings, written))
    sizes = {name: entry["bytes"] for name, entry in written.files.items()}
    name_first(described, written.collections, sizes)
    title = settings.title or ", ".join(collection["name"] for collection in described)
    for name, program in found.items():
        _add(written, name, program.read_bytes())
        (folder / name).chmod(0o755)
    text = readme(settings.scripts, list(found), described[0].get("file", ""))
    _add(written, "readme.txt", text.encode("ascii"))
    more = {}
    if settings.scripts:
        _add(written, "offline.js", without_comments(WORKER, source(WORKER)).encode("utf-8"))
        plain = index_html(title, described, settings.language)
        more["offline"] = kept_offline(written.files, plain)
    _add(written, "index.html", index_html(title, described, settings.language, more))
    manifest = {
        "title": title,
        "collections": described,
        "files": dict(sorted(written.files.items())),
    }
    written.manifest = (folder / MANIFEST).write_bytes(
        json.dumps(manifest, indent=1, ensure_ascii=True).encode("ascii") + b"\n"
    )
    for loads in written.collections:
        loads.opening += written.files["index.html"]["bytes"]
    return written


def _write_collection(
    path: str, place: str, pieces: Cut, link: str, settings: Settings, written: Written
) -> dict[str, Any]:
    """Write the files of a collection; return what the page has to know of it."""
    name = Path(path).stem
    shards = (
        [pieces.heads, *(shard for kind in KINDS for shard in pieces.shards[kind.letter])]
        if settings.scripts
        else []
    )
    loads = Loads(name, pieces.documents, pieces.kept, pieces.look_up <= settings.loaded_once)
    parts = {kind.letter: getattr(loads, kind.loaded_as) for kind in KINDS if kind.loaded_as}
    with open(path, "rb") as file:
        for number, shard in enumerate(shards):
            data = b"".join(read(file, shard))
            if len(data) != shard.size:
                raise ValueError(f"{path}: the file was shortened while it was read; try again")
            size = _add(
                written, f"{place}/{shard.name}", script(pieces.identity, number, deflated(data))
            )
            if number == 0:
                loads.opening = size
            elif shard.name[0] == LOOK_UP.letter:
                loads.look_up += size
            elif part := parts.get(shard.name[0]):
                part.add(size)
    written.collections.append(loads)
    described: dict[str, Any] = {
        "name": name,
        "folder": place,
        "identity": pieces.identity,
        "size": pieces.size,
        "documents": pieces.documents,
        "once": loads.once,
        **pieces.asked,
        "link": link,
        "shards": [
            [shard.name, [number for pair in shard.ranges for number in pair]] for shard in shards
        ],
    }
    if settings.files_for:
        described["file"] = f"{place}/{safe_name(name)}.pocket"
        loads.file = "" if settings.scripts else described["file"]
        _copy(written, described["file"], path, settings.files_for)
    return described


def _put_originals(path: str, place: str, settings: Settings, written: Written) -> str:
    """Put in the files that a pocket file was made of, where they are wanted; return the template
    of links that lead to them, or "".
    """
    sources = settings.originals.get(path, [])
    for name, original in originals(sources):
        _copy(written, f"{place}/{name}", str(original), spelled("originals"))
    return f"{place}/{{id}}" if sources else ""


def safe_name(name: str) -> str:
    """Return a name that FAT and ISO 9660 (level 3) can hold: lower-case letters, digits and _, at
    most 20.
    """
    return re.sub(r"[^a-z0-9]+", "_", name.lower()).strip("_")[:20] or "index"


def _add(written: Written, name: str, data: bytes) -> int:
    path = written.folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    written.files[name] = {"bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()}
    return len(data)


def _copy(written: Written, name: str, path: str, option: str) -> None:
    """Copy a file unchanged: a pocket file, for other readers and for servers that send ranges, or
    an original.

    option: what asks for it.
    """
    size = os.path.getsize(path)
    if size > LARGEST_FILE:
        raise ValueError(
            f"{path}: {option}: expected at most {LARGEST_FILE:,} bytes (FAT32), found "
            f"{size:,}; "
            f"leave {option} out"
        )
    digest = hashlib.sha256()
    (written.folder / name).parent.mkdir(parents=True, exist_ok=True)
    with open(path, "rb") as file, open(written.folder / name, "wb") as out:
        while data := file.read(1 << 20):
            digest.update(data)
            out.write(data)
    written.files[name] = {"bytes": size, "sha256": digest.hexdigest()}
