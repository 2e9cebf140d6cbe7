"""Small PDF files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence


def made_pdf(
    pages: list[str],
    title: str = "",
    more: Sequence[str] = (),
    of_page: Mapping[int, str] | None = None,
    catalog: str = "",
) -> bytes:
    """A PDF with these pages; a line end in a page starts a line.

    more: objects behind the title's, which is number 4 + 2 * len(pages); of_page: entries of pages,
    by their numbers from 0; catalog: entries of the catalogue.
    """
    kids = " ".join(f"{4 + 2 * number} 0 R" for number in range(len(pages)))
    objects = [
        f"<< /Type /Catalog /Pages 2 0 R {catalog} >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {len(pages)} >>",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    for number, page in enumerate(pages):
        drawn = (
            "BT /F1 12 Tf 14 TL 50 750 Td "
            + " ".join(f"({line}) Tj T*" for line in page.split("\n"))
            + " ET"
        )
        place = "/Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 3 0 R >> >>"
        place += (of_page or {}).get(number, "")
        objects.append(f"<< /Type /Page {place} /Contents {5 + 2 * number} 0 R >>")
        objects.append(f"<< /Length {len(drawn)} >>\nstream\n{drawn}\nendstream")
    info = len(objects) + 1
    objects += [f"<< /Title ({title}) >>", *more]
    out, places = "%PDF-1.4\n", []
    for number, content in enumerate(objects, 1):
        places.append(len(out))
        out += f"{number} 0 obj\n{content}\nendobj\n"
    table = "".join(f"{place:010} 00000 n \n" for place in places)
    trailer = (
        f"<< /Size {len(objects) + 1} /Root 1 0 R /Info {info} 0 R "
        f">>\nstartxref\n{len(out)}\n%%EOF\n"
    )
    return (
        out + f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n{table}trailer\n{trailer}"
    ).encode()
