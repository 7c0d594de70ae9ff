// What every page needs from a script: interactive figures that fit, follow the theme and obey the keyboard; copy buttons;
// folded parts that open when a link leads into them or when the page is printed.
(() => {
  "use strict";
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];
  const make = (tag, properties = {}, ...children) => {
    const made = Object.assign(document.createElement(tag), properties);
    made.append(...children);
    return made;
  };

  // What a reader has chosen stands in the address, so that a link shows the same; a choice of the page's own is left out.
  const chosen = (name) => new URLSearchParams(location.search).get(name);
  const note = (name, value) => {
    const address = new URL(location.href);
    if (value === null) address.searchParams.delete(name);
    else address.searchParams.set(name, value);
    try { history.replaceState(history.state, "", address); } catch { /* a page from a file may have no history */ }
  };
  window.bookAddress = { chosen, note };

  // --- copy buttons ---
  document.addEventListener("click", async (event) => {
    const button = event.target.closest?.("button.copy");
    if (!button) return;
    const text = button.dataset.copy ?? new URL(button.dataset.link, location.href).href;
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      const field = make("textarea", { value: text });
      document.body.append(field);
      field.select();
      document.execCommand("copy");
      field.remove();
    }
    const before = button.textContent;
    button.textContent = "copied";
    setTimeout(() => { button.textContent = before; }, 1500);
  });

  // --- links into folded parts open them ---
  const openTarget = () => {
    let target = null;
    try { target = location.hash.length > 1 && document.getElementById(decodeURIComponent(location.hash.slice(1))); } catch { return; }
    if (!target) return;
    if (target.matches("details")) target.open = true;
    for (let box = target.closest("details"); box; box = box.parentElement?.closest("details")) box.open = true;
    target.scrollIntoView({ block: "start" });
  };
  addEventListener("hashchange", openTarget);
  addEventListener("beforeprint", () => all("details:not([open])").forEach((box) => { box.open = true; box.dataset.printed = ""; }));
  addEventListener("afterprint", () => all("details[data-printed]").forEach((box) => { box.open = false; delete box.dataset.printed; }));

  // --- boxes that scroll sideways show it, and the keyboard reaches them ---
  const scrolling = () => all(".pst-scrollable-table-container, .paper-table, .rescored, figure.book-figure");
  const fade = (box) => box.classList.toggle("overflows", box.scrollLeft + box.clientWidth < box.scrollWidth - 1);
  const markOverflow = () => scrolling().forEach((box) => {
    fade(box);
    if (box.scrollWidth > box.clientWidth + 1 || box.scrollHeight > box.clientHeight + 1) box.tabIndex = 0;
  });
  scrolling().forEach((box) => box.addEventListener("scroll", () => fade(box), { passive: true }));

  // --- tables of words: on a phone each row stands by itself, and its cells need the heads of their columns ---
  all("table.prose:not(.against, .found)").forEach((table) => {
    const heads = all("thead th", table).map((head) => head.textContent.trim());
    all("tbody tr", table).forEach((row) => [...row.cells].forEach((cell, at) => { cell.dataset.label = heads[at] ?? ""; }));
  });

  // --- interactive figures ---
  const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const theme = (plot) => {
    const [ink, grid, ground] = [colour("--grey-1"), colour("--grey-9"), colour("--pst-color-background")];
    const change = { "font.color": ink, "hoverlabel.bgcolor": ground, "hoverlabel.font.color": ink, "legend.font.color": ink, "title.font.color": ink };
    for (const key of Object.keys(plot.layout ?? {})) {
      if (!/^[xy]axis\d*$/.test(key)) continue;
      Object.assign(change, { [`${key}.gridcolor`]: grid, [`${key}.zerolinecolor`]: grid, [`${key}.linecolor`]: grid, [`${key}.color`]: ink });
    }
    (plot.layout.annotations ?? []).forEach((one, i) => { change[`annotations[${i}].font.color`] = ink; });
    window.Plotly.relayout(plot, change);
  };
  // Menus and sliders are drawn by plotly, out of reach of the keyboard: real controls take their place.
  const controls = (plot) => {
    const row = make("div", { className: "plot-controls" });
    const groups = [
      ...(plot.layout.updatemenus ?? []).map((menu, i) => ["updatemenus", i, menu, menu.buttons ?? []]),
      ...(plot.layout.sliders ?? []).map((slider, i) => ["sliders", i, slider, slider.steps ?? []]),
    ];
    const figure = plot.id.replace(/^plot-/, "");
    for (const [n, [kind, i, group, choices]] of groups.entries()) {
      if (!choices.length) continue;
      const select = make("select", {}, ...choices.map((one, at) => new Option(one.label, at)));
      const first = group.active ?? 0;
      const name = n ? `${figure}-${n + 1}` : figure;
      const show = () => {
        const { method, args } = choices[select.selectedIndex];
        window.Plotly[method](plot, ...structuredClone(args)).then(() => theme(plot));
      };
      select.selectedIndex = first;
      select.addEventListener("change", () => {
        note(name, select.selectedIndex === first ? null : choices[select.selectedIndex].label);
        show();
      });
      const asked = choices.findIndex((one) => one.label === chosen(name));
      if (asked >= 0 && asked !== first) {
        select.selectedIndex = asked;
        show();
      }
      row.append(make("label", {}, `${(group.currentvalue?.prefix ?? "Show").replace(/[:= ]+$/, "")} `, select));
      window.Plotly.relayout(plot, { [`${kind}[${i}].visible`]: false });
    }
    if (row.childElementCount) plot.closest(".plot").before(row);
  };
  const keyboard = (plot) => {
    const box = plot.closest(".plot");
    const points = () => (plot._fullData ?? []).flatMap((trace, c) =>
      trace.visible === true && trace.hoverinfo !== "skip" && trace.type === "scatter" && trace.x
        ? [...trace.x].map((_, p) => ({ curveNumber: c, pointNumber: p })) : []);
    let at = -1;
    box.tabIndex = 0;
    box.addEventListener("keydown", (event) => {
      const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
      const every = points();
      if (!step || !every.length) return;
      event.preventDefault();
      at = (at + step + every.length) % every.length;
      window.Plotly.Fx.hover(plot, [every[at]]);
    });
    box.addEventListener("blur", () => window.Plotly.Fx.unhover(plot));
  };
  const plots = () => all(".plotly-graph-div").filter((plot) => plot.layout);
  const setUpPlots = () => {
    if (!window.Plotly) return;
    for (const plot of plots()) {
      controls(plot);
      keyboard(plot);
      theme(plot);
      new ResizeObserver(() => window.Plotly.Plots.resize(plot)).observe(plot.closest(".plot"));
    }
  };
  new MutationObserver(() => plots().forEach(theme)).observe(document.documentElement, { attributeFilter: ["data-theme"] });

  // Pages of single tools and methods are not in the side bar; the page that lists them is.
  const list = { tools: "04-tools.html", methods: "05-methods.html" }[location.pathname.split("/").at(-2)];
  if (list) document.querySelector(`.bd-sidebar-primary a[href$="${list}"]`)?.parentElement.classList.add("current", "active");

  // The theme's toggles in the side bar have no name.
  all(".bd-sidebar-primary details > summary").forEach((toggle) => {
    const page = toggle.closest("li")?.querySelector(":scope > a")?.textContent.trim();
    toggle.setAttribute("aria-label", page ? `Pages below ${page}` : "Pages below");
  });

  addEventListener("load", () => {
    setUpPlots();
    markOverflow();
    openTarget();
    dispatchEvent(new Event("resize"));
  });
  addEventListener("resize", markOverflow);
})();
