"""Small office files: packages of a few parts, written as strings."""

from __future__ import annotations

import re
from collections.abc import Mapping

from archived import zipped

OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
OFFICE = {
    "w": "wordprocessingml/main",
    "p": "presentationml/main",
    "a": "drawingml/main",
    "c": "drawingml/chart",
    "dgm": "drawingml/diagram",
    "m": "officeDocument/math",
    "r": "officeDocument/relationships",
}
OTHERS = {
    "mc": "http://schemas.openxmlformats.org/markup-compatibility/2006",
    "wps": "http://schemas.microsoft.com/office/word/2010/wordprocessingShape",
    "v": "urn:schemas-microsoft-com:vml",
}
ODF = {
    **{
        short: f"urn:oasis:names:tc:opendocument:xmlns:{area}:1.0"
        for short, area in {
            **{name: name for name in ("office", "text", "table", "style", "presentation", "form")},
            "draw": "drawing",
            "fo": "xsl-fo-compatible",
            "manifest": "manifest",
            "svg": "svg-compatible",
        }.items()
    },
    "dc": "http://purl.org/dc/elements/1.1/",
    "xlink": "http://www.w3.org/1999/xlink",
    "math": "http://www.w3.org/1998/Math/MathML",
}
_MAIN = {"word": "word/document.xml", "ppt": "ppt/presentation.xml"}
_CORE = (
    '<cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/'
    'core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>{}</dc:title>'
    "<dc:language>{}</dc:language></cp:coreProperties>"
)


def package_names(strict: bool = False) -> dict[str, str]:
    """Return the namespaces of DOCX and PPTX files by prefixes, of strict ones if asked for."""

    def uri(path: str) -> str:
        area, name = path.split("/")
        transitional = f"http://schemas.openxmlformats.org/{area}/2006/{name}"
        return f"http://purl.oclc.org/ooxml/{path}" if strict else transitional

    return {**{short: uri(path) for short, path in OFFICE.items()}, **OTHERS}


def declared(markup: str, namespaces: Mapping[str, str]) -> str:
    """Declare namespaces in the first element."""
    said = "".join(f' xmlns:{short}="{uri}"' for short, uri in namespaces.items())
    return XML + re.sub(r"^<[\w:-]+", lambda first: first[0] + said, markup.strip(), count=1)


def relations(targets: Mapping[str, str], strict: bool = False) -> str:
    """Make a part of relationships: targets by ids, which are their kinds with a number behind."""
    kinds = package_names(strict)["r"]
    entries = "".join(
        f'<Relationship Id="{id}" Type="{kinds}/{id.rstrip("0123456789")}" Target="{target}"/>'
        for id, target in targets.items()
    )
    uri = "http://schemas.openxmlformats.org/package/2006/relationships"
    return f'{XML}<Relationships xmlns="{uri}">{entries}</Relationships>'


def package(
    folder: str,
    main: str,
    parts: Mapping[str, str],
    title: str,
    lang: str,
    strict: bool,
    raw: Mapping[str, str | bytes],
) -> bytes:
    """Make a package with a main part, and parts in its folder that it refers to, by ids.

    raw: parts by whole paths, as they are, which win over the others.
    """
    namespaces = package_names(strict)
    targets = {id: f"{id}.xml" for id in parts}
    return zipped(
        {
            "[Content_Types].xml": f"{XML}<Types/>",
            "_rels/.rels": relations({"officeDocument1": _MAIN[folder]}, strict),
            "docProps/core.xml": XML + _CORE.format(title, lang),
            _MAIN[folder]: declared(main, namespaces),
            re.sub(r"(\w+\.xml)$", r"_rels/\1.rels", _MAIN[folder]): relations(targets, strict),
            **{f"{folder}/{id}.xml": declared(part, namespaces) for id, part in parts.items()},
            **raw,
        }
    )


def made_docx(
    body: str,
    parts: Mapping[str, str] | None = None,
    title: str = "",
    lang: str = "",
    strict: bool = False,
    raw: Mapping[str, str | bytes] | None = None,
) -> bytes:
    """Make a Word document with this markup in its body, and parts as "footnotes" or "header1"."""
    main = f"<w:document><w:body>{body}</w:body></w:document>"
    return package("word", main, parts or {}, title, lang, strict, raw or {})


def made_pptx(
    slides: list[str],
    beside: Mapping[int, Mapping[str, str]] | None = None,
    title: str = "",
    strict: bool = False,
    raw: Mapping[str, str | bytes] | None = None,
    order: list[int] | None = None,
) -> bytes:
    """Make a presentation: the shapes of each slide; beside: parts of slides by number and id;
    order: of the slides, by number.
    """
    namespaces = package_names(strict)
    listed = "".join(
        f'<p:sldId id="{256 + number}" r:id="slide{number}"/>'
        for number in order or range(len(slides))
    )
    found: dict[str, str | bytes] = {}
    for number, parts in (beside or {}).items():
        ids = {id: f"../beside/{number}/{id}.xml" for id in parts}
        found[f"ppt/_rels/slide{number}.xml.rels"] = relations(
            {id: target.removeprefix("../") for id, target in ids.items()}, strict
        )
        for id, part in parts.items():
            found[f"ppt/beside/{number}/{id}.xml"] = declared(part, namespaces)
    trees = {
        f"slide{number}": f"<p:sld><p:cSld><p:spTree>{shapes}</p:spTree></p:cSld></p:sld>"
        for number, shapes in enumerate(slides)
    }
    main = f"<p:presentation><p:sldIdLst>{listed}</p:sldIdLst></p:presentation>"
    return package("ppt", main, trees, title, "", strict, {**found, **(raw or {})})


def made_odf(
    body: str,
    kind: str = "text",
    automatic: str = "",
    parts: Mapping[str, str] | None = None,
    raw: Mapping[str, str | bytes] | None = None,
) -> bytes:
    """Make an OpenDocument file: kind: "text" or "presentation"; automatic: styles in the content;
    parts: "styles.xml" and so on.
    """
    content = (
        f"<office:document-content><office:automatic-styles>{automatic}</office:automatic-styles>"
        f"<office:body><office:{kind}>{body}</office:{kind}></office:body>"
        "</office:document-content>"
    )
    return zipped(
        {
            "mimetype": f"application/vnd.oasis.opendocument.{kind}",
            "content.xml": declared(content, ODF),
            **{path: declared(part, ODF) for path, part in (parts or {}).items()},
            **(raw or {}),
        }
    )


def paragraph(text: str, properties: str = "") -> str:
    """Make a paragraph of a Word document."""
    return f"<w:p>{properties}<w:r><w:t>{text}</w:t></w:r></w:p>"


def shape(text: str, kind: str = "", hidden: bool = False) -> str:
    """Make a shape of a slide, a paragraph a line; kind: of a placeholder."""
    lines = "".join(f"<a:p><a:r><a:t>{line}</a:t></a:r></a:p>" for line in text.split("\n"))
    place = f'<p:ph type="{kind}"/>' if kind else ""
    return (
        f'<p:sp><p:nvSpPr><p:cNvPr id="2" name="x" hidden="{int(hidden)}"/>'
        f"<p:cNvSpPr/><p:nvPr>{place}</p:nvPr></p:nvSpPr><p:txBody>{lines}</p:txBody></p:sp>"
    )
