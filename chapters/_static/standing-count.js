// Read a CSV file of results and count it into Table B.6, as `ltrlib compare` does: the same checks, the same words, the
// same numbers. All results come with the page as JSON (ltrlib.across.standing.export); nothing is fetched or sent.
(() => {
  "use strict";

  class Refused extends Error {
    constructor(what, { line = null, cure = "" } = {}) {
      super(what);
      Object.assign(this, { what, line, cure });
    }
  }

  // ---- Reading: CSV as Python's strict reader takes it, so that a file means the same here and there.

  const records = (text) => {
    const found = [];
    let line = 1, at = text.charCodeAt(0) === 0xfeff ? 1 : 0;
    while (at < text.length) {
      const start = line;
      const fields = [];
      for (let ended = false; !ended; ) {
        let field = "";
        if (text[at] === '"') {
          for (at += 1; ; at += 1) {
            if (at >= text.length) throw new Refused("not CSV: unexpected end of data", { line: start, cure: "check the quotes" });
            if (text[at] === '"' && text[at + 1] !== '"') break;
            if (text[at] === '"') at += 1;
            if (text[at] === "\n") line += 1;
            field += text[at];
          }
          at += 1;
          if (at < text.length && !",\r\n".includes(text[at]))
            throw new Refused("not CSV: ',' expected after '\"'", { line: start, cure: "check the quotes" });
        } else {
          while (at < text.length && !",\r\n".includes(text[at])) field += text[at++];
        }
        fields.push(field.trim());
        if (text[at] === ",") at += 1;
        else ended = true;
      }
      found.push([line, fields]);
      if (text[at] === "\r") at += 1;
      if (text[at] === "\n") at += 1;
      line += 1;
    }
    return found.filter(([, fields]) => fields.some((field) => field !== ""));
  };

  const COLUMNS = ["method", "dataset", "metric", "value"];
  const NUMBER = /^[-+]?(\d+\.?\d*(e[-+]?\d+)?|\.\d+(e[-+]?\d+)?|inf(inity)?|nan)$/i;
  const quoted = (text) => (text.includes("'") && !text.includes('"') ? `"${text}"` : `'${text.replaceAll("'", "\\'")}'`);

  const toNumber = (text, line) => {
    if (text === "" || /^[-+]?nan$/i.test(text)) return NaN;
    if (!NUMBER.test(text)) throw new Refused(`${quoted(text)} is not a number`, { line, cure: "write numbers such as 0.42" });
    return /inf/i.test(text) ? (text.startsWith("-") ? -Infinity : Infinity) : Number(text);
  };

  const table = (text) => {
    const all = records(text);
    if (!all.length) throw new Refused("the file is empty", { cure: "give a header and one row per entry" });
    const [[headLine, header], ...rows] = all;
    const twice = [...new Set(header.filter((name, at) => header.indexOf(name) !== at))].sort();
    if (twice.length) throw new Refused(`the header names ${twice.join(", ")} twice`, { line: headLine, cure: "drop one" });
    const missing = COLUMNS.filter((name) => !header.includes(name));
    if (missing.length)
      throw new Refused(`no column ${missing.join(", ")} in the header`,
        { line: headLine, cure: `the header must name ${COLUMNS.join(", ")}, with commas between` });
    return rows.map(([line, fields]) => {
      if (fields.length !== header.length)
        throw new Refused(`${fields.length} fields instead of ${header.length}`,
          { line, cure: "put a field that holds a comma in double quotes" });
      const of = (name) => (header.includes(name) ? fields[header.indexOf(name)] : "");
      return { line, method: of("method"), dataset: of("dataset"), metric: of("metric"), tool: of("convention"),
        value: toNumber(of("value"), line) };
    });
  };

  // ---- Names.

  const short = (name) => name.toLowerCase().replace(/[^a-z0-9]/g, "");

  // How alike two words are: twice the letters in common blocks over all letters, as Python's difflib has it.
  const alike = (a, b) => {
    const matched = (alo, ahi, blo, bhi) => {
      let best = 0, besti = alo, bestj = blo;
      for (let i = alo; i < ahi; i += 1)
        for (let j = blo; j < bhi; j += 1) {
          let size = 0;
          while (i + size < ahi && j + size < bhi && a[i + size] === b[j + size]) size += 1;
          if (size > best) [best, besti, bestj] = [size, i, j];
        }
      return best && best + matched(alo, besti, blo, bestj) + matched(besti + best, ahi, bestj + best, bhi);
    };
    return a.length + b.length ? (2 * matched(0, a.length, 0, b.length)) / (a.length + b.length) : 1;
  };

  const nearest = (word, names) => names.map((name) => [alike(name, word), name]).filter(([score]) => score >= 0.6)
    .sort(([a, x], [b, y]) => b - a || (x < y ? 1 : -1))[0]?.[1];

  const datasetOf = (data, name, line) => {
    const found = Object.hasOwn(data.datasets, short(name)) ? data.datasets[short(name)] : [];
    if (found.length === 1) return found[0];
    if (found.length) throw new Refused(`there are two data sets ${quoted(name)}`, { line, cure: `write ${found.join(" or ")}` });
    const close = nearest(short(name), Object.keys(data.datasets));
    const guess = close ? `, did you mean ${data.datasets[close][0]}?` : "";
    throw new Refused(`the book has no results on a data set ${quoted(name)}${guess}`,
      { line, cure: "the data sets are listed below the field" });
  };

  const metricOf = (data, text, line) => {
    const written = data.metrics.find((metric) => metric.toLowerCase() === text.toLowerCase().replaceAll(" ", ""));
    if (!written) throw new Refused(`Table B.6 has no metric ${quoted(text)}`, { line, cure: `choose ${data.metrics.join(", ")}` });
    return written;
  };

  const measureOf = (data, metric, convention, line) => {
    if (!Object.hasOwn(data.measures, convention))
      throw new Refused(`there is no convention ${quoted(convention)}`,
        { line, cure: `choose a tool: ${Object.keys(data.tools).join(", ")}` });
    return data.measures[convention][data.metrics.indexOf(metric)];
  };

  // ---- Checks.

  // A number as Python writes a float.
  const float = (value) => {
    if (Number.isNaN(value)) return "nan";
    if (!Number.isFinite(value)) return value < 0 ? "-inf" : "inf";
    const size = Math.abs(value);
    if (size !== 0 && (size < 1e-4 || size >= 1e16)) return value.toExponential().replace(/e([-+])(\d)$/, "e$10$2");
    return Number.isInteger(value) ? `${BigInt(value)}.0` : String(value);
  };

  const described = (row) => `method ${row.method}, dataset ${row.dataset}, metric ${row.metric}, value ${float(row.value)}`;

  const refuseWhere = (rows, bad, what, cure) => {
    const found = rows.filter(bad);
    if (!found.length) return;
    const more = found.length > 1 ? `; ${found.length} rows in all` : "";
    throw new Refused(`${what} (${described(found[0])}${more})`, { line: found[0].line, cure });
  };

  const refuseRepeats = (rows) => {
    const codes = {};
    const code = (row, name) => {
      const known = (codes[name] ??= new Map());
      if (!known.has(row[name])) known.set(row[name], known.size);
      return known.get(row[name]);
    };
    const cells = rows.map((row) => ["metric", "dataset", "method"].map((name) => code(row, name)));
    const order = rows.map((_, at) => at);
    const compare = (a, b) => cells[a].map((one, at) => one - cells[b][at]).find((difference) => difference) ?? 0;
    order.sort(compare);
    const repeat = order.findIndex((at, place) => place > 0 && compare(at, order[place - 1]) === 0);
    if (repeat < 0) return;
    const [first, second] = [rows[order[repeat - 1]], rows[order[repeat]]];
    throw new Refused(`the same method, data set and metric as in line ${first.line} (${described(second)})`,
      { line: second.line, cure: "keep one row per method, data set and metric" });
  };

  const refuseOutOfReach = (data, rows) => {
    for (const row of rows) {
      const top = data.ceilings.find((one) => one.dataset === row.dataset && one.metric === row.metric);
      if (!top || top.measure !== row.measure || !(row.value > top.value + 0.00005)) continue;
      throw new Refused(
        `${float(row.value)} is out of reach: a perfect ranking of ${top.key} has ${row.metric} ${top.value.toFixed(4)} by ${top.script}`,
        { line: row.line, cure: "another tool made this number. If you have the ranking, score it again: ltrlib eval with " +
          `${row.metric.toLowerCase()}:${top.script}. If you have only the number, choose its tool below the field, or name it in a ` +
          "column convention: the number is then placed among the book's own runs under that tool" });
    }
  };

  const read = (data, text, convention) => {
    const given = table(text);
    if (given.every((row) => Number.isNaN(row.value)))
      throw new Refused("no result behind the header", { cure: "give one row per result" });
    const rows = given.map(({ line, method, dataset, metric, value, tool }) => {
      const place = datasetOf(data, dataset, line);
      const [name, ...rest] = metric.split(":");
      const suffix = rest.join(":");
      const written = metricOf(data, name, line);
      if (tool && suffix && tool !== suffix)
        throw new Refused(`the metric says ${suffix}, the column convention ${tool}`, { line, cure: "name one tool" });
      const madeBy = tool || suffix || convention || data.conventions[place];
      return { line, method: method && method + data.words.mark, dataset: place, metric: written, value, convention: madeBy,
        measure: measureOf(data, written, madeBy, line) };
    });
    refuseWhere(rows, (row) => Math.abs(row.value) === Infinity, "the value is infinite", "leave the value empty if there is no result");
    refuseWhere(rows, (row) => row.method === "", "the method is not a name", "give every result a method");
    refuseWhere(rows, (row) => row.value < 0 || row.value > 1, "the value is outside [0, 1]", "write 0.42, not 42 or 42%");
    refuseRepeats(rows);
    refuseOutOfReach(data, rows);
    return rows.filter((row) => !Number.isNaN(row.value));
  };

  // ---- Counting (Tax et al. 2015): wins, possible wins, their quotient, and the Pareto front.

  const unpacked = (data) => {
    const { value, ...coded } = data.results;
    return value.map((one, at) => ({ value: one,
      ...Object.fromEntries(Object.entries(coded).map(([name, { names, codes }]) => [name, names[codes[at]]])) }));
  };

  const grouped = (rows, key) => {
    const groups = new Map();
    for (const row of rows) groups.get(key(row))?.push(row) ?? groups.set(key(row), [row]);
    return groups;
  };

  const family = (row) => JSON.stringify([row.dataset, row.part, row.metric, row.measure]);

  // The results behind Table B.6, and those of other kinds that share a family with some of them.
  const joinable = (data, everyone, { among, without_doubts: doubts }) => {
    const kept = everyone.filter((row) => data.among[among].includes(row.kind) && data.metrics.includes(row.metric) &&
      !doubts.includes(row.doubt));
    const base = new Set(kept.filter((row) => row.kind === data.words.b6).map(family));
    return kept.filter((row) => base.has(family(row)));
  };

  const count = (data, results, rule) => {
    const methods = new Map();
    const cell = (row) => {
      if (!methods.has(row.method))
        methods.set(row.method, { method: row.method, kind: row.kind,
          per: Object.fromEntries(data.metrics.map((metric) => [metric, { wn: 0, iwn: 0, sets: 0 }])) });
      return methods.get(row.method).per[row.metric];
    };
    results.forEach(cell); // methods keep the order of their first result
    for (const group of grouped(results, (row) => JSON.stringify([row.metric, row.dataset])).values()) {
      const rising = group.map((row) => row.value).sort((a, b) => a - b);
      const below = new Map();
      rising.forEach((value, at) => { if (!below.has(value)) below.set(value, at); });
      const possible = rule === "formula" ? group.length - 1 : below.get(rising.at(-1));
      for (const row of group) {
        const sums = cell(row);
        sums.wn += below.get(row.value);
        sums.iwn += possible;
        sums.sets += group.length > 1 ? 1 : 0;
      }
    }
    const quotient = (wn, iwn) => (iwn > 0 ? wn / iwn : null);
    const rows = [...methods.values()].map(({ method, kind, per }) => {
      const wn = data.metrics.reduce((sum, metric) => sum + per[metric].wn, 0);
      const iwn = data.metrics.reduce((sum, metric) => sum + per[metric].iwn, 0);
      const made = { method, kind };
      for (const metric of data.metrics) {
        made[metric] = quotient(per[metric].wn, per[metric].iwn);
        made[`${metric} sets`] = per[metric].sets;
      }
      return Object.assign(made, { WN: wn, IWN: iwn, NWN: quotient(wn, iwn) });
    });
    const counted = rows.filter((row) => row.NWN !== null);
    const above = new Map(counted.map((row) => [row, counted.filter((other) =>
      other.IWN >= row.IWN && other.NWN >= row.NWN && (other.IWN > row.IWN || other.NWN > row.NWN))]));
    const ranks = new Map();
    const rank = (row) => {
      if (!ranks.has(row)) ranks.set(row, 1 + Math.max(0, ...above.get(row).map(rank)));
      return ranks.get(row);
    };
    for (const row of rows)
      Object.assign(row, {
        "Pareto rank": row.NWN === null ? null : rank(row),
        place: row.NWN === null ? null : 1 + counted.filter((other) => other.NWN > row.NWN).length,
        "dominated by": row.NWN === null ? "" : above.get(row).map((other) => other.method).join(", "),
      });
    rows.sort((a, b) => (b.NWN ?? -1) - (a.NWN ?? -1) || b.IWN - a.IWN);
    return { results, rows, front: rows.filter((row) => row["Pareto rank"] === 1).map((row) => row.method).sort(byCode) };
  };

  const byCode = (a, b) => (a < b ? -1 : a > b ? 1 : 0);
  const falling = (rows) => [...rows].sort((a, b) => b.value - a.value);

  const duels = (yours, others) => yours.map(({ method, dataset, metric, value }) => {
    const rivals = falling(others.filter((row) => row.dataset === dataset && row.metric === metric));
    const names = (which) => rivals.filter(which).map((row) => row.method);
    const ahead = names((row) => row.value > value);
    return { method, dataset, metric, value, place: ahead.length + 1, of: rivals.length + 1,
      beats: names((row) => row.value < value), equals: names((row) => row.value === value), "loses to": ahead };
  });

  const changes = (before, after) => {
    const now = new Map(after.rows.map((row) => [row.method, row]));
    return before.rows.map((was) => {
      const is = now.get(was.method);
      const made = { method: was.method };
      for (const [side, row] of [["before", was], ["after", is]])
        Object.assign(made, { [`WN ${side}`]: row.WN, [`IWN ${side}`]: row.IWN, [`NWN ${side}`]: row.NWN,
          [`place ${side}`]: row.place, [`front ${side}`]: row["Pareto rank"] === 1 });
      made.changed = was.WN !== is.WN || was.IWN !== is.IWN;
      made.on = made["front after"] && !made["front before"];
      made.off = made["front before"] && !made["front after"];
      return made;
    });
  };

  // ---- What Table B.6 cannot take stands among results of the same convention.

  const whyNot = (data, row, everyone) => {
    const { b6, letor, unstated } = data.words;
    if (!everyone.some((one) => one.dataset === row.dataset && one.kind === b6)) return `Table B.6 has no results on ${row.dataset}`;
    if (data.conventions[row.dataset] === unstated) return unstatedWords(row.dataset);
    return `Table B.6 has ${row.dataset} by ${data.titles[letor]}, and this is by ${data.titles[row.convention]}`;
  };

  const unstatedWords = (dataset) => `the sources of Table B.6 do not state their convention on ${dataset}`;

  const elsewhere = (data, everyone, row) => {
    const { letor, five_folds: folds, one_part: whole } = data.words;
    const same = everyone.filter((one) => one.dataset === row.dataset && one.measure === row.measure);
    const known = new Map(everyone.filter((one) => one.metric === row.metric && one.convention === letor && one.dataset === row.dataset)
      .map((one) => [one.method, one.value]));
    const usual = same.some((one) => one.part === folds) ? folds : whole;
    return [...new Set([usual, ...same.map((one) => one.part)])].map((part) => {
      const others = falling(same.filter((one) => one.part === part)).map(({ method, value, kind, source }) =>
        ({ method, value, kind, source, "by LETOR": known.get(method) ?? null }));
      const { method, dataset, metric, value, convention } = row;
      return { method, dataset, metric, value, convention, "why not in Table B.6": whyNot(data, row, everyone), part,
        place: others.length ? 1 + others.filter((one) => one.value > value).length : null, others };
    });
  };

  // ---- The whole answer, in the form of `ltrlib compare --format json`, and with all rows of the table.

  const answer = (data, text, options) => {
    const yours = read(data, text, options.convention ?? "");
    const everyone = unpacked(data);
    const base = joinable(data, everyone, options);
    const { b6, unstated, yours: kind } = data.words;
    const fits = yours.map((row) => {
      const known = data.conventions[row.dataset];
      const shared = known !== unstated
        ? base.some((one) => one.dataset === row.dataset && one.measure === row.measure)
        : options.unstated && base.some((one) => one.kind === b6 && one.dataset === row.dataset && one.metric === row.metric);
      if (row.convention === unstated && !shared)
        throw new Refused(`${unstatedWords(row.dataset)}, and this value does not state its own`,
          { line: row.line, cure: "name the tool below the field, or in a column convention, to place it among later results; or tick " +
            "“count where Table B.6 states no convention” to count it as if all tools agreed" });
      return shared;
    });
    const inside = yours.filter((_, at) => fits[at]).map((row) => ({ ...row, kind }));
    const before = count(data, base, options.iwn);
    const after = inside.length ? count(data, [...inside, ...base], options.iwn) : before;
    const methods = [...new Set(inside.map((row) => row.method))];
    const whole = { methods: before.rows.length, results: base.length };
    return {
      counted: countedAgainst(options, whole),
      options: { among: options.among, iwn: options.iwn, without_doubts: options.without_doubts, unstated: options.unstated },
      yours: after.rows.filter((row) => methods.includes(row.method)),
      front: after.front,
      results: duels(inside, base),
      changes: inside.length ? changes(before, after) : [],
      elsewhere: yours.filter((_, at) => !fits[at]).flatMap((row) => elsewhere(data, everyone, row)),
      rows: after.rows,
    };
  };

  // ---- The words of the answer.

  const RULES = { formula: "the formula", reached: "the highest WN reached, as the authors' program had it" };
  const thousands = (number) => String(number).replace(/\B(?=(\d{3})+$)/g, ",");

  const countedAgainst = (options, { methods, results }) => {
    const name = `Table B.6 of Tax et al. (2015)${options.among === "continued" ? ", continued with later results and our own runs" : ""}`;
    const without = options.without_doubts.length ? `; without the doubtful results ${options.without_doubts.join(", ")}` : "";
    return `${name}: ${methods} methods, ${thousands(results)} results, IWN by ${RULES[options.iwn]}${without}.`;
  };

  const listed = (names, most) =>
    names.length <= most ? names.join(", ") : `${names.slice(0, most).join(", ")} and ${names.length - most} more`;

  const verdict = (found, row) => {
    if (row.NWN === null) return `${row.method} was compared with nobody.`;
    const fewer = found.rows.filter((other) => other.IWN < row.IWN).length;
    const start = `${row.method} won ${row.WN} of ${row.IWN} comparisons: NWN ${row.NWN.toFixed(4)}, place ${row.place} of ${found.rows.length} by NWN. ` +
      `${fewer} of the other ${found.rows.length - 1} rows rest on fewer comparisons (IWN). `;
    const above = row["dominated by"].split(", ").filter((name) => name);
    if (!above.length) return `${start}It is on the Pareto front: nobody has both a higher NWN and a higher IWN.`;
    const front = above.filter((name) => found.front.includes(name));
    const among = front.length ? `; among them, on the front: ${listed(front, 6)}` : "";
    const are = above.length === 1 ? "1 method is" : `${above.length} methods are`;
    return `${start}It is not on the Pareto front: ${are} at least as high in NWN and IWN, and higher in one${among}.`;
  };

  const noise = (data, found) => {
    const parts = Object.entries(data.noise).flatMap(([dataset, errors]) => {
      const metric = [...data.metrics].reverse().find((name) =>
        found.results.some((row) => row.dataset === dataset && row.metric === name));
      return metric && metric in errors ? [`${errors[metric].toFixed(3)} (${dataset}, ${metric})`] : [];
    });
    return parts.length ? "Winning numbers ignore noise. Over the test queries the standard error of a mean is about " +
      `${parts.join(" and ")} in our own runs. Methods closer than that cannot be told apart by their means alone.` : "";
  };

  globalThis.ltrStanding = { Refused, answer, verdict, noise, listed };
})();
