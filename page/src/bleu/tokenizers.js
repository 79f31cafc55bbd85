/**
 * The tokenizers that the page can compute, by the names that variants have for them. Each does what the component of
 * the same name does in Python; a tokenizer that needs a dictionary, a model or a library is not among them.
 */

/** Whitespace as Python's str.split() knows it, which differs from that of JavaScript's \s. */
const BLANKS = /[\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+/;
const FIRST_BLANKS = new RegExp(`^${BLANKS.source}`);
/** The same without the information separators, which are no whitespace to Perl. */
const PERL_BLANKS = /[\t-\r\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+/;
const ASCII_BLANKS = /[\t-\r\x20]+/;

const ENTITIES = /** @type {const} */ ([
  ["&quot;", '"'],
  ["&amp;", "&"],
  ["&lt;", "<"],
  ["&gt;", ">"],
]);

// As in plugins/sacrebleu/tokenizers.py, which explains the ranges.
const CHINESE =
  /([\u3400-\u4db5\u4e00-\u9fbb\uf900-\ufa2d\ufa30-\ufa6a\ufa70-\ufad9\uff00-\uffef\u2e80-\u2eff\u3000-\u303f\u31c0-\u31ef\u2f00-\u2fdf\u2ff0-\u2fff\u3100-\u312f\u31a0-\u31bf\ufe10-\ufe1f\ufe30-\ufe4f\u2600-\u27bf\u3200-\u33ff\u2001-\u2a6d])/g;

/** @typedef {false | true | "ascii"} Case */

/** @param {string} text @param {Case} lowercase */
export function lowered(text, lowercase) {
  if (!lowercase) return text;
  return lowercase === "ascii" ? text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase()) : text.toLowerCase();
}

/** @param {string} text @param {RegExp} blanks */
function split(text, blanks) {
  return text.split(blanks).filter(Boolean);
}

/** @param {string} text */
function strippedEnd(text) {
  let end = text.length;
  while (end && BLANKS.test(text[end - 1])) end -= 1;
  return text.slice(0, end);
}

/** @param {string} text */
function replaceEntities(text) {
  if (!text.includes("&")) return text;
  return ENTITIES.reduce((replaced, [entity, character]) => replaced.replaceAll(entity, character), text);
}

/** @param {string} text */
function joinLines(text) {
  return text.replaceAll("<skipped>", "").replaceAll("-\n", "").replaceAll("\n", " ");
}

/** @param {string} text */
function setApart(text) {
  return text
    .replace(/[!-&(-+/:-@[-`{-~]/g, " $& ")
    .replace(/([^0-9])([.,])/g, "$1 $2 ")
    .replace(/([.,])([^0-9])/g, " $1 $2")
    .replace(/([0-9])(-)/g, "$1 $2 ");
}

/** @param {string} text */
function separate13a(text) {
  return setApart(` ${text} `);
}

/** @param {string} text */
function separateInternational(text) {
  return text
    .replace(/(\P{N})(\p{P})/gu, "$1 $2 ")
    .replace(/(\p{P})(\P{N})/gu, " $1 $2")
    .replace(/(\p{S})/gu, " $1 ");
}

/** @param {string} text */
function tokenize13a(text) {
  return split(separate13a(replaceEntities(joinLines(strippedEnd(text)))), BLANKS);
}

/** @param {string} text @param {Case} lowercase @param {Record<string, any>} options */
function mteval(text, lowercase, options) {
  const separated = separate13a(lowered(replaceEntities(joinLines(text)), lowercase));
  return split(separated, options.ascii_whitespace ? ASCII_BLANKS : PERL_BLANKS);
}

/** @param {string} text @param {Case} lowercase @param {Record<string, any>} options */
function mtevalInternational(text, lowercase, options) {
  let replaced = replaceEntities(text.replaceAll("<skipped>", "").replaceAll("\u2028", " ")).replaceAll("&apos;", "'");
  if (lowercase === true) replaced = replaced.replaceAll("\u03a3", "\u03c3"); // Perl's lc knows no final sigma
  replaced = lowered(replaced, lowercase);
  if (options.split_non_ascii) replaced = replaced.replace(/[^\x00-\x7f]/gu, " $& ");
  return split(separateInternational(replaced), PERL_BLANKS);
}

/** @param {string} text */
function fairseq(text) {
  const words = [...split(text, BLANKS), "</s>"];
  const start = words.findIndex((word) => word !== "<pad>");
  let end = words.length;
  while (end > start + 1 && (words[end - 1] === "<pad>" || words[end - 1] === "</s>")) end -= 1;
  return words.slice(start, end);
}

/** @param {string} text */
const whitespace = (text) => split(text, BLANKS);

/**
 * A tokenizer that lowercases itself is given the case; for all others the text is lowercased before.
 * @typedef {{options: Record<string, boolean>, lowercases?: boolean,
 *   split: (text: string, lowercase: Case, options: Record<string, any>) => string[]}} Tokenizer
 */

/** @type {Record<string, Tokenizer>} */
export const TOKENIZERS = {
  "13a": { options: {}, split: tokenize13a },
  none: { options: {}, split: whitespace },
  whitespace: { options: {}, split: whitespace },
  char: { options: {}, split: (text) => [...split(text, BLANKS).join("")] },
  zh: {
    options: {},
    split: (text) => {
      const stripped = strippedEnd(text).replace(FIRST_BLANKS, "");
      return split(setApart(stripped.replace(CHINESE, " $1 ")), BLANKS);
    },
  },
  intl: { options: {}, split: (text) => split(separateInternational(strippedEnd(text)), BLANKS) },
  mteval: { options: { ascii_whitespace: false }, lowercases: true, split: mteval },
  "mteval-international": { options: { split_non_ascii: false }, lowercases: true, split: mtevalInternational },
  "multi-bleu": { options: {}, split: (text) => split(text, ASCII_BLANKS) },
  fairseq: { options: {}, split: fairseq },
  evaluate: { options: {}, split: (text) => tokenize13a(text.includes("\n") ? `${text}<skipped>` : text) },
};

/**
 * Return the tokens of a text; of tokens that are given, themselves in the wanted case.
 * @param {string | string[]} text
 * @param {{name: string, options: Record<string, any>}} tokenizer
 * @param {Case} lowercase
 * @returns {string[]}
 */
export function tokens(text, tokenizer, lowercase) {
  if (typeof text !== "string") return lowercase ? text.map((token) => lowered(token, lowercase)) : text;
  const { lowercases, split } = TOKENIZERS[tokenizer.name];
  return split(lowercases ? text : lowered(text, lowercase), lowercase, tokenizer.options);
}
