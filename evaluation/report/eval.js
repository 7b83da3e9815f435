// The views of an evaluation: leaderboard, breakdown, comparison, one pull
// request. The numbers are the report's; this only shows them.

const report = data.report;
const headline = report.metrics.filter((m) => m.headline);
const ranking = report.metrics.find((m) => m.ranks) || report.metrics[0];
const taskLink = (t) => link("/task/" + t.task_id);
const share = (x) => (x === null || x === undefined ? "–" : x.toFixed(3));
const interval = (e) => (e.value === null ? "–" : e.low === null ? share(e.value) : [h("b", {}, share(e.value)), h("div", { class: "soft small" }, `${e.low.toFixed(2)} to ${e.high.toFixed(2)}`)]);
const short = (config) => config.replace(/^config_/, "");
const ranks = (m) => (m.best_rank === m.worst_rank ? String(m.best_rank) : `${m.best_rank}–${m.worst_rank}`);
const each = data.task, Each = each[0].toUpperCase() + each.slice(1) + "s"; // pull request, sample, question
const nameOf = (t) => (t.number ? `${t.repo}#${t.number}` : t.task_id);
const dollars = (x) => (x ? "$" + x.toFixed(x < 1 ? 3 : 2) : "–");

function tableOf(head, rows) {
  const cell = (c, i) => h("td", { class: head[i].n ? "n" : null, "data-label": head[i].label || null }, c);
  return h("div", { class: "wrap", tabindex: "0" }, h("table", { class: "stacks figures" }, h("thead", {}, h("tr", {}, head.map((t) => h("th", { class: t.n ? "n" : null, title: t.title ? visible(t.title) : null }, h("span", {}, t.label))))),
    h("tbody", {}, rows.map((r) => h("tr", {}, r.map(cell))))));
}
const left = (label) => ({ label });
const right = (label, title) => ({ label, title, n: true });

// ---- leaderboard

function overview(q) {
  const tile = (n, label) => h("div", { class: "tile" }, h("b", {}, n), h("span", {}, label));
  const p = report.plan;
  const judge = p.judge.provider === "rules" ? `${p.judge.id} (rules)` : `${p.judge.id} (${p.judge.model}, ${p.judge.mode}, ${p.judge.repeat} times)`;
  return [
    h("h1", {}, p.dataset.name),
    h("p", { class: "soft" }, `Benchmark ${p.benchmark}, protocol ${p.protocol}, judge ${judge}.`),
    report.warnings.map((w) => h("p", {}, pill("wait", "note"), " ", w)),
    h("div", { class: "tiles" }, tile(count(report.models.length), "reviewers"), tile(count(data.tasks.length), each + "s"), tile(count(report.planned), "records planned"),
      tile(count(report.scored), "scored"), tile(count(report.failed), "failed, without a score"), report.not_asked ? tile(count(report.not_asked), "not asked, without a score") : null),
    h("section", { class: "card" }, h("h2", {}, "Leaderboard"), h("p", { class: "soft small" }, `By ${words(ranking.name)}, with 95 % intervals. Reviewers whose ranks overlap are not distinguishable.`), leaderboard()),
    chartCard(headline.find((m) => m.name === q.metric) || ranking),
    h("section", { class: "card" }, h("h2", {}, "All rates"), tableOf([left("reviewer"), ...report.metrics.map((m) => right(words(m.name), m.means))],
      report.models.map((m) => [m.model, ...m.values.map((v) => share(v.micro.value))]))),
    h("section", { class: "card" }, h("h2", {}, "What the numbers mean"), factList(report.metrics.map((m) => [words(m.name), m.means]))),
  ];
}

