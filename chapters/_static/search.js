// Finds papers, methods, tools, terms, claims and published numbers, offline. The index is loaded when somebody begins to type.
(() => {
  "use strict";
  const me = document.currentScript ?? document.querySelector('script[src*="search.js"]');
  const statics = me.src.replace(/search\.js.*$/, "");
  const root = statics.replace(/_static\/$/, "");
  const KINDS = ["page", "tool", "method", "term", "number", "claim", "section"];
  const API = 25; // names of the library come after everything else that fits
  let loading = null;
  const index = () => (loading ??= new Promise((done, failed) => {
    if (window.bookIndex) return done(window.bookIndex);
    const script = document.createElement("script");
    script.src = `${statics}search-index.js`;
    script.onload = () => done(window.bookIndex);
    script.onerror = failed;
    document.head.append(script);
  }));
  const find = (entries, text) => {
    const query = text.trim().toLowerCase();
    const words = query.split(/\s+/).filter(Boolean);
    if (!words.length) return [];
    const found = [];
    for (const entry of entries) {
      const title = entry[1].toLowerCase();
      const all = `${title} ${entry[2].toLowerCase()}`;
      if (!words.every((word) => all.includes(word))) continue;
      const bare = entry[0] === "number" ? title.replace(/\(\d+\)$/, "") : title;
      const near = bare === query ? 0 : title.startsWith(query) ? 1 : words.every((word) => title.includes(word)) ? 2 : 3;
      found.push([near * 10 + KINDS.indexOf(entry[0]) + (entry[3].includes("/api/") ? API : 0), entry]);
    }
    found.sort((a, b) => a[0] - b[0]);
    return found.map(([, entry]) => entry);
  };
  const show = (list, entries, text) => {
    const found = find(entries, text);
    list.replaceChildren(...found.slice(0, 12).map(([kind, title, more, address]) => {
      const link = Object.assign(document.createElement("a"), { href: root + address });
      const small = Object.assign(document.createElement("small"), { textContent: more ? `${kind} · ${more.slice(0, 110)}` : kind });
      link.append(title.slice(0, 120), small);
      const item = document.createElement("li");
      item.append(link);
      return item;
    }));
    if (text.trim() && !found.length) list.append(Object.assign(document.createElement("li"), { textContent: "Nothing found." }));
    list.dataset.found = String(found.length);
  };
  const attach = (input, place) => {
    const list = Object.assign(document.createElement("ul"), { className: "found-list" });
    list.setAttribute("aria-label", "Found in the book");
    place.append(list);
    const update = async () => { if (input.value.trim()) show(list, await index(), input.value); else list.replaceChildren(); };
    input.addEventListener("input", update);
    input.closest("form")?.addEventListener("submit", (event) => {
      const first = list.querySelector("a");
      if (first) { event.preventDefault(); location.href = first.href; }
    });
    input.addEventListener("keydown", (event) => { if (event.key === "ArrowDown") list.querySelector("a")?.focus(); });
    list.addEventListener("keydown", (event) => {
      const at = [...list.querySelectorAll("a")].indexOf(document.activeElement);
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      if (step === undefined) return;
      event.preventDefault();
      (list.querySelectorAll("a")[at + step] ?? input).focus();
    });
  };
  addEventListener("DOMContentLoaded", () => {
    const own = document.getElementById("site-search");
    if (own) attach(own, own.closest("form"));
    const dialog = document.getElementById("pst-search-dialog");
    const field = dialog?.querySelector("input[type=search]");
    if (field) attach(field, dialog);
  });
})();
