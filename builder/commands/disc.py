"""Turn documents into a folder that a browser opens, without server, installation or network."""

from __future__ import annotations

import argparse
import json
import sys
from contextlib import ExitStack
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path

from pocketindex.arguments import file_of
from pocketindex.builder.commands.arguments.records import settings as build_settings
from pocketindex.builder.commands.arguments.sources import (
    add_css_arguments,
    add_drop_argument,
    add_format_arguments,
    add_links_argument,
    check_read,
)
from pocketindex.builder.commands.arguments.work import add_work_arguments
from pocketindex.builder.commands.serve import ServeOptions, add_link_template
from pocketindex.builder.functions.choices import Skipped
from pocketindex.builder.inputs import located
from pocketindex.builder.inputs.fields import PARTS, FieldNames
from pocketindex.builder.options import BuildOptions
from pocketindex.builder.page import iso
from pocketindex.builder.page.folder import LOADED_ONCE, Settings, Written, check_target, write
from pocketindex.builder.page.gathered import documents_of, gathered
from pocketindex.builder.page.loads import Loads
from pocketindex.builder.page.originals import check_originals
from pocketindex.builder.progress import Progress
from pocketindex.builder.spill.output import Output, check_stdout_once
from pocketindex.flags import add_options, given
from pocketindex.options import Options, option, options_of
from pocketindex.wording.counted import counted

EXAMPLES = """\
examples:
  pocketindex disc notes/ OUT/ --originals
  pocketindex disc essays/ docs.jsonl.gz ALL/ --title "Essays and documents"
  pocketindex disc wiki.pocket WIKI/
  pocketindex disc news.pocket wiki.pocket BOTH/ --title "News and wiki" --iso disc.iso
A SOURCE is what `build` reads. All of them become one collection with titles, words, passages and
whole texts. A .pocket file is one that is there already, and gives the page what it has.

`--help-all` shows every option, and more examples.
"""

MORE = """\
more examples:
  pocketindex disc wiki.pocket LINKED/ --link-template 'http://localhost:8080/viewer#wiki/A/{title}'
  pocketindex disc wiki.pocket PROGRAMS/ --with-programs build/programs
  pocketindex disc large.pocket LARGE/ --without-scripts --iso large.iso

OUT/index.html asks by scripts beside it, so the folder is a static web site, too; on a server that
sends byte ranges it reads the .pocket file itself where --with-file has put it there. --iso needs:
pip install 'pocketindex[disc]'
"""


@dataclass(frozen=True, kw_only=True)
class DiscOptions(Options):
    """The options of the command."""

    heading: str = replace(options_of(ServeOptions)["title"], spelling="--title").field()
    language: str | None = options_of(ServeOptions)["language"].field()
    with_file: bool = option(False, "add the .pocket files, too")
    without_scripts: bool = option(
        False,
        "add the .pocket files alone, of any size; a page that was opened from a folder asks the "
        "visitor to choose them",
    )
    with_programs: str = option(
        "",
        "add the stand-alone query programs that `make programs` has built in FOLDER, and the "
        ".pocket files that they ask",
        metavar="FOLDER",
    )
    originals: bool = option(
        False,
        "add the files of the SOURCEs, and let hits lead to them: pages with their images and "
        "links",
    )
    iso: str | None = option(
        None, "also write the folder as an ISO 9660 image", metavar="IMAGE.iso"
    )
    force: bool = option(
        False, "replace a disc that is already in OUT/, and an existing IMAGE.iso of any kind"
    )
    load_once: int = option(
        LOADED_ONCE,
        "load parts of the index of up to BYTES with the page; of larger ones only what a query "
        "needs",
        metavar="BYTES",
    )


# How documents are read and what becomes of bad ones, as a build has it.
OF_DOCUMENTS = [
    *(options_of(BuildOptions)[name] for name in ("profile", "strict", "keep_going")),
    *options_of(Skipped).values(),
]

