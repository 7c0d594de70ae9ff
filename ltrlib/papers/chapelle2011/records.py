"""The recorded results of the paper's experiments, and what they say."""

from __future__ import annotations

import pandas as pd

from ltrlib.claims.cells import Measured
from ltrlib.metrics.ndcg_by_tool import conventions
from ltrlib.records.record import Table

__all__ = [
    "BASELINES",
    "BEST",
    "CORRELATION",
    "DIFFICULTY",
    "LESSON",
    "TRANSFER",
    "agreement",
    "agreement_by_group",
    "baseline_queries",
    "baselines_table",
    "correlation_table",
    "lesson_table",
    "ranking_gain",
    "ranges",
    "transfer_table",
]

BEST = 20
"""How many rankers are the best ones: as many as Figure 3 shows."""


def _table(study: str, dataset: str, columns: dict[str, str], room: str) -> Table:
    maker = f"ltrlib.papers.chapelle2011.{room}.runs:{study.upper()}"
    return Table(f"chapelle2011/{study}-{dataset.replace('/', '-')}", columns, maker=maker)


def correlation_table(dataset: str) -> Table:
    """One row per ranker of a population: ERR, NDCG as in the challenge, then NDCG under every convention.

    Examples
    --------
    >>> correlation_table("standin/yahoo-set1").name
    'chapelle2011/correlation-standin-yahoo-set1'
    """
    columns = {"kind": "str", "details": "str", "err": "float", "ndcg": "float"}
    columns |= {f"ndcg:{tool}": "float" for tool in conventions()}
    return _table("correlation", dataset, columns, "metrics")


def baselines_table(dataset: str) -> Table:
    """The three baselines: means over queries, seconds of the fit, and the largest memory of the process meanwhile.

    Metrics are ERR, NDCG as in the challenge, and ``NDCG:<tool>`` for every convention that has gains for the labels.
    """
    columns = {
        "method": "str",
        "part": "str",
        "metric": "str",
        "value": "float",
        "standard_error": "float",
        "queries": "int",
        "fit_seconds": "measured",
        "peak_gb": "measured",
    }
    return _table("baselines", dataset, columns, "baselines")


def baseline_queries(dataset: str) -> Table:
    """ERR and NDCG of the challenge for each test query and each baseline: two of them can be paired.

    Examples
    --------
    >>> baseline_queries("standin/yahoo-set1").name
    'chapelle2011/baselines-standin-yahoo-set1-queries'
    """
    columns = {"method": "str", "query": "str", "ERR": "float", "NDCG": "float"}
    return Table(
        f"{baselines_table(dataset).name}-queries", columns, maker=baselines_table(dataset).maker, form="parquet"
    )


def lesson_table(dataset: str) -> Table:
    """Losses against classes of functions; ``gain`` is the difference to squared loss with the same class.

    Metrics as for the baselines. Errors are over queries, that of a gain over paired differences.
    """
    columns = {
        "functions": "str",
        "loss": "str",
        "ranker": "str",
        "metric": "str",
        "mean": "float",
        "standard_error": "float",
        "gain": "float",
        "gain_error": "float",
        "queries": "int",
        "seconds": "measured",
    }
    return _table("lesson", dataset, columns, "baselines")


def transfer_table(dataset: str) -> Table:
    """Training sets of the transfer track; ``gain`` is the difference to learning from Set 2 alone.

    Errors are over queries, that of a gain over paired differences.
    """
    columns = {
        "ranker": "str",
        "training": "str",
        "metric": "str",
        "mean": "float",
        "standard_error": "float",
        "gain": "float",
        "gain_error": "float",
        "queries": "int",
        "seconds": "measured",
    }
    return _table("transfer", dataset, columns, "baselines")


CORRELATION = {
    name: correlation_table(name) for name in ("standin/yahoo-set1", "mq2008", "ohsumed", "mslr-web10k-sample")
}
LESSON = {name: lesson_table(name) for name in ("mq2008", "ohsumed", "mslr-web10k-sample", "standin/yahoo-set1")}
BASELINES = {name: baselines_table(name) for name in ("standin/yahoo-set1", "mslr-web10k-sample", "yahoo-set1")}
TRANSFER = transfer_table("standin/yahoo-set2")
DIFFICULTY = Table(
    "chapelle2011/difficulty",
    {"dataset": "str", "query": "str", "documents": "int", "concordance": "float", "pool": "int"},
    maker="ltrlib.papers.chapelle2011.paper.runs:DIFFICULTY",
)
"""Of each query: its documents, the share of pairs that linear regression orders rightly, and how many documents five
rankers with a fifth of the features each name among their first five."""


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


def agreement_by_group(scores: pd.DataFrame, size: int) -> list[float]:
    """Kendall's tau-b of ERR and NDCG in groups of so many rankers by their place in ERR, the best group first.

    Rankers at the end that do not fill a group are left out, and so are groups in which a metric has one value only.

    Examples
    --------
    >>> scores = pd.DataFrame({"err": [0.1, 0.2, 0.3, 0.4], "ndcg": [0.5, 0.6, 0.8, 0.7]})
    >>> agreement_by_group(scores, 2)
    [-1.0, 1.0]
    """
    ranked = scores.sort_values("err", ascending=False, kind="stable")
    groups = [ranked.iloc[start : start + size] for start in range(0, len(ranked) - size + 1, size)]
    return [agreement(group) for group in groups if group["err"].nunique() > 1 and group["ndcg"].nunique() > 1]


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


def ranking_gain(table: pd.DataFrame, metric: str, functions: str) -> Measured:
    """What ranking losses gain over squared loss with one class of functions: the mean over the losses.

    The gains of single losses are paired over queries. Only their errors are recorded, and the error of a mean is at
    most the mean of the errors, so that is taken: the interval is rather too wide than too narrow.

    Examples
    --------
    >>> rows = [("trees", "pairwise", "NDCG", 0.03, 0.01, 9), ("trees", "listwise", "NDCG", 0.01, 0.03, 9)]
    >>> columns = ["functions", "loss", "metric", "gain", "gain_error", "queries"]
    >>> ranking_gain(pd.DataFrame(rows, columns=columns), "NDCG", "trees")
    Measured(value=0.02, standard_error=0.02, degrees=8)
    """
    wanted = table[(table["metric"] == metric) & (table["functions"] == functions) & (table["loss"] != "pointwise")]
    gain, error, queries = (wanted[name].mean() for name in ("gain", "gain_error", "queries"))
    return Measured(float(gain), float(error), int(queries) - 1)
