"""The questions of ../shared/prototypes/site, which real Pagefind answers as stated there, or ours
better: all of them, by the engine in a browser.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pocketindex
import pytest
from pages import launched
from places import ROOT
from site_asking import asked, by_page, expected
from static_server import serving

pytestmark = pytest.mark.browser

PROTOTYPE = ROOT.parent / "shared" / "prototypes" / "site"


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    with launched("chromium") as browser:
        yield browser


def test_every_question_is_answered_as_stated(chromium: Any, tmp_path: Path) -> None:
    if not PROTOTYPE.is_dir():
        pytest.skip("the corpora are not here (../shared/prototypes/site)")
    wanted = tmp_path / "expect.json"
    made = [str(PROTOTYPE / "make_sites.py"), str(tmp_path / "sites"), str(wanted)]
    subprocess.run([sys.executable, *made], check=True)
    sites = expected(wanted)
    answers = {site["name"]: answered(chromium, tmp_path, site) for site in sites}
    (tmp_path / "answers.json").write_text(json.dumps(answers), encoding="utf-8")
    check = [str(PROTOTYPE / "check.py"), str(wanted), str(tmp_path / "answers.json")]
    done = subprocess.run([sys.executable, *check], capture_output=True, text=True)

    assert done.stdout == "229 compared, 0 of them where ours is to be better; 0 faults\n"
    named = [query for site in sites for query in site["queries"] if "unknown" in query]
    found = [
        answer["unknown"]
        for site in sites
        for query, answer in zip(site["queries"], answers[site["name"]]["queries"], strict=True)
        if "unknown" in query
    ]
    assert found == [query["unknown"] for query in named]


def answered(browser: Any, folder: Path, site: dict[str, Any]) -> dict[str, Any]:
    mount = site.get("mount", "/")
    root = folder / "served" / site["name"]
    built = root / mount.strip("/")
    shutil.copytree(folder / "sites" / site["name"], built)
    report = pocketindex.site(built, cache=False)
    left_out = {one.path for one in report.left_out}
    assert set(site.get("left_out", {})) <= left_out
    queries: list[dict[str, Any]] = site["queries"]
    answers: list[Any] = [None] * len(queries)
    page = browser.new_page()
    with serving(root, ranges=False) as server:
        for start, numbers in by_page(queries).items():
            url = f"{server.url.rstrip('/')}{mount}{start}"
            found = asked(page, url, [queries[number] for number in numbers], mount)
            for number, answer in zip(numbers, found, strict=True):
                answers[number] = answer
    page.close()
    return {"queries": answers}
