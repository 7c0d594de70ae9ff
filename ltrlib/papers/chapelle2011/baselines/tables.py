"""Table 5 of Chapelle and Chang (2011) beside ours: recorded results where they fit, else computed now."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import pandas as pd

from ltrlib.claims.cells import Measured
from ltrlib.claims.rules import judge
from ltrlib.claims.show import badge
from ltrlib.claims.verdict import Verdict
from ltrlib.datasets.checksum import file_sha256
from ltrlib.datasets.container import RankingData
from ltrlib.datasets.loading import find, is_here
from ltrlib.errors import RecordError
from ltrlib.papers.chapelle2011.baselines.claims import BASELINE_METHODS, table5_cells
from ltrlib.papers.chapelle2011.baselines.runs import METRICS, baselines, is_yahoo, load_parts, run
from ltrlib.papers.chapelle2011.records import BASELINES, record_name
from ltrlib.published.tables import load_paper
from ltrlib.rankers.cross_validation import load_fold
from ltrlib.rankers.gbdt import GBDT
from ltrlib.records.record import Record, read_record

__all__ = [
    "Baselines",
    "beside_published",
    "cost",
    "example_part",
    "gaps",
    "label_shares",
    "later_results",
    "projection",
    "results",
]


@dataclass(frozen=True, eq=False)
class Baselines:
    """Results of the three baselines and how they came about.

    Parameters
    ----------
    dataset, trees, scale
        What was learnt from, with how many trees, and the size of a stand-in.
    table
        As :data:`ltrlib.papers.chapelle2011.records.BASELINES` says.
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


def results(dataset: str, *, trees: int = 0, scale: float = 0.0) -> Baselines:
    """Results of the three baselines: the recorded ones when they fit, else computed now.

    Parameters
    ----------
    dataset
        Name of the data set.
    trees, scale
        Trees of GBDT and size of a stand-in; 0 takes the recorded ones, and where there is no record the paper's.

    Examples
    --------
    >>> found = results("standin/yahoo-set1", trees=2, scale=0.001)
    >>> found.record is None, found.value("GBDT", "NDCG") <= 1
    (True, True)
    """
    record = _recorded(dataset)
    if record is not None:
        made_with = record.provenance["parameters"]
        if trees in (0, made_with["trees"]) and scale in (0, made_with["scale"]):
            return Baselines(dataset, made_with["trees"], made_with["scale"], record.table, record)
    rankers = baselines(dataset, trees=trees or None)
    gbdt = rankers["GBDT"]
    assert isinstance(gbdt, GBDT)
    return Baselines(dataset, gbdt.trees, scale or 1.0, run(load_parts(dataset, scale=scale or 1.0), rankers), None)


def _recorded(dataset: str) -> Record | None:
    """Find the record of a data set's baselines; if the files here are others, it does not count."""
    try:
        record = read_record(record_name("baselines", dataset), BASELINES)
    except RecordError:
        return None
    if not dataset.startswith("standin/") and is_here(dataset):
        files = find(dataset).files
        if any(file_sha256(files[source.part]) != source.sha256 for source in record.sources):
            return None
    return record


def example_part(dataset: str) -> RankingData:
    """Load a training part to look at: of a stand-in a small one, whose queries are a fair sample.

    Examples
    --------
    >>> example_part("standin/yahoo-set1").n_queries
    997
    """
    return load_fold(dataset, 1, scale=0.05 if dataset.startswith("standin/") else 1.0).train


def label_shares(data: RankingData, name: str) -> dict[str, list[float]]:
    """Shares of the labels 0 to 4: in the data, in both columns of Table 3, and as others counted them in Set 1.

    Examples
    --------
    >>> list(label_shares(example_part("standin/yahoo-set1"), "here"))
    ['here', 'Table 3, SET 1', 'Table 3, SET 2', 'Set 1 as counted by CatBoost']
    """
    paper = load_paper("chapelle2011")
    shares = {name: (np.bincount(data.labels, minlength=5) / data.n_docs).tolist()}
    for column, title in (("set1", "Table 3, SET 1"), ("set2", "Table 3, SET 2")):
        shares[title] = [paper["table3"].number(str(label), column).value for label in range(5)]
    counted = [sum(n.value for n in paper["catboost_counts"].column(f"label{label}").values()) for label in range(5)]
    shares["Set 1 as counted by CatBoost"] = [number / sum(counted) for number in counted]
    return shares


