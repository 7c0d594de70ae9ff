"""The reconstruction of the results behind Table B.6, made from printed sums alone, graded by the results themselves.

The sums cannot tell data sets of equal standing apart, so each comparison first gives the rebuilt data sets the names
under which they agree best with the true ones (`naming`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ltrlib.comparison.reconstruct.counting import PresenceSpace, presence_space
from ltrlib.comparison.reconstruct.puzzle import PresencePuzzle
from ltrlib.papers.tax2015 import records
from ltrlib.papers.tax2015.b6 import METRICS
from ltrlib.papers.tax2015.hidden.alternatives import surplus, surplus_of_wins
from ltrlib.papers.tax2015.hidden.orders import ONE_PRESENCE, OWN_PRESENCE, order_cells
from ltrlib.papers.tax2015.hidden.presence import STATUSES, presence_shares, presences
from ltrlib.papers.tax2015.hidden.puzzle import RELEASED_ROW, recorded_puzzle
from ltrlib.papers.tax2015.matrix import results, sizes

__all__ = [
    "NAMINGS",
    "as_named",
    "assumptions",
    "certain_cells",
    "certain_orders",
    "findings",
    "naming",
    "order_grades",
    "order_summary",
    "other_explanation",
    "presence_errors",
    "presence_grades",
    "size_grades",
    "true_cells",
]

_PLACE = ["method", "metric", "dataset"]
_SEED = 1

NAMINGS = ("as recorded", "one naming for all metrics", "a naming for each metric")
"""How freely the rebuilt data sets may change their names before they are compared; each admits more than the last."""


@cache
def true_cells() -> pd.DataFrame:
    """The results that were compared with another, with wins and their share of the possible ones by the formula.

    Returns
    -------
    DataFrame
        method, metric, dataset, wins, share.

    Examples
    --------
    >>> len(results()) - len(true_cells())
    1
    """
    table = results()
    groups = table.groupby(["metric", "dataset"])["value"]
    wins, others = groups.rank(method="min").astype(int) - 1, groups.transform("size") - 1
    table = table.assign(wins=wins, share=wins / others.where(others > 0))
    return table.loc[others > 0, [*_PLACE, "wins", "share"]].reset_index(drop=True)


@cache
def naming(kind: str, metric: str | None = None) -> dict[str, str]:
    """Give each rebuilt data set the true name under which most results agree, all names different.

    Parameters
    ----------
    kind
        One of `NAMINGS`. As recorded, only data sets whose name exists nowhere else get another one.
    metric
        The metric, which decides only if each has a naming of its own.

    Examples
    --------
    >>> names = naming("one naming for all metrics")
    >>> names["MSLR-WEB30K"], names["Yahoo Set 1"], names["Yahoo Set 2"]
    ('Yahoo Set 1', 'MSLR-WEB30K', 'Yahoo Set 2')
    """
    from scipy.optimize import linear_sum_assignment

    rebuilt, truth = records.PRESENCE.read().table, true_cells()
    names = sorted(rebuilt["dataset"].unique()), sorted(truth["dataset"].unique())
    if kind == NAMINGS[2]:
        rebuilt, truth = (table[table["metric"] == metric] for table in (rebuilt, truth))
    both = rebuilt.merge(truth, on=["method", "metric"], suffixes=("", "_true"))
    agreeing = pd.crosstab(both["dataset"], both["dataset_true"]).reindex(index=names[0], columns=names[1])
    gain = agreeing.fillna(0).to_numpy(dtype=float)
    equal = np.array([[one == other for other in names[1]] for one in names[0]])
    # Equal names decide between equally good ones; as recorded they decide before all else.
    gain = gain + equal * (1e6 if kind == NAMINGS[0] else 1e-3)
    rows, columns = linear_sum_assignment(gain, maximize=True)
    return {names[0][row]: names[1][column] for row, column in zip(rows, columns, strict=True)}


def as_named(table: pd.DataFrame, kind: str = NAMINGS[2]) -> pd.DataFrame:
    """Give the data sets of a rebuilt table their true names."""
    names = {metric: naming(kind, metric if kind == NAMINGS[2] else None) for metric in METRICS}
    named = [names[metric][dataset] for metric, dataset in zip(table["metric"], table["dataset"], strict=True)]
    return table.assign(dataset=named)


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
        expected = as_named(presence_shares(), kind).merge(true_cells(), on=_PLACE)["share_x"].sum()
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
    status = as_named(presence_shares(), kind).set_index(_PLACE)["status"].to_dict()
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
        kind: np.array([place in truth for place in as_named(shares, kind)[_PLACE].itertuples(index=False, name=None)])
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


# --- orders


@cache
def order_grades(record: str = ONE_PRESENCE) -> pd.DataFrame:
    """Measure how far sampled orders are from the true ones on each data set and metric, and how far chance would be.

    The distance is the mean, over the methods with a result in both, of the difference between their shares of the
    possible wins. Orders by chance are random ones of the same methods; those by NWN put the methods of a data set in
    the order of their printed NWN in the metric.

    Returns
    -------
    DataFrame
        metric, dataset, methods; samples (mean distance of a sample), low, high (5 % and 95 % of the samples), chance,
        by_nwn, mean_of_samples (distance of the mean share over all samples); correlation (mean over samples) and
        correlation_by_nwn, NaN with fewer than three methods.
    """
    truth = true_cells().set_index(_PLACE)["share"]
    drawn = as_named(order_cells(record))
    wide = drawn.pivot(index="sample", columns=["metric", "dataset", "method"], values="share")
    rows = records.PUBLISHED_ROWS.read().table.set_index(["metric", "method"])
    nwn = rows["wn"] / rows["iwn"]
    random = np.random.default_rng(_SEED)
    found = []
    for metric in METRICS:
        for dataset in sorted(set(drawn.loc[drawn["metric"] == metric, "dataset"])):
            part = wide[metric][dataset]
            methods = list(part.columns)
            true = truth.reindex([(method, metric, dataset) for method in methods]).to_numpy()
            common = ~np.isnan(true)
            sampled, target = part.to_numpy()[:, common], true[common]
            places = random.permuted(np.tile(np.arange(len(methods)), (len(part), 1)), axis=1) / (len(methods) - 1)
            by_nwn = nwn[metric].reindex(methods).rank(method="min").to_numpy() - 1
            by_nwn = (by_nwn / (len(methods) - 1))[common]
            # A sample with a presence of its own may share no method with the truth on a small data set.
            shared = ~np.isnan(sampled).all(axis=1)
            sampled = sampled[shared]
            apart = np.nanmean(np.abs(sampled - target), axis=1)
            alike = [_correlation(one, target) for one in sampled]
            found.append(
                {
                    "metric": metric,
                    "dataset": dataset,
                    "methods": len(target),
                    "samples": apart.mean(),
                    "low": np.quantile(apart, 0.05),
                    "high": np.quantile(apart, 0.95),
                    "chance": np.abs(places[:, common] - target).mean(),
                    "by_nwn": np.abs(by_nwn - target).mean(),
                    "mean_of_samples": np.abs(np.nanmean(sampled, axis=0) - target).mean(),
                    "correlation": float(np.mean(alike)),
                    "correlation_by_nwn": _correlation(by_nwn, target),
                }
            )
    return pd.DataFrame(found)


def order_summary() -> pd.DataFrame:
    """Mean distance from the true orders per metric, each cell counting once, and how many data sets beat chance.

    Examples
    --------
    >>> table = order_summary()
    >>> bool((table["samples"] < table["chance"]).all())
    True
    """
    rows = []
    own = order_grades(OWN_PRESENCE)
    for metric, part in order_grades().groupby("metric", sort=False):
        weights = part["methods"].to_numpy()
        names = ("chance", "samples", "mean_of_samples", "by_nwn")
        distances = {name: float(np.average(part[name], weights=weights)) for name in names}
        varied = own[own["metric"] == metric]
        large = part.dropna(subset=["correlation", "correlation_by_nwn"])
        rows.append(
            {
                "metric": metric,
                "chance": distances["chance"],
                "samples": distances["samples"],
                "own presences": float(np.average(varied["samples"], weights=varied["methods"])),
                "mean of the samples": distances["mean_of_samples"],
                "by NWN": distances["by_nwn"],
                "correlation": float(np.average(large["correlation"], weights=large["methods"])),
                "correlation by NWN": float(np.average(large["correlation_by_nwn"], weights=large["methods"])),
                "nearer than chance": f"{(part['samples'] < part['chance']).sum()} of {len(part)}",
            }
        )
    return pd.DataFrame(rows)


def certain_orders() -> dict[str, int]:
    """Count the cells whose wins are the same in all samples, those of them that are right, and known orders that fail.

    Examples
    --------
    >>> sorted(certain_orders())
    ['known', 'known and false', 'never change', 'right']
    """
    cells = as_named(order_cells()).groupby(_PLACE)["wins"].agg(["min", "max"])
    fixed = cells.loc[cells["min"] == cells["max"], "min"]
    truth = true_cells().set_index(_PLACE)["wins"]
    known = records.KNOWN_ORDERS.read().table
    better, worse = (
        truth.reindex(pd.MultiIndex.from_frame(known[[side, "metric", "dataset"]])).to_numpy()
        for side in ("better", "worse")
    )
    return {
        "never change": len(fixed),
        "right": int((truth.reindex(fixed.index) == fixed).sum()),
        "known": len(known),
        "known and false": int((better <= worse).sum()),
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
    return set(table[_PLACE].itertuples(index=False, name=None))


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


def _correlation(one: NDArray[np.float64], other: NDArray[np.float64]) -> float:
    both = ~np.isnan(one)
    one, other = one[both], other[both]
    if len(one) < 3 or not one.std() or not other.std():
        return float("nan")
    return float(np.corrcoef(one, other)[0, 1])
