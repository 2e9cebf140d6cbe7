// Ways to the bytes of a pocket file. Each has its size and read(offset, length) -> Promise<Uint8Array>, and file(offset): what to name when they
// are bad.

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
