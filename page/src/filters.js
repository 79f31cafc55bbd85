/** Which segments are shown, and in which order. */
import { alike } from "./statistics.js";
import { asText } from "./data.js";

/** @typedef {import("./state.js").State} State @typedef {import("./model.js").Model} Model */

/** What can be sorted by, and what it is called. */
export const SORTS = {
  influence: "influence on the difference",
  difference: "difference of the sentence scores",
  a: "sentence score of A",
  b: "sentence score of B",
  length: "length of A in tokens",
  number: "number",
};

/**
 * Return a test of text, or the message of what is wrong with the regular expression.
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
  const { data, columns, rows, texts } = model;
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
    tests.push((segment) => {
      const text = texts.at(segment);
      const within = {
        source: () => [text.source ?? ""],
        references: () => text.references,
        a: () => [text.systems[a]],
        b: () => [text.systems[b]],
        all: () => [text.source ?? "", ...text.references, text.systems[a], text.systems[b]],
      };
      const where = /** @type {keyof typeof within} */ (state.in in within ? state.in : "all");
      return within[where]().some((each) => found.test(asText(each)));
    });
  }
  /** @param {number} segment whether both outputs are the same text */
  function same(segment) {
    if (!texts.has(segment)) return true;
    const { systems } = texts.at(segment);
    return asText(systems[a]) === asText(systems[b]);
  }
  const subset = tests.length ? model.all.filter((segment) => tests.every((test) => test(segment))) : model.all;
  return { subset: subset ?? new Uint32Array(data.segments) };
}

/** Whether filters look at text, for which all blocks must be open. @param {State} state */
export function needsText(state) {
  return Boolean(state.q) || state.show === "identical" || state.show === "different";
}

/**
 * Return segments in the order that the reader chose; the same by their numbers.
 * @param {Model} model @param {State} state @param {number} a @param {number} b @param {Uint32Array} subset
 */
export function sorted(model, state, a, b, subset) {
  const down = state.down === "1";
  if (state.sort === "number") return down ? subset.slice().reverse() : subset;
  const keys = keysOf(model, state.sort, a, b);
  if (!keys) return subset;
  const sign = down ? -1 : 1;
  return subset.slice().sort((one, other) => sign * (keys[one] - keys[other]) || one - other);
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
