/** The n-grams that make the difference between two systems, and those of references that a system misses. */
import { Bars } from "./bars.js";
import { h, replace, select, table } from "./dom.js";
import { change, differing, joined, missed, single } from "./ngram-counts.js";
import { notKnown } from "./notes.js";
import { signed, whole } from "./numbers.js";

/** The number of n-grams that are listed on each side. */
const MOST = 60;

/** @typedef {import("./app.js").App} App */
/** @typedef {{words: string[], gram: string[], segments: number, place: number, first: number, second: number, points: number}} Ranked the words and the longest n-gram of a phrase, the sums of what was found, the number of segments and the first one, and the points of BLEU */
/** @typedef {{caption: string, side: "a" | "b", has: string, lists: Ranked[][]}} Side the rows of phrases, and of single n-grams */

/** What can be shown: how it is found, its heads, and what is said of it. */
const SHOWN = {
  differ: {
    name: "matched more often by one system",
    heads: ["effect on A − B", "A", "B"],
    note: "The effect is what A − B would lose if these matches were not counted in the segments in which A and B differ. A and B: how often they match the n-gram there.",
  },
  missed: {
    name: "in references, but missed by a system",
    heads: ["worth", "in references", "missed"],
    note: "The points are what the score would gain if the system matched all that it misses. If a segment has several references, the one with the most occurrences of an n-gram counts. In references: how often the n-gram occurs in the segments in which the system misses it.",
  },
};

export class Ngrams {
  /** @param {App} app @param {HTMLElement} place */
  constructor(app, place) {
    this.app = app;
    this.place = place;
    this.key = "";
    /** @type {import("./model.js").Model | null} */
    this.model = null;
    /** @type {Side[] | null} */
    this.sides = null;
  }

  /** Whether there are two systems to compare. */
  get pair() {
    return this.app.data.systems.length > 1 && this.app.a !== this.app.b;
  }

  /** @returns {keyof typeof SHOWN} */
  get shown() {
    return this.pair && this.app.state.grams === "differ" ? "differ" : "missed";
  }

  async update() {
    const { app } = this;
    const { model } = app;
    if (!model.counts) return replace(this.place, h("p", {}, `${notKnown(model)}: it cannot count n-grams.`));
    const key = `${app.key} ${this.shown}`;
    if (key === this.key && model === this.model) return this.sides && this.draw();
    this.key = key;
    this.model = model;
    this.sides = null;
    const bar = h("progress", { max: 1, value: 0, "aria-label": "counting n-grams" });
    replace(this.place, h("p", {}, "Counting n-grams … ", bar));
    const isOver = () => this.key !== key || this.model !== model;
    const sides = await this[this.shown]({ progress: (share) => (bar.value = share), isOver });
    if (!sides || isOver()) return undefined;
    this.sides = sides;
    return this.draw();
  }

  /** @param {import("./ngram-counts.js").Watch} watch @returns {Promise<Side[] | null>} what A matches more often, and B */
  async differ(watch) {
    const { model, subset, a, b, data } = this.app;
    const found = await differing(model, a, b, subset, watch);
    if (!found) return null;
    const [ours, theirs] = [a, b].map((system) => change(model, system, subset));
    const less = (/** @type {number[]} */ numbers) => numbers.map((number) => -number);
    const lists = ranked(model, found, (phrase) => theirs(phrase, less(phrase.second)) - ours(phrase, less(phrase.first)), ({ first, second }) => first - second);
    const is = (/** @type {number} */ sign) => lists.map((rows) => rows.filter((each) => sign * (each.points || each.first - each.second) > 0));
    return [
      { caption: `In favour of A, ${data.systems[a]}`, side: "a", has: "differ", lists: is(1) },
      { caption: `In favour of B, ${data.systems[b]}`, side: "b", has: "differ", lists: is(-1) },
    ];
  }

