// The views of a sheet: start, training, one item a screen, export, disagreements.
// Answers are a log of one entry a key, so that undo takes back the last one; the
// browser keeps the log under the sheet's name and the rater's.

const UNSURE = "unsure";
const STORE = "prforge-label/" + data.name;
const showings = data.order.map((i, n) => ({ item: data.items[i], again: data.order.indexOf(i) < n }));
const answersText = (l) => data.questions.map((q) => l.answers[q.key]).filter(Boolean).join(", ");
const itemLink = (n) => link("/item/" + (n + 1));

// ---- answers

let rater = kept(STORE) || "";
let entries = logOf(rater);
let saves = true;

function kept(key) {
  try { return localStorage.getItem(key); } catch { return null; }
}

function logOf(name) {
  try { return JSON.parse(kept(STORE + "/" + name)) || []; } catch { return []; }
}

function save() {
  try {
    localStorage.setItem(STORE, rater);
    localStorage.setItem(STORE + "/" + rater, JSON.stringify(entries));
  } catch { saves = false; }
}

// answersOf is what was answered of a showing, by question.
function answersOf(n, list = entries) {
  const out = {};
  for (const [at, key, value] of list) if (at === n) out[key] = value;
  return out;
}

const choicesOf = (q, item) => (q.beside ? item.beside.map((o) => ({ value: o.id, means: "" })) : q.options || []);
const applies = (q, item, answers) => (!q.when || answers[q.when.question] === q.when.value) && choicesOf(q, item).length > 0;
const openQuestion = (item, answers) => data.questions.find((q) => applies(q, item, answers) && !answers[q.key]);
const isOpen = (n) => Boolean(openQuestion(showings[n].item, answersOf(n)));
const answered = () => showings.filter((_, n) => !isOpen(n)).length;

// nextOpen is the first showing after n that is not answered, or the first at all.
function nextOpen(n) {
  const open = [...showings.keys()].filter(isOpen);
  return open.find((x) => x > n) ?? open[0];
}

// ---- keys

let press = () => {}; // what a digit or u does in the view in sight
let undo = () => {};
for (const k of "123456789u") KEYS[k] = () => press(k);
KEYS.z = () => undo();

// choose is the answer to a question that a key stands for.
function choose(q, item, key) {
  if (key === "u") return UNSURE;
  const option = choicesOf(q, item)[Number(key) - 1];
  return option && option.value;
}

// ---- start

function startView() {
  press = undo = () => {};
  const name = h("input", { id: "rater", value: rater, maxlength: "60", autocomplete: "off", "aria-label": "your name" });
  const begin = h("button", { type: "button", id: "begin" });
  const word = () => { begin.textContent = answered() ? "Go on" : "Begin"; begin.disabled = !rater; };
  name.addEventListener("input", () => { rater = name.value.trim(); entries = logOf(rater); save(); word(); });
  begin.addEventListener("click", () => { location.hash = itemLink(nextOpen(-1) ?? 0); });
  name.addEventListener("keydown", (e) => { if (e.key === "Enter" && rater) begin.click(); });
  word();
  return [h("h1", {}, data.title), h("section", { class: "card" }, data.intro.map((p) => h("p", {}, p)), data.questions.map(questionCard)),
    data.training.length ? h("section", { class: "card" }, h("h2", {}, "Training"), h("p", {}, `${plural(data.training.length, "item")} with the right answers. `, h("a", { href: "#/training/1", id: "train" }, "Begin with them"), ".")) : null,
    h("section", { class: "card" }, h("h2", {}, "Label"), h("p", {}, `${plural(showings.length, "item")}, some of them a second time. Answers are kept in this browser, under your name; export them at the end.`),
      h("div", { class: "filters" }, h("label", { class: "choice" }, h("span", {}, "Your name"), name), begin))];
}

function questionCard(q) {
  return h("div", {}, h("h3", {}, q.ask), (q.options || []).length ? factList(q.options.map((o) => [words(o.value), o.means])) : null);
}

// ---- one item

