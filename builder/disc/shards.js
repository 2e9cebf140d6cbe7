// The bytes of a pocket file out of shards (builder/disc/shard.py), a source as those of sources.js.

const SHARD_TIME = 60_000; // milliseconds after which a server has given up on a script
const KEPT_SHARDS = 16_000_000; // bytes: the shards of titles that were used last
const LONGEST_CALL = 100; // bytes of a shard up to its data

// Scripts beside the page call this with their data; it is all that they can call.
const awaited = new Map();
window.pocketShard = (identity, number, data) => {
  const script = document.currentScript;
  awaited.get(script && script.src)?.(identity, number, data);
};

class ShardSource {
  // described: an entry of the disc's collections (builder/disc/folder.py).
  constructor(described) {
    this.described = described;
    this.size = described.size;
    this.name = described.name;
    this.kept = new Map();
    this.loading = new Map();
    this.ranges = [];
    described.shards.forEach(([, ranges], number) => {
      for (let i = 0, at = 0; i < ranges.length; at += ranges[i + 1], i += 2) this.ranges.push({ start: ranges[i], length: ranges[i + 1], number, at });
    });
    this.ranges.sort((a, b) => a.start - b.start);
  }

  find(offset) {
    let low = 0;
    for (let high = this.ranges.length; high - low > 1; ) {
      const middle = (low + high) >> 1;
      if (this.ranges[middle].start <= offset) low = middle;
      else high = middle;
    }
    const range = this.ranges[low];
    return range && offset >= range.start && offset < range.start + range.length ? range : null;
  }

  file(offset) {
    const range = this.find(offset);
    return range ? this.fileOf(range.number) : this.name;
  }

  fileOf(number) {
    return `${this.described.folder}/${this.described.shards[number][0]}`;
  }

  async read(offset, length) {
    const out = new Uint8Array(length);
    for (let done = 0; done < length; ) {
      const range = this.find(offset + done);
      if (!range) throw new Problem(words.damaged(this.name, `offset ${offset + done}`));
      const bytes = await this.shard(range.number);
      const from = offset + done - range.start;
      const take = Math.min(length - done, range.length - from);
      out.set(bytes.subarray(range.at + from, range.at + from + take), done);
      done += take;
    }
    return out;
  }

  async shard(number) {
    let bytes = this.kept.get(number);
    if (!bytes) {
      if (!this.loading.has(number)) this.loading.set(number, this.load(number).finally(() => this.loading.delete(number)));
      bytes = await this.loading.get(number);
    }
    this.kept.delete(number); // and last again: the first ones are let go
    this.kept.set(number, bytes);
    let total = 0;
    this.kept.forEach((each) => (total += each.length));
    for (const [key, each] of this.kept) {
      if (total <= KEPT_SHARDS || key === number) break;
      this.kept.delete(key);
      total -= each.length;
    }
    return bytes;
  }

  async load(number) {
    const file = this.fileOf(number);
    const load = location.protocol === "file:" ? loadScript : fetchScript;
    const packed = await load(file, this.described.identity, number);
    const ranges = this.described.shards[number][1];
    let expected = 0;
    for (let i = 1; i < ranges.length; i += 2) expected += ranges[i];
    let bytes = null;
    try {
      bytes = await inflate(packed);
    } catch {
      throw new Problem(words.damagedShard(file));
    }
    if (bytes.length !== expected) throw new Problem(words.damagedShard(file));
    return bytes;
  }
}

// From a folder: run as a script, in an encoding that has a character for every byte.
function loadScript(file, identity, number) {
  return new Promise((resolve, reject) => {
    const script = document.createElement("script");
    const end = (problem) => {
      clearTimeout(timer);
      awaited.delete(script.src);
      script.remove();
      if (problem) reject(new Problem(problem));
    };
    const timer = setTimeout(() => end(words.missingShard(file)), SHARD_TIME);
    script.charset = "x-user-defined";
    script.src = file;
    awaited.set(script.src, (whose, which, data) => {
      if (whose !== identity || which !== number) return end(words.foreignShard(file));
      end(null);
      const bytes = new Uint8Array(data.length);
      for (let i = 0; i < bytes.length; i++) bytes[i] = data.charCodeAt(i); // U+F780 to U+F7FF are the bytes 80 to FF
      resolve(bytes);
    });
    script.onerror = () => end(words.missingShard(file));
    script.onload = () => end(words.damagedShard(file)); // after a call there is nothing left to end
    document.head.append(script);
  });
}

// Over HTTP: as bytes, because a server may name another encoding, which would win.
async function fetchScript(file, identity, number) {
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort(), SHARD_TIME);
  let bytes = null;
  try {
    const answer = await fetch(file, { signal: stop.signal });
    if (answer.ok) bytes = new Uint8Array(await answer.arrayBuffer());
  } catch {
    // said below
  }
  clearTimeout(timer);
  if (!bytes) throw new Problem(words.missingShard(file));
  const call = /^pocketShard\("(\w+)",(\d+),"/.exec(String.fromCharCode(...bytes.subarray(0, LONGEST_CALL)));
  const end = bytes.length - '");\n'.length;
  if (!call || end < call[0].length || bytes[end] !== 0x22) throw new Problem(words.damagedShard(file));
  if (call[1] !== identity || Number(call[2]) !== number) throw new Problem(words.foreignShard(file));
  return unescaped(bytes.subarray(call[0].length, end));
}

function unescaped(bytes) {
  const out = new Uint8Array(bytes.length);
  let length = 0;
  for (let i = 0; i < bytes.length; i++) {
    const escape = bytes[i] === 0x5c;
    if (escape) i++;
    out[length++] = escape && bytes[i] === 0x6e ? 0x0a : escape && bytes[i] === 0x72 ? 0x0d : bytes[i];
  }
  return out.subarray(0, length);
}

async function inflate(bytes) {
  return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"))).arrayBuffer());
}
