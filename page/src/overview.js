/** The overview: systems with their scores and intervals, pairs, groups of segments, the variant. */
import { h, replace, select, table } from "./dom.js";
import { fixed, pValue, percentages, signed, whole } from "./numbers.js";
import { compared, sums } from "./statistics.js";
import { value } from "./bleu/bleu.js";

/** The number of groups that are shown. */
const MOST_GROUPS = 40;

/** The number of systems up to which their pairs are listed; pairs of more systems are shown as a matrix. */
const MOST_LISTED = 4;

/** @typedef {import("./app.js").App} App */

/** @param {App} app @param {HTMLElement} place */
export function overview(app, place) {
  const { model, data } = app;
  replace(place, systems(app), data.systems.length > 1 && pairs(app), groups(app), variant(app));
  place.classList.toggle("computed", !model.fromPython);
}

/** @param {App} app */
function systems(app) {
  const { model, data, digits } = app;
  /** @type {any[]} */
  const order = data.systems
    .map((/** @type {string} */ name, /** @type {number} */ system) => ({ name, system, score: model.score(system), interval: model.interval(system) }))
    .sort((/** @type {any} */ one, /** @type {any} */ other) => other.score.value - one.score.value);
  const ends = order.flatMap(({ score, interval }) => [score.value, interval?.low ?? score.value, interval?.high ?? score.value]);
  const [least, most] = [Math.min(...ends), Math.max(...ends)];
  const scale = (/** @type {number} */ each) => 4 + (232 * (each - least)) / (most - least || 1);
  const places = Object.fromEntries(
    (data.comparison?.systems ?? []).map((/** @type {any} */ each) => [each.system, each]),
  );
  const rows = order.map(({ name, system, score, interval }, place) => {
    const found = model.fromPython ? places[name] : null;
    const rank = found ? (found.best_rank === found.worst_rank ? `${found.rank}` : `${found.best_rank}–${found.worst_rank}`) : `${place + 1}`;
    return [
      h("span", { class: "name" }, badge(app, system), name),
      rank,
      h("strong", {}, fixed(score.value, digits)),
      interval ? `${fixed(interval.low, digits)} – ${fixed(interval.high, digits)}` : "–",
      drawn(score.value, interval, scale, app.sideOf(system), `${name}: ${fixed(score.value, digits)}`),
      percentages(score.precisions),
      fixed(score.penalty, 4),
      whole(score.length),
      whole(Math.round(score.reference * 100) / 100),
    ];
  });
  const level = `${Math.round(data.level * 1000) / 10} %`;
  return h(
    "section",
    { "aria-labelledby": "systems" },
    h("h2", { id: "systems" }, "Systems"),
    h("p", { class: "lead" }, sentence(app)),
    table(
      "Scores",
      ["system", model.fromPython ? "rank" : "place", "BLEU", `${level} interval`, "", "precisions, %", "brevity penalty", "length", "reference length"],
      rows,
      { numbers: [1, 2, 3, 6, 7, 8] },
    ),
    h("p", { class: "quiet" }, procedure(app)),
  );
}

/** The result of the comparison, in a sentence. @param {App} app */
function sentence(app) {
  const { data, a, b, model, digits } = app;
  if (data.systems.length < 2 || a === b) return `${whole(data.segments)} segments.`;
  const difference = model.score(a).value - model.score(b).value;
  const found = found_(app, a, b);
  const [better, worse] = difference >= 0 ? [a, b] : [b, a];
  const name = (/** @type {number} */ system) => h("strong", { class: app.sideOf(system) }, data.systems[system]);
  if (!difference) return [name(a), " and ", name(b), ` score the same on ${whole(data.segments)} segments.`];
  const sure = found.p === null ? "" : `, p = ${pValue(found.p)}`.replace("= <", "< ");
  return [name(better), ` is ${fixed(Math.abs(difference), digits)} points of BLEU above `, name(worse), ` on ${whole(data.segments)} segments${sure}.`];
}

