"""LambdaMART on a Dask cluster, by LightGBM's own Dask ranker: for training data that outgrow one machine.

Each worker holds some of the queries, always whole ones, and computes the gradients of its own documents; the workers
add up their histograms and so grow the same tree. The bins are found from samples of each worker's rows and sums are
added in another order than in one process: the model has the same quality, but it is not bit for bit the same, nor
need two runs agree.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ltrlib.datasets.container import RankingData, Source
from ltrlib.errors import UsageError
from ltrlib.metrics.engine import Evaluator
from ltrlib.metrics.metric import NDCG
from ltrlib.rankers.base import as_metric
from ltrlib.rankers.lambdas import NDCGLambdas

if TYPE_CHECKING:
    from distributed import Client

    from ltrlib.rankers.lambdamart import LambdaMART

__all__ = ["QueryLambdas", "fit_on_dask", "split_queries"]


@dataclass
class QueryLambdas:
    """The gradients of :class:`ltrlib.rankers.lambdas.NDCGLambdas` as LightGBM's Dask ranker asks for them.

    The object travels to the workers; each works out the ideal orders of its own queries on the first call.

    Examples
    --------
    >>> gradients = QueryLambdas(NDCG(10), sigmoid=1.0, normalise=False, tail=True)
    >>> gradient, hessian = gradients(np.array([0, 1]), np.zeros(2), None, np.array([2]))
    >>> gradient.round(4)
    array([ 0.1845, -0.1845])
    """

    metric: NDCG
    sigmoid: float
    normalise: bool
    tail: bool
    _lambdas: NDCGLambdas | None = field(default=None, init=False, repr=False)

    def __call__(
        self, labels: NDArray[Any], scores: NDArray[np.float64], weights: object, sizes: NDArray[Any]
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Gradient and hessian of each document of this worker."""
        if self._lambdas is None:
            offsets = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
            queries = np.arange(len(sizes)).astype(np.str_)
            nothing = np.zeros((len(labels), 1), np.float32)
            part = RankingData(nothing, np.asarray(labels, np.int32), offsets, queries, None, Source("a worker's part"))
            self._lambdas = NDCGLambdas(
                self.metric, part, sigmoid=self.sigmoid, normalise=self.normalise, tail=self.tail
            )
        return self._lambdas(scores)


def split_queries(query_offsets: NDArray[np.int64], parts: int) -> NDArray[np.int64]:
    """Cut the queries into at most ``parts`` runs with about as many documents each; none is empty.

    Returns
    -------
    ndarray
        The first query of each run, and the number of queries.

    Examples
    --------
    >>> split_queries(np.array([0, 10, 12, 14, 20]), 2)
    array([0, 1, 4])
    """
    wanted = np.linspace(0, query_offsets[-1], parts + 1)
    return np.unique(np.abs(query_offsets[:, None] - wanted[None, :]).argmin(axis=0)).astype(np.int64)


def fit_on_dask(ranker: LambdaMART, train: RankingData, vali: RankingData | None) -> None:
    """Fit a LambdaMART on the workers of the present Dask client.

    The validation part stays here: early stopping is not part of LightGBM's Dask ranker, so all trees are grown and
    those kept that one process would have kept.
    """
    from lightgbm import DaskLGBMRanker

    client = _present_client()
    params = ranker._params(train)
    if callable(params["objective"]):
        metric = as_metric(ranker.metric)
        assert isinstance(metric, NDCG)  # LambdaMART has checked it
        params["objective"] = QueryLambdas(metric, ranker.sigmoid, ranker.normalise, ranker.tail)
    del params["num_threads"]
    features, labels, sizes = _collections(client, train)
    model = DaskLGBMRanker(client=client, n_estimators=ranker.trees, **params)
    with warnings.catch_warnings():
        # LightGBM warns whether or not n_jobs was given: each worker uses the threads that it was started with.
        warnings.filterwarnings("ignore", "Parameter n_jobs will be ignored")
        booster = model.fit(features, labels, group=sizes).booster_
    ranker._keep(booster, [] if vali is None else _validate(booster, ranker, vali))


def _present_client() -> Client:
    from distributed import Client

    try:
        client: Client = Client.current()  # type: ignore[no-untyped-call]
    except ValueError:
        raise UsageError(
            "there is no Dask client",
            where="LambdaMART(backend='dask')",
            cure="start one first: distributed.Client('tcp://…') for a cluster, distributed.Client() for this machine",
        ) from None
    return client


def _collections(client: Client, train: RankingData) -> tuple[Any, Any, Any]:
    """Features, labels and query sizes as Dask arrays whose pieces lie on the workers, whole queries in each."""
    import dask.array as da

    workers = sorted(client.scheduler_info(n_workers=-1)["workers"])
    cuts = split_queries(train.query_offsets, len(workers))
    columns: tuple[list[Any], list[Any], list[Any]] = [], [], []
    for worker, first, last in zip(workers, cuts[:-1], cuts[1:], strict=False):
        rows = slice(train.query_offsets[first], train.query_offsets[last])
        # One piece at a time goes over the wire: a memory map never has to fit into this process.
        arrays: list[NDArray[Any]] = [
            np.asarray(train.features[rows]),
            train.labels[rows],
            train.query_sizes[first:last],
        ]
        # Names of their own: equal content under one name is lost when an earlier fit gives its own up at that moment.
        futures: list[Any] = client.scatter(arrays, workers=[worker], hash=False)  # type: ignore[no-untyped-call]
        for column, future, array in zip(columns, futures, arrays, strict=True):
            column.append(da.from_delayed(future, array.shape, array.dtype))  # type: ignore[no-untyped-call]
    features, labels, sizes = (da.concatenate(column) for column in columns)  # type: ignore[no-untyped-call]
    return features, labels, sizes


def _validate(booster: Any, ranker: LambdaMART, vali: RankingData) -> list[float]:
    """The metric on the validation part after each tree, as far as one process would have gone on."""
    metric = as_metric(ranker.metric)
    evaluator = Evaluator(metric, vali.labels, vali.query_offsets)
    scores = np.zeros(vali.n_docs)
    values: list[float] = []
    for tree in range(booster.current_iteration()):
        scores += booster.predict(vali.features, raw_score=True, start_iteration=tree, num_iteration=1, num_threads=1)
        values.append(float(np.nan_to_num(evaluator(scores)[metric].mean)))
        if ranker.patience is not None and tree - int(np.argmax(values)) >= ranker.patience:
            break
    return values
