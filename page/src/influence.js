/**
 * The contribution of each part of a text to the difference between two systems, as bleukit/comparing/influence.py has it:
 * shares that add up to the difference. That of a part is its Shapley value, the average increase of the score, over
 * orders of the parts, when the part is taken from the first system instead of the second.
 *
 * @typedef {import("./statistics.js").Sums} Sums
 */
import { value } from "./bleu/bleu.js";
import { added } from "./statistics.js";

/** Up to this number of parts, all of their orders are tried. */
const FEW = 5;

/** Of more parts, so many orders at most, each also taken backwards, and so many scores at most. */
const [MOST_ORDERS, MOST_SCORES] = [64, 65536];

/**
 * @param {import("./bleu/bleu.js").Variant} variant
 * @param {Sums[]} first the sums of each part @param {Sums[]} second
 * @returns {Float64Array}
 */
export function influences(variant, first, second) {
  const shares = new Float64Array(first.length);
  if (!first.length) return shares;
  const moves = first.map((own, part) => added(own, second[part], -1));
  const start = second.reduce((total, part) => added(total, part));
  const all = orders(first.length);
  for (const order of all) {
    let [total, before] = [start, value(variant, start)];
    for (const part of order) {
      total = added(total, moves[part]);
      const after = value(variant, total);
      shares[part] += (after - before) / all.length;
      before = after;
    }
  }
  return shares;
}

/** @param {number} parts @returns {number[][]} all orders of few parts, else some by a hash of their numbers */
function orders(parts) {
  const numbers = Array.from({ length: parts }, (_, part) => part);
  if (parts <= FEW) return permutations(numbers);
  const found = [];
  for (let number = 0; number < Math.max(1, Math.min(MOST_ORDERS, Math.floor(MOST_SCORES / parts))); number += 1) {
    const start = Math.imul(number, 0x9e3779b9);
    const keys = Uint32Array.from(numbers, (part) => mixed(part + start));
    const forwards = [...numbers].sort((one, other) => keys[one] - keys[other]);
    found.push(forwards, [...forwards].reverse());
  }
  return found;
}

/** @param {number[]} items @returns {number[][]} */
function permutations(items) {
  if (items.length < 2) return [items];
  return items.flatMap((first) => permutations(items.filter((item) => item !== first)).map((rest) => [first, ...rest]));
}

/** @param {number} number a number of 32 bits, whose bits are mixed as by MurmurHash3 */
function mixed(number) {
  let bits = Math.imul(number ^ (number >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return bits ^ (bits >>> 16);
}
