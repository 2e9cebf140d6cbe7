"""The report as one HTML page without references to anything outside it."""

from __future__ import annotations

from html import escape
from typing import Any

from pocketindex.builder.evaluate import plots
from pocketindex.builder.evaluate.edits import KINDS, LOSSES
from pocketindex.builder.evaluate.lines import LINES

STYLE = """
:root { color-scheme: light dark; --ink: #1c1c1c; --paper: #fff; --faint: #595959; --rule: #ddd; --shade: rgb(0 0 0 / .28); }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e6e6; --paper: #17191c; --faint: #a8a8a8; --rule: #3a3d42; --shade: rgb(255 255 255 / .3); } }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 70rem; margin: 2rem auto; padding: 0 1rem; color: var(--ink); background: var(--paper); }
h1 { font-size: 1.6rem; } h2 { font-size: 1.2rem; margin-top: 2.4rem; border-bottom: 1px solid var(--rule); }
figure { margin: 1rem 0; } figcaption { color: var(--faint); font-size: .9rem; }
/* A table that is wider than the page scrolls, with a shadow at the side where it goes on: the paper moves with the table and covers it at the end. */
.wide { overflow-x: auto; background: linear-gradient(90deg, var(--paper) 40%, transparent) 0 0 / 3rem 100% local,
  linear-gradient(270deg, var(--paper) 40%, transparent) 100% 0 / 3rem 100% local,
  linear-gradient(90deg, var(--shade), transparent) 0 0 / 1rem 100% scroll, linear-gradient(270deg, var(--shade), transparent) 100% 0 / 1rem 100% scroll;
  background-repeat: no-repeat; }
table { border-collapse: collapse; font-size: .86rem; }
th, td { padding: .25rem .55rem; text-align: right; vertical-align: top; border-bottom: 1px solid var(--rule); }
td { white-space: nowrap; } th:first-child, td:first-child { text-align: left; white-space: normal; min-width: 9rem; }
small { display: block; color: var(--faint); font-size: .78rem; }
.plots { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(26rem, 100%), 1fr)); gap: 1rem; } svg { max-width: 100%; height: auto; }
code { overflow-wrap: anywhere; }
"""


def shown(value: float | None, places: int = 3) -> str:
    return "–" if value is None or value != value else f"{value:.{places}f}"


def table(name: str, rows: list[list[str]]) -> str:
    """Return a table with what it shows, name; a line break in a cell puts what follows below, in
    small.
    """
    head, *body = [
        "".join(f"<{tag}>{_cell(cell)}</{tag}>" for cell in row)
        for tag, row in zip(["th"] + ["td"] * len(rows), rows, strict=False)
    ]
    return (
        f"<figure><figcaption>{escape(name)}</figcaption><div class=wide tabindex=0 role=region aria-label='{escape(name)}'>"
        f"<table><thead><tr>{head}</tr></thead><tbody>"
        + "".join(f"<tr>{row}</tr>" for row in body)
        + "</tbody></table></div></figure>"
    )


def _cell(cell: str) -> str:
    first, _, below = cell.partition("\n")
    return escape(first) + (f"<small>{escape(below)}</small>" if below else "")


def scheme(result: dict[str, Any]) -> str:
    """Return the first cell of a row."""
    return f"{LINES[result['scheme']].words}\n{result['asked']}"


def recall_table(results: list[dict[str, Any]]) -> str:
    at = ("0.5", "0.6", "0.7", "0.8", "0.9", "0.95")
    asked = (results[0]["at"][t] for t in at)
    heads = [
        f"at {t}\n{p['queries']} queries{'*' if p['few'] else ''}"
        for t, p in zip(at, asked, strict=True)
    ]
    rows = [["scheme", "look-up bytes", "candidates", "µs", *heads]]
    for r in results:
        cells = [
            shown(p["recall"])
            + (f"\n{shown(p['low'], 2)}–{shown(p['high'], 2)}" if p["recall"] is not None else "")
            for p in (r["at"][t] for t in at)
        ]
        rows.append(
            [
                scheme(r),
                shown(r["look_up_bytes"], 1),
                shown(r["candidates"], 1),
                shown(r["microseconds"], 0),
                *cells,
            ]
        )
    return table("Recall of neighbours at so high a cosine, with its 95 % interval", rows)


