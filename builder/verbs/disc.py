"""Write a folder that a browser opens by a double click, without server, installation or
network.
"""

from __future__ import annotations

import argparse
import json
import sys
from contextlib import ExitStack
from dataclasses import asdict
from pathlib import Path

from pocketindex.arguments import file_of
from pocketindex.builder.page import iso
from pocketindex.builder.page.folder import LOADED_ONCE, Settings, Written, write
from pocketindex.builder.page.loads import Loads
from pocketindex.builder.progress import Progress
from pocketindex.builder.work.output import Output, check_stdout_once
from pocketindex.wording.counted import counted

EXAMPLES = """\
examples:
  pocketindex disc wiki.pocket OUT/
  pocketindex disc news.pocket wiki.pocket BOTH/ --title "News and wiki" --iso disc.iso
  pocketindex disc wiki.pocket LINKED/ --link-template 'http://localhost:8080/viewer#wiki/A/{title}'
  pocketindex disc wiki.pocket PROGRAMS/ --with-programs build/programs
  pocketindex disc large.pocket LARGE/ --without-scripts --iso large.iso

OUT/index.html asks by scripts beside it, so the folder is a static web site, too; on a server that
sends byte ranges it reads the .pocket file itself where --with-file has put it there. --iso needs:
pip install 'pocketindex[disc]'
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE.pocket", nargs="+")
    parser.add_argument("folder", metavar="OUT/", help="a folder that is not there yet or is empty")
    parser.add_argument(
        "--title", default="", help="the page's heading (default: the names of the files)"
    )
    parser.add_argument("--with-file", action="store_true", help="put the .pocket files in, too")
    parser.add_argument(
        "--without-scripts",
        action="store_true",
        help=(
            "put in the .pocket files alone, of any size; a page that was opened from a folder "
            "asks the visitor to choose them"
        ),
    )
    parser.add_argument(
        "--with-programs",
        default="",
        metavar="FOLDER",
        help=(
            "put in the stand-alone query programs that `make programs` has built in FOLDER, and "
            "the .pocket files that they ask"
        ),
    )
    parser.add_argument(
        "--link-template",
        default="",
        metavar="URL",
        help="where hits link to, with {id} or {title} (default: their url)",
    )
    parser.add_argument(
        "--iso", metavar="IMAGE.iso", help="also write the folder as an ISO 9660 image"
    )
    parser.add_argument(
        "--force",
        action="store_true",
        help="replace a disc that is already in OUT/, and an existing IMAGE.iso of any kind",
    )
    parser.add_argument(
        "--load-once",
        type=int,
        metavar="BYTES",
        help=(
            "tables, cells and sketches of up to so many bytes are loaded once, of larger ones "
            f"parts as needed (default {LOADED_ONCE})"
        ),
    )
    parser.add_argument("--json", action="store_true", help="sizes as one JSON object")


def run(arguments: argparse.Namespace) -> int:
    if arguments.load_once is not None and arguments.without_scripts:
        raise ValueError(
            "--load-once is of what a page loads as scripts; leave it away, or --without-scripts"
        )
    settings = Settings(
        title=arguments.title,
        with_file=arguments.with_file,
        link_template=arguments.link_template,
        loaded_once=LOADED_ONCE if arguments.load_once is None else arguments.load_once,
        force=arguments.force,
        programs=arguments.with_programs,
        scripts=not arguments.without_scripts,
    )
    folder = Path(file_of("OUT/", arguments.folder, "a disc", "a folder"))
    if arguments.with_programs:
        file_of("--with-programs", arguments.with_programs, "the programs", "a folder")
    with ExitStack() as stack:
        image = _image(arguments, folder, stack) if arguments.iso is not None else None
        progress = stack.enter_context(Progress())
        written = write(arguments.file, folder, settings, progress.phase)
        if image:
            progress.phase(f"writing {arguments.iso}")
            label = arguments.title or written.collections[0].name
            iso.write_iso(written.folder, image, label)
    if arguments.json:
        loads = [asdict(loads) for loads in written.collections]
        print(
            json.dumps(
                {
                    "folder": str(written.folder),
                    "bytes": written.size,
                    "files": len(written.files) + 1,
                    "collections": loads,
                }
            )
        )
    else:
        print(as_text(written), file=sys.stderr)
    return 0


def _image(arguments: argparse.Namespace, folder: Path, stack: ExitStack) -> Output:
    """Return the output of the image, which must not be in the folder that it contains."""
    iso.check()
    check_stdout_once(iso=arguments.iso, json=arguments.json)
    image = Output(
        arguments.iso, iso.IMAGE, what="the image", spares=arguments.file, force=arguments.force
    )
    if image.path and folder.resolve() in image.path.resolve().parents:
        raise ValueError(
            f"{arguments.iso}: the image would lie in {folder}, whose content it has; give it "
            "another folder"
        )
    return stack.enter_context(image)


def as_text(written: Written) -> str:
    """Return sizes, files, and what queries load, for people."""
    lines = [
        (
            f"{written.folder}: {counted(len(written.files) + 1, 'file')}, {written.size:,} bytes; "
            f"open {written.folder / 'index.html'}"
        )
    ]
    for loads in written.collections:
        if loads.file:
            lines.append(
                f"  {loads.name}: {counted(loads.documents, 'document')}; opened from a folder, "
                f"the page asks for {loads.file}"
            )
            continue
        lines.append(f"  {loads.name}: {counted(loads.documents, 'document')}; {_first(loads)}")
        lines.append(f"    a next query: {_hits(loads)}")
        if loads.runs.total:
            lines.append(
                f"    sources of a text: parts of {loads.runs.total:,} bytes, each at most "
                f"{loads.runs.largest:,}"
            )
        if loads.words.total:
            lines.append(
                f"    a search for words: parts of {loads.words.total:,} bytes, each at most "
                f"{loads.words.largest:,}"
            )
    return "\n".join(lines)


def _first(loads: Loads) -> str:
    if loads.once:
        return (
            f"a first query loads {loads.opening + loads.look_up:,} bytes, {loads.opening:,} "
            "of them with the page"
        )
    return f"a first query loads {loads.opening:,} bytes and parts of {loads.look_up:,}"


def _hits(loads: Loads) -> str:
    more = "" if loads.once else f"parts of {loads.look_up:,} bytes that are not loaded yet, and "
    if loads.kept == "snippet":
        return (
            f"{more}at most {loads.titles.at_most(10) + loads.texts.at_most(10):,} bytes for "
            "the titles and snippets of ten hits"
        )
    shown = f"{more}at most {loads.titles.at_most(10):,} bytes for the titles of ten hits"
    return (
        shown
        if loads.kept == "none"
        else f"{shown}, and of {loads.texts.total:,} bytes the shards with their texts"
    )
