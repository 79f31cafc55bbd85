/** Another variant, chosen in the page, and the scores of all systems by it. */
import { OPTIONS, unknown } from "./bleu/bleu.js";
import { base, weights } from "./chosen.js";
import { h, input, replace, select, table } from "./dom.js";
import { spoken } from "./notes.js";
import { fixed, percentages, signed, whole } from "./numbers.js";

/** @typedef {import("./app.js").App} App */

/** What the page has to count again for, which it cannot with a counter that it does not know. */
const COUNTED = ["tokenizer", "lowercase", "reference_length"];

/** What scores a text, by the values of the key. */
const AVERAGES = {
  micro: "score of the sums",
  macro: "mean of sentence scores",
  "macro-with-final-newline": "that mean, with one more pair of empty texts",
};

/**
 * Return the options of a field: first the value of the variant that is changed, then the others.
 * @param {Record<string, string>} names @param {string} own @param {string} whose
 */
function others(names, own, whose) {
  const rest = Object.entries(names).filter(([value]) => value !== own);
  return [["", `${names[own]} (${whose})`], ...rest];
}

export class Variants {
  /** @param {App} app @param {HTMLElement} place */
  constructor(app, place) {
    this.app = app;
    this.form = h("form", { class: "filters", "aria-label": "Variant", onsubmit: (/** @type {Event} */ event) => event.preventDefault() });
    this.result = h("div", {});
    const intro = h("p", { class: "lead" }, "Choose a named variant, or change a part of one, and see the scores of all systems. All views follow.");
    place.append(h("section", {}, h("h2", {}, "Variant"), intro, this.form, this.result));
  }

  update() {
    const { app } = this;
    const { data, state } = app;
    const { variant: own, name: named } = base(data, state);
    const whose = named ?? "report";
    const cannotCount = app.original.unknown.includes("counter") && !state.counter;
    const on = (/** @type {string} */ key) => ({ id: key, onchange: (/** @type {any} */ event) => app.choose({ [key]: event.target.value }), disabled: cannotCount && COUNTED.includes(key) });
    const component = (/** @type {import("./bleu/bleu.js").Kind} */ kind, /** @type {string} */ label) => {
      const known = Object.keys(OPTIONS[kind]);
      const options = Object.fromEntries([...known, own[kind].name].map((name) => [name, name]));
      const name = state[kind].split(";")[0];
      return select(label, on(kind), others(options, own[kind].name, whose), known.includes(name) && name !== own[kind].name ? name : "");
    };
    const options = (/** @type {"smoothing" | "brevity_penalty"} */ kind) => {
      const { name, options: given } = app.model.variant[kind];
      const all = { ...OPTIONS[kind][name], ...given };
      return Object.entries(all).map(([key, value]) =>
        input(`${key} of ${name}`, {
          id: `option-${key}`,
          value: String(value),
          onchange: (/** @type {any} */ event) => app.choose({ [kind]: [name, ...Object.entries({ ...all, [key]: event.target.value }).map((pair) => pair.join("="))].join(";") }),
        }),
      );
    };
    const wrong = state.weights && !weights(state.weights);
    const countable = Object.keys(data.variants).filter((name) => !unknown(data.variants[name].variant).length);
    const names = /** @type {[string, string][]} */ ([["", `${data.label} (report)`], ...countable.map((name) => [name, name])]);
    replace(
      this.form,
      select("Named variant", { id: "named", onchange: (/** @type {any} */ event) => app.resetVariant(event.target.value) }, names, named ?? ""),
      !data.has.given && component("tokenizer", "Tokenizer"),
      select("Case", on("lowercase"), others({ no: "kept", yes: "ignored", ascii: "A to Z ignored" }, own.lowercase === "ascii" ? "ascii" : own.lowercase ? "yes" : "no", whose), state.lowercase),
      component("counter", "Counter"),
      component("reference_length", "Reference length"),
      component("smoothing", "Smoothing"),
      ...options("smoothing"),
      component("brevity_penalty", "Brevity penalty"),
      ...options("brevity_penalty"),
      input("N-grams up to, or weights", { ...on("weights"), value: state.weights, placeholder: own.weights.map((/** @type {number} */ each) => Math.round(each * 1000) / 1000).join(" "), "aria-invalid": wrong ? "true" : null }),
      select("Effective order", on("effective_order"), others({ yes: "yes", no: "no" }, own.effective_order ? "yes" : "no", whose), state.effective_order),
      select("Scale", on("scale"), others({ 100: "0 to 100", 1: "0 to 1" }, `${own.scale}`, whose), state.scale),
      select("Average", on("average"), others(AVERAGES, own.average, whose), state.average),
      h("button", { type: "button", id: "reset", onclick: () => app.resetVariant() }, "Back to the report's variant"),
      wrong && h("p", { class: "error" }, "Expected weights of at least 0, or a number from 1 to 10 for that many equal weights."),
    );
    this.scores();
  }

  scores() {
    const { app } = this;
    const { data, original, model, working } = app;
    const why = original.unknown.length
      ? h("p", { class: "note" }, `The page does not know the ${original.unknown.map((/** @type {string} */ kind) => `${spoken(kind)} ${/** @type {any} */ (original.variant)[kind].name ?? /** @type {any} */ (original.variant)[kind]}`).join(" and the ")}: figures stay as they are in the report, unless another is chosen here.${original.unknown.includes("counter") ? " What needs counting again can be changed after another counter is chosen." : ""}`)
      : null;
    const missing = app.missing.length ? h("p", { class: "note", role: "status" }, `To count here, also choose another ${app.missing.map(spoken).join(" and another ")}.`) : null;
    const progress = working && h("p", {}, "Counting … ", h("progress", { max: 1, value: working.share, "aria-label": "counting" }));
    const changed = model !== original;
    const isOther = app.unedited !== original;
    const factor = model.variant.scale / original.variant.scale;
    const rows = data.systems.map((/** @type {string} */ name, /** @type {number} */ system) => {
      const [before, now] = [original.score(system), model.score(system)];
      const digits = app.digits;
      const start = [name, fixed(before.value, data.variant.scale === 1 ? 4 : 2)];
      const end = [percentages(now.precisions), fixed(now.penalty, 4), whole(now.length), whole(Math.round(now.reference * 100) / 100)];
      return changed ? [...start, fixed(now.value, digits), signed(now.value - factor * before.value, digits), ...end] : [...start, ...end];
    });
    const ends = ["precisions, %", "brevity penalty", "length", "reference length"];
    const head = changed ? ["system", "report", isOther ? "this variant" : "with edits", "change", ...ends] : ["system", "BLEU", ...ends];
    replace(this.result, why, missing, progress, table("Scores of all systems", head, rows, { numbers: changed ? [1, 2, 3, 5, 6, 7] : [1, 3, 4, 5] }));
  }
}
