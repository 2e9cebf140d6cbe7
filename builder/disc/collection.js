// A pocket file, open in the core by its heads; blocks are fetched from its source when a call has missed them.

const GAP = 32_768; // bytes that are read and thrown away rather than asked for around
const RUN = 4_000_000; // bytes to a read
const READS = 6; // at once
const MOST_ROUNDS = 40; // of a call: a query has three, a look-up among titles that begin alike some more
const TOP = 20; // hits
const KEPT = 512_000_000; // bytes lent before a query; beyond that it begins anew

class Collection {
  static async open(core, source, options = {}) {
    const heads = await readHeads(source);
    return new Collection(core, source, heads, options);
  }

  // options: once (load all tables, cells and sketches before the first query), link (a template for the hits' links).
  constructor(core, source, heads, options) {
    Object.assign(this, { core, source, name: source.name, link: options.link || "" });
    this.underWay = new Map(); // what is being fetched: by the offset of a block, the fetching
    this.runs = []; // what was lent: {at, length, blocks: [{section, number, offset}]}
    core.scratch((take) => {
      const out = take(4);
      const given = core.put(heads);
      const status = core.calls.pocket_open_pieces(given, BigInt(heads.length), out, core.error);
      core.calls.pocket_free(given);
      if (status !== STATUS.ok) throw this.problem(status);
      this.index = core.u32(out);
      const at = take(BYTES.summary);
      core.calls.pocket_summarize(this.index, at);
      this.documents = core.u64(at + 8);
      [this.scheme, this.stream, , this.components] = [32, 36, 40, 44].map((place) => core.u32(at + place));
      this.leastTerms = core.u32(at + 72);
    });
    this.titled = core.calls.pocket_title_count(this.index) > 0;
    this.kept = core.calls.pocket_text_kept(this.index);
    this.lookUp = this.lengthOf(SECTION.tables) + this.lengthOf(SECTION.sketches) + this.lengthOf(SECTION.cells);
    this.once = options.once ?? this.lookUp <= 4_000_000;
  }

  close() {
    this.forget();
    this.core.calls.pocket_close(this.index);
  }

  lengthOf(kind) {
    return this.core.scratch((take) => {
      const at = take(32);
      for (let i = 0; this.core.calls.pocket_section_get(this.index, i, at) === STATUS.ok; i++)
        if (this.core.u32(at) === kind) return this.core.u64(at + 16);
      return 0;
    });
  }

  // Load what a look-up needs, when that is done once. tell(loaded, total) in bytes.
  async prepare(tell = () => {}) {
    if (!this.once) return;
    this.preparing ??= this.load(tell).catch((problem) => {
      this.preparing = null;
      throw problem;
    });
    await this.preparing;
  }

  async load(tell) {
    for (const kind of [SECTION.tables, SECTION.sketches, SECTION.cells]) this.core.calls.pocket_miss(this.index, kind);
    await this.fetchMissed(tell);
  }

  // The hits of a text (UTF-8), best first: {document, similarity}; describe() has the rest. probes: 0 for the file's own, EXHAUSTIVE for every document.
  async query(text, options = {}) {
    const at = this.core.put(text);
    try {
      return await this.hits((...rest) => {
        const status = this.core.calls.pocket_query(this.index, at, BigInt(text.length), ...rest);
        // The core says of a short text only that it is one.
        if (status === STATUS.tooShort) throw new TooShort(words.tooShort(this.leastTerms, this.core.reported(rest[0])));
        return status;
      }, { least: this.core.calls.pocket_min_similarity(this.index, 0), ...options });
    } finally {
      this.core.calls.pocket_free(at);
    }
  }

  // The hits of a stored document by its sketch, itself among them.
  like(document, options = {}) {
    const least = this.core.calls.pocket_min_similarity(this.index, 1);
    return this.hits((...rest) => this.core.calls.pocket_query_document(this.index, document, ...rest), { least, ...options });
  }

