/**
 * The systems under a variant: that of Python, or one that was chosen in the page and counted here.
 *
 * @typedef {import("./bleu/bleu.js").Variant} Variant
 * @typedef {import("./statistics.js").Rows} Rows
 * @typedef {import("./statistics.js").Sums} Sums
 * @typedef {import("./state.js").State} State
 */
import { COMPONENTS, analyzed, counted, score, unknown } from "./bleu/bleu.js";
import { COUNTERS, ngrams } from "./bleu/ngrams.js";
import { pause } from "./data.js";
import * as statistics from "./statistics.js";

/** The highest order of n-grams that can be chosen in the page. */
const HIGHEST = 10;

/** How many milliseconds to count before the browser may draw. */
const SLICE = 40;

export class Model {
  /**
   * @param {any} data @param {import("./data.js").Texts} texts
   * @param {Variant} variant @param {Variant} sentence @param {Rows[]} rows
   * @param {Record<string, ArrayLike<number>>} columns @param {boolean} fromPython
   */
  constructor(data, texts, variant, sentence, rows, columns, fromPython) {
    this.data = data;
    this.texts = texts;
    this.variant = variant;
    this.sentence = sentence;
    this.rows = rows;
    this.columns = columns;
    this.fromPython = fromPython;
    this.unknown = unknown(variant);
    /** Whether scores of sums can be computed here. */
    this.scores = !this.unknown.includes("smoothing") && !unknown(sentence).includes("smoothing");
    /** Whether matches can be counted, and marked, here: of given tokens a known tokenizer is not needed. */
    this.counts = !this.unknown.includes("counter") && (!this.unknown.includes("tokenizer") || data.has.tokens);
    this.all = Uint32Array.from({ length: data.segments }, (_, segment) => segment);
    /** @type {Map<string, any>} */
    this.known = new Map();
  }

  /** @param {any} data @param {import("./data.js").Texts} texts @param {Record<string, ArrayLike<number>>} columns */
  static ofPython(data, texts, columns) {
    const orders = Array.from({ length: data.orders }, (_, order) => order + 1);
    const rows = data.systems.map((/** @type {string} */ _, /** @type {number} */ system) => ({
      matches: orders.map((order) => columns[`${system}.matches.${order}`]),
      totals: orders.map((order) => columns[`${system}.totals.${order}`]),
      length: columns[`${system}.length`],
      reference: columns[`${system}.reference`],
      tokens: columns.tokens,
    }));
    return new Model(data, texts, data.variant, data.sentence, rows, columns, true);
  }

  /** @template T @param {string} key @param {() => T} make @returns {T} */
  once(key, make) {
    if (!this.known.has(key)) this.known.set(key, make());
    return this.known.get(key);
  }

  /** @param {number} system @returns {Sums} */
  sums(system) {
    return this.once(`sums ${system}`, () => statistics.sums(this.rows[system]));
  }

  /** What a system scores: as Python says, or as counted here. @param {number} system */
  score(system) {
    return this.once(`score ${system}`, () => {
      if (!this.fromPython) return score(this.variant, this.sums(system));
      const found = this.data.scores[system];
      return {
        value: found.value ?? NaN,
        precisions: found.precisions.map((/** @type {number | null} */ p) => p ?? NaN),
        matches: found.matches,
        totals: found.totals,
        penalty: found.brevity_penalty,
        length: found.hypothesis_length,
        reference: found.reference_length,
        tokens: this.sums(system).tokens,
      };
    });
  }

  /** The interval of a system's score: as Python found it, or by the delta method. @param {number} system */
  interval(system) {
    return this.once(`interval ${system}`, () => {
      if (this.fromPython) {
        const name = this.data.systems[system];
        const found = this.data.comparison?.systems.find((/** @type {any} */ each) => each.system === name);
        return found?.interval ?? null;
      }
      const { low, high } = statistics.interval(this.variant, this.rows[system], this.all, this.data.quantile);
      return low === null ? null : { low, high };
    });
  }

  /** The scores of the single segments. @param {number} system @returns {ArrayLike<number>} */
  sentences(system) {
    return this.once(`sentences ${system}`, () => {
      if (!this.scores) return this.columns[`${system}.score`];
      return statistics.each(this.sentence, this.rows[system]);
    });
  }

  /** What the corpus would score without each segment. @param {number} system @returns {ArrayLike<number>} */
  without(system) {
    return this.once(`without ${system}`, () => statistics.each(this.variant, this.rows[system], this.sums(system)));
  }

  /** By how much each segment moves the difference of two systems. @param {number} first @param {number} second */
  influence(first, second) {
    return this.once(`influence ${first} ${second}`, () => {
      const difference = this.score(first).value - this.score(second).value;
      const [ours, theirs] = [this.without(first), this.without(second)];
      return Float64Array.from(this.all, (segment) => difference - (ours[segment] - theirs[segment]));
    });
  }

  /**
   * Compare two systems on some segments.
   * @param {number} first @param {number} second @param {Uint32Array} subset
   */
  compared(first, second, subset) {
    if (subset === this.all) return this.once(`compared ${first} ${second}`, () => this.comparedOn(first, second, subset));
    return this.comparedOn(first, second, subset);
  }

  /** @param {number} first @param {number} second @param {Uint32Array} subset */
  comparedOn(first, second, subset) {
    return statistics.compared(this.variant, this.rows[first], this.rows[second], subset, this.data.quantile);
  }

