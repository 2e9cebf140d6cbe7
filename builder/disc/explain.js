// Why a document is a hit: the components of the two sketches that agree, and the terms behind them. The arithmetic is reader/explain.py's.

async function explain(collection, text, document) {
  const { core, index, components: d } = collection;
  const at = core.put(text);
  const stored = core.take(d);
  try {
    await collection.complete(() => core.calls.pocket_digits(index, document, stored, core.error));
    return core.scratch((take) => {
      const [digits, weights] = [take(d), take(4 * d)];
      const status = core.calls.pocket_sketch(index, at, BigInt(text.length), digits, weights, 0, 0);
      if (status !== STATUS.ok) throw collection.problem(status);
      const weight = Array.from({ length: d }, (_, j) => core.u32(weights + 4 * j));
      const [mine, theirs] = [core.bytes(digits, d).slice(), core.bytes(stored, d).slice()];
      // Where every weight is 0 each component counts the same, as in the ranking.
      const even = weight.every((w) => w === 0);
      const total = even ? d : weight.reduce((sum, w) => sum + w, 0);
      const agreeing = weight.map((w, j) => (mine[j] !== theirs[j] ? 0 : even ? 1 : w));
      const terms = share(moves(collection, at, text.length, take), agreeing, mine, total);
      const agree = mine.reduce((sum, digit, j) => sum + (digit === theirs[j] ? 1 : 0), 0);
      return { components: d, agree, agreement: agreeing.reduce((sum, w) => sum + w, 0) / total, terms };
    });
  } finally {
    [at, stored].forEach((each) => core.calls.pocket_free(each));
  }
}

// The weight of an agreeing component is divided among the terms that move it to its side of the border, by how far they do.
function share(moved, agreeing, digits, total) {
  const shares = new Map();
  agreeing.forEach((weight, j) => {
    if (weight === 0) return;
    const side = digits[j] ? 1 : -1;
    let whole = 0;
    for (const move of moved.values()) whole += Math.max(0, side * move[j]);
    for (const [term, move] of moved)
      if (side * move[j] > 0) shares.set(term, (shares.get(term) ?? 0) + (weight * side * move[j]) / whole / total);
  });
  const order = (a, b) => b.weight - a.weight || (a.term < b.term ? -1 : 1);
  return Array.from(shares, ([term, weight]) => ({ term, weight })).sort(order);
}

// How far each term moves each component, in all its occurrences; stop words are left out.
function moves({ core, index, components: d, stream }, at, length, take) {
  const size = take(8);
  core.calls.pocket_terms_write(at, BigInt(length), stream, 0, 0n, size);
  const room = core.u64(size);
  const out = take(room);
  core.calls.pocket_terms_write(at, BigInt(length), stream, out, BigInt(room), size);
  const terms = core.string(out, room).split("\n").slice(0, -1);
  const [classes, count] = [take(terms.length * BYTES.termClass), take(8)];
  core.view().setBigUint64(count, BigInt(terms.length), true);
  core.calls.pocket_classes(index, at, BigInt(length), classes, count);
  const times = new Map();
  const place = new Map();
  terms.forEach((term, i) => {
    if (core.i32(classes + i * BYTES.termClass + 8) < 0) return;
    times.set(term, (times.get(term) ?? 0) + 1);
    place.set(term, classes + i * BYTES.termClass);
  });
  const influences = take(4 * d);
  const moved = new Map();
  for (const [term, where] of place) {
    core.calls.pocket_influences(index, where, influences);
    moved.set(term, Array.from({ length: d }, (_, j) => times.get(term) * core.i32(influences + 4 * j)));
  }
  return moved;
}
