"""A published table counted again, and the numbers of the page's text."""

from __future__ import annotations

import pandas as pd

from ltrlib.papers.tax2015.audit.tables import findings
from ltrlib.papers.tax2015.b6 import front_as_defined, front_of, points_of
from ltrlib.papers.tax2015.method.liu import published_wins, wins_on_td2003
from ltrlib.papers.tax2015.method.worked_example import laws, readings
from ltrlib.published.tables import load_paper

__all__ = ["letor3_wins", "numbers", "summary"]

_SHOWN = ("NDCG@1", "NDCG@3", "NDCG@10", "MAP")


def letor3_wins() -> pd.DataFrame:
    """Our count of wins on TD2003, of the published total over the seven data sets of LETOR 3.0.

    Examples
    --------
    >>> letor3_wins().set_index("method").loc["ListNet", "MAP"]
    '6 of 33'
    """
    published, counted = published_wins(), wins_on_td2003()
    rows = [
        {"method": method} | {m: f"{counted[m][method]} of {published[m][method]}" for m in _SHOWN}
        for method in published[_SHOWN[0]]
    ]
    rows.append({"method": "sum"} | {m: f"{sum(counted[m].values())} of {sum(published[m].values())}" for m in _SHOWN})
    return pd.DataFrame(rows)


def numbers(metric: str) -> dict[str, str]:
    """Numbers of the page's text, by the name under which the page shows them.

    Parameters
    ----------
    metric
        Of the made-up table.

    Examples
    --------
    >>> numbers("NDCG@10")["strict-only"], numbers("NDCG@10")["made-up-ties"]
    ('B', '1')
    """
    table = readings(metric)
    strict_only = table.loc[(table["strict rank"] == 1) & (table["usual rank"] > 1), "method"]
    law = laws().set_index("metric").loc[metric]
    return {
        "strict-only": ", ".join(strict_only) or "no method",
        "made-up-pairs": str(law["pairs"]),
        "made-up-ties": str(law["tied pairs"]),
        "made-up-wins": str(law["sum of WN"]),
        "made-up-iwn": str(law["sum of IWN"]),
    }


def summary() -> list[str]:
    """What the page found, in three sentences.

    Examples
    --------
    >>> summary()[1]
    'Possible wins (IWN) add up to an even number. In Table B.6 they are 22,865: they were counted by another rule.'
    """
    points = points_of(load_paper("tax2015"), "ndcg3")
    strict, usual = len(front_as_defined(points)), len(front_of(points))
    total = findings()["iwn-computed"]
    told = "they were counted by another rule" if int(total.replace(",", "")) % 2 else "as it should be"
    return [
        "Wins can be counted in any set of results, complete or not: a method's NWN is the share of its comparisons "
        "with other methods that it won.",
        f"Possible wins (IWN) add up to an even number. In Table B.6 they are {total}: {told}.",
        f"The definition of the Pareto front as printed lets more methods in than the usual one: {strict} instead of "
        f"{usual} at NDCG@3. The text names these {usual}.",
    ]
