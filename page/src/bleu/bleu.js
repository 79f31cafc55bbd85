/**
 * BLEU of variants whose components are known here: from texts to counts, from counts to a score.
 *
 * It is a second implementation beside the Python one, and held to the same conformance cases.
 *
 * @typedef {{name: string, options: Record<string, any>}} Component
 * @typedef {object} Variant
 * @property {Component} tokenizer
 * @property {Component} counter
 * @property {Component} reference_length
 * @property {Component} smoothing
 * @property {Component} brevity_penalty
 * @property {number[]} weights as they are used
 * @property {import("./tokenizers.js").Case} lowercase
 * @property {boolean} [normalize_weights]
 * @property {boolean} effective_order
 * @property {number} empty_score in the scale; NaN for none
 * @property {number} scale 1 or 100
 * @property {string} average "micro", or how sentence scores are averaged: "macro", "macro-with-final-newline"
 *
 * @typedef {string | string[]} Text text, or tokens
 *
 * @typedef {object} Counted the counts of a segment, or the sums of several
 * @property {ArrayLike<number>} matches
 * @property {ArrayLike<number>} totals
 * @property {number} length tokens of the hypothesis
 * @property {number} reference the effective reference length
 * @property {number} tokens those of all references
 * @property {number} [segments] how many they are of, 1 if it is not said
 * @property {number} [scores] the sum of the scores of the segments, in the scale, which an average needs
 *
 * @typedef {Counted & {value: number, precisions: number[], penalty: number}} Score
 */
import { REFERENCE_LENGTHS } from "./lengths.js";
import { COUNTERS, count, ngrams } from "./ngrams.js";
import { BREVITY_PENALTIES } from "./penalties.js";
import { SMOOTHINGS } from "./smoothings.js";
import { TOKENIZERS, tokens } from "./tokenizers.js";

/** @typedef {"tokenizer" | "counter" | "reference_length" | "smoothing" | "brevity_penalty"} Kind */

/**
 * The components that are known, by kind and name: their options, with the values that these have if none are given.
 * @type {Record<Kind, Record<string, Record<string, number | boolean>>>}
 */
export const OPTIONS = {
  tokenizer: Object.fromEntries(Object.entries(TOKENIZERS).map(([name, { options }]) => [name, options])),
  counter: Object.fromEntries(Object.keys(COUNTERS).map((name) => [name, {}])),
  reference_length: Object.fromEntries(Object.keys(REFERENCE_LENGTHS).map((name) => [name, {}])),
  smoothing: Object.fromEntries(Object.entries(SMOOTHINGS).map(([name, { options }]) => [name, options])),
  brevity_penalty: Object.fromEntries(Object.entries(BREVITY_PENALTIES).map(([name, { options }]) => [name, options])),
};

/**
 * The same with the names of the options only, which Python reads.
 * @type {Record<string, Record<string, string[]>>}
 */
export const COMPONENTS = Object.fromEntries(
  Object.entries(OPTIONS).map(([kind, names]) => [
    kind,
    Object.fromEntries(Object.entries(names).map(([name, options]) => [name, Object.keys(options)])),
  ]),
);

/**
 * Return the keys of a variant whose values are not known here.
 * @param {Variant} variant
 * @returns {string[]}
 */
export function unknown(variant) {
  return Object.entries(COMPONENTS)
    .filter(([kind, names]) => {
      const { name, options } = /** @type {any} */ (variant)[kind];
      return !Object.hasOwn(names, name) || Object.keys(options).some((option) => !names[name].includes(option));
    })
    .map(([kind]) => kind);
}

/**
 * Return the tokens of a hypothesis and its references, with their n-grams up to an order.
 * @param {Variant} variant
 * @param {Text} hypothesis
 * @param {Text[]} references
 * @param {number} [highest]
 */
export function analyzed(variant, hypothesis, references, highest = variant.weights.length) {
  const words = tokens(hypothesis, variant.tokenizer, variant.lowercase);
  const inReferences = references.map((text) => tokens(text, variant.tokenizer, variant.lowercase));
  const read = COUNTERS[variant.counter.name].reference;
  const compared = read ? inReferences.map(read) : inReferences;
  return { words, references: inReferences, orders: ngrams(words, compared, highest) };
}

/**
 * Return the counts of a segment.
 * @param {Variant} variant
 * @param {{words: string[], references: string[][], orders: import("./ngrams.js").Order[]}} text
 * @returns {Counted}
 */
export function counted(variant, { words, references, orders }) {
  const lengths = references.map((reference) => reference.length);
  return {
    ...count(orders, words.length, variant.counter.name),
    length: words.length,
    reference: REFERENCE_LENGTHS[variant.reference_length.name](words.length, lengths),
    tokens: lengths.reduce((sum, length) => sum + length, 0),
  };
}

/**
 * Return the score of some counts: scale · BP · exp(Σ w log p), or the mean of the scores of the segments.
 * @param {Variant} variant
 * @param {Counted} counts
 * @returns {Score}
 */
