/** What needs no browser: addresses, exports, weights, the error function, and how few segments are compared. */
import assert from "node:assert/strict";
import test from "node:test";
import { tokens } from "../src/bleu/tokenizers.js";
import { binned } from "../src/charts/histogram.js";
import { chosen, weights } from "../src/chosen.js";
import { edits, withEdit } from "../src/edits.js";
import { erfc } from "../src/erfc.js";
import { tsv } from "../src/exporting.js";
import { areByOutput } from "../src/filters.js";
import { json, number, signature } from "../src/signature.js";
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
    weights: [1], smoothing: { name: "none", options: {} }, brevity_penalty: { name: "standard", options: {} }, effective_order: false, empty_score: 0, scale: 1, average: "micro",
  };
  const rows = (matches) => ({ matches: [matches], totals: [[4, 4]], length: [4, 4], reference: [4, 4], tokens: [4, 4] });
  const found = compared(variant, rows([4, 3]), rows([3, 2]), Uint32Array.of(0, 1), 1.96);
  assert.deepEqual([found.difference, found.p, found.test], [0.25, 0.5, "exact"]);
  const none = compared(variant, rows([4, 3]), rows([3, 2]), new Uint32Array(), 1.96);
  assert.deepEqual([none.segments, none.p], [0, null]);
});

test("an address cannot choose what is not there", () => {
  for (const fragment of ["view=constructor", "sort=toString", "lowercase=constructor", "show=__proto__", "scale=7"]) {
    assert.deepEqual(read(`#${fragment}`), DEFAULTS);
  }
});

const PAPER = {
  tokenizer: { name: "13a", options: {} },
  counter: { name: "clipped", options: {} },
  reference_length: { name: "closest", options: {} },
  smoothing: { name: "none", options: {} },
  brevity_penalty: { name: "standard", options: {} },
  weights: [0.25, 0.25, 0.25, 0.25],
  lowercase: false,
  effective_order: false,
  empty_score: 0,
  average: "micro",
  scale: 100,
};
const SIGNATURE =
  "variant:v|references:1|tokenizer:13a|counter:clipped|reference_length:closest|case:mixed|smoothing:none|brevity_penalty:standard|" +
  "weights:0.25,0.25,0.25,0.25|effective_order:no|empty_score:0|scale:100|bleukit:1";
const REPORT = {
  variants: {},
  variant: PAPER,
  sentence: { ...PAPER, smoothing: { name: "add-k", options: {} } },
  label: "v",
  scores: [{ signature: SIGNATURE }],
  versions: { tokenizer: { intl: "regex 1" } },
  has: { given: false },
};
const variants = { v: { variant: REPORT.variant, sentence: REPORT.sentence }, w: { variant: { ...PAPER, scale: 1 }, sentence: { ...PAPER, scale: 1 } } };

test("a change holds for single segments, too, and leaves what else they have", () => {
  const found = chosen(REPORT, { ...DEFAULTS, lowercase: "yes" });
  assert.equal(found.sentence.smoothing.name, "add-k");
  assert.deepEqual([found.variant.lowercase, found.sentence.lowercase], [true, true]);
  const smoothed = chosen(REPORT, { ...DEFAULTS, smoothing: "none" });
  assert.equal(smoothed.sentence.smoothing.name, "none");
  assert.equal(chosen(REPORT, DEFAULTS), null);
});

test("a named variant is changed as that of the report is", () => {
  const data = { ...REPORT, variants };
  const found = chosen(data, { ...DEFAULTS, variant: "w" });
  assert.deepEqual([found.variant.scale, signature(data, found).split("|")[0]], [1, "variant:w"]);
  const changed = chosen(data, { ...DEFAULTS, variant: "w", lowercase: "yes" });
  assert.deepEqual([changed.variant.scale, signature(data, changed).split("|")[0]], [1, "variant:w (modified)"]);
  assert.equal(chosen(data, { ...DEFAULTS, variant: "toString" }), null);
});