  /**
   * Return what a text is made of under this variant: its tokens and their n-grams.
   * @param {number} segment @param {number} system
   * @param {string | undefined} [edited] another text in place of the system's
   */
  analyzed(segment, system, edited) {
    const text = this.texts.at(segment);
    const given = this.usesTokens() && text.tokens;
    if (given && edited === undefined) {
      const words = given.systems[system];
      return { words, references: given.references, orders: this.ngrams(words, given.references) };
    }
    return analyzed(this.variant, edited ?? text.systems[system], text.references);
  }

  /**
   * Return the kinds of the components of another variant that are not known here, and not what Python did either.
   * @param {Variant} variant
   */
  missing(variant) {
    const { has } = this.data;
    const sameTokens = this.usesTokens() && variant.lowercase === this.variant.lowercase;
    return unknown(variant).filter((kind) => kind !== "tokenizer" || !(has.tokens && sameTokens));
  }

  /** Whether the tokens are those that Python made. */
  usesTokens() {
    return this.data.has.tokens && this.unknown.includes("tokenizer");
  }

  /** @param {string[]} words @param {string[][]} references */
  ngrams(words, references) {
    const read = COUNTERS[this.variant.counter.name].reference;
    return ngrams(words, read ? references.map(read) : references, this.variant.weights.length);
  }

  /**
   * Return the same systems under another variant; `progress` is told the share that is done.
   * @param {Variant} variant @param {(share: number) => void} progress @param {() => boolean} isOver
   * @returns {Promise<Model | null>} null if it is not wanted any more
   */
  async under(variant, progress, isOver) {
    const same = ["tokenizer", "counter", "reference_length", "lowercase"].every(
      (key) => JSON.stringify(/** @type {any} */ (variant)[key]) === JSON.stringify(/** @type {any} */ (this.variant)[key]),
    );
    if (same && variant.weights.length <= this.data.orders) {
      const orders = variant.weights.length;
      const rows = this.rows.map((each) => ({
        ...each,
        matches: each.matches.slice(0, orders),
        totals: each.totals.slice(0, orders),
      }));
      return new Model(this.data, this.texts, variant, variant, rows, this.columns, false);
    }
    const number = this.data.segments;
    const orders = Array.from({ length: variant.weights.length });
    const rows = this.data.systems.map(() => ({
      matches: orders.map(() => new Uint32Array(number)),
      totals: orders.map(() => new Uint32Array(number)),
      length: new Uint32Array(number),
      reference: new Float64Array(number),
      tokens: new Uint32Array(number),
    }));
    const made = new Model(this.data, this.texts, variant, variant, rows, this.columns, false);
    let since = performance.now();
    for (let segment = 0; segment < number; segment += 1) {
      if (!this.texts.has(segment)) await this.texts.of(segment);
      rows.forEach((/** @type {any} */ columns, /** @type {number} */ system) => {
        const found = counted(variant, made.analyzed(segment, system));
        for (let order = 0; order < orders.length; order += 1) {
          columns.matches[order][segment] = found.matches[order];
          columns.totals[order][segment] = found.totals[order];
        }
        columns.length[segment] = found.length;
        columns.reference[segment] = found.reference;
        columns.tokens[segment] = found.tokens;
      });
      if (performance.now() - since > SLICE) {
        progress(segment / number);
        await pause();
        if (isOver()) return null;
        since = performance.now();
      }
    }
    return made;
  }
}

const KINDS = /** @type {const} */ (["tokenizer", "counter", "reference_length", "smoothing"]);

/**
 * Return the variant that the reader chose, or null if it is Python's.
 * @param {Variant} variant @param {State} state
 * @returns {Variant | null}
 */
export function chosen(variant, state) {
  const made = { ...variant };
  for (const kind of KINDS) {
    if (!state[kind]) continue;
    const [name, ...options] = state[kind].split(";");
    const known = /** @type {Record<string, string[]>} */ (COMPONENTS[kind]);
    if (!Object.hasOwn(known, name)) continue;
    const pairs = options.map((option) => option.split("=")).filter(([key]) => known[name].includes(key));
    made[kind] = { name, options: Object.fromEntries(pairs.map(([key, value]) => [key, optionValue(value)])) };
  }
  if (state.lowercase) made.lowercase = { no: /** @type {const} */ (false), yes: /** @type {const} */ (true) }[state.lowercase] ?? "ascii";
  if (state.weights) made.weights = weights(state.weights) ?? variant.weights;
  if (state.effective_order) made.effective_order = state.effective_order === "yes";
  if (state.scale) made.scale = state.scale === "1" ? 1 : 100;
  if (made.scale !== variant.scale) made.empty_score = (variant.empty_score / variant.scale) * made.scale;
  return JSON.stringify(made) === JSON.stringify(variant) ? null : made;
}

/** @param {string} value */
function optionValue(value) {
  return value === "true" || value === "false" ? value === "true" : Number(value);
}

/**
 * Return weights as the reader wrote them: one for each order, or the number of equal ones; null for anything else.
 * @param {string} text
 */
export function weights(text) {
  const found = text.split(/[\s,;]+/).filter(Boolean).map(Number);
  if (!found.length || found.some((each) => !Number.isFinite(each) || each < 0)) return null;
  const [first] = found;
  if (found.length === 1 && Number.isInteger(first)) {
    return first >= 1 && first <= HIGHEST ? new Array(first).fill(1 / first) : null;
  }
  return found.length <= HIGHEST && found.some(Boolean) ? found : null;
}
