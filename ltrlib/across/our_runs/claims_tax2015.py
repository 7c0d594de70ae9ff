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
from ltrlib.papers.koppel2019.table1.records import COLLAPSE
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
    statement="Differences on a data set are due to the algorithm: run by us, the methods come in the study's order.",
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


_NETWORK = "RankNet"


def _alike(paper: Paper, collapse: Record) -> tuple[Paper, Record]:
    """What could have been measured: a network that gains nothing from other units of its features."""
    table = collapse.table.copy()
    table["ndcg"] = table.groupby("method")["ndcg"].transform("mean")
    return paper, replace(collapse, table=table)


@claims.add(
    "own.given-features",
    place="Section 2.1; one network on features as given and normalised",
    statement="The features are given, so differences are due to the algorithm: one RankNet does not depend on their "
    "units, on the MSLR sample.",
    material=RecordedResult(COLLAPSE.name, COLLAPSE.columns),
    proxy="a sample of the study's data set; and the paper does not say whether to normalise features is a part of the "
    "algorithm",
    words=SAID["algorithm-alone"],
    otherwise=_alike,
)
def _(paper: Paper, collapse: Record) -> Cell:
    runs = collapse.table[collapse.table["method"] == _NETWORK].sort_values(["train", "test", "seed"])
    normalised, given = (runs.loc[runs["normalised"] == one, "ndcg"].tolist() for one in (True, False))
    study = paper["results"].wide()
    rows = study[(study["dataset"] == "MSLR-WEB10K") & (study["metric"] == "NDCG@10")]
    printed = [Printed.parse(text).value for text in rows["value"]]
    return Difference(
        Measured.paired(normalised, given),
        "equal",
        (max(printed) - min(printed)) / 2,
        f"half of what separates the best and the worst of the study's {len(printed)} methods there",
        "the features make no difference",
    )
