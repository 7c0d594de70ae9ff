// Shows one version of a part of the page at a time, chosen by the reader. Without this script all of them stand there.
(() => {
  "use strict";
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
    select.addEventListener("change", show);
    show();
  }
})();
