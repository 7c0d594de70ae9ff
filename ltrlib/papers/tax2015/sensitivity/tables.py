"""One data set left out: how far the methods of Figure 6 move, as the page shows it."""

from __future__ import annotations

import pandas as pd

from ltrlib.claims.rules import judge
from ltrlib.claims.verdict import Verdict
from ltrlib.comparison.bagplot import IN_BAG, OUTLIER
from ltrlib.papers.tax2015.counted import counts
from ltrlib.papers.tax2015.sensitivity.without_dataset import (
    CASES,
    FIGURE6,
    as_drawn,
    exact_bagplot,
    figure6_cells,
    moves,
    spread,
)
from ltrlib.published.tables import load_paper

__all__ = ["figure6_slips", "moves_table", "short_name", "spread_findings", "spread_table"]


def short_name(dataset: str) -> str:
    """Abbreviate a data set's name for a figure.

    Examples
    --------
    >>> short_name("LETOR 3.0 TD2003")
    'L3 TD2003'
    """
    return dataset.replace("LETOR ", "L").replace(".0", "").replace("MSLR-WEB", "WEB")


def figure6_slips() -> pd.DataFrame:
    """List the numbers behind Figure 6 that do not follow from the results, with the reason where it is known.

    Examples
    --------
    >>> figure6_slips()[["place", "author's"]].to_numpy().tolist()
    [['LRUF without MSLR-WEB10K, NWN', '0.9736148']]
    """
    paper = load_paper("tax2015")
    reasons = paper["figure6_corrections"]
    rows = []
    for one in (judge(cell, own=True) for cell in figure6_cells(paper)):
        if one.verdict is not Verdict.EXACT:
            method, _, rest = one.name.partition(" without ")
            left_out, _, column = rest.rpartition(", ")
            place = f"{method} / {left_out} / {column.lower()}"
            why = reasons.text(place, "reason") if place in reasons.rows else "not known"
            rows.append((one.name, one.published, one.ours, why))
    return pd.DataFrame(rows, columns=["place", "author's", "ours", "why"])


def moves_table(method: str, *, cases: str = "evaluated") -> pd.DataFrame:
    """List a method's points without each of its data sets, and where they lie in the bagplot."""
    found = moves(method)
    types = exact_bagplot(method, cases=cases).types[: len(found)]
    words = ["in the bag" if kind <= IN_BAG else "outlier" if kind == OUTLIER else "in the loop" for kind in types]
    return pd.DataFrame(
        {
            "left out": found["dataset"],
            "WN": found["wn"].astype(str),
            "IWN": found["iwn"].astype(str),
            "NWN": [f"{value:.4f}" for value in found["nwn"]],
            "place": words,
        }
    )


def spread_table() -> pd.DataFrame:
    """The numbers behind Figure 6, as text: one row per quantity, one column per method."""
    columns: dict[str, dict[str, str]] = {}
    for method in FIGURE6:
        own, every = (spread(method, cases=cases) for cases in CASES)
        drawn = as_drawn(method)["bag"]
        drawn_iwn, drawn_nwn = drawn.max(axis=0) - drawn.min(axis=0)
        columns[method] = {
            "data sets": _text(own["points"]),
            "IWN variance": _text(own["iwn_variance"]),
            "IWN variance, all 20 cases": _text(every["iwn_variance"]),
            "NWN variance × 10⁶": _text(own["nwn_variance"] * 1e6),
            "NWN variance × 10⁶, all 20 cases": _text(every["nwn_variance"] * 1e6),
            "variance ÷ mean of NWN, × 10⁶": _text(own["nwn_variance"] / own["nwn_mean"] * 1e6),
            "variance ÷ mean of NWN, × 10⁶, all 20 cases": _text(every["nwn_variance"] / every["nwn_mean"] * 1e6),
            "width of the bag in IWN": _text(own["bag_iwn"]),
            "… all 20 cases": _text(every["bag_iwn"]),
            "… all 20 cases, by aplpack": _text(float(drawn_iwn)),
            "height of the bag in NWN × 10³": _text(own["bag_nwn"] * 1e3),
            "… all 20 cases ": _text(every["bag_nwn"] * 1e3),
            "… all 20 cases, by aplpack ": _text(float(drawn_nwn) * 1e3),
        }
    return pd.DataFrame(columns).rename_axis("").reset_index()


def _text(value: float) -> str:
    return f"{value:,.0f}" if value >= 10 or value == round(value) else f"{value:.1f}"


def spread_findings() -> dict[str, str]:
    """Numbers for the chapter's prose, formatted: how far apart the variances of Figure 6 are.

    Returns
    -------
    dict
        ``<cases>-<iwn or nwn>-among``: the largest factor between two methods other than LRUF and LARF; ``-apart``: the
        smallest between those two and the others; ``-all``: the largest between any two; ``<method>-lost``: the share
        of IWN that one data set costs; ``figure6-points`` and ``figure6-exact``: numbers behind the figure.
    """
    named, found = ["LRUF", "LARF"], {}
    for cases in CASES:
        measured = pd.DataFrame({method: spread(method, cases=cases) for method in FIGURE6}).T
        for quantity in ("iwn", "nwn"):
            values = measured[f"{quantity}_variance"]
            others = values.drop(named)
            found[f"{cases}-{quantity}-among"] = f"{others.max() / others.min():.1f}"
            found[f"{cases}-{quantity}-apart"] = f"{others.min() / values[named].max():.1f}"
            found[f"{cases}-{quantity}-all"] = f"{values.max() / values.min():.1f}"
    for method in named:
        lost = 1 - moves(method)["iwn"] / counts()[method, "all"].iwn
        found[f"{method.lower()}-lost"] = f"{lost.min():.0%} to {lost.max():.0%}"
    cells = figure6_cells(load_paper("tax2015"))
    found["figure6-points"] = str(len(cells))
    found["figure6-exact"] = str(len(cells) - len(figure6_slips()))
    return found
