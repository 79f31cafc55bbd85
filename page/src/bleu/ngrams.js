/**
 * The n-grams of one segment: which of the hypothesis occur in references, how often, and how often they count.
 *
 * An n-gram is known by a number, its place among the distinct n-grams of its order in the hypothesis.
 * @typedef {object} Order
 * @property {Int32Array} places the n-gram that begins at each token of the hypothesis
 * @property {number[]} counts how often each n-gram occurs in the hypothesis
 * @property {number[]} most how often it occurs in the reference that has most of it
 * @property {Int32Array[]} references for each reference, the n-gram that begins at each token, -1 for any other
 */

/**
 * Return the n-grams of the orders 1, 2, … up to a highest.
 * @param {string[]} hypothesis
 * @param {string[][]} references
 * @param {number} highest
 * @returns {Order[]}
 */
export function ngrams(hypothesis, references, highest) {
  /** @type {Map<string, number>} */
  const words = new Map();
  const ids = hypothesis.map((word) => {
    const known = words.get(word);
    if (known === undefined) words.set(word, words.size);
    return known ?? words.size - 1;
  });
  const size = words.size;
  const others = references.map((reference) => reference.map((word) => words.get(word) ?? -1));
  /** @type {Order[]} */
  const orders = [];
  let places = Int32Array.from(ids);
  let inReferences = others.map((reference) => Int32Array.from(reference));
  for (let order = 1; order <= highest; order += 1) {
    let number = size;
    if (order > 1) {
      // An n-gram is the one before it, of one word less, and a word: both are known by their numbers.
      /** @type {Map<number, number>} */
      const numbers = new Map();
      const longer = new Int32Array(Math.max(0, ids.length - order + 1));
      for (let start = 0; start < longer.length; start += 1) {
        const key = places[start] * size + ids[start + order - 1];
        let found = numbers.get(key);
        if (found === undefined) numbers.set(key, (found = numbers.size));
        longer[start] = found;
      }
      inReferences = inReferences.map((shorter, reference) => {
        const found = new Int32Array(Math.max(0, others[reference].length - order + 1));
        for (let start = 0; start < found.length; start += 1) {
          const word = others[reference][start + order - 1];
          found[start] = shorter[start] < 0 || word < 0 ? -1 : numbers.get(shorter[start] * size + word) ?? -1;
        }
        return found;
      });
      places = longer;
      number = numbers.size;
    }
    const counts = tally(places, number);
    const most = new Array(number).fill(0);
    for (const reference of inReferences) {
      const found = tally(reference, number);
      for (let ngram = 0; ngram < number; ngram += 1) if (found[ngram] > most[ngram]) most[ngram] = found[ngram];
    }
    orders.push({ places, counts, most, references: inReferences });
  }
  return orders;
}

/** @param {Int32Array} places @param {number} number */
function tally(places, number) {
  /** @type {number[]} */
  const counts = new Array(number).fill(0);
  for (const ngram of places) if (ngram >= 0) counts[ngram] += 1;
  return counts;
}

/** What the reference does not know matches nothing; the added words make a token that no tokenizer makes. */
const FAIRSEQ = {
  clips: true,
  leastTotal: 0,
  /** @param {string[]} words */
  reference: (words) => words.map((word) => (word === "<unk>" ? "<unk> of the reference" : word)),
};

/**
 * The counters, by name: how many of the occurrences of an n-gram match, and how the references are read.
 * @type {Record<string, {clips: boolean, leastTotal: number, reference?: (words: string[]) => string[]}>}
 */
export const COUNTERS = {
  clipped: { clips: true, leastTotal: 0 },
  unclipped: { clips: false, leastTotal: 0 },
  nltk: { clips: true, leastTotal: 1 },
  fairseq: FAIRSEQ,
  "fairseq-exact": FAIRSEQ,
};

/**
 * Return how often each n-gram of an order counts.
 * @param {Order} order
 * @param {string} counter
 */
export function matched(order, counter) {
  const { clips } = COUNTERS[counter];
  return order.counts.map((count, ngram) => (clips || !order.most[ngram] ? Math.min(count, order.most[ngram]) : count));
}

/**
 * Return the matches and totals of each order.
 * @param {Order[]} orders
 * @param {number} length tokens of the hypothesis
 * @param {string} counter
 */
export function count(orders, length, counter) {
  const { leastTotal } = COUNTERS[counter];
  return {
    matches: orders.map((order) => matched(order, counter).reduce((sum, times) => sum + times, 0)),
    totals: orders.map((_, order) => Math.max(leastTotal, length - order)),
  };
}

/**
 * What became of each token of a hypothesis: the order of the longest counted n-gram that it is part of, 0 for none;
 * and whether it occurs in a reference, but more often in the hypothesis than counts.
 *
 * Which occurrences of a clipped n-gram count is nowhere said: here those within a longer counted n-gram come first.
 * @param {Order[]} orders
 * @param {number} length
 * @param {string} counter
 * @returns {{longest: number[], clipped: boolean[]}}
 */
export function marks(orders, length, counter) {
  /** @type {number[]} */
  const longest = new Array(length).fill(0);
  /** @type {boolean[]} */
  const clipped = new Array(length).fill(false);
  /** @type {Set<number>} */
  let longer = new Set();
  for (let index = orders.length - 1; index >= 0; index -= 1) {
    const { places, most } = orders[index];
    const left = matched(orders[index], counter);
    const isWithin = (/** @type {number} */ start) => longer.has(start) || longer.has(start - 1);
    const starts = Array.from(places.keys());
    /** @type {Set<number>} */
    const counting = new Set();
    for (const start of [...starts.filter(isWithin), ...starts.filter((each) => !isWithin(each))]) {
      if (left[places[start]] > 0) {
        left[places[start]] -= 1;
        counting.add(start);
        for (let place = start; place <= start + index; place += 1) longest[place] ||= index + 1;
      } else if (index === 0 && most[places[start]] > 0) {
        clipped[start] = !longest[start];
      }
    }
    longer = counting;
  }
  return { longest, clipped };
}
