// Comments and descriptions as their authors laid them out. Markdown was read
// when the page was made; here each node becomes one element of a short list,
// and what it says becomes text.

const ELEMENTS = { __proto__: null, p: "p", h: "p", quote: "blockquote", ul: "ul", ol: "ol", li: "li", em: "em", strong: "strong", del: "del", tr: "tr", td: "td" };

// said shows a text, clipped when long.
function said(nodes) {
  const length = lengthOf(nodes);
  const box = h("div", { class: "said", dir: "auto" }, laidOut(nodes, { left: CLIP }));
  if (length <= CLIP) return box;
  const all = h("button", { type: "button" }, `Show all ${count(length)} characters`);
  all.addEventListener("click", () => {
    box.replaceChildren();
    append(box, laidOut(nodes, { left: Infinity }));
    all.parentNode.remove();
    box.tabIndex = -1;
    box.focus({ preventScroll: true });
  });
  return h("div", {}, box, h("p", {}, "… ", all));
}

// laidOut makes elements of nodes until budget.left characters are shown.
function laidOut(nodes, budget) {
  const out = [];
  for (const n of nodes || []) {
    if (budget.left <= 0) break;
    out.push(element(n, budget));
  }
  return out;
}

function element(n, budget) {
  const words = () => {
    const shown = (n.t || "").slice(0, budget.left);
    budget.left -= shown.length;
    return pieces(shown);
  };
  switch (n.k) {
    case undefined: return words();
    case "code": return h("code", {}, words());
    case "html": return h("code", { class: "markup" }, words());
    case "pre": return h("figure", {}, n.i ? h("figcaption", {}, clip(n.i, 60)) : null, h("pre", { tabindex: "0" }, words()));
    case "a": return linked(n.i, laidOut(n.n, budget));
    case "br": return h("br", {});
    case "hr": return h("hr", {});
    case "table": return h("div", { class: "wrap" }, h("table", {}, h("tbody", {}, laidOut(n.n, budget))));
    default: return h(ELEMENTS[n.k] || "span", { class: n.k === "h" ? "head" : null }, laidOut(n.n, budget));
  }
}

// linked is a link with where it leads behind it, unless that is what it says.
function linked(url, label) {
  const plain = label.flat(Infinity).map((x) => (x instanceof Node ? x.textContent : x)).join("");
  return [away(url, label), plain === url ? null : h("span", { class: "soft small" }, ` (${clip(url || "nowhere", 120)})`)];
}

const lengthOf = (nodes) => (nodes || []).reduce((sum, n) => sum + (n.t || "").length + lengthOf(n.n), 0);

// plainText is what nodes say, to search in.
function plainText(nodes) {
  let out = "";
  for (const n of nodes || []) out += (n.t || "") + plainText(n.n) + (n.k && n.k !== "code" && n.k !== "a" && n.k !== "em" && n.k !== "strong" ? "\n" : "");
  return out;
}

// mark marks words in a part of the page.
function mark(box, wanted) {
  if (!wanted.length) return;
  const pattern = new RegExp(wanted.map((w) => w.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("|"), "gi");
  const walker = document.createTreeWalker(box, NodeFilter.SHOW_TEXT);
  const texts = [];
  while (walker.nextNode()) if (!walker.currentNode.parentNode.closest("select, button, summary")) texts.push(walker.currentNode);
  for (const node of texts.slice(0, 5000)) {
    const parts = [];
    let from = 0;
    for (const m of node.data.matchAll(pattern)) {
      parts.push(node.data.slice(from, m.index), h("mark", {}, m[0]));
      from = m.index + m[0].length;
    }
    if (parts.length) node.replaceWith(...parts, node.data.slice(from));
  }
}

// wordsOf are the words of a search.
const wordsOf = (q) => (q || "").toLowerCase().split(/\s+/).filter(Boolean).slice(0, 10);

// snippet is the part of a text around the first word found in it.
function snippet(s, wanted) {
  const at = Math.max(0, Math.min(...wanted.map((w) => s.toLowerCase().indexOf(w)).filter((i) => i >= 0), s.length) - 60);
  return (at ? "…" : "") + clip(s.slice(at, at + 400), 180);
}
