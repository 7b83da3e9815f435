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

// funnel shows the stages; each is a link to what it counts, where there is one.
// Those that let everything pass are left out unless all is true.
function funnel(stages, all, to) {
  const list = h("ul", { class: "bars funnel" });
  const widest = {};
  for (const f of stages) widest[f.of] = Math.max(widest[f.of] || 0, f.in);
  for (const f of stages) {
    if (!all && f.pass === f.in && f !== stages[stages.length - 1]) continue;
    const why = f.reasons.map((r) => `${words(r.name)} ${count(r.count)}`).join(", ");
    list.append(h("li", {}, h(to ? "a" : "div", { class: "bar", href: to && to(f), "data-row": to && true },
      h("span", {}, f.stage),
      strip([[f.pass, f.of === "repository" ? "f-keep" : "f-bar"], [f.reject, "f-drop"], [f.undetermined + f.failed, "f-wait"]], widest[f.of]),
      h("span", { class: "n" }, count(f.pass), h("span", { class: "hidden" }, " passed"), f.in - f.pass ? h("span", { class: "soft" }, ` −${count(f.in - f.pass)}`) : null),
      why && h("span", { class: "why" }, why))));
  }
  return list;
}

// bars shows counts, each a link to what it counts.
function bars(title, note, counts, whole, to) {
  const list = h("ul", { class: "bars narrow" });
  const widest = Math.max(1, ...counts.map((c) => c.count));
  for (const c of counts) {
    list.append(h("li", {}, h("a", { class: "bar", href: to(c.name), "data-row": true }, h("span", {}, words(c.name)), strip([[c.count, "f-bar"]], widest),
      h("span", { class: "n" }, count(c.count), " ", h("span", { class: "soft small" }, percent(c.count, whole))))));
  }
  if (!title) return list;
  return h("section", { class: "card" }, h("h3", {}, title), note && h("p", { class: "soft small" }, note), counts.length ? list : h("p", { class: "soft" }, "none"));
}

// histogram shows a distribution: columns with their counts, each a link to what
// it counts, their lower ends, and five numbers.
function histogram(title, d, to) {
  const used = d.bins.map((b) => b.count > 0);
  const first = Math.max(0, used.indexOf(true)), last = used.lastIndexOf(true);
  const highest = Math.max(1, ...d.bins.map((b) => b.count));
  const every = Math.ceil((last - first + 1) / 8); // of the ends of columns is written
  const column = (b, i) => {
    const next = d.bins[first + i + 1];
    const height = (100 * b.count) / highest;
    const says = next ? `${decimals(b.from)} to ${decimals(next.from)}` : `${decimals(b.from)} and more`;
    const inside = [h("span", { class: "n" }, b.count ? count(b.count) : ""), s("svg", { viewBox: "0 0 10 100", preserveAspectRatio: "none", "aria-hidden": "true" }, rect(0, 100 - height, 10, height, "f-bar")),
      h("span", { class: "end", "aria-hidden": "true" }, i % every ? "" : decimals(b.from)), h("span", { class: "hidden" }, `: ${says}`)];
    return h("li", {}, b.count ? h("a", { href: to(b.from, next ? next.from : ""), title: `${says}: ${count(b.count)}` }, inside) : h("span", {}, inside));
  };
  return h("section", { class: "card hist" }, h("h3", {}, title), d.n ? h("ul", {}, d.bins.slice(first, last + 1).map(column)) : null,
    h("p", { class: "soft small" }, d.n ? `median ${decimals(d.median)}, from ${decimals(d.min)} to ${decimals(d.max)}, half between ${decimals(d.p25)} and ${decimals(d.p75)}` : "nothing to show"));
}

// intervals shows estimates on one scale, each as a mark in its interval and a link.
function intervals(rows) {
  const end = Math.max(0.01, ...rows.map((r) => r.high ?? r.value ?? 0)), begin = Math.min(0, ...rows.map((r) => r.low ?? r.value ?? 0));
  const x = (v) => (1000 * (v - begin)) / (end - begin);
  const row = (r) => {
    const picture = s("svg", { viewBox: "0 0 1000 14", preserveAspectRatio: "none", "aria-hidden": "true" }, rect(0, 0, 1000, 14, "f-all"));
    if (r.value !== null && r.low !== null) picture.append(rect(x(r.low), 4, x(r.high) - x(r.low), 6, "f-bar"));
    if (r.value !== null) picture.append(rect(Math.min(x(r.value), 994), 0, 6, 14, "f-keep"));
    return h("li", {}, h("a", { class: "bar", href: r.to }, h("span", {}, r.name), picture, h("span", { class: "n" }, r.says)));
  };
  return [h("ul", { class: "bars spans" }, rows.map(row)), h("p", { class: "soft small" }, `From ${decimals(begin)} to ${decimals(end)}.`)];
}
