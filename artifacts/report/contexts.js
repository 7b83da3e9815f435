// What a model is shown: the contexts of a pull request, layer by layer.

async function contextsTab(p, talk, q) {
  const { contexts = [], layers = [] } = await codeOf(p);
  const truths = talk.comments.filter((c) => c.label === TRUTH);
  const letterOf = (x) => x.config.replace("config_", "");
  const now = contexts.find((x) => letterOf(x) === q.config) || contexts[0];
  if (!now) return h("p", { class: "soft" }, "It has no contexts.");
  const letter = letterOf(now);
  const tab = (x) => h("a", { href: link(`/pull/${p.repo}/${numberOf(p)}/contexts`, { config: letterOf(x) }), "aria-current": x === now ? "page" : null },
    h("b", {}, `Configuration ${letterOf(x)}`), h("span", { class: "soft small" }, `${plural(x.tokens, "token")}, ${plural(x.layers.length, "layer")}`));
  const sections = now.layers.map((i) => layer(p, truths, letter, layers[i]));
  const jump = (e) => h("button", { type: "button", onclick: () => { e.scrollIntoView({ block: "start" }); e.querySelector("h2").focus({ preventScroll: true }); } }, e.querySelector("h2").textContent);
  return [seenTable(p, truths, contexts.map(letterOf)), h("nav", { class: "configs", "aria-label": "Configurations" }, contexts.map(tab)),
    h("p", { class: "jumps" }, sections.map(jump)), h("div", { "data-context": letter }, sections)];
}

// seenTable says for each ground-truth comment which configurations show its
// line.
function seenTable(p, truths, letters) {
  if (!truths.length) return null;
  const mark = (c, x) => ((c.visible_in || []).includes(x) ? h("a", { class: "yes", href: link(`/pull/${p.repo}/${numberOf(p)}/contexts`, { config: x }), "aria-label": `shown in ${x}` }, "✓") : h("span", { class: "no" }, "–", h("span", { class: "hidden" }, "not shown")));
  const row = (c) => h("tr", {}, h("td", {}, h("a", { href: commentLink(p, c.id) }, c.id), h("span", { class: "soft small" }, " " + clip(plainText(c.text), 110))), letters.map((x) => h("td", { class: "n" }, mark(c, x))));
  return h("section", { class: "card" }, h("h2", {}, "Is the line of each ground-truth comment shown?"), h("div", { class: "wrap" }, h("table", {}, h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "comment"), letters.map((x) => h("th", { class: "n", scope: "col" }, x)))), h("tbody", {}, truths.map(row)))));
}

function layer(p, truths, letter, l) {
  const part = (x) => (x.path ? hunk(x.text, true, `${letter}: diff of ${visible(x.path)}`, (left, right) => lineNotes(p, truths, x.path, left, right)) : h("div", { class: "mono" }, text(x.text)));
  return h("section", { class: "card layer" }, h("h2", { tabindex: "-1" }, l.heading), l.parts.map(part));
}

// lineNotes are the ground-truth comments on a line of a diff, whose numbers are
// "" on the side that lacks it.
function lineNotes(p, truths, path, left, right) {
  return truths.filter((c) => c.path === path && c.line && c.line === (c.side === "LEFT" ? left : right)).map((c) => note(p, c));
}

// shownIn says which configurations show a ground-truth comment's line.
function shownIn(c) {
  if (c.label !== TRUTH || !c.visible_in) return null;
  return pill("", c.visible_in.length ? "shown in " + c.visible_in.join(", ") : "not shown in A, B or C");
}