// ask is the panel of questions; answers are those so far, answer takes one.
function ask(item, answers, answer, closing) {
  const panel = h("section", { class: "card ask", "aria-live": "polite" });
  const draw = () => {
    const open = openQuestion(item, answers());
    press = (k) => { const value = open && choose(open, item, k); if (value) { answer(open.key, value); draw(); } };
    panel.replaceChildren();
    append(panel, [data.questions.filter((q) => applies(q, item, answers())).map((q) => h("fieldset", { class: q === open ? "open" : null }, h("legend", {}, q.ask), h("div", { class: "answers" },
      [...choicesOf(q, item), { value: UNSURE, means: "cannot tell" }].map((o, i, all) => h("button", { type: "button", title: o.means || null, "aria-pressed": String(answers()[q.key] === o.value), "data-answer": o.value, onclick: () => { answer(q.key, o.value); draw(); } },
        h("kbd", { "aria-hidden": "true" }, i === all.length - 1 ? "u" : i + 1), " ", q.beside && o.value !== UNSURE ? o.value : words(o.value)))))), closing(open)]);
  };
  draw();
  panel.redraw = draw;
  return panel;
}

function itemView(path) {
  const n = path[0] ? Number(path[0]) - 1 : nextOpen(-1) ?? 0, at = showings[n];
  if (!at) return missing();
  if (!rater) { location.hash = "#/"; return [h("h1", {}, "Say who you are first")]; }
  const panel = ask(at.item, () => answersOf(n), (key, value) => {
    entries.push([n, key, value]);
    save();
    if (!isOpen(n)) { const next = nextOpen(n); location.hash = next === undefined ? "#/export" : itemLink(next); }
  }, () => progress(n));
  undo = () => {
    const last = entries.pop();
    save();
    if (last && last[0] !== n) location.hash = itemLink(last[0]); else panel.redraw();
  };
  const said = data.labels.filter((l) => l.item === at.item.id && !l.again);
  return [h("h1", { class: "hidden" }, `Item ${n + 1} of ${showings.length}`), ...itemCards(at.item), said.length ? raters(said) : null, panel];
}

function progress(n) {
  const step = (id, label, to) => h("button", { type: "button", id, disabled: !showings[to], onclick: () => { location.hash = itemLink(to); } }, label);
  return h("div", { class: "pager" }, step("prev", "← Previous", n - 1), h("span", { id: "progress" }, `${n + 1} of ${showings.length}, ${answered()} answered`, saves ? null : h("b", { class: "no" }, " This browser keeps nothing: export before you close the page.")),
    h("button", { type: "button", id: "undo", disabled: !entries.length, onclick: () => undo() }, "Undo"), step("next", "Next →", n + 1));
}

// itemCards are what is asked about, and what it is compared with.
function itemCards(item) {
  const whole = item.diff ? Promise.resolve(item.diff) : item.change ? readBlock(item.change) : Promise.resolve("");
  const code = (at) => { const box = h("div", {}); whole.then((diff) => diff && box.append(lineOf(diff, at.file, at.line)), (e) => box.append(e.message)); return box; };
  const place = (at) => h("div", { class: "place soft small mono" }, (at.file || "no file") + (at.line ? ":" + at.line : ""));
  const all = h("details", { class: "fold" }, h("summary", {}, "The whole change"));
  all.addEventListener("toggle", async () => { if (all.open && all.children.length === 1) append(all, filesOf(await whole).map((f) => h("div", {}, h("p", { class: "mono small" }, f.path), hunk(f.source, true, `Diff of ${visible(f.path)}`)))); });
  return [h("section", { class: "card" }, h("h2", { dir: "auto" }, clip(item.title, 300)), item.url.startsWith("https://") ? h("p", { class: "small" }, away(item.url, item.url)) : null, lengthOf(item.description) ? h("details", {}, h("summary", {}, "Description"), said(item.description)) : null, item.change || item.diff ? all : null),
    h("div", { class: "two" }, h("article", { class: "comment", id: "asked" }, h("header", {}, h("b", {}, "Asked about")), place(item.at), h("div", {}, said(item.body)), code(item.at)),
      h("div", {}, item.beside.length ? item.beside.map((o, i) => h("article", { class: "comment truth" }, h("header", {}, h("b", {}, `${i + 1}. ${o.id}`)), place(o.at), h("div", {}, said(o.body)), h("details", { class: "fold" }, h("summary", {}, "Its line"), code(o.at))))
        : h("p", { class: "soft" }, "There is nothing beside it.")))];
}

