/** The report: the state that the reader chose, the results for it, and the view that shows them. */
import { Texts, columns, variants } from "./data.js";
import { h, replace, select } from "./dom.js";
import { Charts } from "./charts-view.js";
import { chosen } from "./chosen.js";
import { edits, number, withEdit } from "./edits.js";
import { areByOutput, filtered, needsText, sorted } from "./filters.js";
import { Model } from "./model.js";
import { having } from "./ngram-counts.js";
import { Ngrams } from "./ngrams-view.js";
import { spoken } from "./notes.js";
import { whole } from "./numbers.js";
import { overview } from "./overview.js";
import { searched } from "./search.js";
import { Variants } from "./variant.js";
import { Segments } from "./segments.js";
import { DEFAULTS, read, written } from "./state.js";

/** @typedef {import("./state.js").State} State */

const VIEWS = { overview: "Overview", segments: "Segments", ngrams: "N-grams", charts: "Charts", variant: "Variant" };

/** The parts of the state that filter segments, and those that determine the variant. */
const FILTERS = /** @type {const} */ (["q", "regex", "in", "document", "label", "length", "of", "min", "max", "show", "gram", "has"]);
const VARIANT = /** @type {const} */ (["variant", "tokenizer", "lowercase", "counter", "reference_length", "smoothing", "brevity_penalty", "weights", "effective_order", "scale", "average"]);

/** How long to wait, in milliseconds, for the next key of what is typed before it gets into the address. */
const TYPING = 150;

/** The number of segments up to which the page follows each key at once. */
const QUICK = 5000;

export class App {
  /** @param {any} data @param {HTMLElement} place */
  constructor(data, place) {
    this.data = data;
    this.place = place;
    this.state = read(location.hash);
    /** @type {Model} as reported */
    this.original = /** @type {any} */ (null);
    /** @type {Model} under the variant that was chosen */
    this.unedited = /** @type {any} */ (null);
    /** @type {Model} with the outputs that were edited, too */
    this.model = /** @type {any} */ (null);
    /** @type {Record<string, HTMLElement>} */
    this.panels = {};
    /** @type {HTMLAnchorElement[]} */
    this.links = [];
    this.banner = h("div", { class: "banner", role: "status" });
    /** What A and B are, on paper, where nothing can be chosen. */
    this.printed = h("p", { class: "printed" });
    /** @type {string[]} kinds of the components that keep the chosen variant from being counted here */
    this.missing = [];
    this.sortKey = "";
    /** @type {{key: string, model: Model, segments: Set<number>} | null} */
    this.withGram = null;
    this.key = "";
    this.variantKey = "";
    this.editsKey = "";
    /** @type {Model | null} for which the segments were filtered */
    this.filteredFor = null;
    this.revealed = "";
    /** @type {Uint32Array} */
    this.subset = new Uint32Array();
    /** @type {Uint32Array} */
    this.ordered = new Uint32Array();
    /** @type {import("./model.js").Compared | null} */
    this.found = null;
    /** @type {string | undefined} */
    this.error = undefined;
    /** @type {{share: number} | null} */
    this.working = null;
    /** @type {Promise<void>} */
    this.settled = Promise.resolve();
  }

  async start() {
    const { data } = this;
    const texts = new Texts(data.segments, data.block);
    data.variants = await variants();
    this.original = this.unedited = this.model = Model.ofReport(data, texts, await columns(data.columns));
    this.frame();
    addEventListener("hashchange", () => {
      if (location.hash === written(this.state)) return;
      this.state = read(location.hash);
      this.settle();
    });
    this.place.addEventListener("click", (event) => this.follow(event));
    await this.settle();
    texts.openAll();
  }

  frame() {
    const { data } = this;
    const names = data.systems.map((/** @type {string} */ name, /** @type {number} */ system) => /** @type {[string, string]} */ ([`${system + 1}`, name]));
    const choose = (/** @type {"a" | "b"} */ side) =>
      h("div", { class: `pick ${side}` }, select(side.toUpperCase(), { id: side, onchange: (/** @type {any} */ event) => this.choose({ [side]: event.target.value }) }, names, this.state[side]));
    const swap = h("button", { id: "swap", "aria-label": "swap A and B", onclick: () => this.choose({ a: `${this.b + 1}`, b: `${this.a + 1}` }) }, "⇄");
    this.links = Object.entries(VIEWS).map(([view, name]) => h("a", { id: `to-${view}`, "data-view": view }, name));
    this.panels = Object.fromEntries(Object.keys(VIEWS).map((view) => [view, h("div", { class: `view ${view}`, hidden: true })]));
    const pair = data.systems.length > 1;
    replace(
      this.place,
      h(
        "header",
        {},
        h("h1", {}, data.title),
        pair && h("div", { class: "pair", role: "group", "aria-label": "The systems to compare" }, choose("a"), swap, choose("b")),
        pair && this.printed,
        h("nav", { "aria-label": "Views" }, ...this.links),
      ),
      h("main", { id: "main" }, this.banner, ...Object.values(this.panels)),
      h("footer", {}, `bleukit ${data.version} · `, h("a", { href: "#licences", onclick: (/** @type {Event} */ event) => this.licences(event) }, "licence")),
    );
    this.segments = new Segments(this, this.panels.segments);
    this.ngrams = new Ngrams(this, this.panels.ngrams);
    this.charts = new Charts(this, this.panels.charts);
    this.variants = new Variants(this, this.panels.variant);
  }

