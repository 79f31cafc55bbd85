/** Which variants give a published score. */
import { h, replace } from "./dom.js";
import { whole } from "./numbers.js";

/** The number of named variants that are listed. */
const SHOWN = 12;

/** @param {any} data @param {HTMLElement} place */
export function identification(data, place) {
  const { groups, closest, otherwise } = data;
  const lead = groups.length
    ? `${whole(data.found)} of ${whole(data.tried)} variants give ${data.figure}, ${data.scores > 1 ? `${whole(data.scores)} different scores` : "all with the same score"} on this text.`
    : `None of ${whole(data.tried)} variants gives ${data.figure}${otherwise.length ? " from the counts of this text. But:" : ". The closest:"}`;
  const left = Object.entries(data.left_out);
  replace(
    place,
    h("header", {}, h("h1", {}, data.title)),
    h(
      "main",
      {},
      h("p", { class: "lead" }, lead),
      groups.length > 1 && data.decimals !== null && h("p", { class: "quiet" }, `${data.decimals} decimals would distinguish the first score from all others.`),
      groups.map(group),
      otherwise.length > 0 && h("ul", {}, otherwise.map((/** @type {any} */ other) => h("li", {}, other.text, h("span", { class: "quiet" }, ` (${other.value})`)))),
      !groups.length && !otherwise.length && h("section", {}, h("h2", {}, closest.value), candidate(closest)),
      data.scores > groups.length && groups.length > 0 && h("p", { class: "quiet" }, `${whole(data.scores - groups.length)} more scores are not listed.`),
      left.length > 0 && h("details", {}, h("summary", {}, `${left.length} variants or components were not tried`), h("ul", {}, left.map(([name, why]) => h("li", {}, `${name}: ${why}`)))),
    ),
    h("footer", {}, `bleukit ${data.version}`),
  );
}

/** @param {any} found @param {number} place */
function group(found, place) {
  const others = found.number - found.named.length - found.mixtures.length;
  return h(
    "section",
    { class: "same" },
    h("h2", {}, `${found.value}`, h("span", { class: "quiet" }, ` of ${found.scale}, ${whole(found.number)} variant${found.number === 1 ? "" : "s"}`)),
    found.possible.length > 0 && found.number > 1 && h("p", {}, `All have: ${found.possible.join("; ")}.`),
    found.named.length > 0 && h("ul", { class: "named" }, found.named.slice(0, SHOWN).map((/** @type {any} */ each) => h("li", {}, candidate(each)))),
    found.named.length > SHOWN && h("p", { class: "quiet" }, `${found.named.length - SHOWN} more named variants`),
    found.mixtures.length > 0 &&
      h("details", { open: !place && !found.named.length }, h("summary", {}, "Mixtures of components"), h("ul", {}, found.mixtures.map((/** @type {any} */ each) => h("li", {}, candidate(each)))), others > 0 && h("p", { class: "quiet" }, `and ${whole(others)} more`)),
  );
}

/** @param {{text: string, variant: string, command: string | null}} found */
function candidate({ text, variant, command }) {
  return h("details", { class: "candidate" }, h("summary", {}, text), h("pre", {}, h("code", {}, variant.trimEnd())), command && h("pre", {}, h("code", {}, command)));
}