def pairs_table(results: list[dict[str, Any]]) -> str:
    at = ("0.5", "0.7", "0.8", "0.9")
    wanted = (results[0]["at"][t]["pairs"] for t in at)
    heads = [f"at {t}\nof {pairs:,}" for t, pairs in zip(at, wanted, strict=True)]
    rows = [["scheme", *heads, f"copies\nof {results[0]['copies']['copies']:,}"]]
    rows += [
        [scheme(r), *(shown(r["at"][t]["recall_pairs"]) for t in at), shown(r["copies"]["found"])]
        for r in results
    ]
    return table("Share of pairs found, by cosine, and of byte-identical copies", rows)


def precision_table(results: list[dict[str, Any]]) -> str:
    at = ("0.5", "0.7", "0.8", "0.9")
    rows = [["scheme", *(f"similarity ≥ {t}" for t in at)]]
    for r in results:
        found = (r["at"][t] for t in at)
        rows.append(
            [
                scheme(r),
                *(
                    f"{shown(p['precision_similar'])}\n{p['queries_with_similar']} queries"
                    for p in found
                ),
            ]
        )
    return table(
        "Precision: the share of hits at so high a similarity whose cosine is as high", rows
    )


def calibration_table(results: list[dict[str, Any]]) -> str:
    rows = [
        [
            "scheme",
            "error over hits",
            "error over queries",
            "hits",
            "share at cosine .5 of hits at .7",
        ]
    ]
    for r in results:
        c = r["calibration"]
        right = shown(c["precision_of_similarity_.7_at_cosine_.5"])
        rows.append(
            [scheme(r), shown(c["error"]), shown(c["error_by_query"]), f"{c['hits']:,}", right]
        )
    return table(
        "Mean distance of similarity from the cosine, over hits at similarity .5 or more", rows
    )


def edits_table(results: list[dict[str, Any]]) -> str:
    names = {
        "mixed 0.1": "10 % edited",
        "mixed 0.2": "20 % edited",
        "mixed 0.3": "30 % edited",
        **{name: name for name in LOSSES},
    }
    rows = [["scheme", *names.values()]]
    rows += [
        [scheme(r), *(shown(r["edits"].get(name)) for name in names)] for r in results if r["edits"]
    ]
    return table("Share of documents that their edited text finds", rows)


def keywords_table(part: dict[str, Any]) -> str:
    at = list(part["rows"][0]["recall"])
    rows = [["route", "bytes a document", "µs", *(f"at {t}" for t in at)]]
    for r in part["rows"]:
        cells = [
            shown(r["recall"][t])
            + ("" if r["recall"][t] is None else "\n{:.2f}–{:.2f}".format(*r["interval"][t]))
            for t in at
        ]
        rows.append([r["way"], shown(r["bytes"], 1), shown(r["microseconds"], 0), *cells])
    name = f"{part['documents']:,} documents of {part['name']}, {part['queries']:,} queries"
    return table(name[0].upper() + name[1:], rows)


def stress_table(part: dict[str, Any]) -> str:
    at = ("0.3", "0.5", "0.7", "0.8")
    rows = [["embedding", *(f"{what} at {t}" for what in ("precision", "recall") for t in at)]]
    for name, values in part["embeddings"].items():
        rows.append(
            [
                LINES[name].words,
                *(shown(values[t][what]) for what in ("precision", "recall") for t in at),
            ]
        )
    return table("Pairs above a threshold in the embedding and in the original", rows)


