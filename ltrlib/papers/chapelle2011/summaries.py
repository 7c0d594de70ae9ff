"""What the recorded experiments say: agreement of two metrics, and how much the choice of the loss matters."""

from __future__ import annotations

import pandas as pd
from scipy.special import ndtri

__all__ = ["agreement", "clear_gains", "ranges", "shown"]

_LEVEL = 0.05


def agreement(scores: pd.DataFrame, *, best: int | None = None) -> float:
    """Kendall's tau-b of ERR and NDCG over the rankers, or over those with the best ERR only.

    Examples
    --------
    >>> scores = pd.DataFrame({"err": [0.1, 0.2, 0.3, 0.4], "ndcg": [0.5, 0.6, 0.8, 0.7]})
    >>> round(agreement(scores), 4), agreement(scores, best=2)
    (0.6667, -1.0)
    """
    from scipy.stats import kendalltau

    chosen = scores if best is None else scores.nlargest(best, "err", keep="first")
    return float(kendalltau(chosen["err"], chosen["ndcg"]).statistic)


def ranges(table: pd.DataFrame, metric: str) -> dict[str, float]:
    """Best less worst mean over the losses, per class of functions.

    Examples
    --------
    >>> rows = [("linear", "NDCG", 0.5), ("linear", "NDCG", 0.75), ("trees", "NDCG", 0.75)]
    >>> ranges(pd.DataFrame(rows, columns=["functions", "metric", "mean"]), "NDCG")
    {'linear': 0.25, 'trees': 0.0}
    """
    means = table[table["metric"] == metric].groupby("functions", sort=False)["mean"]
    return {str(name): float(values.max() - values.min()) for name, values in means}


def clear_gains(table: pd.DataFrame, metric: str) -> dict[str, list[str]]:
    """Losses that beat squared loss beyond noise, per class of functions.

    The level of 5 % is shared by the losses that are compared with squared loss (Bonferroni).

    Examples
    --------
    >>> rows = [("linear", "pairwise", "NDCG", 0.03, 0.01), ("trees", "pairwise", "NDCG", 0.01, 0.01)]
    >>> clear_gains(pd.DataFrame(rows, columns=["functions", "loss", "metric", "gain", "gain_error"]), "NDCG")
    {'linear': ['pairwise'], 'trees': []}
    """
    wanted = table[(table["metric"] == metric) & (table["loss"] != "pointwise")]
    limit = float(ndtri(1 - _LEVEL / 2 / wanted["loss"].nunique()))
    clear = wanted["gain"] > limit * wanted["gain_error"]
    return {str(name): rows.loc[clear[rows.index], "loss"].tolist() for name, rows in wanted.groupby("functions")}


def shown(table: pd.DataFrame, metric: str) -> pd.DataFrame:
    """Means with their standard errors as text: a row per class of functions, a column per loss.

    Examples
    --------
    >>> rows = [("linear", "pointwise", "Ridge", 0.5, 0.01), ("linear", "pairwise", "RankSVM", 0.6, 0.01)]
    >>> columns = ["functions", "loss", "ranker", "mean", "standard_error"]
    >>> shown(pd.DataFrame(rows, columns=columns).assign(metric="NDCG"), "NDCG").iloc[0].tolist()
    ['linear', 'Ridge 0.5000 ± 0.0100', 'RankSVM 0.6000 ± 0.0100']
    """
    wanted = table[table["metric"] == metric]
    means, errors = wanted["mean"].map("{:.4f}".format), wanted["standard_error"].map("{:.4f}".format)
    cells = wanted.assign(text=wanted["ranker"] + " " + means + " ± " + errors)
    order = list(dict.fromkeys(wanted["loss"]))
    return cells.pivot(index="functions", columns="loss", values="text")[order].reset_index()
