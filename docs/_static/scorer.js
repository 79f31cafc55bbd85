/** The order of search results: pages whose title is asked for, answers to frequent questions, guides, and all other pages. */
"use strict";

/** Pages that answer questions in the words of those who ask. */
const ANSWERS = ["faq", "which-to-report", "which-number"];

/** Folders and pages that hold a little of everything. */
const LOOKED_UP = /^(variants|documents|components|reference)\/|^(changes|variants|cases|pairs)$/;

var Scorer = {
  score: ([page, , , , score, , kind]) => {
    if (kind === "title") return score + 1000;
    if (ANSWERS.includes(page)) return score + 200;
    return LOOKED_UP.test(page) ? score : score + 100;
  },
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
};
