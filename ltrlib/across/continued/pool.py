"""All results that we know, with source, convention and part of the data, and the families in which they compare."""

from __future__ import annotations

from collections.abc import Collection
from functools import cache

import pandas as pd

from ltrlib.across.continued.measures import (
    FIVE_FOLDS,
    FOLD_1,
    LETOR,
    METRICS,
    ONE_PART,
    UNSTATED,
    part_of,
    same_measure,
)
from ltrlib.across.our_runs.records import QUERIES
from ltrlib.metrics.ndcg_by_tool import conventions
from ltrlib.papers.tax2015.matrix import results
from ltrlib.published.printed import Printed
from ltrlib.published.tables import load_paper
from ltrlib.records.record import Record

__all__ = [
    "FAMILY",
    "LATER",
    "OURS",
    "OUR_DATASETS",
    "POOLED",
    "TABLE_B6",
    "b6_convention",
    "everything",
    "pool",
    "with_our_runs",
]

TABLE_B6, LATER, OURS = "Table B.6", "later", "our runs"
"""Where a result comes from."""

FAMILY = ["dataset", "part", "metric", "measure"]
"""What two results must share to be compared."""

POOLED = ["method", *FAMILY, "convention", "value", "spread", "kind", "publication", "year", "source", "place", "doubt"]
"""Columns of the pool."""

OUR_DATASETS = {
    "mq2008": "LETOR 4.0 MQ2008",
    "ohsumed": "LETOR 3.0 OHSUMED",
    "clueweb09-ltr": "ClueWeb09-LTR",
    "mslr-web10k-sample": "MSLR-WEB10K sample",
    "lightgbm-example": "LightGBM example",
}
"""The real data sets of our own runs, as Table B.6 names them where it has them."""

_MATRIX = "Tax et al. (2015), evaluation results"


def b6_convention(dataset: str) -> str:
    """The convention of Table B.6 on a data set: LETOR's tool on LETOR; elsewhere its sources do not state theirs.

    Examples
    --------
    >>> b6_convention("LETOR 4.0 MQ2008"), b6_convention("Yahoo Set 1")
    ('letor4', 'not stated')
    """
    return LETOR if dataset.startswith("LETOR ") else UNSTATED


@cache
def everything() -> pd.DataFrame:
    """List every result: those behind Table B.6, later ones down to single folds, and our own runs on real data.

    Returns
    -------
    pandas.DataFrame
        The columns of `POOLED` and ``pooled``: whether the result stands in `pool`, or is a fold whose mean does.

    Examples
    --------
    >>> counted = everything()["kind"].value_counts()
    >>> int(counted["Table B.6"]), int(counted["later"]) >= 2951
    (1050, True)
    """
    return with_our_runs(QUERIES.read())


def with_our_runs(record: Record) -> pd.DataFrame:
    """List every result as `everything` does, our own runs from a record that may be another.

    Parameters
    ----------
    record
        Of the form of ``own/queries``.
    """
    frame = pd.concat([_in_print(), _ours(record)], ignore_index=True)
    frame["measure"] = [
        _measure(*row) for row in zip(frame["metric"], frame["convention"], frame["publication"], strict=True)
    ]
    single = frame["part"].str.fullmatch(r"(fold|run) \d")
    per = ["publication", "method", "dataset", "metric", "convention"]
    has_mean = frame.groupby(per)["part"].transform(lambda parts: (parts == FIVE_FOLDS).any())
    alone = (frame["part"] == FOLD_1) & ~has_mean.astype(bool)
    return frame[POOLED].assign(pooled=~single | alone)


def pool(
    *,
    without_doubts: Collection[str] = (),
    kinds: Collection[str] = (TABLE_B6, LATER, OURS),
    among: pd.DataFrame | None = None,
) -> pd.DataFrame:
    """List the results that can be compared within their families; each method appears once in a family.

    Parameters
    ----------
    without_doubts
        Doubts about results behind Table B.6: codes of its table ``doubts``. These results are left out.
    kinds
        Which results: `TABLE_B6`, `LATER`, `OURS`.
    among
        `everything`, if not given.

    Examples
    --------
    >>> len(pool(kinds=["Table B.6"])), len(pool(kinds=["Table B.6"], without_doubts=["no-source"]))
    (1050, 1049)
    """
    # Codes are checked where the doubts are known.
    results(without_doubts=without_doubts)
    frame = everything() if among is None else among
    frame = frame[frame["pooled"] & frame["kind"].isin(list(kinds)) & ~frame["doubt"].isin(list(without_doubts))]
    return frame[POOLED].reset_index(drop=True)


