/** Why two variants score one text differently. */
import { Bars } from "./bars.js";
import { h, replace, table, visible } from "./dom.js";
import { fixed, signed } from "./numbers.js";

/** @param {any} data @param {HTMLElement} place */
export function explanation(data, place) {
  const names = data.first === data.second ? [`${data.first} (first)`, `${data.second} (second)`] : [data.first, data.second];
  const { difference, parts } = data;
  const bars = Bars.around(Math.max(...parts.map((/** @type {any} */ part) => Math.abs(part.points)), 1e-9));
  const rows = parts.map((/** @type {any} */ part) => [part.key, part.first, part.second, bars.bar(part.points), signed(part.points, 4)]);
  rows.push(["total", fixed(data.scores[0], 4), fixed(data.scores[1], 4), "", h("strong", {}, signed(difference, 4))]);
  const side = (/** @type {number} */ number) => (number ? "b" : "a");
  const name = (/** @type {number} */ number) => h("strong", { class: side(number) }, names[number]);
  const tokens = data.tokens.map((/** @type {Record<string, number>} */ made, /** @type {number} */ number) =>
    h("p", {}, name(number), ": ", Object.entries(made).length ? Object.entries(made).map(([token, times]) => [h("code", {}, token), ` ${times} × more  `]) : "none"),
  );
  replace(
    place,
    h("header", {}, h("h1", {}, data.title)),
    h(
      "main",
      {},
      h("p", { class: "lead" }, name(0), ` scores ${fixed(data.scores[0], 2)}, `, name(1), ` ${fixed(data.scores[1], 2)}: `, h("strong", {}, `${signed(difference, 2)} points`), ", divided among the keys in which the variants differ."),
      h(
        "section",
        {},
        h("h2", {}, "Differences between the variants"),
        table("Shares of the difference in points", ["key", names[0], names[1], bars.head(), "points"], rows, { numbers: [4] }),
        h("p", { class: "quiet" }, "The share of a key is the average change of the score when the key gets its value in the second variant, over all orders in which keys can be changed (Shapley value). The shares add up to the difference. Scores are 0 to 100."),
        !parts.length && h("p", {}, "The variants do not differ."),
      ),
      data.tokens.some((/** @type {any} */ made) => Object.keys(made).length) && h("section", {}, h("h2", {}, "Tokens that one tokenizer makes more often"), tokens),
      data.segments.length > 0 &&
        h(
          "section",
          {},
          h("h2", {}, "Segments that matter most"),
          h("p", { class: "quiet" }, `The points by which the score of ${names[0]} changes if only this segment is counted as ${names[1]} counts it. Underlined tokens match a reference; tokens with a continuous line are neighbours there.`),
          data.segments.map((/** @type {any} */ segment) => moved(segment, names)),
        ),
    ),
    h("footer", {}, `bleukit ${data.version}`),
  );
}

/** @param {any} segment @param {string[]} names */
function moved(segment, names) {
  const sides = [segment.first, segment.second].map((counted, number) =>
    h(
      "div",
      { class: `text ${number ? "b" : "a"}` },
      h("h3", {}, names[number]),
      h("p", { class: "tokens", dir: "auto" }, marked(counted)),
      h(
        "p",
        { class: "quiet" },
        `n-grams matched ${counted.matches.map((/** @type {number} */ match, /** @type {number} */ order) => `${match}/${counted.totals[order]}`).join(", ")}; length ${counted.tokens.length}, reference length ${counted.reference_length}`,
      ),
    ),
  );
  return h(
    "article",
    { class: "detail moved", "aria-label": `Segment ${segment.segment}` },
    h("h3", {}, `Segment ${segment.segment}: `, h("strong", {}, `${signed(segment.points, 4)} points`)),
    sides,
    segment.references.map((/** @type {string} */ text, /** @type {number} */ number) =>
      h("div", { class: "text" }, h("h3", {}, segment.references.length > 1 ? `Reference ${number + 1}` : "Reference"), h("p", { dir: "auto" }, text)),
    ),
  );
}

/** @param {{tokens: string[], matched: [number, number][]}} counted */
function marked({ tokens, matched }) {
  const made = [];
  let done = 0;
  for (const [start, stop] of [...matched, [tokens.length, tokens.length]]) {
    made.push(...tokens.slice(done, start).flatMap((token) => [h("span", { class: "token" }, token), " "]));
    if (stop > start) made.push(h("span", { class: `token m${Math.min(4, stop - start)}` }, visible(tokens.slice(start, stop).join(" "))), " ");
    done = stop;
  }
  return made;
}
