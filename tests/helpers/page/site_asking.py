"""Questions to the search of a website, in a browser."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

# Runs in a page: what a component does, and the answers in the form of paths.
ASK = """
async ({ base, questions }) => {
  await new Promise((done, failed) => {
    const script = document.createElement("script");
    Object.assign(script, { src: `${base}entry.js`, onload: done, onerror: failed });
    document.head.append(script);
  });
  await new Promise((done, failed) => {
    const script = document.createElement("script");
    Object.assign(script, { src: base + pocketEntry.engine, onload: done, onerror: failed });
    document.head.append(script);
  });
  const site = await pocketSite.open(new URL(base, location.href).href, pocketEntry);
  const language = document.documentElement.lang;
  const here = `${location.origin}/`;
  const path = (url) => url.startsWith(here) ? url.slice(here.length - 1) : url;
  const answers = [];
  for (const question of questions) {
    try {
      const given = { filters: question.filters, sort: question.sort, language, top: 50 };
      const answer = await site.search(question.q, given);
      const hits = answer.hits.map((hit) => ({
        ...hit, url: path(hit.url === hit.meta.url ? hit.page : hit.url),
        subs: hit.subs.map((sub) => ({ ...sub, url: path(sub.url), link: path(sub.link) })),
      }));
      answers.push({ ...answer, hits });
    } catch (error) {
      answers.push({ error: String(error.stack), hits: [] });
    }
  }
  return answers;
}
"""


def asked(page: Any, url: str, questions: list[dict[str, Any]], base: str = "/") -> list[Any]:
    """Return the answers to questions that are asked from the page at url. base: the address of the
    site's root, for that page.
    """
    page.goto(url)
    answers: list[Any] = page.evaluate(
        ASK, {"base": f"{base}_pocketindex/", "questions": questions}
    )
    return answers


def by_page(queries: list[dict[str, Any]]) -> dict[str, list[int]]:
    """Return the numbers of questions by the page that they are asked from."""
    found = dict[str, list[int]]()
    for number, query in enumerate(queries):
        found.setdefault(query.get("from", "index.html"), []).append(number)
    return found


def expected(path: Path) -> list[dict[str, Any]]:
    """Return the sites of a file of questions and their answers."""
    sites: list[dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))["sites"]
    return sites
