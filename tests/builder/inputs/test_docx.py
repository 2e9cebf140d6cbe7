"""Word documents: what a reader sees of them is text, once, and nothing else is."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made_office import made_docx, paragraph
from pocketindex.builder.inputs.pages.office import docx


def text(
    body: str, parts: dict[str, str] | None = None, add: str = "", strict: bool = False
) -> str:
    _, found, _, problems = docx.parsed(made_docx(body, parts, strict=strict), add)
    assert problems == []
    return found


def run(inner: str, looks: str = "") -> str:
    return f"<w:r><w:rPr>{looks}</w:rPr>{inner}</w:r>"


def field(kind: str) -> str:
    return f'<w:r><w:fldChar w:fldCharType="{kind}"/></w:r>'


def code(text: str) -> str:
    return f"<w:r><w:instrText>{text}</w:instrText></w:r>"


def box(text: str) -> str:
    """A text box as Word writes it: once for Word 2010, once for older ones."""
    inside = f"<w:txbxContent>{paragraph(text)}</w:txbxContent>"
    return (
        '<w:r><mc:AlternateContent><mc:Choice Requires="wps"><w:drawing><wps:wsp><wps:txbx>'
        f"{inside}</wps:txbx></wps:wsp></w:drawing></mc:Choice><mc:Fallback><w:pict><v:textbox>"
        f"{inside}</v:textbox></w:pict></mc:Fallback></mc:AlternateContent></w:r>"
    )


BODIES = {
    "paragraphs are lines": (paragraph("One") + paragraph("") + paragraph("Two"), "One\nTwo"),
    "runs of a word": ("<w:p><w:r><w:t>Qu</w:t></w:r><w:r><w:t>arz</w:t></w:r></w:p>", "Quarz"),
    "white space": (
        '<w:p><w:r><w:t xml:space="preserve">a </w:t><w:tab/><w:t>b</w:t><w:br/><w:t>c</w:t>'
        "<w:cr/><w:t>d</w:t></w:r></w:p>",
        "a \tb\nc\nd",
    ),
    "tab stops are no tabs": (
        '<w:p><w:pPr><w:tabs><w:tab w:val="left" w:pos="9"/></w:tabs></w:pPr>'
        "<w:r><w:t>a</w:t></w:r></w:p>",
        "a",
    ),
    "hyphens": (
        "<w:p><w:r><w:t>co</w:t><w:softHyphen/><w:t>op\u00aderate e</w:t><w:noBreakHyphen/>"
        "<w:t>mail</w:t></w:r></w:p>",
        "cooperate e\u2011mail",
    ),
    "symbols": (
        '<w:p><w:r><w:sym w:font="Symbol" w:char="F061"/><w:sym w:font="Wingdings" w:char="F0FC"/>'
        '<w:sym w:font="Arial" w:char="00E9"/></w:r>'
        + run("<w:t>b \uf0b3 1</w:t>", '<w:rFonts w:ascii="Symbol"/>')
        + "</w:p>",
        "αéβ ≥ 1",
    ),
    "lists are lines": (
        "".join(
            paragraph(
                item, '<w:pPr><w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr></w:pPr>'
            )
            for item in ("First", "Second")
        ),
        "\u2006First\n\u2006Second",
    ),
    "inserted and deleted": (
        "<w:p><w:ins><w:r><w:t>new</w:t></w:r></w:ins><w:del><w:r><w:delText>old</w:delText>"
        "<w:t>older</w:t></w:r></w:del></w:p><w:moveFrom>"
        + paragraph("from here")
        + "</w:moveFrom><w:moveTo>"
        + paragraph("to there")
        + "</w:moveTo>",
        "new\nto there",
    ),
    "a deleted end of a paragraph": (
        paragraph("one ", "<w:pPr><w:rPr><w:del/></w:rPr></w:pPr>") + paragraph("line"),
        "one line",
    ),
    "hidden text": (
        f"<w:p>{run('<w:t>secret</w:t>', '<w:vanish/>')}"
        f"{run('<w:t>seen</w:t>', '<w:vanish w:val=' + chr(34) + '0' + chr(34) + '/>')}"
        f"{run('<w:t> in print</w:t>', '<w:webHidden/>')}</w:p>",
        "seen in print",
    ),
    "content controls": (
        f"<w:sdt><w:sdtPr><w:alias w:val='name'/></w:sdtPr><w:sdtContent>{paragraph('Block')}"
        "</w:sdtContent></w:sdt><w:p><w:sdt><w:sdtContent><w:r><w:t>inline</w:t></w:r>"
        "</w:sdtContent></w:sdt><w:smartTag><w:r><w:t> tag</w:t></w:r></w:smartTag>"
        "<w:customXml><w:r><w:t> custom</w:t></w:r></w:customXml><w:hyperlink r:id='x'><w:r>"
        "<w:t> link</w:t></w:r></w:hyperlink></w:p>",
        "Block\ninline tag custom link",
    ),
    "a table is a row a line": (
        "<w:tbl>"
        + "".join(
            f"<w:tr><w:tc>{paragraph(left)}</w:tc><w:sdt><w:sdtContent><w:tc>{paragraph(right)}"
            f"{paragraph('more')}</w:tc></w:sdtContent></w:sdt></w:tr>"
            for left, right in (("a", "b"), ("c", "d"))
        )
        + f"<w:tr><w:trPr><w:del/></w:trPr><w:tc>{paragraph('gone')}</w:tc></w:tr></w:tbl>",
        "a\tb more\nc\td more",
    ),
    "a table for the layout": (
        f"<w:tbl><w:tr><w:tc>{paragraph('Head')}{paragraph('Text')}</w:tc></w:tr>"
        f"<w:tr><w:tc>{paragraph('left')}</w:tc><w:tc><w:tbl><w:tr><w:tc>{paragraph('x')}</w:tc>"
        f"<w:tc>{paragraph('y')}</w:tc></w:tr></w:tbl>{paragraph('')}</w:tc></w:tr></w:tbl>",
        "Head\nText\nleft\nx\ty",
    ),
    "a field": (
        f"<w:p>{field('begin')}{code('PAGEREF _Toc')}{field('separate')}<w:r><w:t>12</w:t></w:r>"
        f"{field('end')}<w:fldSimple w:instr='AUTHOR'><w:r><w:t> Ann</w:t></w:r></w:fldSimple>"
        "</w:p>",
        "12 Ann",
    ),
    "a field in the code of a field": (
        f"<w:p>{field('begin')}{code('IF ')}{field('begin')}{code('MERGEFIELD n')}"
        f"{field('separate')}<w:r><w:t>inner</w:t></w:r>{field('end')}<w:r><w:t>=1</w:t></w:r>"
        f"{field('separate')}<w:r><w:t>yes</w:t></w:r>{field('end')}</w:p>",
        "yes",
    ),
    "a field over paragraphs": (
        f"<w:p>{field('begin')}{code('TOC')}{field('separate')}<w:r><w:t>One</w:t></w:r></w:p>"
        f"<w:p><w:r><w:t>Two</w:t></w:r>{field('end')}</w:p>",
        "One\nTwo",
    ),
    "a field without an end": (
        f"<w:p>{field('begin')}{code('X')}<w:r><w:t>all the rest</w:t></w:r></w:p>",
        "all the rest",
    ),
    "what a form shows": (
        '<w:p><w:r><w:fldChar w:fldCharType="begin"><w:ffData><w:ddList><w:result w:val="1"/>'
        '<w:listEntry w:val="red"/><w:listEntry w:val="green"/></w:ddList></w:ffData></w:fldChar>'
        f"</w:r>{code('FORMDROPDOWN')}{field('end')}{field('begin')}"
        f"{code('MACROBUTTON Go click here')}{field('end')}</w:p>",
        "greenclick here",
    ),
    "a text box once, behind its paragraph": (
        f"<w:p><w:r><w:t>be</w:t></w:r>{box('In a box')}<w:r><w:t>side</w:t></w:r></w:p>",
        "beside\nIn a box",
    ),
    "a text box of an alternative that is empty": (
        "<w:p><w:r><mc:AlternateContent><mc:Choice Requires='new'/><mc:Fallback><w:pict><v:shape>"
        "<v:textpath string='Draft'/></v:shape></w:pict></mc:Fallback></mc:AlternateContent></w:r>"
        "</w:p>",
        "Draft",
    ),
    "formulas": (
        "<w:p><m:oMath><m:f><m:num><m:r><m:t>a+b</m:t></m:r></m:num><m:den><m:r><m:t>2</m:t></m:r>"
        "</m:den></m:f><m:r><m:t>=</m:t></m:r><m:sSup><m:e><m:r><m:t>x</m:t></m:r></m:e><m:sup>"
        "<m:r><m:t>2</m:t></m:r></m:sup></m:sSup></m:oMath></w:p>",
        "(a+b)/2=x^2",
    ),
    "ruby": (
        "<w:p><w:r><w:ruby><w:rt><w:r><w:t>かんじ</w:t></w:r></w:rt><w:rubyBase><w:r><w:t>漢字</w:t>"
        "</w:r></w:rubyBase></w:ruby></w:r></w:p>",
        "漢字(かんじ)",
    ),
}


@pytest.mark.parametrize("kind", BODIES)
@pytest.mark.parametrize("strict", [False, True])
def test_what_a_reader_sees(kind: str, strict: bool) -> None:
    body, expected = BODIES[kind]
    assert text(body, strict=strict) == expected


def test_styles_say_what_is_a_heading_and_what_is_an_item() -> None:
    styles = (
        '<w:styles><w:style w:styleId="H1"><w:pPr><w:outlineLvl w:val="0"/></w:pPr></w:style>'
        '<w:style w:styleId="Own"><w:basedOn w:val="H1"/></w:style>'
        '<w:style w:styleId="Body"><w:basedOn w:val="H1"/><w:pPr><w:outlineLvl w:val="9"/></w:pPr>'
        '</w:style><w:style w:styleId="List"><w:pPr><w:numPr><w:numId w:val="3"/></w:numPr></w:pPr>'
        "</w:style></w:styles>"
    )

    def styled(text: str, style: str, more: str = "") -> str:
        return paragraph(text, f'<w:pPr><w:pStyle w:val="{style}"/>{more}</w:pPr>')

    none = '<w:numPr><w:numId w:val="0"/></w:numPr>'
    cell = (
        f"<w:tc>{styled('a', 'H1')}{styled('b', 'List')}</w:tc><w:tc>{styled('c', 'List')}</w:tc>"
    )
    body = (
        styled("One", "Own")
        + styled("body", "Body")
        + styled("item", "List")
        + styled("none", "List", none)
        + styled("", "H1")
        + styled("plain", "Unknown")
        + f"<w:tbl><w:tr>{cell}</w:tr></w:tbl>"
    )
    assert docx.parsed(made_docx(body, {"styles": styles}), "")[1] == (
        "\u2005One\nbody\n\u2006item\nnone\nplain\na b\tc"
    )


def test_paragraphs_in_styles_of_code_keep_their_indents() -> None:
    styles = (
        '<w:styles><w:style w:styleId="a"><w:name w:val="HTML Preformatted"/></w:style>'
        '<w:style w:styleId="b"><w:basedOn w:val="a"/></w:style></w:styles>'
    )
    lines = '<w:t>def f():</w:t><w:br/><w:br/><w:t xml:space="preserve">  x\t= 1 </w:t>'
    code = f'<w:p><w:pPr><w:pStyle w:val="b"/></w:pPr>{run(lines)}</w:p>'
    body = paragraph("before") + code + paragraph(" after")
    assert docx.parsed(made_docx(body, {"styles": styles}), "")[1] == (
        "before\n\u2004def f():\n\u2004\n\u2004  x\t= 1\nafter"
    )


def test_styles_hide_text_and_say_the_language() -> None:
    styles = (
        '<w:styles><w:docDefaults><w:rPrDefault><w:rPr><w:lang w:val="nl-BE"/></w:rPr>'
        '</w:rPrDefault></w:docDefaults><w:style w:styleId="Base"><w:rPr><w:vanish/></w:rPr>'
        '</w:style><w:style w:styleId="Heir"><w:basedOn w:val="Base"/></w:style>'
        '<w:style w:styleId="Loop"><w:basedOn w:val="Loop"/></w:style></w:styles>'
    )
    body = (
        paragraph("top of the form", '<w:pPr><w:pStyle w:val="Heir"/></w:pPr>')
        + f"<w:p>{run('<w:t>hidden</w:t>', '<w:rStyle w:val=' + chr(34) + 'Base' + chr(34) + '/>')}"
        + run("<w:t>seen</w:t>", '<w:rStyle w:val="Loop"/>')
        + "</w:p>"
    )
    assert docx.parsed(made_docx(body, {"styles": styles}), "")[1:3] == ("seen", "nl-BE")
    assert docx.parsed(made_docx(body, {"styles": styles}, lang="de"), "")[2] == "de"


def test_notes_in_the_order_of_the_text_and_comments_when_asked_for() -> None:
    def notes(kind: str, of: str) -> str:
        entries = "".join(
            f'<w:{of} w:id="{n}">{paragraph(f"{of} {n}")}</w:{of}>' for n in (1, 2, 3)
        )
        line = f'<w:{of} w:type="separator" w:id="0">{paragraph("line")}</w:{of}>'
        return f"<w:{kind}>{line}{entries}</w:{kind}>"

    body = (
        '<w:p><w:r><w:t>Text</w:t><w:endnoteReference w:id="1"/><w:footnoteReference w:id="2"/>'
        '</w:r><w:r><w:footnoteReference w:id="1"/></w:r><w:del><w:r>'
        '<w:footnoteReference w:id="3"/></w:r></w:del><w:r>'
        '<w:commentReference w:id="1"/></w:r></w:p>'
    )
    parts = {
        "footnotes": notes("footnotes", "footnote"),
        "endnotes": notes("endnotes", "endnote"),
        "comments": f'<w:comments><w:comment w:id="1">{paragraph("Why?")}</w:comment></w:comments>',
    }
    seen = "Text\nfootnote 2\nfootnote 1\nendnote 1"
    assert text(body, parts) == seen
    assert text(body, parts, add="notes,comments") == seen + "\nWhy?"


def test_heads_and_feet_of_pages_once() -> None:
    """One for the first page, or for even ones, is seen where a section has such pages."""

    def section(first: str, more: str = "") -> str:
        return (
            f'<w:sectPr><w:headerReference w:type="default" r:id="{first}"/>'
            '<w:headerReference w:type="first" r:id="header3"/>'
            f'<w:footerReference w:type="even" r:id="footer4"/>{more}</w:sectPr>'
        )

    heads = {
        f"header{n}": f"<w:hdr>{paragraph(said)}</w:hdr>"
        for n, said in ((1, "Report"), (2, "Report"), (3, "Title page"))
    }
    heads["footer4"] = f"<w:ftr>{paragraph('Even')}</w:ftr>"
    body = f"<w:p><w:pPr>{section('header1')}</w:pPr><w:r><w:t>a</w:t></w:r></w:p>"
    body += paragraph("b")
    assert text(body + section("header2"), heads) == "a\nb\nReport"
    heads["settings"] = "<w:settings><w:evenAndOddHeaders/></w:settings>"
    found = text(body + section("header2", "<w:titlePg/>"), heads)
    assert found.split("\n") == ["a", "b", "Report", "Even", "Title page"]


def test_charts_and_diagrams_have_parts_of_their_own() -> None:
    body = (
        '<w:p><w:r><w:drawing><c:chart r:id="chart1"/></w:drawing></w:r></w:p>'
        '<w:p><w:r><w:drawing><dgm:relIds r:dm="diagramData1"/></w:drawing></w:r></w:p>'
    )
    series = "".join(
        f"<c:ser><c:tx><c:v>{name}</c:v></c:tx><c:cat><c:pt><c:v>May</c:v></c:pt><c:pt><c:v>June"
        "</c:v></c:pt></c:cat><c:val><c:pt><c:v>4.2</c:v></c:pt></c:val></c:ser>"
        for name in ("Hail", "Sleet")
    )
    parts = {
        "chart1": "<c:chartSpace><c:chart><c:title><c:tx><c:rich><a:p><a:r><a:t>Weather</a:t></a:r>"
        f"</a:p></c:rich></c:tx></c:title>{series}</c:chart></c:chartSpace>",
        "diagramData1": "<dgm:dataModel><dgm:pt><dgm:t><a:p><a:r><a:t>Step</a:t></a:r></a:p>"
        "</dgm:t></dgm:pt></dgm:dataModel>",
    }
    assert text(body, parts) == "Weather\nHail\nMay\tJune\nSleet\nStep"


def test_a_damaged_part_loses_itself_and_is_named() -> None:
    body = '<w:p><w:r><w:t>Text</w:t><w:footnoteReference w:id="1"/></w:r></w:p>'
    made = made_docx(body, raw={"word/_rels/document.xml.rels": "<Relationships>"})
    assert docx.parsed(made, "")[1] == "Text"
    assert docx.parsed(made, "")[3] == [
        "word/_rels/document.xml.rels is damaged: Premature end of data in tag Relationships line "
        "1, line 1, column 16 (<string>, line 1); what word/document.xml refers to is left out",
        "the part of footnotes is missing; its footnotes are left out",
    ]
    made = made_docx(body, {"footnotes": "<w:footnotes/>"}, raw={"word/footnotes.xml": "<w:f"})
    found, problems = docx.parsed(made, "")[1::2]
    assert found == "Text"
    assert len(problems) == 1
    assert problems[0].startswith("word/footnotes.xml is damaged: ")
    assert problems[0].endswith("; its footnotes are left out")


def test_a_file_within_the_document_is_said() -> None:
    made = made_docx(paragraph("Text") + '<w:altChunk r:id="aFChunk1"/>', {"aFChunk1": "<a/>"})
    assert docx.parsed(made, "")[3] == [
        "word/aFChunk1.xml is a file within the document, whose text is left out; open the "
        "document in Word and save it"
    ]


def test_an_item_of_a_list_that_is_not_there() -> None:
    for number in ("7", "9" * 5_000):
        body = (
            '<w:p><w:r><w:fldChar w:fldCharType="begin"><w:ffData><w:ddList>'
            f'<w:result w:val="{number}"/><w:listEntry w:val="red"/></w:ddList></w:ffData>'
            f"</w:fldChar></w:r>{code('FORMDROPDOWN')}{field('end')}<w:r><w:t>a</w:t></w:r></w:p>"
        )
        assert text(body) == "a"


WORDS = st.text(st.characters(codec="utf-8", categories=["L", "N", "P"]), min_size=1, max_size=8)


@settings(max_examples=60, deadline=None)
@given(st.recursive(WORDS, lambda inner: st.lists(inner, min_size=1, max_size=3), max_leaves=12))
def test_every_word_is_there_once_however_it_is_wrapped(tree: object) -> None:
    """Each word is in a paragraph, in controls, tables, insertions and text boxes in turn."""
    words = list[str]()

    def block(node: object, depth: int) -> str:
        if isinstance(node, str):
            words.append(node)
            return f"<w:p><w:r><w:t><![CDATA[{node.replace(']]>', '')}]]></w:t></w:r></w:p>"
        assert isinstance(node, list)
        inner = [block(one, depth + 1) for one in node]
        match depth % 4:
            case 0:
                return f"<w:sdt><w:sdtContent>{''.join(inner)}</w:sdtContent></w:sdt>"
            case 1:
                cells = "".join(f"<w:tc>{one}</w:tc>" for one in inner)
                return f"<w:tbl><w:tr>{cells}</w:tr></w:tbl>"
            case 2:
                return f"<w:ins>{''.join(inner)}</w:ins>"
        inside = f"<w:txbxContent>{''.join(inner)}</w:txbxContent>"
        return (
            "<w:p><w:r><mc:AlternateContent><mc:Choice><wps:txbx>"
            f"{inside}</wps:txbx></mc:Choice><mc:Fallback>{inside}</mc:Fallback>"
            "</mc:AlternateContent></w:r></w:p>"
        )

    found = text(block(tree, 0))
    expected = sorted(word.replace("]]>", "") for word in words)
    assert sorted(found.split()) == expected