/** @param {App} app */
function procedure(app) {
  const { data, model } = app;
  if (!model.fromPython) return "Computed in this page, with intervals and p-values by the delta method.";
  if (data.refused) return `No intervals and tests: ${data.refused}`;
  const { test, samples, interval_samples: resamples, seed, correction } = data.comparison;
  const notes = data.comparison.notes.map((/** @type {string} */ note) => ` Note: ${note}.`);
  return `Computed by Python: test ${test}${samples ? `, ${whole(samples)} samples, seed ${seed}` : ""}${resamples ? `; intervals from ${whole(resamples)} resamples` : ""}; p-values adjusted: ${correction}.${notes.join("")}`;
}

/** @param {App} app @param {number} system */
export function badge(app, system) {
  const side = app.sideOf(system);
  return side && h("span", { class: `badge ${side}` }, side.toUpperCase());
}

/**
 * @param {number} value @param {{low: number, high: number} | null} interval @param {(value: number) => number} scale
 * @param {string} side @param {string} label
 */
function drawn(value, interval, scale, side, label) {
  return h(
    "svg",
    { class: `interval ${side}`, viewBox: "0 0 240 16", width: 240, height: 16, role: "img", "aria-label": label },
    h("line", { class: "axis", x1: 0, x2: 240, y1: 8, y2: 8 }),
    interval && h("line", { class: "range", x1: scale(interval.low), x2: scale(interval.high), y1: 8, y2: 8 }),
    h("circle", { cx: scale(value), cy: 8, r: 4 }),
  );
}

/** @param {App} app @param {number} one @param {number} other the difference between two systems, and its p-value */
function found_(app, one, other) {
  const { data, model } = app;
  if (model.fromPython) {
    const [first, second] = [data.systems[one], data.systems[other]];
    for (const pair of data.comparison?.pairs ?? []) {
      if (pair.first === first && pair.second === second) return { difference: pair.difference, interval: pair.interval, p: pair.adjusted_p_value };
      if (pair.first === second && pair.second === first) {
        const interval = pair.interval && { low: -pair.interval.high, high: -pair.interval.low };
        return { difference: -pair.difference, interval, p: pair.adjusted_p_value };
      }
    }
    return { difference: model.score(one).value - model.score(other).value, interval: null, p: null };
  }
  const { difference, low, high, p } = model.compared(one, other, model.all);
  return { difference, interval: low === null ? null : { low, high }, p };
}

/** @param {App} app */
function pairs(app) {
  const { data, model, digits } = app;
  const order = data.systems
    .map((/** @type {string} */ _, /** @type {number} */ system) => system)
    .sort((/** @type {number} */ one, /** @type {number} */ other) => model.score(other).value - model.score(one).value);
  if (order.length > MOST_LISTED) return matrix(app, order);
  const rows = order.flatMap((/** @type {number} */ one, /** @type {number} */ place) =>
    order.slice(place + 1).map((/** @type {number} */ other) => {
      const { difference, interval, p } = found_(app, one, other);
      const chosen = (app.a === one && app.b === other) || (app.a === other && app.b === one);
      const half = interval ? ` ± ${fixed((interval.high - interval.low) / 2, digits)}` : "";
      return [
        h("a", { href: app.href({ a: `${one + 1}`, b: `${other + 1}` }), "aria-current": chosen ? "true" : null }, `${data.systems[one]} – ${data.systems[other]}`),
        `${signed(difference, digits)}${half}`,
        pValue(p),
        h("a", { href: app.href({ view: "segments", a: `${one + 1}`, b: `${other + 1}` }) }, "segments"),
      ];
    }),
  );
  return h(
    "section",
    { "aria-labelledby": "pairs" },
    h("h2", { id: "pairs" }, "Pairs"),
    table("Differences between two systems", ["pair", "difference", model.fromPython ? "p, adjusted" : "p", ""], rows, { numbers: [1, 2] }),
  );
}

