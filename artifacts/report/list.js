// The list of pull requests with its filters, in pages.

const FILTERS = [["at", "at the stage"], ["stage", "stage"], ["outcome", "outcome"], ["code", "code"], ["repo", "repository"], ["language", "language"], ["difficulty", "difficulty"], ["type", "type"]];
const haystacks = new Map(); // lower-case text to search, by pull request

function haystack(p, deep) {
  const known = haystacks.get(p) || {};
  if (!known.short) known.short = [`${p.repo}#${p.number}`, p.title, p.code, words(p.code || ""), p.stage, p.detail, p.language, p.difficulty, p.pr_type].join("\n").toLowerCase();
  if (deep && known.deep === undefined) {
    const r = detailOf(p).released;
    known.deep = r ? [r.description, ...r.comments.map((c) => `${c.author}\n${c.path}\n${c.body}`)].join("\n").toLowerCase() : "";
  }
  haystacks.set(p, known);
  return deep ? known.short + "\n" + known.deep : known.short;
}

// reached says whether a pull request came to a stage, and went on from it.
function passedStage(p, stage) {
  return p.outcome === "selected" || order.get(p.stage) > order.get(stage);
}

function matches(p, q, wanted) {
  if (q.stage) {
    const here = p.stage === q.stage && p.outcome !== "selected";
    const on = passedStage(p, q.stage);
    if (q.at === "dropped" ? !here : q.at === "passed" ? !on : !(here || on)) return false;
  }
  if ((q.outcome && p.outcome !== q.outcome) || (q.code && p.code !== q.code) || (q.repo && p.repo !== q.repo)) return false;
  if ((q.language && p.language !== q.language) || (q.difficulty && p.difficulty !== q.difficulty) || (q.type && p.pr_type !== q.type)) return false;
  return wanted.every((w) => haystack(p, q.deep).includes(w));
}

function found(q) {
  const wanted = (q.q || "").toLowerCase().split(/\s+/).filter(Boolean);
  return data.pulls.filter((p) => matches(p, q, wanted)).sort((a, b) => named(b, wanted) - named(a, wanted) || dropsFirst(q, a) - dropsFirst(q, b));
}

// named puts the pull request whose number is asked for before those that only
// mention it.
function named(p, wanted) {
  return wanted.some((w) => w === String(p.number) || w === "#" + p.number || w === `${p.repo}#${p.number}`.toLowerCase()) ? 1 : 0;
}

// dropsFirst puts what a chosen stage dropped before what it let pass.
function dropsFirst(q, p) {
  return q.stage && passedStage(p, q.stage) ? 1 : 0;
}

const values = (field) => [...new Set(data.pulls.map((p) => p[field]).filter(Boolean))].sort();

function options() {
  return {
    stage: data.summary.funnel.filter((f) => f.of !== "repository").map((f) => f.stage), at: ["dropped", "passed"], outcome: data.summary.outcomes.filter((c) => c.count).map((c) => c.name), code: values("code"),
    repo: values("repo"), language: values("language"), difficulty: values("difficulty"), type: values("pr_type"),
  };
}

function pullsView(q) {
  const results = h("div", {});
  const search = h("input", { type: "search", id: "search", placeholder: "Search titles, numbers, codes …  ( / )", "aria-label": "Search", value: q.q || "", autocomplete: "off", spellcheck: "false" });
  const choices = options();
  const change = (name, value) => { q[name] = value; delete q.page; if (name === "stage" && !value) delete q.at; replaceAddress("/pulls", q); at.hidden = !q.stage; show(); };
  const select = ([name, label]) => {
    const e = h("select", { "aria-label": label, "data-filter": name }, h("option", { value: "" }, name === "at" ? "dropped and passed" : "any " + label), choices[name].map((v) => h("option", { value: v, selected: q[name] === v }, name === "repo" ? v : words(v))));
    e.addEventListener("change", () => change(name, e.value));
    return e;
  };
  const selects = FILTERS.map(select);
  const at = selects[0];
  at.hidden = !q.stage;
  const deep = h("input", { type: "checkbox", checked: Boolean(q.deep), onchange: (e) => change("deep", e.target.checked ? "1" : "") });
  let timer = 0;
  const apply = () => { clearTimeout(timer); if (search.isConnected && search.value !== (q.q || "")) change("q", search.value); };
  search.addEventListener("input", () => { clearTimeout(timer); timer = setTimeout(apply, 120); });
  search.addEventListener("keydown", (e) => {
    if (e.key !== "Enter" || e.isComposing) return;
    apply();
    const first = results.querySelector("[data-row]");
    if (first) first.click();
  });
  const clear = h("button", { type: "button", onclick: () => { location.hash = "#/pulls"; } }, "Clear");
  const show = () => results.replaceChildren(...listPage(found(q), q));
  show();
  return [h("h1", {}, "Pull requests"), q.stage && stageNote(q.stage),
    h("div", { class: "filters", role: "search" }, search, h("label", { class: "check" }, deep, "in comments too"), selects, clear), results];
}

function stageNote(stage) {
  const f = data.summary.funnel.find((s) => s.stage === stage);
  return f && h("p", { class: "soft" }, `${stage}: ${plural(f.in, "pull request")} came in, ${count(f.pass)} passed.`, f.reasons.length ? " Dropped: " + f.reasons.map((r) => `${words(r.name)} ${r.count}`).join(", ") + "." : "");
}

function listPage(list, q) {
  const pages = Math.max(1, Math.ceil(list.length / PAGE));
  const page = Math.min(pages, Math.max(1, Number(q.page) || 1));
  const kept = list.filter((p) => p.outcome === "selected").length;
  const says = `${plural(list.length, "pull request")}, ${count(kept)} released`;
  live.textContent = says;
  shown = list;
  const go = (n) => () => { location.hash = link("/pulls", { ...q, page: n > 1 ? n : "" }); };
  return [h("section", { class: "card" }, h("p", { class: "soft small", id: "found" }, says),
    h("ul", { class: "rows" }, list.slice((page - 1) * PAGE, page * PAGE).map((p) => h("li", {}, item(p)))),
    h("div", { class: "pager" }, h("button", { type: "button", id: "prev", disabled: page < 2, onclick: go(page - 1) }, "← Previous"), h("span", {}, `page ${page} of ${pages}`),
      h("button", { type: "button", id: "next", disabled: page >= pages, onclick: go(page + 1) }, "Next →")))];
}

function item(p) {
  const sub = p.outcome === "selected"
    ? [`${p.repo}#${p.number} · ${p.language} · ${words(p.difficulty)} · ${words(p.pr_type)} · RVS ${decimals(p.rvs || 0)} · ${p.ground_truth || 0} ground truth`]
    : [h("b", {}, `${p.stage}: ${words(p.code || "")}`), p.detail ? " — " + clip(p.detail, 200) : ""];
  return h("a", { class: "item", href: pullLink(p), "data-row": true }, h("span", { class: "name", dir: "auto" }, p.title ? clip(p.title, 160) : `${p.repo}#${p.number}`), fate(p.outcome), h("span", { class: "sub" }, sub));
}
