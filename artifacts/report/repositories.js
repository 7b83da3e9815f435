// What came of each repository, and its quality score.

async function reposView() {
  const all = data.summary.repositories;
  const head = ["repository", "gate", "RQS", "looked at", "released", "ground truth", "reasons"];
  const number = (i) => (i > 1 && i < 6 ? "n" : null);
  const cells = (list) => list.map((c, i) => h("td", { class: i ? number(i) : "wide", "data-label": head[i] }, c));
  const row = (y) => h("tr", {}, cells([h("a", { href: link("/repo/" + y.repo), "data-row": true }, y.repo), y.code ? pill("drop", words(y.code)) : pill("keep", "passed"), y.rqs === null ? "unknown" : decimals(y.rqs),
    h("a", { href: link("/pulls", { repo: y.repo }) }, count(y.looked_at)), h("a", { href: link("/pulls", { repo: y.repo, outcome: "selected" }) }, count(y.released)), count(y.ground_truth),
    h("span", { class: "soft small" }, y.reasons.map((c) => `${words(c.name)} ${count(c.count)}`).join(", "))]));
  const sum = (of) => count(all.reduce((n, y) => n + y[of], 0));
  const total = h("tfoot", {}, h("tr", {}, cells([h("b", {}, `${count(all.length)} in all`), `${count(all.filter((y) => !y.code).length)} passed`, "", sum("looked_at"), sum("released"), sum("ground_truth"), ""])));
  return [h("h1", {}, "Repositories"), h("p", { class: "soft" }, "What came of each repository, and its quality score."),
    h("section", { class: "card" }, h("div", { class: "wrap" }, h("table", { class: "stacks" }, h("thead", {}, h("tr", {}, head.map((t, i) => h("th", { class: number(i), scope: "col" }, t)))), h("tbody", {}, paged(all, row, 200)), total)))];
}

async function repoView(name) {
  const a = (await lists()).repositories.find((r) => r.repo === name);
  const y = data.summary.repositories.find((r) => r.repo === name);
  if (!a && !y) return missing();
  const part = (p) => h("tr", {}, h("td", { "data-label": "part" }, words(p.name), p.note ? h("div", { class: "soft small" }, p.note) : null), h("td", { class: "n", "data-label": "points" }, p.points === null ? "missing" : decimals(p.points), " / ", decimals(p.max)),
    h("td", { "data-label": "measured" }, p.inputs.map((i) => `${words(i.name)} ${decimals(i.value)}`).join(", ")));
  return [
    h("p", { class: "crumbs" }, h("a", { href: "#/repos" }, "Repositories"), "›", h("span", {}, name)), h("h1", {}, name),
    h("p", { class: "pills" }, a && (a.code ? pill("drop", words(a.code)) : pill("keep", "passed the gate")), a && a.language && pill("", a.language), a && a.spdx && pill("", a.spdx), away("https://github.com/" + name, "on GitHub ↗")),
    a && a.detail && text(a.detail),
    y && h("section", { class: "card" }, h("h2", {}, "Yield"), h("p", {}, `${plural(y.looked_at, "pull request")} looked at, ${count(y.released)} released with ${plural(y.ground_truth, "ground-truth comment")}.`),
      y.reasons.length ? bars("", "", y.reasons, y.looked_at - y.released, (code) => link("/pulls", { repo: name, code })) : null,
      h("p", {}, h("a", { href: link("/pulls", { repo: name }) }, "Its pull requests →"), " ", h("a", { href: link("/comments", { repo: name }) }, "Its comments →"))),
    a && h("section", { class: "card" }, h("h2", {}, "Repository quality ", h("span", { class: "pill" }, a.rqs === null ? "unknown" : decimals(a.rqs) + " of 100")),
      h("div", { class: "wrap" }, h("table", { class: "stacks" }, h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "part"), h("th", { class: "n", scope: "col" }, "points"), h("th", { scope: "col" }, "measured"))), h("tbody", {}, a.parts.map(part))))),
  ];
}
