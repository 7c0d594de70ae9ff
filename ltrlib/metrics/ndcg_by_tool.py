"""One ranking under the NDCG@10 of every tool: which conventions differ, and what each gives."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ltrlib.metrics.metric import NDCG, Metric
from ltrlib.metrics.tools import TOOLS

if TYPE_CHECKING:
    from ltrlib.datasets.container import RankingData

__all__ = ["CUTOFF", "conventions", "ndcg_by_convention"]

CUTOFF = 10
"""Where the conventions are compared."""


def conventions() -> dict[str, tuple[str, ...]]:
    """NDCG conventions that differ: the first tool that has each, and all that share it.

    Examples
    --------
    >>> conventions()["yahoo"]
    ('yahoo', 'lightgbm')
    """
    alike: dict[Metric, list[str]] = {}
    for name, tool in TOOLS.items():
        metric = tool.template("ndcg", CUTOFF)
        if metric is not None:
            alike.setdefault(replace(metric, tool=None), []).append(name)
    return {names[0]: tuple(names) for names in alike.values()}


def ndcg_by_convention(
    data: RankingData, scores: NDArray[np.float64], *, highest: int
) -> dict[str, NDArray[np.float64]]:
    """NDCG@10 of each query under each convention.

    Parameters
    ----------
    data, scores
        Documents, and what a ranker gave them.
    highest
        Highest label of the data set, of which the data may be a part without it.

    Returns
    -------
    dict
        By convention; NaN where the tool leaves the query out, or has no gain for the data set's labels.

    Examples
    --------
    >>> from ltrlib.datasets.container import RankingData, Source
    >>> data = RankingData(np.zeros((3, 1), np.float32), np.array([0, 1, 0], np.int32), np.array([0, 2, 3]),
    ...                    np.array(["a", "b"]), None, Source("example"))
    >>> found = ndcg_by_convention(data, np.array([1.0, 2.0, 0.0]), highest=1)
    >>> found["yahoo"].tolist(), found["ranklib"].tolist()
    ([1.0, 1.0], [1.0, 0.0])
    """
    # Records name their columns by conventions: a page that reads them need not wait for the engine.
    from ltrlib.metrics.engine import evaluate_data

    metrics: dict[str, Metric] = {}
    for tool in conventions():
        metric = TOOLS[tool].template("ndcg", CUTOFF)
        if isinstance(metric, NDCG) and (isinstance(metric.gain, str) or len(metric.gain) > highest):
            metrics[tool] = metric
    found = evaluate_data(list(metrics.values()), data, scores)
    missing = np.full(data.n_queries, math.nan)
    return {tool: found[metrics[tool]].per_query if tool in metrics else missing for tool in conventions()}
