// The questions of a dataset of files with one fault: a list, and one question as
// a reviewer sees it, with its key and its proof.

const ASKED_CHOICES = [["kind", "kind"], ["level", "level"], ["repo", "repository"]];
const questionLink = (x) => link("/question/" + x.id);

let rowsRead = null;

async function questionRows() {
  rowsRead = rowsRead || (await readBlock("asked"));
  return rowsRead;
}

function questionFigures(b) {
  const by = (name) => (value) => link("/questions", { [name]: value });
  const counts = (rows) => rows.map((r) => ({ name: r.name, count: r.questions }));
  return [h("h2", {}, "Questions with a fault"), h("div", { class: "grid pairs" },
    bars("Kind", "U undeclared names, I wrong indentations, E imports.", counts(b.kinds), b.questions, by("kind")), bars("Level", "1 does not compile, 2 and 3 a linter sees, 4 no linter of one file sees.", counts(b.levels), b.questions, by("level")),
    bars("Repository", "", counts(b.repositories), b.questions, by("repo")))];
}

async function questionsView(q) {
  return listView(q, {
    path: "/questions", title: "Questions", noun: "question", placeholder: "Search ids, paths, names …  ( / )", rows: await questionRows(), says: JSON.stringify, choices: ASKED_CHOICES,
    values: (x, name) => [x[name]], also: (x) => !q.fault || String(x.fault) === q.fault, item: questionItem, link: questionLink,
  });
}

function questionItem(x) {
  return h("a", { class: "item", href: questionLink(x), "data-row": true }, h("span", { class: "name mono" }, x.id), pill(x.fault ? "drop" : "keep", `${x.level}: ${x.kind}`),
    h("span", { class: "sub" }, `${x.repo}#${x.number}, ${x.path}${x.says ? ": " + clip(x.says, 160) : ""}`));
}

async function questionView(id) {
  const at = (await questionRows()).find((x) => x.id === id);
  if (!at) return missing();
  const { question, answer: a, evidence: e } = await valueOf("questions", at.block, at.n);
  return [
    h("p", { class: "crumbs" }, h("a", { href: lastList }, "Questions"), "›", h("a", { href: link(`/pull/${a.repo}/${a.pr_number}`) }, `${a.repo}#${a.pr_number}`), "›", h("span", {}, id)), h("h1", { class: "mono" }, id),
    h("section", { class: "card" }, h("h2", {}, "The key"), h("p", { class: "soft small" }, "No reviewer may see it."), keyFacts(a, e)),
    h("section", { class: "card" }, h("h2", {}, "What a reviewer sees"), a.fault ? h("p", { class: "small" }, pill("drop", "cause"), " ", pill("wait", "where it shows"), " are of the key.") : null, sourceOf(question.view, a.fault)),
    question.contexts.filter((c) => c.text).map((c) => h("details", { class: "card" }, h("summary", {}, `Configuration ${c.config} adds`), text(c.text))),
  ];
}

function keyFacts(a, e) {
  const edits = a.edits.map((d) => [`edit, line ${d.line} of the original`, [h("del", {}, h("code", {}, d.old)), " ", h("code", {}, d.new)]]);
  if (!a.fault) return factList([["fault", "none: a control"], ["kind", words(a.kind)], ["goes with", h("a", { href: link("/question/" + a.control_of) }, a.control_of)], ...edits]);
  const f = a.fault;
  return factList([["kind", `${a.kind}, ${words(a.family)}, level ${a.level}`], ["raises", f.name ? `${f.error} for ${f.name}` : f.error], ...(f.intended ? [["should be", h("code", {}, f.intended)]] : []), ["cause", `line ${f.cause_line}`],
    ["reported", `line ${f.report_line}`], ["shows on", f.effect_lines.join(", ") || "–"], ...edits, ["proven by", e.module ? `${e.rule}: ${e.module}` : e.rule], ["decidable in", a.decidable_in.join(", ")], ["chance of a drawn line", decimals(a.chance)],
    ...Object.entries(e.refused).map(([kind, why]) => [`before it ${kind}`, words(why)])]);
}

// sourceOf shows the lines of a view; those of the source have their numbers.
function sourceOf(view, fault) {
  const classOf = (n) => (!fault ? "" : n === fault.cause_line ? " line-cause" : n === fault.report_line || fault.effect_lines.includes(n) ? " line-effect" : "");
  return h("div", { class: "hunk", tabindex: "0", role: "region", "aria-label": "File" }, h("div", { class: "lines" }, view.split("\n").map((l) => {
    const m = /^ *(\d+) ([ +])\| (.*)$/.exec(l);
    return m ? h("div", { class: "l" + classOf(Number(m[1])) }, h("span", {}), h("span", {}, m[1]), h("span", {}, (m[2] + m[3]).slice(m[2] === " " ? 1 : 0))) : h("div", { class: "l" }, h("span", {}), h("span", {}), h("span", {}, l));
  })));
}
