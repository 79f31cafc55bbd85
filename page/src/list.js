/** A list of any length, with elements only for the visible rows and some around them. */
import { h } from "./dom.js";

/** The height of a row and of the head, as in style.css. */
export const HEIGHT = 44;
const HEAD = 34;

/** The number of rows before and after the visible ones. */
const AROUND = 12;

/**
 * A grid with one row per segment. `fill(row, segment)` writes a row; `choose(place)` is called for the chosen one.
 */
export class List {
  /**
   * @param {string} label @param {string[]} head
   * @param {(row: HTMLElement, segment: number) => void} fill @param {(segment: number) => void} choose
   */
  constructor(label, head, fill, choose) {
    this.fill = fill;
    this.choose = choose;
    /** @type {Uint32Array} */
    this.segments = new Uint32Array();
    this.chosen = -1;
    this.space = h("div", { class: "space", role: "rowgroup" });
    const cells = head.map((text) => h("span", { role: "columnheader" }, text));
    const header = h("div", { class: "row head", role: "row", "aria-rowindex": 1 }, ...cells);
    this.element = h(
      "div",
      { class: "list", role: "grid", "aria-label": label, tabindex: 0, id: "list" },
      h("div", { class: "heads", role: "rowgroup" }, header),
      this.space,
    );
    this.columns = head.length;
    /** @type {HTMLElement[]} */
    this.rows = [];
    this.element.addEventListener("scroll", () => this.draw());
    this.element.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => this.key(event));
    new ResizeObserver(() => this.draw()).observe(this.element);
  }

  /** @param {Uint32Array} segments @param {number} chosen */
  show(segments, chosen) {
    this.segments = segments;
    this.chosen = chosen;
    this.element.setAttribute("aria-rowcount", String(segments.length + 1));
    this.space.style.height = `${segments.length * HEIGHT}px`;
    for (const row of this.rows) row.dataset.segment = "";
    this.draw();
  }

  /** Write all rows again, when their texts have arrived. */
  refresh() {
    for (const row of this.rows) row.dataset.segment = "";
    this.draw();
  }

  /** The visible part of the list below its head. */
  get height() {
    return this.element.clientHeight - HEAD;
  }

  draw() {
    const seen = Math.ceil(this.height / HEIGHT) + 2 * AROUND;
    while (this.rows.length < Math.min(seen, this.segments.length)) this.rows.push(this.made());
    const first = Math.max(0, Math.min(Math.floor(this.element.scrollTop / HEIGHT) - AROUND, this.segments.length - this.rows.length));
    const number = this.rows.length;
    for (let place = first; place < first + number; place += 1) {
      const row = this.rows[place % number];
      const segment = this.segments[place];
      row.hidden = place >= this.segments.length;
      if (row.hidden) continue;
      const isChosen = segment === this.chosen;
      if (row.dataset.segment !== `${segment}` || row.dataset.place !== `${place}`) {
        row.dataset.segment = `${segment}`;
        row.dataset.place = `${place}`;
        row.style.transform = `translateY(${place * HEIGHT}px)`;
        row.setAttribute("aria-rowindex", `${place + 2}`);
        row.id = `row-${segment + 1}`;
        this.fill(row, segment);
      }
      row.setAttribute("aria-selected", String(isChosen));
    }
    if (document.getElementById(`row-${this.chosen + 1}`)) this.element.setAttribute("aria-activedescendant", `row-${this.chosen + 1}`);
    else this.element.removeAttribute("aria-activedescendant");
  }

  made() {
    const cells = Array.from({ length: this.columns }, () => h("span", { role: "gridcell" }));
    const row = h("div", { class: "row", role: "row" }, ...cells);
    row.addEventListener("click", () => this.choose(Number(row.dataset.segment)));
    this.space.append(row);
    return row;
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const page = Math.max(1, Math.floor(this.height / HEIGHT) - 1);
    const last = this.segments.length - 1;
    const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -last, End: last };
    const step = /** @type {Record<string, number>} */ (steps)[event.key];
    if (step === undefined || last < 0) return;
    event.preventDefault();
    const now = this.segments.indexOf(this.chosen);
    const next = now < 0 ? 0 : Math.max(0, Math.min(last, now + step));
    this.reveal(next);
    this.choose(this.segments[next]);
  }

  /** Scroll until a place is visible. @param {number} place */
  reveal(place) {
    const top = place * HEIGHT;
    const { scrollTop } = this.element;
    if (top < scrollTop) this.element.scrollTop = top;
    else if (top + HEIGHT > scrollTop + this.height) this.element.scrollTop = top + HEIGHT - this.height;
  }
}
