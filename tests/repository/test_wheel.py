"""A wheel as it is given out: built from the sdist, the same bytes in any folder, one for every
Python from 3.10 on, audited, installed and asked where no compiler is.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tarfile
import venv
import zipfile
from pathlib import Path

import pytest

pytestmark = pytest.mark.nightly

ROOT = next(p for p in Path(__file__).resolve().parents if (p / "pyproject.toml").exists())
ASK = ROOT / "tests" / "ask_installed.py"
# Bytes of a wheel as a release packs it. Of these, 830,000 are 450 files of Python, 265,000 the
# extension, 270,000 the modules of pages and WebAssembly, 106,000 the profiles (decision 132).
MOST = 1_560_000
linux = pytest.mark.skipif(sys.platform != "linux", reason="needs gcc on Linux")


def built(folder: Path) -> tuple[Path, Path]:
    """Sdist and wheel of what git has. build makes the wheel from the unpacked sdist, so nothing of
    this checkout gets in, and nothing that the sdist lacks.
    """
    folder.mkdir(parents=True)
    subprocess.run(["git", "clone", "--quiet", str(ROOT), str(folder / "clone")], check=True)
    command = [sys.executable, "-m", "build", "--outdir", str(folder), "."]
    environment = {**os.environ, "SOURCE_DATE_EPOCH": "1700000000"}
    environment.pop("POCKETINDEX_CMPH", None)
    subprocess.run(command, check=True, cwd=folder / "clone", env=environment, timeout=900)
    return next(folder.glob("*.tar.gz")), next(folder.glob("*.whl"))


@pytest.fixture(scope="module")
def given_out(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    return built(tmp_path_factory.mktemp("wheel") / "one")


@pytest.fixture(scope="module")
def sdist(given_out: tuple[Path, Path]) -> Path:
    return given_out[0]


@pytest.fixture(scope="module")
def wheel(given_out: tuple[Path, Path]) -> Path:
    return given_out[1]


@pytest.fixture(scope="module")
def unpacked(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("unpacked")
    zipfile.ZipFile(wheel).extractall(folder)
    return folder


def extension(unpacked: Path) -> Path:
    folder = unpacked / "pocketindex" / "cbits"
    (found,) = (path for path in folder.glob("_core.*") if path.suffix in (".so", ".pyd"))
    return found


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


def test_packed_for_a_release_it_is_small_and_has_the_same_files(
    wheel: Path, tmp_path: Path
) -> None:
    pytest.importorskip("zopfli", reason="needs zopfli (pip install --group zig)")
    packed = Path(shutil.copy(wheel, tmp_path))
    command = [sys.executable, str(ROOT / ".ci" / "pack_wheel.py"), str(packed)]
    subprocess.run(command, check=True, timeout=1800)

    assert 500_000 < packed.stat().st_size <= MOST
    with zipfile.ZipFile(wheel) as before, zipfile.ZipFile(packed) as after:
        assert after.testzip() is None
        assert after.namelist() == [one for one in before.namelist() if not one.endswith("/")]
        for one in after.infolist():
            old = before.getinfo(one.filename)
            assert after.read(one) == before.read(old)
            assert (one.date_time, one.external_attr) == (old.date_time, old.external_attr)


def test_another_folder_gives_the_same_bytes(wheel: Path, tmp_path: Path) -> None:
    _, other = built(tmp_path / "a" / "longer" / "path")

    assert other.name == wheel.name
    assert other.read_bytes() == wheel.read_bytes()


def test_the_extension_keeps_to_the_limited_api(wheel: Path) -> None:
    said = " ".join(audited("abi3audit", "--strict", "--summary", str(wheel)).split())

    assert "0 ABI version mismatches and 0 ABI violations found" in said


@linux
def test_it_asks_the_system_for_its_c_library_alone(wheel: Path) -> None:
    said = " ".join(audited("auditwheel", "show", str(wheel)).split())

    assert 'is consistent with the following platform tag: "manylinux_' in said
    assert "libcmph" not in said


@linux
def test_libcmph_is_not_in_it_though_the_system_has_it(unpacked: Path) -> None:
    """By name, by what the loader is asked for, and by the library's own functions."""
    names = [path.name for path in unpacked.rglob("*")]
    data = extension(unpacked).read_bytes()

    assert len(names) > 500
    assert {name for name in names if "cmph" in name} == {"cmph.py", "_cmph.pyi"}  # our own
    assert len([name for name in names if ".so" in name]) == 1
    for function in (b"cmph_search", b"cmph_config_new", b"chd_ph_search", b"jenkins_state_new"):
        assert function not in data
    needed = subprocess.run(
        ["readelf", "-d", extension(unpacked)], capture_output=True, text=True, check=True
    ).stdout
    assert [line.split("[")[1] for line in needed.splitlines() if "NEEDED" in line] == [
        "libc.so.6]"
    ]


