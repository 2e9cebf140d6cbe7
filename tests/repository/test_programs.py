"""`make programs`: examples/query.c for six machines by ziglang; those that can run here answer
like the package.
"""

from __future__ import annotations

import importlib.util
import re
import struct
import subprocess
from pathlib import Path

import pytest
from core_sources import run, script, tool
from made_up import made_up
from places import ROOT
from pocketindex.builder.page.folder import Settings, write
from test_examples import FILES, TEXTS, answer, ask

ELF = b"\x7fELF"
MACH = b"\xcf\xfa\xed\xfe"
PE = b"MZ"
# First bytes, and the machine's number in the format's header.
KINDS = {
    "linux-x64": (ELF, 0x3E),
    "linux-arm64": (ELF, 0xB7),
    "macos-x64": (MACH, 0x0100_0007),
    "macos-arm64": (MACH, 0x0100_000C),
    "windows-x64": (PE, 0x8664),
    "windows-arm64": (PE, 0xAA64),
}
pytestmark = pytest.mark.nightly


def machine(data: bytes) -> int:
    """What a program is for, as its header says."""
    place, kind = {ELF: (18, "<H"), MACH: (4, "<I")}.get(
        data[:4], (int.from_bytes(data[60:64], "little") + 4, "<H")
    )
    return int(struct.unpack_from(kind, data, place)[0])


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if importlib.util.find_spec("ziglang") is None:
        pytest.skip("needs ziglang")
    folder = tmp_path_factory.mktemp("programs")
    script(ROOT / "programs" / "make_programs.py").main([str(folder)])
    return folder


def test_there_are_six_and_nothing_else(programs: Path) -> None:
    expected = {
        f"pocketquery-{name}{'.exe' if name.startswith('windows') else ''}" for name in KINDS
    }

    assert {path.name for path in programs.iterdir()} == expected
    for path in sorted(programs.iterdir()):
        data = path.read_bytes()
        magic, number = KINDS[path.name.removeprefix("pocketquery-").removesuffix(".exe")]
        assert data.startswith(magic), path.name
        assert machine(data) == number, path.name
        assert len(data) < 330_000, path.name
        assert str(ROOT).encode() not in data
        assert str(programs).encode() not in data


@pytest.mark.parametrize("name", sorted(KINDS))
def test_they_come_out_the_same_again(programs: Path, name: str, tmp_path: Path) -> None:
    """In another folder, so that nothing comes from the compiler's cache."""
    module = script(ROOT / "programs" / "make_programs.py")
    module.main([str(tmp_path / "deeper" / "other"), name])

    assert (
        module.program(tmp_path / "deeper" / "other", name).read_bytes()
        == module.program(programs, name).read_bytes()
    )


def answers_are_the_packages(program: Path, emulator: tuple[str, ...] = ()) -> None:
    for path in FILES:
        for text in TEXTS[::4]:
            assert ask(program, path, text=text, emulator=emulator)[:2] == answer(path, text)
            assert ask(program, "--memory", path, text=text, emulator=emulator)[:2] == answer(
                path, text
            )


def test_linux_x64_answers(programs: Path) -> None:
    assert "INTERP" not in run("readelf", "-l", programs / "pocketquery-linux-x64").stdout
    answers_are_the_packages(programs / "pocketquery-linux-x64")


def test_linux_arm64_answers(programs: Path) -> None:
    answers_are_the_packages(programs / "pocketquery-linux-arm64", (tool("qemu-aarch64"),))


@pytest.mark.parametrize(("machine", "emulator"), [("x64", ()), ("arm64", ("qemu-aarch64",))])
def test_they_answer_from_a_disc(
    programs: Path, machine: str, emulator: tuple[str, ...], pocket: Path, tmp_path: Path
) -> None:
    """By the command that the disc's readme names."""
    disc = write([str(pocket)], tmp_path / "disc", Settings(programs=str(programs))).folder
    (tmp_path / "draft.txt").write_text(made_up(300)[11]["text"])
    (command,) = re.findall(
        rf"^    (programs/linux_{machine}/\S+) (\S+) TEXT\.txt$",
        (disc / "readme.txt").read_text(),
        re.M,
    )
    words = [*map(tool, emulator), f"./{command[0]}", command[1], tmp_path / "draft.txt"]
    done = subprocess.run(words, cwd=disc, capture_output=True, text=True, timeout=600, check=False)

    assert (done.returncode, done.stdout) == answer(pocket, (tmp_path / "draft.txt").read_bytes())
    assert done.stdout.startswith("1\t1.0000\tdoc-11\t")


def test_windows_x64_answers(programs: Path) -> None:
    wine = tool("wine")
    for path in FILES:
        for text in TEXTS[::4]:
            code, out, _ = ask(
                programs / "pocketquery-windows-x64.exe", path, text=text, emulator=(wine,)
            )
            assert (code, out.replace("\r\n", "\n")) == answer(path, text)
