"""What the page on the reconstruction says and shows: its summary, the numbers of its text, its tables as text."""

from __future__ import annotations

from functools import cache

import pandas as pd

from ltrlib.papers.tax2015 import records
from ltrlib.papers.tax2015.hidden import alternatives, grading, order_grading, orders, presence, puzzle

__all__ = [
    "distances",
    "found_by_kind",
    "numbers",
    "options_shown",
    "order_grades_shown",
    "presence_grades_shown",
    "sizes_fit_shown",
    "sizes_tried_shown",
    "summary",
    "true_results",
]

_DISTANCES = {
    "random orders": "chance",
    "one sampled solution": "samples",
    "sorted by printed NWN": "by NWN",
    "mean of all samples": "mean of the samples",
}


def true_results() -> int:
    """How many results were compared with another one.

    Examples
    --------
    >>> true_results()
    1049
    """
    return int(grading.presence_grades()["true results"].iloc[0])


def found_by_kind() -> dict[str, int]:
    """Results in the right place: in a random solution, in the recorded one, and after exchanging names.

    Examples
    --------
    >>> found_by_kind()["the recorded one"]
    1011
    """
    table = grading.presence_grades()
    return {
        "a random solution": round(float(table["expected of any solution"].iloc[0])),
        "the recorded one": int(table["found"].iloc[0]),
        "with names exchanged": int(table["found"].iloc[1]),
    }


def distances() -> dict[str, float]:
    """Mean distance from the true orders, over the metrics, of each way of guessing them.

    Examples
    --------
    >>> list(distances())[0]
    'random orders'
    """
    table = order_grading.order_summary()
    return {name: float(table[column].mean()) for name, column in _DISTANCES.items()}


@cache
def numbers() -> dict[str, str]:
    """Numbers of the page's text, by the name under which the page shows them."""
    shares = presence.presence_shares()
    free = shares[shares["share"].between(0, 1, inclusive="neither")]
    comparisons, sets = alternatives.surplus(puzzle.recorded_puzzle(puzzle.RELEASED_ROW[1]))
    options, freedom = presence.open_options(), orders.freedom()
    fitting = records.SIZES_THAT_FIT.read().table
    return {f"graded-{name}": text for name, text in grading.findings().items()} | {
        "cells-all": f"{len(shares):,}",
        "cells-forced": f"{1 - len(free) / len(shares):.0%}",
        "free-methods": f"{free['method'].nunique()}",
        "sets-used": f"{shares.loc[shares['share'] > 0, 'dataset'].nunique()}",
        "surplus-comparisons": f"{comparisons}",
        "surplus-sets": f"{sets}",
        "surplus-wins": f"{alternatives.surplus_of_wins()}",
        "suspects": f"{len(alternatives.suspects())}",
        "suspects-rows": f"{len(alternatives.rows_in_doubt())}",
        "options": f"{len(options)}",
        "options-left": f"{(options['fits'] == 'yes').sum()}",
        "samples": f"{orders.order_cells()['sample'].nunique()}",
        "varied-samples": f"{orders.order_cells(orders.OWN_PRESENCE)['sample'].nunique()}",
        "never-change": f"{freedom['cells that never change'].sum()}",
        "order-cells": f"{freedom['cells'].sum():,}",
        "sizes-tried": f"{records.SIZES_TRIED.read().table['tried'].sum():,}",
        "sizes-new": f"{(~fitting['relabels']).sum()}",
    }


def summary() -> list[str]:
    """What the page found, in three sentences.

    Examples
    --------
    >>> len(summary())
    3
    """
    told = {name.removeprefix("graded-"): text for name, text in numbers().items()}
    return [
        f"From printed sums alone we worked out who was evaluated where. {told['found-recorded']} of "
        f"{told['true-results']} results are in the right place; {told['found-one-naming']} once data sets that the "
        "sums cannot tell apart exchange their names.",
        f"Who beat whom could not be worked out. A sampled order misses a method's share of wins by "
        f"{told['distance']} on average, a random order by {told['distance-chance']}; sorting by the printed NWN does "
        f"better, with {told['distance-nwn']}.",
        "And we were wrong once: we trusted the printed formula of IWN and declared a result of AdaRank-MAP an error. "
        "The result exists.",
    ]


def presence_grades_shown() -> pd.DataFrame:
    """Grades of the presence, in whole numbers."""
    return grading.presence_grades().round(0).astype({"expected of any solution": int})


def order_grades_shown() -> pd.DataFrame:
    """Grades of the orders, with three digits."""
    table = order_grading.order_summary()
    return table.round(dict.fromkeys(table.select_dtypes("float").columns, 3))


def options_shown() -> pd.DataFrame:
    """What prints as a row does, as text."""
    return presence.open_options().astype(str)


def sizes_tried_shown() -> pd.DataFrame:
    """Other sizes with the same two sums: how many were tried, and how many fit."""
    tried = records.SIZES_TRIED.read().table
    kinds = tried["relabels"].map({True: "sizes exchanged", False: "new sizes"})
    heads = {"moved": "methods moved", "relabels": "kind", "fit": "that fit"}
    return tried.assign(relabels=kinds).rename(columns=heads)


def sizes_fit_shown() -> pd.DataFrame:
    """The new sizes that fit, with the number of solutions."""
    fitting = records.SIZES_THAT_FIT.read().table
    new = fitting[~fitting["relabels"]]
    return new.assign(presences=new["presences"].map("{:,}".format))[["metric", "change", "presences"]]
