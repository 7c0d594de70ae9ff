"""What the page on Tables 1 and 2 of Köppel et al. (2019) says first, and the numbers of its live part."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pandas as pd

from ltrlib.claims.claim import Outcome
from ltrlib.papers.koppel2019.paper.page import IN_WORDS
from ltrlib.papers.koppel2019.table1.records import COLLAPSE, REFIT
from ltrlib.papers.koppel2019.table1.tables import random_levels, table1, unbroken, with_error
from ltrlib.published.names import name
from ltrlib.published.tables import load_table

__all__ = ["live_numbers", "numbers_of_weights", "of_metric", "random_level", "summary", "weights_table"]


def summary(outcomes: Sequence[Outcome]) -> list[str]:
    """The page in three sentences.

    Parameters
    ----------
    outcomes
        Checked claims, ``table1.mq2008-ndcg`` among them.

    Examples
    --------
    >>> from ltrlib.claims.registry import claims
    >>> len(summary([claim.check() for claim in claims("koppel2019", "table1")]))
    3
    """
    (direct,) = (one for one in outcomes if one.claim.id == "koppel2019.table1.mq2008-ndcg")
    printed, refit = load_table("koppel2019", "table1"), REFIT.read().table
    means = COLLAPSE.read().table.groupby(["normalised", "method"])["ndcg"].mean()
    raw, alike = means[False], means[True]
    return [
        f"On MQ2008, DirectRanker's NDCG@10 is {printed.text('DirectRanker', 'mq2008_ndcg')} in Table 1 and "
        f"{unbroken(with_error(refit, 'DirectRanker', 'ndcg'))} in our rerun with the paper's protocol: "
        f"{IN_WORDS[direct.verdict]}.",
        "Scored on graded labels and all queries, the same models have "
        f"{unbroken(with_error(refit, 'DirectRanker', 'ndcg_all'))}. ES-Rank, in the same column of Table 1, has "
        f"{printed.text('ES-Rank', 'mq2008_ndcg')}: the two rows seem to come from two protocols.",
        f"On raw features of MSLR-WEB10K, RankNet scores {raw['RankNet']:.3f} and ListNet {raw['ListNet']:.3f}; the "
        f"paper prints {printed.text('RankNet', 'mslr_ndcg')} and {printed.text('ListNet', 'mslr_ndcg')}. All are near "
        f"a random order ({random_level('mslr-web10k-sample'):.3f}). On normalised features of the same documents they "
        f"reach {alike['RankNet']:.3f} and {alike['ListNet']:.3f}.",
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


def weights_table(tests: pd.DataFrame) -> pd.DataFrame:
    """The tests of :func:`~ltrlib.papers.koppel2019.table1.tables.emphasis_tests` with the names of the data sets."""
    shown = tests.assign(dataset=tests["dataset"].map(lambda key: name("data", key)))
    return shown.rename(columns={"dataset": "data"})


def live_numbers(found: Mapping[str, float], **point: float) -> dict[str, str]:
    """The DirectRanker that was trained while the page was made: its point and its two numbers.

    Examples
    --------
    >>> live_numbers({"ndcg": 0.7, "map": 0.6}, hidden=20, dropout=0.5, l2=0.001, seed=0)["live-point"]
    '20 hidden units, dropout 0.5, L2 0.001, seed 0'
    """
    words = f"{point['hidden']} hidden units, dropout {point['dropout']}, L2 {point['l2']}, seed {point['seed']}"
    return {"live-point": words, "live-ndcg": f"{found['ndcg']:.4f}", "live-map": f"{found['map']:.4f}"}
