"""What the page on Tables 1 and 2 of Köppel et al. (2019) says first, and the numbers of its live part."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd

from ltrlib.papers.koppel2019.table1.records import COLLAPSE, REFIT
from ltrlib.papers.koppel2019.table1.tables import random_levels, table1, with_error
from ltrlib.published.tables import load_table

__all__ = ["live_numbers", "numbers_of_weights", "of_metric", "random_level", "summary"]


def summary() -> list[str]:
    """The page in three sentences.

    Examples
    --------
    >>> len(summary())
    3
    """
    printed, refit = load_table("koppel2019", "table1"), REFIT.read().table
    raw = COLLAPSE.read().table.query("not normalised").groupby("method")["ndcg"].mean()
    return [
        f"On MQ2008, DirectRanker's NDCG@10 is {printed.text('DirectRanker', 'mq2008_ndcg')} in Table 1 and "
        f"{with_error(refit, 'DirectRanker', 'ndcg')} in our rerun with the paper's protocol.",
        "Scored on graded labels and all queries, the same models have "
        f"{with_error(refit, 'DirectRanker', 'ndcg_all')}. ES-Rank, in the same column of Table 1, has "
        f"{printed.text('ES-Rank', 'mq2008_ndcg')}: the two rows seem to come from two protocols.",
        f"On raw features of MSLR-WEB10K, RankNet has {raw['RankNet']:.3f} and ListNet {raw['ListNet']:.3f}, little "
        f"more than a random order ({random_level('mslr-web10k-sample'):.3f}). Normalising the features cures it.",
    ]


def random_level(dataset: str) -> float:
    """NDCG@10 of a random order under the paper's protocol.

    Examples
    --------
    >>> 0.4 < random_level("mq2008") < 0.6
    True
    """
    return float(random_levels()["ndcg"][dataset])


def of_metric(refit: pd.DataFrame, metric: str) -> pd.DataFrame:
    """The rows of Table 1 in one metric: published and ours."""
    table = table1(refit)
    return table[table["metric"] == metric]


def numbers_of_weights(tests: pd.DataFrame) -> dict[str, str]:
    """Numbers of the prose on LambdaRank's weights.

    Examples
    --------
    >>> from ltrlib.papers.koppel2019.table1.tables import emphasis_tests
    >>> list(numbers_of_weights(emphasis_tests()))
    ['all-classes-gain']
    """
    return {"all-classes-gain": tests.set_index(["dataset", "variant"])["difference"]["mq2008", "all classes"]}


def live_numbers(found: Mapping[str, float], **point: float) -> dict[str, str]:
    """The DirectRanker that was trained while the page was made: its point and its two numbers.

    Examples
    --------
    >>> live_numbers({"ndcg": 0.7, "map": 0.6}, hidden=20, dropout=0.5, l2=0.001, seed=0)["live-point"]
    '20 hidden units, dropout 0.5, L2 0.001, seed 0'
    """
    words = f"{point['hidden']} hidden units, dropout {point['dropout']}, L2 {point['l2']}, seed {point['seed']}"
    return {"live-point": words, "live-ndcg": f"{found['ndcg']:.4f}", "live-map": f"{found['map']:.4f}"}
