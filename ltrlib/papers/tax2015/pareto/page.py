"""What the page on the fronts says and shows: its summary, the numbers of its text, the fronts by what one believes."""

from __future__ import annotations

import pandas as pd

from ltrlib.papers.tax2015.b6 import NOTHING, enumerated
from ltrlib.papers.tax2015.pareto import doubts
from ltrlib.papers.tax2015.pareto.combinations import every_combination
from ltrlib.papers.tax2015.pareto.tables import MARKS, marked_points

__all__ = [
    "NAMES",
    "belief_data",
    "doubts_shown",
    "fronts_by_belief",
    "fronts_by_study",
    "hanging_shown",
    "numbers",
    "study_data",
    "summary",
]

NAMES = {
    doubts.LARF: "LARF's paper",
    doubts.LRUF: "LRUF's paper",
    "older-kernel-pca": "RankBoost (Kernel-PCA)",
    "older-sortnet": "SortNet's MAP",
    "same-as-method": "two methods, equal MAP",
    "same-as-dataset": "equal on two data sets",
    "same-as-metric": "equal in two metrics",
    "no-source": "a value without source",
    "not-in-a5": "AdaRank-MAP's 13th set",
    "misplaced": "a MAP of FSMRank",
    "alone": "alone on its data set",
    "slip": "a slip of digits",
}
"""How the page calls each doubt."""

_LETOR = {"L2": "LETOR 2.0 baselines", "L3": "LETOR 3.0 baselines", "L4": "LETOR 4.0 baselines"}


def _called(case: str) -> str:
    """Name a case as the page does.

    Examples
    --------
    >>> _called("torkestani2012a moved"), _called("all doubts right but torkestani2012b")
    ("LARF's paper moved", "all doubts right but LRUF's paper")
    """
    for code, name in NAMES.items():
        case = case.replace(code, name)
    return _LETOR.get(case, case)


def fronts_by_belief() -> pd.DataFrame:
    """Who is on the front under each doubt that changes it, and under several at once; rows as the page calls them.

    Examples
    --------
    >>> fronts_by_belief().index[:2].tolist()
    ['nothing', "LARF's paper moved"]
    """
    return _that_change(doubts.fronts_under_doubt())


def fronts_by_study() -> pd.DataFrame:
    """Who is on the front without each publication that changes it.

    Examples
    --------
    >>> "LETOR 3.0 baselines" in fronts_by_study().index
    True
    """
    return _that_change(doubts.fronts_without_studies())


def belief_data() -> pd.DataFrame:
    """All cases of :func:`fronts_by_belief`, also those that change nothing, for the file beside the figure."""
    return doubts.fronts_under_doubt().rename(index=_called).reset_index(names="case")


def study_data() -> pd.DataFrame:
    """All publications of :func:`fronts_by_study`, also those that change nothing, for the file beside the figure."""
    return doubts.fronts_without_studies().rename(index=_called).reset_index(names="left out")


def _that_change(fronts: pd.DataFrame) -> pd.DataFrame:
    changes = (fronts != fronts.loc[NOTHING]).any(axis=1)
    kept = fronts[changes | (fronts.index == NOTHING)]
    return kept.loc[:, kept.any()].rename(index=_called)


def doubts_shown() -> pd.DataFrame:
    """The doubts with their results, evidence and effect, as the page calls them."""
    table = doubts.doubt_table()
    heads = {"what": "what may be wrong", "the front": "what it does to the front"}
    return table.assign(doubt=table["doubt"].map(_called)).rename(columns=heads)


def hanging_shown() -> pd.DataFrame:
    """What takes each member off the front, in five columns.

    Examples
    --------
    >>> hanging_shown().set_index("method").loc["LARF", "without this publication"]
    'Torkestani (2012a)'
    """
    table = doubts.hanging()
    return pd.DataFrame(
        {
            "method": table["method"],
            "if these doubts are right": table["if these doubts are right"].map(_each),
            "without this publication": table["without this study"].map(_each),
            "without these authors": table["without these authors"].map(_each),
            "single results (own, others')": table["single results of its own"] + ", " + table["of others"],
        }
    )


def _each(names: str) -> str:
    return "; ".join(_called(name) for name in names.split("; "))


def numbers() -> dict[str, str]:
    """Numbers of the page's text, by the name under which the page shows them."""
    found = doubts.findings()
    return found | {"doubts": str(len(doubts.doubt_table())), "doubts-that-count": str(len(every_combination().states))}


def summary() -> list[str]:
    """What the page found, in three sentences.

    Examples
    --------
    >>> summary()[0][:38]
    'Over all metrics 10 methods are Pareto'
    """
    marks = marked_points("all metrics").set_index("method")["mark"]
    more = marks.index[marks == MARKS[1]].tolist()
    told = numbers()
    totals = doubts.totals_if_moved()
    return [
        f"Over all metrics {int(marks.str.startswith('on the front').sum())} methods are Pareto optimal. The abstract "
        f"names {int((marks == MARKS[0]).sum())} of them, but not {enumerated(more)}.",
        f"Some results can be doubted. In all {told['combinations']} combinations of these doubts "
        f"{told['steady-doubts']} stay on the front; of {told['studies']} publications, "
        f"{told['studies-that-matter']} change it if they are left out.",
        "LARF may have been measured on LETOR 2.0. It would then have "
        f"{totals['moved'].iwn} comparisons instead of {totals['as published'].iwn} and leave the front, unless LRUF "
        "was measured there too. What is known does not decide which collection it was.",
    ]
