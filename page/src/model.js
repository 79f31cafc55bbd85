/**
 * The systems under a variant: as reported, or under another variant or with other outputs, counted in the page.
 *
 * @typedef {import("./bleu/bleu.js").Variant} Variant
 * @typedef {import("./statistics.js").Rows} Rows
 * @typedef {import("./statistics.js").Sums} Sums
 * @typedef {import("./chosen.js").Levels} Levels
 * @typedef {import("./edits.js").Edits} Edits
 *
 * @typedef {import("./statistics.js").Difference & {note: string, named: string}} Compared with what its p-value is called, and how it and the interval were found
 */
import { analyzed, averages, counted, ofSegment, score, unknown, value } from "./bleu/bleu.js";
import { COUNTERS, ngrams } from "./bleu/ngrams.js";
import { influences } from "./influence.js";
import { NOTES, isAdjusted, reportNote } from "./notes.js";
import * as statistics from "./statistics.js";
import { walk } from "./walk.js";

export class Model {
  /**
   * @param {any} data @param {import("./data.js").Texts} texts
   * @param {Levels} levels @param {Rows[]} rows @param {Record<string, ArrayLike<number>>} columns
   * @param {Edits} [edits] the outputs that are not those of the report
   */
  constructor(data, texts, levels, rows, columns, edits = new Map()) {
    this.data = data;
    this.texts = texts;
    this.levels = levels;
    /** @type {Variant} */
    this.variant = levels.variant;
    /** @type {Variant} what scores single segments */
    this.sentence = ofSegment(levels.sentence);
    this.orders = Math.max(this.variant.weights.length, this.sentence.weights.length);
    this.columns = columns;
    this.edits = edits;
    /** Whether the variant is that of the report. */
    this.isReported = levels === data;
    this.unknown = this.unknownOf(this.variant);
    /** Whether scores of sums can be computed here. */
    this.scores = ![...this.unknown, ...unknown(this.sentence)].some((kind) => ["smoothing", "brevity_penalty"].includes(kind));
    this.rows = this.scores && averages(this.variant) ? rows.map((each) => ({ ...each, scores: statistics.each(this.sentence, each) })) : rows;
    /** Whether matches can be counted, and marked, here: of given tokens a known tokenizer is not needed. */
    this.counts = !this.unknown.includes("counter") && (!this.unknown.includes("tokenizer") || data.has.tokens);
    /** Whether another output can be counted in place of a system's. */
    this.canEdit = this.unknown.length === 0 && !data.has.given;
    this.all = Uint32Array.from({ length: data.segments }, (_, segment) => segment);
    /** @type {Map<string, any>} */
    this.known = new Map();
  }

  /** @param {any} data @param {import("./data.js").Texts} texts @param {Record<string, ArrayLike<number>>} columns */
  static ofReport(data, texts, columns) {
    const orders = Array.from({ length: data.orders }, (_, order) => order + 1);
    const rows = data.systems.map((/** @type {string} */ _, /** @type {number} */ system) => ({
      matches: orders.map((order) => columns[`${system}.matches.${order}`]),
      totals: orders.map((order) => columns[`${system}.totals.${order}`]),
      length: columns[`${system}.length`],
      reference: columns[`${system}.reference`],
      tokens: columns.tokens,
    }));
    return new Model(data, texts, data, rows, columns);
  }

  /**
   * Return the kinds of the components that are not known here; tokens that were given need no tokenizer.
   * @param {Variant} variant
   */
  unknownOf(variant) {
    return unknown(variant).filter((kind) => kind !== "tokenizer" || !this.data.has.given);
  }

