"""Build examples/query.c as stand-alone programs for six machines, cross-compiled by the pinned
ziglang.

    make programs                                          all of them, in build/programs/
    python programs/make_programs.py FOLDER linux-x64      some of them

Each holds all that it needs: on Linux it is static, on Windows and macOS it asks for the system's
own libraries. The same sources give the same bytes.
"""

from __future__ import annotations

import os
import runpy
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TARGETS = {
    "linux-x64": "x86_64-linux-musl",
    "linux-arm64": "aarch64-linux-musl",
    "macos-x64": "x86_64-macos",
    "macos-arm64": "aarch64-macos",
    "windows-x64": "x86_64-windows-gnu",
    "windows-arm64": "aarch64-windows-gnu",
}
# POCKET_PORTABLE: zig's run-time library does not know which instructions a processor has.
FLAGS = ["-std=c11", "-Os", "-s", "-DPOCKET_PORTABLE"]
# Arguments and names of files are UTF-8 there too (Windows 10 of 2019 and later).
WINDOWS = ["programs/pocketquery.rc"]


def program(folder: Path, target: str) -> Path:
    """Where the program for a target of TARGETS is."""
    return folder / f"pocketquery-{target}{'.exe' if target.startswith('windows') else ''}"


def build(folder: Path, target: str) -> Path:
    """Compile for one of TARGETS; pocket.c and pocket.h are in folder already.

    A SystemExit has the compiler's words.
    """
    out = program(folder, target)
    # Paths from the root alone: none of this machine gets into a program.
    sources = ["examples/query.c", os.path.relpath(folder / "pocket.c", ROOT)]
    command = [
        sys.executable,
        "-m",
        "ziglang",
        "cc",
        "-target",
        TARGETS[target],
        *FLAGS,
        f"-I{os.path.relpath(folder, ROOT)}",
        *sources,
    ]
    command += WINDOWS if target.startswith("windows") else []
    done = subprocess.run(
        [*command, "-o", str(out.resolve())], cwd=ROOT, capture_output=True, text=True
    )
    if done.returncode:
        sys.exit(f"{out.name} was not built:\n{done.stderr}")
    for extra in out.parent.glob(f"{out.stem}.*"):
        if extra != out:
            extra.unlink()  # a file of symbols for a debugger
    return out


def main(arguments: list[str]) -> None:
    if not arguments or not set(arguments[1:]) <= set(TARGETS):
        sys.exit(f"usage: python programs/make_programs.py FOLDER [{' | '.join(TARGETS)} ...]")
    folder = Path(arguments[0])
    runpy.run_path(str(ROOT / "cbits" / "amalgamate.py"))["write"](folder)
    for target in arguments[1:] or TARGETS:
        out = build(folder, target)
        print(f"{out.stat().st_size:>9,}  {out}", flush=True)
    for name in ("pocket.c", "pocket.h"):
        (folder / name).unlink()


if __name__ == "__main__":
    main(sys.argv[1:])
