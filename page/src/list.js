/** A list of any length, with elements only for the visible rows and some around them. */
import { h } from "./dom.js";

/** The number of rows before and after the visible ones. */
const AROUND = 12;

/** @typedef {{key: string, text: string, sorts?: boolean, beside?: HTMLElement}} Head a column, whether rows can be sorted by it, and what its head has, too */
/** @typedef {Record<string, HTMLElement>} Cells the cells of a row, by the keys of the columns */

/**
 * A grid with one row per segment. `fill(cells, segment)` writes a row, `choose(segment)` is called for the chosen one,
 * and `sort(key)` if the reader clicks the head of a column. The heights of rows and head are those of the style.
 */
export class List {
  /**
   * @param {string} label @param {Head[]} heads @param {(cells: Cells, segment: number) => void} fill
   * @param {(segment: number) => void} choose @param {(key: string) => void} sort
   */
  constructor(label, heads, fill, choose, sort) {
    this.fill = fill;
    this.choose = choose;
    this.heads = heads;
    /** @type {Uint32Array} */
    this.segments = new Uint32Array();
    this.chosen = -1;
    this.space = h("div", { class: "space", role: "rowgroup" });
    const cells = heads.map(({ key, text, sorts = true, beside }) =>
      h("span", { role: "columnheader", class: key, "data-key": sorts && key }, sorts ? h("button", { id: `sort-${key}`, onclick: () => sort(key) }, text) : text, beside),
    );
    this.header = h("div", { class: "row head", role: "row", "aria-rowindex": 1 }, ...cells);
    this.element = h(
      "div",
      { class: "list", role: "grid", "aria-label": label, tabindex: 0, id: "list" },
      h("div", { class: "heads", role: "rowgroup" }, this.header),
      this.space,
    );
    /** @type {{row: HTMLElement, cells: Cells}[]} */
    this.rows = [];
    /** The height of a row in pixels; 0 until there is one. */
    this.rowHeight = 0;
    this.element.addEventListener("scroll", () => this.draw());
    this.element.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => this.key(event));
    new ResizeObserver(() => this.measure()).observe(this.element);
  }

  /** @param {Uint32Array} segments @param {number} chosen */
  show(segments, chosen) {
    this.segments = segments;
    this.chosen = chosen;
    this.element.setAttribute("aria-rowcount", String(segments.length + 1));
    this.measure();
  }

  /** Say by which column the rows are sorted, if by one. @param {string} key @param {boolean} down */
  sorted(key, down) {
    for (const cell of this.header.querySelectorAll("[data-key]")) {
      cell.setAttribute("aria-sort", cell.dataset.key !== key ? "none" : down ? "descending" : "ascending");
    }
  }

  /** Find out how high rows are, which depends on the width of the list, and draw. */
  measure() {
    if (!this.element.clientHeight) return;
    if (!this.rows.length) this.rows.push(this.made());
    this.rows[0].row.hidden = false;
    this.rowHeight = this.rows[0].row.offsetHeight;
    this.refresh();
  }

  /** Write all rows again. */
  refresh() {
    this.space.style.height = `${this.segments.length * this.rowHeight}px`;
    for (const { row } of this.rows) row.dataset.segment = "";
    this.draw();
  }

  /** The visible part of the list below its head. */
  get height() {
    return this.element.clientHeight - this.header.offsetHeight;
  }

  draw() {
    if (!this.rowHeight) return;
    const seen = Math.ceil(this.height / this.rowHeight) + 2 * AROUND;
    while (this.rows.length < Math.min(seen, this.segments.length)) this.rows.push(this.made());
    const first = Math.max(0, Math.min(Math.floor(this.element.scrollTop / this.rowHeight) - AROUND, this.segments.length - this.rows.length));
    const number = this.rows.length;
    for (let place = first; place < first + number; place += 1) {
      const { row, cells } = this.rows[place % number];
      const segment = this.segments[place];
      row.hidden = place >= this.segments.length;
      if (row.hidden) continue;
      if (row.dataset.segment !== `${segment}` || row.dataset.place !== `${place}`) {
        row.dataset.segment = `${segment}`;
        row.dataset.place = `${place}`;
        row.style.transform = `translateY(${place * this.rowHeight}px)`;
        row.setAttribute("aria-rowindex", `${place + 2}`);
        row.id = `row-${segment + 1}`;
        this.fill(cells, segment);
      }
      row.setAttribute("aria-selected", String(segment === this.chosen));
    }
    if (document.getElementById(`row-${this.chosen + 1}`)) this.element.setAttribute("aria-activedescendant", `row-${this.chosen + 1}`);
    else this.element.removeAttribute("aria-activedescendant");
  }

  /** Write the row of a segment again, if there is one. @param {number} segment */
  again(segment) {
    for (const { row, cells } of this.rows) if (row.dataset.segment === `${segment}`) this.fill(cells, segment);
  }

  made() {
    const cells = Object.fromEntries(this.heads.map(({ key }) => [key, h("span", { role: "gridcell", class: key })]));
    const row = h("div", { class: "row", role: "row" }, ...Object.values(cells));
    row.addEventListener("click", () => this.choose(Number(row.dataset.segment)));
    this.space.append(row);
    return { row, cells };
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.target !== this.element) return;
    const page = Math.max(1, Math.floor(this.height / this.rowHeight) - 1);
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
    const top = place * this.rowHeight;
    const { scrollTop } = this.element;
    if (top < scrollTop) this.element.scrollTop = top;
    else if (top + this.rowHeight > scrollTop + this.height) this.element.scrollTop = top + this.rowHeight - this.height;
  }
}
