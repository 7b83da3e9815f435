// Addresses and keys. This file starts the page.

let shown = data.pulls; // the list last looked at, for next and previous

// Back leads to the place where a view was left. An entry of the history has a
// number in its state; a new one has none yet.
let entry = (history.state && history.state.entry) || 0; // the entry in sight
let newest = entry;
let left = parse(""); // the address last looked at
let listEntry = 0; // the entry of the list that Esc leads to
let returnTo = 0; // the entry whose place Esc asks for
const places = new Map(); // how far a view was scrolled when it was left, by entry
history.scrollRestoration = "manual";

function parse(hash) {
  const [path, query] = hash.replace(/^#/, "").split("?");
  const part = (p) => { try { return decodeURIComponent(p); } catch { return p; } };
  return { path: path.split("/").filter(Boolean).map(part), query: Object.fromEntries(new URLSearchParams(query || "")) };
}

const here = () => parse(location.hash);

// replaceAddress notes what was chosen in the address without a step in the
// history.
function replaceAddress(path, query) {
  const q = link(path, query);
  if (path === "/pulls") lastList = q;
  history.replaceState(history.state, "", q);
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
function restore(place) {
  const opened = link("/" + left.path.slice(0, 4).join("/"));
  const row = [...main.querySelectorAll("[data-row]")].find((e) => e.getAttribute("href") === opened);
  scrollTo(0, place);
  if (!row) return;
  row.setAttribute("aria-current", "true");
  row.focus({ preventScroll: true });
  row.scrollIntoView({ block: "nearest" });
}

function currentPull() {
  const [view, owner, name, number] = here().path;
  return view === "pull" ? data.pulls.find((p) => p.repo === `${owner}/${name}` && p.number === Number(number)) : null;
}

function render() {
  const place = arrive();
  const { path, query } = here();
  const [view] = path;
  let nodes;
  if (!view) nodes = overview();
  else if (view === "pulls") { lastList = location.hash; listEntry = entry; nodes = pullsView(query); }
  else if (view === "repos") nodes = reposView();
  else if (view === "repo") nodes = repoView(path.slice(1, 3).join("/"));
  else nodes = currentPull() ? pullView(currentPull(), query) : missing();
  main.replaceChildren();
  append(main, nodes);
  const title = main.querySelector("h1").textContent;
  document.title = `${title} · prforge audit`;
  for (const a of document.querySelectorAll("nav a")) {
    const current = a.dataset.view === ({ pull: "pulls", repo: "repos" }[view] || view || "overview");
    if (current) a.setAttribute("aria-current", "page"); else a.removeAttribute("aria-current");
  }
  if (view !== "pulls") live.textContent = title;
  scrollTo(0, 0);
  main.focus({ preventScroll: true });
  if (place !== undefined) restore(place);
  else if (view === "pull" && path[4]) focusComment(path[4]);
  left = { path, query };
}

function focusComment(id) {
  const target = [...main.querySelectorAll("[data-comment]")].find((e) => e.dataset.comment === id);
  if (!target) return;
  target.focus();
  target.scrollIntoView({ block: "start" });
}

// step moves the focus among rows or comments.
function step(by) {
  const rows = [...main.querySelectorAll("[data-row], [data-comment]")];
  if (!rows.length) return;
  const at = rows.indexOf(document.activeElement.closest("[data-row], [data-comment]"));
  const next = at < 0 ? (by > 0 ? 0 : rows.length - 1) : at + by;
  if (next >= rows.length) return turn("next");
  if (next < 0) return turn("prev");
  rows[next].focus();
  rows[next].scrollIntoView({ block: "nearest" });
}

function turn(id) {
  const button = document.getElementById(id);
  if (button) return button.click();
  const p = currentPull();
  const next = p && shown[shown.indexOf(p) + (id === "next" ? 1 : -1)];
  if (next && shown.includes(p)) location.hash = pullLink(next);
}

function back() {
  const [view] = here().path;
  if (view === "pull") { returnTo = listEntry; location.hash = lastList; }
  else if (view === "repo") location.hash = "#/repos";
  else if (view) location.hash = "#/";
}

function searchFor() {
  if (here().path[0] !== "pulls") { history.pushState(null, "", "#/pulls"); render(); } // no hashchange, which would take the focus again
  const box = document.getElementById("search");
  box.focus();
  box.select();
}

const help = document.getElementById("help");
const KEYS = { "/": searchFor, j: () => step(1), ArrowDown: () => step(1), k: () => step(-1), ArrowUp: () => step(-1), n: () => turn("next"), p: () => turn("prev"), "?": () => help.showModal(), Escape: back };

document.addEventListener("keydown", (e) => {
  if (e.ctrlKey || e.metaKey || e.altKey || help.open) return;
  const field = e.target.closest("input, select, textarea");
  if (field && e.key === "Escape") { e.preventDefault(); field.blur(); main.focus({ preventScroll: true }); return; }
  const fromSearch = field && field.type === "search" && e.key === "ArrowDown";
  if ((field && !fromSearch) || (e.key.startsWith("Arrow") && e.target.closest(".hunk"))) return;
  const act = KEYS[e.key];
  if (!act) return;
  e.preventDefault();
  act();
});
document.getElementById("help-open").addEventListener("click", () => help.showModal());
document.getElementById("skip").addEventListener("click", (e) => { e.preventDefault(); main.focus(); });
addEventListener("hashchange", render);
render();
