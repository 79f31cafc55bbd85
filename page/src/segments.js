/** The segments: filters, the scores of the filtered ones, the list, and the chosen one. */
import { Bars } from "./bars.js";
import { h, input, replace, select, visible } from "./dom.js";
import { notKnown } from "./notes.js";
import { fixed, interval, pValue, signed, whole } from "./numbers.js";
import { ORDERS } from "./filters.js";
import { KINDS } from "./ngram-counts.js";
import { DEFAULTS } from "./state.js";
import { List } from "./list.js";
import { Detail } from "./segment.js";
import { download, records, tsv } from "./exporting.js";
import { signature } from "./signature.js";
import { asText } from "./data.js";
import { differing, marked, words } from "./words.js";

/** The number of words of an output that are shown in a row, of those before the first difference, and of those compared. */
const SNIPPET = 60;
const BEFORE = 8;
const COMPARED = 240;
const MOST_CHARACTERS = 3000;

/** The filters that are rarely needed. */
const MORE = /** @type {const} */ (["document", "label", "length", "min", "max"]);

/** The columns of the list; those for two systems are left out if there is one. */
const HEADS = [
  { key: "number", text: "segment" },
  { key: "influence", text: "influence" },
  { key: "a", text: "A" },
  { key: "b", text: "B" },
  { key: "difference", text: "A − B" },
  { key: "length", text: "tokens" },
  { key: "outputs", text: "outputs", sorts: false },
];
const OF_TWO = ["influence", "b", "difference"];

/** What a search in texts can be for. */
const SEARCHES = [["", "words"], ["1", "regular expression"]];

/** Where a search looks, by its key. @type {Record<string, string>} */
const WHERE = { all: "all texts", source: "the source", references: "the references", a: "A", b: "B" };

/** After how many milliseconds a search is said to go on. */
const SLOW = 200;

/** The share of bars that may be longer than can be drawn. */
const OUTLIERS = 0.005;

/** @typedef {import("./app.js").App} App */

export class Segments {
  /** @param {App} app @param {HTMLElement} place */
  constructor(app, place) {
    this.app = app;
    this.detail = new Detail(app);
    this.pair = app.data.systems.length > 1;
    this.scale = h("span", { class: "scale" });
    const heads = HEADS.map((head) => (head.key === "influence" ? { ...head, beside: this.scale } : head));
    this.list = new List(
      "Segments",
      this.pair ? heads : heads.filter(({ key }) => !OF_TWO.includes(key)).map((head) => (head.key === "a" ? { ...head, text: "BLEU" } : head)),
      (cells, segment) => this.fill(cells, segment),
      (segment) => app.choose({ segment: `${segment + 1}` }),
      (sort) => app.choose({ sort, down: app.state.sort === sort && app.state.down === "1" ? "0" : "1" }),
    );
    this.orders = Object.entries(ORDERS).map(([key, { name, sort, down }]) => h("button", { id: `order-${key}`, onclick: () => app.choose({ sort, down }) }, name));
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.slow = undefined;
    this.band = h("div", { class: "band", role: "status", id: "band" });
    this.filters = h("form", { class: "filters", role: "search", "aria-label": "Filter segments", onsubmit: (/** @type {Event} */ event) => event.preventDefault() });
    this.exports = h(
      "div",
      { class: "exports" },
      h("button", { id: "export-tsv", onclick: () => this.save("tsv") }, "Save as TSV"),
      h("button", { id: "export-json", onclick: () => this.save("json") }, "Save as JSON"),
    );
    this.side = h("div", { class: this.pair ? "side" : "side single" }, this.band, this.pair && h("div", { class: "orders", role: "group", "aria-label": "Order" }, ...this.orders), this.list.element, this.exports);
    place.append(this.filters, h("div", { class: "columns" }, this.side, this.detail.element));
    this.fields();
  }

