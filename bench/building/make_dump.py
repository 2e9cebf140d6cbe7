"""A dump of a MediaWiki of any size, from texts with wikitext put around them: what to measure on
where no real dump is at hand.

    python bench/building/make_dump.py wiki_simple.jsonl.zst -o madewiki-pages-articles-multistream.xml.bz2 --megabytes 300

The name says the packing: "multistream" with .bz2 is a stream for each hundred pages and an index
beside; .bz2 one stream; .xml plain. About half of a page's bytes are markup, as in Wikipedia; a
fifth of the pages are redirects, of other name spaces or empty. The same texts and seed give the
same bytes.
"""

from __future__ import annotations

import argparse
import bz2
import random
import re
import sys
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

sys.path.insert(0, str(Path(__file__).parents[1] / "measuring"))

from truth import read

HEAD = """<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.11/" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="http://www.mediawiki.org/xml/export-0.11/ http://www.mediawiki.org/xml/export-0.11.xsd" version="0.11" xml:lang="en">
  <siteinfo>
    <sitename>Madewiki</sitename>
    <dbname>madewiki</dbname>
    <base>https://made.example.org/wiki/Main_Page</base>
    <generator>bench/building/make_dump.py</generator>
    <case>first-letter</case>
    <namespaces>
      <namespace key="0" case="first-letter" />
      <namespace key="1" case="first-letter">Talk</namespace>
      <namespace key="6" case="first-letter">File</namespace>
      <namespace key="10" case="first-letter">Template</namespace>
      <namespace key="14" case="first-letter">Category</namespace>
    </namespaces>
  </siteinfo>
"""
TAIL = "</mediawiki>\n"
STREAM_PAGES = 100

_SENTENCE = re.compile(r"(?<=[.!?])\s+")
_INFOBOX = [
    "name",
    "image",
    "caption",
    "birth_date",
    "birth_place",
    "population",
    "area_km2",
    "established",
    "coordinates",
    "website",
    "leader_name",
    "elevation_m",
    "timezone",
    "genre",
]


