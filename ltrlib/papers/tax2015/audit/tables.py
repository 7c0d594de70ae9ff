"""Table B.6 audited: which whole numbers of wins and comparisons can stand behind its printed quotients."""

from __future__ import annotations

from functools import cache

import pandas as pd

from ltrlib.papers.tax2015.b6 import METRICS, row_splits
from ltrlib.papers.tax2015.sources import letor_datasets, only_official
from ltrlib.published.tables import load_paper

__all__ = [
    "CONFIRMED",
    "CORRECTED",
    "INCONSISTENT",
    "UNDECIDED",
    "cell_verdicts",
    "solutions_by_row",
]

CONFIRMED = "confirmed"
CORRECTED = "corrected by arithmetic"
INCONSISTENT = "inconsistent"
UNDECIDED = "undecided"


@cache
def solutions_by_row() -> pd.DataFrame:
    """Count the solutions of each row of Table B.6, as read and after the corrections.

    Returns
    -------
    DataFrame
        method, as_read, corrected (numbers of solutions), and the one solution of the corrected row as text, if it
        is the only one.
    """
    paper = load_paper("tax2015")
    rows = []
    for method in paper["b6"].rows:
        read = row_splits(paper["b6"], method)
        corrected = row_splits(paper.corrected("b6"), method)
        only = corrected[0] if len(corrected) == 1 else {}
        text = ", ".join(f"{metric} {wins}/{possible}" for metric, (wins, possible) in only.items())
        rows.append({"method": method, "as_read": len(read), "corrected": len(corrected), "solution": text})
    return pd.DataFrame(rows)


@cache
def cell_verdicts() -> pd.DataFrame:
    """Give every filled number of Table B.6 a verdict.

    A quotient, WN and IWN are confirmed when exactly one set of whole numbers stands behind the whole row, and
    undecided when several do. A cell is corrected by arithmetic when no whole numbers fit the row as read and exactly
    one set fits after the correction. A number of data sets takes no part in that arithmetic and stays undecided,
    unless it exceeds what the row's sources have: then it, and the IWN that contains it, are inconsistent.

    Returns
    -------
    DataFrame
        method, column, read, verdict, proof.

    Examples
    --------
    >>> table = cell_verdicts().set_index(["method", "column"])
    >>> table.loc[("FocusedSVM", "ndcg3_nwn"), "verdict"]
    'corrected by arithmetic'
    >>> table.loc[("AdaRank-MAP", "ndcg10_ds"), "verdict"]
    'inconsistent'
    """
    paper = load_paper("tax2015")
    printed, corrections = paper["b6"], paper["b6_corrections"]
    reasons = {place: corrections.text(place, "reason") for place in corrections.rows}
    by_row = solutions_by_row()
    numbers = dict(zip(by_row["method"], by_row["corrected"].tolist(), strict=True))
    only = dict(zip(by_row["method"], by_row["solution"], strict=True))
    rows = []
    for method in printed.rows:
        number = numbers[method]
        too_many = _more_sets_than_sources(method)
        for column in printed.header.columns:
            read = printed.text(method, column)
            if column in ("method", "note") or not read:
                continue
            place = f"{method} / {column}"
            if place in reasons:
                verdict, proof = CORRECTED, reasons[place]
            elif column in too_many or (too_many and column == "iwn"):
                verdict, proof = INCONSISTENT, too_many.get(column) or next(iter(too_many.values()))
            elif column.endswith("_ds"):
                verdict, proof = UNDECIDED, "the printed totals do not depend on it"
            elif number == 1:
                verdict, proof = CONFIRMED, f"only {only[method]} prints so"
            else:
                verdict, proof = UNDECIDED, f"{number} sets of whole numbers print so"
            rows.append({"method": method, "column": column, "read": read, "verdict": verdict, "proof": proof})
    return pd.DataFrame(rows)


def _more_sets_than_sources(method: str) -> dict[str, str]:
    """Columns in which a method has more data sets than the LETOR collections that are its only sources."""
    paper = load_paper("tax2015")
    if not only_official(paper, method):
        return {}
    most = letor_datasets(paper, method)
    found = {}
    for metric, key in METRICS.items():
        text = paper.corrected("b6").text(method, f"{key}_ds")
        if text and int(text) > most:
            found[f"{key}_ds"] = f"its sources have {most} data sets, but {text} are counted at {metric}"
    return found
