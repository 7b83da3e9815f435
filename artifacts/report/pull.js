// One pull request: why it is where it is, and its views: the comments in their
// hunks, the whole diff, what a model is shown, the scores, the verdicts.

// The parts of the review value with their formulas (scoring.RVS).
const PARTS = [["review_depth", "(substantive + 1.5 × threads + 2 × change requests) / 20, at most 1"],
  ["code_complexity", "0.2 × files / 10 + 0.6 × changed lines / 400 + 0.2 × directories / 10, each share at most 1"],
  ["discussion_signal", "(answered threads + reviewers) / 15, at most 1"], ["test_change_signal", "1 where tests were modified, 0.5 where they were only added"], ["bug_fix_signal", "1 by title or labels"]];

async function pullView(path, q) {
  const [owner, name, number, tab] = path;
  const p = (await lists()).pulls.find((x) => x.repo === `${owner}/${name}` && numberOf(x) === number);
  if (!p) return missing();
  if (!lastListHas(p)) shown = { items: listsRead.pulls, link: (x) => pullLink(x) };
  const [why, talk] = await Promise.all([whyOf(p), talkOf(p)]);
  const tabs = tabsOf(p, why, talk);
  const now = tabs.find((t) => t.id && t.id === tab) || tabs[0];
  return [
    h("p", { class: "crumbs" }, h("a", { href: lastList }, lastList.startsWith("#/comments") ? "Comments" : "Pull requests"), "›", h("a", { href: link("/repo/" + p.repo) }, p.repo), "›", h("span", {}, "#" + numberOf(p))),
    h("h1", { dir: "auto" }, p.title ? clip(p.title, 300) : pullName(p)),
    h("p", { class: "pills" }, fate(p.outcome), p.code && pill("", words(p.code)), p.language && pill("", p.language), p.difficulty && pill("", words(p.difficulty)), p.pr_type && pill("", words(p.pr_type)),
      talk && h("span", { class: "soft small" }, `by ${talk.author}, ${talk.merged_at ? "merged " + talk.merged_at.slice(0, 10) : "opened " + talk.created_at.slice(0, 10)}`), away(talk ? talk.url : `https://github.com/${p.repo}/pull/${p.number}`, `${pullName(p)} on GitHub ↗`)),
    p.outcome !== "selected" && h("section", { class: "card" }, h("h2", {}, "Why it was dropped"), h("p", {}, h("b", {}, `${p.stage}: ${words(p.code || p.outcome)}. `), data.codes[p.code] || ""), p.detail && text(p.detail)),
    tabs.length > 1 ? h("nav", { class: "tabs", "aria-label": "Views of the pull request" }, tabs.map((t) => h("a", { href: pullLink(p, t.id), "aria-current": t === now ? "page" : null }, t.label))) : null,
    await now.show(q, tab),
  ];
}

// lastListHas says whether next and previous know the pull request.
const lastListHas = (p) => shown.items.some((x) => within(`pull/${p.repo}/${numberOf(p)}`, parse(shown.link(x)).path.slice(0, 4).join("/")));

function tabsOf(p, why, talk) {
  const tabs = [];
  if (talk) tabs.push({ id: "", label: `Comments ${talk.comments.length}`, show: (q, id) => commentsTab(p, talk, q, id) });
  if (why && why.facts) {
    tabs.push({ id: "diff", label: "Diff", show: (q) => diffTab(p, why.facts, talk, q) }, { id: "contexts", label: "What a model is shown", show: (q) => contextsTab(p, talk, q) },
      { id: "scores", label: "Scores and facts", show: () => [scores(why.facts), factsOf(p, why.facts)] });
  }
  if (why) tabs.push({ id: "verdicts", label: `Verdicts ${why.verdicts.length}`, show: () => verdicts(why.verdicts) });
  return tabs.length ? tabs : [{ id: "", label: "", show: () => null }];
}

async function commentsTab(p, talk, q, id) {
  const { hunks } = await codeOf(p);
  const truth = countOf(p, TRUTH);
  const labels = Object.keys(p.labels || {}).sort((a, b) => (b === TRUTH) - (a === TRUTH) || countOf(p, b) - countOf(p, a));
  const box = h("section", { "aria-label": "Review comments" });
  const show = () => {
    const some = talk.comments.filter((c) => (!q.truth || c.label === TRUTH) && (!q.label || c.label === q.label));
    box.replaceChildren(...(some.length ? paged(some, (c) => commentCard(p, c, { source: hunks[c.hunk] }), Math.max(PAGE, 1 + some.findIndex((c) => c.id === id))) : [talk.comments.length ? nothing(q, pullLink(p)) : h("p", { class: "soft" }, "Nobody commented on a line of it.")]));
  };
  show();
  const address = () => replaceAddress("/" + here().path.slice(0, 4).join("/"), q);
  const check = h("input", { type: "checkbox", id: "only-truth", checked: Boolean(q.truth), onchange: () => {
    q.truth = check.checked ? "1" : "";
    address();
    check.focus(); // it may have been in a comment that now goes
    show();
  } });
  const label = choice("label", "label", labels, q.label, (v) => { q.label = v; address(); show(); });
  return [description(talk), h("h2", {}, `${plural(talk.comments.length, "review comment")}, ${truth} ${truthName(p)}`),
    p.outcome === "selected" ? null : h("p", { class: "soft small" }, "From the raw records, labeled by what the comments say and by the revision that they stand at; what became of their code was not looked at."),
    talk.comments.length ? h("div", { class: "filters" }, h("label", { class: "check" }, check, "ground truth only"), labels.length > 1 ? label : null) : null, box];
}

