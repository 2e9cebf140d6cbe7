"""OpenDocument texts and presentations: what a reader sees of them."""

from __future__ import annotations

import pytest
from made_office import ODF, declared, made_odf
from pocketindex.builder.document import Unfit
from pocketindex.builder.inputs.pages.office import odt

HIDDEN = (
    '<style:style style:name="H" style:family="text"><style:text-properties text:display="none"/>'
    '</style:style><style:style style:name="P" style:family="paragraph" '
    'style:parent-style-name="H"/>'
)


def text(body: str, add: str = "", kind: str = "text", **more: object) -> str:
    _, found, _, problems = odt.parsed(made_odf(body, kind, **more), add)  # type: ignore[arg-type]
    assert problems == []
    return found


BODIES = {
    "paragraphs, spaces, tabs": (
        "<text:h>Head</text:h><text:p>\n  a\n b<text:s/><text:s text:c='2'/>c<text:tab/>d"
        "<text:line-break/>e <text:span>f</text:span>g</text:p>",
        "\u2005Head\na b   c\td\ne fg",
    ),
    "lists are lines": (
        "<text:list><text:list-item><text:p>One</text:p><text:list><text:list-item><text:p>Two"
        "</text:p></text:list-item></text:list></text:list-item></text:list>",
        "\u2006One\n\u2006Two",
    ),
    "code": (
        "<text:p text:style-name='Preformatted_20_Text'>if x:</text:p>"
        "<text:p text:style-name='Preformatted_20_Text'><text:s text:c='2'/>y</text:p>"
        "<text:list><text:list-item><text:p text:style-name='Preformatted_20_Text'>z</text:p>"
        "</text:list-item></text:list><text:p> end</text:p>",
        "\u2004if x:\n\u2004  y\n\u2006z\nend",
    ),
    "tables": (
        "<table:table><table:table-header-rows><table:table-row><table:table-cell><text:p>a</text:p>"
        "</table:table-cell><table:table-cell><text:p>b</text:p><text:p>c</text:p>"
        "</table:table-cell></table:table-row></table:table-header-rows><table:table-row>"
        "<table:table-cell><text:p>d</text:p></table:table-cell><table:covered-table-cell>"
        "<text:p>no</text:p></table:covered-table-cell></table:table-row></table:table>",
        "a\tb c\nd",
    ),
    "notes behind the text": (
        "<text:p>word<text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>"
        "A note</text:p></text:note-body></text:note>s</text:p><text:p>next</text:p>",
        "words\nnext\nA note",
    ),
    "changes": (
        "<text:tracked-changes><text:changed-region><text:deletion><text:p>old</text:p>"
        "</text:deletion></text:changed-region></text:tracked-changes><text:p>new<text:change/>"
        "<text:change-start/>er<text:change-end/></text:p>",
        "newer",
    ),
    "hidden": (
        "<text:section text:display='none'><text:p>a</text:p></text:section>"
        "<text:section text:display='condition' text:is-hidden='true'><text:p>b</text:p>"
        "</text:section><text:p>c<text:hidden-text text:is-hidden='true'>d</text:hidden-text>"
        "<text:span text:style-name='H'>e</text:span></text:p>"
        "<text:p text:style-name='P'>f</text:p>"
        "<text:p><text:hidden-paragraph text:is-hidden='true'/>g</text:p>"
        "<text:section text:display='true'><text:p>h</text:p></text:section>",
        "c\nh",
    ),
    "frames behind their paragraph": (
        "<text:p>be<draw:frame><draw:text-box><text:p>boxed</text:p></draw:text-box>"
        "<draw:image/><svg:title>no</svg:title></draw:frame>side<draw:custom-shape><text:p>star"
        "</text:p></draw:custom-shape></text:p>",
        "beside\nboxed\nstar",
    ),
    "an index": (
        "<text:table-of-content><text:table-of-content-source><text:index-title-template>Contents"
        "</text:index-title-template></text:table-of-content-source><text:index-body><text:p>Contents"
        "</text:p></text:index-body></text:table-of-content>",
        "Contents",
    ),
    "fields": (
        "<text:p><text:date>May</text:date><text:variable-set text:display='none'>9"
        "</text:variable-set> on page <text:bookmark-ref>4</text:bookmark-ref></text:p>",
        "May on page 4",
    ),
    "ruby": (
        "<text:p><text:ruby><text:ruby-base>漢字</text:ruby-base><text:ruby-text>かんじ"
        "</text:ruby-text></text:ruby></text:p>",
        "漢字(かんじ)",
    ),
    "forms": (
        "<office:forms><form:form><form:text xml:id='t' form:current-value='Alice'/>"
        "<form:checkbox xml:id='c' form:label='Agree'/><form:listbox xml:id='l'><form:option "
        "form:label='red'/><form:option form:label='blue' form:current-selected='true'/>"
        "</form:listbox></form:form></office:forms><text:p>Name<draw:control draw:control='t'/>"
        "<draw:control draw:control='c'/><draw:control draw:control='l'/></text:p>",
        "Name Alice  Agree  blue",
    ),
}


