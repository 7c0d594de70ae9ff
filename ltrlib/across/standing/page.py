"""The page of ``ltrlib compare``: one HTML file that needs nothing else."""

from __future__ import annotations

import html
import math

import pandas as pd

from ltrlib.across.continued.measures import METRICS
from ltrlib.across.standing.figures import interactive_figure
from ltrlib.across.standing.reading import refusal
from ltrlib.across.standing.report import counted_against, names_or_count, noise_note, verdict
from ltrlib.across.standing.standing import Elsewhere, Standing

__all__ = [
    "answer_quoted",
    "b6_table",
    "duel_table",
    "elsewhere_table",
    "newcomer_row",
    "refusal_block",
    "standing_page",
]


def answer_quoted(standing: Standing) -> str:
    """What was counted and where the first method stands, as a quotation in Markdown."""
    return f"> {counted_against(standing)} {verdict(standing, standing.methods[0])}"


def newcomer_row(standing: Standing) -> pd.DataFrame:
    """The row of Table B.6 that the first method gets."""
    return b6_table(standing.table().head(1))


def refusal_block(other: Elsewhere) -> str:
    """What a user reads who gives a number of another tool for MQ2008, as a block of Markdown."""
    return f"```text\n{refusal('mq2008', other.metric, other.value, width=96)}\n```"


def b6_table(rows: pd.DataFrame) -> pd.DataFrame:
    """Rows in the order of Table B.6's columns, as a page shows them: NWN and the number of data sets for each metric.

    Parameters
    ----------
    rows
        As :meth:`ltrlib.across.continued.joined.Joined.rows` returns them.

    Examples
    --------
    >>> from ltrlib.across.continued.joined import join_results, joined
    >>> table = b6_table(joined(join_results(kinds=["Table B.6"]), iwn="reached").rows())
    >>> table.set_index("method").loc["ListNet"].tolist()[-4:]
    ['461', '931', '0.4952', 'yes']
    """
    shown = pd.DataFrame({"place": rows["place"].astype("str"), "method": rows["method"]})
    for metric in METRICS:
        cells = zip(rows[metric], rows[f"{metric} sets"], strict=True)
        shown[f"{metric} (sets)"] = [f"{_number(nwn)} ({sets})" if sets else "–" for nwn, sets in cells]
    shown["WN"], shown["IWN"] = rows["WN"].astype("str"), rows["IWN"].astype("str")
    shown["NWN"] = [_number(value) for value in rows["NWN"]]
    shown["front"] = ["yes" if rank == 1 else "no" for rank in rows["Pareto rank"].fillna(0)]
    return shown


def duel_table(standing: Standing) -> pd.DataFrame:
    """Each result of the user: its place, whom it beats and who is ahead, for a page."""
    rows = standing.duels()
    return pd.DataFrame(
        {
            "data set": rows["dataset"],
            "metric": rows["metric"],
            "value": [f"{value:g}" for value in rows["value"]],
            "place": [f"{place} of {of}" for place, of in zip(rows["place"], rows["of"], strict=True)],
            "next ahead": [names_or_count(names[::-1], 1) for names in rows["loses to"]],
            "next behind": [names_or_count(names, 1) for names in rows["beats"]],
        }
    )


