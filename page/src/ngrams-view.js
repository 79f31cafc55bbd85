/** N-grams across the corpus: those that A gets right and B misses, and the reverse. */
import { matched } from "./bleu/ngrams.js";
import { asText, pause } from "./data.js";
import { h, replace, select, table } from "./dom.js";
import { signed, whole } from "./numbers.js";

/** The number of n-grams that are listed on each side. */
const MOST = 60;
const SLICE = 40;

/**
 * @typedef {object} Found the matches of an n-gram in the whole corpus
 * @property {string[]} words
 * @property {number} a how often A's count
 * @property {number} b
 * @property {number[]} segments those where the two differ
 */

/**
 * Return the n-grams whose matches differ in some segment, by their tokens with a tab between them.
 * @param {import("./model.js").Model} model @param {number} a @param {number} b @param {Uint32Array} subset
 * @param {(share: number) => void} progress @param {() => boolean} isOver
 * @returns {Promise<Map<string, Found> | null>} null if it is no longer wanted
 */
export async function differing(model, a, b, subset, progress, isOver) {
  /** @type {Map<string, Found>} */
  const found = new Map();
  let since = performance.now();
  for (let place = 0; place < subset.length; place += 1) {
    const segment = subset[place];
    if (!model.texts.has(segment)) await model.texts.of(segment);
    const { systems } = model.texts.at(segment);
    if (asText(systems[a]) === asText(systems[b])) continue;
    const [ours, theirs] = [a, b].map((system) => matches(model, segment, system));
    for (const key of new Set([...ours.keys(), ...theirs.keys()])) {
      const [one, other] = [ours.get(key) ?? 0, theirs.get(key) ?? 0];
      if (one === other) continue;
      let known = found.get(key);
      if (!known) found.set(key, (known = { words: key.split("\t"), a: 0, b: 0, segments: [] }));
      known.a += one;
      known.b += other;
      known.segments.push(segment);
    }
    if (performance.now() - since > SLICE) {
      progress(place / subset.length);
      await pause();
      if (isOver()) return null;
      since = performance.now();
    }
  }
  return found;
}

/** @param {import("./model.js").Model} model @param {number} segment @param {number} system */
function matches(model, segment, system) {
  const { words, orders } = model.analyzed(segment, system);
  /** @type {Map<string, number>} */
  const counts = new Map();
  orders.forEach((order, index) => {
    const counting = matched(order, model.variant.counter.name);
    const seen = new Set();
    order.places.forEach((ngram, start) => {
      if (!counting[ngram] || seen.has(ngram)) return;
      seen.add(ngram);
      counts.set(words.slice(start, start + index + 1).join("\t"), counting[ngram]);
    });
  });
  return counts;
}

/**
 * Return the segments in which A or B has an n-gram.
 * @param {import("./model.js").Model} model @param {number} a @param {number} b @param {string[]} gram
 */
export async function containing(model, a, b, gram) {
  await model.texts.openAll();
  /** @type {Set<number>} */
  const found = new Set();
  for (const segment of model.all) {
    for (const system of new Set([a, b])) {
      const { words } = model.analyzed(segment, system);
      if (has(words, gram)) found.add(segment);
    }
  }
  return found;
}

/** @param {string[]} words @param {string[]} gram */
function has(words, gram) {
  for (let start = words.indexOf(gram[0]); start >= 0; start = words.indexOf(gram[0], start + 1)) {
    if (gram.every((word, place) => words[start + place] === word)) return true;
  }
  return false;
}

/** @typedef {import("./app.js").App} App */

export class Ngrams {
  /** @param {App} app @param {HTMLElement} place */
  constructor(app, place) {
    this.app = app;
    this.place = place;
    this.key = "";
    /** @type {import("./model.js").Model | null} */
    this.model = null;
    /** @type {Map<string, Found> | null} */
    this.found = null;
  }

  async update() {
    const { app } = this;
    const { model, data, a, b } = app;
    if (data.systems.length < 2 || a === b) return replace(this.place, h("p", {}, "Choose two systems to compare their n-grams."));
    if (!model.counts) return replace(this.place, h("p", {}, `The page does not know this variant's ${model.unknown.join(" and ")}: it cannot count n-grams.`));
    const { key } = app;
    if (key === this.key && model === this.model) return this.found && this.draw();
    this.key = key;
    this.model = model;
    this.found = null;
    const bar = h("progress", { max: 1, value: 0, "aria-label": "counting n-grams" });
    replace(this.place, h("p", {}, "Counting n-grams … ", bar));
    const found = await differing(model, a, b, app.subset, (share) => (bar.value = share), () => this.key !== key || this.model !== model);
    if (!found) return undefined;
    this.found = found;
    return this.draw();
  }

  draw() {
    const { app } = this;
    const { data, state, a, b, model } = app;
    const order = Number(state.order) || 0;
    const all = [...(this.found ?? new Map()).values()].filter(({ words }) => !order || words.length === order);
    const side = (/** @type {1 | -1} */ sign) =>
      all.filter((each) => sign * (each.a - each.b) > 0).sort((one, other) => sign * (other.a - other.b - one.a + one.b) || other.words.length - one.words.length || one.segments[0] - other.segments[0]);
    const listed = (/** @type {string} */ caption, /** @type {1 | -1} */ sign) => {
      const found = side(sign);
      const rows = found.slice(0, MOST).map(({ words, a: ours, b: theirs, segments }) => [
        h("a", { href: app.href({ view: "segments", gram: words.join("\t") }), dir: "auto" }, words.join(" ")),
        signed(ours - theirs, 0),
        whole(ours),
        whole(theirs),
        whole(segments.length),
      ]);
      const more = found.length - rows.length;
      return h("div", {}, table(caption, ["n-gram", "A − B", "A", "B", "segments"], rows, { numbers: [1, 2, 3, 4] }), more > 0 && h("p", { class: "quiet" }, `${whole(more)} more`));
    };
    const filtered = app.subset.length < data.segments;
    replace(
      this.place,
      h(
        "section",
        {},
        h(
          "div",
          { class: "heading" },
          h("h2", {}, "N-grams that one system gets right and the other misses"),
          select("tokens", { id: "order", onchange: (/** @type {any} */ event) => app.choose({ order: event.target.value }) }, [["", "any number"], ...model.variant.weights.map((/** @type {number} */ _, /** @type {number} */ index) => /** @type {[string, string]} */ ([`${index + 1}`, `${index + 1}`]))], state.order),
        ),
        h("p", { class: "quiet" }, `Counted matches, summed over the segments in which the two differ${filtered ? `, of the ${whole(app.subset.length)} that pass the filters` : ""}. Choose an n-gram to see its segments.`),
        h("div", { class: "halves" }, listed(`A, ${data.systems[a]}, gets more often`, 1), listed(`B, ${data.systems[b]}, gets more often`, -1)),
      ),
    );
  }
}
