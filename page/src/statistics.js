/**
 * Rows of statistics, one a segment, as columns of typed arrays; their sums, what they score, and how sure that is.
 *
 * @typedef {import("./bleu/bleu.js").Variant} Variant
 * @typedef {import("./bleu/bleu.js").Counted} Counted
 *
 * @typedef {object} Rows
 * @property {ArrayLike<number>[]} matches for each order
 * @property {ArrayLike<number>[]} totals
 * @property {ArrayLike<number>} length
 * @property {ArrayLike<number>} reference
 * @property {ArrayLike<number>} tokens those of all references
 * @property {ArrayLike<number>} [scores] those of the segments, if the variant averages them
 *
 * @typedef {{matches: number[], totals: number[], length: number, reference: number, tokens: number, segments: number, scores: number}} Sums
 *
 * @typedef {object} Difference
 * @property {number} segments
 * @property {number} first the score of the first system
 * @property {number} second
 * @property {number} difference
 * @property {number | null} low
 * @property {number | null} high
 * @property {number | null} p
 * @property {string} test how p was found, or why there is none
 */
import { averages, value } from "./bleu/bleu.js";
import { quantile, twoSidedP } from "./students-t.js";

/** The number of segments, or of those that differ, from which there are intervals. */
const FEWEST = 10;

/** Up to how many segments that differ all their swaps are tried. */
export const ENUMERATED = 20;

/** By how much of the scale scores may differ and be the same. */
const TIES = 1e-10;

/** @param {Rows} rows @param {number} segment @returns {Sums} */
export function row(rows, segment) {
  return {
    matches: rows.matches.map((column) => column[segment]),
    totals: rows.totals.map((column) => column[segment]),
    length: rows.length[segment],
    reference: rows.reference[segment],
    tokens: rows.tokens[segment],
    segments: 1,
    scores: rows.scores?.[segment] ?? 0,
  };
}

/** @param {Rows} rows @returns {Rows} the same in columns that can hold other numbers */
export function copied(rows) {
  const copy = (/** @type {ArrayLike<number>} */ column) => Float64Array.from(column);
  return {
    matches: rows.matches.map(copy),
    totals: rows.totals.map(copy),
    length: copy(rows.length),
    reference: copy(rows.reference),
    tokens: copy(rows.tokens),
  };
}

/** @param {number} orders @param {number} segments @returns {Rows} */
export function zeros(orders, segments) {
  const counts = () => new Int32Array(segments);
  const ofOrders = () => Array.from({ length: orders }, counts);
  return { matches: ofOrders(), totals: ofOrders(), length: counts(), reference: new Float64Array(segments), tokens: counts() };
}

/**
 * Return the sums of some segments, or of all.
 * @param {Rows} rows @param {Uint32Array} [subset] @returns {Sums}
 */
export function sums(rows, subset) {
  const sum = (/** @type {ArrayLike<number>} */ column) => {
    let [total, rest] = [0, 0];
    const number = subset ? subset.length : column.length;
    for (let place = 0; place < number; place += 1) {
      // Averages of lengths are no whole numbers: what rounding takes is kept (Kahan 1965).
      const each = column[subset ? subset[place] : place] - rest;
      const next = total + each;
      rest = next - total - each;
      total = next;
    }
    return total;
  };
  return {
    matches: rows.matches.map(sum),
    totals: rows.totals.map(sum),
    length: sum(rows.length),
    reference: sum(rows.reference),
    tokens: sum(rows.tokens),
    segments: subset ? subset.length : rows.length.length,
    scores: rows.scores ? sum(rows.scores) : 0,
  };
}

/** @param {Sums} one @param {Sums} other @param {number} times @returns {Sums} one and so many times the other */
export function added(one, other, times = 1) {
  return {
    matches: one.matches.map((each, order) => each + times * other.matches[order]),
    totals: one.totals.map((each, order) => each + times * other.totals[order]),
    length: one.length + times * other.length,
    reference: one.reference + times * other.reference,
    tokens: one.tokens + times * other.tokens,
    segments: one.segments + times * other.segments,
    scores: one.scores + times * other.scores,
  };
}

/** Return the score of each segment. @param {Variant} variant @param {Rows} rows */
export function each(variant, rows) {
  return Float64Array.from(rows.length, (_, segment) => value(variant, row(rows, segment)));
}

/**
 * Return by how much one more in each column changes the score: between one less and one more, and only on one side if
 * there cannot be more matches than n-grams, or less than none.
 * @param {Variant} variant @param {Sums} whole
 */
export function gradient(variant, whole) {
  /** @param {"matches" | "totals" | "length" | "reference"} column @param {number} order */
  const effect = (column, order) => {
    const varied = [1, -1].map((step) => {
      const other = { ...whole, matches: [...whole.matches], totals: [...whole.totals] };
      if (column === "matches" || column === "totals") other[column][order] += step;
      else other[column] += step;
      const negative = [...other.matches, ...other.totals, other.length, other.reference].some((each) => each < 0);
      const isPossible = !negative && other.matches.every((each, place) => each <= other.totals[place]);
      return { counts: isPossible ? other : whole, steps: isPossible ? 1 : 0 };
    });
    const rise = value(variant, varied[0].counts) - value(variant, varied[1].counts);
    return rise / Math.max(varied[0].steps + varied[1].steps, 1);
  };
  return {
    matches: whole.matches.map((_, order) => effect("matches", order)),
    totals: whole.totals.map((_, order) => effect("totals", order)),
    length: effect("length", 0),
    reference: effect("reference", 0),
  };
}

