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

// rank puts the pull request whose number is asked for first, then what a chosen
// stage dropped, or without one what was released.
function rank(p, q, wanted) {
  if (wanted.some((w) => w === String(p.number) || w === "#" + p.number || w === pullName(p).toLowerCase())) return 0;
  return (q.stage ? passedStage(p, q.stage) : p.outcome !== "selected") ? 2 : 1;
}

// found gives the pull requests that fit, in pairs with the place of the text to
// show. With deep they are also looked for in what was said in them; others have
// no such place.
async function found(q) {
  const wanted = wordsOf(q.q);
  const sets = q.deep ? await inTurn(wanted, textsWithWord) : [];
  const list = [];
  for (const p of (await lists()).pulls) {
    if (!chosen(p, q)) continue;
    const named = wanted.map((w) => haystack(p).includes(w));
    if (named.every(Boolean)) list.push([p]);
    else if (q.deep && p.talk && sets.every((set, i) => named[i] || set.subarray(p.at, p.at + 1 + countOf(p)).includes(1))) list.push([p, placeOf(p, sets)]);
  }
  const ranks = new Map(list.map(([p]) => [p, rank(p, q, wanted)]));
  return list.sort(([a], [b]) => ranks.get(a) - ranks.get(b) || a.i - b.i);
}

// onlyHit is the pull request that is meant: the only one that fits, or the only one
// of that number.
async function onlyHit(q) {
  const list = (await found(q)).map(([p]) => p);
  const named = list.filter((p) => rank(p, q, wordsOf(q.q)) === 0);
  return list.length === 1 ? list[0] : named.length === 1 ? named[0] : null;
}

// placeOf is the place of the text of a pull request that is in most sets: 0 of
// its description, 1 of its first comment.
function placeOf(p, sets) {
  let best = 0, most = 0;
  for (let n = 0; n <= countOf(p); n++) {
    const has = sets.filter((set) => set[p.at + n]).length;
    if (has > most) [best, most] = [n, has];
  }
  return best;
}

// showHit says in a row what was said there, and lets it lead to it.
async function showHit(row, p, place, q) {
  const talk = await talkOf(p);
  const c = talk.comments[place - 1];
  row.href = c ? commentLink(p, c.id, { q: q.q }) : link(`/pull/${p.repo}/${numberOf(p)}`, { q: q.q });
  row.append(h("span", { class: "sub hit" }, snippet(c ? `${c.author} ${c.path} ${plainText(c.text)}` : plainText(talk.description), wordsOf(q.q))));
  mark(row, wordsOf(q.q));
}

async function pullsView(q) {
  const { pulls } = await lists();
  const values = (field) => [...new Set(pulls.map((p) => p[field]).filter(Boolean))].sort();
  const possible = {
    stage: data.summary.funnel.filter((f) => f.of !== "repository").map((f) => f.stage), at: ["dropped", "passed"], outcome: data.summary.outcomes.filter((c) => c.count).map((c) => c.name), code: values("code"),
    repo: values("repo"), language: values("language"), difficulty: values("difficulty"), type: values("pr_type"),
  };
  const results = h("div", {});
  let turn = 0;
  const show = async () => {
    const mine = ++turn;
    const now = await listPage(q);
    if (mine === turn) results.replaceChildren(...now);
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
  await show();
  return [h("h1", {}, "Pull requests"), q.stage && stageNote(q.stage), q.range && h("p", { class: "soft" }, "Only those in the range ", h("code", {}, q.range), ". ", h("a", { href: "#/pulls" }, "Show all")),
    h("div", { class: "filters", role: "search" }, search, h("label", { class: "check" }, deep, "in comments too"), choices(selects, FILTERS.filter(([name]) => q[name]).length), h("a", { href: "#/pulls" }, "Clear")), results];
}

function stageNote(stage) {
  const f = data.summary.funnel.find((s) => s.stage === stage);
  return f && h("p", { class: "soft" }, `${stage}: ${plural(f.in, "pull request")} came in, ${count(f.pass)} passed.`, f.reasons.length ? " Dropped: " + f.reasons.map((r) => `${words(r.name)} ${r.count}`).join(", ") + "." : "");
}

async function listPage(q) {
  const list = await found(q);
  const pages = Math.max(1, Math.ceil(list.length / PAGE));
  const page = pageOf(q, pages);
  const says = `${plural(list.length, "pull request")}, ${count(list.filter(([p]) => p.outcome === "selected").length)} released`;
  live.textContent = says;
  shown = { items: list.map(([p]) => p), link: (p) => pullLink(p) };
  if (!list.length) return [h("section", { class: "card" }, nothing(q, "#/pulls"))];
  const some = list.slice((page - 1) * PAGE, page * PAGE).map(([p, place]) => ({ p, place, row: item(p) }));
  const box = h("section", { class: "card" }, h("p", { class: "soft small", id: "found" }, says),
    h("ul", { class: "rows" }, some.map(({ row }) => h("li", {}, row))), pager(page, pages, (n) => link("/pulls", { ...q, page: n > 1 ? n : "" })));
  mark(box, wordsOf(q.q));
  await hits(box, some.filter(({ place }) => place !== undefined), q);
  return [box];
}

// hits fills rows: the first one, which Enter opens, before the list is shown.
async function hits(box, [first, ...others], q) {
  if (!first) return;
  await showHit(first.row, first.p, first.place, q);
  setTimeout(async () => {
    for (const { row, p, place } of others) if (box.isConnected) await showHit(row, p, place, q);
  });
}

function item(p) {
  const sub = p.outcome === "selected"
    ? [`${pullName(p)} · ${p.language} · ${words(p.difficulty)} · ${words(p.pr_type)} · RVS ${decimals(p.rvs || 0)} · ${p.ground_truth || 0} ground truth`]
    : [p.title ? pullName(p) + " · " : "", h("b", {}, `${p.stage}: ${words(p.code || "")}`), p.detail ? " — " + clip(p.detail, 200) : ""];
  return h("a", { class: "item", href: pullLink(p), "data-row": true }, h("span", { class: "name", dir: "auto" }, p.title ? clip(p.title, 160) : pullName(p)), fate(p.outcome), h("span", { class: "sub" }, sub));
}
