"""How many branches of the reading half the harnesses take: the fuzzer's corpus, vectors, calls
that fail, mapped files that are cut.
"""

from __future__ import annotations

import json
import os
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import places
import pytest
from compiled import CORE, HARNESSES, core_file
from core_sources import reading_half, run, tool
from fuzz_seeds import CORPUS, LITTLE
from make_corpus import write_seeds
from test_map import SCENARIOS
from test_traced import written
from vectors import questions

FLOOR = 94  # which registers the processor has decides about half of one
GOLDEN = sorted((places.GOLDEN).glob("*.pocket"))
# Counters lie in the file from the start, so that a process that ends by a signal has counted, too.
COUNTED = (
    "-fprofile-instr-generate",
    "-fcoverage-mapping",
    "-mllvm",
    "-runtime-counter-relocation",
)
FLAGS = (
    "-std=c11",
    "-D_POSIX_C_SOURCE=200809L",
    "-O0",
    "-g0",
    "-pthread",
    "-Werror=int-conversion",
    f"-I{CORE}",
    *LITTLE,
    *COUNTED,
)
BUILDING = (
    "hashes.c",
    "sketch_many.c",
    "pack_records.c",
    "learn_symbols.c",
    "part_build.c",
    "pilot_build.c",
    "nearest_cells.c",
    "count_terms.c",
    "terms_write.c",
)
FEW = (
    "titles",
    "text",
    "passages",
    "words",
    "labels",
    "rff-cells",
    "rff-searched",
    "filtered",
    "wminhash",
    "plsh-sum",
    "radix",
)

Arguments = list[list[str | Path]]


def clang(*parts: str | Path, folder: Path) -> None:
    done = subprocess.run(
        [tool("clang"), *FLAGS, *map(str, parts)], capture_output=True, text=True, cwd=folder
    )
    if "libclang_rt." in done.stderr and done.returncode:
        pytest.skip("needs clang with its run-time library")
    assert done.returncode == 0, done.stderr[:4000]


def objects(folder: Path, name: str, sources: list[Path], *flags: str) -> dict[str, Path]:
    """What C files are compiled to, by their names."""
    inside = folder / name
    inside.mkdir()
    clang("-c", *flags, *sources, folder=inside)
    return {source.name: inside / f"{source.stem}.o" for source in sources}


def programs(folder: Path) -> dict[str, tuple[Path, Arguments]]:
    """Each with the arguments of its runs."""
    cases = folder / "cases"
    mapped = folder / "mapped"
    seeds = folder / "seeds"
    cases.write_text(questions())
    mapped.mkdir()
    files, texts, count = written(folder)
    write_seeds(seeds)
    core = reading_half(mapping=False)
    failing = ("-Dmalloc=failing_malloc", "-include", "stdlib.h")
    made: list[tuple[str, list[Path], tuple[str, ...]]] = [
        (
            "core",
            [
                *core,
                core_file("map.c"),
                core_file("open_path.c"),
                *(core_file(name) for name in BUILDING),
            ],
            (),
        ),
        (
            "slow",
            [core_file("hamming.c"), core_file("cell_scores.c"), core_file("registers.c")],
            ("-DCOUNTING_MOST=COUNTING_ARITHMETIC", "-DREGISTERS_MOST=REGISTERS_NONE"),
        ),
        ("failing", core, failing),
    ]
    with ThreadPoolExecutor(os.cpu_count()) as threads:
        all, slow, hungry = (
            made.result()
            for made in [
                threads.submit(objects, folder, name, sources, *flags)
                for name, sources, flags in made
            ]
        )
    own = [all[path.name] for path in core]
    building = [all[name] for name in BUILDING]
    corpus: Arguments = [[*sorted(CORPUS.iterdir()), *GOLDEN, *sorted(seeds.iterdir())]]
    few: Arguments = [[path] for path in GOLDEN if path.stem in FEW]
    scenarios: Arguments = [[name, mapped] for name in SCENARIOS if name != "cost"]
    linked: dict[str, tuple[tuple[str, ...], list[Path], Arguments]] = {
        "replay": (("fuzz.c", "replay.c"), own, corpus),
        "slow": (("fuzz.c", "replay.c"), [*({**all, **slow}[path.name] for path in core)], corpus),
        "exhausted": (("exhausted.c",), [*hungry.values()], few),
        "opened": (("opened.c", "faults.c"), [*own, all["map.c"], all["open_path.c"]], few),
        "answers": (("answers.c",), own, [[cases]]),
        "pieces": (("pieces.c",), own, [[cases]]),
        "traced": (("traced.c",), own, [[file, texts, str(count)] for file in files]),
        "sketched": (("sketched.c",), [*own, *building], [[path] for path in GOLDEN]),
        "mutate_part": (
            ("mutate_part.c",),
            [
                all[name]
                for name in (
                    "part.c",
                    "part_build.c",
                    "pilot.c",
                    "pilot_build.c",
                    "quotient.c",
                    "hash.c",
                )
            ],
            [["2000", "1"]],
        ),
        "test_map": (
            ("test_map.c",),
            [all["map.c"], all["open_path.c"], all["options.c"]],
            scenarios,
        ),
    }
    for name, (harness, parts, _) in linked.items():
        flags = failing if name == "exhausted" else ()
        clang(
            *flags,
            "-o",
            folder / f"{name}.out",
            *(HARNESSES / one for one in harness),
            *parts,
            "-ldl",
            folder=folder,
        )
    return {name: (folder / f"{name}.out", arguments) for name, (_, _, arguments) in linked.items()}


