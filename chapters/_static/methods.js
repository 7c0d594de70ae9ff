// Any two methods compared, from the data that the page carries.
(() => {
  "use strict";
  const box = document.getElementById("methods-compare");
  if (!box) return;
  const data = JSON.parse(document.getElementById("methods-data").textContent);
  const $ = (id) => document.getElementById(`methods-${id}`);
  const element = (name, properties = {}, ...children) => {
    const made = Object.assign(document.createElement(name), properties);
    made.append(...children);
    return made;
  };
  const shown = (value) => value.toFixed(4);
  const signed = (value) => `${value < 0 ? "−" : "+"}${shown(Math.abs(value))}`;
  const cells = (name, texts) => texts.map((text) => element(name, { textContent: text }));
  const table = (caption, head, rows) => {
    const made = element("table", { className: "table" }, element("caption", { textContent: caption }),
      element("thead", {}, element("tr", {}, ...head.map((text) => element("th", { scope: "col", textContent: text })))),
      element("tbody", {}, ...rows));
    const frame = element("div", { className: "pst-scrollable-table-container" }, made);
    frame.tabIndex = 0;
    return frame;
  };

  // Our own runs: each data set decides for one, for the other, or not at all.
  const ours = (a, b, convention) => {
    const [i, j] = [data.ours.indexOf(a), data.ours.indexOf(b)];
    if (i < 0 || j < 0) return null;
    return data.datasets.filter(({ pairs }) => pairs[convention]).map(({ title, standin, pairs }) => {
      const { mean, half, queries } = pairs[convention];
      const [low, high] = [Math.min(i, j), Math.max(i, j)];
      const width = half[(low * (2 * data.ours.length - low - 1)) / 2 + high - low - 1];
      const difference = mean[i] - mean[j];
      const winner = Math.abs(difference) > width ? (difference > 0 ? a : b) : null;
      return { title, standin, queries, a: mean[i], b: mean[j], difference, width, winner };
    });
  };

  // The results behind Table B.6 on which both were measured.
  const meetings = (a, b) => {
    const [one, other] = [a, b].map((name) => data.results[name] ?? {});
    return Object.keys(one).filter((place) => place in other).map((place) => {
      const [dataset, metric] = place.split("|");
      return { dataset, metric, a: one[place], b: other[place] };
    });
  };

  const show = () => {
    const [a, b, convention] = ["a", "b", "convention"].map((id) => $(id).value);
    const out = $("answer");
    history.replaceState(null, "", `#${new URLSearchParams({ a, b, tool: convention })}`);
    if (a === b) { out.replaceChildren(element("p", { textContent: "Choose two different methods." })); return; }
    const parts = [];
    const runs = ours(a, b, convention);
    const tool = data.conventions[convention];
    if (runs) {
      const real = runs.filter(({ standin }) => !standin);
      const won = (name) => real.filter(({ winner }) => winner === name).length;
      const ahead = real.filter(({ difference }) => difference > 0).length;
      const verdict = won(a) && !won(b) ? `${a} is better on ${won(a)} of them, and ${b} on none`
        : won(b) && !won(a) ? `${b} is better on ${won(b)} of them, and ${a} on none`
        : won(a) ? `${a} is better on ${won(a)} of them and ${b} on ${won(b)}` : "no data set can tell them apart";
      parts.push(element("p", { className: "methods-verdict", textContent:
        `In our own runs on ${real.length} real data sets, ${verdict}. ${a} has the higher mean on ${ahead}.` }));
    }
    else {
      const trained = [a, b].filter((name) => data.ours.includes(name));
      parts.push(element("p", { textContent: `Our own runs have ${trained.length ? `only ${trained[0]}` : "neither of the two"}.` }));
    }
    const met = meetings(a, b);
    if (met.length) {
      const wins = met.filter((one) => Number(one.a) > Number(one.b)).length;
      const losses = met.filter((one) => Number(one.a) < Number(one.b)).length;
      const ties = met.length - wins - losses;
      parts.push(element("p", { className: "methods-verdict", textContent:
        `In the published results behind Table B.6 they met ${met.length === 1 ? "once" : `${met.length} times`}: ${a} won ${wins}, ${b} ${losses}${ties ? `, ${ties} equal` : ""}. Those numbers have no error bars.` }));
    } else {
      parts.push(element("p", { textContent: "No published result behind Table B.6 has both on the same data set and metric." }));
    }
    if (runs) {
      parts.push(table(`NDCG@10 of our own runs by ${tool}, with the 95% interval of the paired difference over queries`,
        ["data", "better", "difference", a, b, "queries"], runs.map((one) => element("tr", {},
          element("th", { scope: "row", textContent: one.title }),
          ...cells("td", [one.winner ?? "undecided", `${signed(one.difference)} ± ${shown(one.width)}`.replaceAll(" ", "\u00a0"),
            shown(one.a), shown(one.b), String(one.queries)])))));
    }
    if (met.length) {
      const all = table("Published results behind Table B.6", ["data set", "metric", a, b, "higher"],
        met.map((one) => element("tr", {}, element("th", { scope: "row", textContent: one.dataset }),
          ...cells("td", [one.metric, one.a, one.b,
            Number(one.a) === Number(one.b) ? "equal" : Number(one.a) > Number(one.b) ? a : b]))));
      parts.push(element("details", {}, element("summary", { textContent: met.length === 1 ? "The meeting" : `All ${met.length} meetings` }), all));
    }
    out.replaceChildren(...parts);
  };

  for (const id of ["a", "b"]) $(id).append(...data.methods.map((name) => new Option(name)));
  $("convention").append(...Object.entries(data.conventions).map(([name, title]) => new Option(title, name)));
  const given = () => {
    const state = new URLSearchParams((location.hash || location.search).slice(1));
    for (const [id, fallback] of [["a", data.first[0]], ["b", data.first[1]], ["convention", data.convention]]) {
      const wanted = state.get(id === "convention" ? "tool" : id);
      $(id).value = [...$(id).options].some((option) => option.value === wanted) ? wanted : fallback;
    }
    // A link from a method's page names one of the two.
    if (!state.has("b") && $("b").value === $("a").value) $("b").value = data.first[0];
  };
  for (const id of ["a", "b", "convention"]) $(id).addEventListener("change", show);
  addEventListener("hashchange", () => { given(); show(); });
  given();
  box.hidden = false;
  const address = location.hash;
  show();
  if (!address) history.replaceState(null, "", location.pathname + location.search);
})();
