// Three ways to the bytes of a pocket file. Each has its size and read(offset, length) -> Promise<Uint8Array>, and file(offset): what to name when they
// are bad.

const SHARD_TIME = 60_000; // milliseconds after which a server has given up on a script
const KEPT_SHARDS = 16_000_000; // bytes: the shards of titles that were used last

// Scripts beside the page call this with their bytes; it is all that they can call.
const awaited = new Map();
window.pocketShard = (identity, number, packed) => {
  const script = document.currentScript;
  awaited.get(script && script.src)?.(identity, number, packed);
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
    const packed = await loadScript(file, this.described.identity, number);
    const ranges = this.described.shards[number][1];
    let expected = 0;
    for (let i = 1; i < ranges.length; i += 2) expected += ranges[i];
    let bytes = null;
    try {
      bytes = await inflate(fromBase64(packed));
    } catch {
      throw new Problem(words.damagedShard(file));
    }
    if (bytes.length !== expected) throw new Problem(words.damagedShard(file));
    return bytes;
  }
}

// The bytes that a script hands over, still in base64.
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
    script.src = file;
    awaited.set(script.src, (whose, which, packed) => {
      if (whose !== identity || which !== number) return end(words.foreignShard(file));
      end(null);
      resolve(packed);
    });
    script.onerror = () => end(words.missingShard(file));
    script.onload = () => end(words.damagedShard(file)); // after a call there is nothing left to end
    document.head.append(script);
  });
}

async function inflate(bytes) {
  return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"))).arrayBuffer());
}

// A file on a server that sends byte ranges.
class RangeSource {
  // A source, or null where the server sends anything but the 32 bytes asked for: then nothing more of the answer is read.
  static async probe(url, size, name) {
    const stop = new AbortController();
    try {
      const answer = await fetch(url, { headers: { Range: "bytes=0-31" }, signal: stop.signal });
      if (answer.status === 206 && answer.headers.get("Content-Range") === `bytes 0-31/${size}`) {
        if ((await answer.arrayBuffer()).byteLength === 32) return new RangeSource(url, size, name);
      }
    } catch {
      // a page of a folder may not fetch
    }
    stop.abort();
    return null;
  }

  constructor(url, size, name) {
    Object.assign(this, { url, size, name });
  }

  file() {
    return this.name;
  }

  async read(offset, length) {
    const stop = new AbortController();
    let answer = null;
    try {
      answer = await fetch(this.url, { headers: { Range: `bytes=${offset}-${offset + length - 1}` }, signal: stop.signal });
    } catch {
      throw new Problem(words.noRange);
    }
    if (answer.status === 206) {
      const bytes = new Uint8Array(await answer.arrayBuffer());
      if (bytes.length === length) return bytes;
    }
    stop.abort();
    throw new Problem(words.noRange);
  }
}

// A file that was picked or dropped: slices of it are read, never the whole.
class FileSource {
  constructor(file) {
    this.picked = file;
    this.size = file.size;
    this.name = file.name;
  }

  file() {
    return this.name;
  }

  async read(offset, length) {
    let bytes = null;
    try {
      bytes = new Uint8Array(await this.picked.slice(offset, offset + length).arrayBuffer());
    } catch {
      throw new Problem(words.changed(this.name));
    }
    if (bytes.length !== length) throw new Problem(words.changed(this.name));
    return bytes;
  }
}
