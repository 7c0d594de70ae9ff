"""Table 5 of Chapelle and Chang (2011) beside ours: recorded results where they fit, else computed now."""

from __future__ import annotations

from itertools import pairwise

import pandas as pd

from ltrlib.claims.chapelle2011_experiments import BASELINE_METHODS, table5_cells
from ltrlib.claims.compare import Measured
from ltrlib.claims.rules import judge
from ltrlib.claims.show import badge
from ltrlib.claims.verdict import Verdict
from ltrlib.datasets.checksum import file_sha256
from ltrlib.datasets.loading import find, is_here
from ltrlib.errors import RecordError
from ltrlib.published.tables import load_paper
from ltrlib.records import Record, read_record
from ltrlib.studies.yahoo_baselines import METRICS, baselines, is_yahoo, load_parts, run
from ltrlib.studies.yahoo_records import BASELINES, record_name

__all__ = ["beside_published", "gaps", "recorded", "results"]


def recorded(dataset: str, *, trees: int, scale: float) -> Record | None:
    """Find the record of a data set's baselines, if it was made with these settings from the files that are here.

    Examples
    --------
    >>> recorded("standin/yahoo-set1", trees=7, scale=0.5) is None
    True
    """
    try:
        record = read_record(record_name("baselines", dataset), BASELINES)
    except RecordError:
        return None
    made_with = record.story["parameters"]
    if (made_with["trees"], made_with["scale"]) != (trees, scale):
        return None
    if not dataset.startswith("standin/") and is_here(dataset):
        files = find(dataset).files
        if any(file_sha256(files[source.part]) != source.sha256 for source in record.sources):
            return None
    return record


def results(dataset: str, *, trees: int, scale: float) -> tuple[pd.DataFrame, Record | None]:
    """Results of the three baselines: the recorded ones when they fit, else computed now.

    Examples
    --------
    >>> table, record = results("standin/yahoo-set1", trees=2, scale=0.001)
    >>> record is None, len(table)
    (True, 12)
    """
    record = recorded(dataset, trees=trees, scale=scale)
    if record is not None:
        return record.table, record
    return run(load_parts(dataset, scale=scale), baselines(dataset, trees=trees)), None


def beside_published(dataset: str, table: pd.DataFrame) -> pd.DataFrame:
    """Table 5 and ours as text, with a verdict per cell: on anything but the real Set 1 it is `not comparable`.

    Examples
    --------
    >>> table, _ = results("standin/yahoo-set1", trees=2, scale=0.001)
    >>> shown = beside_published("standin/yahoo-set1", table)
    >>> len(shown), bool(shown["verdict"].str.contains("not comparable").all())
    (12, True)
    """
    if not is_yahoo(dataset):
        return _alone(table)
    rows = []
    for cell in table5_cells(load_paper("chapelle2011"), table):
        judgement = judge(cell)
        method, part, metric = cell.name.split(", ")
        verdict = judgement.verdict if dataset == "yahoo-set1" else Verdict.NOT_COMPARABLE
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
    shown = table[["method", "part", "metric"]].copy()
    shown["ours"] = table["value"].map("{:.5f}".format)
    shown["standard error"] = table["standard_error"].map("{:.5f}".format)
    shown["verdict"] = badge(Verdict.NOT_COMPARABLE)
    return shown


def gaps(table: pd.DataFrame) -> pd.DataFrame:
    """What each baseline gains over the one before, on the test part, published and ours.

    Examples
    --------
    >>> table, _ = results("standin/yahoo-set1", trees=2, scale=0.001)
    >>> gaps(table)[["step", "metric", "published"]].values.tolist()[0]
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
