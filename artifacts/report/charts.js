// Plain SVG: shapes in the picture, words and numbers in the text around it, so
// that they stay legible on a phone and to a screen reader.

const SVG = "http://www.w3.org/2000/svg";

function s(tag, attributes, ...children) {
  const e = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) e.setAttribute(name, value);
  e.append(...children);
  return e;
}

function rect(x, y, width, height, cls) {
  return s("rect", { x, y, width: Math.max(0, width), height: Math.max(0, height), class: cls });
}

function strip(parts, whole) {
  const picture = s("svg", { viewBox: "0 0 1000 10", preserveAspectRatio: "none", "aria-hidden": "true" }, rect(0, 0, 1000, 10, "f-all"));
  let x = 0;
  for (const [n, cls] of parts) {
    const width = whole ? (1000 * n) / whole : 0;
    picture.append(rect(x, 0, width, 10, cls));
    x += width;
  }
  return picture;
}

// funnel shows the stages; each is a link to its pull requests. Those that let
// everything pass are left out unless all is true.
function funnel(stages, all) {
  const list = h("ul", { class: "bars funnel" });
  const widest = {};
  for (const f of stages) widest[f.of] = Math.max(widest[f.of] || 0, f.in);
  for (const f of stages) {
    if (!all && f.pass === f.in && f !== stages[stages.length - 1]) continue;
    const waits = f.undetermined + f.failed;
    const why = f.reasons.map((r) => `${words(r.name)} ${count(r.count)}`).join(", ");
    const label = `${f.stage}: ${f.in} in, ${f.pass} passed, ${f.reject} rejected, ${waits} undetermined or failed`;
    list.append(h("li", {}, h("a", { class: "bar", href: stageLink(f), "aria-label": label + (why ? ": " + why : ""), "data-row": true },
      h("span", {}, f.stage),
      strip([[f.pass, f.of === "repository" ? "f-keep" : "f-bar"], [f.reject, "f-drop"], [waits, "f-wait"]], widest[f.of]),
      h("span", { class: "n" }, count(f.pass), h("span", { class: "soft" }, f.in - f.pass ? ` −${count(f.in - f.pass)}` : "")),
      why && h("span", { class: "why" }, why))));
  }
  return list;
}

function stageLink(f) {
  return f.of === "repository" ? "#/repos" : link("/pulls", { stage: f.stage });
}

// bars shows counts, each with a link where one is given.
function bars(title, note, counts, whole, to) {
  const list = h("ul", { class: "bars narrow" });
  const widest = Math.max(1, ...counts.map((c) => c.count));
  for (const c of counts) {
    const cells = [h("span", {}, words(c.name)), strip([[c.count, "f-bar"]], widest),
      h("span", { class: "n" }, count(c.count), " ", h("span", { class: "soft small" }, percent(c.count, whole)))];
    list.append(h("li", {}, to ? h("a", { class: "bar", href: to(c.name) }, cells) : h("div", { class: "bar" }, cells)));
  }
  return h("section", { class: "card" }, h("h3", {}, title), note && h("p", { class: "soft small" }, note), counts.length ? list : h("p", { class: "soft" }, "none"));
}

// histogram shows a distribution: columns, the ends of its axis, five numbers.
function histogram(title, d) {
  const used = d.bins.map((b) => b.count > 0);
  const first = Math.max(0, used.indexOf(true));
  const bins = d.bins.slice(first, used.lastIndexOf(true) + 1);
  const highest = Math.max(1, ...bins.map((b) => b.count));
  const width = 1000 / Math.max(1, bins.length);
  const says = `median ${decimals(d.median)}, from ${decimals(d.min)} to ${decimals(d.max)}, half between ${decimals(d.p25)} and ${decimals(d.p75)}`;
  const picture = s("svg", { viewBox: "0 0 1000 100", preserveAspectRatio: "none", role: "img", "aria-label": `${title}: ${says}` });
  bins.forEach((b, i) => {
    const column = rect(i * width + 0.04 * width, 100 - (96 * b.count) / highest, 0.92 * width, (96 * b.count) / highest, "f-bar");
    column.append(s("title", {}, `from ${decimals(b.from)}: ${b.count}`));
    picture.append(column);
  });
  const ticks = bins.length > 8 ? bins.filter((_, i) => i % Math.ceil(bins.length / 6) === 0) : bins;
  return h("section", { class: "card hist" }, h("h3", {}, title), picture,
    h("div", { class: "axis", "aria-hidden": "true" }, ticks.map((b) => h("span", {}, decimals(b.from))), h("span", {}, "→")),
    h("p", { class: "soft small" }, d.n ? says : "nothing to show"));
}
