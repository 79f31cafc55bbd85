/** The effective reference length of a segment, by the names of the policies. */

/** @type {Record<string, (length: number, references: number[]) => number>} */
export const REFERENCE_LENGTHS = {
  closest: (length, references) =>
    references.reduce((best, each) => {
      const [far, farther] = [Math.abs(best - length), Math.abs(each - length)];
      return farther < far || (farther === far && each < best) ? each : best;
    }),
  "first-closest": (length, references) =>
    references.reduce((best, each) => (Math.abs(each - length) < Math.abs(best - length) ? each : best)),
  shortest: (_, references) => Math.min(...references),
  longest: (_, references) => Math.max(...references),
  average: (_, references) => references.reduce((sum, each) => sum + each, 0) / references.length,
};
