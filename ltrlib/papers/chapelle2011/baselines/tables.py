"""What the chapter on baselines and lessons shows, and the numbers of its prose."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise

import pandas as pd

from ltrlib.claims.cells import Measured
from ltrlib.claims.rules import judge
from ltrlib.claims.show import badge
from ltrlib.claims.verdict import Verdict
from ltrlib.datasets.checksum import file_sha256
from ltrlib.datasets.loading import find, is_here
from ltrlib.errors import RecordError
from ltrlib.papers.chapelle2011 import records
from ltrlib.papers.chapelle2011.baselines.claims import BASELINE_METHODS, table5_cells
from ltrlib.papers.chapelle2011.challenge import METRICS, NAMES, is_yahoo
from ltrlib.published.tables import load_paper
from ltrlib.records.record import Record

__all__ = [
    "Baselines",
    "baseline_numbers",
    "beside_published",
    "cost",
    "gaps",
    "later_results",
    "lesson_numbers",
    "lesson_table",
    "lesson_results",
    "lessons",
    "projection",
    "recorded",
    "summary",
    "transfer_table",
]

_KEYS = {"mq2008": "mq2008", "ohsumed": "ohsumed", "mslr-web10k-sample": "mslr", "standin/yahoo-set1": "standin"}
"""Data sets of the first lesson, as the prose calls them."""


@dataclass(frozen=True, eq=False)
class Baselines:
    """Results of the three baselines and how they came about.

    Parameters
    ----------
    dataset, trees, scale
        What was learnt from, with how many trees, and the size of a stand-in.
    table
        As :func:`ltrlib.papers.chapelle2011.records.baselines_table` says.
    record
        Where the results were read from; None if they were computed now.
    """

    dataset: str
    trees: int
    scale: float
    table: pd.DataFrame
    record: Record | None

    def value(self, method: str, metric: str, part: str = "test") -> float:
        """One of the results; ``method`` may be ``"single"`` for whatever single feature was used."""
        name = self.table["method"].iloc[0] if method == "single" else method
        table = self.table
        rows = table[(table["method"] == name) & (table["metric"] == metric) & (table["part"] == part)]
        return float(rows["value"].iloc[0])


def recorded(dataset: str) -> Record | None:
    """Find the record of a data set's baselines; one that was made from other files does not count."""
    try:
        record = records.baselines_table(dataset).read()
    except RecordError:
        return None
    if not dataset.startswith("standin/") and is_here(dataset):
        files = find(dataset).files
        if any(file_sha256(files[source.part]) != source.sha256 for source in record.sources):
            return None
    return record


def beside_published(found: Baselines) -> pd.DataFrame:
    """Table 5 and ours as text, with the verdict on each cell."""
    if not is_yahoo(found.dataset):
        return _alone(found.table)
    rows = []
    for cell in table5_cells(load_paper("chapelle2011"), found.table):
        judged = judge(cell, comparable=found.dataset == "yahoo-set1")
        assert isinstance(cell.ours, Measured)
        method, part, metric = cell.name.split(", ")
        rows.append(
            {
                "method": method,
                "part": part,
                "metric": metric,
                "published": cell.published.text,
                "ours": f"{cell.ours.value:.5f}",
                "standard error": f"{cell.ours.standard_error:.5f}",
                "difference": f"{judged.difference:+.5f}",
                "verdict": badge(judged.verdict),
            }
        )
    return pd.DataFrame(rows)


def _alone(table: pd.DataFrame) -> pd.DataFrame:
    table = table[table["metric"].isin(list(METRICS))]
    shown = table[["method", "part", "metric"]].copy()
    shown["ours"] = table["value"].map("{:.5f}".format)
    shown["standard error"] = table["standard_error"].map("{:.5f}".format)
    shown["verdict"] = badge(Verdict.NOT_COMPARABLE)
    return shown


def gaps(table: pd.DataFrame) -> pd.DataFrame:
    """What each baseline gains over the one before, on the test part, published and ours."""
    paper = load_paper("chapelle2011")
    ours = table[table["part"] == "test"].set_index(["method", "metric"])["value"]
    methods = list(dict.fromkeys(table["method"]))
    rows = []
    for (worse, better), (own_worse, own_better) in zip(pairwise(BASELINE_METHODS), pairwise(methods), strict=True):
        for metric in METRICS:
            printed = [paper["table5"].number(method, f"test_{metric.lower()}").value for method in (worse, better)]
            rows.append(
                {
                    "step": f"{own_worse} → {own_better}",
                    "metric": metric,
                    "published": f"{printed[1] - printed[0]:+.5f}",
                    "ours": f"{ours[own_better, metric] - ours[own_worse, metric]:+.5f}",
                }
            )
    return pd.DataFrame(rows)


def baseline_numbers(found: Baselines) -> dict[str, str]:
    """Numbers of the prose on Table 5, by the names under which it quotes them."""
    numbers = {"trees": str(found.trees)}
    for method in ("single", "RankSVM", "GBDT"):
        for metric in METRICS:
            numbers[f"{method.lower()}-test-{metric.lower()}"] = f"{found.value(method, metric):.3f}"
    return numbers


