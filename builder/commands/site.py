"""Index the built HTML of a static site, in place."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from pocketindex.arguments import file_of
from pocketindex.builder.progress import Progress
from pocketindex.builder.site.site import SiteOptions, index_site
from pocketindex.flags import add_options
from pocketindex.options import options_of

EXAMPLES = """\
examples:
  pocketindex site public/
  pocketindex site build/html --root main --exclude '.breadcrumbs, .sidebar'
  pocketindex site dist/ --base https://example.org/docs/ --related 5
The index is written to BUILT_SITE/_pocketindex/. Attributes data-pagefind-* of the pages are used.
This command needs: pip install 'pocketindex[html]'
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "folder", metavar="BUILT_SITE/", help="the folder that a site generator has written"
    )
    add_options(parser, options_of(SiteOptions).values())
    parser.add_argument("--json", action="store_true", help="print the report as one JSON object")


def run(arguments: argparse.Namespace) -> int:
    folder = Path(file_of("BUILT_SITE/", arguments.folder, "a site", "a folder"))
    options = SiteOptions(**{name: getattr(arguments, name) for name in options_of(SiteOptions)})
    with Progress() as progress:
        report = index_site(folder, options, progress)
    if arguments.json:
        print(json.dumps(report.as_dict(), ensure_ascii=False))
    else:
        print(report.text(), file=sys.stderr)
    return 0
