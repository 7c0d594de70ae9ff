// Sorts and filters the table of claims. Without this script the table is complete and in the order of the book.
(() => {
  "use strict";

  const setUp = (board) => {
    const table = board.querySelector("table");
    const body = table.tBodies[0];
    const rows = [...body.rows];
    const heads = [...table.tHead.rows[0].cells];
    const state = { paper: "", verdict: "", words: "", sort: "" };

    const make = (tag, properties = {}, ...children) => {
      const made = Object.assign(document.createElement(tag), properties);
      made.append(...children);
      return made;
    };
    const labelled = (text, control) => {
      control.id = `scoreboard-${text.toLowerCase().replace(" ", "-")}`;
      return make("div", {}, make("label", { htmlFor: control.id }, text), control);
    };
    const choice = (label, options) => {
      const select = make("select", {}, ...options.map(([value, text]) => new Option(text, value)));
      return [labelled(label, select), select];
    };
    const distinct = (attribute, column) => {
      const found = new Map();
      for (const row of rows) found.set(row.dataset[attribute], row.cells[column].textContent.replace(" (better)", ""));
      return [...found];
    };

    // Controls exist only where they work.
    const verdicts = distinct("verdict", 0).sort((a, b) => severity(a[0]) - severity(b[0]));
    function severity(word) {
      return Number(rows.find((row) => row.dataset.verdict === word).cells[0].dataset.sort);
    }
    const [paperBox, paper] = choice("Paper", [["", "all papers"], ...distinct("paper", 1)]);
    const [verdictBox, verdict] = choice("Verdict", [["", "all verdicts"], ...verdicts]);
    const words = make("input", { type: "search", autocomplete: "off", spellcheck: false });
    const [sortBox, sort] = choice("Sort by", [
      ["", "order of the book"],
      ...heads.flatMap((head, i) => [
        [`${i} up`, `${head.textContent} ↑`],
        [`${i} down`, `${head.textContent} ↓`],
      ]),
    ]);
    const all = make("button", { type: "reset" }, "Show all");
    const status = make("p", { className: "scoreboard-status" });
    status.setAttribute("role", "status");
    const form = make(
      "form", { className: "scoreboard-controls" },
      paperBox, verdictBox, labelled("Words", words), sortBox, all,
    );
    form.setAttribute("aria-label", "Filter and sort the claims");
    board.before(form, status);

    // A heading is a button, so that the keyboard reaches it.
    heads.forEach((head, i) => {
      const button = make("button", { type: "button" }, ...head.childNodes);
      button.addEventListener("click", () => {
        const up = state.sort === `${i} up`;
        change({ sort: up ? `${i} down` : `${i} up` });
      });
      head.append(button);
    });

    const key = (row, column) => row.cells[column].dataset.sort ?? row.cells[column].textContent;
    const compare = (column, kind, down) => (a, b) => {
      const [x, y] = [key(a, column), key(b, column)];
      if ((x === "") !== (y === "")) return x === "" ? 1 : -1; // blanks last, whichever way
      const order = kind === "number" ? Number(x) - Number(y) : x.localeCompare(y, "en", { numeric: true });
      return down ? -order : order;
    };

    const show = () => {
      [paper.value, verdict.value, sort.value] = [state.paper, state.verdict, state.sort];
      if (document.activeElement !== words) words.value = state.words;
      const [column, way] = state.sort.split(" ");
      const ordered = state.sort ? [...rows].sort(compare(Number(column), heads[column].dataset.kind, way === "down")) : rows;
      body.append(...ordered);
      heads.forEach((head, i) => {
        const chosen = state.sort && i === Number(column);
        head.setAttribute("aria-sort", chosen ? (way === "down" ? "descending" : "ascending") : "none");
      });
      const wanted = state.words.toLowerCase().split(/\s+/).filter(Boolean);
      let shown = 0;
      for (const row of rows) {
        const text = row.textContent.toLowerCase();
        row.hidden = !(
          (!state.paper || row.dataset.paper === state.paper) &&
          (!state.verdict || row.dataset.verdict === state.verdict) &&
          wanted.every((word) => text.includes(word))
        );
        shown += !row.hidden;
      }
      status.textContent = `${shown} of ${rows.length} claims shown`;
    };

    // The choice stands in the address, so that it can be linked to and survives a reload: #paper-tax2015_verdict-exact.
    // Only letters, digits, - and _ in links: the theme takes the fragment of any link for a CSS selector.
    const read = () => {
      const given = new Map(location.hash.slice(1).split("_").map((part) => part.split(/-(.*)/s, 2)));
      const known = (select, value) => {
        const option = [...select.options].find((one) => one.value.replaceAll(" ", "-") === value);
        return option ? option.value : "";
      };
      state.paper = known(paper, given.get("paper"));
      state.verdict = known(verdict, given.get("verdict"));
      state.sort = known(sort, given.get("sort"));
      state.words = decodeURIComponent(given.get("words") ?? "");
      show();
    };
    const change = (some) => {
      Object.assign(state, some);
      const words = encodeURIComponent(state.words).replaceAll("_", "%5F");
      const kept = Object.entries({ ...state, words }).filter(([, value]) => value);
      const text = kept.map(([name, value]) => `${name}-${value.replaceAll(" ", "-")}`).join("_");
      history.replaceState(null, "", `#${text}`);
      show();
    };

    paper.addEventListener("change", () => change({ paper: paper.value }));
    verdict.addEventListener("change", () => change({ verdict: verdict.value }));
    sort.addEventListener("change", () => change({ sort: sort.value }));
    words.addEventListener("input", () => change({ words: words.value }));
    form.addEventListener("submit", (event) => event.preventDefault());
    form.addEventListener("reset", (event) => {
      event.preventDefault();
      words.value = "";
      change({ paper: "", verdict: "", words: "", sort: "" });
    });
    window.addEventListener("hashchange", read);
    read();
  };

  const board = document.getElementById("scoreboard");
  if (board) setUp(board);
})();
