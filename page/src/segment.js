/** One segment: its tokens with their matches, its counts, the formula with its numbers, and editing of outputs. */
import { counted, effectiveWeights, score, writtenPenalty } from "./bleu/bleu.js";
import { marks, matched } from "./bleu/ngrams.js";
import { asText } from "./data.js";
import { h, replace, table, visible } from "./dom.js";
import { starts } from "./ngram-counts.js";
import { notKnown } from "./notes.js";
import { fixed, signed, whole } from "./numbers.js";
import { row } from "./statistics.js";
import { differing } from "./words.js";

/** The number of tokens, and of characters of a text, that are shown at first. */
const MOST_TOKENS = 600;
const MOST_CHARACTERS = 6000;

/** @typedef {import("./app.js").App} App */

export class Detail {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    this.element = h("section", { class: "detail", "aria-label": "Segment", id: "detail" });
    /** The factor by which more is shown than at first. */
    this.times = 1;
    this.shown = -1;
    /** What the elements are for: if it is the same, only figures are written again. */
    this.drawn = "";
    this.moved = h("div", {});
    /** @type {any} */
    this.counts = null;
    /** @type {any} */
    this.references = null;
    /** @type {any[]} */
    this.sides = [];
    this.about = h("p", { class: "about", role: "status", id: "about" });
  }

  async update() {
    const { app } = this;
    const { segment, model } = app;
    if (segment < 0) return replace(this.element, h("p", { class: "quiet" }, "Choose a segment."));
    if (segment !== this.shown) this.times = 1;
    this.shown = segment;
    if (!model.texts.has(segment)) await model.texts.of(segment);
    if (segment !== app.segment || model !== app.model) return undefined;
    const key = JSON.stringify([segment, app.a, app.b, app.variantKey, this.times]);
    const isTyping = document.activeElement?.id.startsWith("edit-") && this.element.contains(document.activeElement);
    if (key === this.drawn && isTyping) return this.follow();
    this.drawn = key;
    return this.draw();
  }

  /** Write the figures again while the reader types. */
  follow() {
    for (const state of this.sides) {
      const text = this.output(state.system);
      if (state.field.value !== text) state.field.value = text;
      this.count(state);
    }
    this.drawDifferences();
    this.drawMoved();
    this.counts?.replaceWith(this.table());
  }

  /** Mark the tokens of each output that the other does not have. */
  drawDifferences() {
    if (this.sides.length < 2) return;
    const [ours, theirs] = this.sides.map(({ elements }) => elements.map((/** @type {any} */ token) => token.textContent));
    const found = differing(ours, theirs);
    this.sides.forEach(({ elements, side }, place) => {
      elements.forEach((/** @type {any} */ token, /** @type {number} */ each) => token.classList.toggle(`only-${side}`, found[place][each]));
    });
  }

  /** @param {number} system its output as shown: its own, or the edited one */
  output(system) {
    return asText(this.app.model.texts.at(this.app.segment).systems[system]);
  }

  draw() {
    const { app } = this;
    const { segment, model, a, b, data } = app;
    const text = model.texts.at(segment);
    const pair = data.systems.length > 1 && a !== b;
    this.sides = [];
    this.references = h("div", { class: "references" });
    this.drawMoved();
    replace(
      this.element,
      h(
        "div",
        { class: "heading" },
        h("h2", {}, `Segment ${whole(segment + 1)}`, text.name && h("span", { class: "quiet" }, ` ${text.name}`)),
        h("button", { id: "previous", onclick: () => app.step(-1), "aria-label": "previous segment" }, "↑"),
        h("button", { id: "next", onclick: () => app.step(1), "aria-label": "next segment" }, "↓"),
        h("button", { id: "back", class: "back", onclick: () => app.choose({ segment: "" }) }, "Back to the list"),
      ),
      pair && this.moved,
      text.source !== undefined && h("div", { class: "text" }, h("h3", {}, "Source"), this.plain(text.source)),
      this.references,
      this.side(a, "a"),
      pair && this.side(b, "b"),
      this.about,
      h(
        "p",
        { class: "legend" },
        "A token belongs to a matched n-gram of ",
        ...[1, 2, 3, 4].map((order) => [h("span", { class: `token m${order}` }, order === 4 ? "4 or more" : `${order}`), " "]),
        " tokens; ",
        h("span", { class: "token clipped" }, "clipped"),
        " occurs in a reference, but fewer times.",
        pair && [" ", h("span", { class: "token only-a" }, "Bold"), " or ", h("span", { class: "token only-b" }, "bold"), ": not in the other output."],
      ),
      this.table(),
    );
    this.drawReferences(null);
    this.drawDifferences();
    this.about.textContent = model.counts ? "Point at a token, or use the arrow keys: ← → move from token to token, ↑ ↓ to longer and shorter n-grams." : "";
  }

  /** Write the influence of the segment on the difference. */
  drawMoved() {
    const { app } = this;
    const influence = app.influence();
    if (!influence) return replace(this.moved);
    const moved = influence[app.segment];
    const points = h("strong", { class: moved >= 0 ? "a" : "b" }, signed(moved, app.digits + 2));
    return replace(this.moved, h("p", { class: "lead" }, "The influence of this segment on A − B is ", points, "; the influences of all segments add up to the difference."));
  }

  /** @param {string} text */
  plain(text) {
    const most = MOST_CHARACTERS * this.times;
    if (text.length <= most) return h("p", { dir: "auto" }, text);
    return h("p", { dir: "auto" }, `${text.slice(0, most)}…`, this.more());
  }

  more() {
    const show = () => {
      this.times *= 10;
      this.draw();
    };
    return h("button", { onclick: show, class: "more" }, "show more");
  }

  /** @param {number} system @param {"a" | "b"} side */
  side(system, side) {
    const { app } = this;
    const { segment, model, data } = app;
    const box = h("div", { class: `text ${side}` });
    const outcome = h("p", { class: "outcome", role: "status" });
    const words = h("div", { class: "tokens", role: "listbox", "aria-orientation": "horizontal", "aria-label": `Tokens of ${side.toUpperCase()}, ${data.systems[system]}`, dir: "auto" });
    const state = { system, side, words, outcome, field: /** @type {any} */ (null), analyzed: /** @type {any} */ (null), counts: /** @type {any} */ (null) };
    this.sides.push(state);
    const point = (/** @type {Event} */ event) => {
      const token = /** @type {any} */ (state).elements?.indexOf(event.target) ?? -1;
      if (token >= 0) this.point(state, token, 0);
    };
    words.addEventListener("mouseover", point);
    words.addEventListener("focusin", point);
    words.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => this.walk(state, event));
    const original = asText(app.unedited.texts.at(segment).systems[system]);
    const isEdited = Boolean(model.edits.get(system)?.has(segment));
    const field = h("textarea", {
      id: `edit-${side}`,
      rows: 3,
      dir: "auto",
      spellcheck: "false",
      value: this.output(system),
      oninput: (/** @type {any} */ { target }) => app.edit(system, segment, target.value === original ? null : target.value),
    });
    state.field = field;
    const editing = h("label", { class: "editing", hidden: !isEdited }, h("span", {}, `Another output for ${side.toUpperCase()}`), field);
    const toggle = h(
      "button",
      {
        id: `toggle-${side}`,
        "aria-expanded": String(isEdited),
        onclick: () => {
          editing.hidden = !editing.hidden;
          toggle.setAttribute("aria-expanded", String(!editing.hidden));
          toggle.textContent = editing.hidden ? "Edit" : "Undo the edit";
          if (!editing.hidden) field.focus();
          else if (field.value !== original) app.edit(system, segment, null);
        },
      },
      isEdited ? "Undo the edit" : "Edit",
    );
    box.append(
      h("div", { class: "heading" }, h("h3", {}, data.systems.length > 1 && h("span", { class: `badge ${side}` }, side.toUpperCase()), h("bdi", {}, ` ${visible(data.systems[system])}`)), model.canEdit && toggle),
      words,
      editing,
      outcome,
    );
    this.count(state);
    return box;
  }

  /** Count the current text of a side, and show the result. @param {any} state */
  count(state) {
    const { app } = this;
    const { segment, model, sentenceDigits, digits } = app;
    state.counts = row(model.rows[state.system], segment);
    if (!model.counts) {
      const text = model.texts.at(segment);
      const words = text.tokens?.systems[state.system] ?? [asText(text.systems[state.system])];
      state.elements = words.slice(0, MOST_TOKENS).map((/** @type {string} */ word) => h("span", { class: "token" }, word));
      replace(state.words, state.elements.flatMap((/** @type {any} */ token) => [token, " "]));
      state.words.removeAttribute("role");
      state.outcome.textContent = `${notKnown(model)}: matches are not marked.`;
      return;
    }
    state.analyzed = model.analyzed(segment, state.system);
    this.tokens(state);
    if (!model.scores) {
      replace(state.outcome);
      return;
    }
    const own = score(model.sentence, state.counts);
    const parts = [h("strong", {}, fixed(own.value, sentenceDigits)), " as a sentence"];
    const edits = model.edits.get(state.system);
    if (edits?.has(segment)) {
      const { unedited } = app;
      const [before, corpus, old] = [row(unedited.rows[state.system], segment), model.score(state.system).value, unedited.score(state.system).value];
      const all = edits.size > 1 ? ` with all ${edits.size} edits` : "";
      parts.push(`, ${signed(own.value - score(model.sentence, before).value, sentenceDigits)}; the corpus `, h("strong", {}, fixed(corpus, digits + 2)), `, ${signed(corpus - old, digits + 2)}${all}`);
    } else if (!this.agrees(state)) {
      parts.push("; the report counted other tokens, because it was made with another version of Unicode than that of this browser");
    }
    replace(state.outcome, ...parts);
  }

  /** Whether the page counts what the report has. @param {any} state */
  agrees(state) {
    const { model } = this.app;
    if (model.unknown.includes("reference_length")) return true;
    const found = counted(model.variant, state.analyzed);
    return found.length === state.counts.length && Array.from(found.matches).every((each, order) => each === state.counts.matches[order]);
  }

  /** @param {any} state */
  tokens(state) {
    const { words, orders } = state.analyzed;
    const { counter } = this.app.model.variant;
    const found = marks(orders, words.length, counter.name);
    state.marks = found;
    const searched = this.searched(words);
    const number = Math.min(words.length, MOST_TOKENS * this.times);
    const made = words.slice(0, number).map((/** @type {string} */ word, /** @type {number} */ place) =>
      h(
        "span",
        {
          role: "option",
          "aria-selected": "false",
          tabindex: place ? -1 : 0,
          class: `token ${found.clipped[place] ? "clipped" : `m${Math.min(found.longest[place], 4)}`}${searched.has(place) ? " searched" : ""}`,
        },
        word,
      ),
    );
    state.elements = made;
    if (!words.length) state.words.removeAttribute("role");
    else state.words.setAttribute("role", "listbox");
    replace(state.words, words.length ? made.flatMap((/** @type {any} */ token) => [token, " "]) : h("span", { class: "quiet" }, "no tokens"), number < words.length && this.more());
    if (state === this.sides[0]) this.drawReferences(null);
  }

  /** Return the places of the tokens that belong to the n-gram whose segments are shown. @param {string[]} words */
  searched(words) {
    const { gram: written } = this.app.state;
    const gram = written ? written.split("\t") : [];
    return new Set(starts(words, gram).flatMap((start) => gram.map((_, place) => start + place)));
  }

  /** @param {any} state @param {KeyboardEvent} event */
  walk(state, event) {
    const place = state.elements.indexOf(event.target);
    if (place < 0) return;
    const right = getComputedStyle(state.words).direction === "rtl" ? -1 : 1;
    const next = { ArrowRight: place + right, ArrowLeft: place - right, Home: 0, End: state.elements.length - 1 }[event.key];
    if (next !== undefined && state.elements[next]) {
      event.preventDefault();
      state.elements[place].tabIndex = -1;
      state.elements[next].tabIndex = 0;
      state.elements[next].focus();
    }
    const longer = { ArrowUp: 1, ArrowDown: -1 }[event.key];
    if (longer) {
      event.preventDefault();
      this.point(state, place, (state.order ?? 1) + longer);
    }
  }

  /**
   * Show the n-gram of an order at a token; order 0 stands for the longest that matches.
   * @param {any} state @param {number} place @param {number} wanted
   */
  point(state, place, wanted) {
    const { words, orders, references } = state.analyzed;
    const { longest } = state.marks;
    const order = Math.max(1, Math.min(wanted || longest[place] || 1, orders.length, words.length));
    const { places, counts, most, references: inReferences } = orders[order - 1];
    // The first n-gram of this order with the token that is in a reference.
    let start = Math.min(place, places.length - 1);
    for (let each = Math.max(0, place - order + 1); each <= Math.min(place, places.length - 1); each += 1) {
      if (most[places[each]] > 0) {
        start = each;
        break;
      }
    }
    state.order = order;
    const ngram = places[start];
    for (const side of this.sides) {
      side.elements?.forEach((/** @type {HTMLElement} */ element, /** @type {number} */ each) => {
        const within = side === state && each >= start && each < start + order;
        element.classList.toggle("pointed", within);
        element.setAttribute("aria-selected", String(within));
      });
    }
    this.drawReferences({ state, order, ngram });
    const times = references.map((/** @type {any} */ _, /** @type {number} */ number) => inReferences[number].reduce((/** @type {number} */ sum, /** @type {number} */ each) => sum + (each === ngram ? 1 : 0), 0));
    const counting = matched(orders[order - 1], this.app.model.variant.counter.name)[ngram];
    const gram = words.slice(start, start + order);
    const where = times.length === 1 ? `${times[0]} in the reference` : `${times.slice(0, -1).join(", ")} and ${times.at(-1)} in the references`;
    const clipped = counting < counts[ngram] && most[ngram] > 0 ? `, clipped to ${counting}` : counting ? `: ${counting === 1 ? "it is counted" : "all are counted"}` : ": no match";
    const find = () => this.app.choose({ gram: gram.join("\t"), has: "any", view: "segments", segment: "" });
    replace(
      this.about,
      h("q", { dir: "auto" }, gram.join(" ")),
      ` ${order}-gram, ${counts[ngram]} × in ${state.side.toUpperCase()}, ${where}${clipped}. `,
      h("button", { id: "find", onclick: find }, "Find segments with it"),
    );
  }

  /** @param {{state: any, order: number, ngram: number} | null} pointed */
  drawReferences(pointed) {
    if (!this.references) return;
    const { model, segment } = this.app;
    const state = pointed?.state ?? this.sides[0];
    const texts = state?.analyzed?.references ?? model.texts.at(segment).references.map((/** @type {any} */ text) => [asText(text)]);
    replace(
      this.references,
      ...texts.map((/** @type {string[]} */ words, /** @type {number} */ number) => {
        const [lit, searched] = [new Set(), this.searched(words)];
        if (pointed) {
          state.analyzed.orders[pointed.order - 1].references[number].forEach((/** @type {number} */ ngram, /** @type {number} */ start) => {
            if (ngram === pointed.ngram) for (let each = 0; each < pointed.order; each += 1) lit.add(start + each);
          });
        }
        const most = Math.min(words.length, MOST_TOKENS * this.times);
        const made = words.slice(0, most).flatMap((word, place) => [h("span", { class: `token${lit.has(place) ? " pointed" : ""}${searched.has(place) ? " searched" : ""}` }, word), " "]);
        const title = texts.length > 1 ? `Reference ${number + 1}` : "Reference";
        return h("div", { class: "text" }, h("h3", {}, title), h("p", { class: "tokens", dir: "auto" }, made, most < words.length && this.more()));
      }),
    );
  }

  /** @returns {HTMLElement} */
  table() {
    const { app } = this;
    const { model, segment, sentenceDigits } = app;
    const { sides } = this;
    const orders = Array.from({ length: model.orders }, (_, order) => order);
    const scored = sides.map(({ counts }) => (model.scores ? score(model.sentence, counts) : null));
    const rows = orders.map((order) => [
      `${order + 1}-grams`,
      ...sides.flatMap(({ counts }, side) => [`${counts.matches[order]} / ${counts.totals[order]}`, fixed(scored[side] ? 100 * scored[side].precisions[order] : null, 2)]),
    ]);
    rows.push(["length", ...sides.flatMap(({ counts }) => [`${counts.length}`, ""])]);
    rows.push(["reference length", ...sides.flatMap(({ counts }) => [`${Math.round(counts.reference * 1000) / 1000}`, ""])]);
    if (model.scores) {
      rows.push(["brevity penalty", ...scored.flatMap((each) => [fixed(each?.penalty, 4), ""])]);
      rows.push(["BLEU of the sentence", ...scored.flatMap((each) => [fixed(each?.value, sentenceDigits + 2), ""])]);
    } else {
      rows.push(["BLEU of the sentence", ...sides.flatMap(({ system }) => [fixed(model.sentences(system)[segment], sentenceDigits + 2), ""])]);
    }
    const head = ["", ...sides.flatMap(({ side }) => [`${side.toUpperCase()}, matched`, "precision, %"])];
    this.counts = h(
      "div",
      { class: "counts" },
      table("What is counted", head, rows, { numbers: head.map((_, column) => column).slice(1) }),
      ...scored.map((each, side) => each && h("p", { class: "formula" }, h("span", { class: `badge ${sides[side].side}` }, sides[side].side.toUpperCase()), " ", formula(model.sentence, each, sentenceDigits))),
    );
    return this.counts;
  }
}

/**
 * The formula with its numbers.
 * @param {import("./bleu/bleu.js").Variant} variant @param {import("./bleu/bleu.js").Score} found @param {number} digits
 */
function formula(variant, found, digits) {
  const weights = effectiveWeights(variant, found.precisions);
  const terms = weights.flatMap((weight, order) => {
    if (!weight) return [];
    const p = found.precisions[order];
    return [[order ? " · " : "", `${fixed(p, 4)}`, h("sup", {}, `${Math.round(weight * 1000) / 1000}`)]];
  });
  const penalty = writtenPenalty(variant, found);
  return [`${variant.scale === 1 ? "" : `${variant.scale} · `}${penalty} · `, ...terms, ` = ${fixed(found.value, digits + 2)}`];
}