class Writer:
    """Puts markup around texts; titles: what links may lead to."""

    def __init__(self, titles: list[str], seed: int) -> None:
        self.titles, self.draw = titles, random.Random(seed)

    def page(self, title: str, text: str) -> str:
        """The wikitext of an article."""
        draw = self.draw
        self.refs = 0
        blocks = [self.infobox(title)] if draw.random() < 0.5 else []
        if draw.random() < 0.2:
            blocks.insert(0, "{{Use dmy dates|date=May 2020}}\n{{short description|" + title + "}}")
        paragraphs = [p for p in text.split("\n") if p.strip()]
        for i, paragraph in enumerate(paragraphs):
            if i and draw.random() < 0.3:
                blocks.append(self.heading(paragraph))
            if draw.random() < 0.15:
                blocks.append(self.file(paragraph))
            blocks.append(self.block(paragraph))
            if draw.random() < 0.06:
                blocks.append(self.table(paragraph))
        if blocks and paragraphs and draw.random() < 0.9:
            first = next(
                (
                    i
                    for i, block in enumerate(blocks)
                    if title in block and not block.startswith("{{")
                ),
                None,
            )
            if first is not None:
                blocks[first] = blocks[first].replace(title, f"'''{title}'''", 1)
        blocks += self.ending(title)
        return "\n\n".join(blocks)

    def words(self, text: str, most: int) -> str:
        words = text.replace("|", " ").replace("]", " ").replace("}", " ").split()
        at = self.draw.randrange(max(1, len(words) - most))
        return " ".join(words[at : at + self.draw.randint(1, most)])

    def infobox(self, title: str) -> str:
        draw = self.draw
        rows = [
            f"| {name:<14} = {self.value()}"
            for name in draw.sample(_INFOBOX, draw.randint(4, len(_INFOBOX)))
        ]
        return "{{Infobox settlement\n| name           = " + title + "\n" + "\n".join(rows) + "\n}}"

    def value(self) -> str:
        draw = self.draw
        return draw.choice(
            [
                str(draw.randrange(1, 10**6)),
                f"[[{draw.choice(self.titles)}]]",
                "{{birth date and age|"
                + f"{draw.randrange(1900, 2010)}|{draw.randrange(1, 13)}|{draw.randrange(1, 28)}"
                + "}}",
                f"{{{{convert|{draw.randrange(1000)}|m|ft|abbr=on}}}}<ref>{self.cite()}</ref>",
                f"[https://example.org/{draw.randrange(10**6)} Site]",
                "{{plainlist|\n* one\n* {{flag|X}} two\n}}",
            ]
        )

    def cite(self) -> str:
        draw = self.draw
        kind, name = draw.choice(["web", "news", "book", "journal"]), draw.choice(self.titles)
        return (
            f"{{{{cite {kind}|url=https://www.example.org/{draw.randrange(10**9)}/{name.replace(' ', '-')[:40]}.html |title={name} |last=Miller"
            f" |first=A. |date={draw.randrange(1, 28)} May {draw.randrange(1990, 2024)} |publisher=[[The Paper]] |access-date=2020-05-0{draw.randrange(1, 9)}}}}}"
        )

    def ref(self) -> str:
        draw = self.draw
        self.refs += 1
        chance = draw.random()
        if chance < 0.15:
            return f'<ref name="n{draw.randrange(9)}" />'
        if chance < 0.3:
            return f"<ref>Miller, ''{draw.choice(self.titles)}'', p. {draw.randrange(400)}.</ref>"
        if chance < 0.4:
            return f"<ref>[http://example.org/{draw.randrange(10**6)} {draw.choice(self.titles)}], retrieved 2019</ref>"
        name = f' name="n{draw.randrange(9)}"' if draw.random() < 0.3 else ""
        return f"<ref{name}>{self.cite()}</ref>"

    def heading(self, paragraph: str) -> str:
        marks = "=" * self.draw.choice([2, 2, 3])
        main = f"\n{{{{main|{self.draw.choice(self.titles)}}}}}" if self.draw.random() < 0.2 else ""
        return f"{marks} {self.words(paragraph, 3)} {marks}{main}"

    def file(self, paragraph: str) -> str:
        draw = self.draw
        caption = f"{self.words(paragraph, 9)} ''[[{draw.choice(self.titles)}|{self.words(paragraph, 2)}]]''"
        if draw.random() < 0.1:
            return f'<gallery mode="packed">\nFile:A b.jpg|{self.words(paragraph, 5)} one\nFile:C.png|{caption}\n</gallery>'
        options = draw.sample(
            ["left", "200px", "upright=1.2", "alt=A view of it", "border"], draw.randrange(3)
        )
        return (
            "[["
            + "|".join(
                [
                    draw.choice(["File", "Image"]) + f":Picture {draw.randrange(999)}.jpg",
                    "thumb",
                    *options,
                    caption,
                ]
            )
            + "]]"
        )

    def table(self, paragraph: str) -> str:
        draw, width = self.draw, self.draw.randint(2, 5)
        lines = [
            '{| class="wikitable sortable" style="text-align: right"',
            f"|+ {self.words(paragraph, 4)}",
            "|-",
        ]
        lines.append(
            "! " + " !! ".join(f'scope="col" | {self.words(paragraph, 2)}' for _ in range(width))
        )
        for _ in range(draw.randint(2, 8)):
            lines.append(draw.choice(["|-", '|- style="background: #eee"']))
            cells = [
                draw.choice(
                    [
                        str(draw.randrange(9999)),
                        self.words(paragraph, 2),
                        f"[[{draw.choice(self.titles)}]]",
                    ]
                )
                for _ in range(width)
            ]
            lines += (
                ["| " + " || ".join(cells)]
                if draw.random() < 0.7
                else [f"| {cell}" for cell in cells]
            )
        return "\n".join([*lines, "|}"])

    def block(self, paragraph: str) -> str:
        draw = self.draw
        text = " ".join(self.sentence(s) for s in _SENTENCE.split(paragraph.strip()))
        chance = draw.random()
        if chance < 0.06:
            return "\n".join(draw.choice(["* ", "# ", ": "]) + s for s in _SENTENCE.split(text))
        if chance < 0.08:
            return f"<blockquote>{text}</blockquote>"
        if chance < 0.1:
            return f'<div class="x" style="clear: both">\n{text}\n</div>'
        if chance < 0.11:
            return f"{text}<br />\n<math>\\sum_{{i=1}}^n x_{{{draw.randrange(9)}}}</math> <nowiki>[[{self.words(paragraph, 2)}]]</nowiki>"
        return text

    def sentence(self, sentence: str) -> str:
        draw = self.draw
        words = sentence.split(" ")
        for i, word in enumerate(words):
            chance = draw.random()
            if word[:1].isupper() and word.isalpha() and chance < 0.15:
                words[i] = (
                    f"[[{draw.choice(self.titles)}|{word}]]" if chance < 0.07 else f"[[{word}]]"
                )
            elif chance < 0.03 and word.isalpha():
                words[i] = (
                    f"[[{draw.choice(self.titles)}#Part|{word}]]"
                    if chance < 0.015
                    else f"[[{word}]]s"
                )
            elif chance < 0.04 and word.isalpha():
                words[i] = f"''{word}''" if chance < 0.038 else f"'''''{word}'''''"
            elif chance < 0.045 and word.isdigit():
                words[i] = f"{{{{formatnum:{word}}}}}"
            elif chance < 0.047:
                words[i] = f"{word}<sup>{draw.randrange(9)}</sup>"
            elif chance < 0.05:
                words[i] = f"<small>{word}</small>"
            elif chance < 0.055:
                words[i] = (
                    word
                    + "&nbsp;"
                    + draw.choice(["&ndash;", "&mdash;", "&amp;", "&eacute;", "&#8364;"])
                )
            elif chance < 0.056:
                words[i] = f"{word}<!-- check [[this]] {{{{later}}}} -->"
            elif chance < 0.057:
                words[i] = f"[https://example.org/{draw.randrange(10**6)} {word}]"
        text = " ".join(words)
        chance = draw.random()
        if chance < 0.25:
            text += self.ref() if chance < 0.2 else self.ref() + self.ref()
        elif chance < 0.28:
            text += draw.choice(
                [
                    "{{citation needed|date=May 2020}}",
                    "{{sfn|Miller|2001|p=4}}",
                    "{{Efn|A note with {{nbsp}} and [[links]].}}",
                ]
            )
        return text

    def ending(self, title: str) -> list[str]:
        draw, blocks = self.draw, []
        if self.refs:
            blocks.append(
                "== References ==\n"
                + draw.choice(["{{reflist|30em}}", "<references />", "{{Reflist}}"])
            )
        if draw.random() < 0.3:
            blocks.append(
                f"== External links ==\n* [http://www.example.org/{draw.randrange(10**6)} {title}]\n* {{{{official website}}}}"
            )
        blocks.append(
            "{{"
            + draw.choice(self.titles).replace("|", " ")
            + " navbox}}\n\n{{DEFAULTSORT:"
            + title
            + "}}"
        )
        blocks.append(
            "\n".join(f"[[Category:{draw.choice(self.titles)}]]" for _ in range(draw.randint(1, 5)))
        )
        return blocks


