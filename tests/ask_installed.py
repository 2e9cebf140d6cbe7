"""Build a file with the installed package and ask it: for a wheel, where no compiler is.

    python tests/ask_installed.py

Not a test module: it imports nothing of the tests, and runs without pytest.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

TEXTS = {
    "bread": "Soak the barley overnight in cold water, knead the dough with salt and honey.",
    "heron": "Volunteers counted four hundred herons along the river, twice as many as before.",
    "rail": "The railway between the two valleys was closed after an avalanche had buried it.",
}


def main() -> None:
    """Ask from Python and by the command; an AssertionError where an answer is not as it should."""
    import pocketindex
    from pocketindex.builder import build

    where = Path(pocketindex.__file__).resolve()
    assert pocketindex.spark.__name__ == "pocketindex.spark"  # which needs Spark only when asked
    assert "site-packages" in where.parts, f"not installed, but linked to a checkout: {where}"
    with tempfile.TemporaryDirectory() as folder:
        docs, pocket = Path(folder, "docs.jsonl"), Path(folder, "docs.pocket")
        lines = [json.dumps({"id": id, "title": id, "text": text}) for id, text in TEXTS.items()]
        docs.write_text("\n".join(lines) + "\n", "utf-8")
        build([str(docs)], pocket)
        with pocketindex.open(pocket) as index:
            for id, text in TEXTS.items():
                hit = index.query(text)[0]
                assert (hit.id, hit.similarity) == (id, 1.0), (hit.id, hit.similarity)
        query = Path(folder, "query.txt")
        query.write_text(TEXTS["heron"], "utf-8")
        command = [sys.executable, "-m", "pocketindex", "query", str(pocket), str(query), "--json"]
        shown = subprocess.run(command, check=True, capture_output=True, cwd=os.sep).stdout
        assert json.loads(shown.splitlines()[0])["id"] == "heron", shown
    print(f"asked: {pocketindex.__version__}, {where}")


if __name__ == "__main__":
    main()
