/**
 * The complementary error function, to about 15 digits: its power series near 0, its continued fraction beyond
 * (Abramowitz and Stegun 1964, 7.1.6 and 7.1.14).
 * @param {number} x at least 0
 */
export function erfc(x) {
  if (x < 2) {
    let [term, sum] = [x, x];
    for (let n = 1; Math.abs(term) > 1e-17 * sum; n += 1) {
      term *= (2 * x * x) / (2 * n + 1);
      sum += term;
    }
    return 1 - (2 / Math.sqrt(Math.PI)) * Math.exp(-x * x) * sum;
  }
  let fraction = 0;
  for (let n = 120; n > 0; n -= 1) fraction = n / 2 / (x + fraction);
  return Math.exp(-x * x) / (x + fraction) / Math.sqrt(Math.PI);
}
