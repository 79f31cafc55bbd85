/** The segments that are shown, and their order. */
import { alike } from "./statistics.js";
import { asText } from "./data.js";

/** @typedef {import("./state.js").State} State @typedef {import("./model.js").Model} Model */

/** The number of segments from which the order of all is kept, instead of sorting some again. */
const MANY = 10_000;

/** The names of the sort keys. */
export const SORTS = {
  influence: "influence on the difference",
  difference: "difference of the sentence scores",
  a: "sentence score of A",
  b: "sentence score of B",
  length: "length of A in tokens",
  number: "number",
};

/**
 * Return a test of texts, or the error message for the regular expression.
 * @param {State} state
 * @returns {{test: (text: string) => boolean} | {error: string}}
 */
function search(state) {
  const source = state.regex ? state.q : state.q.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  try {
    const pattern = new RegExp(source, "iu");
    return { test: (text) => pattern.test(text) };
  } catch (error) {
    return { error: /** @type {Error} */ (error).message };
  }
}

/**
 * Return the numbers of the segments that pass all filters.
 * @param {Model} model @param {State} state @param {number} a @param {number} b
 * @param {Set<number> | null} withNgram
 * @returns {{subset: Uint32Array, error?: string}}
 */
export function filtered(model, state, a, b, withNgram) {
  const { columns, rows, texts } = model;
  /** @type {((segment: number) => boolean)[]} */
  const tests = [];
  for (const kind of /** @type {const} */ (["document", "label", "length"])) {
    if (state[kind] === "") continue;
    const [column, wanted] = [columns[kind], Number(state[kind]) - 1];
    if (column) tests.push((segment) => column[segment] === wanted);
  }
  if (state.min !== "" || state.max !== "") {
    const [least, most] = [state.min === "" ? -Infinity : Number(state.min), state.max === "" ? Infinity : Number(state.max)];
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
  if (state.q) {
    const found = search(state);
    if ("error" in found) return { subset: new Uint32Array(), error: found.error };
    const has = withText(texts, state.in, a, b, found.test);
    tests.push((segment) => has[segment] === 1);
  }
  /** @param {number} segment whether both outputs are the same text */
  function same(segment) {
    if (!texts.has(segment)) return true;
    const { systems } = texts.at(segment);
    return asText(systems[a]) === asText(systems[b]);
  }
  return { subset: tests.length ? model.all.filter((segment) => tests.every((test) => test(segment))) : model.all };
}

/**
 * Return for each segment whether one of its texts passes a test: 1 or 0.
 * @param {import("./data.js").Texts} texts @param {string} where @param {number} a @param {number} b
 * @param {(text: string) => boolean} test
 */
function withText(texts, where, a, b, test) {
  const found = new Uint8Array(texts.number * texts.size);
  const wanted = (/** @type {string} */ part) => where === part || !["source", "references", "a", "b"].includes(where);
  texts.blocks.forEach((block, number) => {
    if (!block) return;
    const first = number * texts.size;
    const look = (/** @type {import("./data.js").Text[] | undefined} */ column) => {
      column?.forEach((text, place) => {
        if (!found[first + place] && test(asText(text))) found[first + place] = 1;
      });
    };
    if (wanted("source")) look(block.source);
    if (wanted("references")) {
      block.references.forEach((group, place) => {
        if (group.some((text) => test(asText(text)))) found[first + place] = 1;
      });
    }
    if (wanted("a")) look(block.systems[a]);
    if (wanted("b") && a !== b) look(block.systems[b]);
  });
  return found;
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
  if (sort === "difference") {
    const [ours, theirs] = [model.sentences(a), model.sentences(b)];
    return model.once(`difference ${a} ${b}`, () => Float64Array.from(model.all, (each) => Math.abs(ours[each] - theirs[each])));
  }
  if (!model.scores) return null;
  return model.once(`size of influence ${a} ${b}`, () => model.influence(a, b).map(Math.abs));
}