def pages(documents: list[dict[str, Any]], seed: int) -> Iterator[str]:
    """Pages without end: the documents again and again, with other markup each time."""
    titles = [re.sub(r"[\[\]{}|<>#\n]", " ", d["title"]).strip() or "Page" for d in documents]
    writer = Writer(titles, seed)
    draw = random.Random(seed + 1)
    id = 0
    copy = 0
    while True:
        for document, title in zip(documents, titles, strict=True):
            chance, id = draw.random(), id + draw.randint(1, 3)
            name = f"{title} ({copy})" if copy else title
            if chance < 0.1:
                yield page_xml(
                    id, f"To {name}", 0, f"#REDIRECT [[{name}]]\n\n{{{{R from move}}}}", name
                )
            elif chance < 0.15:
                yield page_xml(
                    id,
                    f"Talk:{name}",
                    1,
                    f"== Question ==\nIs this so? ~~~~ {document['text'][:300]}",
                )
            elif chance < 0.19:
                yield page_xml(id, f"Template:{name}", 10, "<includeonly>{{{1|}}}</includeonly>")
            elif chance < 0.2:
                yield page_xml(id, f"Empty {name}", 0, "{{delete}}\n")
            id += 1
            yield page_xml(id, name, 0, writer.page(title, document["text"]))
        copy += 1