  // ask(options, hits, count, error) is the core's query. least: the similarity of a hit that is shown, in ten-thousandths.
  async hits(ask, { probes = 0, top = TOP, least }) {
    await this.prepare();
    if (!this.once && this.runs.reduce((sum, run) => sum + run.length, 0) > KEPT) this.forget();
    const { core } = this;
    const found = core.take(top * BYTES.hit);
    const count = core.take(4);
    const report = core.take(BYTES.report);
    const asked = core.options(probes, report);
    const hits = [];
    try {
      await this.complete(() => {
        core.setU32(count, top);
        return ask(asked, found, count, core.error);
      });
      for (let i = 0; i < core.u32(count); i++) {
        const hit = found + i * BYTES.hit;
        const [document, similarity] = [core.u32(hit), core.u32(hit + 4)];
        if (similarity >= least) hits.push({ document, similarity });
      }
      const done = { terms: core.u64(report), candidates: core.u32(report + 16), capped: core.u32(report + 20) !== 0 };
      return { hits, ...done };
    } finally {
      [found, count, report, asked].forEach((each) => core.calls.pocket_free(each));
    }
  }

  // The first of the titles that begin with a text: {document, title}.
  async titles(text, most) {
    const { core } = this;
    const at = core.put(new TextEncoder().encode(text));
    const length = BigInt(new TextEncoder().encode(text).length);
    const [out, count] = [core.take(4), core.take(4)];
    try {
      await this.complete(() => {
        core.setU32(count, most);
        return core.calls.pocket_titles_find(this.index, at, length, out, count, core.error);
      });
      const list = core.u32(out);
      const found = Array.from({ length: core.u32(count) }, (_, i) => {
        const [place, size, document] = [0, 4, 8].map((k) => core.u32(list + i * BYTES.title + k));
        return { document, title: core.string(place, size) };
      });
      core.calls.pocket_titles_free(list);
      return found;
    } finally {
      [at, out, count].forEach((each) => core.calls.pocket_free(each));
    }
  }

  // Each hit's id, title and url, for those that are shown: no query reads them. The blocks of all of them are asked for together.
  async describe(hits) {
    if (hits.length === 0) return;
    const { core } = this;
    const [out, numbers] = [core.take(4), core.take(4 * hits.length)];
    hits.forEach((hit, i) => core.setU32(numbers + 4 * i, hit.document));
    try {
      await this.complete(() => core.calls.pocket_documents_get(this.index, numbers, hits.length, out, core.error));
      const documents = core.u32(out);
      hits.forEach((hit, i) => this.take(hit, documents + i * BYTES.document));
      core.calls.pocket_document_free(documents);
    } finally {
      [out, numbers].forEach((each) => core.calls.pocket_free(each));
    }
  }

  // Each hit's text, or what is kept of it, where anything is. The blocks of all of them are asked for together.
  async texts(hits) {
    if (this.kept === 0) return;
    const { core } = this;
    const out = core.take(4);
    try {
      await this.complete(() => {
        let missing = STATUS.ok;
        for (const hit of hits.filter(({ text }) => text === undefined)) {
          const status = core.calls.pocket_text_get(this.index, hit.document, out, core.error);
          if (status === STATUS.notAtHand) missing = status;
          else if (status !== STATUS.ok) return status;
          else this.takeText(hit, core.u32(out));
        }
        return missing;
      });
    } finally {
      core.calls.pocket_free(out);
    }
  }

  takeText(hit, at) {
    hit.text = this.core.string(this.core.u32(at), this.core.u32(at + 4));
    this.core.calls.pocket_text_free(at);
  }

  take(hit, at) {
    const field = (i) => this.core.string(this.core.u32(at + 4 * i), this.core.u32(at + 12 + 4 * i));
    [hit.id, hit.title, hit.url] = [field(0), field(1), field(2)];
    if (this.link) hit.url = this.link.replace(/\{(id|title)\}/g, (_, name) => percentEncoded(hit[name]));
  }