def missed(folder: Path, found: list[Path]) -> tuple[list[tuple[str, int, int]], list[str]]:
    """Of each file its branches and how many were taken; and the others, with the line."""
    objects = [part for path in found[1:] for part in ("-object", str(path))]
    counts = ["-instr-profile", str(folder / "all")]
    command = [tool("llvm-cov"), "export", str(found[0]), *objects, *counts]
    whole = json.loads(subprocess.run(command, capture_output=True, check=True, text=True).stdout)
    rows, lines = [], []
    names = {path.name for path in reading_half()}
    for file in whole["data"][0]["files"]:
        path = Path(file["filename"])
        if CORE.resolve() not in path.resolve().parents or (
            path.suffix == ".c" and path.name not in names
        ):
            continue
        branches = file["summary"]["branches"]
        if branches["count"]:
            rows.append((path.name, branches["count"], branches["covered"]))
        source = path.read_text(encoding="utf-8").split("\n")
        taken: dict[tuple[int, ...], list[int]] = {}
        for branch in file["branches"]:
            both = taken.setdefault(tuple(branch[:4]), [0, 0])
            both[0], both[1] = both[0] + branch[4], both[1] + branch[5]
        for (line, column, _, end), (true, false) in sorted(taken.items()):
            if not (true and false):
                which = (
                    "neither"
                    if not true and not false
                    else "never true"
                    if not true
                    else "never false"
                )
                lines.append(
                    f"{path.name}:{line}: {which}: {source[line - 1][column - 1 : end - 1]}"
                )
    return sorted(rows), lines


@pytest.mark.slow
def test_branches_of_the_reading_half(tmp_path: Path) -> None:
    tool("llvm-profdata")
    found = programs(tmp_path)
    for name, (path, arguments) in found.items():
        for number, own in enumerate(arguments):
            os.environ["LLVM_PROFILE_FILE"] = f"{tmp_path}/{name}-{number}.profraw%c"
            done = run(path, *own, timeout=300)
            assert done.returncode == 0 or name == "test_map", (name, own, done.stderr[-2000:])
    del os.environ["LLVM_PROFILE_FILE"]
    raw = sorted(tmp_path.glob("*.profraw*"))
    subprocess.run(
        [tool("llvm-profdata"), "merge", "-o", str(tmp_path / "all"), *map(str, raw)], check=True
    )
    rows, lines = missed(tmp_path, [path for path, _ in found.values()])
    count, covered = sum(row[1] for row in rows), sum(row[2] for row in rows)
    table = "\n".join(
        f"{name:18} {all:5} {took:5} {100 * took / all:6.1f} %"
        for name, all, took in [*rows, ("all", count, covered)]
    )
    print("\n".join(lines), f"{'file':18} {'branches':>5} {'taken':>5}", table, sep="\n")
    if os.environ.get("POCKETINDEX_BRANCHES"):
        Path(os.environ["POCKETINDEX_BRANCHES"]).write_text(
            table + "\n\n" + "\n".join(lines) + "\n", encoding="utf-8"
        )

    assert 100 * covered >= FLOOR * count, table
