// The list of pull requests with its filters, in pages.

const FILTERS = [["stage", "stage"], ["at", "at the stage"], ["outcome", "outcome"], ["code", "code"], ["repo", "repository"], ["language", "language"], ["difficulty", "difficulty"], ["type", "type"]];
const haystacks = new Map(); // lower-case text to search, by pull request

function haystack(p) {
  let known = haystacks.get(p);
  if (known === undefined) {
    known = [pullName(p), p.task, p.title, p.code, words(p.code || ""), p.stage, p.detail, p.language, p.difficulty, p.pr_type].join("\n").toLowerCase();
    haystacks.set(p, known);
  }
  return known;
}

// passedStage says whether a pull request went on from a stage.
function passedStage(p, stage) {
  return p.outcome === "selected" || order.get(p.stage) > order.get(stage);
}

// inRange says whether a number of a released pull request lies in a range such
// as "lines:10..20"; the end is outside, and nothing means without end.
function inRange(p, range) {
  const [, of, from, to] = /^(\w+):([\d.]*?)\.\.([\d.]*)$/.exec(range) || [];
  if (!of || p.outcome !== "selected") return false;
  const config = ["config_A", "config_B", "config_C"].indexOf(of);
  const n = config >= 0 ? (p.tokens || [])[config] : p[of] || 0;
  return n >= Number(from) && (to === "" || n < Number(to));
}

function chosen(p, q) {
  if (q.stage) {
    if (!order.has(q.stage)) return false;
    const stopped = p.stage === q.stage && p.outcome !== "selected";
    const on = passedStage(p, q.stage);
    if (q.at === "dropped" ? !stopped : q.at === "passed" ? !on : !(stopped || on)) return false;
  }
  if ((q.outcome && p.outcome !== q.outcome) || (q.code && p.code !== q.code) || (q.repo && p.repo !== q.repo)) return false;
  if ((q.language && p.language !== q.language) || (q.difficulty && p.difficulty !== q.difficulty) || (q.type && p.pr_type !== q.type)) return false;
  return !q.range || inRange(p, q.range);
}

// rank puts the pull request whose number is asked for first, and what a chosen
// stage dropped before what it let pass.
function rank(p, q, wanted) {
  if (wanted.some((w) => w === String(p.number) || w === "#" + p.number || w === pullName(p).toLowerCase())) return 0;
  return q.stage && passedStage(p, q.stage) ? 2 : 1;
}

// found gives the pull requests that fit. With deep they are also looked for in
// what was said in them: hits has the comment and the place by pull request, and
// progress is called now and then, and says whether to go on.
async function found(q, hits, progress) {
  const wanted = wordsOf(q.q);
  const fits = (await lists()).pulls.filter((p) => chosen(p, q));
  const list = [];
  const scanned = q.deep ? byBlock(fits) : fits;
  let last = performance.now();
  for (const [i, p] of scanned.entries()) {
    if (wanted.every((w) => haystack(p).includes(w))) list.push(p);
    else if (q.deep && p.talk) {
      const hit = await hitIn(p, wanted);
      if (hit) { hits.set(p, hit); list.push(p); }
      if (performance.now() - last > SLICE) {
        if (!(await progress(list.length, i, scanned.length))) return null;
        last = performance.now();
      }
    }
  }
  const ranks = new Map(list.map((p) => [p, rank(p, q, wanted)]));
  return list.sort((a, b) => ranks.get(a) - ranks.get(b) || a.i - b.i);
}

// byBlock orders pull requests so that each block of what was said is read once,
// the released ones first.
const byBlock = (list) => [...list].sort((a, b) => (a.talk || 0) - (b.talk || 0) || (b.outcome === "selected") - (a.outcome === "selected") || a.i - b.i);

// hitIn is the comment of a pull request, or its description, that has most of
// the words, if all of them occur in what was said.
async function hitIn(p, wanted) {
  const talk = await talkOf(p);
  const texts = [["", plainText(talk.description)], ...talk.comments.map((c) => [c.id, `${c.author} ${c.path} ${plainText(c.text)}`])];
  const low = texts.map(([, t]) => t.toLowerCase());
  const all = haystack(p) + low.join("\n");
  if (!wanted.every((w) => all.includes(w))) return null;
  const has = low.map((t) => wanted.filter((w) => t.includes(w)).length);
  const [id, text] = texts[has.indexOf(Math.max(...has))];
  return { id, says: snippet(text, wanted) };
}

