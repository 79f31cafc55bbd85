// A harness for the package bleu-score of npm: npm install bleu-score && node PATH/bleu_score.cjs
// It takes one text of each side, splits it at blanks, and reports the score alone.
const { createInterface } = require("node:readline");
const installed = { paths: [process.cwd()] };
const { bleu } = require(require.resolve("bleu-score", installed));
const { version } = require(require.resolve("bleu-score/package.json", installed));

const PLAIN = { counter: "clipped", reference_length: "closest", smoothing: "none" };

/** What it has no parameter for. */
function cannot({ variant, segments }) {
  for (const [key, plain] of Object.entries(PLAIN)) {
    if (variant[key].name !== plain) return `${key}: ${variant[key].name}`;
  }
  for (const key of ["lowercase", "effective_order", "empty_score", "average"]) {
    if (variant[key]) return `${key}: ${variant[key]}`;
  }
  if (variant.weights.some((weight) => Math.abs(weight * variant.weights.length - 1) > 1e-9)) return "weights: unequal ones";
  if (!segments) return "input: counts in place of segments";
  if (segments.length > 1) return "input: several segments";
  if (segments[0].references.length > 1) return "input: several references";
  const texts = [segments[0].hypothesis, segments[0].references[0]];
  if (texts.some((text) => Array.isArray(text) && text.some((token) => !token || /\s/.test(token)))) {
    return "tokens: one is empty or holds white space";
  }
  const split = ["whitespace", "none"].includes(variant.tokenizer.name);
  return texts.some((text) => typeof text === "string") && !split ? `tokenizer: ${variant.tokenizer.name}` : undefined;
}

function answer(request) {
  if (request.request === "hello") {
    return { protocol: 1, implementation: "bleu-score", version, language: "JavaScript", reports: ["score"] };
  }
  const reason = cannot(request);
  if (reason) return { cannot: reason };
  const [{ hypothesis, references }] = request.segments;
  const [candidate, reference] = [hypothesis, references[0]].map((text) => (Array.isArray(text) ? text.join(" ") : text));
  const score = bleu(reference, candidate, request.variant.weights.length);
  return { reported: { score: Number.isNaN(score) ? "nan" : score } };
}

createInterface({ input: process.stdin }).on("line", (line) => {
  const request = JSON.parse(line);
  if (request.request === "bye") process.exit(0);
  process.stdout.write(`${JSON.stringify({ seq: request.seq, ...answer(request) })}\n`);
});
