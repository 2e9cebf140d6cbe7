"""pocket_wikitext takes the markup away and keeps the text, in time that grows with the page and no
faster, whatever the page.
"""

from __future__ import annotations

import subprocess
import time
from html.entities import name2codepoint
from pathlib import Path

import pytest
from compiled import HARNESSES, compile_fuzzer, core_file
from core_sources import WIKITEXT
from hypothesis import given
from hypothesis import strategies as st
from pocketindex.builder.inputs.pages.wiki.wikitext import Stripper
from pocketindex.errors import TextTooLong

GERMAN = Stripper(files=["Datei"], categories=["Kategorie"])
RUSSIAN = Stripper(files=["Файл"], categories=["Категория"])
BARE = Stripper(drop=["tables", "references"])

TABLE = (
    '{| class="wikitable"\n|+ style="x" | The caption\n|-\n! scope="col" | Name !! Year\n|- '
    "align=left\n"
    "| rowspan=2 | [[Ada Lovelace|Ada]] || 1815\n|}\nAfter"
)

FEATURES = {
    "plain text": ("Just words, 5 > 4 & more.", "Just words, 5 > 4 & more."),
    "bold and italic": ("'''Berlin''' is ''big'', '''''very''''' o'clock ''''x''''", "Berlin is big, very o'clock 'x'"),
    "headings": ("== The past ==\ntext\n=== Older===\na = b\n=no heading", "\u2005The past\ntext\n\u2005Older\na = b\nno heading"),
    "lists": ("* one\n** two\n# three\n; term : meaning\n:: indented", "\u2006one\n\u2006two\n\u2006three\nterm : meaning\nindented"),
    "a rule": ("a\n-----\nb\n--c", "a\n\nb\n--c"),
    "blank lines": ("a\n\n\n\n\nb   \nc", "a\n\nb\nc"),
    "spaces before what is dropped": ("abc  {{\nfoo}}d  {{x<p>é}} e [  [[<p>é|f]]", "abc  d  e [  f"),
    "a protocol outside of its template": ("see http{{://a b é c}} d", "see http d"),
    "link": ("[[Germany]] and [[Germany|the country]]s, [[Foo#Part|]].", "Germany and the countrys, ."),
    "link in the text's own words": ("[[bus]]es", "buses"),
    "category": ("a[[Category:Cities]] b [[ category : Towns | key]] [[Kategorie:Stadt]] "
        "[[:Category:Seen]]", "a b Category:Seen"),
    "category of another script": ("а [[Категория:Города]] [[категория:Сёла|с]]б", "а б"),
    "languages": ("text [[de:Stadt]] [[simple:City]] [[zh-min-nan:X]] [[:fr:Ville]] [[en:x|kept]]", "text fr:Ville kept"),
    "a colon that is no name space": ("[[Alien: Covenant]] [[Foo:bar]]", "Alien: Covenant Foo:bar"),
    "file": ("[[File:A.jpg|thumb|left|200x100px|alt=An old town|A ''caption'' of [[Berlin|it]]]]x", "A caption of it\nx"),
    "file, options behind the caption": ("[[Image:A.jpg|A long caption|thumb|right]]", "A long caption"),
    "file without caption": ("a [[Datei:A.jpg|mini|hochkant=1.2]] b [[File:A.jpg]]", "a b"),
    "file with a url": ("[[File:A.jpg|link=https://example.org/|thumb]] [[File:B.ogg|thumb|See [http://x.org "
        "here]]]", "See here"),
    "file of another script": ("[[Файл:А.jpg|мини|справа|Вид на город]]", "Вид на город"),
    "template": ("a {{cite|b=[[c]]|{{d|e}}}}, f", "a , f"),
    "template of many lines": ("{{Infobox\n| name = x\n| list =\n* a\n{| \n| b\n|}\n}}\n\nText", "Text"),
    "template keeps words apart": ("5{{nbsp}}km", "5 km"),
    "template around text": ("{{nowrap|Treaty of [[Kalmar|K]]}}s {{Lang|de|Wort}} {{lang-fr|mot|b}}, {{deS|so}} {{ABBR|a|b}}", "Treaty of Ks Wort mot, so a"),
    "numbers": ("{{convert|1300|mi|km|abbr=on}}, {{Cvt|10|to|20|mi|km}}, {{formatnum:77006|R}} {{unité|5|km|2}}", "1300 mi, 10 to 20 mi, 77006 5 km"),
    "template of a quotation": ("He wrote: {{quote\n| text = One ''two'' {{small|three}}.\n|author=Ann|title=no}} Then {{Zitat|Vier|ref=x}}", "He wrote:\nOne two three.\nAnn\nThen\nVier"),
    "the last parameter": ("{{transl|ar|DIN|kitab}} {{w|Page|label|link=x}} {{transl|ar|only}}", "kitab label only"),
    "all parameters": ("{{nihongo|Tokyo|東京|Tōkyō|extra=x}} {{linktext|a|b}} {{columns-list|colwidth=3em|\n* one\n* two\n}}", "Tokyo 東京 Tōkyō a b\n\u2006one\n\u2006two"),
    "named parameter": ("{{nowrap|1=a=b}} {{quote|texte=c}} {{lang|2=d|1=e}} {{nowrap|other=f}}", "a=b\nc\nd"),
    "templates in each other": ("{{infobox|a={{lang|de|b}}}}c {{nowrap|d {{cite|e}} {{em|f}}}} {{nowrap|{{{1|x}}}}}g", "c d f g"),
    "templates in a table": ("{|\n| style=x | {{nowrap|a|b}} || {{lang|de|c}}\n|}", "a\tc"),
    "template in a link": ("[[A|{{lang|de|B}}]] {{ill|C|de|D}} {{flag|E}}", "B C E"),
    "note": ("a{{efn|A note {{cite|x}} here.|name=n}} b", "a A note here. b"),
    "names that only begin so": ("a {{nowrapped|b}} {{lang}} {{formatnum|5}} {{nowrap:c}} {{#if:d|e}}f", "a f"),
    "unclosed template around text": ("a {{nowrap|b", "a b"),
    "variants": ("-{zh-hans:计算机; zh-hant:[[電腦]];}-是 a-{b}-c x-{y", "计算机 電腦是 abc x-{y"),
    "variants with flags": ("-{H|zh-hans:a}-b -{T|zh:x}- -{A|zh:c;zh-tw:d}- -{zh-hans;zh-hant|e; f}- -{no flag!|g}-", "b c d e; f no flag!|g"),
    "variants in templates": ("{{nowrap|-{zh:a;zh-hant:b}-}}c {{t|-{zh:d}-}}e {{t|-{zh:f}}g}-", "a bc e g}-"),
    "braces": ("{a} f(x){ } {{{1|default}}}z", "{a} f(x){ } z"),
    "external link": ("[http://example.org/a?b=c The page] [https://x.org] [//x.org it] [mailto:a@b.c mail]", "The page it mail"),
    "bare url": ("see http://example.org/a_b|c ftp://x/ (https://x.org) http:// end", "see |c ( end"),
    "no url": ("ratio 3://4 and [sic] a:b", "ratio 3://4 and [sic] a:b"),
    "reference": ("born.<ref name=x>Smith, ''Works''. {{cite|x}}</ref> Then<ref name=x/> more", "born. Smith, Works. Then more"),
    "references": ("a\n<references>\n<ref name=x>Smith</ref>\n</references>", "a\n\nSmith"),
    "table": (TABLE, "The caption\n\nName\tYear\n\nAda\t1815\n\nAfter"),
    "cells": ("{|\n| a || b\n|c\nd | e\n|\n* f\n!g!!h|i\n|}", "a\tb\tc\nd | e\n\n\u2006f\ng\ti"),
    "table in a table": ("{|\n| a\n{|\n| b\n|}\n| c\n|}d", "a\n\nb\n\nc\nd"),
    "table, indented": (" :{| x\n | a\n |} b", "a\nb"),
    "table with a template": ("{| {{style|\nx}} border=1\n|-\n| {{a|b}} c\n|}", "c"),
    "table of html": ("<table border=1><tr><td>a</td><td>b</td></tr></table>", "a\tb"),
    "gallery": ("<gallery mode=x>\nFile:A.jpg|One ''cap''\nFile:B.jpg\nC.jpg|alt=x|two\n</gallery>end", "One cap\n\ntwo\nend"),
    "quotation": ("<blockquote>To be</blockquote><poem>\nor not\n</poem>", "To be\n\nor not"),
    "tags": ("H<sub>2</sub>O<br/>x <span style='a:b'>y</span> <small>z</small>", "H2O\nx y z"),
    "no tags": ("a<b and c <unknown>d</unknown> 1<2", "a<b and c <unknown>d</unknown> 1<2"),
    "comment": ("a<!-- [[b]] {{ --> c\n<!-- x -->\n<!-- y -->== d ==", "a c\n\n\u2005d"),
    "nowiki": ("<nowiki>[[a]] ''b'' &amp; {{c}}</nowiki> d<nowiki/>e", "[[a]] ''b'' & {{c}} de"),
    "code": ("<pre>\na[[i]] = {{0}}\n</pre><syntaxhighlight lang=c>x</syntaxhighlight>", "\u2004a[[i]] = {{0}}\n\u2004x"),
    "code of several lines": ("a\n<source>\nif x:\n\n  &amp;y\n</source>\nb", "a\n\u2004if x:\n\u2004\n\u2004  &y\n\nb"),
    "headings behind comments": ("<!-- x --> == a == <!-- = --><!-- -->\n=b=\n= c", "\u2005a\n\u2005b\nc"),
    "empty headings and items": ("== ==\n* {{x}}\n*\n*b\n# {{x}} c", "\u2006b\n\u2006c"),
    "headings and items of html": ("<h2>a</h2><ul><li>b<li>c</ul><li></li>d", "\u2005a\n\u2006b\n\u2006c\nd"),
    "cells a line each": ("{|\n! a\n! b\n|-\n| 1\n|\n| style=x | 3\n|\n|-\n|\n| 4\n|-\n| 5\n* 6\n| 7\n|}", "a\tb\n\n1\t\t3\n\n4\n\n5\n\u20066\n7"),
    "formula": ("a <math>x^{2}</math> b <chem>H2O</chem><score>c</score>", "a b"),
    "only where included": ("a<includeonly>b</includeonly><noinclude>c</noinclude>", "a c"),
    "characters": ("&nbsp;&auml;&#228;&#xE4;&#x1F600;&euro;&lt;b&gt;&apos; &no; &amp;amp; &#0; &", "\xa0äää😀€<b>' &no; &amp; \ufffd &"),
    "switches": ("__NOTOC__a __KEIN_INHALTSVERZEICHNIS__ __init__ a_b __", "a __init__ a_b __"),
    "other scripts": ("'''東京'''は[[日本]]の首都。", "東京は日本の首都。"),
    "nothing": (" \n\n ", ""),
    # What was never closed, or never opened, is text without its marks.
    "unclosed template": ("a {{b [[c]] d", "a b c d"),
    "unclosed link": ("a [[b\nc [[d|e\n\nf]] g", "a b\nc e\n\nf]] g"),
    "unclosed url": ("a [http://x b\nc] d", "a b\nc] d"),
    "unclosed table": ("{| a=b\n| c", "c"),
    "unclosed reference": ("a<ref>b {{c}}", "a b"),
    "unclosed comment": ("a <!-- b", "a b"),
    "unclosed formula": ("a <math>b", "a b"),
    "unclosed tag": ("a <span b", "a <span b"),
    "unclosed gallery": ("a <gallery>\nb|c", "a\n\nb|c"),
    "template open in a reference": ("a<ref>{{b</ref> c}} d", "a b c d"),
    "link open in a template": ("{{a|[[b}} c ]] d", "c ]] d"),
    "table open in a template": ("{{a|\n{|\n| b\n}} c", "c"),
    "table closed in a template": ("{|\n| a {{b\n|}\n}} c", "a c"),
    "nested references": ("<ref>a<ref>b</ref>c</ref>d", "a b c d"),
    "closing marks alone": ("a }} b ]] c </ref> d </gallery> --> |} </table>", "a b ]] c d\n--> |}"),
}  # fmt: skip


