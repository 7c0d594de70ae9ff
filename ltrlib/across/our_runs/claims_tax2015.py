"""What Tax et al. say of methods that we ran too: every method on every data set under one protocol."""

from __future__ import annotations

from dataclasses import replace

from ltrlib.across.our_runs.records import METRICS, mean_values
from ltrlib.claims.cells import Cell, Difference, Measured, Order, ordered_pairs
from ltrlib.claims.claim import ClaimList, Otherwise
from ltrlib.claims.evidence import RecordedResult
from ltrlib.claims.noise import Family
from ltrlib.comparison.results import ALL_METRICS
from ltrlib.comparison.winning import winning_numbers
from ltrlib.papers.tax2015.sentences import SAID
from ltrlib.published.printed import Printed
from ltrlib.published.tables import Paper
from ltrlib.records.record import Record

__all__ = ["REAL", "SHARED", "claims"]

claims = ClaimList(__name__, chapter="62-our-own-runs")

SHARED = {"mq2008": "LETOR 4.0 MQ2008", "ohsumed": "LETOR 3.0 OHSUMED"}
"""Data sets of our runs that the study has, as it names them; on both our scores are by LETOR's tool, like its own."""

REAL = (*SHARED, "clueweb09-ltr", "mslr-web10k-sample", "lightgbm-example")
"""Data sets of our runs that are not stand-ins."""

_EVERYWHERE = RecordedResult("own/queries", dataset=REAL)
_ELSEWHERE = "our runs on five data sets, of which the study has two"


def _with_halved(method: str) -> Otherwise:
    """What could have been measured: a method that hardly learns."""

    def otherwise(paper: Paper, record: Record) -> tuple[Paper, Record]:
        table = record.table.copy()
        table.loc[table["method"] == method, list(METRICS)] /= 2
        return paper, replace(record, table=table)

    return otherwise


@claims.add(
    "own.tend",
    place="Section 7; Table B.6 and our runs",
    statement="The comparison shows which methods tend to be better: by NWN they come in a similar order in our runs.",
    material=_EVERYWHERE,
    weight="central",
    words=SAID["insight"],
    other_data=_ELSEWHERE,
)
def _(paper: Paper, record: Record) -> Cell:
    winning = winning_numbers(mean_values(record.table))
    ours = winning[winning["metric"] == ALL_METRICS].set_index("method")["nwn"].to_dict()
    both = [method for method in paper["b6"].rows if method in ours]
    return Difference(
        Measured.kendall(
            [paper["b6"].number(method, "nwn").value for method in both], [float(ours[method]) for method in both]
        ),
        "higher",
        0.0,
        "a direction; Section 7 gives no size",
        f"Kendall's tau over {len(both)} methods is positive",
    )


@claims.add(
    "own.same-order",
    place="Section 2.1; results on MQ2008 and OHSUMED, and our runs",
    statement="The features are given, so differences are due to the algorithm: who runs it does not change the order.",
    material=RecordedResult("own/queries", dataset=tuple(SHARED)),
    words=SAID["algorithm-alone"],
    otherwise=_with_halved("AdaRank-NDCG"),
)
def _(paper: Paper, record: Record) -> list[Cell]:
    orders = {
        (dataset, metric): found
        for dataset in SHARED
        for metric in METRICS
        if len(found := _published_order(paper, record, dataset, metric)) > 1
    }
    pairs = sum(len(ordered_pairs(groups)) for groups in orders.values())
    family = Family("tax2015/own-same-order", "every two methods that the study puts one above the other", pairs)
    return [
        Order.by_query(groups, _scores(record, dataset, metric, groups), f"{SHARED[dataset]}, {metric}", family=family)
        for (dataset, metric), groups in orders.items()
    ]


def _published_order(paper: Paper, record: Record, dataset: str, metric: str) -> list[list[str]]:
    """Methods that we ran too, by falling value in the study's results; equal values share a place."""
    study, ran = paper["results"].wide(), set(record.table["method"])
    rows = study[(study["dataset"] == SHARED[dataset]) & (study["metric"] == metric) & study["method"].isin(ran)]
    values: dict[float, list[str]] = {}
    for method, text in zip(rows["method"], rows["value"], strict=True):
        values.setdefault(Printed.parse(text).value, []).append(method)
    return [values[value] for value in sorted(values, reverse=True)]


def _scores(record: Record, dataset: str, metric: str, groups: list[list[str]]) -> dict[str, list[float]]:
    rows = record.table[record.table["dataset"] == dataset]
    wide = rows.pivot(index=["fold", "query"], columns="method", values=metric)
    return {method: wide[method].tolist() for group in groups for method in group}
