/** What the reader gives: texts, numbers and variants; it stands in the address, so that it can be sent. */
import { h, replace } from "../dom.js";

/** @typedef {import("./variants.js").Text} Text */
/** @typedef {Record<string, string>} Given */

/** The names of the fields that hold text, one segment per line. */
const TEXTS = /** @type {const} */ ({ h: "Hypothesis", r: "Reference", s: "Second reference (may be empty)" });

/** How long an address may become: longer texts stay out of it. */
const LONGEST = 6000;

/** @param {Given} defaults @returns {Given} what the address gives, and the defaults for the rest */
export function given(defaults) {
  const address = new URLSearchParams(location.hash.slice(1));
  return Object.fromEntries(Object.entries(defaults).map(([key, value]) => [key, address.get(key) ?? value]));
}

/** @param {Given} values @param {Given} defaults put what was given into the address, unless it is too long */
export function keep(values, defaults) {
  const changed = Object.entries(values).filter(([key, value]) => value !== defaults[key]);
  const address = `#${new URLSearchParams(changed)}`;
  if (address.length <= LONGEST) history.replaceState(null, "", address);
  return address.length <= LONGEST;
}

/**
 * Return the fields of a text; each takes a file, too, which the browser reads and keeps.
 * @param {Given} values @param {(key: string, value: string) => void} change
 */
export function textFields(values, change) {
  return h(
    "div",
    { class: "texts" },
    Object.entries(TEXTS).map(([key, label]) => {
      const area = h("textarea", { id: `field-${key}`, rows: 5, dir: "auto", spellcheck: "false", value: values[key], oninput: () => change(key, area.value) });
      const open = async () => {
        const [file] = chooser.files;
        if (!file) return;
        area.value = await file.text();
        change(key, area.value);
      };
      const chooser = h("input", { type: "file", "aria-label": `${label}: a file`, onchange: open });
      return h("div", { class: "text" }, h("label", { for: `field-${key}` }, label), area, chooser);
    }),
  );
}

/** @param {string} text @returns {string[]} its lines, of which the last may end in a line feed or not */
function lines(text) {
  const all = text.replaceAll("\r\n", "\n").split("\n");
  return all.at(-1) === "" ? all.slice(0, -1) : all;
}

/** @param {Given} values @returns {Text} Throws if the texts do not fit together. */
export function textOf(values) {
  const [hypotheses, ...sets] = [values.h, values.r, values.s].map(lines);
  const references = sets.filter((set, place) => !place || set.length);
  for (const set of references) {
    if (set.length !== hypotheses.length) throw new Error(`The hypothesis has ${hypotheses.length} lines, and a reference ${set.length}: each line is one segment.`);
  }
  if (!hypotheses.length) throw new Error("Give a hypothesis and a reference.");
  return { hypotheses, references: hypotheses.map((_, segment) => references.map((set) => set[segment])) };
}

/** @param {Text} text @returns {Given} the fields that hold it */
export function fieldsOf({ hypotheses, references }) {
  const set = (/** @type {number} */ place) => references.map((group) => group[place] ?? "").join("\n");
  return { h: hypotheses.join("\n"), r: set(0), s: references[0].length > 1 ? set(1) : "" };
}

/**
 * @param {string} key @param {string} label @param {Record<string, string[]>} groups the names by their titles
 * @param {string} chosen @param {(key: string, value: string) => void} change
 */
export function choice(key, label, groups, chosen, change) {
  const made = h(
    "select",
    { id: `choose-${key}`, onchange: () => change(key, made.value) },
    Object.entries(groups).map(([title, names]) => (title ? h("optgroup", { label: title }, names.map(option)) : names.map(option))),
  );
  made.value = chosen;
  return h("div", { class: "choice" }, h("label", { for: `choose-${key}` }, label), made);
}

/** @param {string} name */
function option(name) {
  return h("option", { value: name }, name || "none");
}

/** @param {import("./variants.js").Variants} variants @returns {Record<string, string[]>} */
function byField(variants) {
  /** @type {Record<string, string[]>} */
  const groups = {};
  for (const name of variants.names) (groups[variants.named[name].field || "Others"] ??= []).push(name);
  return groups;
}

/** @param {string} name */
export function variantLink(name) {
  return h("a", { href: `variants/${name}.html` }, h("code", {}, name));
}

export const PRIVATE = "Texts and files do not leave the browser: only this page reads them.";

/** A part about two variants, `v` and `w`, on a text: its fields, and a result that follows them. */
export class Part {
  /**
   * @param {import("./variants.js").Variants} variants @param {Given} defaults
   * @param {(variants: import("./variants.js").Variants, values: Given, change: (key: string, value: string) => void) => any} shown
   */
  constructor(variants, defaults, shown) {
    this.variants = variants;
    this.defaults = defaults;
    this.values = given(defaults);
    for (const key of ["v", "w"]) if (this.values[key] && !variants.names.includes(this.values[key])) this.values[key] = defaults[key];
    this.result = h("div", { class: "result" });
    const update = () => {
      const isKept = keep(this.values, defaults);
      replace(this.result, !isKept && h("p", { class: "note" }, "The text is too long for the URL, which has only your other choices."), shown(variants, this.values, this.change));
    };
    /** @param {string} key @param {string} value */
    this.change = (key, value) => {
      this.values[key] = value;
      update();
    };
    update();
  }

  /** @param {{v: string, w: string}} labels the fields in which the variants are chosen; one without a default may be none */
  choices(labels) {
    const groups = byField(this.variants);
    const made = Object.entries(labels).map(([key, label]) => choice(key, label, this.defaults[key] === "" ? { "": [""], ...groups } : groups, this.values[key], this.change));
    return h("div", { class: "choices" }, made);
  }

  texts() {
    return textFields(this.values, this.change);
  }

  privacy() {
    return h("p", { class: "note" }, PRIVATE);
  }
}
