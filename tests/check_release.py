"""Check what is given out as a stranger would: each file of dist/ is installed or unpacked in an
empty place, and asked.

    python tests/check_release.py DIST

Prints a line a file. Exit code 1: one of them does not answer, or is not in SHA256SUMS.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import venv
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
GOLDEN = ROOT / "tests" / "golden" / "words.pocket"
WORD, DOCUMENTS = "lighthouse", 45


def run(*command: str | Path, cwd: Path, **environment: str) -> str:
    """Return what a command prints; a CalledProcessError where it fails."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    done = subprocess.run(
        list(map(str, command)),
        cwd=cwd,
        env={**clean, **environment},
        capture_output=True,
        text=True,
    )
    if done.returncode:
        sys.stderr.write(done.stdout[-2000:] + done.stderr[-4000:])
        done.check_returncode()
    return done.stdout


def fresh(folder: Path) -> Path:
    """Return the Python of a new environment that has pip alone."""
    venv.create(folder / "fresh", with_pip=True)
    return folder / "fresh" / ("Scripts" if os.name == "nt" else "bin") / "python"


def asked(python: Path, folder: Path) -> str:
    script = shutil.copy(ROOT / "tests" / "ask_installed.py", folder)
    return run(python, script, cwd=folder).split(",")[0]


def wheel(path: Path, folder: Path) -> str:
    """Installed where no compiler is."""
    python = fresh(folder)
    pip = (python, "-m", "pip", "install", "--quiet", "--only-binary", ":all:", path)
    run(*pip, cwd=folder, PATH=str(python.parent))
    run(python, "-c", "import pocketindex.cbits as c; assert not hasattr(c, '_cmph')", cwd=folder)
    return asked(python, folder)


def sdist(path: Path, folder: Path) -> str:
    """Compiled and installed by pip."""
    python = fresh(folder)
    run(python, "-m", "pip", "install", "--quiet", "--no-binary", "pocketindex", path, cwd=folder)
    return asked(python, folder)


def c_files(path: Path, folder: Path) -> str:
    """Unpacked, compiled with the program that lies beside them, and asked."""
    inside = unpacked(path, folder)
    flags = ("-std=c11", "-O1", "-Wall", "-Wextra", "-Werror")
    run("cc", *flags, "query.c", "pocket.c", "-pthread", "-o", "query", cwd=inside)
    (inside / "text").write_text("alpha beta gamma")
    shown = run(inside / "query", GOLDEN.with_name("radix.pocket"), "text", cwd=inside)
    assert shown.startswith("1\t1.0000\t"), shown
    json.loads((inside / "sbom.cdx.json").read_text(encoding="utf-8"))
    return f"compiled, asked: {len(shown.splitlines())} hits"


def site(path: Path, folder: Path) -> str:
    inside = unpacked(path, folder)
    pages = list(inside.rglob("*.html"))
    assert (inside / "index.html").is_file()
    assert len(pages) > 20
    return f"{len(pages)} pages"


def npm(path: Path, folder: Path) -> str:
    """Installed, and asked for a file on a disk."""
    (folder / "package.json").write_text('{"private": true, "type": "module"}')
    run("npm", "install", "--offline", "--no-audit", "--silent", path, cwd=folder)
    (folder / "ask.mjs").write_text(
        'import { open } from "pocketindex";\n'
        f"const index = await open({json.dumps(str(GOLDEN))});\n"
        f"const {{ hits }} = await index.search({WORD!r});\n"
        "console.log(index.documents, hits.length);\nawait index.close();\n"
    )
    documents, hits = map(int, run("node", "ask.mjs", cwd=folder).split())
    assert documents == DOCUMENTS
    assert hits > 0
    return f"installed, asked: {hits} hits"


def module(path: Path, folder: Path) -> str:
    """The core for pages opens and verifies a file."""
    script = ROOT / "tests" / "wasm" / "documents.mjs"
    shown = run("node", script, path, GOLDEN, cwd=folder).splitlines()
    assert int(shown[0]) == DOCUMENTS
    return f"{DOCUMENTS} documents read"


def bill(path: Path, folder: Path) -> str:
    found = json.loads(path.read_text(encoding="utf-8"))
    assert found["bomFormat"] == "CycloneDX"
    return f"{len(found['components'])} components"


def unpacked(path: Path, folder: Path) -> Path:
    with tarfile.open(path) as archive:
        archive.extractall(folder, filter="data")
    (inside,) = (one for one in folder.iterdir() if one.is_dir())
    return inside


def check_of(name: str) -> Callable[[Path, Path], str]:
    """Return how a file of this name is checked; a LookupError where nothing checks it."""
    if name.endswith(".whl"):
        return wheel
    if name.endswith(".cdx.json"):
        return bill
    for start, end, check in (
        ("pocketindex-docs-", ".tar.gz", site),
        ("pocketindex-", ".tar.gz", sdist),
        ("pocketindex-", ".tgz", npm),
        ("pocket-", ".tar.gz", c_files),
        ("pocket-", ".wasm", module),
    ):
        if name.startswith(start) and name.endswith(end):
            return check
    raise LookupError(f"{name}: nothing checks it")


def sums(dist: Path) -> dict[str, str]:
    lines = (dist / "SHA256SUMS").read_text(encoding="utf-8").splitlines()
    return {name.strip(" *"): digest for digest, name in (line.split(" ", 1) for line in lines)}


def main() -> int:
    if len(sys.argv) != 2:
        sys.exit("usage: python tests/check_release.py DIST")
    dist = Path(sys.argv[1]).resolve()
    known = sums(dist)
    names = sorted(path.name for path in dist.iterdir() if path.name != "SHA256SUMS")
    failed = sorted(set(known) ^ set(names))
    for name in failed:
        print(f"{name}: is in only one of {dist.name} and SHA256SUMS")
    for name in names:
        path = dist / name
        try:
            assert hashlib.sha256(path.read_bytes()).hexdigest() == known.get(name), (
                "another checksum"
            )
            with tempfile.TemporaryDirectory() as folder:
                said = check_of(name)(path, Path(folder))
        except (
            AssertionError,
            LookupError,
            OSError,
            ValueError,
            subprocess.CalledProcessError,
        ) as error:
            failed.append(name)
            said = f"FAILED: {error or type(error).__name__}"
        print(f"{path.stat().st_size:>10,}  {name}: {said}", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
