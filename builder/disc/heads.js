// What opening a pocket file needs of it.

const HEADER = 32;
const ENTRY = 40;
const MAGIC = [0x89, 0x50, 0x43, 0x4b, 0x54, 0x0d, 0x0a, 0x1a];
const MOST_HEADS = 256_000_000; // bytes

// The header, the section table and each section's head. The core checks them; here only so much that nothing absurd is read.
async function readHeads(source) {
  const { size, name } = source;
  if (size < HEADER) throw new Problem(words.noPocketFile(name));
  const header = await source.read(0, HEADER);
  const view = new DataView(header.buffer);
  if (MAGIC.some((byte, i) => header[i] !== byte)) throw new Problem(words.noPocketFile(name));
  if (view.getUint16(8, true) !== 1) throw new Problem(words.tooNew(name));
  const sections = view.getUint32(12, true);
  const said = Number(view.getBigUint64(16, true));
  if (said !== size) throw new Problem(words.cutOff(name, said, size));
  if (sections < 1 || sections > 64 || HEADER + ENTRY * sections > size) throw new Problem(words.damaged(name, "header"));
  const table = await source.read(HEADER, ENTRY * sections);
  const parts = [header, table];
  let total = header.length + table.length;
  for (let i = 0; i < sections; i++) {
    const entry = new DataView(table.buffer, ENTRY * i);
    const offset = Number(entry.getBigUint64(8, true));
    const length = entry.getUint32(24, true) + 20 * entry.getUint32(28, true);
    total += length;
    if (offset + length > size || total > MOST_HEADS) throw new Problem(words.damaged(name, "header"));
    parts.push(length ? await source.read(offset, length) : new Uint8Array(0));
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}
