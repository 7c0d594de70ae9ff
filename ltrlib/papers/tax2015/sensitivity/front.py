"""Who stays on the Pareto front when one data set is left out, counted from the evaluation results."""

from __future__ import annotations

from functools import cache

import pandas as pd

from ltrlib.errors import UsageError
from ltrlib.papers.tax2015.b6 import NOTHING, front_of
from ltrlib.papers.tax2015.counted import counts, points_of_results
from ltrlib.papers.tax2015.matrix import results
from ltrlib.papers.tax2015.sensitivity.tables import short_name
from ltrlib.papers.tax2015.sensitivity.without_dataset import datasets
from ltrlib.published.tables import load_paper

__all__ = ["front_findings", "front_summary", "fronts", "points_without"]


@cache
def points_without(left_out: str) -> pd.DataFrame:
    """Count NWN and IWN of all methods without a data set.

    Parameters
    ----------
    left_out
        A data set, or ``nothing``.

    Returns
    -------
    pandas.DataFrame
        Columns method, iwn, nwn, on_front (usual reading); methods with nothing left are not given.

    Examples
    --------
    >>> int(points_without("LETOR 3.0 OHSUMED").set_index("method").loc["LARF", "iwn"])
    225
    """
    names = datasets()
    if left_out not in (NOTHING, *names):
        raise UsageError(f"no data set {left_out!r}", where="leave_out", cure=f"nothing, or one of {', '.join(names)}")
    found = points_of_results(results().query("dataset != @left_out"))
    front = front_of(found)
    rows = [(method, int(iwn), nwn, method in front) for method, (nwn, iwn) in found.items()]
    return pd.DataFrame(rows, columns=["method", "iwn", "nwn", "on_front"])


@cache
def fronts() -> pd.DataFrame:
    """Tell who is on the Pareto front without each data set.

    Returns
    -------
    pandas.DataFrame
        One row per data set left out, the first for ``nothing``; one column per method that is ever on the front, in
        rising order of IWN; whether it is.

    Examples
    --------
    >>> bool(fronts().loc["nothing", "AdaRank-MAP"]), bool(fronts().loc["LETOR 4.0 MQ2007", "LRUF"])
    (True, False)
    """
    members = {}
    for left_out in (NOTHING, *datasets()):
        points = points_without(left_out)
        members[left_out] = set(points.loc[points["on_front"], "method"])
    found: set[str] = set().union(*members.values())
    ever = sorted(found, key=lambda method: (counts()[method, "all"].iwn, method))
    rows = [[method in front for method in ever] for front in members.values()]
    return pd.DataFrame(rows, index=list(members), columns=ever)


def front_summary() -> pd.DataFrame:
    """Tell how stable each member of the front is, as text: with nothing left out, and over the data sets left out."""
    paper = load_paper("tax2015")
    named = {*paper.names("abstract-front"), *paper.names("section45-front")}
    table = fronts()
    left = table.drop(index=NOTHING)
    rows = []
    for method in table.columns:
        on, off = (left.index[left[method] == state] for state in (True, False))
        rare = len(on) < len(off)
        which = ", ".join(short_name(name) for name in (on if rare else off))
        rows.append(
            {
                "method": method,
                "named in the paper": "yes" if method in named else "no",
                "nothing left out": "on" if table.loc[NOTHING, method] else "off",
                "on it without": f"{len(on)} of {len(left)} sets",
                "that is": f"only without {which}" if rare else f"not without {which}" if which else "always",
            }
        )
    return pd.DataFrame(rows)


def front_findings() -> dict[str, str]:
    """Numbers for the chapter's prose, formatted: who never leaves the front, and for which data sets nothing changes.

    Examples
    --------
    >>> "ListNet" in front_findings()["steady"]
    True
    """
    table = fronts()
    same = (table.drop(index=NOTHING) == table.loc[NOTHING]).all(axis=1)
    return {
        "steady": ", ".join(table.columns[table.all()]),
        "ever": str(table.shape[1]),
        "sets": str(len(same)),
        "sets-without-effect": str(int(same.sum())),
        "sets-with-effect": ", ".join(same.index[~same]),
    }