@pytest.mark.parametrize("feature", FEATURES)
def test_features(feature: str) -> None:
    wikitext, text = FEATURES[feature]
    stripper = RUSSIAN if "script" in feature else GERMAN

    assert stripper.text(wikitext) == text


def test_what_can_be_dropped() -> None:
    assert BARE.text("a{{efn|b}} {{Refn|c}}d {{nowrap|e}}") == "a d e"
    assert BARE.text(TABLE) == "After"
    assert BARE.text("a <table><tr><td>b</td></tr></table> c") == "a\nc"
    assert (
        BARE.text(
            "a<ref name=x>b {{c}}</ref> d<ref name=x/>\n<references>\n<ref>e</ref>\n</references>f"
        )
        == "a d\nf"
    )
    assert Stripper(drop=["tables"]).text(TABLE + "<ref>b</ref>") == "After b"
    assert BARE.text("{|\n| never closed") == "never closed"
    with pytest.raises(ValueError, match=r"^drop has 'refs'; it may have tables, references$"):
        Stripper(drop=["refs"])


def test_named_characters_are_pythons() -> None:
    for name, code in [*name2codepoint.items(), ("apos", 39)]:
        assert GERMAN.text(f"x&{name};x") == f"x{chr(code)}x", name


MARKS = """{{ }} [[ ]] [ ] {| |} |- | || ! !! '' ''' <ref> </ref> <!-- --> <math> </math> <nowiki> </nowiki> <gallery> </gallery> <table>
</table> <b > = * http:// [http://a File: Category: de: thumb &amp; &#10; & __X__ word ä 漢字"""
marks = st.sampled_from([*MARKS.split(), " ", "\n", "\0"])


