// The overview: the funnel and the figures. Every bar leads to what it counts.

function overview() {
  const f = data.summary;
  const all = h("input", { type: "checkbox" });
  let stages = funnel(f.funnel, false, stageLink);
  all.addEventListener("change", () => { const next = funnel(f.funnel, all.checked, stageLink); stages.replaceWith(next); stages = next; });
  const go = async () => {
    const q = { q: field.value.trim() };
    const hit = q.q && await onlyHit(q);
    if (q.q) location.hash = hit ? pullLink(hit) : link("/pulls", q);
  };
  const field = searchField("", "Search titles, numbers, codes …  ( / )", () => {}, go);
  return [
    h("h1", {}, f.name),
    h("p", { class: "soft" }, ["Pipeline " + f.pipeline_version, "frozen " + f.freeze_date, data.manifest.revision && `shows the ${data.manifest.revision} revision`, data.manifest.profile && "profile " + data.manifest.profile,
      data.manifest.tokenizer && "tokens by " + data.manifest.tokenizer].filter(Boolean).join(", ") + "."),
    h("div", { class: "filters", role: "search" }, field),
    tiles(f), warnings(),
    h("section", { class: "card" }, h("h2", {}, "Funnel"), h("p", { class: "soft small" }, "What passed each stage, and what did not with the reason. Choose a stage to see its pull requests."), legend(), stages,
      h("label", { class: "small soft" }, all, " also the stages that let everything pass")),
    f.comments ? commentFigures(f) : null,
    data.bugs ? questionFigures(data.bugs) : f.records ? pullFigures(f) : h("div", { class: "grid" }, quality(f)),
    parameters(),
  ];
}

const stageLink = (f) => (f.of === "repository" ? "#/repos" : link("/pulls", { stage: f.stage }));

function tiles(f) {
  const tile = (n, label, to) => h("a", { class: "tile", href: to }, h("b", {}, n), h("span", {}, label));
  if (data.bugs) return h("div", { class: "tiles" }, tile(count(data.bugs.questions), "questions with a fault", link("/questions", { fault: "true" })), tile(count(data.bugs.controls), "without a fault", link("/questions", { fault: "false" })),
    tile(count(f.looked_at), "pull requests looked at", "#/pulls"), tile(count(f.repositories.length), "repositories", "#/repos"));
  return h("div", { class: "tiles" }, tile(count(f.records), `released of ${count(f.looked_at)} looked at`, link("/pulls", { outcome: "selected" })),
    f.comments ? [tile(count(f.substantive), `ground truth of ${count(f.comments)} comments`, link("/comments", { label: TRUTH, outcome: "selected" })),
      tile(percent(f.in_diff, f.substantive) || "–", "of ground truth on a changed line", link("/comments", { label: TRUTH, at: "changed_line" })),
      tile(f.rvs.n ? decimals(f.rvs.median) : "–", "median review value", link("/pulls", { outcome: "selected" }))] : null,
    tile(count(f.repositories.length), "repositories", "#/repos"));
}

// warnings are what falls short of what was asked for.
function warnings() {
  const short = ((data.split && data.split.strata) || []).filter((s) => s.short).map((s) => `${words(s.difficulty)} ${s.taken} of ${s.target}`);
  return short.length ? h("p", {}, pill("wait", "note"), ` The evaluation split falls short: ${short.join(", ")}.`) : null;
}

function legend() {
  const key = (cls, label) => h("span", {}, s("svg", { viewBox: "0 0 10 10", "aria-hidden": "true" }, rect(0, 0, 10, 10, cls)), label);
  return h("p", { class: "legend soft small" }, key("f-keep", "repositories that passed"), key("f-bar", "pull requests that passed"), key("f-drop", "rejected"), key("f-wait", "undetermined or failed"));
}

function commentFigures(f) {
  const truths = (more) => (name) => link("/comments", { label: TRUTH, outcome: "selected", [more]: name });
  return [h("h2", {}, "Comments of the released pull requests"), h("div", { class: "grid pairs" },
    bars("Why comments are no ground truth", "By the first rule that failed.", f.label_reasons, f.comments - f.substantive, (name) => link("/comments", { label: name, outcome: "selected" })),
    bars("What became of the code", "Under ground-truth comments, from the comment to the merge.", f.code_states, f.substantive, truths("state")),
    bars("Where ground truth is shown", "Comments whose line a configuration's diff shows.", f.shown, f.substantive, truths("shown")),
    bars("Anchors of ground truth", "How the line in the record's diff was found.", f.anchors, f.substantive, truths("anchor")))];
}

function pullFigures(f) {
  const range = (of) => (from, to) => link("/pulls", { range: `${of}:${from}..${to}` });
  return [h("h2", {}, "Released pull requests"), h("div", { class: "grid" },
    bars("Language", "", f.languages, f.records, (name) => link("/pulls", { language: name })), bars("Difficulty", "", f.difficulty, f.records, (name) => link("/pulls", { difficulty: name })),
    bars("Type", "", f.pr_types, f.records, (name) => link("/pulls", { type: name })),
    histogram("Review value (RVS)", f.rvs, range("rvs")), histogram("Changed lines", f.lines_changed, range("lines")), histogram("Changed files", f.files_changed, range("files")),
    histogram("Ground-truth comments", f.ground_truth, range("ground_truth")), f.tokens.map((t) => histogram(`Tokens of ${words(t.config)}`, t.sizes, range(t.config))), quality(f))];
}

const quality = (f) => histogram("Repository quality (RQS)", f.rqs, () => "#/repos");

function parameters() {
  const flat = (value, name) => (value && typeof value === "object" ? Object.entries(value).flatMap(([k, v]) => flat(v, name ? `${name}, ${words(k)}` : words(k))) : [[name, value === "" ? "–" : String(value)]]);
  const split = ((data.split && data.split.strata) || []).map((x) => [`split, ${words(x.difficulty)}`, `${x.taken} of ${x.target}`]);
  return h("details", { class: "card" }, h("summary", {}, "Parameters and evaluation split"), factList([...flat(data.manifest.parameters, ""), ["encoder", data.manifest.encoder || "–"], ...split]));
}
