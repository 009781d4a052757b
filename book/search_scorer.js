// The order of search results: Sphinx's own numbers, with the glossary below what explains a term.
var Scorer = {
  score: ([page, , , , score]) => page === "glossary" ? score / 10 : score,
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
};
