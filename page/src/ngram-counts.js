/** N-grams across the corpus: those that one system matches more often than the other, and those that a system misses. */
import { averages, value } from "./bleu/bleu.js";
import { matched } from "./bleu/ngrams.js";
import { asText } from "./data.js";
import { row, sums } from "./statistics.js";
import { walk } from "./walk.js";

/**
 * @typedef {import("./model.js").Model} Model
 * @typedef {import("./bleu/ngrams.js").Order} Order
 * @typedef {import("./walk.js").Watch} Watch
 *
 * @typedef {object} Found an n-gram in the segments that are meant; numbers are those in each of `segments`
 * @property {string[]} words
 * @property {number[]} segments
 * @property {number[]} first how often A matches it, or how often the reference that has most of it has it
 * @property {number[]} second how often B matches it, or how many of these a system misses
 *
 * @typedef {Found & {parts: string[][]}} Phrase words, and the n-grams among them, the longest first, of which all of this is true
 */

/** What segments may have of an n-gram, by the key in the address: the words before and after it. */
export const KINDS = {
  any: ["with", ""],
  differ: ["in which the matches of", "differ"],
  "missed-a": ["in which A misses", "of a reference"],
  "missed-b": ["in which B misses", "of a reference"],
};

/**
 * Return the n-grams whose matches differ in some segment.
 * @param {Model} model @param {number} a @param {number} b @param {Uint32Array} subset @param {Watch} watch
 */
export function differing(model, a, b, subset, watch) {
  return gathered(model, subset, watch, (segment, add) => {
    const { systems } = model.texts.at(segment);
    if (asText(systems[a]) === asText(systems[b])) return;
    const [ours, theirs] = [a, b].map((system) => matches(model, segment, system));
    for (const key of new Set([...ours.keys(), ...theirs.keys()])) {
      const [one, other] = [ours.get(key) ?? 0, theirs.get(key) ?? 0];
      if (one !== other) add(key, one, other);
    }
  });
}

/**
 * Return the n-grams of references that a system has less often than the reference that has most of it.
 * @param {Model} model @param {number} system @param {Uint32Array} subset @param {Watch} watch
 */
export function missed(model, system, subset, watch) {
  return gathered(model, subset, watch, (segment, add) => {
    const { words, references } = model.tokens(segment, system);
    const own = tally(words, model.orders);
    const most = mostOf(references, model.orders);
    for (const [key, times] of most) if (times > (own.get(key) ?? 0)) add(key, times, times - (own.get(key) ?? 0));
  });
}

/**
 * Walk over segments, and gather what is found of n-grams, by their tokens with a tab between them.
 * @param {Model} model @param {Uint32Array} subset @param {Watch} watch
 * @param {(segment: number, add: (key: string, first: number, second: number) => void) => void} look
 * @returns {Promise<Map<string, Found> | null>} null if it is no longer wanted
 */
async function gathered(model, subset, watch, look) {
  /** @type {Map<string, Found>} */
  const found = new Map();
  const isDone = await walk(model.texts, subset, watch, (segment) =>
    look(segment, (key, first, second) => {
      let known = found.get(key);
      if (!known) found.set(key, (known = { words: key.split("\t"), segments: [], first: [], second: [] }));
      known.segments.push(segment);
      known.first.push(first);
      known.second.push(second);
    }),
  );
  return isDone ? found : null;
}

/** @param {Iterable<Found>} found @returns {Phrase[]} each n-gram for itself */
export function single(found) {
  return Array.from(found, (each) => ({ ...each, parts: [each.words] }));
}

/**
 * Join n-grams that are found in the same segments, as often: pieces of others, and those of the highest order that overlap.
 * @param {Iterable<Found>} found @param {number} highest
 * @returns {Phrase[]}
 */
export function joined(found, highest) {
  /** @type {Map<string, Phrase[]>} */
  const phrases = new Map();
  for (const each of [...found].sort((one, other) => other.words.length - one.words.length)) {
    const { words } = each;
    const key = `${each.segments} ${each.first} ${each.second}`;
    const alike = phrases.get(key) ?? [];
    phrases.set(key, alike);
    const known = alike.find((phrase) => starts(phrase.words, words).length || (words.length === highest && follows(phrase.words, words)));
    if (!known) alike.push({ ...each, parts: [words] });
    else {
      known.parts.push(words);
      if (!starts(known.words, words).length) known.words = [...known.words, words[words.length - 1]];
    }
  }
  return [...phrases.values()].flat();
}

/** @param {string[]} words @param {string[]} gram @returns {boolean} whether words end with all but the last word of an n-gram */
function follows(words, gram) {
  return gram.length > 1 && gram.slice(0, -1).every((word, place) => word === words[words.length - gram.length + 1 + place]);
}

