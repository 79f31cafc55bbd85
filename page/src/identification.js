/** How a published score was computed: the answers, the likeliest first. */
import { h, replace } from "./dom.js";
import { whole } from "./numbers.js";

/** The number of answers that are open, and of procedures with the same score that are listed. */
const OPEN = 1;
const LISTED = 25;

/** @typedef {{words: string, bits: number, python: string, command: string | null}} Procedure */
/** @typedef {{value: number, posterior: number, by_chance: number, same_score: Procedure[]}} Answer */

/** @param {any} data @param {HTMLElement} place */
export function identification(data, place) {
  const left = Object.entries(data.left_out);
  replace(
    place,
    h("header", {}, h("h1", {}, data.title)),
    h(
      "main",
      {},
      h("p", { class: "lead" }, `${data.figure}: ${data.summary}.`),
      data.answers.map(answer),
      !data.answers.length && data.closest && h("section", { class: "same" }, h("h2", {}, `The closest score: ${data.closest.value}`), h("p", {}, data.closest.same_score[0].words)),
      h("p", {}, h("strong", {}, percent(data.nothing)), " none of these"),
      data.notes.map((/** @type {string} */ note) => h("p", { class: "quiet" }, note)),
      left.length > 0 && h("details", {}, h("summary", {}, `${left.length} variants or components were not tried`), h("ul", {}, left.map(([name, why]) => h("li", {}, `${name}: ${why}`)))),
    ),
    h("footer", {}, `bleukit ${data.version}`),
  );
}

/** @param {number} share */
export function percent(share) {
  return `${(100 * share).toFixed(0)} %`;
}

/** @param {Answer} found @param {number} place */
function answer({ value, posterior, same_score }, place) {
  const [first, ...others] = same_score;
  const listed = others.slice(0, LISTED);
  return h(
    "section",
    { class: "same" },
    h("h2", {}, `${percent(posterior)} `, h("span", {}, first.words), h("span", { class: "quiet" }, ` ${value}`)),
    h("details", { open: place < OPEN }, h("summary", {}, "To reproduce it"), h("pre", {}, h("code", {}, first.command ?? first.python))),
    listed.length > 0 &&
      h("details", {}, h("summary", {}, `${whole(others.length)} with the same score on this text`), h("ul", {}, listed.map((each) => h("li", {}, each.words))), others.length > listed.length && h("p", { class: "quiet" }, `and ${whole(others.length - listed.length)} more`)),
  );
}
