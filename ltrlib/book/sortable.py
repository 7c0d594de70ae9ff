"""Let readers sort a long table by clicking on its head; without JavaScript the table stays as it is."""

from __future__ import annotations

from ltrlib.book.output import _check_label

__all__ = ["make_sortable"]

# A cell is sorted by the number that it begins with, if most cells of its column begin with one; else by its text.
_SCRIPT = """<script>
(() => {
  // This output shows nothing; in dark mode its empty card would.
  document.currentScript?.closest(".output")?.style.setProperty("display", "none");
  const named = document.getElementById("NAME");
  const table = named && (named.matches("table") ? named : named.querySelector("table"));
  if (!table || !table.tHead || !table.tBodies[0]) return;
  const body = table.tBodies[0];
  // Each column is sorted by its own head: the lowest one, or one that reaches down to it.
  const heads = []; const taken = [...table.tHead.rows].map(() => []);
  [...table.tHead.rows].forEach((row, i) => [...row.cells].forEach((cell) => {
    let column = 0; while (taken[i][column]) column += 1;
    for (let r = i; r < i + cell.rowSpan; r += 1)
      for (let c = column; c < column + cell.colSpan; c += 1) { taken[r] ??= []; taken[r][c] = true; }
    if (cell.colSpan === 1 && i + cell.rowSpan >= table.tHead.rows.length) heads[column] = cell;
  }));
  // A long table scrolls in a box of its own, under a head that stays.
  if (table.parentElement.clientHeight > 700 && !table.closest(".paper-table")) {
    Object.assign(table.parentElement.style, { maxHeight: "34rem", overflow: "auto" });
    heads.forEach((head) => Object.assign(head.style, { position: "sticky", top: "0" }));
  }
  table.style.whiteSpace = "nowrap";
  if (table.caption) table.caption.style.whiteSpace = "normal";
  const number = (text) => { const found = text.match(/^[-+−]?[\\d,]*\\.?\\d+/);
    return found ? Number(found[0].replace(/,/g, "").replace("−", "-")) : NaN; };
  heads.forEach((head, column) => {
    const text = (row) => (row.cells[column].querySelector(".printed") ?? row.cells[column]).textContent.trim();
    const sort = () => {
      const rows = [...body.rows];
      const numeric = rows.filter((row) => !Number.isNaN(number(text(row)))).length * 2 > rows.length;
      // Numbers begin with the highest, words with the first of the alphabet.
      const down = head.getAttribute("aria-sort") === (numeric ? "descending" : "ascending") ? !numeric : numeric;
      const sign = down ? -1 : 1;
      rows.sort((a, b) => {
        if (!numeric) return sign * text(a).localeCompare(text(b));
        const [x, y] = [number(text(a)), number(text(b))];
        if (Number.isNaN(x) || Number.isNaN(y)) return Number.isNaN(x) - Number.isNaN(y);
        return sign * (x - y);
      });
      rows.forEach((row) => body.append(row));
      heads.forEach((one) => one.setAttribute("aria-sort", "none"));
      head.setAttribute("aria-sort", down ? "descending" : "ascending");
    };
    head.tabIndex = 0;
    head.title = "sort by this column";
    head.style.cursor = "pointer";
    head.style.textDecoration = "underline dotted";
    head.addEventListener("click", sort);
    head.addEventListener("keydown", (event) => { if (event.key === "Enter") sort(); });
  });
})();
</script>"""


def make_sortable(name: str) -> None:
    """Make the table that was shown under this label sortable, here on the same page.

    Parameters
    ----------
    name
        The label that :func:`ltrlib.book.output.show_table` was given.

    Examples
    --------
    >>> make_sortable("Table 1")
    Traceback (most recent call last):
    ...
    ltrlib.errors.UsageError: not a label of a tab: 'Table 1'
      to do: use lower case and hyphens: tab-tax2015-pareto
    """
    from IPython.display import HTML, display

    _check_label(name, "tab")
    display(HTML(_SCRIPT.replace("NAME", name)))
