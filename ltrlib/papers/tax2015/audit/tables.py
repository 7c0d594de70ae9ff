"""Table B.6 audited: which whole numbers of wins and comparisons can stand behind its printed quotients."""

from __future__ import annotations

from functools import cache

import pandas as pd

from ltrlib.comparison.reconstruct.whole_numbers import Pair, integer_splits
from ltrlib.published.tables import Table, load_paper

__all__ = [
    "CONFIRMED",
    "CORRECTED",
    "INCONSISTENT",
    "METRICS",
    "UNDECIDED",
    "cell_verdicts",
    "row_solutions",
    "solutions_by_row",
]

METRICS = {"NDCG@3": "ndcg3", "NDCG@5": "ndcg5", "NDCG@10": "ndcg10", "MAP": "map"}
"""The four metrics and the columns of Table B.6."""


def row_solutions(table: Table, method: str) -> list[dict[str, Pair]]:
    """Find every split of a row's WN and IWN over the metrics that prints as the row does.

    Examples
    --------
    >>> table = load_paper("tax2015").corrected("b6")
    >>> row_solutions(table, "FenchelRank")
    [{'NDCG@3': (97, 125), 'NDCG@5': (93, 124), 'NDCG@10': (93, 122), 'MAP': (86, 134)}]
    """
    nwn = {metric: table.text(method, f"{key}_nwn") for metric, key in METRICS.items()}
    return integer_splits(
        {metric: text for metric, text in nwn.items() if text},
        wn=int(table.number(method, "wn").exact),
        iwn=int(table.number(method, "iwn").exact),
    )


@cache
def solutions_by_row() -> pd.DataFrame:
    """Count the solutions of each row of Table B.6, as read and after the corrections.

    Returns
    -------
    DataFrame
        method, as_read, corrected (numbers of solutions), and the one solution of the corrected row as text, if it
        is the only one.

    Examples
    --------
    >>> table = solutions_by_row()
    >>> len(table)
    87
    """
    paper = load_paper("tax2015")
    rows = []
    for method in paper["b6"].rows:
        read = row_solutions(paper["b6"], method)
        corrected = row_solutions(paper.corrected("b6"), method)
        only = corrected[0] if len(corrected) == 1 else {}
        text = ", ".join(f"{metric} {wins}/{possible}" for metric, (wins, possible) in only.items())
        rows.append({"method": method, "as_read": len(read), "corrected": len(corrected), "solution": text})
    return pd.DataFrame(rows)


CONFIRMED = "confirmed"
CORRECTED = "corrected by arithmetic"
INCONSISTENT = "inconsistent"
UNDECIDED = "undecided"


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
    sizes = paper["table1"].column("datasets")
    collections = {"L2": "LETOR 2.0", "L3": "LETOR 3.0", "L4": "LETOR 4.0"}
    sources = [source.strip() for source in paper["a5"].text(method, "evaluated_in").split(";")]
    if not set(sources) <= set(collections):
        return {}
    most = int(sum(sizes[collections[source]].value for source in sources))
    found = {}
    for metric, key in METRICS.items():
        text = paper.corrected("b6").text(method, f"{key}_ds")
        if text and int(text) > most:
            found[f"{key}_ds"] = f"its sources have {most} data sets, but {text} are counted at {metric}"
    return found
