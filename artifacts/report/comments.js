// All review comments across pull requests, by label, rule and what became of
// the code: where labels are audited. And the card of one comment.

// Each filter but the first two is a fact of the index (talk.go).
const COMMENT_CHOICES = [["outcome", "pull request"], ["repo", "repository"], ["rule", "failed rule"], ["author", "author"], ["state", "code since"], ["validation", "what the author did"], ["anchor", "anchor"], ["shown", "shown in"], ["at", "only those"]];
const COMMENT_FACTS = ["label", ...COMMENT_CHOICES.slice(2).map(([name]) => name)];

const labelName = (label, p) => (label === TRUTH ? (p ? truthName(p) : "ground truth") : words(label));
const countOf = (p, label) => (label ? (p.labels || {})[label] || 0 : Object.values(p.labels || {}).reduce((a, b) => a + b, 0));

// seek gives the comments from one place to another among all that fit, as pairs
// with their pull request, and how many there are.
async function seek(q, pulls, from, to) {
  const sets = [...(await inTurn(wordsOf(q.q), textsWithWord)), ...(await inTurn(COMMENT_FACTS.filter((name) => q[name]), (name) => textsWithFact(name, q[name])))];
  const fits = sets.length && common(sets);
  const out = [];
  let all = 0;
  for (const p of pulls) {
    for (let n = 1; n <= countOf(p); n++) {
      if (fits && !fits[p.at + n]) continue;
      if (all >= from && all < to) out.push([p, n]);
      all++;
    }
  }
  return { found: await inTurn(out, async ([p, n]) => [p, (await talkOf(p)).comments[n - 1]]), all };
}

