"""HTML to text: which of the words that a person sees are in the text, how much navigation is, and the time.

    pages.py PACKAGE... [--apart PACKAGE...] [--most 200] [-o pages.md]

PACKAGE: folders of unpacked packages (apt-get download, dpkg -x), each with pages of HTML, of which so
many are drawn by chance, or all with :all behind the name. The rules
of navigation were chosen on the first ones, and not changed after those behind --apart were measured.

Visible words: lxml's text of body, without script, style, template, title, hidden elements and
navigation; words are runs of letters and digits, and blocks separate them. Navigation: nav,
role=navigation, a header or footer of the page, and elements with a whole class or id of the
product's list, whatever else they are, but for those that hold main or article, and a header with an h1. A page that has
nothing else is taken as a whole.

kept: the share of the visible words that is in the text, as often as on the page; let in: the share
of the words of a text that is not visible in this sense.
"""

import argparse
import collections
import random
import re
import time
from pathlib import Path

import lxml.html
from pocketindex.builder.inputs.pages import html
from pocketindex.builder.inputs.pages.navigation import NAVIGATION
from resiliparse.extract.html2text import extract_plain_text
from resiliparse.parse.html import HTMLTree

try:
    from selectolax.lexbor import LexborHTMLParser
except ImportError:
    LexborHTMLParser = None

WORD = re.compile(r"\w+")
INLINE = frozenset(
    [
        "a",
        "abbr",
        "acronym",
        "b",
        "bdi",
        "bdo",
        "big",
        "cite",
        "code",
        "data",
        "del",
        "dfn",
        "em",
        "font",
        "i",
        "ins",
        "kbd",
        "label",
        "mark",
        "q",
        "ruby",
        "rb",
        "rt",
        "rp",
        "s",
        "samp",
        "small",
        "span",
        "strike",
        "strong",
        "sub",
        "sup",
        "tt",
        "u",
        "var",
        "wbr",
        "time",
    ]
)
HIDDEN = re.compile(r"(?:display:\s?none|visibility:\s?hidden)", re.IGNORECASE)


def pages_of(folder, most):
    """Return different pages of a package, drawn by chance."""
    files = {
        path.resolve()
        for path in Path(folder).rglob("*")
        if path.suffix.lower() in (".html", ".htm", ".xhtml") and path.is_file()
    }
    files = sorted(files)
    random.Random(49).shuffle(files)
    contents = (path.read_bytes() for path in files[:most])
    return [content for content in contents if b"<body" in content.lower()]


def words(element):
    """Return the words of an element, each piece of text between two blocks by itself."""
    pieces = [element.text or ""]

    def visit(one):
        for child in one:
            edge = "" if child.tag in INLINE or not isinstance(child.tag, str) else " "
            pieces.append(edge)
            if isinstance(child.tag, str):
                pieces.append(child.text or "")
                visit(child)
            pieces.append(edge + (child.tail or ""))

    visit(element)
    return collections.Counter(WORD.findall("".join(pieces).lower().replace("\xad", "")))


def is_navigation(one):
    role = (one.get("role") or "").lower()
    if one.tag in ("html", "body", "main", "article"):
        return False
    if one.tag == "nav" or role == "navigation":
        return True
    if one.tag in ("header", "footer") or role in ("banner", "contentinfo"):
        return not any(
            parent.tag in ("article", "main", "section", "aside") for parent in one.iterancestors()
        )
    names = {
        name.lower() for name in f"{one.get('class') or ''} {one.get('id') or ''}".split()
    } & NAVIGATION
    if names == {"header"} and one.find(".//h1") is not None:
        return False
    return bool(names) and one.find(".//main") is None and one.find(".//article") is None


def visible(content):
    """Return the words that are seen on a page, without navigation and with it."""
    source, _ = html.decoded(content, "page")
    source = re.sub(r"^\s*<\?xml[^>]*\?>", "", source)
    page = lxml.html.document_fromstring(source, parser=lxml.html.HTMLParser(huge_tree=True))
    body = page.find("body")
    if body is None:
        return collections.Counter(), collections.Counter()
    for one in list(body.iter(lxml.etree.Element)):
        if one.tag in ("script", "style", "template", "title") or (
            one is not body
            and (one.get("hidden") is not None or HIDDEN.search(one.get("style") or ""))
        ):
            one.drop_tree()
    everything = words(body)
    for one in [one for one in body.iter(lxml.etree.Element) if is_navigation(one)]:
        if one.getparent() is not None:
            one.drop_tree()
    return words(body) or everything, everything


def by_product(content):
    return html.parsed(content, "page")[1]


def by_main_text(content):
    return extract_plain_text(
        HTMLTree.parse(html.decoded(content, "page")[0]),
        main_content=True,
        preserve_formatting=False,
        list_bullets=False,
    )


def by_whole_page(content):
    return extract_plain_text(
        HTMLTree.parse(html.decoded(content, "page")[0]),
        main_content=False,
        preserve_formatting=False,
        list_bullets=False,
    )


def by_lxml(content):
    page = lxml.html.document_fromstring(content)
    for one in list(page.iter("script", "style", "head")):
        one.drop_tree()
    return " ".join(page.itertext())


def by_selectolax(content):
    page = LexborHTMLParser(html.decoded(content, "page")[0])
    page.strip_tags(["script", "style", "head"], recursive=True)
    return page.root.text(separator=" ")