def cost(found: Baselines) -> pd.DataFrame:
    """Time and memory of each fit, as text."""
    once = found.table.drop_duplicates("method")
    times = [f"{seconds / 60:.1f} min" if seconds >= 60 else f"{seconds:.1f} s" for seconds in once["fit_seconds"]]
    return pd.DataFrame(
        {"method": once["method"], "fit": times, "peak memory": once["peak_gb"].map("{:.1f} GB".format)}
    )


def projection(found: Baselines) -> str:
    """Say what the paper's number of trees would cost, if fewer were grown: the time grows with them, memory does not.

    Examples
    --------
    >>> table = pd.DataFrame({"method": ["GBDT"], "fit_seconds": [1.0]})
    >>> projection(Baselines("standin/yahoo-set1", 2, 0.001, table, None)).split(" at this pace")[0]
    'GBDT was run with 2 of the 2400 trees of the paper. All of them would take at most 20.0 minutes'
    """
    wanted = int(load_paper("chapelle2011").statement("gbdt-trees").value)
    if found.trees >= wanted:
        return f"GBDT was run with {found.trees:,} trees; the paper's has {wanted:,}."
    seconds = float(found.table.loc[found.table["method"] == "GBDT", "fit_seconds"].iloc[0])
    minutes = seconds / 60 * wanted / found.trees
    return (
        f"GBDT was run with {found.trees} of the {wanted} trees of the paper. All of them would take at most "
        f"{minutes:.1f} minutes at this pace (finding the bins, which is done once, is counted with each tree), in the "
        "same memory."
    )


def later_results() -> pd.DataFrame:
    """Results that others published on the test part of Set 1 since, best first."""
    table = load_paper("chapelle2011")["later_results"]
    rows = []
    for row in table.rows:
        source, part, method, metric = row.split(" / ")
        if (part, metric) == ("set1.test", "NDCG@10"):
            rows.append((source, method, table.text(row, "value"), table.text(row, "settings")))
    found = pd.DataFrame(rows, columns=["source", "method", "NDCG@10", "settings"])
    return found.sort_values("NDCG@10", ascending=False, kind="stable", ignore_index=True)


def lessons() -> dict[str, Record]:
    """The recorded results of the first lesson, by data set."""
    return {name: table.read() for name, table in records.LESSON.items()}


def lesson_results(found: Mapping[str, Record]) -> dict[str, pd.DataFrame]:
    """The tables of the records, by data set."""
    return {name: record.table for name, record in found.items()}


def summary(results: Mapping[str, pd.DataFrame]) -> list[str]:
    """The chapter in three sentences."""
    paper = load_paper("chapelle2011")
    err = {name: number.value for name, number in paper["table5"].column("test_err").items()}
    found = lesson_numbers(results)
    wider = sum(float(found[f"range-{key}-linear"]) > float(found[f"range-{key}-trees"]) for key in _KEYS.values())
    return [
        f"In Table 5 boosted trees gain {err['GBDT'] - err['RankSVM']:.4f} of ERR over a linear RankSVM. Only the "
        "licensed files can confirm it: with them, two commands fill the table.",
        f"The loss moves NDCG more with linear functions than with trees on {wider} of {len(_KEYS)} data sets (one of "
        "them generated), but mostly by less than the noise.",
        "Whether another country's data help could not be tested: it needs both licensed sets.",
    ]


def lesson_table(tables: Mapping[str, pd.DataFrame], *, metric: str) -> pd.DataFrame:
    """Means with their standard errors as text: a row per data set and class of functions, a column per loss.

    Examples
    --------
    >>> rows = [("linear", "pointwise", "Ridge", 0.5, 0.01), ("linear", "pairwise", "RankSVM", 0.6, 0.01)]
    >>> columns = ["functions", "loss", "ranker", "mean", "standard_error"]
    >>> table = pd.DataFrame(rows, columns=columns).assign(metric="NDCG")
    >>> lesson_table({"a": table}, metric="NDCG").iloc[0].tolist()
    ['a', 'linear', 'Ridge 0.5000 ± 0.0100', 'RankSVM 0.6000 ± 0.0100']
    """
    parts = []
    for name, table in tables.items():
        wanted = table[table["metric"] == metric]
        means, errors = wanted["mean"].map("{:.4f}".format), wanted["standard_error"].map("{:.4f}".format)
        cells = wanted.assign(text=wanted["ranker"] + " " + means + " ± " + errors)
        order = list(dict.fromkeys(wanted["loss"]))
        shown = cells.pivot(index="functions", columns="loss", values="text")[order].reset_index()
        shown.insert(0, "data", NAMES.get(name, name))
        parts.append(shown)
    return pd.concat(parts)


def lesson_numbers(tables: Mapping[str, pd.DataFrame]) -> dict[str, str]:
    """Numbers of the prose on the first lesson, by the names under which it quotes them."""
    return {
        f"range-{key}-{functions}": f"{width:.4f}"
        for name, key in _KEYS.items()
        for functions, width in records.ranges(tables[name], "NDCG").items()
    }


def transfer_table(table: pd.DataFrame, *, metric: str) -> pd.DataFrame:
    """Results of the second lesson as text."""
    wanted = table[table["metric"] == metric]
    shown = wanted[["ranker", "training"]].copy()
    shown[metric] = wanted["mean"].map("{:.4f}".format)
    shown["gain over Set 2 alone"] = wanted["gain"].map("{:+.4f}".format)
    shown["its standard error"] = wanted["gain_error"].map("{:.4f}".format)
    return shown
