/**
 * The named variants, as Python put them into the page, and their scores of a text.
 *
 * @typedef {import("../bleu/bleu.js").Variant} Variant
 * @typedef {{variant: Variant, sentence: Variant, description: string, field: string, keys: Record<string, string>}} Named
 * @typedef {{hypotheses: string[], references: string[][]}} Text the references are those of each segment
 * @typedef {import("../bleu/bleu.js").Counted} Counted
 * @typedef {ReturnType<typeof analyzed>} Analyzed
 * @typedef {{variant: Variant, text: Analyzed, counts: Counted}} Side a segment as one variant counts it
 */
import { analyzed, averages, corpus, counted, ofSegment, unknown, value } from "../bleu/bleu.js";
import { tokens } from "../bleu/tokenizers.js";

/** The keys that the browser can exchange one by one: all that the scores of sums depend on. */
const KEYS = /** @type {const} */ (["tokenizer", "counter", "reference_length", "smoothing", "brevity_penalty", "weights", "lowercase", "effective_order", "empty_score", "average"]);

/** Those of them that the counts of a segment depend on. */
const COUNTING = KEYS.filter((key) => ["tokenizer", "counter", "reference_length", "lowercase"].includes(key));

/** How many segments and tokens are shown. */
const MOST = 5;

export class Variants {
  /** @param {any} data */
  constructor(data) {
    /** @type {Record<string, Named>} */
    this.named = data.variants;
    /** @type {string} */
    this.first = data.default;
    /** @type {Text} */
    this.sample = data.sample;
    /** @type {any} the prices of bleukit identify, as its file has them */
    this.prices = data.prices;
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
    return kinds.length ? `${name} needs ${kinds.join(" and ")}, which Python has, but not the browser.` : "";
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

  /**
   * Divide the difference of two variants on a text among the keys in which they differ: Shapley values, in points.
   * @param {string} one @param {string} other @param {Text} text
   */
  shares(one, other, text) {
    const [first, second] = [this.named[one], this.named[other]];
    const isMean = averages(first.variant) || averages(second.variant);
    const keys = KEYS.filter((key) => written(first.variant[key]) !== written(second.variant[key]) || (isMean && written(first.sentence[key]) !== written(second.sentence[key])));
    const orders = Math.max(first.variant.weights.length, second.variant.weights.length);
    /** @type {Map<string, Counted>} */
    const sums = new Map();
    /** @param {(key: string) => boolean} chosen */
    const scored = (chosen) => {
      const mixed = (/** @type {"variant" | "sentence"} */ level) => {
        const taken = Object.fromEntries(keys.filter(chosen).map((key) => [key, key === "empty_score" ? (second[level][key] / second[level].scale) * first[level].scale : second[level][key]]));
        return /** @type {Variant} */ ({ ...first[level], ...taken });
      };
      const [variant, sentence] = [mixed("variant"), mixed("sentence")];
      const isSum = !averages(variant);
      const summed = keys.filter((key) => chosen(key) && (!isSum || COUNTING.includes(key))).join(" ") + isSum;
      if (!sums.has(summed)) sums.set(summed, total(text.hypotheses.map((hypothesis, segment) => side(variant, sentence, hypothesis, text.references[segment], orders).counts)));
      return points(variant, value(variant, /** @type {Counted} */ (sums.get(summed))));
    };
    const values = Array.from({ length: 2 ** keys.length }, (_, set) => scored((key) => Boolean(set & (1 << keys.indexOf(/** @type {any} */ (key))))));
    return keys.map((key, place) => ({ key, points: shapley(values, place, keys.length) }));
  }

  /**
   * Return the segments that change the first score most if they alone are counted as the second variant does.
   * @param {string} one @param {string} other @param {Text} text
   * @returns {{segment: number, points: number, sides: Side[]}[]}
   */
  moved(one, other, text) {
    const [first, second] = [this.named[one], this.named[other]];
    const { variant, sentence } = first;
    const theirs = { ...variant, ...Object.fromEntries(COUNTING.map((key) => [key, second.variant[key]])) };
    const sides = text.hypotheses.map((hypothesis, segment) =>
      [variant, theirs].map((counting) => ({ ...side(counting, sentence, hypothesis, text.references[segment]), variant: counting })),
    );
    const all = total(sides.map(([ours]) => ours.counts));
    const before = value(variant, all);
    const found = sides.map((own, segment) => ({ segment, points: points(variant, value(variant, exchanged(all, own[0].counts, own[1].counts)) - before), sides: own }));
    return found
      .filter((each) => Math.abs(each.points) > 1e-9)
      .sort((less, more) => Math.abs(more.points) - Math.abs(less.points) || less.segment - more.segment)
      .slice(0, MOST);
  }

  /**
   * Return the tokens of the hypotheses that each tokenizer makes more often than the other, in the case of the first.
   * @param {string} one @param {string} other @param {Text} text
   * @returns {[string, number][][]}
   */
  moreTokens(one, other, text) {
    const [first, second] = [one, other].map((name) => this.named[name].variant);
    if (written(first.tokenizer) === written(second.tokenizer)) return [[], []];
    const [ours, theirs] = [first, second].map(({ tokenizer }) => {
      /** @type {Map<string, number>} */
      const counts = new Map();
      for (const hypothesis of text.hypotheses) for (const token of tokens(hypothesis, tokenizer, first.lowercase)) counts.set(token, (counts.get(token) ?? 0) + 1);
      return counts;
    });
    return [more(ours, theirs), more(theirs, ours)];
  }
}

/** @param {Map<string, number>} counts @param {Map<string, number>} others @returns {[string, number][]} the largest differences above 0 */
function more(counts, others) {
  const found = [...counts].map(([token, times]) => /** @type {[string, number]} */ ([token, times - (others.get(token) ?? 0)]));
  return found.filter(([, times]) => times > 0).sort(([, less], [, greater]) => greater - less).slice(0, MOST);
}

/**
 * Return a segment as a variant counts it; an average also needs its score, which another variant may give.
 * @param {Variant} variant @param {Variant} sentence @param {string} hypothesis @param {string[]} references @param {number} [orders]
 */
function side(variant, sentence, hypothesis, references, orders) {
  const text = analyzed(variant, hypothesis, references, orders);
  const counts = counted(variant, text);
  return { text, counts: { ...counts, segments: 1, scores: averages(variant) ? value(ofSegment(sentence), counts) : 0 } };
}

/** @param {Counted[]} counts */
function total(counts) {
  return counts.reduce((sum, each) => plus(sum, each, 1));
}

/** @param {Counted} all @param {Counted} old @param {Counted} made the sums with one segment counted otherwise */
function exchanged(all, old, made) {
  return plus(plus(all, old, -1), made, 1);
}

/** @param {Counted} sum @param {Counted} counts @param {1 | -1} sign @returns {Counted} */
function plus(sum, counts, sign) {
  const added = (/** @type {number} */ one, /** @type {number} */ other) => one + sign * other;
  const each = (/** @type {ArrayLike<number>} */ one, /** @type {ArrayLike<number>} */ other) => Array.from(one, (number, order) => added(number, other[order]));
  return {
    matches: each(sum.matches, counts.matches),
    totals: each(sum.totals, counts.totals),
    length: added(sum.length, counts.length),
    reference: added(sum.reference, counts.reference),
    tokens: added(sum.tokens, counts.tokens),
    segments: added(sum.segments ?? 0, counts.segments ?? 0),
    scores: added(sum.scores ?? 0, counts.scores ?? 0),
  };
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