@pytest.mark.parametrize("kind", BODIES)
def test_what_a_reader_sees(kind: str) -> None:
    body, expected = BODIES[kind]
    assert text(body, automatic=HIDDEN) == expected
    flat = (
        f"<office:document><office:automatic-styles>{HIDDEN}</office:automatic-styles><office:body>"
        f"<office:text>{body}</office:text></office:body></office:document>"
    )
    assert odt.parsed(declared(flat, ODF).encode(), "")[1] == expected


def test_heads_feet_title_and_language() -> None:
    styles = (
        "<office:document-styles><office:styles><style:default-style style:family='paragraph'>"
        "<style:text-properties fo:language='de' fo:country='AT'/></style:default-style>"
        "</office:styles><office:master-styles><style:master-page><style:header><text:p>Head"
        "</text:p></style:header><style:header-left style:display='false'><text:p>Left</text:p>"
        "</style:header-left><style:footer><text:p>Foot <text:page-number>3</text:page-number>"
        "</text:p></style:footer></style:master-page><style:master-page><style:header><text:p>Head"
        "</text:p></style:header></style:master-page></office:master-styles>"
        "</office:document-styles>"
    )
    meta = (
        "<office:document-meta><office:meta><dc:title>The \n title</dc:title></office:meta>"
        "</office:document-meta>"
    )
    made = made_odf("<text:p>Text</text:p>", parts={"styles.xml": styles, "meta.xml": meta})
    assert odt.parsed(made, "") == ("The title", "Text\nHead\nFoot", "de-AT", [])
    damaged = made_odf("<text:p>Text</text:p>", raw={"styles.xml": "<", "meta.xml": "<"})
    title, found, _, problems = odt.parsed(damaged, "")
    assert (title, found) == ("", "Text")
    assert [problem.partition(" ")[0] for problem in problems] == ["styles.xml", "meta.xml"]


def test_comments_when_asked_for() -> None:
    body = (
        "<text:p>Text<office:annotation><dc:creator>Ann</dc:creator><dc:date>2026</dc:date>"
        "<text:p>Why?</text:p></office:annotation></text:p>"
    )
    assert text(body) == "Text"
    assert text(body, "comments") == "Text\nWhy?"
    of_slides = body.replace(
        "<office:annotation>", "<oo:annotation xmlns:oo='http://openoffice.org/2009/office'>"
    ).replace("</office:annotation>", "</oo:annotation>")
    assert text(of_slides) == "Text"
    assert text(of_slides, "comments") == "Text\nWhy?"


