"""Make the software bill of materials of an artefact: CycloneDX 1.6, which says what is inside of
it and under which licences.

    python data/make_sbom.py KIND [FILE]        KIND: wheel, c or npm; default: standard output

No time and no serial number is in it: the same sources give the same bytes.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
UNICODE = {
    "type": "data",
    "name": "Unicode Character Database",
    "version": "15.0.0",
    "supplier": {"name": "Unicode, Inc."},
    "licenses": [{"license": {"id": "Unicode-3.0"}}],
    "description": "folds and kinds of code points, derived from its tables",
}
PROFILES = [
    {
        "type": "data",
        "name": "wordfreq",
        "version": "3.1",
        "licenses": [{"license": {"id": "CC-BY-SA-4.0"}}],
        "description": "the profiles ff-en and ff-de, derived from its word frequencies",
    },
    {
        "type": "data",
        "name": "Wikipedia",
        "licenses": [{"license": {"id": "CC-BY-SA-4.0"}}],
        "description": "the profiles rff-en and rff-de, derived from its articles of 2021 and 2020",
    },
]
# The code around the core's functions that cffi writes when the wheel is built.
CFFI = {
    "type": "library",
    "name": "cffi",
    "licenses": [{"license": {"id": "MIT"}}],
    "purl": "pkg:pypi/cffi",
    "description": "the code that calls the core from Python, as cffi writes it",
}
# What is inside, the type of the package's url, and its licence.
KINDS: dict[str, tuple[list[dict[str, Any]], str, str]] = {
    "wheel": ([UNICODE, *PROFILES, CFFI], "pypi", "MIT AND CC-BY-SA-4.0"),
    "c": ([UNICODE], "generic", "MIT"),
    "npm": ([UNICODE], "npm", "MIT"),
}


def version() -> str:
    """Return the version of the package, from pyproject.toml."""
    text = (HERE.parent / "pyproject.toml").read_text(encoding="utf-8")
    found = re.search(r'^version = "(.+)"$', text, re.M)
    assert found
    return found[1]


def sbom(kind: str) -> str:
    """Return the bill of materials of an artefact of this kind. Raises KeyError for an unknown
    kind.
    """
    inside, url, licence = KINDS[kind]
    components = [{**one, "bom-ref": one["name"]} for one in inside]
    package = {
        "type": "library",
        "bom-ref": "pocketindex",
        "name": "pocketindex",
        "version": version(),
        "licenses": [{"expression": licence}],
        "purl": f"pkg:{url}/pocketindex@{version()}",
    }
    bill = {
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {"component": package},
        "components": components,
        "dependencies": [
            {"ref": "pocketindex", "dependsOn": [one["bom-ref"] for one in components]}
        ],
    }
    return json.dumps(bill, indent=2, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3) or sys.argv[1] not in KINDS:
        sys.exit("usage: python data/make_sbom.py wheel|c|npm [FILE]")
    text = sbom(sys.argv[1])
    if len(sys.argv) == 3:
        Path(sys.argv[2]).write_text(text, encoding="utf-8", newline="\n")
    else:
        sys.stdout.write(text)
