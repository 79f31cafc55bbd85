/** The overview: systems with their scores and intervals, pairs, groups of segments, the variant. */
import { Bars } from "./bars.js";
import { label } from "./chosen.js";
import { h, replace, select, table } from "./dom.js";
import { NOTES, notKnown } from "./notes.js";
import { fixed, interval, pValue, percentages, signed, whole } from "./numbers.js";
import { MOST_PARTS, influencesOf, members, shownOrder } from "./parts.js";
import { signature } from "./signature.js";
import { averages } from "./bleu/bleu.js";

/** The number of systems up to which their pairs are listed; pairs of more systems are shown as a matrix. */
const MOST_LISTED = 4;

/** @typedef {import("./app.js").App} App */

/** @param {App} app @param {HTMLElement} place */
export function overview(app, place) {
  replace(place, systems(app), app.data.systems.length > 1 && pairs(app), groups(app), variant(app));
}

/** @param {App} app */
function systems(app) {
  const { model, data, digits } = app;
  /** @type {any[]} */
  const order = data.systems
    .map((/** @type {string} */ name, /** @type {number} */ system) => ({ name, system, score: model.score(system), ends: model.interval(system) }))
    .sort((/** @type {any} */ one, /** @type {any} */ other) => other.score.value - one.score.value);
  const all = order.flatMap(({ score, ends }) => [score.value, ends?.low ?? score.value, ends?.high ?? score.value]);
  const bars = new Bars(Math.min(...all), Math.max(...all), { width: 280, ticks: 5, sign: "" });
  const places = Object.fromEntries(
    (data.comparison?.systems ?? []).map((/** @type {any} */ each) => [each.system, each]),
  );
  const isReported = model.isReported && !model.edits.size;
  const hasVerdict = isReported && Boolean(data.comparison) && data.systems.length > 1;
  const rows = order.map(({ name, system, score, ends }, place) => {
    const found = isReported ? places[name] : null;
    const rank = found ? (found.best_rank === found.worst_rank ? `${found.rank}` : `${found.best_rank}–${found.worst_rank}`) : `${place + 1}`;
    return [
      h("span", { class: "name" }, badge(app, system), h("bdi", {}, name), model.edits.has(system) && h("span", { class: "quiet" }, " (edited)")),
      rank,
      h("strong", {}, fixed(score.value, digits)),
      interval(ends, digits),
      bars.range(score.value, ends, app.sideOf(system)),
      percentages(score.precisions),
      fixed(score.penalty, 4),
      whole(score.length),
      whole(Math.round(score.reference * 100) / 100),
    ];
  });
  return h(
    "section",
    { "aria-labelledby": "systems" },
    h("h2", { id: "systems" }, "Systems"),
    hasVerdict && h("p", { class: "verdict" }, h("strong", {}, h("bdi", {}, data.comparison.verdict))),
    h("p", { class: "lead" }, sentence(app, hasVerdict)),
    hasVerdict && h("p", { class: "quiet" }, outlook(app)),
    table(
      "Scores",
      ["system", isReported ? "rank" : "place", "BLEU", app.level, bars.head(), "precisions, %", "brevity penalty", "length", "reference length"],
      rows,
      { numbers: [1, 2, 3, 6, 7, 8] },
    ),
    h("p", { class: "quiet" }, intervals(app)),
  );
}

/**
 * The result of the comparison, in a sentence: A is its subject, as A − B is the sign of all differences.
 * @param {App} app @param {boolean} hasVerdict whether a verdict stands above it, with the segments and p-values
 */
function sentence(app, hasVerdict) {
  const { data, a, b, model, digits } = app;
  const segments = `${whole(data.segments)} segment${data.segments === 1 ? "" : "s"}`;
  if (data.systems.length < 2 || a === b) return `${segments}.`;
  const { difference, p, named } = model.compared(a, b);
  const name = (/** @type {number} */ system) => h("strong", { class: app.sideOf(system) }, h("bdi", {}, data.systems[system]));
  if (!difference) return [name(a), " and ", name(b), ` score the same on ${segments}.`];
  const where = difference > 0 ? "above" : "below";
  if (hasVerdict) return [name(a), ` is ${fixed(Math.abs(difference), digits)} points of BLEU ${where} `, name(b), "."];
  const sure = p === null ? "" : ` (${named} = ${pValue(p)})`.replace("= <", "<");
  return [name(a), ` is ${fixed(Math.abs(difference), digits)} points of BLEU ${where} `, name(b), ` on ${segments}${sure}.`];
}

