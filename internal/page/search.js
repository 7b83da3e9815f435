// The index of texts, by the words in them and by facts about them
// (internal/page/terms.go). Only what a search asks for is read. A set of texts
// has one byte for each, which are numbered from 1: 1 for what is in it.

const TERM = 20; // letters of a term that the index keeps

// termsOf are the terms that a word of a search matches.
const termsOf = (word) => (word.match(/[\p{L}\p{N}\p{M}_]+/gu) || []).map((run) => [...run.toLowerCase()].slice(0, TERM).join(""));

// inOrder makes of a text one that JavaScript orders as Go orders the text.
const inOrder = (text) => [...text].map((c) => c.codePointAt(0).toString(16).padStart(6, "0")).join("");

// textsOf is the set of texts with a term, or with one that begins so.
async function textsOf(term, begins) {
  const { texts, firsts } = await readBlock("terms");
  const set = new Uint8Array(texts + 1);
  const from = inOrder(term), to = begins ? from + "g" : from;
  for (const [i, first] of firsts.entries()) {
    if (inOrder(first) > to || (i + 1 < firsts.length && inOrder(firsts[i + 1]) <= from)) continue;
    const block = await readBlock(`terms-${i + 1}`);
    for (const found of begins ? Object.keys(block).filter((t) => t.startsWith(term)) : Object.hasOwn(block, term) ? [term] : []) {
      let at = 0;
      for (const step of block[found]) set[(at += step)] = 1;
    }
  }
  return set;
}

// textsWithWord is the set of texts that hold a word of a search: all of the
// terms that it matches.
async function textsWithWord(word) {
  const terms = termsOf(word);
  if (!terms.length) return new Uint8Array((await readBlock("terms")).texts + 1);
  return common(await inTurn(terms, (t) => textsOf(t, true)));
}

const textsWithFact = (about, value) => textsOf(`${about}=${value}`, false);

// inTurn is a list of what a function promises for each of a list, asked for one
// after the other.
async function inTurn(list, ask) {
  const out = [];
  for (const x of list) out.push(await ask(x));
  return out;
}

// common is what sets have in common; there must be one.
function common([first, ...others]) {
  for (const set of others) for (let i = 0; i < first.length; i++) first[i] &= set[i];
  return first;
}
