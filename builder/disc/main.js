// From what the visitor does to what is shown.

const SHORT = 1_000; // characters that an address may hold

const disc = JSON.parse(byId("disc").textContent);
const places = disc.collections.map((described) => ({ name: described.name, documents: described.documents, titled: described.titles, described, open: () => openDescribed(described) }));
let current = 0; // or ALL
let core = null;
let asked = 0; // only the last question is answered
let begun = false; // was anything asked?
let closeTitles = () => {};

const optionsOf = ({ once, link }) => ({ once, link });

async function openDescribed(described) {
  const options = optionsOf(described);
  if (described.file && location.protocol !== "file:") {
    const ranges = await RangeSource.probe(described.file, described.size, described.name);
    if (ranges) return Collection.open(core, ranges, options);
  }
  if (described.shards.length === 0) throw new Problem(words.choose(described.file));
  return Collection.open(core, new ShardSource(described), options);
}

// The collection of a place, opened once.
function opened(place) {
  place.collection ??= place.open().catch((problem) => {
    place.collection = null;
    throw problem;
  });
  return place.collection;
}

const searched = () => (current === ALL ? places : places.slice(current, current + 1));

const openSearched = () => Promise.all(searched().map(opened));
const anyPlace = () => (places.length > 1 ? ALL : 0);

function choose(i) {
  current = i;
  closeTitles();
  byId("titles").hidden = !searched().some(({ titled }) => titled);
  view.collections(places, current, (chosen) => {
    choose(chosen);
    view.nothing();
    if (begun && byId("text").value.trim()) ask();
  });
}

// Where it is loaded at once: begin when a visitor begins. Of several only what tells their language.
async function prepare() {
  try {
    const collections = await openSearched();
    if (current !== ALL) await collections[0].prepare(view.loading);
  } catch {
    view.loading(0, 0); // the query says it
  }
}

// Answer what stands in the field. level: 0, then deeper; probes: from the address.
async function ask({ level = 0, probes = null } = {}) {
  const text = byId("text").value;
  if (text.trim() === "") return fail(new Problem(words.noText), ++asked);
  const bytes = new TextEncoder().encode(text);
  const question = {
    text,
    collections: async (wide) => (current === ALL && !wide ? inLanguage(await openSearched(), bytes) : openSearched()),
    put: (collection, options) => collection.query(bytes, options),
    why: async (hit) => ({ ...(await explain(hit.collection, bytes, hit.document)), passages: hit.passages }),
  };
  remember({ q: text, probes });
  begun = true;
  await answer(question, level, probes);
}

// What is like a document of a collection: by its text, if the file has that, otherwise by its sketch, which only its own collection can read.
async function askLike(document, place, level = 0) {
  try {
    const collection = await opened(places[place]);
    const [hit] = collection.kept === KEPT_TEXT ? [{ document }] : [];
    if (hit) {
      await collection.texts([hit]);
      byId("text").value = hit.text;
      count();
      return await ask({ level });
    }
  } catch (problem) {
    return fail(problem, ++asked);
  }
  byId("text").value = "";
  count();
  remember({ d: String(document), place });
  const collections = async () => [await opened(places[place])];
  await answer({ text: "", collections, put: (collection, options) => collection.like(document, options), why: null }, level, null);
}

// question: its text, the collections for it, how it is put to one, why(hit) where that can be said. wide: put it to all there are.
async function answer(question, level, probes, wide = false) {
  const mine = ++asked;
  view.problem("");
  view.busy(true);
  view.status(words.searching);
  try {
    const collections = await question.collections(wide);
    for (const collection of collections) await collection.prepare(view.loading);
    const found = await askAll(collections, (collection) => question.put(collection, { probes: probes ?? probesAt(level, collection) }));
    if (mine !== asked) return;
    const shown = showTexts(question.text, found.hits, mine);
    const why = question.why && ((hit) => shown.then(() => question.why(hit)));
    const names = current === ALL ? collections.map(({ name }) => name) : [];
    const others = question.why && collections.length < searched().length;
    const widen = { label: words.others, ask: () => answer(question, level, probes, true) };
    const more = others ? widen : deeper(collections, level, found, () => answer(question, level + 1, null, wide));
    view.results({ ...found, names }, more, why);
    view.busy(false);
    await shown;
    if (mine === asked) answered(mine);
  } catch (problem) {
    fail(problem, mine);
  }
}

// What the file keeps of the hits' texts, when the hits are already to be seen. Damage there leaves them as they are.
async function showTexts(text, hits, mine) {
  try {
    for (const collection of new Set(hits.map((hit) => hit.collection))) await collection.texts(hits.filter((hit) => hit.collection === collection));
    for (const hit of hits) {
      const { kept } = hit.collection;
      if (kept === 0) continue;
      if (kept === KEPT_TEXT) await new Promise((resolve) => setTimeout(resolve)); // they may be long: the page stays alive between them
      if (mine !== asked) return;
      const common = kept === KEPT_TEXT ? passages(text, hit.text) : [];
      hit.passages = common.map(({ words, start, end }) => ({ words, text: oneLine(text.slice(start, end)) }));
      view.excerpt(hit, excerpt(hit.text, common));
    }
  } catch (problem) {
    if (mine === asked) view.problem(sentence(problem));
  }
}

// For programs that drive the page: the number of the last question with an answer.
function answered(mine) {
  document.documentElement.dataset.answered = String(mine);
}