async function commentsView(q) {
  const { pulls } = await lists();
  const possible = {
    outcome: ["selected", "rejected", "undetermined"], repo: [...new Set(pulls.filter((p) => p.talk).map((p) => p.repo))].sort(), rule: data.summary.rules, author: ["human", "author", "bot", "ghost"], state: data.summary.code_states.map((c) => c.name),
    validation: data.summary.validations.map((c) => c.name), anchor: data.summary.anchors.map((c) => c.name), shown: ["A", "B", "C", "nowhere"], at: ["changed_line", "no_changed_line", "requires_change", "blocking", "outdated", "resolved", "hidden", "reply", "changed_elsewhere"],
  };
  const results = h("div", {});
  const chips = h("div", { class: "chips", role: "group", "aria-label": "Label" });
  let turn = 0;
  const show = async () => {
    const mine = ++turn;
    const open = pulls.filter((p) => p.talk && (!q.outcome || p.outcome === q.outcome) && (!q.repo || p.repo === q.repo)).sort(releasedFirst);
    chips.replaceChildren(...labelChips(q, open));
    const now = await commentPage(q, open);
    if (mine === turn) results.replaceChildren(...now);
  };
  const change = (name, value) => { q[name] = value; delete q.page; replaceAddress("/comments", q); return show(); };
  const search = searchField(q.q, "Search in comments  ( / )", (v) => change("q", v), async () => {
    const hit = /^(\S*#)?\d+$/.test(q.q) && await onlyHit({ q: q.q }); // a number means its pull request
    const first = results.querySelector("[data-comment]");
    if (hit) location.hash = pullLink(hit); else if (first) first.focus();
  });
  const selects = COMMENT_CHOICES.filter(([name]) => possible[name].length).map(([name, label]) => choice(name, label, possible[name], q[name], (v) => change(name, v)));
  await show();
  return [h("h1", {}, "Review comments"), h("p", { class: "soft" }, "Every review comment of the released pull requests, and of the rejected ones whose words the raw records hold, by label: what made it ground truth, or the first rule that it failed."),
    h("div", { class: "filters", role: "search" }, search, choices(selects, COMMENT_CHOICES.filter(([name]) => q[name]).length), h("a", { href: "#/comments" }, "Clear")), chips, results];
}

const releasedFirst = (a, b) => (b.outcome === "selected") - (a.outcome === "selected") || a.at - b.at;

// labelChips lead to the comments of one label; the one chosen leads to all. What is
// ground truth and what would be have a chip each, which chooses the outcome too.
function labelChips(q, pulls) {
  const chips = new Map();
  for (const p of pulls) {
    for (const [label, n] of Object.entries(p.labels || {})) {
      const name = labelName(label, p) + (label === TRUTH && p.outcome === "undetermined" ? ", undetermined" : "");
      const chip = chips.get(name) || { name, label, n: 0, outcome: label === TRUTH ? p.outcome : "" };
      chip.n += n;
      chips.set(name, chip);
    }
  }
  const place = (c) => (c.label === TRUTH ? (c.outcome === "selected" ? 2 : 1) : 0);
  return [...chips.values()].sort((a, b) => place(b) - place(a) || b.n - a.n).map((c) => {
    const on = q.label === c.label && (!c.outcome || q.outcome === c.outcome);
    const to = { ...q, page: "", label: on ? "" : c.label, outcome: !c.outcome ? q.outcome : on ? "" : c.outcome };
    return h("a", { class: "chip" + (c.outcome === "selected" ? " keep" : ""), href: link("/comments", to), "aria-current": on ? "true" : null, title: data.codes[c.label] || null }, c.name, " ", h("b", {}, count(c.n)));
  });
}

async function commentPage(q, pulls) {
  const size = 25;
  const from = (Math.max(1, Math.trunc(Number(q.page)) || 1) - 1) * size;
  const now = await seek(q, pulls, from, from + size);
  const pages = Math.max(1, Math.ceil(now.all / size));
  shown = { items: now.found, link: ([p, c]) => commentLink(p, c.id) };
  const says = plural(now.all, "comment");
  live.textContent = says;
  if (!now.found.length) return [h("section", { class: "card" }, nothing(q, "#/comments"))];
  const box = h("div", {}, q.label && data.codes[q.label] ? h("p", { class: "soft" }, data.codes[q.label]) : null, h("p", { class: "soft small", id: "found" }, says),
    now.found.map(([p, c]) => commentCard(p, c, { ofPull: true })), pager(pageOf(q, pages), pages, (n) => link("/comments", { ...q, page: n > 1 ? n : "" })));
  mark(box, wordsOf(q.q));
  return [box];
}

// commentCard is one comment. Its hunk is shown, or behind a fold where it is not
// at hand; ofPull names the pull request too.
function commentCard(p, c, { source, ofPull } = {}) {
  const line = c.line ? `:${c.line}` : "";
  const side = c.side === "LEFT" ? " (deleted side)" : "";
  const isTruth = c.label === TRUTH;
  const label = isTruth ? pill("keep", `${truthName(p)} ${c.id}`) : pill("drop", labelName(c.label));
  const marks = [isTruth && pill("", c.in_diff ? "on a changed line" : "not on a changed line"), shownIn(c), c.change && pill("", "requires a change"), c.severity && pill("", c.severity),
    c.blocking && pill("", "blocking"), c.outdated && pill("", "outdated"), c.resolved && pill("", "resolved"), c.hidden && pill("", "hidden on GitHub"), c.class !== "human" && pill("", c.class)];
  const place = `${c.path || c.original_path || ""}${line}${side}`;
  return h("article", { class: "comment" + (isTruth ? " truth" : "") + (c.reply && !ofPull ? " reply" : ""), tabindex: "-1", "data-comment": c.id, "aria-label": `Comment by ${visible(c.author)}` },
    h("header", {}, h("b", {}, c.author), label, marks, h("span", { class: "soft" }, c.created_at.slice(0, 10)), away(c.url, "on GitHub ↗"), h("a", { href: commentLink(p, c.id) }, ofPull ? "in its pull request" : "link")),
    h("div", { class: "place soft small" }, ofPull ? [h("a", { href: pullLink(p), "data-row": true }, p.title ? clip(p.title, 120) : pullName(p)), ` ${pullName(p)} `, fate(p.outcome), " "] : null, h("span", { class: "mono" }, place), !ofPull && c.line && p.task ? [" ", h("a", { href: link(`/pull/${p.repo}/${numberOf(p)}/diff`, { at: c.id }) }, "in the whole diff")] : null),
    c.reply && !ofPull ? null : source === undefined ? foldedHunk(p, c) : hunk(source, false, `Diff hunk of ${c.id}`),
    h("div", {}, said(c.text), h("p", { class: "reason" }, reason(p, c)), since(c),
      h("details", {}, h("summary", {}, "Every rule's answer, and the anchor"), rules(c.rules), factList([
        c.anchor !== "none" || c.anchor_note ? ["anchor", `${c.anchor}${c.anchor_note ? ": " + c.anchor_note : ""}`] : null,
        ["written on", `${c.original_path || c.path}${c.original_line ? ":" + c.original_line : ""}${c.original_commit ? " at " + c.original_commit.slice(0, 12) : ""}`],
        c.difficulty && ["difficulty", words(c.difficulty)], c.bot_because && ["bot because", c.bot_because], c.ai_rule && ["AI text by", words(c.ai_rule)], ["thread", String(c.thread)],
      ]))));
}

// foldedHunk reads the hunk when it is unfolded.
function foldedHunk(p, c) {
  const box = h("details", { class: "fold" }, h("summary", {}, "The hunk"));
  box.addEventListener("toggle", async () => {
    if (box.open && box.children.length === 1) append(box, [hunk((await codeOf(p)).hunks[c.hunk], false, `Diff hunk of ${c.id}`)]);
  });
  return box;
}

// reason says what made a comment ground truth, or the first rule that it failed.
function reason(p, c) {
  const found = (id) => (c.rules.find((r) => r.id === id) || {}).found;
  if (c.label === TRUTH) {
    const seen = [found("enough_words"), found("refers_to_code")].filter(Boolean).map((f) => clip(f, 120));
    return [h("b", { class: "yes" }, p.outcome === "selected" ? "Ground truth: " : "Would be ground truth, were its pull request released: "), "it passed every rule", seen.length ? ` (${seen.join("; ")}).` : "."];
  }
  const failed = c.rules.find((r) => !r.passed);
  return [h("b", { class: "no" }, `No ground truth (${labelName(c.label)}): `), data.codes[c.label] || "", failed && failed.found ? h("span", { class: "soft" }, ` Found: ${clip(failed.found, 300)}`) : ""];
}

// since says what became of the code under a comment.
function since(c) {
  if (!c.code_state) return null;
  return h("p", { class: "soft small" }, "The code since: ", h("b", {}, words(c.code_state)), c.distance !== undefined ? ` (${plural(c.distance, "line")} away)` : "", c.standing === undefined ? "" : c.standing ? ", the comment stands" : ", the comment no longer stands", c.elsewhere ? [", ", h("code", {}, c.elsewhere), ", which it names, was changed elsewhere"] : "", c.validation && c.validation !== "none" ? `; the author: ${words(c.validation)}` : "", ".");
}

function rules(list) {
  return h("ul", { class: "rules" }, list.map((r) => h("li", {}, h("span", { class: r.passed ? "yes" : "no" }, r.passed ? "✓" : "✕", h("span", { class: "hidden" }, r.passed ? "passed" : "failed")), h("span", {}, words(r.id)), h("span", {}, clip(r.found || "", 300)))));
}
