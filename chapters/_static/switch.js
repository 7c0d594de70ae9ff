// Shows one version of a part of the page at a time, chosen by the reader. Without this script all of them stand there.
// The choice stands in the address (#switch-tool_xgboost), so that it can be sent as a link, and the page keeps its place.
(() => {
  "use strict";
  const plain = (text) => text.toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "");
  for (const box of document.querySelectorAll(".switch")) {
    const sections = [...box.querySelectorAll(":scope > section")];
    const select = document.createElement("select");
    select.id = `${box.id}-choice`;
    select.append(...sections.map((section) => new Option(section.dataset.title)));
    const label = Object.assign(document.createElement("label"), { htmlFor: select.id, textContent: box.dataset.label });
    const control = document.createElement("p");
    control.className = "switch-control";
    control.append(label, " ", select);
    box.prepend(control);
    const show = () => {
      for (const section of sections) section.hidden = section.dataset.title !== select.value;
    };
    const read = () => {
      const [name, choice] = location.hash.slice(1).split("_");
      if (name !== box.id) return;
      const option = [...select.options].find((one) => plain(one.value) === choice);
      if (option) { select.value = option.value; box.scrollIntoView({ block: "start" }); }
      show();
    };
    select.addEventListener("change", () => {
      const before = control.getBoundingClientRect().top;
      show();
      history.replaceState(null, "", `#${box.id}_${plain(select.value)}`);
      scrollBy(0, control.getBoundingClientRect().top - before);
    });
    addEventListener("hashchange", read);
    show();
    read();
  }
})();
