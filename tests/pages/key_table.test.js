// A table of keys: what a pressed key does, and how it is written.
import assert from "node:assert/strict";
import test from "node:test";

import { actionIn, keyName, keysIn } from "../../dark/pages/parts/key_table.js";

const TABLE = [{ keys: ["a"], action: "add", text: "add" }, { keys: ["Ctrl-o", " "], action: "open", text: "open" }, { keys: ["Esc"], action: "close", text: "close" }];
const pressed = (key, more = {}) => actionIn(TABLE, { key, ctrlKey: false, altKey: false, metaKey: false, target: { tagName: "DIV" }, ...more });

test("a key has the action of its row, with Ctrl if the table says so", () => {
  assert.equal(pressed("a"), "add");
  assert.equal(pressed("a", { ctrlKey: true }), null);
  assert.equal(pressed("o"), null);
  assert.equal(pressed("o", { ctrlKey: true }), "open");
});

test("Esc works also while one types, other keys do not", () => {
  const field = { target: { tagName: "INPUT", type: "search" } };
  assert.equal(pressed("Escape", field), "close");
  assert.equal(pressed("a", field), null);
});

test("space has a name, and presses the button that has the focus", () => {
  assert.equal(keyName(" "), "space");
  assert.equal(keysIn(TABLE, "open"), "Ctrl-o space");
  assert.equal(pressed(" "), "open");
  assert.equal(pressed(" ", { target: { tagName: "BUTTON" } }), null);
});
