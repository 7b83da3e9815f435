// What the views share: the lists, what there is of one pull request, labels and
// fates. This file starts the page.

const order = new Map(data.summary.funnel.map((f, i) => [f.stage, i]));
const TRUTH = "ground_truth"; // the label of a ground-truth comment

// truthName says of a pull request's comments that pass every rule what they are: only
// those of a released one are ground truth.
const truthName = (p) => (p.outcome === "selected" ? "ground truth" : "would be ground truth");

let listsRead = null;

// lists gives all pull requests, each with its number i, and all repositories.
async function lists() {
  if (!listsRead) {
    listsRead = await readBlock("lists");
    listsRead.pulls.forEach((p, i) => { p.i = i; });
  }
  return listsRead;
}

const numberOf = (p) => p.number + (p.record || ""); // of a further record "61@2"
const pullLink = (p, tab) => link(`/pull/${p.repo}/${numberOf(p)}${tab ? "/" + tab : ""}`);
const commentLink = (p, id, query) => link(`/pull/${p.repo}/${numberOf(p)}/${id}`, query);
const pullName = (p) => `${p.repo}#${numberOf(p)}`;

const whyOf = (p) => valueOf("why", p.why, p.i);
const talkOf = (p) => valueOf("talk", p.talk, p.i);
const codeOf = (p) => valueOf("diff", p.diff, p.i);
const wentOf = (p) => valueOf("went", p.went, p.i);

const FATES = { __proto__: null, selected: ["keep", "released"], rejected: ["drop", "rejected"], undetermined: ["wait", "undetermined"], failed: ["wait", "failed"] };

function fate(outcome) {
  const [kind, label] = FATES[outcome] || ["", outcome];
  return pill(kind, label);
}

start({
  "": { show: overview },
  pulls: { show: (_, q) => pullsView(q), list: true, up: "#/", found: (_, q) => { if (q.q) step(1); } },
  comments: { show: (_, q) => commentsView(q), list: true, up: "#/" },
  questions: { show: (_, q) => questionsView(q), list: true, up: "#/" },
  question: { show: (path) => questionView(path[0]), nav: "questions", up: "list" },
  repos: { show: reposView, up: "#/" },
  repo: { show: (path) => repoView(path.slice(0, 2).join("/")), nav: "repos", up: "#/repos" },
  pull: { show: pullView, nav: "pulls", up: "list", found: (path, q) => { mark(main, wordsOf(q.q)); if (path[3]) focusComment(path[3]); } },
}, "#/pulls");