// chartCard shows one rate of all reviewers with its intervals.
function chartCard(metric) {
  const at = report.metrics.indexOf(metric);
  const select = h("select", { "aria-label": "rate", id: "metric" }, headline.map((m) => h("option", { value: m.name, selected: m === metric }, words(m.name))));
  select.addEventListener("change", () => { location.hash = link("/", { metric: select.value }); });
  const row = (m) => {
    const e = m.values[at].micro;
    return { ...e, name: m.model, to: link("/cells", { model: m.model }), says: e.value === null ? "–" : share(e.value) + (e.low === null ? "" : ` (${e.low.toFixed(2)} to ${e.high.toFixed(2)})`) };
  };
  return h("section", { class: "card" }, h("h2", {}, "Intervals"), h("div", { class: "filters" }, select), intervals(report.models.map(row)));
}

const comments = report.models.some((m) => m.counts.comments !== undefined); // else answers are of another form
const priced = report.models.some((m) => m.cost.usd_per_record);

function leaderboard() {
  const head = [left("rank"), left("reviewer"), ...headline.map((m) => right(words(m.name), m.means)), comments && right("comments"), right("failed"), priced && right("cost an answer"), priced && comments && right("cost a caught problem")].filter(Boolean);
  const row = (m) => [ranks(m), h("a", { href: link("/cells", { model: m.model }), "data-row": true }, m.model), ...m.values.filter((v, i) => report.metrics[i].headline).map((v) => interval(v.micro)),
    ...(comments ? [count(m.counts.comments || 0)] : []), m.failed || m.not_asked ? h("span", { class: "maybe" }, `${m.failed} of ${m.planned}`, m.not_asked ? h("div", { class: "small" }, `${m.not_asked} not asked`) : null, bounds(m)) : "0", ...(priced ? [dollars(m.cost.usd_per_record)] : []), ...(priced && comments ? [dollars(m.cost.usd_per_caught)] : [])];
  return tableOf(head, report.models.map(row));
}

// bounds says what the mean would be if all failed records were worth nothing, or the best.
function bounds(m) {
  const v = m.values.find((x) => x.metric === ranking.name);
  return v && v.low_if_failed !== null ? h("div", { class: "soft small" }, `mean ${words(ranking.name)} ${share(v.low_if_failed)} to ${share(v.high_if_failed)}`) : null;
}

// ---- breakdown

function cellsView(q) {
  const model = q.model || (report.models[0] || {}).model;
  const cells = report.cells.filter((c) => c.model === model);
  const select = h("select", { "aria-label": "reviewer", id: "model" }, report.models.map((m) => h("option", { value: m.model, selected: m.model === model }, m.model)));
  select.addEventListener("change", () => { location.hash = link("/cells", { model: select.value }); });
  const part = (title, note, key, keep) => {
    const rows = cells.filter(keep);
    return rows.length ? h("section", { class: "card" }, h("h2", {}, title), note && h("p", { class: "soft small" }, note), tableOf([left(key.join(" · ")), right(each + "s"), ...headline.map((m) => right(words(m.name), m.means)), ...(comments ? [right("comments a review")] : [])],
      rows.map((c) => cellRow(c, key)))) : null;
  };
  const only = (k) => (c) => c[k] && ["config", "difficulty", "language", "type", "repo"].every((o) => o === k || !c[o]);
  const steps = report.steps.filter((s) => s.model === model);
  return [h("h1", {}, "Breakdown"), h("div", { class: "filters" }, select), h("p", { class: "soft small" }, `Grey cells have fewer than 10 ${each}s: too few to say much. Choose one to see its ${each}s.`),
    part("By configuration", "", ["config"], only("config")),
    steps.length ? h("section", { class: "card" }, h("h2", {}, "Configurations compared"), h("p", { class: "soft small" }, `On the same ${each}s; p by sign flips, Holm over all.`), tableOf([left("from"), left("to"), right("difference"), right("p"), left("")],
      steps.map((s) => [short(s.from), short(s.to), interval(s.difference), share(s.p_holm), s.significant ? "significant" : "not distinguishable"]))) : null,
    part("By configuration and difficulty", "", ["config", "difficulty"], (c) => c.config && c.difficulty && !c.language), part("By configuration, difficulty and language", "", ["config", "difficulty", "language"], (c) => c.config && c.difficulty && c.language),
    part("By language", "", ["language"], only("language")), part("By type", "", ["type"], only("type")), part("By repository", "", ["repo"], only("repo"))];
}

