"""Presentations: slides in their order, tables, groups, charts, and notes when asked for."""

from __future__ import annotations

import pytest
from made_office import declared, made_pptx, package_names, shape
from pocketindex.builder.inputs.pages.office import pptx


def text(slides: list[str], add: str = "", **more: object) -> str:
    _, found, _, problems = pptx.parsed(made_pptx(slides, **more), add)  # type: ignore[arg-type]
    assert problems == []
    return found


@pytest.mark.parametrize("strict", [False, True])
def test_slides_in_the_order_of_the_presentation(strict: bool) -> None:
    slides = [shape("Zero"), shape("One", "title") + shape("first\nsecond"), shape("Two")]
    assert text(slides, strict=strict, order=[2, 0, 1]) == "Two\nZero\n\u2005One\nfirst\nsecond"


def test_titles_are_headings_and_bullets_make_items() -> None:
    def paragraph(text: str, looks: str = "") -> str:
        return f"<a:p><a:pPr>{looks}</a:pPr><a:r><a:t>{text}</a:t></a:r></a:p>"

    def holder(kind: str, *paragraphs: str) -> str:
        place = f"<p:nvPr><p:ph{kind}/></p:nvPr>"
        return (
            f"<p:sp><p:nvSpPr><p:cNvPr id='2' name='x'/>{place}</p:nvSpPr>"
            f"<p:txBody><a:bodyPr/>{''.join(paragraphs)}</p:txBody></p:sp>"
        )

    slide = (
        holder(" type='ctrTitle'", paragraph("A head"))
        + holder(" type='subTitle'", paragraph("below"))
        + holder(" idx='1'", paragraph("one"), paragraph("none", "<a:buNone/>"))
        + holder(" type='body'", paragraph("two", "<a:buChar char='x'/>"), paragraph("text"))
    )
    assert text([slide]) == "\u2005A head\nbelow\n\u2006one\nnone\n\u2006two\ntext"


def test_what_a_shape_says() -> None:
    line = (
        "<p:sp><p:txBody><a:bodyPr/><a:p><a:r><a:rPr lang='pt-BR'/><a:t>one </a:t></a:r><a:fld>"
        "<a:t>2026</a:t></a:fld><a:br/><a:r><a:t>below</a:t></a:r></a:p></p:txBody></p:sp>"
    )
    table = (
        "<p:graphicFrame><a:graphic><a:graphicData><a:tbl>"
        + "".join(
            "<a:tr>"
            + "".join(
                f"<a:tc><a:txBody><a:p><a:r><a:t>{cell}</a:t></a:r></a:p></a:txBody></a:tc>"
                for cell in row
            )
            + "</a:tr>"
            for row in ("ab", "cd")
        )
        + "</a:tbl></a:graphicData></a:graphic></p:graphicFrame>"
    )
    group = f"<p:grpSp><p:grpSp>{shape('in a group')}</p:grpSp></p:grpSp>"
    either = (
        f"<mc:AlternateContent><mc:Choice Requires='x'>{shape('a choice')}</mc:Choice>"
        f"<mc:Fallback>{shape('a choice')}</mc:Fallback></mc:AlternateContent>"
    )
    made = made_pptx([line + table + group + either])
    assert pptx.parsed(made, "")[1:3] == (
        "one 2026\nbelow\na\tb\nc\td\nin a group\na choice",
        "pt-BR",
    )


def test_what_is_no_text_of_a_slide() -> None:
    """Its number, a shape that is switched off; a foot that each slide repeats is there once."""
    foot = shape("Company", "ftr") + shape("7", "sldNum") + shape("off", hidden=True)
    assert text([shape("a") + foot, shape("b") + foot]) == "a\nCompany\nb"
    hidden = made_pptx(
        [shape("a")], raw={"ppt/slideMasters/slideMaster1.xml": "<x>Click to edit</x>"}
    )
    assert pptx.parsed(hidden, "")[1] == "a"


def test_a_hidden_slide_stays() -> None:
    slide = f'<p:sld show="0"><p:cSld><p:spTree>{shape("spare")}</p:spTree></p:cSld></p:sld>'
    raw = {"ppt/slide1.xml": declared(slide, package_names())}
    assert text([shape("a"), ""], raw=raw) == "a\nspare"


def test_notes_and_comments_when_asked_for() -> None:
    shapes = shape("Say this", "body") + shape("9", "sldNum")
    notes = f"<p:notes><p:cSld><p:spTree>{shapes}</p:spTree></p:cSld></p:notes>"
    comments = "<p:cmLst><p:cm><p:text>Too long</p:text></p:cm></p:cmLst>"
    beside = {0: {"notesSlide1": notes, "comments2": comments}}
    slides = [shape("a"), shape("b")]
    assert text(slides, beside=beside) == "a\nb"
    assert text(slides, "notes", beside=beside) == "a\nSay this\nb"
    assert text(slides, "comments", beside=beside) == "a\nToo long\nb"
    assert text(slides, "comments,notes", beside=beside) == "a\nSay this\nToo long\nb"


def test_charts_and_diagrams() -> None:
    frame = (
        "<p:graphicFrame><a:graphic><a:graphicData>{}</a:graphicData></a:graphic></p:graphicFrame>"
    )
    slide = frame.format('<c:chart r:id="chart1"/>') + frame.format('<dgm:relIds r:dm="data2"/>')
    parts = {
        "chart1": "<c:chartSpace><c:ser><c:tx><c:v>Sales</c:v></c:tx></c:ser></c:chartSpace>",
        "data2": "<dgm:dataModel><a:p><a:r><a:t>Smart</a:t></a:r></a:p></dgm:dataModel>",
    }
    assert text([slide], beside={0: parts}) == "Sales\nSmart"


def test_a_damaged_slide_loses_itself_and_is_named() -> None:
    made = made_pptx([shape("a"), "", shape("c")], raw={"ppt/slide1.xml": "<p:sld"})
    found, problems = pptx.parsed(made, "")[1::2]
    assert found == "a\nc"
    assert len(problems) == 1
    assert problems[0].startswith("ppt/slide1.xml is damaged: ")
    broken = {"ppt/_rels/slide0.xml.rels": "<"}
    chart = '<p:graphicFrame><c:chart r:id="chart1"/></p:graphicFrame>'
    found, problems = pptx.parsed(made_pptx([shape("a") + chart], raw=broken), "notes")[1::2]
    assert found == "a"
    assert problems[0].endswith("; what ppt/slide0.xml refers to is left out")
    assert problems[1:] == ["a chart or diagram is not in the file; its text is left out"]
    made = made_pptx([shape("a")], order=[0, 5])
    assert pptx.parsed(made, "")[1::2] == (
        "a",
        ["ppt/presentation.xml names a slide that the file does not have"],
    )
