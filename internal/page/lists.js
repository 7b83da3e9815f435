// What lists share: a search, choices, pages, and a word where nothing is found.

const PAGE = 50; // rows of a list at a time

// nothing says that a search or a choice found nothing, and how to undo it.
function nothing(query, clear) {
  const chosen = Object.entries(query).filter(([name, v]) => v && name !== "page").map(([name, v]) => (name === "q" ? `“${v}”` : `${words(name)} = ${words(v)}`));
  return h("div", { class: "nothing" }, h("p", {}, chosen.length ? `Nothing matches ${chosen.join(", ")}.` : "There is nothing here."), chosen.length ? h("p", {}, h("a", { href: clear }, "Clear")) : null);
}

// choice is a labeled select; a value that is no choice stays to be seen.
function choice(name, label, values, chosen, changed, any = "any") {
  const known = !chosen || values.includes(chosen) ? values : [...values, chosen];
  const e = h("select", { "data-filter": name }, h("option", { value: "" }, any), known.map((v) => h("option", { value: v, selected: v === chosen }, v.includes("/") ? v : words(v))));
  e.addEventListener("change", () => changed(e.value));
  return h("label", { class: "choice" }, h("span", {}, label), e);
}

// choices folds the selects of a list; open where there is room or one is set.
function choices(selects, set) {
  return h("details", { class: "choices", open: set > 0 || innerWidth > 720 }, h("summary", {}, set ? `Filters (${set})` : "Filters"), h("div", {}, selects));
}

// searchField asks for words; typed is called a moment after the last key, and
// at once with Enter, which then opens the first row.
function searchField(value, placeholder, typed, opens) {
  const e = h("input", { type: "search", id: "search", placeholder, "aria-label": "Search", value: value || "", autocomplete: "off", spellcheck: "false" });
  let timer = 0, last = value || "";
  const apply = async () => { clearTimeout(timer); if (e.isConnected && e.value !== last) { last = e.value; await typed(e.value); } };
  e.addEventListener("input", () => { clearTimeout(timer); timer = setTimeout(apply, 120); });
  e.addEventListener("keydown", async (event) => {
    if (event.key !== "Enter" || event.isComposing) return;
    await apply();
    if (opens) opens();
  });
  return e;
}

function pager(page, pages, address) {
  const go = (n) => () => { location.hash = address(n); };
  return h("div", { class: "pager" }, h("button", { type: "button", id: "prev", disabled: page < 2, onclick: go(page - 1) }, "← Previous"), h("span", {}, `page ${count(page)} of ${count(pages)}`),
    h("button", { type: "button", id: "next", disabled: page >= pages, onclick: go(page + 1) }, "Next →"));
}

const pageOf = (q, pages) => Math.min(pages, Math.max(1, Math.trunc(Number(q.page)) || 1));

// listView is a list of rows with a search of their text, choices and pages. Of the
// list o says its path, title, rows, the noun for one, the search's placeholder and
// the choices; of a row: says (its text), values (what it has of a choice), also
// (whether the rest of the query is about it), item (how it is shown) and link. Rows
// with a number that is asked for come first.
function listView(q, o) {
  const results = h("div", {});
  const show = () => {
    const wanted = wordsOf(q.q);
    const some = o.rows.filter((x) => o.choices.every(([name]) => !q[name] || o.values(x, name).includes(q[name])) && o.also(x) && wanted.every((w) => o.says(x).toLowerCase().includes(w)));
    const named = (x) => wanted.includes(String(x.number)) || wanted.includes("#" + x.number);
    some.sort((a, b) => named(b) - named(a));
    const pages = Math.max(1, Math.ceil(some.length / PAGE)), page = pageOf(q, pages);
    const says = plural(some.length, o.noun);
    live.textContent = says;
    shown = { items: some, link: o.link };
    results.replaceChildren(h("section", { class: "card" }, some.length ? [h("p", { class: "soft small", id: "found" }, says), h("ul", { class: "rows" }, some.slice((page - 1) * PAGE, page * PAGE).map((x) => h("li", {}, o.item(x)))),
      pager(page, pages, (n) => link(o.path, { ...q, page: n > 1 ? n : "" }))] : nothing(q, "#" + o.path)));
    mark(results, wanted);
  };
  const change = (name, value) => { q[name] = value; delete q.page; replaceAddress(o.path, q); show(); };
  const search = searchField(q.q, o.placeholder, (v) => change("q", v), () => { const first = results.querySelector("[data-row]"); if (first) first.click(); });
  const selects = o.choices.map(([name, label]) => choice(name, label, [...new Set(o.rows.flatMap((x) => o.values(x, name)))].sort(), q[name], (v) => change(name, v)));
  show();
  return [h("h1", {}, o.title), h("div", { class: "filters", role: "search" }, search, choices(selects, o.choices.filter(([name]) => q[name]).length), h("a", { href: "#" + o.path }, "Clear")), results];
}
