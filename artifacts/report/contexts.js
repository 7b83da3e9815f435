// What a model is shown: the contexts of a pull request, layer by layer.

function contexts(p, r) {
  if (!r.contexts.length) return null;
  const truths = r.comments.filter((c) => c.ground_truth);
  return [h("h2", {}, "What a model is shown"), r.contexts.map((x) => {
    const letter = x.config.replace("config_", "");
    const seen = truths.filter((c) => (c.visible_in || []).includes(letter)).length;
    const box = h("details", { class: "card", "data-context": letter }, h("summary", {}, `Configuration ${letter}: ${plural(x.tokens, "token")}, shows the lines of ${seen} of ${plural(truths.length, "ground-truth comment")}`));
    box.addEventListener("toggle", () => { if (box.open && box.children.length === 1) box.append(...x.layers.map((i) => layer(p, truths, letter, r.layers[i]))); });
    return box;
  })];
}

function layer(p, truths, letter, l) {
  const part = (x) => (x.path ? hunk(x.text, true, `${letter}: diff of ${visible(x.path)}`, (left, right) => notes(p, truths, x.path, left, right)) : h("div", { class: "mono" }, text(x.text)));
  return h("section", {}, h("h3", {}, l.heading), l.parts.map(part));
}

// notes are links to the ground-truth comments on a line of a diff, whose
// numbers are "" on the side that lacks it.
function notes(p, truths, path, left, right) {
  return truths.filter((c) => c.path === path && c.line && c.line === (c.side === "LEFT" ? left : right))
    .map((c) => h("a", { href: commentLink(p, c.comment_id || String(c.database_id)) }, `↑ ${c.comment_id || "ground truth"}, ${c.author}: ${clip(c.body, 100)}`));
}

// shownIn says which configurations show a ground-truth comment's line.
function shownIn(c) {
  if (!c.ground_truth || !c.visible_in) return null;
  return pill("", c.visible_in.length ? "shown in " + c.visible_in.join(", ") : "not shown in A, B or C");
}