async function pullsView(q) {
  const { pulls } = await lists();
  const values = (field) => [...new Set(pulls.map((p) => p[field]).filter(Boolean))].sort();
  const possible = {
    stage: data.summary.funnel.filter((f) => f.of !== "repository").map((f) => f.stage), at: ["dropped", "passed"], outcome: data.summary.outcomes.filter((c) => c.count).map((c) => c.name), code: values("code"),
    repo: values("repo"), language: values("language"), difficulty: values("difficulty"), type: values("pr_type"),
  };
  const results = h("div", {});
  const view = asked;
  let turn = 0;
  const show = async () => {
    const mine = ++turn;
    const now = await listPage(q, async (found, n, of) => {
      if (mine === turn) results.replaceChildren(h("p", { class: "soft" }, `${count(found)} so far, in ${count(n)} of ${plural(of, "pull request")} …`));
      await new Promise((done) => setTimeout(done));
      return mine === turn && view === asked;
    });
    if (mine === turn && now) results.replaceChildren(...now);
  };
  const change = (name, value) => {
    q[name] = value;
    delete q.page;
    if (name === "stage" && !value) delete q.at;
    at.hidden = !q.stage;
    replaceAddress("/pulls", q);
    return show();
  };
  const search = searchField(q.q, "Search titles, numbers, codes …  ( / )", (v) => change("q", v), () => { const first = results.querySelector("[data-row]"); if (first) first.click(); });
  const selects = FILTERS.map(([name, label]) => choice(name, label, possible[name], q[name], (v) => change(name, v), name === "at" ? "dropped and passed" : "any"));
  const at = selects[1];
  at.hidden = !q.stage;
  const deep = h("input", { type: "checkbox", checked: Boolean(q.deep), onchange: (e) => change("deep", e.target.checked ? "1" : "") });
  await soon(show());
  return [h("h1", {}, "Pull requests"), q.stage && stageNote(q.stage), q.range && h("p", { class: "soft" }, "Only those in the range ", h("code", {}, q.range), ". ", h("a", { href: "#/pulls" }, "Show all")),
    h("div", { class: "filters", role: "search" }, search, h("label", { class: "check" }, deep, "in comments too"), choices(selects, FILTERS.filter(([name]) => q[name]).length), h("a", { href: "#/pulls" }, "Clear")), results];
}

function stageNote(stage) {
  const f = data.summary.funnel.find((s) => s.stage === stage);
  return f && h("p", { class: "soft" }, `${stage}: ${plural(f.in, "pull request")} came in, ${count(f.pass)} passed.`, f.reasons.length ? " Dropped: " + f.reasons.map((r) => `${words(r.name)} ${r.count}`).join(", ") + "." : "");
}

async function listPage(q, progress) {
  const hits = new Map();
  const list = await found(q, hits, progress);
  if (!list) return null; // nobody waits for it any more
  const pages = Math.max(1, Math.ceil(list.length / PAGE));
  const page = pageOf(q, pages);
  const says = `${plural(list.length, "pull request")}, ${count(list.filter((p) => p.outcome === "selected").length)} released`;
  live.textContent = says;
  shown = { items: list, link: (p) => pullLink(p) };
  if (!list.length) return [h("section", { class: "card" }, nothing(q, "#/pulls"))];
  const box = h("section", { class: "card" }, h("p", { class: "soft small", id: "found" }, says),
    h("ul", { class: "rows" }, list.slice((page - 1) * PAGE, page * PAGE).map((p) => h("li", {}, item(p, q, hits.get(p))))), pager(page, pages, (n) => link("/pulls", { ...q, page: n > 1 ? n : "" })));
  mark(box, wordsOf(q.q));
  return [box];
}

function item(p, q, hit) {
  const sub = p.outcome === "selected"
    ? [`${pullName(p)} · ${p.language} · ${words(p.difficulty)} · ${words(p.pr_type)} · RVS ${decimals(p.rvs || 0)} · ${p.ground_truth || 0} ground truth`]
    : [p.title ? pullName(p) + " · " : "", h("b", {}, `${p.stage}: ${words(p.code || "")}`), p.detail ? " — " + clip(p.detail, 200) : ""];
  const href = !hit ? pullLink(p) : hit.id ? commentLink(p, hit.id, { q: q.q }) : link(`/pull/${p.repo}/${p.number}`, { q: q.q });
  return h("a", { class: "item", href, "data-row": true }, h("span", { class: "name", dir: "auto" }, p.title ? clip(p.title, 160) : pullName(p)), fate(p.outcome), h("span", { class: "sub" }, sub), hit && h("span", { class: "sub hit" }, hit.says));
}
