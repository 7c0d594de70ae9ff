"""Official and ours side by side: every number of a fold, how many agree, and what the solver's tolerance allows."""

from __future__ import annotations

from functools import cache

import pandas as pd

from ltrlib.claims.cells import Measured
from ltrlib.claims.noise import half_width, pooled_deviation
from ltrlib.papers.busafekete2012.official.records import AS_OFFICIAL, FOLDS, METRICS
from ltrlib.papers.busafekete2012.official.variants import COSTS, official_settings
from ltrlib.published.printed import Printed
from ltrlib.published.tables import load_table

__all__ = [
    "adarank",
    "agreement",
    "beside",
    "chosen",
    "inside_tolerance",
    "official",
    "one_start_more",
    "scores",
    "spread",
]

OFFICIAL_SET = "LETOR 4.0 MQ2008"
_NUMBER = ["method", "fold", "part", "metric"]


@cache
def official() -> pd.DataFrame:
    """The official numbers of MQ2008: method, fold, part, metric, as printed and as numbers.

    Examples
    --------
    >>> len(official()), official().query("method == 'RankBoost' and metric == 'MAP' and fold == 1")["printed"].tolist()
    (670, ['0.4666', '0.5149', '0.4764'])
    """
    table = load_table("letor4", "baselines").wide().query("dataset == @OFFICIAL_SET and fold != 'mean'")
    numbers = [Printed.parse(text).value for text in table["value"]]
    found = table.rename(columns={"value": "printed"}).assign(official=numbers, fold=table["fold"].astype(int))
    return found[[*_NUMBER, "printed", "official"]].reset_index(drop=True)


def beside(values: pd.DataFrame) -> pd.DataFrame:
    """Ours and official, one row per number and training; ``equal`` at the printed digits.

    Examples
    --------
    >>> ours = pd.DataFrame({"method": ["RankBoost"], "variant": ["as official"], "repeat": [0], "fold": [1],
    ...                      "part": ["test"], "metric": ["MAP"], "value": [0.46663]})
    >>> beside(ours)[["printed", "equal"]].values.tolist()
    [['0.4666', True]]
    """
    both = values.merge(official(), on=_NUMBER)
    equal = [Printed.parse(text).agrees(value) for text, value in zip(both["printed"], both["value"], strict=True)]
    return both.assign(
        equal=pd.Series(equal, index=both.index, dtype=bool), difference=both["value"] - both["official"]
    )


def written_beside(written: pd.DataFrame) -> pd.DataFrame:
    """RankBoost with thresholds written with some digits, beside the official numbers; columns as in `beside`."""
    return beside(written.assign(method="RankBoost"))


def differing_by_digits(written: pd.DataFrame) -> dict[tuple[int, str], int]:
    """Count the numbers that differ from the official ones, by digits and precision."""
    found: dict[tuple[int, str], int] = {}
    for digits, precision, equal in written_beside(written)[["digits", "precision", "equal"]].itertuples(index=False):
        found[digits, precision] = found.get((digits, precision), 0) + (not equal)
    return found


def agreement(values: pd.DataFrame) -> pd.DataFrame:
    """How near each variant comes: numbers, equal ones, mean and largest absolute difference, mean difference.

    Over all parts and folds; ``test_equal`` and ``test_numbers`` count the test parts alone.
    """
    both = beside(values)
    rows = []
    for (method, variant), group in both.groupby(["method", "variant"], sort=False):
        first = group[group["repeat"] == 0]
        test = first[first["part"] == "test"]
        rows.append(
            {
                "method": method,
                "variant": variant,
                "numbers": len(first),
                "equal": int(first["equal"].sum()),
                "test_numbers": len(test),
                "test_equal": int(test["equal"].sum()),
                "mean_gap": float(group["difference"].abs().mean()),
                "largest_gap": float(group["difference"].abs().max()),
                "mean_difference": float(group.loc[group["part"] == "test", "difference"].mean()),
            }
        )
    return pd.DataFrame(rows)


