/** The page's own BLEU in Node: worked examples of the sources; tests/test_page.py runs all cases in a browser. */
import assert from "node:assert/strict";
import test from "node:test";
import { corpus, score, unknown } from "../src/bleu/bleu.js";
import { marks, ngrams } from "../src/bleu/ngrams.js";
import { tokens } from "../src/bleu/tokenizers.js";

const PAPER = {
  tokenizer: { name: "whitespace", options: {} },
  counter: { name: "clipped", options: {} },
  reference_length: { name: "closest", options: {} },
  smoothing: { name: "none", options: {} },
  brevity_penalty: { name: "standard", options: {} },
  weights: [0.25, 0.25, 0.25, 0.25],
  lowercase: false,
  effective_order: false,
  empty_score: 0,
  average: "micro",
  scale: 1,
};
const near = (found, expected) => assert.ok(Math.abs(found - expected) < 1e-12, `${found} is not ${expected}`);

test("the the the: clipped to two of seven, as Papineni et al. 2002, section 2.1", () => {
  const references = ["the cat is on the mat", "there is a cat on the mat"];
  const found = corpus({ ...PAPER, weights: [1] }, ["the the the the the the the"], [references]);
  assert.deepEqual([found.matches, found.totals], [[2], [7]]);
  const unclipped = { ...PAPER, weights: [1], counter: { name: "unclipped", options: {} } };
  assert.deepEqual(corpus(unclipped, ["the the the the the the the"], [references]).matches, [7]);
});

test("the brevity penalty is exp(1 - r/c) of the closest length, the shorter of two", () => {
  const found = corpus(PAPER, ["a b c d"], [["a b c d e f", "a b c d e f g h"]]);
  assert.equal(found.reference, 6);
  near(found.value, Math.exp(1 - 6 / 4));
});

test("13a sets punctuation apart, but not within numbers", () => {
  const made = tokens("It's 3.5, e.g. 1,000-2 &quot;x&quot;.", { name: "13a", options: {} }, false);
  assert.deepEqual(made, ["It's", "3.5", ",", "e", ".", "g", ".", "1,000", "-", "2", '"', "x", '"', "."]);
});

test("whitespace is that of Python, not of JavaScript", () => {
  const split = (text) => tokens(text, { name: "whitespace", options: {} }, false);
  assert.deepEqual(split("a\u001cb\u0085c\ufeffd"), ["a", "b", "c\ufeffd"]);
});

test("of clipped tokens those within longer n-grams count first", () => {
  const words = ["the", "the", "the", "cat"];
  const found = marks(ngrams(words, [["the", "cat", "the"]], 2), words.length, "clipped");
  assert.deepEqual(found, { longest: [1, 0, 2, 2], clipped: [false, true, false, false] });
});

test("an order without n-grams has no precision, and drops out of the effective order", () => {
  const counts = { matches: [2, 1, 0, 0], totals: [2, 1, 0, 0], length: 2, reference: 2, tokens: 2 };
  assert.equal(score(PAPER, counts).value, 0);
  near(score({ ...PAPER, effective_order: true }, counts).value, 1);
});

test("components that are not known are named", () => {
  assert.deepEqual(unknown({ ...PAPER, tokenizer: { name: "ja-mecab", options: {} } }), ["tokenizer"]);
  assert.deepEqual(unknown({ ...PAPER, smoothing: { name: "floor", options: { value: 1, other: 2 } } }), ["smoothing"]);
});