def _measure(metric: str, convention: str, publication: str) -> str:
    known = same_measure(metric, convention)
    # What is not known well enough to be written down is compared within one publication only.
    return known if known != f"{metric}, {convention}" else f"{known}, {publication}"


@cache
def _in_print() -> pd.DataFrame:
    return pd.concat([_table_b6(), _later()], ignore_index=True)


def _table_b6() -> pd.DataFrame:
    table = results()
    return pd.DataFrame(
        {
            "method": table["method"],
            "dataset": table["dataset"],
            "part": [FIVE_FOLDS if b6_convention(name) == LETOR else ONE_PART for name in table["dataset"]],
            "metric": table["metric"],
            "convention": table["dataset"].map(b6_convention),
            "value": table["value"],
            "spread": "",
            "kind": TABLE_B6,
            "publication": _MATRIX,
            "year": "2015",
            "source": table["origin"],
            "place": "data/published/tax2015/results.csv",
            "doubt": table["doubt"],
        }
    )


def _later() -> pd.DataFrame:
    paper = load_paper("later")
    table, sources = paper["results"].wide(), paper["sources"]
    table["value"] = [Printed.parse(text).value for text in table["value"]]
    table["publication"] = [sources.text(source, "publication") for source in table["source"]]
    table = pd.concat([table, _means_of_folds(table)], ignore_index=True)
    keys = table["source"].str.replace(r"-\d+$", "", regex=True)
    # A publication may have two runs of one method; their files then tell them apart.
    per = ["publication", "method", "dataset", "convention"]
    repeated = table.duplicated([*per, "metric", "fold"], keep=False)
    twice = repeated.groupby([table[name] for name in per]).transform("any")
    return pd.DataFrame(
        {
            "method": table["method"] + " [" + keys.where(~twice, table["source"]) + "]",
            "dataset": table["dataset"],
            "part": table["fold"].map(part_of),
            "metric": table["metric"],
            "convention": table["convention"],
            "value": table["value"],
            "spread": table["spread"],
            "kind": LATER,
            "publication": table["publication"],
            "year": table["year"],
            "source": table["source"],
            "place": [
                _place(*(sources.text(source, name) for name in ("commit", "place"))) for source in table["source"]
            ],
            "doubt": "",
        }
    )


def _place(commit: str, place: str) -> str:
    return f"{place} @ {commit}" if commit else place


def _means_of_folds(table: pd.DataFrame) -> pd.DataFrame:
    """Average five folds where their source gives no mean."""
    per = ["publication", "method", "dataset", "metric", "convention"]
    folds = table.groupby(per, sort=False)["fold"].agg(set)
    missing = folds[folds.map(lambda found: found == {"1", "2", "3", "4", "5"})].index
    rows = table.set_index(per).loc[missing].reset_index().groupby(per, sort=False)
    means = rows.agg(value=("value", "mean"), year=("year", "first"), source=("source", "first")).reset_index()
    return means.assign(fold="computed", spread="")


def _ours(record: Record) -> pd.DataFrame:
    queries = record.table[record.table["dataset"].isin(list(OUR_DATASETS))]
    columns = [*METRICS, *conventions()]
    # As the publications do: the mean of the folds' means.
    means = queries.groupby(["dataset", "method", "fold"], sort=False)[columns].mean()
    folds = means.groupby(["dataset", "method"], sort=False)
    tidy = folds.mean().reset_index().melt(["dataset", "method"], columns, "column", "value").dropna(subset="value")
    several = folds.size().groupby("dataset").max() > 1
    scripts = {name: LETOR if title.startswith("LETOR ") else "mslr" for name, title in OUR_DATASETS.items()}
    by_script = tidy["column"].isin(METRICS)
    convention = tidy["column"].where(~by_script, tidy["dataset"].map(scripts))
    # The collection's own script stands among the conventions, too: once is enough.
    repeated = [
        not script and same_measure("NDCG@10", name) == same_measure("NDCG@10", scripts[dataset])
        for script, name, dataset in zip(by_script, tidy["column"], tidy["dataset"], strict=True)
    ]
    frame = pd.DataFrame(
        {
            "method": tidy["method"] + " [this book]",
            "dataset": tidy["dataset"].map(OUR_DATASETS),
            "part": tidy["dataset"].map(several).map({True: FIVE_FOLDS, False: ONE_PART}),
            "metric": tidy["column"].where(by_script, "NDCG@10"),
            "convention": convention,
            "value": tidy["value"],
            "spread": "",
            "kind": OURS,
            "publication": "this book",
            "year": "2026",
            "source": f"record {record.name}",
            "place": "data/results/own/queries.parquet",
            "doubt": "",
        }
    )
    return frame[[not twice for twice in repeated]]