// ---- training

function trainingView(path) {
  const n = Number(path[0] || 1) - 1, item = data.training[n];
  if (!item) { location.hash = "#/"; return [h("h1", {}, "Training is over")]; }
  let mine = [];
  const answers = () => answersOf(0, mine);
  const right = () => data.questions.filter((q) => applies(q, item, item.answers)).every((q) => answers()[q.key] === item.answers[q.key]);
  const panel = ask(item, answers, (key, value) => mine.push([0, key, value]), (open) => (open ? h("p", { class: "soft small" }, `Training ${n + 1} of ${data.training.length}`)
    : h("div", { id: "lesson" }, h("p", {}, right() ? pill("keep", "as we would") : pill("drop", "we would answer: " + answersText(item)), " ", item.why),
      h("button", { type: "button", id: "next", onclick: () => { location.hash = n + 1 < data.training.length ? "#/training/" + (n + 2) : "#/"; } }, n + 1 < data.training.length ? "Next →" : "To the start"))));
  undo = () => { mine.pop(); panel.redraw(); };
  return [h("h1", { class: "hidden" }, `Training ${n + 1}`), ...itemCards(item), panel];
}

// ---- export

function exportView() {
  press = undo = () => {};
  const rows = showings.map((s, n) => [s.item.id + (s.again ? "+" : ""), rater, ...data.questions.map((q) => { const a = answersOf(n); return applies(q, s.item, a) ? a[q.key] || "" : ""; })]);
  const done = answered();
  const button = h("button", { type: "button", id: "save", disabled: !rater }, "Save the labels");
  button.addEventListener("click", () => {
    const quoted = (c) => (/[",\n]/.test(c) ? '"' + c.replaceAll('"', '""') + '"' : c);
    const table = [["id", "rater", ...data.questions.map((q) => q.key)], ...rows].map((r) => r.map(quoted).join(",") + "\n").join("");
    const a = h("a", { href: URL.createObjectURL(new Blob([table], { type: "text/csv" })), download: `labels-${rater.replace(/[^\p{L}\p{N}]+/gu, "-")}.csv` });
    a.click();
    setTimeout(() => URL.revokeObjectURL(a.href), 10000);
  });
  return [h("h1", {}, "Export"), h("section", { class: "card" }, h("p", {}, rater ? `${done} of ${plural(showings.length, "item")} answered by ${rater}.` : "Nobody has labeled yet.", " ", done < showings.length && rater ? h("a", { href: itemLink(nextOpen(-1)) }, "Go on") : null),
    h("p", {}, "The table has ids, your name and your answers; hand it to whoever asked you."), button)];
}

// ---- disagreements

// raters are what others answered of an item.
function raters(labels) {
  return h("section", { class: "card" }, h("h2", {}, "What was answered"), factList(labels.map((l) => [l.rater, answersText(l)])));
}

function differView() {
  press = undo = () => {};
  const differ = data.items.map((item) => [item, data.labels.filter((l) => l.item === item.id && !l.again)])
    .filter(([, said]) => data.questions.some((q) => new Set(said.map((l) => l.answers[q.key]).filter((a) => a && a !== UNSURE)).size > 1));
  const rows = differ.map(([item, said]) => h("li", {}, h("a", { class: "item", href: itemLink(showings.findIndex((s) => s.item === item)), "data-row": true }, h("span", { class: "name", dir: "auto" }, clip(plainText(item.body), 160)),
    h("span", { class: "sub" }, said.map((l) => `${l.rater}: ${answersText(l)}`).join(" · ")))));
  return [h("h1", {}, "Disagreements"), h("section", { class: "card" }, h("p", { class: "soft small", id: "found" }, `${plural(differ.length, "item")} of ${data.items.length} on which raters differ.`), h("ul", { class: "rows" }, rows))];
}

start({
  "": { show: startView },
  training: { show: trainingView },
  item: { show: itemView },
  export: { show: exportView },
  differ: { show: differView, list: true },
}, data.labels.length ? "#/differ" : "#/");