/**
 * All pairs as a matrix: the score of the system in the row minus that of the system in the column.
 * @param {App} app @param {number[]} order
 */
function matrix(app, order) {
  const { data, digits } = app;
  const alpha = 1 - data.level;
  const rows = order.slice(0, -1).map((one, place) => [
    `${place + 1} ${data.systems[one]}`,
    ...order.slice(1).map((other, column) => {
      if (column < place) return "";
      const { difference, p } = found_(app, one, other);
      const chosen = app.a === one && app.b === other;
      const isSure = p !== null && p < alpha;
      return h(
        "a",
        { href: app.href({ a: `${one + 1}`, b: `${other + 1}` }), class: isSure ? "sure" : "unsure", "aria-current": chosen ? "true" : null },
        fixed(difference, digits),
        h("span", { class: "p" }, `p ${pValue(p)}`),
      );
    }),
  ]);
  const head = ["system", ...order.slice(1).map((_, column) => `above ${column + 2}`)];
  return h(
    "section",
    { "aria-labelledby": "pairs" },
    h("h2", { id: "pairs" }, "Pairs"),
    h("p", { class: "quiet" }, `The score of the system in the row minus that of the system in the column; bold if p < ${Math.round(alpha * 1000) / 1000}.`),
    table("Differences between all pairs", head, rows, { numbers: head.map((_, column) => column).slice(1), class: "matrix" }),
  );
}

/** @param {App} app */
function groups(app) {
  const { data, model, state, a, b, digits } = app;
  const kinds = Object.keys(data.groups);
  const kind = kinds.includes(state.group) ? state.group : kinds[0];
  const names = /** @type {string[]} */ (data.groups[kind]);
  const choose = select(
    "Scores by",
    { id: "group", onchange: (/** @type {any} */ event) => app.choose({ group: event.target.value }) },
    kinds.map((each) => [each, each]),
    kind,
  );
  if (!model.scores) {
    const why = `The page does not know this variant's ${model.unknown.join(" and ")}: scores of groups are computed only by Python.`;
    return h("section", {}, h("h2", {}, "Parts"), h("p", {}, why));
  }
  const members = model.once(`members ${kind}`, () => {
    /** @type {number[][]} */
    const found = names.map(() => []);
    for (const segment of model.all) found[model.columns[kind][segment]].push(segment);
    return found.map((segments) => Uint32Array.from(segments));
  });
  const pair = data.systems.length > 1 && a !== b;
  const all = [model.sums(a), model.sums(b)];
  const moves = members.map((/** @type {Uint32Array} */ subset) => {
    const [ours, theirs] = [a, b].map((system, side) => value(model.variant, lessen(all[side], sums(model.rows[system], subset))));
    return model.score(a).value - model.score(b).value - (ours - theirs);
  });
  const order = names.map((_, group) => group);
  if (kind !== "length" && pair) order.sort((one, other) => Math.abs(moves[other]) - Math.abs(moves[one]));
  const largest = Math.max(...moves.map(Math.abs), 1e-9);
  const rows = order.slice(0, MOST_GROUPS).map((group) => {
    const found = compared(model.variant, model.rows[a], model.rows[b], members[group], data.quantile);
    const link = h("a", { href: app.href({ view: "segments", [kind]: `${group + 1}` }) }, names[group]);
    const start = [link, whole(found.segments), fixed(found.first, digits)];
    if (!pair) return start;
    return [...start, fixed(found.second, digits), withInterval(found, digits), pValue(found.p), bar(moves[group], largest), signed(moves[group], digits)];
  });
  const head = pair ? [kind, "segments", "A", "B", "A − B", "p", "", "influence on the whole"] : [kind, "segments", "BLEU"];
  const others = order.length - MOST_GROUPS;
  return h(
    "section",
    { "aria-labelledby": "parts" },
    h("div", { class: "heading" }, h("h2", { id: "parts" }, "Parts"), choose),
    table(`Scores by ${kind}`, head, rows, { numbers: [1, 2, 3, 4, 5, 7] }),
    others > 0 && h("p", { class: "quiet" }, `${whole(others)} more, with less influence on the difference.`),
    h("p", { class: "quiet" }, "Intervals and p-values of groups are unadjusted and computed by the delta method; p-values are exact if at most 20 segments differ."),
  );
}

