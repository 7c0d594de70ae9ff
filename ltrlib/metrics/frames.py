"""One line from a table or a run: frames of pandas and Polars, dictionaries, and what ranx and ir_measures take.

>>> from ltrlib.metrics import evaluate_frame
>>> frame = {"qid": [1, 1, 2], "label": [0, 1, 1], "score": [0.5, 0.7, 0.1]}
>>> round(evaluate_frame(frame, "ndcg@10:xgboost").mean, 4)
1.0
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ltrlib.datasets.arrays import group_rows, is_missing
from ltrlib.datasets.tables import find_column
from ltrlib.errors import UsageError
from ltrlib.metrics.engine import Evaluation, Evaluator, MetricValues
from ltrlib.metrics.files import judge
from ltrlib.metrics.metric import Metric
from ltrlib.metrics.notation import parse_many

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["QueryEvaluation", "evaluate_frame", "evaluate_groups", "evaluate_run"]

Metrics = str | Metric | Iterable[str | Metric]


class QueryEvaluation(Evaluation):
    """Values of metrics, with the ids of the queries.

    ``mean``, ``standard_error`` and ``per_query`` are those of the metric, if there is one only; with several, ask for
    one by its text: ``found["map"].mean``.

    Examples
    --------
    >>> from ltrlib.metrics import parse
    >>> found = QueryEvaluation({parse("map"): MetricValues(np.array([1.0, 0.5]))}, ["a", "b"])
    >>> found.mean, found.standard_error, found.per_query
    (0.75, 0.25, {'a': 1.0, 'b': 0.5})
    """

    def __init__(self, values: Mapping[Metric, MetricValues], query_ids: Sequence[object]) -> None:
        super().__init__(values)
        self.query_ids = list(query_ids)

    @property
    def only(self) -> MetricValues:
        """Values of the one metric."""
        if len(self) != 1:
            raise UsageError(f"there are {len(self)} metrics", cure="ask for one: found['ndcg@10']")
        return next(iter(self.values()))

    @property
    def mean(self) -> float:
        """Mean over the queries that count."""
        return self.only.mean

    @property
    def standard_error(self) -> float:
        """Standard error of that mean."""
        return self.only.standard_error

    @property
    def per_query(self) -> dict[object, float]:
        """Value of each query; NaN where it does not count."""
        return dict(zip(self.query_ids, self.only.per_query.tolist(), strict=True))

    def to_pandas(self) -> pd.DataFrame:
        """One row per query, one column per metric."""
        import pandas as pd

        columns = {str(metric): values.per_query for metric, values in self.items()}
        return pd.DataFrame(columns, index=pd.Index(self.query_ids, name="query"))

    def summary(self) -> pd.DataFrame:
        """One row per metric: mean, standard error, number of queries that count."""
        import pandas as pd

        rows = {
            str(metric): {"mean": one.mean, "standard_error": one.standard_error, "queries": one.counted.size}
            for metric, one in self.items()
        }
        return pd.DataFrame.from_dict(rows, orient="index")


def _ours(metrics: Any) -> Metrics:
    """Metrics as they are; objects of ir_measures as it computes them."""

    def of(metric: Any) -> str | Metric:
        foreign = type(metric).__module__.startswith("ir_measures")
        return parse_many(str(metric), "ir_measures")[0] if foreign else metric

    one = of(metrics)
    return one if isinstance(one, str | Metric) else [of(metric) for metric in metrics]


def evaluate_groups(
    query_ids: ArrayLike, labels: ArrayLike, scores: ArrayLike, metrics: Metrics, *, doc_ids: ArrayLike | None = None
) -> QueryEvaluation:
    """Score one ranking whose rows name their query, in any order of rows.

    Examples
    --------
    >>> evaluate_groups(["b", "a", "b"], [0, 1, 1], [0.5, 0.1, 0.7], ["mrr", "p@2"])
    QueryEvaluation(mrr: 1.0000, p@2: 0.7500)
    """
    order, offsets, names = group_rows(query_ids)
    columns: list[NDArray[Any] | None] = [None if column is None else np.asarray(column) for column in (labels, scores)]
    columns.append(None if doc_ids is None else np.asarray(doc_ids).astype(np.str_))
    for column, what in zip(columns, ("labels", "scores", "document ids"), strict=True):
        if column is not None and column.shape != (int(offsets[-1]),):
            raise UsageError(f"{column.size} {what}, but {int(offsets[-1])} query ids", cure="give one per document")
    ours = [column if column is None or order is None else column[order] for column in columns]
    assert ours[0] is not None
    assert ours[1] is not None
    evaluator = Evaluator(_ours(metrics), _numbers(ours[0], "label"), offsets, doc_ids=ours[2])
    return QueryEvaluation(dict(evaluator(_numbers(ours[1], "score")).items()), names)


def evaluate_frame(
    frame: Any,
    metrics: Metrics,
    *,
    qid: str | None = None,
    label: str | None = None,
    score: str | None = None,
    doc_id: str | None = None,
) -> QueryEvaluation:
    """Score a table with a row per document.

    Parameters
    ----------
    frame
        A frame of pandas or Polars (lazy ones too), a table of pyarrow, a structured array of NumPy, or a dictionary of
        columns.
    metrics
        Metrics or their text forms.
    qid, label, score, doc_id
        Names of the columns. Without them, usual names are looked for: qid, query_id, …; label, relevance, …; score,
        prediction, …; doc_id, docno, … (which may be missing).

    Examples
    --------
    >>> import pandas as pd
    >>> frame = pd.DataFrame({"query": ["a", "a", "b"], "rel": [0, 2, 1], "bm25": [2.0, 1.0, 3.0]})
    >>> found = evaluate_frame(frame, "ndcg@10:xgboost", score="bm25")
    >>> round(found.mean, 4), round(found.standard_error, 4)
    (0.8155, 0.1845)
    >>> found.to_pandas().round(4)
           ndcg@10:xgboost
    query
    a               0.6309
    b               1.0000
    """
    if type(frame).__name__ == "LazyFrame":
        frame = frame.collect()  # Polars
    names = _column_names(frame)
    given = {"qid": qid, "label": label, "score": score, "doc_id": doc_id}
    chosen = {column: name for column, name in given.items() if name is not None}
    taken = {}
    for column in given:
        name = find_column(column, names, chosen, "the frame", wanted=column != "doc_id")
        taken[column] = None if name is None else _column(frame, name)
    # Rows name their documents for tie rules; without a column, rows count as sorted by id, as everywhere.
    return evaluate_groups(
        _given(taken["qid"]), _given(taken["label"]), _given(taken["score"]), metrics, doc_ids=taken["doc_id"]
    )


def evaluate_run(qrels: Any, run: Any, metrics: Metrics) -> QueryEvaluation:
    """Score a run against judgments, as trec_eval and its kin take them.

    Parameters
    ----------
    qrels, run
        Dictionaries of dictionaries (pytrec_eval, ranx), objects of ranx (Qrels, Run), frames or iterables with
        query_id, doc_id and relevance or score (ir_measures).
    metrics
        Metrics or their text forms, also in the spelling of those tools, or the objects of ir_measures,
        which mean what it computes.

    Examples
    --------
    >>> evaluate_run({"q": {"a": 1, "b": 0}}, {"q": {"a": 0.1, "b": 0.2}}, ["recip_rank", "ndcg_cut_10"])
    QueryEvaluation(mrr:trec_eval: 0.5000, ndcg@10:trec_eval: 0.6309)
    """
    both = judge(_nested(qrels, "label", "relevance"), _nested(run, "score", "score"))
    evaluator = Evaluator(
        _ours(metrics),
        both.labels,
        both.query_offsets,
        doc_ids=both.id_order,
        judged=both.judged,
        unjudged=both.not_judged,
    )
    return QueryEvaluation(dict(evaluator(both.scores).items()), both.query_ids.tolist())


def _nested(given: Any, column: str, attribute: str) -> dict[str, dict[str, Any]]:
    if hasattr(given, "to_dict") and not hasattr(given, "columns"):
        given = given.to_dict()  # ranx
    if isinstance(given, Mapping) and all(isinstance(value, Mapping) for value in given.values()):
        made = {str(query): {str(name): value for name, value in rows.items()} for query, rows in given.items()}
        for written, rows in ((made, given), *((made[str(query)], given[query]) for query in given)):
            if len(written) < len(rows):
                raise UsageError("an id is there twice, as a number and as text", cure="write all ids in one way")
        return made
    nested: dict[str, dict[str, Any]] = {}
    if type(given).__name__ == "LazyFrame":
        given = given.collect()
    for query, document, value in _triples(given, column, attribute):
        if is_missing(query) or is_missing(document):
            raise UsageError(f"a row has no id: query {query}, document {document}", cure="name both, or leave it out")
        documents = nested.setdefault(str(query), {})
        if str(document) in documents:
            raise UsageError(f"document {document} of query {query} is given twice")
        documents[str(document)] = value
    return nested


def _triples(given: Any, column: str, attribute: str) -> Iterable[tuple[object, object, object]]:
    if hasattr(given, "columns") or hasattr(given, "column_names"):
        names = _column_names(given)
        found = [find_column(wanted, names, {}, "the frame") for wanted in ("qid", "doc_id", column)]
        return zip(*(_column(given, str(name)).tolist() for name in found), strict=True)
    try:
        return [(row.query_id, row.doc_id, getattr(row, attribute)) for row in given]
    except (AttributeError, TypeError):
        kinds = "dictionaries of dictionaries, a frame, or rows with query_id, doc_id and " + attribute
        raise UsageError(f"{type(given).__name__} is not understood here", cure=f"give {kinds}") from None


def _column_names(frame: Any) -> list[str]:
    if isinstance(frame, Mapping):
        return list(frame)
    if isinstance(frame, np.ndarray) and frame.dtype.names:
        return list(frame.dtype.names)
    names = getattr(frame, "column_names", None) or getattr(frame, "columns", None)
    if names is None or callable(names):
        cure = "give a frame of pandas or Polars, or a dictionary of columns"
        raise UsageError(f"{type(frame).__name__} has no columns", cure=cure)
    return [str(name) for name in names]


def _column(frame: Any, name: str) -> NDArray[Any]:
    column = frame[name]
    return np.asarray(column.to_numpy() if hasattr(column, "to_numpy") else column)


def _given(column: NDArray[Any] | None) -> NDArray[Any]:
    assert column is not None
    return column


def _numbers(column: NDArray[Any], what: str) -> NDArray[Any]:
    if column.dtype.kind in "iufb":
        return column
    try:
        return column.astype(np.float64)
    except (TypeError, ValueError):
        raise UsageError(f"the {what}s are of type {column.dtype}, not numbers") from None
