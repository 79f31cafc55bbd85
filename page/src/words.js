/** In which words two texts differ. */
import { diffArrays } from "diff";
import { h, visible } from "./dom.js";

/** How many words may be replaced until two texts are said to differ in all: more would take too long. */
const MOST_EDITS = 1000;

/** Words as Unicode divides a text; in scripts without spaces, by a dictionary of the browser. */
const SEGMENTER = new Intl.Segmenter(undefined, { granularity: "word" });

/** @typedef {{text: string, after: string}} Word a word or a sign, and the blanks after it */

/** @param {string} text @returns {Word[]} */
export function words(text) {
  /** @type {Word[]} */
  const made = [];
  for (const { segment } of SEGMENTER.segment(text)) {
    if (segment.trim() || !made.length) made.push({ text: segment, after: "" });
    else made[made.length - 1].after += segment;
  }
  return made;
}

/**
 * Return which words of each of two texts are not in the other, in the order of both.
 * @param {string[]} one @param {string[]} other
 * @returns {[boolean[], boolean[]]}
 */
export function differing(one, other) {
  const parts = diffArrays(one, other, { maxEditLength: MOST_EDITS });
  if (!parts) return [one.map(() => true), other.map(() => true)];
  const flags = (/** @type {"added" | "removed"} */ not) =>
    parts.flatMap((part) => (part[not] ? [] : part.value.map(() => part.added || part.removed)));
  return [flags("added"), flags("removed")];
}

/**
 * Return a text with the words that the other does not have as marks.
 * @param {Word[]} made @param {boolean[]} differs @param {"a" | "b"} side
 */
export function marked(made, differs, side) {
  /** @type {any[]} */
  const parts = [];
  for (let start = 0, end = 0; start < made.length; start = end) {
    while (end < made.length && differs[end] === differs[start]) end += 1;
    const text = made.slice(start, end).map((word, place) => word.text + (place < end - start - 1 ? word.after : "")).join("");
    parts.push(differs[start] ? h("mark", { class: side }, text) : visible(text), made[end - 1].after);
  }
  return parts;
}
