"""One ranking beside its judgments, as the questions *why this number* and *which number is this* take it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ltrlib.errors import UsageError
from ltrlib.metrics.metric import Metric

if TYPE_CHECKING:
    from ltrlib.metrics.files import JudgedRun
    from ltrlib.metrics.inputs import LabelledDocuments

__all__ = ["Case", "case_of_documents", "case_of_run", "make_case"]


@dataclass(frozen=True, eq=False)
class Case:
    """Labels and scores of documents, query by query.

    Parameters
    ----------
    labels, scores, query_offsets
        One label and one score per ranked document; where each query starts, and the end.
    query_ids
        Names of the queries.
    doc_ids
        Document ids, for the tools that break ties by them.
    judged
        Labels and query offsets of all judged documents, where these are not just the ranked ones.
    unjudged
        Which ranked documents nobody judged, as :class:`ltrlib.metrics.Evaluator` takes it.

    Examples
    --------
    >>> case = make_case([1, 0, 2], [0.3, 0.2, 0.1], [0, 2, 3])
    >>> case.query_ids, case.n_queries
    (('1', '2'), 2)
    """

    labels: NDArray[np.int32]
    scores: NDArray[np.float64]
    query_offsets: NDArray[np.int64]
    query_ids: tuple[str, ...]
    doc_ids: NDArray[Any] | None = None
    judged: tuple[NDArray[np.int32], NDArray[np.int64]] | None = None
    unjudged: NDArray[np.integer] | None = None

    @property
    def n_queries(self) -> int:
        """Number of queries."""
        return self.query_offsets.size - 1

    @property
    def sizes(self) -> NDArray[np.int64]:
        """Number of ranked documents of each query."""
        return np.diff(self.query_offsets)

    def values(self, metrics: Iterable[Metric]) -> dict[Metric, NDArray[np.float64]]:
        """Values of each query under each metric, NaN where it leaves the query out.

        Examples
        --------
        >>> from ltrlib.metrics.notation import parse
        >>> make_case([0, 1], [2.0, 1.0], [0, 2]).values([parse("mrr")])
        {mrr: array([0.5])}
        """
        from ltrlib.metrics.engine import evaluate

        found = evaluate(
            metrics,
            self.labels,
            self.scores,
            self.query_offsets,
            doc_ids=self.doc_ids,
            judged=self.judged,
            unjudged=self.unjudged,
        )
        return {metric: values.per_query for metric, values in found.items()}

    def only(self, query: int) -> Case:
        """One query by itself.

        Examples
        --------
        >>> make_case([1, 0, 2], [0.3, 0.2, 0.1], [0, 2, 3]).only(1).labels
        array([2], dtype=int32)
        """
        rows = slice(*self.query_offsets[query : query + 2].tolist())
        judged = None
        if self.judged is not None:
            kept = self.judged[0][slice(*self.judged[1][query : query + 2].tolist())]
            judged = (kept, np.array([0, kept.size]))
        return Case(
            self.labels[rows],
            self.scores[rows],
            np.array([0, rows.stop - rows.start]),
            (self.query_ids[query],),
            None if self.doc_ids is None else self.doc_ids[rows],
            judged,
            None if self.unjudged is None else self.unjudged[rows],
        )

    def binarised(self, threshold: int) -> Case:
        """The same with labels of ``threshold`` or more as 1 and all others as 0.

        Examples
        --------
        >>> make_case([1, 0, 2], [0.3, 0.2, 0.1], [0, 2, 3]).binarised(2).labels
        array([0, 0, 1], dtype=int32)
        """
        judged = None
        if self.judged is not None:
            judged = ((self.judged[0] >= threshold).astype(np.int32), self.judged[1])
        return replace(self, labels=(self.labels >= threshold).astype(np.int32), judged=judged)

    def has_relevant(self) -> NDArray[np.bool_]:
        """Whether each query has a document with a label above 0, among all that were judged.

        Examples
        --------
        >>> make_case([1, 0, 0], [0.3, 0.2, 0.1], [0, 2, 3]).has_relevant()
        array([ True, False])
        """
        labels, offsets = self.judged or (self.labels, self.query_offsets)
        seen = np.concatenate([[0], np.cumsum(labels > 0)])
        return np.diff(seen[offsets]) > 0


def make_case(
    labels: ArrayLike,
    scores: ArrayLike,
    query_offsets: ArrayLike,
    *,
    query_ids: Iterable[str] | None = None,
    doc_ids: ArrayLike | None = None,
    judged: tuple[ArrayLike, ArrayLike] | None = None,
    unjudged: ArrayLike | None = None,
) -> Case:
    """Check arrays and put them together; queries without names are counted from 1.

    Examples
    --------
    >>> make_case([1], [0.5], [0, 1], query_ids=["q"]).query_ids
    ('q',)
    """
    from ltrlib.metrics.judgments import Documents

    Documents(labels, query_offsets, doc_ids=doc_ids, judged=judged, unjudged=unjudged)  # refuses what does not fit
    offsets = np.asarray(query_offsets, dtype=np.int64)
    names = tuple(str(n + 1) for n in range(offsets.size - 1)) if query_ids is None else tuple(map(str, query_ids))
    if len(names) != offsets.size - 1:
        raise UsageError(f"{len(names)} query ids, but {offsets.size - 1} queries", cure="give one per query")
    if not names:
        raise UsageError("there is no query", cure="give at least one")
    return Case(
        np.asarray(labels).astype(np.int32),
        np.asarray(scores, dtype=np.float64),
        offsets,
        names,
        None if doc_ids is None else np.asarray(doc_ids),
        None if judged is None else (np.asarray(judged[0]).astype(np.int32), np.asarray(judged[1], dtype=np.int64)),
        None if unjudged is None else np.asarray(unjudged),
    )


def case_of_documents(documents: LabelledDocuments, scores: NDArray[np.float64]) -> Case:
    """Documents of a file with their scores.

    Examples
    --------
    >>> from ltrlib.metrics.inputs import LabelledDocuments
    >>> documents = LabelledDocuments("x", np.array([1, 0], np.int32), np.array([0, 2]), ["q"], None)
    >>> case_of_documents(documents, np.array([0.5, 0.2])).query_ids
    ('q',)
    """
    ids = documents.doc_ids(scores)
    return make_case(
        documents.labels,
        scores,
        documents.query_offsets,
        query_ids=documents.query_ids,
        # As objects, because one long id would make an array of fixed width explode.
        doc_ids=None if ids is None else np.array(ids.texts(), dtype=object),
    )


def case_of_run(both: JudgedRun) -> Case:
    """A run beside its judgments.

    Examples
    --------
    >>> from ltrlib.metrics.files import judge
    >>> case_of_run(judge({"1": {"a": 2}}, {"1": {"a": 0.5, "c": 0.7}})).labels
    array([2, 0], dtype=int32)
    """
    return make_case(
        both.labels,
        both.scores,
        both.query_offsets,
        query_ids=both.query_ids.tolist(),
        doc_ids=np.array(both.id_order.texts(), dtype=object),
        judged=both.judged,
        unjudged=both.not_judged,
    )
