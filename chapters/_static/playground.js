// One list, every tool: NDCG, ERR and average precision as each tool computes them, from the presets of the library,
// which the page carries as JSON. Nothing is computed anywhere else, and nothing leaves the machine.
(() => {
  "use strict";

  // ---- The metrics. Every choice is read from the preset; `ltrlib.metrics` has the same formulas and the same names.

  const DISCOUNT = {
    log2: (rank) => 1 / Math.log2(rank + 1),
    letor: (rank) => 1 / Math.log2(Math.max(rank, 2)),
    reciprocal: (rank) => 1 / rank,
  };

  class Refused extends Error {}

  const gainOf = (gain, label) => {
    if (gain === "linear") return label;
    if (gain === "exp2") {
      if (label > 1023) throw new Refused(`label ${label} is too large for gain 2^label − 1`);
      return 2 ** label - 1;
    }
    if (label >= gain.length) throw new Refused(`its gains end at label ${gain.length - 1}`);
    return gain[label];
  };

  // Documents in the order of the tool; with averaged ties, `groups` numbers the groups of equal scores.
  const rank = (labels, scores, rule) => {
    const compared = rule.precision === "float32" ? scores.map(Math.fround) : scores;
    let visits = labels.map((_, at) => at);
    // Without document ids the rows are taken to be in ascending order of id.
    if (rule.ties === "last" || rule.ties === "docid") visits.reverse();
    if (rule.ties === "worst") visits.sort((a, b) => labels[a] - labels[b]);
    if (rule.ties === "best") visits.sort((a, b) => labels[b] - labels[a]);
    const order = visits.sort((a, b) => (compared[a] === compared[b] ? 0 : compared[b] - compared[a] > 0 ? 1 : -1));
    if (rule.ties !== "average" && rule.ties !== "random") return { order, groups: null };
    let group = -1;
    const groups = order.map((at, place) => {
      if (place === 0 || compared[at] !== compared[order[place - 1]]) group += 1;
      return group;
    });
    return { order, groups };
  };

  // What each rank is worth; a group of averaged ties shares its mean.
  const worths = (worth, { order, groups }) => {
    const values = order.map((at) => worth[at]);
    if (!groups) return values;
    const sums = [], sizes = [];
    groups.forEach((group, place) => {
      sums[group] = (sums[group] ?? 0) + values[place];
      sizes[group] = (sizes[group] ?? 0) + 1;
    });
    return groups.map((group) => sums[group] / sizes[group]);
  };

  // The sum after each of the first ranks.
  const running = (values, discount, depth) => {
    let total = 0;
    return values.slice(0, depth).map((value, place) => (total += value * discount(place + 1)));
  };

  const last = (values) => (values.length ? values[values.length - 1] : 0);

  const ndcgCurve = (rule, labels, scores, k) => {
    const depth = k ?? labels.length;
    const gains = labels.map((label) => gainOf(rule.gain, label));
    const discount = DISCOUNT[rule.discount];
    const ideal = last(running([...gains].sort((a, b) => b - a), discount, depth));
    const found = running(worths(gains, rank(labels, scores, rule)), discount, depth);
    return { curve: found.map((sum) => (ideal > 0 ? sum / ideal : 0)), empty: !gains.some((gain) => gain > 0) };
  };

  const settled = (rule, value, empty) => (empty ? (rule.empty === "skip" ? null : rule.empty) : value);

  const METRICS = {
    ndcg(rule, labels, scores, k) {
      const { curve, empty } = ndcgCurve(rule, labels, scores, k);
      const value = settled(rule, last(curve), empty);
      return rule.short === "zero" && k !== null && labels.length < k ? 0 : value;
    },
    err(rule, labels, scores, k) {
      const highest = Math.max(...labels);
      if (highest > rule.max_grade) throw new Refused(`label ${highest} is above its highest grade, ${rule.max_grade}`);
      const chances = labels.map((label) => (2 ** label - 1) / 2 ** rule.max_grade);
      let total = 0, stillLooking = 1;
      worths(chances, rank(labels, scores, rule)).slice(0, k ?? labels.length).forEach((chance, place) => {
        total += (stillLooking * chance) / (place + 1);
        stillLooking *= 1 - chance;
      });
      return settled(rule, total, highest < 1);
    },
    map(rule, labels, scores, k) {
      const relevant = labels.map((label) => (label >= rule.relevant_from ? 1 : 0));
      const all = relevant.reduce((sum, one) => sum + one, 0);
      let total = 0, found = 0;
      worths(relevant, rank(labels, scores, rule)).slice(0, k ?? labels.length).forEach((value, place) => {
        found += value;
        total += (value * found) / (place + 1);
      });
      const divisor = { relevant: all, cutoff: Math.min(all, k ?? all), found }[rule.denominator];
      return settled(rule, divisor > 0 ? total / divisor : 0, all === 0);
    },
  };

  // The rule of a tool's metric, and its cut-off: some tools cut where nothing was said, or follow other rules then.
  const ruleOf = (tool, family, k) => {
    const depth = k ?? tool.default_k;
    return { rule: (depth !== null && tool.with_cutoff[family]) || tool.metrics[family] || null, depth };
  };

  // {value} | {left out: value null} | {refused: why} | null where the tool has no such metric.
  const score = (tool, family, labels, scores, k) => {
    const { rule, depth } = ruleOf(tool, family, k);
    if (!rule) return null;
    try {
      return { value: METRICS[family](rule, labels, scores, depth) };
    } catch (problem) {
      if (problem instanceof Refused) return { refused: problem.message };
      throw problem;
    }
  };

  const evaluate = (tools, labels, scores, k) =>
    Object.fromEntries(tools.map((tool) => [tool.name,
      Object.fromEntries(Object.keys(METRICS).map((family) => [family, score(tool, family, labels, scores, k)]))]));

  globalThis.ltrPlayground = { evaluate };

  // ---- The page.

  const box = document.getElementById("playground");
  if (!box) return;
  const presets = JSON.parse(document.getElementById("playground-presets").textContent);
  const $ = (id) => document.getElementById(`playground-${id}`);
  const EPSILON = 1e-12;
  const listed = (fields) => fields.length > 1 ? `${fields.slice(0, -1).join(", ")} and ${fields.at(-1)}` : fields[0];
  const near = (a, b) => a === b || (a !== null && b !== null && Math.abs(a - b) <= EPSILON);
  const shown = (value) => value.toFixed(4);

  const NUMBER = /^[-+]?(\d+\.?\d*([eE][-+]?\d+)?|\.\d+([eE][-+]?\d+)?|inf(inity)?)$/i;
  const toNumber = (word) => (/inf/i.test(word) ? (word.startsWith("-") ? -Infinity : Infinity) : Number(word));
  const words = (text) => text.split(/[\s,;]+/).filter((word) => word !== "");

  class Wrong extends Error {}

  const read = () => {
    const labels = words($("labels").value).map((word, at) => {
      if (!/^\d+(\.0*)?$/.test(word)) throw new Wrong(`label ${at + 1}, “${word}”, is not a whole number from 0 up`);
      return Number(word);
    });
    const scores = words($("scores").value).map((word, at) => {
      if (!NUMBER.test(word)) throw new Wrong(`score ${at + 1}, “${word}”, is not a number`);
      return toNumber(word);
    });
    if (labels.length === 0) throw new Wrong("type the labels of one query, such as 3 0 2");
    if (scores.length !== labels.length)
      throw new Wrong(`${labels.length} labels, but ${scores.length} scores: give one score per document`);
    const k = $("k").value.trim();
    if (k !== "" && !/^[1-9]\d*$/.test(k)) throw new Wrong(`the cut-off, “${k}”, is not a whole number from 1 up`);
    return { labels, scores, k: k === "" ? null : Number(k) };
  };

  const element = (name, properties = {}, ...children) => {
    const made = Object.assign(document.createElement(name), properties);
    made.append(...children);
    return made;
  };

  const cell = (family, result) => {
    const made = element("td");
    made.dataset.metric = family === "map" ? "ap" : family;
    if (!result) {
      made.textContent = "–";
      made.title = "this tool has no such metric";
    } else if (result.refused) {
      made.textContent = "refused";
      made.title = result.refused;
    } else if (result.value === null) {
      made.textContent = "left out";
    } else {
      made.dataset.value = String(result.value);
      made.textContent = shown(result.value);
    }
    return made;
  };

  const row = (tool, results, first) => {
    const value = results.ndcg?.value ?? null;
    const bar = element("span", { className: "playground-bar" });
    bar.style.setProperty("--share", value === null ? 0 : Math.max(0, Math.min(1, value)));
    const ndcg = cell("ndcg", results.ndcg);
    ndcg.append(bar);
    const made = element("tr", { className: first ? "playground-first" : "" },
      element("th", { scope: "row" }, element("a", { href: tool.page, textContent: tool.short })),
      ndcg, cell("err", results.err), cell("map", results.map));
    made.dataset.tool = tool.name;
    return made;
  };

  // Tools with the same NDCG stand together, the highest value first.
  const showTable = (found) => {
    const value = (tool) => found[tool.name].ndcg?.value ?? -1;
    const refusing = presets.tools.filter((tool) => found[tool.name].ndcg?.refused);
    const sorted = [...presets.tools].sort((a, b) => value(b) - value(a));
    $("rows").replaceChildren(...sorted.map((tool, at) =>
      row(tool, found[tool.name], at > 0 && !near(value(tool), value(sorted[at - 1])))));
    const taking = sorted.filter((tool) => !refusing.includes(tool));
    const distinct = taking.filter((tool, at) => at === 0 || !near(value(tool), value(taking[at - 1]))).length;
    const numbers = taking.map(value).filter((one) => one >= 0);
    const every = refusing.length ? "The other" : "All";
    const said = distinct > 1
      ? [`${taking.length} tools, ${distinct} different NDCGs, from ${shown(Math.min(...numbers))} to ${shown(Math.max(...numbers))}.`]
      : taking.length ? [`${every} ${taking.length} tools agree on this list${numbers.length ? `: ${shown(numbers[0])}` : ""}.`] : [];
    const reasons = new Map();
    for (const tool of refusing) {
      const why = found[tool.name].ndcg.refused;
      reasons.set(why, [...(reasons.get(why) ?? []), tool.short]);
    }
    if (refusing.length)
      said.push(`Refused by ${[...reasons].map(([why, some]) => `${listed(some)} (${why})`).join(", ")}.`);
    $("message").textContent = said.join(" ");
    return taking.length > 1 ? taking : sorted;
  };

  // ---- Why two tools part.

  const NAMES = { empty: "empty query", short: "short list", precision: "precision of scores" };
  const called = (field) => NAMES[field] ?? field;
  const FIELDS = ["empty", "short", "gain", "discount", "ties", "precision", "cut-off"];
  const wording = (tool, field, rule, depth) =>
    field === "cut-off" ? (depth === null ? "none" : String(depth)) : tool.words[field];
  const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);

  const explain = (a, b, input) => {
    const [one, other] = [a, b].map((tool) => ruleOf(tool, "ndcg", input.k));
    const value = (rule, depth) => METRICS.ndcg(rule, input.labels, input.scores, depth);
    const before = value(one.rule, one.depth), after = value(other.rule, other.depth);
    const differing = FIELDS.filter((field) =>
      field === "cut-off" ? one.depth !== other.depth : !same(one.rule[field], other.rule[field]));
    const effects = differing.map((field) => {
      const depth = field === "cut-off" ? other.depth : one.depth;
      const rule = field === "cut-off" ? one.rule : { ...one.rule, [field]: other.rule[field] };
      let there = null;
      try { there = value(rule, depth); } catch (problem) { if (!(problem instanceof Refused)) throw problem; }
      return { field, there, a: wording(a, field, one.rule, one.depth), b: wording(b, field, other.rule, other.depth) };
    });
    const curves = [one, other].map(({ rule, depth }) => ndcgCurve(rule, input.labels, input.scores, depth));
    const length = Math.max(...curves.map(({ curve }) => curve.length));
    const at = (curve, place) => curve[Math.min(place, curve.length - 1)] ?? 0;
    let parting = null;
    for (let place = 0; place < length && parting === null; place += 1)
      if (!near(at(curves[0].curve, place), at(curves[1].curve, place))) parting = place + 1;
    return { before, after, effects, curves: curves.map(({ curve }) => curve), parting, empty: curves[0].empty };
  };

  const showDifference = (input) => {
    const [a, b] = ["a", "b"].map((id) => presets.tools.find((tool) => tool.name === $(id).value));
    const target = $("difference");
    let found;
    try { found = explain(a, b, input); } catch (problem) {
      if (!(problem instanceof Refused)) throw problem;
      target.replaceChildren(element("p", { textContent: `These two cannot be compared on this list: ${problem.message}.` }));
      return;
    }
    const { before, after, effects, curves, parting, empty } = found;
    const value = (one) => (one === null ? "left out" : shown(one));
    let sentence;
    if (near(before, after)) {
      sentence = effects.length
        ? `Both give ${value(before)} here, though they differ in ${listed(effects.map(({ field }) => called(field)))}.`
        : `Both follow the same rules and give ${value(before)}.`;
    } else {
      const alone = effects.filter(({ there }) => there === null || !near(there, before)).map(({ field }) => field);
      const why = listed((alone.length ? alone : effects.map(({ field }) => field)).map(called));
      const where = empty ? "Nothing in this list is relevant, and the tools score that differently"
        : parting === null ? "The ranks are worth the same to both; a rule about the whole list decides"
        : `The two sums part at rank ${parting}`;
      sentence = `${a.short} gives ${value(before)}, ${b.short} ${value(after)}. ${where}: ${why}.`;
    }
    const rules = element("table", {}, element("thead", {}, element("tr", {}, ...["rule", a.short, b.short, `${a.short} with this rule of ${b.short}`]
      .map((text) => element("th", { scope: "col", textContent: text })))),
      element("tbody", {}, ...effects.map(({ field, a: left, b: right, there }) => element("tr", {},
        element("th", { scope: "row", textContent: called(field) }), element("td", { textContent: left }),
        element("td", { textContent: right }), element("td", { textContent: value(there) })))));
    const ranks = element("table", {}, element("thead", {}, element("tr", {}, ...["rank", a.short, b.short]
      .map((text) => element("th", { scope: "col", textContent: text })))),
      element("tbody", {}, ...Array.from({ length: Math.max(...curves.map((curve) => curve.length)) }, (_, place) =>
        element("tr", { className: place + 1 === parting ? "playground-parting" : "" },
          element("th", { scope: "row", textContent: String(place + 1) }),
          ...curves.map((curve) => element("td", { textContent: place < curve.length ? shown(curve[place]) : "–" }))))));
    const details = element("details", {}, element("summary", { textContent: "The sum after each rank, divided by that of the best order" }), ranks);
    target.replaceChildren(element("p", { textContent: sentence }), ...(effects.length ? [rules] : []), details);
  };

  // ---- State: it stands in the address, so that a link shows what its sender saw.

  const STATE = ["labels", "scores", "k", "a", "b"];
  const EMPTY = "all";

  // Links from other pages use the query: the theme's scripts take every fragment for the name of a heading.
  const addressed = () => new URLSearchParams((location.hash || location.search).slice(1));

  const fromAddress = () => {
    const given = addressed();
    if (!given.has("labels")) return false;
    for (const id of STATE) {
      if (!given.has(id)) continue;
      const text = given.get(id);
      $(id).value = id === "k" && text === EMPTY ? "" : id === "labels" || id === "scores" ? words(text).join(" ") : text;
    }
    return true;
  };

  const toAddress = () => {
    const state = new URLSearchParams();
    for (const id of STATE) {
      const text = $(id).value.trim();
      state.set(id, id === "labels" || id === "scores" ? words(text).join(",") : id === "k" && text === "" ? EMPTY : text);
    }
    history.replaceState(null, "", `#${state.toString().replaceAll("%2C", ",")}`);
  };

  let chosen = false; // whether the reader has chosen the two tools

  const update = (keep = true) => {
    let input;
    try { input = read(); } catch (problem) {
      if (!(problem instanceof Wrong)) throw problem;
      $("message").textContent = problem.message;
      box.classList.add("playground-wrong");
      $("rows").replaceChildren();
      $("difference").replaceChildren();
      return;
    }
    box.classList.remove("playground-wrong");
    const sorted = showTable(evaluate(presets.tools, input.labels, input.scores, input.k));
    if (!chosen) [$("a").value, $("b").value] = [sorted[0].name, sorted.at(-1).name];
    showDifference(input);
    if (keep) toAddress();
  };

  for (const id of ["a", "b"])
    $(id).append(...presets.tools.map((tool) => new Option(tool.short, tool.name)));
  for (const id of ["labels", "scores", "k"]) $(id).addEventListener("input", () => update());
  for (const id of ["a", "b"]) $(id).addEventListener("change", () => { chosen = true; update(); });

  // Two columns pasted into the labels, as from a spreadsheet, are labels and scores.
  $("labels").addEventListener("paste", (event) => {
    const lines = event.clipboardData.getData("text").trim().split(/\r?\n/).map((line) => words(line));
    if (lines.length < 2 || lines.some((line) => line.length !== 2)) return;
    event.preventDefault();
    $("labels").value = lines.map(([label]) => label).join(" ");
    $("scores").value = lines.map(([, given]) => given).join(" ");
    update();
  });

  for (const button of box.querySelectorAll("[data-example]"))
    button.addEventListener("click", () => {
      const { labels, scores, k } = presets.examples[button.dataset.example];
      [$("labels").value, $("scores").value, $("k").value] = [labels, scores, k];
      chosen = false;
      update();
    });

  $("link").addEventListener("click", async () => {
    toAddress();
    try {
      await navigator.clipboard.writeText(location.href);
      $("link").textContent = "Copied";
      setTimeout(() => { $("link").textContent = "Copy a link to this list"; }, 1500);
    } catch { $("link").textContent = "The address bar has the link"; }
  });

  addEventListener("hashchange", () => { if (fromAddress()) { chosen = true; update(false); } });
  const given = fromAddress();
  chosen = given && addressed().has("a");
  box.hidden = false;
  update(given);
})();
