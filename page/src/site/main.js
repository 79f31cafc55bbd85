/**
 * The parts of the documentation that compute: the element says which, and its script element holds the variants. For
 * the console, `bleukit` is the page's own BLEU.
 */
import { corpus } from "../bleu/bleu.js";
import { h } from "../dom.js";
import { differences } from "./differences.js";
import { play } from "./play.js";
import { Variants } from "./variants.js";
import { which } from "./which.js";

/** @type {Record<string, (place: HTMLElement, variants: Variants) => void>} */
const PARTS = { play, which, differences };

for (const place of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-bleukit]"))) {
  const data = JSON.parse(place.querySelector("script")?.textContent ?? "");
  try {
    const variants = new Variants(data);
    Object.assign(globalThis, { bleukit: { corpus, variants, known: variants.known } });
    PARTS[place.dataset.bleukit ?? ""](place, variants);
  } catch (error) {
    place.replaceChildren(h("p", { class: "error", role: "alert" }, `This part cannot be shown: ${/** @type {Error} */ (error).message}`));
    throw error;
  }
}
