"""LambdaMART: boosted trees on the gradients of LambdaRank, with LightGBM's or with our own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from ltrlib.datasets.container import RankingData
from ltrlib.errors import UsageError
from ltrlib.metrics.metric import NDCG
from ltrlib.rankers.base import as_metric, need_preferences, positive
from ltrlib.rankers.boosting import BoostedTrees, Objective
from ltrlib.rankers.lambdas import NDCGLambdas

__all__ = ["LambdaMART"]


@dataclass(eq=False, kw_only=True)
class LambdaMART(BoostedTrees):
    """LambdaMART of Wu, Burges, Svore and Gao (2010).

    Parameters
    ----------
    trees, leaves, learning_rate, min_leaf, sampling, patience, metric, seed, n_jobs
        As in :class:`ltrlib.rankers.gbdt.GBDT`.
    lambdas
        ``"metric"``: gradients under the convention of ``metric``, which must be an NDCG; ``"lightgbm"``: the objective
        of LightGBM, with the cut-off of ``metric`` as its truncation level.
    sigmoid, normalise, tail
        As in :class:`ltrlib.rankers.lambdas.NDCGLambdas`; LightGBM's own objective always has the tail.
    backend
        ``"local"``: in this process; ``"dask"``: on the workers of a Dask cluster, see
        :mod:`ltrlib.rankers.distributed`. The two give models of the same quality, not the same bits.

    Examples
    --------
    >>> LambdaMART(metric="ndcg@10:letor4", lambdas="metric").lambdas
    'metric'
    """

    lambdas: Literal["metric", "lightgbm"] = "metric"
    sigmoid: float = 1.0
    normalise: bool = False
    tail: bool = True
    backend: Literal["local", "dask"] = "local"

    def _fit(self, train: RankingData, vali: RankingData | None) -> None:
        if self.backend == "local":
            super()._fit(train, vali)
        elif self.backend == "dask":
            from ltrlib.rankers.distributed import fit_on_dask

            fit_on_dask(self, train, vali)
        else:
            raise UsageError(f"backend={self.backend!r} is not known", cure="choose local or dask")

    def _objective(self, train: RankingData) -> tuple[str | Objective, dict[str, Any]]:
        positive(self, "sigmoid")
        need_preferences(train, "LambdaMART")
        metric = as_metric(self.metric)
        if self.lambdas == "lightgbm":
            longest = int(train.query_sizes.max())
            return "lambdarank", {
                "sigmoid": self.sigmoid,
                "lambdarank_norm": self.normalise,
                "lambdarank_truncation_level": metric.k or longest,
            }
        if self.lambdas != "metric":
            raise UsageError(f"lambdas={self.lambdas!r} is not known", cure="choose metric or lightgbm")
        if not isinstance(metric, NDCG):
            raise UsageError(
                f"there are no lambdas for {metric}", where="LambdaMART.fit", cure="use an NDCG, or lambdas='lightgbm'"
            )
        gradients = NDCGLambdas(metric, train, sigmoid=self.sigmoid, normalise=self.normalise, tail=self.tail)
        return lambda scores, _: gradients(scores), {}
