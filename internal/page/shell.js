// The views of a page, the address of each in the location's hash, the keys, and
// the way back. A page's own script ends with start(views).
//
// A view has show(path, query), which gives nodes or a promise of them, and may
// have: nav, the view that the navigation marks; up, where Esc leads; list, true
// for a list that Esc and Back return to; found, called when the view is in sight.

const data = JSON.parse(document.getElementById("index").textContent);
const main = document.getElementById("main");
const live = document.getElementById("live");
const help = document.getElementById("help");
const NAME = document.getElementById("name").textContent;

let views = {}; // by the first part of the address
let shown = { items: [], link: () => "" }; // the list last looked at, for next and previous
let firstList = ""; // the list to begin with, which has a search
let lastList = ""; // where Esc leads from one of it
let asked = 0; // views asked for so far

// Back leads to the place where a view was left. An entry of the history has a
// number in its state; a new one has none yet.
let entry = (history.state && history.state.entry) || 0; // the entry in sight
let newest = entry;
let lastAt = parse(""); // the address last looked at
let listEntry = 0; // the entry of the list that Esc leads to
let returnTo = 0; // the entry whose place Esc asks for
const places = new Map(); // how far a view was scrolled when it was left, by entry
history.scrollRestoration = "manual";

function link(path, query) {
  const q = new URLSearchParams(Object.entries(query || {}).filter(([, v]) => v));
  return "#" + path.split("/").map(encodeURIComponent).join("/") + (q.size ? "?" + q : "");
}

