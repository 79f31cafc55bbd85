/**
 * From counts to precisions, by the names of the smoothings: NaN for an order without n-grams, where it stays 0/0.
 *
 * @typedef {object} Counts
 * @property {ArrayLike<number>} matches
 * @property {ArrayLike<number>} totals
 * @property {number} length tokens of the hypothesis
 */

/** The smallest normal number of double precision. */
const TINIEST = 2 ** -1022;

/** @typedef {(counts: Counts, orders: number, options?: any) => number[]} Smooth */

/** @type {Smooth} */
function plain({ matches, totals }, orders) {
  const precisions = new Array(orders);
  for (let order = 0; order < orders; order += 1) precisions[order] = matches[order] / totals[order];
  return precisions;
}

/** @param {ArrayLike<number>} matches @param {number} orders */
function hasAny(matches, orders) {
  for (let order = 0; order < orders; order += 1) if (matches[order] > 0) return true;
  return false;
}

/** @param {ArrayLike<number>} matches @param {number} orders */
function hasAll(matches, orders) {
  for (let order = 0; order < orders; order += 1) if (!(matches[order] > 0)) return false;
  return true;
}

/** @param {number[]} precisions @param {ArrayLike<number>} totals @param {number} first */
function halving(precisions, totals, first) {
  let matches = first;
  return precisions.map((p, order) => {
    if (p === 0) matches /= 2;
    return p === 0 ? matches / totals[order] : p;
  });
}

/** @type {(k: number) => Smooth} */
const addFromSecond = (k) => (counts, orders) =>
  plain(counts, orders).map((p, order) => (order ? (counts.matches[order] + k) / (counts.totals[order] + k) : p));

/** @param {(plain: number[], totals: number[], counts: Counts) => number[]} smooth @returns {Smooth} */
const nltk = (smooth) => (counts, orders) => {
  const totals = Array.from({ length: orders }, (_, order) => Math.max(1, counts.totals[order]));
  const precisions = totals.map((total, order) => counts.matches[order] / total);
  const smoothed = counts.matches[0] > 0 ? smooth(precisions, totals, counts) : precisions.map(() => 0);
  return smoothed.map((p, order) => (counts.totals[order] ? p : NaN));
};

/** @type {Record<string, {options: Record<string, any>, smooth: Smooth}>} */
export const SMOOTHINGS = {
  none: { options: {}, smooth: plain },
  exp: {
    options: {},
    smooth: (counts, orders) => {
      const precisions = plain(counts, orders);
      return hasAny(counts.matches, orders) ? halving(precisions, counts.totals, 1) : precisions;
    },
  },
  floor: {
    options: { value: 0.1 },
    smooth: (counts, orders, { value }) => {
      const precisions = plain(counts, orders);
      if (!hasAny(counts.matches, orders)) return precisions;
      return precisions.map((p, order) => (p === 0 ? value / counts.totals[order] : p));
    },
  },
  "add-k": {
    options: { k: 1 },
    smooth: (counts, orders, { k }) =>
      hasAny(counts.matches, orders) ? addFromSecond(k)(counts, orders) : plain(counts, orders),
  },
  "add-one": {
    options: {},
    smooth: ({ matches, totals }, orders) =>
      Array.from({ length: orders }, (_, order) => (matches[order] + 1) / (totals[order] + 1)),
  },
  mteval: {
    options: {},
    smooth: (counts, orders) =>
      halving(plain(counts, orders), counts.totals, 1).map((p, order) => (counts.totals[order] ? p : 1)),
  },
  coco: {
    options: {},
    smooth: ({ matches, totals }, orders) =>
      Array.from({ length: orders }, (_, order) => (matches[order] + 1e-15) / (totals[order] + 1e-9)),
  },
  matlab: {
    options: {},
    smooth: (counts, orders) => {
      const precisions = plain(counts, orders);
      return counts.length < orders ? precisions.map((p) => p * 0) : precisions;
    },
  },
  torchmetrics: {
    options: { smooth: false },
    smooth: (counts, orders, { smooth }) => {
      if (!hasAll(counts.matches, orders)) return plain(counts, orders).map((p) => p * 0);
      return smooth ? addFromSecond(1)(counts, orders) : plain(counts, orders);
    },
  },
  "nltk-method0": { options: {}, smooth: nltk((precisions) => precisions.map((p) => p || TINIEST)) },
  "nltk-method1": {
    options: { epsilon: 0.1 },
    smooth: (counts, orders, { epsilon }) =>
      nltk((precisions, totals) => precisions.map((p, order) => p || epsilon / totals[order]))(counts, orders),
  },
  "nltk-method2": {
    options: {},
    smooth: nltk((precisions, _, { matches, totals }) =>
      precisions.map((p, order) => (order ? (matches[order] + 1) / (totals[order] + 1) : p)),
    ),
  },
  "nltk-method3": { options: {}, smooth: nltk((precisions, totals) => halving(precisions, totals, 1)) },
  "nltk-method4": {
    options: { k: 5 },
    smooth: (counts, orders, { k }) =>
      nltk((precisions, totals, { length }) =>
        halving(precisions, totals, length > 1 ? Math.log(length) / k : 0).map((p) => p || 1),
      )(counts, orders),
  },
};
