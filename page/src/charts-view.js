/** Charts of the segments that pass the filters: lengths and scores, and the score by length, frequency and document. */
import { byFrequency } from "./charts/frequency.js";
import { COLOURS } from "./charts/frame.js";
import { histogram } from "./charts/histogram.js";
import { points } from "./charts/points.js";
import { savePng, saveSvg } from "./charts/saving.js";
import { h, replace, table } from "./dom.js";
import { whole } from "./numbers.js";
import { MOST_PARTS, influencesOf, members, shownOrder } from "./parts.js";
import { interval } from "./statistics.js";

/** The smallest and largest width of a chart in pixels. */
const NARROW = 300;
const WIDE = 640;

/** @typedef {import("./app.js").App} App @typedef {import("./charts/frame.js").Chart} Chart */

export class Charts {
  /** @param {App} app @param {HTMLElement} place */
  constructor(app, place) {
    this.app = app;
    this.place = place;
    this.key = "";
    /** @type {import("./model.js").Model | null} */
    this.model = null;
  }

  /** The systems that are shown. */
  get sides() {
    const { a, b, data } = this.app;
    return a === b ? [a] : [a, b].slice(0, data.systems.length);
  }

  get series() {
    const { data } = this.app;
    const isPair = this.sides.length > 1;
    return this.sides.map((system, place) => ({ name: `${isPair ? `${"AB"[place]} ` : ""}${data.systems[system]}`, colour: place ? COLOURS.b : COLOURS.a }));
  }

  update() {
    const { app } = this;
    if (app.key === this.key && app.model === this.model) return undefined;
    this.key = app.key;
    this.model = app.model;
    const { subset, data } = app;
    if (!subset.length) return replace(this.place, h("p", {}, "No segment passes the filters."));
    const which = subset.length < data.segments ? `${whole(subset.length)} of ${whole(data.segments)} segments, which pass the filters.` : `All segments: ${whole(data.segments)}.`;
    const width = Math.max(NARROW, Math.min(WIDE, this.place.clientWidth));
    const frequency = h("div", { class: "figure" });
    replace(
      this.place,
      h("section", {}, h("h2", {}, "Charts"), h("p", { class: "quiet" }, which), h("div", { class: "charts" }, [...this.histograms(width), ...this.parts(width)].map(figure), app.model.counts && frequency)),
    );
    if (app.model.counts) this.frequency(frequency, width);
    return undefined;
  }

  /** @param {number} width @returns {Chart[]} */
  histograms(width) {
    const { model, subset, a, b } = this.app;
    const chosen = (/** @type {ArrayLike<number>} */ values) => Float64Array.from(subset, (segment) => values[segment]);
    const { series, sides } = this;
    const references = { name: "reference", colour: COLOURS.other, values: chosen(model.rows[a].reference) };
    const lengths = [...series.map((each, place) => ({ ...each, values: chosen(model.rows[sides[place]].length) })), references];
    const scores = series.map((each, place) => ({ ...each, values: chosen(model.sentences(sides[place])) }));
    const charts = [
      histogram({ title: "Length", label: "tokens", series: lengths, isWhole: true, width }),
      histogram({ title: "Sentence score", label: "BLEU of the segment", series: scores, width }),
    ];
    if (sides.length < 2) return charts;
    const differences = chosen(model.differences(a, b)).filter(Boolean);
    const same = subset.length - differences.length;
    const colour = (/** @type {number} */ low) => (low < 0 ? COLOURS.b : COLOURS.a);
    const note = same ? `${whole(same)} segments with the same score are left out.` : "";
    return [...charts, histogram({ title: "Difference of sentence scores", note, label: "A − B, BLEU of the segment", series: [{ name: "segments", colour: COLOURS.a, values: differences }], colour, width })];
  }

  /** @param {number} width @returns {Chart[]} the score by each kind of part */
  parts(width) {
    const { model, subset, a, b, data, digits } = this.app;
    if (!model.scores) return [];
    return Object.keys(data.groups).map((kind) => {
      const found = members(model, kind, subset);
      const order = shownOrder(kind, this.sides.length > 1 ? influencesOf(model, a, b, found) : null, found).filter((part) => found[part].length);
      const shown = order.slice(0, MOST_PARTS).map((part) => ({
        name: data.groups[kind][part],
        points: this.sides.map((system) => {
          const { score, low, high } = interval(model.variant, model.rows[system], found[part], data.level);
          return { value: score, low, high };
        }),
      }));
      const left = order.length - shown.length;
      const note = `Lines are the ${this.app.level}, if there are 10 segments. ${left ? `${whole(left)} more are left out.` : ""}`.trim();
      return points({ title: `Score by ${kind}`, note, label: "BLEU", what: kind, series: this.series, parts: shown, digits, width });
    });
  }

  /** @param {HTMLElement} place @param {number} width */
  async frequency(place, width) {
    const { app, key, model } = this;
    const bar = h("progress", { max: 1, value: 0, "aria-label": "counting words" });
    replace(place, h("p", {}, "Counting words … ", bar));
    const isOver = () => this.key !== key || this.model !== model;
    const found = await byFrequency(app.model, this.sides, app.subset, { progress: (share) => (bar.value = share), isOver });
    if (!found || isOver()) return;
    const parts = found.map(({ name, words, found: ofSystems }) => ({ name, points: ofSystems.map((number) => ({ value: (100 * number) / words })) }));
    const note = "The share of the references' words that the output also has, by how often a word occurs in all references.";
    place.replaceWith(figure(points({ title: "Words by frequency", note, label: "% of the words of references", what: "in references", series: this.series, parts, digits: 1, width })));
  }
}

/** @param {Chart} chart */
function figure({ title, note, svg, head, rows }) {
  const name = title.toLowerCase().replaceAll(" ", "-");
  const save = (/** @type {string} */ kind, /** @type {() => void} */ onclick) => h("button", { onclick, "aria-label": `Save ${title} as ${kind}` }, kind);
  return h(
    "figure",
    { class: "figure", id: `chart-${name}` },
    h("figcaption", { class: "heading" }, h("h3", {}, title), save("SVG", () => saveSvg(name, svg)), save("PNG", () => savePng(name, svg))),
    svg,
    note && h("p", { class: "quiet" }, note),
    h("details", {}, h("summary", {}, "Numbers"), table(title, head, rows, { numbers: head.map((_, column) => column).slice(1) })),
  );
}
