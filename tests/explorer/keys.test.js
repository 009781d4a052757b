// The keys of the explorer: one table, one meaning for each; walking only where the graph has the focus.
import assert from "node:assert/strict";
import test from "node:test";

import { actionOfKey, KEYS, keysOfAction, ON_GRAPH, shownKeys } from "../../dark/draw/explore/page/keys.js";

const pressed = (key, isOnGraph = true, more = {}) => actionOfKey({ key, ctrlKey: false, altKey: false, metaKey: false, shiftKey: false, target: { tagName: "DIV" }, ...more }, isOnGraph);

test("every key has one meaning, and does what the table says", () => {
  const all = KEYS.flatMap((row) => row.keys);
  assert.equal(new Set(all).size, all.length);
  for (const { keys, action } of KEYS) {
    for (const key of keys.filter((one) => !one.includes("-") || one === "-")) assert.equal(pressed(key === "Esc" ? "Escape" : key), action);
  }
  assert.equal(pressed("Tab", true, { shiftKey: true }), "previous");
});

test("arrows, Tab and Enter belong to what has the focus", () => {
  for (const key of ["ArrowUp", "Tab", "Enter", "Home"]) assert.equal(pressed(key, false), null);
  assert.equal(pressed("/", false), "search");
  assert.equal(pressed("o", true, { target: { tagName: "INPUT", type: "search" } }), null);
});

test("the list of keys has signs for the arrows", () => {
  assert.deepEqual(shownKeys()[0].keys, ["↑"]);
  assert.equal(keysOfAction("nextHit"), "n");
  assert.ok([...ON_GRAPH].every((action) => KEYS.some((row) => row.action === action)));
});
