/** What charts have in common: a frame with axes, their labels and a legend. Colours are in the SVG itself, so that it is saved as it is seen. */
import { axisBottom, axisLeft } from "d3-axis";
import { select } from "d3-selection";
import { h, visible } from "../dom.js";

/** Colours that can be seen on white and on black. */
export const COLOURS = { a: "#2f7bd0", b: "#c8691a", other: "#868c96" };

/**
 * @typedef {{name: string, colour: string}} Series
 * @typedef {{top: number, right: number, bottom: number, left: number}} Margins
 * @typedef {object} Chart
 * @property {string} title
 * @property {string} note what must be known to read it; may be empty
 * @property {SVGElement} svg
 * @property {string[]} head of the table with the same numbers
 * @property {(string | number)[][]} rows
 */

/** The room around a plot; the legend is above it. @type {Margins} */
export const MARGINS = { top: 30, right: 14, bottom: 42, left: 52 };

/**
 * Return a chart with its axes and a legend.
 * @param {{title: string, width: number, height: number, margins?: Margins, x: any, y: any, xLabel: string, yLabel?: string, ticks?: number, yTicks?: number, series: Series[]}} of
 * `x` and `y` are scales of d3
 * @param {...any} marks
 */
export function framed({ title, width, height, margins = MARGINS, x, y, xLabel, yLabel = "", ticks = 6, yTicks = 5, series }, ...marks) {
  const [bottom, left] = [h("g", { transform: `translate(0 ${height - margins.bottom})` }), h("g", { transform: `translate(${margins.left} 0)` })];
  select(bottom).call(axisBottom(x).ticks(ticks).tickSizeOuter(0));
  select(left).call(axisLeft(y).ticks(yTicks).tickSizeOuter(0));
  for (const axis of [bottom, left]) axis.setAttribute("font-size", "12");
  const middle = (margins.left + width - margins.right) / 2;
  return h(
    "svg",
    { class: "chart", viewBox: `0 0 ${width} ${height}`, width, height, role: "img", "aria-label": title, "font-family": "sans-serif", "font-size": 12, fill: "currentColor" },
    ...marks,
    bottom,
    left,
    h("text", { x: middle, y: height - 6, "text-anchor": "middle" }, xLabel),
    yLabel && h("text", { x: 4, y: margins.top - 8 }, yLabel),
    ...legend(series, width - margins.right),
  );
}

/** The number of characters of a name in a legend, and about the width of one. */
const MOST_NAME = 18;
export const CHARACTER = 7;

/** @param {Series[]} series @param {number} right where it ends */
function legend(series, right) {
  const widths = series.map(({ name }) => 26 + CHARACTER * shortened(name, MOST_NAME).length);
  return series.map(({ name, colour }, number) => {
    const place = right - widths.slice(number).reduce((sum, each) => sum + each, 0);
    return h("g", {}, h("rect", { x: place, y: 4, width: 12, height: 12, fill: colour }), h("text", { x: place + 16, y: 14 }, shortened(name, MOST_NAME)));
  });
}

/** @param {string} name @param {number} most */
export function shortened(name, most) {
  const signs = Array.from(visible(name));
  return signs.length > most ? `${signs.slice(0, most - 1).join("")}…` : signs.join("");
}
