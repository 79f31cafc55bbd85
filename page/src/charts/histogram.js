/** How numbers are distributed: of several series, side by side. */
import { bin, quantileSorted, range, tickStep } from "d3-array";
import { scaleLinear } from "d3-scale";
import { h } from "../dom.js";
import { MARGINS, framed } from "./frame.js";

/** About how many bins there are, the share of numbers that may be beyond the last one, and from how far beyond. */
const BINS = 20;
const BEYOND = 0.01;
const FAR = 2;

/**
 * @typedef {import("./frame.js").Series & {values: ArrayLike<number>}} Numbers
 * @typedef {{edges: number[], counts: number[][], isOpen: boolean}} Binned `counts` of each series; an open last bin has all larger numbers
 */

/**
 * Count the numbers in bins of the same width. A few that are far beyond the others are in the last bin.
 * @param {ArrayLike<number>[]} series @param {boolean} isWhole whether they are whole numbers
 * @returns {Binned}
 */
export function binned(series, isWhole) {
  const known = series.map((values) => Array.from(values).filter((value) => !Number.isNaN(value)));
  const all = known.flat().sort((one, other) => one - other);
  if (!all.length) return { edges: [0, 1], counts: series.map(() => [0]), isOpen: false };
  const [least, most] = [Math.min(0, all[0]), all[all.length - 1]];
  const limit = /** @type {number} */ (quantileSorted(all, 1 - BEYOND));
  const isOpen = most > FAR * limit && limit > 0;
  const wanted = tickStep(least, isOpen ? limit : most, BINS) || 1;
  const step = isWhole ? Math.max(1, Math.round(wanted)) : wanted;
  // Edges are multiples of the step, so that 0 is one of them.
  const [first, last] = [Math.floor(least / step), Math.max(Math.ceil((isOpen ? limit : most) / step), Math.floor(least / step) + 1)];
  const edges = range(first, last + 1).map((number) => Number((number * step).toPrecision(12)));
  const ends = /** @type {[number, number]} */ ([edges[0], edges[edges.length - 1]]);
  const count = bin().domain(ends).thresholds(edges.slice(1, -1));
  const within = (/** @type {number[]} */ values) => values.map((value) => Math.min(value, ends[1]));
  return { edges, counts: known.map((values) => count(within(values)).map((found) => found.length)), isOpen };
}

/**
 * @param {{title: string, note?: string, label: string, series: Numbers[], isWhole?: boolean, colour?: (low: number) => string, width: number}} of
 * `colour` gives a bin its colour, by its lower edge
 * @returns {import("./frame.js").Chart}
 */
export function histogram({ title, note = "", label, series, isWhole = false, colour, width }) {
  const { edges, counts, isOpen } = binned(series.map(({ values }) => values), isWhole);
  const height = 280;
  const x = scaleLinear([edges[0], edges[edges.length - 1]], [MARGINS.left, width - MARGINS.right]);
  const most = Math.max(1, ...counts.flat());
  const y = scaleLinear([0, most], [height - MARGINS.bottom, MARGINS.top]).nice(5);
  const ticks = isWhole ? Math.min(6, edges[edges.length - 1]) : 6;
  const bar = (x(edges[1]) - x(edges[0]) - 1) / series.length;
  const bars = counts.flatMap((ofSeries, number) =>
    ofSeries.map((count, place) =>
      h("rect", { x: x(edges[place]) + 0.5 + number * bar, y: y(count), width: Math.max(0.5, bar), height: y(0) - y(count), fill: colour ? colour(edges[place]) : series[number].colour }),
    ),
  );
  const last = edges.length - 2;
  const named = (/** @type {number} */ place) => (isOpen && place === last ? `${edges[place]} or more` : `${edges[place]} to ${edges[place + 1]}`);
  return {
    title,
    note: isOpen ? `${note} The last bars contain all values from ${edges[last]} on.`.trim() : note,
    svg: framed({ title, width, height, x, y, xLabel: label, yLabel: "segments", ticks, yTicks: Math.min(5, most), series: colour ? [] : series }, ...bars),
    head: [label, ...series.map(({ name }) => name)],
    rows: edges.slice(0, -1).map((_, place) => [named(place), ...counts.map((ofSeries) => ofSeries[place])]),
  };
}
