/** What needs no browser: addresses, exports, weights, the error function, and how few segments are compared. */
import assert from "node:assert/strict";
import test from "node:test";
import { erfc } from "../src/erfc.js";
import { tsv } from "../src/exporting.js";
import { weights } from "../src/model.js";
import { compared } from "../src/statistics.js";
import { DEFAULTS, read, written } from "../src/state.js";

test("an address holds what was chosen, and nothing else", () => {
  const state = { ...DEFAULTS, view: "segments", q: "a&b=c #ü", segment: "3" };
  assert.deepEqual(read(written(state)), state);
  assert.equal(written(DEFAULTS), "#");
  assert.deepEqual(read("#unknown=1"), DEFAULTS);
});

test("tabs and line ends of texts do not break the table", () => {
  assert.equal(tsv([{ a: "x\ty", b: 1 }, { b: null, c: "1\\2\n" }]), "a\tb\tc\nx\\ty\t1\t\n\t\t1\\\\2\\n\n");
});

test("weights are a list, or a number of equal ones", () => {
  assert.deepEqual(weights("2"), [0.5, 0.5]);
  assert.deepEqual(weights("0.5, 0.3 0.2"), [0.5, 0.3, 0.2]);
  for (const wrong of ["", "x", "-1 2", "0", "0 0", "11"]) assert.equal(weights(wrong), null);
});

test("the error function agrees with published values (Abramowitz and Stegun 1964, table 7.1)", () => {
  assert.equal(erfc(0), 1);
  for (const [x, erf] of [[0.5, 0.5204998778], [1, 0.8427007929], [1.5, 0.9661051465], [2, 0.995322265]]) {
    assert.ok(Math.abs(1 - erfc(x) - erf) < 1e-9, `${x}`);
  }
  assert.ok(Math.abs(erfc(5) / 1.5374597944280347e-12 - 1) < 1e-12);
});

test("one of two segments that differ the same way: two of four swaps reach the difference", () => {
  const variant = {
    weights: [1], smoothing: { name: "none", options: {} }, effective_order: false, empty_score: 0, scale: 1,
  };
  const rows = (matches) => ({ matches: [matches], totals: [[4, 4]], length: [4, 4], reference: [4, 4], tokens: [4, 4] });
  const found = compared(variant, rows([4, 3]), rows([3, 2]), Uint32Array.of(0, 1), 1.96);
  assert.deepEqual([found.difference, found.p, found.test], [0.25, 0.5, "exact"]);
  const none = compared(variant, rows([4, 3]), rows([3, 2]), new Uint32Array(), 1.96);
  assert.deepEqual([none.segments, none.p], [0, null]);
});