@linux
def test_the_extension_is_stripped_and_hardened(unpacked: Path) -> None:
    def told(*flags: str) -> str:
        command = ["readelf", "-W", *flags, str(extension(unpacked))]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout

    sections, dynamic, segments = told("-S"), told("-d"), told("-l")
    assert ".text" in sections
    assert ".symtab" not in sections
    assert ".debug" not in sections
    assert "NOW" in dynamic
    assert "GNU_RELRO" in segments
    (stack,) = (line for line in segments.splitlines() if "GNU_STACK" in line)
    assert "RWE" not in stack
    assert "__stack_chk_fail" in told("--dyn-syms")
    assert "PATH)" not in dynamic
    data = extension(unpacked).read_bytes()
    for folder in (ROOT, Path.home(), Path("/tmp")):
        assert f"{folder}/".encode() not in data


def test_scripts_of_the_checkout_stay_there(unpacked: Path) -> None:
    names = {path.name for path in unpacked.rglob("*.py")}

    assert {"index.py", "cli.py", "build.py"} <= names
    assert not {name for name in names if name.startswith("make_")}
    assert not names & {"amalgamate.py", "ffi_build.py"}


def test_it_says_what_is_in_it(unpacked: Path) -> None:
    (path,) = unpacked.glob("*.dist-info/sboms/*.json")
    bill = json.loads(path.read_text(encoding="utf-8"))
    version = path.parents[1].name.removeprefix("pocketindex-").removesuffix(".dist-info")

    assert (bill["bomFormat"], bill["specVersion"]) == ("CycloneDX", "1.6")
    assert bill["metadata"]["component"]["purl"] == f"pkg:pypi/pocketindex@{version}"
    assert {one["name"] for one in bill["components"]} == {
        "Unicode Character Database",
        "wordfreq",
        "Wikipedia",
        "cffi",
    }
    assert f"sboms/{path.name}," in next(unpacked.glob("*.dist-info/RECORD")).read_text()


def test_it_answers_where_no_compiler_is(wheel: Path, tmp_path: Path) -> None:
    venv.create(tmp_path / "fresh", with_pip=True)
    bin = tmp_path / "fresh" / ("Scripts" if os.name == "nt" else "bin")
    environment = {name: value for name, value in os.environ.items() if name not in ("CC", "CXX")}
    environment["PATH"] = str(bin)
    assert not any(shutil.which(name, path=str(bin)) for name in ("cc", "gcc", "clang", "cl"))
    pip: tuple[str | Path, ...] = (bin / "python", "-m", "pip", "install", "--quiet")
    command: list[str | Path] = [*pip, "--only-binary", ":all:", wheel]
    subprocess.run(command, check=True, env=environment, cwd=tmp_path, timeout=600)
    script = shutil.copy(ASK, tmp_path)
    done = subprocess.run(
        [bin / "python", script], check=True, env=environment, cwd=tmp_path, capture_output=True
    )

    assert done.stdout.startswith(b"asked: ")


def test_without_a_compiler_the_sdist_says_what_to_do(sdist: Path, tmp_path: Path) -> None:
    """pip shows the last lines of a build that fails."""
    tarfile.open(sdist).extractall(tmp_path, filter="data")
    (folder,) = tmp_path.glob("pocketindex-*")
    command = [sys.executable, "-m", "pip", "wheel", "--no-build-isolation", "--no-deps"]
    environment = {**os.environ, "CC": str(tmp_path / "no-compiler")}
    done = subprocess.run(
        [*command, "--wheel-dir", tmp_path, folder],
        env=environment,
        capture_output=True,
        text=True,
        timeout=600,
    )
    said = done.stdout + done.stderr

    assert done.returncode != 0
    assert (
        "pocketindex: no wheel fits this system, and its C code cannot be compiled here: " in said
    )
    assert "apt-get install gcc python3-dev" in said
    assert "Traceback" not in said.split("pocketindex: no wheel fits")[1]


def test_libcmph_is_only_built_in_for_who_asks(tmp_path: Path) -> None:
    """A system without it says so, rather than leave it out."""
    program = tmp_path / "pkg-config"
    program.write_text("#!/bin/sh\nexit 1\n")
    program.chmod(0o755)
    environment = {
        **os.environ,
        "POCKETINDEX_CMPH": "1",
        "PATH": f"{tmp_path}:{os.environ['PATH']}",
    }
    command = [sys.executable, "setup.py", "--version"]
    done = subprocess.run(command, env=environment, cwd=ROOT, capture_output=True, text=True)

    assert done.returncode != 0
    assert "POCKETINDEX_CMPH=1: pkg-config does not find libcmph; install it" in done.stderr
