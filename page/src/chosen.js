/**
 * The variant that the reader chose: that of the report, or a named one, with other values for some keys, for the corpus
 * and for single segments.
 *
 * @typedef {import("./bleu/bleu.js").Variant} Variant
 * @typedef {import("./state.js").State} State
 * @typedef {{variant: Variant, sentence: Variant, name?: string}} Levels with the name that was chosen
 */
import { OPTIONS, averages } from "./bleu/bleu.js";

/** The highest order of n-grams that can be chosen in the page. */
const HIGHEST = 10;

/** What a label ends in if a variant is not what its name means. */
const MODIFIED = " (modified)";

const CASES = { no: false, yes: true, ascii: "ascii" };

/**
 * Return the variant to which the changes are made: the named one that was chosen, or that of the report.
 * @param {any} data @param {State} state @returns {Levels}
 */
export function base(data, state) {
  const name = state.variant;
  return Object.hasOwn(data.variants, name) ? { ...data.variants[name], name } : { variant: data.variant, sentence: data.sentence };
}

/**
 * Return the chosen variant, or null if it is that of the report. What is chosen holds for single segments, too.
 * @param {any} data @param {State} state
 * @returns {Levels | null}
 */
export function chosen(data, state) {
  const { variant, sentence, name } = base(data, state);
  const changes = changed(state, Boolean(variant.normalize_weights));
  const own = laidOver(sentence, changes);
  // All scores of a variant that averages are made of sentence scores: what it does to sentences is all that it does.
  const levels = { variant: averages(own) ? own : laidOver(variant, changes), sentence: own };
  return !name && same(levels, { variant, sentence }) ? null : { ...levels, name };
}

/** @param {State} state @param {boolean} normalizes @returns {Partial<Variant>} */
function changed(state, normalizes) {
  /** @type {any} */
  const made = {};
  for (const [kind, known] of Object.entries(OPTIONS)) {
    const [name, ...options] = /** @type {any} */ (state)[kind].split(";");
    if (Object.hasOwn(known, name)) made[kind] = { name, options: given(options, known[name]) };
  }
  const orders = weights(state.weights);
  if (orders) made.weights = normalizes ? normalized(orders) : orders;
  if (state.lowercase) made.lowercase = /** @type {any} */ (CASES)[state.lowercase];
  if (state.effective_order) made.effective_order = state.effective_order === "yes";
  if (state.scale) made.scale = Number(state.scale);
  if (state.average) made.average = state.average;
  return made;
}

/**
 * Return the options of a component that are not the default, and of the type that the default has.
 * @param {string[]} written as key=value @param {Record<string, number | boolean>} defaults
 */
function given(written, defaults) {
  const options = written.map((each) => each.split("=")).flatMap(([key, text]) => {
    if (!Object.hasOwn(defaults, key)) return [];
    const value = typeof defaults[key] === "number" ? Number(text) : text === "true";
    const isUsable = typeof value === "boolean" || (text?.trim() && Number.isFinite(value));
    return isUsable && value !== defaults[key] ? [[key, value]] : [];
  });
  return Object.fromEntries(options);
}

/** @param {Variant} variant @param {Partial<Variant>} changes @returns {Variant} */
function laidOver(variant, changes) {
  const made = { ...variant, ...changes };
  if (made.scale !== variant.scale) made.empty_score = (variant.empty_score / variant.scale) * made.scale;
  return made;
}

/** Whether two score the same: of weights it matters what they are, not how they came about. @param {Levels} one @param {Levels} other */
function same(one, other) {
  const written = (/** @type {Levels} */ { variant, sentence }) => JSON.stringify([variant, sentence].map((level) => ({ ...level, normalize_weights: null })));
  return written(one) === written(other);
}

/**
 * Return what a variant is called: its name, or that of the report's, which says if it is not what that name means.
 * @param {any} data @param {Levels} levels
 */
export function label(data, levels) {
  const name = levels.name ?? (data.label.endsWith(MODIFIED) ? data.label.slice(0, -MODIFIED.length) : data.label);
  const named = data.variants[name];
  if (!named) return data.label;
  const isNamed = same(levels, named) || same(levels, { variant: named.sentence, sentence: named.sentence });
  return isNamed ? name : name + MODIFIED;
}

/**
 * Return weights as the reader wrote them: one for each order, or the number of equal ones; null for anything else.
 * @param {string} text
 */
export function weights(text) {
  const found = text.split(/[\s,;]+/).filter(Boolean).map(Number);
  if (!found.length || found.some((each) => !Number.isFinite(each) || each < 0)) return null;
  const [first] = found;
  if (found.length === 1 && Number.isInteger(first)) {
    return first >= 1 && first <= HIGHEST ? new Array(first).fill(1 / first) : null;
  }
  return found.length <= HIGHEST && found.some(Boolean) ? found : null;
}

/** @param {number[]} orders the weights divided by their sum, in which nothing is lost by rounding (Kahan 1965) */
function normalized(orders) {
  let [total, rest] = [0, 0];
  for (const each of orders) {
    const next = total + (each - rest);
    rest = next - total - (each - rest);
    total = next;
  }
  return orders.map((each) => each / total);
}