/** @param {any} whole_ @param {any} part */
function lessen(whole_, part) {
  const less = (/** @type {number[]} */ one, /** @type {number[]} */ other) => one.map((each, order) => each - other[order]);
  return {
    matches: less(whole_.matches, part.matches),
    totals: less(whole_.totals, part.totals),
    length: whole_.length - part.length,
    reference: whole_.reference - part.reference,
    tokens: whole_.tokens - part.tokens,
  };
}

/** @param {import("./statistics.js").Difference} found @param {number} digits */
export function withInterval(found, digits) {
  const half = found.low === null || found.high === null ? "" : ` ± ${fixed((found.high - found.low) / 2, digits)}`;
  return `${signed(found.difference, digits)}${half}`;
}

/** A bar to the right for A, to the left for B. @param {number} value @param {number} largest @param {number} [size] */
export function bar(value, largest, size = 80) {
  const middle = size / 2;
  const width = Math.min(middle, (middle * Math.abs(value)) / largest);
  return h(
    "svg",
    { class: "bar", viewBox: `0 0 ${size} 12`, width: size, height: 12, "aria-hidden": "true" },
    h("line", { class: "axis", x1: middle, x2: middle, y1: 0, y2: 12 }),
    h("rect", { class: value >= 0 ? "a" : "b", x: value >= 0 ? middle : middle - width, y: 2, width, height: 8, rx: 1 }),
  );
}

/** @param {App} app */
function variant(app) {
  const { data } = app;
  const { signature } = data.scores[0];
  const copied = h("span", { role: "status", class: "quiet" });
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(signature);
      copied.textContent = "copied";
    } catch {
      getSelection()?.selectAllChildren(/** @type {Node} */ (document.getElementById("signature")));
      copied.textContent = "selected: copy it with the keyboard";
    }
  };
  return h(
    "section",
    { "aria-labelledby": "variant" },
    h("h2", { id: "variant" }, "Variant"),
    h("dl", { class: "variant" }, ...facts(app).flatMap(([key, text]) => [h("dt", {}, key), h("dd", {}, text)])),
    h("p", { class: "signature" }, h("code", { id: "signature" }, signature)),
    h("p", {}, h("button", { onclick: copy, id: "copy" }, "Copy the signature"), " ", copied),
  );
}

/** @param {App} app @returns {[string, string][]} */
function facts(app) {
  const { variant } = app.model;
  const component = (/** @type {any} */ { name, options }) => {
    const given = Object.entries(options).map(([key, value_]) => `${key} ${value_}`);
    return given.length ? `${name} (${given.join(", ")})` : name;
  };
  const { weights } = variant;
  const isUniform = weights.every((weight) => weight === weights[0]);
  return [
    ["variant", app.model.fromPython ? app.data.label : `${app.data.label}, changed here`],
    ["tokenizer", component(variant.tokenizer)],
    ["case", variant.lowercase === "ascii" ? "A to Z ignored" : variant.lowercase ? "ignored" : "kept"],
    ["counter", component(variant.counter)],
    ["reference length", component(variant.reference_length)],
    ["smoothing", component(variant.smoothing)],
    ["n-grams", isUniform ? `up to ${weights.length}` : `weights ${weights.join(", ")}`],
    ["effective order", variant.effective_order ? "yes" : "no"],
    ["scale", `0 to ${variant.scale}`],
  ];
}
