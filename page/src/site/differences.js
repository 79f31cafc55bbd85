/** Two variants: their keys, and their difference on a text, divided among the keys. */
import { h, replace, table } from "../dom.js";
import { signed } from "../numbers.js";
import { explained } from "./explained.js";
import { Part, fieldsOf, textOf, variantLink } from "./fields.js";

/** @typedef {import("./variants.js").Variants} Variants */

/** @param {HTMLElement} place @param {Variants} variants */
export function differences(place, variants) {
  const other = variants.names.find((name) => name !== variants.first) ?? variants.first;
  const defaults = { v: variants.first, w: variants.names.includes("nltk") ? "nltk" : other, ...fieldsOf(variants.sample) };
  const part = new Part(variants, defaults, (_, values) => [differingTable(variants, values.v, values.w), typical(variants, values.v, values.w), onText(variants, values)]);
  replace(place, part.choices({ v: "First variant", w: "Second variant" }), part.result, h("h2", {}, "The text"), part.texts(), part.privacy());
}

/** @param {Variants} variants @param {string} one @param {string} other */
export function differingTable(variants, one, other) {
  const rows = variants.differing(one, other).map(({ key, first, second }) => [h("code", {}, key), h("code", {}, first), h("code", {}, second)]);
  if (!rows.length) return h("p", {}, variantLink(one), " and ", variantLink(other), " have the same keys: they are the same BLEU.");
  return table("Keys in which they differ", ["key", variantLink(one), variantLink(other)], rows);
}

/** @param {Variants} variants @param {string} one @param {string} other */
function typical(variants, one, other) {
  const rows = variants.typical(one, other).map(({ language, systems, low, median, high }) => [language, systems, signed(median, 1), `${signed(low, 1)} to ${signed(high, 1)}`]);
  if (!rows.length) return null;
  rows.sort((first, second) => `${first[0]}`.localeCompare(`${second[0]}`));
  return [
    h("h2", {}, "For the systems of WMT22"),
    table(`${other} minus ${one}, in points of 100, by language of the translation`, ["language", "systems", "median", "90 % of systems"], rows, { numbers: [1, 2] }),
  ];
}

/** @param {Variants} variants @param {Record<string, string>} values */
function onText(variants, values) {
  try {
    return [h("h2", {}, "On the text below"), explained(variants, values.v, values.w, textOf(values))];
  } catch (error) {
    return h("p", { class: "error", role: "alert" }, /** @type {Error} */ (error).message);
  }
}
