// The views of a debugging dataset: the figures, the samples, one sample.

const figures = data.summary;
const CHOICES = [["kind", "kind"], ["errors", "errors"], ["type", "type"], ["operator", "operator"], ["library", "library"], ["license", "license"]];
const sampleLink = (x) => link("/sample/" + x.id);

let samplesRead = null;

async function samples() {
  samplesRead = samplesRead || (await readBlock("list"));
  return samplesRead;
}

// valuesOf are what a sample has of something; one with several errors has
// several types.
const valuesOf = (x, name) => (["type", "operator", "library"].includes(name) ? x.faults.map((f) => f[name]) : [String(x[name])]);

function overview() {
  const tile = (n, label, to) => h("a", { class: "tile", href: to }, h("b", {}, n), h("span", {}, label));
  const stages = (figures.funnel.stages || []).map((f) => ({ ...f, undetermined: f.undetermined || 0, of: f.stage, reasons: Object.entries(f.reasons || {}).map(([name, n]) => ({ name, count: n })) }));
  const single = (name) => (value) => link("/samples", { kind: "single", [name]: value });
  return [
    h("h1", {}, figures.name), h("p", { class: "soft" }, figures.runtime + "."),
    h("div", { class: "tiles" }, tile(count(figures.samples), `samples of ${plural(figures.scripts, "script")}`, "#/samples"), tile(count(figures.single), "with one error", link("/samples", { kind: "single" })),
      tile(count(figures.multi), "with several errors", link("/samples", { kind: "multi" })), tile(count(figures.multi_hop), "of one error show after other statements ran", link("/samples", { kind: "single", apart: "yes" }))),
    h("section", { class: "card" }, h("h2", {}, "Funnel"), h("p", { class: "soft small" }, "What passed each stage, and what did not with the reason. What was dropped is not in the dataset."), funnel(stages, true)),
    h("div", { class: "grid pairs" },
      bars("Errors", "Of all samples.", figures.errors, figures.samples, (n) => link("/samples", { errors: n })), bars("Types", "Of samples with one error.", figures.types, figures.single, single("type")),
      bars("Operators", "Of samples with one error.", figures.operators, figures.single, single("operator")), bars("Libraries", "Of samples with one error.", figures.libraries, figures.single, single("library")),
      bars("Licenses", "Of all samples.", figures.licenses, figures.samples, (name) => link("/samples", { license: name }))),
  ];
}

async function samplesView(q) {
  return listView(q, {
    path: "/samples", title: "Samples", noun: "sample", placeholder: "Search names, messages …  ( / )", rows: await samples(), says: JSON.stringify, choices: CHOICES,
    values: valuesOf, also: (x) => !q.apart || x.faults.some((f) => f.apart), item, link: sampleLink,
  });
}

function item(x) {
  return h("a", { class: "item", href: sampleLink(x), "data-row": true }, h("span", { class: "name mono" }, x.id), pill("", plural(x.errors, "error")),
    h("span", { class: "sub" }, x.faults.map((f) => h("div", {}, `${f.operator}: ${f.type}: ${clip(f.message, 160)}`))));
}

async function sampleView(id) {
  const at = (await samples()).find((x) => x.id === id);
  if (!at) return missing();
  const { sample: x, changes, peel, frames, lines } = await valueOf("samples", at.block, at.n);
  const from = [x.path, x.repo && ` of ${x.repo}`, x.pr_number && `, pull request ${x.pr_number}`, x.commit && `, at ${x.commit.slice(0, 12)}`, `, ${x.license}`];
  return [
    h("p", { class: "crumbs" }, h("a", { href: lastList }, "Samples"), "›", h("span", {}, x.sample_id)), h("h1", { class: "mono" }, x.sample_id), h("p", { class: "soft" }, from),
    x.task && h("details", { class: "card" }, h("summary", {}, "What the script is for"), text(x.task)),
    x.errors.map((e) => errorCard(e, changes.find((c) => c.error_id === e.error_id))),
    h("section", { class: "card" }, h("h2", {}, "Traceback inside the script"), frames.map((f) => h("div", { class: "mono" }, f)),
      peel && peel.length ? h("p", {}, "Peeled: ", peel.map((s) => `${s.shows} (${s.error_type} on line ${s.effect_line})`).join(", ")) : null),
    h("section", { class: "card" }, h("h2", {}, "The script"), h("p", { class: "small" }, pill("drop", "cause"), " ", pill("wait", "effect"), " of an error; what a line was before is above it."), code(lines)),
  ];
}

function errorCard(e, change) {
  const at = (what, line, s) => [what, [`line ${line}: `, h("code", {}, s)]];
  return h("article", { class: "comment", tabindex: "-1", "data-comment": e.error_id }, h("header", {}, h("b", {}, `${e.order}. ${e.error_type}`), pill("", words(e.operator)), pill("", e.library), pill("", e.hop_lines ? `${plural(e.hop_executed, "statement")} ran between` : "one statement")),
    h("div", {}, text(e.error_message), factList([at("cause", e.cause_line, e.cause_text), at("effect", e.effect_line, e.effect_text), ["in", e.effect_function], ["between", `${plural(e.hop_executed, "other statement")} ran`], ["injected by", e.injector],
      ...(change ? change.edits : []).map((d) => [`changed, line ${d.line}`, [h("del", {}, h("code", {}, d.old)), " ", h("code", {}, d.new)]])])));
}

function code(lines) {
  return h("div", { class: "hunk", tabindex: "0", role: "region", "aria-label": "Script" }, h("div", { class: "lines" }, lines.map((l) => [
    l.before ? h("div", { class: "l del" }, h("span", {}), h("span", {}, "was"), h("span", {}, l.before)) : null,
    h("div", { class: "l" + (l.class ? " line-" + l.class : "") }, h("span", {}), h("span", {}, String(l.number)), h("span", {}, l.text))])));
}

start({
  "": { show: overview },
  samples: { show: (_, q) => samplesView(q), list: true, up: "#/" },
  sample: { show: (path) => sampleView(path[0]), nav: "samples", up: "list" },
}, "#/samples");
