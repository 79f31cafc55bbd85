/** What p-values and intervals are, in words, and why there are none. */
import { whole } from "./numbers.js";

const CORRECTIONS = { holm: "Holm", bh: "Benjamini and Hochberg" };

const TESTS = {
  permutation: "a permutation test",
  hierarchical: "a hierarchical test",
  bootstrap: "the bootstrap",
  delta: "the delta method",
  "sacrebleu-bs": "sacreBLEU's bootstrap",
  "sacrebleu-ar": "sacreBLEU's approximate randomization",
};

/** By how a difference was tested in the page, or why it was not. @type {Record<string, string>} */
export const NOTES = {
  delta: "The interval and p are approximations (delta method). p is for this comparison alone: it is not adjusted for other comparisons.",
  exact: "p is exact: it counts all ways to swap the outputs of the segments that differ. It is for this comparison alone: it is not adjusted for other comparisons. The interval is an approximation (delta method).",
    mixed: "p is exact if few segments of a part differ; all other p-values and the intervals are approximations (delta method). p is for this part alone: it is not adjusted for other comparisons.",
  outputs: "No interval and no p-value: these segments were chosen by their outputs or scores, and that choice alone can make one system look better.",
  edited: "No interval and no p-value: an edited output is not what the system wrote.",
  same: "",
  none: "",
};

/** Say what the page does not know of a variant. @param {import("./model.js").Model} model */
export function notKnown({ unknown }) {
  return `The page does not know this variant's ${unknown.map(spoken).join(" and ")}`;
}

/** @param {string} kind a key of a variant */
export function spoken(kind) {
  return kind.replace("_", " ");
}

/** Whether the report's p-values allow for the number of pairs. @param {any} data */
export function isAdjusted({ comparison }) {
  return Boolean(comparison) && comparison.correction !== "none" && comparison.pairs.length > 1;
}

/**
 * Say what the report's interval and p-value of a pair are.
 * @param {any} data @param {any} pair undefined if the report has not compared the two
 */
export function reportNote(data, pair) {
  if (!data.comparison) return data.refused ? `No interval and no p-value: ${data.refused}.` : "";
  if (!pair) return "No interval and no p-value: the report does not compare these two.";
  const { test, samples, interval_samples: resamples, seed, correction, pairs } = data.comparison;
  const name = /** @type {Record<string, string>} */ (TESTS)[test] ?? test;
  const how = pair.exact ? "an exact permutation test" : samples ? `${name} (${whole(samples)} samples, seed ${seed})` : name;
  const adjusted = isAdjusted(data) ? `, adjusted for ${pairs.length} pairs by the method of ${/** @type {any} */ (CORRECTIONS)[correction] ?? correction}` : "";
  const intervals = resamples && pair.interval ? ` The interval is from ${whole(resamples)} resamples.` : "";
  return pair.adjusted_p_value === null ? intervals.trim() : `p is from ${how}${adjusted}.${intervals}`;
}
