/** Looking at the texts of many segments without keeping the reader waiting. */
import { pause } from "./data.js";

/** How many milliseconds to work before the browser may draw. */
const SLICE = 40;

/** @typedef {{progress: (share: number) => void, isOver: () => boolean}} Watch is told the share that is done, and says when to stop */

/**
 * Look at segments one after the other; return false if that is no longer wanted.
 * @param {import("./data.js").Texts} texts @param {Uint32Array} segments @param {Watch} watch
 * @param {(segment: number) => void} look
 */
export async function walk(texts, segments, { progress, isOver }, look) {
  let since = performance.now();
  for (let place = 0; place < segments.length; place += 1) {
    if (!texts.has(segments[place])) await texts.of(segments[place]);
    look(segments[place]);
    if (performance.now() - since > SLICE) {
      progress(place / segments.length);
      await pause();
      if (isOver()) return false;
      since = performance.now();
    }
  }
  return true;
}
