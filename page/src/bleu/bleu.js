/**
 * BLEU of recipes whose components are known here: from texts to counts, from counts to a score.
 *
 * It is a second implementation beside the Python one, and held to the same conformance cases.
 *
 * @typedef {{name: string, options: Record<string, any>}} Component
 * @typedef {object} Recipe
 * @property {Component} tokenizer
 * @property {Component} counter
 * @property {Component} reference_length
 * @property {Component} smoothing
 * @property {number[]} weights as they are used
 * @property {import("./tokenizers.js").Case} lowercase
 * @property {boolean} effective_order
 * @property {number} empty_score in the scale; NaN for none
 * @property {number} scale 1 or 100
 *
 * @typedef {string | string[]} Text text, or tokens
 *
 * @typedef {object} Counted the counts of a segment, or the sums of several
 * @property {ArrayLike<number>} matches
 * @property {ArrayLike<number>} totals
 * @property {number} length tokens of the hypothesis
 * @property {number} reference the effective reference length
 * @property {number} tokens those of all references
 *
 * @typedef {Counted & {value: number, precisions: number[], penalty: number}} Score
 */
import { REFERENCE_LENGTHS } from "./lengths.js";
import { COUNTERS, count, ngrams } from "./ngrams.js";
import { SMOOTHINGS } from "./smoothings.js";
import { TOKENIZERS, tokens } from "./tokenizers.js";

/**
 * The components that are known, by kind, and the options that each accepts.
 * @type {Record<"tokenizer" | "counter" | "reference_length" | "smoothing", Record<string, string[]>>}
 */
export const COMPONENTS = {
  tokenizer: Object.fromEntries(Object.entries(TOKENIZERS).map(([name, { options }]) => [name, options])),
  counter: Object.fromEntries(Object.keys(COUNTERS).map((name) => [name, []])),
  reference_length: Object.fromEntries(Object.keys(REFERENCE_LENGTHS).map((name) => [name, []])),
  smoothing: Object.fromEntries(Object.entries(SMOOTHINGS).map(([name, { options }]) => [name, Object.keys(options)])),
};

/**
 * Return the keys of a recipe whose components are not known here.
 * @param {Recipe} recipe
 * @returns {string[]}
 */
export function unknown(recipe) {
  return Object.entries(COMPONENTS)
    .filter(([kind, names]) => {
      const { name, options } = /** @type {any} */ (recipe)[kind];
      return !Object.hasOwn(names, name) || Object.keys(options).some((option) => !names[name].includes(option));
    })
    .map(([kind]) => kind);
}

/**
 * Return the tokens of a hypothesis and its references, with their n-grams.
 * @param {Recipe} recipe
 * @param {Text} hypothesis
 * @param {Text[]} references
 */
export function analyzed(recipe, hypothesis, references) {
  const words = tokens(hypothesis, recipe.tokenizer, recipe.lowercase);
  const inReferences = references.map((text) => tokens(text, recipe.tokenizer, recipe.lowercase));
  const read = COUNTERS[recipe.counter.name].reference;
  const compared = read ? inReferences.map(read) : inReferences;
  return { words, references: inReferences, orders: ngrams(words, compared, recipe.weights.length) };
}

/**
 * Return the counts of a segment.
 * @param {Recipe} recipe
 * @param {{words: string[], references: string[][], orders: import("./ngrams.js").Order[]}} text
 * @returns {Counted}
 */
export function counted(recipe, { words, references, orders }) {
  const lengths = references.map((reference) => reference.length);
  return {
    ...count(orders, words.length, recipe.counter.name),
    length: words.length,
    reference: REFERENCE_LENGTHS[recipe.reference_length.name](words.length, lengths),
    tokens: lengths.reduce((sum, length) => sum + length, 0),
  };
}

/**
 * Return the score of some counts: scale · BP · exp(Σ w log p).
 * @param {Recipe} recipe
 * @param {Counted} counts
 * @returns {Score}
 */
export function score(recipe, counts) {
  const { smooth, options } = SMOOTHINGS[recipe.smoothing.name];
  const precisions = smooth(counts, recipe.weights.length, { ...options, ...recipe.smoothing.options });
  const penalty = brevityPenalty(counts.length, counts.reference);
  const isEmpty = !counts.length && !counts.tokens;
  const value = isEmpty ? recipe.empty_score : penalty * geometricMean(recipe, precisions);
  return { ...counts, value, precisions, penalty };
}

/**
 * Return the value of the score alone, for the many that resampling and sorting need.
 * @param {Recipe} recipe
 * @param {Counted} counts
 */
export function value(recipe, counts) {
  if (!counts.length && !counts.tokens) return recipe.empty_score;
  const { smooth, options } = SMOOTHINGS[recipe.smoothing.name];
  const own = recipe.smoothing.options;
  const precisions = smooth(counts, recipe.weights.length, Object.keys(own).length ? { ...options, ...own } : options);
  return brevityPenalty(counts.length, counts.reference) * geometricMean(recipe, precisions);
}

/** @param {number} length @param {number} reference */
export function brevityPenalty(length, reference) {
  if (length === 0) return 0;
  return length >= reference ? 1 : Math.exp(1 - reference / length);
}

/**
 * Return the weights with those of undefined orders given to the others, if the recipe says so.
 * @param {Recipe} recipe
 * @param {number[]} precisions
 */
export function effectiveWeights(recipe, precisions) {
  const { weights } = recipe;
  if (!recipe.effective_order || !precisions.some(Number.isNaN)) return weights;
  const kept = weights.map((weight, order) => (Number.isNaN(precisions[order]) ? 0 : weight));
  const [all, left] = [sum(weights), sum(kept)];
  return kept.map((weight) => (weight ? weight * (all / left) : 0));
}

/** @param {Recipe} recipe @param {number[]} precisions */
function geometricMean(recipe, precisions) {
  const weights = effectiveWeights(recipe, precisions);
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
  return recipe.scale * (Math.abs(total - 1) < 1e-12 ? Math.min(mean, largest) : mean);
}

/** @param {number[]} numbers */
function sum(numbers) {
  return numbers.reduce((total, each) => total + each, 0);
}

/**
 * Return the score of segments together, and the tokens of the first hypothesis; in the console of the page.
 * @param {Recipe} recipe
 * @param {Text[]} hypotheses
 * @param {Text[][]} references those of each segment
 */
export function corpus(recipe, hypotheses, references) {
  const orders = recipe.weights.length;
  /** @type {Counted} */
  const total = { matches: new Array(orders).fill(0), totals: new Array(orders).fill(0), length: 0, reference: 0, tokens: 0 };
  /** @type {string[]} */
  let first = [];
  hypotheses.forEach((hypothesis, segment) => {
    const text = analyzed(recipe, hypothesis, references[segment]);
    if (!segment) first = text.words;
    const counts = counted(recipe, text);
    for (let order = 0; order < orders; order += 1) {
      /** @type {number[]} */ (total.matches)[order] += counts.matches[order];
      /** @type {number[]} */ (total.totals)[order] += counts.totals[order];
    }
    total.length += counts.length;
    total.reference += counts.reference;
    total.tokens += counts.tokens;
  });
  return { ...score(recipe, total), words: first };
}
