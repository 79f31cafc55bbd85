/**
 * What the reader chose, as it stands in the fragment of the address: whoever opens it sees the same.
 */

/** What can be chosen for some keys; an address may hold anything. @type {Record<string, string[]>} */
const CHOICES = {
  view: ["overview", "segments", "ngrams", "charts", "variant"],
  sort: ["size", "influence", "difference", "a", "b", "length", "number"],
  down: ["1", "0"],
  regex: ["1"],
  in: ["all", "source", "references", "a", "b"],
  of: ["a", "b"],
  has: ["any", "differ", "missed-a", "missed-b"],
  grams: ["differ", "missed"],
  show: ["all", "a", "b", "identical", "different"],
  lowercase: ["no", "yes", "ascii"],
  effective_order: ["yes", "no"],
  scale: ["100", "1"],
  average: ["micro", "macro", "macro-with-final-newline"],
};

export const DEFAULTS = {
  view: "overview",
  a: "1",
  b: "2",
  sort: "size",
  down: "1",
  q: "",
  regex: "",
  in: "all",
  document: "",
  label: "",
  length: "",
  of: "a",
  min: "",
  max: "",
  show: "all",
  gram: "",
  has: "any",
  grams: "differ",
  segment: "",
  group: "",
  order: "",
  edits: "",
  variant: "",
  tokenizer: "",
  lowercase: "",
  counter: "",
  reference_length: "",
  smoothing: "",
  brevity_penalty: "",
  weights: "",
  effective_order: "",
  scale: "",
  average: "",
};

/** @typedef {typeof DEFAULTS} State */

/** @param {string} fragment @returns {State} */
export function read(fragment) {
  const given = new URLSearchParams(fragment.replace(/^#/, ""));
  const valid = (/** @type {string} */ key, /** @type {string} */ value) => !CHOICES[key] || CHOICES[key].includes(value);
  return /** @type {State} */ (
    Object.fromEntries(
      Object.entries(DEFAULTS).map(([key, value]) => {
        const found = given.get(key) ?? value;
        return [key, valid(key, found) ? found : value];
      }),
    )
  );
}

/** @param {State} state */
export function written(state) {
  const chosen = Object.entries(state).filter(([key, value]) => value !== /** @type {any} */ (DEFAULTS)[key]);
  return `#${new URLSearchParams(chosen)}`;
}
