"""A wheel as it is given out: one for every Python from 3.10 on, audited, installed and asked where
no compiler is.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import venv
from pathlib import Path

import pytest

pytestmark = pytest.mark.nightly

ROOT = next(p for p in Path(__file__).resolve().parents if (p / "pyproject.toml").exists())
ASK = ROOT / "tests" / "ask_installed.py"


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Built from a copy of what git has, so that nothing of this checkout's build gets in."""
    folder = tmp_path_factory.mktemp("wheel")
    subprocess.run(["git", "clone", "--quiet", str(ROOT), str(folder / "clone")], check=True)
    command = [sys.executable, "-m", "build", "--wheel", "--outdir", str(folder), "."]
    environment = {**os.environ, "POCKETINDEX_CMPH": "0"}
    subprocess.run(command, check=True, cwd=folder / "clone", env=environment, timeout=600)
    return next(folder.glob("*.whl"))


def audited(*words: str) -> str:
    """What an auditor of the group `wheels` says; the test is skipped without it."""
    command = Path(sys.executable).with_name(words[0])
    if not command.exists():
        pytest.skip(f"needs {words[0]} (pip install --group wheels)")
    done = subprocess.run([command, *words[1:]], capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


def test_its_name_says_which_pythons_it_serves(wheel: Path) -> None:
    assert "-cp310-abi3-" in wheel.name


def test_the_extension_keeps_to_the_limited_api(wheel: Path) -> None:
    said = " ".join(audited("abi3audit", "--strict", "--summary", str(wheel)).split())

    assert "0 ABI version mismatches and 0 ABI violations found" in said


@pytest.mark.skipif(sys.platform != "linux", reason="needs gcc on Linux")
def test_it_asks_the_system_for_its_c_library_alone(wheel: Path) -> None:
    said = " ".join(audited("auditwheel", "show", str(wheel)).split())

    assert 'is consistent with the following platform tag: "manylinux_' in said
    assert "libcmph" not in said


def test_it_answers_where_no_compiler_is(wheel: Path, tmp_path: Path) -> None:
    venv.create(tmp_path / "fresh", with_pip=True)
    bin = tmp_path / "fresh" / ("Scripts" if os.name == "nt" else "bin")
    environment = {name: value for name, value in os.environ.items() if name not in ("CC", "CXX")}
    environment["PATH"] = str(bin)
    assert not any(shutil.which(name, path=str(bin)) for name in ("cc", "gcc", "clang", "cl"))
    install: list[str | Path] = [
        bin / "python",
        "-m",
        "pip",
        "install",
        "--quiet",
        "--only-binary",
        ":all:",
        wheel,
    ]
    subprocess.run(install, check=True, env=environment, cwd=tmp_path, timeout=600)
    script = shutil.copy(ASK, tmp_path)
    done = subprocess.run(
        [bin / "python", script], check=True, env=environment, cwd=tmp_path, capture_output=True
    )

    assert done.stdout.startswith(b"asked: ")