@given(st.lists(marks, max_size=60).map("".join))
def test_any_marks(page: str) -> None:
    assert len(GERMAN.text(page).encode()) <= len(page.encode()) + 3 * (1 + page.count("\n"))
    assert GERMAN.text("before\n\n" + page).startswith("before")
    calm = "".join(mark for mark in page if mark not in "{}<")
    assert "inner" not in GERMAN.text("{{" + calm + " inner}}")


WRAPPING = [
    "{{nowrap|",
    "{{Lang|de|",
    "{{quote|",
    "{{convert|1|to|",
    "{{w|",
    "{{efn|",
    "1=",
    "|",
    "-{",
    "}-",
    "-{H|",
    "zh-hans:",
    ";",
    "{{formatnum:",
    "text=",
    "{{columns-list|",
]


@given(
    st.lists(
        st.one_of(
            marks,
            st.sampled_from(WRAPPING),
        ),
        max_size=40,
    ).map("".join)
)
def test_any_templates_around_text(page: str) -> None:
    text = GERMAN.text("before\n\n" + page)
    assert text.startswith("before")
    assert len(text.encode()) <= len(page.encode()) + 8 + 3 * (1 + page.count("\n"))


@given(st.lists(st.one_of(marks.map(str.encode), st.binary(max_size=3)), max_size=40).map(b"".join))
def test_any_bytes_become_utf8(data: bytes) -> None:
    assert GERMAN.text(data) == GERMAN.text(data.decode(errors="replace"))


