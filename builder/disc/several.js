// Several collections asked as one: those that have the language of a text, their hits merged.

const ALL = -1; // in the place of a collection's number
const WEIGHING = [2, 3]; // schemes that weigh terms: rff, plsh
const COMMON = 40; // weight, in sixteenths of a bit: what a sixth of the documents has is mostly a word of the language
const ENOUGH = 1 / 4; // of the largest share
const LEAST = 0.15; // a largest share below this tells no language: tables, lists of names
const SMALL = 2_000; // documents: fewer say little of their language, and are soon loaded
const TOLD_BY = 65_536; // bytes of a text

// The share of a text's terms that are common in the collection; null where its profile does not tell.
function commonShare({ core, index, documents, scheme }, text) {
  if (documents < SMALL || !WEIGHING.includes(scheme)) return null;
  const start = text.subarray(0, TOLD_BY);
  return core.scratch((take) => {
    const [at, count] = [take(start.length), take(8)];
    core.bytes(at, start.length).set(start);
    const read = (classes, room) => {
      core.view().setBigUint64(count, BigInt(room), true);
      core.calls.pocket_classes(index, at, BigInt(start.length), classes, count);
      return core.u64(count);
    };
    const terms = read(0, 0);
    const classes = take(terms * BYTES.termClass);
    read(classes, terms);
    let common = 0;
    for (let i = 0; i < terms; i++) {
      const [number, weight] = [8, 12].map((place) => core.i32(classes + i * BYTES.termClass + place));
      // A stop word; or not 0: that is also the weight of what no document has.
      if (number < 0 || (weight !== 0 && Math.abs(weight) < COMMON)) common++;
    }
    return terms === 0 ? 0 : common / terms;
  });
}

// Of several collections those to ask: where the text's words are common, and those that do not tell.
function inLanguage(collections, text) {
  const shares = collections.map((collection) => commonShare(collection, text));
  const most = Math.max(0, ...shares);
  return collections.filter((_, i) => shares[i] === null || most < LEAST || shares[i] >= ENOUGH * most);
}

// The hits of all, as reader/many.py merges them, each with its collection. ask(collection) -> what Collection.query gives. Where the text is too
// short for a collection that one has no hits, unless it is so for all.
async function askAll(collections, ask) {
  const answers = [];
  let tooShort = null;
  for (const collection of collections) {
    try {
      answers.push({ collection, ...(await ask(collection)) });
    } catch (problem) {
      if (!(problem instanceof TooShort)) throw problem;
      tooShort ??= problem;
    }
  }
  if (answers.length === 0) throw tooShort;
  const hits = answers.flatMap(({ collection, hits }) => hits.map((hit) => ({ ...hit, collection })));
  hits.sort((a, b) => b.similarity - a.similarity); // ties stay in the order of the collections
  hits.splice(TOP);
  for (const collection of collections) await collection.describe(hits.filter((hit) => hit.collection === collection));
  return {
    hits,
    terms: Math.max(...answers.map(({ terms }) => terms)),
    candidates: answers.reduce((sum, { candidates }) => sum + candidates, 0),
    capped: answers.some(({ capped }) => capped),
  };
}

// The first of all their titles that begin with a text, in turn from each: {document, title, of}.
async function titlesOfAll(collections, text) {
  const found = [];
  for (const of of collections) found.push((await of.titles(text, PROPOSED)).map((each, i) => ({ ...each, of, i })));
  const order = found.flat().sort((a, b) => a.i - b.i);
  return order.slice(0, PROPOSED);
}
