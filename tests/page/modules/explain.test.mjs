// Why a document is a hit: the shares of the terms make up the agreement.
import assert from "node:assert/strict";
import { test } from "node:test";
import { explain } from "../../../builder/page/web/ask/explain.js";
import { encoded, open, storedText } from "./opened.mjs";

for (const name of ["rff", "plsh-sum", "simhash"]) {
  test(`a document's own text agrees in all features of ${name}`, async () => {
    const text = await storedText(await open("text"), 7);
    const { components, agree, agreement, terms } = await explain(
      await open(name),
      encoded(text),
      7,
    );
    assert.equal(agree, components);
    assert.equal(agreement, 1);
    assert.ok(terms.length > 5);
    const sum = terms.reduce((total, { weight }) => total + weight, 0);
    assert.ok(Math.abs(sum - 1) < 1e-9 || sum < 1);
    const weights = terms.map(({ weight }) => weight);
    assert.deepEqual(
      weights,
      weights.toSorted((a, b) => b - a),
    );
  });
}

test("another document agrees in some", async () => {
  const text = await storedText(await open("text"), 7);
  const { components, agree, agreement } = await explain(await open("rff"), encoded(text), 8);
  assert.ok(agree < components);
  assert.ok(agreement > 0 && agreement < 1);
});
