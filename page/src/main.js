/** What the page is: a report on systems, an explanation, or an identification. */
import { COMPONENTS, corpus, score } from "./bleu/bleu.js";
import { App } from "./app.js";
import { plain } from "./data.js";
import { h } from "./dom.js";
import { explanation } from "./explanation.js";
import { identification } from "./identification.js";

const place = /** @type {HTMLElement} */ (document.getElementById("app"));
const data = plain();
/** The page's own BLEU, for the console and the conformance suite. */
const bleukit = { corpus, score, components: COMPONENTS, data, app: /** @type {any} */ (null) };
Object.assign(globalThis, { bleukit });

async function start() {
  if (data.kind === "explanation") return explanation(data, place);
  if (data.kind === "identification") return identification(data, place);
  bleukit.app = new App(data, place);
  return bleukit.app.start();
}

start().catch((error) => {
  place.replaceChildren(h("p", { class: "error", role: "alert" }, `This page cannot be shown: ${error.message}`));
  throw error;
});
