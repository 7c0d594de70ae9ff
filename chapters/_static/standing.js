// The page "Place your method": fields, answer, figure. Counting is done by standing-count.js. Whatever a reader typed goes
// into the page as text, never as markup, and nothing of it leaves the machine; the address keeps it behind the #.
(() => {
  "use strict";
  const box = document.getElementById("standing");
  if (!box) return;
  const { Refused, answer, verdict, noise, listed } = globalThis.ltrStanding;
  const data = JSON.parse(document.getElementById("standing-data").textContent);
  const $ = (id) => document.getElementById(`standing-${id}`);
  const LONGEST_ADDRESS = 4000;

  const element = (name, properties = {}, ...children) => {
    const { dataset = {}, ...rest } = properties;
    const made = Object.assign(document.createElement(name), rest);
    Object.assign(made.dataset, dataset);
    made.append(...children);
    return made;
  };
  const number = (value) => (value === null ? "–" : value.toFixed(4));
  const plural = (count, word) => `${count} ${word}${count === 1 ? "" : "s"}`;

  // ---- Tables.

  const cell = (value, name) => {
    const made = element("td");
    if (name) made.dataset.name = name;
    if (value instanceof Node) made.append(value);
    else made.textContent = value;
    return made;
  };

  const tableOf = (caption, heads, rows) =>
    element("div", { className: "standing-wide", tabIndex: 0, role: "region", ariaLabel: caption },
      element("table", {}, element("caption", { textContent: caption }),
        element("thead", {}, element("tr", {}, ...heads.map((head) => element("th", { scope: "col", textContent: head })))),
        element("tbody", {}, ...rows)));

  const names = (list) => {
    if (list.length <= 2) return listed(list, 2) || "–";
    return element("details", {}, element("summary", { textContent: String(list.length) }), list.join(", "));
  };

  const b6Row = (row, mine) => {
    const made = element("tr", { className: mine ? "standing-yours" : "", dataset: { method: row.method } },
      element("th", { scope: "row", textContent: row.method }), cell(row.place ?? "–", "place"));
    const add = (name, text, value) => {
      const one = cell(text, name);
      if (value !== null) one.dataset.value = String(value);
      made.append(one);
    };
    add("NWN", number(row.NWN), row.NWN);
    add("WN", row.WN, row.WN);
    add("IWN", row.IWN, row.IWN);
    made.append(cell(row["Pareto rank"] === 1 ? "yes" : "no", "front"));
    for (const metric of data.metrics)
      add(metric, row[`${metric} sets`] ? `${number(row[metric])} (${row[`${metric} sets`]})` : "–", row[metric]);
    return made;
  };
  const B6_HEADS = ["method", "place", "NWN", "WN", "IWN", "front", ...data.metrics];

  // One method needs no column for its name.
  const duelTable = (results) => {
    const several = new Set(results.map((duel) => duel.method)).size > 1;
    return tableOf("Who is beaten where; the nearest first.",
      [...(several ? ["method"] : []), "data set", "metric", "value", "place", "ahead", "equal", "beaten"],
      results.map((duel) => element("tr", {}, element("th", { scope: "row", textContent: several ? duel.method : duel.dataset }),
        ...(several ? [cell(duel.dataset)] : []), cell(duel.metric), cell(String(duel.value)), cell(`${duel.place} of ${duel.of}`),
        cell(names([...duel["loses to"]].reverse())), cell(names(duel.equals)), cell(names(duel.beats)))));
  };

  const changesWords = (changes) => {
    const moved = changes.filter((row) => row["NWN after"] !== null && row["NWN before"] !== null);
    const by = (row) => Math.abs(row["NWN after"] - row["NWN before"]);
    const most = moved.reduce((best, row) => (by(row) > by(best) ? row : best), moved[0]);
    const [on, off] = ["on", "off"].map((side) => changes.filter((row) => row[side]).map((row) => row.method));
    const front = (off.length ? `loses ${listed(off, 9)}` : "keeps its members") + (on.length ? `; new on it: ${listed(on, 9)}` : "");
    return `Of the other ${changes.length} rows ${changes.filter((row) => row.changed).length} change their WN or IWN; the NWN of ` +
      `${most.method} changes most, from ${number(most["NWN before"])} to ${number(most["NWN after"])}. The front ${front}.`;
  };

  const elsewhereParts = (one) => {
    const words = `${one.method}, ${one.dataset}, ${one.metric} ${one.value} by ${data.titles[one.convention]}: ${one["why not in Table B.6"]}.`;
    if (!one.others.length)
      return [element("p", { textContent: `${words} No result by this tool is known on this data set, so it cannot be placed. ` +
        "Score the ranking again with the data set's own tool (ltrlib eval)." })];
    const rows = one.others.map((other) => ({ ...other }));
    rows.splice(one.place - 1, 0, { method: one.method, value: one.value, "by LETOR": null, mine: true });
    const letor = one.others.some((other) => other["by LETOR"] !== null);
    const heads = ["method", "place", `${one.metric} by ${data.titles[one.convention]}`];
    if (letor) heads.push(`the same ranking by ${data.titles[data.words.letor]}`);
    return [element("p", { textContent: words }), tableOf(
      `Among results by the same tool (${one.part}): place ${one.place} of ${one.others.length + 1}.`, heads,
      rows.map((row, at) => {
        const made = element("tr", { className: row.mine ? "standing-yours" : "" },
          element("th", { scope: "row", textContent: row.method }), cell(String(at + 1)), cell(number(row.value)));
        if (letor) made.append(cell(number(row["by LETOR"])));
        return made;
      }))];
  };

  // ---- The figure: NWN against IWN, as Figure 5 of the paper, drawn for the width at hand.

  const SVG = "http://www.w3.org/2000/svg";
  const shape = (name, attributes, ...children) => {
    const made = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    made.append(...children);
    return made;
  };
  const star = (x, y, r) => Array.from({ length: 10 }, (_, at) => {
    const [angle, length] = [(Math.PI * at) / 5 - Math.PI / 2, at % 2 ? r * 0.45 : r];
    return `${x + length * Math.cos(angle)},${y + length * Math.sin(angle)}`;
  }).join(" ");
  const marks = {
    [data.words.b6]: (x, y) => shape("circle", { cx: x, cy: y, r: 4, class: "standing-b6" }),
    [data.words.later]: (x, y) => shape("polygon", { points: `${x},${y - 6} ${x + 6},${y} ${x},${y + 6} ${x - 6},${y}`, class: "standing-later" }),
    [data.words.ours]: (x, y) => shape("rect", { x: x - 4.5, y: y - 4.5, width: 9, height: 9, class: "standing-ours" }),
    [data.words.yours]: (x, y) => shape("polygon", { points: star(x, y, 11), class: "standing-mine" }),
  };
  const ticks = (highest) => {
    const step = [50, 100, 200, 250, 500, 1000].find((one) => highest / one <= 6) ?? 2000;
    return Array.from({ length: Math.floor(highest / step) + 1 }, (_, at) => at * step);
  };
  let points = [], current = -1, drawn = null;

  const draw = () => {
    const plot = $("plot");
    if (!drawn || !plot.clientWidth) return;
    const rows = drawn.rows.filter((row) => row.NWN !== null);
    const width = Math.min(plot.clientWidth, 880), height = Math.max(320, Math.min(460, width * 0.6));
    const [left, right, top, bottom] = [46, width - 14, 14, height - 42];
    const highest = Math.max(...rows.map((row) => row.IWN), 1) * 1.04;
    const x = (iwn) => left + ((right - left) * iwn) / highest, y = (nwn) => bottom - (bottom - top) * nwn;
    const svg = shape("svg", { width, height, viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true", focusable: "false" });
    for (const value of ticks(highest))
      svg.append(shape("line", { x1: x(value), x2: x(value), y1: top, y2: bottom, class: "standing-grid" }),
        shape("text", { x: x(value), y: bottom + 17, "text-anchor": "middle" }, String(value)));
    for (const value of [0, 0.25, 0.5, 0.75, 1])
      svg.append(shape("line", { x1: left, x2: right, y1: y(value), y2: y(value), class: "standing-grid" }),
        shape("text", { x: left - 7, y: y(value) + 4, "text-anchor": "end" }, String(value)));
    svg.append(shape("text", { x: (left + right) / 2, y: height - 6, "text-anchor": "middle" }, "IWN: number of comparisons"),
      shape("text", { x: 0, y: 0, "text-anchor": "middle", transform: `translate(12 ${(top + bottom) / 2}) rotate(-90)` }, "NWN: share won"));
    const front = rows.filter((row) => row["Pareto rank"] === 1).sort((a, b) => a.IWN - b.IWN || b.NWN - a.NWN);
    svg.append(shape("polyline", { points: front.map((row) => `${x(row.IWN)},${y(row.NWN)}`).join(" "), class: "standing-front" }));
    points = rows.map((row) => ({ row, x: x(row.IWN), y: y(row.NWN) })).sort((a, b) => a.x - b.x || b.y - a.y);
    const mine = (one) => one.row.kind === data.words.yours;
    for (const one of [...points.filter((each) => !mine(each)), ...points.filter(mine)]) svg.append(marks[one.row.kind](one.x, one.y));
    label(svg, [...points.filter(mine), ...points.filter((one) => one.row["Pareto rank"] === 1 && !mine(one))], { left, right, top, bottom });
    svg.append(shape("circle", { r: 10, class: "standing-ring", visibility: "hidden" }));
    plot.querySelector("svg")?.remove();
    plot.prepend(svg);
    point(-1);
  };

  // Names of the user's methods and of the front, where they fit; the user's always.
  const label = (svg, wanted, { left, right, top, bottom }) => {
    const taken = points.map((one) => ({ x0: one.x - 5, x1: one.x + 5, y0: one.y - 5, y1: one.y + 5 }));
    const free = (area) => area.x0 >= left && area.x1 <= right && area.y0 >= top - 12 && area.y1 <= bottom &&
      !taken.some((one) => area.x0 < one.x1 && one.x0 < area.x1 && area.y0 < one.y1 && one.y0 < area.y1);
    for (const { row, x, y } of wanted) {
      const own = row.kind === data.words.yours;
      const text = row.method.length > 28 ? `${row.method.slice(0, 27)}…` : row.method;
      const wide = text.length * (own ? 7.2 : 6.6), gap = own ? 14 : 8;
      const spots = [[x - wide / 2, y - gap], [x + gap, y + 4], [x - gap - wide, y + 4], [x - wide / 2, y + gap + 9], [x + gap, y - gap], [x - wide - gap, y - gap]];
      const area = ([x0, y1]) => ({ x0, x1: x0 + wide, y0: y1 - 11, y1: y1 + 2 });
      const spot = spots.find((one) => free(area(one))) ?? (own ? [Math.min(Math.max(x - wide / 2, left), right - wide), y - gap] : null);
      if (!spot) continue;
      taken.push(area(spot));
      svg.append(shape("text", { x: spot[0], y: spot[1], class: own ? "standing-own-name" : "standing-name" }, text));
    }
  };

  const about = (row) => `${row.method}: NWN ${number(row.NWN)} (place ${row.place}), IWN ${row.IWN}; dominated by ` +
    `${listed(row["dominated by"].split(", ").filter((name) => name), 3) || "nobody"}`;

  const point = (at) => {
    current = at;
    const ring = $("plot").querySelector(".standing-ring"), tip = $("tip");
    if (at < 0) {
      ring?.setAttribute("visibility", "hidden");
      tip.textContent = "";
      return;
    }
    const one = points[at];
    for (const [name, value] of [["cx", one.x], ["cy", one.y], ["visibility", "visible"]]) ring.setAttribute(name, value);
    tip.textContent = about(one.row);
  };

  $("plot").addEventListener("pointermove", (event) => {
    const frame = $("plot").querySelector("svg").getBoundingClientRect();
    const far = points.map((one) => Math.hypot(one.x - event.clientX + frame.left, one.y - event.clientY + frame.top));
    const at = far.indexOf(Math.min(...far));
    const wanted = far[at] < 25 ? at : -1;
    if (wanted !== current) point(wanted);
  });
  $("plot").addEventListener("pointerleave", () => point(-1));
  $("plot").addEventListener("blur", () => point(-1));
  $("plot").addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (!step || !points.length) return;
    event.preventDefault();
    point(current < 0 ? (step > 0 ? 0 : points.length - 1) : (current + step + points.length) % points.length);
  });
  new ResizeObserver(draw).observe($("plot"));

  // ---- The options, the address, the command.

  const doubtBoxes = () => [...box.querySelectorAll("input[data-doubt]")];
  const options = () => ({
    convention: $("convention").value,
    among: $("among").value,
    iwn: $("iwn").value,
    without_doubts: doubtBoxes().filter((one) => one.checked).map((one) => one.dataset.doubt),
    unstated: $("unstated").checked,
  });

  const command = ({ convention, among, iwn, without_doubts: doubts, unstated }) => [
    "ltrlib compare mine.csv",
    ...(convention ? [`--convention ${convention}`] : []),
    ...(among === "b6" ? [] : [`--among ${among}`]),
    ...(iwn === "formula" ? [] : [`--iwn ${iwn}`]),
    ...(doubts.length && doubts.length === data.doubts.length ? ["--without-doubt all"] : doubts.map((code) => `--without-doubt ${code}`)),
    ...(unstated ? ["--unstated"] : []),
  ].join(" ");

  const toAddress = () => {
    const { convention, among, iwn, without_doubts: doubts, unstated } = options();
    const state = new URLSearchParams({ results: $("results").value.trim() });
    if (convention) state.set("convention", convention);
    if (among !== "b6") state.set("among", among);
    if (iwn !== "formula") state.set("iwn", iwn);
    if (doubts.length) state.set("without", doubts.join(","));
    if (unstated) state.set("unstated", "1");
    const text = state.toString().replaceAll("%2C", ",").replaceAll("%40", "@").replaceAll("%3A", ":");
    const fits = text.length <= LONGEST_ADDRESS;
    history.replaceState(null, "", fits ? `#${text}` : location.pathname + location.search);
    $("link").disabled = !fits;
    $("link").textContent = fits ? "Copy a link to this answer" : "Too long for a link";
  };

  const choose = (field, value) => { if ([...field.options].some((one) => one.value === value)) field.value = value; };
  const fromAddress = () => {
    const state = new URLSearchParams(location.hash.slice(1));
    if (!state.has("results")) return false;
    $("results").value = state.get("results");
    for (const [id, usual] of [["convention", ""], ["among", "b6"], ["iwn", "formula"]]) {
      $(id).value = usual;
      choose($(id), state.get(id) ?? usual);
    }
    const without = (state.get("without") ?? "").split(",");
    for (const one of doubtBoxes()) one.checked = without.includes(one.dataset.doubt);
    $("unstated").checked = state.get("unstated") === "1";
    return true;
  };

  // ---- The answer.

  // The first sentence is the answer.
  const verdictParagraph = (text) => {
    const end = text.indexOf(". ") + 1 || text.length;
    return element("p", { className: "standing-verdict" }, element("strong", { textContent: text.slice(0, end) }), text.slice(end));
  };

  const show = (found) => {
    const mine = found.yours.map((row) => row.method);
    $("message").textContent = mine.length ? "" : "Table B.6 cannot take these results; below they stand among results of the same tool.";
    $("verdicts").replaceChildren(...found.yours.map((row) => verdictParagraph(verdict(found, row))));
    $("counted").textContent = mine.length ? found.counted : "";
    box.classList.toggle("standing-only-elsewhere", !mine.length);
    box.classList.toggle("standing-continued", found.options.among === "continued");
    $("row").replaceChildren(...(mine.length
      ? [tableOf("Your row of Table B.6: all metrics together, then each, with the number of data sets in brackets.", B6_HEADS,
        found.yours.map((row) => b6Row(row, true)))] : []));
    $("duels").replaceChildren(...(mine.length
      ? [duelTable(found.results),
        element("p", { textContent: changesWords(found.changes) }), element("p", { textContent: noise(data, found) })] : []));
    const others = found.elsewhere.flatMap(elsewhereParts);
    $("elsewhere").replaceChildren(...(others.length ? [element("h2", { textContent: "Not in Table B.6" }), ...others] : []));
    $("all").replaceChildren(...(mine.length
      ? [tableOf("All rows, by NWN.", B6_HEADS, found.rows.map((row) => b6Row(row, mine.includes(row.method))))] : []));
    drawn = found;
    const stars = found.yours.filter((row) => row.NWN !== null).map((row) => `${row.method} at IWN ${row.IWN}, NWN ${number(row.NWN)}`);
    $("plot").setAttribute("aria-label", `NWN against IWN of ${plural(found.rows.length, "method")}. ${stars.join("; ")}. ` +
      `On the front: ${found.front.join(", ")}. Arrow keys visit the points.`);
    draw();
  };

  const update = (keep = true) => {
    const chosen = options();
    $("command").textContent = command(chosen);
    try {
      const found = answer(data, $("results").value, chosen);
      box.classList.remove("standing-wrong");
      $("results").removeAttribute("aria-invalid");
      show(found);
    } catch (problem) {
      if (!(problem instanceof Refused)) throw problem;
      const where = problem.line === null ? "" : `Line ${problem.line}: `;
      $("message").textContent = `${where}${problem.what}${problem.what.endsWith("?") ? "" : "."}${problem.cure ? ` To do: ${problem.cure}.` : ""}`;
      box.classList.add("standing-wrong");
      $("results").setAttribute("aria-invalid", "true");
      drawn = null;
      for (const id of ["verdicts", "row", "duels", "elsewhere", "all"]) $(id).replaceChildren();
    }
    if (keep) toAddress();
  };

  // ---- Set up.

  for (const { code, what, results } of data.doubts) {
    const input = element("input", { type: "checkbox", id: `standing-doubt-${code}`, dataset: { doubt: code } });
    $("doubts").append(element("li", {}, input, element("label", { htmlFor: input.id }, element("code", { textContent: code }),
      ` ${what} (${plural(results, "result")})`)));
  }
  $("convention").append(...Object.entries(data.tools).map(([name, title]) => new Option(title, name)));
  const known = [...new Set(Object.values(data.datasets).flat())].sort();
  $("names").replaceChildren(...known.map((name) => element("li", { textContent: name })));

  // Typing is answered when it pauses, leaving the field at once.
  let pause = 0;
  $("results").addEventListener("input", () => {
    clearTimeout(pause);
    pause = setTimeout(() => update(), 120);
  });
  box.addEventListener("change", (event) => {
    if (!event.target.matches("textarea, select, input[type=checkbox]:not(#standing-doubt-all)")) return;
    clearTimeout(pause);
    update();
  });
  $("doubt-all").addEventListener("change", () => {
    for (const one of doubtBoxes()) one.checked = $("doubt-all").checked;
    update();
  });
  // Rows copied from a spreadsheet have tabs; the file has commas.
  $("results").addEventListener("paste", (event) => {
    const lines = event.clipboardData.getData("text").replace(/\r?\n$/, "").split(/\r?\n/);
    if (!lines.every((line) => line.includes("\t"))) return;
    event.preventDefault();
    const field = (text) => (/[",]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
    $("results").setRangeText(lines.map((line) => line.split("\t").map(field).join(",")).join("\n"),
      $("results").selectionStart, $("results").selectionEnd, "end");
    update();
  });
  $("file").addEventListener("change", async () => {
    const [file] = $("file").files;
    if (!file) return;
    try {
      $("results").value = new TextDecoder("utf-8", { fatal: true }).decode(await file.arrayBuffer());
      update();
    } catch {
      $("message").textContent = `${file.name}: not UTF-8 text. To do: save it as UTF-8.`;
      box.classList.add("standing-wrong");
    }
  });
  for (const button of box.querySelectorAll("[data-example]"))
    button.addEventListener("click", () => {
      const { text, convention } = data.examples[button.dataset.example];
      $("results").value = text;
      $("convention").value = convention;
      update();
    });
  $("link").addEventListener("click", async () => {
    const before = $("link").textContent;
    try {
      await navigator.clipboard.writeText(location.href);
      $("link").textContent = "Copied";
    } catch { $("link").textContent = "The address bar has the link"; }
    setTimeout(() => { $("link").textContent = before; }, 1500);
  });
  addEventListener("hashchange", () => { if (fromAddress()) update(false); });

  const given = fromAddress();
  if (!given) $("results").value = Object.values(data.examples)[0].text;
  box.hidden = false;
  update(given);
})();