  fields() {
    const { app } = this;
    const { state, data } = app;
    const on = (/** @type {keyof import("./state.js").State} */ key, event = "change") => ({
      id: key,
      [`on${event}`]: (/** @type {any} */ { target }) =>
        app.choose({ [key]: target.value }, event === "input"),
    });
    const named = (/** @type {"document" | "label" | "length"} */ kind) =>
      data.groups[kind] &&
      select(kind, on(kind), [["", "all"], ...data.groups[kind].map((/** @type {string} */ name, /** @type {number} */ group) => [`${group + 1}`, visible(name)])], state[kind]);
    const { pair } = this;
    replace(
      this.filters,
      select("Search for", on("regex"), SEARCHES, state.regex),
      h("div", { class: "wide" }, input("Text to search for", { ...on("q", "input"), type: "search", value: state.q })),
      select("in", on("in"), Object.entries(WHERE).filter(([key]) => (key !== "source" || data.has.source) && (key !== "b" || pair)), state.in),
      pair && select("Show", on("show"), [["all", "all"], ["a", "A better"], ["b", "B better"], ["identical", "identical"], ["different", "different"]], state.show),
      h("button", { type: "button", id: "clear", onclick: () => app.clear() }, "Clear filters"),
      h(
        "details",
        { class: "more", open: MORE.some((key) => state[key] !== DEFAULTS[key]) },
        h("summary", {}, "More filters"),
        h("div", {},
      named("document"),
      named("label"),
      named("length"),
      h(
        "fieldset",
        { class: "range" },
        h("legend", {}, "Sentence score of"),
        select("system", on("of"), [["a", "A"], ...(pair ? [["b", "B"]] : [])], state.of),
        input("from", { ...on("min", "input"), type: "number", step: "any", value: state.min }),
        input("to", { ...on("max", "input"), type: "number", step: "any", value: state.max }),
      ),
        ),
      ),
    );
  }

  /** Show the current state, after the filters were applied. */
  update() {
    const { app } = this;
    const { state } = app;
    for (const field of this.filters.querySelectorAll("input, select")) {
      const value = /** @type {any} */ (state)[field.id];
      if (field !== document.activeElement && value !== undefined) field.value = value;
    }
    const influence = app.influence();
    this.bars = influence && app.model.once(`bars ${app.a} ${app.b}`, () => Bars.around(influence.map(Math.abs).sort().at(-1 - Math.floor(OUTLIERS * influence.length)) || 1e-12));
    replace(this.scale, this.bars?.head());
    this.list.sorted(state.sort, state.down === "1");
    Object.values(ORDERS).forEach(({ sort, down }, place) => this.orders[place].setAttribute("aria-pressed", String(state.sort === sort && state.down === down)));
    this.list.show(app.ordered, app.segment);
    const place = app.ordered.indexOf(app.segment);
    if (place >= 0 && app.revealed !== `${app.segment} ${app.key}`) {
      this.list.reveal(place);
      app.revealed = `${app.segment} ${app.key}`;
    }
    this.statistics();
    this.detail.update();
  }

  /** Say that a search goes on, if it takes long. */
  searching() {
    clearTimeout(this.slow);
    this.slow = setTimeout(() => replace(this.band, h("p", {}, "Searching …")), SLOW);
  }

