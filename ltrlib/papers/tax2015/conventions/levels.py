"""What the level of a printed NDCG tells about the tool that computed it.

On MQ2008 half of the queries have at most eight documents. LETOR 4.0's script gives them 0 from there on, so NDCG@10
is about half of NDCG@5; by any other tool it is higher. One look at the level tells the two apart.
"""

from __future__ import annotations

from functools import cache

import pandas as pd

from ltrlib.papers.tax2015.matrix import results
from ltrlib.published.printed import Printed
from ltrlib.published.tables import Paper, load_table
from ltrlib.records.record import read_any

__all__ = ["CUTOFFS", "TOOLS", "bands", "discount_effect", "falling", "nearest_tool", "sources_of", "study", "told"]

CUTOFFS = (3, 5, 10)
_SET = "LETOR 4.0 MQ2008"
_OTHER_SET = "LETOR 4.0 MQ2007"
_RECORDS = {"LETOR 4.0 MQ2008": "busafekete2012/mq2008-queries", "OHSUMED": "busafekete2012/ohsumed-queries"}

TOOLS = {"letor4": "LETOR 4.0's script", "ranklib": "RankLib", "yahoo": "Yahoo!'s script"}
"""The tools whose levels are compared."""


def sources_of(origin: str) -> frozenset[str]:
    """The publications that a result comes from.

    Examples
    --------
    >>> sorted(sources_of("Lai et al. (2013a); Lai et al. (2013b)"))
    ['Lai et al. (2013a)', 'Lai et al. (2013b)']
    """
    return frozenset(origin.split("; ")) if origin else frozenset()


def study(paper: Paper) -> pd.DataFrame:
    """The results of a transcription, as :func:`ltrlib.papers.tax2015.matrix.results` gives those of the study.

    Examples
    --------
    >>> from ltrlib.published.tables import load_paper
    >>> len(study(load_paper("tax2015")))
    1050
    """
    table = paper["results"].wide().rename(columns={"value": "printed"})
    return table.assign(value=[Printed.parse(text).value for text in table["printed"]])


def _ndcg(table: pd.DataFrame) -> pd.DataFrame:
    own = table.query("metric != 'MAP'").reset_index(drop=True)
    return own.assign(sources=own["origin"].map(sources_of))


@cache
def _measured(dataset: str) -> pd.DataFrame:
    """Mean NDCG of our six learners, trained under RankLib's NDCG, by tool and cut-off."""
    queries = read_any(_RECORDS[dataset]).table.query("trained_under == 'ranklib'")
    columns = [f"{tool}@{k}" for tool in ("letor4", "ranklib") for k in CUTOFFS]
    means = queries.groupby("learner")[columns].mean()
    empty = float(queries.drop_duplicates("query")["empty"].mean())
    # Yahoo!'s script gives 1 to queries without relevant documents, where RankLib gives 0.
    return means.assign(**{f"yahoo@{k}": means[f"ranklib@{k}"] + empty for k in CUTOFFS})


@cache
def bands() -> pd.DataFrame:
    """NDCG of our six learners on MQ2008: lowest and highest, by tool and cut-off.

    Examples
    --------
    >>> band = bands().set_index(["tool", "k"])
    >>> bool(band.loc[("letor4", 10), "highest"] < 0.3 < band.loc[("ranklib", 10), "lowest"])
    True
    """
    means = _measured(_SET)
    rows = [
        (tool, k, float(means[f"{tool}@{k}"].min()), float(means[f"{tool}@{k}"].max()))
        for tool in TOOLS
        for k in CUTOFFS
    ]
    return pd.DataFrame(rows, columns=["tool", "k", "lowest", "highest"])


def nearest_tool(value: float, k: int) -> str:
    """The tool whose learners come nearest to a value on MQ2008."""
    rows = bands().query("k == @k").to_dict("records")
    return str(min(rows, key=lambda row: max(row["lowest"] - value, value - row["highest"], 0.0))["tool"])


def told(table: pd.DataFrame | None = None) -> pd.DataFrame:
    """The NDCG results on MQ2008, with the tool that their level tells; blank where it does not.

    At cut-off 10 it is the tool whose level is nearest. At 3 and 5 tools are too near each other, so a result is of the
    tool that its method has at 10 by the same source.
    """
    own = _ndcg(results() if table is None else table).query("dataset == @_SET").reset_index(drop=True)
    at_ten = {
        row["method"]: (row["sources"], nearest_tool(row["value"], 10))
        for row in own.query("metric == 'NDCG@10'").to_dict("records")
    }
    tools = []
    for row in own.to_dict("records"):
        sources, tool = at_ten.get(row["method"], (frozenset(), ""))
        tools.append(tool if sources & row["sources"] else "")
    return own.assign(tool=tools)


@cache
def discount_effect() -> dict[str, float]:
    """By how much, relative, RankLib's discount moves NDCG against LETOR's at most: our learners, MQ2008 and OHSUMED.

    At 10 the short queries of MQ2008 would count too; the effect of the discount falls with the cut-off, so the one at
    5 is taken.

    Examples
    --------
    >>> {metric: round(effect, 2) for metric, effect in discount_effect().items()}
    {'NDCG@3': 0.04, 'NDCG@5': 0.04, 'NDCG@10': 0.04}
    """
    found = {}
    for k in CUTOFFS[:2]:
        ratios = [_measured(name)[f"ranklib@{k}"] / _measured(name)[f"letor4@{k}"] - 1 for name in _RECORDS]
        found[f"NDCG@{k}"] = float(max(ratio.abs().max() for ratio in ratios))
    return {**found, "NDCG@10": found["NDCG@5"]}


@cache
def falling() -> pd.DataFrame:
    """How NDCG changes from cut-off 3 to 10 on MQ2007, by method; by two sources for Linear Regression.

    Returns
    -------
    DataFrame
        method, source, change; lowest first.
    """
    own = _ndcg(results()).query("dataset == @_OTHER_SET")
    rows = []
    for method in sorted(set(own["method"])):
        values = {row["metric"]: row for row in own[own["method"] == method].to_dict("records") if row["origin"]}
        if {"NDCG@3", "NDCG@10"} <= set(values):
            change = values["NDCG@10"]["value"] - values["NDCG@3"]["value"]
            rows.append((method, values["NDCG@10"]["origin"], change))
    other = load_table("liu2011", "evaluation_results").wide()
    other = other[other["source"].str.startswith("torkestani2012b") & other["dataset"].str.endswith("MQ2007")]
    for method in ("Linear Regression", "RankSVM-Struct"):
        own_rows = other[other["method"] == method]
        at = dict(zip(own_rows["metric"], own_rows["value"].astype(float), strict=True))
        rows.append((method, "Torkestani (2012b), beside its own", at["NDCG@10"] - at["NDCG@3"]))
    return pd.DataFrame(rows, columns=["method", "source", "change"]).sort_values("change", ignore_index=True)
