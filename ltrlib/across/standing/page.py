"""The page of ``ltrlib compare``: one HTML file that needs nothing else."""

from __future__ import annotations

import html
import math

import pandas as pd

from ltrlib.across.our_runs.records import METRICS
from ltrlib.across.standing.figures import interactive_figure
from ltrlib.across.standing.standing import OURS, PUBLISHED, Standing

__all__ = ["computed_against", "standing_page"]


def computed_against(standing: Standing) -> str:
    """Say exactly what the new rows were computed against.

    Examples
    --------
    >>> from ltrlib.across.standing.standing import place_among
    >>> from ltrlib.project import project_data
    >>> text = computed_against(place_among(project_data("examples", "my-method.csv")))
    >>> "never published" in text
    True
    """
    parts = []
    for kind, words in ((PUBLISHED, "published results"), (OURS, "results of our own runs")):
        some = standing.results[standing.results["kind"] == kind]
        sets = ", ".join(dict.fromkeys(some["dataset"]))
        parts.append(f"{len(some)} {words} ({some['method'].nunique()} methods on {sets})")
    return (
        f"Computed against {' and '.join(parts)}. Not against the results behind Table B.6 of Tax et al. (2015), which "
        "were never published: the rows printed there cannot be updated, and the numbers here are of the same kind but "
        "not over the same comparisons. Sets whose name begins with standin/ are generated data that only resemble the "
        "real ones."
    )


def standing_page(standing: Standing) -> str:
    """Write the page.

    Examples
    --------
    >>> from ltrlib.across.standing.standing import place_among
    >>> from ltrlib.project import project_data
    >>> page = standing_page(place_among(project_data("examples", "my-method.csv")))
    >>> page.startswith("<!doctype html>"), "MyRanker (yours)" in page
    (True, True)
    """
    plot = interactive_figure(standing).to_html(
        full_html=False, include_plotlyjs=True, div_id="figure5", config={"responsive": True, "displaylogo": False}
    )
    title = "Where does my method stand?"
    return f"""<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>{title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<style>
body {{ font: 16px/1.5 system-ui, sans-serif; max-width: 62rem; margin: 1rem auto; padding: 0 1rem; }}
body {{ color: #222; background: #fff; }} figure {{ margin: 1rem 0; }}
.wide {{ overflow-x: auto; }} table {{ border-collapse: collapse; font-size: 0.9rem; }}
caption {{ text-align: left; padding-bottom: 0.4rem; }}
th, td {{ padding: 0.2rem 0.5rem; border-bottom: 1px solid #ccc; text-align: right; }}
th:first-child, td:first-child {{ text-align: left; }} tr.yours {{ font-weight: 700; background: #fff3e8; }}
</style></head><body>
<h1>{title}</h1>
<p>{html.escape(computed_against(standing))}</p>
<figure>{plot}<figcaption>NWN against IWN over {", ".join(METRICS)}: hover for a method's values and who dominates it.
</figcaption></figure>
<div class="wide">{_table(standing)}</div>
<p>NWN is the share of comparisons won (WN of IWN); "sets" is the number of data sets. A tie is a win for nobody.
Pareto rank 1: no other method has at least as high an NWN and IWN and one of them higher. Values are by each
collection's own script.</p>
</body></html>
"""


def _table(standing: Standing) -> str:
    table = standing.table()
    head = "".join(f'<th scope="col">{html.escape(column)}</th>' for column in table.columns)
    rows = []
    for cells in table.itertuples(index=False, name=None):
        yours = ' class="yours"' if cells[0] in standing.methods else ""
        rows.append(f"<tr{yours}>" + "".join(f"<td>{html.escape(_text(cell))}</td>" for cell in cells) + "</tr>")
    caption = "Rows in the form of Table B.6; yours first, then the others by NWN."
    return f"<table><caption>{caption}</caption><thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table>"


def _text(value: object) -> str:
    if value is pd.NA or (isinstance(value, float) and math.isnan(value)):
        return "–"
    return f"{value:.4f}" if isinstance(value, float) else str(value)
