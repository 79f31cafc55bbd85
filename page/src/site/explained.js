/** Why two variants score one text differently: shares of the keys, tokens, and the segments that matter most. */
import { h, table } from "../dom.js";
import { fixed, signed } from "../numbers.js";
import { variantLink } from "./fields.js";
import { tokensOf } from "./tokens.js";

/** @typedef {import("./variants.js").Variants} Variants */
/** @typedef {import("./variants.js").Text} Text */

/** What is less than this is an error of rounding, in points. */
const NOTHING = 1e-9;

/** @param {Variants} variants @param {string} one @param {string} other @param {Text} text */
export function explained(variants, one, other, text) {
  const problems = [...new Set([one, other])].map((name) => variants.problem(name)).filter(Boolean);
  if (problems.length) return h("p", { class: "error" }, problems.join(" "));
  const [first, second] = [variants.points(one, text), variants.points(other, text)];
  const rows = variants.shares(one, other, text).map(({ key, points }) => [h("code", {}, key), signed(Math.abs(points) < NOTHING ? 0 : points, 4)]);
  rows.push([h("strong", {}, "all"), h("strong", {}, signed(second - first, 4))]);
  return [
    h("p", {}, variantLink(one), ` scores ${fixed(first, 2)} of 100, `, variantLink(other), ` ${fixed(second, 2)}. The difference is divided among the keys: each share is the mean change over all orders in which keys can be exchanged (Shapley value).`),
    table("Shares of the difference, in points", ["key", "points"], rows, { numbers: [1] }),
    moreTokens(variants, one, other, text),
    segments(variants, one, other, text),
  ];
}

/** @param {Variants} variants @param {string} one @param {string} other @param {Text} text */
function moreTokens(variants, one, other, text) {
  const made = variants.moreTokens(one, other, text);
  if (!made.some((counts) => counts.length)) return null;
  return [
    h("h3", {}, "Tokens that one tokenizer makes more often"),
    made.map((counts, place) => h("p", {}, variantLink([one, other][place]), ": ", counts.length ? counts.map(([token, times]) => [h("code", {}, token), ` ${times} × more `]) : "none")),
  ];
}

/** @param {Variants} variants @param {string} one @param {string} other @param {Text} text */
function segments(variants, one, other, text) {
  const moved = variants.moved(one, other, text);
  if (!moved.length) return null;
  return [
    h("h3", {}, "Segments that matter most"),
    h("p", { class: "note" }, `The points by which the score of ${one} changes if only this segment is counted as ${other} counts it, with its tokenizer, case, counter and reference length.`),
    moved.map(({ segment, points, sides }) =>
      h(
        "details",
        {},
        h("summary", {}, `Segment ${segment + 1}: ${signed(points, 4)} points`),
        h(
          "div",
          { class: "beside" },
          sides.map(({ variant, text: own, counts }, place) =>
            h(
              "section",
              { "aria-label": `Segment ${segment + 1}, ${[one, other][place]}` },
              h("h4", {}, variantLink([one, other][place])),
              tokensOf(variant, own),
              h("p", { class: "note" }, `n-grams matched ${Array.from(counts.matches, (match, order) => `${match}/${counts.totals[order]}`).join(", ")}; length ${counts.length}, reference length ${Math.round(counts.reference * 1000) / 1000}`),
            ),
          ),
        ),
      ),
    ),
  ];
}
