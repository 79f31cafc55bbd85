/** Bars and intervals in the rows of a table, with the scale that they share in its head. */
import { axisTop } from "d3-axis";
import { scaleLinear } from "d3-scale";
import { select } from "d3-selection";
import { h } from "./dom.js";

/** The sizes in pixels: of a bar, of the room for the first and last label of the scale, and of the scale. */
const WIDTH = 104;
const ROOM = 18;
const HEIGHT = 16;
const AXIS = 20;

export class Bars {
  /**
   * @param {number} least @param {number} most what the scale holds; bars of other values end at its ends
   * @param {{width?: number, ticks?: number, sign?: string}} [how]
   */
  constructor(least, most, { width = WIDTH, ticks = 2, sign = "+" } = {}) {
    this.width = width;
    this.ticks = ticks;
    this.sign = sign;
    const ends = [ROOM, width - ROOM];
    this.scale = scaleLinear([least, most === least ? least + 1 : most], ends).clamp(true).nice(2 * ticks);
  }

  /** Bars from the middle: to the right what is above 0, to the left what is below. @param {number} largest */
  static around(largest) {
    return new Bars(-largest, largest);
  }

  /** The scale, for the head of the column. */
  head() {
    const { scale, width, ticks, sign } = this;
    const [least, most] = scale.domain();
    const around = least < 0 && -least === most;
    const values = around ? [least, 0, most] : scale.ticks(ticks);
    const format = scale.tickFormat(ticks, sign);
    const written = (/** @type {any} */ value) => (value ? format(value) : "0");
    const axis = axisTop(scale).tickValues(values).tickFormat(written).tickSizeOuter(0).tickSizeInner(4).tickPadding(2);
    const drawn = h("g", { transform: `translate(0 ${AXIS - 1})` });
    select(drawn).call(axis);
    const label = `scale from ${written(values[0])} to ${written(values[values.length - 1])}`;
    return h("svg", { class: "scale", viewBox: `0 0 ${width} ${AXIS}`, width, height: AXIS, role: "img", "aria-label": label }, drawn);
  }

  /** A bar from 0, for A if it goes to the right, for B if to the left, or for one of them. @param {number} value @param {"a" | "b"} [side] */
  bar(value, side = value >= 0 ? "a" : "b") {
    const [zero, end] = [this.scale(0), this.scale(value)];
    return this.row(
      h("line", { class: "axis", x1: zero, x2: zero, y1: 0, y2: HEIGHT }),
      h("rect", { class: side, x: Math.min(zero, end), y: 3, width: Math.abs(end - zero), height: HEIGHT - 6, rx: 1 }),
    );
  }

  /** A value as a point in its interval. @param {number} value @param {{low: number, high: number} | null} interval @param {string} side */
  range(value, interval, side) {
    const { scale, width } = this;
    const middle = HEIGHT / 2;
    return this.row(
      h("line", { class: "axis", x1: ROOM, x2: width - ROOM, y1: middle, y2: middle }),
      h(
        "g",
        { class: side },
        interval && h("line", { class: "range", x1: scale(interval.low), x2: scale(interval.high), y1: middle, y2: middle }),
        h("circle", { cx: scale(value), cy: middle, r: 4 }),
      ),
    );
  }

  /** @param {...any} marks */
  row(...marks) {
    return h("svg", { class: "bar", viewBox: `0 0 ${this.width} ${HEIGHT}`, width: this.width, height: HEIGHT, "aria-hidden": "true" }, ...marks);
  }
}
