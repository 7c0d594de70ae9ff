// Filters for lists of claims. Without this script every claim is shown, in the order of the page.
(() => {
  "use strict";
  const make = (tag, properties = {}, ...children) => {
    const made = Object.assign(document.createElement(tag), properties);
    made.append(...children);
    return made;
  };
  const GROUPS = {
    holds: ["exact", "within noise", "same conclusion"],
    "does not hold": ["not reproduced", "inconsistent"],
    "cannot be told": ["undecided", "not comparable"],
  };
  const plain = (text) => text.replaceAll(" ", "-");

  const setUp = (list) => {
    const rows = [...list.querySelectorAll(":scope > .claim")];
    if (rows.length < 6) return;
    const FIRST = 60; // a longer list is cut, with a button that shows the rest
    let whole = false, bySelf = false;
    const rest = make("button", { type: "button", className: "claim-rest" });
    rest.addEventListener("click", () => { whole = true; show(); });
    const state = { paper: "", weight: "", verdict: "", checked: "", words: "", sort: "" };
    const distinct = (name) => [...new Set(rows.map((row) => row.dataset[name]))].filter(Boolean);
    const count = (test) => rows.filter(test).length;
    const labelled = (text, control) => {
      control.id = `${list.id}-${plain(text.toLowerCase())}`;
      return make("div", {}, make("label", { htmlFor: control.id }, text), control);
    };
    const select = (label, options) => {
      const made = make("select", {}, ...options.map(([value, text]) => new Option(text, value)));
      return [options.length > 2 ? labelled(label, made) : "", made];
    };
    const named = (name, all) => [["", all], ...distinct(name).map((value) =>
      [value, `${rows.find((row) => row.dataset[name] === value).dataset[`${name}Name`] ?? value} (${count((row) => row.dataset[name] === value)})`])];
    const verdicts = [["", "all verdicts"],
      ...Object.entries(GROUPS).map(([name, words]) => [name, `${name} (${count((row) => words.includes(row.dataset.verdict))})`]),
      ...distinct("verdict").map((value) => [value, `${value} (${count((row) => row.dataset.verdict === value)})`])];
    const [paperBox, paper] = select("Paper", named("paper", "all papers"));
    const [weightBox, weight] = select("Weight", named("weight", "all weights"));
    const [verdictBox, verdict] = select("Verdict", verdicts);
    const [checkedBox, checked] = select("Checked by", named("checked", "all ways"));
    const sorts = [["", "order of the page"], ["verdict", "verdict"], ["weight", "weight"]];
    if (rows.some((row) => row.dataset.surprise)) sorts.push(["surprise", "surprise"]);
    const [sortBox, sort] = select("Sort by", sorts);
    const words = make("input", { type: "search", autocomplete: "off", spellcheck: false });
    const all = make("button", { type: "reset" }, "Show all");
    const form = make("form", { className: "claim-filters" }, paperBox, weightBox, verdictBox, checkedBox, labelled("Words", words), sortBox, all);
    form.setAttribute("aria-label", "Filter the claims");
    const status = make("p", { className: "claim-status" });
    status.setAttribute("role", "status");
    list.prepend(form, status);

    const order = { verdict: ["inconsistent", "not reproduced", "undecided", "not comparable", "same conclusion", "within noise", "exact"], weight: ["central", "supporting", "editorial"] };
    const show = () => {
      [paper.value, weight.value, verdict.value, checked.value, sort.value] = [state.paper, state.weight, state.verdict, state.checked, state.sort];
      if (document.activeElement !== words) words.value = state.words;
      const wanted = state.words.toLowerCase().split(/\s+/).filter(Boolean);
      const group = GROUPS[state.verdict];
      let shown = 0;
      for (const row of rows) {
        const data = row.dataset;
        row.hidden = !(
          (!state.paper || data.paper === state.paper) && (!state.weight || data.weight === state.weight) &&
          (!state.checked || data.checked === state.checked) &&
          (!state.verdict || (group ? group.includes(data.verdict) : data.verdict === state.verdict)) &&
          (!wanted.length || wanted.every((word) => `${row.textContent} ${row.id}`.toLowerCase().includes(word)))
        );
        shown += !row.hidden;
      }
      const cut = !whole && shown > FIRST + 10;
      const by = order[state.sort];
      const key = (row) => (by ? by.indexOf(row.dataset[state.sort]) : -Number(row.dataset.surprise ?? 0));
      const ordered = state.sort ? [...rows].sort((a, b) => key(a) - key(b)) : rows;
      list.append(...ordered, rest);
      if (cut) ordered.filter((row) => !row.hidden).slice(FIRST).forEach((row) => { row.hidden = true; });
      rest.hidden = !cut;
      rest.textContent = `Show the other ${shown - FIRST} claims`;
      status.textContent = `${shown} of ${rows.length} claims${cut ? `, the first ${FIRST} shown` : ""}`;
    };
    // The choice stands in the address: #paper-tax2015_verdict-holds. Only letters, digits, - and _: the theme takes the
    // fragment of any link for a CSS selector.
    const read = () => {
      const given = new Map(location.hash.slice(1).split("_").map((part) => part.split(/-(.*)/s, 2)));
      const known = (control, value) => [...control.options].map((one) => one.value).find((one) => plain(one) === value) ?? "";
      const some = { paper: known(paper, given.get("paper")), weight: known(weight, given.get("weight")), verdict: known(verdict, given.get("verdict")), checked: known(checked, given.get("checked")), sort: known(sort, given.get("sort")), words: "" };
      try { some.words = decodeURIComponent(given.get("words") ?? ""); } catch { /* not ours */ }
      Object.assign(state, some);
      const chosen = Object.values(state).some(Boolean);
      // At first the claims that a paper hangs on, if it has named them.
      bySelf = !chosen && !location.hash && distinct("weight").includes("central");
      if (bySelf) state.weight = "central";
      show();
      if (chosen) list.scrollIntoView({ block: "start" });
    };
    const change = (some) => {
      // Who looks for words means all claims, not those that the page chose by itself.
      if (bySelf && some.words) state.weight = "";
      bySelf &&= !("words" in some || "weight" in some);
      Object.assign(state, some);
      const kept = Object.entries({ ...state, words: encodeURIComponent(state.words).replaceAll("_", "%5F") }).filter(([, value]) => value);
      history.replaceState(null, "", `#${kept.map(([name, value]) => `${name}-${plain(value)}`).join("_") || "all"}`);
      show();
    };
    for (const [name, control] of Object.entries({ paper, weight, verdict, checked, sort })) control.addEventListener("change", () => change({ [name]: control.value }));
    words.addEventListener("input", () => change({ words: words.value }));
    form.addEventListener("submit", (event) => event.preventDefault());
    form.addEventListener("reset", (event) => {
      event.preventDefault();
      words.value = "";
      change({ paper: "", weight: "", verdict: "", checked: "", words: "", sort: "" });
    });
    addEventListener("hashchange", () => {
      const target = document.getElementById(location.hash.slice(1));
      if (target && rows.includes(target)) { target.hidden = false; return; }
      if (!target) read();
    });
    read();
    const target = document.getElementById(location.hash.slice(1));
    if (target && rows.includes(target)) target.hidden = false;
  };
  document.querySelectorAll(".claims[data-filters]").forEach(setUp);
})();
