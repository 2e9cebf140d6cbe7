// What is asked stands in the address, or beside it in the browser's history.
import assert from "node:assert/strict";
import { test } from "node:test";

const disc = { collections: [{ name: "a", documents: 3 }] };
globalThis.document = { getElementById: () => ({ textContent: JSON.stringify(disc) }) };
globalThis.location = { hash: "" };
globalThis.history = {
  state: null,
  pushState(state, _, entry) {
    this.state = state;
    location.hash = entry === "#" ? "" : entry;
  },
};
const { isLastAsked, isUnasked, remember, remembered } = await import(
  "../../../builder/page/web/visit/address.js"
);

// The visitor goes to another entry of the history.
function go(hash, state = null) {
  history.state = state;
  location.hash = hash;
}

test("an address that was asked last is told from others", () => {
  assert.ok(isLastAsked());
  remember({ q: "herons" }, 0, null);
  assert.equal(location.hash, "#q=herons");
  assert.ok(isLastAsked());
  go("#q=otters");
  assert.ok(!isLastAsked());
  assert.equal(remembered().text, "otters");
  go("#q=herons");
  assert.ok(isLastAsked());
  go("");
  assert.ok(!isLastAsked());
  assert.ok(isUnasked());
  assert.ok(isLastAsked());
});

test("so is one that an address cannot hold", () => {
  const long = "heron ".repeat(200);
  remember({ q: long }, 0, null);
  const kept = history.state;
  assert.equal(location.hash, "");
  assert.ok(isLastAsked());
  go("", { asked: "q=otters" });
  assert.ok(!isLastAsked());
  go("", kept);
  assert.ok(isLastAsked());
  assert.equal(remembered().text, long);
});
