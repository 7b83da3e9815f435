// Diff hunks, long lists, and lists of facts.

const HUNK_LINES = 12; // lines of a hunk shown at first: the last ones, which the comment is about
const WHOLE_LINES = 3000; // lines of a whole file's change shown at most
const LINE_CLIP = 600; // characters of a line of code

function factList(pairs) {
  return h("dl", { class: "facts" }, pairs.filter(Boolean).map(([k, v]) => [h("dt", {}, k), h("dd", {}, v)]));
}

// paged shows the first part of a long list, and the rest when asked.
function paged(list, make, size = 50) {
  const out = list.slice(0, size).map(make);
  if (list.length > size) {
    const more = h("button", { type: "button" }, `Show ${count(Math.min(size, list.length - size))} more of ${count(list.length)}`);
    more.addEventListener("click", () => { const next = paged(list.slice(size), make, size); more.replaceWith(...next); next[0].focus(); });
    out.push(more);
  }
  return out;
}

// hunk shows the end of a diff hunk with its line numbers; the comment is about
// its last line. With whole it shows everything, and marks nothing but the lines
// for which notes(left, right) gives links, which follow the line.
function hunk(source, whole, name = "Diff hunk", notes = () => []) {
  const box = h("div", { class: "hunk", tabindex: "0", role: "region", "aria-label": name });
  if (!source) return null;
  const lines = numbered(source).slice(0, whole ? WHOLE_LINES : undefined);
  const show = (from) => {
    const table = h("div", { class: "lines" }, lines.slice(from).map((line, i, all) => {
      const links = notes(line[1], line[2]);
      return [codeLine(line, links.length || (!whole && i === all.length - 1)), links.map((a) => h("div", { class: "l note" }, h("span", {}), h("span", {}), h("span", {}, a)))];
    }));
    const more = from > 0 && h("button", { type: "button", onclick: () => { show(Math.max(0, from - 200)); box.focus(); } }, `${plural(from, "line")} above`);
    box.replaceChildren(...[more, table].filter(Boolean));
  };
  show(whole ? 0 : Math.max(0, lines.length - HUNK_LINES));
  return box;
}

function codeLine([kind, left, right, code], at) {
  return h("div", { class: `l ${kind}${at ? " at" : ""}` }, h("span", {}, left), h("span", {}, right), h("span", {}, code.length > LINE_CLIP ? code.slice(0, LINE_CLIP) + "…" : code));
}

// lineOf shows the part of a diff that a comment on a file and a line is about: the
// lines around that one, which is marked, and more of the file when asked.
function lineOf(diff, file, line) {
  const name = (path) => path.replace(/^(?:\.\/)+/, "").replace(/^[ab]\//, "");
  if (!file) return h("p", { class: "soft small" }, "It names no file.");
  const f = filesOf(diff).find((x) => x.path === file) || filesOf(diff).find((x) => name(x.path) === name(file));
  if (!f || !f.source) return h("p", { class: "soft small" }, `The change does not show ${clip(file, 200)}.`);
  const lines = numbered(f.source).slice(0, WHOLE_LINES), at = lines.findIndex((l) => line && l[2] === line);
  const box = h("div", { class: "hunk", tabindex: "0", role: "region", "aria-label": `${visible(file)}${line ? ", line " + line : ""}` });
  const show = (from, to) => {
    const more = (n, where, wider) => n > 0 && h("button", { type: "button", onclick: () => { wider(); box.focus(); } }, `${plural(n, "line")} ${where}`);
    box.replaceChildren(...[more(from, "above", () => show(Math.max(0, from - 40), to)), h("div", { class: "lines" }, lines.slice(from, to).map((l, i) => codeLine(l, from + i === at))),
      more(lines.length - to, "below", () => show(from, to + 40))].filter(Boolean));
  };
  show(Math.max(0, at - HUNK_LINES), Math.min(lines.length, Math.max(0, at) + HUNK_LINES));
  return line && at < 0 ? h("div", {}, h("p", { class: "soft small" }, `Line ${line} is not in the change; this is the file's beginning.`), box) : box;
}

function numbered(source) {
  let left = 0, right = 0, begun = false;
  return source.replace(/\r?\n$/, "").split(/\r?\n/).map((code) => {
    const head = /^@@ -(\d+)(?:,\d+)? \+(\d+)/.exec(code);
    if (head) { begun = true; left = Number(head[1]); right = Number(head[2]); return ["head", "", "", code]; }
    if (!begun) return ["head", "", "", code];
    if (code[0] === "+") return ["add", "", right++, code];
    if (code[0] === "-") return ["del", left++, "", code];
    if (code[0] === "\\") return ["head", "", "", code];
    return ["", left++, right++, code];
  });
}

// filesOf splits a diff into its files. A path is the new one, or the old one of
// a deleted file.
function filesOf(patch) {
  return patch.split(/^(?=diff --git )/m).filter(Boolean).map((source) => {
    const found = (pattern) => (pattern.exec(source) || [])[1];
    const after = found(/^\+\+\+ (?:"?b\/)?(.*?)"?\t?$/m), before = found(/^--- (?:"?a\/)?(.*?)"?\t?$/m);
    const path = after && after !== "/dev/null" ? after : before || found(/^diff --git (?:a\/)?.* b\/(.*)$/m) || "?";
    const at = source.search(/^@@ /m);
    const added = (source.match(/^\+(?!\+\+ )/gm) || []).length, removed = (source.match(/^-(?!-- )/gm) || []).length;
    return { path, source: at < 0 ? "" : source.slice(at), head: source.slice(0, at < 0 ? undefined : at), added, removed };
  });
}
