// A harness for the BLEU of bleukit's page: node page.mjs
import { createInterface } from "node:readline";
import * as bleu from "../../page/src/bleu/bleu.js";

const KINDS = ["tokenizer", "counter", "reference_length", "smoothing", "brevity_penalty"];
const TEXTS = { NaN: "nan", Infinity: "inf", "-Infinity": "-inf" };

/** JSON has no numbers that are not finite. */
const json = (data) => JSON.stringify(data, (_, value) => (typeof value === "number" ? (TEXTS[value] ?? value) : value));

/** The page knows each component by its name and its options. */
function variantOf(asked) {
  const variant = { average: "micro", ...asked, scale: 1, empty_score: Number(asked.empty_score === "nan" ? NaN : asked.empty_score) };
  for (const kind of KINDS) {
    const { name, ...options } = asked[kind] ?? { name: "standard" };
    variant[kind] = { name, options };
  }
  return variant;
}

function answer({ request, variant: asked, segments, counts }) {
  if (request === "hello") {
    return { protocol: 1, implementation: "page", version: "0.1.0", language: `JavaScript (Node ${process.version})` };
  }
  const variant = variantOf(asked);
  const [unknown] = bleu.unknown(variant);
  if (unknown) return { cannot: `${unknown}: ${asked[unknown].name ?? asked[unknown]}` };
  try {
    const found = counts
      ? bleu.score(variant, {
          matches: counts.matches,
          totals: counts.totals,
          length: counts.hypothesis_length,
          reference: counts.reference_length,
          tokens: counts.reference_length,
        })
      : bleu.corpus(variant, segments.map((each) => each.hypothesis), segments.map((each) => each.references));
    return {
      reported: {
        tokens: segments?.length === 1 ? bleu.analyzed(variant, segments[0].hypothesis, []).words : undefined,
        matches: [...found.matches],
        totals: [...found.totals],
        precisions: [...found.precisions],
        hypothesis_length: found.length,
        reference_length: found.reference,
        brevity_penalty: found.penalty,
        score: found.value,
      },
    };
  } catch (error) {
    return { error: String(error) };
  }
}

createInterface({ input: process.stdin }).on("line", (line) => {
  const request = JSON.parse(line);
  if (request.request === "bye") process.exit(0);
  process.stdout.write(`${json({ seq: request.seq, ...answer(request) })}\n`);
});