def scores(
    values: pd.DataFrame, method: str, part: str = "test", variant: str = AS_OFFICIAL
) -> dict[str, dict[int, list[float]]]:
    """Our values by metric and fold, one per training."""
    own = values.query("method == @method and variant == @variant and part == @part")
    found: dict[str, dict[int, list[float]]] = {}
    for row in own.sort_values("repeat").to_dict("records"):
        found.setdefault(row["metric"], {}).setdefault(row["fold"], []).append(row["value"])
    return found


def one_start_more(by_start: list[float]) -> Measured:
    """Where one more start of the solver would end, from the ends of ours."""
    deviation, degrees = pooled_deviation([by_start])
    return Measured.one_more(by_start, deviation, degrees)


def inside_tolerance(values: pd.DataFrame) -> tuple[int, int]:
    """How many official test numbers of RankSVM-Struct lie where one more start would end; and of how many."""
    ours, inside, number = scores(values, "RankSVM-Struct"), 0, 0
    for row in official().query("method == 'RankSVM-Struct' and part == 'test'").to_dict("records"):
        end = one_start_more(ours[row["metric"]][row["fold"]])
        half = half_width(end.standard_error, end.degrees)
        inside += Printed.parse(row["printed"]).overlaps(end.value - half, end.value + half)
        number += 1
    return inside, number


def adarank(values: pd.DataFrame) -> pd.DataFrame:
    """AdaRank trained for NDCG at each cut-off and for MAP: the best of our ways beside the official mean over folds.

    Returns
    -------
    DataFrame
        method, metric, ours (of the way that is best on the test parts), ways, official.
    """
    asked = {"AdaRank-NDCG": [name for name in METRICS if name.startswith("NDCG@")], "AdaRank-MAP": ["MAP"]}
    both, rows = beside(values).query("part == 'test'"), []
    for method, metrics in asked.items():
        for metric in metrics:
            own = both[(both["method"] == method) & (both["metric"] == metric)]
            means = own.groupby("variant")[["value", "official"]].mean()
            rows.append((method, metric, means["value"].max(), len(means), means["official"].iloc[0]))
    return pd.DataFrame(rows, columns=["method", "metric", "ours", "ways", "official"])


def spread(values: pd.DataFrame) -> tuple[float, float]:
    """How far models that stop within the tolerance are from the exact solution: on average, and most in MAP.

    The second is the largest difference of MAP on a validation part, by which C would be chosen.
    """
    own = values[(values["method"] == "RankSVM-Struct")]
    place = ["fold", "part", "metric"]
    exact = own[own["variant"] == "solved exactly"].set_index(place)["value"].rename("exact")
    stopped = own[own["variant"] == AS_OFFICIAL].join(exact, on=place)
    gaps = (stopped["value"] - stopped["exact"]).abs()
    chosen_by = (stopped["part"] == "validation") & (stopped["metric"] == "MAP")
    return float(gaps.mean()), float(gaps[chosen_by].max())


def chosen(values: pd.DataFrame, fits: pd.DataFrame) -> pd.DataFrame:
    """What the validation parts choose by MAP beside what the official files tell, by fold.

    Returns
    -------
    DataFrame
        fold, rounds, official_rounds, c, official_c, c_loss (validation MAP that the official C
        loses against the best).
    """
    rounds = fits.query("method == 'RankBoost' and variant == @AS_OFFICIAL").set_index("fold")["size"]
    names = {f"C = {cost:g}": cost for cost in COSTS}
    tried = values[values["variant"].isin(list(names)) & (values["part"] == "validation") & (values["metric"] == "MAP")]
    rows = []
    for fold in FOLDS:
        own = tried[tried["fold"] == fold]
        by_cost = {names[name]: value for name, value in zip(own["variant"], own["value"], strict=True)}
        told = float(official_settings("RankSVM-Struct", fold)["c"])
        rows.append(
            (
                fold,
                int(rounds[fold]),
                int(official_settings("RankBoost", fold)["rounds"]),
                max(by_cost, key=lambda cost: by_cost[cost]),
                told,
                max(by_cost.values()) - by_cost[told],
            )
        )
    return pd.DataFrame(rows, columns=["fold", "rounds", "official_rounds", "c", "official_c", "c_loss"])