// tablesView shows the benchmark's own tables.
function tablesView() {
  const figure = (f) => (f.count ? count(f.value) : interval(f));
  const card = (t) => h("section", { class: "card" }, h("h2", {}, t.title), h("p", { class: "soft small" }, t.means),
    tableOf([left("reviewer"), ...t.labels.map(left), ...t.columns.map((c) => right(words(c)))], t.rows.map((r) => [r.model, ...r.labels.map(words), ...r.figures.map(figure)])));
  return [h("h1", {}, "Tables"), report.tables.length ? report.tables.map(card) : h("p", {}, "This benchmark has no tables beside leaderboard and breakdown.")];
}

function cellRow(c, key) {
  const q = { model: c.model, config: c.config, difficulty: c.difficulty, language: c.language, type: c.type, repo: c.repo };
  const name = key.map((k) => (k === "config" ? short(c[k]) : words(c[k]))).join(" · ");
  const grey = (x) => (c.few ? h("span", { class: "soft" }, x) : x);
  return [h("a", { href: link("/tasks", q), "data-row": true }, name), [String(c.tasks), c.failed ? h("div", { class: "maybe small" }, `${c.failed} failed`) : null],
    ...c.rates.map((r) => grey(interval(r))), ...(comments ? [grey(share(c.comments_per_record))] : [])];
}

// ---- comparison

function compareView(q) {
  const names = report.models.map((m) => m.model);
  const a = q.a || names[0], b = q.b || names[1] || names[0];
  const pick = (name, value) => {
    const e = h("select", { "aria-label": "reviewer " + name, "data-filter": name }, names.map((n) => h("option", { value: n, selected: n === value }, n)));
    e.addEventListener("change", () => { location.hash = link("/compare", { a, b, [name]: e.value }); });
    return e;
  };
  const rows = data.tasks.map((t) => [t, caught(t, a), caught(t, b)]).filter(([, x, y]) => x && y).sort((x, y) => Math.abs(y[1].matched - y[2].matched) - Math.abs(x[1].matched - x[2].matched));
  const pair = report.pairs.find((p) => (p.a === a && p.b === b) || (p.a === b && p.b === a));
  return [h("h1", {}, "Compare"), h("div", { class: "filters" }, pick("a", a), pick("b", b)), pair && pairCard(pair, a, b),
    h("section", { class: "card" }, h("h2", {}, Each), h("p", { class: "soft small" }, "All configurations together; the largest differences first."),
      tableOf([left(each), right("problems"), right("caught by " + a), right("caught by " + b), right("difference")],
        rows.slice(0, 200).map(([t, x, y]) => [h("a", { href: taskLink(t), "data-row": true }, `${nameOf(t)} ${clip(t.title, 100)}`), x.truth, x.matched, y.matched, x.matched - y.matched])))];
}

function pairCard(pair, a, b) {
  const d = pair.difference, sign = pair.a === a ? 1 : -1;
  const range = d.low === null ? "" : ` (95 %: ${share(sign > 0 ? d.low : -d.high)} to ${share(sign > 0 ? d.high : -d.low)})`;
  return h("section", { class: "card" }, h("h2", {}, pair.significant ? "The difference is significant" : "The two are not distinguishable"),
    h("p", {}, `${words(ranking.name)} of ${a} minus that of ${b}: `, h("b", {}, d.value === null ? "–" : share(sign * d.value)), `${range}, p ${share(pair.p_holm)} after Holm, on ${plural(d.units, "record")} that both have.`));
}

