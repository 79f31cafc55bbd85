/**
 * The named variants, as Python put them into the page, and their scores of a text.
 *
 * @typedef {import("../bleu/bleu.js").Variant} Variant
 * @typedef {{variant: Variant, sentence: Variant, description: string, field: string, keys: Record<string, string>}} Named
 * @typedef {{hypotheses: string[], references: string[][]}} Text the references are those of each segment
 */
import { corpus, unknown } from "../bleu/bleu.js";

/** The keys that the browser can exchange one by one: all that the scores of sums depend on. */
const KEYS = /** @type {const} */ (["tokenizer", "counter", "reference_length", "smoothing", "brevity_penalty", "weights", "lowercase", "effective_order", "empty_score", "average"]);

export class Variants {
  /** @param {any} data */
  constructor(data) {
    /** @type {Record<string, Named>} */
    this.named = data.variants;
    /** @type {string} */
    this.first = data.default;
    /** @type {Text} */
    this.sample = data.sample;
    /** @type {{languages: string[], scores: Record<string, (number | null)[]>} | undefined} the scores of systems */
    this.wmt22 = data.wmt22;
    for (const { variant, sentence } of Object.values(this.named)) {
      variant.empty_score ??= NaN;
      sentence.empty_score ??= NaN;
    }
  }

  /** The names of all variants. */
  get names() {
    return Object.keys(this.named);
  }

  /** The names of those that can be computed here. */
  get known() {
    return this.names.filter((name) => !unknown(this.named[name].variant).length);
  }

  /** @param {string} name @returns {string} why a variant cannot be computed here, empty if it can */
  problem(name) {
    const { variant } = this.named[name];
    const kinds = unknown(variant).map((kind) => `the ${kind.replace("_", " ")} ${/** @type {any} */ (variant)[kind].name}`);
    return kinds.length ? `${name} needs ${kinds.join(" and ")}, which Python has, and the browser has not.` : "";
  }

  /** @param {string} name @param {Text} text the score, in points of 100 */
  points(name, text) {
    const { variant, sentence } = this.named[name];
    return points(variant, corpus(variant, text.hypotheses, text.references, sentence).value);
  }

  /** @param {string} one @param {string} other the keys of variant files in which they differ, with both values */
  differing(one, other) {
    const [first, second] = [this.named[one].keys, this.named[other].keys];
    return Object.keys(first)
      .filter((key) => first[key] !== second[key])
      .map((key) => ({ key, first: first[key], second: second[key] }));
  }

  /** @param {string} one @param {string} other by how much they differed for systems of WMT22, by language */
  typical(one, other) {
    /** @type {Record<string, number[]>} */
    const differences = {};
    const [first, second] = [this.wmt22?.scores[one], this.wmt22?.scores[other]];
    this.wmt22?.languages.forEach((language, system) => {
      const [before, after] = [first?.[system] ?? null, second?.[system] ?? null];
      if (before !== null && after !== null) (differences[language] ??= []).push(after - before);
    });
    return Object.entries(differences).map(([language, found]) => {
      const sorted = found.toSorted((lower, higher) => lower - higher);
      return { language, systems: found.length, low: quantile(sorted, 0.05), median: quantile(sorted, 0.5), high: quantile(sorted, 0.95) };
    });
  }

  /**
   * Divide the difference of two variants on a text among the keys in which they differ: Shapley values, in points.
   * @param {string} one @param {string} other @param {Text} text
   */
  shares(one, other, text) {
    const [first, second] = [this.named[one], this.named[other]];
    const keys = KEYS.filter((key) => written(first.variant[key]) !== written(second.variant[key]) || written(first.sentence[key]) !== written(second.sentence[key]));
    /** @param {(key: string) => boolean} chosen */
    const scored = (chosen) => {
      const mixed = (/** @type {"variant" | "sentence"} */ level) => {
        const taken = Object.fromEntries(keys.filter(chosen).map((key) => [key, key === "empty_score" ? (second[level][key] / second[level].scale) * first[level].scale : second[level][key]]));
        return /** @type {Variant} */ ({ ...first[level], ...taken });
      };
      return points(first.variant, corpus(mixed("variant"), text.hypotheses, text.references, mixed("sentence")).value);
    };
    const values = Array.from({ length: 2 ** keys.length }, (_, set) => scored((key) => Boolean(set & (1 << keys.indexOf(/** @type {any} */ (key))))));
    return keys.map((key, place) => ({ key, points: shapley(values, place, keys.length) }));
  }
}

/** @param {Variant} variant @param {number} value a score on the variant's scale, in points of 100 */
export function points(variant, value) {
  return (100 / variant.scale) * value;
}

/** @param {any} value */
function written(value) {
  return JSON.stringify(value);
}

/**
 * @param {number[]} values one for each set of keys, whose bits are the keys in it
 * @param {number} key @param {number} keys how many there are
 */
function shapley(values, key, keys) {
  let share = 0;
  for (let set = 0; set < values.length; set += 1) {
    if (set & (1 << key)) continue;
    const size = set.toString(2).split("1").length - 1;
    share += ((values[set | (1 << key)] - values[set]) * factorial(size) * factorial(keys - size - 1)) / factorial(keys);
  }
  return share;
}

/** @param {number} number @returns {number} */
function factorial(number) {
  return number < 2 ? 1 : number * factorial(number - 1);
}

/** @param {number[]} sorted @param {number} share */
function quantile(sorted, share) {
  const place = share * (sorted.length - 1);
  const [before, after] = [sorted[Math.floor(place)], sorted[Math.ceil(place)]];
  return before + (place - Math.floor(place)) * (after - before);
}