def test_lone_surrogates_and_long_pages() -> None:
    assert GERMAN.text("a\ud800b").replace("\ufffd", "") == "ab"
    with pytest.raises(TextTooLong, match="found 268435457"):
        GERMAN.text(bytes((1 << 28) + 1))


# A unit, of which the page has many, and perhaps what the page begins with.
HOSTILE = {
    **{mark: mark for mark in [*MARKS.split(), "\n"]},
    "link with text": "[[a|", "file": "[[File:a|b c|", "tables": "\n{|", "ends of tables": "\n|}", "url": "[http://a ",
    "half a closing tag": "<math></math", "all kinds of tags": "<math><ref><nowiki><gallery><pre><score><chem>", "number": "&#1",
    "text": "{{nowrap|", "names": "{{quote|1=a|", "final": "{{w|a|b|", "range": "{{convert|1|to|", "parameters": "|1=", "variants": "-{zh:", "ends of variants": "}-",
    "whole variants": "-{zh:a;zh-tw:b}-", "spaces in a name": "{{ \n  |  \n",
    "capitals": "__A", "spaces": " ", "empty lines": " \n", "mixed": "{{[[<ref>\n{|\n|-\n|a<!--", "tables in links": "[[File:a|\n{|\n|",
    "cells in a table": "||", "heads in a table": "!!", "rows in a table": "\n|-a\n|b|c", "ill-formed": "\udc80", "brace": "{", "'": "'",
}  # fmt: skip