/**
 * Return what a score is to first order in each of some segments: its standard error follows from these.
 * @param {Variant} variant @param {Rows} rows @param {Sums} whole @param {Uint32Array} subset
 */
function effects(variant, rows, whole, subset) {
  const moved = new Float64Array(subset.length);
  const add = (/** @type {ArrayLike<number>} */ column, /** @type {number} */ weight) => {
    if (weight) for (let place = 0; place < subset.length; place += 1) moved[place] += weight * column[subset[place]];
  };
  if (averages(variant)) {
    add(/** @type {ArrayLike<number>} */ (rows.scores), value(variant, { ...whole, scores: whole.scores + 1 }) - value(variant, whole));
    return moved;
  }
  const slope = gradient(variant, whole);
  rows.matches.forEach((column, order) => add(column, slope.matches[order]));
  rows.totals.forEach((column, order) => add(column, slope.totals[order]));
  add(rows.length, slope.length);
  if (slope.reference)
    for (let place = 0; place < subset.length; place += 1) {
      moved[place] += slope.reference * evenRounded(rows.reference[subset[place]]);
    }
  return moved;
}

/** @param {number} value rounded as NumPy rounds: a half to the even number */
function evenRounded(value) {
  const rounded = Math.round(value);
  return Math.abs(value % 1) === 0.5 && rounded % 2 ? rounded - 1 : rounded;
}

/** @param {Float64Array} moved the standard error of a sum of independent effects */
function standardError(moved) {
  const number = moved.length;
  let mean = 0;
  for (const each of moved) mean += each / number;
  let squares = 0;
  for (const each of moved) squares += (each - mean) ** 2;
  return Math.sqrt((squares * number) / (number - 1));
}

/**
 * Return the score of some segments with its interval by the delta method.
 * @param {Variant} variant @param {Rows} rows @param {Uint32Array} subset @param {number} level
 */
export function interval(variant, rows, subset, level) {
  const whole = sums(rows, subset);
  const score = value(variant, whole);
  if (subset.length < FEWEST) return { score, low: null, high: null };
  const width = quantile(level, subset.length - 1) * standardError(effects(variant, rows, whole, subset));
  return { score, low: score - width, high: score + width };
}

/**
 * Compare two systems on some segments: by the delta method or, if few segments differ, over all their swaps.
 * @param {Variant} variant @param {Rows} first @param {Rows} second @param {Uint32Array} subset @param {number} level
 * @param {string} [untested] why they are not tested, empty if they are
 * @returns {Difference}
 */
export function compared(variant, first, second, subset, level, untested = "") {
  const [ours, theirs] = [sums(first, subset), sums(second, subset)];
  const scores = [value(variant, ours), value(variant, theirs)];
  const difference = scores[0] - scores[1];
  const found = { segments: subset.length, first: scores[0], second: scores[1], difference };
  const none = untested || (subset.length && !Number.isNaN(difference) ? "" : "none");
  if (none) return { ...found, low: null, high: null, p: null, test: none };
  const differing = subset.filter((segment) => !alike(first, second, segment));
  /** @type {{low: number | null, high: number | null, p: number | null, test: string}} */
  const delta = { low: null, high: null, p: null, test: "delta" };
  if (subset.length > 1) {
    const moved = effects(variant, first, ours, subset);
    effects(variant, second, theirs, subset).forEach((each, place) => (moved[place] -= each));
    const error = standardError(moved);
    if (differing.length >= FEWEST) {
      const width = quantile(level, subset.length - 1) * error;
      [delta.low, delta.high] = [difference - width, difference + width];
    }
    const isSame = Math.abs(difference) <= TIES * variant.scale;
    delta.p = isSame ? 1 : error ? twoSidedP(Math.abs(difference) / error, subset.length - 1) : 0;
  }
  if (differing.length > ENUMERATED) return { ...found, ...delta };
  return { ...found, ...delta, p: enumerated(variant, first, second, ours, theirs, differing), test: "exact" };
}

/** @param {Rows} first @param {Rows} second @param {number} segment */
export function alike(first, second, segment) {
  if (first.length[segment] !== second.length[segment]) return false;
  if (first.reference[segment] !== second.reference[segment]) return false;
  return first.matches.every(
    (column, order) =>
      column[segment] === second.matches[order][segment] &&
      first.totals[order][segment] === second.totals[order][segment],
  );
}

/**
 * Return how probable a difference as large is, over all swaps of what both have for a segment.
 * @param {Variant} variant @param {Rows} first @param {Rows} second @param {Sums} ours @param {Sums} theirs
 * @param {Uint32Array} differing
 */
function enumerated(variant, first, second, ours, theirs, differing) {
  if (!differing.length) return 1;
  const moves = Array.from(differing, (segment) => added(row(first, segment), row(second, segment), -1));
  const least = Math.abs(value(variant, ours) - value(variant, theirs)) - TIES * variant.scale;
  let [one, other] = [ours, theirs];
  const swapped = new Array(moves.length).fill(false);
  const number = 2 ** (moves.length - 1); // half of them: the others are the same, the other way round
  let reached = 0;
  for (let choice = 0; choice < number; choice += 1) {
    if (choice) {
      // The order of Gray's code: one segment is swapped at a time.
      const place = 31 - Math.clz32(choice & -choice);
      const times = swapped[place] ? 1 : -1;
      one = added(one, moves[place], times);
      other = added(other, moves[place], -times);
      swapped[place] = !swapped[place];
    }
    if (Math.abs(value(variant, one) - value(variant, other)) >= least) reached += 1;
  }
  return reached / number;
}
