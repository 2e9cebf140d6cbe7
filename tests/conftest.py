"""Shared fixtures, and the rule that every skipped test has a known reason."""

from __future__ import annotations

import json
import os
import re
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from groups import groups_of
from made_up import made_up
from pages import BROWSERS, launched
from places import ROOT

# One regular expression a line; # starts a comment.
KNOWN_SKIPS = Path(__file__).with_name("known_skips.txt")


if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # So it is in the background of a shell, and would be in every process that a test begins.
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def collection(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A JSON Lines file of 300 documents."""
    path = tmp_path_factory.mktemp("collection") / "docs.jsonl"
    path.write_text(
        "".join(json.dumps(d, ensure_ascii=False) + "\n" for d in made_up(300)), encoding="utf-8"
    )
    return path


@pytest.fixture(scope="session")
def pocket(collection: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The pocket file of that collection, in small parts."""
    from pocketindex.builder import Settings, build

    path = tmp_path_factory.mktemp("pocket") / "docs.pocket"
    build(
        [str(collection)],
        path,
        Settings(
            profile="learn", keys_per_part=40, url_template="https://example.org/{id}?t={title}"
        ),
    )
    return path


@pytest.fixture(scope="session")
def corpora() -> Path:
    """The folder of real text beside the checkout."""
    for folder in (os.environ.get("POCKETINDEX_CORPORA"), ROOT.parent / "shared" / "corpora"):
        if folder and Path(folder).is_dir():
            return Path(folder)
    pytest.skip("the corpora are not here (POCKETINDEX_CORPORA or ../shared/corpora)")


@pytest.fixture(scope="module", params=list(BROWSERS))
def browser(request: pytest.FixtureRequest) -> Iterator[Any]:
    """Each browser that a disc's page is tested in."""
    with launched(request.param) as found:
        yield found


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Give each test the markers of its groups (groups.py)."""
    for item in items:
        for group in groups_of(item.path.name, getattr(item, "originalname", item.name)):
            item.add_marker(group)


def pytest_runtest_setup() -> None:
    """Broken pipes are errors, as Python has it: a command that an earlier test ran in this process
    has made them fatal.
    """
    if hasattr(signal, "SIGPIPE"):
        signal.signal(signal.SIGPIPE, signal.SIG_IGN)


_skipped: list[tuple[str, str]] = []


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Iterator[None]:
    outcome = yield
    report = outcome.get_result()  # type: ignore[attr-defined]
    if report.skipped and not hasattr(report, "wasxfail"):
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
        _skipped.append((item.nodeid, reason.removeprefix("Skipped: ")))


def pytest_sessionfinish(session: pytest.Session) -> None:
    """A skip that nobody expected is a failure."""
    known = [
        line for line in KNOWN_SKIPS.read_text().splitlines() if line and not line.startswith("#")
    ]
    unknown = [
        (test, reason)
        for test, reason in _skipped
        if not any(re.search(pattern, reason) for pattern in known)
    ]
    for test, reason in unknown:
        print(f"\nskipped for a reason that is not in tests/known_skips.txt: {test}: {reason}")
    if unknown and session.exitstatus == 0:
        session.exitstatus = 1
