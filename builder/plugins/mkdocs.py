"""The plugin for MkDocs: `plugins: [pocketindex]` in mkdocs.yml."""

from __future__ import annotations

import logging
import re
from typing import Any
from urllib.parse import urlsplit

from mkdocs.config import config_options
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.plugins import BasePlugin
from mkdocs.utils import get_relative_url
from pocketindex.builder.site.site import SiteOptions
from pocketindex.options import options_of
from pocketindex.plugins.placing import ELEMENT, index, with_element, with_script

log = logging.getLogger("mkdocs.plugins.pocketindex")

# Behind what a theme's header has its search.
PLACES = {
    "material": (
        r'<nav class="md-header__inner.*?(?=<div class="md-header__source">|</nav>)',
        ELEMENT,
    ),
    "mkdocs": (
        r'<ul class="nav navbar-nav ms-md-auto">',
        f'<li class="nav-item nav-link">{ELEMENT}</li>',
    ),
    "readthedocs": (
        r'<div class="wy-side-nav-search">.*?</a>(?:\s*<div class="version">.*?</div>)?',
        f"<div>{ELEMENT}</div>",
    ),
}
THEIRS = ("search", "material/search")


class PocketIndexPlugin(BasePlugin):  # type: ignore[misc]
    """Index a site that MkDocs has built, and put the search into its pages.

    The options of the plugin are those of `pocketindex site`. Without root, the main part of a page
    is read.
    """

    config_scheme = tuple(
        (name, config_options.Type(type(option.default), default=option.default))
        for name, option in options_of(SiteOptions).items()
    )

    def on_config(self, config: MkDocsConfig) -> MkDocsConfig:
        """Warn of another search plugin of the site."""
        self.unplaced = ""
        for name in THEIRS:
            if name in config.plugins:
                log.warning(f"take “{name}” out of plugins: its index is loaded beside this one")
        return config

    def on_post_page(self, output: str, page: Any, config: MkDocsConfig) -> str:
        """Put the element and its script into a page."""
        return self._placed(output, get_relative_url("", page.url), page.file.dest_uri, config)

    def on_post_template(self, output: str, template_name: str, config: MkDocsConfig) -> str:
        """Put them into 404.html, which a host shows at any address of the site."""
        if template_name != "404.html":
            return output
        path = urlsplit(config.site_url or "/").path.rstrip("/")
        return self._placed(output, f"{path}/", template_name, config)

    def on_post_build(self, config: MkDocsConfig) -> None:
        """Index the site."""
        if self.unplaced:
            log.warning(
                f"the theme has no place for a search that is known: put {ELEMENT} into its "
                f"templates ({self.unplaced} and other pages lack it)"
            )
        try:
            report = index(config.site_dir, dict(self.config))
        except (ValueError, OSError) as problem:
            raise PluginError(f"pocketindex: {problem}") from problem
        for line in report.lines():
            log.warning(line) if line.startswith("warning: ") else log.info(line)

    def _placed(self, output: str, root: str, name: str, config: MkDocsConfig) -> str:
        place, element = PLACES.get(config.theme.name or "", ("", ELEMENT))
        placed = with_element(output, re.compile(place, re.S) if place else None, element)
        if placed is None:
            self.unplaced = self.unplaced or name
        return with_script(placed or output, root if root.endswith("/") else f"{root}/")
