/** Student's t distribution, as bleukit/comparing/students_t.py has it. */
import { erfc } from "./erfc.js";

/** The degrees of freedom from which the normal distribution is used. */
const NORMAL = 10000;

/** The number of intervals of Simpson's rule. */
const STEPS = 2000;

/** @param {number} end @param {number} power */
function integral(end, power) {
  const step = end / STEPS;
  let sum = 0;
  for (let place = 0; place <= STEPS; place += 1) {
    const weight = place === 0 || place === STEPS ? 1 : place % 2 ? 4 : 2;
    sum += weight * Math.cos(place * step) ** power;
  }
  return (sum * step) / 3;
}

/** The probability that a number is at least as far from 0. @param {number} t at least 0 @param {number} freedom */
export function twoSidedP(t, freedom) {
  if (freedom >= NORMAL) return erfc(t / Math.SQRT2);
  const most = Math.acos(10 ** (-40 / freedom)); // beyond this, nothing is left to integrate
  const end = Math.min(Math.atan(t / Math.sqrt(freedom)), most);
  return Math.max(0, 1 - integral(end, freedom - 1) / integral(most, freedom - 1));
}

/** The number t such that a number is between -t and t with this probability. @param {number} level @param {number} freedom */
export function quantile(level, freedom) {
  let [low, high] = [0, 2];
  while (twoSidedP(high, freedom) > 1 - level) [low, high] = [high, 2 * high];
  for (let step = 0; step < 50; step += 1) {
    const middle = (low + high) / 2;
    if (twoSidedP(middle, freedom) > 1 - level) low = middle;
    else high = middle;
  }
  return high;
}