function caught(t, model) {
  const of = t.records.filter((r) => r.model === model && r.outcome === "scored");
  return of.length ? { truth: of.reduce((n, r) => n + r.truth, 0), matched: of.reduce((n, r) => n + r.matched, 0) } : null;
}

// ---- pull requests

function tasksView(q) {
  const groups = ["difficulty", "language", "type", "repo"].filter((k) => data.tasks.some((t) => t.groups[k]));
  const choices = [["model", "reviewer"], ["config", "configuration"], ...groups.map((k) => [k, k])];
  return listView(q, {
    path: "/tasks", title: Each, noun: each, placeholder: "Search titles, numbers …  ( / )", rows: data.tasks, choices, says: (t) => [nameOf(t), t.task_id, t.title, ...Object.values(t.groups)].join("\n"),
    values: (t, k) => (k === "model" || k === "config" ? t.records.map((r) => r[k]) : [t.groups[k]].filter(Boolean)), also: () => true, item: (t) => taskItem(t, q), link: taskLink,
  });
}

// taskItem is one of the list, with the records of the reviewer and the configuration chosen.
function taskItem(t, q) {
  const of = t.records.filter((r) => (!q.model || r.model === q.model) && (!q.config || r.config === q.config));
  const best = of.filter((r) => r.outcome === "scored").map((r) => `${r.model} ${short(r.config)} ${r.matched}/${r.truth}`);
  const open = of.filter((r) => r.outcome !== "scored").length;
  return h("a", { class: "item", href: taskLink(t) + (q.config ? "?config=" + encodeURIComponent(q.config) : ""), "data-row": true }, h("span", { class: "name", dir: "auto" }, clip(t.title || t.task_id, 160)), open ? pill("wait", `${open} without a score`) : null,
    h("span", { class: "sub" }, `${nameOf(t)} · ${Object.entries(t.groups).filter(([k]) => k !== "repo").map(([, v]) => words(v)).join(" · ")} · ${report.plan.benchmark === "review" ? "caught" : words(ranking.name)}: ${clip(best.join(", "), 220) || "–"}`));
}

// ---- one pull request

async function taskView(id, q) {
  const t = data.tasks.find((x) => x.task_id === id);
  if (!t) return missing();
  const n = data.tasks.indexOf(t), d = await readBlock("task-" + n);
  d.records.forEach((r, i) => { r.asked = () => readBlock("asked-" + n).then((a) => ({ prompt: a.prompts[r.config], answers: a.answers[i] })); });
  const configs = [...new Set(d.records.map((r) => r.config))];
  const config = configs.includes(q.config) ? q.config : configs[0];
  const tabs = h("select", { "aria-label": "configuration", id: "config" }, configs.map((c) => h("option", { value: c, selected: c === config }, short(c))));
  tabs.addEventListener("change", () => { location.hash = taskLink(t) + "?config=" + encodeURIComponent(tabs.value); });
  const records = d.records.filter((r) => r.config === config);
  return [h("p", { class: "crumbs" }, h("a", { href: lastList }, Each), "›", h("span", {}, t.task_id)), h("h1", { dir: "auto" }, clip(t.title || t.task_id, 300)),
    h("p", { class: "pills" }, Object.values(t.groups).map((v) => pill("", words(v))), t.number ? away(t.url, `${nameOf(t)} on GitHub ↗`) : null), h("div", { class: "filters" }, tabs),
    d.truth.length ? h("h2", {}, plural(d.truth.length, "comment") + " by people") : null, paged(d.truth, (x) => truthCard(x, records, d.diff)),
    h("h2", {}, d.diff ? "Reviews" : "Answers"), records.map((r) => reviewCard(r, d.diff)), d.diff ? diffCard(d.diff) : null];
}

