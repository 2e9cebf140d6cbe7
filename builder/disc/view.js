// What is shown. Every text of a collection goes through textContent.

const byId = (id) => document.getElementById(id);

function element(name, properties = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (key in made) made[key] = value;
    else made.setAttribute(key, value);
  }
  made.append(...children);
  return made;
}

const view = {
  problem(text) {
    byId("problem").textContent = text;
  },

  // said: for screen readers only, because it is to be seen elsewhere.
  status(text, said = false) {
    byId("status").textContent = text;
    byId("status").classList.toggle("unseen", said);
  },

  busy(is) {
    byId("find").disabled = is;
    byId("results").setAttribute("aria-busy", String(is));
  },

  loading(loaded, total) {
    const bar = byId("loading");
    bar.hidden = loaded >= total;
    bar.max = total;
    bar.value = loaded;
    if (loaded < total) view.status(`${words.loading} ${size(loaded)} of ${size(total)}`);
    else if (byId("status").textContent.startsWith(words.loading)) view.status(byId("find").disabled ? words.searching : "");
  },

  // The collections to choose from; chosen(i) when another one is.
  collections(names, current, chosen) {
    byId("collections").hidden = names.length < 2;
    const all = { name: words.inLanguage, i: ALL };
    const choices = [all, ...names.map((each, i) => ({ ...each, i }))].map(({ name, documents, i }) => {
      const radio = element("input", { type: "radio", name: "collection", value: String(i), checked: i === current });
      radio.addEventListener("change", () => chosen(i));
      const count = documents === undefined ? "" : ` ${number(documents)} documents`;
      return element("label", {}, radio, element("span", {}, name, element("small", {}, count)));
    });
    byId("choices").replaceChildren(...choices);
  },

  nothing() {
    byId("results").hidden = true;
    byId("hits").replaceChildren();
  },

  // deeper: null, or {label, ask}; why: null, or why(hit) -> Promise of an explanation.
  // names: of the collections that were asked, where the page has chosen them.
  results({ hits, terms, candidates, capped, names }, deeper, why) {
    const count = hits.length;
    byId("found").textContent = count === 0 ? words.nothing : `${number(count)} similar ${count === 1 ? "text" : "texts"}`;
    byId("effort").textContent =
      (why ? `${number(terms)} words of your text counted, ` : words.bySketch) +
      `${number(candidates)} ${candidates === 1 ? "document" : "documents"} compared` +
      (names.length ? ` in ${names.join(", ")}` : "") +
      (capped ? "; there were more than a query looks at" : "");
    byId("hits").replaceChildren(...hits.map((hit) => hitItem(hit, why, names.length > 0)));
    const more = byId("deeper");
    more.hidden = !deeper;
    more.textContent = deeper?.label ?? "";
    more.onclick = deeper?.ask ?? null;
    byId("results").hidden = false;
    byId("results").focus({ preventScroll: true });
    byId("results").scrollIntoView({ block: "nearest" });
    view.status(byId("found").textContent, true);
  },

  // Into the hit that is shown: pieces of its text, those that stand in both texts marked.
  excerpt(hit, pieces) {
    hit.item.querySelector(".excerpt").replaceChildren(...pieces.map(({ text, same }) => (same ? element("mark", {}, text) : text)));
  },
};

const likeness = (similarity) =>
  similarity === 10000 ? "the same text" : similarity >= 9000 ? "nearly the same" : similarity >= 7000 ? "very similar" : "similar";

function hitItem(hit, why, named) {
  const percent = Math.floor(hit.similarity / 100);
  const name = hit.title || hit.id;
  const link = safeLink(hit.url);
  const title = link ? element("a", { href: link, rel: "noreferrer noopener" }, name) : element("span", {}, name);
  title.dir = "auto";
  const score = element("span", { className: "score", role: "meter" }, `${percent} %`);
  Object.entries({ "aria-label": "similarity", "aria-valuemin": 0, "aria-valuemax": 100, "aria-valuenow": percent }).forEach(([k, v]) => score.setAttribute(k, v));
  const place = element("span", { dir: "auto" }, readable(hit.url || hit.id));
  const heading = element("h3", {}, title);
  const about = element("p", { className: "about" }, `${likeness(hit.similarity)} · `, place, named ? ` · in ${hit.collection.name}` : "");
  const item = element("li", {}, score, heading, element("p", { className: "excerpt", dir: "auto" }), about);
  if (why) item.append(explanation(hit, name, why));
  item.style.setProperty("--similarity", hit.similarity / 10000);
  item.dataset.document = hit.document;
  item.dataset.collection = hit.collection.name;
  item.dataset.similarity = hit.similarity;
  hit.item = item;
  return item;
}

function explanation(hit, name, why) {
  const details = element("details", {}, element("summary", {}, "Why", element("span", { className: "unseen" }, ` is “${name}” a hit?`)));
  details.addEventListener("toggle", () => details.open && details.childElementCount === 1 && explained(details, hit, why));
  return details;
}

async function explained(details, hit, why) {
  const body = element("div", { className: "why" });
  details.append(body);
  try {
    const { agree, components, agreement, terms, passages } = await why(hit);
    const heaviest = terms.slice(0, 24);
    const sentence = `${agree} of ${components} features agree, ${Math.round(100 * agreement)} % of their weight. These words of your text weigh most:`;
    const marks = heaviest.map(({ term, weight }) => {
      const mark = element("mark", { dir: "auto", title: `${(100 * weight).toFixed(1)} %` }, term);
      mark.style.setProperty("--weight", weight / heaviest[0].weight);
      return element("li", {}, mark);
    });
    body.append(element("p", {}, sentence), element("ul", { className: "words" }, ...marks));
    if (passages?.length) {
      const quotes = passages.map(({ text, words }) => element("li", {}, element("q", { dir: "auto" }, text), ` (${number(words)} words)`));
      body.append(element("p", {}, "Passages in both texts:"), element("ul", { className: "quotes" }, ...quotes));
    }
  } catch (problem) {
    body.append(element("p", {}, problem instanceof Problem ? problem.message : String(problem)));
  }
}

function readable(url) {
  try {
    return decodeURI(url);
  } catch {
    return url;
  }
}

// A link that leads to a page; what would run or hold something itself, or ask another computer for a file, is shown as text only.
function safeLink(url) {
  if (!url) return null;
  try {
    const { protocol, host } = new URL(url, location.href);
    const beside = protocol === "file:" && location.protocol === "file:" && host === location.host;
    return protocol === "http:" || protocol === "https:" || beside ? url : null;
  } catch {
    return null;
  }
}
