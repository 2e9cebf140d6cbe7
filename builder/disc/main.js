// From what the visitor does to what is shown.

const FEWER = 64; // probes of a first query where parts come as needed
const SHORT = 1_000; // characters that an address may hold

const disc = JSON.parse(byId("disc").textContent);
const places = disc.collections.map((described) => ({ name: described.name, documents: described.documents, open: () => openDescribed(described) }));
let current = 0;
let core = null;
let asked = 0; // only the last question is answered
let last = null; // its text and collection

async function openDescribed(described) {
  const options = { once: described.once, link: described.link };
  if (described.file && location.protocol !== "file:") {
    const ranges = await RangeSource.probe(described.file, described.size, described.name);
    if (ranges) return Collection.open(core, ranges, options);
  }
  if (described.shards.length === 0) throw new Problem(words.noRange);
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

function choose(i) {
  current = i;
  view.collections(places, current, (chosen) => {
    current = chosen;
    view.nothing();
    if (last) ask();
  });
}

// Where it is loaded at once: begin when a visitor begins.
async function prepare() {
  try {
    await (await opened(places[current])).prepare(view.loading);
  } catch {
    // the query says it
  }
}

// Answer what stands in the field. level: 0, then deeper; probes: from the address.
async function ask({ level = 0, probes = null } = {}) {
  const mine = ++asked;
  const place = places[current];
  const text = byId("text").value;
  view.problem("");
  if (text.trim() === "") return fail(new Problem(words.noText), mine);
  if (!place) return fail(new Problem("Choose a .pocket file first."), mine);
  view.busy(true);
  view.status("Searching");
  remember(text, probes);
  try {
    const collection = await opened(place);
    await collection.prepare(view.loading);
    const bytes = new TextEncoder().encode(text);
    const levels = collection.once ? [0, EXHAUSTIVE] : [Math.min(FEWER, collection.defaultProbes), 0];
    const answer = await collection.query(bytes, { probes: probes ?? levels[level] });
    if (mine !== asked) return;
    last = { text, place };
    const shown = showTexts(collection, text, answer.hits, mine);
    view.results(answer, deeper(collection, level, levels), async (hit) => {
      await shown;
      return { ...(await explain(collection, bytes, hit.document)), passages: hit.passages };
    });
    view.busy(false);
    await shown;
    if (mine === asked) answered(mine);
  } catch (problem) {
    fail(problem, mine);
  }
}

// What the file keeps of the hits' texts, when the hits are already to be seen. Damage there leaves them as they are.
async function showTexts(collection, text, hits, mine) {
  if (collection.kept === 0) return;
  try {
    await collection.texts(hits);
    for (const hit of hits) {
      if (collection.kept === KEPT_TEXT) await new Promise((resolve) => setTimeout(resolve)); // they may be long: the page stays alive between them
      if (mine !== asked) return;
      const common = collection.kept === KEPT_TEXT ? passages(text, hit.text) : [];
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

function deeper(collection, level, levels) {
  if (level + 1 >= levels.length) return null;
  const all = levels[level + 1] === EXHAUSTIVE;
  return { label: all ? `Compare with all ${number(collection.documents)} documents` : "Search deeper", ask: () => ask({ level: level + 1 }) };
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

function remember(text, probes) {
  const fields = new URLSearchParams({ q: text });
  if (current > 0) fields.set("c", String(current));
  if (probes !== null) fields.set("probes", String(probes));
  const short = text.length <= SHORT && current < disc.collections.length;
  const hash = short ? `#${fields}` : "#";
  if (location.hash !== hash && (short || location.hash)) history.pushState(null, "", hash);
}

function recall() {
  const fields = new URLSearchParams(location.hash.slice(1));
  const [text, place, probes] = [fields.get("q"), Number(fields.get("c") ?? 0), Number(fields.get("probes") ?? 0)];
  if (text === null) return;
  if (Number.isInteger(place) && place >= 0 && place < places.length) choose(place);
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

async function takePocket(file) {
  const collection = await Collection.open(core, new FileSource(file));
  places.push({ name: file.name, documents: collection.documents, collection: Promise.resolve(collection) });
  choose(places.length - 1);
  view.status(`“${file.name}” is open: ${number(collection.documents)} documents.`);
  view.nothing();
  if (byId("text").value.trim()) await ask();
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
  for (const id of ["file", "pocket"])
    byId(id).addEventListener("change", (event) => {
      const [file] = event.target.files;
      if (file) take(file).then(() => (event.target.value = ""));
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
    const [file] = event.dataTransfer.files;
    const text = event.dataTransfer.getData("text/plain");
    if (file) take(file);
    else if (text) {
      byId("text").value = text;
      count();
      ask();
    }
  });
  addEventListener("popstate", recall);
}

async function start() {
  byId("old").remove();
  if (typeof WebAssembly !== "object" || typeof DecompressionStream !== "function" || typeof BigInt !== "function") return view.problem(words.tooOld);
  try {
    core = await Core.load();
  } catch {
    return view.problem(words.tooOld);
  }
  choose(0);
  listen();
  byId("ask").hidden = false;
  recall();
}

start();
