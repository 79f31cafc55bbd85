/** The segments that are shown, and their order. */
import { alike } from "./statistics.js";
import { asText } from "./data.js";

/** @typedef {import("./state.js").State} State @typedef {import("./model.js").Model} Model */

/** The number of segments from which the order of all is kept, instead of sorting some again. */
const MANY = 10_000;

/** Orders that have a name: what they sort by, the largest first or not. @type {Record<string, {name: string, sort: string, down: string}>} */
export const ORDERS = {
  size: { name: "Largest influence", sort: "size", down: "1" },
  b: { name: "Hurts B most", sort: "influence", down: "1" },
  a: { name: "Hurts A most", sort: "influence", down: "0" },
};

/**
 * Return the numbers of the segments that pass all filters.
 * @param {Model} model @param {State} state @param {number} a @param {number} b
 * @param {Set<number> | null} withNgram @param {ArrayLike<number> | null} withText 1 for those that have it
 * @returns {Uint32Array}
 */
export function filtered(model, state, a, b, withNgram, withText) {
  const { columns, rows, texts } = model;
  /** @type {((segment: number) => boolean)[]} */
  const tests = [];
  for (const kind of /** @type {const} */ (["document", "label", "length"])) {
    if (state[kind] === "") continue;
    const [column, wanted] = [columns[kind], Number(state[kind]) - 1];
    if (column) tests.push((segment) => column[segment] === wanted);
  }
  const [least, most] = [bound(state.min, -Infinity), bound(state.max, Infinity)];
  if (least > -Infinity || most < Infinity) {
    const scores = model.sentences(state.of === "b" ? b : a);
    tests.push((segment) => scores[segment] >= least && scores[segment] <= most);
  }
  if (state.show === "identical") tests.push((segment) => alike(rows[a], rows[b], segment) && same(segment));
  else if (state.show !== "all") {
    const [ours, theirs] = [model.sentences(a), model.sentences(b)];
    if (state.show === "a") tests.push((segment) => ours[segment] > theirs[segment]);
    else if (state.show === "b") tests.push((segment) => ours[segment] < theirs[segment]);
    else tests.push((segment) => !alike(rows[a], rows[b], segment) || !same(segment));
  }
  if (withNgram) tests.push((segment) => withNgram.has(segment));
  if (withText) tests.push((segment) => withText[segment] === 1);
  /** @param {number} segment whether both outputs are the same text */
  function same(segment) {
    if (!texts.has(segment)) return true;
    const { systems } = texts.at(segment);
    return asText(systems[a]) === asText(systems[b]);
  }
  return tests.length ? model.all.filter((segment) => tests.every((test) => test(segment))) : model.all;
}

/** @param {string} text @param {number} none */
function bound(text, none) {
  return text.trim() === "" || Number.isNaN(Number(text)) ? none : Number(text);
}

/**
 * Whether segments are chosen by the outputs or their scores: then the choice alone makes a difference.
 * @param {State} state
 */
export function areByOutput(state) {
  const isInOutputs = state.q && !["source", "references"].includes(state.in);
  return Boolean(isInOutputs || state.gram || state.min || state.max || state.show !== "all");
}

/** Whether filters need the texts, for which all blocks must be opened. @param {State} state */
export function needsText(state) {
  return Boolean(state.q) || state.show === "identical" || state.show === "different";
}

/**
 * Return the segments in the chosen order; equal ones in the order of their numbers.
 * @param {Model} model @param {State} state @param {number} a @param {number} b @param {Uint32Array} subset
 */
export function sorted(model, state, a, b, subset) {
  const down = state.down === "1";
  if (state.sort === "number") return down ? subset.slice().reverse() : subset;
  const keys = keysOf(model, state.sort, a, b);
  if (!keys) return subset;
  const sign = down ? -1 : 1;
  const order = (/** @type {Uint32Array} */ segments) =>
    segments.slice().sort((one, other) => sign * (keys[one] - keys[other]) || one - other);
  if (subset.length < MANY) return order(subset);
  const all = model.once(`order ${state.sort} ${down} ${a} ${b}`, () => order(model.all));
  if (subset.length === all.length) return all;
  const isIn = new Uint8Array(all.length);
  for (const segment of subset) isIn[segment] = 1;
  return all.filter((/** @type {number} */ segment) => isIn[segment]);
}

/** @param {Model} model @param {string} sort @param {number} a @param {number} b @returns {ArrayLike<number> | null} */
function keysOf(model, sort, a, b) {
  if (sort === "a" || sort === "b") return model.sentences(sort === "a" ? a : b);
  if (sort === "length") return model.rows[a].length;
  if (sort === "difference") return model.differences(a, b);
  if (!model.scores) return null;
  return sort === "influence" ? model.influence(a, b) : model.once(`size of influence ${a} ${b}`, () => model.influence(a, b).map(Math.abs));
}
