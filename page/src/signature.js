/** The signature of the scores by a variant that was chosen in the page, as `bleukit score` writes it. */
import { OPTIONS } from "./bleu/bleu.js";
import { label } from "./chosen.js";

/** @typedef {import("./bleu/bleu.js").Variant} Variant */

const CASES = { false: "mixed", true: "lower", ascii: "lower-ascii" };

/**
 * @param {any} data the report's signature, and the versions that components need
 * @param {import("./chosen.js").Levels} levels
 */
export function signature(data, levels) {
  const { variant } = levels;
  /** @type {Record<string, string>} */
  const fields = Object.fromEntries(data.scores[0].signature.split("|").map(divided));
  let versions = (fields.with ?? "").split(",").filter(Boolean);
  for (const kind of /** @type {import("./bleu/bleu.js").Kind[]} */ (Object.keys(OPTIONS))) {
    const [before, now] = [data.variant[kind], variant[kind]];
    const isGiven = kind === "tokenizer" && data.has.given;
    if (isGiven || JSON.stringify(before) === JSON.stringify(now)) continue;
    fields[kind] = described(kind, now);
    const former = needed(data, kind, before.name);
    versions = [...needed(data, kind, now.name), ...versions.filter((each) => !former.includes(each))];
  }
  fields.variant = label(data, levels);
  fields.case = CASES[/** @type {keyof typeof CASES} */ (`${variant.lowercase}`)];
  fields.weights = variant.weights.map(number).join(",");
  fields.effective_order = variant.effective_order ? "yes" : "no";
  fields.empty_score = number(variant.empty_score).replace(/\.0$/, "");
  fields.scale = `${variant.scale}`;
  fields.average = variant.average;
  fields.with = [...new Set(versions)].join(",");
  return order(fields).map((key) => `${key}:${fields[key]}`).join("|");
}

/** @param {string} field */
function divided(field) {
  const place = field.indexOf(":");
  return [field.slice(0, place), field.slice(place + 1)];
}

/**
 * Return the keys of the fields: versions, if there are any, stand before the smoothing, and an average after the scale.
 * @param {Record<string, string>} fields
 */
function order(fields) {
  const keys = Object.keys(fields).filter((key) => key !== "with" && key !== "average");
  if (fields.average !== "micro") keys.splice(keys.indexOf("scale") + 1, 0, "average");
  if (fields.with) keys.splice(keys.indexOf("case") + 1, 0, "with");
  return keys;
}

/** @param {any} data @param {string} kind @param {string} name @returns {string[]} */
function needed(data, kind, name) {
  return (data.versions[kind]?.[name] ?? "").split(",").filter(Boolean);
}

/** @param {import("./bleu/bleu.js").Kind} kind @param {import("./bleu/bleu.js").Component} component */
function described(kind, { name, options }) {
  const all = Object.entries({ ...OPTIONS[kind][name], ...options });
  return all.length ? `${name}(${all.map(([key, value]) => `${key}=${json(value)}`).join(",")})` : name;
}

/** @param {number} value a number of double precision as Python writes it */
export function number(value) {
  if (Number.isNaN(value)) return "nan";
  const [digits, exponent] = parts(value);
  if (exponent >= -4 && exponent < 16) return plain(value);
  return `${digits}e${exponent < 0 ? "-" : "+"}${`${Math.abs(exponent)}`.padStart(2, "0")}`;
}

/** @param {number | boolean} value an option as signatures write it, in JSON */
export function json(value) {
  if (typeof value === "boolean") return `${value}`;
  const [digits, exponent] = parts(value);
  return exponent >= -5 && exponent < 16 ? plain(value) : `${digits}e${exponent}`;
}

/** @param {number} value @returns {[string, number]} */
function parts(value) {
  const [digits, exponent] = value.toExponential().split("e");
  return [digits, Number(exponent)];
}

/** @param {number} value */
function plain(value) {
  return Number.isInteger(value) ? `${value}.0` : `${value}`;
}
