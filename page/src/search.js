/** The search in texts: for words, or for a regular expression, which runs beside the page and for a limited time. */
import { asText } from "./data.js";

/** @typedef {import("./state.js").State} State */
/** @typedef {{found: ArrayLike<number>} | {error: string}} Found 1 for each segment that has what is searched, else 0 */

/** The time for a regular expression, in milliseconds: some need longer than anybody waits, and cannot be stopped. */
export const LIMIT = 2000;

/** @type {(() => void) | null} ends the search that runs */
let stop = null;

/**
 * Return which segments have the text that is searched; null if another search has begun since.
 * @param {import("./data.js").Texts} texts all opened @param {State} state @param {number} a @param {number} b
 * @returns {Promise<Found | null>}
 */
export async function searched(texts, state, a, b) {
  stop?.();
  const groups = wanted(texts, state.in, a, b);
  if (state.regex) return matching(state.q, groups);
  const pattern = new RegExp(state.q.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"), "iu");
  return { found: groups.map((group) => (group.some((text) => pattern.test(text)) ? 1 : 0)) };
}

/**
 * Return the texts of each segment that are searched.
 * @param {import("./data.js").Texts} texts @param {string} where @param {number} a @param {number} b
 * @returns {string[][]}
 */
function wanted(texts, where, a, b) {
  const is = (/** @type {string} */ part) => where === part || where === "all";
  return texts.blocks.flatMap((block) => {
    if (!block) return [];
    const { source, references, systems } = block;
    return references.map((group, place) => [
      ...(source && is("source") ? [source[place]] : []),
      ...(is("references") ? group.map(asText) : []),
      ...(is("a") ? [asText(systems[a][place])] : []),
      ...(is("b") && a !== b ? [asText(systems[b][place])] : []),
    ]);
  });
}

/** What runs beside the page: it knows nothing but what it is sent. */
function worker() {
  onmessage = ({ data: [source, groups] }) => {
    try {
      const pattern = new RegExp(source, "iu");
      /** @type {any} */ (self).postMessage({ found: Uint8Array.from(groups, (/** @type {string[]} */ group) => (group.some((text) => pattern.test(text)) ? 1 : 0)) });
    } catch (error) {
      /** @type {any} */ (self).postMessage({ error: `The regular expression is wrong: ${/** @type {Error} */ (error).message}` });
    }
  };
}

/** @param {string} source @param {string[][]} groups @returns {Promise<Found | null>} */
function matching(source, groups) {
  const address = URL.createObjectURL(new Blob([`(${worker})()`], { type: "text/javascript" }));
  return new Promise((resolve) => {
    const refused = { error: "This browser cannot search for regular expressions here. Search for words instead." };
    /** @type {Worker | undefined} */
    let beside;
    /** @param {Found | null} found */
    const end = (found) => {
      beside?.terminate();
      clearTimeout(timer);
      URL.revokeObjectURL(address);
      stop = null;
      resolve(found);
    };
    const late = { error: `The regular expression takes longer than ${LIMIT / 1000} seconds, so the search was stopped. Try a simpler one.` };
    const timer = setTimeout(() => end(late), LIMIT);
    stop = () => end(null);
    try {
      beside = new Worker(address);
    } catch {
      return end(refused);
    }
    beside.onmessage = ({ data }) => end(data);
    beside.onerror = () => end(refused);
    beside.postMessage([source, groups]);
    return undefined;
  });
}
