/** Values of named parts, a row each: points of several series, in their intervals. */
import { scaleBand, scaleLinear } from "d3-scale";
import { h } from "../dom.js";
import { fixed } from "../numbers.js";
import { CHARACTER, MARGINS, framed, shortened } from "./frame.js";

/** The height of a row, and the number of characters of a name. */
const ROW = 24;
const MOST_NAME = 20;

/**
 * @typedef {{value: number, low?: number | null, high?: number | null}} Point
 * @typedef {{name: string, points: Point[]}} Part with a point of each series
 */

/**
 * @param {{title: string, note?: string, label: string, what: string, series: import("./frame.js").Series[], parts: Part[], digits: number, width: number}} of
 * `what` the parts are
 * @returns {import("./frame.js").Chart}
 */
export function points({ title, note = "", label, what, series, parts, digits, width }) {
  const names = parts.map(({ name }, place) => [`${place}`, shortened(name, MOST_NAME)]);
  const left = 16 + CHARACTER * Math.max(4, ...names.map(([, name]) => name.length));
  const margins = { ...MARGINS, left };
  const height = margins.top + margins.bottom + ROW * parts.length;
  const all = parts.flatMap((part) => part.points.flatMap(({ value, low, high }) => [value, low ?? value, high ?? value])).filter((value) => !Number.isNaN(value));
  const [least, most] = [Math.min(...all, Infinity), Math.max(...all, -Infinity)];
  const x = scaleLinear(least < most ? [least, most] : [Math.min(0, least), Math.max(least, 0) || 1], [left + 8, width - margins.right]).nice(6);
  const y = scaleBand(names.map(([key]) => key), [margins.top, height - margins.bottom]);
  const named = new Map(/** @type {[string, string][]} */ (names));
  const axis = Object.assign(y.copy(), { tickFormat: () => (/** @type {string} */ key) => named.get(key) ?? "" });
  const marks = parts.flatMap(({ points: ofPart }, place) => {
    const middle = /** @type {number} */ (y(`${place}`)) + y.bandwidth() / 2;
    const line = h("line", { x1: left, x2: width - margins.right, y1: middle, y2: middle, stroke: "currentColor", "stroke-opacity": 0.12 });
    return [line, ...ofPart.map((point, number) => mark(point, x, middle + (number - (ofPart.length - 1) / 2) * 8, series[number].colour))];
  });
  const ends = parts.some((part) => part.points.some(({ low }) => typeof low === "number"));
  const cells = (/** @type {Point} */ { value, low, high }) => [fixed(value, digits), ...(ends ? [typeof low === "number" ? `${fixed(low, digits)} to ${fixed(high, digits)}` : "–"] : [])];
  return {
    title,
    note,
    svg: framed({ title, width, height, margins, x, y: axis, xLabel: label, series }, ...marks),
    head: [what, ...series.flatMap(({ name }) => [name, ...(ends ? [`${name}, interval`] : [])])],
    rows: parts.map(({ name, points: ofPart }) => [name, ...ofPart.flatMap(cells)]),
  };
}

/** @param {Point} point @param {import("d3-scale").ScaleLinear<number, number>} x @param {number} y @param {string} colour */
function mark({ value, low, high }, x, y, colour) {
  if (Number.isNaN(value)) return null;
  const isSure = typeof low === "number" && typeof high === "number";
  return h(
    "g",
    {},
    isSure && h("line", { x1: x(low), x2: x(high), y1: y, y2: y, stroke: colour, "stroke-width": 2, "stroke-opacity": 0.6 }),
    h("circle", { cx: x(value), cy: y, r: 4, fill: colour }),
  );
}
