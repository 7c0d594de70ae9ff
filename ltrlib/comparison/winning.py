"""Winning numbers of methods over any set of results, complete or not (Qin et al. 2010; Tax et al. 2015).

On one data set and one metric a method beats every other method whose value is strictly lower. Its winning number
(WN) is how often that happens; its ideal winning number (IWN) is how often it could have happened, that is, the
number of other methods with a result on the same data set and metric; its normalised winning number (NWN) is the
quotient. Everything is summed over the data sets of a metric, and over the metrics for the row ``all``.

That is the rule ``formula``. Tax et al. print it, but their program counted by the rule ``reached``: the IWN of a data
set is the highest WN that a method reached there. The two differ where methods tie for first: nobody beats all the
others then, and whoever is among the first has done as well as anybody could. The default is the printed definition,
which does not depend on the values: a tie between two methods changes no possible win of a third.

The rules for what the definition leaves open:

- Equal values are a tie: a win for neither, but (by the formula) one possible win for each.
- A data set on which only one method has a result compares nothing: it is not counted among the data sets.
- Values are compared exactly, as they are given: whether to round is up to the author of the table.
- A method that was never compared (IWN 0) has no NWN: NaN.
"""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from typing import Any, Literal, get_args

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ltrlib.comparison.results import ALL_METRICS, CodedResults, encode_results
from ltrlib.errors import UsageError

__all__ = ["IwnRule", "leave_one_dataset_out", "winning_numbers"]

Codes = NDArray[np.int64]

IwnRule = Literal["formula", "reached"]
"""What a method could have won on a data set: against all other methods, or the most that any method won there."""