  /**
   * Follow a link within the page. In the frame of a notebook the browser would open the notebook instead.
   * @param {MouseEvent} event
   */
  follow(event) {
    const link = /** @type {Element} */ (event.target).closest('a[href^="#"]');
    const opensElsewhere = event.ctrlKey || event.metaKey || event.shiftKey || event.altKey;
    if (!link || event.defaultPrevented || opensElsewhere) return;
    event.preventDefault();
    this.choose(read(link.getAttribute("href") ?? ""));
  }

  /** @param {Event} event */
  licences(event) {
    event.preventDefault();
    const text = document.getElementById("licence")?.textContent ?? "";
    const dialog = h("dialog", { "aria-label": "Licence" }, h("pre", {}, text), h("form", { method: "dialog" }, h("button", {}, "Close")));
    dialog.addEventListener("close", () => dialog.remove());
    this.place.append(dialog);
    dialog.showModal();
  }

  // The state

  get a() {
    return this.system(this.state.a, 0);
  }

  get b() {
    return this.system(this.state.b, Math.min(1, this.data.systems.length - 1));
  }

  /** @param {string} number @param {number} fallback */
  system(number, fallback) {
    const system = Number(number) - 1;
    return Number.isInteger(system) && system >= 0 && system < this.data.systems.length ? system : fallback;
  }

  get segment() {
    const segment = Number(this.state.segment) - 1;
    return this.state.segment && Number.isInteger(segment) && segment >= 0 && segment < this.data.segments ? segment : -1;
  }

  /** What intervals are called. */
  get level() {
    return `${Math.round(this.data.level * 1000) / 10} % interval`;
  }

  /** The number of decimals of scores. */
  get digits() {
    return this.model.variant.scale === 1 ? 4 : 2;
  }

  get sentenceDigits() {
    return this.model.variant.scale === 1 ? 3 : 1;
  }

  /** @param {number} system */
  sideOf(system) {
    if (this.data.systems.length < 2) return "a";
    return system === this.a ? "a" : system === this.b ? "b" : "";
  }

  /** The influence of each segment on A − B; null if it cannot be computed. */
  influence() {
    return this.model.scores && this.data.systems.length > 1 ? this.model.influence(this.a, this.b) : null;
  }

  /** The address of the same view with changes of the state. @param {Partial<State>} changes */
  href(changes) {
    return written({ ...this.state, ...changes });
  }

  // Changes of the state

  /** @param {Partial<State>} changes @param {boolean} [isTyped] whether it is one of many keystrokes */
  choose(changes, isTyped = false) {
    this.state = { ...this.state, ...changes };
    if (!isTyped) {
      this.write("pushState");
      return this.settle();
    }
    const { state } = this;
    const later = new Promise((resolve) => setTimeout(resolve, TYPING)).then(() => state === this.state);
    later.then((isLast) => isLast && this.write("replaceState"));
    return this.settle(this.data.segments > QUICK ? later : undefined);
  }

  /** Write the state into the address. @param {"pushState" | "replaceState"} way */
  write(way) {
    const address = written(this.state);
    if (address === location.hash) return;
    try {
      history[way](null, "", address);
    } catch {
      // a frame without an origin has no history
    }
  }

  /** Put another output in the place of a system's. @param {number} system @param {number} segment @param {string | null} text */
  edit(system, segment, text) {
    return this.choose({ edits: withEdit(edits(this.state.edits, this.data), system, segment, text) }, text !== null);
  }

  clear() {
    return this.choose(Object.fromEntries(FILTERS.map((key) => [key, DEFAULTS[key]])));
  }

  /** Choose a named variant without changes, or that of the report. @param {string} [name] */
  resetVariant(name = "") {
    return this.choose({ ...Object.fromEntries(VARIANT.map((key) => [key, DEFAULTS[key]])), variant: name });
  }

  /** Choose the segment before or after in the list. @param {number} step */
  step(step) {
    const place = this.ordered.indexOf(this.segment) + step;
    if (place >= 0 && place < this.ordered.length) this.choose({ segment: `${this.ordered[place] + 1}` });
  }

  // The results for the state

  /** Show the results for the state, at once or if they are still wanted later. @param {Promise<boolean>} [isWanted] */
  settle(isWanted) {
    this.settled = isWanted ? isWanted.then((wanted) => (wanted ? this.followed() : this.settled)) : this.followed();
    return this.settled;
  }