  // call() until it has all its blocks.
  async complete(call) {
    for (let round = 0; ; round++) {
      const status = call();
      if (status === STATUS.ok) return;
      if (status !== STATUS.notAtHand || round > MOST_ROUNDS) throw this.problem(status);
      await this.fetchMissed();
    }
  }

  problem(status) {
    const [section, block] = [this.core.u32(this.core.error + 4), this.core.i32(this.core.error + 8)];
    const lent = this.runs.flatMap((run) => run.blocks).find((each) => each.section === section && each.number === block);
    const file = lent ? this.source.file(lent.offset) : this.name;
    return file === this.name ? this.core.problem(status, this.name) : new Problem(words.damagedShard(file));
  }

  async fetchMissed(tell = () => {}) {
    // What another call fetches already is only waited for, where nothing else is missed.
    const missed = this.missed().filter(({ offset }) => !this.underWay.has(offset));
    if (missed.length === 0 && this.underWay.size > 0) return Promise.race(this.underWay.values());
    const runs = inRuns(missed);
    const total = runs.reduce((sum, run) => sum + run.length, 0);
    let loaded = 0;
    const next = async () => {
      for (let run = runs.shift(); run; run = runs.shift()) {
        const bytes = await this.source.read(run.offset, run.length).catch((problem) => {
          // Nothing more of this is wanted, and no later call is to stumble over it.
          [run, ...runs.splice(0)].forEach(({ blocks }) => this.takeBack(blocks));
          tell = () => {}; // others that are on their way come too late to be told of
          throw problem;
        });
        this.lend(run, bytes);
        tell((loaded += run.length), total);
      }
    };
    const own = Promise.all(Array.from({ length: READS }, next));
    missed.forEach(({ offset }) => this.underWay.set(offset, own));
    try {
      await own;
    } finally {
      missed.forEach(({ offset }) => this.underWay.delete(offset));
    }
  }

  // Neither lent nor missed any longer.
  takeBack(blocks) {
    for (const { section, number } of blocks) this.core.calls.pocket_lend(this.index, section, number, 0);
  }

  // Blocks that calls have missed, in the order of the file: {offset, length, section, number}.
  missed() {
    const ROOM = 65_536;
    return this.core.scratch((take) => {
      const [at, count] = [take(ROOM * BYTES.block), take(4)];
      this.core.setU32(count, ROOM);
      this.core.calls.pocket_missed(this.index, at, count);
      const { core } = this;
      return Array.from({ length: core.u32(count) }, (_, i) => {
        const block = at + i * BYTES.block;
        return { offset: core.u64(block), length: core.u64(block + 8), section: core.u32(block + 16), number: core.u32(block + 20) };
      });
    });
  }

  lend(run, bytes) {
    const at = this.core.put(bytes);
    this.runs.push({ at, length: bytes.length, blocks: run.blocks });
    for (const { section, number, offset } of run.blocks) this.core.calls.pocket_lend(this.index, section, number, at + (offset - run.offset));
  }

  // Take back all that was lent: after damage, so that it is read anew, or when it has become too much.
  forget() {
    for (const run of this.runs) {
      this.takeBack(run.blocks);
      this.core.calls.pocket_free(run.at);
    }
    this.runs = [];
    this.preparing = null;
  }
}

// Neighbours of a section become one read: what lies between sections is in no shard.
function inRuns(blocks) {
  const runs = [];
  for (const block of blocks) {
    const last = runs[runs.length - 1];
    const end = block.offset + block.length;
    if (last && last.section === block.section && block.offset - (last.offset + last.length) <= GAP && end - last.offset <= RUN) {
      last.length = end - last.offset;
      last.blocks.push(block);
    } else {
      runs.push({ section: block.section, offset: block.offset, length: block.length, blocks: [block] });
    }
  }
  return runs;
}

// As the core does it for the url templates of files.
function percentEncoded(text) {
  return encodeURIComponent(text.toWellFormed ? text.toWellFormed() : text)
    .replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)
    .replace(/%2F/g, "/");
}