/** How often people agree with such a difference, and which difference a test set like this one detects. @param {App} app */
function outlook({ data, a, b, digits }) {
  const names = [data.systems[a], data.systems[b]];
  const pair = data.comparison.pairs.find((/** @type {any} */ each) => names.includes(each.first) && names.includes(each.second));
  const { agreement, detectable_difference: least } = pair ?? {};
  const share = (/** @type {number} */ number) => `${Math.round(100 * number)} %`;
  const people = agreement && `People preferred the same system in ${share(agreement)} of system pairs with such a difference (Kocmi et al. 2024); 50 % is no better than chance. `;
  return [people, least && `A test set like this one detects a difference of ${fixed(least, digits)} in ${share(data.comparison.power)} of cases.`];
}

/** What the intervals of the systems are. @param {App} app */
function intervals(app) {
  const { data, model } = app;
  const isComputed = !model.isReported || model.edits.size > 0;
  const which = model.isReported ? "The interval of an edited system is an approximation (delta method)." : "The intervals are approximations (delta method).";
  const notes = model.isReported ? (data.comparison?.notes ?? []).map((/** @type {string} */ note) => ` Note: ${note}.`) : [];
  return [isComputed && which, !isComputed && data.refused && `No intervals: ${data.refused}.`, ...notes];
}

/** @param {App} app @param {number} system */
export function badge(app, system) {
  const side = app.data.systems.length > 1 && app.sideOf(system);
  return side && h("span", { class: `badge ${side}` }, side.toUpperCase());
}

/** @param {App} app */
function pairs(app) {
  const { data, model } = app;
  const order = data.systems
    .map((/** @type {string} */ _, /** @type {number} */ system) => system)
    .sort((/** @type {number} */ one, /** @type {number} */ other) => model.score(other).value - model.score(one).value);
  return order.length > MOST_LISTED ? matrix(app, order) : listed(app, order);
}

/**
 * All pairs: the chosen one is A − B as everywhere; the others are the better system minus the other.
 * @param {App} app @param {number[]} order
 */
function listed(app, order) {
  const { data, model, digits, a, b } = app;
  const all = order.flatMap((one, place) => order.slice(place + 1).map((other) => [one, other]));
  const found = all.map(([one, other]) => (a === other && b === one ? [a, b] : [one, other])).map(([one, other]) => ({ one, other, ...model.compared(one, other) }));
  const rows = found.map(({ one, other, difference, low, high, p }) => {
    const isChosen = a === one && b === other;
    const name = (/** @type {number} */ system) => [isChosen && badge(app, system), h("bdi", {}, data.systems[system])];
    return [
      h("a", { href: app.href({ a: `${one + 1}`, b: `${other + 1}` }), "aria-current": isChosen ? "true" : null }, name(one), " − ", name(other)),
      signed(difference, digits),
      interval({ low, high }, digits),
      pValue(p),
      h("a", { href: app.href({ view: "segments", segment: "", a: `${one + 1}`, b: `${other + 1}` }) }, "segments"),
    ];
  });
  return pairsSection(app, table("Differences between two systems", ["pair", "difference", app.level, found[0].named, ""], rows, { numbers: [1, 3] }), found);
}

/**
 * All pairs as a matrix: the score of the system in the row minus that of the system in the column.
 * @param {App} app @param {number[]} order
 */
function matrix(app, order) {
  const { data, model, digits } = app;
  const alpha = 1 - data.level;
  const found = order.flatMap((one) => order.filter((other) => other !== one).map((other) => ({ one, other, ...model.compared(one, other) })));
  const cells = new Map(found.map((each) => [`${each.one} ${each.other}`, each]));
  const rows = order.map((one, place) => [
    `${place + 1} ${data.systems[one]}`,
    ...order.map((other) => {
      const cell = cells.get(`${one} ${other}`);
      if (!cell) return "";
      const isSure = cell.p !== null && cell.p < alpha;
      return h(
        "a",
        { href: app.href({ a: `${one + 1}`, b: `${other + 1}` }), class: isSure ? "sure" : "unsure", "aria-current": app.a === one && app.b === other ? "true" : null },
        signed(cell.difference, digits),
        cell.p !== null && h("span", { class: "p" }, `${cell.named} ${pValue(cell.p)}`),
      );
    }),
  ]);
  const head = ["system", ...order.map((_, column) => `minus ${column + 1}`)];
  const how = h("p", { class: "quiet" }, `The score of the system in the row minus the score of the system in the column; bold if ${found[0].named} < ${Math.round(alpha * 1000) / 1000}.`);
  return pairsSection(app, [how, table("Differences between all pairs", head, rows, { numbers: head.map((_, column) => column).slice(1), class: "matrix" })], found);
}

