"""What ClusterFuzzLite runs: its script builds a fuzzer of the core, and both fuzzers start."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from core_sources import run, tool
from fuzz_seeds import LITTLE
from places import ROOT, TESTS

SCRIPT = ROOT / ".clusterfuzzlite" / "build.sh"


def test_its_limits_are_those_of_the_other_fuzzer() -> None:
    assert set(re.findall(r"-D\w+=\w+", SCRIPT.read_text(encoding="utf-8"))) == set(LITTLE)


@pytest.mark.slow
def test_the_script_builds_a_fuzzer_of_the_core(tmp_path: Path) -> None:
    clang = tool("clang")
    environment = {
        **os.environ,
        "CC": clang,
        "CXX": clang,
        "CFLAGS": "-O1 -fsanitize=address,fuzzer-no-link",
        "CXXFLAGS": "-fsanitize=address",
        "LIB_FUZZING_ENGINE": "-fsanitize=fuzzer",
        "SRC": str(ROOT.parent),
        "OUT": str(tmp_path),
    }
    # In a copy of the image the script lies beside the sources.
    command = ["bash", "-c", f"cd {ROOT} && exec bash {SCRIPT}"]
    built = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=900)
    if "libclang_rt." in built.stderr and built.returncode:
        pytest.skip("needs clang with its run-time library")
    assert built.returncode == 0, built.stderr[-3000:]

    seeds = tmp_path / "seeds"
    zipfile.ZipFile(tmp_path / "fuzz_core_seed_corpus.zip").extractall(seeds)
    done = run(tmp_path / "fuzz_core", "-runs=300", seeds)
    assert done.returncode == 0
    assert re.search(r"Done \d+ runs", done.stderr)
    # Without it a changed file is refused at the first checksum.
    assert "found LLVMFuzzerCustomMutator" in done.stderr


@pytest.mark.slow
def test_the_fuzzer_of_the_readers_starts(tmp_path: Path) -> None:
    pytest.importorskip("atheris", reason="needs atheris (pip install --group fuzz)")
    done = run(
        sys.executable, TESTS / "fuzz_reader.py", "-runs=60", f"-artifact_prefix={tmp_path}/"
    )
    assert done.returncode == 0
    assert re.search(r"Done \d+ runs", done.stderr)