function description(talk) {
  return talk.description && talk.description.length ? h("details", { class: "card" }, h("summary", {}, "Description by its author"), said(talk.description)) : null;
}

function scores(r) {
  const weights = data.manifest.parameters.rvs_weights;
  const cell = (label, n) => h("td", { class: "n", "data-label": label }, decimals(n));
  const row = ([part, from]) => h("tr", {}, h("td", { "data-label": "part" }, words(part), h("div", { class: "soft small" }, from)),
    cell("value", r.scores.parts[part]), cell("weight", weights[part]), cell("gives", weights[part] * r.scores.parts[part]));
  return h("section", { class: "card" }, h("h2", {}, "Review value ", h("span", { class: "pill keep" }, decimals(r.scores.rvs))),
    h("div", { class: "wrap" }, h("table", { class: "stacks" }, h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "part"), ["value", "weight", "gives"].map((t) => h("th", { class: "n", scope: "col" }, t)))), h("tbody", {}, PARTS.map(row)))),
    h("details", {}, h("summary", {}, "Inputs"), factList(Object.entries(r.scores.inputs).map(([k, v]) => [words(k), v === true ? "yes" : v === false ? "no" : String(v)]))));
}

function factsOf(p, r) {
  const ties = r.difficulty.because.map((t) => h("div", {}, t.comment_id ? h("a", { href: commentLink(p, t.comment_id) }, t.comment_id) : "a comment",
    ` is about ${t.path}${t.via ? `, which ${t.because === "imports" ? "imports" : "is tied to"} ${t.via}` : ""} (${t.because}${t.named ? `, named “${t.named}”` : ""})`));
  return h("section", { class: "card" }, h("h2", {}, "Facts"), factList([
    ["task", h("code", {}, p.task)], ["change", `+${r.lines_added} −${r.lines_removed} in ${plural(r.changed_files.length, "file")}`],
    ["type", `${words(p.pr_type)} (${r.type_because || "by default"})`], ["difficulty", [words(p.difficulty), ties.length ? ties : null]], ["revision", revisionOf(r.revision)],
    ["base commit", [h("code", {}, r.base_commit.slice(0, 12)), ` ${r.diff.base_method}`, r.diff.base_verified ? ", verified" : ", not verified"]],
    ["head commit", h("code", {}, r.head_commit.slice(0, 12))], ["tokens", (p.tokens || []).map((n, i) => `${"ABC"[i]} ${count(n)}`).join(", ")],
    r.coverage !== null && r.coverage !== undefined && ["shown in C", percent(r.coverage, 1) + " of the changed lines of production files"],
    r.reverts.length && ["reverts", r.reverts.join(", ")], r.reverted_by.length && ["reverted by", r.reverted_by.join(", ")], ["attribution", r.attribution],
  ]), h("details", {}, h("summary", {}, "Changed files"), r.changed_files.slice(0, 300).map((f) => h("div", { class: "mono" }, f))));
}

// revisionOf says which revision a record shows.
function revisionOf(r) {
  if (r.kind !== "reviewed") return "what was merged";
  return [`as it was reviewed, at `, h("code", {}, r.commit.slice(0, 12)), r.commit === r.final_head ? ", which was merged as it was" : [", merged was ", h("code", {}, r.final_head.slice(0, 12))],
    `; ${plural(r.standing, "substantive comment")} stand there`, r.candidates > 1 ? `; ${r.reachable} of ${r.candidates} commits could be compared` : "", r.description_edited_after_review ? "; the description was edited after the review, and its former text is not known" : ""];
}

function verdicts(lines) {
  const sign = { __proto__: null, pass: ["yes", "✓"], reject: ["no", "✕"], rejected: ["no", "✕"] };
  const row = (v) => {
    const [cls, shape] = sign[v.outcome] || ["maybe", "?"];
    const found = (v.evidence || []).slice(0, 50).map((e) => h("div", {}, `${e.what}: `, h("b", {}, clip(e.found, 300)), e.limit ? ` (limit ${e.limit})` : "", e.url ? [" ", away(e.url, "link ↗")] : null));
    return h("tr", {}, h("td", { class: "word", "data-label": "stage" }, h("span", { class: cls }, shape, h("span", { class: "hidden" }, v.outcome)), " ", v.filter), h("td", { "data-label": "answer" }, v.code ? h("div", {}, h("b", {}, words(v.code)), v.detail ? ": " + clip(v.detail, 500) : "") : null, found));
  };
  return h("section", { class: "card" }, h("h2", {}, "Verdicts"),
    h("div", { class: "wrap" }, h("table", { class: "stacks" }, h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "stage"), h("th", { scope: "col" }, "answer and evidence"))), h("tbody", {}, lines.map(row)))));
}
