/** Two variants: their keys, and their difference on a text, divided among the keys. */
import { h, replace, table } from "../dom.js";
import { explained } from "./explained.js";
import { Part, fieldsOf, textOf, variantLink } from "./fields.js";

/** @typedef {import("./variants.js").Variants} Variants */

/** @param {HTMLElement} place @param {Variants} variants */
export function differences(place, variants) {
  const other = variants.names.find((name) => name !== variants.first) ?? variants.first;
  const defaults = { v: variants.first, w: variants.names.includes("nltk") ? "nltk" : other, ...fieldsOf(variants.sample) };
  const part = new Part(variants, defaults, (_, values) => [differingTable(variants, values.v, values.w), onText(variants, values)]);
  replace(place, part.choices({ v: "First variant", w: "Second variant" }), part.result, h("h2", {}, "The text"), part.texts(), part.privacy());
}

/** @param {Variants} variants @param {string} one @param {string} other */
export function differingTable(variants, one, other) {
  const rows = variants.differing(one, other).map(({ key, first, second }) => [h("code", {}, key), h("code", {}, first), h("code", {}, second)]);
  if (!rows.length) return h("p", {}, variantLink(one), " and ", variantLink(other), " have the same keys: they are the same BLEU.");
  return table("Keys in which they differ", ["key", variantLink(one), variantLink(other)], rows);
}

/** @param {Variants} variants @param {Record<string, string>} values */
function onText(variants, values) {
  try {
    return [h("h2", {}, "On the text below"), explained(variants, values.v, values.w, textOf(values))];
  } catch (error) {
    return h("p", { class: "error", role: "alert" }, /** @type {Error} */ (error).message);
  }
}
