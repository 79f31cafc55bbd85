/** Which variants give a number on a text, and what people do to get it, by rising price. */
import { h, replace, table } from "../dom.js";
import { percent } from "../identification.js";
import { fixed, whole } from "../numbers.js";
import { explained } from "./explained.js";
import { PRIVATE, choice, fieldsOf, given, keep, textFields, textOf, variantLink } from "./fields.js";
import { Figure, identified, named } from "./search.js";

/** @typedef {import("./variants.js").Variants} Variants */
/** @typedef {import("./search.js").Found} Found */

/** How many answers are listed, and procedures of each. */
const LISTED = 3;

/** @param {HTMLElement} place @param {Variants} variants */
export function which(place, variants) {
  const defaults = { number: "55.08", ...fieldsOf({ hypotheses: variants.sample.hypotheses, references: variants.sample.references.map((group) => group.slice(0, 1)) }) };
  const values = given(defaults);
  const result = h("div", { class: "result", "aria-live": "polite" });
  let searches = 0;
  const search = async () => {
    const own = (searches += 1);
    const isCurrent = () => own === searches;
    keep(values, defaults);
    try {
      await found(variants, values, result, isCurrent);
    } catch (error) {
      if (isCurrent()) replace(result, h("p", { class: "error", role: "alert" }, /** @type {Error} */ (error).message));
    }
  };
  const change = (/** @type {string} */ key, /** @type {string} */ value) => {
    values[key] = value;
  };
  const number = h("input", { id: "number", inputmode: "decimal", value: values.number, oninput: () => change("number", number.value) });
  replace(
    place,
    h(
      "form",
      {
        onsubmit: (/** @type {Event} */ event) => {
          event.preventDefault();
          search();
        },
      },
      h("div", { class: "choice" }, h("label", { for: "number" }, "The number"), number),
      textFields(values, change),
      h("button", { type: "submit" }, "Search"),
    ),
    h("p", { class: "note" }, PRIVATE),
    result,
  );
  if (location.hash) search();
}

/** @param {Variants} variants @param {Record<string, string>} values @param {HTMLElement} result @param {() => boolean} isCurrent */
async function found(variants, values, result, isCurrent) {
  const figure = new Figure(values.number);
  const text = textOf(values);
  const scored = named(variants, text);
  const hits = scored.filter(({ points }) => figure.holds(points));
  const left = variants.names.length - variants.known.length;
  const first = [
    h("h2", {}, hits.length ? `${hits.length} named variant${hits.length === 1 ? "" : "s"} give ${figure.text}`.replace("variant give", "variant gives") : `No named variant gives ${figure.text}`),
    hits.length ? listed(variants, hits) : closest(variants, scored, figure),
    why(variants, hits.length ? hits : scored, text),
    left > 0 && h("p", { class: "note" }, `${left} variants cannot be computed in the browser, such as those that need a dictionary; bleukit identify also tries them.`),
  ];
  const progress = h("progress", { max: 1, value: 0, "aria-label": "trying procedures" });
  replace(result, first, h("p", {}, "Trying what people do … ", progress));
  const { answers, nothing, tried, verdict } = await identified(variants, text, figure, (share) => {
    progress.value = share;
    return isCurrent();
  });
  if (!isCurrent()) return;
  const rows = answers.slice(0, LISTED).map(({ points, posterior, same }) => [percent(posterior), fixed(points, 4), same.slice(0, LISTED).join("; ") + (same.length > LISTED ? `; and ${whole(same.length - LISTED)} more with the same score` : "")]);
  replace(
    result,
    first,
    h("h2", {}, "What people do"),
    h("p", {}, `${figure.text}: ${verdict}${verdict === "nothing plausible" ? "" : ` ${answers[0].same[0]}`}. ${whole(tried)} procedures tried; bleukit identify tries more.`),
    table("By probability", ["probability", "score", "procedure"], [...rows, [percent(nothing), "", "none of these"]]),
  );
}

/**
 * Return why variants differ from the default one on the text, which is computed when it is opened.
 * @param {Variants} variants @param {Found[]} hits @param {import("./variants.js").Text} text
 */
function why(variants, hits, text) {
  const others = hits.map(({ name }) => name).filter((name) => name !== variants.first);
  if (!others.length) return null;
  const place = h("div", {});
  const show = (/** @type {string} */ _, /** @type {string} */ name) => replace(place, explained(variants, variants.first, name, text));
  const chosen = choice("w", "Variant", { "": others }, others[0], show);
  const open = () => {
    if (!place.childElementCount) show("w", others[0]);
  };
  return h("details", { ontoggle: open }, h("summary", {}, `Why it differs from ${variants.first}`), chosen, place);
}

/** @param {Variants} variants @param {Found[]} hits */
function listed(variants, hits) {
  const rows = hits.map(({ name, points }) => [variantLink(name), fixed(points, 6), variants.named[name].description, h("a", { href: `differences.html#v=${variants.first}&w=${name}` }, "compare")]);
  return table("Named variants", ["variant", "score of 100", "what it is", `with ${variants.first}`], rows, { numbers: [1] });
}

/** @param {Variants} variants @param {Found[]} scored @param {Figure} figure */
function closest(variants, scored, figure) {
  const nearest = [...scored].sort((one, other) => figure.distance(one.points) - figure.distance(other.points)).slice(0, 5);
  return [h("p", {}, "The closest:"), listed(variants, nearest)];
}