// folded is what is made when somebody unfolds it.
function folded(label, make, kind = "fold") {
  const box = h("details", { class: kind }, h("summary", {}, label));
  box.addEventListener("toggle", async () => {
    if (!box.open || box.dataset.made) return;
    box.dataset.made = "yes";
    append(box, [await make()]);
  });
  return box;
}

const codeAt = (diff, c) => (diff && c.file ? folded("Code", () => lineOf(diff, c.file, c.line)) : null);

function truthCard(x, records, diff) {
  const by = records.filter((r) => (r.comments || []).some((c) => c.match === x.comment_id)).map((r) => r.model);
  return h("article", { class: "comment truth", tabindex: "-1", "data-comment": x.comment_id }, h("header", {}, h("b", {}, x.comment_id), x.reviewer && h("span", {}, x.reviewer), x.validation && pill("", x.validation === "none" ? "no sign that the author acted" : words(x.validation)), x.visible_in && pill("", x.visible_in.length ? "shown in " + x.visible_in.join(" ") : "shown in no configuration"),
    by.length ? pill("keep", "caught by " + by.join(", ")) : pill("drop", "missed by all"), away(x.url, "on GitHub ↗")), h("div", { class: "soft small mono" }, x.file + (x.line ? ":" + x.line : "")), h("div", {}, said(x.text)), codeAt(diff, x));
}

function reviewCard(r, diff) {
  const says = r.outcome === "failed" ? pill("wait", "failed: " + words(r.code)) : r.outcome === "not_asked" ? pill("wait", "not asked") : r.review === "nothing" ? pill("", "had nothing to say") : r.review === "unusable" ? pill("drop", "answer cannot be used") : pill("", plural(r.comments.length, "comment"));
  return h("section", { class: "card" }, h("h3", {}, r.model, r.repeat > 1 ? ` (repeat ${r.repeat})` : "", " ", says), r.left_out && r.left_out.length ? h("p", { class: "soft small" }, "The judge was not shown: " + r.left_out.join(", ")) : null, r.answer ? h("div", { class: "mono" }, text(r.answer)) : null, paged(r.comments || [], (c) => commentCard(c, diff), 20),
    folded("What it was shown", async () => h("div", { class: "mono" }, text((await r.asked()).prompt || "nothing"))), folded("What it answered", async () => (await r.asked()).answers.map((a) => h("div", { class: "mono" }, text(a || "an empty answer")))));
}

const KINDS = { __proto__: null, CONFIRMED: "keep", PLAUSIBLE: "wait", FABRICATED: "drop" };

function commentCard(c, diff) {
  return h("article", { class: "comment", tabindex: "-1", "data-comment": "" }, h("header", {}, c.label ? pill(KINDS[c.label] || "", c.label) : null, c.match ? pill("keep", "same problem as " + c.match) : c.duplicate ? pill("", "repeats a caught problem") : null,
    c.severity && pill("", c.severity), c.label && !c.unanimous ? pill("", "repeats disagree") : null, c.claim && pill("", "claim true: " + c.claim)), h("div", { class: "soft small mono" }, (c.file || "no file") + (c.line ? ":" + c.line : "")),
    h("div", {}, said(c.text), c.reason ? h("p", { class: "reason" }, h("b", {}, "Judge: "), clip(c.reason, 1500)) : null), codeAt(diff, c));
}

function diffCard(diff) {
  const file = (f) => folded(h("span", { class: "mono" }, clip(f.path, 200)), () => f.source && hunk(f.source, true, `Diff of ${visible(f.path)}`), "file");
  return h("section", { class: "card" }, h("h2", {}, "The change"), paged(filesOf(diff), file, 100));
}

start({
  "": { show: (_, q) => overview(q) },
  cells: { show: (_, q) => cellsView(q) },
  tables: { show: tablesView },
  compare: { show: (_, q) => compareView(q) },
  tasks: { show: (_, q) => tasksView(q), list: true },
  task: { show: (path, q) => taskView(path[0], q), nav: "tasks", up: "list" },
}, "#/tasks");
