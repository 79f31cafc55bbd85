/** Parts of the text: the segments of each document, length or label. */
import { value } from "./bleu/bleu.js";
import { added, sums } from "./statistics.js";

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
 * Return by how much each part moves the difference of two systems.
 * @param {Model} model @param {number} first @param {number} second @param {Uint32Array[]} parts
 */
export function influences(model, first, second, parts) {
  const all = [model.sums(first), model.sums(second)];
  const difference = model.score(first).value - model.score(second).value;
  return parts.map((subset) => {
    const [ours, theirs] = [first, second].map((system, side) => value(model.variant, added(all[side], sums(model.rows[system], subset), -1)));
    return difference - (ours - theirs);
  });
}

/**
 * Return the parts in the order in which they are shown: lengths as they are, others by their influence, if there is one.
 * @param {string} kind @param {number[] | null} moves
 * @param {Uint32Array[]} parts
 */
export function shownOrder(kind, moves, parts) {
  const order = parts.map((_, part) => part);
  if (kind !== "length" && moves) order.sort((one, other) => Math.abs(moves[other]) - Math.abs(moves[one]));
  return order;
}
