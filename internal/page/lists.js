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
