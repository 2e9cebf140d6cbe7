"""The examples of CommonMark: the words of the text that becomes a document beside those of the HTML
that the specification gives, by html5lib.

    npm pack commonmark-spec && tar xf commonmark-spec-*.tgz
    python bench/building/commonmark.py package/spec.txt -o bench/results/commonmark.md
                                                       (needs html5lib)

What a reader of the HTML sees: the text of all elements but script, style, template, title and
iframe, and the alternative text of images. Elements that are blocks end words.
"""

from __future__ import annotations

import argparse
import re
import time
from collections import Counter
from pathlib import Path
from typing import Any

import html5lib
from pocketindex.builder.inputs.pages.markup import markdown, markdown_text

EXAMPLE = re.compile(r"^`{32} example\n(.*?)^\.\n(.*?)^`{32}$", re.MULTILINE | re.DOTALL)
HIDDEN = {"script", "style", "template", "title", "iframe", "noembed", "noframes"}
BLOCKS = re.compile(
    r"address|article|aside|blockquote|br|caption|center|col|d[dlt]|details|dialog|dir|div|fieldset|"
    r"fig(caption|ure)|footer|form|h[1-6r]|header|legend|li|main|menu|nav|[ou]l|optgroup|option|p|pre|"
    r"section|summary|table|tbody|t[dhr]|textarea|tfoot|thead"
)
HOSTILE = {
    "opening brackets": "[" * 1_000_000,
    "opening images": "![" * 500_000,
    "marks of emphasis": "*_" * 500_000,
    "backticks": "`" * 1_000_000,
    "opening comments": "<!--" * 250_000,
    "opening CDATA": "x <![CDATA[" * 90_000,
    "lines of prose": "words and more words in a line of prose\n\n" * 25_000,
}


def seen(element: Any) -> str:
    """What a reader of an element sees, but for the text behind it."""
    if not isinstance(element.tag, str) or element.tag in HIDDEN:
        return " "
    inner = element.text or ""
    if element.tag == "img":
        inner += element.get("alt") or ""
    inner += "".join(seen(child) + (child.tail or "") for child in element)
    return f" {inner} " if BLOCKS.fullmatch(element.tag) else inner


def words(text: str) -> Counter[str]:
    return Counter(re.findall(r"\w+", text.lower()))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("spec", type=Path)
    parser.add_argument("-o", "--out", type=Path)
    options = parser.parse_args()
    spec = options.spec.read_text("utf-8").replace("→", "\t")
    examples = EXAMPLE.findall(spec)
    same = letters = missing = more = total = 0
    wrong = list[str]()
    for number, (source, page) in enumerate(examples, 1):
        expected = seen(html5lib.parse(page, namespaceHTMLElements=False))
        found = markdown_text.parsed(source.encode())[1]
        theirs, ours = words(expected), words(found)
        same += theirs == ours
        letters += expected.split() == found.split()
        total += theirs.total()
        missing += (theirs - ours).total()
        more += (ours - theirs).total()
        if theirs != ours:
            wrong.append(str(number))
    version = re.search(r"^version: '?([\d.]+)", spec, re.MULTILINE)
    lines = [
        "# Markdown to text",
        f"`{Path(__file__).name}`, the {len(examples)} examples of CommonMark {version and version[1]}, "
        f"with {total:,} words. The words of the HTML's text are counted by html5lib.",
        "",
        "| | |",
        "|---|--:|",
        f"| examples with the same words, no more and no less | {same / len(examples):.4f} |",
        f"| examples with the same characters besides white space | {letters / len(examples):.4f} |",
        f"| words missing, words more | {missing}, {more} |",
        f"| examples with other words | {', '.join(wrong) or 'none'} |",
        "",
        "Hostile texts, by `markdown.read`. A text that takes more than 5 s, and one more for each "
        "megabyte, keeps its marks, and the report says so.",
        "",
        "| many times | characters | seconds | |",
        "|---|--:|--:|---|",
    ]
    for name, source in HOSTILE.items():
        start = time.perf_counter()
        kept = markdown.read(source).problem
        seconds = time.perf_counter() - start
        lines.append(
            f"| {name} | {len(source):,} | {seconds:.1f} | {'marks kept' if kept else ''} |"
        )
    page = "\n".join(lines) + "\n"
    if options.out:
        options.out.write_text(page, "utf-8")
    print(page)


if __name__ == "__main__":
    main()
