"""Evaluate rankings: arrays in, per-query values and means out, any number of metrics in one pass per tie rule."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ltrlib.errors import UsageError
from ltrlib.metrics.convention import Precision, Ties
from ltrlib.metrics.formulas import per_query
from ltrlib.metrics.ids import IdOrder
from ltrlib.metrics.judgments import Documents, cut
from ltrlib.metrics.metric import KendallTau, Metric
from ltrlib.metrics.notation import parse, parse_many
from ltrlib.metrics.ranking import rank

if TYPE_CHECKING:
    from ltrlib.datasets.container import RankingData

__all__ = ["Evaluation", "Evaluator", "MetricValues", "evaluate", "evaluate_data"]


@dataclass(frozen=True, eq=False)
class MetricValues:
    """One metric of one ranking: a value per query (NaN where the query is left out), and their mean.

    The mean is the exactly rounded sum divided by the number of queries that count: it does not depend on the order
    of the queries.

    Examples
    --------
    >>> MetricValues(np.array([1.0, np.nan, 0.5])).mean
    0.75
    """

    per_query: NDArray[np.float64]
    adds_up: bool = False

    @property
    def counted(self) -> NDArray[np.float64]:
        """Values of the queries that count."""
        return self.per_query[~np.isnan(self.per_query)]

    @property
    def mean(self) -> float:
        """Mean over the queries that count; NaN when none does."""
        counted = self.counted
        return math.fsum(counted.tolist()) / counted.size if counted.size else math.nan

    @property
    def standard_error(self) -> float:
        """Standard error of the mean over queries; NaN for fewer than two."""
        counted = self.counted
        return float(counted.std(ddof=1)) / math.sqrt(counted.size) if counted.size > 1 else math.nan

    @property
    def overall(self) -> float:
        """What tools print for all queries: the mean, of counts the sum."""
        return math.fsum(self.counted.tolist()) if self.adds_up else self.mean


class Evaluation(Mapping[Metric, MetricValues]):
    """Values of several metrics; a metric or its text is the key.

    Examples
    --------
    >>> evaluate("p@1", [1, 0], [2.0, 1.0], [0, 2])["p@1"].mean
    1.0
    """

    def __init__(self, values: Mapping[Metric, MetricValues]) -> None:
        self._values = dict(values)

    def __getitem__(self, metric: Metric | str) -> MetricValues:
        return self._values[parse(metric) if isinstance(metric, str) else metric]

    def __iter__(self) -> Iterator[Metric]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __repr__(self) -> str:
        means = ", ".join(f"{metric}: {values.mean:.4f}" for metric, values in self.items())
        return f"{type(self).__name__}({means})"


class Evaluator:
    """Metrics and labels, ready to score any number of rankings of the same documents.

    Parameters
    ----------
    metrics
        Metrics or their text forms (``"ndcg@1..10"`` makes ten).
    labels
        Whole numbers from 0 up, one per document.
    query_offsets
        Where each query starts, and the end: its documents are contiguous.
    doc_ids
        Document ids, for metrics that break ties by them; without ids the rows are taken to be in ascending order.
    judged
        Labels and query offsets of all judged documents, if there are more than the ranked ones.
    unjudged
        Which ranked documents nobody judged, for bpref, infap and judged: 0 for a judged one, 1 for one that is not in
        the judgments, 2 for one that they list as not judged. Without it all are judged.

    Examples
    --------
    >>> evaluator = Evaluator(["ndcg@1..3", "err"], [0, 1, 2], [0, 3])
    >>> evaluator([3.0, 2.0, 1.0])
    Evaluation(ndcg@1: 0.0000, ndcg@2: 0.1738, ndcg@3: 0.5869, err: 0.0898)
    """

    def __init__(
        self,
        metrics: str | Metric | Iterable[str | Metric],
        labels: ArrayLike,
        query_offsets: ArrayLike,
        *,
        doc_ids: ArrayLike | IdOrder | None = None,
        judged: tuple[ArrayLike, ArrayLike] | None = None,
        unjudged: ArrayLike | None = None,
    ) -> None:
        self.metrics = parse_many(metrics)
        self._documents = Documents(labels, query_offsets, doc_ids=doc_ids, judged=judged, unjudged=unjudged)
        # Metrics that differ in nothing but the cut-off are computed together, those with one tie rule and one
        # score precision from one ranking.
        self._templates = {metric: replace(metric, k=None) for metric in self.metrics}
        self._plan: dict[tuple[Ties, Precision], dict[Metric, list[int]]] = {}
        for metric, template in self._templates.items():
            if not isinstance(metric, KendallTau):
                alike = self._plan.setdefault((metric.ties, metric.precision), {})
                alike.setdefault(template, []).append(cut(metric.k))

    def __call__(self, scores: ArrayLike) -> Evaluation:
        """Score one ranking, given as one score per document; the highest comes first."""
        scores = np.ascontiguousarray(scores, dtype=np.float64)
        documents = self._documents
        if scores.shape != documents.codes.shape:
            raise UsageError(f"{scores.size} scores, but {documents.codes.size} labels", cure="give one per document")
        found: dict[tuple[Metric, int], NDArray[np.float64]] = {}
        for (ties, precision), alike in self._plan.items():
            depth = max(max(cutoffs) for cutoffs in alike.values())
            ranking = rank(documents, scores, ties=ties, precision=precision, depth=depth)
            for template, wanted in alike.items():
                cutoffs = np.array(sorted(wanted))
                values = per_query(template, cutoffs, documents, ranking)
                found |= {(template, k): values[:, column] for column, k in enumerate(cutoffs.tolist())}
        return Evaluation(
            {metric: MetricValues(self._values(metric, found, scores), metric.adds_up) for metric in self.metrics}
        )

    def _values(
        self, metric: Metric, found: dict[tuple[Metric, int], NDArray[np.float64]], scores: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        if isinstance(metric, KendallTau):
            from ltrlib.metrics.kendall import tau_with_labels

            return tau_with_labels(metric, self._documents, scores)
        return found[self._templates[metric], cut(metric.k)]


def evaluate(
    metrics: str | Metric | Iterable[str | Metric],
    labels: ArrayLike,
    scores: ArrayLike,
    query_offsets: ArrayLike,
    *,
    doc_ids: ArrayLike | IdOrder | None = None,
    judged: tuple[ArrayLike, ArrayLike] | None = None,
    unjudged: ArrayLike | None = None,
) -> Evaluation:
    """Score one ranking; the parameters are those of :class:`Evaluator`, plus one score per document.

    Examples
    --------
    >>> evaluate(["ndcg@10", "ndcg@10:yahoo", "ndcg@10:letor4"], [1, 0, 0, 0], [1.0, 2.0, 2.0, 1.0], [0, 2, 4])
    Evaluation(ndcg@10: 0.3155, ndcg@10:yahoo: 0.8155, ndcg@10:letor4: 0.0000)
    """
    return Evaluator(metrics, labels, query_offsets, doc_ids=doc_ids, judged=judged, unjudged=unjudged)(scores)


def evaluate_data(metrics: str | Metric | Iterable[str | Metric], data: RankingData, scores: ArrayLike) -> Evaluation:
    """Score one ranking of a data set, whose document ids are used where a metric asks for them.

    Examples
    --------
    >>> from ltrlib.datasets.container import RankingData, Source, TextColumn
    >>> data = RankingData(
    ...     features=np.zeros((2, 1), np.float32),
    ...     labels=np.array([1, 0], np.int32),
    ...     query_offsets=np.array([0, 2]),
    ...     query_ids=np.array(["q"]),
    ...     comments=TextColumn.from_strings(["docid = A", "docid = B"]),
    ...     source=Source("example"),
    ... )
    >>> evaluate_data(["p@1", "p@1:trec_eval"], data, [0.5, 0.5])
    Evaluation(p@1: 1.0000, p@1:trec_eval: 0.0000)
    """
    wanted = parse_many(metrics)
    doc_ids = data.doc_ids if any(metric.ties.startswith("docid") for metric in wanted) else None
    return evaluate(wanted, data.labels, scores, data.query_offsets, doc_ids=doc_ids)