WAYS = {
    "pocketindex": by_product,
    "resiliparse, main text": by_main_text,
    "resiliparse, whole page": by_whole_page,
    "lxml, whole page": by_lxml,
    **({"selectolax, whole page": by_selectolax} if LexborHTMLParser else {}),
}
HOSTILE = {
    "200,000 `div` in each other": b"<div>" * 200_000 + b"words",
    "50,000 `article` in each other": b"<article>" * 50_000 + b"words",
    "30,000 attributes": b"<p "
    + b" ".join(b"a%d=1" % number for number in range(30_000))
    + b">words",
    "300,000 open comments": b"<!--" * 300_000,
}


class Sums:
    """Of one way, over pages."""

    def __init__(self):
        self.visible = self.kept = self.text = self.let_in = self.seconds = self.much = 0

    def add(self, text, seen, seconds):
        found = collections.Counter(WORD.findall(text.lower()))
        total, kept, size = seen.total(), (found & seen).total(), found.total()
        self.visible, self.kept, self.text = (
            self.visible + total,
            self.kept + kept,
            self.text + size,
        )
        self.let_in, self.seconds = self.let_in + size - kept, self.seconds + seconds
        self.much += 5 * (total - kept) > total
        return self


def measure(packages, most):
    """Return sums by package and way, and the pages of each package."""
    table, counts, shares = {}, {}, {}
    for folder in packages:
        name, pages = (
            Path(folder).name,
            pages_of(folder.removesuffix(":all"), 1 << 20 if folder.endswith(":all") else most),
        )
        name = name.removesuffix(":all")
        sums = table[name] = {way: Sums() for way in WAYS}
        counts[name] = len(pages)
        navigation = everything_ = 0
        for content in pages:
            seen, everything = visible(content)
            navigation, everything_ = (
                navigation + everything.total() - seen.total(),
                everything_ + everything.total(),
            )
            for way, call in WAYS.items():
                times = []
                for _ in range(2):
                    begin = time.process_time()
                    text = call(content)
                    times.append(time.process_time() - begin)
                sums[way].add(text, seen, min(times))
        shares[name] = navigation / max(everything_, 1)
        print(
            name,
            counts[name],
            {
                way: (
                    round(one.kept / one.visible, 4),
                    round(one.let_in / one.text, 4),
                    round(one.seconds, 2),
                )
                for way, one in sums.items()
            },
            flush=True,
        )
    return table, counts, shares


def rows(table, counts, shares):
    base = "resiliparse, main text"
    lines = [
        "| package | pages | navigation | way | kept | let in | pages that lose more than a fifth | time |",
        "|---|--:|--:|---|--:|--:|--:|--:|",
    ]
    for name, sums in table.items():
        for way, one in sums.items():
            lines.append(
                f"| {name} | {counts[name]:,} | {shares[name]:.3f} | {way} | {one.kept / one.visible:.4f} | {one.let_in / one.text:.4f} | {one.much} | {one.seconds / sums[base].seconds:.2f} |"
            )
    total = {
        way: [
            sum(getattr(sums[way], part) for sums in table.values())
            for part in ("kept", "visible", "let_in", "text", "much", "seconds")
        ]
        for way in WAYS
    }
    for way, (kept, seen, let_in, text, much, seconds) in total.items():
        lines.append(
            f"| **all** | {sum(counts.values()):,} | | {way} | {kept / seen:.4f} | {let_in / text:.4f} | {much} | {seconds / total[base][5]:.2f} |"
        )
    return lines


def hostile():
    import subprocess
    import sys

    lines = ["| page | " + " | ".join(WAYS) + " |", "|---|" + "--:|" * len(WAYS)]
    for name, content in HOSTILE.items():
        cells = []
        for way in WAYS:
            program = f"import sys, time; sys.path.insert(0, {str(Path(__file__).parent)!r}); import pages; c = sys.stdin.buffer.read(); b = time.time(); t = pages.WAYS[{way!r}](c); print(f'{{time.time() - b:.2f}} s' + (', no text' if 'words' not in t and b'words' in c else ''))"
            try:
                done = subprocess.run(
                    [sys.executable, "-c", program], input=content, capture_output=True, timeout=20
                )
                cells.append(done.stdout.decode().strip() or "crash")
            except subprocess.TimeoutExpired:
                cells.append("> 20 s")
        lines.append(f"| {name} | " + " | ".join(cells) + " |")
    return lines


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("packages", nargs="+")
    parser.add_argument("--apart", nargs="*", default=[])
    parser.add_argument("--most", type=int, default=200)
    parser.add_argument("-o", "--output")
    options = parser.parse_args()
    lines = ["# HTML to text", "", *__doc__.strip().split("\n\n", 2)[2].split("\n"), ""]
    lines += [
        "## Packages that the rules were chosen on",
        "",
        *rows(*measure(options.packages, options.most)),
        "",
    ]
    if options.apart:
        lines += [
            "## Packages that were kept apart",
            "",
            *rows(*measure(options.apart, options.most)),
            "",
        ]
    lines += [
        "## Pages made to be costly",
        "",
        "Each in a process of its own, without the limits of a build.",
        "",
        *hostile(),
    ]
    text = "\n".join(lines) + "\n"
    if options.output:
        Path(options.output).write_text(text)
    print(text)


if __name__ == "__main__":
    main()
