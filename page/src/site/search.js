/** The search for the variants that give a number. */
import { OPTIONS, analyzed, corpus, score } from "../bleu/bleu.js";
import { REFERENCE_LENGTHS } from "../bleu/lengths.js";
import { COUNTERS, count } from "../bleu/ngrams.js";
import { points } from "./variants.js";

/** @typedef {import("./variants.js").Variants} Variants */
/** @typedef {import("./variants.js").Text} Text */
/** @typedef {import("../bleu/bleu.js").Counted} Counted */
/** @typedef {import("../bleu/tokenizers.js").Case} Case */
/** @typedef {{name: string, points: number, note: string}} Found */
/** @typedef {{tokenizer: string, lowercase: string, references: string, counter: string, reference_length: string,
 *   smoothing: string, brevity_penalty: string, orders: string}} Mixture */

const CASES = /** @type {[string, Case][]} */ ([["kept", false], ["ignored", true], ["A to Z ignored", "ascii"]]);
const ORDERS = 4;

/** A printed number: it stands for all that round to it, in points of 100 or from 0 to 1. */
export class Figure {
  /** @param {string} text */
  constructor(text) {
    const written = text.trim().replace(",", ".");
    if (!/^\d+(\.\d*)?$/.test(written) || Number(written) > 100) throw new Error("The number must be between 0 and 100, such as 28.4 or 0.284.");
    this.text = written;
    this.value = Number(written);
    this.half = 0.5 * 10 ** -(written.split(".")[1] ?? "").length;
  }

  /** @param {number} found in points of 100 */
  holds(found) {
    return this.distance(found) <= this.half * (1 + 1e-9);
  }

  /** @param {number} found in points of 100 */
  distance(found) {
    return Math.min(Math.abs(found - this.value), this.value <= 1 ? Math.abs(found / 100 - this.value) : Infinity);
  }
}

/** @param {Variants} variants @param {Text} text @returns {Found[]} the scores of the named variants */
export function named(variants, text) {
  return variants.known.map((name) => ({ name, points: variants.points(name, text), note: "" }));
}

/** @param {Variants} variants @param {Text} text @returns {Found[]} what people compute with them by other ways */
export function otherwise(variants, text) {
  const swapped = { hypotheses: text.references.map(([first]) => first), references: text.hypotheses.map((hypothesis) => [hypothesis]) };
  const isSingle = text.references.every((group) => group.length === 1);
  return variants.known.flatMap((name) => {
    const { sentence } = variants.named[name];
    const own = { ...sentence, average: "macro" };
    const mean = points(sentence, corpus(own, text.hypotheses, text.references, { ...sentence, average: "micro" }).value);
    const others = [{ name, points: mean, note: "the mean of its sentence scores" }];
    if (isSingle) others.push({ name, points: variants.points(name, swapped), note: "hypothesis and reference swapped" });
    return others;
  });
}

/**
 * Try all mixtures of components with equal weights, and all subsets of the references.
 * @param {Variants} variants @param {Text} text @param {Figure} figure
 * @param {(share: number) => boolean} goesOn called with what is done
 */
export async function mixtures(variants, text, figure, goesOn) {
  const usual = described(variants, variants.first);
  const subsets = subsetsOf(Math.min(...text.references.map((group) => group.length)));
  const rounds = Object.keys(OPTIONS.tokenizer).flatMap((tokenizer) => CASES.flatMap(([label, lowercase]) => subsets.map((subset) => ({ tokenizer, label, lowercase, subset }))));
  /** @type {{points: number, mixture: Mixture}[]} */
  const found = [];
  let [tried, last] = [0, performance.now()];
  for (const [round, { tokenizer, label, lowercase, subset }] of rounds.entries()) {
    if (performance.now() - last > 40) {
      await new Promise((resume) => setTimeout(resume));
      last = performance.now();
      if (!goesOn(round / rounds.length)) break;
    }
    const references = subset.length === text.references[0].length && subsets.length === 1 ? "all" : subset.map((each) => each + 1).join(" and ");
    for (const { counter, reference_length, counts } of sums(variants, text, tokenizer, lowercase, subset)) {
      for (const smoothing of Object.keys(OPTIONS.smoothing)) {
        for (const brevity_penalty of Object.keys(OPTIONS.brevity_penalty)) {
          for (let orders = ORDERS; orders >= 1; orders -= 1) {
            tried += 1;
            const variant = mixed(variants, smoothing, brevity_penalty, orders);
            const { value } = score(variant, counts);
            if (figure.holds(points(variant, value))) found.push({ points: points(variant, value), mixture: { tokenizer, lowercase: label, references, counter, reference_length, smoothing, brevity_penalty, orders: `${orders}` } });
          }
        }
      }
    }
  }
  const distance = (/** @type {Mixture} */ mixture) => Object.entries(usual).filter(([key, value]) => mixture[/** @type {keyof Mixture} */ (key)] !== value).length;
  found.sort((one, other) => distance(one.mixture) - distance(other.mixture));
  const keys = /** @type {(keyof Mixture)[]} */ (Object.keys(found[0]?.mixture ?? {}));
  const common = keys.filter((key) => found.every(({ mixture }) => mixture[key] === found[0].mixture[key]));
  return {
    tried,
    found: found.map((each) => ({ points: each.points, text: keys.map((key) => phrase(key, each.mixture[key])).join(", ") })),
    common: found.length > 1 ? common.filter((key) => key !== "references" || subsets.length > 1).map((key) => phrase(key, found[0].mixture[key])) : [],
  };
}