def seconds(page: bytes) -> float:
    """The least processor time of a few rounds."""
    best = 1e9
    for _ in range(3):
        start = time.process_time()
        BARE.text(page)
        best = min(best, time.process_time() - start)
    return best


@pytest.mark.parametrize("name", HOSTILE)
def test_time_is_linear(name: str) -> None:
    unit = HOSTILE[name].encode(errors="surrogateescape")
    before = b"{|\n|-\n! a" if "in a table" in name else b""
    for after in (b"", b"x</ref></math>-->}}]]\n|}"):
        small, large = (
            seconds(before + unit * (size // len(unit)) + after) for size in (1 << 18, 1 << 20)
        )

        assert large < 9 * small + 0.01, (
            after,
            small,
            large,
        )  # four times the page; by the square it would be sixteen times
        assert large < 1


@pytest.mark.parametrize(
    ("opens", "closes"),
    [
        ("{{", "}}"),
        ("{{nowrap|", "}}"),
        ("[[a|", "]]"),
        ("<ref>", "</ref>"),
        ("\n{|\n|", "\n|}\n"),
        ("<table>", "</table>"),
    ],
)
def test_a_million_deep(opens: str, closes: str) -> None:
    start = time.process_time()
    words = GERMAN.text("a " + opens * 1_000_000 + "b" + closes * 1_000_000 + " c").split()

    assert time.process_time() - start < 5
    assert (words[0][0], words[-1]) == ("a", "c")
    assert ("b" in "".join(words)) == (not opens.startswith("{{"))


def test_under_sanitizers(tmp_path: Path) -> None:
    """Some rounds of tests/c/fuzz_wikitext.c over the pages above; its head says how to let it run
    for longer.
    """
    sources = [
        HARNESSES / "fuzz_wikitext.c",
        core_file("utf8.c"),
        *(core_file(name) for name in WIKITEXT),
    ]
    binary, seeds = compile_fuzzer(tmp_path / "fuzz_wikitext", sources), tmp_path / "seeds"
    seeds.mkdir()
    for i, page in enumerate(
        [*(page for page, _ in FEATURES.values()), *(unit * 500 for unit in HOSTILE.values())]
    ):
        (seeds / f"{i}").write_bytes(bytes([i % 4]) + page.encode(errors="surrogateescape"))
    command = [str(binary), "-runs=5000", "-seed=1", "-max_len=1500", str(seeds)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, errors="replace")
    assert done.returncode == 0, done.stderr[-4000:]
