"""What the page on sensitivity says: its summary, the numbers of its text, and what a sweep keeps of it."""

from __future__ import annotations

import pandas as pd

from ltrlib.claims.rules import judge
from ltrlib.claims.verdict import Verdict
from ltrlib.papers.tax2015.b6 import NOTHING
from ltrlib.papers.tax2015.counted import counts
from ltrlib.papers.tax2015.sensitivity.front import front_findings, fronts, points_without
from ltrlib.papers.tax2015.sensitivity.tables import short_name, spread_findings
from ltrlib.papers.tax2015.sensitivity.without_metric import front_changes, table4_cells
from ltrlib.published.tables import load_paper
from ltrlib.sweeps.reported import record_metric

__all__ = ["fronts_without_dataset", "fronts_without_metric", "numbers", "report", "summary"]


def fronts_without_metric() -> pd.DataFrame:
    """Who is on the front without each metric: one row per metric left out, methods in rising order of IWN.

    Examples
    --------
    >>> bool(fronts_without_metric().loc["MAP", "FSMRank"])
    False
    """
    table = front_changes().T
    return table[sorted(table.columns, key=lambda method: (counts()[str(method), "all"].iwn, method))]


def fronts_without_dataset() -> pd.DataFrame:
    """Who is on the front without each data set, with short names.

    Examples
    --------
    >>> bool(fronts_without_dataset().loc["L4 MQ2007", "LRUF"])
    False
    """
    return fronts().rename(index=short_name)


def numbers() -> dict[str, str]:
    """Numbers of the page's text, by the name under which the page shows them.

    Examples
    --------
    >>> numbers()["table4-exact"]
    '60'
    """
    cells = table4_cells(load_paper("tax2015"))
    exact = sum(judge(cell, own=True).verdict is Verdict.EXACT for cell in cells)
    changed = front_changes()
    same = [str(name) for name in changed.columns if (changed[name] == changed[NOTHING]).all() and name != NOTHING]
    return {
        **spread_findings(),
        **front_findings(),
        "table4-exact": str(exact),
        "table4-numbers": str(len(cells)),
        "metrics-without-effect": str(len(same)),
        "steady-metrics": ", ".join(str(method) for method in changed.index[changed.all(axis=1)]),
    }


def summary() -> list[str]:
    """What the page found, in three sentences.

    Examples
    --------
    >>> summary()[0][:41]
    'Table 4 follows to the last digit: 60 of '
    """
    told = numbers()
    return [
        f"Table 4 follows to the last digit: {told['table4-exact']} of {told['table4-numbers']} numbers. Of the "
        f"numbers behind Figure 6, {told['figure6-exact']} of {told['figure6-points']} follow; the other is a slip.",
        "The preprint says that the IWN of LRUF and LARF varies little, the journal that their NWN does. Over the "
        f"cases of Figure 6 the journal is right: others have at least {told['all-nwn-apart']} times their variance.",
        f"The front moves more than the paper's six methods show. When one of {told['sets']} data sets is left out, "
        f"{told['ever']} methods are on it at least once; only {' and '.join(told['steady'].split(', '))} always are.",
    ]


def report(method: str, left_out: str) -> None:
    """Keep for a sweep how large the front is without a data set, and where a method stands then.

    Parameters
    ----------
    method
        A method of Table B.6.
    left_out
        A data set, or ``nothing``.

    Examples
    --------
    >>> report("LARF", "AOL")
    """
    points = points_without(left_out)
    record_metric("tax2015.front-size", int(points["on_front"].sum()))
    here = points[points["method"] == method]
    for column in ("iwn", "nwn", "on_front"):
        record_metric(f"tax2015.{column}-of-the-method", float(here[column].iloc[0]))
