/** Parts of the text: the segments of each document, length or label. */
import { influences } from "./influence.js";
import { sums } from "./statistics.js";

/** The number of parts that are shown. */
export const MOST_PARTS = 40;

/** @typedef {import("./model.js").Model} Model */

/**
 * Return the segments of each part.
 * @param {Model} model @param {string} kind @param {Uint32Array} [subset]
 * @returns {Uint32Array[]}
 */
export function members(model, kind, subset = model.all) {
  /** @type {number[][]} */
  const found = model.data.groups[kind].map(() => []);
  for (const segment of subset) found[model.columns[kind][segment]].push(segment);
  return found.map((segments) => Uint32Array.from(segments));
}

/**
 * Return the influence of each part on the difference of two systems.
 * @param {Model} model @param {number} first @param {number} second @param {Uint32Array[]} parts
 */
export function influencesOf(model, first, second, parts) {
  const [ours, theirs] = [first, second].map((system) => parts.map((subset) => sums(model.rows[system], subset)));
  return influences(model.variant, ours, theirs);
}

/**
 * Return the parts in the order in which they are shown: lengths as they are, others by their influence, if there is one.
 * @param {string} kind @param {Float64Array | null} moves
 * @param {Uint32Array[]} parts
 */
export function shownOrder(kind, moves, parts) {
  const order = parts.map((_, part) => part);
  if (kind !== "length" && moves) order.sort((one, other) => Math.abs(moves[other]) - Math.abs(moves[one]));
  return order;
}
