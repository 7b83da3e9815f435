// The whole diff that the reviewers saw, with the comments in place, and how the
// code went on from the commits that they commented on.

const OPEN_LINES = 400; // lines of a file's change that are unfolded from the start

async function diffTab(p, facts, talk, q) {
  const [{ text: patch }, went] = await Promise.all([codeOf(p), wentOf(p)]);
  const reviewed = facts.revision.kind === "reviewed";
  const files = filesOf(patch || "");
  const placed = new Set();
  const boxes = files.map((f) => fileBox(f, talk.comments.filter((c) => c.path === f.path && c.line), p, q, placed));
  const elsewhere = talk.comments.filter((c) => !placed.has(c) && !c.reply);
  return [
    h("p", { class: "soft" }, reviewed ? "The change as its reviewers saw it, at " : "The change as it was merged, at ", h("code", {}, facts.head_commit.slice(0, 12)), `: ${plural(files.length, "file")}, +${facts.lines_added} −${facts.lines_removed}. Comments stand under their lines.`),
    paged(boxes, (b) => b, 100),
    elsewhere.length ? h("section", { class: "card" }, h("h2", {}, `${plural(elsewhere.length, "comment")} without a place in the diff`), h("ul", {}, elsewhere.map((c) => h("li", {}, note(p, c))))) : null,
    wentOn(went, facts.revision),
  ];
}

function fileBox(f, comments, p, q, placed) {
  const wanted = comments.some((c) => c.id === q.at);
  const box = h("details", { class: "card file", open: wanted || comments.length > 0 || f.added + f.removed <= OPEN_LINES }, h("summary", {}, h("span", { class: "mono" }, f.path), " ", h("span", { class: "soft" }, `+${f.added} −${f.removed}`), comments.length ? [" ", pill("", plural(comments.length, "comment"))] : null));
  for (const c of comments) placed.add(c);
  const fill = () => {
    if (!box.open || box.children.length > 1) return;
    append(box, [f.source ? hunk(f.source, true, `Diff of ${visible(f.path)}`, (left, right) => comments.filter((c) => c.line === (c.side === "LEFT" ? left : right)).map((c) => note(p, c, q.at))) : h("p", { class: "soft" }, "No text: ", f.head.split("\n").slice(1, 3).join(" "))]);
    const at = wanted && box.querySelector(".sought");
    if (at) requestAnimationFrame(() => at.scrollIntoView({ block: "center" }));
  };
  box.addEventListener("toggle", fill);
  fill();
  return box;
}

// note is a comment in a line or two, under its line.
function note(p, c, sought) {
  return h("div", { class: "inline" + (c.label === TRUTH ? " truth" : "") + (c.id === sought ? " sought" : "") }, h("a", { href: commentLink(p, c.id) }, c.author), " ", c.label === TRUTH ? pill("keep", `${truthName(p)} ${c.id}`) : pill("drop", labelName(c.label)), " ", h("span", { dir: "auto" }, clip(plainText(c.text), 400)));
}

// wentOn shows the changes from commented commits to what was merged, where the
// raw records hold them.
function wentOn(went, revision) {
  const changes = (went || []).filter((r) => r.text || r.problem);
  if (!changes.length) {
    return h("section", { class: "card" }, h("h2", {}, "How the code went on"), h("p", { class: "soft" }, revision.kind === "reviewed" && revision.commit !== revision.final_head
      ? "The raw records hold no change to the commented files between the review and the merge." : "What is shown is what was merged; no commented file was changed after a comment, as far as the raw records show."));
  }
  const one = (r) => h("section", {}, h("h3", {}, "From ", h("code", {}, r.from.slice(0, 12)), " to ", h("code", {}, r.to.slice(0, 12)), revision.commit === r.from ? " (from the revision shown above to the merge)" : ""), r.problem ? h("p", { class: "soft" }, r.problem) : null,
    filesOf(r.text || "").map((f) => h("details", { class: "file", open: f.added + f.removed <= OPEN_LINES }, h("summary", {}, h("span", { class: "mono" }, f.path), " ", h("span", { class: "soft" }, `+${f.added} −${f.removed}`)), hunk(f.source, true, `Later change of ${visible(f.path)}`))));
  return h("section", { class: "card" }, h("h2", {}, "How the code went on"), h("p", { class: "soft small" }, "From each commit that was commented on to the final head, the commented files only."), paged(changes, one, 10));
}
