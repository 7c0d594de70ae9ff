"""Protects LambdaMART on a Dask cluster of two worker processes: as good as in one process, if not the same bits."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ltrlib.datasets.container import RankingData
from ltrlib.errors import UsageError
from ltrlib.metrics.engine import evaluate_data
from ltrlib.metrics.metric import NDCG
from ltrlib.rankers import LambdaMART, Ranker
from ltrlib.rankers.distributed import QueryLambdas, split_queries
from ltrlib.rankers.lambdas import NDCGLambdas
from tests.helpers.rankers import learnable

SEEDS = 6


@pytest.fixture(scope="module")
def cluster() -> Iterator[None]:
    from distributed import Client, LocalCluster

    options = {"n_workers": 2, "threads_per_worker": 1, "processes": True, "dashboard_address": "127.0.0.1:0"}
    with LocalCluster(host="127.0.0.1", **options) as here, Client(here):  # type: ignore[no-untyped-call]
        yield


def ndcg(ranker: Ranker, data: RankingData) -> float:
    return float(evaluate_data("ndcg@10", data, ranker.predict(data.features))["ndcg@10"].mean)


def test_without_a_client_there_is_a_clear_error() -> None:
    # First in this file: the fixture's client lives on until the last test.
    with pytest.raises(UsageError, match="there is no Dask client"):
        LambdaMART(backend="dask").fit(learnable(0))
    with pytest.raises(UsageError, match="choose local or dask"):
        LambdaMART(backend="spark").fit(learnable(0))  # type: ignore[arg-type]


@pytest.mark.parametrize("lambdas", ["metric", "lightgbm"])
def test_two_workers_are_as_good_as_one_process(cluster: None, lambdas: Literal["metric", "lightgbm"]) -> None:
    """The means over seeds, each with its own sample of rows, lie within the spread that seeds alone make.

    Half of the data on one worker alone is worse by more than that, so a worker whose rows were lost would be seen.
    """
    train, test = learnable(0, n_queries=120, n_features=10), learnable(1, n_queries=400, n_features=10)
    values: dict[str, list[float]] = {"local": [], "dask": []}
    for backend in values:
        for seed in range(SEEDS):
            model = LambdaMART(
                trees=30,
                sampling=0.7,
                seed=seed,
                lambdas=lambdas,
                backend=backend,  # type: ignore[arg-type]
            )
            values[backend].append(ndcg(model.fit(train), test))
    spread = np.std(values["local"], ddof=1)
    difference = np.mean(values["dask"]) - np.mean(values["local"])
    # Both means are of SEEDS runs: three standard errors of their difference.
    assert abs(difference) < 3 * spread * np.sqrt(2 / SEEDS), (values, spread)


def test_the_validation_part_chooses_the_trees_as_in_one_process(cluster: None, tmp_path: Path) -> None:
    train, vali = learnable(0, n_queries=60), learnable(1, n_queries=20)
    model = LambdaMART(trees=60, patience=5, backend="dask").fit(train, vali)
    assert model.n_trees_ == int(np.argmax(model.vali_score_)) + 1
    assert len(model.vali_score_) == min(60, model.n_trees_ + 5)
    value = evaluate_data(model.metric, vali, model.predict(vali.features))[model.metric].mean
    assert value == pytest.approx(model.vali_score_.max(), abs=1e-12)
    # A model from a cluster is saved, read and used without one.
    model.save(tmp_path / "model.npz")
    loaded = Ranker.load(tmp_path / "model.npz")
    assert loaded.get_params()["backend"] == "dask"
    np.testing.assert_array_equal(loaded.predict(vali.features), model.predict(vali.features))


def test_fewer_queries_than_workers(cluster: None) -> None:
    data = learnable(0, n_queries=1)
    assert np.isfinite(LambdaMART(trees=3, backend="dask").fit(data).predict(data.features)).all()


def test_gradients_on_the_workers_are_those_of_one_process() -> None:
    """Each worker sees some of the queries; put together they are the gradients of all."""
    data = learnable(0)
    rng = np.random.default_rng(0)
    scores = rng.normal(size=data.n_docs)
    settings = {"sigmoid": 2.0, "normalise": True, "tail": False}
    whole = NDCGLambdas(NDCG(5), data, **settings)(scores)  # type: ignore[arg-type]
    cuts = split_queries(data.query_offsets, 2)
    parts = []
    for first, last in itertools.pairwise(cuts):
        rows = slice(data.query_offsets[first], data.query_offsets[last])
        lambdas = QueryLambdas(NDCG(5), **settings)  # type: ignore[arg-type]
        parts.append(lambdas(data.labels[rows], scores[rows], None, data.query_sizes[first:last]))
    for one, several in zip(whole, zip(*parts, strict=True), strict=True):
        np.testing.assert_array_equal(np.concatenate(several), one)


@given(st.lists(st.integers(1, 50), min_size=1, max_size=40), st.integers(1, 12))
def test_cuts_keep_queries_whole_and_pieces_even(sizes: list[int], parts: int) -> None:
    offsets = np.concatenate([[0], np.cumsum(sizes)])
    cuts = split_queries(offsets, parts)
    assert cuts[0] == 0
    assert cuts[-1] == len(sizes)
    assert (np.diff(cuts) > 0).all()
    assert len(cuts) <= parts + 1
    documents = np.diff(offsets[cuts])
    assert documents.max() <= offsets[-1] / parts + max(sizes)
