// One pull request: why it is where it is, its comments in their hunks, and its
// scores.

const PARTS = [["review_depth", "substantive, threads, change requests"], ["code_complexity", "files, changed lines, directories"],
  ["discussion_signal", "answered threads, reviewers"], ["test_change_signal", "tests modified or added"], ["bug_fix_signal", "title or labels"]];

function pullView(p, q) {
  const d = detailOf(p);
  const r = d.released;
  const name = `${p.repo}#${p.number}`;
  const view = [
    h("p", { class: "crumbs" }, h("a", { href: lastList }, "Pull requests"), "›", h("a", { href: link("/repo/" + p.repo) }, p.repo), "›", h("span", {}, "#" + p.number)),
    h("h1", { dir: "auto" }, p.title ? clip(p.title, 300) : name),
    h("p", { class: "pills" }, fate(p.outcome), p.code && pill("", words(p.code)), p.language && pill("", p.language), p.difficulty && pill("", words(p.difficulty)),
      p.pr_type && pill("", words(p.pr_type)), away(r ? r.url : `https://github.com/${p.repo}/pull/${p.number}`, `${name} on GitHub ↗`)),
    p.outcome !== "selected" && h("section", { class: "card" }, h("h2", {}, "Why it was dropped"), h("p", {}, h("b", {}, `${p.stage}: ${words(p.code)}. `), data.codes[p.code] || ""), p.detail && text(p.detail)),
  ];
  if (r) view.push(description(r), comments(p, r, q), contexts(p, r), h("div", { class: "two" }, scores(p, r), facts(p, r)));
  view.push(verdicts(d.verdicts, p));
  return view;
}

function scores(p, r) {
  const weights = data.manifest.parameters.rvs_weights;
  const row = ([part, from]) => h("tr", {}, h("td", {}, words(part), h("div", { class: "soft small" }, from)),
    h("td", { class: "n" }, decimals(r.scores.parts[part])), h("td", { class: "n" }, decimals(weights[part])), h("td", { class: "n" }, decimals(weights[part] * r.scores.parts[part])));
  return h("section", { class: "card" }, h("h2", {}, "Review value ", h("span", { class: "pill keep" }, decimals(r.scores.rvs))),
    h("div", { class: "wrap" }, h("table", {}, h("thead", {}, h("tr", {}, h("th", {}, "part"), h("th", { class: "n" }, "value"), h("th", { class: "n" }, "weight"), h("th", { class: "n" }, "gives"))), h("tbody", {}, PARTS.map(row)))),
    h("details", {}, h("summary", {}, "Inputs"), factList(Object.entries(r.scores.inputs).map(([k, v]) => [words(k), v === true ? "yes" : v === false ? "no" : String(v)]))));
}

function facts(p, r) {
  const ties = r.difficulty.because.map((t) => h("div", {}, t.comment_id ? h("a", { href: commentLink(p, t.comment_id) }, t.comment_id) : "a comment",
    ` is about ${t.path}${t.via ? `, which ${t.because === "imports" ? "imports" : "is tied to"} ${t.via}` : ""} (${t.because}${t.named ? `, named “${t.named}”` : ""})`));
  return h("section", { class: "card" }, h("h2", {}, "Facts"), factList([
    ["task", h("code", {}, r.task_id)], ["author", r.author], ["merged", r.merged_at],
    ["change", `+${r.lines_added} −${r.lines_removed} in ${plural(r.changed_files.length, "file")}`],
    ["type", `${words(p.pr_type)} (${r.type_because || "by default"})`],
    ["difficulty", [words(p.difficulty), ties.length ? ties : null]],
    ["base commit", [h("code", {}, r.base_commit.slice(0, 12)), ` ${r.diff.base_method}`, r.diff.base_verified ? ", verified" : ", not verified"]],
    ["head commit", h("code", {}, r.head_commit.slice(0, 12))], ["tokens", r.tokens.map((n, i) => `${"ABC"[i]} ${count(n)}`).join(", ")],
    r.reverts.length && ["reverts", r.reverts.join(", ")], r.reverted_by.length && ["reverted by", r.reverted_by.join(", ")],
    ["attribution", r.attribution],
  ]), h("details", {}, h("summary", {}, "Changed files"), r.changed_files.slice(0, 300).map((f) => h("div", { class: "mono" }, f))));
}

function description(r) {
  return r.description.trim() ? h("details", { class: "card" }, h("summary", {}, "Description by its author"), text(r.description)) : null;
}

