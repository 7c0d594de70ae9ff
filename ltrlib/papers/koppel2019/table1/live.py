"""What the chapter on Table 1 of Köppel et al. (2019) trains while the page is built."""

from __future__ import annotations

import json
import math

import pandas as pd

from ltrlib.papers.koppel2019.table1.methods import METHODS
from ltrlib.papers.koppel2019.table1.records import OTHER, REFIT
from ltrlib.papers.koppel2019.table1.runs import FOLDS, OTHERS, train_first_point, train_point
from ltrlib.papers.koppel2019.table1.tables import rows_for

__all__ = ["live_fold", "live_point", "live_table"]


def live_fold(dataset: str, *, fold: int = 1) -> pd.DataFrame:
    """Train AdaRank under the paper's protocol, on all folds of MQ2008 or on one of another set.

    Parameters
    ----------
    dataset
        The record is shown beside MQ2008 only.
    fold
        Which fold of another set.
    """
    own = rows_for(REFIT.read().table, "AdaRank", "ndcg").set_index("fold") if dataset == "mq2008" else None
    rows = []
    for number in FOLDS if own is not None else (fold,):
        if own is None:
            found, recorded = train_first_point(dataset, "AdaRank", fold=number), {"ndcg": math.nan, "map": math.nan}
        else:
            point = json.loads(str(own["parameters"].loc[number]))
            found = train_point(dataset, "AdaRank", point, fold=number, seed=0)
            recorded = {name: float(own[name].loc[number]) for name in ("ndcg", "map")}
        rows.append(
            {
                "fold": str(number),
                "NDCG@10": found["ndcg"],
                "recorded NDCG@10": recorded["ndcg"],
                "MAP": found["map"],
                "recorded MAP": recorded["map"],
            }
        )
    table = pd.DataFrame(rows)
    if len(table) > 1:
        table.loc[len(table)] = {"fold": "mean"} | table.drop(columns="fold").mean().to_dict()
    return table


def live_point(dataset: str, *, fold: int, hidden: int, dropout: float, l2: float, seed: int) -> dict[str, float]:
    """Train DirectRanker at one point on one fold; NDCG@10 and MAP of the test part under both protocols."""
    point = {"hidden": [hidden], "dropout": dropout, "l2": l2}
    return train_point(dataset, "DirectRanker", point, fold=fold, seed=seed)


def live_table(dataset: str, *, fold: int = 1, scale: float = 1.0) -> pd.DataFrame:
    """Every method at its first point on one fold; for MQ2008, the record of data that the paper does not have."""
    if dataset.removeprefix("standin/") == "mq2008":
        table = OTHER.read().table.drop(columns="fold")
    else:
        size = OTHERS.get(dataset, scale) if scale == 1.0 else scale
        table = pd.DataFrame(
            [
                {"dataset": dataset, "method": method} | train_first_point(dataset, method, fold=fold, scale=size)
                for method in METHODS
            ]
        )
    titles = {"ndcg": "NDCG@10", "map": "MAP", "ndcg_all": "NDCG@10, all queries", "map_all": "MAP, all queries"}
    return table.rename(columns=titles)