def test_objects_within_the_document() -> None:
    frame = (
        "<text:p>It is<draw:frame><draw:object xlink:href='./Object 1'/><draw:image><text:p>no"
        "</text:p></draw:image></draw:frame></text:p>"
    )
    formula = (
        "<math:math><math:semantics><math:mrow><math:mi>sin</math:mi><math:mi>x</math:mi><math:mo>="
        "</math:mo><math:mn>1</math:mn></math:mrow><math:annotation>sin x=1</math:annotation>"
        "</math:semantics></math:math>"
    )
    cell = "<table:table-cell office:value-type='{}'><text:p>{}</text:p></table:table-cell>"
    chart = (
        "<office:document-content><office:body><office:chart><text:p>Weather</text:p><table:table>"
        f"<table:table-row>{cell.format('string', 'Hail')}{cell.format('float', '4.2') * 3}"
        "</table:table-row></table:table></office:chart></office:body></office:document-content>"
    )
    made = made_odf(frame, raw={"Object 1/content.xml": declared(chart, ODF)})
    assert odt.parsed(made, "")[1] == "It is\nWeather\nHail"
    known = declared(formula, ODF).replace(
        "?>", '?><!DOCTYPE math:math PUBLIC "-//OpenOffice.org//DTD MathML//EN" "math.dtd">', 1
    )
    for content in (declared(formula, ODF), known):
        made = made_odf(frame, raw={"Object 1/content.xml": content})
        assert odt.parsed(made, "")[1::2] == ("It is\nsin x=1", [])


def test_an_object_in_an_object_lies_in_its_folder() -> None:
    """A link that leads to the object itself would be followed without end."""

    def frame(text: str) -> str:
        return (
            f"<text:p>{text}<draw:frame><draw:object xlink:href='./Object 1'/></draw:frame>"
            "</text:p>"
        )

    def content(text: str) -> str:
        return declared(
            f"<office:document-content><office:body><office:text>{frame(text)}</office:text>"
            "</office:body></office:document-content>",
            ODF,
        )

    raw = {f"{'Object 1/' * n}content.xml": content(f"level {n}") for n in (1, 2)}
    made = made_odf(frame("level 0"), raw=raw)
    assert odt.parsed(made, "")[1::2] == ("level 0\nlevel 1\nlevel 2", [])
    made = made_odf(frame("a"), raw={"Object 1/content.xml": content("b")})
    assert odt.parsed(made, "")[1::2] == ("a\nb", [])
    deep = {f"{'Object 1/' * n}content.xml": content(f"level {n}") for n in range(1, 9)}
    found, problems = odt.parsed(made_odf(frame("level 0"), raw=deep), "")[1::2]
    assert found == "\n".join(f"level {n}" for n in range(5))
    assert problems == ["documents in it are nested too deeply; their text is left out"]


@pytest.mark.parametrize("name", ["draw:g", "draw:page", "text:span", "text:section", "text:p"])
def test_what_nests_as_deeply_as_xml_may_is_read(name: str) -> None:
    nested = f"<{name}>" * 248 + "<text:p>words</text:p>" + f"</{name}>" * 248
    assert odt.parsed(made_odf(nested), "")[1] == "words"


def test_a_number_without_end_is_a_large_one() -> None:
    assert text(f"<text:p>a<text:s text:c='{'9' * 5_000}'/>b</text:p>") == f"a{' ' * 256}b"


def test_slides_and_their_notes() -> None:
    slides = "".join(
        f"<draw:page><draw:frame><draw:text-box><text:p>Slide {n}</text:p></draw:text-box>"
        f"</draw:frame><presentation:notes><draw:frame><draw:text-box><text:p>Note {n}</text:p>"
        "</draw:text-box></draw:frame></presentation:notes></draw:page>"
        for n in (1, 2)
    )
    assert text(slides, kind="presentation") == "Slide 1\nSlide 2"
    expected = "Slide 1\nNote 1\nSlide 2\nNote 2"
    assert text(slides, "notes", kind="presentation") == expected


def test_what_is_refused() -> None:
    manifest = (
        "<manifest:manifest><manifest:file-entry><manifest:encryption-data/></manifest:file-entry>"
        "</manifest:manifest>"
    )
    encrypted = made_odf("", parts={"META-INF/manifest.xml": manifest})
    for made, said in (
        (encrypted, "it is encrypted; save a copy without a password"),
        (made_odf("", "spreadsheet"), "not an OpenDocument file with a text or with slides"),
        (b"<office:document", "not an OpenDocument file, or a damaged one: the file is damaged: "),
    ):
        with pytest.raises(Unfit) as caught:
            odt.parsed(made, "")
        assert caught.value.reason == "unreadable"
        assert caught.value.detail.startswith(said)
