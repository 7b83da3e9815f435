"use strict";
// Everything that comes from strangers passes through this file: it becomes
// text nodes, or a link if it begins with https://, and nothing else.

const CLIP = 3000; // characters of a text shown before "show all"
const CHUNK = 20000; // characters of one text node, so that a huge text lays out in parts

// h makes an element. Attributes are ours, children are nodes or plain text.
function h(tag, attributes, ...children) {
  const e = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) e.addEventListener(name.slice(2), value);
    else e.setAttribute(name, value === true ? "" : value);
  }
  append(e, children);
  return e;
}

function append(parent, children) {
  for (const c of children.flat(Infinity)) {
    if (c === null || c === undefined || c === false) continue;
    parent.append(c instanceof Node ? c : document.createTextNode(visible(String(c))));
  }
  return parent;
}

// Control characters, and marks that turn or hide text: shown, never obeyed.
const UNSEEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|\udb40[\udc00-\udc7f]/g;

function visible(s) {
  return s.replace(UNSEEN, (c) => "⟦U+" + c.codePointAt(0).toString(16).toUpperCase().padStart(4, "0") + "⟧");
}

// text shows a stranger's text with its line breaks, clipped when long.
function text(s) {
  s = s.replace(/\r\n/g, "\n");
  const box = h("div", { class: "text", dir: "auto" });
  fill(box, s.slice(0, CLIP));
  if (s.length <= CLIP) return box;
  const all = h("button", { type: "button" }, `Show all ${count(s.length)} characters`);
  all.addEventListener("click", () => {
    fill(box, s.slice(CLIP));
    all.remove();
    box.tabIndex = -1;
    box.focus({ preventScroll: true });
  });
  return h("div", {}, box, h("p", {}, "… ", all));
}

function fill(box, s) {
  append(box, pieces(s));
}

// pieces are the parts of a huge text.
function pieces(s) {
  const out = [];
  for (let i = 0; i < s.length; i += CHUNK) out.push(s.slice(i, i + CHUNK));
  return out;
}

// clip is a short form of a text for one line.
function clip(s, n) {
  s = String(s).slice(0, 4 * n).replace(/\s+/g, " ").trim();
  return s.length > n ? s.slice(0, n - 1) + "…" : s;
}

// away is a link to another site, if it is one; else its label as text.
function away(url, label) {
  if (typeof url !== "string" || !url.startsWith("https://")) return h("span", {}, label);
  return h("a", { href: url, target: "_blank", rel: "noopener noreferrer" }, label);
}

const count = (n) => n.toLocaleString("en");
const plural = (n, one, many) => `${count(n)} ${n === 1 ? one : many || one + "s"}`;
const percent = (n, of) => (of ? ((100 * n) / of).toFixed(n === of ? 0 : 1) + " %" : "");
const words = (code) => String(code).replaceAll("_", " ");
const decimals = (f) => String(Math.round(f * 1000) / 1000);

function pill(kind, label, title) {
  return h("span", { class: "pill " + kind, title: title ? visible(title) : null }, label);
}
