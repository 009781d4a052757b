// The keys: one table, one meaning for each, and none while one types.
import assert from "node:assert/strict";
import test from "node:test";

import { actionOf, KEYS, keysOf } from "../../dark/monitor/viewer/page/keys.js";

const pressed = (key, more = {}) => actionOf({ key, ctrlKey: false, altKey: false, metaKey: false, target: { tagName: "DIV" }, ...more });

test("every key has one meaning", () => {
  const all = KEYS.flatMap((row) => row.keys);
  assert.equal(new Set(all).size, all.length);
  assert.equal(new Set(KEYS.map((row) => row.action)).size, KEYS.length);
});

test("the keys of the table do what the table says", () => {
  for (const { keys, action } of KEYS) {
    for (const key of keys.filter((one) => one.length === 1)) assert.equal(pressed(key), action);
  }
  assert.equal(pressed("Escape"), "close");
  assert.equal(pressed("o", { ctrlKey: true }), "open");
});

test("the eighteen keys of a tensor viewer are there", () => {
  const wanted = ["h", "l", "p", "n", "H", "L", "k", "j", "K", "J", "a", "v", "c", " ", "g", "e", "E", "s", "Ctrl-o", "Esc"];
  const all = KEYS.flatMap((row) => row.keys);
  assert.deepEqual(wanted.filter((key) => !all.includes(key)), []);
});

test("a key that one types, or that belongs to the browser, does nothing else", () => {
  assert.equal(pressed("a", { target: { tagName: "INPUT", type: "search" } }), null);
  assert.equal(pressed("Escape", { target: { tagName: "INPUT", type: "search" } }), "close");
  assert.equal(pressed("c", { ctrlKey: true }), null);
  assert.equal(pressed("l", { metaKey: true }), null);
  assert.equal(pressed("z"), null);
});

test("space presses a button that has the focus, and else unifies the range", () => {
  assert.equal(pressed(" "), "unify");
  assert.equal(pressed(" ", { target: { tagName: "BUTTON" } }), null);
  assert.equal(pressed(" ", { target: { tagName: "INPUT", type: "range" } }), "unify");
});

test("the keys of an action are written with spaces", () => {
  assert.equal(keysOf("unify"), "c space");
});
