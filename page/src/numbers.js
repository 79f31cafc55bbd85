/** Numbers as people read them; a dash for none. */

/** @param {number | null | undefined} value @param {number} digits */
export function fixed(value, digits) {
  if (value === null || value === undefined || Number.isNaN(value)) return "–";
  const text = value.toFixed(digits);
  return (Number(text) === 0 && value !== 0 ? value.toPrecision(2) : text).replace("-", "−");
}

/** @param {number | null | undefined} value @param {number} digits */
export function signed(value, digits) {
  const text = fixed(value, digits);
  return value !== null && value !== undefined && value > 0 ? `+${text}` : text;
}

/** @param {{low: number | null, high: number | null} | null} ends @param {number} digits */
export function interval(ends, digits) {
  return ends && ends.low !== null ? `${fixed(ends.low, digits)} to ${fixed(ends.high, digits)}` : "–";
}

/** @param {number} value */
export function whole(value) {
  return value.toLocaleString("en");
}

/** A p-value as the verdict of a comparison writes it. @param {number | null | undefined} p */
export function pValue(p) {
  if (p === null || p === undefined || Number.isNaN(p)) return "–";
  return p < 0.001 ? "< 0.001" : p.toFixed(4);
}

/** @param {number[]} precisions */
export function percentages(precisions) {
  return precisions.map((p) => (Number.isNaN(p) || p === null ? "–" : (100 * p).toFixed(1))).join(" / ");
}
