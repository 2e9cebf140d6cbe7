// The blocks of an open file: those that a call has missed are fetched from its source and lent to
// the core.

import { say } from "../base/language.js";
import { BLOCK, BYTES, STATUS } from "../base/layout.js";
import { Problem, TooLate } from "../base/problem.js";

/** @typedef {{ section: number, number: number, offset: number, length: number }} Block */
/** @typedef {{ section: number, offset: number, length: number, blocks: Block[] }} Read */
/** @typedef {{ at: number, length: number, blocks: Block[] }} Loan at: in the core's memory */
/** @typedef {(loaded: number, total: number) => void} Tell is given bytes */

const GAP = 32_768; // bytes that are read and thrown away rather than asked for around
const FEW_READS = 40; // reads of a round, beyond which larger gaps are read, too
const MOST_SPENT = 600_000; // bytes of these
const LONGEST_READ = 4_000_000; // bytes
const READS = 6; // at once
// Of a call: a query has three, a look-up among titles that begin alike some more.
const MOST_ROUNDS = 40;
const MOST_MISSED = 65_536; // blocks that the core is asked for at once

export class Blocks {
  /**
   * @param {import("./core.js").Core} core
   * @param {import("../bytes/range_source.js").Source} source
   * @param {number} index the open file
   */
  constructor(core, source, index) {
    this.core = core;
    this.source = source;
    this.index = index;
    /** @type {Map<number, Promise<unknown>>} */
    this.underWay = new Map(); // what is being fetched: by the offset of a block
    /** @type {Loan[]} */
    this.loans = [];
  }

  /** Bytes that are lent. */
  get lent() {
    return this.loans.reduce((sum, loan) => sum + loan.length, 0);
  }

  /**
   * call() until it has all its blocks. until: when to give up, as performance.now() tells it; what
   * is on its way by then is lent when it arrives. Throws TooLate.
   * @param {() => number} call
   */
  async complete(call, until = Infinity) {
    for (let round = 0; ; round++) {
      const status = call();
      if (status === STATUS.ok) return;
      if (status !== STATUS.notAtHand || round > MOST_ROUNDS) throw this.problem(status);
      await inTime(this.fetchMissed(), until);
    }
  }

  /**
   * What a call's status means for the visitor: of a damaged shard the page can say which it is.
   * @param {number} status
   */
  problem(status) {
    const { section, block } = this.core.place();
    const lent = this.loans
      .flatMap((loan) => loan.blocks)
      .find((each) => each.section === section && each.number === block);
    const { name } = this.source;
    const file = lent ? this.source.file(lent.offset) : name;
    if (file === name) return this.core.problem(status, name);
    return new Problem(say("damagedShard", { file }));
  }

  /** @param {Tell} tell */
  async fetchMissed(tell = () => {}) {
    // What another call fetches already is only waited for, where nothing else is missed.
    const missed = this.missed().filter(({ offset }) => !this.underWay.has(offset));
    if (missed.length === 0 && this.underWay.size > 0) {
      await Promise.race(this.underWay.values());
      return;
    }
    const own = this.fetch(inReads(missed, this.source.apart ? 0 : GAP), tell);
    for (const { offset } of missed) this.underWay.set(offset, own);
    try {
      await own;
    } finally {
      for (const { offset } of missed) this.underWay.delete(offset);
    }
  }

  /**
   * @param {Read[]} reads what is done first is taken out first
   * @param {Tell} tell
   */
  async fetch(reads, tell) {
    const total = reads.reduce((sum, read) => sum + read.length, 0);
    let loaded = 0;
    let failed = false;
    const next = async () => {
      for (let read = reads.shift(); read; read = reads.shift()) {
        const { offset, length, blocks } = read;
        const bytes = await this.source.read(offset, length).catch((problem) => {
          // Nothing more of this is wanted, and no later call is to stumble over it.
          this.reclaim(blocks);
          for (const each of reads.splice(0)) this.reclaim(each.blocks);
          failed = true; // others that are on their way come too late to be told of
          throw problem;
        });
        this.lend(read, bytes);
        loaded += length;
        if (!failed) tell(loaded, total);
      }
    };
    await Promise.all(Array.from({ length: READS }, next));
  }

  /**
   * Blocks that calls have missed, in the order of the file.
   * @returns {Block[]}
   */
  missed() {
    const { core } = this;
    return core.scratch((allocate) => {
      const at = allocate(MOST_MISSED * BYTES.block);
      const count = allocate(4);
      core.setU32(count, MOST_MISSED);
      core.calls.pocket_missed(this.index, at, count);
      return Array.from({ length: core.u32(count) }, (_, i) => {
        const block = at + i * BYTES.block;
        return {
          offset: core.u64(block + BLOCK.offset),
          length: core.u64(block + BLOCK.length),
          section: core.u32(block + BLOCK.section),
          number: core.u32(block + BLOCK.number),
        };
      });
    });
  }

  /**
   * @param {Read} read
   * @param {Uint8Array} bytes
   */
  lend(read, bytes) {
    const at = this.core.put(bytes);
    this.loans.push({ at, length: bytes.length, blocks: read.blocks });
    for (const { section, number, offset } of read.blocks) {
      this.core.calls.pocket_lend(this.index, section, number, at + (offset - read.offset));
    }
  }

  /**
   * Neither lent nor missed any longer.
   * @param {Block[]} blocks
   */
  reclaim(blocks) {
    for (const { section, number } of blocks) {
      this.core.calls.pocket_lend(this.index, section, number, 0);
    }
  }

  /** Take back all that was lent. */
  reclaimAll() {
    for (const loan of this.loans) {
      this.reclaim(loan.blocks);
      this.core.free(loan.at);
    }
    this.loans = [];
  }
}

/**
 * Wait for work, but no longer. Throws TooLate.
 * @template Result
 * @param {Promise<Result>} work
 * @param {number} until
 */
async function inTime(work, until) {
  if (until === Infinity) return work;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new TooLate()), until - performance.now());
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
    work.catch(() => {}); // nobody waits for it any more
  }
}

/**
 * Neighbours of a section become one read: what lies between sections is in no shard. If many reads
 * are left, the smallest of the other gaps are read, too.
 * @param {Block[]} blocks in the order of the file
 * @param {number} gap bytes between neighbours that are always read; 0: no others are read, either
 */
export function inReads(blocks, gap = GAP) {
  const together = readTogether(blocks, gap);
  /** @type {Read[]} */
  const reads = [];
  for (const block of blocks) {
    const { section, offset, length } = block;
    const last = reads.at(-1);
    const end = offset + length;
    if (last && together.has(block) && end - last.offset <= LONGEST_READ) {
      last.length = end - last.offset;
      last.blocks.push(block);
    } else {
      reads.push({ section, offset, length, blocks: [block] });
    }
  }
  return reads;
}

/**
 * The blocks that are read together with the one before.
 * @param {Block[]} blocks
 * @param {number} gap
 */
function readTogether(blocks, gap) {
  const gaps = blocks
    .map((block, i) => ({ block, before: blocks[i - 1] }))
    .filter(({ block, before }) => block.section === before?.section)
    .map(({ block, before }) => ({ block, size: block.offset - before.offset - before.length }))
    .sort((a, b) => a.size - b.size);
  /** @type {Set<Block>} */
  const together = new Set();
  let spent = 0;
  for (const { block, size } of gaps) {
    if (size > gap) {
      spent += size;
      if (gap === 0 || spent > MOST_SPENT || blocks.length - together.size <= FEW_READS) break;
    }
    together.add(block);
  }
  return together;
}