def elsewhere_table(one: Elsewhere, *, most: int | None = None) -> pd.DataFrame:
    """A result that Table B.6 cannot take, among those of the same tool, for a page; the nearest, if there are many.

    Examples
    --------
    >>> from ltrlib.across.standing.standing import place_among
    >>> from ltrlib.project import project_data
    >>> one = place_among(project_data("examples", "my-method-ranklib.csv")).elsewhere[0]
    >>> elsewhere_table(one, most=3)["place"].tolist()
    ['1', '2', '3']
    """
    rows = one.others[["method", "value", "by LETOR"]]
    mine = pd.DataFrame({"method": [one.method], "value": [one.value], "by LETOR": [math.nan]})
    rows = pd.concat([rows.iloc[: one.place - 1], mine, rows.iloc[one.place - 1 :]], ignore_index=True)
    shown = pd.DataFrame({"place": [str(place + 1) for place in rows.index], "method": rows["method"]})
    shown[f"{one.metric} by {one.tool}"] = [_number(value) for value in rows["value"]]
    if rows["by LETOR"].notna().any():
        shown["the same ranking by LETOR's tool"] = [_number(value) for value in rows["by LETOR"]]
    if most is None or len(shown) <= most:
        return shown
    start = min(max(0, one.place - 1 - most // 2), len(shown) - most)
    return shown.iloc[start : start + most].reset_index(drop=True)


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
    title = "Where does my method stand?"
    parts = []
    if standing.methods:
        plot = interactive_figure(standing.after.rows()).to_html(
            full_html=False, include_plotlyjs=True, div_id="figure5", config={"responsive": True, "displaylogo": False}
        )
        parts = [
            f"<p>{html.escape(counted_against(standing))}</p>",
            *(f"<p><strong>{html.escape(verdict(standing, method))}</strong></p>" for method in standing.methods),
            _table(duel_table(standing), "Result by result.", ()),
            f"<figure>{plot}<figcaption>NWN against IWN over {', '.join(METRICS)}: hover for a method's values and who "
            "dominates it.</figcaption></figure>",
            f"<p>{html.escape(noise_note(standing))}</p>",
            _table(b6_table(standing.table()), "Table B.6 with the new rows, yours first.", standing.methods),
            _table(_changes(standing), "Rows of others that change.", ()),
        ]
    for one in standing.elsewhere:
        words = f"{one.method}, {one.dataset}, {one.metric} {one.value} by {one.tool}: {one.why}."
        parts.append(f"<h2>Not in Table B.6</h2><p>{html.escape(words)}</p>")
        if one.others.empty:
            parts.append("<p>No result by this tool is known on this data set, so it cannot be placed.</p>")
        else:
            caption = f"Among results by the same tool ({one.part}): place {one.place} of {len(one.others) + 1}."
            parts.append(_table(elsewhere_table(one), caption, (one.method,)))
    return f"""<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>{title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<style>
body {{ font: 16px/1.5 system-ui, sans-serif; max-width: 70rem; margin: 1rem auto; padding: 0 1rem; }}
body {{ color: #222; background: #fff; }} figure {{ margin: 1rem 0; }}
.wide {{ overflow-x: auto; margin: 1rem 0; }} table {{ border-collapse: collapse; font-size: 0.9rem; }}
caption {{ text-align: left; padding-bottom: 0.4rem; font-weight: 600; }}
th, td {{ padding: 0.2rem 0.5rem; border-bottom: 1px solid #ccc; text-align: left; }}
td {{ font-variant-numeric: tabular-nums; }}
tr.yours {{ font-weight: 700; background: #fff3e8; }}
</style></head><body>
<h1>{title}</h1>
{"".join(parts)}
<p>NWN is the share of comparisons won (WN of IWN); a tie is a win for nobody. On the front (Pareto rank 1): no other
method has at least as high an NWN and IWN and one of them higher.</p>
</body></html>
"""


def _changes(standing: Standing) -> pd.DataFrame:
    rows = standing.changes().query("changed")
    shown = pd.DataFrame({"method": rows["method"]})
    for name in ("WN", "IWN", "NWN"):
        before, after = rows[f"{name} before"], rows[f"{name} after"]
        shown[name] = [f"{_text(a)} → {_text(b)}" for a, b in zip(before, after, strict=True)]
    shown["front"] = ["on" if on else "off" if off else "" for on, off in zip(rows["on"], rows["off"], strict=True)]
    return shown


def _table(table: pd.DataFrame, caption: str, yours: tuple[str, ...]) -> str:
    head = "".join(f'<th scope="col">{html.escape(column)}</th>' for column in table.columns)
    rows, own = [], frozenset(yours)
    for cells in table.itertuples(index=False, name=None):
        mark = ' class="yours"' if any(str(cell) in own for cell in cells) else ""
        rows.append(f"<tr{mark}>" + "".join(f"<td>{html.escape(_text(cell))}</td>" for cell in cells) + "</tr>")
    return (
        f'<div class="wide" tabindex="0"><table><caption>{html.escape(caption)}</caption><thead><tr>{head}</tr></thead>'
        f"<tbody>{''.join(rows)}</tbody></table></div>"
    )


def _number(value: object) -> str:
    return f"{value:.4f}" if isinstance(value, float) and not math.isnan(value) else "–"


def _text(value: object) -> str:
    return _number(value) if isinstance(value, float) else str(value)