/** @param {Variants} variants @param {Text} text @param {string} tokenizer @param {Case} lowercase @param {number[]} subset */
function sums(variants, text, tokenizer, lowercase, subset) {
  const base = { ...variants.named[variants.first].variant, tokenizer: { name: tokenizer, options: {} }, lowercase, counter: { name: "clipped", options: {} } };
  const plain = text.hypotheses.map((hypothesis, segment) => analyzed(base, hypothesis, subset.map((each) => text.references[segment][each]), ORDERS));
  return Object.keys(COUNTERS).flatMap((counter) => {
    const other = { ...base, counter: { name: counter, options: {} } };
    const segments = COUNTERS[counter].reference ? text.hypotheses.map((hypothesis, segment) => analyzed(other, hypothesis, subset.map((each) => text.references[segment][each]), ORDERS)) : plain;
    const total = added(segments.map((each) => count(each.orders, each.words.length, counter)));
    const length = segments.reduce((sum, { words }) => sum + words.length, 0);
    const tokens = segments.reduce((sum, { references }) => sum + references.reduce((inner, words) => inner + words.length, 0), 0);
    return Object.entries(REFERENCE_LENGTHS).map(([reference_length, policy]) => {
      const reference = segments.reduce((sum, each) => sum + policy(each.words.length, each.references.map((words) => words.length)), 0);
      return { counter, reference_length, counts: /** @type {Counted} */ ({ ...total, length, tokens, reference }) };
    });
  });
}

/** @param {{matches: number[], totals: number[]}[]} counts */
function added(counts) {
  const zeros = () => new Array(ORDERS).fill(0);
  const total = { matches: zeros(), totals: zeros() };
  for (const { matches, totals } of counts) {
    for (let order = 0; order < ORDERS; order += 1) {
      total.matches[order] += matches[order];
      total.totals[order] += totals[order];
    }
  }
  return total;
}

/** @param {Variants} variants @param {string} smoothing @param {string} brevity_penalty @param {number} orders */
function mixed(variants, smoothing, brevity_penalty, orders) {
  const base = variants.named[variants.first].variant;
  return { ...base, smoothing: { name: smoothing, options: {} }, brevity_penalty: { name: brevity_penalty, options: {} }, weights: new Array(orders).fill(1 / orders) };
}

/** @param {number} references @returns {number[][]} the subsets that are not empty, the whole first; of many the whole alone */
function subsetsOf(references) {
  const whole = Array.from({ length: references }, (_, each) => each);
  if (references > 3) return [whole];
  const sets = Array.from({ length: 2 ** references - 1 }, (_, set) => whole.filter((each) => (set + 1) & (1 << each)));
  return sets.sort((one, other) => other.length - one.length);
}

/** @param {Variants} variants @param {string} name @returns {Record<string, string>} */
function described(variants, name) {
  const { variant } = variants.named[name];
  const kinds = /** @type {const} */ (["tokenizer", "counter", "reference_length", "smoothing", "brevity_penalty"]);
  const label = CASES.find(([, lowercase]) => lowercase === variant.lowercase)?.[0] ?? "";
  return { ...Object.fromEntries(kinds.map((kind) => [kind, variant[kind].name])), lowercase: label, orders: `${variant.weights.length}` };
}

/** @param {keyof Mixture} key @param {string} value */
function phrase(key, value) {
  if (key === "lowercase") return `case ${value}`;
  if (key === "orders") return `n-grams up to ${value}`;
  if (key === "references") return value === "all" ? "all references" : `reference ${value}`;
  return `${key.replace("_", " ")} ${value}`;
}
