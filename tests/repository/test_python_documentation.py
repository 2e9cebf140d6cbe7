"""The demo indexes the documentation of the Python that runs it."""

from __future__ import annotations

import json

from python_documentation import run_documentation


def test_the_documentation_of_a_package() -> None:
    records = {
        one["id"]: one for one in map(json.loads, run_documentation("json").stdout.splitlines())
    }

    assert "json.decoder.JSONDecoder.decode" in records
    assert "JSON" in records["json"]["text"]
    done = run_documentation("nonsense")
    assert (done.returncode, done.stdout) == (1, "")
    assert "this Python has no module 'nonsense'; check the name" in done.stderr
    assert "choose another module" in run_documentation("antigravity").stderr


def test_the_documentation_is_the_same_in_every_process_and_large() -> None:
    first, second = (run_documentation(seed=seed) for seed in "12")

    assert (first.returncode, first.stdout) == (0, second.stdout)
    records = list(map(json.loads, first.stdout.splitlines()))
    assert len(records) > 4_000
    assert all(one["id"] and one["title"] and one["text"] for one in records)
    assert " at 0x" not in first.stdout