export function score(variant, counts) {
  const precisions = smoothed(variant, counts);
  const penalty = brevityPenalty(variant, counts);
  return { ...counts, value: combined(variant, counts, precisions, penalty), precisions, penalty };
}

/**
 * Return the value of the score alone, for the many that resampling and sorting need.
 * @param {Variant} variant
 * @param {Counted} counts
 */
export function value(variant, counts) {
  return combined(variant, counts, smoothed(variant, counts), brevityPenalty(variant, counts));
}

/** @param {Variant} variant @param {Counted} counts @returns {number[]} the precisions */
function smoothed(variant, counts) {
  const { smooth, options } = SMOOTHINGS[variant.smoothing.name];
  const own = variant.smoothing.options;
  return smooth(counts, variant.weights.length, Object.keys(own).length ? { ...options, ...own } : options);
}

/** @param {Variant} variant @param {Counted} counts */
function brevityPenalty(variant, counts) {
  const { name, options } = variant.brevity_penalty;
  const known = BREVITY_PENALTIES[name];
  return known.penalty(counts.length, counts.reference, { ...known.options, ...options });
}

/** @param {Variant} variant @param {Counted} counts @returns {string} the brevity penalty as the formula writes it */
export function writtenPenalty(variant, counts) {
  const { name, options } = variant.brevity_penalty;
  const known = BREVITY_PENALTIES[name];
  return known.written(counts.length, counts.reference, { ...known.options, ...options });
}

/** @param {Variant} variant whether a text scores the mean of the scores of its segments */
export function averages(variant) {
  return variant.average !== "micro";
}

/** @param {Variant} variant @returns {Variant} the same for single segments, whose scores are no means */
export function ofSegment(variant) {
  return { ...variant, average: "micro" };
}

/** @param {Variant} variant @param {Counted} counts @param {number[]} precisions @param {number} penalty */
function combined(variant, counts, precisions, penalty) {
  if (averages(variant)) return mean(variant, counts);
  if (!counts.length && !counts.tokens) return variant.empty_score;
  return penalty * geometricMean(variant, precisions);
}

/** @param {Variant} variant @param {Counted} counts */
function mean(variant, { segments = 0, scores = 0 }) {
  if (!segments) return variant.empty_score;
  if (variant.average === "macro") return scores / segments;
  return (scores + variant.empty_score) / (segments + 1); // one more pair of empty texts
}

/**
 * Return the weights with those of undefined orders given to the others, if the variant says so.
 * @param {Variant} variant
 * @param {number[]} precisions
 */
export function effectiveWeights(variant, precisions) {
  const { weights } = variant;
  if (!variant.effective_order || !precisions.some(Number.isNaN)) return weights;
  const kept = weights.map((weight, order) => (Number.isNaN(precisions[order]) ? 0 : weight));
  const [all, left] = [sum(weights), sum(kept)];
  return kept.map((weight) => (weight ? weight * (all / left) : 0));
}

/** @param {Variant} variant @param {number[]} precisions */
function geometricMean(variant, precisions) {
  const weights = effectiveWeights(variant, precisions);
  let [exponent, total, largest] = [0, 0, 0];
  for (let order = 0; order < weights.length; order += 1) {
    const [weight, p] = [weights[order], precisions[order]];
    if (!(weight > 0)) continue;
    if (!(p > 0)) return 0;
    total += weight;
    largest = Math.max(largest, p);
    exponent += weight * Math.log(p);
  }
  if (!total) return 0;
  const mean = Math.exp(exponent);
  // Rounding must not lift a perfect match above the scale.
  return variant.scale * (Math.abs(total - 1) < 1e-12 ? Math.min(mean, largest) : mean);
}

/** @param {number[]} numbers */
function sum(numbers) {
  return numbers.reduce((total, each) => total + each, 0);
}

/**
 * Return the score of segments together, and the tokens of the first hypothesis; in the console of the page.
 * @param {Variant} variant
 * @param {Text[]} hypotheses
 * @param {Text[][]} references those of each segment
 * @param {Variant} [sentence] what scores single segments, if the variant averages these scores
 */
export function corpus(variant, hypotheses, references, sentence = variant) {
  const orders = variant.weights.length;
  /** @type {Counted} */
  const total = { matches: new Array(orders).fill(0), totals: new Array(orders).fill(0), length: 0, reference: 0, tokens: 0, segments: hypotheses.length, scores: 0 };
  /** @type {string[]} */
  let first = [];
  hypotheses.forEach((hypothesis, segment) => {
    const text = analyzed(variant, hypothesis, references[segment]);
    if (!segment) first = text.words;
    const counts = counted(variant, text);
    for (let order = 0; order < orders; order += 1) {
      /** @type {number[]} */ (total.matches)[order] += counts.matches[order];
      /** @type {number[]} */ (total.totals)[order] += counts.totals[order];
    }
    total.length += counts.length;
    total.reference += counts.reference;
    total.tokens += counts.tokens;
    if (averages(variant)) total.scores = /** @type {number} */ (total.scores) + value(ofSegment(sentence), counts);
  });
  return { ...score(variant, total), words: first };
}
