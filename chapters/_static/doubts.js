// Switches for the doubts about single results: looks up who is on the front under the chosen combination.
// Every front was counted before (ltrlib/papers/tax2015/pareto/combinations.py); nothing is computed here.
(() => {
  "use strict";
  const box = document.getElementById("doubts");
  if (!box) return;
  const data = JSON.parse(document.getElementById("doubts-data").textContent);
  const selects = Object.keys(data.states).map((code) => document.getElementById(`doubt-${code}`));
  const states = Object.values(data.states);
  const frontOf = (places) => {
    const number = places.reduce((sum, place, n) => sum * states[n].length + place, 0);
    return [...data.fronts[parseInt(data.which.slice(2 * number, 2 * number + 2), 36)]].map((on) => on === "1");
  };
  const printed = frontOf(states.map(() => 0));
  const listed = (names) => (names.length > 1 ? `${names.slice(0, -1).join(", ")} and ${names.at(-1)}` : names[0]);
  const show = () => {
    const front = frontOf(selects.map((select, n) => states[n].indexOf(select.value)));
    const named = (test) => data.methods.filter((_, n) => test(front[n], printed[n]));
    const gone = named((now, before) => before && !now), come = named((now, before) => now && !before);
    const changes = [gone.length ? `${listed(gone)} left it` : "", come.length ? `${listed(come)} came` : ""].filter(Boolean);
    document.getElementById("doubts-front").textContent =
      `${front.filter(Boolean).length} methods are on the front. ` +
      (changes.length ? `Against Table B.6, ${changes.join("; ")}.` : "They are those of Table B.6.");
    document.getElementById("doubts-methods").replaceChildren(...data.methods.map((method, n) => {
      const item = document.createElement("li");
      item.className = front[n] ? (printed[n] ? "doubts-on" : "doubts-new") : "doubts-off";
      item.textContent = `${front[n] ? "■" : "□"} ${method}`;
      return item;
    }));
  };
  // Only what differs from Table B.6 as printed stands in the address.
  const changed = () => {
    selects.forEach((select, n) => window.bookAddress?.note(select.id, select.value === states[n][0] ? null : select.value));
    show();
  };
  for (const select of selects) {
    select.addEventListener("change", changed);
    const asked = window.bookAddress?.chosen(select.id);
    if ([...select.options].some((option) => option.value === asked)) select.value = asked;
  }
  for (const button of box.querySelectorAll("button")) {
    button.addEventListener("click", () => {
      // What cannot be moved is left out where a doubt is right.
      selects.forEach((select, n) => {
        select.value = states[n].includes(button.dataset.all) ? button.dataset.all : states[n].at(-1);
      });
      changed();
    });
  }
  box.hidden = false;
  show();
})();