/** @param {App} app @param {any} content @param {import("./model.js").Compared[]} found */
function pairsSection(app, content, found) {
  const notes = [...new Set(found.map(({ note }) => note))].filter(Boolean);
  return h("section", { "aria-labelledby": "pairs" }, h("h2", { id: "pairs" }, "Pairs"), content, notes.map((note) => h("p", { class: "quiet" }, note)));
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
    const why = `${notKnown(model)}, so it has no scores of parts. bleukit compare --by has them.`;
    return h("section", {}, h("h2", {}, "Parts"), h("p", {}, why));
  }
  const parts = model.once(`parts ${kind}`, () => members(model, kind));
  const pair = data.systems.length > 1 && a !== b;
  const moves = model.once(`influences ${kind} ${a} ${b}`, () => influencesOf(model, a, b, parts));
  const order = shownOrder(kind, pair ? moves : null, parts);
  const bars = Bars.around(Math.max(...moves.map(Math.abs), 1e-9));
  /** @type {Set<string>} */
  const notes = new Set();
  const rows = order.slice(0, MOST_PARTS).map((group) => {
    const found = model.compared(a, b, parts[group]);
    notes.add(found.note);
    const link = h("a", { href: app.href({ view: "segments", segment: "", [kind]: `${group + 1}` }) }, names[group]);
    const start = [link, whole(found.segments), fixed(found.first, digits)];
    if (!pair) return start;
    return [...start, fixed(found.second, digits), signed(found.difference, digits), interval(found, digits), pValue(found.p), signed(moves[group], digits), bars.bar(moves[group])];
  });
  const head = pair ? [kind, "segments", "A", "B", "A − B", app.level, "p", "influence on A − B", bars.head()] : [kind, "segments", "BLEU"];
  const others = order.length - MOST_PARTS;
  const isMixed = notes.has(NOTES.exact) && notes.has(NOTES.delta);
  const said = isMixed ? [NOTES.mixed, ...[...notes].filter((note) => note !== NOTES.exact && note !== NOTES.delta)] : [...notes];

  return h(
    "section",
    { "aria-labelledby": "parts" },
    h("div", { class: "heading" }, h("h2", { id: "parts" }, "Parts"), choose),
    table(`Scores by ${kind}`, head, rows, { numbers: [1, 2, 3, 4, 6, 7] }),
    others > 0 && h("p", { class: "quiet" }, `${whole(others)} more, with less influence on the difference.`),
    pair && said.filter(Boolean).map((note) => h("p", { class: "quiet" }, note)),
  );
}

/** @param {App} app */
function variant(app) {
  const written = signature(app.data, app.model.levels);
  const copied = h("span", { role: "status", class: "quiet" });
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(written);
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
    h("p", { class: "signature" }, h("code", { id: "signature" }, written)),
    h("p", {}, h("button", { onclick: copy, id: "copy" }, "Copy the signature"), " ", copied),
  );
}

/** @param {App} app @returns {[string, string][]} */
function facts(app) {
  const { variant, sentence, levels } = app.model;
  const component = (/** @type {any} */ { name, options }) => {
    const given = Object.entries(options).map(([key, value_]) => `${key} ${value_}`);
    return given.length ? `${name} (${given.join(", ")})` : name;
  };
  const { weights } = variant;
  const isUniform = weights.every((weight) => weight === weights[0]);
  const isSame = (/** @type {any} */ key) => JSON.stringify(/** @type {any} */ (sentence)[key]) === JSON.stringify(/** @type {any} */ (variant)[key]);
  const different = [
    !isSame("smoothing") && `smoothing ${component(sentence.smoothing)}`,
    !isSame("brevity_penalty") && `brevity penalty ${component(sentence.brevity_penalty)}`,
    !isSame("weights") && `weights ${sentence.weights.join(", ")}`,
    !isSame("effective_order") && `effective order ${sentence.effective_order ? "yes" : "no"}`,
    !isSame("empty_score") && `empty score ${sentence.empty_score}`,
  ].filter(Boolean);
  return [
    ["variant", label(app.data, levels)],
    ["tokenizer", component(variant.tokenizer)],
    ["case", variant.lowercase === "ascii" ? "A to Z ignored" : variant.lowercase ? "ignored" : "kept"],
    ["counter", component(variant.counter)],
    ["reference length", component(variant.reference_length)],
    ["smoothing", component(variant.smoothing)],
    ["brevity penalty", component(variant.brevity_penalty)],
    ["n-grams", isUniform ? `up to ${weights.length}` : `weights ${weights.join(", ")}`],
    ["effective order", variant.effective_order ? "yes" : "no"],
    ["scale", `0 to ${variant.scale}`],
    ...(averages(variant) ? [/** @type {[string, string]} */ (["average", variant.average])] : []),
    ...(different.length ? [/** @type {[string, string]} */ (["single segments", different.join("; ")])] : []),
  ];
}
