/** The tokens of a segment, marked by what they match. */
import { marks } from "../bleu/ngrams.js";
import { h } from "../dom.js";

/** @param {import("../bleu/bleu.js").Variant} variant @param {import("./variants.js").Analyzed} own */
export function tokensOf(variant, own) {
  const { longest, clipped } = marks(own.orders, own.words.length, variant.counter.name);
  const marked = own.words.map((word, place) => [h("span", { class: clipped[place] ? "token clipped" : `token m${Math.min(4, longest[place])}`, title: clipped[place] ? "in a reference, but fewer times" : longest[place] ? `in a match of ${longest[place]} tokens` : "in no reference" }, word), " "]);
  return [
    h("p", { class: "tokens", dir: "auto" }, marked.length ? marked : h("em", {}, "no token"), h("span", { class: "note" }, ` ${own.words.length} tokens`)),
    own.references.map((words, place) => h("p", { class: "tokens reference", dir: "auto" }, h("span", { class: "note" }, `Reference ${place + 1}: `), words.map((word) => [h("span", { class: "token" }, word), " "]), h("span", { class: "note" }, ` ${words.length} tokens`))),
  ];
}