/** @param {Model} model @param {number} segment @param {number} system @returns {Map<string, number>} the counted matches */
function matches(model, segment, system) {
  const { words, orders } = model.analyzed(segment, system);
  /** @type {Map<string, number>} */
  const counts = new Map();
  orders.forEach((order, index) => {
    const counting = matched(order, model.variant.counter.name);
    order.places.forEach((ngram, start) => {
      if (!counting[ngram]) return;
      counts.set(words.slice(start, start + index + 1).join("\t"), counting[ngram]);
      counting[ngram] = 0;
    });
  });
  return counts;
}

/** @param {string[][]} references @param {number} highest @returns {Map<string, number>} how often the reference that has most of it has each n-gram */
export function mostOf(references, highest) {
  /** @type {Map<string, number>} */
  const most = new Map();
  for (const reference of references) {
    for (const [key, times] of tally(reference, highest)) if (times > (most.get(key) ?? 0)) most.set(key, times);
  }
  return most;
}

/** @param {string[]} words @param {number} highest @returns {Map<string, number>} how often each n-gram occurs */
export function tally(words, highest) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (let start = 0; start < words.length; start += 1) {
    for (let key = "", end = start; end < Math.min(words.length, start + highest); end += 1) {
      key = end === start ? words[end] : `${key}\t${words[end]}`;
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
  }
  return counts;
}

/**
 * Return what changes of the matches of all n-grams of a phrase would do to the score of a system on some segments. A
 * segment cannot match more n-grams than it has.
 * @param {Model} model @param {number} system @param {Uint32Array} subset
 * @returns {(phrase: Phrase, changes: number[]) => number} the change of the score
 */
export function change(model, system, subset) {
  const { variant, sentence } = model;
  const rows = model.rows[system];
  const whole = sums(rows, subset);
  const before = value(variant, whole);
  const moved = (/** @type {import("./statistics.js").Sums} */ counts, /** @type {number[]} */ more) => ({
    ...counts,
    matches: counts.matches.map((number, order) => number + more[order]),
  });
  const total = (/** @type {number[]} */ numbers) => numbers.reduce((sum, each) => sum + each, 0);
  return ({ parts, segments }, changes) => {
    const possible = rows.matches.map((matches, order) => {
      const times = parts.filter((words) => words.length === order + 1).length;
      return segments.map((segment, place) => Math.min(times * changes[place], Math.max(0, rows.totals[order][segment] - matches[segment])));
    });
    if (!averages(variant)) return value(variant, moved(whole, possible.map(total))) - before;
    const scores = /** @type {ArrayLike<number>} */ (rows.scores);
    const points = segments.map((segment, place) => value(sentence, moved(row(rows, segment), possible.map((each) => each[place]))) - scores[segment]);
    return value(variant, { ...whole, scores: whole.scores + total(points) }) - before;
  };
}

/**
 * Return the segments that have what is meant of an n-gram.
 * @param {Model} model @param {number} a @param {number} b @param {string[]} gram @param {keyof typeof KINDS} kind
 */
export async function having(model, a, b, gram, kind) {
  await model.texts.openAll();
  const [ours, theirs] = [a, b].map((system) => (/** @type {number} */ segment) => occurrences(model, segment, system, gram));
  const tests = {
    any: (/** @type {number} */ segment) => ours(segment).own > 0 || theirs(segment).own > 0,
    differ: (/** @type {number} */ segment) => ours(segment).matched !== theirs(segment).matched,
    "missed-a": (/** @type {number} */ segment) => ours(segment).own < ours(segment).most,
    "missed-b": (/** @type {number} */ segment) => theirs(segment).own < theirs(segment).most,
  };
  return new Set(model.all.filter(tests[kind]));
}

/** @param {Model} model @param {number} segment @param {number} system @param {string[]} gram */
function occurrences(model, segment, system, gram) {
  const { words, references } = model.tokens(segment, system);
  const own = starts(words, gram).length;
  const most = Math.max(0, ...references.map((reference) => starts(reference, gram).length));
  const [counting] = matched(/** @type {Order} */ ({ counts: [own], most: [most] }), model.variant.counter.name);
  return { own, most, matched: counting };
}

/** @param {string[]} words @param {string[]} gram @returns {number[]} where an n-gram begins */
export function starts(words, gram) {
  /** @type {number[]} */
  const found = [];
  for (let start = words.indexOf(gram[0]); start >= 0; start = words.indexOf(gram[0], start + 1)) {
    if (gram.every((word, place) => words[start + place] === word)) found.push(start);
  }
  return found;
}
