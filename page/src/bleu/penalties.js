/**
 * Brevity penalties, by name: the factor for a text of some length beside its effective reference length, and how the
 * formula writes it.
 * @type {Record<string, {penalty: (length: number, reference: number) => number, written: (length: number, reference: number) => string}>}
 */
export const BREVITY_PENALTIES = {
  standard: {
    penalty: (length, reference) => {
      if (length === 0) return 0;
      return length >= reference ? 1 : Math.exp(1 - reference / length);
    },
    written: (length, reference) =>
      length && length < reference ? `e^(1 − ${Math.round(reference * 1000) / 1000}/${length})` : length ? "1" : "0",
  },
};
