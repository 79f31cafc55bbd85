/**
 * What the reader chose, as it stands in the fragment of the address: whoever opens it sees the same.
 */

export const DEFAULTS = {
  view: "overview",
  a: "1",
  b: "2",
  sort: "influence",
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
  segment: "",
  group: "",
  order: "",
  tokenizer: "",
  lowercase: "",
  counter: "",
  reference_length: "",
  smoothing: "",
  weights: "",
  effective_order: "",
  scale: "",
};

/** @typedef {typeof DEFAULTS} State */

/** @param {string} fragment @returns {State} */
export function read(fragment) {
  const given = new URLSearchParams(fragment.replace(/^#/, ""));
  return /** @type {State} */ (
    Object.fromEntries(Object.entries(DEFAULTS).map(([key, value]) => [key, given.get(key) ?? value]))
  );
}

/** @param {State} state */
export function written(state) {
  const chosen = Object.entries(state).filter(([key, value]) => value !== /** @type {any} */ (DEFAULTS)[key]);
  return `#${new URLSearchParams(chosen)}`;
}