test("the signature is that of what was chosen", () => {
  assert.equal(signature({ ...REPORT, variants }, REPORT), SIGNATURE);
  const found = chosen(REPORT, { ...DEFAULTS, tokenizer: "intl", smoothing: "floor;value=0.00001", weights: "1 2", scale: "1" });
  assert.equal(
    signature({ ...REPORT, variants }, found),
    "variant:v (modified)|references:1|tokenizer:intl|counter:clipped|reference_length:closest|case:mixed|with:regex 1|" +
      "smoothing:floor(value=0.00001)|brevity_penalty:standard|weights:1.0,2.0|effective_order:no|empty_score:0|scale:1|bleukit:1",
  );
  const given = { ...REPORT, variants, has: { given: true } };
  assert.ok(signature(given, found).includes("|tokenizer:13a|"));
});

test("numbers are written as Python writes them", () => {
  assert.deepEqual([1e16, 1e15, 1e-4, 0.00001, 0.5].map(number), ["1e+16", "1000000000000000.0", "0.0001", "1e-05", "0.5"]);
  assert.deepEqual([1e16, 1e15, 0.00001, 2.5e-7, true].map(json), ["1e16", "1000000000000000.0", "0.00001", "2.5e-7", "true"]);
});

test("edits are read from an address, and what is no edit is left out", () => {
  const data = { systems: ["one", "two"], segments: 3 };
  const one = withEdit(new Map(), 1, 2, "x");
  assert.equal(one, '[[3,2,"x"]]');
  const two = withEdit(edits(one, data), 0, 2, "y");
  assert.deepEqual([edits(two, data).get(0)?.get(2), edits(two, data).get(1)?.get(2)], ["y", "x"]);
  assert.equal(withEdit(edits(one, data), 1, 2, null), "");
  for (const wrong of ["", "x", "{}", "[1]", '[[4,1,"x"]]', '[[1,3,"x"]]', "[[1,1,2]]", '[[1.5,1,"x"]]']) {
    assert.equal(edits(wrong, data).size, 0);
  }
});

test("segments that outputs decided on are known", () => {
  for (const state of [{ show: "b" }, { min: "1" }, { gram: "x" }, { q: "x" }, { q: "x", in: "a" }]) {
    assert.ok(areByOutput({ ...DEFAULTS, ...state }));
  }
  for (const state of [{}, { document: "1" }, { q: "x", in: "source" }, { q: "x", in: "references" }]) {
    assert.ok(!areByOutput({ ...DEFAULTS, ...state }));
  }
});

test("numbers are counted in bins of which 0 is an edge", () => {
  const found = binned([[-30, -1, 0, 0.5, 39], [NaN, 40]], false);
  assert.ok(found.edges.includes(0));
  assert.deepEqual([found.edges[0], found.edges.at(-1), found.isOpen], [-30, 40, false]);
  assert.deepEqual(found.counts.map((counts) => counts.reduce((sum, each) => sum + each)), [5, 1]);
  const zero = found.edges.indexOf(0);
  assert.deepEqual([found.counts[0].slice(0, zero).reduce((sum, each) => sum + each), found.counts[0][zero]], [2, 2]);
});

test("whole numbers are in bins of whole width, and few that are far away in the last one", () => {
  assert.deepEqual(binned([[1, 2, 3]], true).edges, [0, 1, 2, 3]);
  const many = Array.from({ length: 1000 }, (_, number) => number % 20);
  const found = binned([[...many, 5000]], true);
  assert.ok(found.isOpen && found.edges.at(-1) <= 20);
  assert.equal(found.counts[0].reduce((sum, each) => sum + each), 1001);
  assert.deepEqual(binned([[]], true).counts, [[0]]);
  assert.deepEqual(binned([[0, 0]], false).counts, [[2]]);
});

test("a long run of blanks takes no long time", () => {
  const text = `a${" ".repeat(200_000)}b `;
  const since = performance.now();
  assert.deepEqual(tokens(text, { name: "13a", options: {} }, false), ["a", "b"]);
  assert.ok(performance.now() - since < 1000);
});
