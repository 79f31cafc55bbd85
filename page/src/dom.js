/** Elements: their attributes and children; text is always text. */

const SVG = "http://www.w3.org/2000/svg";
const OF_SVG = new Set(["svg", "g", "line", "rect", "circle", "text", "path", "title"]);

/** @typedef {any} Child a node, text, a number, a list of these; nothing for null, undefined, false and "" */

/**
 * Return an element. `class`, `aria-…` and others are attributes, `onclick` and others listeners; true is an empty
 * attribute, and null, undefined and false are none.
 * @param {string} name @param {Record<string, any>} [attributes] @param {...Child} children
 * @returns {any}
 */
export function h(name, attributes = {}, ...children) {
  const element = OF_SVG.has(name) ? document.createElementNS(SVG, name) : document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (key === "value" || key === "checked") /** @type {any} */ (element)[key] = value;
    else element.setAttribute(key, value === true ? "" : String(value));
  }
  element.append(together(children));
  return element;
}

/** @param {Child[]} children however many: a call with each as an argument takes some ten thousand */
function together(children) {
  const made = document.createDocumentFragment();
  for (const child of children) {
    if (child === null || child === undefined || child === false) continue;
    made.append(Array.isArray(child) ? together(child) : child instanceof Node ? child : visible(String(child)));
  }
  return made;
}

const HIDDEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]/u;
const EACH_HIDDEN = new RegExp(HIDDEN.source, "gu");

/**
 * Return text with what cannot be seen, or would change the order of what can be, as U+XXXX.
 * @param {string} text
 */
export function visible(text) {
  if (!HIDDEN.test(text)) return text;
  return text.replace(EACH_HIDDEN, (sign) => `⟨U+${sign.codePointAt(0)?.toString(16).toUpperCase().padStart(4, "0")}⟩`);
}

/**
 * Put other children into an element; what had the focus, by its id, has it again.
 * @param {Element} element @param {...Child} children
 */
export function replace(element, ...children) {
  const focused = element.contains(document.activeElement) ? document.activeElement?.id : "";
  element.replaceChildren(together(children));
  if (focused) document.getElementById(focused)?.focus();
}

/**
 * @param {string} caption @param {Child[]} head @param {Child[][]} rows @param {{numbers?: number[], class?: string}} [how]
 */
export function table(caption, head, rows, how = {}) {
  const kind = (/** @type {number} */ column) => (how.numbers?.includes(column) ? "number" : null);
  return h(
    "div",
    { class: "scroll", tabindex: 0, role: "region", "aria-label": caption },
    h(
      "table",
      { class: how.class },
      h("caption", {}, caption),
      h("thead", {}, h("tr", {}, ...head.map((cell, column) => (cell === "" ? h("td", {}) : h("th", { scope: "col", class: kind(column) }, cell))))),
      h(
        "tbody",
        {},
        ...rows.map((row) =>
          h(
            "tr",
            {},
            ...row.map((cell, column) =>
              column ? h("td", { class: kind(column) }, cell) : h("th", { scope: "row", class: kind(column) }, cell),
            ),
          ),
        ),
      ),
    ),
  );
}

/**
 * @param {string} label @param {Record<string, any>} attributes @param {string[][]} options value and text
 * @param {string} chosen
 */
export function select(label, attributes, options, chosen) {
  const made = h("select", attributes, ...options.map(([value, text]) => h("option", { value }, text)));
  made.value = chosen;
  return h("label", { class: "field" }, h("span", {}, label), made);
}

/** @param {string} label @param {Record<string, any>} attributes */
export function input(label, attributes) {
  return h("label", { class: "field" }, h("span", {}, label), h("input", attributes));
}
