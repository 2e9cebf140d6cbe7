"""Show the page of a disc on this computer, straight from pocket files, with JSON for programs."""

from __future__ import annotations

import argparse
import ctypes
import signal
import sys
import threading
from dataclasses import dataclass

from pocketindex.builder.page.links import FLAG
from pocketindex.builder.page.page import languages
from pocketindex.builder.page.serving.server import Server
from pocketindex.builder.page.serving.server import run as serve
from pocketindex.builder.page.site import Site
from pocketindex.flags import add_options, chosen
from pocketindex.options import Options, option, options_of

M_MMAP_THRESHOLD = -3  # malloc.h of glibc
EXAMPLES = """\
examples:
  pocketindex serve wiki.pocket
  pocketindex serve news.pocket wiki.pocket --port 8007
  curl -s http://127.0.0.1:8007/api/0/query -d '{"text": "lava of an Icelandic volcano melts ice"}'
  curl -s http://127.0.0.1:8007/api/query \\
      -d '{"text": "lava of an Icelandic volcano melts ice", "top": 3}'
  curl -s http://127.0.0.1:8007/api/0/document?id=12
  curl -s http://127.0.0.1:8007/api/0/info

It listens on 127.0.0.1 alone, for programs and browsers of this computer. In URLs the
files are numbered from 0: /api/0/... is the first. Ctrl-C ends it.
"""


@dataclass(frozen=True, kw_only=True)
class ServeOptions(Options):
    """The options of the command."""

    port: int = option(8007, "port to listen on; 0 for any free one", least=0, most=65_535)
    title: str = option("", "heading of the page", shown_default="the names of the files")
    language: str | None = option(
        None,
        "language of the page",
        choices=tuple(languages()),
        shown_default="that of each visitor's browser",
    )


def add_link_template(parser: argparse.ArgumentParser) -> None:
    """Add --link-template, which may be given once for all collections and once for each."""
    parser.add_argument(
        FLAG,
        action="append",
        default=[],
        metavar="[NAME=]URL",
        help="where hits link to, with {id} or {title}; NAME= for those of one collection, may be "
        "repeated (default: their url)",
    )


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE.pocket", nargs="+")
    add_options(parser, options_of(ServeOptions).values())
    add_link_template(parser)


def run(arguments: argparse.Namespace) -> int:
    own = chosen(ServeOptions, arguments)
    site = Site(arguments.file, own.title, arguments.link_template, own.language)
    try:
        server = Server(site, own.port)
    except OSError as error:
        site.close()
        raise ValueError(
            f"port {own.port} cannot be used: {error.strerror}; choose another with --port, or 0"
        ) from None
    stopped = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stopped.set())
    if hasattr(signal, "SIGPIPE"):
        # A browser that goes away must not end the server, as `head` ends the other commands.
        signal.signal(signal.SIGPIPE, signal.SIG_IGN)
    _free_at_once()
    print(f"http://127.0.0.1:{server.port}/", flush=True)
    print("Ctrl-C ends it", file=sys.stderr)
    serve(server, stopped)
    return 0


def _free_at_once() -> None:
    """Return the memory of large requests to the system, which glibc would keep for each thread."""
    if sys.platform == "linux" and hasattr(library := ctypes.CDLL(None), "mallopt"):
        library.mallopt(M_MMAP_THRESHOLD, 1 << 20)
