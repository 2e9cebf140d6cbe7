// What the npm package looks up of a file on a server, and of one at hand.

import assert from "node:assert/strict";
import { test } from "node:test";
import { COLD, EXHAUSTIVE } from "../../../builder/page/web/base/layout.js";
import { Index } from "../../../npm/index.js";

/**
 * The probes of a query, by an index whose collection only takes them down.
 * @param {boolean} atHand
 * @param {import("../../../npm/index.js").QueryOptions} [options]
 */
async function probed(atHand, options) {
  /** @type {number[]} */
  const asked = [];
  const query = async (/** @type {Uint8Array} */ _, /** @type {{ probes: number }} */ how) => {
    asked.push(how.probes);
    return { hits: [], terms: 9, candidates: 0, capped: false };
  };
  const source = {
    name: "x",
    size: 1,
    atHand,
    file: () => "x",
    read: async () => new Uint8Array(),
  };
  const collection = /** @type {any} */ ({ documents: 1, query });
  await new Index(collection, source).query("a text", options);
  return asked[0];
}

test("of a file on a server little is looked up, unless a call says otherwise", async () => {
  assert.equal(await probed(false), COLD);
  assert.equal(await probed(true), 0);
  assert.equal(await probed(false, { cold: false }), 0);
  assert.equal(await probed(true, { cold: true }), COLD);
  assert.equal(await probed(false, { probes: 7 }), 7);
  assert.equal(await probed(false, { exhaustive: true }), EXHAUSTIVE);
});
