/**
 * What the reader typed in place of outputs: by system, by segment, the text. In the address it is a list in JSON of
 * segment, system (both from 1) and text.
 *
 * @typedef {Map<number, Map<number, string>>} Edits
 */

/** @param {string} written @param {any} data @returns {Edits} without what is no output of this report */
export function edits(written, data) {
  /** @type {Edits} */
  const made = new Map();
  for (const each of list(written)) {
    if (!Array.isArray(each)) continue;
    const [segment, system, text] = each;
    const isOutput = data.systems[system - 1] !== undefined && Number.isInteger(segment) && segment >= 1 && segment <= data.segments;
    if (isOutput && typeof text === "string") of(made, system - 1).set(segment - 1, text);
  }
  return made;
}

/** @param {string} written @returns {any[]} */
function list(written) {
  try {
    const found = JSON.parse(written || "[]");
    return Array.isArray(found) ? found : [];
  } catch {
    return [];
  }
}

/** @param {Edits} made @param {number} system @returns {Map<number, string>} */
function of(made, system) {
  let ofSystem = made.get(system);
  if (!ofSystem) made.set(system, (ofSystem = new Map()));
  return ofSystem;
}

/**
 * Return the edits with another one, as they stand in the address.
 * @param {Edits} before @param {number} system @param {number} segment @param {string | null} text null for the system's own
 */
export function withEdit(before, system, segment, text) {
  const all = [...before].flatMap(([each, texts]) => [...texts].map(([place, typed]) => /** @type {const} */ ([place + 1, each + 1, typed])));
  const others = all.filter(([place, each]) => place !== segment + 1 || each !== system + 1);
  const made = text === null ? others : [...others, /** @type {const} */ ([segment + 1, system + 1, text])];
  return made.length ? JSON.stringify(made) : "";
}

/** @param {Edits} made how many outputs were edited */
export function number(made) {
  return [...made.values()].reduce((sum, texts) => sum + texts.size, 0);
}
