/** The segments: filters, the scores of the filtered ones, the list, and the chosen one. */
import { h, input, replace, select, visible } from "./dom.js";
import { fixed, interval, pValue, signed, whole } from "./numbers.js";
import { SORTS } from "./filters.js";
import { DEFAULTS } from "./state.js";
import { List } from "./list.js";
import { bar } from "./overview.js";
import { Detail } from "./segment.js";
import { download, records, tsv } from "./exporting.js";
import { signature } from "./signature.js";
import { asText } from "./data.js";

/** The number of characters of an output in a row. */
const SNIPPET = 160;

/** The filters that are rarely needed. */
const MORE = /** @type {const} */ (["regex", "in", "document", "label", "length", "min", "max"]);

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
    this.list = new List(
      "Segments",
      ["segment", "influence", "A", "B", "A − B", "output of A"],
      (row, segment) => this.fill(row, segment),
      (segment) => app.choose({ segment: `${segment + 1}` }),
    );
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
    this.side = h("div", { class: "side" }, this.band, this.list.element, this.exports);
    place.append(this.filters, h("div", { class: "columns" }, this.side, this.detail.element));
    this.fields();
  }

  fields() {
    const { app } = this;
    const { state, data } = app;
    const on = (/** @type {keyof import("./state.js").State} */ key, event = "change") => ({
      id: key,
      [`on${event}`]: (/** @type {any} */ { target }) =>
        app.choose({ [key]: target.type === "checkbox" ? (target.checked ? "1" : "") : target.value }, event === "input"),
    });
    const named = (/** @type {"document" | "label" | "length"} */ kind) =>
      data.groups[kind] &&
      select(kind, on(kind), [["", "all"], ...data.groups[kind].map((/** @type {string} */ name, /** @type {number} */ group) => [`${group + 1}`, visible(name)])], state[kind]);
    const pair = data.systems.length > 1;
    replace(
      this.filters,
      h("div", { class: "wide" }, input("Text", { ...on("q", "input"), type: "search", value: state.q, placeholder: "words, or a regular expression" })),
      pair && select("Show", on("show"), [["all", "all"], ["a", "A better"], ["b", "B better"], ["identical", "identical"], ["different", "different"]], state.show),
      select("Sort by", on("sort"), Object.entries(SORTS).filter(([key]) => pair || !["influence", "difference", "b"].includes(key)), state.sort),
      select("order", on("down"), [["1", "largest first"], ["0", "smallest first"]], state.down),
      h("button", { type: "button", id: "clear", onclick: () => app.clear() }, "Clear filters"),
      h(
        "details",
        { class: "more", open: MORE.some((key) => state[key] !== DEFAULTS[key]) },
        h("summary", {}, "More filters"),
        h("div", {},
      h("label", { class: "check" }, h("input", { ...on("regex"), type: "checkbox", checked: state.regex === "1" }), h("span", {}, "regular expression")),
      select("in", on("in"), [["all", "all texts"], ...(data.has.source ? [["source", "source"]] : []), ["references", "references"], ["a", "A"], ...(pair ? [["b", "B"]] : [])], state.in),
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
      if (field.type === "checkbox") field.checked = value === "1";
      else if (field !== document.activeElement && value !== undefined) field.value = value;
    }
    const influence = app.influence();
    this.largest = influence ? this.app.model.once(`largest ${app.a} ${app.b}`, () => influence.map(Math.abs).sort().at(-1 - Math.floor(OUTLIERS * influence.length)) || 1e-12) : 1;
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
    const gram = state.gram && h("p", {}, "with ", h("q", { dir: "auto" }, state.gram.split("\t").join(" ")), " ", h("button", { onclick: () => app.choose({ gram: "" }), id: "no-gram" }, "show all"));
    const found = app.found;
    if (!model.scores || !found) {
      const why = model.scores ? "" : `The page does not know this variant's ${model.unknown.join(" and ")}, so it cannot compute scores.`;
      return replace(this.band, h("p", {}, h("strong", {}, count)), gram, why && h("p", { class: "quiet" }, why));
    }
    if (!found.segments) return replace(this.band, h("p", {}, h("strong", {}, "no segment"), " passes the filters"), gram);
    const pair = data.systems.length > 1;
    const item = (/** @type {string} */ name, /** @type {any} */ text, side = "") => h("div", { class: side }, h("dt", {}, name), h("dd", {}, text));
    return replace(
      this.band,
      h("p", {}, h("strong", { id: "count" }, count)),
      gram,
      h(
        "dl",
        {},
        item("A", fixed(found.first, digits), "a"),
        pair && item("B", fixed(found.second, digits), "b"),
        pair && item("A − B", signed(found.difference, digits)),
        pair && found.low !== null && item(app.level, interval(found, digits)),
        pair && found.p !== null && item("p", pValue(found.p)),
      ),
      pair && h("p", { class: "quiet" }, found.note),
    );
  }

  /** @param {HTMLElement} row @param {number} segment */
  fill(row, segment) {
    const { app } = this;
    const { model, a, b, data } = app;
    const cells = /** @type {any} */ (row.children);
    const [ours, theirs] = [model.sentences(a)[segment], model.sentences(b)[segment]];
    const influence = app.influence();
    const pair = data.systems.length > 1;
    const isEdited = [a, b].some((system) => model.edits.get(system)?.has(segment));
    cells[0].textContent = `${segment + 1}${isEdited ? " ✎" : ""}`;
    cells[0].title = isEdited ? "edited" : "";
    cells[5].dir = "auto";
    cells[1].replaceChildren(...(influence ? [signed(influence[segment], app.digits + 1), bar(influence[segment], this.largest ?? 1, 40)] : []));
    cells[2].textContent = fixed(ours, app.sentenceDigits);
    cells[3].textContent = pair ? fixed(theirs, app.sentenceDigits) : "";
    cells[4].textContent = pair ? signed(ours - theirs, app.sentenceDigits) : "";
    if (model.texts.has(segment)) {
      cells[5].textContent = visible(asText(model.texts.at(segment).systems[a]).slice(0, SNIPPET));
    } else {
      cells[5].textContent = "…";
      model.texts.of(segment).then(() => row.dataset.segment === `${segment}` && this.fill(row, segment));
    }
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