@plots.fonts_are_read()
def page(data: dict[str, Any], command: str) -> str:
    results, made = data["results"], data["plagiarism"]
    parts = {
        "this collection": data["similarity_distribution"],
        "synthesised plagiarism": made["similarity_distribution"],
    }
    sections = [
        (
            "Recall and precision",
            f"Over {data['similar_queries']:,} queries that have another document at cosine .5 or more. Below each recall: its bootstrap interval over "
            "queries; below each cosine: how many queries have a neighbour there, * where they are fewer than 50. Candidates and µs are averages over random queries. "
            "Byte-identical copies of a query are left out, and counted in the second table.",
            recall_table(results) + pairs_table(results) + precision_table(results),
            [
                plots.by_threshold(results, "recall", "Recall"),
                plots.by_threshold(results, "precision", "Precision of all candidates"),
                plots.by_threshold(
                    results, "precision_similar", "Precision of hits at that similarity"
                ),
            ],
        ),
        (
            "Similarity",
            "How far the similarity that a hit shows is from the exact cosine. Only that of random fuzzy-fingerprinting estimates it; that of the others is a share of digits that agree.",
            calibration_table(results),
            [],
        ),
        (
            "Edited documents",
            f"{results[0]['edits'].get('documents', 0)} random documents, edited, are asked; counted are those whose original is among the hits that a query shows when nothing else is said.",
            edits_table(results),
            [plots.edits(results, kind) for kind in KINDS],
        ),
        (
            "Recall, bytes and time",
            "",
            "",
            [plots.frontier(data["frontier"], t) for t in ("0.7", "0.8")],
        ),
        (
            "Run time by collection size",
            "One thread, the best of three rounds; take ratios.",
            "",
            [plots.run_time(data["run_time"])],
        ),
        (
            "Synthesised plagiarism",
            f"{made['documents']:,} documents of paragraphs extracted and recombined (Stein & Potthast, DIR 2007, 4.1).",
            recall_table(made["results"]),
            [
                plots.by_threshold(made["results"], "recall", "Recall, plagiarism"),
                plots.by_threshold(made["results"], "precision", "Precision, plagiarism"),
                plots.distributions(parts),
            ],
        ),
        (
            "Keywords",
            "The rival route: a document's heaviest terms are searched for as words (Stein & Potthast, DIR 2007, 2.1). Recall is the share of the neighbours at so high a "
            "cosine, the ten nearest at most, among ten hits. The focused collection is what searches for keywords of one topic bring (4.2). Times are from Python.",
            "".join(keywords_table(part) for part in data["keywords"]),
            [],
        ),
        (
            "Stress of embeddings",
            f"All pairs of {data['stress']['documents']} documents, {data['stress']['dimensions']} dimensions (Stein, SIGIR 2007). The threshold-optimum embedding knows all similarities.",
            stress_table(data["stress"]),
            [
                plots.stress(data["stress"], "precision_stress", "Precision stress"),
                plots.stress(data["stress"], "recall_stress", "Recall stress"),
                plots.stress(data["stress"], "precision", "Precision of the embedding"),
            ],
        ),
    ]
    body = "".join(
        f"<section><h2>{escape(title)}</h2><p>{escape(note)}</p>{rows}<div class=plots>{''.join(f'<div>{p}</div>' for p in drawn)}</div></section>"
        for title, note, rows, drawn in sections
    )
    return (
        f"<!doctype html><html lang=en><meta charset=utf-8><meta name=viewport content='width=device-width'><title>pocketindex evaluate</title>"
        f"<style>{STYLE}</style><h1>How well the schemes find what is similar</h1>"
        f"<p>{data['documents']:,} documents of at least 50 words; profiles learned from the {data['sample']:,} of smallest hash, queries drawn from the others. "
        + (
            f"The profile of another collection is {escape(data['open_profile'])}. "
            if data["open_profile"]
            else ""
        )
        + f"Truth is the exact tf-idf cosine of all pairs.</p><p><code>{escape(command)}</code></p>{body}</html>\n"
    )
