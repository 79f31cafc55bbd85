/** The filtered segments as records, for programs. */
import { h } from "./dom.js";
import { asText } from "./data.js";

/** @param {import("./app.js").App} app */
export function records(app) {
  const { model, data, a, b } = app;
  const influence = app.influence();
  const pair = data.systems.length > 1;
  return Array.from(app.ordered, (segment) => {
    const text = model.texts.at(segment);
    /** @type {Record<string, string | number | null>} */
    const record = { segment: segment + 1 };
    if (text.name !== undefined) record.name = text.name;
    for (const kind of Object.keys(data.groups)) record[kind] = data.groups[kind][model.columns[kind][segment]];
    if (pair && influence) record.influence = influence[segment];
    record[`score of ${data.systems[a]}`] = model.sentences(a)[segment];
    if (pair) record[`score of ${data.systems[b]}`] = model.sentences(b)[segment];
    if (text.source !== undefined) record.source = text.source;
    text.references.forEach((/** @type {any} */ reference, /** @type {number} */ number) => (record[`reference ${number + 1}`] = asText(reference)));
    // Names of systems stand after fixed words, so that none is the name of another column.
    record[`output of ${data.systems[a]}`] = asText(text.systems[a]);
    if (pair) record[`output of ${data.systems[b]}`] = asText(text.systems[b]);
    return record;
  });
}

/**
 * Return records as tab-separated values; tabs, line ends and backslashes in texts become \t, \n, \r and \\.
 * @param {Record<string, string | number | null>[]} found
 */
export function tsv(found) {
  const columns = [...new Set(found.flatMap((record) => Object.keys(record)))];
  const escapes = /** @type {Record<string, string>} */ ({ "\t": "\\t", "\n": "\\n", "\r": "\\r", "\\": "\\\\" });
  const cell = (/** @type {any} */ value) => String(value ?? "").replace(/[\t\n\r\\]/g, (sign) => escapes[sign]);
  return [columns.map(cell), ...found.map((record) => columns.map((column) => cell(record[column])))]
    .map((line) => `${line.join("\t")}\n`)
    .join("");
}

/** @param {string} name @param {string} type @param {string | Blob} content */
export function download(name, type, content) {
  const href = URL.createObjectURL(new Blob([content], { type }));
  h("a", { href, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(href), 10_000);
}
