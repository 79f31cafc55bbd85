/** How many of the words of references an output has, by how frequent they are there. */
import { mostOf, tally } from "../ngram-counts.js";
import { whole } from "../numbers.js";
import { walk } from "../walk.js";

/** The frequencies up to which words are together. */
const BOUNDS = [1, 2, 5, 10, 100, 1000, Infinity];

/** @typedef {{name: string, words: number, found: number[]}} Bucket how many words references have, and each system of them */

/**
 * Return the words of references by their frequency in all references; of several references of a segment, the one that
 * has most of a word counts.
 * @param {import("../model.js").Model} model @param {number[]} systems @param {Uint32Array} subset @param {import("../walk.js").Watch} watch
 * @returns {Promise<Bucket[] | null>} null if it is no longer wanted
 */
export async function byFrequency(model, systems, subset, { progress, isOver }) {
  /** @type {Map<string, number>} */
  const frequencies = new Map();
  const add = (/** @type {number} */ segment) => {
    for (const reference of model.tokens(segment, systems[0]).references) {
      for (const word of reference) frequencies.set(word, (frequencies.get(word) ?? 0) + 1);
    }
  };
  if (!(await walk(model.texts, model.all, { progress: (share) => progress(share / 2), isOver }, add))) return null;
  const buckets = BOUNDS.map((most, place) => ({ name: named(place ? BOUNDS[place - 1] + 1 : 1, most), words: 0, found: systems.map(() => 0) }));
  const count = (/** @type {number} */ segment) => {
    const texts = systems.map((system) => model.tokens(segment, system));
    const own = texts.map(({ words }) => tally(words, 1));
    for (const [word, most] of mostOf(texts[0].references, 1)) {
      const bucket = buckets[BOUNDS.findIndex((bound) => /** @type {number} */ (frequencies.get(word)) <= bound)];
      bucket.words += most;
      own.forEach((counts, side) => (bucket.found[side] += Math.min(most, counts.get(word) ?? 0)));
    }
  };
  const isDone = await walk(model.texts, subset, { progress: (share) => progress((1 + share) / 2), isOver }, count);
  return isDone ? buckets.filter(({ words }) => words) : null;
}

/** @param {number} least @param {number} most */
function named(least, most) {
  if (least === most) return least === 1 ? "once" : `${least} times`;
  return most === Infinity ? `${whole(least)} times or more` : `${whole(least)} to ${whole(most)} times`;
}