  /** Whether what is known of some systems is what was reported. @param {...number} systems */
  isAsReported(...systems) {
    return this.isReported && !systems.some((system) => this.edits.has(system));
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

  /** What a system scores: as reported, or as counted here. @param {number} system */
  score(system) {
    return this.once(`score ${system}`, () => {
      if (!this.isAsReported(system)) return score(this.variant, this.sums(system));
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

  /** The interval of a system's score: as reported, or by the delta method. @param {number} system */
  interval(system) {
    return this.once(`interval ${system}`, () => {
      if (this.isAsReported(system)) {
        const name = this.data.systems[system];
        const found = this.data.comparison?.systems.find((/** @type {any} */ each) => each.system === name);
        return found?.interval ?? null;
      }
      const { low, high } = statistics.interval(this.variant, this.rows[system], this.all, this.data.level);
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

  /** The differences of the scores of the single segments. @param {number} first @param {number} second */
  differences(first, second) {
    const [ours, theirs] = [this.sentences(first), this.sentences(second)];
    return this.once(`differences ${first} ${second}`, () => Float64Array.from(this.all, (segment) => ours[segment] - theirs[segment]));
  }

  /** The influence of each segment on the difference of two systems. @param {number} first @param {number} second @returns {Float64Array} */
  influence(first, second) {
    return this.once(`influence ${first} ${second}`, () => {
      const [ours, theirs] = [first, second].map((system) => Array.from(this.all, (segment) => statistics.row(this.rows[system], segment)));
      return influences(this.variant, ours, theirs);
    });
  }

  /**
   * Compare two systems on some segments: the one place from which views get a difference, its interval and p-value.
   * @param {number} first @param {number} second @param {Uint32Array} [subset]
   * @param {boolean} [areByOutput] whether the segments were chosen by the outputs or their scores
   * @returns {Compared}
   */
  compared(first, second, subset = this.all, areByOutput = false) {
    const compute = () => this.comparedOn(first, second, subset, areByOutput);
    return subset === this.all ? this.once(`compared ${first} ${second}`, compute) : compute();
  }

  /** @param {number} first @param {number} second @param {Uint32Array} subset @param {boolean} areByOutput @returns {Compared} */
  comparedOn(first, second, subset, areByOutput) {
    const isWhole = subset.length === this.all.length;
    if (isWhole && this.isAsReported(first, second)) return this.comparedInReport(first, second);
    const isEdited = this.edits.has(first) || this.edits.has(second);
    const untested = !isWhole && areByOutput ? "outputs" : isEdited ? "edited" : first === second ? "same" : "";
    const found = statistics.compared(this.variant, this.rows[first], this.rows[second], subset, this.data.level, untested);
    return { ...found, note: NOTES[found.test], named: "p" };
  }

  /** @param {number} first @param {number} second @returns {Compared} */
  comparedInReport(first, second) {
    const { data } = this;
    const names = [data.systems[first], data.systems[second]];
    const isOf = (/** @type {any} */ pair, /** @type {string[]} */ [one, other]) => pair.first === one && pair.second === other;
    const pair = data.comparison?.pairs.find((/** @type {any} */ each) => isOf(each, names) || isOf(each, [names[1], names[0]]));
    const isTurned = pair?.first === names[1];
    const { low, high } = pair?.interval ?? { low: null, high: null };
    const scores = [this.score(first).value, this.score(second).value];
    const difference = pair?.difference ?? 0;
    return {
      segments: data.segments,
      first: scores[0],
      second: scores[1],
      difference: pair ? (isTurned ? -difference : difference) : scores[0] - scores[1],
      low: isTurned && high !== null ? -high : low,
      high: isTurned && low !== null ? -low : high,
      p: pair?.adjusted_p_value ?? null,
      test: pair ? data.comparison.test : "none",
      note: first === second ? "" : reportNote(data, pair),
      named: isAdjusted(data) ? "adjusted p" : "p",
    };
  }

  /**
   * Return what a text is made of under this variant: its tokens and their n-grams.
   * @param {number} segment @param {number} system
   */
  analyzed(segment, system) {
    const text = this.texts.at(segment);
    if (this.usesTokens() && text.tokens) {
      const words = text.tokens.systems[system];
      return { words, references: text.tokens.references, orders: this.ngrams(words, text.tokens.references) };
    }
    return analyzed(this.variant, text.systems[system], text.references, this.orders);
  }

  /**
   * Return the tokens of an output and of its references, as they are compared.
   * @param {number} segment @param {number} system
   */
  tokens(segment, system) {
    const text = this.texts.at(segment);
    const given = this.usesTokens() && text.tokens && { words: text.tokens.systems[system], references: text.tokens.references };
    const { words, references } = given || analyzed(this.variant, text.systems[system], text.references, 0);
    return { words, references: this.read(references) };
  }

  /**
   * Return the kinds of the components of another variant that are not known here; tokens of the report can be used
   * again.
   * @param {Variant} variant
   */
  missing(variant) {
    const { has } = this.data;
    const sameTokens = this.usesTokens() && variant.lowercase === this.variant.lowercase;
    return this.unknownOf(variant).filter((kind) => kind !== "tokenizer" || !(has.tokens && sameTokens));
  }

  /** Whether the tokens are those in the report. */
  usesTokens() {
    return this.data.has.tokens && this.unknown.includes("tokenizer");
  }

  /** @param {string[]} words @param {string[][]} references */
  ngrams(words, references) {
    return ngrams(words, this.read(references), this.orders);
  }

  /** @param {string[][]} references as the counter reads them */
  read(references) {
    const { reference } = COUNTERS[this.variant.counter.name];
    return reference ? references.map(reference) : references;
  }

  /**
   * Return the same systems under another variant; `progress` is told the share that is done.
   * @param {Levels} levels @param {(share: number) => void} progress @param {() => boolean} isOver
   * @returns {Promise<Model | null>} null if it is not wanted any more
   */
  async under(levels, progress, isOver) {
    const highest = Math.max(levels.variant.weights.length, levels.sentence.weights.length);
    const same = ["tokenizer", "counter", "reference_length", "lowercase"].every(
      (key) => JSON.stringify(/** @type {any} */ (levels.variant)[key]) === JSON.stringify(/** @type {any} */ (this.variant)[key]),
    );
    if (same && highest <= this.data.orders) {
      const rows = this.rows.map((each) => ({
        ...each,
        matches: each.matches.slice(0, highest),
        totals: each.totals.slice(0, highest),
      }));
      return new Model(this.data, this.texts, levels, rows, this.columns);
    }
    const number = this.data.segments;
    const made = new Model(this.data, this.texts, levels, this.rows.map(() => statistics.zeros(highest, number)), this.columns);
    const isDone = await walk(this.texts, this.all, { progress, isOver }, (segment) => {
      for (const system of made.rows.keys()) made.count(segment, system);
    });
    return isDone ? made : null;
  }

  /**
   * Return the same variant with other outputs.
   * @param {Edits} edits
   */
  async edited(edits) {
    const rows = this.rows.map((each, system) => (edits.has(system) ? statistics.copied(each) : each));
    const made = new Model(this.data, this.texts.edited(edits), this.levels, rows, this.columns, edits);
    for (const [system, texts] of edits) {
      for (const segment of texts.keys()) {
        await made.texts.of(segment);
        made.count(segment, system);
      }
    }
    return made;
  }

  /** Count a segment again. @param {number} segment @param {number} system */
  count(segment, system) {
    const columns = /** @type {any} */ (this.rows[system]);
    const found = counted(this.variant, this.analyzed(segment, system));
    for (let order = 0; order < this.orders; order += 1) {
      columns.matches[order][segment] = found.matches[order];
      columns.totals[order][segment] = found.totals[order];
    }
    columns.length[segment] = found.length;
    columns.reference[segment] = found.reference;
    columns.tokens[segment] = found.tokens;
    if (columns.scores) columns.scores[segment] = value(this.sentence, found);
  }
}
