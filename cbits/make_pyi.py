"""Write _core.pyi: the functions, numbers and types of the headers for mypy.

python cbits/make_pyi.py
"""

from __future__ import annotations

import re
from pathlib import Path
from runpy import run_path

FOLDER = Path(__file__).parent
NAMES = {"type": "kind"}  # keywords are no names of parameters
HEAD = '''"""The compiled core; written by make_pyi.py from the headers."""

from typing import Any, Final

ffi: Any

# Pointers and arrays are objects of cffi, which have no types.
Pointer = Any
Bytes = Any

class Lib:
'''
NUMBERS = ("uint8_t", "uint16_t", "uint32_t", "uint64_t", "int32_t", "int64_t", "size_t", "int")


def meaning(declared: str) -> str:
    """Return what stands for a C type in Python."""
    words = declared.replace("const", "").split()
    if "*" in declared or "[" in declared or "(" in declared:
        text = {"char", "uint8_t", "void"} & set(re.split(r"[\s*\[\]]+", declared))
        return "Bytes" if text else "Pointer"
    if words == ["void"]:
        return "None"
    if words and words[0] == "double":
        return "float"
    return "int" if words and (words[0] in NUMBERS or words[0].endswith("_status")) else "Any"


def split(parameters: str) -> list[str]:
    """Cut parameters at commas outside brackets."""
    parts = [""]
    depth = 0
    for char in parameters:
        depth += (char == "(") - (char == ")")
        if char == "," and not depth:
            parts.append("")
        else:
            parts[-1] += char
    return [part.strip() for part in parts if part.strip() not in ("", "void")]


def stub(declarations: str) -> str:
    """Return the class of lib for these declarations."""
    text = re.sub(r"/\*.*?\*/", "", declarations, flags=re.S)
    out = ""
    for name in re.findall(r"#define (POCKET_\w+) ", text):
        out += f"    {name}: Final[int]\n"
    for body in re.findall(r"enum(?: \w+)? \{(.*?)\}", text, re.S):
        for name in re.findall(r"(POCKET_\w+)", body):
            out += f"    {name}: Final[int]\n"
    text = re.sub(r"^#define.*$", "", text, flags=re.M)
    text = re.sub(r"typedef (struct|enum)[^;{]*\{.*?\}[^;]*;", "", text, flags=re.S)
    pattern = r"([\w\s]+?[\s*]+)(pocket_\w+)\((.*?)\);"
    for result, name, parameters in re.findall(pattern, text, re.S):
        if "typedef" in result:
            continue
        result = result.split(";")[-1].split("}")[-1]
        kinds = [meaning(parameter) for parameter in split(parameters)]
        given = "".join(f", a{place}: {kind}" for place, kind in enumerate(kinds))
        after = ", /" if kinds else ""
        out += f"    def {name}(self{given}{after}) -> {meaning(result)}: ...\n"
    return out


def content() -> str:
    """Return the whole file."""
    build = run_path(str(FOLDER / "ffi_build.py"))
    declared = build["declarations"]
    text = build["statuses"]() + "".join(map(declared, build["FACES"])) + build["ASKED"]
    return HEAD + stub(text) + "\nlib: Lib\n"


if __name__ == "__main__":
    (FOLDER / "_core.pyi").write_text(content(), encoding="utf-8")
