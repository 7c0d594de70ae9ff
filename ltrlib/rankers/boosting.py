"""Boosted regression trees by LightGBM: what GBDT and LambdaMART share."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import lightgbm
import numpy as np
from numpy.typing import NDArray

from ltrlib.datasets.container import RankingData
from ltrlib.metrics.engine import Evaluator
from ltrlib.metrics.metric import Metric
from ltrlib.progress import progress
from ltrlib.rankers.base import Ranker, as_metric, positive

__all__ = ["BoostedTrees"]

Objective = Callable[[NDArray[np.float64], Any], tuple[NDArray[np.float64], NDArray[np.float64]]]


@dataclass(eq=False, kw_only=True)
class BoostedTrees(Ranker):
    """Trees, one after the other, each fitted to what the sum of those before it lacks.

    The defaults are RankLib's: 1,000 trees of 10 leaves, rate 0.1, leaves of any size, stop after 100 trees without
    a better validation metric.

    Attributes
    ----------
    booster_
        The model in LightGBM's text format, cut off behind the best tree.
    vali_score_
        The metric on the validation part after each tree.
    n_trees_
        Number of trees kept.
    """

    trees: int = 1000
    leaves: int = 10
    learning_rate: float = 0.1
    min_leaf: int = 1
    sampling: float = 1.0
    patience: int | None = 100
    metric: Metric | str = "ndcg@10:ranklib"
    seed: int = 0
    n_jobs: int = 1

    @abstractmethod
    def _objective(self, train: RankingData) -> tuple[str | Objective, dict[str, Any]]:
        """LightGBM's name of the objective or a function for the gradients, and more parameters."""

    def _targets(self, labels: NDArray[np.int32]) -> NDArray[Any]:
        return labels

    def _params(self, train: RankingData) -> dict[str, Any]:
        """Parameters of LightGBM for this training part."""
        positive(self, "trees", "learning_rate", "min_leaf", "sampling", *(["patience"] if self.patience else []))
        objective, more = self._objective(train)
        return {
            "objective": objective,
            "num_leaves": self.leaves,
            "learning_rate": self.learning_rate,
            "min_data_in_leaf": self.min_leaf,
            # Hessians of lambdas are small; LightGBM's default would refuse most leaves.
            "min_sum_hessian_in_leaf": 1e-10,
            "min_data_in_bin": 1,
            "feature_pre_filter": False,
            "bagging_fraction": self.sampling,
            "bagging_freq": int(self.sampling < 1.0),
            "seed": self.seed,
            "num_threads": self.n_jobs,
            "deterministic": True,
            "force_row_wise": True,
            "verbosity": -1,
            "metric": "none",
            **more,
        }

    def _fit(self, train: RankingData, vali: RankingData | None) -> None:
        params = self._params(train)
        dataset = lightgbm.Dataset(train.features, self._targets(train.labels), group=train.query_sizes)
        bar = progress(total=self.trees, what=type(self).__name__, unit="tree")
        callbacks: list[Callable[..., Any]] = [lambda _: bar.update()]
        recorded: dict[str, Any] = {}
        valid: list[Any] = []
        feval = None
        if vali is not None:
            metric = as_metric(self.metric)
            evaluator = Evaluator(metric, vali.labels, vali.query_offsets)
            # Nothing to choose by when every query is left out: NaN would stop at once.
            feval = lambda scores, _: ("metric", np.nan_to_num(evaluator(scores)[metric].mean), True)  # noqa: E731
            valid = [lightgbm.Dataset(vali.features, self._targets(vali.labels), reference=dataset)]
            callbacks.append(lightgbm.record_evaluation(recorded))
            if self.patience is not None:
                callbacks.append(lightgbm.early_stopping(self.patience, verbose=False))
        with bar:
            booster = lightgbm.train(
                params, dataset, num_boost_round=self.trees, valid_sets=valid, feval=feval, callbacks=callbacks
            )
        self._keep(booster, recorded.get("valid_0", {}).get("metric", []))

    def _keep(self, booster: Any, values: Sequence[float]) -> None:
        """Keep the trees up to the best validation metric, or all where there are no values."""
        self.vali_score_ = np.array(values, np.float64)
        self.n_trees_ = int(np.argmax(values)) + 1 if len(values) else booster.current_iteration()
        self.booster_ = booster.model_to_string(num_iteration=self.n_trees_)
        self._loaded: tuple[str, Any] | None = None

    def _predict(self, features: NDArray[np.float32]) -> NDArray[np.float64]:
        # Always from the text, so that a model that was saved and read predicts the same.
        loaded = getattr(self, "_loaded", None)
        if loaded is None or loaded[0] is not self.booster_:
            loaded = self._loaded = self.booster_, lightgbm.Booster(model_str=self.booster_)
        return np.asarray(loaded[1].predict(features, raw_score=True, num_threads=self.n_jobs), np.float64)
