/** The search for what people did to get a number, by rising price: the prices are those of bleukit identify. */
import { OPTIONS, analyzed, counted, value } from "../bleu/bleu.js";
import { points } from "./variants.js";

/** @typedef {import("./variants.js").Variants} Variants */
/** @typedef {import("./variants.js").Text} Text */
/** @typedef {import("../bleu/bleu.js").Variant} Variant */
/** @typedef {import("../bleu/bleu.js").Counted} Counted */
/** @typedef {{name: string, points: number}} Found */
/** @typedef {{set: Record<string, any>, kinds?: string[], needs?: string, bits: number, words: string}} Deviation */
/** @typedef {{variant: string, kind: string, bits: number, needs?: string}} Family */
/** @typedef {{family: Family, bits: number, deviations: Deviation[]}} Procedure */
/** @typedef {{points: number, posterior: number, same: string[]}} Answer */

/** The highest n-gram order that procedures weigh. */
const ORDERS = 6;

/** Scores of so many points around a figure tell how dense scores are there. */
const NEIGHBOURHOOD = 1;

const PUNCTUATION = /[!-/:-@[-`{-~]/g;
const SCRIPTS = { han: /\p{sc=Han}/u, kana: /[\u3041-\u30ff]/, hangul: /\p{sc=Hangul}/u, subwords: /@@ |\u2581/ };

/** The keys that a variant has not, and their values that the browser knows. */
const OWN = /** @type {Record<string, (value: any) => boolean>} */ ({ swap: () => true, reference: () => true, segments: () => true, shift: () => true, remove: (what) => what === "punctuation" });
const KEYS = ["lowercase", "weights", "effective_order", "average"];

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

  /** Whether it may be from 0 to 1. */
  get isFraction() {
    return this.value <= 1;
  }

  /** How many points wide the interval is that rounds to it, and the points in its middle. */
  get interval() {
    const scale = this.isFraction ? 100 : 1;
    return { width: 2 * this.half * scale, points: this.value * scale };
  }

  /** @param {number} found in points of 100 */
  distance(found) {
    return Math.min(Math.abs(found - this.value), this.value <= 1 ? Math.abs(found / 100 - this.value) : Infinity);
  }
}

/** @param {Variants} variants @param {Text} text @returns {Found[]} the scores of the named variants */
export function named(variants, text) {
  return variants.known.map((name) => ({ name, points: variants.points(name, text) }));
}

/**
 * Return the procedures that the browser can follow, the cheapest first.
 * @param {Variants} variants @param {Text} text @returns {Procedure[]}
 */
export function procedures(variants, text) {
  const { families, other_variants, deviations, search } = variants.prices;
  const has = traits(text);
  const isPossible = (/** @type {{needs?: string}} */ { needs }) => !needs || has.has(needs);
  const listed = new Map(families.map((/** @type {Family} */ family) => [family.variant, family]));
  /** @type {Procedure[]} */
  const found = [];
  for (const variant of variants.known) {
    const family = listed.get(variant) ?? { ...other_variants, variant };
    if (!isPossible(family)) continue;
    const usable = deviations
      .filter((/** @type {Deviation} */ each) => isPossible(each) && (each.kinds ?? [family.kind]).includes(family.kind) && Object.entries(each.set).every(isKnown))
      .sort((/** @type {Deviation} */ one, /** @type {Deviation} */ other) => one.bits - other.bits);
    const add = (/** @type {number} */ start, /** @type {Procedure} */ procedure) => {
      found.push(procedure);
      for (let place = start; place < usable.length; place += 1) {
        const more = usable[place];
        if (procedure.bits + more.bits > search.limit) break;
        if (procedure.deviations.some(({ set }) => Object.keys(more.set).some((key) => key in set))) continue;
        add(place + 1, { family, bits: procedure.bits + more.bits, deviations: [...procedure.deviations, more] });
      }
    };
    add(0, { family, bits: family.bits, deviations: [] });
  }
  return found.sort((one, other) => one.bits - other.bits);
}

/** @param {[string, any]} entry whether the browser can do what a deviation sets */
function isKnown([key, value]) {
  if (value === null || KEYS.includes(key)) return true;
  const named = /** @type {any} */ (OPTIONS)[key];
  return named ? Object.hasOwn(named, value) : Boolean(OWN[key]?.(value));
}

/** @param {Text} text @returns {Set<string>} what the text has, of what procedures need */
function traits({ hypotheses, references }) {
  const numbers = new Set(references.map((group) => group.length));
  const all = hypotheses.join("\n");
  const has = Object.entries(SCRIPTS).filter(([, signs]) => signs.test(all)).map(([name]) => name);
  if (numbers.size === 1) has.push(numbers.has(1) ? "one reference" : "several references");
  for (let number = 2; number <= Math.min(...numbers); number += 1) has.push(`${number} references`);
  return new Set(has);
}

/** @param {Procedure} procedure @returns {string} it in words, as bleukit identify prints it */
export function words({ family, deviations }) {
  const isClause = (/** @type {string} */ each) => !/^(on|with|without) /.test(each);
  const own = deviations.map((each) => each.words);
  const all = [...own.filter((each) => !isClause(each)), ...own.filter(isClause)];
  if (!all.length) return family.variant;
  return `${family.variant}${isClause(all[0]) ? ", " : " "}${all.join(", ")}`;
}

/** Calculates procedures on one text, of which each view is counted once. */
class Calculator {
  /** @param {Variants} variants @param {Text} text */
  constructor(variants, text) {
    this.variants = variants;
    this.text = text;
    /** @type {Map<string, Counted[]>} */
    this.views = new Map();
  }

  /** @param {Procedure} procedure @returns {number} its score in points */
  points({ family, deviations }) {
    const named = this.variants.named[family.variant];
    const set = Object.assign({}, ...deviations.map((each) => each.set));
    const keys = Object.fromEntries(Object.entries(set).filter(([key, value]) => value !== null && !OWN[key]).map(([key, value]) => [key, asKept(key, value)]));
    const average = keys.average ?? named.variant.average;
    const variant = { ...(average === "micro" ? named.variant : named.sentence), ...keys, average: "micro" };
    const rows = this.rows(variant, set).slice(0, set.segments ?? undefined);
    if (average === "micro") return points(variant, value(variant, added(rows)));
    const values = rows.map((row) => points(variant, value(variant, row)));
    return averaged(values, average, points(variant, variant.empty_score));
  }

  /** @param {Variant} variant @param {Record<string, any>} set @returns {Counted[]} the counts of each segment */
  rows(variant, { swap, reference, shift, remove }) {
    const key = JSON.stringify([variant.tokenizer, variant.lowercase, variant.counter, variant.reference_length, swap, reference, shift, remove]);
    let rows = this.views.get(key);
    if (!rows) {
      let { hypotheses, references: groups } = this.text;
      if (shift) [hypotheses, groups] = shift === 1 ? [hypotheses.slice(0, -1), groups.slice(1)] : [hypotheses.slice(1), groups.slice(0, -1)];
      if (reference) groups = groups.map((group) => [group[reference - 1]]);
      if (swap) [hypotheses, groups] = [groups.map(([first]) => first), hypotheses.map((one) => [one])];
      const without = (/** @type {string} */ one) => (remove ? one.replace(PUNCTUATION, "") : one);
      rows = hypotheses.map((one, segment) => counted(variant, analyzed(variant, without(one), groups[segment].map(without), ORDERS)));
      this.views.set(key, rows);
    }
    return rows;
  }
}

/** @param {string} key @param {any} value @returns {any} the value of a key as variants here keep it */
function asKept(key, value) {
  if (key in OPTIONS) return { name: value, options: {} };
  return key === "weights" && !Array.isArray(value) ? new Array(value).fill(1 / value) : value;
}

/** @param {number[]} values @param {string} average @param {number} empty the score of a pair of empty texts */
function averaged(values, average, empty) {
  const mean = (/** @type {number[]} */ some) => some.reduce((total, one) => total + one, 0) / some.length;
  if (average === "positive") return values.some((one) => one > 0) ? mean(values.filter((one) => one > 0)) : 0;
  if (average === "macro-with-final-newline") return mean([...values, empty]);
  if (average !== "median") return mean(values);
  const sorted = [...values].sort((one, other) => one - other);
  return (sorted[(sorted.length - 1) >> 1] + sorted[sorted.length >> 1]) / 2;
}

/** @param {Counted[]} rows @returns {Counted} their sum */
function added(rows) {
  const total = { matches: new Array(ORDERS).fill(0), totals: new Array(ORDERS).fill(0), length: 0, reference: 0, tokens: 0 };
  for (const row of rows) {
    for (let order = 0; order < ORDERS; order += 1) {
      total.matches[order] += row.matches[order];
      total.totals[order] += row.totals[order];
    }
    total.length += row.length;
    total.reference += row.reference;
    total.tokens += row.tokens;
  }
  return total;
}

/**
 * Search the procedures that give a number, by rising price, as bleukit identify does.
 * @param {Variants} variants @param {Text} text @param {Figure} figure
 * @param {(share: number) => boolean} goesOn called with what is done
 */
export async function identified(variants, text, figure, goesOn) {
  const { search } = variants.prices;
  const all = procedures(variants, text);
  const calculator = new Calculator(variants, text);
  /** @type {{points: number, bits: number}[]} */
  const scores = [];
  /** @type {{points: number, weight: number, same: string[]}[]} */
  const groups = [];
  let [last, limit] = [performance.now(), search.limit];
  for (const [place, procedure] of all.entries()) {
    if (procedure.bits > limit) break;
    if (performance.now() - last > 40) {
      await new Promise((resume) => setTimeout(resume));
      last = performance.now();
      if (!goesOn(place / all.length)) break;
    }
    const found = calculator.points(procedure);
    if (Number.isNaN(found)) continue;
    scores.push({ points: found, bits: procedure.bits });
    if (!figure.holds(found)) continue;
    if (!groups.length) limit = Math.min(limit, procedure.bits + search.margin);
    let bits = procedure.bits;
    if (figure.isFraction) {
      if (Math.abs(found / 100 - figure.value) > figure.half) bits += search.as_points;
      else if (variants.named[procedure.family.variant].variant.scale > 1) bits += search.as_fraction;
    }
    const same = groups.find((each) => Math.abs(each.points - found) <= 1e-9 * found);
    if (same) {
      same.weight += 2 ** -bits;
      same.same.push(words(procedure));
    } else groups.push({ points: found, weight: 2 ** -bits, same: [words(procedure)] });
  }
  for (const group of groups) group.weight **= 1 / search.flatness;
  const none = weightOfNone(search, scores, figure);
  const total = groups.reduce((sum, { weight }) => sum + weight, none);
  const answers = groups.map(({ points: found, weight, same }) => ({ points: found, posterior: weight / total, same })).sort((one, other) => other.posterior - one.posterior);
  const nothing = none / total;
  const isNothing = !answers.length || nothing >= search.nothing;
  return { answers, nothing, tried: scores.length, verdict: isNothing ? "nothing plausible" : answers[0].posterior >= search.likely && figure.value ? "likely" : "possible" };
}

/**
 * Return the weight of "none of these": how likely another procedure gives a figure in an interval so wide.
 * @param {any} search @param {{points: number, bits: number}[]} scores @param {Figure} figure
 */
function weightOfNone(search, scores, figure) {
  const { width, points: middle } = figure.interval;
  /** @type {Map<string, number>} how often procedures give a score */
  const frequencies = new Map();
  for (const { points: found, bits } of scores) frequencies.set(found.toFixed(9), (frequencies.get(found.toFixed(9)) ?? 0) + 2 ** -bits);
  const weights = [...frequencies].map(([found, frequency]) => ({ found: Number(found), weight: frequency ** (1 / search.flatness) }));
  const sum = (/** @type {typeof weights} */ some) => some.reduce((total, { weight }) => total + weight, 0);
  const near = weights.filter(({ found }) => Math.abs(found - middle) <= NEIGHBOURHOOD);
  const density = sum(near) / sum(weights) / (2 * NEIGHBOURHOOD) + search.anywhere;
  return (search.none / (1 - search.none)) * sum(weights) * Math.min(1, width * density);
}