def beside_published(found: Baselines) -> pd.DataFrame:
    """Table 5 and ours as text, with a verdict per cell: on anything but the real Set 1 it is `not comparable`.

    Examples
    --------
    >>> shown = beside_published(results("standin/yahoo-set1", trees=2, scale=0.001))
    >>> len(shown), bool(shown["verdict"].str.contains("not comparable").all())
    (12, True)
    """
    if not is_yahoo(found.dataset):
        return _alone(found.table)
    rows = []
    for cell in table5_cells(load_paper("chapelle2011"), found.table):
        judgement = judge(cell)
        method, part, metric = cell.name.split(", ")
        verdict = judgement.verdict if found.dataset == "yahoo-set1" else Verdict.NOT_COMPARABLE
        assert isinstance(cell.ours, Measured)
        rows.append(
            {
                "method": method,
                "part": part,
                "metric": metric,
                "published": cell.published.text,
                "ours": f"{cell.ours.value:.5f}",
                "standard error": f"{cell.ours.standard_error:.5f}",
                "difference": f"{judgement.difference:+.5f}",
                "verdict": badge(verdict),
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
    """What each baseline gains over the one before, on the test part, published and ours.

    Examples
    --------
    >>> table = gaps(results("standin/yahoo-set1", trees=2, scale=0.001).table)
    >>> table[["step", "metric", "published"]].values.tolist()[0]
    ['BM25F-SD → RankSVM', 'ERR', '+0.00827']
    """
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


def cost(found: Baselines) -> pd.DataFrame:
    """Time and memory of each fit, as text.

    Examples
    --------
    >>> cost(results("standin/yahoo-set1", trees=2, scale=0.001)).columns.tolist()
    ['method', 'fit', 'peak memory']
    """
    once = found.table.drop_duplicates("method")
    times = [f"{seconds / 60:.1f} min" if seconds >= 60 else f"{seconds:.1f} s" for seconds in once["fit_seconds"]]
    return pd.DataFrame(
        {"method": once["method"], "fit": times, "peak memory": once["peak_gb"].map("{:.1f} GB".format)}
    )


def projection(found: Baselines) -> str:
    """Say what the paper's number of trees would cost, if fewer were grown: the time grows with them, memory does not.

    Examples
    --------
    >>> projection(results("standin/yahoo-set1", trees=2, scale=0.001))[:46]
    'GBDT was run with 2 of the 2400 trees of the p'
    """
    wanted = int(load_paper("chapelle2011").statement("gbdt-trees").value)
    if found.trees >= wanted:
        return f"GBDT was run with {found.trees} trees, no fewer than the paper's {wanted}."
    seconds = float(found.table.loc[found.table["method"] == "GBDT", "fit_seconds"].iloc[0])
    minutes = seconds / 60 * wanted / found.trees
    return (
        f"GBDT was run with {found.trees} of the {wanted} trees of the paper. All of them would take at most "
        f"{minutes:.1f} minutes at this pace (finding the bins, which is done once, is counted with each tree), in the "
        "same memory."
    )


def later_results() -> pd.DataFrame:
    """Results that others published on the test part of Set 1 since, best first.

    Examples
    --------
    >>> later_results().columns.tolist()
    ['source', 'method', 'NDCG@10', 'settings']
    """
    table = load_paper("chapelle2011")["later_results"]
    rows = []
    for row in table.rows:
        source, part, method, metric = row.split(" / ")
        if (part, metric) == ("set1.test", "NDCG@10"):
            rows.append((source, method, table.text(row, "value"), table.text(row, "settings")))
    found = pd.DataFrame(rows, columns=["source", "method", "NDCG@10", "settings"])
    return found.sort_values("NDCG@10", ascending=False, kind="stable", ignore_index=True)