// What is loaded at once is compared whole at the second level; otherwise a first answer comes from few blocks, and the second is the file's own.
const probesAt = (level, { once }) => (once ? [0, EXHAUSTIVE] : [COLD, 0])[level];

function deeper(collections, level, { candidates, capped }, ask) {
  const documents = collections.reduce((sum, collection) => sum + collection.documents, 0);
  if (level > 0 || (candidates === documents && !capped)) return null;
  const all = collections.every(({ once }) => once);
  return { label: all ? `Compare with all ${number(documents)} documents` : "Search deeper", ask };
}

function fail(problem, mine) {
  if (mine !== asked) return;
  answered(mine);
  view.busy(false);
  view.status("");
  view.nothing();
  byId("loading").hidden = true;
  view.problem(sentence(problem));
}

function sentence(problem) {
  const memory = problem instanceof RangeError || problem instanceof WebAssembly.RuntimeError;
  return problem instanceof Problem ? problem.message : memory ? words.noMemory : `Something went wrong: ${problem}`;
}

// ---- the address ----

// q: a text, d: a document's number; c: the collection's number, where one of several is asked.
function remember({ q = null, d = null, probes = null, place = current }) {
  const fields = new URLSearchParams(q === null ? { d } : { q });
  if (places.length > 1 && place !== ALL) fields.set("c", String(place));
  if (probes !== null) fields.set("probes", String(probes));
  const short = (q ?? "").length <= SHORT && place < disc.collections.length;
  const hash = short ? `#${fields}` : "#";
  if (location.hash !== hash && (short || location.hash)) history.pushState(null, "", hash);
}

function recall() {
  const fields = new URLSearchParams(location.hash.slice(1));
  const [text, document] = [fields.get("q"), fields.get("d")];
  const [place, probes] = [Number(fields.get("c") ?? anyPlace()), Number(fields.get("probes") ?? 0)];
  if (text === null && !/^\d{1,10}$/.test(document ?? "")) return;
  if (Number.isInteger(place) && place >= anyPlace() && place < places.length) choose(place);
  if (text === null) return askLike(Number(document), Math.max(0, current));
  byId("text").value = text;
  count();
  ask({ probes: Number.isInteger(probes) && probes > 0 && probes <= 65_536 ? probes : null });
}

// ---- what comes in ----

async function take(file) {
  view.problem("");
  try {
    if (await isPocketFile(file)) return await takePocket(file);
    byId("text").value = await textOf(file);
    count();
    await ask();
  } catch (problem) {
    fail(problem, ++asked);
  }
}

async function takeAll(files) {
  for (const file of Array.from(files)) await take(file);
}

async function takePocket(file) {
  // A file of this disc that no script holds takes the place that it has there.
  const own = places.find(({ described }) => described?.shards.length === 0 && described.file.endsWith(`/${file.name}`) && described.size === file.size);
  const collection = await Collection.open(core, new FileSource(file), own && optionsOf(own.described));
  if (!own) places.push({ name: file.name, documents: collection.documents, titled: collection.titled, collection: Promise.resolve(collection) });
  else own.collection = Promise.resolve(collection);
  choose(!own ? places.length - 1 : places.length > 1 && places.every((place) => place.collection) ? ALL : places.indexOf(own));
  view.status(`“${file.name}” is open: ${number(collection.documents)} documents.`);
  view.nothing();
  if (byId("text").value.trim()) await ask();
}

// Titles that begin so, in turn from each collection that has some; its name where there are several to search.
async function propose(text) {
  const collections = await openSearched();
  const found = await titlesOfAll(collections.filter(({ titled }) => titled), text);
  return found.map((each) => ({ ...each, place: current === ALL ? collections.indexOf(each.of) : current, name: current === ALL ? each.of.name : "" }));
}

function count() {
  const found = byId("text").value.match(/\S+/g);
  byId("count").textContent = found ? `${number(found.length)} ${found.length === 1 ? "word" : "words"}` : "";
}

function listen() {
  byId("ask").addEventListener("submit", (event) => {
    event.preventDefault();
    ask();
  });
  byId("text").addEventListener("input", count);
  byId("text").addEventListener("focus", prepare, { once: true });
  byId("text").addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) ask();
  });
  closeTitles = combobox(byId("title"), byId("proposals"), propose, ({ document, place }) => askLike(document, place));
  for (const id of ["file", "pocket"])
    byId(id).addEventListener("change", (event) => {
      takeAll(event.target.files).then(() => (event.target.value = ""));
    });
  const over = (is) => document.body.classList.toggle("over", is);
  addEventListener("dragover", (event) => {
    event.preventDefault();
    over(true);
  });
  addEventListener("dragleave", (event) => event.relatedTarget === null && over(false));
  addEventListener("drop", (event) => {
    event.preventDefault();
    over(false);
    const { files } = event.dataTransfer;
    const text = event.dataTransfer.getData("text/plain");
    if (files.length > 0) takeAll(files);
    else if (text) {
      byId("text").value = text;
      count();
      ask();
    }
  });
  addEventListener("popstate", recall);
}

// Where the browser cannot do what the page needs, the line that names those which can is there again.
async function start() {
  byId("old").hidden = true;
  try {
    new DecompressionStream("deflate-raw"); // which came years after the other formats
    core = await Core.load();
  } catch {
    byId("old").hidden = false;
    return;
  }
  choose(anyPlace());
  listen();
  byId("ask").hidden = false;
  const unread = location.protocol === "file:" && disc.collections.find(({ shards }) => shards.length === 0);
  if (unread) view.status(words.choose(unread.file));
  recall();
}

start();