function verdicts(lines, p) {
  const open = p.outcome !== "selected";
  const mark = { __proto__: null, pass: ["yes", "✓"], reject: ["no", "✕"], rejected: ["no", "✕"] };
  const row = (v) => {
    const [cls, sign] = mark[v.outcome] || ["maybe", "?"];
    const found = (v.evidence || []).slice(0, 50).map((e) => h("div", {}, `${e.what}: `, h("b", {}, clip(e.found, 300)), e.limit ? ` (limit ${e.limit})` : "", e.url ? [" ", away(e.url, "link ↗")] : null));
    return h("tr", {}, h("td", { class: "word" }, h("span", { class: cls }, sign), " ", v.filter), h("td", {}, v.code ? h("div", {}, h("b", {}, words(v.code)), v.detail ? ": " + clip(v.detail, 500) : "") : null, found));
  };
  return h("details", { class: "card", open }, h("summary", {}, open ? "Verdicts" : `All ${lines.length} verdicts`),
    h("div", { class: "wrap" }, h("table", {}, h("thead", {}, h("tr", {}, h("th", {}, "stage"), h("th", {}, "answer and evidence"))), h("tbody", {}, lines.map(row)))));
}

function comments(p, r, q) {
  const truth = r.comments.filter((c) => c.ground_truth).length;
  const box = h("section", { "aria-label": "Review comments" });
  const show = () => box.replaceChildren(...paged(r.comments.filter((c) => !q.truth || c.ground_truth), (c) => commentCard(p, r, c)));
  show();
  const check = h("input", { type: "checkbox", id: "only-truth", checked: Boolean(q.truth), onchange: () => {
    q.truth = check.checked ? "1" : "";
    replaceAddress("/" + here().path.slice(0, 4).join("/"), q);
    check.focus(); // it may have been in a comment that now goes
    show();
  } });
  return [h("h2", {}, `${plural(r.comments.length, "review comment")}, ${truth} ground truth`),
    h("div", { class: "filters" }, h("label", { class: "check" }, check, "ground truth only")), box];
}

function commentCard(p, r, c) {
  const id = c.comment_id || String(c.database_id);
  const line = c.line ? `:${c.line}` : "";
  const side = c.side === "LEFT" ? " (deleted side)" : "";
  const label = c.ground_truth ? pill("keep", "ground truth " + (c.comment_id || "")) : pill("drop", words(c.reason || "no ground truth"));
  const marks = [c.ground_truth && pill("", c.is_in_diff ? "on a changed line" : "not on a changed line"), shownIn(c), c.requires_change && pill("", "requires a change"), c.severity && pill("", c.severity),
    c.is_blocking && pill("", "blocking"), c.outdated && pill("", "outdated"), c.resolved && pill("", "resolved"), c.minimised && pill("", "hidden on GitHub"), c.account_class !== "human" && pill("", c.account_class)];
  return h("article", { class: "comment" + (c.ground_truth ? " truth" : "") + (c.reply_to ? " reply" : ""), tabindex: "-1", "data-comment": id, "aria-label": `Comment by ${visible(c.author)}` },
    h("header", {}, h("b", {}, c.author), label, marks, h("span", { class: "soft" }, c.created_at.slice(0, 10)), away(c.url, "on GitHub ↗"), h("a", { href: commentLink(p, id) }, "link")),
    h("div", { class: "soft small mono" }, `${c.path || c.original_path}${line}${side}`),
    c.reply_to ? null : hunk(r.hunks[c.hunk] || ""),
    h("div", {}, text(c.body), h("p", { class: "reason" }, reason(c)),
      h("details", {}, h("summary", {}, "Every rule's answer, and the anchor"), rules(c.rules || []), factList([
        ["anchor", `${c.anchor || "not sought"}${c.anchor_note ? ": " + c.anchor_note : ""}`],
        ["written on", `${c.original_path || c.path}${c.original_line ? ":" + c.original_line : ""}${c.original_commit ? " at " + c.original_commit.slice(0, 12) : ""}`],
        c.addressed_before_merge !== null && ["addressed before the merge", c.addressed_before_merge ? "yes" : "no"],
        c.bot_because && ["bot because", c.bot_because], c.ai_rule && ["AI text by", words(c.ai_rule)], ["thread", String(c.thread)],
      ]))));
}

function reason(c) {
  if (c.ground_truth) return [h("b", { class: "yes" }, "Ground truth: "), "it passed every rule."];
  const failed = (c.rules || []).find((r) => !r.passed);
  return [h("b", { class: "no" }, `No ground truth (${words(c.reason || "")}): `), data.codes[c.reason] || "", failed && failed.found ? h("span", { class: "soft" }, ` Found: ${clip(failed.found, 300)}`) : ""];
}

function rules(list) {
  return h("ul", { class: "rules" }, list.map((r) => h("li", {}, h("span", { class: r.passed ? "yes" : "no" }, r.passed ? "✓" : "✕", h("span", { class: "hidden" }, r.passed ? "passed" : "failed")), h("span", {}, words(r.id)), h("span", {}, clip(r.found || "", 300)))));
}

const FATES = { __proto__: null, selected: ["keep", "released"], rejected: ["drop", "rejected"], undetermined: ["wait", "undetermined"], failed: ["wait", "failed"] };

function fate(outcome) {
  const [kind, label] = FATES[outcome] || ["", outcome];
  return pill(kind, label);
}
