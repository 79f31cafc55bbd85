/** Two variants: their keys, and their difference on a text, divided among the keys. */
import { h, replace, table } from "../dom.js";
import { fixed, signed } from "../numbers.js";
import { PRIVATE, byField, choice, fieldsOf, given, keep, textFields, textOf, variantLink } from "./fields.js";

/** @typedef {import("./variants.js").Variants} Variants */

/** @param {HTMLElement} place @param {Variants} variants */
export function differences(place, variants) {
  const other = variants.names.find((name) => name !== variants.first) ?? variants.first;
  const defaults = { v: variants.first, w: variants.names.includes("nltk") ? "nltk" : other, ...fieldsOf(variants.sample) };
  const values = given(defaults);
  for (const key of /** @type {const} */ (["v", "w"])) if (!variants.names.includes(values[key])) values[key] = defaults[key];
  const result = h("div", { class: "result" });
  const update = () => {
    keep(values, defaults);
    replace(result, differingTable(variants, values.v, values.w), typical(variants, values.v, values.w), onText(variants, values));
  };
  const change = (/** @type {string} */ key, /** @type {string} */ value) => {
    values[key] = value;
    update();
  };
  const groups = byField(variants);
  replace(
    place,
    h("div", { class: "choices" }, choice("v", "First variant", groups, values.v, change), choice("w", "Second variant", groups, values.w, change)),
    result,
    h("h2", {}, "The text"),
    textFields(values, change),
    h("p", { class: "note" }, PRIVATE),
  );
  update();
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
  const problems = [...new Set([values.v, values.w])].map((name) => variants.problem(name)).filter(Boolean);
  if (problems.length) return h("p", { class: "error" }, problems.join(" "));
  try {
    const text = textOf(values);
    const [first, second] = [variants.points(values.v, text), variants.points(values.w, text)];
    const rows = variants.shares(values.v, values.w, text).map(({ key, points }) => [h("code", {}, key), signed(points, 4)]);
    rows.push([h("strong", {}, "all"), h("strong", {}, signed(second - first, 4))]);
    return [
      h("h2", {}, "On the text below"),
      h("p", {}, variantLink(values.v), ` scores ${fixed(first, 2)} of 100, `, variantLink(values.w), ` ${fixed(second, 2)}. The difference is divided among the keys: each share is the mean change over all orders in which keys can be exchanged (Shapley value).`),
      table("Shares of the difference, in points", ["key", "points"], rows, { numbers: [1] }),
    ];
  } catch (error) {
    return h("p", { class: "error", role: "alert" }, /** @type {Error} */ (error).message);
  }
}