  async followed() {
    if (!(await this.variant()) || !(await this.edited())) return;
    const { state, model } = this;
    const key = JSON.stringify([this.a, this.b, ...FILTERS.map((each) => state[each])]);
    if (key !== this.key || model !== this.filteredFor) {
      if (needsText(state)) await model.texts.openAll();
      if (state !== this.state) return;
      const gram = state.gram && model.counts ? await this.grams(state) : null;
      if (state !== this.state) return;
      if (state.q) this.segments?.searching();
      const text = state.q ? await searched(model.texts, state, this.a, this.b) : { found: null };
      if (!text || state !== this.state) return;
      const error = "error" in text ? text.error : undefined;
      this.key = key;
      this.filteredFor = model;
      this.error = error;
      this.subset = "error" in text ? new Uint32Array() : filtered(model, state, this.a, this.b, gram, text.found);
      this.found = model.scores ? model.compared(this.a, this.b, this.subset, areByOutput(state)) : null;
      this.sortKey = "";
    }
    const sortKey = `${state.sort} ${state.down}`;
    if (sortKey !== this.sortKey) {
      this.ordered = sorted(model, state, this.a, this.b, this.subset);
      this.sortKey = sortKey;
    }
    this.show();
  }

  /** @param {State} state */
  async grams({ gram, has }) {
    const key = `${gram} ${has} ${this.a} ${this.b}`;
    const { model } = this;
    if (this.withGram?.key !== key || this.withGram.model !== model) {
      this.withGram = { key, model, segments: await having(model, this.a, this.b, gram.split("\t"), /** @type {any} */ (has)) };
    }
    return this.withGram.segments;
  }

  /** Apply the chosen variant; return false if another one was chosen meanwhile. */
  async variant() {
    const key = JSON.stringify(VARIANT.map((each) => this.state[each]));
    if (key === this.variantKey) return true;
    this.variantKey = key;
    const wanted = chosen(this.data, this.state);
    this.missing = wanted ? this.original.missing(wanted.variant) : [];
    if (!wanted || this.missing.length) {
      this.unedited = this.original;
      this.working = null;
      return true;
    }
    const working = { share: 0 };
    this.working = working;
    this.show();
    const made = await this.original.under(
      wanted,
      (share) => {
        working.share = share;
        this.bannerText();
      },
      () => this.variantKey !== key,
    );
    if (!made) return false;
    this.working = null;
    this.unedited = made;
    return true;
  }

  /** Apply the edits; return false if something else was chosen meanwhile. */
  async edited() {
    const { state, unedited } = this;
    const made = edits(state.edits, this.data);
    if (state.edits === this.editsKey && this.model.levels === unedited.levels) return true;
    const model = made.size && unedited.canEdit ? await unedited.edited(made) : unedited;
    if (state !== this.state) return false;
    this.editsKey = state.edits;
    this.model = model;
    return true;
  }

  show() {
    const { state, data } = this;
    const { view } = state;
    for (const [name, panel] of Object.entries(this.panels)) panel.hidden = name !== view;
    for (const link of this.links) {
      link.href = this.href({ view: link.dataset.view });
      if (link.dataset.view === view) link.setAttribute("aria-current", "page");
      else link.removeAttribute("aria-current");
    }
    for (const side of /** @type {const} */ (["a", "b"])) {
      const field = document.getElementById(side);
      if (field && field.tagName === "SELECT") /** @type {any} */ (field).value = `${this[side] + 1}`;
    }
    replace(this.printed, "A is ", h("bdi", {}, data.systems[this.a]), ", B is ", h("bdi", {}, data.systems[this.b]));
    document.title = `${VIEWS[/** @type {keyof typeof VIEWS} */ (view)]} – ${data.title}`;
    document.body.classList.toggle("has-segment", this.segment >= 0);
    this.bannerText();
    if (view === "overview") overview(this, this.panels.overview);
    else if (view === "segments") this.segments?.update();
    else if (view === "ngrams") this.ngrams?.update();
    else if (view === "charts") this.charts?.update();
    else this.variants?.update();
  }

  bannerText() {
    const { unedited, model, original, working } = this;
    if (working) return replace(this.banner, "Counting with another variant … ", h("progress", { max: 1, value: working.share, "aria-label": "counting" }));
    const outputs = number(edits(this.state.edits, this.data));
    const edited = `${whole(outputs)} output${outputs === 1 ? " was" : "s were"} edited`;
    const lost = `, but the page cannot count ${outputs === 1 ? "it" : "them"} with this variant. `;
    const kinds = this.missing.map(spoken);
    return replace(
      this.banner,
      kinds.length > 0 && h("p", {}, `The page cannot count with what was chosen, because it does not know the report's ${kinds.join(" and ")}: all figures are from the report. `, h("button", { id: "original", onclick: () => this.resetVariant() }, "Back to the report's variant")),
      unedited !== original && h("p", {}, "The variant was changed in this page, and all figures with it. ", h("button", { id: "original", onclick: () => this.resetVariant() }, "Back to the report's variant")),
      outputs > 0 && h("p", {}, edited, model.edits.size ? ", and all figures follow. " : lost, h("button", { id: "unedit", onclick: () => this.choose({ edits: "" }) }, "Undo all edits")),
    );
  }
}