function parse(hash) {
  const [path, query] = hash.replace(/^#/, "").split("?");
  const part = (p) => { try { return decodeURIComponent(p); } catch { return p; } };
  return { path: path.split("/").filter(Boolean).map(part), query: Object.fromEntries(new URLSearchParams(query || "")) };
}

const here = () => parse(location.hash);

// replaceAddress notes what was chosen in the address without a step in the
// history.
function replaceAddress(path, query) {
  const address = link(path, query);
  if (viewOf(parse(address).path).list) lastList = address;
  history.replaceState(history.state, "", address);
}

// arrive keeps the place in the view that is left and returns the one in the
// view that is entered, undefined for one that is new.
function arrive() {
  if (entry) places.set(entry, scrollY); // 0 is before the first view
  const known = history.state && history.state.entry;
  const place = places.get(known || returnTo);
  entry = known || ++newest;
  returnTo = 0;
  if (!known) history.replaceState({ entry }, "");
  return place;
}

// restore scrolls to a kept place and marks the row that was opened there.
function restore(place, opened) {
  const row = [...main.querySelectorAll("[data-row]")].find((e) => within(opened, parse(e.getAttribute("href")).path.join("/")));
  scrollTo(0, place);
  if (!row) return;
  row.setAttribute("aria-current", "true");
  row.focus({ preventScroll: true });
  row.scrollIntoView({ block: "nearest" });
}

const viewOf = (path) => (Object.hasOwn(views, path[0] || "") ? views[path[0] || ""] : { show: missing });

// missing is the view for an address that names nothing.
function missing() {
  return [h("h1", {}, "Not in this page"), h("p", {}, "The address names nothing here. ", h("a", { href: "#/" }, "To the beginning"))];
}

// nodesOf is what a view shows, also where its data cannot be read.
async function nodesOf(view, path, query) {
  try {
    return await view.show(path.slice(1), query);
  } catch (e) {
    return [h("h1", {}, "This part cannot be read"), h("p", {}, e.message)];
  }
}

async function render() {
  const mine = ++asked;
  const place = arrive();
  const { path, query } = here();
  const view = viewOf(path);
  const opened = lastAt.path.join("/");
  lastAt = { path, query };
  if (view.list) { lastList = location.hash; listEntry = entry; }
  const slow = setTimeout(() => main.replaceChildren(h("p", { class: "soft" }, "Reading …")), 200);
  const nodes = await nodesOf(view, path, query);
  clearTimeout(slow);
  if (mine !== asked) return; // another view was asked for
  main.replaceChildren();
  append(main, nodes);
  foldTables();
  const title = main.querySelector("h1").textContent;
  document.title = `${title} · ${NAME}`;
  for (const a of document.querySelectorAll("nav a[data-view]")) {
    if (a.dataset.view === (view.nav || path[0] || "")) a.setAttribute("aria-current", "page"); else a.removeAttribute("aria-current");
  }
  if (!view.list) live.textContent = title;
  scrollTo(0, 0);
  main.focus({ preventScroll: true });
  if (place !== undefined) restore(place, opened);
  else if (view.found) view.found(path.slice(1), query);
}

// foldTables shows each row of a table as a list where the window is too narrow for
// its columns, so that no number is cut.
function foldTables() {
  for (const t of main.querySelectorAll("table.stacks")) {
    t.classList.remove("folded");
    const box = t.parentElement;
    t.classList.toggle("folded", innerWidth <= 720 || box.scrollWidth > box.clientWidth + 1);
  }
}

addEventListener("resize", foldTables);

function focusComment(id) {
  const target = [...main.querySelectorAll("[data-comment]")].find((e) => e.dataset.comment === id);
  if (!target) return;
  target.focus();
  target.scrollIntoView({ block: "start" });
}

// step moves the focus among rows or comments.
function step(by) {
  const rows = [...main.querySelectorAll("[data-row], [data-comment]")].filter((e) => e.checkVisibility());
  if (!rows.length) return;
  const at = rows.indexOf(document.activeElement.closest("[data-row], [data-comment]"));
  const next = at < 0 ? (by > 0 ? 0 : rows.length - 1) : at + by;
  if (!rows[next]) return turn(by);
  rows[next].focus();
  rows[next].scrollIntoView({ block: "nearest" });
}

// turn goes to the next or previous page, or entry of the list.
function turn(by) {
  const button = document.getElementById(by > 0 ? "next" : "prev");
  if (button) return button.click();
  const path = here().path.join("/");
  const at = shown.items.findIndex((x) => within(path, parse(shown.link(x)).path.join("/")));
  if (at >= 0 && shown.items[at + by]) location.hash = shown.link(shown.items[at + by]);
}

const within = (path, root) => path === root || path.startsWith(root + "/");

function back() {
  const { path } = here();
  if (!path.length) return;
  const up = viewOf(path).up;
  if (up === "list") { returnTo = listEntry; location.hash = lastList; } else location.hash = up || "#/";
}

// search leads to the search of the view, or where it has none to that of the list.
async function search() {
  if (!document.getElementById("search")) {
    history.pushState(null, "", firstList);
    await render();
  }
  const box = document.getElementById("search");
  box.focus();
  box.select();
}

const KEYS = { __proto__: null, "/": search, j: () => step(1), ArrowDown: () => step(1), k: () => step(-1), ArrowUp: () => step(-1), n: () => turn(1), p: () => turn(-1), "?": () => help.showModal(), Escape: back };

document.addEventListener("keydown", (e) => {
  if (e.ctrlKey || e.metaKey || e.altKey || help.open) return;
  const field = e.target.closest("input, select, textarea");
  if (field && e.key === "Escape") { e.preventDefault(); field.blur(); main.focus({ preventScroll: true }); return; }
  const fromSearch = field && field.type === "search" && e.key === "ArrowDown";
  if ((field && !fromSearch) || (e.key.startsWith("Arrow") && e.target.closest(".hunk, pre"))) return;
  const act = KEYS[e.key];
  if (!act) return;
  e.preventDefault();
  act();
});
document.getElementById("help-open").addEventListener("click", () => help.showModal());
document.getElementById("skip").addEventListener("click", (e) => { e.preventDefault(); main.focus(); });

// start shows the page. By all of them, list is the list to begin with.
function start(all, list) {
  views = all;
  firstList = lastList = list;
  addEventListener("hashchange", render);
  render();
}
