"""What the chapter on Table 1 of Köppel et al. (2019) trains while the page is built."""

from __future__ import annotations

import json
import math

import pandas as pd

from ltrlib.papers.koppel2019.table1.records import OTHER_COLUMNS
from ltrlib.papers.koppel2019.table1.runs import OTHERS, other_specs
from ltrlib.papers.koppel2019.table1.tables import recorded_refit, rows_for
from ltrlib.papers.koppel2019.table1.trainings import FOLDS, compute
from ltrlib.records.record import read_record

__all__ = ["live_fold", "live_point", "live_table"]


def live_fold(dataset: str, *, fold: int = 1) -> pd.DataFrame:
    """Train AdaRank under the paper's protocol, on all folds of MQ2008 or on one of another set.

    Parameters
    ----------
    dataset
        The record is shown beside MQ2008 only.
    fold
        Which fold of another set.

    Examples
    --------
    >>> live_fold("standin/mq2008").columns.tolist()
    ['fold', 'NDCG@10', 'recorded NDCG@10', 'MAP', 'recorded MAP']
    """
    own = rows_for(recorded_refit().table, "AdaRank", "ndcg").set_index("fold") if dataset == "mq2008" else None
    rows = []
    for number in FOLDS if own is not None else (fold,):
        spec = next(one for one in other_specs(dataset, folds=[number]) if one["method"] == "AdaRank")
        if own is not None:
            point = json.loads(str(own["parameters"].loc[number]))
            spec = {"job": "refit", "dataset": dataset, "method": "AdaRank", "point": point, "fold": number, "seed": 0}
        found = compute(spec)
        recorded = {name: math.nan if own is None else float(own[name].loc[number]) for name in ("ndcg", "map")}
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
    """Train DirectRanker at one point of the grid on one fold; NDCG@10 and MAP of the test part under both protocols.

    Examples
    --------
    >>> list(live_point("standin/mq2008", fold=1, hidden=10, dropout=0.0, l2=0.0, seed=0))[:4]
    ['ndcg', 'map', 'ndcg_all', 'map_all']
    """
    point = {"hidden": [hidden], "dropout": dropout, "l2": l2}
    spec = {"job": "refit", "dataset": dataset, "method": "DirectRanker", "point": point, "fold": fold, "seed": seed}
    return compute(spec)


def live_table(dataset: str, *, fold: int = 1, scale: float = 1.0) -> pd.DataFrame:
    """Every method at its first point on one fold; for MQ2008, the record of data that are not the paper's.

    Examples
    --------
    >>> sorted(live_table("mq2008")["dataset"].unique())
    ['mslr-web10k-sample', 'standin/mq2007', 'standin/mslr']
    """
    if dataset.removeprefix("standin/") == "mq2008":
        table = read_record("koppel2019/other", OTHER_COLUMNS).table.drop(columns="fold")
    else:
        specs = other_specs(dataset, folds=[fold], scale=OTHERS.get(dataset, scale) if scale == 1.0 else scale)
        rows = [{"dataset": dataset, "method": spec["method"]} | compute(spec) for spec in specs]
        table = pd.DataFrame(rows).drop(columns="seconds")
    titles = {"ndcg": "NDCG@10", "map": "MAP", "ndcg_all": "NDCG@10, all queries", "map_all": "MAP, all queries"}
    return table.rename(columns=titles)