def page_xml(id: int, title: str, space: int, wikitext: str, redirect: str = "") -> str:
    stamp = (datetime(2020, 1, 1) + timedelta(seconds=id * 37 % 10**8)).isoformat() + "Z"
    leads = (
        f'\n    <redirect title="{escape(redirect, {chr(34): "&quot;"})}" />' if redirect else ""
    )
    text = escape("".join(c for c in wikitext if c >= " " or c in "\n\t"), {'"': "&quot;"})
    return f"""  <page>
    <title>{escape(title)}</title>
    <ns>{space}</ns>
    <id>{id}</id>{leads}
    <revision>
      <id>{id * 7}</id>
      <parentid>{id * 7 - 3}</parentid>
      <timestamp>{stamp}</timestamp>
      <contributor>
        <username>Writer {id % 97}</username>
        <id>{id % 97}</id>
      </contributor>
      <comment>/* {escape(title)} */ words</comment>
      <origin>{id * 7}</origin>
      <model>wikitext</model>
      <format>text/x-wiki</format>
      <text bytes="{len(wikitext.encode())}" sha1="{id:031d}" xml:space="preserve">{text}</text>
      <sha1>{id:031d}</sha1>
    </revision>
  </page>
"""


def write(documents: list[dict[str, Any]], path: Path, size: int, seed: int = 7) -> int:
    """A dump of at least `size` bytes of XML at `path`; gives its number of pages."""
    source = pages(documents, seed)
    written = len(HEAD) + len(TAIL)
    count = 0
    streams, lines = "multistream" in path.name and path.suffix == ".bz2", []
    pack = bz2.compress if streams else bytes
    one = bz2.BZ2Compressor() if path.suffix == ".bz2" and not streams else None

    def packed(text: str) -> bytes:
        return one.compress(text.encode()) if one else pack(text.encode())

    with path.open("wb") as out:
        out.write(packed(HEAD))
        while written < size:
            batch = [next(source) for _ in range(STREAM_PAGES)]
            for page in batch:
                id = re.search(r"<id>(\d+)</id>", page)
                title = re.search(r"<title>(.*)</title>", page)
                assert id is not None
                assert title is not None
                lines.append(f"{out.tell()}:{id[1]}:{title[1]}\n")
            text = "".join(batch)
            written, count = written + len(text.encode()), count + len(batch)
            out.write(packed(text))
        out.write(packed(TAIL))
        if one:
            out.write(one.flush())
    if streams:
        index = path.with_name(
            path.name.replace("multistream", "multistream-index", 1).replace(".xml", ".txt", 1)
        )
        index.write_bytes(bz2.compress("".join(lines).encode()))
    return count


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("texts", nargs="+", help="JSON Lines with title and text, plain or .zst")
    parser.add_argument("-o", "--output", required=True, type=Path)
    parser.add_argument(
        "--megabytes", type=float, default=100, help="of XML, at least (default 100)"
    )
    parser.add_argument("--seed", type=int, default=7)
    arguments = parser.parse_args()
    documents = [d for name in arguments.texts for d in read(name)]
    count = write(documents, arguments.output, int(arguments.megabytes * 1e6), arguments.seed)
    print(f"{arguments.output}: {count:,} pages, {arguments.output.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
