// Finds papers, methods, tools, terms, claims and published numbers, offline. The index is loaded when somebody begins to type.
(() => {
  "use strict";
  const me = document.currentScript ?? document.querySelector('script[src*="search.js"]');
  const statics = me.src.replace(/search\.js.*$/, "");
  const root = statics.replace(/_static\/$/, "");
  const KINDS = ["page", "tool", "method", "term", "data", "table", "number", "claim", "section"];
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
  // Capitals, accents and underscores do not matter: "koppel" finds Köppel.
  const folded = (text) => text.normalize("NFD").replace(/[\u0300-\u036f]/g, "").toLowerCase().replaceAll("_", " ");
  // What begins a word comes before what stands inside one: "err" is not what "terrier" is about.
  const begins = (text, words) => words.every((word) => {
    for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1))
      if (at === 0 || !/[\p{L}\d]/u.test(text[at - 1])) return true;
    return false;
  });
  const within = (text, words) => words.every((word) => text.includes(word));
  const LITTLE = new Set("a an and are as by can computed defined definition do does how i in is it mean meaning means my of on or the to what where which who why with".split(" "));
  const matches = (entries, query, words) => {
    const found = [];
    for (const entry of entries) {
      const title = folded(entry[1]);
      const more = folded(entry[2]);
      const all = `${title} ${more}`;
      if (!within(all, words)) continue;
      const bare = entry[0] === "number" ? title.replace(/\(\d+\)$/, "") : title.replace(/: (which ndcg is it|where does it stand)\?$/, "");
      // What a term is short for begins its definition.
      const near = bare === query || (entry[0] === "term" && more.startsWith(query)) ? 0 : title.startsWith(query) ? 1 : begins(title, words) ? 2 : begins(all, words) ? 3 : within(title, words) ? 4 : 5;
      found.push([near * 10 + KINDS.indexOf(entry[0]) + (entry[3].includes("/api/") ? API : 0), title.length - (entry[3].includes("#") ? 0.5 : 0), entry]);
    }
    return found.sort((a, b) => a[0] - b[0] || a[1] - b[1]).map(([, , entry]) => entry);
  };
  const find = (entries, text) => {
    const query = folded(text).replace(/[?!,;:"“”]+/g, " ").trim();
    const words = query.split(/\s+/).filter(Boolean);
    if (!words.length) return [];
    const found = matches(entries, query, words);
    if (found.length) return found;
    // A question: its small words are left out, then all but the one that fewest entries have.
    const content = words.filter((word) => !LITTLE.has(word));
    if (content.length === 0) return [];
    const asked = matches(entries, content.join(" "), content);
    if (asked.length) return asked;
    const each = content.map((word) => matches(entries, word, [word])).filter((some) => some.length);
    return each.sort((a, b) => a.length - b.length)[0] ?? [];
  };
  const show = (list, entries, text) => {
    const found = find(entries, text);
    list.replaceChildren(...found.slice(0, 12).map(([kind, title, more, address]) => {
      const link = Object.assign(document.createElement("a"), { href: root + address });
      const small = Object.assign(document.createElement("small"), { textContent: more ? `${kind} · ${more.slice(0, 130)}` : kind });
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
    let closing = false;
    const update = async () => { if (input.value.trim()) show(list, await index(), input.value); else list.replaceChildren(); };
    input.addEventListener("input", update);
    input.closest("form")?.addEventListener("submit", (event) => {
      const first = list.querySelector("a");
      if (first) { event.preventDefault(); location.href = first.href; }
    });
    input.addEventListener("keydown", (event) => {
      if (event.key === "ArrowDown" && list.querySelector("a")) { event.preventDefault(); list.querySelector("a").focus(); }
      if (event.key === "Escape" && place.matches("form")) list.replaceChildren();
    });
    // On a page the list lies over the text: it goes when the reader goes elsewhere, and comes back with the field.
    if (place.matches("form")) {
      place.addEventListener("focusout", (event) => { if (!place.contains(event.relatedTarget)) list.replaceChildren(); });
      input.addEventListener("focus", () => { if (!closing) update(); });
    }
    list.addEventListener("mousedown", (event) => event.preventDefault()); // a click keeps the field's focus
    list.addEventListener("keydown", (event) => {
      if (event.key === "Escape" && place.matches("form")) { closing = true; input.focus(); closing = false; list.replaceChildren(); return; }
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
