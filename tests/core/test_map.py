"""cbits/map.c: mapping a file, and faults on its bytes.

The scenarios are functions of tests/c/test_map.c.
"""

from __future__ import annotations

import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from compiled import HARNESSES, compile_c, compiler, core_file
from ticking import in_ticking

SOURCES = [
    core_file("map.c"),
    core_file("open_path.c"),
    core_file("options.c"),
    HARNESSES / "test_map.c",
]
SCENARIOS = re.findall(
    r"SCENARIO\((\w+)\),", (HARNESSES / "test_map.c").read_text(encoding="utf-8")
)
# These end as a process without this library would, by the signal.
FATAL = {
    "a_handler_before_may_be_for_one_signal",
    "a_fault_of_others_ends_the_process",
    "a_signal_sent_ends_the_process",
    "our_bytes_without_a_guard_end_the_process",
    "a_fault_of_others_cannot_be_ignored",
    "without_a_handler_a_shortened_file_ends_the_process",
}

pytestmark = pytest.mark.skipif(
    sys.platform == "win32", reason="needs a C compiler and POSIX signals"
)


@pytest.fixture(scope="module")
def harness(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return compile_c(tmp_path_factory.mktemp("map") / "test_map", SOURCES, "-pthread")


@pytest.mark.parametrize("scenario", [name for name in SCENARIOS if name != "cost"])
def test_scenario(harness: Path, scenario: str, tmp_path: Path) -> None:
    done = subprocess.run(
        [harness, scenario, tmp_path], capture_output=True, text=True, timeout=100
    )
    assert done.returncode == (-signal.SIGBUS if scenario in FATAL else 0), done.stderr


@pytest.mark.parametrize("scenario", [name for name in SCENARIOS if "change" in name])
def test_a_change_where_the_clock_ticks(harness: Path, scenario: str, tmp_path: Path) -> None:
    done = subprocess.run(
        [*in_ticking(tmp_path), harness, scenario, tmp_path],
        capture_output=True,
        text=True,
        timeout=100,
    )
    assert done.returncode == 0, done.stderr


def test_32_bits(tmp_path: Path) -> None:
    """The refusal of a file of 5 GiB is reached on 32 bits only."""
    harness = compile_c(
        tmp_path / "test_map",
        SOURCES,
        "-pthread",
        "-static",
        command=compiler("i686-linux-gnu-gcc"),
    )
    for scenario in (
        "a_file_that_no_address_space_of_32_bits_holds",
        "a_shortened_file_is_a_status",
    ):
        done = subprocess.run(
            [harness, scenario, tmp_path], capture_output=True, text=True, timeout=100
        )
        assert done.returncode == 0, done.stderr


def test_every_scenario_is_listed() -> None:
    assert len(SCENARIOS) > 20
    assert set(SCENARIOS) >= FATAL
