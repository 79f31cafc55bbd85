/** The playground: a text, and all stages of one variant or of two beside each other. */
import { analyzed, averages, counted, effectiveWeights, ofSegment, score, writtenPenalty, corpus } from "../bleu/bleu.js";
import { matched } from "../bleu/ngrams.js";
import { h, replace, table } from "../dom.js";
import { fixed } from "../numbers.js";
import { Part, choice, fieldsOf, textOf, variantLink } from "./fields.js";
import { differingTable } from "./differences.js";
import { tokensOf } from "./tokens.js";

/** @typedef {import("./variants.js").Variants} Variants */
/** @typedef {import("./variants.js").Text} Text */

/** How many segments are shown: the scores are of all. */
const SHOWN = 20;

/** @param {HTMLElement} place @param {Variants} variants */
export function play(place, variants) {
  const sample = { hypotheses: variants.sample.hypotheses.slice(0, 2), references: variants.sample.references.slice(0, 2) };
  const part = new Part(variants, { ...fieldsOf(sample), v: variants.first, w: "", n: "1" }, shown);
  replace(place, part.texts(), part.choices({ v: "Variant", w: "Second variant" }), part.privacy(), part.result);
}

/** @param {Variants} variants @param {Record<string, string>} values @param {(key: string, value: string) => void} change */
function shown(variants, values, change) {
  let text;
  try {
    text = textOf(values);
  } catch (error) {
    return h("p", { class: "error", role: "alert" }, /** @type {Error} */ (error).message);
  }
  const names = [values.v, values.w].filter(Boolean);
  const last = Math.min(SHOWN, text.hypotheses.length);
  const segment = Math.min(Math.max(1, Math.trunc(Number(values.n)) || 1), last);
  const numbers = Array.from({ length: last }, (_, place) => `${place + 1}`);
  return [
    names.length === 2 && differingTable(variants, names[0], names[1]),
    last > 1 && choice("n", "Segment whose tokens and n-grams are shown", { "": numbers }, `${segment}`, change),
    h("div", { class: names.length === 2 ? "beside" : "alone" }, names.map((name) => stages(variants, name, text, segment - 1))),
  ];
}

/** @param {Variants} variants @param {string} name @param {Text} text @param {number} segment */
function stages(variants, name, text, segment) {
  const problem = variants.problem(name);
  const heading = h("h2", {}, variantLink(name));
  if (problem) return h("section", { "aria-label": name }, heading, h("p", { class: "error" }, problem));
  const { variant, sentence } = variants.named[name];
  const own = analyzed(variant, text.hypotheses[segment], text.references[segment]);
  const total = corpus(variant, text.hypotheses, text.references, sentence);
  return h(
    "section",
    { "aria-label": name },
    heading,
    h("p", { class: "score" }, h("strong", {}, fixed(total.value, variant.scale === 1 ? 4 : 2)), ` of ${variant.scale}`),
    h("h3", {}, `1. Tokens of segment ${segment + 1}`),
    tokensOf(variant, own),
    h("h3", {}, `2. n-grams of segment ${segment + 1}`),
    own.orders.map((order, place) => ngramTable(name, order, place, own.words, variant)),
    h("h3", {}, "3. Sums of all segments"),
    sums(name, total),
    h("h3", {}, "4. Precisions, penalty, score"),
    averages(variant) ? means(name, variant, sentence, text, total) : formula(name, variant, total),
    h("p", { class: "note" }, h("code", {}, `bleukit score -V ${name} -r REFERENCE HYPOTHESIS`)),
  );
}

/** @param {string} name @param {import("../bleu/ngrams.js").Order} order @param {number} place @param {string[]} words @param {import("../bleu/bleu.js").Variant} variant */
function ngramTable(name, order, place, words, variant) {
  const counts = matched(order, variant.counter.name);
  const starts = counts.map((_, ngram) => order.places.indexOf(ngram));
  const rows = counts.map((count, ngram) => [words.slice(starts[ngram], starts[ngram] + place + 1).join(" "), order.counts[ngram], order.most[ngram], count]);
  const sum = counts.reduce((one, other) => one + other, 0);
  return h(
    "details",
    {},
    h("summary", {}, `Order ${place + 1}: ${sum} of ${Math.max(0, words.length - place)} match`),
    table(`n-grams of order ${place + 1}, ${name}`, ["n-gram", "in the hypothesis", "most in a reference", "counts"], rows, { numbers: [1, 2, 3] }),
  );
}

/** @param {string} name @param {import("../bleu/bleu.js").Score} total */
function sums(name, total) {
  const rows = Array.from(total.matches, (match, order) => [order + 1, match, total.totals[order]]);
  return [
    table(`Sums, ${name}`, ["order", "matches", "total"], rows, { numbers: [0, 1, 2] }),
    h("p", {}, `Hypothesis length c = ${total.length}, reference length r = ${Math.round(total.reference * 1000) / 1000}.`),
  ];
}

/** @param {string} name @param {import("../bleu/bleu.js").Variant} variant @param {import("../bleu/bleu.js").Score} total */
function formula(name, variant, total) {
  const weights = effectiveWeights(variant, total.precisions);
  const rows = total.precisions.map((p, order) => [order + 1, `${total.matches[order]}/${total.totals[order]}`, Number.isNaN(p) ? "undefined" : fixed(p, 6), fixed(weights[order], 4)]);
  const terms = weights.map((weight, order) => `${fixed(weight, 4)} · ln ${fixed(total.precisions[order], 4)}`).filter((_, order) => weights[order] > 0);
  return [
    table(`Precisions, ${name}`, ["order", "matches/total", "precision", "weight"], rows, { numbers: [0, 2, 3] }),
    h("p", {}, `Brevity penalty: ${writtenPenalty(variant, total)} = ${fixed(total.penalty, 6)}.`),
    h("p", { class: "formula" }, `${variant.scale === 100 ? "100 · " : ""}${fixed(total.penalty, 4)} · exp(${terms.join(" + ")}) = `, h("strong", {}, fixed(total.value, 6))),
  ];
}

/**
 * @param {string} name
 * @param {import("../bleu/bleu.js").Variant} variant @param {import("../bleu/bleu.js").Variant} sentence @param {Text} text
 * @param {import("../bleu/bleu.js").Score} total
 */
function means(name, variant, sentence, text, total) {
  const own = ofSegment(sentence);
  const rows = text.hypotheses.slice(0, SHOWN).map((hypothesis, place) => {
    const counts = counted(variant, analyzed(variant, hypothesis, text.references[place]));
    const made = score(own, counts);
    return [place + 1, made.precisions.map((p) => fixed(p, 4)).join(" / "), fixed(made.penalty, 4), fixed(made.value, 6)];
  });
  const more = variant.average === "macro-with-final-newline" ? ", with one more pair of empty texts" : "";
  return [
    table(`Segments, ${name}`, ["segment", "precisions", "penalty", "score"], rows, { numbers: [0, 2, 3] }),
    h("p", { class: "formula" }, `The mean of ${text.hypotheses.length} sentence scores${more} = `, h("strong", {}, fixed(total.value, 6))),
  ];
}
