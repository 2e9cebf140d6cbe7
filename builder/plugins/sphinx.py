"""The extension for Sphinx: `extensions = ["pocketindex.plugins.sphinx"]` in conf.py."""

from __future__ import annotations

from typing import Any

import pocketindex
from jinja2 import DictLoader
from pocketindex.builder.site.scripts import SCRIPT
from pocketindex.builder.site.site import SiteOptions
from pocketindex.options import options_of
from pocketindex.plugins.placing import ELEMENT, FOLDER, index
from sphinx.application import Sphinx
from sphinx.errors import ExtensionError
from sphinx.util import logging

log = logging.getLogger(__name__)

# The templates that themes have for their search: those of Sphinx, and of furo.
TEMPLATES = ("searchbox.html", "searchfield.html", "sidebar/search.html")
# Themes with a dialog of their own for the index of Sphinx, unless this option is set.
LOADS_OWN = frozenset(["pydata_sphinx_theme", "sphinx_book_theme"])
OPTION = "disable_search"
LISTS = ".indextable"  # of names, which lead to the pages that have them


def setup(app: Sphinx) -> dict[str, Any]:
    """Add the search to a build. The values pocketindex_NAME of conf.py are the options NAME of
    `pocketindex site`. Without pocketindex_root, the main part of a page is read.
    """
    for name, option in options_of(SiteOptions).items():
        app.add_config_value(f"pocketindex_{name}", option.default, "", [type(option.default)])
    app.connect("builder-inited", replace_search)
    app.connect("html-page-context", add_script)
    app.connect("build-finished", index_site)
    return {"version": pocketindex.__version__, "parallel_read_safe": True}


def is_site(app: Sphinx) -> bool:
    """Return whether a build makes pages of HTML that a visitor can search."""
    return app.builder.format == "html" and hasattr(app.builder, "search")


def replace_search(app: Sphinx) -> None:
    """Replace the theme's search by the element, and leave out the index of Sphinx."""
    if is_site(app):
        config = app.config
        kept = config.html_theme in LOADS_OWN and not config.html_theme_options.get(OPTION)
        app.builder.search = kept
        app.builder.templates.loaders.insert(0, DictLoader(dict.fromkeys(TEMPLATES, ELEMENT)))


def add_script(
    app: Sphinx, pagename: str, templatename: str, context: dict[str, Any], doctree: Any
) -> None:
    """Add the script to a page."""
    if is_site(app):
        address = context["pathto"](f"{FOLDER}{SCRIPT}", 1)
        context["metatags"] = (
            context.get("metatags", "") + f'<script src="{address}" defer></script>'
        )


def index_site(app: Sphinx, problem: Exception | None) -> None:
    """Index the pages that were built."""
    if problem or not is_site(app):
        return
    options = {name: app.config[f"pocketindex_{name}"] for name in options_of(SiteOptions)}
    options["exclude"] = ", ".join(filter(None, [options["exclude"], LISTS]))
    try:
        report = index(app.outdir, options)
    except (ValueError, OSError) as failed:
        raise ExtensionError(f"pocketindex: {failed}") from failed
    for line in report.lines():
        log.warning(line) if line.startswith("warning: ") else log.info(line)
