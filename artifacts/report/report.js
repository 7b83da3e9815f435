// The views, the address of each in the location's hash, and the keys.

const PAGE = 50; // rows of a list at a time
const data = JSON.parse(document.getElementById("index").textContent);
const main = document.getElementById("main");
const live = document.getElementById("live");
const order = new Map(data.summary.funnel.map((f, i) => [f.stage, i]));
let lastList = "#/pulls"; // where Esc leads from a pull request

function link(path, query) {
  const q = new URLSearchParams(Object.entries(query || {}).filter(([, v]) => v));
  return "#" + path.split("/").map(encodeURIComponent).join("/") + (q.size ? "?" + q : "");
}
const pullLink = (p) => link(`/pull/${p.repo}/${p.number}`);
const commentLink = (p, id) => link(`/pull/${p.repo}/${p.number}/${id}`);

// detailOf reads a pull request's data block, which holds more than the list.
function detailOf(p) {
  const block = document.getElementById("pull-" + p.block);
  return block ? JSON.parse(block.textContent) : { verdicts: [] };
}

// ---- overview

function overview() {
  const f = data.summary;
  const all = h("input", { type: "checkbox" });
  let stages = funnel(f.funnel, false);
  all.addEventListener("change", () => { const next = funnel(f.funnel, all.checked); stages.replaceWith(next); stages = next; });
  const tile = (n, label) => h("div", { class: "tile" }, h("b", {}, n), h("span", {}, label));
  return [
    h("h1", {}, f.name),
    h("p", { class: "soft" }, `Pipeline ${f.pipeline_version}, frozen ${f.freeze_date}, tokens by ${data.manifest.tokenizer}.`),
    h("div", { class: "tiles" }, tile(count(f.records), `released of ${count(f.looked_at)} looked at`), tile(count(f.substantive), `ground truth of ${count(f.comments)} comments`),
      tile(percent(f.in_diff, f.substantive) || "–", "of ground truth on a changed line"), tile(f.rvs.n ? decimals(f.rvs.median) : "–", "median review value"), tile(count(f.repositories.length), "repositories")),
    h("section", { class: "card" }, h("h2", {}, "Funnel"), h("p", { class: "soft small" }, "What passed each stage, and what did not with the reason. Choose a stage to see its pull requests."), stages,
      h("label", { class: "small soft" }, all, " also the stages that let everything pass")),
    h("div", { class: "grid" },
      bars("Language", "", f.languages, f.records, (name) => link("/pulls", { language: name })), bars("Difficulty", "", f.difficulty, f.records, (name) => link("/pulls", { difficulty: name })),
      bars("Type", "", f.pr_types, f.records, (name) => link("/pulls", { type: name })),
      histogram("Review value (RVS)", f.rvs), histogram("Repository quality (RQS)", f.rqs), histogram("Changed lines", f.lines_changed), histogram("Changed files", f.files_changed),
      histogram("Ground-truth comments", f.ground_truth), f.tokens.map((t) => histogram(`Tokens of ${words(t.config)}`, t.sizes)),
      bars("Anchors of ground truth", "How the line in the final diff was found.", f.anchors, f.substantive),
      bars("Why comments are no ground truth", "By the first rule that failed.", f.label_reasons, f.comments - f.substantive)),
  ];
}

// ---- repositories

function reposView() {
  const head = ["repository", "gate", "RQS", "looked at", "released", "ground truth", "reasons"];
  const number = (i) => (i > 1 && i < 6 ? "n" : null);
  const row = (y) => h("tr", {}, h("td", { class: "wide" }, h("a", { href: link("/repo/" + y.repo), "data-row": true }, y.repo)), h("td", {}, y.code ? pill("drop", words(y.code)) : pill("keep", "passed")),
    h("td", { class: "n" }, y.rqs === null ? "unknown" : decimals(y.rqs)), h("td", { class: "n" }, count(y.looked_at)), h("td", { class: "n" }, count(y.released)), h("td", { class: "n" }, count(y.ground_truth)),
    h("td", { class: "soft small" }, y.reasons.map((c) => `${words(c.name)} ${c.count}`).join(", ")));
  const body = h("tbody", {}, paged(data.summary.repositories, row, 200));
  return [h("h1", {}, "Repositories"), h("p", { class: "soft" }, "What came of each repository, and its quality score."),
    h("section", { class: "card" }, h("div", { class: "wrap" }, h("table", {}, h("thead", {}, h("tr", {}, head.map((t, i) => h("th", { class: number(i) }, t)))), body)))];
}

function repoView(name) {
  const a = data.repositories.find((r) => r.repo === name);
  const y = data.summary.repositories.find((r) => r.repo === name);
  if (!a && !y) return missing();
  const part = (p) => h("tr", {}, h("td", {}, words(p.name), p.note ? h("div", { class: "soft small" }, p.note) : null), h("td", { class: "n" }, p.points === null ? "missing" : decimals(p.points), " / ", decimals(p.max)),
    h("td", {}, p.inputs.map((i) => `${words(i.name)} ${decimals(i.value)}`).join(", ")));
  return [
    h("p", { class: "crumbs" }, h("a", { href: "#/repos" }, "Repositories"), "›", h("span", {}, name)), h("h1", {}, name),
    h("p", { class: "pills" }, a && (a.code ? pill("drop", words(a.code)) : pill("keep", "passed the gate")), a && a.language && pill("", a.language), a && a.spdx && pill("", a.spdx), away("https://github.com/" + name, "on GitHub ↗")),
    a && a.detail && text(a.detail),
    a && h("section", { class: "card" }, h("h2", {}, "Repository quality ", h("span", { class: "pill" }, a.rqs === null ? "unknown" : decimals(a.rqs) + " of 100")),
      h("div", { class: "wrap" }, h("table", {}, h("thead", {}, h("tr", {}, h("th", {}, "part"), h("th", { class: "n" }, "points"), h("th", {}, "measured"))), h("tbody", {}, a.parts.map(part))))),
    y && h("section", { class: "card" }, h("h2", {}, "Yield"), h("p", {}, `${plural(y.looked_at, "pull request")} looked at, ${count(y.released)} released with ${plural(y.ground_truth, "ground-truth comment")}.`),
      y.reasons.length ? h("p", { class: "soft" }, "Dropped: " + y.reasons.map((c) => `${words(c.name)} ${c.count}`).join(", ")) : null, h("p", {}, h("a", { href: link("/pulls", { repo: name }) }, "Its pull requests →"))),
  ];
}

function missing() {
  return [h("h1", {}, "Not in this dataset"), h("p", {}, "The address names nothing here. ", h("a", { href: "#/" }, "To the overview"))];
}