def winning_numbers(
    results: pd.DataFrame,
    *,
    iwn: IwnRule = "formula",
    declared_metrics: Collection[str] = (),
    source: str | Path | None = None,
) -> pd.DataFrame:
    """Count the wins and the possible wins of each method, per metric and over all metrics.

    Parameters
    ----------
    results
        One row per result, with the columns of `COLUMNS`.
    iwn
        The rule of IWN: ``formula``, the number of other methods; or ``reached``, the highest WN on the data set.
    declared_metrics
        Metrics outside `KNOWN_METRICS` for which higher is better.
    source
        The file that the results come from; its index then holds line numbers, which errors quote.

    Returns
    -------
    pandas.DataFrame
        Columns method, metric, wn, iwn, nwn, datasets (those on which the method was compared); for each method one row
        per metric that it has a result in, then one with metric ``all``. Methods and metrics keep the order of their
        first appearance.

    Examples
    --------
    >>> results = pd.DataFrame(
    ...     [("A", "TD2003", "MAP", 0.3), ("B", "TD2003", "MAP", 0.2), ("B", "TD2004", "MAP", 0.2)],
    ...     columns=["method", "dataset", "metric", "value"],
    ... )
    >>> print(winning_numbers(results).to_string(index=False))
    method metric  wn  iwn  nwn  datasets
         A    MAP   1    1  1.0         1
         A    all   1    1  1.0         1
         B    MAP   0    1  0.0         1
         B    all   0    1  0.0         1

    Two methods tie for first, so by the other rule nobody could have won more than once:

    >>> tied = pd.DataFrame(
    ...     [("A", "TD2003", "MAP", 0.3), ("B", "TD2003", "MAP", 0.3), ("C", "TD2003", "MAP", 0.2)],
    ...     columns=["method", "dataset", "metric", "value"],
    ... )
    >>> {rule: winning_numbers(tied, iwn=rule)["iwn"].tolist()[::2] for rule in ("formula", "reached")}
    {'formula': [2, 2, 2], 'reached': [1, 1, 1]}
    """
    coded = encode_results(results, declared_metrics=declared_metrics, source=source)
    wins, possible, compared = _wins_and_possible(coded, iwn)
    shape = (len(coded.methods), len(coded.metrics))
    cell = coded.method * shape[1] + coded.metric
    # A column for the sum behind those of the metrics; reading the table row by row then gives the promised order.
    total_wins = _with_total(_sum_by(cell, wins, shape))
    total_possible = _with_total(_sum_by(cell, possible, shape))
    pairs = _distinct((coded.method * len(coded.datasets) + coded.dataset)[compared])
    datasets_of_method = np.bincount(pairs // max(1, len(coded.datasets)), minlength=shape[0])
    datasets = np.column_stack([_sum_by(cell, compared.astype(np.int64), shape), datasets_of_method])
    method, metric = np.nonzero(_with_total(_sum_by(cell, np.ones_like(cell), shape)))
    return pd.DataFrame(
        {
            "method": coded.methods[method],
            "metric": np.append(coded.metrics, ALL_METRICS)[metric],
            **_quotients(total_wins[method, metric], total_possible[method, metric]),
            "datasets": datasets[method, metric],
        }
    )


def leave_one_dataset_out(
    results: pd.DataFrame,
    *,
    metric: str = ALL_METRICS,
    iwn: IwnRule = "formula",
    declared_metrics: Collection[str] = (),
) -> pd.DataFrame:
    """Sum over all data sets but one, for each data set.

    Leaving out a data set on which a method has no result changes nothing for that method, so such rows are not
    given: a method has as many rows as it has data sets.

    Parameters
    ----------
    results, iwn, declared_metrics
        As in `winning_numbers`.
    metric
        The metric to look at, or ``all``.

    Returns
    -------
    pandas.DataFrame
        Columns left_out, method, wn, iwn, nwn, ordered by data set and method. A method whose only data set is left
        out has WN and IWN 0.

    Examples
    --------
    >>> results = pd.DataFrame(
    ...     [("A", "d", "MAP", 0.3), ("B", "d", "MAP", 0.2), ("A", "e", "MAP", 0.3), ("B", "e", "MAP", 0.4)],
    ...     columns=["method", "dataset", "metric", "value"],
    ... )
    >>> print(leave_one_dataset_out(results).to_string(index=False))
    left_out method  wn  iwn  nwn
           d      A   0    1  0.0
           d      B   1    1  1.0
           e      A   1    1  1.0
           e      B   0    1  0.0
    """
    coded = encode_results(results, declared_metrics=declared_metrics)
    wins, possible, _ = _wins_and_possible(coded, iwn)
    kept: NDArray[np.bool_] = np.ones(coded.method.size, dtype=bool)
    if metric != ALL_METRICS:
        if metric not in coded.metrics:
            raise UsageError(f"the results hold no metric {metric!r}", cure=f"one of {', '.join(coded.metrics)}")
        kept = coded.metrics[coded.metric] == metric
    n_methods = len(coded.methods)
    key = coded.dataset[kept] * n_methods + coded.method[kept]
    pairs = _distinct(key)
    pair = np.searchsorted(pairs, key)
    dataset, method = np.divmod(pairs, max(1, n_methods))
    wins_left, possible_left = (
        _sum_by(coded.method[kept], amount[kept], (n_methods,))[method] - _sum_by(pair, amount[kept], pairs.shape)
        for amount in (wins, possible)
    )
    return pd.DataFrame(
        {
            "left_out": coded.datasets[dataset],
            "method": coded.methods[method],
            **_quotients(wins_left, possible_left),
        }
    )


def _wins_and_possible(coded: CodedResults, iwn: IwnRule) -> tuple[Codes, Codes, NDArray[np.bool_]]:
    """For each result, how many others on its data set and metric are lower, how many could be, and if there are any.

    Sorted by value, the number of strictly lower ones is the distance from the group's first row to the first row
    with an equal value; the last row of a group has the most.
    """
    if iwn not in get_args(IwnRule):
        raise UsageError(f"there is no rule {iwn!r} of IWN", cure=f"choose {' or '.join(get_args(IwnRule))}")
    group = coded.metric * len(coded.datasets) + coded.dataset
    by_value = np.argsort(coded.values)
    # A stable sort of 16-bit numbers takes linear time, and there are seldom more groups than that.
    small = np.min_scalar_type(group.max(initial=0))
    order = by_value[np.argsort(group[by_value].astype(small), kind="stable")]
    positions = np.arange(order.size)
    opens_group = np.diff(group[order], prepend=-1) != 0
    opens_value = opens_group | (np.diff(coded.values[order], prepend=np.nan) != 0)
    group_start = np.maximum.accumulate(np.where(opens_group, positions, 0))
    value_start = np.maximum.accumulate(np.where(opens_value, positions, 0))
    wins = np.empty(order.size, dtype=np.int64)
    wins[order] = value_start - group_start
    others = np.bincount(group) - 1
    if iwn == "formula":
        return wins, others[group], others[group] > 0
    best = order[np.append(opens_group[1:], True)[: order.size]]
    reached = np.zeros_like(others)
    reached[group[best]] = wins[best]
    return wins, reached[group], others[group] > 0


def _sum_by(cell: Codes, amount: Codes, shape: tuple[int, ...]) -> Codes:
    # bincount adds in double precision: exact, because a total of 2**53 wins is out of reach.
    sums = np.bincount(cell, weights=amount, minlength=int(np.prod(shape)))
    return sums.astype(np.int64).reshape(shape)


def _distinct(numbers: Codes) -> Codes:
    # numpy.unique hashes integers, which takes ten times as long as sorting them.
    ordered = np.sort(numbers)
    distinct: Codes = ordered[np.diff(ordered, prepend=-1) != 0]
    return distinct


def _with_total(table: Codes) -> Codes:
    return np.column_stack([table, table.sum(axis=1)])


def _quotients(wins: Codes, possible: Codes) -> dict[str, NDArray[Any]]:
    nwn = np.full(wins.shape, np.nan)
    np.divide(wins, possible, out=nwn, where=possible > 0)
    return {"wn": wins, "iwn": possible, "nwn": nwn}