  statistics() {
    const { app } = this;
    const { data, state, error, ordered, digits, model } = app;
    clearTimeout(this.slow);
    if (error) return replace(this.band, h("p", { class: "error" }, error));
    const count = ordered.length === data.segments ? `all ${whole(data.segments)} segments` : `${whole(ordered.length)} of ${whole(data.segments)} segments`;
    const search = state.q && h("p", {}, state.regex ? "that match the regular expression " : "with the words ", h("q", { dir: "auto" }, state.q), ` in ${WHERE[state.in]}`);
    const [before, after] = KINDS[/** @type {keyof typeof KINDS} */ (state.has)];
    const gram = state.gram && h("p", {}, `${before} `, h("q", { dir: "auto" }, state.gram.split("\t").join(" ")), ` ${after} `, h("button", { onclick: () => app.choose({ gram: "", has: "any" }), id: "no-gram" }, "show all"));
    const found = app.found;
    if (!model.scores || !found) {
      const why = model.scores ? "" : `${notKnown(model)}, so it cannot compute scores.`;
      return replace(this.band, h("p", {}, h("strong", {}, count)), search, gram, why && h("p", { class: "quiet" }, why));
    }
    if (!found.segments) return replace(this.band, h("p", {}, h("strong", {}, "no segment"), " passes the filters"), search, gram);
    const { pair } = this;
    const item = (/** @type {string} */ name, /** @type {any} */ text, side = "") => h("div", { class: side }, h("dt", {}, name), h("dd", {}, text));
    return replace(
      this.band,
      h("p", {}, h("strong", { id: "count" }, count)),
      search,
      gram,
      h(
        "dl",
        {},
        item(pair ? "A" : "BLEU", fixed(found.first, digits), "a"),
        pair && item("B", fixed(found.second, digits), "b"),
        pair && item("A − B", signed(found.difference, digits)),
        pair && found.low !== null && item(app.level, interval(found, digits)),
        pair && found.p !== null && item(found.named, pValue(found.p)),
      ),
      pair && h("p", { class: "quiet" }, found.note),
    );
  }

  /** @param {import("./list.js").Cells} cells @param {number} segment */
  fill(cells, segment) {
    const { app } = this;
    const { model, a, b } = app;
    const isEdited = [a, b].some((system) => model.edits.get(system)?.has(segment));
    cells.number.textContent = `${segment + 1}${isEdited ? " ✎" : ""}`;
    cells.number.title = isEdited ? "edited" : "";
    cells.a.textContent = fixed(model.sentences(a)[segment], app.sentenceDigits);
    cells.length.textContent = whole(model.rows[a].length[segment]);
    if (this.pair) {
      const influence = app.influence();
      cells.influence.replaceChildren(...(influence && this.bars ? [signed(influence[segment], app.digits + 1), this.bars.bar(influence[segment])] : []));
      cells.b.textContent = fixed(model.sentences(b)[segment], app.sentenceDigits);
      cells.difference.textContent = signed(model.differences(a, b)[segment], app.sentenceDigits);
    }
    if (model.texts.has(segment)) replace(cells.outputs, this.outputs(segment));
    else {
      cells.outputs.textContent = "…";
      model.texts.of(segment).then(() => this.list.again(segment));
    }
  }

  /** The outputs of A and B, one below the other, with the words marked that the other does not have. @param {number} segment */
  outputs(segment) {
    const { model, a, b } = this.app;
    const { systems } = model.texts.at(segment);
    const texts = (this.pair ? [a, b] : [a]).map((system) => words(asText(systems[system]).slice(0, MOST_CHARACTERS)).slice(0, COMPARED));
    const plain = texts.map((text) => text.map((word) => word.text));
    const flags = this.pair ? differing(plain[0], plain[1]) : [plain[0].map(() => false)];
    const first = Math.min(...flags.map((each) => each.indexOf(true)).filter((place) => place >= 0));
    const isFar = texts.some((text) => text.length > SNIPPET) && first > 2 * BEFORE && first < Infinity;
    const start = isFar ? Math.min(first - BEFORE, COMPARED - SNIPPET) : 0;
    return texts.map((text, place) => {
      const side = place ? "b" : "a";
      const shown = text.slice(start, start + SNIPPET);
      return h(
        "span",
        { class: "output" },
        this.pair && h("span", { class: `badge ${side}` }, side.toUpperCase()),
        h("span", { class: "snippet", dir: "auto" }, start > 0 && "… ", marked(shown, flags[place].slice(start), side), text.length > start + SNIPPET && "…"),
      );
    });
  }

  /** @param {"tsv" | "json"} kind */
  async save(kind) {
    const { app } = this;
    await app.model.texts.openAll();
    const found = records(app);
    if (kind === "tsv") download("segments.tsv", "text/tab-separated-values", tsv(found));
    else download("segments.json", "application/json", JSON.stringify({ view: location.hash, signature: signature(app.data, app.model.levels), comparison: app.found, segments: found }, null, 1));
  }
}
