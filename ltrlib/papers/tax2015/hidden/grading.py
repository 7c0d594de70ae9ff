"""The reconstruction of the results behind Table B.6, made from printed sums alone, graded by the results themselves.

Who was evaluated where is graded here, who beat whom in `order_grading`; `naming` comes before both.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache

import numpy as np
import pandas as pd

from ltrlib.comparison.reconstruct.counting import PresenceSpace, presence_space
from ltrlib.comparison.reconstruct.puzzle import PresencePuzzle
from ltrlib.papers.tax2015 import records
from ltrlib.papers.tax2015.b6 import METRICS
from ltrlib.papers.tax2015.hidden.alternatives import surplus, surplus_of_wins
from ltrlib.papers.tax2015.hidden.naming import NAMINGS, PLACE, as_named, naming, true_cells
from ltrlib.papers.tax2015.hidden.order_grading import certain_orders, order_grades, order_summary
from ltrlib.papers.tax2015.hidden.presence import STATUSES, presence_shares, presences
from ltrlib.papers.tax2015.hidden.puzzle import RELEASED_ROW, recorded_puzzle
from ltrlib.papers.tax2015.matrix import sizes

__all__ = [
    "assumptions",
    "certain_cells",
    "findings",
    "order_grades",
    "other_explanation",
    "presence_errors",
    "presence_grades",
    "size_grades",
]


def presence_grades() -> pd.DataFrame:
    """Count how many results the recorded presence has in the right place, beside a presence drawn from all solutions.

    Examples
    --------
    >>> presence_grades().set_index("naming")["found"].tolist()
    [1011, 1043, 1044]
    """
    truth, rebuilt = _places(true_cells()), records.PRESENCE.read().table
    rows = []
    for kind in NAMINGS:
        placed = _places(as_named(rebuilt, kind))
        expected = as_named(presence_shares(), kind).merge(true_cells(), on=PLACE)["share_x"].sum()
        rows.append((kind, len(truth), len(truth & placed), len(truth - placed), len(placed - truth), float(expected)))
    columns = ["naming", "true results", "found", "missed", "placed wrongly", "expected of any solution"]
    return pd.DataFrame(rows, columns=columns)


def presence_errors(kind: str = NAMINGS[2]) -> pd.DataFrame:
    """List what the recorded presence has in the wrong place.

    Returns
    -------
    DataFrame
        method, metric, missed (data sets with a result that it lacks), instead (data sets that it has for them), and
        what the count over all solutions said of the missed ones.
    """
    truth, placed = _places(true_cells()), _places(as_named(records.PRESENCE.read().table, kind))
    status = as_named(presence_shares(), kind).set_index(PLACE)["status"].to_dict()
    rows = []
    for method, metric in sorted({cell[:2] for cell in truth ^ placed}):
        missed, instead = (
            sorted(cell for cell in cells if cell[:2] == (method, metric)) for cells in (truth - placed, placed - truth)
        )
        said = "; ".join(sorted({f"{status[cell]}" for cell in missed}))
        rows.append((method, metric, *("; ".join(cell[2] for cell in cells) for cells in (missed, instead)), said))
    return pd.DataFrame(rows, columns=["method", "metric", "missed", "instead", "said of the missed"])


def certain_cells() -> pd.DataFrame:
    """Count the cells that all solutions agree on, and in how many of them they are right: as recorded, and renamed.

    Examples
    --------
    >>> table = certain_cells()
    >>> bool((table["right"] <= table["called certain"]).all())
    True
    """
    shares, truth = presence_shares(), _places(true_cells())
    kinds = (NAMINGS[0], NAMINGS[2])
    true = {
        kind: np.array([place in truth for place in as_named(shares, kind)[PLACE].itertuples(index=False, name=None)])
        for kind in kinds
    }
    named = as_named(shares)
    rows = []
    for metric in METRICS:
        for status, has in ((STATUSES[0], True), (STATUSES[2], False)):
            here = ((shares["metric"] == metric) & (shares["status"] == status)).to_numpy()
            right = {kind: here & (true[kind] == has) for kind in kinds}
            wrong = named.loc[here & ~right[NAMINGS[2]], ["method", "dataset"]]
            which = "; ".join(f"{method} on {dataset}" for method, dataset in wrong.itertuples(index=False))
            rows.append((metric, status, int(here.sum()), *(int(right[kind].sum()) for kind in kinds), which or "–"))
    return pd.DataFrame(rows, columns=["metric", "result", "called certain", "right as recorded", "right", "wrong"])


def size_grades() -> pd.DataFrame:
    """Compare the sizes of the data sets that were assumed with the true ones, per metric.

    Examples
    --------
    >>> size_grades().set_index("metric").loc["NDCG@10", "wrong after naming"]
    'Yahoo Set 1: 10 assumed, 11 true'
    """
    truth = sizes()
    rows = []
    for metric in METRICS:
        assumed, counted = _assumed_sizes(recorded_puzzle(metric)), truth[metric].astype(int).to_dict()
        true = {kind: naming(kind, metric if kind == NAMINGS[2] else None) for kind in NAMINGS}
        right = [sum(counted[true[kind][dataset]] == n for dataset, n in assumed.items()) for kind in NAMINGS]
        wrong = [
            f"{name}: {number} assumed, {counted[name]} true"
            for name, number in ((true[NAMINGS[2]][dataset], n) for dataset, n in assumed.items())
            if number != counted[name]
        ]
        rows.append((metric, len(assumed), *right, "; ".join(wrong) or "–"))
    return pd.DataFrame(rows, columns=["metric", "data sets", *NAMINGS, "wrong after naming"])


def assumptions() -> pd.DataFrame:
    """Hold the truth against what the reconstruction demanded of every solution, assumption by assumption.

    Returns
    -------
    DataFrame
        metric, then for each assumption what contradicts it, and whether the counted solutions contain the truth.
    """
    rows = []
    for metric in METRICS:
        puzzle, truth = recorded_puzzle(metric), _by_method(metric)
        size = _assumed_sizes(puzzle)
        counted = pd.Series([d for datasets in truth.values() for d in datasets]).value_counts()
        sizes_off = [f"{naming(NAMINGS[2], metric)[d]}" for d, n in size.items() if counted.get(d, 0) != n]
        facts = [
            f"{method} on {naming(NAMINGS[2], metric)[dataset]}"
            for method, dataset in puzzle.facts[["method", "dataset"]].itertuples(index=False)
            if dataset not in truth[method]
        ]
        space = presences(metric)
        unlike = [", ".join(group) for group in space.methods if len({truth[method] for method in group}) > 1]
        sums = [
            method
            for method, iwn, datasets in puzzle.targets[["method", "iwn", "datasets"]].itertuples(index=False)
            if (int(counted[sorted(truth[method])].sum()) - len(truth[method]), len(truth[method])) != (iwn, datasets)
        ]
        inside = _contains(space, truth) and not sizes_off
        columns = (sizes_off, facts, unlike, sums)
        rows.append((metric, *("; ".join(column) or "–" for column in columns), "yes" if inside else "no"))
    names = ["sizes", "facts from sources and text", "same sources, same data sets", "IWN is n − 1"]
    return pd.DataFrame(rows, columns=["metric", *names, "truth among the solutions"])


@cache
def other_explanation() -> dict[str, int | bool]:
    """Count the solutions of the other explanation of the odd sum: nobody is wrong, and eleven rows are one too low.

    On the data set in question all methods that claim it have a result, and each has one comparison more than printed.

    Returns
    -------
    dict
        methods on that data set; presences; ties, the pairs of NDCG@10 that nobody wins then; true ties; and whether
        the truth is among the presences.
    """
    method, metric = RELEASED_ROW
    puzzle, rebuilt = recorded_puzzle(metric), records.PRESENCE.read().table
    size = _assumed_sizes(puzzle)
    # The data set that a row too many claims is the one with as many others as there are comparisons too many.
    (place,) = (dataset for dataset, number in size.items() if number - 1 == surplus(puzzle)[0])
    claiming = {method, *rebuilt.loc[(rebuilt["metric"] == metric) & (rebuilt["dataset"] == place), "method"]}
    targets = puzzle.targets.assign(iwn=puzzle.targets["iwn"] + puzzle.targets["method"].isin(claiming))
    larger = puzzle.sizes.assign(methods=[n + (d == place) for d, n in size.items()])
    space = presence_space(replace(puzzle, targets=targets, sizes=larger, released=frozenset()))
    truth = true_cells().query("metric == @metric")
    methods = truth.groupby("dataset")["wins"].agg(["size", "sum"])
    return {
        "methods": len(claiming),
        "presences": space.count,
        "ties": size[place] - surplus_of_wins(),
        "true ties": int((methods["size"] * (methods["size"] - 1) // 2 - methods["sum"]).sum()),
        "contains the truth": _contains(space, _by_method(metric)),
    }


def findings() -> dict[str, str]:
    """Numbers for the page's text."""
    grades, summary = presence_grades(), order_summary()
    found = dict(zip(grades["naming"], grades["found"].tolist(), strict=True))
    expected = dict(zip(grades["naming"], grades["expected of any solution"].tolist(), strict=True))
    certain, fixed, other = certain_cells(), certain_orders(), other_explanation()
    orders = order_grades()
    weights = orders["methods"].to_numpy()
    names = ("samples", "chance", "by_nwn")
    distance = {name: float(np.average(orders[name], weights=weights)) for name in names}
    unaided = orders[~orders["dataset"].isin(records.KNOWN_ORDERS.read().table["dataset"])]
    alone = {name: float(np.average(unaided[name], weights=unaided["methods"].to_numpy())) for name in names}
    inside = assumptions()
    tables = size_grades()
    return {
        "true-results": f"{len(true_cells()):,}",
        "found-recorded": f"{found[NAMINGS[0]]:,}",
        "found-one-naming": f"{found[NAMINGS[1]]:,}",
        "found-each-metric": f"{found[NAMINGS[2]]:,}",
        "expected": f"{expected[NAMINGS[1]]:,.0f}",
        "certain": f"{certain['called certain'].sum():,}",
        "certain-right": f"{certain['right'].sum():,}",
        "certain-recorded": f"{certain['right as recorded'].sum():,}",
        "certain-wrong": f"{(certain['called certain'] - certain['right']).sum()}",
        "sizes": f"{tables['data sets'].sum()}",
        "sizes-recorded": f"{tables[NAMINGS[0]].sum()}",
        "sizes-right": f"{tables[NAMINGS[2]].sum()}",
        "metrics-inside": f"{(inside['truth among the solutions'] == 'yes').sum()}",
        "distance": f"{distance['samples']:.2f}",
        "distance-chance": f"{distance['chance']:.2f}",
        "distance-nwn": f"{distance['by_nwn']:.2f}",
        "unaided": f"{alone['samples']:.2f}",
        "unaided-chance": f"{alone['chance']:.2f}",
        "unaided-nwn": f"{alone['by_nwn']:.2f}",
        "correlation-low": f"{summary['correlation'].min():.2f}",
        "correlation-high": f"{summary['correlation'].max():.2f}",
        "never-change": f"{fixed['never change']}",
        "never-change-right": f"{fixed['right']}",
        "known-orders": f"{fixed['known']}",
        "known-false": f"{fixed['known and false']}",
        "other-methods": f"{other['methods']}",
        "other-presences": f"{other['presences']:,}",
        "other-ties": f"{other['ties']}",
        "true-ties": f"{other['true ties']}",
        "other-verdict": "contain" if other["contains the truth"] else "do not contain",
    }


def _places(table: pd.DataFrame) -> set[tuple[str, str, str]]:
    return set(table[PLACE].itertuples(index=False, name=None))


def _assumed_sizes(puzzle: PresencePuzzle) -> dict[str, int]:
    return dict(zip(puzzle.sizes["dataset"].tolist(), map(int, puzzle.sizes["methods"]), strict=True))


def _by_method(metric: str) -> dict[str, frozenset[str]]:
    """The true data sets of each method in a metric, under the names of the reconstruction."""
    rebuilt = {true: name for name, true in naming(NAMINGS[2], metric).items()}
    here = true_cells().query("metric == @metric")
    return {str(method): frozenset(rebuilt[d] for d in part["dataset"]) for method, part in here.groupby("method")}


def _contains(space: PresenceSpace, truth: Mapping[str, frozenset[str]]) -> bool:
    groups: Sequence[tuple[str, ...]] = space.methods
    return all(truth[method] in some for group, some in zip(groups, space.choices, strict=True) for method in group)
