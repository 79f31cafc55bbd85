/**
 * Brevity penalties, by name: the factor for a text of some length beside its effective reference length, and how the
 * formula writes it.
 *
 * @typedef {Record<string, number>} Options
 * @typedef {object} Penalty
 * @property {Options} options with the values that they have if none are given
 * @property {(length: number, reference: number, options: Options) => number} penalty
 * @property {(length: number, reference: number, options: Options) => string} written
 */

/** @param {number} length @param {number} reference */
function exponential(length, reference) {
  if (length === 0) return 0;
  return length >= reference ? 1 : Math.exp(1 - reference / length);
}

/** @param {number} length @param {number} reference */
function written(length, reference) {
  if (length === 0) return "0";
  return length >= reference ? "1" : `e^(1 − ${Math.round(reference * 1000) / 1000}/${length})`;
}

/** @type {Record<string, Penalty>} */
export const BREVITY_PENALTIES = {
  standard: { options: {}, penalty: exponential, written },
  "added-lengths": {
    options: { added_to_hypothesis: 0, added_to_reference: 0 },
    penalty: (length, reference, added) => exponential(length + added.added_to_hypothesis, reference + added.added_to_reference),
    written: (length, reference, added) => written(length + added.added_to_hypothesis, reference + added.added_to_reference),
  },
  none: { options: {}, penalty: () => 1, written: () => "1" },
};
