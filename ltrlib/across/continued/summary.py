"""The sentences with which the page on the continued table opens."""

from __future__ import annotations

from collections.abc import Mapping

from ltrlib.across.standing.standing import Standing

__all__ = ["summary"]


def summary(standing: Standing, numbers: Mapping[str, str]) -> list[str]:
    """Answer the page's question, with computed numbers.

    Parameters
    ----------
    standing
        The example, placed in Table B.6.
    numbers
        As :func:`ltrlib.across.continued.tables.numbers_of_joining` returns them.
    """
    new = numbers["new-methods-on-front"]
    after = "no method that came after the table is" if new == "0" else f"{new} later methods are"
    return [
        "`ltrlib compare RESULTS.csv` places your method in Table B.6 exactly, among its "
        f"{len(standing.before.results):,} results. For the example: {_short(standing)}.",
        f"Of {numbers['later']} later results from {numbers['publications']} publications, {numbers['joined-later']} "
        "can join that table. Of the pairs of NDCG@10 that two publications report on one data set, "
        f"{numbers['comparable']} can be compared.",
        f"Continued to today, {numbers['leaves']} leave the Pareto front and {numbers['joins']} joins it; "
        f"{after} on it.",
    ]


def _short(standing: Standing) -> str:
    row = standing.table().iloc[0]
    where = "on the front" if row["Pareto rank"] == 1 else "not on the front"
    return (
        f"{row['WN']} of {row['IWN']} comparisons won (NWN {row['NWN']:.4f}), place {row['place']} of "
        f"{len(standing.after.rows())}, {where}"
    )
