"""What every state of the page has to keep to: axe-core's rules, contrast, width. With a screenshot
to look at.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from pages import CONTRAST, Shown, index_of

AXE = Path(sys.prefix) / "npm" / "node_modules" / "axe-core" / "axe.min.js"
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
RUN = """async (rules) => {
  const { violations, passes } = await axe.run(document, { runOnly: rules });
  const broken = violations.map(({ id, nodes }) => [id, ...nodes.map((node) => node.html)]);
  return [broken, passes.length];
}"""
DESK = {"width": 1366, "height": 768}
VIEWS: dict[str, dict[str, Any]] = {
    "desk": {"viewport": DESK},
    "dark": {"viewport": DESK, "color_scheme": "dark"},
    "german": {"viewport": DESK, "locale": "de-DE"},
    # As at 200 % of the size, on the same screen.
    "zoomed": {"viewport": {"width": 683, "height": 384}, "device_scale_factor": 2},
    "phone": {"viewport": {"width": 390, "height": 844}},
    "narrow": {"viewport": {"width": 320, "height": 700}, "locale": "de-DE"},
}


def shots_of(browser: Any, folder: Path) -> Path:
    """Return the folder of a browser's screenshots, which POCKETINDEX_SCREENSHOTS names."""
    named = Path(os.environ.get("POCKETINDEX_SCREENSHOTS", folder))
    return named / str(browser.browser_type.name)


def looked_over(
    browser: Any,
    disc: Path,
    view: Mapping[str, Any],
    states: Mapping[str, Callable[[Shown], object]],
    shot: Path,
) -> None:
    """Reach each state of a page in a view, test it, and take a screenshot of it.

    shot: folder and beginning of the name of the screenshots. The test is skipped without axe-core.
    """
    if not AXE.exists():
        pytest.skip("needs axe-core (make test-browser fetches it)")
    for state, reach in states.items():
        shown = Shown(browser, index_of(disc), **view)
        shown.page.evaluate(AXE.read_text(encoding="utf-8"))
        reach(shown)
        violations, passed = shown.page.evaluate(RUN, RULES)
        assert violations == [], state
        assert passed > 15, state
        assert min(shown.page.evaluate(CONTRAST))[0] >= 4.5, state
        assert shown.page.evaluate("document.documentElement.scrollWidth <= innerWidth"), state
        shown.page.screenshot(path=f"{shot}-{state}.png", full_page=True)
        shown.close()