# --title is the heading of the page.
OF_RECORDS = [
    replace(one, spelling="--title-field") if name == "title" else one
    for name, one in options_of(FieldNames).items()
    if name in PARTS
]


COMMON = (
    *("--help", "--help-all", "--title", "--originals", "--link-template", "--with-file"),
    *("--iso", "--force", "--json", "--format", "--id", "--text"),
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "source",
        metavar="SOURCE",
        nargs="+",
        type=located,
        help="file, folder, pattern or address of documents, or a .pocket file",
    )
    parser.add_argument("folder", metavar="OUT/", help="a folder that is not there yet or is empty")
    add_options(parser, options_of(DiscOptions).values())
    add_link_template(parser)
    add_options(parser, OF_DOCUMENTS)
    add_format_arguments(parser)
    add_css_arguments(parser)
    add_drop_argument(parser)
    add_links_argument(parser)
    add_options(parser.add_argument_group("fields of records"), OF_RECORDS)
    add_work_arguments(parser)
    parser.add_argument("--json", action="store_true", help="print the sizes as one JSON object")


def run(arguments: argparse.Namespace) -> int:
    if given(arguments, "load_once") and arguments.without_scripts:
        raise ValueError(
            "--load-once applies to what a page loads as scripts; omit it or --without-scripts"
        )
    documents = documents_of(arguments.source)
    if not documents:
        check_read(arguments, "these are .pocket files, which are read as they are")
    if arguments.originals:
        check_originals(documents)
    settings = Settings(
        title=arguments.heading,
        language=arguments.language,
        with_file=arguments.with_file,
        link_template=arguments.link_template,
        loaded_once=arguments.load_once,
        force=arguments.force,
        programs=arguments.with_programs,
        scripts=not arguments.without_scripts,
    )
    folder = Path(file_of("OUT/", arguments.folder, "a disc", "a folder"))
    if arguments.with_programs:
        file_of("--with-programs", arguments.with_programs, "the programs", "a folder")
    check_target(folder, arguments.force)
    with ExitStack() as stack:
        image = _image(arguments, folder, stack) if arguments.iso is not None else None
        reading = build_settings(arguments)
        shown = partial(Progress, form=arguments.progress)
        found = stack.enter_context(
            gathered(arguments.source, folder, reading, shown, arguments.skipped)
        )
        if arguments.originals:
            settings.originals[found.made] = found.documents
        progress = stack.enter_context(shown())
        written = write(found.paths, folder, settings, progress.phase)
        if image:
            progress.phase(f"writing {arguments.iso}")
            label = arguments.heading or written.collections[0].name
            iso.write_iso(written.folder, image, label)
    report = found.report
    if arguments.json:
        counts = report.state() if report else {}
        loads = [asdict(loads) for loads in written.collections]
        print(
            json.dumps(
                {
                    "folder": str(written.folder),
                    "bytes": written.size,
                    "files": len(written.files) + 1,
                    "collections": loads,
                    **{name: counts[name] for name in ("read", "indexed", "skipped") if report},
                }
            )
        )
    else:
        if report:
            print(report.text(), file=sys.stderr)
        print(as_text(written), file=sys.stderr)
    return 2 if report and report.ended else 0


def _image(arguments: argparse.Namespace, folder: Path, stack: ExitStack) -> Output:
    """Return the output of the image, which must not be in the folder that it contains."""
    iso.check()
    check_stdout_once(iso=arguments.iso, json=arguments.json)
    image = Output(
        arguments.iso, iso.IMAGE, what="the image", spares=arguments.source, force=arguments.force
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
        if loads.shingles.total:
            lines.append(
                f"    sources of a text: parts of {loads.shingles.total:,} bytes, each at most "
                f"{loads.shingles.largest:,}"
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
            f"a first query loads {loads.opening + loads.look_up:,} bytes, "
            f"{loads.opening + loads.first:,} of them with the page"
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
