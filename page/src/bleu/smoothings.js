/**
 * From counts to precisions, by the names of the smoothings: NaN for an order without n-grams, where it stays 0/0.
 *
 * @typedef {object} Counts
 * @property {ArrayLike<number>} matches
 * @property {ArrayLike<number>} totals
 * @property {number} length tokens of the hypothesis
 * @property {number} [segments] how many they are of, 1 if it is not said
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

/** @typedef {(plain: number[], totals: number[], counts: Counts) => number[]} Method */

/** @param {number} epsilon @returns {Method} */
const fewMatches = (epsilon) => (precisions, totals) => precisions.map((p, order) => p || epsilon / totals[order]);

/** @type {Method} */
const oneMoreFromSecond = (precisions, totals, { matches }) =>
  precisions.map((p, order) => (order ? (matches[order] + 1) / (totals[order] + 1) : p));

/**
 * A method of NLTK, of which each total of a segment is at least 1; with `ofSums`, as Ignite uses it, each summed total.
 * @param {Method} smooth @param {boolean} [ofSums]
 * @returns {Smooth}
 */
const nltk = (smooth, ofSums = false) => (counts, orders) => {
  const totals = Array.from({ length: orders }, (_, order) => Math.max(1, counts.totals[order]));
  const precisions = totals.map((total, order) => counts.matches[order] / total);
  const smoothed = counts.matches[0] > 0 ? smooth(precisions, totals, counts) : precisions.map(() => 0);
  return smoothed.map((p, order) => (ofSums || counts.totals[order] ? p : NaN));
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
    options: { first: 1 },
    smooth: ({ matches, totals }, orders, { first }) =>
      Array.from({ length: orders }, (_, order) => {
        const added = order ? 1 : first;
        return (matches[order] + added) / (totals[order] + added);
      }),
  },
  mteval: {
    options: {},
    smooth: (counts, orders) =>
      halving(plain(counts, orders), counts.totals, 1).map((p, order) => (counts.totals[order] ? p : 1)),
  },
  coco: {
    options: { matches: 1e-15, totals: 1e-9 },
    smooth: (counts, orders, added) =>
      Array.from({ length: orders }, (_, order) => (counts.matches[order] + added.matches) / (counts.totals[order] + added.totals)),
  },
  "e2e-metrics": {
    options: { added: 0 },
    smooth: ({ matches, length, segments = 1 }, orders, { added }) =>
      Array.from({ length: orders }, (_, order) => Math.max(matches[order] + added, 1e-15) / Math.max(length - order * segments + added, 1e-9)),
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
    smooth: (counts, orders, { epsilon }) => nltk(fewMatches(epsilon))(counts, orders),
  },
  "nltk-method2": { options: {}, smooth: nltk(oneMoreFromSecond) },
  "ignite-smooth1": { options: {}, smooth: nltk(fewMatches(0.1), true) },
  "ignite-nltk_smooth2": { options: {}, smooth: nltk(oneMoreFromSecond, true) },
  "nltk-method3": { options: {}, smooth: nltk((precisions, totals) => halving(precisions, totals, 1)) },
  "nltk-method4": {
    options: { k: 5 },
    smooth: (counts, orders, { k }) =>
      nltk((precisions, totals, { length }) =>
        halving(precisions, totals, length > 1 ? Math.log(length) / k : 0).map((p) => p || 1),
      )(counts, orders),
  },
};