  /** @param {import("./ngram-counts.js").Watch} watch @returns {Promise<Side[] | null>} what A misses, and B */
  async missed(watch) {
    const { model, subset, a, b, data } = this.app;
    /** @type {Side[]} */
    const sides = [];
    for (const [system, side] of /** @type {const} */ ([[a, "a"], [b, "b"]]).slice(0, this.pair ? 2 : 1)) {
      const found = await missed(model, system, subset, watch);
      if (!found) return null;
      const points = change(model, system, subset);
      const lists = ranked(model, found, (phrase) => points(phrase, phrase.second), ({ second }) => second);
      sides.push({ caption: `${this.pair ? `${side.toUpperCase()}, ` : ""}${data.systems[system]}, misses`, side, has: `missed-${side}`, lists });
    }
    return sides;
  }

  draw() {
    const { app, shown } = this;
    const { data, state, model } = app;
    const order = Number(state.order) || 0;
    const sides = (this.sides ?? []).map((side) => ({ ...side, rows: order ? side.lists[1].filter(({ words }) => words.length === order) : side.lists[0] }));
    const largest = Math.max(1e-9, ...sides.flatMap(({ rows }) => rows.slice(0, MOST).map(({ points }) => Math.abs(points))));
    const bars = shown === "differ" ? Bars.around(largest) : new Bars(0, largest);
    const orders = Array.from({ length: model.orders }, (_, index) => /** @type {[string, string]} */ ([`${index + 1}`, `${index + 1}`]));
    const on = (/** @type {"order" | "grams"} */ key) => ({ id: key, onchange: (/** @type {any} */ event) => app.choose({ [key]: event.target.value }) });
    const isFiltered = app.subset.length < data.segments;
    replace(
      this.place,
      h(
        "section",
        {},
        h(
          "div",
          { class: "heading" },
          h("h2", {}, "N-grams"),
          this.pair && select("that are", on("grams"), Object.entries(SHOWN).map(([key, { name }]) => [key, name]), shown),
          select("of tokens", on("order"), [["", "any number"], ...orders], state.order),
        ),
        h("p", { class: "quiet" }, isFiltered && `Of the ${whole(app.subset.length)} segments that pass the filters. `, SHOWN[shown].note, !order && " Overlapping n-grams that change alike are one row, with the effect of all of them.", " Choose a row to see the segments."),
        h("div", { class: "halves" }, sides.map((side) => this.listed(side, bars))),
      ),
    );
  }

  /** @param {Side & {rows: Ranked[]}} side @param {Bars} bars */
  listed({ caption, side, has, rows }, bars) {
    const { app } = this;
    const { scores } = app.model;
    const [points, first, second] = SHOWN[this.shown].heads;
    const cells = rows.slice(0, MOST).map((each) => [
      h("a", { href: app.href({ view: "segments", segment: "", gram: each.gram.join("\t"), has }), dir: "auto" }, each.words.join(" ")),
      scores ? signed(each.points, app.digits + 2) : "–",
      scores && bars.bar(each.points, side),
      whole(each.first),
      whole(each.second),
      whole(each.segments),
    ]);
    const more = rows.length - cells.length;
    const head = ["n-gram", points, scores ? bars.head() : "", first, second, "segments"];
    return h("div", {}, table(caption, head, cells, { numbers: [1, 3, 4, 5] }), more > 0 && h("p", { class: "quiet" }, `${whole(more)} more`));
  }
}

/**
 * Return phrases and single n-grams with their points, those that matter most first; without scores, those of the
 * largest amount.
 * @param {import("./model.js").Model} model @param {Map<string, import("./ngram-counts.js").Found>} found
 * @param {(each: import("./ngram-counts.js").Phrase) => number} points @param {(each: Ranked) => number} amount
 * @returns {Ranked[][]}
 */
function ranked(model, found, points, amount) {
  const sum = (/** @type {number[]} */ numbers) => numbers.reduce((total, each) => total + each, 0);
  const weight = (/** @type {Ranked} */ each) => Math.abs(model.scores ? each.points : amount(each));
  const row = (/** @type {import("./ngram-counts.js").Phrase} */ each) => ({
    words: each.words,
    gram: each.parts[0],
    segments: each.segments.length,
    place: each.segments[0],
    first: sum(each.first),
    second: sum(each.second),
    points: model.scores ? points(each) : 0,
  });
  return [joined(found.values(), model.orders), single(found.values())].map((phrases) =>
    phrases.map(row).sort((one, other) => weight(other) - weight(one) || other.words.length - one.words.length || one.place - other.place),
  );
}
